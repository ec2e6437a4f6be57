"""The steps that the closed forms of six-axis arms are made of: shoulder, elbow, wrist.

Each step takes one branch, plus or minus one, and finds its angle by an arctangent of two numbers that are products of
well-conditioned factors: differences of lengths and cross products, never one minus a cosine. A root of something
negative counts as zero, so an answer out of reach points straight at the target; what an answer is worth is decided by
the pose it gives, never by the branch it came from. Where a step leaves an angle free (all of its numbers vanish), the
angle comes from the seed. The order of the steps is in ``analytic_wrist`` and ``analytic_parallel``, what becomes
of a candidate in ``analytic_answers``; how the constants are read off an arm, in the room ``motionkit.robot``.

Frames. The *shoulder frame* is fixed in the base: z along axis 1, its y axis such that the common direction h of the
parallel axes has no x component at zero, h = (0, sine, cosine). The *plane frame* turns with axis 1: its x axis is
that of the turned shoulder frame, its z axis h. The tool frame has its z axis along the last axis.

Source: the two and three equations of Paden and Kahan (Murray, Li and Sastry, 1994, section 3.2), written for atan2.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper
from ._elements import absolute, both, like, maximum, not_, select, sqrt
from .chain import row_pose
from .pose import Pose, compose, invert
from .trig import PI, atan2, sincos
from .vector import Vector

# what the array of an arm holds
LEFT = 0  # shoulder_T_base (12)
RIGHT = 12  # tip_T_tool (12)
TILT = 24  # sine and cosine of the angle from axis 1 to h
ACROSS = 26  # h . (wrist centre - shoulder origin), which no joint but the first changes, m
UPPER = 27  # axis 2 in the plane (2), length and angle at zero of the link from axis 2 to axis 3: m, m, m, rad
FORE = 31  # length and angle at zero of the link from axis 3 on, sign of axis 3 against h: m, rad, 1
BENDS = 34  # cosine and sine of the angle between the axes before and at the last but one, then at and after it
ZERO = 38  # angle of the last but one joint's frame at zero, rad
NARROW = 39  # length and angle below which a direction means nothing, m, rad
REST = 41  # what only one of the forms needs

NEAR = 1e-7  # roots that are smaller, against the largest they can be, are none: half of the digits of a double


@helper
def in_shoulder_frame(arm: Any, target: Any, backwards: int) -> Pose:
    """The pose of the tool frame in the shoulder frame, of the pose of the tip in the base.

    For an arm read from its tool to its base it is the base that is placed, so the target is inverted.
    """
    T = (target[0], target[1], target[2], target[3], target[4], target[5], target[6], target[7], target[8], target[9],
         target[10], target[11])  # fmt: skip
    for _ in range(backwards):  # once or not at all
        T = invert(T)
    return compose(compose(row_pose(arm, LEFT, T[0]), T), row_pose(arm, RIGHT, T[0]))


@helper
def sign_of(branch: int, x: Any) -> Any:
    """Plus one for branch 0, minus one for branch 1, in the element type of ``x``."""
    sign = like(x, 1.0)
    for _ in range(branch):
        sign = -sign
    return sign


@helper
def branch_root(over: Any, size: Any) -> Any:
    """The root of a product that two branches share; zero where it is too small against ``size`` to mean anything.

    Rounding moves a root of zero to some 1e-8 of its size; what the branches differ by then, half its square, is less
    than the rounding of a length. As one answer they also share what is free in it.
    """
    root = sqrt(maximum(over, like(over, 0.0)))
    return select(root <= NEAR * size, like(over, 0.0), root)


@helper
def shoulder(x: Any, y: Any, across: Any, narrow: Any, branch: Any, seed: Any) -> tuple[Any, Any, Any]:
    """The angle that turns a point until its y coordinate is ``across``; whether it is free, and both branches one.

    Args:
        x: the point, seen along the axis, m.
        y: its other coordinate, m.
        across: y coordinate that the point has in the turned frame, m.
        narrow: distance from the axis below which the angle is free, m.
        branch: sign of the x coordinate in the turned frame.
        seed: angle to take where any would do, rad.
    """
    size = sqrt(x * x + y * y)
    over = (size - absolute(across)) * (size + absolute(across))
    root = branch_root(over, size)
    along = branch * root
    angle = atan2(y * along - x * across, x * along + y * across)
    free = size <= narrow
    return select(free, seed + 0.5 * PI * (1.0 - branch), angle), free, both(root == 0.0, not_(free))


@helper
def in_plane(arm: Any, C: Pose, q1: Any) -> tuple[Vector, Vector, Any, Any]:
    """First and third column of the tool's rotation in the plane frame, and its origin from axis 2, once q1 is known.

    Args:
        arm: the arm.
        C: pose of the tool frame in the shoulder frame.
        q1: angle of the first joint, rad.
    """
    s, c = sincos(q1)
    sine, cosine = arm[TILT], arm[TILT + 1]
    ax, ay = c * C[0] + s * C[3], c * C[3] - s * C[0]
    bx, by = c * C[2] + s * C[5], c * C[5] - s * C[2]
    px, py = c * C[9] + s * C[10], c * C[10] - s * C[9]
    return (
        (ax, cosine * ay - sine * C[6], sine * ay + cosine * C[6]),
        (bx, cosine * by - sine * C[8], sine * by + cosine * C[8]),
        px - arm[UPPER],
        cosine * py - sine * C[11] - arm[UPPER + 1],
    )


@helper
def elbow(u: Any, v: Any, upper: Any, fore: Any, narrow: Any, branch: Any, seed: Any) -> tuple[Any, Any, Any, Any]:
    """Angles of two links of a plane that reach the point (u, v): both from the x axis, then as in :func:`shoulder`.

    With r the distance, 2 upper fore times the sine of the bend is the root of
    (upper + fore - r)(upper + fore + r)(r - |upper - fore|)(r + |upper - fore|).

    Args:
        u: the point, m.
        v: its other coordinate, m.
        upper: length of the first link, m, > 0.
        fore: length of the second link, m, > 0.
        narrow: distance below which the direction of the first link is free, m.
        branch: sign of the bend.
        seed: angle of the first link where any would do, rad.
    """
    square = u * u + v * v
    r = sqrt(square)
    most = upper + fore
    least = absolute(upper - fore)
    product = (most - r) * (most + r) * ((r - least) * (r + least))
    root = branch_root(product, like(product, 2.0 * upper * fore))
    bend = atan2(branch * root, square - upper * upper - fore * fore)
    a = square + (upper - fore) * most
    b = branch * root
    angle = atan2(v * a - u * b, u * a + v * b)
    free = r <= narrow
    angle = select(free, seed, angle)
    return angle, angle + bend, free, both(root == 0.0, not_(free))


@helper
def wrist(arm: Any, v: Vector, branch: Any) -> tuple[Any, Any, Any, Any]:
    """Two angles of R = Rz(a) Rx(t1) Rz(b) Rx(t2) Rz(c) from v, its third column: a, b; then as in :func:`shoulder`.

    From v . z = cos t1 cos t2 - sin t1 sin t2 cos b, and sin t1 sin t2 sin b is the root of
    (sin t1 |v x z| - |k|)(sin t1 |v x z| + |k|) with k = cos t2 - cos t1 (v . z).
    """
    c1, s1, c2 = arm[BENDS], arm[BENDS + 1], arm[BENDS + 2]
    x, y, z = v
    size = sqrt(x * x + y * y)
    k = c2 - c1 * z
    over = (s1 * size - absolute(k)) * (s1 * size + absolute(k))
    root = branch_root(over, s1 * size)
    r = branch * root
    free = size <= arm[NARROW + 1]
    return atan2(y * r + x * k, x * r - y * k), atan2(r, c1 * c2 - z), free, both(root == 0.0, not_(free))


@helper
def last_turn(arm: Any, w: Vector, a: Any, b: Any) -> Any:
    """The angle c of R = Rz(a) Rx(t1) Rz(b) Rx(t2) Rz(c) once a and b are chosen; w is the first column of R.

    What rounding did to a is taken up here, so the product is right even where a means little.
    """
    c1, s1, c2, s2 = arm[BENDS], arm[BENDS + 1], arm[BENDS + 2], arm[BENDS + 3]
    sa, ca = sincos(a)
    sb, cb = sincos(b)
    x = ca * w[0] + sa * w[1]
    y = ca * w[1] - sa * w[0]
    z = w[2]
    cosine = cb * x + c1 * sb * y + s1 * sb * z
    sine = (c1 * cb * c2 - s1 * s2) * y + (s1 * cb * c2 + c1 * s2) * z - sb * c2 * x
    return atan2(sine, cosine)
