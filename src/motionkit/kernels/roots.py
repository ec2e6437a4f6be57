"""Roots that the hardware does not have, from arithmetic and square roots alone.

The cube root is here; polynomial root finding is not.
"""

from __future__ import annotations

from ._contract import helper
from ._elements import like, select, sqrt


@helper
def cbrt(x):
    """Cube root of ``x >= 0``, within 1.2 units in the last place for every normal number; zero of zero.

    The start is x**(1/4 + 1/16 + 1/64 + 1/256 + 1/1024) from ten square roots, which is within 26 % of x**(1/3) over
    the whole range of doubles; three steps of Halley's iteration (each cubes the relative error) finish it. The
    iteration works with y**3/x, which is near one, so nothing overflows.
    """
    positive = x > 0.0
    safe = select(positive, x, like(x, 1.0))
    power = safe
    y = like(x, 1.0)
    for _ in range(5):
        power = sqrt(sqrt(power))
        y = y * power
    for _ in range(3):
        error = (y * y / safe) * y - 1.0
        y = y - y * error / (2.0 * error + 3.0)
    return select(positive, y, like(x, 0.0))
