"""What becomes of a candidate of a closed form: the turn of every joint, the check on the arm itself, twins.

How candidates are found is in ``analytic_wrist`` and ``analytic_parallel``.

A candidate is eleven numbers: joint coordinates (6), distance (m) and angle (rad) between the tip and the target, how
far the worst joint is beyond its limits (rad, negative inside), distance from the seed, and a code. The code is 0 where
the target is not reached, -1 where the candidate is the same as one before it, else the sum of 1, of 2 where two
branches meet, and of 4, 8, 16 where the first joint, the second, or the wrist is free and was taken from the seed.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, any_of, both, either, floor, like, maximum, not_, select, sqrt
from .chain import tip_pose
from .pose import Pose
from .trig import PI, TWO_PI, atan2

CANDIDATES = 8
ROW = 11
DISTANCE = 6  # what follows the joint coordinates
ANGLE = 7
BEYOND = 8
COST = 9
CODE = 10

REACHED = 1.0
DOUBLE = 2.0
SHOULDER_FREE = 4.0
ELBOW_FREE = 8.0
WRIST_FREE = 16.0

SAME = 1e-7  # rad between coordinates that are one: half of the digits are lost where answers meet
LIMIT_SLACK = 1e-12  # rad that rounding may put a coordinate beyond its limit; it is then set to the limit
_WHOLE = 1.0 / TWO_PI


@helper
def wrapped(x: Any) -> Any:
    """An angle less whole turns, from -pi to pi."""
    return x - TWO_PI * floor((x + PI) * _WHOLE)


@helper
def within(x: Any, lower: Any, upper: Any) -> Any:
    """An angle on the first turn from where it is that the limits allow; within rounding of a limit, the limit.

    Where no turn is allowed, the first above the lower limit.
    """
    high = upper + LIMIT_SLACK
    low = lower - LIMIT_SLACK
    x = select(x > high, x + TWO_PI * floor((high - x) * _WHOLE), x)
    x = select(x < low, x - TWO_PI * floor((x - low) * _WHOLE), x)
    x = select(both(x > upper, x <= high), upper, x)
    return select(both(x < lower, x >= low), lower, x)


@helper
def turned_within(limits: Any, q: Any, seed: Any, n: int) -> tuple[Any, Any]:
    """Put every joint of ``q`` on the turn nearest to the seed that its limits allow.

    Comes back how far the worst is beyond its limits, and the distance from the seed.
    """
    beyond = like(q[0], -1e300)
    for i in range(n):
        x = q[i] + TWO_PI * floor((seed[i] - q[i]) * _WHOLE + 0.5)
        beyond = maximum(maximum(x - limits[2 * i + 1], limits[2 * i] - x), beyond)
        q[i] = x
    if any_of(beyond > 0.0):
        beyond = like(q[0], -1e300)
        for i in range(n):
            lower = like(q[0], limits[2 * i])
            upper = like(q[0], limits[2 * i + 1])
            x = within(q[i], lower, upper)
            beyond = maximum(maximum(x - upper, lower - x), beyond)
            q[i] = x
    square = like(q[0], 0.0)
    for i in range(n):
        square = square + (q[i] - seed[i]) * (q[i] - seed[i])
    return beyond, sqrt(square)


@helper
def missed(T: Pose, target: Any) -> tuple[Any, Any]:
    """Distance and angle between two poses.

    Twice the sine of the angle is the length of the sum of the cross products of their columns, twice its cosine and 1
    the sum of the scalar products.
    """
    x = target[9] - T[9]
    y = target[10] - T[10]
    z = target[11] - T[11]
    c = like(x, -1.0)
    for k in range(9):
        c = c + T[k] * target[k]
    u = like(x, 0.0)
    v = like(x, 0.0)
    w = like(x, 0.0)
    for k in range(3):
        u = u + (T[3 + k] * target[6 + k] - T[6 + k] * target[3 + k])
        v = v + (T[6 + k] * target[k] - T[k] * target[6 + k])
        w = w + (T[k] * target[3 + k] - T[3 + k] * target[k])
    return sqrt(x * x + y * y + z * z), atan2(sqrt(u * u + v * v + w * w), c)


@helper
def code_of(shoulder_free: Any, elbow_free: Any, wrist_free: Any, double: Any, x: Any) -> Any:
    """The code of a candidate that reaches its target."""
    zero = like(x, 0.0)
    return (
        like(x, REACHED)
        + select(double, like(x, DOUBLE), zero)
        + select(shoulder_free, like(x, SHOULDER_FREE), zero)
        + select(elbow_free, like(x, ELBOW_FREE), zero)
        + select(wrist_free, like(x, WRIST_FREE), zero)
    )


@helper
def record(
    chain: Any,
    limits: Any,
    target: Any,
    seed: Any,
    tolerance: Any,
    backwards: int,
    angles: Any,
    code: Any,
    scratch: Any,
    out: Any,
    at: int,
) -> None:
    """Write a candidate from index ``at`` on; ``angles`` are in the order in which the form reads the joints."""
    for i in range(6):
        scratch[i + backwards * (5 - 2 * i)] = angles[i]
    beyond, cost = turned_within(limits, scratch, seed, 6)
    for i in range(6):
        out[at + i] = scratch[i]
    distance, angle = missed(tip_pose(chain, scratch), target)
    out[at + DISTANCE] = distance
    out[at + ANGLE] = angle
    out[at + BEYOND] = beyond
    out[at + COST] = cost
    out[at + CODE] = select(both(distance <= tolerance, angle <= tolerance), code, like(code, 0.0))


@helper
def mark_twins(out: Any, count: int) -> None:
    """Give candidates that are the same as one before them the code -1, and that one the code of a double.

    Whole turns do not count. A candidate that the limits forbid never takes the place of one that they allow.
    """
    largest = out[CODE]
    for k in range(1, count):
        largest = maximum(largest, out[ROW * k + CODE])
    if any_of(largest > REACHED):  # branches that are apart make no twins
        for k in range(1, count):
            at = ROW * k
            for j in range(k):
                before = ROW * j
                apart = like(out[at], 0.0)
                for i in range(6):
                    d = out[at + i] - out[before + i]
                    apart = maximum(absolute(d - TWO_PI * floor(d * _WHOLE + 0.5)), apart)
                here = out[at + CODE]
                there = out[before + CODE]
                twins = both(both(here > 0.0, there > 0.0), apart <= SAME)
                twins = both(twins, either(out[before + BEYOND] <= 0.0, out[at + BEYOND] > 0.0))
                half = there * 0.5
                plain = not_(half - 2.0 * floor(half * 0.5) >= 1.0)  # the double is not marked yet
                out[before + CODE] = select(both(twins, plain), there + DOUBLE, there)
                out[at + CODE] = select(twins, like(here, -1.0), here)


@kernel("model in in out -> none")
def settle(limits: Any, q: Any, seed: Any, out: Any) -> None:
    """Coordinates on the turns nearest to a seed that the limits allow.

    Args:
        limits: lower and upper limit of every joint, (2 n,), rad; infinite where there is none.
        q: joint coordinates, (n,), rad.
        seed: what turns are nearest to, (n,), rad.
        out: (n + 2,): joint coordinates, how far the worst is beyond its limits (negative inside), rad, and the
            distance from the seed, the root of the sum of squares. Must not overlap ``q`` or ``seed``.
    """
    n = len(q)
    for i in range(n):
        out[i] = q[i] + 0.0
    beyond, cost = turned_within(limits, out, seed, n)
    out[n] = beyond
    out[n + 1] = cost
