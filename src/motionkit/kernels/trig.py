"""Sine, cosine and arctangent from arithmetic alone, so that every element type and every machine gives the same bits.

Sources: Cody and Waite, Software Manual for the Elementary Functions (reduction by a split pi/2); the minimax
polynomials on [-pi/4, pi/4] are those of fdlibm (Sun Microsystems, freely usable), the rational arctangent that of the
Cephes library (Moshier). No mathematics library is called.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper
from ._elements import absolute, both, copysign, either, floor, like, not_, select

PI = 3.141592653589793
PI_LOW = 1.2246467991473532e-16  # pi minus the double above
HALF_PI = 1.5707963267948966
HALF_PI_LOW = 6.123233995736766e-17
QUARTER_PI = 0.7853981633974483
QUARTER_PI_LOW = 3.061616997868383e-17
TWO_PI = 6.283185307179586

# pi/2 in three pieces of 33, 33 and 53 bits: whole multiples of the first two are exact up to 2**20 quarter turns
_HALF_PI_1 = 1.5707963267341256e00
_HALF_PI_2 = 6.0771005063039660e-11
_HALF_PI_3 = 2.0222662487959506e-21

LARGEST_ANGLE = 1e6  # rad; the rooms refuse more, because an angle of 1e8 rad has lost 7e-9 rad before it arrives


@helper
def sincos(x: Any) -> tuple[Any, Any]:
    """Sine and cosine of an angle in radians, for ``|x| <= 1e6``.

    Within 2 units in the last place of the true value.
    """
    k = floor(x * 0.6366197723675814 + 0.5)
    r = ((x - k * _HALF_PI_1) - k * _HALF_PI_2) - k * _HALF_PI_3
    z = r * r
    s = r + r * z * (
        -1.66666666666666324348e-01
        + z
        * (
            8.33333333332248946124e-03
            + z
            * (
                -1.98412698298579493134e-04
                + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
            )
        )
    )
    c = (1.0 - 0.5 * z) + z * z * (
        4.16666666666666019037e-02
        + z
        * (
            -1.38888888888741095749e-03
            + z
            * (
                2.48015872894767294178e-05
                + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
            )
        )
    )
    # quarter turn k mod 4: odd quarters exchange the two, halves change signs
    half = floor(k * 0.5)
    odd = k - 2.0 * half > 0.5
    sine_sign = 1.0 - 2.0 * (half - 2.0 * floor(half * 0.5))
    shifted = floor((k + 1.0) * 0.5)
    cosine_sign = 1.0 - 2.0 * (shifted - 2.0 * floor(shifted * 0.5))
    return select(odd, c, s) * sine_sign, select(odd, s, c) * cosine_sign


@helper
def atan2(y: Any, x: Any) -> Any:
    """Angle of the point (x, y) in radians, in [-pi, pi], with the sign of ``y``; signed zeros as in IEEE 754.

    Within 2 units in the last place of the true value.
    """
    ay = absolute(y)
    ax = absolute(x)
    steep = ay > ax
    high = select(steep, ay, ax)
    low = select(steep, ax, ay)
    far = low > 0.41421356237309503 * high  # beyond pi/8 turn by pi/4
    numerator = select(far, low - high, low)
    denominator = select(far, low + high, high)
    denominator = select(denominator == 0.0, like(x, 1.0), denominator)  # both zero
    t = numerator / denominator
    z = t * t
    p = (
        ((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z - 7.500855792314704667340e1) * z
        - 1.228866684490136173410e2
    ) * z - 6.485021904942025371773e1
    q = (
        (((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z + 4.328810604912902668951e2) * z
        + 4.853903996359136964868e2
    ) * z + 1.945506571482613964425e2
    a = t * (z * p / q) + t
    a = select(far, a + QUARTER_PI_LOW + QUARTER_PI, a)
    # the angle is measured from the nearer axis, so that each axis comes out as the double nearest to it
    left = copysign(like(x, 1.0), x) < 0.0
    axis = select(steep, like(x, HALF_PI), select(left, like(x, PI), like(x, 0.0)))
    axis_low = select(steep, like(x, HALF_PI_LOW), select(left, like(x, PI_LOW), like(x, 0.0)))
    a = select(either(both(steep, left), not_(either(steep, left))), a, -a)
    return copysign(axis + (a + axis_low), y)
