"""The fastest jerk-limited motion of one axis from any state to any state within asymmetric limits.

In units in which the jerk is one: time is measured in acceleration (t j), velocity as w = v j, position as x = p j j.
Braking into the limits is in ``online_brake``, motions of a given duration in ``online_timed``, the segments with their
states and their samples in ``online_segments``.

For a fixed duration T the legal motions between two states form a convex set, so the distances that they cover are one
interval from Dmin(T) to Dmax(T). The fastest motion over d is at the first T whose interval holds d. At the least T of
all, the interval is one point D0: the motion that changes velocity and acceleration as quickly as possible. So d > D0
is first met by Dmax, d < D0 by Dmin, which is the same seen in a mirror.

Dmax(T) is covered by jerk + 0 - 0 - 0 +: a peak a1 of the acceleration, held when it is the limit, perhaps a cruise at
the highest velocity, a lowest acceleration -a2, held when it is the limit. With K = w - a a / 2 of the start (K0) and
of the end (Kf), C = Kf - K0 = a1 a1 - a2 a2 and the velocity P in between where the acceleration is zero,

    dDmax/dT = P + a1 a2 / 2,

whatever is held. Along the family this falls, and then rises for good (it only rises where a2 > 0). So d is met at most
once where Dmax is concave in T and at most once where it is convex, and Newton's method in T converges from one side.

The family may end (``gap``): an axis that speeds up at both ends can delay its gain of velocity only so long, or else
needs the time for a real dip; in between no motion at all has the duration T. After the gap the interval is one point
again.

Everything is computed for a problem in *standard form*: mirrored so that Dmax is looked for, and reversed in time where
that makes the quickest change one of rising acceleration.
"""

from __future__ import annotations

from ._contract import helper
from ._elements import absolute, any_of, both, either, like, maximum, minimum, not_, select, sqrt
from .roots import cbrt

ROUNDING = 1.8e-15  # 8 units in the last place: what the rounding of a few sums may be
INFLECTION = 0.2679491924311227  # tan(15 degrees): a2 = -a1 times it where dDmax/dT is least and nothing is held
ROOT_THIRD = 0.7598356856515925  # 3**(-1/4)


@helper
def covered(k0, kf, peak, a1, h1, a2, h2):
    """Distance of + 0 - - 0 +, less the part that depends on the two states alone (see :func:`edge`)."""
    return k0 * a1 + (k0 + 0.5 * (a1 + h1) * a1) * h1 + peak * (a1 + a2) + kf * a2 + (kf + 0.5 * (a2 + h2) * a2) * h2


@helper
def edge(k0, kf, a0, af):
    """The part of the distance that depends on the two states alone."""
    return kf * af - k0 * a0 + (af * af * af - a0 * a0 * a0) / 6.0


@helper
def bump(rise, limit):
    """Peak acceleration and how long it is held, of the bump that changes a velocity from K to ``K + rise``."""
    square = limit * limit
    held = rise > square
    return (
        select(held, limit, sqrt(maximum(rise, like(rise, 0.0)))),
        select(held, (rise - square) / limit, like(rise, 0.0)),
    )


@helper
def direct(w0, a0, wf, af, up, down):
    """The quickest change of velocity and acceleration.

    Returns:
        +1.0 when its bump points up, -1.0 when down; its peak (magnitude), hold, time and distance.
    """
    one = like(w0, 1.0)
    change = wf - w0
    surplus = change - 0.5 * absolute(af - a0) * (af + a0)
    tight = absolute(surplus) <= ROUNDING * (absolute(wf) + absolute(w0) + af * af + a0 * a0)
    rising = select(tight, select(af + a0 >= 0.0, one, 0.0 - one), select(surplus > 0.0, one, 0.0 - one))
    limit = select(rising > 0.0, up, down)
    b0 = rising * a0
    bf = rising * af
    peak, hold = bump(rising * change + 0.5 * (a0 * a0 + af * af), limit)
    peak = maximum(peak, maximum(b0, bf))
    k0 = rising * w0 - 0.5 * a0 * a0
    kf = rising * wf - 0.5 * af * af
    distance = edge(k0, kf, b0, bf) + covered(k0, kf, kf + bf * bf, peak, hold, 0.0 - bf, like(w0, 0.0))
    return rising, peak, hold, 2.0 * peak + hold - b0 - bf, rising * distance


