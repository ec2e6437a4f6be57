"""Moving bodies joined as a tree: how the model that all kernels of dynamics read is laid out, and what they share.

A tree of m moving joints with n coordinates is one model of 6 + 27 m + 5 n numbers. First m, n, the acceleration of
gravity in the base frame (3), and 1 when anything but bodies takes torque (rotors, friction), else 0.

Then come 27 a joint, and so a body: the joint that carries it (-1 is the base), the index of its coordinate, how much
it turns about z and how much it travels along z for a unit of it, what is special about it (1 when a joint other than
the next one hangs on it, plus 2 when it travels); the rotation (9, row-major) and origin (3) of its place in the moved
frame of the carrier, its axis being z and its own angle or travel at coordinate zero included; and in its own moved
frame the mass, the first moment (mass times centre of mass, 3) and the inertia about the frame's origin (xx, xy, xz,
yy, yz, zz). A joint comes after the one that carries it. Joints that follow another share its coordinate.

Last come 5 a coordinate: the rotor inertia that its motor adds, the viscous and the Coulomb friction, the speed over
which the Coulomb friction turns from one sign to the other, and 1 when that speed is not zero.

A body that is fixed to another is one with it; a body fixed to the base does not move and is not in the model. Names,
files and refusals are in the room ``motionkit.robot``.

Source: inertia about another point and in other axes, as in Featherstone, Rigid Body Dynamics Algorithms, chapter 2.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper
from ._elements import absolute, copysign, like, select, sqrt
from .quat import Matrix
from .trig import sincos
from .vector import Vector

HEAD = 6  # numbers before the joints
ROW = 27  # numbers a joint
DRIVE = 5  # numbers a coordinate
MASS = 17  # where the ten numbers of a body begin in its row

Tensor = tuple[Any, Any, Any, Any, Any, Any]


@helper
def joint_count(model: Any) -> int:
    """How many moving joints, and bodies, there are; followers count."""
    return int(model[0])


@helper
def drive_row(model: Any, k: int) -> int:
    """Where the numbers of coordinate ``k`` begin."""
    return HEAD + ROW * int(model[0]) + DRIVE * k


@helper
def zeros(o: Any) -> Vector:
    """The vector of zeros."""
    return (o, o, o)


@helper
def base_acceleration(model: Any, o: Any) -> Vector:
    """What the base would accelerate by to feel the same without gravity: minus gravity."""
    return (o - model[2], o - model[3], o - model[4])


@helper
def turned_place(model: Any, b: int, x: Any) -> Matrix:
    """Rotation of the moved frame of the joint at offset ``b`` in that of its carrier, at its coordinate ``x``."""
    s, c = sincos(x * model[b + 2])
    r00, r01, r10, r11, r20, r21 = model[b + 5], model[b + 6], model[b + 8], model[b + 9], model[b + 11], model[b + 12]
    return (
        r00 * c + r01 * s,
        r01 * c - r00 * s,
        model[b + 7],
        r10 * c + r11 * s,
        r11 * c - r10 * s,
        model[b + 10],
        r20 * c + r21 * s,
        r21 * c - r20 * s,
        model[b + 13],
    )


@helper
def moved_place(model: Any, b: int, x: Any) -> Vector:
    """Origin of the moved frame of the joint at offset ``b`` in that of its carrier, at its coordinate ``x``."""
    if int(model[b + 4]) < 2:
        o = like(x, 0.0)
        return (o + model[b + 14], o + model[b + 15], o + model[b + 16])
    d = x * model[b + 3]
    return (
        model[b + 14] + d * model[b + 7],
        model[b + 15] + d * model[b + 10],
        model[b + 16] + d * model[b + 13],
    )


@helper
def apply(R: Matrix, v: Vector) -> Vector:
    """R v."""
    return (
        R[0] * v[0] + R[1] * v[1] + R[2] * v[2],
        R[3] * v[0] + R[4] * v[1] + R[5] * v[2],
        R[6] * v[0] + R[7] * v[1] + R[8] * v[2],
    )


@helper
def apply_back(R: Matrix, v: Vector) -> Vector:
    """R^T v."""
    return (
        R[0] * v[0] + R[3] * v[1] + R[6] * v[2],
        R[1] * v[0] + R[4] * v[1] + R[7] * v[2],
        R[2] * v[0] + R[5] * v[1] + R[8] * v[2],
    )


@helper
def product(R: Matrix, S: Matrix) -> Matrix:
    """R S."""
    return (
        R[0] * S[0] + R[1] * S[3] + R[2] * S[6],
        R[0] * S[1] + R[1] * S[4] + R[2] * S[7],
        R[0] * S[2] + R[1] * S[5] + R[2] * S[8],
        R[3] * S[0] + R[4] * S[3] + R[5] * S[6],
        R[3] * S[1] + R[4] * S[4] + R[5] * S[7],
        R[3] * S[2] + R[4] * S[5] + R[5] * S[8],
        R[6] * S[0] + R[7] * S[3] + R[8] * S[6],
        R[6] * S[1] + R[7] * S[4] + R[8] * S[7],
        R[6] * S[2] + R[7] * S[5] + R[8] * S[8],
    )


@helper
def plus(a: Vector, b: Vector) -> Vector:
    """A + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@helper
