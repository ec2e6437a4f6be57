"""A piece of a tool path: its pose and its motion to the third order by its own parameter u from 0 to 1.

One form holds lines, arcs, corners and cells of splines, so that pieces of any kind are rows of one batch:

    position = P(u) + X cos(a u) + Y sin(a u)        rotation = exp(phi(u)) Q(u) / |Q(u)|

with polynomials P, phi (rotation vector) and Q (quaternion) of the seventh degree. A piece is ``PIECE`` elements: P
(24), X (3), Y (3), a, phi (24), Q (32), the factor of u^k of coordinate i at ``8 * i + k`` of its polynomial.
"""

from __future__ import annotations

from typing import Any

from . import quat
from ._contract import helper, kernel
from ._elements import like
from .septic import jet
from .trig import sincos
from .vector import dot

PIECE = 87
ARC = 24
TURN = 31
SPIN = 55
TERMS = 17  # of the series of sin and cos in the squared half angle, enough for turns of up to 4 pi


@helper
def _sine_series(v: Any) -> Any:
    """cos(sqrt v), then f = sin(sqrt v) / sqrt v and its first three derivatives by v; no branch, no division by v."""
    c = like(v, 0.0)
    f = like(v, 0.0)
    f1 = like(v, 0.0)
    f2 = like(v, 0.0)
    f3 = like(v, 0.0)
    k = like(v, TERMS - 1.0)  # an element: a whole number would make a double of it
    for _ in range(TERMS):
        # f = 1 - v / (2 3) (1 - v / (4 5) (...)): each round multiplies by -v over two numbers and adds one
        inner = -1.0 / ((2.0 * k + 2.0) * (2.0 * k + 3.0))
        f3 = inner * (f3 * v + 3.0 * f2)
        f2 = inner * (f2 * v + 2.0 * f1)
        f1 = inner * (f1 * v + f)
        f = 1.0 + inner * v * f
        c = 1.0 - v / ((2.0 * k + 1.0) * (2.0 * k + 2.0)) * c
        k = k - 1.0
    return (c, f, f1, f2, f3)


@helper
def _exp_jet(a0: Any, a1: Any, a2: Any, a3: Any) -> Any:
    """Quaternion of a rotation vector and its first three derivatives."""
    v1 = 0.5 * dot(a0, a1)
    v2 = 0.5 * (dot(a1, a1) + dot(a0, a2))
    v3 = 0.5 * (3.0 * dot(a1, a2) + dot(a0, a3))
    c, f, g1, g2, g3 = _sine_series(0.25 * dot(a0, a0))
    f1 = g1 * v1
    f2 = g2 * v1 * v1 + g1 * v2
    f3 = g3 * v1 * v1 * v1 + 3.0 * g2 * v1 * v2 + g1 * v3
    # the derivative of the cosine by v is -f / 2
    c1 = -0.5 * f * v1
    c2 = -0.5 * (g1 * v1 * v1 + f * v2)
    c3 = -0.5 * (g2 * v1 * v1 * v1 + 3.0 * g1 * v1 * v2 + f * v3)
    x0, y0, z0 = a0
    x1, y1, z1 = a1
    x2, y2, z2 = a2
    x3, y3, z3 = a3
    return (
        (c, 0.5 * f * x0, 0.5 * f * y0, 0.5 * f * z0),
        (c1, 0.5 * (f1 * x0 + f * x1), 0.5 * (f1 * y0 + f * y1), 0.5 * (f1 * z0 + f * z1)),
        (
            c2,
            0.5 * (f2 * x0 + 2.0 * f1 * x1 + f * x2),
            0.5 * (f2 * y0 + 2.0 * f1 * y1 + f * y2),
            0.5 * (f2 * z0 + 2.0 * f1 * z1 + f * z2),
        ),
        (
            c3,
            0.5 * (f3 * x0 + 3.0 * f2 * x1 + 3.0 * f1 * x2 + f * x3),
            0.5 * (f3 * y0 + 3.0 * f2 * y1 + 3.0 * f1 * y2 + f * y3),
            0.5 * (f3 * z0 + 3.0 * f2 * z1 + 3.0 * f1 * z2 + f * z3),
        ),
    )


