"""Motions of one axis between two states in a given duration, and which durations there are.

For a duration T between gaps (see ``online``) the distances that can be covered are the interval from Dmin(T) to
Dmax(T), and any of them is covered by a mixture of the two extreme motions: a share of one plus the rest of the other.
The mixture meets both states and keeps every limit, because all of them are linear. So no equation has to be solved.

In the units of ``online``: jerk one, time t j, velocity v j, distance p j j.
"""

from __future__ import annotations

from ._contract import helper
from ._elements import absolute, any_of, both, either, like, maximum, minimum, not_, select, sqrt
from .online import bump, covered, direct, edge, ending, fastest, peaks, standard, times

NEAR = 1.0000000000001  # durations within a part in 1e13 are one


@helper
def lasting(side, rising, duration, d, w0, a0, wf, af, up, down, top, bottom):
    """The motion of a duration that covers most (side +1.0) or least (-1.0).

    Returns:
        Its distance, and as :func:`fastest` the sign of the first jerk and the seven times.
    """
    zero = like(d, 0.0)
    _, w0, a0, wf, af, first, second, highest, turned = standard(side, rising, d, w0, a0, wf, af, up, down, top, bottom)
    k0 = w0 - 0.5 * a0 * a0
    kf = wf - 0.5 * af * af
    c = kf - k0
    tau = duration + a0 - af
    b0 = maximum(a0, zero)
    bf = maximum(0.0 - af, zero)
    rise_first = maximum(b0 * b0, bf * bf + c)
    rise_second = maximum(b0 * b0 - c, bf * bf)
    by_first = first * first - c <= second * second
    limit = select(by_first, first, second)
    other = select(by_first, second, first)
    ahead = select(by_first, c, 0.0 - c)
    square = limit * limit
    tau_one = 2.0 * (limit + sqrt(maximum(square - ahead, zero)))
    tau_both = 2.0 * (limit + other) + maximum(other * other + ahead - square, zero) / limit
    # before a gap nothing is held but the first bump: see dip_held
    early = both(both(af > 0.0, a0 * a0 >= c), tau < 2.0 * a0)
    beyond_one = either(tau >= tau_one, select(by_first, rise_first, rise_second) >= square)
    beyond_one = both(beyond_one, not_(early))
    beyond_both = both(beyond_one, either(tau >= tau_both, select(by_first, rise_second, rise_first) >= other * other))
    a1, h1 = bump(maximum(highest - k0, rise_first), first)
    a2, h2 = bump(maximum(highest - kf, rise_second), second)
    peak = maximum(highest, maximum(k0 + rise_first, kf + rise_second))
    rest = tau - (2.0 * (a1 + a2) + h1 + h2)
    cruises = rest >= 0.0
    cruise = maximum(rest, zero)
    # a dip with the first bump held, before the acceleration comes down to zero
    dip_held = both(af > 0.0, tau < 2.0 * (first - sqrt(maximum(first * first - c, zero))))
    by_first = either(by_first, dip_held)
    limit = select(by_first, first, second)
    one_held = both(either(beyond_one, dip_held), not_(both(beyond_both, not_(dip_held))))
    x = select(
        one_held,
        sqrt(maximum(limit * tau - select(by_first, c, 0.0 - c), zero)) - limit,
        0.5 * tau,
    )
    b1, g1, b2, g2 = peaks(x, c, one_held, by_first, limit, a0, af)
    both_held = both(beyond_both, not_(either(one_held, dip_held)))
    p = (tau - first - second + k0 / first + kf / second) / (1.0 / first + 1.0 / second)
    b1 = select(both_held, first, minimum(b1, first))
    g1 = select(both_held, maximum(p - k0 - first * first, zero) / first, g1)
    b2 = select(both_held, second, minimum(b2, second))
    g2 = select(both_held, maximum(p - kf - second * second, zero) / second, g2)
    a1 = select(cruises, a1, b1)
    h1 = select(cruises, h1, g1)
    a2 = select(cruises, a2, b2)
    h2 = select(cruises, h2, g2)
    p = k0 + a1 * a1 + a1 * h1
    peak = select(cruises, peak, p)
    distance = edge(k0, kf, a0, af) + covered(k0, kf, peak, a1, h1, a2, h2) + peak * cruise
    return side * distance, times(side, a0, af, a1, h1, cruise, a2, h2, turned)


@helper
def gap_times(rising, w0, a0, wf, af, up, down):
    """Whether there is a gap between durations, and where it begins and ends."""
    one = like(w0, 1.0)
    _, w0, a0, wf, af, first, second, _, _ = standard(one, rising, one, w0, a0, wf, af, up, down, one, one)
    gap, near, a2, h2 = ending(w0 - 0.5 * a0 * a0, wf - 0.5 * af * af, a0, af, first, second)
    return gap, a0 + af - 2.0 * near, a0 + af + 2.0 * a2 + h2


@helper
def next_duration(duration, d, w0, a0, wf, af, up, down, top, bottom, slack):
    """The least duration not below the one given, which is not below the least of all, that covers ``d``."""
    zero = like(d, 0.0)
    one = like(d, 1.0)
    rising, _, _, _, _ = direct(w0, a0, wf, af, up, down)
    gap, closes, opens = gap_times(rising, w0, a0, wf, af, up, down)
    behind = both(gap, duration * NEAR >= opens)
    # where both states are one, the gap begins at no duration at all, but for rounding
    inside = both(both(gap, duration > closes * NEAR + 1e-15 * opens), not_(behind))
    most, _ = lasting(one, rising, duration, d, w0, a0, wf, af, up, down, top, bottom)
    least, _ = lasting(0.0 - one, rising, duration, d, w0, a0, wf, af, up, down, top, bottom)
    slack = slack + 1e-13 * (absolute(d) + (absolute(w0) + absolute(wf)) * duration + absolute(most - least))
    far = both(d > most + slack, not_(inside))
    near = both(d < least - slack, not_(inside))
    forced = select(far, one, select(near, 0.0 - one, zero))
    blocked = either(inside, either(far, near))
    if any_of(blocked):
        late = either(far, near)
        found = fastest(d, w0, a0, wf, af, up, down, top, bottom, slack, forced, late, either(inside, behind))
        total = found[1]
        for k in range(2, 8):
            total = total + found[k]
        duration = select(blocked, maximum(total, duration), duration)
    return duration


@helper
def mixture(duration, d, w0, a0, wf, af, up, down, top, bottom):
    """The share of the motion that covers most, and the two extreme motions of a duration."""
    one = like(d, 1.0)
    rising, _, _, _, _ = direct(w0, a0, wf, af, up, down)
    most, longest = lasting(one, rising, duration, d, w0, a0, wf, af, up, down, top, bottom)
    least, shortest = lasting(0.0 - one, rising, duration, d, w0, a0, wf, af, up, down, top, bottom)
    width = most - least
    share = (d - least) / select(width > 0.0, width, one)
    share = select(width > 0.0, maximum(minimum(share, one), like(d, 0.0)), like(d, 0.5))
    return share, longest, shortest
