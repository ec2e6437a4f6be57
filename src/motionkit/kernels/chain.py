"""Serial chains: pose of the tip and of every joint, geometric Jacobian, and the acceleration that motion alone causes.

A chain of m moving joints is one model of 13 + 9 m + 12 numbers. The first 12 place the first joint in the base, its
axis turned into z; the next is the number of coordinates, n. Then come 9 a joint: the cosine and sine of the angle
between its axis and the one before it, its origin in the moving frame of the joint before (3), the angle that its frame
has at coordinate zero, how much it turns about z and how much it travels along z for a unit of its coordinate (1 and 0
for a revolute joint, 0 and 1 for a prismatic one, so that both kinds run without a branch), and the index of that
coordinate. Joints that follow another share its coordinate and have a factor in place of the 1; coordinates are counted
in the order in which the joints first need them, so where there are as many as joints the index is the joint's own and
is not read. The first joint has no tilt and no shift of its own. The last 12 place the tip in the frame of the last
joint.

Any placement can be brought to this form, because a frame may be turned about its own axis: then the x axis of every
frame but the last is across its own axis and the next one, and the next frame is one turn about x and a shift away.
The shift keeps its three numbers, so nearly parallel axes are as well conditioned as any (which the four numbers of
Denavit and Hartenberg are not).

A pose is 12 elements: the rotation, row-major, then the origin. Building models, limits, names and errors do not
belong here; neither do masses.

Source: the recursion of link velocities and accelerations in base axes, as in any text on manipulators (for instance
Siciliano et al., Robotics: Modelling, Planning and Control, section 7.2).
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import like
from .pose import Pose
from .trig import sincos
from .vector import Vector

HEAD = 13  # numbers before the joints
ROW = 9  # numbers a joint
COORDINATES = 12  # where the number of coordinates is
TAIL = 12  # numbers after the joints


@helper
def joint_count(model: Any) -> int:
    """How many moving joints a chain has; followers count."""
    return (len(model) - HEAD - TAIL) // ROW


@helper
def row_pose(model: Any, b: int, x: Any) -> Pose:
    """The constant pose at offset ``b`` of the model, in the element type of ``x``."""
    return (
        like(x, model[b]),
        like(x, model[b + 1]),
        like(x, model[b + 2]),
        like(x, model[b + 3]),
        like(x, model[b + 4]),
        like(x, model[b + 5]),
        like(x, model[b + 6]),
        like(x, model[b + 7]),
        like(x, model[b + 8]),
        like(x, model[b + 9]),
        like(x, model[b + 10]),
        like(x, model[b + 11]),
    )


@helper
def move_joint(T: Pose, s: Any, c: Any, d: Any) -> Pose:
    """The pose ``T`` after a turn about its own z axis, of sine ``s`` and cosine ``c``, and a travel ``d`` along it."""
    r00, r01, r02, r10, r11, r12, r20, r21, r22, x, y, z = T
    return (
        r00 * c + r01 * s,
        r01 * c - r00 * s,
        r02,
        r10 * c + r11 * s,
        r11 * c - r10 * s,
        r12,
        r20 * c + r21 * s,
        r21 * c - r20 * s,
        r22,
        x + d * r02,
        y + d * r12,
        z + d * r22,
    )


@helper
def place(T: Pose, model: Any, b: int) -> Pose:
    """The pose ``T`` times the constant pose at offset ``b`` of the model."""
    r00, r01, r02, r10, r11, r12, r20, r21, r22, x, y, z = T
    m00, m01, m02 = model[b], model[b + 1], model[b + 2]
    m10, m11, m12 = model[b + 3], model[b + 4], model[b + 5]
    m20, m21, m22 = model[b + 6], model[b + 7], model[b + 8]
    mx, my, mz = model[b + 9], model[b + 10], model[b + 11]
    return (
        r00 * m00 + r01 * m10 + r02 * m20,
        r00 * m01 + r01 * m11 + r02 * m21,
        r00 * m02 + r01 * m12 + r02 * m22,
        r10 * m00 + r11 * m10 + r12 * m20,
        r10 * m01 + r11 * m11 + r12 * m21,
        r10 * m02 + r11 * m12 + r12 * m22,
        r20 * m00 + r21 * m10 + r22 * m20,
        r20 * m01 + r21 * m11 + r22 * m21,
        r20 * m02 + r21 * m12 + r22 * m22,
        r00 * mx + r01 * my + r02 * mz + x,
        r10 * mx + r11 * my + r12 * mz + y,
        r20 * mx + r21 * my + r22 * mz + z,
    )


@helper
def follow(T: Pose, model: Any, b: int) -> Pose:
    """From the moved frame ``T`` of a joint to the place of the next one, whose row begins at ``b``."""
    r00, r01, r02, r10, r11, r12, r20, r21, r22, x, y, z = T
    c, s = model[b], model[b + 1]
    px, py, pz = model[b + 2], model[b + 3], model[b + 4]
    return (
        r00,
        r01 * c + r02 * s,
        r02 * c - r01 * s,
        r10,
        r11 * c + r12 * s,
        r12 * c - r11 * s,
        r20,
        r21 * c + r22 * s,
        r22 * c - r21 * s,
        r00 * px + r01 * py + r02 * pz + x,
        r10 * px + r11 * py + r12 * pz + y,
        r20 * px + r21 * py + r22 * pz + z,
    )


@helper
def joint_step(T: Pose, model: Any, b: int, s: Any, c: Any, d: Any) -> Pose:
    """The moved frame of the joint at offset ``b``, from the moved frame ``T`` of the one before it.

    ``s`` and ``c`` are the sine and cosine of its turn, ``d`` its travel.
    """
    return move_joint(follow(T, model, b), s, c, d)


@helper
def turned(model: Any, b: int, x: Any) -> tuple[Any, Any, Any]:
    """Sine and cosine of the turn, and the travel, of the joint at offset ``b`` at its coordinate ``x``."""
    s, c = sincos(x * model[b + 6] + model[b + 5])
    return s, c, x * model[b + 7]


@helper
def tip_pose(model: Any, q: Any) -> Pose:
    """Pose of the tip of a chain, as 12 elements."""
    if len(q) == 0:
        return place(row_pose(model, 0, like(model[0], 0.0)), model, HEAD)
    T = row_pose(model, 0, q[0])
    joints = joint_count(model)
    for i in range(joints):
        b = HEAD + ROW * i
        s, c, d = turned(model, b, q[i if joints == len(q) else int(model[b + 8])])
        T = joint_step(T, model, b, s, c, d)
    return place(T, model, HEAD + ROW * joints)


@helper
def store(out: Any, at: int, values: tuple[Any, ...]) -> None:
    """Write a tuple of elements from index ``at`` on."""
    for k in range(len(values)):
        out[at + k] = values[k]


@helper
def cross(ax: Any, ay: Any, az: Any, bx: Any, by: Any, bz: Any) -> Vector:
    """The vector product of two vectors."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@helper
