"""Poses as twelve elements: the rotation row-major in 0..8, the position in 9..11.

A pose ``a_T_b`` takes coordinates from b to a. Twists are (linear, angular). Every helper takes and returns tuples of
elements and runs without a data branch. Quaternions are in ``quat``; names, checks and storage are in the room
``motionkit.spatial``.

Source: the exponential of SE(3) and its inverse are textbook (Murray, Li and Sastry 1994, section 2.3); the
coefficients are written in half angles, where (1 - cos t) / t^2 = (sin(t/2) / (t/2))^2 / 2 does not cancel.
"""

from __future__ import annotations

from typing import Any

from . import quat
from ._contract import helper
from ._elements import like, select, sqrt
from .quat import Matrix, Quaternion
from .trig import sincos
from .vector import Vector, cross

Pose = tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any, Any, Any, Any]
Twist = tuple[Any, Any, Any, Any, Any, Any]

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)

# Squared angle below which the coefficients come from their series: the first term left out is under 2e-16 of the
# whole, and at the threshold the closed forms have lost 60 ulp, which the squared angle before them makes harmless.
_SMALL = 0.1


@helper
def rotation(a: Pose) -> Matrix:
    """The nine elements of the rotation."""
    return (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8])


@helper
def position(a: Pose) -> Vector:
    """The three elements of the position."""
    return (a[9], a[10], a[11])


@helper
def join(r: Matrix, p: Vector) -> Pose:
    """The pose with the nine rotation elements ``r`` and the position ``p``."""
    return (r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], p[0], p[1], p[2])


@helper
def from_quaternion(q: Quaternion, p: Vector) -> Pose:
    """The pose with the rotation of the unit quaternion ``q`` and the position ``p``."""
    return join(quat.to_matrix(q), p)


@helper
def rotate(a: Pose, v: Vector) -> Vector:
    """A free vector given in frame b, in the axes of frame a; ``a`` is a_T_b."""
    x, y, z = v
    return (
        a[0] * x + a[1] * y + a[2] * z,
        a[3] * x + a[4] * y + a[5] * z,
        a[6] * x + a[7] * y + a[8] * z,
    )


@helper
def rotate_back(a: Pose, v: Vector) -> Vector:
    """A free vector given in the axes of frame a, in those of frame b; ``a`` is a_T_b."""
    x, y, z = v
    return (
        a[0] * x + a[3] * y + a[6] * z,
        a[1] * x + a[4] * y + a[7] * z,
        a[2] * x + a[5] * y + a[8] * z,
    )


@helper
def transform_point(a: Pose, p: Vector) -> Vector:
    """The point ``p`` given in frame b, in frame a; ``a`` is a_T_b."""
    x, y, z = rotate(a, p)
    return (x + a[9], y + a[10], z + a[11])


@helper
def compose(a: Pose, b: Pose) -> Pose:
    """a_T_c of a_T_b and b_T_c."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8, ax, ay, az = a
    b0, b1, b2, b3, b4, b5, b6, b7, b8, bx, by, bz = b
    return (
        a0 * b0 + a1 * b3 + a2 * b6,
        a0 * b1 + a1 * b4 + a2 * b7,
        a0 * b2 + a1 * b5 + a2 * b8,
        a3 * b0 + a4 * b3 + a5 * b6,
        a3 * b1 + a4 * b4 + a5 * b7,
        a3 * b2 + a4 * b5 + a5 * b8,
        a6 * b0 + a7 * b3 + a8 * b6,
        a6 * b1 + a7 * b4 + a8 * b7,
        a6 * b2 + a7 * b5 + a8 * b8,
        a0 * bx + a1 * by + a2 * bz + ax,
        a3 * bx + a4 * by + a5 * bz + ay,
        a6 * bx + a7 * by + a8 * bz + az,
    )


@helper
def invert(a: Pose) -> Pose:
    """b_T_a of a_T_b."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8, x, y, z = a
    return (
        a0,
        a3,
        a6,
        a1,
        a4,
        a7,
        a2,
        a5,
        a8,
        -(a0 * x + a3 * y + a6 * z),
        -(a1 * x + a4 * y + a7 * z),
        -(a2 * x + a5 * y + a8 * z),
    )


