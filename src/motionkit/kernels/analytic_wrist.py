"""All configurations of a six-axis arm with a spherical wrist whose axes 2 and 3 are parallel.

Axes 4, 5 and 6 meet in the wrist centre, at any angles to one another; axes 1 and 2 may have any angle but zero and
any offset. The steps are in ``analytic_parts``; arms with three parallel axes are in ``analytic_parallel``.

The target gives the wrist centre, which the first three joints alone must bring there: the first by its height over
the plane that axes 2 and 3 turn in, the others as two links in that plane. What the target's rotation then leaves is
made by the wrist. Source: Pieper (1968), in the steps of ``analytic_parts``.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import either, like, select
from .analytic_answers import CANDIDATES, ROW, code_of, mark_twins, record, wrapped
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
from .trig import PI, sincos
from .vector import Vector

SIZE = REST + 9  # and the rotation from the plane frame to the wrist frame at zero, row-major


@helper
def _in_wrist(arm: Any, w: Vector, s: Any, c: Any) -> Vector:
    """A direction of the plane frame in the wrist frame, which has turned in the plane by the angle of s and c."""
    x = c * w[0] + s * w[1]
    y = c * w[1] - s * w[0]
    z = w[2]
    return (
        arm[REST] * x + arm[REST + 1] * y + arm[REST + 2] * z,
        arm[REST + 3] * x + arm[REST + 4] * y + arm[REST + 5] * z,
        arm[REST + 6] * x + arm[REST + 7] * y + arm[REST + 8] * z,
    )


@kernel("model model model in in real int scratch out -> none")
def all_with_wrist(
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
        arm: constants of the arm, (50,), as ``analytic_parts`` lists them.
        chain: the chain itself, on which every candidate is checked.
        limits: lower and upper limit of every joint, (12,), rad; infinite where there is none.
        target: pose of the tip in the base, (12,).
        seed: joint coordinates that turns are nearest to, and what is free is taken from, (6,), rad.
        tolerance: largest distance (m) and angle (rad) between the tip and the target that count as reached.
        backwards: 1 when ``arm`` was read from the tool to the base, else 0.
        scratch: (6,).
        out: (88,): eight candidates of eleven numbers, as ``analytic_answers`` lists them.
    """
    C = in_shoulder_frame(arm, target, backwards)
    zero = like(C[0], 0.0)
    sine, cosine = arm[TILT], arm[TILT + 1]
    across = (arm[ACROSS] - cosine * C[11]) / sine
    upper, fore = arm[UPPER + 2], arm[FORE]
    seed1 = seed[5 * backwards]
    seed2 = seed[1 + 3 * backwards]
    seed4 = seed[3 - backwards]
    seed6 = seed[5 - 5 * backwards]
    for k1 in range(2):
        q1, free1, double1 = shoulder(C[9], C[10], across, arm[NARROW], sign_of(k1, zero), seed1)
        first, third, u, v = in_plane(arm, C, q1)
        for k3 in range(2):
            a2, a3, free3, same3 = elbow(u, v, upper, fore, arm[NARROW], sign_of(k3, zero), seed2 + arm[UPPER + 3])
            double3 = either(double1, same3)
            q2 = a2 - arm[UPPER + 3]
            q23 = a3 - arm[FORE + 1]
            s, c = sincos(q23)
            w = _in_wrist(arm, first, s, c)
            d = _in_wrist(arm, third, s, c)
            for k5 in range(2):
                q4, b, free5, same5 = wrist(arm, d, sign_of(k5, zero))
                q4 = select(free5, seed4, q4)
                q6 = last_turn(arm, w, q4, b)
                # where axes 4 and 6 are one line, both share what the seed is away
                side = select(d[2] < 0.0, like(zero, -1.0), like(zero, 1.0))
                share = select(free5, 0.5 * side * wrapped(q6 - seed6) + 0.5 * PI * (1.0 - sign_of(k5, zero)), zero)
                q4 = q4 + share
                q6 = q6 - side * share
                double = either(double3, same5)
                angles = (q1, q2, arm[FORE + 2] * (q23 - q2), q4, b - arm[ZERO], q6)
                code = code_of(free1, free3, free5, double, zero)
                at = ROW * (4 * k1 + 2 * k3 + k5)
                record(chain, limits, target, seed, tolerance, backwards, angles, code, scratch, out, at)
    mark_twins(out, CANDIDATES)
