"""Geometric Jacobian of a point of one body of a tree, and its derivative in time.

A column is the motion of the point for a unit rate of a coordinate, (linear, angular), in base axes. Only joints that
carry the body move it. How the model is laid out is in ``rigid_tree``, the sweeps are those of ``particles``; a chain
has a quicker Jacobian of its tip, in ``chain``.

Source: the columns are those of any text on manipulators; their change is that of an axis that a body carries along.
"""

from __future__ import annotations

from typing import Any

from ._contract import kernel
from ._elements import like
from .momentum import gather_column
from .particles import AXIS, BODY, RATE, SPACE, bodies, frames, rates
from .rigid_tree import HEAD, ROW, apply, load3, load9, plus, zeros
from .vector import cross


@kernel("model in in real real real int scratch out out -> none")
def point_jacobian(
    model: Any, q: Any, qd: Any, x: Any, y: Any, z: Any, body: int, scratch: Any, jacobian: Any, rate: Any
) -> None:
    """Jacobian of a point that a body carries, and its derivative in time.

    Args:
        model: the tree, as ``rigid_tree`` says.
        q: coordinates, (n,), n >= 1, rad or m.
        qd: their rates, (n,), rad/s or m/s.
        x: of the point in the body's moved frame, m.
        y: likewise.
        z: likewise.
        body: which one, from 0 on; -1 is the base.
        scratch: (52 m,).
        jacobian: (6 n,) row-major, linear rows first, base axes, reference point at the point.
        rate: its derivative in time, (6 n,).
    """
    n = len(q)
    o = like(q[0], 0.0)
    frames(model, q, scratch, SPACE)
    bodies(model, o, scratch, SPACE)
    rates(model, qd, o, scratch, SPACE)
    for k in range(6 * n):
        jacobian[k] = o
        rate[k] = o
    r, v = zeros(o), zeros(o)
    if body >= 0:
        at = SPACE * body
        r = plus(apply(load9(scratch, at), (x, y, z)), load3(scratch, at + 9))
        v = plus(load3(scratch, at + BODY + 3), cross(load3(scratch, at + BODY), r))
    j = int(body)
    while j >= 0:
        at = SPACE * j
        k = int(model[HEAD + ROW * j + 1])
        w, u = load3(scratch, at + AXIS), load3(scratch, at + AXIS + 3)
        e, c = load3(scratch, at + RATE), load3(scratch, at + RATE + 3)
        gather_column(jacobian, k, n, plus(u, cross(w, r)))
        gather_column(jacobian, 3 * n + k, n, w)
        gather_column(rate, k, n, plus(plus(c, cross(e, r)), cross(w, v)))
        gather_column(rate, 3 * n + k, n, e)
        j = int(model[HEAD + ROW * j])
