"""Limits of one path parameter that drives several axes along a straight line; the motion along it is in ``scurve``."""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, both, like, select

JUST_BELOW_ONE = 0.9999999999999999  # a product with it is the next double below
UNLIMITED = 1.7976931348623157e308


@helper
def line_limit(values, first, axes):
    """The largest rate of the path parameter that keeps every moving axis within its limit, and which axis binds.

    Args:
        values: travels of the axes at 0, their limits from ``first`` on.
        first: index of the first limit.
        axes: number of axes.

    Returns:
        The rate and the index of the axis as an element; -1 when no axis moves.
    """
    limit = like(values[0], UNLIMITED)
    axis = like(values[0], -1.0)
    place = like(values[0], 0.0)  # i as an element
    for i in range(axes):
        travel = absolute(values[i])
        moves = travel > 0.0
        ratio = values[first + i] / select(moves, travel, like(travel, 1.0))
        binds = both(moves, ratio < limit)
        limit = select(binds, ratio, limit)
        axis = select(binds, place, axis)
        place = place + 1.0
    # the quotient may be rounded up: step down until no product with a travel is above a limit
    for _ in range(2):
        for i in range(axes):
            above = absolute(values[i]) * limit > values[first + i]
            limit = select(both(above, values[i] != 0.0), limit * JUST_BELOW_ONE, limit)
    return limit, axis


@kernel("in int out -> none")
def line_limits(values: Any, axes: int, out: Any) -> None:
    """Velocity, acceleration and jerk limits of a path parameter that runs from 0 to 1 while axis i covers its travel.

    Args:
        values: (4 * axes,) signed travels, then velocity, acceleration and jerk limits (positive where an axis moves).
        axes: number of axes.
        out: (6,) output: the three limits in 1/s, 1/s^2, 1/s^3, then the three binding axes (-1 when nothing moves).
    """
    for k in range(3):
        limit, axis = line_limit(values, (k + 1) * axes, axes)
        out[k] = limit
        out[3 + k] = axis
