"""What an element can do: the operations whose meaning, and whose bits, are the same on every element type.

An element is the number a kernel computes with: a Python ``float``, or a NumPy array that holds one number for every
member of a batch. Kernels use ``+ - * /``, comparisons and the functions of this module, nothing else, so that each
element type gives the same bits. Minimum and maximum are comparisons, the floor keeps ``-0.0``, the square root of a
negative number is NaN and nothing raises. Algorithms do not belong here.
"""

from __future__ import annotations

import math

import numpy as np


def like(x, value):
    """The constant ``value`` in the element type of ``x``."""
    return value


def select(mask, a, b):
    """``a`` where the mask holds, else ``b``; both are always computed."""
    if mask is True:
        return a
    if mask is False:
        return b
    if isinstance(mask, np.ndarray):
        return np.where(mask, a, b)
    if isinstance(mask, np.bool_):
        return a if mask else b
    raise TypeError(f"select expects a comparison as its mask, got {type(mask).__name__}")


def sqrt(x):
    """Square root; NaN below zero."""
    if isinstance(x, float):
        return math.sqrt(x) if x >= 0.0 else math.nan
    with np.errstate(invalid="ignore"):
        return np.sqrt(x)


def floor(x):
    """Largest whole number not above ``x``; keeps ``-0.0``, infinities and NaN."""
    if isinstance(x, float):
        return x // 1.0 if -4503599627370496.0 < x < 4503599627370496.0 else x
    return np.floor(x)


def absolute(x):
    """Magnitude of ``x``."""
    return abs(x)


def copysign(x, sign):
    """Magnitude of ``x`` with the sign bit of ``sign``."""
    if isinstance(x, float) and isinstance(sign, float):
        return math.copysign(x, sign)
    return np.copysign(x, sign)


def minimum(a, b):
    """The smaller of two elements; ``b`` when they do not compare (NaN)."""
    return select(a < b, a, b)


def maximum(a, b):
    """The larger of two elements; ``b`` when they do not compare (NaN)."""
    return select(a > b, a, b)


def is_finite(x):
    """A mask: neither infinite nor NaN."""
    return absolute(x) <= 1.7976931348623157e308


def both(a, b):
    """A mask: both masks hold."""
    return a & b


def either(a, b):
    """A mask: at least one of the masks holds."""
    return a | b


def not_(mask):
    """A mask: the mask does not hold."""
    if mask is True or mask is False:
        return not mask
    return np.logical_not(mask)


def any_of(mask):
    """Whether the mask holds for at least one member of the batch: a plain truth value to branch on."""
    return bool(np.any(mask)) if isinstance(mask, np.ndarray) else bool(mask)


def all_of(mask):
    """Whether the mask holds for every member of the batch: a plain truth value to branch on."""
    return bool(np.all(mask)) if isinstance(mask, np.ndarray) else bool(mask)
