"""From any state to any state: :class:`OnlineTrajectory`. From rest to rest: ``scurve`` and ``synchronized``.

Axes may move at both ends; they start outside their limits if they must. A stop, whose end is wherever it ends, is in
``stop``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, cast, get_args, overload

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidLimits, JointLimitViolated, UnknownName, did_you_mean
from ..kernels import online_axis, online_segments
from ..kernels._batch import run_rows
from ..kernels._contract import CONTEXT, Model
from . import _hot
from . import _online_line as line
from ._immutable import Immutable, put, slot
from ._online_problem import (
    WIDTH,
    check_ends,
    check_range,
    explain_numbers,
    explain_target,
    limits_table,
    problem_table,
    put_rates,
    states_table,
)
from ._sampling import sample_axes, sample_block
from .limits import MotionLimits
from .samples import FloatArray, MotionSample, MotionState, finite, finite_vector

Synchronize = Literal["time", "line", "none"]
States = MotionState[Any] | Sequence[MotionState[float]] | ArrayLike
Limits = MotionLimits | Sequence[MotionLimits] | ArrayLike
CHOICES = get_args(Synchronize)
SCRATCH = online_axis.SCRATCH
MODES = {"none": 0, "time": 2}  # of the kernel, without a least duration
SEGMENTS = {0: online_axis.FASTEST, 2: online_axis.TIMED}
EACH = {0: _hot.SHORT + 14, 2: _hot.LONG + 14}  # numbers of the front door's block, an axis
EXCESS = 1e-12  # share of a limit below which nothing is a violation
ROOM = 1.0 + EXCESS


class Violation(NamedTuple):
    """A limit that the start exceeds, or must exceed, whatever the axis does.

    Args:
        axis: counted from 0.
        quantity: "velocity" or "acceleration".
        amount: by how much at most, in the unit of the quantity, above zero.
        until: time in s by which the axis is inside its limits.
    """

    axis: int
    quantity: str
    amount: float
    until: float


class OnlineTrajectory(Immutable):
    """The fastest jerk-limited motion of n axes from any state to any state; make it with :meth:`plan`.

    Args:
        synchronize: how the axes belong together: "time", "line" or "none".
        duration: in s, of the whole.
    """

    __slots__ = ("_model", "_positions", "_problem", "_segments", "duration", "synchronize")

    synchronize: Synchronize
    duration: float
    _problem: FloatArray  # (n, 12)
    _positions: FloatArray | None  # (n, 2)
    _segments: int
    _model: Model

    @classmethod
    def plan(
        cls,
        current: States,
        target: States,
        limits: Limits,
        synchronize: Synchronize = "time",
        min_duration: float | None = None,
    ) -> OnlineTrajectory:
        """Plan from the current state of each axis to its target state.

        An axis outside its limits of velocity or acceleration is brought into them first, as quickly as they can be
        met; it does not stop for that. "none": each axis arrives as soon as it can. "time": all arrive together, at
        the first time at which all of them can. "line": all axes follow the straight line from the current to the
        target position, exactly; see :attr:`line_price`. O(n).

        Args:
            current: one MotionState, a sequence of them, a MotionState of arrays (n,) or an array (n, 3) of position,
                velocity and acceleration, in rad or m and s.
            target: likewise. Its velocity and acceleration must lie inside the limits.
            limits: one MotionLimits an axis, each for both directions or each its own, or an array (n, 3) of velocity,
                acceleration and jerk. Ranges of positions hold on the whole way.
            synchronize: "time", "line" or "none".
            min_duration: in s; the motion takes at least so long. It is then a mixture of the two extreme motions of
                its duration, with lower jerk, acceleration and velocity throughout.

        Raises:
            WrongLength: current, target and limits are not of one length.
            NotFinite: a number is not finite, or the motion leaves the range of floating point numbers.
            InvalidLimits: limits are not set, or the target lies outside them; the message has the nearest that fits;
                or ``min_duration`` is negative.
            UnknownName: ``synchronize`` is none of the three.
            JointLimitViolated: an axis would leave its range of positions.
            OffLine: "line", and a velocity or an acceleration does not point along the line.

        >>> import motionkit as mk
        >>> limits = mk.MotionLimits(2, 8, 40)
        >>> move = mk.OnlineTrajectory.plan(mk.MotionState(0, 0, 0), mk.MotionState(2, 0, 0), limits)
        >>> round(move.duration, 12)
        1.45
        >>> move = mk.OnlineTrajectory.plan(mk.MotionState(0, 1.5, 8), mk.MotionState(2, -1, 0), limits)
        >>> round(move.duration, 6), move.sample(move.duration).velocity
        (1.440907, array([-1.]))
        """
        hot = _hot.plan_axes.native
        if hot is not None and type(current) is np.ndarray and min_duration is None and synchronize in MODES:
            n = len(current)
            mode = 0 if n == 1 else MODES[synchronize]
            block = np.empty(n * EACH[mode] + 1 + SCRATCH)
            # what the front door does not take, the long way takes, or says what is wrong
            if hot(CONTEXT, current, target, limits, mode, block) == 0:
                made = object.__new__(cls)
                _put_block(made, block)
                _put_synchronize(made, synchronize)
                _put_segments(made, SEGMENTS[mode])
                return made
        if synchronize not in CHOICES:
            raise UnknownName(
                f"synchronize is {synchronize!r}; {did_you_mean(str(synchronize), CHOICES)}",
                name=str(synchronize),
            )
        least = 0.0 if min_duration is None else finite(min_duration, "min_duration")
        if least < 0.0:
            raise InvalidLimits(f"min_duration is {least!r}; give a time in seconds, zero or more", joint="")
        start = states_table(current, "current")
        rates, positions = limits_table(limits, len(start))
        problem = problem_table(start, states_table(target, "target"), rates, least)
        return cls._solve(problem, positions, synchronize)

    @classmethod
    def to_velocity(
        cls, current: States, velocity: ArrayLike, limits: Limits, acceleration: ArrayLike = 0.0
    ) -> OnlineTrajectory:
        """Bring each axis to a velocity (and acceleration) as quickly as it can, wherever that ends.

        Args:
            current: as for :meth:`plan`.
            velocity: (n,) or one for all, in rad/s or m/s.
            limits: as for :meth:`plan`.
            acceleration: (n,) or one for all, in rad/s^2 or m/s^2.

        Raises:
            WrongLength: the numbers of axes differ.
            NotFinite: a number is not finite.
            InvalidLimits: limits are not set, or the target lies outside them.
            JointLimitViolated: an axis would leave its range of positions.

        >>> import motionkit as mk
        >>> slow = mk.OnlineTrajectory.to_velocity(mk.MotionState(0, 2, 0), 0.5, mk.MotionLimits(2, 8, 40))
        >>> round(slow.duration, 12)
        0.387298334621
        """
        start = states_table(current, "current")
        n = len(start)
        rates, positions = limits_table(limits, n)
        ends = np.empty((n, 3))
        ends[:, 0] = start[:, 0]
        ends[:, 1] = finite_vector(np.broadcast_to(np.asarray(velocity, dtype=np.float64), n), "velocity")
        ends[:, 2] = finite_vector(np.broadcast_to(np.asarray(acceleration, dtype=np.float64), n), "acceleration")
        problem = problem_table(start, ends, rates, 0.0)
        reached = np.empty((n, 1))
        if float(problem[:, 6:11].min()) > 0.0:
            run_rows(online_axis.online_change, problem, reached)
            problem[:, 3] = reached[:, 0]
        if not np.isfinite(problem).all():
            raise explain_numbers(problem)
        return cls._solve(problem, positions, "none")

    @classmethod
    def _solve(
        cls, problem: FloatArray, positions: FloatArray | None, synchronize: Synchronize, keep: line.Line | None = None
    ) -> OnlineTrajectory:
        """Plan checked problems; ``keep`` is the line to go on along."""
        table = problem
        if synchronize == "line":
            if keep is None:
                keep = line.line_of(problem)
            table = line.path_problem(problem, keep)
        single = len(table) == 1
        least = float(problem[0, 11])
        mode = 0 if least == 0.0 and (single or synchronize == "none") else 1 if single or synchronize == "none" else 2
        segments = online_axis.FASTEST if mode == 0 else online_axis.TIMED
        count = len(table)
        numbers = np.empty(count * (online_segments.HEAD + online_segments.EACH * segments))
        report = np.empty(1 + 2 * count)
        try:
            online_axis.online_axes(table.reshape(-1), count, mode, np.empty(SCRATCH), report, numbers)
        except ZeroDivisionError:  # interpreted, with a limit of zero; native code goes on with what is not a number
            raise explain_numbers(problem) from None
        values = report.tolist()
        total = values[0]
        states = values[1 : 1 + count]
        if min(states) < 0.0 or not math.isfinite(total):
            raise explain_numbers(problem)
        if min(states) == 0.0:
            if keep is not None:
                raise line.explain(problem, table)
            axis = states.index(0.0)
            raise explain_target(problem[axis].tolist(), axis)
        if keep is not None:
            numbers = np.concatenate([numbers, keep.numbers(problem)])
        problem.setflags(write=False)
        made = _trajectory(cls, synchronize, total, problem, positions, segments, Model(numbers))
        if positions is not None:
            check_ends(problem, positions)
            low, high = made.position_extrema
            check_range(low, high, positions, "the way reaches")
        return made

    def _fill(self, name: str) -> Any:
        block = cast("FloatArray", self._block)
        size = online_segments.HEAD + online_segments.EACH * self._segments
        n = (len(block) - 1 - SCRATCH) // (size + 14)
        if name == "_model":
            put(self, name, Model(block[: size * n]))
        elif name == "_problem":
            problem = block[size * n : (size + WIDTH) * n].reshape(n, WIDTH).copy()
            problem.setflags(write=False)
            put(self, name, problem)
        elif name == "duration":
            put(self, name, block.item((size + WIDTH) * n))
        elif name == "_positions":
            put(self, name, None)
        else:
            return Immutable._fill(self, name)
        return object.__getattribute__(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        kept = (self.synchronize, self.duration, self._problem, self._positions, self._segments, self._model)
        return _trajectory, (type(self), *kept)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OnlineTrajectory):
            return NotImplemented
        same = self.synchronize == other.synchronize and np.array_equal(self._model.array, other._model.array)
        return same and np.array_equal(self._problem, other._problem)

    def __hash__(self) -> int:
        return hash((self.synchronize, self._model.array.tobytes(), self._problem.tobytes()))

    def __len__(self) -> int:
        return len(self._problem)

    def __repr__(self) -> str:
        shown = ("synchronize", "duration", "durations")
        return f"OnlineTrajectory({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    @property
    def durations(self) -> FloatArray:
        """(n,) in s, of each axis; read-only."""
        if self.synchronize == "line":
            durations = np.full(len(self), self.duration)
            durations.setflags(write=False)
            return durations
        return self._model.array[:: len(self._model.array) // len(self)]

    @property
    def kernel_model(self) -> Model:
        """What the kernels of ``online_segments`` read: give its ``array`` to a compiled loop of your own."""
        return self._model

    @property
    def current(self) -> tuple[MotionState[float], ...]:
        """The states at time 0."""
        return tuple(MotionState(*row) for row in self._problem[:, :3].tolist())

    @property
    def target(self) -> tuple[MotionState[float], ...]:
        """The states at the end."""
        return tuple(MotionState(*row) for row in self._problem[:, 3:6].tolist())

    @property
    def position_extrema(self) -> tuple[FloatArray, FloatArray]:
        """The lowest and the highest position of each axis on the way: two arrays (n,) in rad or m."""
        table = self._extremes()
        return table[:, 0], table[:, 1]

    @property
    def velocity_extrema(self) -> tuple[FloatArray, FloatArray]:
        """The lowest and the highest velocity of each axis on the way: two arrays (n,) in rad/s or m/s."""
        table = self._extremes()
        return table[:, 2], table[:, 3]

    @property
    def acceleration_extrema(self) -> tuple[FloatArray, FloatArray]:
        """The lowest and the highest acceleration of each axis on the way: two arrays (n,) in rad/s^2 or m/s^2."""
        table = self._extremes()
        return table[:, 4], table[:, 5]

    @property
    def unavoidable_violation(self) -> tuple[Violation, ...]:
        """What of the velocity and acceleration limits the current state exceeds, or must; empty when nothing.

        A start at 1 m/s, which is the limit, with 1 m/s^2 and 5 m/s^3 comes to 1.1 m/s whatever is done:

        >>> import motionkit as mk
        >>> limits = mk.MotionLimits(1, 2, 5)
        >>> move = mk.OnlineTrajectory.plan(mk.MotionState(0, 1, 1), mk.MotionState(3, 0, 0), limits)
        >>> [(v.axis, v.quantity, round(v.amount, 12), round(v.until, 12)) for v in move.unavoidable_violation]
        [(0, 'velocity', 0.1, 0.4)]
        """
        found: list[Violation] = []
        inside = self._inside_from()
        for i, (reached, p) in enumerate(zip(self._extremes().tolist(), self._problem.tolist(), strict=True)):
            _, _, slowest, quickest, least, most = reached
            for quantity, amount, limit in (
                ("velocity", quickest - p[6], p[6]),
                ("velocity", -p[7] - slowest, p[7]),
                ("acceleration", most - p[8], p[8]),
                ("acceleration", -p[9] - least, p[9]),
            ):
                if amount > EXCESS * limit:
                    found.append(Violation(i, quantity, amount, inside[i]))
        return tuple(found)

    @property
    def line_price(self) -> float:
        """How many times longer the motion takes than one whose axes only arrive together; plans that one too.

        >>> import motionkit as mk
        >>> limits = [[2, 8, 40], [2, 8, 40]]
        >>> start, goal = [[0, 0, 0], [0, 0, 0]], [[2, 0, 0], [1, 0, 0]]
        >>> mk.OnlineTrajectory.plan(start, goal, limits, "line").line_price
        1.0
        """
        other = OnlineTrajectory._solve(self._problem.copy(), None, "time")
        return self.duration / other.duration if other.duration > 0.0 else 1.0

    def _inside_from(self) -> list[float]:
        times = self._model.array[1 :: online_segments.HEAD + online_segments.EACH * self._segments].tolist()
        return times[:1] * len(self) if self.synchronize == "line" else times

    def _extremes(self) -> FloatArray:
        """(n, 6) lowest and highest positions, velocities, accelerations."""
        n = len(self)
        if self.synchronize != "line":
            table = np.empty(6 * n)
            online_segments.online_extremes(self._model.array, n, self._segments, table)
            return table.reshape(n, 6)
        table = np.empty(6)
        online_segments.online_extremes(self._model.array, 1, self._segments, table)
        return line.extremes(self._model, self._segments, n, table)

    def _sample(self, t: float, block: FloatArray) -> None:
        n = len(self)
        if self.synchronize == "line":
            online_segments.online_line_sample(self._model, n, self._segments, t, self.duration, block)
        else:
            online_segments.online_sample(self._model, n, self._segments, t, block)

    @overload
    def sample(self, t: float) -> MotionSample[FloatArray]: ...
    @overload
    def sample(self, t: float, out: FloatArray) -> FloatArray: ...
    def sample(self, t: float, out: FloatArray | None = None) -> MotionSample[FloatArray] | FloatArray:
        """All axes at time ``t``.

        Args:
            t: in s, any finite time. Up to 0 the answer is exactly the current state, from the duration of an axis on
                exactly its target state, with jerk zero outside.
            out: (4, n) filled with positions, velocities, accelerations and jerks, and returned, when given.

        Returns:
            A sample whose fields are arrays (n,), or ``out``.

        Raises:
            NotFinite: ``t`` is not finite.
            WrongLength: ``out`` is not a C-contiguous float64 array of shape (4, n).
        """
        hot = (_hot.sample_online_line if self.synchronize == "line" else _hot.sample_online).native
        # what the front door does not take, the long way takes, or says what is wrong
        if hot is not None and out is not None and hot(CONTEXT, self._model, t, out) == 0:
            return out
        return sample_axes(t, len(self), out, self._sample)

    def sample_many(self, ts: ArrayLike) -> MotionSample[FloatArray]:
        """All axes at many times at once; the same bits as :meth:`sample` gives one at a time.

        Args:
            ts: (T,) times in s, in any order.

        Returns:
            A sample whose fields are arrays (T, n).

        Raises:
            NotFinite: a time is not finite; the message says which.
            WrongLength: ``ts`` is not one-dimensional.
        """
        return MotionSample(*sample_block(ts, len(self), self._rows))

    def _rows(self, times: FloatArray, rows: FloatArray) -> None:
        n = len(self)
        if self.synchronize == "line":
            ends = np.full(len(times), self.duration)
            run_rows(online_segments.online_line_sample, self._model, n, self._segments, times, ends, rows)
        else:
            run_rows(online_segments.online_sample, self._model, n, self._segments, times, rows)

    def states(self, t: float) -> list[MotionState[float]]:
        """The state of each axis at time ``t``, as planners take it."""
        sample = self.sample(t)
        rows = zip(sample.position.tolist(), sample.velocity.tolist(), sample.acceleration.tolist(), strict=True)
        return [MotionState(p, v, a) for p, v, a in rows]

    def replan(self, t: float, limits: Limits | None = None) -> OnlineTrajectory:
        """The fastest motion to the same target from the state at time ``t``, under other limits.

        A line stays the line that it was: not the sampled positions are planned from but the path parameter, so that
        re-planning every cycle does not leave it. When what is left of this motion keeps the limits and nothing quicker
        is found, that is returned: a sampled state is rounded, and from a state beside the one that was meant the
        fastest motion may be another. A least duration is not kept.

        Args:
            t: time in s, within this trajectory or not.
            limits: as for :meth:`plan`; None for the same.

        Raises:
            NotFinite: ``t`` is not finite.
            InvalidLimits: as in :meth:`plan`.
            JointLimitViolated: as in :meth:`plan`.

        >>> import motionkit as mk
        >>> move = mk.OnlineTrajectory.plan([[0, 0, 0], [0, 0, 0]], [[2, 0, 0], [1, 0, 0]], [[2, 8, 40]] * 2, "line")
        >>> slower = move.replan(0.5, [[1, 8, 40]] * 2)
        >>> bool((slower.sample(0.7).position[1] * 2 == slower.sample(0.7).position[0]).all())
        True
        """
        sample = self.sample(t)
        problem = self._problem.copy()
        positions = self._positions
        problem[:, 0] = sample.position
        problem[:, 1] = sample.velocity
        problem[:, 2] = sample.acceleration
        problem[:, 11] = 0.0
        if limits is not None:
            rates, positions = limits_table(limits, len(self))
            put_rates(problem, rates)
        kept = None
        if self.synchronize == "line":
            state = np.empty(4)
            online_segments.online_sample(self._model, 1, self._segments, float(t), state)
            kept = line.line_again(self._model, self._segments, len(self), state)
        try:
            again = OnlineTrajectory._solve(problem, positions, self.synchronize, kept)
        except JointLimitViolated:
            rest = self._rest(float(t), problem, positions)
            if t > 0.0 and rest._keeps():
                return rest
            raise
        if t > 0.0 and again.duration > self.duration - t:
            rest = self._rest(float(t), problem, positions)
            if rest._keeps():
                return rest
        return again

    def _rest(self, t: float, problem: FloatArray, positions: FloatArray | None) -> OnlineTrajectory:
        """What is left of this motion, held against other limits."""
        numbers = self._model.array.copy()
        size = online_segments.HEAD + online_segments.EACH * self._segments
        n = len(self)
        axes = 1 if self.synchronize == "line" else n
        rest = np.empty(size * axes)
        online_segments.online_rest(np.ascontiguousarray(numbers[: size * axes]), axes, self._segments, t, rest)
        numbers[: size * axes] = rest
        if self.synchronize == "line":
            numbers[size + 2 * n : size + 3 * n] = problem[:, 0]
        total = max(self.duration - t, 0.0)
        return _trajectory(
            OnlineTrajectory, self.synchronize, total, problem, positions, self._segments, Model(numbers)
        )

    def _keeps(self) -> bool:
        """Whether the motion keeps the limits that it carries, with its start."""
        reached, p = self._extremes(), self._problem
        size = online_segments.HEAD + online_segments.EACH * self._segments
        axes = 1 if self.synchronize == "line" else len(self)
        parts = self._model.array[: size * axes].reshape(axes, size)[:, online_segments.HEAD :]
        jerks = np.abs(parts.reshape(axes, self._segments, -1)[:, :, 6]).max(1)
        if self.synchronize == "line":
            jerks = jerks * np.abs(self._model.array[size + len(self) : size + 2 * len(self)])
        kept = (reached[:, 3] <= p[:, 6] * ROOM) & (reached[:, 2] >= -p[:, 7] * ROOM)
        kept &= (reached[:, 5] <= p[:, 8] * ROOM) & (reached[:, 4] >= -p[:, 9] * ROOM) & (jerks <= p[:, 10] * ROOM)
        if self._positions is not None:
            kept &= (reached[:, 0] >= self._positions[:, 0]) & (reached[:, 1] <= self._positions[:, 1])
        return bool(kept.all())


_put_block, _put_synchronize = slot(Immutable, "_block"), slot(OnlineTrajectory, "synchronize")
_put_segments = slot(OnlineTrajectory, "_segments")


def _trajectory(
    cls: type[OnlineTrajectory],
    synchronize: Synchronize,
    duration: float,
    problem: FloatArray,
    positions: FloatArray | None,
    segments: int,
    model: Model,
) -> OnlineTrajectory:
    made = object.__new__(cls)
    put(made, "synchronize", synchronize)
    put(made, "duration", duration)
    put(made, "_problem", problem)
    put(made, "_positions", positions)
    put(made, "_segments", segments)
    put(made, "_model", model)
    return made
