"""Coriolis matrix and the derivatives of torques, from the sums over all particles of what hangs on each joint.

A particle at r of a body moves by r' = J qd, and every equation of motion is a sum of J^T (J qd)' over particles. So
C = sum of J^T J' is a Coriolis matrix, and since J is a gradient it is the one of Christoffel's symbols: M' - 2 C is
skew-symmetric, and the derivative of the torques by the rates is 2 C.

Everything is in base axes, about the origin of the first joint, which stands still. A joint's motion is (w, v): its
angular rate, and the rate of the body's particle that passes that point. The sums that a body needs are its mass m,
h = sum of r, I (inertia), p = sum of r' (momentum) and D, with D a = sum of r x (a x r'). For the motion (w, v) of one
joint and its change (w', v') in time, the force is sum of (v' + w' x r + w x r') and its moment is likewise:

    force = m v' + w' x h + w x p,    moment = I w' + h x v' + D w.

With sums over everything that hangs on the outer of two joints, an element of C is the power of that on the other.
Derivatives by the coordinates use the same sums: where the joint k turns, all that hangs on it turns, and what is left
after the turn is the change of its axis by the motion of what carries it, once and twice.

How the model is laid out is in ``rigid_tree``. Torques themselves are in ``newton_euler``.

Source: the factorisation is that of Echeandia and Wensing, J. Dyn. Sys. Meas. Control 143 (2021), and the derivatives
are as in Singh, Russell and Wensing, RA-L 7 (2022); both are derived anew in docs/dynamics.md.
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
    body_inertia,
    body_moment,
    drive_row,
    friction_slope,
    gather3,
    gather6,
    gather9,
    joint_count,
    load3,
    load6,
    load9,
    minus,
    moved_place,
    plus,
    product,
    shifted_tensor,
    store3,
    store6,
    store9,
    tensor_times,
    times,
    turned_place,
    turned_tensor,
    zeros,
)
from .vector import cross, dot

# scratch a joint: moved frame 12, own motion S 6, its change 6, body's motion 6, sums 22 (m, h, I, p, D), then for
# derivatives: second change 6, body's acceleration 6, force and moment 6
AXIS = 12
RATE = 18
BODY = 24
SUMS = 30
SPACE = 52
SECOND = 52
ACCELERATION = 58
WRENCH = 64
WIDE = 70


@helper
def frames(model: Any, q: Any, s: Any, space: int) -> None:
    """Moved frames in base axes about the first joint's origin, and what a unit rate of each joint does."""
    o = like(q[0], 0.0)
    first = (model[HEAD + 14], model[HEAD + 15], model[HEAD + 16])
    joints = joint_count(model)
    for i in range(joints):
        b = HEAD + ROW * i
        at = space * i
        x = q[int(model[b + 1])]
        R = turned_place(model, b, x)
        p = moved_place(model, b, x)
        carrier = int(model[b])
        if carrier < 0:
            p = minus(p, first)
        else:
            there = space * carrier
            p = plus(apply(load9(s, there), p), load3(s, there + 9))
            R = product(load9(s, there), R)
        store9(s, at, R)
        store3(s, at + 9, p)
        z = (R[2], R[5], R[8])
        w = times(z, model[b + 2])
        store3(s, at + AXIS, w)
        store3(s, at + AXIS + 3, plus(cross(p, w), times(z, model[b + 3])))
        s[at + SUMS] = o + model[b + MASS]


@helper
def bodies(model: Any, o: Any, s: Any, space: int) -> None:
    """Mass, first moment and inertia of every body alone, in base axes about the first joint's origin."""
    joints = joint_count(model)
    for i in range(joints):
        b = HEAD + ROW * i
        at = space * i
        R, p = load9(s, at), load3(s, at + 9)
        h = apply(R, body_moment(model, b))
        I = turned_tensor(R, body_inertia(model, b))  # noqa: E741
        m = model[b + MASS]
        store6(s, at + SUMS + 4, shifted_tensor(m, h, I, p))
        store3(s, at + SUMS + 1, plus(h, times(p, m)))


@helper
def rates(model: Any, qd: Any, o: Any, s: Any, space: int) -> None:
    """Motion of every body, the change of every axis by it, and the sums p and D of every body alone."""
    joints = joint_count(model)
    for i in range(joints):
        b = HEAD + ROW * i
        at = space * i
        carrier = int(model[b])
        x = qd[int(model[b + 1])]
        a, l = load3(s, at + AXIS), load3(s, at + AXIS + 3)  # noqa: E741
        w, v = zeros(o), zeros(o)
        if carrier >= 0:
            w, v = load3(s, space * carrier + BODY), load3(s, space * carrier + BODY + 3)
        store3(s, at + RATE, cross(w, a))
        store3(s, at + RATE + 3, plus(cross(w, l), cross(v, a)))
        w, v = plus(w, times(a, x)), plus(v, times(l, x))
        store3(s, at + BODY, w)
        store3(s, at + BODY + 3, v)
        m = s[at + SUMS]
        h = load3(s, at + SUMS + 1)
        I = load6(s, at + SUMS + 4)  # noqa: E741
        store3(s, at + SUMS + 10, plus(times(v, m), cross(w, h)))
        store9(s, at + SUMS + 13, turning(w, v, h, I))


