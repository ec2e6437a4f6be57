"""Polynomials of the seventh degree that meet value and three derivatives at both ends: corners and cells of splines.

A curve of m coordinates is 8 m elements: the factor of u^k of coordinate i at ``8 * i + k``, u from 0 to 1.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import like


@helper
def jet(coefficients: Any, at: int, u: Any) -> Any:
    """Value and first three derivatives by u of the polynomial at ``coefficients[at]`` (Horner's rule)."""
    value = coefficients[at + 7]
    first = like(value, 0.0)
    second = like(value, 0.0)
    third = like(value, 0.0)
    for j in range(7):
        third = third * u + second
        second = second * u + first
        first = first * u + value
        value = value * u + coefficients[at + 6 - j]
    return (value, first, 2.0 * second, 6.0 * third)


@kernel("in in real out -> none")
def fit(start: Any, end: Any, h: Any, coefficients: Any) -> None:
    """The curve between two ends: ``coefficients`` (8 m,).

    ``start`` and ``end`` are (4 m,): for each coordinate its value and first three derivatives by the path parameter,
    of which the cell takes ``h`` > 0.
    """
    for i in range(len(coefficients) // 8):
        c0 = start[4 * i]
        c1 = h * start[4 * i + 1]
        c2 = 0.5 * h * h * start[4 * i + 2]
        c3 = h * h * h * start[4 * i + 3] / 6.0
        # what the four highest powers have to add at the other end
        a = end[4 * i] - c0 - c1 - c2 - c3
        b = h * end[4 * i + 1] - c1 - 2.0 * c2 - 3.0 * c3
        c = h * h * end[4 * i + 2] - 2.0 * c2 - 6.0 * c3
        d = h * h * h * end[4 * i + 3] - 6.0 * c3
        k = 8 * i
        coefficients[k] = c0
        coefficients[k + 1] = c1
        coefficients[k + 2] = c2
        coefficients[k + 3] = c3
        coefficients[k + 4] = 35.0 * a - 15.0 * b + 2.5 * c - d / 6.0
        coefficients[k + 5] = 39.0 * b - 84.0 * a - 7.0 * c + 0.5 * d
        coefficients[k + 6] = 70.0 * a - 34.0 * b + 6.5 * c - 0.5 * d
        coefficients[k + 7] = 10.0 * b - 20.0 * a - 2.0 * c + d / 6.0


@kernel("in real real out -> none")
def derivatives(coefficients: Any, h: Any, u: Any, out: Any) -> None:
    """Value and three derivatives by the path parameter at the fraction ``u`` of a cell of width ``h``.

    ``coefficients`` is (8 m,); ``out`` (4 m,): for each coordinate its value and derivatives.
    """
    for i in range(len(out) // 4):
        value, first, second, third = jet(coefficients, 8 * i, u)
        out[4 * i] = value
        out[4 * i + 1] = first / h
        out[4 * i + 2] = second / (h * h)
        out[4 * i + 3] = third / (h * h * h)
