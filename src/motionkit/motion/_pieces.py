"""What a trajectory under override consists of: stretches of time in which its path parameter moves in one way."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..kernels import along as kernels
from ..kernels import online_axis, online_segments
from ..kernels import stop as stop_kernels
from ..kernels._batch import run_rows
from ..kernels._contract import Model
from .paced import Paced, stacked, unstacked
from .samples import FloatArray, MotionSample

IntArray = NDArray[np.intp]


class Piece(Protocol):
    """One way in which the path parameter moves; times count from where the piece begins, s."""

    @property
    def lasts(self) -> float:
        """In s; infinite for one that has no end."""
        ...

    def progress(self, ts: FloatArray, /) -> MotionSample[FloatArray]:
        """The path parameter: fields (T,)."""
        ...

    def motion(self, ts: FloatArray, /) -> MotionSample[FloatArray]:
        """The axes: fields (T, n)."""
        ...


@dataclass(frozen=True, slots=True)
class Scaled:
    """The plan itself from a time of its own on, at a share of its speed (uniform time scaling).

    Args:
        plan: what is played.
        begins: time of the plan, s.
        rate: above 0.
    """

    plan: Paced
    begins: float
    rate: float

    @property
    def lasts(self) -> float:
        """Until the end of the plan, s."""
        return max(self.plan.duration - self.begins, 0.0) / self.rate

    def times(self, ts: FloatArray) -> FloatArray:
        """Times of the plan."""
        # the end is met whatever is rounded on the way
        return np.where(ts >= self.lasts, self.plan.duration, self.begins + self.rate * ts)

    def progress(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """The path parameter: fields (T,)."""
        return self._slowed(self.plan.progress(self.times(ts)))

    def motion(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """The axes: fields (T, n)."""
        return self._slowed(self.plan.sample_many(self.times(ts)))

    def _slowed(self, sample: MotionSample[FloatArray]) -> MotionSample[FloatArray]:
        if self.rate == 1.0:
            return sample
        flat = sample.position.ndim == 1
        fields = (sample.position, sample.velocity, sample.acceleration, sample.jerk)
        rows = np.column_stack(fields) if flat else np.concatenate(fields, axis=1)
        moving = np.tile([0.0, self.rate, 0.0, 0.0], (len(rows), 1))
        out = np.empty_like(rows)
        run_rows(kernels.along, np.ascontiguousarray(rows), moving, out)
        return MotionSample(*np.ascontiguousarray(out.T)) if flat else unstacked(out)


@dataclass(frozen=True, slots=True)
class Joining:
    """The fastest way of the path parameter from one state to another."""

    plan: Paced
    model: Model

    @property
    def lasts(self) -> float:
        """Seconds."""
        return self.model.values[0]

    def progress(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """The path parameter: fields (T,)."""
        rows = np.empty((len(ts), 4))
        run_rows(online_segments.online_sample, self.model, 1, online_axis.FASTEST, ts, rows)
        return MotionSample(*np.ascontiguousarray(rows.T))

    def motion(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """The axes: fields (T, n)."""
        return self.plan.along(self.progress(ts))


@dataclass(frozen=True, slots=True)
class Stopping:
    """The fastest stop of the path parameter; afterwards it stands."""

    plan: Paced
    model: Model

    @property
    def lasts(self) -> float:
        """In s; nothing moves afterwards."""
        return self.model.values[3]

    def progress(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """The path parameter: fields (T,)."""
        rows = np.empty((len(ts), 4))
        run_rows(stop_kernels.stop_sample, self.model, ts, rows)
        return MotionSample(*np.ascontiguousarray(rows.T))

    def motion(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """The axes: fields (T, n)."""
        return self.plan.along(self.progress(ts))


@dataclass(frozen=True, slots=True)
class Track:
    """Pieces one after the other, each from its time on."""

    starts: tuple[float, ...]
    pieces: tuple[Piece, ...]

    def then(self, start: float, piece: Piece) -> Track:
        """The same until ``start``, and then ``piece``."""
        kept = sum(1 for begins in self.starts if begins < start)
        return Track((*self.starts[:kept], start), (*self.pieces[:kept], piece))

    def progress(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """The path parameter at times (T,): fields (T,)."""
        rows = np.empty((len(ts), 4))
        for here, piece, since in self._parts(ts):
            rows[here] = stacked(piece.progress(since))
        return MotionSample(*np.ascontiguousarray(rows.T))

    def motion_at(self, t: float) -> MotionSample[FloatArray]:
        """The axes at one time: fields (1, n); with the bits of :meth:`motion`."""
        start, piece = self.last(t)
        return piece.motion(np.array([t - start]))

    def motion(self, ts: FloatArray) -> MotionSample[FloatArray]:
        """The axes at times (T,): fields (T, n)."""
        parts = [(here, piece.motion(since)) for here, piece, since in self._parts(ts)]
        if len(parts) == 1:
            return parts[0][1]
        n = parts[0][1].position.shape[1] if parts else 0
        block = np.empty((4, len(ts), n))
        for here, sample in parts:
            block[0, here], block[1, here] = sample.position, sample.velocity
            block[2, here], block[3, here] = sample.acceleration, sample.jerk
        return MotionSample(block[0], block[1], block[2], block[3])

    def last(self, t: float) -> tuple[float, Piece]:
        """The piece that is on at ``t``, and when it began."""
        k = max(bisect_right(self.starts, t) - 1, 0)
        return self.starts[k], self.pieces[k]

    def _parts(self, ts: FloatArray) -> list[tuple[IntArray, Piece, FloatArray]]:
        which: IntArray = np.maximum(np.searchsorted(self.starts, ts, side="right") - 1, 0)
        parts: list[tuple[IntArray, Piece, FloatArray]] = []
        for k, (start, piece) in enumerate(zip(self.starts, self.pieces, strict=True)):
            here = np.flatnonzero(which == k)
            if len(here):
                parts.append((here, piece, ts[here] - start))
        return parts


def endless(piece: Piece) -> bool:
    """Whether the axes stand after the piece, short of the end of the plan."""
    return isinstance(piece, Stopping)


def total(track: Track) -> float:
    """When the last piece ends; infinite when it ends short of the end of the plan."""
    last = track.pieces[-1]
    return math.inf if endless(last) else track.starts[-1] + last.lasts