@helper
def standard(side, rising, d, w0, a0, wf, af, up, down, top, bottom):
    """A problem in standard form, for the side +1.0 (Dmax) or -1.0 (Dmin).

    Returns:
        Distance, start velocity and acceleration, end velocity and acceleration, limits of the first and of the second
        bump, highest velocity, and whether time is reversed.
    """
    turned = side * rising < 0.0
    forward = side > 0.0
    upward = rising > 0.0
    return (
        side * d,
        side * select(turned, wf, w0),
        select(turned, 0.0 - side * af, side * a0),
        side * select(turned, w0, wf),
        select(turned, 0.0 - side * a0, side * af),
        select(upward, up, down),
        select(upward, down, up),
        select(forward, top, bottom),
        turned,
    )


@helper
def ending(k0, kf, a0, af, first, second):
    """Where the family ends and where it begins again.

    Returns:
        Whether there is a gap; -a2 at its near side; a2 and its hold at its far side.
    """
    zero = like(a0, 0.0)
    rest = a0 * a0 - (kf - k0)
    gap = both(both(af > 0.0, a0 > 0.0), rest >= 0.0)
    near = minimum(sqrt(maximum(rest, zero)), maximum(af, zero))
    a2, h2 = bump(maximum(rest, zero), second)
    return gap, near, a2, h2


@helper
def before_zero(r, k0, kf, a0, af, first, end, slack, late):
    """The part of the family in which the acceleration does not come down to zero: the end is reached speeding up.

    Args:
        r: distance less :func:`edge`.
        k0: K of the start.
        kf: K of the end.
        a0: acceleration at the start.
        af: acceleration at the end, above zero.
        first: limit of the acceleration.
        end: -a2 where this part ends.
        slack: how far the distance may be off at the end.
        late: a mask: only the last time that d is met counts.

    Returns:
        Whether d is met here, whether the peak is held, whether Dmax is concave there; bounds of the variable: a2 when
        the peak is held, a1 + a2 otherwise.
    """
    zero = like(r, 0.0)
    c = maximum(kf - k0, zero)
    s = k0 + kf
    square = first * first
    held_from = sqrt(maximum(square - c, zero))  # the peak is held where -a2 is above this
    free = ROOT_THIRD * sqrt(c) * 0.5 * 0.7320508075688772
    turn = select(free <= held_from, free, maximum(0.25 * first, held_from))
    turn = maximum(minimum(turn, af), end)
    slope = rate_before_zero(kf, c, square, first, turn)
    # where Dmax is greatest before it falls: between the end of the acceleration and the turn
    root = sqrt(maximum(0.0625 * square - kf, zero))
    top_held = 0.25 * first + root
    z2 = (sqrt(maximum(4.0 * s * s - 3.0 * c * c, zero)) - 2.0 * s) / 3.0
    safe = select(z2 > 0.0, z2, like(r, 1.0))
    m = c / sqrt(3.0 * safe)
    top_free = 0.5 * (c / select(m > 0.0, m, like(r, 1.0)) - m)
    top = select(top_held >= held_from, top_held, top_free)
    top = maximum(minimum(top, af), turn)
    top = select(rate_before_zero(kf, c, square, first, af) > 0.0, top, af)
    top = select(slope < 0.0, top, turn)
    met_early = both(r <= at_dip(k0, kf, c, first, top), not_(late))
    met_late = r <= at_dip(k0, kf, c, first, end) + slack
    # Dmax may still fall where this part ends
    met_late = both(met_late, either(not_(late), rate_before_zero(kf, c, square, first, end) > 0.0))
    low = select(met_early, top, end)
    high = select(met_early, af, turn)
    split = minimum(maximum(held_from, low), high)
    rises = either(met_early, rate_before_zero(kf, c, square, first, split) > 0.0)
    in_held = both(rises, r <= at_dip(k0, kf, c, first, split))
    held = either(held_from <= low, both(held_from < high, in_held))
    begin = select(held, 0.0 - high, dip_variable(c, minimum(split, high)))
    finish = select(held, 0.0 - maximum(split, low), dip_variable(c, low))
    return either(met_early, met_late), held, met_early, begin, finish


@helper
def dip_variable(c, dip):
    """a1 + a2 where -a2 is ``dip`` and nothing is held."""
    total = sqrt(c + dip * dip) + dip
    return c / select(total > 0.0, total, like(c, 1.0))