@helper
def _combine(a: Any, fa: float, b: Any, fb: float) -> Any:
    return (fa * a[0] + fb * b[0], fa * a[1] + fb * b[1], fa * a[2] + fb * b[2], fa * a[3] + fb * b[3])


@helper
def _product_jet(e: Any, q: Any) -> Any:
    """Product of two quaternions that move, and its first three derivatives (Leibniz)."""
    e0, e1, e2, e3 = e
    q0, q1, q2, q3 = q
    first = _combine(quat.multiply(e1, q0), 1.0, quat.multiply(e0, q1), 1.0)
    outer = _combine(quat.multiply(e2, q0), 1.0, quat.multiply(e0, q2), 1.0)
    second = _combine(outer, 1.0, quat.multiply(e1, q1), 2.0)
    ends = _combine(quat.multiply(e3, q0), 1.0, quat.multiply(e0, q3), 1.0)
    inner = _combine(quat.multiply(e2, q1), 3.0, quat.multiply(e1, q2), 3.0)
    return (quat.multiply(e0, q0), first, second, _combine(ends, 1.0, inner, 1.0))


@helper
def _inner(a: Any, b: Any) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@helper
def _vector_jet(piece: Any, at: int, u: Any) -> Any:
    x0, x1, x2, x3 = jet(piece, at, u)
    y0, y1, y2, y3 = jet(piece, at + 8, u)
    z0, z1, z2, z3 = jet(piece, at + 16, u)
    return ((x0, y0, z0), (x1, y1, z1), (x2, y2, z2), (x3, y3, z3))


@kernel("in real out -> none")
def motion(piece: Any, u: Any, out: Any) -> None:
    """Pose and three derivatives by ``u`` of a piece (``PIECE``,).

    ``out`` is (30,): rotation row-major (9) and position (3), then position and angular rate in base axes, their first
    and their second derivatives (6 each): p', w, p'', w', p''', w''. Q must not pass through zero. The angular rate is
    that of a quaternion q of any length: w = 2 vec(q' q*) / (q q*).
    """
    a0, a1, a2, a3 = _vector_jet(piece, TURN, u)
    w0, w1, w2, w3 = jet(piece, SPIN, u)
    x0, x1, x2, x3 = jet(piece, SPIN + 8, u)
    y0, y1, y2, y3 = jet(piece, SPIN + 16, u)
    z0, z1, z2, z3 = jet(piece, SPIN + 24, u)
    spin = ((w0, x0, y0, z0), (w1, x1, y1, z1), (w2, x2, y2, z2), (w3, x3, y3, z3))
    q0, q1, q2, q3 = _product_jet(_exp_jet(a0, a1, a2, a3), spin)
    r = quat.to_matrix(quat.normalize(q0))
    for k in range(9):
        out[k] = r[k]
    n0 = _inner(q0, q0)
    n1 = 2.0 * _inner(q0, q1)
    n2 = 2.0 * (_inner(q1, q1) + _inner(q0, q2))
    b1 = quat.multiply(q1, quat.conjugate(q0))
    b2 = quat.multiply(q2, quat.conjugate(q0))
    b3 = _combine(quat.multiply(q3, quat.conjugate(q0)), 1.0, quat.multiply(q2, quat.conjugate(q1)), 1.0)
    s, c = sincos(piece[ARC + 6] * u)
    a = piece[ARC + 6]
    for i in range(3):
        p0, p1, p2, p3 = jet(piece, 8 * i, u)
        even = piece[ARC + i] * c + piece[ARC + 3 + i] * s
        odd = piece[ARC + 3 + i] * c - piece[ARC + i] * s
        out[9 + i] = p0 + even
        out[12 + i] = p1 + a * odd
        out[18 + i] = p2 - a * a * even
        out[24 + i] = p3 - a * a * a * odd
    for i in range(3):
        rate = b1[1 + i] / n0
        turn = (b2[1 + i] - rate * n1) / n0
        out[15 + i] = 2.0 * rate
        out[21 + i] = 2.0 * turn
        out[27 + i] = 2.0 * (b3[1 + i] - 2.0 * turn * n1 - rate * n2) / n0