@helper
def turning(w: Vector, v: Vector, h: Vector, I: Any) -> Matrix:  # noqa: E741
    """D of a body: -[w]x E + (v . h) 1 - v h^T, where E = tr(I) / 2 - I is the sum of r r^T."""
    half = 0.5 * (I[0] + I[3] + I[5])
    xx, yy, zz = half - I[0], half - I[3], half - I[5]
    xy, xz, yz = -I[1], -I[2], -I[4]
    d = dot(v, h)
    return (
        w[2] * xy - w[1] * xz + (d - v[0] * h[0]),
        w[2] * yy - w[1] * yz - v[0] * h[1],
        w[2] * yz - w[1] * zz - v[0] * h[2],
        w[0] * xz - w[2] * xx - v[1] * h[0],
        w[0] * yz - w[2] * xy + (d - v[1] * h[1]),
        w[0] * zz - w[2] * xz - v[1] * h[2],
        w[1] * xx - w[0] * xy - v[2] * h[0],
        w[1] * xy - w[0] * yy - v[2] * h[1],
        w[1] * xz - w[0] * yz + (d - v[2] * h[2]),
    )


@helper
def gather_sums(model: Any, i: int, s: Any, space: int) -> None:
    """Hand the sums of joint ``i`` on to the joint that carries it."""
    carrier = int(model[HEAD + ROW * i])
    if carrier >= 0:
        at, there = space * i + SUMS, space * carrier + SUMS
        s[there] = s[there] + s[at]
        gather3(s, there + 1, load3(s, at + 1))
        gather6(s, there + 4, load6(s, at + 4))
        gather3(s, there + 10, load3(s, at + 10))
        gather9(s, there + 13, load9(s, at + 13))


@helper
def push(s: Any, at: int, w: Vector, e: Vector, c: Vector) -> tuple[Vector, Vector]:
    """Moment and force of a motion with angular rate w that changes by (e, c), with the sums at ``at``."""
    m = s[at]
    h = load3(s, at + 1)
    force = plus(plus(times(c, m), cross(e, h)), cross(w, load3(s, at + 10)))
    moment = plus(plus(tensor_times(load6(s, at + 4), e), cross(h, c)), apply(load9(s, at + 13), w))
    return moment, force


@helper
def power(s: Any, at: int, moment: Vector, force: Vector) -> Any:
    """Power of a moment and a force on the motion at ``at``."""
    return dot(load3(s, at), moment) + dot(load3(s, at + 3), force)


@helper
def add_coriolis(model: Any, n: int, i: int, s: Any, space: int, factor: Any, out: Any) -> None:
    """Add ``factor`` times the elements of C between joint ``i``, whose sums are whole, and those that carry it."""
    k = int(model[HEAD + ROW * i + 1])
    here = space * i
    own, own_v = load3(s, here + AXIS), load3(s, here + AXIS + 3)
    moment, force = push(s, here + SUMS, own, load3(s, here + RATE), load3(s, here + RATE + 3))
    j = i
    while j >= 0:
        there = space * j
        other = int(model[HEAD + ROW * j + 1])
        out[other * n + k] = out[other * n + k] + power(s, there + AXIS, moment, force) * factor
        if j != i:
            m, f = push(s, here + SUMS, load3(s, there + AXIS), load3(s, there + RATE), load3(s, there + RATE + 3))
            out[k * n + other] = out[k * n + other] + (dot(own, m) + dot(own_v, f)) * factor
        j = int(model[HEAD + ROW * j])


@kernel("model in in scratch out -> none")
def coriolis_matrix(model: Any, q: Any, qd: Any, scratch: Any, out: Any) -> None:
    """The Coriolis matrix C of Christoffel's symbols: ``C qd`` are the velocity torques, M' - 2 C is skew.

    Args:
        model: the tree, as ``rigid_tree`` says; friction is not part of C.
        q: coordinates, (n,), n >= 1, rad or m.
        qd: their rates, (n,), rad/s or m/s.
        scratch: (52 m,).
        out: (n n,), row-major; may be none of the inputs.
    """
    n = len(q)
    o = like(q[0], 0.0)
    frames(model, q, scratch, SPACE)
    bodies(model, o, scratch, SPACE)
    rates(model, qd, o, scratch, SPACE)
    for k in range(n * n):
        out[k] = o
    joints = joint_count(model)
    for back in range(joints):
        i = joints - 1 - back
        add_coriolis(model, n, i, scratch, SPACE, o + 1.0, out)
        gather_sums(model, i, scratch, SPACE)


