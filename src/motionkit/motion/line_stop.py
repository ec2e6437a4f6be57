"""Axes in step, stopped on their line: :class:`LineStop`. Each axis by itself would leave it (see ``stop``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from ..kernels import stop as kernels
from ..kernels._batch import run_rows
from ..kernels._contract import CONTEXT, Model
from . import _hot
from ._sampling import sample_axes, sample_block
from .limits import MotionLimits
from .samples import FloatArray, MotionSample, MotionState
from .stop import StopProfile


@dataclass(frozen=True, slots=True, eq=False)
class LineStop:
    """The fastest stop of axes in step that keeps them on their line; made by ``SynchronizedTrajectory.stop``.

    Attributes:
        time: of the move at which the stop begins, s.
        duration: of the stop, s; 0 when the axes rest already.
        stopping_distances: (n,), end minus start of each axis in rad or m, signed.
    """

    time: float
    duration: float
    stopping_distances: FloatArray
    _model: Model = field(repr=False)

    @classmethod
    def of_line(
        cls, time: float, along: MotionState[float], limits: MotionLimits, start: FloatArray, travel: FloatArray
    ) -> LineStop:
        """The stop of a line.

        Args:
            time: when it begins, s.
            along: state of the path parameter then.
            limits: of the path parameter.
            start: (n,), where the axes are at parameter 0.
            travel: (n,), how far they go for a unit of it.

        Raises:
            InvalidLimits: acceleration or jerk is not set.
        """
        stop = StopProfile.plan(along, limits)
        distances = travel * stop.stopping_distance + 0.0
        distances.setflags(write=False)
        return cls(time, stop.duration, distances, Model(np.concatenate([stop.kernel_model.array, start, travel])))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LineStop) and self.time == other.time and self._model.values == other._model.values

    def __hash__(self) -> int:
        return hash((self.time, tuple(self._model.values)))

    @property
    def kernel_model(self) -> Model:
        """What ``kernels.stop.stop_line_sample`` reads: give its ``array`` to a compiled loop of your own."""
        return self._model

    @property
    def positions(self) -> FloatArray:
        """(n,), where the axes come to rest, in rad or m."""
        return self.sample(self.duration).position

    @overload
    def sample(self, t: float) -> MotionSample[FloatArray]: ...
    @overload
    def sample(self, t: float, out: FloatArray) -> FloatArray: ...
    def sample(self, t: float, out: FloatArray | None = None) -> MotionSample[FloatArray] | FloatArray:
        """All axes at time ``t`` after the stop began.

        Args:
            t: in s, any finite time. Up to 0 the state that the stop begins from, from the duration on at rest.
            out: (4, n) filled with positions, velocities, accelerations and jerks, and returned, when given.

        Raises:
            NotFinite: ``t`` is not finite.
            WrongLength: ``out`` is not a C-contiguous float64 array of shape (4, n).
        """
        hot = _hot.sample_line_stop.native
        # what the front door does not take, the long way takes, or says what is wrong
        if hot is not None and hot(CONTEXT, self._model, t, out) == 0:
            return out  # pyright: ignore[reportReturnType]  the front door takes no None
        n = len(self.stopping_distances)
        return sample_axes(t, n, out, partial(kernels.stop_line_sample, self._model, n))

    def sample_many(self, ts: ArrayLike) -> MotionSample[FloatArray]:
        """All axes at times (T,) in s; fields (T, n), the same bits as :meth:`sample` gives one at a time.

        Raises:
            NotFinite: a time is not finite; the message says which.
            WrongLength: ``ts`` is not one-dimensional.
        """
        n = len(self.stopping_distances)
        return MotionSample(*sample_block(ts, n, partial(run_rows, kernels.stop_line_sample, self._model, n)))