def columns(model: Any, q: Any, n: int, out: Any, at: int, ox: Any, oy: Any, oz: Any) -> Pose:
    """The pose of the tip, returned, and the Jacobian of ``n >= 1`` coordinates, row-major (6, n) from ``at`` on.

    Rows (linear, angular), base axes, reference point at the fixed point (ox, oy, oz). Joints that share a coordinate
    add up in its column.
    """
    T = row_pose(model, 0, q[0])
    joints = joint_count(model)
    seen = 0
    for i in range(joints):
        b = HEAD + ROW * i
        k = i if joints == len(q) else int(model[b + 8])
        s, c, d = turned(model, b, q[k])
        T = joint_step(T, model, b, s, c, d)
        turn = model[b + 6]
        slide = model[b + 7]
        zx, zy, zz = T[2], T[5], T[8]
        vx, vy, vz = cross(T[9] - ox, T[10] - oy, T[11] - oz, zx, zy, zz)
        if k == seen:  # the first joint of its coordinate
            out[at + k] = vx * turn + zx * slide
            out[at + n + k] = vy * turn + zy * slide
            out[at + 2 * n + k] = vz * turn + zz * slide
            out[at + 3 * n + k] = zx * turn
            out[at + 4 * n + k] = zy * turn
            out[at + 5 * n + k] = zz * turn
            seen = seen + 1
        else:
            out[at + k] = out[at + k] + (vx * turn + zx * slide)
            out[at + n + k] = out[at + n + k] + (vy * turn + zy * slide)
            out[at + 2 * n + k] = out[at + 2 * n + k] + (vz * turn + zz * slide)
            out[at + 3 * n + k] = out[at + 3 * n + k] + zx * turn
            out[at + 4 * n + k] = out[at + 4 * n + k] + zy * turn
            out[at + 5 * n + k] = out[at + 5 * n + k] + zz * turn
    return place(T, model, HEAD + ROW * joints)


