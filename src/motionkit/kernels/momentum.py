"""Energies, centre of mass and momentum of everything that moves.

Everything is in base axes. Only bodies that move count: one that is fixed to the base has no momentum and adds a
constant to the potential energy. How the model is laid out is in ``rigid_tree``.

The momentum about the centre of mass is linear in the rates: A qd, with A the centroidal momentum matrix.

Source: Orin, Goswami and Lee, Autonomous Robots 35 (2013), 161-176.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import like
from .particles import AXIS, BODY, SPACE, SUMS, bodies, frames, gather_sums, rates
from .rigid_tree import (
    HEAD,
    ROW,
    Vector,
    drive_row,
    gather3,
    joint_count,
    load3,
    load6,
    minus,
    plus,
    tensor_times,
    times,
)
from .vector import cross, dot


@helper
def whole(model: Any, q: Any, qd: Any, s: Any) -> tuple[Any, Vector]:
    """Mass and first moment about the first joint's origin of all that moves; every joint's sums are whole then."""
    o = like(q[0], 0.0)
    frames(model, q, s, SPACE)
    bodies(model, o, s, SPACE)
    rates(model, qd, o, s, SPACE)
    joints = joint_count(model)
    m, h = o, (o, o, o)
    for back in range(joints):
        i = joints - 1 - back
        gather_sums(model, i, s, SPACE)
        if int(model[HEAD + ROW * i]) < 0:
            m = m + s[SPACE * i + SUMS]
            h = plus(h, load3(s, SPACE * i + SUMS + 1))
    return m, h


@helper
def gather_column(out: Any, at: int, n: int, v: Vector) -> None:
    """Add three elements, ``n`` apart, to those from index ``at`` on."""
    out[at] = out[at] + v[0]
    out[at + n] = out[at + n] + v[1]
    out[at + 2 * n] = out[at + 2 * n] + v[2]


@kernel("model in in scratch out -> none")
def energies(model: Any, q: Any, qd: Any, scratch: Any, out: Any) -> None:
    """Kinetic and potential energy; the latter is zero for a mass at the origin of the base frame.

    Args:
        model: the tree, as ``rigid_tree`` says.
        q: coordinates, (n,), n >= 1, rad or m.
        qd: their rates, (n,), rad/s or m/s.
        scratch: (52 m,).
        out: kinetic energy, rotors included, and potential energy, (2,), J.
    """
    o = like(q[0], 0.0)
    frames(model, q, scratch, SPACE)
    bodies(model, o, scratch, SPACE)
    rates(model, qd, o, scratch, SPACE)
    g = (o + model[2], o + model[3], o + model[4])
    first = (model[HEAD + 14], model[HEAD + 15], model[HEAD + 16])
    twice, fall = o, o
    joints = joint_count(model)
    for i in range(joints):
        at = SPACE * i
        m, h = scratch[at + SUMS], load3(scratch, at + SUMS + 1)
        w, v = load3(scratch, at + BODY), load3(scratch, at + BODY + 3)
        # v . (m v + w x h) + w . (I w + h x v)
        twice = twice + dot(v, load3(scratch, at + SUMS + 10))
        twice = twice + dot(w, plus(tensor_times(load6(scratch, at + SUMS + 4), w), cross(h, v)))
        fall = fall + dot(g, plus(h, times(first, m)))
    if int(model[5]) == 1:
        for k in range(len(q)):
            d = drive_row(model, k)
            twice = twice + model[d] * qd[k] * qd[k]
    out[0] = 0.5 * twice
    out[1] = -fall


@kernel("model in in scratch out -> none")
def centroidal_momentum(model: Any, q: Any, qd: Any, scratch: Any, out: Any) -> None:
    """Mass, centre of mass, its velocity, momentum, and the centroidal momentum matrix.

    Args:
        model: the tree, as ``rigid_tree`` says; with mass in it.
        q: coordinates, (n,), n >= 1, rad or m.
        qd: their rates, (n,), rad/s or m/s.
        scratch: (52 m,).
        out: (13 + 6 n,): mass (kg), centre of mass in the base (3, m), its velocity (3, m/s), linear momentum (3, kg
            m/s) and angular momentum about the centre of mass (3, kg m^2/s), then the matrix (6, n) row-major, linear
            rows first. May be none of the inputs.
    """
    n = len(q)
    m, h = whole(model, q, qd, scratch)
    o = like(q[0], 0.0)
    centre = (h[0] / m, h[1] / m, h[2] / m)
    for k in range(12 + 6 * n):
        out[1 + k] = o
    out[0] = m
    out[1] = centre[0] + model[HEAD + 14]
    out[2] = centre[1] + model[HEAD + 15]
    out[3] = centre[2] + model[HEAD + 16]
    joints = joint_count(model)
    for i in range(joints):
        at = SPACE * i
        k = int(model[HEAD + ROW * i + 1])
        w, v = load3(scratch, at + AXIS), load3(scratch, at + AXIS + 3)
        mass, moment = scratch[at + SUMS], load3(scratch, at + SUMS + 1)
        p = plus(times(v, mass), cross(w, moment))
        # about the first joint's origin, then about the centre of mass
        a = plus(tensor_times(load6(scratch, at + SUMS + 4), w), cross(moment, v))
        a = minus(a, cross(centre, p))
        x = qd[k]
        gather3(out, 7, times(p, x))
        gather3(out, 10, times(a, x))
        gather_column(out, 13 + k, n, p)
        gather_column(out, 13 + 3 * n + k, n, a)
    for r in range(3):
        out[4 + r] = out[7 + r] / m
