"""Rotations as quaternions (w, x, y, z) and as nine row-major matrix elements.

Every helper takes and returns tuples of elements and runs without a data branch. A quaternion is of unit norm unless
the helper says otherwise; ``q`` and ``-q`` are the same rotation, and :func:`canonical` picks one of the two. Poses
are in ``pose``, names and checks in the room ``motionkit.spatial``.

Sources: the products and the exponential are textbook (Sola, "Quaternion kinematics for the error-state Kalman
filter", 2017, sections 1-4); the matrix inverse by the largest pivot is Shepperd's, J. Guidance and Control 1 (1978);
roll, pitch and yaw by half angles follow from writing the four components as products, see :func:`to_rpy`.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper
from ._elements import absolute, like, select, sqrt
from .trig import HALF_PI, PI, TWO_PI, atan2, sincos
from .vector import Vector

Quaternion = tuple[Any, Any, Any, Any]  # w, x, y, z
Matrix = tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any]  # row-major

IDENTITY = (1.0, 0.0, 0.0, 0.0)

# Below this squared half-angle sine (angle 2e-4) the next term of the series, 3/40 n^4, is under half an ulp of 1.
_SMALL = 1e-8

# hypot(w + y, x - z) of a quaternion rounded at the lock itself is up to 4e-16. Pitch is then within 1.4e-15 of the
# lock, and moving turn between roll and yaw moves the rotation by at most twice that.
_LOCK = 1e-15


@helper
def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """Hamilton product a b: the rotation b followed by the rotation a, both about the axes of the base."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@helper
def conjugate(q: Quaternion) -> Quaternion:
    """The inverse rotation; exact."""
    w, x, y, z = q
    return (w, -x, -y, -z)


@helper
def norm_squared(q: Quaternion) -> Any:
    """Sum of the four squares."""
    w, x, y, z = q
    return w * w + x * x + y * y + z * z


@helper
def normalize(q: Quaternion) -> Quaternion:
    """The quaternion divided by its norm; zero stays zero."""
    w, x, y, z = q
    n2 = w * w + x * x + y * y + z * z
    n = sqrt(select(n2 > 0.0, n2, like(n2, 1.0)))
    return (w / n, x / n, y / n, z / n)


@helper
def canonical(q: Quaternion) -> Quaternion:
    """The one of ``q`` and ``-q`` whose first non-zero component is positive, so w >= 0; no component is -0.0."""
    w, x, y, z = q
    first = select(w != 0.0, w, select(x != 0.0, x, select(y != 0.0, y, z)))
    sign = select(first < 0.0, like(w, -1.0), like(w, 1.0))
    return (w * sign + 0.0, x * sign + 0.0, y * sign + 0.0, z * sign + 0.0)


@helper
def rotate(q: Quaternion, v: Vector) -> Vector:
    """The vector ``v`` turned by ``q``: v + 2 w (u x v) + 2 u x (u x v) with u = (x, y, z)."""
    w, x, y, z = q
    a, b, c = v
    tx = 2.0 * (y * c - z * b)
    ty = 2.0 * (z * a - x * c)
    tz = 2.0 * (x * b - y * a)
    return (
        a + w * tx + (y * tz - z * ty),
        b + w * ty + (z * tx - x * tz),
        c + w * tz + (x * ty - y * tx),
    )


@helper
def to_matrix(q: Quaternion) -> Matrix:
    """Rotation matrix, nine elements row-major; as orthogonal as ``q`` is of unit norm."""
    w, x, y, z = q
    xx = x * x
    yy = y * y
    zz = z * z
    xy = x * y
    xz = x * z
    yz = y * z
    wx = w * x
    wy = w * y
    wz = w * z
    return (
        1.0 - 2.0 * (yy + zz),
        2.0 * (xy - wz),
        2.0 * (xz + wy),
        2.0 * (xy + wz),
        1.0 - 2.0 * (xx + zz),
        2.0 * (yz - wx),
        2.0 * (xz - wy),
        2.0 * (yz + wx),
        1.0 - 2.0 * (xx + yy),
    )


