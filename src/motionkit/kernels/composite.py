"""The mass matrix by the composite-rigid-body algorithm, and accelerations by solving with it.

If only joint k accelerates, at rest and without gravity, everything that hangs on it moves as one rigid body. Its
momentum per unit rate, found from the mass, first moment and inertia of the composite, is handed inwards from joint to
joint; what of it is along a joint's axis is an element of the mass matrix. Composites are built from the tips inwards,
in the axes of each moved frame. Nothing of this is shared with the Newton-Euler recursion but where the frames are.

How the model is laid out is in ``rigid_tree``. Joints that share a coordinate add up in its row and column, so the
matrix is that of the coordinates; a tree without such joints has a quicker forward dynamics, in ``articulated``.

Source: Walker and Orin, J. Dyn. Sys. Meas. Control 104 (1982), 205-211; L D L^T as in Golub and Van Loan, 4.1.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import like
from .newton_euler import SPACE as TORQUE_SPACE
from .newton_euler import torques
from .rigid_tree import (
    HEAD,
    MASS,
    ROW,
    apply,
    body_inertia,
    body_moment,
    drive_row,
    gather3,
    gather6,
    joint_count,
    load3,
    load6,
    load9,
    moved_place,
    plus,
    plus6,
    shifted_tensor,
    store3,
    store9,
    turned_place,
    turned_tensor,
    zeros,
)
from .vector import cross

SPACE = 22  # scratch a joint: rotation, origin, and sums over branches


@helper
def masses(model: Any, q: Any, s: Any, out: Any, at: int) -> None:
    """The mass matrix, row-major (n, n), from index ``at`` of ``out`` on; for one coordinate or more."""
    n = len(q)
    o = like(q[0], 0.0)
    joints = joint_count(model)
    for i in range(joints):
        b = HEAD + ROW * i
        if int(model[b]) >= 0:  # where a joint of the base stands makes no difference
            x = q[int(model[b + 1])]
            store9(s, SPACE * i, turned_place(model, b, x))
            store3(s, SPACE * i + 9, moved_place(model, b, x))
        if int(model[b + 4]) % 2 == 1:
            for k in range(10):
                s[SPACE * i + 12 + k] = o
    for k in range(n * n):
        out[at + k] = o
    if int(model[5]) == 1:
        for k in range(n):
            d = drive_row(model, k)
            out[at + k * n + k] = o + model[d]
    # mass, first moment and inertia of what hangs on the joint, handed on here, or in scratch where branches meet
    m, h, I = o, zeros(o), (o, o, o, o, o, o)  # noqa: E741
    for back in range(joints):
        i = joints - 1 - back
        b = HEAD + ROW * i
        k = int(model[b + 1])
        m, h, I = m + model[b + MASS], plus(h, body_moment(model, b)), plus6(I, body_inertia(model, b))  # noqa: E741
        if int(model[b + 4]) % 2 == 1:
            m = m + s[SPACE * i + 12]
            h, I = plus(h, load3(s, SPACE * i + 13)), plus6(I, load6(s, SPACE * i + 16))  # noqa: E741
        # momentum and its moment at the joint's unit rate: m v + w x h and I w + h x v
        turn, slide = model[b + 2], model[b + 3]
        f = (o - h[1] * turn, h[0] * turn, m * slide)
        t = (I[2] * turn + h[1] * slide, I[4] * turn - h[0] * slide, I[5] * turn)
        out[at + k * n + k] = out[at + k * n + k] + (t[2] * turn + f[2] * slide)
        j = i
        carrier = int(model[b])
        while carrier >= 0:
            R = load9(s, SPACE * j)
            f = apply(R, f)
            t = plus(apply(R, t), cross(load3(s, SPACE * j + 9), f))
            j = carrier
            c = HEAD + ROW * j
            other = int(model[c + 1])
            x = t[2] * model[c + 2] + f[2] * model[c + 3]
            if other == k:
                out[at + k * n + k] = out[at + k * n + k] + (x + x)
            else:
                y = out[at + k * n + other] + x
                out[at + k * n + other] = y
                out[at + other * n + k] = y
            carrier = int(model[c])
        carrier = int(model[b])
        if carrier >= 0:
            R, p = load9(s, SPACE * i), load3(s, SPACE * i + 9)
            h = apply(R, h)
            I = shifted_tensor(m, h, turned_tensor(R, I), p)  # noqa: E741
            h = (h[0] + m * p[0], h[1] + m * p[1], h[2] + m * p[2])
        if carrier != i - 1:
            if carrier >= 0:
                s[SPACE * carrier + 12] = s[SPACE * carrier + 12] + m
                gather3(s, SPACE * carrier + 13, h)
                gather6(s, SPACE * carrier + 16, I)
            m, h, I = o, zeros(o), (o, o, o, o, o, o)  # noqa: E741


@helper
def factor(n: int, a: Any, at: int) -> None:
    """L D L^T of a symmetric positive definite matrix, row-major (n, n) from index ``at`` on, in its lower triangle."""
    for j in range(n):
        d = a[at + j * n + j]
        for k in range(j):
            d = d - a[at + j * n + k] * a[at + j * n + k] * a[at + k * n + k]
        a[at + j * n + j] = d
        for i in range(j + 1, n):
            x = a[at + i * n + j]
            for k in range(j):
                x = x - a[at + i * n + k] * a[at + j * n + k] * a[at + k * n + k]
            a[at + i * n + j] = x / d


@helper
def solve(n: int, a: Any, at: int, x: Any, x_at: int) -> None:
    """The solution for the right side in ``x`` from ``x_at`` on, in its place; ``a`` as :func:`factor` leaves it."""
    for i in range(n):
        y = x[x_at + i]
        for j in range(i):
            y = y - a[at + i * n + j] * x[x_at + j]
        x[x_at + i] = y
    for i in range(n):
        x[x_at + i] = x[x_at + i] / a[at + i * n + i]
    for back in range(n):
        i = n - 1 - back
        y = x[x_at + i]
        for j in range(i + 1, n):
            y = y - a[at + j * n + i] * x[x_at + j]
        x[x_at + i] = y


@kernel("model in scratch out -> none")
def mass_matrix(model: Any, q: Any, scratch: Any, out: Any) -> None:
    """The mass matrix of the coordinates, rotors included.

    Args:
        model: the tree, as ``rigid_tree`` says.
        q: coordinates, (n,), n >= 1, rad or m.
        scratch: (22 m,).
        out: (n n,), row-major, symmetric to the bit, kg m^2, kg m or kg; may not be ``q``.
    """
    masses(model, q, scratch, out, 0)


@kernel("model in in in scratch out -> none")
def forward_dynamics_by_mass(model: Any, q: Any, qd: Any, tau: Any, scratch: Any, out: Any) -> None:
    """Accelerations that torques cause, for trees where joints follow others.

    Args:
        model: the tree, as ``rigid_tree`` says.
        q: coordinates, (n,), n >= 1, rad or m.
        qd: their rates, (n,), rad/s or m/s.
        tau: torques or forces, (n,), N m or N.
        scratch: (27 m + 3 n + n n,).
        out: accelerations, (n,), rad/s^2 or m/s^2; may be any of the inputs.
    """
    n = len(q)
    zero = TORQUE_SPACE * joint_count(model) + n  # the torques' own space comes first
    left = zero + n
    M = left + n
    masses(model, q, scratch, scratch, M)
    factor(n, scratch, M)
    for k in range(n):
        scratch[zero + k] = like(q[0], 0.0)
    torques(model, q, qd, scratch, zero, scratch, scratch, left)
    for k in range(n):
        scratch[left + k] = tau[k] - scratch[left + k]
    solve(n, scratch, M, scratch, left)
    for k in range(n):
        out[k] = scratch[left + k]
