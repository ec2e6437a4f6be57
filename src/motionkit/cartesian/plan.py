"""A straight tool move paced by the limits of the joints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import BranchFlip, InvalidLimits, KindMismatch, NotFinite, WrongLength
from ..kernels._contract import CONTEXT
from ..motion import MotionLimits, MotionSample, ScurveProfile, SynchronizedTrajectory
from ..motion.axes import check_kinds, in_order
from ..robot import SerialChain
from ..robot._coordinates import Coordinates
from ..spatial import SE3
from . import _hot
from ._following import Followed, follow
from ._joint_path import JointPath
from ._pacing import instants, pace
from .line import Line, LineTolerance
from .report import Limiting, LineReport

FloatArray = NDArray[np.float64]

SAME_BRANCH = 1e-6  # rad or m: an end that differs by more is another configuration, not a rounding


@dataclass(frozen=True, slots=True, eq=False)
class CartesianPlan:
    """A planned straight line of the tool, from rest to rest. Make one with :meth:`plan`.

    Attributes:
        line: the tool's path in the base frame.
        path: the joints over the line's parameter.
        profile: the line's parameter over time.
        report: what the line costs and how exactly it is kept.
    """

    line: Line
    path: JointPath
    profile: ScurveProfile
    report: LineReport

    @classmethod
    def plan(
        cls,
        chain: SerialChain,
        start_q: Coordinates,
        target_pose: SE3,
        limits: Sequence[MotionLimits] | Mapping[str, MotionLimits],
        *,
        tolerance: LineTolerance | None = None,
        knots: int = 33,
        max_speed: float | None = None,
        max_turn: float | None = None,
        end_q: Coordinates | None = None,
    ) -> CartesianPlan:
        """Plan the straight line from where the tool is to a pose.

        Between the ends the tool moves along a segment while it turns about one axis, both in proportion. The joints
        follow on the branch they start on. One speed profile drives the line, as quick as the joint that needs most
        time allows anywhere on it: nearer to a singularity the same line takes longer.

        Args:
            chain: the arm, at least six joints; its tip is the tool.
            start_q: joints at the start, (n,), rad or m, within the limits; or by name; or with their units.
            target_pose: pose of the tool at the end, in the base.
            limits: velocity, acceleration and jerk limits of every joint, n of them, or by name.
            tolerance: how far the tool may be from the line between knots; 0.1 mm and 0.05 degrees when left out.
            knots: number of places that the joints are solved at to begin with, at least 2; more are put where needed.
            max_speed: largest speed of the tool, m/s; a ceiling, never a promise.
            max_turn: largest turn rate of the tool, rad/s.
            end_q: joints that the line must end in, where it matters which of the arm's configurations that is.

        Returns:
            The plan; allocates, cost in proportion to the number of knots.

        Raises:
            LineOutOfReach: a part of the line cannot be reached.
            LineThroughSingularity: a joint would have to be infinitely fast.
            LineCrossesLimit: a joint would have to leave its range.
            BranchFlip: the line ends in another configuration than ``end_q``.
            JointLimitViolated: the start is outside the limits.
            KindMismatch: a position or limits with a unit that the joint does not have; names the joint.
            InvalidLimits: a motion limit is unset, or a ceiling is not above zero.

        >>> import motionkit as mk
        >>> arm = mk.SerialChain.six_axis_example()
        >>> q = [0.0, -1.0, 1.5, 0.0, 1.0, 0.0]
        >>> down = mk.SE3.from_translation([0.0, 0.0, -0.05]) * arm.forward(q)
        >>> plan = mk.CartesianPlan.plan(arm, q, down, [mk.MotionLimits(2.0, 8.0, 60.0)] * 6, max_speed=0.1)
        >>> bool(plan.duration > 0.5), bool(plan.report.deviation < 1e-4)
        (True, True)
        """
        motion_limits = _checked_limits(chain, limits)
        start = chain.vector(start_q, "start_q")
        wanted = None if end_q is None else chain.vector(end_q, "end_q")
        for joint_limits, value, name in zip(chain.limits, start.tolist(), chain.joint_names, strict=True):
            joint_limits.validate(value, name)
        allowed = LineTolerance() if tolerance is None else tolerance
        allowed.validate()
        if knots < 2:
            raise WrongLength(f"knots: expected at least 2, got {knots}")
        if chain.n < 6:
            raise WrongLength(
                f"a straight line of the tool needs an arm with at least six moving joints, this one has {chain.n}; "
                "use a joint move"
            )
        line = Line(chain.forward(start), target_pose)
        if line.length == 0.0 and line.turn == 0.0:
            followed = _standing(chain, start)
        else:
            followed = follow(chain, start, line, allowed, knots)
        if wanted is not None:
            _refuse_flip(chain, line, followed.path, wanted)
        rates = [math.inf]
        for name, ceiling, extent in (("max_speed", max_speed, line.length), ("max_turn", max_turn, line.turn)):
            if ceiling is not None:
                _positive(name, ceiling)
                rates.append(ceiling / extent if extent > 0.0 else math.inf)
        profile = pace(followed.path, motion_limits, min(rates))
        report = _report(chain, line, followed, profile, motion_limits, max_speed, max_turn)
        return cls(line, followed.path, profile, report)

    @property
    def duration(self) -> float:
        """Time from rest to rest, s."""
        return self.profile.duration

    @property
    def start_q(self) -> FloatArray:
        """Joints at the start, (n,)."""
        return self.path.controls[0, ::6].copy()

    @property
    def end_q(self) -> FloatArray:
        """Joints at the end, (n,)."""
        return self.path.controls[-1, 5::6].copy()

    @overload
    def sample(self, t: float) -> MotionSample[FloatArray]: ...
    @overload
    def sample(self, t: float, out: FloatArray) -> FloatArray: ...
    def sample(self, t: float, out: FloatArray | None = None) -> MotionSample[FloatArray] | FloatArray:
        """State of the joints at a time.

        Args:
            t: s; before 0 the arm rests at the start, from the duration on at the end.
            out: (4, n), filled with positions, velocities, accelerations and jerks, and returned, when given.

        Returns:
            Fields (n,), rad and m over powers of s.

        Raises:
            NotFinite: ``t`` is NaN or infinite.
            WrongLength: ``out`` has another shape.
        """
        hot = _hot.sample.native
        # what the front door does not take, the long way takes, or says what is wrong
        if (
            hot is not None
            and hot(CONTEXT, self.profile.kernel_model, self.path.kernel_model, t, np.empty(4), out) == 0
        ):
            return out  # pyright: ignore[reportReturnType]  the front door takes no None
        if out is not None and (out.shape != (4, self.path.n) or out.dtype != np.float64 or not out.flags.c_contiguous):
            raise WrongLength(
                f"out: expected a C-contiguous float64 array of shape {(4, self.path.n)}, got {out.dtype} {out.shape}"
            )
        rows = np.empty((4, self.path.n)) if out is None else out
        self.path.state(self.profile.sample(t, np.empty(4)), rows)
        return MotionSample(rows[0], rows[1], rows[2], rows[3]) if out is None else out

    def sample_many(self, ts: ArrayLike) -> MotionSample[FloatArray]:
        """States of the joints at many times (T,): fields (T, n); the same bits as :meth:`sample` gives one by one."""
        return self.along(self.progress(ts))

    def progress(self, ts: ArrayLike) -> MotionSample[FloatArray]:
        """The path parameter, from 0 to 1 along the line, at times (T,) in s: fields (T,)."""
        return self.profile.sample_many(np.ascontiguousarray(ts, dtype=np.float64))

    def along(self, progress: MotionSample[FloatArray]) -> MotionSample[FloatArray]:
        """The joints, fields (T, n), while the path parameter moves as given, fields (T,)."""
        rates = (progress.position, progress.velocity, progress.acceleration, progress.jerk)
        rows = self.path.motion(*(np.ascontiguousarray(rate) for rate in rates))
        return MotionSample(rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3])

    def fractions(self, ts: ArrayLike) -> FloatArray:
        """Where along the line the tool is at times (T,): parameters in [0, 1]."""
        return np.asarray(self.progress(ts).position)


def _checked_limits(
    chain: SerialChain, given: Sequence[MotionLimits] | Mapping[str, MotionLimits]
) -> Sequence[MotionLimits]:
    axes = chain.axes
    limits: Sequence[MotionLimits] = in_order(given, axes.names, "limits")
    if len(limits) != chain.n:
        raise WrongLength(
            f"limits: expected {chain.n}, one a joint ({', '.join(chain.joint_names)}), got {len(limits)}"
        )
    check_kinds(limits, axes.kinds, axes.labels, axes.names)
    for name, limit in zip(chain.joint_names, limits, strict=True):
        try:
            limit.validate()
        except (InvalidLimits, NotFinite) as error:
            raise InvalidLimits(f"joint {name!r}: {error}", joint=name) from error
        except KindMismatch as error:
            raise KindMismatch(f"joint {name!r}: {error}", joint=name) from error
    return limits


def _positive(name: str, value: float) -> None:
    if not math.isfinite(value):
        raise NotFinite(f"{name}: expected a finite number, got {value}; leave it out for no ceiling")
    if value <= 0.0:
        raise InvalidLimits(f"{name}: expected a number above 0, got {value}; leave it out for no ceiling")


def _standing(chain: SerialChain, start: FloatArray) -> Followed:
    """A move that goes nowhere."""
    states = np.zeros((2, chain.n, 3))
    states[:, :, 0] = start
    ends = np.array([0.0, 1.0])
    measure = chain.manipulability(start)
    return Followed(JointPath.through(ends, states), ends, np.array([measure, measure]), 0.0, 0.0)


def _refuse_flip(chain: SerialChain, line: Line, path: JointPath, wanted: FloatArray) -> None:
    end = path.controls[-1, 5::6]
    off = np.abs(end - wanted)
    joint = int(np.argmax(off))
    if off[joint] > SAME_BRANCH:
        name = chain.joint_names[joint]
        raise BranchFlip(
            f"the line ends in another configuration of the arm than asked for: joint {name!r} arrives at "
            f"{end[joint]:.6g} instead of {wanted[joint]:.6g}; reach the asked configuration with movej, or start the "
            "line in the same configuration as its end",
            fraction=1.0,
            distance=line.length,
            joint=name,
        )


def _report(
    chain: SerialChain,
    line: Line,
    followed: Followed,
    profile: ScurveProfile,
    limits: Sequence[MotionLimits],
    max_speed: float | None,
    max_turn: float | None,
) -> LineReport:
    start, end = followed.path.controls[0, ::6], followed.path.controls[-1, 5::6]
    joint_duration = SynchronizedTrajectory.plan(start, end, list(limits)).duration
    along = profile.sample_many(instants(profile))
    rates = [np.ascontiguousarray(v) for v in (along.position, along.velocity, along.acceleration, along.jerk)]
    peaks = np.max(np.abs(followed.path.motion(rates[0], rates[1], rates[2], rates[3])[:, 1:]), axis=0)
    caps = np.array([[v.max_velocity, v.max_acceleration, v.max_jerk] for v in limits]).T
    shares = peaks / caps
    kind, joint = (int(k) for k in np.unravel_index(int(np.argmax(shares)), shares.shape))
    used = [Limiting(chain.joint_names[joint], ("velocity", "acceleration", "jerk")[kind], float(shares[kind, joint]))]
    top = float(np.max(rates[1]))
    used += [
        Limiting("tool", name, top * extent / ceiling)
        for name, ceiling, extent in (("speed", max_speed, line.length), ("turn", max_turn, line.turn))
        if ceiling is not None
    ]
    least = int(np.argmin(followed.manipulability))
    return LineReport(
        length=line.length,
        turn=line.turn,
        duration=profile.duration,
        joint_duration=joint_duration,
        ratio=profile.duration / joint_duration if joint_duration > 0.0 else 1.0,
        deviation=followed.deviation,
        deviation_rotation=followed.deviation_rotation,
        fractions=followed.fractions,
        manipulability=followed.manipulability,
        least_manipulability=float(followed.manipulability[least]),
        least_manipulability_at=float(followed.fractions[least]),
        limiting=max(used, key=lambda item: item.share),
        knots=len(followed.fractions),
    )
