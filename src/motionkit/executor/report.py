"""What a run did: how it ended, how even its cycles were, and which commands took effect when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..motion import MotionSample
from ..motion.samples import FloatArray


@dataclass(frozen=True, slots=True)
class Jitter:
    """How late set-points were handed over, in s after their deadline.

    Attributes:
        least, median, most: over all cycles.
        p99: 99 of 100 cycles were no later.
        missed: cycles that were late by a whole period or more. The motion is then late by so much, and not ahead.
    """

    least: float
    median: float
    p99: float
    most: float
    missed: int

    @classmethod
    def of(cls, lateness: FloatArray, period: float) -> Jitter:
        """Of every cycle, (N,) s; all zero where there was none."""
        if not len(lateness):
            return cls(0.0, 0.0, 0.0, 0.0, 0)
        least, median, p99, most = np.percentile(lateness, [0.0, 50.0, 99.0, 100.0]).tolist()
        return cls(least, median, p99, most, int(np.count_nonzero(lateness >= period)))


@dataclass(frozen=True, slots=True)
class Command:
    """Something that an executor was told.

    Attributes:
        name: "rate", "hold", "resume" or "stop".
        rate: that was asked for.
        time: of the motion from which it was to hold, s.
        begun: of the motion at which it took effect, s: later where the limits left no other way.
    """

    name: str
    rate: float
    time: float
    begun: float


@dataclass(frozen=True, slots=True)
class ExecutionReport:
    """How a run went.

    Attributes:
        cycles: set-points that the sink took.
        time: of the motion at the last one, s.
        planned: duration of the plans as they are, s.
        completed: whether the end of the last plan was reached.
        plan: place of the plan that was on at the end, from 0.
        setpoint: the last one; at rest unless the sink failed.
        commands: in the order in which they were given.
        jitter: of the cycles.
    """

    cycles: int
    time: float
    planned: float
    completed: bool
    plan: int
    setpoint: MotionSample[FloatArray]
    commands: tuple[Command, ...]
    jitter: Jitter
