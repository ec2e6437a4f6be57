"""The quintic spline through points: four continuous derivatives, solved in time proportional to their number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..kernels import septic
from ..kernels._batch import run_rows

FloatArray = NDArray[np.float64]

# third and fourth derivative of a quintic of unit width at its start by value, first and second derivative at both
# ends (columns: values, then first, then second; start, then end)
_THIRD = np.array([-60.0, 60.0, -36.0, -24.0, -9.0, 3.0])
_FOURTH = np.array([360.0, -360.0, 192.0, 168.0, 36.0, -24.0])


def through(knots: FloatArray, values: FloatArray) -> FloatArray:
    """Cells (m - 1, d, 8) of the spline over ``knots`` (m,) through ``values`` (m, d), by fractions of each cell.

    At both ends the third and fourth derivative are zero, which leaves a straight line straight and at constant rate.
    """
    m, d = values.shape
    widths = np.diff(knots)
    if m == 2:  # any parabola would do: the straight line
        ends = np.zeros((2, d, 4))
        ends[:, :, 0], ends[:, :, 1] = values, (values[1] - values[0]) / widths[0]
        return _cells(ends, widths)
    # unknowns of each knot: first and second derivative; rows: third and fourth derivative continuous, or zero
    lower, middle, upper = np.zeros((m, 2, 2)), np.zeros((m, 2, 2)), np.zeros((m, 2, 2))
    right = np.zeros((m, 2, d))
    for row, (start, power) in enumerate(((_THIRD, 3), (_FOURTH, 4))):
        # seen from the end a cell runs backwards: odd derivatives change their sign
        sign = -1.0 if power == 3 else 1.0
        for k in range(m):
            if k < m - 1:
                h = widths[k]
                middle[k, row] += np.array([start[2] * h, start[4] * h * h]) / h**power
                upper[k, row] += np.array([start[3] * h, start[5] * h * h]) / h**power
                right[k, row] -= start[1] * (values[k + 1] - values[k]) / h**power
            if k > 0:
                h = widths[k - 1]
                middle[k, row] -= sign * np.array([-start[2] * h, start[4] * h * h]) / h**power
                lower[k, row] -= sign * np.array([-start[3] * h, start[5] * h * h]) / h**power
                right[k, row] += sign * start[1] * (values[k - 1] - values[k]) / h**power
    slopes = _solve_blocks(lower, middle, upper, right)
    ends = np.zeros((m, d, 4))
    ends[:, :, 0], ends[:, :, 1], ends[:, :, 2] = values, slopes[:, 0], slopes[:, 1]
    return _cells(ends, widths)


def _cells(ends: FloatArray, widths: FloatArray) -> FloatArray:
    """Quintics between values and two derivatives: septics whose third derivatives are those of the quintic."""
    h = widths[:, None, None]
    unit = np.stack([ends[:-1, :, 0], ends[1:, :, 0]], axis=2)
    first = h * np.stack([ends[:-1, :, 1], ends[1:, :, 1]], axis=2)
    second = h * h * np.stack([ends[:-1, :, 2], ends[1:, :, 2]], axis=2)
    flip = np.array([1.0, -1.0])
    step = unit[:, :, ::-1] - unit
    mine = 60.0 * step + flip * (-36.0 * first - 24.0 * first[:, :, ::-1]) - 9.0 * second + 3.0 * second[:, :, ::-1]
    states = np.stack([unit, first, second, flip * mine], axis=3)  # (m - 1, d, 2, 4) by fractions of the cell
    out = np.empty((len(widths), 8 * ends.shape[1]))
    start, end = (np.ascontiguousarray(states[:, :, side].reshape(len(widths), -1)) for side in (0, 1))
    run_rows(septic.fit, start, end, np.ones(len(widths)), out)
    return out.reshape(len(widths), ends.shape[1], 8)


def _solve_blocks(lower: FloatArray, middle: FloatArray, upper: FloatArray, right: FloatArray) -> FloatArray:
    """Gauss elimination of a block tridiagonal system, (m, 2, 2) each, right side (m, 2, d)."""
    m = len(middle)
    middle, right = middle.copy(), right.copy()
    for k in range(1, m):
        before: FloatArray = np.array(np.linalg.inv(middle[k - 1]), dtype=np.float64)
        factor = lower[k] @ before
        middle[k] -= factor @ upper[k - 1]
        right[k] -= factor @ right[k - 1]
    out = np.empty_like(right)
    out[-1] = np.linalg.solve(middle[-1], right[-1])
    for k in range(m - 2, -1, -1):
        out[k] = np.linalg.solve(middle[k], right[k] - upper[k] @ out[k + 1])
    return out