@helper
def tip_and_jacobian(model: Any, q: Any, n: int, out: Any, at: int) -> Pose:
    """The pose of the tip, returned, and the geometric Jacobian, written row-major (6, n) from index ``at`` on.

    Rows (linear, angular), base axes, reference point at the tip. On the way the point is the first joint's origin, so
    that nothing is lost where the arm stands far from the base frame.
    """
    if n == 0:
        return place(row_pose(model, 0, like(model[0], 0.0)), model, HEAD)
    T = columns(model, q, n, out, at, model[9], model[10], model[11])
    x, y, z = T[9] - model[9], T[10] - model[10], T[11] - model[11]
    for k in range(n):
        wx = out[at + 3 * n + k]
        wy = out[at + 4 * n + k]
        wz = out[at + 5 * n + k]
        vx, vy, vz = cross(wx, wy, wz, x, y, z)
        out[at + k] = out[at + k] + vx
        out[at + n + k] = out[at + n + k] + vy
        out[at + 2 * n + k] = out[at + 2 * n + k] + vz
    return T


@helper
def jacobian_derivative(model: Any, q: Any, qd: Any, n: int, J: Any, j_at: int, out: Any, at: int) -> None:
    """The derivative in time of the Jacobian ``J`` of :func:`tip_and_jacobian` at joint rates ``qd``, n >= 1.

    A column is z x r and z, with r from the joint to the tip; z is carried round by what lies before the joint, and
    both ends of r move. As there, r is counted from the first joint's origin until the tip is known.
    """
    zero = like(q[0], 0.0)
    ox, oy, oz = model[9], model[10], model[11]
    T = row_pose(model, 0, q[0])
    vx, vy, vz, wx, wy, wz = zero, zero, zero, zero, zero, zero
    joints = joint_count(model)
    seen = 0
    for i in range(joints):
        b = HEAD + ROW * i
        k = i if joints == len(q) else int(model[b + 8])
        # the joint's axis and place are carried by the frame before it, its origin also slides
        x, y, z = T[9], T[10], T[11]
        s, c, d = turned(model, b, q[k])
        T = joint_step(T, model, b, s, c, d)
        zx, zy, zz = T[2], T[5], T[8]
        turn, slide = model[b + 6], model[b + 7]
        travel = qd[k] * slide
        ux, uy, uz = cross(wx, wy, wz, T[9] - x, T[10] - y, T[11] - z)
        vx, vy, vz = vx + ux + zx * travel, vy + uy + zy * travel, vz + uz + zz * travel
        ex, ey, ez = cross(wx, wy, wz, zx, zy, zz)
        fx, fy, fz = cross(vx, vy, vz, zx, zy, zz)
        gx, gy, gz = cross(T[9] - ox, T[10] - oy, T[11] - oz, ex, ey, ez)
        lx, ly, lz = (fx + gx) * turn + ex * slide, (fy + gy) * turn + ey * slide, (fz + gz) * turn + ez * slide
        if k == seen:
            out[at + k] = lx
            out[at + n + k] = ly
            out[at + 2 * n + k] = lz
            out[at + 3 * n + k] = ex * turn
            out[at + 4 * n + k] = ey * turn
            out[at + 5 * n + k] = ez * turn
            seen = seen + 1
        else:
            out[at + k] = out[at + k] + lx
            out[at + n + k] = out[at + n + k] + ly
            out[at + 2 * n + k] = out[at + 2 * n + k] + lz
            out[at + 3 * n + k] = out[at + 3 * n + k] + ex * turn
            out[at + 4 * n + k] = out[at + 4 * n + k] + ey * turn
            out[at + 5 * n + k] = out[at + 5 * n + k] + ez * turn
        spin = qd[k] * turn
        wx, wy, wz = wx + zx * spin, wy + zy * spin, wz + zz * spin
    x, y, z = T[9], T[10], T[11]
    T = place(T, model, HEAD + ROW * joints)
    ux, uy, uz = cross(wx, wy, wz, T[9] - x, T[10] - y, T[11] - z)
    vx, vy, vz = vx + ux, vy + uy, vz + uz
    x, y, z = T[9] - ox, T[10] - oy, T[11] - oz
    for k in range(n):
        ex, ey, ez = cross(out[at + 3 * n + k], out[at + 4 * n + k], out[at + 5 * n + k], x, y, z)
        fx, fy, fz = cross(J[j_at + 3 * n + k], J[j_at + 4 * n + k], J[j_at + 5 * n + k], vx, vy, vz)
        out[at + k] = out[at + k] + ex + fx
        out[at + n + k] = out[at + n + k] + ey + fy
        out[at + 2 * n + k] = out[at + 2 * n + k] + ez + fz


