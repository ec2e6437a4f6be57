"""Eigenvalues of a symmetric 3 x 3 matrix in closed form, accurate where two or three of them nearly coincide.

The angle that the characteristic cubic gives fixes the eigenvalue that stands apart from the other two as well as
rounding allows, but of two that nearly coincide it leaves half the digits. So only the one that stands apart is taken
from it, its direction is split off, and the 2 x 2 rest has a formula that loses nothing.

Source: Smith, "Eigenvalues of a symmetric 3 x 3 matrix", CACM 4 (1961), for the angle; Householder deflation as in
Golub and Van Loan, Matrix Computations, 5.1.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, copysign, like, maximum, minimum, select, sqrt
from .trig import atan2, sincos
from .vector import cross, dot

Moments = tuple[Any, Any, Any]


@helper
def eigenvalues(xx: Any, xy: Any, xz: Any, yy: Any, yz: Any, zz: Any) -> Moments:
    """The three eigenvalues in ascending order, each within a few roundings of the largest magnitude among elements.

    Elements must be finite; any size of them, zero included, is legal.
    """
    size = maximum(absolute(xx), maximum(absolute(yy), absolute(zz)))
    size = maximum(size, maximum(absolute(xy), maximum(absolute(xz), absolute(yz))))
    one = like(xx, 1.0)
    size = select(size > 0.0, size, one)
    a = xx / size
    b = xy / size
    c = xz / size
    d = yy / size
    e = yz / size
    f = zz / size
    mean = (a + d + f) / 3.0
    a0 = a - mean
    d0 = d - mean
    f0 = f - mean
    spread = sqrt((a0 * a0 + d0 * d0 + f0 * f0 + 2.0 * (b * b + c * c + e * e)) / 6.0)
    safe = select(spread > 0.0, spread, one)
    # half the determinant of the matrix without its mean, at unit spread: the cosine of three times the angle
    u = (a0 / safe, b / safe, c / safe)
    v = (b / safe, d0 / safe, e / safe)
    w = (c / safe, e / safe, f0 / safe)
    r = 0.5 * dot(u, cross(v, w))
    r = maximum(minimum(r, one), -one)
    # of +-r the one that puts the eigenvalue that stands apart at the top: its cosine is at least 3**0.5 / 2
    sign = copysign(one, r)
    angle = atan2(sqrt(maximum((1.0 - r) * (1.0 + r), like(r, 0.0))), absolute(r)) / 3.0
    _, cosine = sincos(angle)
    apart = sign * 2.0 * cosine
    # its direction: the longest product of two rows of the matrix less it
    u = (u[0] - apart, u[1], u[2])
    v = (v[0], v[1] - apart, v[2])
    w = (w[0], w[1], w[2] - apart)
    n = _longest(cross(u, v), _longest(cross(v, w), cross(w, u)))
    length = sqrt(dot(n, n))
    there = length > 0.0
    length = select(there, length, one)
    n = (n[0] / length, n[1] / length, select(there, n[2] / length, one))
    # the reflection that takes the third axis to -+ n; its first two columns span the rest
    turn = copysign(one, n[2])
    h = 1.0 / (1.0 + absolute(n[2]))
    p = (1.0 - n[0] * n[0] * h, -n[0] * n[1] * h, -turn * n[0])
    q = (-n[0] * n[1] * h, 1.0 - n[1] * n[1] * h, -turn * n[1])
    m_n = _times(a, b, c, d, e, f, n)
    m_p = _times(a, b, c, d, e, f, p)
    m_q = _times(a, b, c, d, e, f, q)
    third = dot(n, m_n)
    pp = dot(p, m_p)
    qq = dot(q, m_q)
    pq = dot(p, m_q)
    half = 0.5 * (pp - qq)
    root = sqrt(half * half + pq * pq)
    middle = 0.5 * (pp + qq)
    low = middle - root
    high = middle + root
    least = minimum(third, low)
    most = maximum(third, high)
    between = maximum(minimum(third, high), low)
    return (least * size, between * size, most * size)


@helper
def _longest(a: Any, b: Any) -> Any:
    longer = dot(a, a) > dot(b, b)
    return (select(longer, a[0], b[0]), select(longer, a[1], b[1]), select(longer, a[2], b[2]))


@helper
def _times(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, x: Any) -> Any:
    return (a * x[0] + b * x[1] + c * x[2], b * x[0] + d * x[1] + e * x[2], c * x[0] + e * x[1] + f * x[2])


@kernel("in out -> none")
def principal_moments(tensor: Any, out: Any) -> None:
    """Principal moments of an inertia tensor, ascending.

    Args:
        tensor: (6,) elements xx, xy, xz, yy, yz, zz, kg m^2, finite.
        out: (3,), kg m^2; may not be ``tensor``.

    Source: as the module's.
    """
    least, middle, most = eigenvalues(tensor[0], tensor[1], tensor[2], tensor[3], tensor[4], tensor[5])
    out[0] = least
    out[1] = middle
    out[2] = most
