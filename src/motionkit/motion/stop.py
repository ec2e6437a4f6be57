"""The fastest stop of one axis: :class:`StopProfile`, and :func:`stopping_distances` of many states at once.

The speed from which a stop still fits a clearance is in ``safe_speed``. Whether a stop is safe for people is a question
of standards and hardware that this module does not answer.
"""

from __future__ import annotations

import math
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidLimits, NotFinite, WrongLength
from ..kernels import stop as kernels
from ..kernels._batch import run_rows
from ..kernels._contract import CONTEXT, Model
from . import _hot
from ._immutable import Immutable, put, slot
from .limits import MotionLimits, check_limits, check_position
from .samples import FloatArray, MotionSample, MotionState, check_out, finite, finite_vector

NEEDED = ("max_acceleration", "max_jerk")


def braking(limits: MotionLimits) -> float:
    """Magnitude of the lowest acceleration that validated ``limits`` allow."""
    return limits.max_acceleration if limits.min_acceleration is None else -limits.min_acceleration


class StopProfile(Immutable):
    """The fastest jerk-limited stop of one axis, to zero velocity *and* zero acceleration; make it with :meth:`plan`.

    Args:
        state: the state at time 0.
        limits: the limits that it was planned with.
    """

    __slots__ = ("_model", "limits", "state")

    state: MotionState[float]
    limits: MotionLimits
    _model: Model

    @classmethod
    def plan(cls, state: MotionState[float], limits: MotionLimits) -> StopProfile:
        """Plan the fastest stop from any velocity and acceleration, in closed form.

        The acceleration is taken by full jerk to the braking acceleration, held there, and taken back to zero; the
        speed may rise before it falls, and the axis may turn round. A start acceleration that is beyond its limit is
        brought to it with full jerk, and beyond it no longer than that takes. Neither excess is avoidable, so
        ``max_velocity`` and ``min_velocity`` are not needed and do not bound the stop: compare :attr:`peak_speed`.

        Args:
            state: where the axis is, in rad or m, and its velocity and acceleration, of any sign and size.
            limits: acceleration and jerk must be set. ``min_acceleration`` brakes forward motion, ``max_acceleration``
                backward motion. A range of positions must contain the whole way.

        Raises:
            NotFinite: a number of the state is not finite, or the distance leaves the range of doubles.
            InvalidLimits: see :meth:`MotionLimits.validate`; the velocity may be zero.
            JointLimitViolated: the axis starts outside its range of positions or cannot stop within it.

        >>> import motionkit as mk
        >>> stop = mk.StopProfile.plan(mk.MotionState(0.0, 1.5, 8.0), mk.MotionLimits(2, 8, 40))
        >>> round(stop.stopping_distance, 4), round(stop.peak_speed, 4)
        (0.9673, 2.3)
        """
        hot = _hot.plan_stop.native
        if hot is not None and type(limits) is MotionLimits and limits.symmetric:  # pyright: ignore[reportUnnecessaryComparison]
            p, v, a = state.position, state.velocity, state.acceleration
            block = np.empty(kernels.STOP + 7)
            rates = limits.max_velocity, limits.max_acceleration, limits.max_jerk
            # what the front door does not take, the long way takes, or says what is wrong
            if type(p) is type(v) is type(a) is float and hot(CONTEXT, p, v, a, *rates, block) == 0:
                made = object.__new__(cls)
                _put_block(made, block)
                _put_state(made, state)
                _put_limits(made, limits)
                return made
        position = finite(state.position, "position")
        velocity = finite(state.velocity, "velocity")
        acceleration = finite(state.acceleration, "acceleration")
        check_limits(limits, NEEDED)
        check_position(limits, position, "start")
        numbers = np.empty(kernels.STOP)
        kernels.stop([velocity, acceleration, braking(limits), limits.max_acceleration, limits.max_jerk], numbers)
        values: list[float] = numbers.tolist()
        if not math.isfinite(sum(values)):
            raise NotFinite(
                f"a stop from velocity {velocity!r} and acceleration {acceleration!r} with {limits!r} leaves the range "
                f"of floating point numbers; use other units"
            )
        check_position(limits, position + values[14], "the stop takes the axis to")
        check_position(limits, position + values[15], "the stop takes the axis to")
        model = Model([*values, position, position + values[12]])
        return _stop_profile(cls, MotionState(position, velocity, acceleration), limits, model)

    def _fill(self, name: str) -> Any:
        if name != "_model":
            return Immutable._fill(self, name)
        model = Model(self._block[: kernels.STOP + 2])
        put(self, name, model)
        return model

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StopProfile):
            return NotImplemented
        return self.state == other.state and self.limits == other.limits

    def __hash__(self) -> int:
        return hash((self.state, self.limits))

    def __reduce__(self) -> tuple[Any, ...]:
        return _stop_profile, (type(self), self.state, self.limits, self._model)

    def __repr__(self) -> str:
        return (
            f"StopProfile(state={self.state!r}, limits={self.limits!r}, duration={self.duration!r}, "
            f"stopping_distance={self.stopping_distance!r}, peak_speed={self.peak_speed!r})"
        )

    @property
    def duration(self) -> float:
        """In s; 0 when the axis rests already."""
        return self._model.array.item(3)

    @property
    def stopping_distance(self) -> float:
        """End minus start in rad or m, signed: negative when the axis ends behind its start."""
        return self._model.array.item(12)

    @property
    def peak_speed(self) -> float:
        """The largest magnitude of the velocity on the way, in rad/s or m/s."""
        return abs(self._model.array.item(13))

    @property
    def kernel_model(self) -> Model:
        """What ``kernels.stop.stop_sample`` reads: give its ``array`` to a compiled loop of your own."""
        return self._model

    @property
    def boundaries(self) -> FloatArray:
        """The times (4,) in s at which segments 1, 2 and 3 begin, and at which segment 3 ends."""
        return np.array([0.0, *self._model.values[1:4]])

    @property
    def peak_velocity(self) -> float:
        """The velocity of largest magnitude on the way, signed, in rad/s or m/s."""
        return self._model.values[13]

    @property
    def position_extremes(self) -> tuple[float, float]:
        """The lowest and the highest position on the way, in rad or m."""
        return self.state.position + self._model.values[14], self.state.position + self._model.values[15]

    @overload
    def sample(self, t: float) -> MotionSample[float]: ...
    @overload
    def sample(self, t: float, out: FloatArray) -> FloatArray: ...
    def sample(self, t: float, out: FloatArray | None = None) -> MotionSample[float] | FloatArray:
        """The stop at time ``t``.

        Args:
            t: in s, any finite time. Up to 0 the answer is exactly the state that the stop begins from (before 0 with
                jerk zero); from the duration on the axis rests exactly at ``start + stopping_distance``. At the time at
                which a segment begins, the jerk is the one of that segment.
            out: (4,) filled with position, velocity, acceleration and jerk, and returned, when given.

        Raises:
            NotFinite: ``t`` is not finite.
            WrongLength: ``out`` is not a C-contiguous float64 array of shape (4,).
        """
        hot = _hot.sample_stop.native
        # what the front door does not take, the long way takes, or says what is wrong
        if hot is not None and hot(CONTEXT, self._model, t, out) == 0:
            return out  # pyright: ignore[reportReturnType]  the front door takes no None
        t = float(t)
        if not math.isfinite(t):
            raise NotFinite(f"expected a finite time in seconds, got {t!r}")
        if out is not None:
            check_out(out, (4,))
            kernels.stop_sample(self._model, t, out)
            return out
        values = [0.0, 0.0, 0.0, 0.0]
        kernels.stop_sample(self._model, t, values)
        return MotionSample(values[0], values[1], values[2], values[3])

    def sample_many(self, ts: ArrayLike) -> MotionSample[FloatArray]:
        """The stop at many times at once; the same bits as :meth:`sample` gives one at a time.

        Args:
            ts: (T,) times in s, in any order.

        Returns:
            A sample whose fields are arrays (T,).

        Raises:
            NotFinite: a time is not finite; the message says which.
            WrongLength: ``ts`` is not one-dimensional.
        """
        times = finite_vector(ts, "times")
        rows = np.empty((len(times), 4))
        run_rows(kernels.stop_sample, self._model, times, rows)
        return MotionSample(*np.ascontiguousarray(rows.T))