@helper
def carried(rx: Any, ry: Any, rz: Any, wx: Any, wy: Any, wz: Any, ex: Any, ey: Any, ez: Any) -> tuple[Any, ...]:
    """Velocity and acceleration that the end of an arm r has beyond its start, on a body with rates w and e = dw/dt."""
    ux, uy, uz = cross(wx, wy, wz, rx, ry, rz)
    fx, fy, fz = cross(wx, wy, wz, ux, uy, uz)
    gx, gy, gz = cross(ex, ey, ez, rx, ry, rz)
    return ux, uy, uz, gx + fx, gy + fy, gz + fz


@helper
def tip_motion(model: Any, q: Any, qd: Any) -> tuple[Any, ...]:
    """Velocity of the tip and its acceleration at qdd = 0, as (linear, angular) and (linear, angular), base axes.

    For one coordinate or more. Frame by frame: w, a turn's rate and its change, v and a those of the frame's origin.
    """
    zero = like(q[0], 0.0)
    T = row_pose(model, 0, q[0])
    vx, vy, vz, wx, wy, wz = zero, zero, zero, zero, zero, zero
    ax, ay, az, ex, ey, ez = zero, zero, zero, zero, zero, zero
    joints = joint_count(model)
    for i in range(joints):
        b = HEAD + ROW * i
        k = i if joints == len(q) else int(model[b + 8])
        # to the joint's place, fixed in the frame before it
        x, y, z = T[9], T[10], T[11]
        T = follow(T, model, b)
        ux, uy, uz, fx, fy, fz = carried(T[9] - x, T[10] - y, T[11] - z, wx, wy, wz, ex, ey, ez)
        ax, ay, az = ax + fx, ay + fy, az + fz
        vx, vy, vz = vx + ux, vy + uy, vz + uz
        zx, zy, zz = T[2], T[5], T[8]
        x, y, z = T[9], T[10], T[11]
        s, c, d = turned(model, b, q[k])
        T = move_joint(T, s, c, d)
        # to the moved origin: the arm r is carried round by w; the slide adds its own rate and the Coriolis term
        rx, ry, rz = T[9] - x, T[10] - y, T[11] - z
        slide = qd[k] * model[b + 7]
        sx, sy, sz = zx * slide, zy * slide, zz * slide
        ux, uy, uz = cross(wx, wy, wz, rx, ry, rz)
        fx, fy, fz = cross(wx, wy, wz, ux + 2.0 * sx, uy + 2.0 * sy, uz + 2.0 * sz)
        gx, gy, gz = cross(ex, ey, ez, rx, ry, rz)
        ax, ay, az = ax + gx + fx, ay + gy + fy, az + gz + fz
        vx, vy, vz = vx + ux + sx, vy + uy + sy, vz + uz + sz
        # the turn: its axis is carried round by w
        turn = qd[k] * model[b + 6]
        tx, ty, tz = zx * turn, zy * turn, zz * turn
        hx, hy, hz = cross(wx, wy, wz, tx, ty, tz)
        ex, ey, ez = ex + hx, ey + hy, ez + hz
        wx, wy, wz = wx + tx, wy + ty, wz + tz
    x, y, z = T[9], T[10], T[11]
    T = place(T, model, HEAD + ROW * joints)
    ux, uy, uz, fx, fy, fz = carried(T[9] - x, T[10] - y, T[11] - z, wx, wy, wz, ex, ey, ez)
    ax, ay, az = ax + fx, ay + fy, az + fz
    vx, vy, vz = vx + ux, vy + uy, vz + uz
    return vx, vy, vz, wx, wy, wz, ax, ay, az, ex, ey, ez


@kernel("model in out -> none")
def forward(model: Any, q: Any, out: Any) -> None:
    """Pose of the tip in the base.

    Args:
        model: the chain, (13 + 9 m + 12,).
        q: joint coordinates, (n,), rad or m.
        out: (12,): rotation row-major, then the position in metres. Must not overlap ``q``.
    """
    store(out, 0, tip_pose(model, q))


@kernel("model in out -> none")
def forward_matrix(model: Any, q: Any, out: Any) -> None:
    """Pose of the tip in the base as a homogeneous matrix, (16,) row-major; otherwise as :func:`forward`."""
    r00, r01, r02, r10, r11, r12, r20, r21, r22, x, y, z = tip_pose(model, q)
    zero = like(x, 0.0)
    store(out, 0, (r00, r01, r02, x, r10, r11, r12, y, r20, r21, r22, z, zero, zero, zero, like(x, 1.0)))


