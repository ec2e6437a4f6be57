"""How fast an axis may go so that it still stops within a clearance: :func:`maximum_safe_speed`, and its inverse.

A planning aid: whether a distance is safe for people is a question of standards and hardware.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import InvalidLimits, NotFinite
from ..kernels import safe_speed as kernels
from .limits import RATES, MotionLimits, check_limits
from .samples import finite
from .stop import braking


def maximum_safe_speed(
    clearance: float, limits: MotionLimits, *, reaction_time: float = 0.0, acceleration: float = 0.0
) -> float:
    """The largest speed, from 0 to ``max_velocity``, from which the axis always comes to a stand within a clearance.

    Forward is towards the obstacle. The inverse of :func:`worst_case_travel`, which says what is assumed: stopping from
    the speed returned never takes more than the clearance, not by a unit in the last place, and takes less by at most
    1e-12 of it, unless ``max_velocity`` is what bounds it. In closed form for no reaction time and no acceleration, by
    a bracketed search otherwise, which costs some thirty times as much.

    Args:
        clearance: room in front of the axis in rad or m. Negative means that the obstacle is reached already.
        limits: all three must be set. ``min_acceleration`` is what the axis brakes with; ``min_velocity`` and the range
            of positions are of no concern here (a position is not known: give the nearer of the two as clearance).
        reaction_time: time in s until the stop begins, in which the axis may still accelerate.
        acceleration: present acceleration in rad/s^2 or m/s^2, positive when speeding up towards the obstacle; may lie
            beyond its limit.

    Returns:
        The speed in rad/s or m/s. 0.0 where there is no room; an axis that may speed up in the reaction time, or does
        now, may need more room than there is even from rest.

    Raises:
        NotFinite: a number is not finite.
        InvalidLimits: see :meth:`MotionLimits.validate`; or the reaction time is negative.

    The trapezoidal formula, v v / (2 a), says that 0.25 m are enough at 2 m/s and 8 m/s^2. With 40 m/s^3 of jerk it
    takes 0.45 m, and 0.25 m are enough for 1.357 m/s:

    >>> import motionkit as mk
    >>> limits = mk.MotionLimits(5, 8, 40)
    >>> round(mk.maximum_safe_speed(0.45, limits), 9)
    2.0
    >>> round(mk.maximum_safe_speed(0.25, limits), 3)
    1.357
    >>> round(mk.maximum_safe_speed(0.45, limits, reaction_time=0.1), 3)
    0.891
    """
    room = finite(clearance, "clearance")
    return _run(kernels.safe_speed, room, limits, reaction_time, acceleration)


def worst_case_travel(
    speed: float, limits: MotionLimits, *, reaction_time: float = 0.0, acceleration: float = 0.0
) -> float:
    """The furthest forward an axis can come before it stands, in rad or m; what ``maximum_safe_speed`` inverts.

    In the reaction time the axis may make any motion within its limits: jerk of either sign up to ``max_jerk``,
    acceleration up to ``max_acceleration``, speed up to ``max_velocity`` at all times, also after the stop has begun.
    Then it stops as :class:`StopProfile` does. The result is the travel of the worst of all these motions, not a bound.
    Far from ``max_velocity`` that motion uses full jerk and then full acceleration. Near it there is a worse one than
    to reach ``max_velocity`` and wait: to dip below it and be caught by the stop while speeding up again. Where the
    present acceleration takes the axis above ``max_velocity`` whatever it does, the speed reached so stands in for it.
    A lower speed now can be worse than a higher one for the same reason, so the result is the worst over all speeds up
    to the one given.

    An axis that slows down and turns round is furthest forward when it turns, and that counts, not where it ends.

    Args:
        speed: present speed at most, in rad/s or m/s, zero or more.
        limits: as for :func:`maximum_safe_speed`.
        reaction_time: time in s until the stop begins.
        acceleration: present acceleration in rad/s^2 or m/s^2.

    Raises:
        NotFinite: a number is not finite, or the travel leaves the range of doubles.
        InvalidLimits: see :meth:`MotionLimits.validate`; or the speed or the reaction time is negative.

    >>> import motionkit as mk
    >>> from motionkit.motion import worst_case_travel
    >>> round(worst_case_travel(2.0, mk.MotionLimits(5, 8, 40)), 9)
    0.45
    """
    now = finite(speed, "speed")
    if now < 0.0:
        raise InvalidLimits(f"speed is {now!r}; give a speed towards the obstacle, zero or more", joint="")
    travel = _run(kernels.worst_travel, now, limits, reaction_time, acceleration)
    if not math.isfinite(travel):
        raise NotFinite(f"the travel from speed {now!r} leaves the range of floating point numbers; use other units")
    return travel


def _run(
    kernel: Callable[[Any, Any], None], first: float, limits: MotionLimits, reaction_time: float, acceleration: float
) -> float:
    wait = finite(reaction_time, "reaction_time")
    now = finite(acceleration, "acceleration")
    check_limits(limits, RATES)
    if wait < 0.0:
        raise InvalidLimits(f"reaction_time is {wait!r}; give a time in seconds, zero or more", joint="")
    out = np.empty(1)
    kernel(
        [first, now, limits.max_velocity, limits.max_acceleration, braking(limits), limits.max_jerk, wait],
        out,
    )
    return float(out[0])
