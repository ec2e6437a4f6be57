"""How far an axis can come before it stands, and the largest speed for which that stays within a clearance.

The stop itself is in ``stop``. Forward is towards the obstacle.

What can happen in the reaction time: before the stop begins the axis does whatever its limits allow, that is any motion
with jerk between -j and j and acceleration up to A whose speed never passes V, also later (v + a a / (2 j) <= V while
a > 0). No legal motion is faster at any time than the one that uses full jerk up to A and eases into V, and while V
plays no part that one is also the worst to stop from. Where V does play a part it is not: a motion that dips below V
and is caught speeding up again, at acceleration j h and speed V - j h h / 2, takes h longer to come to a stand. For
those the travel is bounded from above: during the reaction time T by the smaller of the distance of the fastest motion
and V T minus the dip that no motion with bounded jerk can avoid on its way to that state; then V h - j h h h / 6, and
the stop from V. The worst h has a closed form.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, all_of, both, either, like, maximum, minimum, not_, select, sqrt
from .roots import cbrt
from .stop import stop_at, stop_reach, stop_segments, turning_point

SHAVE = 0.9999999999999929  # 1 - 2**-47: more than all rounding in what is compared with the clearance
NEAR = 5.7e-14  # share of the clearance that the search may leave unused
SQRT2 = 1.4142135623730951
DIP = 1.7761424749153967  # 5/6 + 2 sqrt(2)/3: area of a whole dip in units of j h**3


@helper
def dip(h, reaction, jerk):
    """Least distance lost against constant speed V on the way to speed V - j h h / 2 at acceleration j h.

    Backwards in time the speed can at best follow -j (h h / 2 + h s - s s / 2), until that is zero or time begins.
    """
    s = minimum(reaction, (1.0 + SQRT2) * h)
    return jerk * s * (0.5 * h * h + (0.5 * h - s / 6.0) * s)


@helper
def dip_of_area(area, reaction, jerk):
    """The h whose :func:`dip` is ``area``; ``reaction`` > 0."""
    whole = cbrt(area / (DIP * jerk))
    square = reaction * reaction
    cut = 0.5 * (sqrt(square + 4.0 * (square / 3.0 + 2.0 * area / (jerk * reaction))) - reaction)
    return select(whole <= (SQRT2 - 1.0) * reaction, whole, cut)


@helper
def worst_reach(speed, acceleration, top, speeding, braking, jerk, reaction):
    """How far forward the axis comes at worst when a stop begins after the reaction time.

    Args:
        speed: now, from 0 to ``top``.
        acceleration: now, of either sign.
        top: largest speed V; where the present acceleration takes the axis above it whatever it does, that speed.
        speeding: largest acceleration A.
        braking: magnitude of the lowest acceleration.
        jerk: limit of the jerk.
        reaction: time in which any legal motion may happen, zero or more.
    """
    zero = like(speed, 0.0)
    one = like(speed, 1.0)
    rising = maximum(acceleration, zero)
    peak = maximum(top, speed + rising * rising / (2.0 * jerk))
    # full jerk towards A, held there: the worst motion as long as it respects the top speed
    first_jerk = select(acceleration > speeding, 0.0 - jerk, jerk)
    t1 = minimum(reaction, absolute(speeding - acceleration) / jerk)
    held = reaction - t1
    a_free = select(held > 0.0, speeding, acceleration + first_jerk * t1)
    v1 = speed + (acceleration + 0.5 * first_jerk * t1) * t1
    v_free = v1 + speeding * held
    x1 = (speed + (0.5 * acceleration + first_jerk * t1 / 6.0) * t1) * t1
    x_free = x1 + (v1 + 0.5 * speeding * held) * held
    rising = maximum(a_free, zero)
    free = v_free + rising * rising / (2.0 * jerk) <= peak
    reach = x_free + stop_reach(v_free, a_free, braking, speeding, jerk)
    if not all_of(free):
        # the fastest motion to the top speed is a stop in a frame that moves with it
        _, first, plateau, last, j1, p, v, a, v_last, x_last, x, _ = stop_segments(
            speed - peak, acceleration, braking, speeding, jerk
        )
        ease = first + plateau
        duration = ease + last
        lost, _, below, _, _ = stop_at(first, ease, duration, j1, p, jerk, v, a, v_last, x_last, x, reaction)
        arrived = reaction >= duration
        lost = select(arrived, x, lost)
        below = select(arrived, zero, maximum(below, zero))
        time = select(reaction > 0.0, reaction, one)
        h_best = select(
            jerk * time * time >= peak,
            (SQRT2 - 1.0) * sqrt(peak / jerk),
            maximum(sqrt(2.0 * peak / jerk) - time, zero),
        )
        h = minimum(maximum(h_best, dip_of_area(maximum(lost, zero), time, jerk)), sqrt(2.0 * peak / jerk))
        h = minimum(maximum(h, sqrt(2.0 * below / jerk)), rising / jerk)
        approach = peak * reaction - maximum(lost, dip(h, time, jerk))
        bounded = approach + (peak - jerk * h * h / 6.0) * h + stop_reach(peak, zero, braking, speeding, jerk)
        reach = select(free, reach, bounded)
    # an axis that slows down now may turn round before the stop begins, and have been further forward
    turns = both(acceleration < 0.0, acceleration * acceleration > 2.0 * jerk * speed)
    t_turn, x_turn = turning_point(0.0 - select(turns, speed, zero), select(turns, 0.0 - acceleration, one), jerk)
    turned = both(turns, t_turn <= reaction)
    return maximum(maximum(reach, select(turned, 0.0 - x_turn, zero)), zero)


@helper
def speed_from_rest(clearance, braking, jerk):
    """Speed from which a stop that begins at zero acceleration takes exactly ``clearance``."""
    b = braking * braking / jerk
    square = 2.0 * braking * clearance
    with_plateau = 2.0 * square / (b + sqrt(b * b + 4.0 * square))
    without = cbrt(clearance) * cbrt(clearance * jerk)
    return select(without >= b, with_plateau, without)


@kernel("in out -> none")
def worst_travel(state: Any, out: Any) -> None:
    """How far forward an axis comes at worst.

    Args:
        state: (7,) as :func:`worst_reach` takes it.
        out: (1,) output, the distance.
    """
    out[0] = worst_reach(state[0], state[1], state[2], state[3], state[4], state[5], state[6])


@kernel("in out -> none")
def safe_speed(room: Any, out: Any) -> None:
    """The largest speed whose worst travel stays within a clearance; zero where there is none.

    Args:
        room: (7,) clearance, acceleration now, largest speed, largest acceleration, magnitude of the lowest
            acceleration, jerk, reaction time; see :func:`worst_reach`.
        out: (1,) output, the speed.

    In closed form when the acceleration and the reaction time are zero for the whole batch, else by a bracketed search
    (false position with the Illinois weights, every third step a bisection) on the travel, which grows with the speed.
    """
    clearance = room[0]
    acceleration = room[1]
    top = room[2]
    speeding = room[3]
    braking = room[4]
    jerk = room[5]
    reaction = room[6]
    zero = like(clearance, 0.0)
    target = maximum(clearance, zero) * SHAVE
    plain = both(acceleration == 0.0, reaction == 0.0)
    low = minimum(speed_from_rest(target, braking, jerk), top)
    if not all_of(plain):
        searched, high = zero * target, top * like(target, 1.0)
        gap_low = target - worst_reach(searched, acceleration, top, speeding, braking, jerk, reaction)
        gap_high = worst_reach(high, acceleration, top, speeding, braking, jerk, reaction) - target
        free = gap_high <= 0.0
        done = either(plain, either(free, gap_low <= 0.0))
        searched = select(free, high, searched)
        k = 0
        while k < 200 and not all_of(done):
            width = high - searched
            share = gap_low / select(gap_low + gap_high > 0.0, gap_low + gap_high, like(target, 1.0))
            share = select(both(share > 0.0, share < 1.0), share, like(target, 0.5))
            if k % 3 == 2:
                share = like(target, 0.5)
            middle = searched + width * share
            spare = target - worst_reach(middle, acceleration, top, speeding, braking, jerk, reaction)
            inside = spare >= 0.0
            stuck = either(middle <= searched, middle >= high)
            move_low = both(inside, not_(done))
            move_high = both(not_(inside), not_(done))
            searched = select(move_low, middle, searched)
            high = select(move_high, middle, high)
            gap_low = select(move_low, spare, select(move_high, 0.5 * gap_low, gap_low))
            gap_high = select(move_high, 0.0 - spare, select(move_low, 0.5 * gap_high, gap_high))
            done = either(done, either(stuck, both(inside, spare <= NEAR * clearance)))
            k = k + 1
        low = select(plain, low, searched)
    out[0] = low
