"""Axes whose path parameter moves in some way: the chain rule to the third derivative.

How the parameter moves is decided elsewhere (``stop``, ``online_segments``, ``scurve``).
"""

from __future__ import annotations

from typing import Any

from ._contract import kernel


@kernel("in in out -> none")
def along(derivatives: Any, moving: Any, out: Any) -> None:
    """Positions, velocities, accelerations and jerks of axes, from their derivatives by the path parameter.

    Args:
        derivatives: (4 m,) positions, then first, second and third derivatives by the parameter.
        moving: (4,) the parameter, which is not read, and its velocity, acceleration and jerk.
        out: (4 m,) positions, velocities, accelerations and jerks; may be ``derivatives``.
    """
    m = len(out) // 4
    v = moving[1]
    a = moving[2]
    j = moving[3]
    for i in range(m):
        first = derivatives[m + i]
        second = derivatives[2 * m + i]
        third = derivatives[3 * m + i]
        out[i] = derivatives[i]
        out[m + i] = first * v
        out[2 * m + i] = second * v * v + first * a
        out[3 * m + i] = third * v * v * v + 3.0 * second * v * a + first * j


@kernel("model int in out -> none")
def along_line(line: Any, axes: int, moving: Any, out: Any) -> None:
    """The same on a straight line, whose higher derivatives are zero.

    Args:
        line: (2 axes,) where each axis is at parameter 0, then how far it goes for a unit of it.
        axes: number of axes.
        moving: (4,) the parameter and its velocity, acceleration and jerk.
        out: (4 axes,) output.
    """
    for i in range(axes):
        scale = line[axes + i]
        out[i] = line[i] + scale * moving[0]
        out[axes + i] = scale * moving[1] + 0.0
        out[2 * axes + i] = scale * moving[2] + 0.0
        out[3 * axes + i] = scale * moving[3] + 0.0
