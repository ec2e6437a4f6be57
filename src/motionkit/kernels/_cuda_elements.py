"""The functions of ``_elements`` as a thread of a graphics processor computes them; copied by ``_cuda``, not called.

``REAL`` is the type of the precision that is asked for; ``_cuda`` gives each copy its own. There is one number here,
never a batch, so a mask is a plain truth value.
"""

from __future__ import annotations

import math

REAL = float


def like(x, value):
    return REAL(value)


def select(mask, a, b):
    return a if mask else b


def sqrt(x):
    return math.sqrt(x) if x >= 0.0 else REAL(math.nan)


def floor(x):
    if not -4503599627370496.0 < x < 4503599627370496.0:
        return x
    below = REAL(int(x))
    below = below - 1.0 if below > x else below
    return math.copysign(below, x) if below == 0.0 else below


def absolute(x):
    return abs(x)


def copysign(x, sign):
    return math.copysign(x, sign)


def minimum(a, b):
    return a if a < b else b


def maximum(a, b):
    return a if a > b else b


def is_finite(x):
    return x - x == 0.0


def both(a, b):
    return a and b


def either(a, b):
    return a or b


def not_(mask):
    return not mask


def any_of(mask):
    return mask


def all_of(mask):
    return mask
