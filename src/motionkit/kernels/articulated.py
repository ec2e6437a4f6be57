"""Accelerations for given torques: the articulated-body algorithm, linear in the number of joints.

What hangs on a joint answers a push by the joint's own acceleration too, so it seems lighter than it is: an articulated
inertia A (angular by angular), B (angular by linear), C (linear by linear) with a bias force, built from the tips
inwards in the axes of each body's own moved frame. A second sweep outwards gives the accelerations. Gravity is an
acceleration of the base. A rotor adds to what the joint itself feels, and to nothing else.

Every joint must have a coordinate of its own; where joints follow others use ``composite``. How the model is laid out
is in ``rigid_tree``.

Source: Featherstone, Rigid Body Dynamics Algorithms (2008), section 7.3.
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
    Tensor,
    Vector,
    apply,
    apply_back,
    base_acceleration,
    body_inertia,
    body_moment,
    drive_row,
    friction,
    gather3,
    gather6,
    gather9,
    joint_count,
    load3,
    load6,
    load9,
    moved_place,
    plus,
    product,
    store3,
    store6,
    store9,
    tensor_times,
    times,
    turned_place,
    turned_tensor,
    zeros,
)
from .vector import cross

# scratch a joint: rotation 9, origin 3, bias acceleration 4 (its z elements are zero), bias force 6 (moment, force),
# velocity 6 or, later, the inertia's column 6; inverse pivot, torque left, articulated inertia 21, friction's share
SPACE = 52
BIAS = 12
FORCE = 16
COLUMN = 22
PIVOT = 28
LEFT = 29
INERTIA = 30


@helper
def moved_general(R: Matrix, B: Matrix) -> Matrix:
    """R B R^T."""
    T = product(R, B)
    return (
        T[0] * R[0] + T[1] * R[1] + T[2] * R[2],
        T[0] * R[3] + T[1] * R[4] + T[2] * R[5],
        T[0] * R[6] + T[1] * R[7] + T[2] * R[8],
        T[3] * R[0] + T[4] * R[1] + T[5] * R[2],
        T[3] * R[3] + T[4] * R[4] + T[5] * R[5],
        T[3] * R[6] + T[4] * R[7] + T[5] * R[8],
        T[6] * R[0] + T[7] * R[1] + T[8] * R[2],
        T[6] * R[3] + T[7] * R[4] + T[8] * R[5],
        T[6] * R[6] + T[7] * R[7] + T[8] * R[8],
    )


@helper
def cross_rows(p: Vector, B: Matrix) -> Matrix:
    """[p]x B."""
    return (
        p[1] * B[6] - p[2] * B[3],
        p[1] * B[7] - p[2] * B[4],
        p[1] * B[8] - p[2] * B[5],
        p[2] * B[0] - p[0] * B[6],
        p[2] * B[1] - p[0] * B[7],
        p[2] * B[2] - p[0] * B[8],
        p[0] * B[3] - p[1] * B[0],
        p[0] * B[4] - p[1] * B[1],
        p[0] * B[5] - p[1] * B[2],
    )


@helper
def shifted(A: Tensor, B: Matrix, C: Tensor, p: Vector) -> tuple[Tensor, Matrix]:
    """A and B of an articulated inertia about a point that the present one is ``p`` away from; C stays.

    With P = [p]x: B' = B + P C, and A' = A + W + W^T where W = P (B + P C / 2)^T.
    """
    PC = cross_rows(p, (C[0], C[1], C[2], C[1], C[3], C[4], C[2], C[4], C[5]))
    H = (
        B[0] + 0.5 * PC[0],
        B[3] + 0.5 * PC[3],
        B[6] + 0.5 * PC[6],
        B[1] + 0.5 * PC[1],
        B[4] + 0.5 * PC[4],
        B[7] + 0.5 * PC[7],
        B[2] + 0.5 * PC[2],
        B[5] + 0.5 * PC[5],
        B[8] + 0.5 * PC[8],
    )
    W = cross_rows(p, H)
    return (
        (
            A[0] + (W[0] + W[0]),
            A[1] + (W[1] + W[3]),
            A[2] + (W[2] + W[6]),
            A[3] + (W[4] + W[4]),
            A[4] + (W[5] + W[7]),
            A[5] + (W[8] + W[8]),
        ),
        (
            B[0] + PC[0],
            B[1] + PC[1],
            B[2] + PC[2],
            B[3] + PC[3],
            B[4] + PC[4],
            B[5] + PC[5],
            B[6] + PC[6],
            B[7] + PC[7],
            B[8] + PC[8],
        ),
    )


@helper
def velocities(model: Any, q: Any, qd: Any, tau: Any, s: Any) -> None:
    """Outwards: where the frames are, the velocities, and what they alone cause; sets up inertias and torques."""
    o = like(q[0], 0.0)
    joints = joint_count(model)
    for i in range(joints):
        b = HEAD + ROW * i
        at = SPACE * i
        k = int(model[b + 1])
        carrier = int(model[b])
        R = turned_place(model, b, q[k])
        p = moved_place(model, b, q[k])
        w, v = zeros(o), zeros(o)
        if carrier >= 0:
            w = load3(s, SPACE * carrier + COLUMN)
            v = load3(s, SPACE * carrier + COLUMN + 3)
            v = apply_back(R, plus(v, cross(w, p)))
            w = apply_back(R, w)
        store9(s, at, R)
        store3(s, at + 9, p)
        turn, slide = qd[k] * model[b + 2], qd[k] * model[b + 3]
        s[at + BIAS] = w[1] * turn
        s[at + BIAS + 1] = o - w[0] * turn
        s[at + BIAS + 2] = v[1] * turn + w[1] * slide
        s[at + BIAS + 3] = o - (v[0] * turn + w[0] * slide)
        w = (w[0], w[1], w[2] + turn)
        v = (v[0], v[1], v[2] + slide)
        store3(s, at + COLUMN, w)
        store3(s, at + COLUMN + 3, v)
        m = model[b + MASS]
        h = body_moment(model, b)
        I = body_inertia(model, b)  # noqa: E741
        momentum = plus(times(v, m), cross(w, h))
        about = plus(tensor_times(I, w), cross(h, v))
        store3(s, at + FORCE, plus(cross(w, about), cross(v, momentum)))
        store3(s, at + FORCE + 3, cross(w, momentum))
        s[at + LEFT] = tau[k]
        if int(model[5]) == 1:
            s[at + LEFT] = tau[k] - friction(model, drive_row(model, k), qd[k])
        store6(s, at + INERTIA, I)
        store9(s, at + INERTIA + 6, (o, o - h[2], h[1], h[2], o, o - h[0], o - h[1], h[0], o))
        store6(s, at + INERTIA + 15, (o + m, o, o, o + m, o, o + m))


@helper
def inertias(model: Any, o: Any, s: Any) -> None:
    """Inwards: the articulated inertia and bias force that each joint carries; ``o`` is a zero."""
    joints = joint_count(model)
    for back in range(joints):
        i = joints - 1 - back
        b = HEAD + ROW * i
        at = SPACE * i
        turn, slide = model[b + 2], model[b + 3]
        A = load6(s, at + INERTIA)
        B = load9(s, at + INERTIA + 6)
        C = load6(s, at + INERTIA + 15)
        moment = load3(s, at + FORCE)
        force = load3(s, at + FORCE + 3)
        # the inertia's column along the axis
        U = (A[2] * turn + B[2] * slide, A[4] * turn + B[5] * slide, A[5] * turn + B[8] * slide)
        V = (B[6] * turn + C[2] * slide, B[7] * turn + C[4] * slide, B[8] * turn + C[5] * slide)
        pivot = U[2] * turn + V[2] * slide
        if int(model[5]) == 1:
            d = drive_row(model, int(model[b + 1]))
            pivot = pivot + model[d]
        inverse = 1.0 / pivot
        left = s[at + LEFT] - (moment[2] * turn + force[2] * slide)
        store3(s, at + COLUMN, U)
        store3(s, at + COLUMN + 3, V)
        s[at + PIVOT] = inverse
        s[at + LEFT] = left
        carrier = int(model[b])
        if carrier >= 0:
            G, H = times(U, inverse), times(V, inverse)
            A = (
                A[0] - G[0] * U[0],
                A[1] - G[0] * U[1],
                A[2] - G[0] * U[2],
                A[3] - G[1] * U[1],
                A[4] - G[1] * U[2],
                A[5] - G[2] * U[2],
            )
            B = (
                B[0] - G[0] * V[0],
                B[1] - G[0] * V[1],
                B[2] - G[0] * V[2],
                B[3] - G[1] * V[0],
                B[4] - G[1] * V[1],
                B[5] - G[1] * V[2],
                B[6] - G[2] * V[0],
                B[7] - G[2] * V[1],
                B[8] - G[2] * V[2],
            )
            C = (
                C[0] - H[0] * V[0],
                C[1] - H[0] * V[1],
                C[2] - H[0] * V[2],
                C[3] - H[1] * V[1],
                C[4] - H[1] * V[2],
                C[5] - H[2] * V[2],
            )
            c0, c1, d0, d1 = s[at + BIAS], s[at + BIAS + 1], s[at + BIAS + 2], s[at + BIAS + 3]
            moment = (
                moment[0] + (A[0] * c0 + A[1] * c1) + (B[0] * d0 + B[1] * d1) + G[0] * left,
                moment[1] + (A[1] * c0 + A[3] * c1) + (B[3] * d0 + B[4] * d1) + G[1] * left,
                moment[2] + (A[2] * c0 + A[4] * c1) + (B[6] * d0 + B[7] * d1) + G[2] * left,
            )
            force = (
                force[0] + (B[0] * c0 + B[3] * c1) + (C[0] * d0 + C[1] * d1) + H[0] * left,
                force[1] + (B[1] * c0 + B[4] * c1) + (C[1] * d0 + C[3] * d1) + H[1] * left,
                force[2] + (B[2] * c0 + B[5] * c1) + (C[2] * d0 + C[4] * d1) + H[2] * left,
            )
            R, p = load9(s, at), load3(s, at + 9)
            A, B, C = turned_tensor(R, A), moved_general(R, B), turned_tensor(R, C)
            force = apply(R, force)
            moment = plus(apply(R, moment), cross(p, force))
            A, B = shifted(A, B, C, p)
            there = SPACE * carrier
            gather6(s, there + INERTIA, A)
            gather9(s, there + INERTIA + 6, B)
            gather6(s, there + INERTIA + 15, C)
            gather3(s, there + FORCE, moment)
            gather3(s, there + FORCE + 3, force)


@kernel("model in in in scratch out -> none")
def forward_dynamics(model: Any, q: Any, qd: Any, tau: Any, scratch: Any, out: Any) -> None:
    """Accelerations that torques cause, friction and rotors included.

    Args:
        model: the tree, as ``rigid_tree`` says, every joint with a coordinate of its own.
        q: coordinates, (n,), n >= 1, rad or m.
        qd: their rates, (n,), rad/s or m/s.
        tau: torques or forces, (n,), N m or N.
        scratch: (52 n,).
        out: accelerations, (n,), rad/s^2 or m/s^2; may be any of the inputs.
    """
    velocities(model, q, qd, tau, scratch)
    o = like(scratch[0], 0.0)
    inertias(model, o, scratch)
    base = base_acceleration(model, o)
    joints = joint_count(model)
    for i in range(joints):
        b = HEAD + ROW * i
        at = SPACE * i
        carrier = int(model[b])
        w, v = zeros(o), base
        if carrier >= 0:  # accelerations stand where the bias forces were
            w = load3(scratch, SPACE * carrier + FORCE)
            v = load3(scratch, SPACE * carrier + FORCE + 3)
        R, p = load9(scratch, at), load3(scratch, at + 9)
        v = apply_back(R, plus(v, cross(w, p)))
        w = apply_back(R, w)
        w = (w[0] + scratch[at + BIAS], w[1] + scratch[at + BIAS + 1], w[2])
        v = (v[0] + scratch[at + BIAS + 2], v[1] + scratch[at + BIAS + 3], v[2])
        U = load3(scratch, at + COLUMN)
        V = load3(scratch, at + COLUMN + 3)
        taken = U[0] * w[0] + U[1] * w[1] + U[2] * w[2] + (V[0] * v[0] + V[1] * v[1] + V[2] * v[2])
        x = (scratch[at + LEFT] - taken) * scratch[at + PIVOT]
        out[int(model[b + 1])] = x
        store3(scratch, at + FORCE, (w[0], w[1], w[2] + x * model[b + 2]))
        store3(scratch, at + FORCE + 3, (v[0], v[1], v[2] + x * model[b + 3]))
