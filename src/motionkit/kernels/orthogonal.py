"""How far nine matrix elements are from a rotation, and the way back for those that are nearly one.

The quaternion of a rotation matrix is in ``quat``; the nearest rotation to any matrix at all, which takes singular
values, is in the room ``motionkit.spatial``.

Source of the Newton step: Higham, "Computing the polar decomposition", SIAM J. Sci. Stat. Comput. 7 (1986).
"""

from __future__ import annotations

from typing import Any

from ._contract import helper
from ._elements import absolute, maximum
from .quat import Matrix


@helper
def gram(m: Matrix) -> tuple[Any, Any, Any, Any, Any, Any]:
    """m^T m of nine elements row-major, as its six different elements 00, 01, 02, 11, 12, 22."""
    m00, m01, m02, m10, m11, m12, m20, m21, m22 = m
    return (
        m00 * m00 + m10 * m10 + m20 * m20,
        m00 * m01 + m10 * m11 + m20 * m21,
        m00 * m02 + m10 * m12 + m20 * m22,
        m01 * m01 + m11 * m11 + m21 * m21,
        m01 * m02 + m11 * m12 + m21 * m22,
        m02 * m02 + m12 * m12 + m22 * m22,
    )


@helper
def orthogonality_error(m: Matrix) -> Any:
    """Largest magnitude among the elements of m^T m - 1, for finite elements; infinite where they overflow."""
    g00, g01, g02, g11, g12, g22 = gram(m)
    e = absolute(g00 - 1.0)
    e = maximum(absolute(g11 - 1.0), e)
    e = maximum(absolute(g22 - 1.0), e)
    e = maximum(absolute(g01), e)  # an overflow has made e infinite before this can be inf - inf
    e = maximum(absolute(g02), e)
    return maximum(absolute(g12), e)


@helper
def determinant(m: Matrix) -> Any:
    """Determinant of nine elements row-major."""
    m00, m01, m02, m10, m11, m12, m20, m21, m22 = m
    return m00 * (m11 * m22 - m12 * m21) - m01 * (m10 * m22 - m12 * m20) + m02 * (m10 * m21 - m11 * m20)


@helper
def orthogonalize(m: Matrix) -> Matrix:
    """A nearly orthogonal matrix brought to the nearest orthogonal one by one Newton step, m (3 - m^T m) / 2.

    An orthogonality error e leaves about e^2: 1e-6, as in single-precision input, comes out at 1e-12. An exactly
    orthogonal matrix keeps its bits.
    """
    m00, m01, m02, m10, m11, m12, m20, m21, m22 = m
    g00, g01, g02, g11, g12, g22 = gram(m)
    a = 1.5 - 0.5 * g00
    b = 1.5 - 0.5 * g11
    c = 1.5 - 0.5 * g22
    d = -0.5 * g01
    f = -0.5 * g02
    h = -0.5 * g12
    return (
        m00 * a + m01 * d + m02 * f,
        m00 * d + m01 * b + m02 * h,
        m00 * f + m01 * h + m02 * c,
        m10 * a + m11 * d + m12 * f,
        m10 * d + m11 * b + m12 * h,
        m10 * f + m11 * h + m12 * c,
        m20 * a + m21 * d + m22 * f,
        m20 * d + m21 * b + m22 * h,
        m20 * f + m21 * h + m22 * c,
    )
