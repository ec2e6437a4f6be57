"""Torques for a given motion: the recursive Newton-Euler algorithm, and gravity alone.

Everything is in the axes of each body's own moved frame. Outwards go the angular velocity w, the angular acceleration e
and the acceleration a of the frame's origin; no linear velocity is needed, since gravity and motion enter through
accelerations alone. With A = [e]x + [w]x[w]x, a point r of the body accelerates by a + A r. Inwards go the force that
each body needs and its moment about the frame's origin; a joint's torque is what of them is along its axis. Gravity is
an acceleration of the base, so it may point anywhere.

How the model is laid out is in ``rigid_tree``. The mass matrix, forward dynamics and Coriolis terms have other
derivations, in ``composite``, ``articulated`` and ``particles``.

Source: Luh, Walker and Paul, J. Dyn. Sys. Meas. Control 102 (1980), 69-76.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import like
from .quat import Matrix
from .rigid_tree import (
    HEAD,
    MASS,
    ROW,
    Vector,
    apply,
    apply_back,
    base_acceleration,
    body_inertia,
    body_moment,
    drive_row,
    friction,
    gather3,
    joint_count,
    load3,
    load9,
    moved_place,
    plus,
    store3,
    store9,
    tensor_times,
    times,
    turned_place,
    zeros,
)
from .vector import cross

SPACE = 27  # scratch a joint: rotation, origin, force, moment, and w, e, a where a branch needs them again


@helper
def acceleration_matrix(w: Vector, e: Vector) -> Matrix:
    """[e]x + [w]x[w]x: what a point of a body accelerates by beyond its origin, by place."""
    xx, yy, zz = w[0] * w[0], w[1] * w[1], w[2] * w[2]
    xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    return (-(yy + zz), xy - e[2], xz + e[1], xy + e[2], -(xx + zz), yz - e[0], xz - e[1], yz + e[0], -(xx + yy))


@helper
def moved(model: Any, b: int, w: Vector, e: Vector, a: Vector, v: Any, x: Any) -> tuple[Vector, Vector, Vector]:
    """w, e and a of the body at offset ``b`` at its joint's rate ``v`` and acceleration ``x``, from those at rest.

    All in the body's own axes. At rest they are those of the carrier's particle at the origin of the moved frame.
    """
    turn = v * model[b + 2]
    e = (e[0] + w[1] * turn, e[1] - w[0] * turn, e[2] + x * model[b + 2])
    if int(model[b + 4]) > 1:
        # the slide adds its own change and the Coriolis term 2 w x z; z x z = 0, so w before or after the turn
        slide = v * model[b + 3]
        double = slide + slide
        a = (a[0] + w[1] * double, a[1] - w[0] * double, a[2] + x * model[b + 3])
    return (w[0], w[1], w[2] + turn), e, a


@helper
def outwards(model: Any, q: Any, qd: Any, qdd: Any, at_qdd: int, moving: int, s: Any) -> None:
    """Rotations, origins, and the force and moment of every body, into ``s``.

    Rates and accelerations, the latter from index ``at_qdd`` on, are read if ``moving`` is 1.
    """
    o = like(q[0], 0.0)
    base = base_acceleration(model, o)
    w, e, a = zeros(o), zeros(o), base
    A = acceleration_matrix(w, e)
    joints = joint_count(model)
    for i in range(joints):
        b = HEAD + ROW * i
        at = SPACE * i
        k = int(model[b + 1])
        carrier = int(model[b])
        if carrier != i - 1:
            if carrier >= 0:
                w = load3(s, SPACE * carrier + 18)
                e = load3(s, SPACE * carrier + 21)
                a = load3(s, SPACE * carrier + 24)
                A = acceleration_matrix(w, e)
        x = q[k]
        R = turned_place(model, b, x)
        p = moved_place(model, b, x)
        store9(s, at, R)
        store3(s, at + 9, p)
        m = model[b + MASS]
        h = body_moment(model, b)
        if int(moving) == 1:
            if carrier < 0:
                w, e, a = zeros(o), zeros(o), apply_back(R, base)
            else:
                w, e, a = apply_back(R, w), apply_back(R, e), apply_back(R, plus(a, apply(A, p)))
            w, e, a = moved(model, b, w, e, a, qd[k], qdd[at_qdd + k])
            A = acceleration_matrix(w, e)
            I = body_inertia(model, b)  # noqa: E741
            force = plus(times(a, m), apply(A, h))
            moment = plus(plus(tensor_times(I, e), cross(w, tensor_times(I, w))), cross(h, a))
            if int(model[b + 4]) % 2 == 1:
                store3(s, at + 18, w)
                store3(s, at + 21, e)
        else:
            a = apply_back(R, base) if carrier < 0 else apply_back(R, a)
            force, moment = times(a, m), cross(h, a)
            if int(model[b + 4]) % 2 == 1:
                store3(s, at + 18, w)
                store3(s, at + 21, e)
        if int(model[b + 4]) % 2 == 1:
            store3(s, at + 24, a)
        store3(s, at + 12, force)
        store3(s, at + 15, moment)


@helper
def inwards(model: Any, o: Any, s: Any, out: Any, to: int) -> None:
    """Add the torques of the forces and moments in ``s`` to ``out`` from ``to`` on, by coordinate; ``o`` is a zero."""
    joints = joint_count(model)
    force, moment = zeros(o), zeros(o)
    for back in range(joints):
        i = joints - 1 - back
        b = HEAD + ROW * i
        at = SPACE * i
        force, moment = plus(force, load3(s, at + 12)), plus(moment, load3(s, at + 15))
        k = to + int(model[b + 1])
        out[k] = out[k] + (moment[2] * model[b + 2] + force[2] * model[b + 3])
        carrier = int(model[b])
        if carrier >= 0:
            R = load9(s, at)
            force = apply(R, force)
            moment = plus(apply(R, moment), cross(load3(s, at + 9), force))
        if carrier != i - 1:
            if carrier >= 0:
                gather3(s, SPACE * carrier + 12, force)
                gather3(s, SPACE * carrier + 15, moment)
            force, moment = zeros(o), zeros(o)


@helper
def losses(model: Any, n: int, qd: Any, qdd: Any, at_qdd: int, s: Any, at: int) -> None:
    """Torque of rotors and friction at every coordinate, from index ``at`` on; zero where there are none."""
    for k in range(n):
        s[at + k] = like(qd[k], 0.0)
        if int(model[5]) == 1:
            d = drive_row(model, k)
            s[at + k] = friction(model, d, qd[k]) + qdd[at_qdd + k] * model[d]


@helper
def torques(model: Any, q: Any, qd: Any, qdd: Any, at_qdd: int, s: Any, out: Any, to: int) -> None:
    """Torques for a motion, from index ``to`` of ``out`` on, for one coordinate or more; ``out`` may be an input."""
    n = len(q)
    first = SPACE * joint_count(model)
    outwards(model, q, qd, qdd, at_qdd, 1, s)
    losses(model, n, qd, qdd, at_qdd, s, first)
    for k in range(n):
        out[to + k] = s[first + k]
    inwards(model, like(s[0], 0.0), s, out, to)


@kernel("model in in in scratch out -> none")
def inverse_dynamics(model: Any, q: Any, qd: Any, qdd: Any, scratch: Any, out: Any) -> None:
    """Torques that a motion needs, rotors and friction included.

    Args:
        model: the tree, as ``rigid_tree`` says.
        q: coordinates, (n,), n >= 1, rad or m.
        qd: their rates, (n,), rad/s or m/s.
        qdd: their accelerations, (n,), rad/s^2 or m/s^2.
        scratch: (27 m + n,).
        out: torques or forces, (n,), N m or N; may be any of the inputs.
    """
    torques(model, q, qd, qdd, 0, scratch, out, 0)


@kernel("model in scratch out -> none")
def gravity_torque(model: Any, q: Any, scratch: Any, out: Any) -> None:
    """Torques that hold the arm still against gravity.

    Args:
        model: the tree, as ``rigid_tree`` says.
        q: coordinates, (n,), n >= 1, rad or m.
        scratch: (27 m,).
        out: torques or forces, (n,), N m or N; may be ``q``.
    """
    outwards(model, q, q, q, 0, 0, scratch)
    o = like(scratch[0], 0.0)
    for k in range(len(q)):
        out[k] = o
    inwards(model, o, scratch, out, 0)