@helper
def from_matrix(m: Matrix) -> Quaternion:
    """Quaternion of a rotation matrix given as nine elements, of unit norm as far as the matrix is orthogonal.

    The largest of the four components is the pivot: its fourfold square is at least 1 whatever the matrix (the four
    add up to 4), so nothing is divided by a small number at any angle. The pivot comes out positive.
    """
    m00, m01, m02, m10, m11, m12, m20, m21, m22 = m
    t0 = 1.0 + m00 + m11 + m22
    t1 = 1.0 + m00 - m11 - m22
    t2 = 1.0 - m00 + m11 - m22
    t3 = 1.0 - m00 - m11 + m22
    a = m21 - m12
    b = m02 - m20
    c = m10 - m01
    d = m01 + m10
    f = m02 + m20
    g = m12 + m21
    k = t1 > t0
    w = select(k, a, t0)
    x = select(k, t1, a)
    y = select(k, d, b)
    z = select(k, f, c)
    best = select(k, t1, t0)
    k = t2 > best
    w = select(k, b, w)
    x = select(k, d, x)
    y = select(k, t2, y)
    z = select(k, g, z)
    best = select(k, t2, best)
    k = t3 > best
    w = select(k, c, w)
    x = select(k, f, x)
    y = select(k, g, y)
    z = select(k, t3, z)
    best = select(k, t3, best)
    s = 0.5 / sqrt(best)
    return (w * s, x * s, y * s, z * s)


@helper
def exp(r: Vector) -> Quaternion:
    """Quaternion of a rotation vector (axis times angle, rad); the angle may be up to 1e6."""
    rx, ry, rz = r
    t2 = rx * rx + ry * ry + rz * rz
    small = t2 < _SMALL
    t = sqrt(select(small, like(t2, 1.0), t2))
    s, c = sincos(0.5 * t)
    f = select(small, 0.5 - t2 * (1.0 / 48.0), s / t)
    w = select(small, 1.0 - 0.125 * t2, c)
    return (w, f * rx, f * ry, f * rz)


@helper
def from_axis_angle(axis: Vector, angle: Any) -> Quaternion:
    """Quaternion of a turn by ``angle`` rad, right-handed about the unit vector ``axis``."""
    x, y, z = axis
    s, c = sincos(0.5 * angle)
    return (c, s * x, s * y, s * z)


@helper
def log(q: Quaternion) -> Vector:
    """Rotation vector of the shortest turn, rad: length 2 atan2(|v|, |w|) <= pi along the axis.

    Exact to rounding at every angle, pi included, where the axis is the one that ``q`` has.
    """
    w, x, y, z = q
    sign = select(w < 0.0, like(w, -1.0), like(w, 1.0))
    n2 = x * x + y * y + z * z
    small = n2 < _SMALL
    n = sqrt(select(small, like(n2, 1.0), n2))
    f = select(small, 2.0 + n2 * (1.0 / 3.0), 2.0 * atan2(n, w * sign) / n) * sign
    return (f * x, f * y, f * z)


@helper
def angle(q: Quaternion) -> Any:
    """Angle of the shortest turn, rad, in [0, pi]: 2 atan2(|v|, |w|), good to rounding at every angle."""
    w, x, y, z = q
    return 2.0 * atan2(sqrt(x * x + y * y + z * z), absolute(w))


@helper
def angle_between(a: Quaternion, b: Quaternion) -> Any:
    """Angle of the shortest turn from ``a`` to ``b``, rad, in [0, pi]."""
    return angle(multiply(conjugate(a), b))


