"""What a path asks of its joints while it is run along, and the symmetric speed profile of a given shape.

With path speed v, acceleration a and jerk j the joints of a path q(s) move with |q'| v, |q''| v^2 + |q'| a and
|q'''| v^3 + 3 |q''| v a + |q'| j at the most (Shin and McKay, 1985, for the first two). Each limit has more than one
source that draws on it: what the path's bending takes is not there for changing speed. How the best profile is found
does not belong here.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper


@helper
def demand(first: Any, second: Any, third: Any, v: Any, a: Any, j: Any) -> tuple[Any, Any, Any]:
    """Largest joint velocity, acceleration and jerk where the magnitudes of the six arguments are at most these.

    Args:
        first: magnitude of q'; second and third: of q'' and q''', all with respect to the path parameter.
        second: see first.
        third: see first.
        v: magnitude of the path speed; a and j: of its first and second rate.
        a: see v.
        j: see v.
    """
    return first * v, second * v * v + first * a, third * v * v * v + 3.0 * second * v * a + first * j


@helper
def shape(ramp: Any, share: Any) -> tuple[Any, Any, Any]:
    """Peak velocity, acceleration and jerk of the seven-segment profile over distance 1 in time 1.

    Args:
        ramp: the part of the time that is spent speeding up, and again slowing down, in (0, 1/2].
        share: the part of a ramp in which the acceleration grows, and again falls, in (0, 1/2].
    """
    v = 1.0 / (1.0 - ramp)
    a = v / ((1.0 - share) * ramp)
    return v, a, a / (share * ramp)
