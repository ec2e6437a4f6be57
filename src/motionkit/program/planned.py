"""What planning delivers: the motion of every step on one clock, ready to be sampled.

Only the results; :mod:`motionkit.program.planning` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .sampling import SampledMotion, grid

if TYPE_CHECKING:
    from ..motion import MotionLimits, MotionSample
    from ..robot import SerialChain
    from ..spatial import SE3
    from .resolved import ResolvedProgram, ResolvedStep

__all__ = ["Hold", "PlannedStep", "ProgramPlan", "Segment", "StraightLine"]

FloatArray = NDArray[np.float64]


class Segment(Protocol):
    """A motion of all joints from rest to rest."""

    @property
    def duration(self) -> float:
        """Seconds."""
        ...

    def sample_many(self, times: FloatArray, /) -> MotionSample[FloatArray]:
        """The motion at ``times`` (T,), seconds from its own start; fields (T, n)."""
        ...


@dataclass(frozen=True, slots=True)
class Hold:
    """Standing still.

    Attributes:
        q: joint values, rad or m.
        duration: seconds.
    """

    q: tuple[float, ...]
    duration: float

    def sample_many(self, times: FloatArray, /) -> MotionSample[FloatArray]:
        """The joint values at rest, once for every time; fields (T, n)."""
        from ..motion import MotionSample

        still = np.zeros((len(times), len(self.q)))
        return MotionSample(still + np.array(self.q), still, still.copy(), still.copy())


@dataclass(frozen=True, slots=True)
class StraightLine:
    """What a movel promises.

    Attributes:
        start: pose of the tool in the base frame where the line begins.
        end: and where it ends.
        position_tolerance: metres.
        rotation_tolerance: radians.
        max_speed: m/s; None when only joint limits pace.
        max_turn: rad/s; None when only joint limits pace.
    """

    start: SE3
    end: SE3
    position_tolerance: float
    rotation_tolerance: float
    max_speed: float | None
    max_turn: float | None


@dataclass(frozen=True, slots=True, eq=False)
class PlannedStep:
    """One step of the program on the clock.

    Attributes:
        step: the step as resolved.
        start: seconds from the beginning of the program.
        end: seconds; equal to ``start`` for a step in which no time passes.
        start_q: joint values (n,) where it begins, rad or m.
        end_q: joint values (n,) where it ends.
        share: fraction of the joint limits that the step may use, from 0 to 1.
        segment: the motion; None when no time passes.
        chain: the arm with the step's tool.
        line: what a movel promises; None for every other verb.
        notes: what a person should know about this step.
    """

    step: ResolvedStep
    start: float
    end: float
    start_q: FloatArray = field(repr=False)
    end_q: FloatArray = field(repr=False)
    share: float
    segment: Segment | None = field(repr=False)
    chain: SerialChain = field(repr=False)
    line: StraightLine | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ProgramPlan:
    """A whole program as one motion in time.

    Attributes:
        program: the program as resolved.
        steps: every step, in order.
        duration: seconds.
        warnings: what is legal and yet looks like a slip.
    """

    program: ResolvedProgram = field(repr=False)
    steps: tuple[PlannedStep, ...]
    duration: float
    warnings: tuple[str, ...]

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The moving joints, in order."""
        return tuple(self.program.chain.joint_names)

    @property
    def limits(self) -> tuple[MotionLimits, ...]:
        """The full limits of each joint."""
        return self.program.limits

    @property
    def trajectories(self) -> tuple[Segment, ...]:
        """The motions and waits of the steps in which time passes, in order, as :class:`Executor` takes them.

        >>> import motionkit as mk
        >>> plan = mk.plan_program(mk.program.demo_program())
        >>> report = mk.Executor(plan.trajectories, print, limits=plan.limits).report()
        >>> round(report.planned - plan.duration, 9)
        0.0
        """
        return tuple(step.segment for step in self.steps if step.segment is not None)

    def step_of(self, times: ArrayLike) -> NDArray[np.int64]:
        """For each time (T,) in seconds, the place in ``steps`` of the step that is on; the last one at the end.

        At an instant where one step ends and the next begins it is the one that begins.
        """
        moving = [k for k, step in enumerate(self.steps) if step.end > step.start]
        if not moving:
            return np.full(len(np.asarray(times)), max(len(self.steps) - 1, 0), dtype=np.int64)
        starts = np.array([self.steps[k].start for k in moving])
        found = np.searchsorted(starts, np.asarray(times, dtype=np.float64), side="right") - 1
        return np.array(moving, dtype=np.int64)[np.clip(found, 0, None)]

    def sample_many(self, times: ArrayLike) -> MotionSample[FloatArray]:
        """The motion at any times: at rest at the start before 0, at rest at the end afterwards.

        Args:
            times: (T,) seconds, in any order.

        Returns:
            positions, velocities, accelerations and jerks, each (T, n), in joint order.
        """
        from ..motion import MotionSample

        clock = np.asarray(times, dtype=np.float64)
        first = self.steps[0].start_q
        q = np.empty((len(clock), len(first)))
        qd, qdd, qddd = np.zeros_like(q), np.zeros_like(q), np.zeros_like(q)
        q[:] = first
        steps = self.step_of(clock)
        for k in np.unique(steps):
            step = self.steps[int(k)]
            if step.segment is None:
                q[steps == k] = step.end_q
                continue
            rows = steps == k
            sample = step.segment.sample_many(clock[rows] - step.start)
            q[rows], qd[rows], qdd[rows], qddd[rows] = (
                sample.position,
                sample.velocity,
                sample.acceleration,
                sample.jerk,
            )
        return MotionSample(q, qd, qdd, qddd)

    def sample(self, rate: float) -> SampledMotion:
        """The whole motion as rows at ``k / rate``; the last row is at rest at the end.

        Args:
            rate: rows a second, in Hz.
        """
        times = grid(self.duration, rate)
        rows = self.sample_many(times)
        return SampledMotion(
            rate, times, rows.position, rows.velocity, rows.acceleration, rows.jerk, self.step_of(times)
        )
