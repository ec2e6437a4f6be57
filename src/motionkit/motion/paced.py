"""A motion as a path that a parameter runs along: what :class:`Override` needs, and any trajectory made into one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ..errors import KindMismatch
from ..kernels import along as kernels
from ..kernels import online_segments
from ..kernels._batch import run_rows
from ..kernels._contract import Model
from .online import OnlineTrajectory
from .samples import FloatArray, MotionSample


class Trajectory(Protocol):
    """A motion of n axes from rest to rest."""

    @property
    def duration(self) -> float:
        """Seconds."""
        ...

    def sample_many(self, ts: FloatArray, /) -> MotionSample[FloatArray]:
        """The motion at times (T,), s: fields (T, n); at rest before 0 and after the end."""
        ...


@runtime_checkable
class Paced(Protocol):
    """A trajectory that says how its path parameter moves, and where the axes are while it moves otherwise."""

    @property
    def duration(self) -> float:
        """Seconds."""
        ...

    def sample_many(self, ts: FloatArray, /) -> MotionSample[FloatArray]:
        """The motion at times (T,), s: fields (T, n); at rest before 0 and after the end."""
        ...

    def progress(self, ts: FloatArray, /) -> MotionSample[FloatArray]:
        """The path parameter at times (T,), s: fields (T,). It never goes back."""
        ...

    def along(self, progress: MotionSample[FloatArray], /) -> MotionSample[FloatArray]:
        """The axes, fields (T, n), while the path parameter moves as given, fields (T,)."""
        ...


def paced(trajectory: Any) -> Paced:
    """``trajectory`` itself where it has a path parameter, or else with its own time as the parameter.

    Raises:
        KindMismatch: it is no trajectory.
    """
    if isinstance(trajectory, Paced):
        return trajectory
    if isinstance(trajectory, OnlineTrajectory) and (trajectory.synchronize == "line" or len(trajectory) == 1):
        line = OnlineLine.of(trajectory)
        if line is not None:
            return line
    if not (hasattr(trajectory, "duration") and hasattr(trajectory, "sample_many")):
        raise KindMismatch(
            f"expected a trajectory with duration and sample_many(times), got {type(trajectory).__name__}; "
            "give the segments of a program one by one"
        )
    return ByTime(trajectory)


@dataclass(frozen=True, slots=True)
class ByTime:
    """A trajectory whose path parameter is its own time."""

    trajectory: Trajectory

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.trajectory.duration

    def sample_many(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """The trajectory as it is."""
        return self.trajectory.sample_many(ts)

    def progress(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """Time, which passes at rate 1."""
        inside = np.minimum(np.maximum(ts, 0.0), self.duration)
        return MotionSample(inside, np.ones(len(ts)), np.zeros(len(ts)), np.zeros(len(ts)))

    def along(self, progress: MotionSample[FloatArray]) -> MotionSample[FloatArray]:
        """The axes while time passes otherwise."""
        sample = self.trajectory.sample_many(progress.position)
        rows = np.concatenate([sample.position, sample.velocity, sample.acceleration, sample.jerk], axis=1)
        out = np.empty_like(rows)
        run_rows(kernels.along, np.ascontiguousarray(rows), stacked(progress), out)
        return unstacked(out)


@dataclass(frozen=True, slots=True)
class OnlineLine:
    """An :class:`OnlineTrajectory` along a line, with how far along it is as the parameter."""

    trajectory: OnlineTrajectory
    line: Model  # origins, then directions
    path: Model  # of the parameter
    segments: int

    @classmethod
    def of(cls, trajectory: OnlineTrajectory) -> OnlineLine | None:
        """None for one that turns back on its line: its parameter does not tell where on its way it is."""
        numbers, n = trajectory.kernel_model.array, len(trajectory)
        if trajectory.synchronize != "line":  # one axis, which is a line by itself
            numbers = np.concatenate([numbers, [0.0, 1.0, 0.0, 0.0]])
        segments = (len(numbers) - 4 * n - online_segments.HEAD) // online_segments.EACH
        size = online_segments.HEAD + online_segments.EACH * segments
        extremes = np.empty(6)
        online_segments.online_extremes(np.ascontiguousarray(numbers[:size]), 1, segments, extremes)
        if extremes[2] < 0.0:
            return None
        return cls(trajectory, Model(numbers[size : size + 2 * n]), Model(numbers[:size]), segments)

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.trajectory.duration

    def sample_many(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """The trajectory as it is."""
        return self.trajectory.sample_many(ts)

    def progress(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """How far along the line: fields (T,)."""
        rows = np.empty((len(ts), 4))
        run_rows(online_segments.online_sample, self.path, 1, self.segments, np.ascontiguousarray(ts), rows)
        return MotionSample(*np.ascontiguousarray(rows.T))

    def along(self, progress: MotionSample[FloatArray]) -> MotionSample[FloatArray]:
        """The axes on the line, fields (T, n)."""
        n = len(self.trajectory)
        out = np.empty((len(progress.position), 4 * n))
        run_rows(kernels.along_line, self.line, n, stacked(progress), out)
        return unstacked(out)


def stacked(progress: MotionSample[FloatArray]) -> FloatArray:
    """(T, 4) rows of a path parameter and its rates."""
    return np.column_stack([progress.position, progress.velocity, progress.acceleration, progress.jerk])


def unstacked(rows: FloatArray) -> MotionSample[FloatArray]:
    """Fields (T, n) of rows (T, 4 n)."""
    return MotionSample(*np.ascontiguousarray(rows.reshape(len(rows), 4, rows.shape[1] // 4).transpose(1, 0, 2)))
