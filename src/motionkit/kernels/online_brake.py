"""Bringing one axis from outside its limits of velocity and acceleration into them, as quickly as they can be met.

In the units of ``online``: jerk one, w = v j. First the acceleration is brought to its limit. Then, where the velocity
is outside, or will be whatever the axis does, it is brought back to its limit with the strongest legal acceleration,
but never so far that it would leave the limits on the other side. The axis does not stop on the way, and is still
braking when it is inside: what comes after is for the planner.
"""

from __future__ import annotations

from ._contract import helper
from ._elements import absolute, both, either, like, maximum, minimum, not_, select, sqrt

OUTSIDE = 1.0000000000002  # a velocity that is outside by less than a part in 5e12 is inside


@helper
def brake(w, a, up, down, top, bottom):
    """The motion into the limits, and the state after it.

    Args:
        w: velocity.
        a: acceleration.
        up: highest acceleration.
        down: magnitude of the lowest acceleration.
        top: highest velocity.
        bottom: magnitude of the lowest velocity.

    Returns:
        Jerk and time of two segments, the time of a third without jerk, velocity and acceleration after them, and the
        time after them for which the velocity is still outside, because more braking would leave the other limit.
    """
    zero = like(w, 0.0)
    one = like(w, 1.0)
    b = maximum(minimum(a, up), 0.0 - down)
    first_time = absolute(a - b)
    first_jerk = select(a > b, 0.0 - one, one)
    u = w + 0.5 * (a + b) * first_time
    reached = u + 0.5 * b * absolute(b)
    above = reached > top * OUTSIDE
    below = reached < 0.0 - bottom * OUTSIDE
    within = not_(either(above, below))
    above = either(above, both(within, u > top * OUTSIDE))
    below = either(below, both(within, u < 0.0 - bottom * OUTSIDE))
    # seen so that the velocity is too high
    sign = select(below, 0.0 - one, one)
    outside = either(above, below)
    ceiling = select(below, bottom, top)
    floor_speed = select(below, top, bottom)
    strongest = select(below, up, down)
    v = sign * u
    c = sign * b
    back = sqrt(maximum(c * c + 2.0 * (v - ceiling), zero))
    turn = sqrt(maximum(v + 0.5 * c * c + floor_speed, zero))
    depth = minimum(minimum(back, strongest), turn)
    second_time = select(outside, maximum(c + depth, zero), zero)
    v = v + (c - 0.5 * second_time) * second_time
    c = c - second_time
    left = v - maximum(ceiling, 0.5 * strongest * strongest - floor_speed)
    holds = both(outside, both(depth >= strongest, left > 0.0))
    third_time = select(holds, left / strongest, zero)
    v = v - select(holds, strongest * third_time, zero)
    # where more braking would leave the other limit, the velocity at zero acceleration is that limit
    over = both(outside, v > ceiling * OUTSIDE)
    still = select(over, maximum(0.0 - c - sqrt(2.0 * (ceiling + floor_speed)), zero), zero)
    return (
        first_jerk,
        first_time,
        0.0 - sign,
        second_time,
        third_time,
        select(outside, sign * v, u),
        select(outside, sign * c, b),
        still,
    )