@helper
def rate_before_zero(kf, c, square, first, dip):
    """dDmax/dT where -a2 is ``dip``."""
    rise = c + dip * dip
    return kf + dip * dip - 0.5 * dip * select(rise > square, first, sqrt(rise))


@helper
def at_dip(k0, kf, c, first, dip):
    """Distance, less :func:`edge`, where -a2 is ``dip``."""
    a1, h1 = bump(c + dip * dip, first)
    return covered(k0, kf, kf + dip * dip, a1, h1, 0.0 - dip, like(dip, 0.0))


@helper
def search(r, k0, kf, limit, held, second_varies, from_left, begin, finish):
    """The value of the family's variable at which the distance is ``r``, by Newton's method in T.

    Args:
        r: distance less :func:`edge`.
        k0: K of the start.
        kf: K of the end.
        limit: acceleration that is held, when one is.
        held: a mask: one bump is held and the variable is the peak of the other; else the variable is a1 + a2.
        second_varies: a mask: the bump that is not held is the second.
        from_left: a mask: Dmax is concave here.
        begin: lower bound of the variable.
        finish: upper bound of the variable.
    """
    one = like(r, 1.0)
    s = k0 + kf
    c = kf - k0
    k = select(second_varies, kf, k0)
    goal = select(held, r - 0.5 * s * (limit + select(second_varies, c, 0.0 - c) / limit), r)
    direction = select(from_left, one, 0.0 - one)
    x = select(from_left, begin, finish)
    moving = finish >= begin
    rounds = 0
    while rounds < 100 and any_of(moving):
        q = c / select(x != 0.0, x, one)
        xx = x * x
        gone_free = x * (s + 0.25 * xx) - 0.25 * c * q
        rate_free = 0.5 * s + 0.375 * xx + 0.125 * q * q
        gone_held = x * ((0.5 * xx + limit * x + k + 0.5 * limit * limit) * x / limit + 2.0 * k)
        rate_held = k + xx + 0.5 * limit * x
        rate = select(held, rate_held, rate_free)
        dt = (goal - select(held, gone_held, gone_free)) / select(rate > 0.0, rate, one)
        base = x + limit
        root = base + sqrt(maximum(base * base + limit * dt, like(r, 0.0)))
        step = select(held, limit * dt / select(root > 0.0, root, one), 0.5 * dt)
        following = minimum(maximum(x + step, begin), finish)
        moving = both(both(moving, rate > 0.0), (following - x) * direction > 0.0)
        x = select(moving, following, x)
        rounds = rounds + 1
    return x


@helper
def upper_bound(r, k0, kf, limit, held, second_varies):
    """A number not below the last root that :func:`search` looks for, and not far above."""
    zero = like(r, 0.0)
    s = k0 + kf
    c = kf - k0
    # held: Q = x x + limit x, Q Q + 2 k (Q + limit x) = 2 limit goal
    k = select(second_varies, kf, k0)
    goal = maximum(r - 0.5 * s * (limit + select(second_varies, c, 0.0 - c) / limit), zero)
    kk = select(k < 0.0, 2.0 * k, k)
    q = sqrt(kk * kk + 2.0 * limit * goal) - kk
    bound_held = q / (0.5 * limit + sqrt(0.25 * limit * limit + q))
    # free: m m m m + 4 s m m - 4 r m - c c = 0
    positive = maximum(r, zero)
    z = sqrt(4.0 * s * s + c * c) - 2.0 * s
    bound_free = sqrt(maximum(z, zero)) + cbrt(4.0 * positive)
    fast = s > 0.0
    linear = (positive + sqrt(positive * positive + maximum(s, zero) * c * c)) / select(fast, 2.0 * s, like(r, 1.0))
    return 1.0000001 * select(held, bound_held, select(fast, minimum(bound_free, linear), bound_free))