@helper
def slerp(a: Quaternion, b: Quaternion, t: Any) -> Quaternion:
    """The rotation a fraction ``t`` along the shortest turn from ``a`` (t = 0) to ``b`` (t = 1), at constant rate.

    It starts from the nearer end, so that both ends are exact up to the sign of the quaternion, which does not jump on
    the way. Between rotations exactly half a turn apart the axis is the one that the product of the two happens to
    have.
    """
    step = multiply(conjugate(a), b)
    rx, ry, rz = log(step)
    late = t > 0.5
    s = select(late, t - 1.0, t)
    near = select(step[0] < 0.0, like(s, -1.0), like(s, 1.0))
    start = (
        select(late, near * b[0], a[0]),
        select(late, near * b[1], a[1]),
        select(late, near * b[2], a[2]),
        select(late, near * b[3], a[3]),
    )
    return multiply(start, exp((s * rx, s * ry, s * rz)))


@helper
def from_rpy(roll: Any, pitch: Any, yaw: Any) -> Quaternion:
    """Quaternion of Rz(yaw) Ry(pitch) Rx(roll): turns about the fixed axes x, then y, then z, rad."""
    sr, cr = sincos(0.5 * roll)
    sp, cp = sincos(0.5 * pitch)
    sy, cy = sincos(0.5 * yaw)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )


@helper
def half_turn_range(angle: Any) -> Any:
    """An angle of [-2 pi, 2 pi] brought into (-pi, pi] by a whole turn; -0.0 becomes 0.0."""
    a = select(angle > PI, angle - TWO_PI, angle)
    a = select(a <= -PI, a + TWO_PI, a)
    return a + 0.0


@helper
def to_rpy(q: Quaternion) -> Vector:
    """Roll, pitch, yaw of Rz(yaw) Ry(pitch) Rx(roll), rad; roll and yaw in (-pi, pi], pitch in [-pi/2, pi/2].

    With m = (roll - yaw) / 2 and p = (roll + yaw) / 2 the components pair up as products,
    (w + y, x - z) = (cos m, sin m) (cos(pitch/2) + sin(pitch/2)) and
    (w - y, x + z) = (cos p, sin p) (cos(pitch/2) - sin(pitch/2)),
    so each angle is one arctangent and nothing cancels at any distance from pitch = +-pi/2. Only one of m and p is
    determined at the lock itself (to 1e-15); there roll is 0 and yaw carries the turn.
    """
    w, x, y, z = q
    mc = w + y
    ms = x - z
    pc = w - y
    ps = x + z
    mn = sqrt(mc * mc + ms * ms)
    pn = sqrt(pc * pc + ps * ps)
    m = atan2(ms, mc)
    p = atan2(ps, pc)
    down = mn <= _LOCK
    up = pn <= _LOCK
    m = select(down, -p, m)
    p = select(up, -m, p)
    pitch = 2.0 * atan2(mn, pn) - HALF_PI
    pitch = select(down, like(pitch, -HALF_PI), select(up, like(pitch, HALF_PI), pitch))
    return (half_turn_range(p + m), pitch + 0.0, half_turn_range(p - m))


@helper
def rotation_error(a: Matrix, b: Matrix) -> Vector:
    """Rotation vector, in base axes, that takes the matrix ``a`` to the matrix ``b``: log(b a^T), rad.

    Both are nine elements row-major. It pairs with a Jacobian whose angular rows are in base axes.
    """
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = a
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = b
    return log(
        from_matrix(
            (
                b0 * a0 + b1 * a1 + b2 * a2,
                b0 * a3 + b1 * a4 + b2 * a5,
                b0 * a6 + b1 * a7 + b2 * a8,
                b3 * a0 + b4 * a1 + b5 * a2,
                b3 * a3 + b4 * a4 + b5 * a5,
                b3 * a6 + b4 * a7 + b5 * a8,
                b6 * a0 + b7 * a1 + b8 * a2,
                b6 * a3 + b7 * a4 + b8 * a5,
                b6 * a6 + b7 * a7 + b8 * a8,
            )
        )
    )