_put_block, _put_state, _put_limits = slot(Immutable, "_block"), slot(StopProfile, "state"), slot(StopProfile, "limits")


def _stop_profile(cls: type[StopProfile], state: MotionState[float], limits: MotionLimits, model: Model) -> StopProfile:
    made = object.__new__(cls)
    put(made, "state", state)
    put(made, "limits", limits)
    put(made, "_model", model)
    return made


def stopping_distances(
    velocities: ArrayLike, accelerations: ArrayLike, max_acceleration: ArrayLike, max_jerk: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Signed stopping distances and durations of many states at once, as :class:`StopProfile` has them, bit for bit.

    Args:
        velocities: array of any shape, in rad/s or m/s.
        accelerations: broadcast against the velocities, in rad/s^2 or m/s^2.
        max_acceleration: broadcast likewise, above zero.
        max_jerk: broadcast likewise, above zero.

    Returns:
        Distances in rad or m, and durations in s, of the common shape.

    Raises:
        WrongLength: the shapes do not fit each other.
        NotFinite: a velocity or acceleration is not finite.
        InvalidLimits: a limit is not finite and above zero.

    >>> from motionkit.motion import stopping_distances
    >>> distances, durations = stopping_distances([2.0, 0.0], [0.0, 0.0], 8.0, 40.0)
    >>> distances
    array([0.45, 0.  ])
    """
    try:
        columns = np.broadcast_arrays(
            *(np.asarray(a, dtype=np.float64) for a in (velocities, accelerations, max_acceleration, max_jerk))
        )
    except (TypeError, ValueError) as error:
        raise WrongLength(f"expected arrays of numbers whose shapes fit each other: {error}") from None
    for name, column in zip(("velocities", "accelerations"), columns[:2], strict=True):
        if not np.isfinite(column).all():
            k = int(np.flatnonzero(~np.isfinite(column))[0])
            raise NotFinite(f"expected finite numbers as {name}, got {float(column.flat[k])!r} at index {k}")
    for name, column in zip(NEEDED, columns[2:], strict=True):
        wrong = np.flatnonzero(~(np.isfinite(column) & (column > 0.0)))
        if len(wrong):
            raise InvalidLimits(
                f"{name} is {float(column.flat[wrong[0]])!r} at index {wrong[0]}; give finite numbers above zero",
                joint="",
            )
    velocity, acceleration, limit, jerk = (c.reshape(-1) for c in columns)
    states = np.ascontiguousarray(np.column_stack([velocity, acceleration, limit, limit, jerk]))
    rows = np.empty((len(states), kernels.STOP))
    run_rows(kernels.stop, states, rows)
    shape = columns[0].shape
    return rows[:, 12].reshape(shape), rows[:, 3].reshape(shape)