@helper
def after_zero(r, k0, kf, a0, af, first, second, top):
    """The part of the family in which the acceleration comes down to zero or below.

    Returns:
        Masks: a cruise, both bumps held, one bump held (none of them: nothing is held); a mask: the bump held is the
        first; a1, h1, a2, h2 and the cruise for the first two.
    """
    zero = like(r, 0.0)
    c = kf - k0
    b0 = maximum(a0, zero)
    bf = maximum(0.0 - af, zero)
    rise_first = maximum(b0 * b0, bf * bf + c)  # from K0 to the least peak velocity there is
    rise_second = maximum(b0 * b0 - c, bf * bf)
    by_first = first * first - c <= second * second  # the first bump reaches its limit first
    limit = select(by_first, first, second)
    other = select(by_first, second, first)
    k_held = select(by_first, k0, kf)
    k_other = select(by_first, kf, k0)
    ahead = select(by_first, c, 0.0 - c)
    least = select(by_first, rise_first, rise_second)
    square = limit * limit
    peak = sqrt(maximum(square - ahead, zero))
    r_one = k_held * limit + k_other * peak + (k_held + square) * (limit + peak)
    hold = maximum(other * other + ahead - square, zero) / limit
    r_both = covered(k_held, k_other, k_other + other * other, limit, hold, other, zero)
    # at the highest velocity
    a1, h1 = bump(maximum(top - k0, rise_first), first)
    a2, h2 = bump(maximum(top - kf, rise_second), second)
    highest = maximum(top, maximum(k0 + rise_first, kf + rise_second))
    r_top = covered(k0, kf, highest, a1, h1, a2, h2)
    cruises = r >= r_top
    cruise = select(cruises, r - r_top, zero) / highest_or_one(highest)
    # where Dmax falls, its last root is further on
    beyond_both = either(r >= r_both, select(by_first, rise_second, rise_first) >= other * other)
    beyond_both = either(beyond_both, k_other + (other + 0.5 * limit) * other <= 0.0)
    beyond_one = either(r >= r_one, least >= square)
    beyond_one = either(beyond_one, k_held + (limit + 0.5 * peak) * limit <= 0.0)
    both_held = both(both(beyond_both, beyond_one), not_(cruises))
    one_held = both(beyond_one, not_(either(cruises, both_held)))
    # both held: P P + first second P = w
    product = first * second
    total = first + second
    constant = 0.5 * (k0 * (first - k0 / first) + kf * (second - kf / second))
    w = 2.0 * product * (r - constant) / total
    root = sqrt(maximum(0.25 * product * product + w, zero))
    p = select(w > 0.0, w / (0.5 * product + root), root - 0.5 * product)
    return (
        cruises,
        both_held,
        one_held,
        by_first,
        select(both_held, first, a1),
        select(both_held, maximum(p - k0 - first * first, zero) / first, h1),
        select(both_held, second, a2),
        select(both_held, maximum(p - kf - second * second, zero) / second, h2),
        cruise,
    )


@helper
def highest_or_one(velocity):
    """A velocity to divide by."""
    return select(velocity > 0.0, velocity, like(velocity, 1.0))


@helper
def peaks(x, c, held, by_first, limit, a0, af):
    """a1, h1, a2, h2 from the variable of the family."""
    zero = like(x, 0.0)
    q = c / select(x != 0.0, x, like(x, 1.0))
    # a1 - a2 where the family begins: a small x is too rough, and none at all says nothing
    most = sqrt(maximum(c, zero) + af * af) + af
    q = select(af > 0.0, select(x > 0.0, minimum(q, most), most), q)
    hold = maximum(x * x + select(by_first, c, 0.0 - c) - limit * limit, zero) / limit
    a1 = select(held, select(by_first, limit, x), 0.5 * (x + q))
    a2 = select(held, select(by_first, x, limit), 0.5 * (x - q))
    return (
        maximum(a1, a0),
        select(both(held, by_first), hold, zero),
        maximum(a2, 0.0 - af),
        select(both(held, not_(by_first)), hold, zero),
    )


