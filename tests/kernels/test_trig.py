"""Sine, cosine and arctangent against 60-digit references and against NumPy, and their corner cases."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from motionkit.kernels.trig import LARGEST_ANGLE, PI, atan2, sincos

PI_60 = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620900")


def exact_sincos(x):
    """Sine and cosine of a float to some 50 digits: reduction by a long pi, then the Taylor series."""
    with localcontext() as context:
        context.prec = 70
        r = Decimal(x) % (2 * PI_60)
        z = r * r
        sine, cosine, s, c = Decimal(0), Decimal(0), r, Decimal(1)
        for k in range(1, 120, 2):
            sine, cosine = sine + s, cosine + c
            s, c = -s * z / ((k + 1) * (k + 2)), -c * z / (k * (k + 1))
            if abs(s) + abs(c) < Decimal("1e-55"):
                break
        return sine, cosine


def ulps(got, exact):
    """How far a float is from the true value, in units in the last place of the true value."""
    return float(abs(Decimal(got) - exact)) / math.ulp(float(exact))


def angles(count):
    rng = np.random.default_rng(2)
    far = LARGEST_ANGLE
    drawn = [rng.uniform(-10, 10, count), rng.uniform(-far, far, count), 10 ** rng.uniform(-12, 6, count)]
    near = (rng.integers(-600000, 600000, count) * (math.pi / 2)).tolist()  # the nearest doubles to quarter turns
    beside = [math.nextafter(x, math.inf) for x in near[: count // 2]]
    return [*np.concatenate(drawn).tolist(), *near, *beside, 0.0, LARGEST_ANGLE, -LARGEST_ANGLE]


def test_sincos_is_within_two_ulps_up_to_a_million_radians():
    # Measured 1.90 over 40 000 angles, near quarter turns included. It is the reduced angle, itself rounded once and in
    # the middle of its range half an ulp off, that takes what the polynomials' own rounding leaves of the two.
    worst = 0.0
    for x in angles(400):
        if abs(x) > LARGEST_ANGLE:
            continue
        s, c = sincos(x)
        exact_s, exact_c = exact_sincos(x)
        worst = max(worst, ulps(s, exact_s), ulps(c, exact_c))
    print(f"sincos: worst {worst:.3f} ulp")
    assert worst <= 2.0


def test_sincos_of_the_angles_that_matter_most():
    assert sincos(0.0) == sincos(-0.0) == (0.0, 1.0)
    assert sincos(math.pi / 2) == (1.0, 6.123233995736766e-17)
    assert sincos(-math.pi / 2) == (-1.0, 6.123233995736766e-17)
    assert sincos(math.pi) == (1.2246467991473532e-16, -1.0)
    assert sincos(math.pi / 6)[0] == pytest.approx(0.5, abs=1.2e-16)  # one rounding


def test_sincos_of_no_number_is_no_number():
    for x in (math.nan, np.array([math.nan])):
        s, c = sincos(x)
        assert np.isnan(s).all() and np.isnan(c).all()


def test_sincos_agrees_with_numpy_within_three_ulps():
    # two ulps of ours and the one that NumPy allows itself
    x = np.random.default_rng(3).uniform(-1e4, 1e4, 20000)
    s, c = sincos(x)
    for got, want in ((s, np.sin(x)), (c, np.cos(x))):
        assert (np.abs(got - want) <= 3 * np.spacing(np.abs(want)) + 1e-19).all()


def test_the_signs_of_sine_and_cosine_follow_the_quarter_turns():
    for k in range(-9, 10):
        s, c = sincos(k * math.pi / 2 + 0.3)
        want_s, want_c = [(0.2955, 0.9553), (0.9553, -0.2955), (-0.2955, -0.9553), (-0.9553, 0.2955)][k % 4]
        assert (round(s, 4), round(c, 4)) == (want_s, want_c)


def test_atan2_is_within_two_ulps():
    # A Newton step on the exact point measures the error itself: (y cos a - x sin a) / (x cos a + y sin a)
    rng = np.random.default_rng(4)
    points = rng.normal(size=(1500, 2)) * 10.0 ** rng.uniform(-8, 8, (1500, 2))
    worst = 0.0
    for y, x in [*points.tolist(), (1.0, 1.0), (1.0, -1.0), (0.41421356237309503, 1.0), (0.4142135623730951, -1.0)]:
        a = atan2(y, x)
        s, c = exact_sincos(a)
        with localcontext() as context:
            context.prec = 60
            error = (Decimal(y) * c - Decimal(x) * s) / (Decimal(x) * c + Decimal(y) * s)
        worst = max(worst, float(abs(error)) / math.ulp(a))
    print(f"atan2: worst {worst:.3f} ulp")
    assert worst <= 2.0


@pytest.mark.parametrize("y", [0.0, -0.0, 1.0, -1.0])
@pytest.mark.parametrize("x", [0.0, -0.0, 1.0, -1.0])
def test_atan2_of_signed_zeros_and_axes_is_that_of_the_standard(y, x):
    got, want = atan2(y, x), math.atan2(y, x)
    assert got == want and math.copysign(1.0, got) == math.copysign(1.0, want)
    of_arrays = atan2(np.array([y]), np.array([x]))
    assert of_arrays[0] == want and np.signbit(of_arrays[0]) == (math.copysign(1.0, want) < 0)


def test_atan2_meets_the_axes_exactly():
    assert atan2(0.0, -3.0) == PI == math.pi
    assert atan2(5e-324, 5e-324) == math.pi / 4
    assert atan2(1e308, -1e-308) == math.pi / 2


def test_atan2_agrees_with_numpy_within_three_ulps():
    rng = np.random.default_rng(5)
    y, x = rng.normal(size=(2, 20000))
    want = np.arctan2(y, x)
    assert (np.abs(atan2(y, x) - want) <= 3 * np.spacing(np.abs(want))).all()