@helper
def left_jacobian(r: Vector, v: Vector) -> Vector:
    """V(r) v: where a body ends that moves for one second at the constant twist (v, r), r in rad.

    v + A (r x v) + B r x (r x v) with A = (1 - cos t) / t^2, B = (t - sin t) / t^3, t = |r| <= 1e6.
    """
    rx, ry, rz = r
    t2 = rx * rx + ry * ry + rz * rz
    small = t2 < _SMALL
    t = sqrt(select(small, like(t2, 1.0), t2))
    s, c = sincos(0.5 * t)
    half = s / t  # sin(t/2) / t
    a = select(
        small,
        0.5
        + t2
        * (
            -1.0 / 24.0
            + t2 * (1.0 / 720.0 + t2 * (-1.0 / 40320.0 + t2 * (1.0 / 3628800.0 + t2 * (-1.0 / 479001600.0))))
        ),
        2.0 * half * half,
    )
    b = select(
        small,
        1.0 / 6.0
        + t2
        * (
            -1.0 / 120.0
            + t2 * (1.0 / 5040.0 + t2 * (-1.0 / 362880.0 + t2 * (1.0 / 39916800.0 + t2 * (-1.0 / 6227020800.0))))
        ),
        (t - 2.0 * s * c) / (t * t * t),
    )
    x1, y1, z1 = cross(r, v)
    x2, y2, z2 = cross(r, (x1, y1, z1))
    return (v[0] + a * x1 + b * x2, v[1] + a * y1 + b * y2, v[2] + a * z1 + b * z2)


@helper
def left_jacobian_inverse(r: Vector, p: Vector) -> Vector:
    """The velocity v with V(r) v = p, for |r| < 2 pi: the inverse of :func:`left_jacobian`.

    p - (r x p) / 2 + C r x (r x p) with C = (1 - (t/2) / tan(t/2)) / t^2, t = |r|.
    """
    rx, ry, rz = r
    t2 = rx * rx + ry * ry + rz * rz
    small = t2 < _SMALL
    t = sqrt(select(small, like(t2, 1.0), t2))
    s, c = sincos(0.5 * t)
    f = select(
        small,
        1.0 / 12.0
        + t2
        * (
            1.0 / 720.0
            + t2 * (1.0 / 30240.0 + t2 * (1.0 / 1209600.0 + t2 * (1.0 / 47900160.0 + t2 * (691.0 / 1307674368000.0))))
        ),
        (1.0 - 0.5 * t * c / s) / (t * t),
    )
    x1, y1, z1 = cross(r, p)
    x2, y2, z2 = cross(r, (x1, y1, z1))
    return (p[0] - 0.5 * x1 + f * x2, p[1] - 0.5 * y1 + f * y2, p[2] - 0.5 * z1 + f * z2)


@helper
def exp(twist: Twist) -> Pose:
    """The pose reached from the identity by the twist (linear, angular) held for one second."""
    vx, vy, vz, rx, ry, rz = twist
    r = (rx, ry, rz)
    return join(quat.to_matrix(quat.exp(r)), left_jacobian(r, (vx, vy, vz)))


@helper
def log(a: Pose) -> Twist:
    """The twist (linear, angular), with an angle of at most pi, whose exponential is the pose."""
    r = quat.log(quat.from_matrix(rotation(a)))
    v = left_jacobian_inverse(r, position(a))
    return (v[0], v[1], v[2], r[0], r[1], r[2])


@helper
def transform_twist(a: Pose, twist: Twist) -> Twist:
    """The twist of a body given at and in the axes of frame b, at and in the axes of frame a; ``a`` is a_T_b.

    The same as the product with :func:`adjoint`: (R v + p x R w, R w).
    """
    vx, vy, vz, wx, wy, wz = twist
    w = rotate(a, (wx, wy, wz))
    v = rotate(a, (vx, vy, vz))
    m = cross(position(a), w)
    return (v[0] + m[0], v[1] + m[1], v[2] + m[2], w[0], w[1], w[2])


@helper
def adjoint(a: Pose) -> tuple[Any, ...]:
    """The 6 by 6 matrix [[R, [p] R], [0, R]] that takes twists (linear, angular) from b to a; 36 elements row-major."""
    x, y, z = position(a)
    o = like(x, 0.0)
    rows = (
        (a[0], a[1], a[2], y * a[6] - z * a[3], y * a[7] - z * a[4], y * a[8] - z * a[5]),
        (a[3], a[4], a[5], z * a[0] - x * a[6], z * a[1] - x * a[7], z * a[2] - x * a[8]),
        (a[6], a[7], a[8], x * a[3] - y * a[0], x * a[4] - y * a[1], x * a[5] - y * a[2]),
        (o, o, o, a[0], a[1], a[2]),
        (o, o, o, a[3], a[4], a[5]),
        (o, o, o, a[6], a[7], a[8]),
    )
    return rows[0] + rows[1] + rows[2] + rows[3] + rows[4] + rows[5]


@helper
def difference(a: Pose, b: Pose) -> Twist:
    """What takes pose ``a`` to pose ``b``, both in one base: (p_b - p_a, log(R_b R_a^T)), in base axes, m and rad.

    It pairs with a Jacobian in base axes whose reference point is the origin of the moving frame.
    """
    r = quat.rotation_error(rotation(a), rotation(b))
    return (b[9] - a[9], b[10] - a[10], b[11] - a[11], r[0], r[1], r[2])
