"""Several axes in step along a straight line in joint space: :class:`SynchronizedTrajectory`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast, overload

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidLimits
from ..kernels import along, synchronized
from ..kernels import scurve as kernels
from ..kernels._batch import run_rows
from ..kernels._contract import CONTEXT, Model
from . import _hot
from ._immutable import Immutable, put, slot
from ._sampling import sample_axes, sample_block
from .axes import Positions, straight_move
from .limits import RATES, MotionLimits, check_limits, check_position, rest_to_rest_rates
from .line_stop import LineStop
from .paced import stacked, unstacked
from .samples import FloatArray, MotionSample, MotionState, finite
from .scurve import line_rows, solve_profile


class BindingAxes(NamedTuple):
    """Which axis sets each limit of the common motion, counted from 0; None for a limit that is not reached."""

    velocity: int | None
    acceleration: int | None
    jerk: int | None


class SynchronizedTrajectory(Immutable):
    """The fastest jerk-limited move of several axes from rest to rest on the straight line between two configurations.

    One path parameter s, from 0 to 1, drives all axes: ``position = start + (goal - start) * s``. Its velocity,
    acceleration and jerk limits are the smallest ratios of an axis' limit to its travel, so the axis that binds runs at
    its own limit (within one unit in the last place, never above) and no axis leaves the line. Make it with
    :meth:`plan`.
    """

    __slots__ = ("_common", "_model", "limits")

    limits: tuple[MotionLimits, ...]
    """Limits of each axis."""
    _model: Model
    _common: list[float]  # limits of the path parameter, and which axis sets each

    @classmethod
    def plan(
        cls,
        start: Positions,
        goal: Positions,
        limits: Sequence[MotionLimits] | Mapping[str, MotionLimits] | ArrayLike,
        *,
        names: Sequence[str] | None = None,
    ) -> SynchronizedTrajectory:
        """Plan a straight move of n axes from rest to rest, in closed form; O(n).

        Args:
            start: (n,) in rad or m; or n values that carry their unit; or a mapping by name.
            goal: (n,), likewise.
            limits: one :class:`MotionLimits` an axis, or a mapping by name, or an array (n, 3) of velocity,
                acceleration and jerk. Limits of an axis that does not move may be zero. What is said of asymmetric
                limits and ranges in :meth:`ScurveProfile.plan` holds for every axis that moves; ranges hold for the
                others too.
            names: of the axes, for messages and as the order of mappings, such as ``chain.joint_names``.

        Raises:
            WrongLength: start, goal, limits and names are not of one length, or a mapping lacks an axis.
            UnknownName: a mapping has a name that there is not.
            KindMismatch: start, goal and limits of an axis, where they carry units, are of different kinds; the
                message names the axis. This is looked at before anything else.
            NotFinite: a position is not finite.
            InvalidLimits: limits of an axis that moves are not set, or make no sense; the message names the axis.
            JointLimitViolated: an end lies outside the range of an axis.

        >>> import motionkit as mk
        >>> move = mk.SynchronizedTrajectory.plan([0.0, 1.0], [2.0, 0.0], [[2, 8, 40], [2, 8, 40]])
        >>> move.duration
        1.45
        >>> move.sample(0.725).position
        array([1. , 0.5])
        >>> move.binding_axes
        BindingAxes(velocity=0, acceleration=0, jerk=0)
        """
        hot = _hot.plan_line.native
        if hot is not None and names is None and type(limits) is np.ndarray and type(start) is np.ndarray:
            block = np.empty(kernels.PROFILE + 6 + 10 * len(start))
            # what the front door does not take, the long way takes, or says what is wrong
            if hot(CONTEXT, start, goal, limits, block) == 0:
                made = object.__new__(cls)
                _put_block(made, block)
                return made
        first, last, per_axis = straight_move(start, goal, limits, names)
        n = len(first)
        here, there = first.tolist(), last.tolist()
        travel = [b - a for a, b in zip(here, there, strict=True)]
        rates: list[tuple[float, float, float]] = []
        for i, axis in enumerate(per_axis):
            name = f"axis {i}" if names is None else names[i]
            moves = travel[i] != 0.0
            check_limits(axis, RATES if moves else (), name)
            check_position(axis, here[i], "start", name)
            check_position(axis, there[i], "goal", name)
            rates.append(rest_to_rest_rates(axis, travel[i] > 0.0, name) if moves else (0.0, 0.0, 0.0))
        common = np.full(6, -1.0)
        if any(travel):
            synchronized.line_limits([*travel, *(r[k] for k in range(3) for r in rates)], n, common)
            profile = solve_profile(1.0, *common[:3].tolist())
        else:
            profile = solve_profile(0.0, 1.0, 1.0, 1.0)
        return _trajectory(cls, Model([*profile, *here, *there, *travel]), per_axis, common.tolist())

    def _fill(self, name: str) -> Any:
        block = cast("FloatArray", self._block)
        n = (len(block) - kernels.PROFILE - 6) // 10
        model, limits, common = np.split(block, [kernels.PROFILE + 3 * n, kernels.PROFILE + 6 * n])[:3]
        if name == "_model":
            put(self, name, Model(model))
        elif name == "limits":
            put(self, name, tuple(MotionLimits(*row) for row in limits.reshape(n, 3).tolist()))
        elif name == "_common":
            put(self, name, common[:6].tolist())
        else:
            return Immutable._fill(self, name)
        return object.__getattribute__(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _trajectory, (type(self), self._model, self.limits, self._common)

    @property
    def start(self) -> FloatArray:
        """(n,) positions at time 0 in rad or m; read-only."""
        return self._axes(0)

    @property
    def goal(self) -> FloatArray:
        """(n,) positions at the end in rad or m; read-only."""
        return self._axes(1)

    @property
    def duration(self) -> float:
        """In s; 0 when no axis moves."""
        return self._model.array.item(0)

    @property
    def binding_axes(self) -> BindingAxes:
        """Which axis sets each limit of the common motion."""
        velocity, acceleration, _, *axes = self._common
        profile = self._model.array
        return BindingAxes(
            int(axes[0]) if axes[0] >= 0.0 and profile[9] == velocity else None,
            int(axes[1]) if axes[1] >= 0.0 and profile[8] == acceleration else None,
            int(axes[2]) if axes[2] >= 0.0 else None,
        )

    def _axes(self, part: int) -> FloatArray:
        n = (len(self._model.array) - kernels.PROFILE) // 3
        return self._model.array[kernels.PROFILE + part * n : kernels.PROFILE + (part + 1) * n]

    def __repr__(self) -> str:
        shown = ("start", "goal", "limits", "duration", "binding_axes")
        return f"SynchronizedTrajectory({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SynchronizedTrajectory):
            return NotImplemented
        return np.array_equal(self._model.array, other._model.array) and self.limits == other.limits

    def __hash__(self) -> int:
        return hash((self.limits, self._model.array.tobytes()))

    @property
    def kernel_model(self) -> Model:
        """What ``kernels.scurve.scurve_sample`` reads: give its ``array`` to a compiled loop of your own."""
        return self._model

    @property
    def boundaries(self) -> FloatArray:
        """The times (8,) in s at which segments 1 to 7 begin, and at which segment 7 ends; see ``ScurveProfile``."""
        return np.array([0.0, *self._model.values[1:7], self.duration])

    @overload
    def sample(self, t: float) -> MotionSample[FloatArray]: ...
    @overload
    def sample(self, t: float, out: FloatArray) -> FloatArray: ...
    def sample(self, t: float, out: FloatArray | None = None) -> MotionSample[FloatArray] | FloatArray:
        """All axes at time ``t``.

        Args:
            t: in s, any finite time. Before 0 the axes rest exactly at the start, from the duration on exactly at the
                goal: velocities, accelerations and jerks are zero.
            out: (4, n) filled with positions, velocities, accelerations and jerks, and returned, when given.

        Returns:
            A sample whose fields are arrays (n,), or ``out``.

        Raises:
            NotFinite: ``t`` is not finite.
            WrongLength: ``out`` is not a C-contiguous float64 array of shape (4, n).
        """
        hot = _hot.sample_axes.native
        # what the front door does not take, the long way takes, or says what is wrong
        if hot is not None and hot(CONTEXT, self._model, t, out) == 0:
            return out  # pyright: ignore[reportReturnType]  the front door takes no None
        n = len(self.start)
        return sample_axes(t, n, out, partial(kernels.scurve_sample, self._model, n))

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
        return MotionSample(*sample_block(ts, n := len(self.start), partial(line_rows, self._model, n)))

    def progress(self, ts: ArrayLike) -> MotionSample[FloatArray]:
        """The path parameter, from 0 to 1, at times (T,) in s: fields (T,).

        Raises:
            NotFinite: a time is not finite; the message says which.
            WrongLength: ``ts`` is not one-dimensional.
        """
        line = Model([*self._model.values[: kernels.PROFILE], 0.0, 1.0, 1.0])
        return MotionSample(*sample_block(ts, 1, partial(line_rows, line, 1))[:, :, 0])

    def along(self, progress: MotionSample[FloatArray]) -> MotionSample[FloatArray]:
        """The axes, fields (T, n), while the path parameter moves as given, fields (T,)."""
        n = len(self.start)
        rows = np.empty((len(progress.position), 4 * n))
        line = Model(np.concatenate([self.start, self.goal - self.start]))
        run_rows(along.along_line, line, n, stacked(progress), rows)
        return unstacked(rows)

    def stop(self, t: float, *, reaction_time: float = 0.0) -> LineStop:
        """The fastest stop of all axes on their line, when they are told to stop at time ``t``.

        Every axis stays within its limits and on the straight line, which axes that stop one by one leave. It ends no
        later, and no further on, than the move does.

        Args:
            t: of the move, s; any finite time.
            reaction_time: time until the stop begins, s, in which the move goes on.

        Raises:
            NotFinite: a time is not finite.
            InvalidLimits: the reaction time is negative.

        >>> import motionkit as mk
        >>> move = mk.SynchronizedTrajectory.plan([0.0, 1.0], [2.0, 0.0], [[2, 8, 40], [2, 8, 40]])
        >>> stop = move.stop(0.725)
        >>> stop.stopping_distances.round(3).tolist(), stop.duration
        ([0.45, -0.225], 0.45)
        """
        at, wait = finite(t, "t"), finite(reaction_time, "reaction_time")
        if wait < 0.0:
            raise InvalidLimits(f"reaction_time is {wait!r}; give a time in seconds, zero or more", joint="")
        here, travel = self.start, self.goal - self.start
        values = np.zeros(4)
        if travel.any():
            kernels.scurve_sample(Model([*self._model.values[: kernels.PROFILE], 0.0, 1.0, 1.0]), 1, at + wait, values)
        along = MotionState(*values[:3].tolist())
        limits = MotionLimits(*self._common[:3]) if travel.any() else MotionLimits(1.0, 1.0, 1.0)
        return LineStop.of_line(at + wait, along, limits, here, travel)

    def states(self, t: float) -> list[MotionState[float]]:
        """The state of each axis at time ``t``, as planners take it."""
        sample = self.sample(t)
        rows = zip(sample.position.tolist(), sample.velocity.tolist(), sample.acceleration.tolist(), strict=True)
        return [MotionState(p, v, a) for p, v, a in rows]


_put_block = slot(Immutable, "_block")


def _trajectory(
    cls: type[SynchronizedTrajectory], model: Model, limits: tuple[MotionLimits, ...], common: list[float]
) -> SynchronizedTrajectory:
    made = object.__new__(cls)
    put(made, "_model", model)
    put(made, "limits", limits)
    put(made, "_common", common)
    return made