@helper
def fastest(d, w0, a0, wf, af, up, down, top, bottom, slack, forced, late, second_part):
    """The fastest motion over ``d`` between two states inside the limits; jerk one.

    Args:
        d: distance.
        w0: start velocity.
        a0: start acceleration.
        wf: end velocity.
        af: end acceleration.
        up: highest acceleration.
        down: magnitude of the lowest acceleration.
        top: highest velocity.
        bottom: magnitude of the lowest velocity.
        slack: how far the distance may be off where the family ends, a few units in the last place of the positions.
        forced: +1.0 or -1.0 to look for Dmax or Dmin, 0.0 for the right one.
        late: a mask: only the last time that d is met counts.
        second_part: a mask: only what comes after a gap counts.

    Returns:
        The sign of the first jerk, and the seven times of + 0 - 0 - 0 +.
    """
    zero = like(d, 0.0)
    rising, peak, hold, t0, d0 = direct(w0, a0, wf, af, up, down)
    slack = slack + 4.4e-16 * (absolute(d) + (absolute(w0) + absolute(wf)) * t0)
    anew = both(forced == 0.0, not_(second_part))
    at_once = both(absolute(d - d0) <= slack, anew)
    at_opening = both(at_once, not_(at_once))
    side = select(d >= d0, like(d, 1.0), like(d, -1.0))
    side = select(forced != 0.0, forced, side)
    d, w0, a0, wf, af, first, second, top_speed, turned = standard(
        side, rising, d, w0, a0, wf, af, up, down, top, bottom
    )
    k0 = w0 - 0.5 * a0 * a0
    kf = wf - 0.5 * af * af
    r = d - edge(k0, kf, a0, af)
    dips = both(af > 0.0, not_(second_part))
    open_a1 = zero
    open_a2 = zero
    open_h2 = zero
    found = dips
    held_early = dips
    concave = dips
    begin = zero
    finish = zero
    if any_of(af > 0.0):
        gap, near, a2, h2 = ending(k0, kf, a0, af, first, second)
        end = select(gap, near, zero)
        met, held_early, concave, begin, finish = before_zero(
            r, k0, kf, a0, maximum(af, zero), first, end, select(gap, slack, zero), late
        )
        found = both(dips, met)
        # behind the gap the other side may be the one
        beyond = both(gap, not_(found))
        opens = covered(k0, kf, k0 + a0 * a0, a0, zero, a2, h2)
        beyond = both(beyond, either(forced == 0.0, not_(second_part)))
        at_opening = both(both(beyond, absolute(r - opens) <= slack), not_(at_once))
        other = both(both(beyond, r < opens), not_(at_opening))
        open_a1 = a0
        open_a2 = a2
        open_h2 = h2
        if any_of(other):
            side = select(other, 0.0 - side, side)
            sign = select(other, like(d, -1.0), like(d, 1.0))
            d = sign * d
            w0 = sign * w0
            a0 = sign * a0
            wf = sign * wf
            af = sign * af
            hold_limit = select(other, second, first)
            second = select(other, first, second)
            first = hold_limit
            top_speed = select(other, select(side > 0.0, top, bottom), top_speed)
            k0 = w0 - 0.5 * a0 * a0
            kf = wf - 0.5 * af * af
            r = d - edge(k0, kf, a0, af)
    cruises, both_held, one_held, by_first, a1, h1, a2, h2, cruise = after_zero(
        r, k0, kf, a0, af, first, second, top_speed
    )
    held = select_mask(found, held_early, one_held)
    by_first = either(found, by_first)
    limit = select(by_first, first, second)
    closed = either(at_once, either(at_opening, both(either(cruises, both_held), not_(found))))
    if any_of(not_(closed)):
        bound = upper_bound(r, k0, kf, limit, held, by_first)
        x = search(
            r,
            k0,
            kf,
            limit,
            held,
            by_first,
            both(found, concave),
            select(found, begin, zero),
            select(found, finish, bound),
        )
        b1, g1, b2, g2 = peaks(x, kf - k0, held, by_first, limit, a0, af)
        a1 = select(closed, a1, minimum(b1, first))
        h1 = select(closed, h1, g1)
        a2 = select(closed, a2, minimum(b2, second))
        h2 = select(closed, h2, g2)
    known = either(at_once, at_opening)
    cruise = select(both(both(closed, cruises), not_(known)), cruise, zero)
    a1 = select(at_once, peak, select(at_opening, open_a1, a1))
    h1 = select(at_once, hold, select(at_opening, zero, h1))
    a2 = select(at_once, 0.0 - af, select(at_opening, open_a2, a2))
    h2 = select(at_once, zero, select(at_opening, open_h2, h2))
    return times(side, a0, af, a1, h1, cruise, a2, h2, turned)


@helper
def select_mask(mask, a, b):
    """One of two masks."""
    return either(both(mask, a), both(not_(mask), b))


@helper
def times(side, a0, af, a1, h1, cruise, a2, h2, turned):
    """The sign of the first jerk and the seven times of + 0 - 0 - 0 +, in the order of true time."""
    zero = like(a0, 0.0)
    first = maximum(a1 - a0, zero)
    last = maximum(a2 + af, zero)
    down = maximum(minimum(a1, a1 + a2), zero)
    below = maximum(a2, zero)
    return (
        side,
        select(turned, last, first),
        select(turned, h2, h1),
        select(turned, below, down),
        cruise,
        select(turned, down, below),
        select(turned, h1, h2),
        select(turned, first, last),
    )
