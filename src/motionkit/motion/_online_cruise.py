"""Limits of velocity under which the fastest motion takes as long as it should: a slow cruise."""

from __future__ import annotations

import numpy as np

from ..errors import InvalidLimits
from ..kernels import online_axis, online_segments
from ..kernels._batch import run_rows
from .samples import FloatArray

HALVINGS = 60  # of the range of a limit: to its last bit
ABOVE = 1.0 + 1e-9  # of the velocity that the target needs
SAME = 1.0 - 1e-12  # of a duration: an axis that takes so long is not made slower


def slow_cruise(problems: FloatArray, fastest: list[float], duration: float) -> FloatArray:
    """Problems (n, 12) with lower limits of velocity, under which each motion takes at most ``duration``, and just so.

    What is left, a rounding or the gap between two families of motions, is left to the mixture of that duration.

    Args:
        problems: solvable, as kernels.online_axis has them.
        fastest: durations (n,) under their own limits.
        duration: in s, of the whole.

    Raises:
        InvalidLimits: the target moves, and even at its velocity the motion does not take so long.
    """
    table = problems.copy()
    table[:, 11] = duration
    slow = np.array(fastest) < SAME * duration
    if not slow.any():
        return table
    some = table[slow]
    velocity, acceleration, jerk = some[:, 4], some[:, 5], some[:, 10]
    before = velocity - 0.5 * acceleration * np.abs(acceleration) / jerk  # from which full jerk ends at the target
    high = np.maximum(some[:, 6], some[:, 7])
    # a limit of zero would take for ever: the way at it takes longer than the duration by far
    way = np.abs(some[:, 3] - some[:, 0]) + np.finfo(np.float64).tiny
    low = np.maximum(ABOVE * np.maximum(np.abs(velocity), np.abs(before)), np.minimum(1e-3 * way / duration, high))
    low = np.minimum(low, high)
    at_least = _durations(some, low)
    if (at_least < SAME * duration).any() and (low > np.minimum(1e-3 * way / duration, high)).any():
        i = int(np.flatnonzero(at_least < SAME * duration)[0])
        raise InvalidLimits(
            f"axis {int(np.flatnonzero(slow)[i])}: the target moves with {float(velocity[i])!r}, and a cruise at that "
            f"velocity takes {float(at_least[i])!r} s, less than min_duration {duration!r}; give slower='gentler', or "
            "a target that is slower",
            joint=f"axis {int(np.flatnonzero(slow)[i])}",
        )
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        early = _durations(some, middle) <= duration
        high, low = np.where(early, middle, high), np.where(early, low, middle)
    table[slow, 6] = np.minimum(some[:, 6], high)
    table[slow, 7] = np.minimum(some[:, 7], high)
    return table


def _durations(problems: FloatArray, limit: FloatArray) -> FloatArray:
    """Of the fastest motions (n,) under limits of velocity."""
    some = problems.copy()
    some[:, 6] = np.minimum(some[:, 6], limit)
    some[:, 7] = np.minimum(some[:, 7], limit)
    models = np.empty((len(some), online_segments.HEAD + online_segments.EACH * online_axis.FASTEST))
    run_rows(online_axis.online_plan, np.ascontiguousarray(some), models)
    return models[:, 0].copy()
