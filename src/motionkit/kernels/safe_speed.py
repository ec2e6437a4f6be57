"""How far an axis can come before it stands, and the largest speed for which that stays within a clearance.

The stop itself is in ``stop``. Forward is towards the obstacle.

Before the stop begins, after the reaction time T, the axis does whatever its limits allow: any motion with jerk between
-j and j and acceleration between -B and A that never takes the speed above V, also later (v + a a / (2 j) <= V while
a > 0). Which is the worst to stop from?

1. No legal motion is faster at any time than the one that uses full jerk up to A and eases into V (the *fastest*). As
   long as V plays no part it also ends with the largest acceleration, so it is the worst.
2. Otherwise the worst ends at T on the boundary, at acceleration j h and speed V - j h h / 2, and takes h longer to
   reach V and begin to slow down. Of all motions that end there, one is fastest at every time: it follows the fastest
   up to some time, swings down with jerk -j (at most to acceleration -B), and is caught by the stop on its way up again
   with jerk +j. Proof: before it leaves nothing is faster; on the way up, seen backwards from the end, nothing is
   faster; in between its acceleration falls as quickly as it may, so its lead over any other motion is a concave
   function of time, and that is not negative between two times at which it is not negative.
3. The travel as a function of h is concave, because it is the optimum of a convex problem, so the best h is where its
   slope changes sign. The slope is known in closed form from the costates of the problem.
4. A lower speed can be worse: an axis at V has less time to be caught speeding up than one a little slower. A safe
   speed must be safe at lower speeds too, so the present speed is taken to be anything up to the one given. Only a
   motion that swings down from the first instant can gain from that, and its best h has a closed form.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, all_of, both, either, like, maximum, minimum, not_, select, sqrt
from .roots import cbrt
from .stop import stop_at, stop_reach, stop_segments, turning_point

SHAVE = 0.9999999999999716  # 1 - 2**-45: more than all rounding in what is compared with the clearance
NEAR = 2.5e-13  # share of the clearance that the search may leave unused
NARROW = 4.5e-16  # share of the reaction time to which the worst motion is narrowed down


@helper
def swing(w, alpha, rest, beta):
    """The motion that is caught speeding up: jerk down, hold, jerk up, ending on the boundary after ``rest``.

    All in units in which the jerk is one: ``w`` is V minus the speed now, ``alpha`` the acceleration now, ``beta`` the
    magnitude of the lowest acceleration.

    Returns:
        h, the times of the three segments, and the depth (magnitude of the acceleration held).
    """
    zero = like(w, 0.0)
    late = rest - alpha
    room = w + (0.5 * rest - alpha) * rest
    h = (sqrt(maximum(12.0 * room - 2.0 * late * late, zero)) - late) / 3.0
    up = 0.5 * (late + h)
    depth = 0.5 * (late - h)
    deep = depth > beta
    down = alpha + beta
    area = w + (0.5 * down - alpha) * down + beta * (rest - down)
    up_held = 0.5 * (beta + sqrt(maximum(4.0 * area - beta * beta, zero)))
    up = maximum(select(deep, up_held, up), zero)
    depth = select(deep, beta, depth)
    down = maximum(alpha + depth, zero)
    return maximum(up - depth, zero), down, select(deep, maximum(rest - down - up, zero), zero), up, depth


@helper
def loss_of_swing(w, alpha, h, down, hold, up, depth):
    """Distance lost against constant speed V during a :func:`swing`, in units in which the jerk is one."""
    first = (w - (0.5 * alpha - down / 6.0) * down) * down
    w1 = w - (alpha - 0.5 * down) * down
    second = (w1 + 0.5 * depth * hold) * hold
    w2 = w1 + depth * hold
    return first + second + (w2 + (0.5 * depth - up / 6.0) * up) * up


@helper
def slope_of_swing(top, h, down, hold, up):
    """Sign of the growth of the travel with h; ``top`` is V in units in which the jerk is one."""
    late = hold + up + 0.5 * down
    early = 0.5 * down + hold
    return top - (0.5 * h + late) * h - 0.5 * (late + early) * (late - early)


@helper
def on_fastest(s, ease, segments, jerk):
    """Distance lost against V, w and alpha (see :func:`swing`) on the fastest motion after ``s``.

    The time in which it eases into V is left out of ``s``, because a swing that begins in it has begun with it.
    """
    zero = like(s, 0.0)
    sign, first, _, last, first_jerk, peak, v, a, v_last, x_last, x, _ = segments
    duration = ease + last
    t = select(s <= ease, s, s + last)
    lost, _, below, slowing, _ = stop_at(first, ease, duration, first_jerk, peak, jerk, v, a, v_last, x_last, x, t)
    arrived = t >= duration
    lost = select(arrived, x, lost)
    below = select(arrived, zero, below)
    slowing = select(arrived, zero, slowing)
    return t, 0.0 - sign * lost, maximum(0.0 - sign * below, zero) / jerk, sign * slowing / jerk


@helper
def caught(s, ease, segments, top, speeding, braking, jerk, reaction):
    """Travel from now to the end of the reaction time plus the way to V, when the swing begins after ``s``.

    Returns:
        The travel; a number that grows with ``s`` and is zero where the swing is worst (the slope, or how far the
        acceleration reached stays below its limit); and h.
    """
    t, lost, w, alpha = on_fastest(s, ease, segments, jerk)
    h, down, hold, up, depth = swing(w, alpha, maximum(reaction - t, like(s, 0.0)), braking / jerk)
    lost = lost + jerk * loss_of_swing(w, alpha, h, down, hold, up, depth)
    slope = slope_of_swing(top / jerk, h, down, hold, up)
    travel = top * reaction - lost + (top - jerk * h * h / 6.0) * h
    return travel, minimum(slope, (speeding / jerk - h) * reaction), h


@helper
def slower_start(given, start, beta, gamma, top, reaction):
    """The best swing that begins at once, when the present speed may be anything from zero to the one given.

    All in units in which the jerk is one. Before the swing the acceleration may have to come back to its limits.

    Args:
        given: h of the swing from the speed given, the least there is.
        start: length of the time in which the acceleration comes back, its jerk (1 or -1), the acceleration after it.
        beta: magnitude of the lowest acceleration.
        gamma: largest acceleration.
        top: V.
        reaction: T.

    Returns:
        h and the distance lost against V by the end of the reaction time.
    """
    low, direction, alpha = start
    zero = like(reaction, 0.0)
    rest = maximum(reaction - low, zero)
    # where the slope is zero: a quadratic equation, and a linear one when the lowest acceleration is held
    c = reaction - 0.5 * (rest - alpha)
    b = 4.0 * reaction + 2.0 * c
    h = (sqrt(maximum(b * b + 12.0 * (2.0 * top - reaction * reaction + c * c), zero)) - b) / 3.0
    held = both(0.5 * (rest - h - alpha) > beta, 2.0 * reaction > beta)
    h_held = (top - reaction * beta + 0.5 * beta * beta) / select(held, 2.0 * reaction - beta, like(top, 1.0))
    h = select(held, h_held, h)
    h_zero, _, _, _, _ = swing(top - (alpha - 0.5 * direction * low) * low, alpha, rest, beta)
    h = maximum(minimum(minimum(h, h_zero), minimum(gamma, alpha + rest)), given)
    depth = minimum(0.5 * (rest - h - alpha), beta)
    down = maximum(alpha + depth, zero)
    up = maximum(h + depth, zero)
    hold = maximum(rest - down - up, zero)
    w = 0.5 * h * h + (alpha - 0.5 * down) * down - depth * hold + (0.5 * up - depth) * up
    lost = loss_of_swing(w, alpha, h, down, hold, up, depth)
    return h, lost + (w + (0.5 * alpha - direction * low / 6.0) * low) * low


@helper
def worst_swing(speed, acceleration, top, speeding, braking, jerk, reaction):
    """The largest travel of :func:`caught` over the time at which the swing begins, and over lower speeds."""
    segments = stop_segments(speed - top, acceleration, braking, speeding, jerk)
    first, plateau, last = segments[1], segments[2], segments[3]
    zero = like(speed, 0.0)
    one = like(speed, 1.0)
    ease = first + plateau
    # the swing cannot begin while the acceleration is brought back to its limits
    low = minimum(maximum(maximum(acceleration - speeding, 0.0 - braking - acceleration) / jerk, zero), reaction)
    high = maximum(low, minimum(ease, reaction) + maximum(reaction - (ease + last), zero))
    travel_low, gap_low, h_low = caught(low, ease, segments, top, speeding, braking, jerk, reaction)
    travel_high, gap_high, _ = caught(high, ease, segments, top, speeding, braking, jerk, reaction)
    direction = select(acceleration > speeding, 0.0 - one, one)
    start = (low, direction, acceleration / jerk + direction * low)
    h, lost = slower_start(h_low, start, braking / jerk, speeding / jerk, top / jerk, reaction)
    travel_slower = top * reaction - jerk * lost + (top - jerk * h * h / 6.0) * h
    travel_low = select(h > h_low, maximum(travel_low, travel_slower), travel_low)
    travel = select(gap_low >= 0.0, travel_low, travel_high)
    done = either(gap_low >= 0.0, gap_high <= 0.0)
    k = 0
    while k < 100 and not all_of(done):
        share = like(speed, 0.5)
        if k % 3 != 2:
            share = select(done, share, gap_low / select(done, one, gap_low - gap_high))
        middle = low + (high - low) * share
        travel_middle, gap, _ = caught(middle, ease, segments, top, speeding, braking, jerk, reaction)
        before = both(gap < 0.0, not_(done))
        after = both(gap >= 0.0, not_(done))
        travel = select(after, travel_middle, travel)
        low = select(before, middle, low)
        high = select(after, middle, high)
        gap_low = select(before, gap, select(after, 0.5 * gap_low, gap_low))
        gap_high = select(after, gap, select(before, 0.5 * gap_high, gap_high))
        done = either(done, either(high - low <= NARROW * reaction, gap == 0.0))
        k = k + 1
    return travel


@helper
def worst_reach(speed, acceleration, top, speeding, braking, jerk, reaction):
    """How far forward the axis comes at worst when a stop begins after the reaction time.

    Args:
        speed: now at most, zero or more.
        acceleration: now, of either sign.
        top: largest speed V; where the present state takes the axis above it whatever it does, the speed so reached.
        speeding: largest acceleration A.
        braking: B, magnitude of the lowest acceleration.
        jerk: limit of the jerk.
        reaction: time in which any legal motion may happen, zero or more.
    """
    zero = like(speed, 0.0)
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
        swung = worst_swing(speed, acceleration, peak, speeding, braking, jerk, reaction)
        reach = select(free, reach, swung + stop_reach(peak, zero, braking, speeding, jerk))
    # an axis that slows down now may turn round before the stop begins, and have been further forward
    turns = both(acceleration < 0.0, acceleration * acceleration > 2.0 * jerk * speed)
    t_turn, x_turn = turning_point(
        0.0 - select(turns, speed, zero), select(turns, 0.0 - acceleration, like(speed, 1.0)), jerk
    )
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