def plus6(a: Tensor, b: Tensor) -> Tensor:
    """A + b of six elements."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


@helper
def minus(a: Vector, b: Vector) -> Vector:
    """A - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@helper
def times(a: Vector, x: Any) -> Vector:
    """A x, for a number x."""
    return (a[0] * x, a[1] * x, a[2] * x)


@helper
def load3(a: Any, at: int) -> Vector:
    """Three elements from index ``at`` on."""
    return (a[at], a[at + 1], a[at + 2])


@helper
def load6(a: Any, at: int) -> Tensor:
    """Six elements from index ``at`` on."""
    return (a[at], a[at + 1], a[at + 2], a[at + 3], a[at + 4], a[at + 5])


@helper
def load9(a: Any, at: int) -> Matrix:
    """Nine elements from index ``at`` on."""
    return (a[at], a[at + 1], a[at + 2], a[at + 3], a[at + 4], a[at + 5], a[at + 6], a[at + 7], a[at + 8])


@helper
def store3(a: Any, at: int, v: Vector) -> None:
    """Write three elements from index ``at`` on."""
    a[at] = v[0]
    a[at + 1] = v[1]
    a[at + 2] = v[2]


@helper
def store6(a: Any, at: int, v: Tensor) -> None:
    """Write six elements from index ``at`` on."""
    a[at] = v[0]
    a[at + 1] = v[1]
    a[at + 2] = v[2]
    a[at + 3] = v[3]
    a[at + 4] = v[4]
    a[at + 5] = v[5]


@helper
def store9(a: Any, at: int, v: Matrix) -> None:
    """Write nine elements from index ``at`` on."""
    store3(a, at, (v[0], v[1], v[2]))
    store6(a, at + 3, (v[3], v[4], v[5], v[6], v[7], v[8]))


@helper
def gather3(a: Any, at: int, v: Vector) -> None:
    """Add three elements to those from index ``at`` on."""
    a[at] = a[at] + v[0]
    a[at + 1] = a[at + 1] + v[1]
    a[at + 2] = a[at + 2] + v[2]


@helper
def gather6(a: Any, at: int, v: Tensor) -> None:
    """Add six elements to those from index ``at`` on."""
    gather3(a, at, (v[0], v[1], v[2]))
    gather3(a, at + 3, (v[3], v[4], v[5]))


@helper
def gather9(a: Any, at: int, v: Matrix) -> None:
    """Add nine elements to those from index ``at`` on."""
    gather3(a, at, (v[0], v[1], v[2]))
    gather6(a, at + 3, (v[3], v[4], v[5], v[6], v[7], v[8]))


@helper
def body_moment(model: Any, b: int) -> Vector:
    """First moment of the body at offset ``b``: plain numbers."""
    return load3(model, b + 18)


