"""Many problems of one axis at once, from any state to any state: :func:`plan_online_batch`.

One problem, and axes that belong together, are in ``online``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ..errors import NotFinite
from ..kernels import online_axis, online_segments
from ..kernels._batch import run_rows
from ._online_problem import explain_numbers, explain_target, limits_table, problem_table, states_table
from .limits import MotionLimits
from .online import OnlineTrajectory
from .samples import FloatArray, MotionSample, finite_vector


@dataclass(frozen=True, slots=True, eq=False)
class OnlineBatch:
    """The fastest motions of N problems that have nothing to do with each other; made by :func:`plan_online_batch`.

    Args:
        durations: (N,) in s; read-only.
    """

    durations: FloatArray
    _problem: FloatArray = field(repr=False)  # (N, 12)
    _models: FloatArray = field(repr=False)  # (N, 78)

    def __len__(self) -> int:
        return len(self.durations)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OnlineBatch):
            return NotImplemented
        return np.array_equal(self._models, other._models)

    def __hash__(self) -> int:
        return hash(self._models.tobytes())

    def sample(self, ts: ArrayLike) -> MotionSample[FloatArray]:
        """Each motion at its own time, with the bits that :meth:`OnlineTrajectory.sample` gives.

        Args:
            ts: (N,) times in s.

        Returns:
            A sample whose fields are arrays (N,).

        Raises:
            NotFinite: a time is not finite.
            WrongLength: there are not N times.
        """
        times = finite_vector(ts, "times", len(self))
        rows = np.empty((len(self), 4))
        run_rows(online_segments.online_row_sample, self._models, online_axis.FASTEST, times, rows)
        return MotionSample(*np.ascontiguousarray(rows.T))

    def trajectory(self, i: int) -> OnlineTrajectory:
        """The motion of problem ``i`` alone; raises IndexError where there is none."""
        p = self._problem[i]
        limits = MotionLimits(p[6], p[8], p[10], min_velocity=-p[7], min_acceleration=-p[9])
        return OnlineTrajectory.plan(p[None, :3], p[None, 3:6], limits)


def plan_online_batch(
    current: ArrayLike, target: ArrayLike, limits: MotionLimits | ArrayLike, *, threads: int = 1
) -> OnlineBatch:
    """Plan many problems of one axis at once; the same bits as :meth:`OnlineTrajectory.plan` gives one at a time.

    Args:
        current: (N, 3) position, velocity and acceleration, in rad or m and s.
        target: (N, 3) likewise, inside the limits.
        limits: MotionLimits for all (its range of positions is not looked at), or an array (N, 3) of velocity,
            acceleration and jerk.
        threads: how many may share the work where it runs natively.

    Raises:
        WrongLength: the numbers of problems differ.
        NotFinite: a number is not finite, or a motion leaves the range of floating point numbers.
        InvalidLimits: limits are not set, or a target lies outside them; the message names the first as an axis.

    >>> import motionkit as mk
    >>> batch = mk.plan_online_batch([[0, 0, 0], [0, 1, 0]], [[2, 0, 0], [2, 0, 0]], mk.MotionLimits(2, 8, 40))
    >>> batch.durations.round(6)
    array([1.45    , 1.304057])
    """
    start, end = states_table(current, "current"), states_table(target, "target")
    n = len(start)
    rates, _ = limits_table(limits, 1 if isinstance(limits, MotionLimits) else n)
    problem = problem_table(start, end, np.broadcast_to(rates, (n, rates.shape[1])), 0.0)
    if not (np.isfinite(problem).all() and float(problem[:, 6:11].min()) > 0.0):
        raise explain_numbers(problem)
    fits = np.empty((n, 1))
    models = np.empty((n, online_segments.HEAD + online_segments.EACH * online_axis.FASTEST))
    run_rows(online_axis.online_fits, problem, fits, threads=threads)
    if fits.min() < 1.0:
        if fits.min() < 0.0:
            raise NotFinite("a motion leaves the range of floating point numbers; use other units")
        i = int(fits.argmin())
        raise explain_target(problem[i].tolist(), i)
    run_rows(online_axis.online_plan, problem, models, threads=threads)
    durations = models[:, 0].copy()
    for array in (durations, models, problem):
        array.setflags(write=False)
    return OnlineBatch(durations, problem, models)
