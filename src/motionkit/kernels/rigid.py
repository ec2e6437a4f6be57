"""Poses as a unit quaternion and a translation: the form in which the room ``motionkit.spatial`` stores them.

Compared with the twelve elements of ``pose`` they stay on the manifold over any number of products, because every
product divides by the norm. Every helper takes and returns tuples of elements and runs without a data branch.
"""

from __future__ import annotations

from typing import Any

from . import pose, quat
from ._contract import helper
from ._elements import select
from .pose import Pose, Twist
from .quat import Quaternion
from .vector import Vector

Rigid = tuple[Quaternion, Vector]


@helper
def rotation_product(a: Quaternion, b: Quaternion) -> Quaternion:
    """The canonical unit quaternion of the product a b."""
    return quat.canonical(quat.normalize(quat.multiply(a, b)))


@helper
def compose(a: Rigid, b: Rigid) -> Rigid:
    """a_T_c of a_T_b and b_T_c; the quaternion comes out canonical and of unit norm."""
    qa, pa = a
    qb, pb = b
    x, y, z = quat.rotate(qa, pb)
    return (rotation_product(qa, qb), (x + pa[0], y + pa[1], z + pa[2]))


@helper
def invert(a: Rigid) -> Rigid:
    """b_T_a of a_T_b; the rotation is exact."""
    q, p = a
    inverse = quat.conjugate(q)
    x, y, z = quat.rotate(inverse, p)
    return (quat.canonical(inverse), (0.0 - x, 0.0 - y, 0.0 - z))


@helper
def transform_point(a: Rigid, p: Vector) -> Vector:
    """The point ``p`` given in frame b, in frame a; ``a`` is a_T_b."""
    x, y, z = quat.rotate(a[0], p)
    return (x + a[1][0], y + a[1][1], z + a[1][2])


@helper
def exp(twist: Twist) -> Rigid:
    """The pose reached from the identity by the twist (linear, angular) held for one second."""
    vx, vy, vz, rx, ry, rz = twist
    r = (rx, ry, rz)
    return (quat.canonical(quat.normalize(quat.exp(r))), pose.left_jacobian(r, (vx, vy, vz)))


@helper
def log(a: Rigid) -> Twist:
    """The twist (linear, angular), with an angle of at most pi, whose exponential is the pose."""
    r = quat.log(a[0])
    v = pose.left_jacobian_inverse(r, a[1])
    return (v[0], v[1], v[2], r[0], r[1], r[2])


@helper
def interpolate(a: Rigid, b: Rigid, t: Any) -> Rigid:
    """The pose a fraction ``t`` from ``a`` to ``b``: the origin on the straight line, the shortest turn, both even.

    Measured from the nearer end, so that the origin meets both ends exactly.
    """
    late = t > 0.5
    s = select(late, t - 1.0, t)
    pa = a[1]
    pb = b[1]
    p = (
        select(late, pb[0], pa[0]) + s * (pb[0] - pa[0]),
        select(late, pb[1], pa[1]) + s * (pb[1] - pa[1]),
        select(late, pb[2], pa[2]) + s * (pb[2] - pa[2]),
    )
    return (quat.canonical(quat.normalize(quat.slerp(a[0], b[0], t))), p)


@helper
def to_elements(a: Rigid) -> Pose:
    """The twelve elements of ``pose``: rotation row-major, then position."""
    return pose.from_quaternion(a[0], a[1])


@helper
def from_elements(a: Pose) -> Rigid:
    """The pose of twelve elements whose rotation is orthogonal to rounding."""
    return (quat.canonical(quat.normalize(quat.from_matrix(pose.rotation(a)))), pose.position(a))
