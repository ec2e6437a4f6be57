"""Torques as a linear function of the masses, first moments and inertias of the bodies.

The force and moment that a body needs are linear in its ten numbers (mass, first moment, inertia about the origin of
its moved frame: m, hx, hy, hz, xx, xy, xz, yy, yz, zz), and so are the torques: tau = Y pi, without rotors and
friction. Each column is the torque that one number of one body causes, found as in ``newton_euler``: acceleration
outwards, force and moment inwards along the joints that carry the body, and along those only.

Which combinations of the numbers matter at all is for identification. How the model is laid out is in ``rigid_tree``.

Source: Atkeson, An and Hollerbach, Int. J. Robotics Research 5 (1986), 101-119.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import like
from .newton_euler import acceleration_matrix, moved
from .quat import Matrix
from .rigid_tree import (
    HEAD,
    ROW,
    Vector,
    apply,
    apply_back,
    base_acceleration,
    joint_count,
    load3,
    load9,
    moved_place,
    plus,
    store3,
    store9,
    turned_place,
    zeros,
)
from .vector import cross

BODY = 10  # numbers a body
SPACE = 21  # scratch a joint: rotation, origin, w, e, a


@helper
def unit_wrench(c: int, w: Vector, e: Vector, a: Vector, A: Matrix, o: Any) -> tuple[Vector, Vector]:
    """Force and moment about the frame's origin that number ``c`` of a body needs at one unit."""
    if int(c) == 0:
        return a, (o, o, o)
    if int(c) == 1:
        return (A[0], A[3], A[6]), (o, o - a[2], a[1])
    if int(c) == 2:
        return (A[1], A[4], A[7]), (a[2], o, o - a[0])
    if int(c) == 3:
        return (A[2], A[5], A[8]), (o - a[1], a[0], o)
    # I e + w x (I w) of one element of the inertia
    if int(c) == 4:
        return (o, o, o), plus((e[0], o, o), cross(w, (w[0], o, o)))
    if int(c) == 5:
        return (o, o, o), plus((e[1], e[0], o), cross(w, (w[1], w[0], o)))
    if int(c) == 6:
        return (o, o, o), plus((e[2], o, e[0]), cross(w, (w[2], o, w[0])))
    if int(c) == 7:
        return (o, o, o), plus((o, e[1], o), cross(w, (o, w[1], o)))
    if int(c) == 8:
        return (o, o, o), plus((o, e[2], e[1]), cross(w, (o, w[2], w[1])))
    return (o, o, o), plus((o, o, e[2]), cross(w, (o, o, w[2])))


@kernel("model in in in scratch out -> none")
def regressor(model: Any, q: Any, qd: Any, qdd: Any, scratch: Any, out: Any) -> None:
    """The matrix Y of the torques ``Y pi``, where pi are ten numbers of each body, one body after the other.

    Args:
        model: the tree, as ``rigid_tree`` says; its masses are not used.
        q: coordinates, (n,), n >= 1, rad or m.
        qd: their rates, (n,), rad/s or m/s.
        qdd: their accelerations, (n,), rad/s^2 or m/s^2.
        scratch: (21 m,).
        out: (n 10 m,), row-major; may be none of the inputs.
    """
    n = len(q)
    o = like(q[0], 0.0)
    joints = joint_count(model)
    width = BODY * joints
    for k in range(n * width):
        out[k] = o
    for i in range(joints):
        b = HEAD + ROW * i
        carrier = int(model[b])
        at = SPACE * i
        k = int(model[b + 1])
        R, p = turned_place(model, b, q[k]), moved_place(model, b, q[k])
        w, e, a = zeros(o), zeros(o), base_acceleration(model, o)
        if carrier >= 0:
            there = SPACE * carrier
            w, e, a = load3(scratch, there + 12), load3(scratch, there + 15), load3(scratch, there + 18)
        a = apply_back(R, plus(a, apply(acceleration_matrix(w, e), p)))
        w, e, a = moved(model, b, apply_back(R, w), apply_back(R, e), a, qd[k], qdd[k])
        store9(scratch, at, R)
        store3(scratch, at + 9, p)
        store3(scratch, at + 12, w)
        store3(scratch, at + 15, e)
        store3(scratch, at + 18, a)
        A = acceleration_matrix(w, e)
        for c in range(BODY):
            f, t = unit_wrench(c, w, e, a, A, o)
            j = i
            while j >= 0:
                d = HEAD + ROW * j
                row = int(model[d + 1]) * width + BODY * i + c
                out[row] = out[row] + (t[2] * model[d + 2] + f[2] * model[d + 3])
                f = apply(load9(scratch, SPACE * j), f)
                t = plus(apply(load9(scratch, SPACE * j), t), cross(load3(scratch, SPACE * j + 9), f))
                j = int(model[d])