@kernel("model in out -> none")
def joint_frames(model: Any, q: Any, out: Any) -> None:
    """Pose of every moved joint frame in the base, its axis being z, then of the tip.

    Args:
        model: the chain of m joints.
        q: joint coordinates, (n,), rad or m.
        out: (12 (m + 1),): one pose after the other, each as in :func:`forward`.
    """
    joints = joint_count(model)
    if joints == 0:
        store(out, 0, place(row_pose(model, 0, like(model[0], 0.0)), model, HEAD))
    else:
        T = row_pose(model, 0, q[0])
        for i in range(joints):
            b = HEAD + ROW * i
            s, c, d = turned(model, b, q[i if joints == len(q) else int(model[b + 8])])
            T = joint_step(T, model, b, s, c, d)
            store(out, 12 * i, T)
        store(out, 12 * joints, place(T, model, HEAD + ROW * joints))


@kernel("model in out -> none")
def jacobian(model: Any, q: Any, out: Any) -> None:
    """Geometric Jacobian in base axes with the reference point at the tip.

    Args:
        model: the chain.
        q: joint coordinates, (n,), rad or m.
        out: (6 n,): row-major (6, n), rows (linear, angular), m/rad, rad/rad and so on. Must not overlap ``q``.
    """
    tip_and_jacobian(model, q, len(q), out, 0)


@kernel("model in out out -> none")
def forward_and_jacobian(model: Any, q: Any, pose: Any, out: Any) -> None:
    """Pose of the tip and the Jacobian of :func:`jacobian`, in one pass: (12,) and (6 n,)."""
    store(pose, 0, tip_and_jacobian(model, q, len(q), out, 0))


@kernel("model in out -> none")
def jacobian_in_tool(model: Any, q: Any, out: Any) -> None:
    """Geometric Jacobian in the axes of the tip with the reference point at the tip; otherwise as :func:`jacobian`."""
    n = len(q)
    r00, r01, r02, r10, r11, r12, r20, r21, r22, _, _, _ = tip_and_jacobian(model, q, n, out, 0)
    for i in range(2 * n):
        k = i if i < n else i + 2 * n  # the first row of the linear, then of the angular part
        x = out[k]
        y = out[k + n]
        z = out[k + 2 * n]
        out[k] = r00 * x + r10 * y + r20 * z
        out[k + n] = r01 * x + r11 * y + r21 * z
        out[k + 2 * n] = r02 * x + r12 * y + r22 * z


@kernel("model in out -> none")
def jacobian_at_base(model: Any, q: Any, out: Any) -> None:
    """Geometric Jacobian in base axes with the reference point at the base origin; otherwise as :func:`jacobian`."""
    if len(q) > 0:
        columns(model, q, len(q), out, 0, 0.0, 0.0, 0.0)


@kernel("model in in out out -> none")
def jacobian_rate(model: Any, q: Any, qd: Any, J: Any, out: Any) -> None:
    """The Jacobian of :func:`jacobian` and its derivative in time at joint rates ``qd``.

    Args:
        model: the chain.
        q: joint coordinates, (n,), rad or m.
        qd: joint velocities, (n,), rad/s or m/s.
        J: (6 n,): the Jacobian, row-major (6, n), rows (linear, angular), base axes, reference point at the tip.
        out: (6 n,): its derivative.
    """
    n = len(q)
    if n > 0:
        tip_and_jacobian(model, q, n, J, 0)
        jacobian_derivative(model, q, qd, n, J, 0, out, 0)


@kernel("model in in out -> none")
def motion(model: Any, q: Any, qd: Any, out: Any) -> None:
    """Velocity of the tip, and its acceleration while the joints do not accelerate.

    Args:
        model: the chain.
        q: joint coordinates, (n,), rad or m.
        qd: joint velocities, (n,), rad/s or m/s.
        out: (12,): J qd as (linear, angular) in base axes at the tip, then the derivative of J along qd, times qd.
    """
    if len(q) > 0:
        store(out, 0, tip_motion(model, q, qd))
    else:
        for k in range(12):
            out[k] = like(model[0], 0.0)


@kernel("model in in out -> none")
def drift(model: Any, q: Any, qd: Any, out: Any) -> None:
    """The acceleration of the tip that joint velocities alone cause: the derivative of J along qd, times qd.

    Classical acceleration of the tip (linear, angular) in base axes at qdd = 0; J is that of :func:`jacobian`.

    Args:
        model: the chain.
        q: joint coordinates, (n,), rad or m.
        qd: joint velocities, (n,), rad/s or m/s.
        out: (6,), m/s^2 and rad/s^2.
    """
    if len(q) > 0:
        _, _, _, _, _, _, ax, ay, az, ex, ey, ez = tip_motion(model, q, qd)
        store(out, 0, (ax, ay, az, ex, ey, ez))
    else:
        for k in range(6):
            out[k] = like(model[0], 0.0)