@helper
def accelerations(model: Any, qd: Any, qdd: Any, o: Any, s: Any) -> None:
    """Accelerations of bodies, second changes of axes, and the force and moment of every body alone."""
    g = (o - model[2], o - model[3], o - model[4])
    joints = joint_count(model)
    for i in range(joints):
        b = HEAD + ROW * i
        at = WIDE * i
        k = int(model[b + 1])
        carrier = int(model[b])
        a, l = load3(s, at + AXIS), load3(s, at + AXIS + 3)  # noqa: E741
        c, d = load3(s, at + RATE), load3(s, at + RATE + 3)
        w, v = zeros(o), zeros(o)
        ew, ev = zeros(o), g
        if carrier >= 0:
            there = WIDE * carrier
            w, v = load3(s, there + BODY), load3(s, there + BODY + 3)
            ew, ev = load3(s, there + ACCELERATION), load3(s, there + ACCELERATION + 3)
        # the change of the change: by the acceleration of what carries it, and by its motion again
        store3(s, at + SECOND, plus(cross(ew, a), cross(w, c)))
        store3(s, at + SECOND + 3, plus(plus(cross(ew, l), cross(ev, a)), plus(cross(w, d), cross(v, c))))
        ew = plus(ew, plus(times(a, qdd[k]), times(c, qd[k])))
        ev = plus(ev, plus(times(l, qdd[k]), times(d, qd[k])))
        store3(s, at + ACCELERATION, ew)
        store3(s, at + ACCELERATION + 3, ev)
        moment, force = push(s, at + SUMS, load3(s, at + BODY), ew, ev)
        store3(s, at + WRENCH, moment)
        store3(s, at + WRENCH + 3, force)


@helper
def add_stiffness(model: Any, n: int, i: int, s: Any, out: Any) -> None:
    """Add the derivatives by coordinates between joint ``i``, whose sums are whole, and those that carry it."""
    k = int(model[HEAD + ROW * i + 1])
    here = WIDE * i
    own, own_v = load3(s, here + AXIS), load3(s, here + AXIS + 3)
    moment, force = load3(s, here + WRENCH), load3(s, here + WRENCH + 3)
    # everything that hangs on the joint turns with it, its wrench too
    twice = times(load3(s, here + RATE), 2.0)
    m, f = push(s, here + SUMS, twice, load3(s, here + SECOND), load3(s, here + SECOND + 3))
    m = plus(m, plus(cross(own, moment), cross(own_v, force)))
    f = plus(f, cross(own, force))
    j = i
    while j >= 0:
        there = WIDE * j
        other = int(model[HEAD + ROW * j + 1])
        out[other * n + k] = out[other * n + k] + power(s, there + AXIS, m, f)
        if j != i:
            twice = times(load3(s, there + RATE), 2.0)
            m2, f2 = push(s, here + SUMS, twice, load3(s, there + SECOND), load3(s, there + SECOND + 3))
            out[k * n + other] = out[k * n + other] + (dot(own, m2) + dot(own_v, f2))
        j = int(model[HEAD + ROW * j])
    carrier = int(model[HEAD + ROW * i])
    if carrier >= 0:
        gather3(s, WIDE * carrier + WRENCH, moment)
        gather3(s, WIDE * carrier + WRENCH + 3, force)


@kernel("model in in in scratch out out -> none")
def inverse_dynamics_derivatives(model: Any, q: Any, qd: Any, qdd: Any, scratch: Any, by_q: Any, by_qd: Any) -> None:
    """Derivatives of the torques of a motion by its coordinates and its rates; by accelerations it is the mass matrix.

    Args:
        model: the tree, as ``rigid_tree`` says.
        q: coordinates, (n,), n >= 1, rad or m.
        qd: their rates, (n,), rad/s or m/s.
        qdd: their accelerations, (n,), rad/s^2 or m/s^2.
        scratch: (70 m,).
        by_q: (n n,), row-major: row a torque, column a coordinate; may be none of the inputs.
        by_qd: (n n,), row-major; may be none of the inputs.
    """
    n = len(q)
    o = like(q[0], 0.0)
    for k in range(n * n):
        by_q[k] = o
        by_qd[k] = o
    frames(model, q, scratch, WIDE)
    bodies(model, o, scratch, WIDE)
    rates(model, qd, o, scratch, WIDE)
    accelerations(model, qd, qdd, o, scratch)
    joints = joint_count(model)
    for back in range(joints):
        i = joints - 1 - back
        add_stiffness(model, n, i, scratch, by_q)
        add_coriolis(model, n, i, scratch, WIDE, o + 2.0, by_qd)
        gather_sums(model, i, scratch, WIDE)
    if int(model[5]) == 1:
        for k in range(n):
            by_qd[k * n + k] = by_qd[k * n + k] + friction_slope(model, drive_row(model, k), qd[k])
