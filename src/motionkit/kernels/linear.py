"""Small symmetric linear systems, written out without loops or pivots so that every element type can run them.

A symmetric 6 x 6 matrix is a tuple of its 21 lower-triangle elements, row by row. The factorisation is L D L^T
(Golub and Van Loan, Matrix Computations, 4.1); it needs no square root and no pivoting on positive definite matrices.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper
from ._elements import like, maximum, select, sqrt


@helper
def _pivot(d: Any, diagonal: Any) -> Any:
    return maximum(d, diagonal * 1e-15 + 1e-300)


@helper
def factor6(a: Any) -> Any:
    """L D L^T of a symmetric positive definite 6 x 6 matrix: 15 elements of L below its unit diagonal, then 6 of D.

    Rounding can leave nothing of a pivot of a matrix that is nearly singular; it counts as the part of its diagonal
    element that rounding cannot tell from nothing, so that a solution is large there and never infinite.
    """
    d0 = _pivot(a[0], a[0])
    i0 = 1.0 / d0
    l10 = a[1] * i0
    l20 = a[3] * i0
    l30 = a[6] * i0
    l40 = a[10] * i0
    l50 = a[15] * i0
    d1 = _pivot(a[2] - l10 * a[1], a[2])
    i1 = 1.0 / d1
    t21 = a[4] - l20 * a[1]
    t31 = a[7] - l30 * a[1]
    t41 = a[11] - l40 * a[1]
    t51 = a[16] - l50 * a[1]
    l21 = t21 * i1
    l31 = t31 * i1
    l41 = t41 * i1
    l51 = t51 * i1
    d2 = _pivot(a[5] - l20 * a[3] - l21 * t21, a[5])
    i2 = 1.0 / d2
    t32 = a[8] - l30 * a[3] - l31 * t21
    t42 = a[12] - l40 * a[3] - l41 * t21
    t52 = a[17] - l50 * a[3] - l51 * t21
    l32 = t32 * i2
    l42 = t42 * i2
    l52 = t52 * i2
    d3 = _pivot(a[9] - l30 * a[6] - l31 * t31 - l32 * t32, a[9])
    i3 = 1.0 / d3
    t43 = a[13] - l40 * a[6] - l41 * t31 - l42 * t32
    t53 = a[18] - l50 * a[6] - l51 * t31 - l52 * t32
    l43 = t43 * i3
    l53 = t53 * i3
    d4 = _pivot(a[14] - l40 * a[10] - l41 * t41 - l42 * t42 - l43 * t43, a[14])
    t54 = a[19] - l50 * a[10] - l51 * t41 - l52 * t42 - l53 * t43
    l54 = t54 / d4
    d5 = _pivot(a[20] - l50 * a[15] - l51 * t51 - l52 * t52 - l53 * t53 - l54 * t54, a[20])
    return (l10, l20, l21, l30, l31, l32, l40, l41, l42, l43, l50, l51, l52, l53, l54, d0, d1, d2, d3, d4, d5)


@helper
def solve6(f: Any, b: Any) -> Any:
    """Solution of the 6 x 6 system whose :func:`factor6` is ``f``, for the right side ``b``."""
    y0 = b[0]
    y1 = b[1] - f[0] * y0
    y2 = b[2] - f[1] * y0 - f[2] * y1
    y3 = b[3] - f[3] * y0 - f[4] * y1 - f[5] * y2
    y4 = b[4] - f[6] * y0 - f[7] * y1 - f[8] * y2 - f[9] * y3
    y5 = b[5] - f[10] * y0 - f[11] * y1 - f[12] * y2 - f[13] * y3 - f[14] * y4
    x5 = y5 / f[20]
    x4 = y4 / f[19] - f[14] * x5
    x3 = y3 / f[18] - f[9] * x4 - f[13] * x5
    x2 = y2 / f[17] - f[5] * x3 - f[8] * x4 - f[12] * x5
    x1 = y1 / f[16] - f[2] * x2 - f[4] * x3 - f[7] * x4 - f[11] * x5
    x0 = y0 / f[15] - f[0] * x1 - f[1] * x2 - f[3] * x3 - f[6] * x4 - f[10] * x5
    return (x0, x1, x2, x3, x4, x5)


@helper
def orthonormalize(count: int, size: int, v: Any, at: int, r: Any, r_at: int) -> Any:
    """Gram-Schmidt, twice, of ``count`` vectors of ``size`` elements; the product of their heights.

    The vectors stand in ``v`` from ``at``, one after the other, and become orthonormal in place; the lower triangle
    ``r[r_at + i * count + j]`` (j <= i) rebuilds vector i from the new ones. The product is the volume they span: the
    manipulability when they are the rows of a Jacobian. A vector without height becomes zero, its diagonal too. Twice
    is enough (Giraud et al., 2005, Numer. Math. 101), so the error grows with the condition, not with its square.
    """
    volume = like(v[at], 1.0)
    for i in range(count):
        for j in range(i):
            r[r_at + i * count + j] = like(v[at], 0.0)
        for _ in range(2):
            for j in range(i):
                dot = like(v[at], 0.0)
                for k in range(size):
                    dot = dot + v[at + i * size + k] * v[at + j * size + k]
                for k in range(size):
                    v[at + i * size + k] = v[at + i * size + k] - dot * v[at + j * size + k]
                r[r_at + i * count + j] = r[r_at + i * count + j] + dot
        square = like(v[at], 0.0)
        for k in range(size):
            square = square + v[at + i * size + k] * v[at + i * size + k]
        height = sqrt(square)
        inverse = 1.0 / select(height > 0.0, height, like(height, 1.0))
        for k in range(size):
            v[at + i * size + k] = v[at + i * size + k] * inverse
        r[r_at + i * count + i] = height
        volume = volume * height
    return volume
