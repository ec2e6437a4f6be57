"""All configurations of a six-axis arm whose axes 2, 3 and 4 are parallel and whose axes 5 and 6 meet.

The arms of Universal Robots and their kin; axes 1, 5 and 6 may have any angles and offsets but those that leave a
joint without effect. The steps are in ``analytic_parts``; arms with a spherical wrist are in ``analytic_wrist``.

The point where axes 5 and 6 meet keeps its height over the plane that the parallel axes turn in, which gives the first
joint. The target's rotation, seen from that plane, is then a turn about the parallel axes (the sum of three joints),
one about axis 5 and one about axis 6. What is left is two links in the plane.

Where axis 6 is parallel to the plane's normal too, the four parallel axes make a linkage that can move with the tip at
rest. Axis 6 then stays at its seed, or as near to it as the two links can follow.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, any_of, both, copysign, either, like, maximum, minimum, select, sqrt
from .analytic_answers import CANDIDATES, ROW, code_of, mark_twins, record
from .analytic_parts import (
    ACROSS,
    FORE,
    NARROW,
    REST,
    TILT,
    UPPER,
    ZERO,
    elbow,
    in_plane,
    in_shoulder_frame,
    last_turn,
    shoulder,
    sign_of,
    wrist,
)
from .trig import PI, atan2, sincos

SUM = REST  # sign of axis 4 against h, angle of the wrist frame at zero: 1, rad
HAND = REST + 2  # from axis 4 to the point where axes 5 and 6 meet, in the plane at zero, m
SIZE = REST + 4
_STRAIGHT = 1e-3  # size of the direction's part in the plane above which that is never tried


@helper
def _widest(reach: Any, size: Any, hand: Any) -> Any:
    """Angle between two sides, ``size`` and ``hand``, of a triangle whose third side is ``reach``; 0 or pi beyond."""
    zero = like(size, 0.0)
    return 2.0 * atan2(
        sqrt(maximum((reach - (size - hand)) * (reach + (size - hand)), zero)),
        sqrt(maximum(((size + hand) - reach) * ((size + hand) + reach), zero)),
    )


@helper
def _followed(arm: Any, u: Any, v: Any, total: Any, size: Any, free: Any) -> Any:
    """The sum of the three parallel joints, moved as little as lets the two links reach axis 4.

    It is moved where it is free, and where moving it turns the tip by less than a direction
    that means nothing. The distance that the two
    links must span grows with the angle between the hand and the point (u, v), which gives that angle two bounds.
    """
    gx, gy = arm[HAND], arm[HAND + 1]
    s, c = sincos(total)
    hx = c * gx - s * gy
    hy = s * gx + c * gy
    x, y = u - hx, v - hy
    r = sqrt(x * x + y * y)
    most = arm[UPPER + 2] + arm[FORE]
    least = absolute(like(r, arm[UPPER + 2] - arm[FORE]))
    beyond = both(either(r > most, r < least), size <= _STRAIGHT)
    if any_of(beyond):
        far = sqrt(u * u + v * v)
        hand = sqrt(hx * hx + hy * hy)
        angle = atan2(u * hy - v * hx, u * hx + v * hy)
        kept = minimum(maximum(absolute(angle), _widest(least, far, hand)), _widest(like(r, most), far, hand))
        move = copysign(kept, angle) - angle
        allowed = both(beyond, either(free, absolute(move) * size <= arm[NARROW + 1]))
        total = select(allowed, total + move, total)
    return total


@kernel("model model model in in real int scratch out -> none")
def all_with_parallel(
    arm: Any,
    chain: Any,
    limits: Any,
    target: Any,
    seed: Any,
    tolerance: Any,
    backwards: int,
    scratch: Any,
    out: Any,
) -> None:
    """Up to eight configurations that bring the tip to the target.

    Args:
        arm: constants of the arm, (45,), as ``analytic_parts`` lists them.
        chain: the chain itself, on which every candidate is checked.
        limits: lower and upper limit of every joint, (12,), rad; infinite where there is none.
        target: pose of the tip in the base, (12,).
        seed: joint coordinates that turns are nearest to, and what is free is taken from, (6,), rad.
        tolerance: largest distance (m) and angle (rad) between the tip and the target that count as reached.
        backwards: 1 when ``arm`` was read from the tool to the base, else 0.
        scratch: (6,).
        out: (88,): eight candidates of eleven numbers, as ``analytic_answers`` lists them; the wrist counts as free
            where axis 6 is parallel to axis 4.
    """
    C = in_shoulder_frame(arm, target, backwards)
    zero = like(C[0], 0.0)
    sine, cosine = arm[TILT], arm[TILT + 1]
    across = (arm[ACROSS] - cosine * C[11]) / sine
    upper, fore = arm[UPPER + 2], arm[FORE]
    seed1 = seed[5 * backwards]
    seed2 = seed[1 + 3 * backwards]
    seed6 = seed[5 - 5 * backwards]
    for k1 in range(2):
        q1, free1, double1 = shoulder(C[9], C[10], across, arm[NARROW], sign_of(k1, zero), seed1)
        w, d, u, v = in_plane(arm, C, q1)
        for k5 in range(2):
            turn, b, free5, same5 = wrist(arm, d, sign_of(k5, zero))
            double5 = either(double1, same5)
            size = sqrt(d[0] * d[0] + d[1] * d[1])
            if any_of(free5):
                side = select(d[2] < 0.0, like(zero, -1.0), like(zero, 1.0))
                turn = select(
                    free5,
                    turn + side * (last_turn(arm, w, turn, b) - seed6 - 0.5 * PI * (1.0 - sign_of(k5, zero))),
                    turn,
                )
            total = _followed(arm, u, v, turn - arm[SUM + 1], size, free5)
            q6 = last_turn(arm, w, total + arm[SUM + 1], b)
            s, c = sincos(total)
            x = u - (c * arm[HAND] - s * arm[HAND + 1])
            y = v - (s * arm[HAND] + c * arm[HAND + 1])
            for k3 in range(2):
                a2, a3, free3, same3 = elbow(x, y, upper, fore, arm[NARROW], sign_of(k3, zero), seed2 + arm[UPPER + 3])
                double = either(double5, same3)
                q2 = a2 - arm[UPPER + 3]
                q23 = a3 - arm[FORE + 1]
                angles = (q1, q2, arm[FORE + 2] * (q23 - q2), arm[SUM] * (total - q23), b - arm[ZERO], q6)
                code = code_of(free1, free3, free5, double, zero)
                at = ROW * (4 * k1 + 2 * k5 + k3)
                record(chain, limits, target, seed, tolerance, backwards, angles, code, scratch, out, at)
    mark_twins(out, CANDIDATES)
