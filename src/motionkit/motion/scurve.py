"""One axis from rest to rest: :class:`ScurveProfile`. Several axes in step are in ``synchronized``."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from ..errors import NotFinite
from ..kernels import scurve as kernels
from ..kernels._batch import run_rows
from ..kernels._contract import CONTEXT, Model
from . import _hot
from ._sampling import sample_block
from .axes import Position, plain_ends
from .limits import RATES, MotionLimits, check_limits, check_position, rest_to_rest_rates
from .samples import FloatArray, MotionSample, check_out, finite


def solve_profile(distance: float, velocity: float, acceleration: float, jerk: float) -> list[float]:
    """The first 15 numbers of the model of a line, for a distance and limits in any consistent units.

    Raises:
        NotFinite: the quotients of distance and limits leave the range of doubles.
    """
    profile = np.empty(kernels.PROFILE)
    kernels.scurve_plan([distance, velocity, acceleration, jerk], profile)
    if not np.isfinite(profile).all():
        raise NotFinite(
            f"a distance of {distance!r} with velocity {velocity!r}, acceleration {acceleration!r} and jerk {jerk!r} "
            f"leaves the range of floating point numbers; use other units"
        )
    return profile.tolist()


@dataclass(frozen=True, slots=True)
class ScurveProfile:
    """The fastest jerk-limited move of one axis from rest to rest; make it with :meth:`plan`.

    Seven segments of constant jerk, fewer where a limit is not reached. Sampling evaluates the segment's polynomial,
    the first half from the start and the second half from the goal; nothing is integrated, so nothing drifts.

    Args:
        start: position at time 0 in rad or m.
        goal: position at the end in rad or m.
        limits: the limits that it was planned with.
        duration: in s; 0 when start and goal are equal.
    """

    start: float
    goal: float
    limits: MotionLimits
    duration: float
    _model: Model = field(repr=False, compare=False)

    @classmethod
    def plan(cls, start: Position | float, goal: Position | float, limits: MotionLimits) -> ScurveProfile:
        """Plan a move from ``start`` at rest to ``goal`` at rest, in closed form.

        Args:
            start: in rad or m, or with its unit.
            goal: in rad or m, or with its unit; may equal the start.
            limits: velocity, acceleration and jerk must be set, even for no distance at all. ``min_velocity`` holds in
                the negative direction; ``min_acceleration`` must be ``-max_acceleration`` or left out; a range of
                positions must contain both ends (the move is monotone).

        Raises:
            NotFinite: start or goal is not finite.
            KindMismatch: start, goal and limits, where they carry units, are of different kinds of joint.
            InvalidLimits: see :meth:`MotionLimits.validate`.
            JointLimitViolated: start or goal lies outside the range of positions.

        >>> import motionkit as mk
        >>> move = mk.ScurveProfile.plan(0.0, 2.0, mk.MotionLimits(2, 8, 40))
        >>> move.duration
        1.45
        >>> move.sample(0.725)
        MotionSample(position=1.0, velocity=2.0, acceleration=0.0, jerk=0.0)
        """
        if type(start) is not float or type(goal) is not float:
            start, goal = plain_ends(start, goal, limits)
        start = finite(start, "start")
        goal = finite(goal, "goal")
        check_limits(limits, RATES)
        check_position(limits, start, "start")
        check_position(limits, goal, "goal")
        forward = goal >= start
        rates = rest_to_rest_rates(limits, forward)
        profile = solve_profile(abs(goal - start), *rates)
        model = Model([*profile, start, goal, 1.0 if forward else -1.0])
        return cls(start, goal, limits, model.values[0], model)

    @property
    def kernel_model(self) -> Model:
        """What ``kernels.scurve.scurve_sample`` reads: give its ``array`` to a compiled loop of your own."""
        return self._model

    @property
    def boundaries(self) -> FloatArray:
        """The times (8,) in s at which segment 1 begins, ..., segment 7 begins, and segment 7 ends.

        A segment that the move does not have begins when the next one does. At a boundary the jerk is that of the
        segment that begins there.
        """
        return np.array([0.0, *self._model.values[1:7], self.duration])

    @property
    def peak_velocity(self) -> float:
        """The largest speed in rad/s or m/s; exactly the limit when it is reached."""
        return self._model.values[9] if self.duration else 0.0

    @property
    def peak_acceleration(self) -> float:
        """The largest magnitude of the acceleration in rad/s^2 or m/s^2; exactly the limit when it is reached."""
        return self._model.values[8] if self.duration else 0.0

    @overload
    def sample(self, t: float) -> MotionSample[float]: ...
    @overload
    def sample(self, t: float, out: FloatArray) -> FloatArray: ...
    def sample(self, t: float, out: FloatArray | None = None) -> MotionSample[float] | FloatArray:
        """The move at time ``t``.

        Args:
            t: in s, any finite time. Before 0 the axis rests exactly at the start, from the duration on exactly at the
                goal: velocity, acceleration and jerk are zero.
            out: (4,) filled with position, velocity, acceleration and jerk, and returned, when given.

        Raises:
            NotFinite: ``t`` is not finite.
            WrongLength: ``out`` is not a C-contiguous float64 array of shape (4,).
        """
        hot = _hot.sample_axis.native
        # what the front door does not take, the long way takes, or says what is wrong
        if hot is not None and hot(CONTEXT, self._model, t, out) == 0:
            return out  # pyright: ignore[reportReturnType]  the front door takes no None
        t = float(t)
        if not math.isfinite(t):
            raise NotFinite(f"expected a finite time in seconds, got {t!r}")
        if out is not None:
            check_out(out, (4,))
            kernels.scurve_sample(self._model, 1, t, out)
            return out
        values = [0.0, 0.0, 0.0, 0.0]
        kernels.scurve_sample(self._model, 1, t, values)
        return MotionSample(values[0], values[1], values[2], values[3])

    def sample_many(self, ts: ArrayLike) -> MotionSample[FloatArray]:
        """The move at many times at once; the same bits as :meth:`sample` gives one at a time.

        Args:
            ts: (T,) times in s, in any order.

        Returns:
            A sample whose fields are arrays (T,).

        Raises:
            NotFinite: a time is not finite; the message says which.
            WrongLength: ``ts`` is not one-dimensional.
        """
        return MotionSample(*sample_block(ts, 1, partial(line_rows, self._model, 1))[:, :, 0])


def line_rows(model: Model, n: int, times: FloatArray, rows: FloatArray) -> None:
    """Fill the rows (T, 4 n) of the model of a line with n axes at ``times`` (T,)."""
    run_rows(kernels.scurve_sample, model, n, times, rows)
