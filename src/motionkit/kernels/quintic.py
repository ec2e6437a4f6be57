"""Quintic curves that meet position, first and second derivative at both ends, in Bezier form.

A curve of m coordinates over a cell of width h is 6 m elements: control point k of coordinate i at ``6 * i + k``. The
Bezier form is exact at both ends, evaluates by repeated averages and bounds every derivative by its control points
(Farin, Curves and Surfaces for CAGD, chapters 4 and 5).
"""

from __future__ import annotations

from typing import Any

from ._contract import SCALAR, helper, kernel
from ._elements import absolute, all_of, maximum


@kernel("in in real out -> none")
def fit(start: Any, end: Any, h: Any, control: Any) -> None:
    """Control points of the quintic between two ends.

    ``start`` and ``end`` are (3 m,): for each coordinate its value, first and second derivative with respect to
    the path parameter. ``h`` > 0 is the width of the cell. ``control`` receives (6 m,); no aliasing.
    """
    for i in range(len(control) // 6):
        k = 6 * i
        control[k] = start[3 * i]
        control[k + 1] = start[3 * i] + 0.2 * h * start[3 * i + 1]
        control[k + 2] = start[3 * i] + h * (0.4 * start[3 * i + 1] + 0.05 * h * start[3 * i + 2])
        control[k + 3] = end[3 * i] - h * (0.4 * end[3 * i + 1] - 0.05 * h * end[3 * i + 2])
        control[k + 4] = end[3 * i] - 0.2 * h * end[3 * i + 1]
        control[k + 5] = end[3 * i]


@helper
def _mix(a: Any, b: Any, u: Any, w: Any) -> Any:
    return w * a + u * b


@helper
def cell_motion(control: Any, at: int, h: Any, u: Any, sd: Any, sdd: Any, sddd: Any, out: Any) -> None:
    """The state of :func:`motion` for the cell whose control points begin at ``control[at]``."""
    m = len(out) // 4
    w = 1.0 - u
    f1 = 5.0 / h
    f2 = 4.0 / h * f1
    f3 = 3.0 / h * f2
    for i in range(m):
        k = at + 6 * i
        b0 = control[k]
        b1 = control[k + 1]
        b2 = control[k + 2]
        b3 = control[k + 3]
        b4 = control[k + 4]
        b5 = control[k + 5]
        # differences of the control points are the control points of the derivatives
        d0 = b1 - b0
        d1 = b2 - b1
        d2 = b3 - b2
        d3 = b4 - b3
        d4 = b5 - b4
        e0 = d1 - d0
        e1 = d2 - d1
        e2 = d3 - d2
        e3 = d4 - d3
        third = f3 * _mix(_mix(e1 - e0, e2 - e1, u, w), _mix(e2 - e1, e3 - e2, u, w), u, w)
        second = f2 * _cubic(e0, e1, e2, e3, u, w)
        first = f1 * _mix(_cubic(d0, d1, d2, d3, u, w), _cubic(d1, d2, d3, d4, u, w), u, w)
        value = _mix(
            _mix(_cubic(b0, b1, b2, b3, u, w), _cubic(b1, b2, b3, b4, u, w), u, w),
            _mix(_cubic(b1, b2, b3, b4, u, w), _cubic(b2, b3, b4, b5, u, w), u, w),
            u,
            w,
        )
        out[i] = value
        out[m + i] = first * sd
        out[2 * m + i] = second * sd * sd + first * sdd
        out[3 * m + i] = third * sd * sd * sd + 3.0 * second * sd * sdd + first * sddd


@kernel("in real real real real real out -> none")
def motion(control: Any, h: Any, u: Any, sd: Any, sdd: Any, sddd: Any, out: Any) -> None:
    """State of the curve at the fraction ``u`` of its cell while the path parameter moves.

    ``control`` is (6 m,), of a cell of width ``h``; ``sd, sdd, sddd`` are the rates of the path parameter in
    time. ``out`` receives (4 m,): m positions, then velocities, accelerations and jerks (chain rule).
    """
    cell_motion(control, 0, h, u, sd, sdd, sddd, out)


@kernel("model int in out -> none", elements=SCALAR)
def path_motion(path: Any, cells: int, along: Any, out: Any) -> None:
    """State of a path of several cells while its parameter moves; for floats, since each member has a cell of its own.

    Args:
        path: (cells + 1 + 6 m cells,): the knots, increasing, then the control points of the cells.
        cells: their number, at least 1.
        along: (4,): the parameter, from the first knot to the last, and its first three rates in time.
        out: (4 m,): as in :func:`motion`, with the same bits.
    """
    low = 0
    high = cells
    while high - low > 1:
        middle = (low + high) // 2
        if all_of(path[middle] <= along[0]):
            low = middle
        else:
            high = middle
    h = path[low + 1] - path[low]
    at = cells + 1 + 6 * (len(out) // 4) * low
    cell_motion(path, at, h, (along[0] - path[low]) / h, along[1], along[2], along[3], out)


@helper
def _cubic(a: Any, b: Any, c: Any, d: Any, u: Any, w: Any) -> Any:
    return _mix(_mix(_mix(a, b, u, w), _mix(b, c, u, w), u, w), _mix(_mix(b, c, u, w), _mix(c, d, u, w), u, w), u, w)


@kernel("in real out -> none")
def bounds(control: Any, h: Any, out: Any) -> None:
    """Bounds of the magnitudes of the first three derivatives over the whole cell.

    ``control`` is (6 m,), of a cell of width ``h``; ``out`` receives (3 m,): m bounds of the first
    derivative, then of the second, then of the third. A Bezier curve lies inside the hull of its control points, so
    nothing between them is larger.
    """
    m = len(out) // 3
    f1 = 5.0 / h
    f2 = 4.0 / h * f1
    f3 = 3.0 / h * f2
    for i in range(m):
        k = 6 * i
        d0 = control[k + 1] - control[k]
        d1 = control[k + 2] - control[k + 1]
        d2 = control[k + 3] - control[k + 2]
        d3 = control[k + 4] - control[k + 3]
        d4 = control[k + 5] - control[k + 4]
        e0 = d1 - d0
        e1 = d2 - d1
        e2 = d3 - d2
        e3 = d4 - d3
        out[i] = f1 * _largest(_largest(d0, d1), _largest(_largest(d2, d3), d4))
        out[m + i] = f2 * _largest(_largest(e0, e1), _largest(e2, e3))
        out[2 * m + i] = f3 * _largest(_largest(e1 - e0, e2 - e1), e3 - e2)


@kernel("in out out -> none")
def halve(control: Any, left: Any, right: Any) -> None:
    """Control points of both halves of a cell (de Casteljau).

    ``control`` is (6 m,), as :func:`fit` writes it; ``left`` and ``right`` receive (6 m,) each. No aliasing.
    """
    for i in range(len(control) // 6):
        k = 6 * i
        p0 = control[k]
        p1 = control[k + 1]
        p2 = control[k + 2]
        p3 = control[k + 3]
        p4 = control[k + 4]
        p5 = control[k + 5]
        a0 = 0.5 * (p0 + p1)
        a1 = 0.5 * (p1 + p2)
        a2 = 0.5 * (p2 + p3)
        a3 = 0.5 * (p3 + p4)
        a4 = 0.5 * (p4 + p5)
        b0 = 0.5 * (a0 + a1)
        b1 = 0.5 * (a1 + a2)
        b2 = 0.5 * (a2 + a3)
        b3 = 0.5 * (a3 + a4)
        c0 = 0.5 * (b0 + b1)
        c1 = 0.5 * (b1 + b2)
        c2 = 0.5 * (b2 + b3)
        d0 = 0.5 * (c0 + c1)
        d1 = 0.5 * (c1 + c2)
        middle = 0.5 * (d0 + d1)
        left[k] = p0
        left[k + 1] = a0
        left[k + 2] = b0
        left[k + 3] = c0
        left[k + 4] = d0
        left[k + 5] = middle
        right[k] = middle
        right[k + 1] = d1
        right[k + 2] = c2
        right[k + 3] = b3
        right[k + 4] = a4
        right[k + 5] = p5


@helper
def _largest(a: Any, b: Any) -> Any:
    return maximum(absolute(a), absolute(b))