@helper
def body_inertia(model: Any, b: int) -> Tensor:
    """Inertia of the body at offset ``b`` about its frame's origin: plain numbers."""
    return load6(model, b + 21)


@helper
def tensor_times(I: Tensor, v: Vector) -> Vector:  # noqa: E741  the field's name
    """The product of a symmetric tensor (xx, xy, xz, yy, yz, zz) and a vector."""
    return (
        I[0] * v[0] + I[1] * v[1] + I[2] * v[2],
        I[1] * v[0] + I[3] * v[1] + I[4] * v[2],
        I[2] * v[0] + I[4] * v[1] + I[5] * v[2],
    )


@helper
def turned_tensor(R: Matrix, I: Tensor) -> Tensor:  # noqa: E741
    """R I R^T of a symmetric tensor."""
    a0 = R[0] * I[0] + R[1] * I[1] + R[2] * I[2]
    a1 = R[0] * I[1] + R[1] * I[3] + R[2] * I[4]
    a2 = R[0] * I[2] + R[1] * I[4] + R[2] * I[5]
    b0 = R[3] * I[0] + R[4] * I[1] + R[5] * I[2]
    b1 = R[3] * I[1] + R[4] * I[3] + R[5] * I[4]
    b2 = R[3] * I[2] + R[4] * I[4] + R[5] * I[5]
    c0 = R[6] * I[0] + R[7] * I[1] + R[8] * I[2]
    c1 = R[6] * I[1] + R[7] * I[3] + R[8] * I[4]
    c2 = R[6] * I[2] + R[7] * I[4] + R[8] * I[5]
    return (
        a0 * R[0] + a1 * R[1] + a2 * R[2],
        a0 * R[3] + a1 * R[4] + a2 * R[5],
        a0 * R[6] + a1 * R[7] + a2 * R[8],
        b0 * R[3] + b1 * R[4] + b2 * R[5],
        b0 * R[6] + b1 * R[7] + b2 * R[8],
        c0 * R[6] + c1 * R[7] + c2 * R[8],
    )


@helper
def shifted_tensor(m: Any, h: Vector, I: Tensor, p: Vector) -> Tensor:  # noqa: E741
    """Inertia about a point that the present one is ``p`` away from, of a body of mass ``m`` and first moment ``h``.

    The first moment there is ``h + m p``. With e = 2 h + m p the inertia grows by (p . e) 1 - (p e^T + e p^T) / 2.
    """
    ex = 2.0 * h[0] + m * p[0]
    ey = 2.0 * h[1] + m * p[1]
    ez = 2.0 * h[2] + m * p[2]
    px, py, pz = p[0] * ex, p[1] * ey, p[2] * ez
    return (
        I[0] + (py + pz),
        I[1] - 0.5 * (p[0] * ey + p[1] * ex),
        I[2] - 0.5 * (p[0] * ez + p[2] * ex),
        I[3] + (px + pz),
        I[4] - 0.5 * (p[1] * ez + p[2] * ey),
        I[5] + (px + py),
    )


@helper
def friction(model: Any, d: int, v: Any) -> Any:
    """Torque or force of friction at the coordinate whose numbers begin at ``d``, at the rate ``v``.

    Viscous plus Coulomb; the latter is zero at rest, and turns over smoothly where a speed for it is given.
    """
    if int(model[d + 4]) == 1:
        speed = model[d + 3]
        direction = v / sqrt(v * v + speed * speed)
    else:
        direction = select(absolute(v) > 0.0, copysign(like(v, 1.0), v), like(v, 0.0))
    return model[d + 1] * v + model[d + 2] * direction


@helper
def friction_slope(model: Any, d: int, v: Any) -> Any:
    """Derivative of :func:`friction` by the rate; at a jump the one beside it."""
    slope = like(v, 0.0)
    if int(model[d + 4]) == 1:
        speed = model[d + 3]
        square = v * v + speed * speed
        slope = speed * speed / (square * sqrt(square))
    return slope * model[d + 2] + model[d + 1]
