"""The long way of sampling n axes: a time or many are checked, and whoever asks fills the rows."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ..errors import NotFinite
from .samples import FloatArray, MotionSample, check_out, finite_vector


def sample_axes(
    t: float, n: int, out: FloatArray | None, fill: Callable[[float, FloatArray], object]
) -> MotionSample[FloatArray] | FloatArray:
    """Axes at one time.

    Args:
        t: s.
        n: number of axes.
        out: (4, n) to fill and return, or None for a sample.
        fill: writes positions, velocities, accelerations and jerks of a time into a flat (4 n,) array.

    Raises:
        NotFinite: ``t`` is not finite.
        WrongLength: ``out`` is not a C-contiguous float64 array of shape (4, n).
    """
    t = float(t)
    if not math.isfinite(t):
        raise NotFinite(f"expected a finite time in seconds, got {t!r}")
    if out is not None:
        check_out(out, (4, n))
        fill(t, out.reshape(4 * n))
        return out
    block = np.empty((4, n))
    fill(t, block.reshape(4 * n))
    return MotionSample(block[0], block[1], block[2], block[3])


def sample_block(ts: ArrayLike, n: int, fill: Callable[[FloatArray, FloatArray], object]) -> FloatArray:
    """Axes at many times, (4, T, n).

    Args:
        ts: (T,), s.
        n: number of axes.
        fill: writes the rows (T, 4 n) of times (T,).

    Raises:
        NotFinite: a time is not finite; the message says which.
        WrongLength: ``ts`` is not one-dimensional.
    """
    times = finite_vector(ts, "times")
    rows = np.empty((len(times), 4 * n))
    fill(times, rows)
    return np.ascontiguousarray(rows.reshape(len(times), 4, n).transpose(1, 0, 2))
