"""Quintic cells: what they meet at their ends, their derivatives, and the bounds that pacing relies on."""

import numpy as np
import pytest

from motionkit.kernels import quintic
from motionkit.kernels._batch import run_rows

rng = np.random.default_rng(4)


def cell(joints=3, h=0.3):
    start, end = rng.normal(size=(joints, 3)), rng.normal(size=(joints, 3))
    control = np.empty(6 * joints)
    quintic.fit(start.reshape(-1), end.reshape(-1), h, control)
    return start, end, control, h


def at(control, h, u, sd=0.0, sdd=0.0, sddd=0.0):
    out = np.empty(4 * (len(control) // 6))
    quintic.motion(control, h, u, sd, sdd, sddd, out)
    return out.reshape(4, -1)


def polynomial(control, joint):
    """The same curve through NumPy's polynomials, in the fraction u."""
    points = control.reshape(-1, 6)[joint]
    total = np.polynomial.Polynomial([0.0])
    u = np.polynomial.Polynomial([0.0, 1.0])
    for k, weight in enumerate([1, 5, 10, 10, 5, 1]):
        total = total + points[k] * weight * u**k * (1 - u) ** (5 - k)
    return total


def test_ends_are_met():
    start, end, control, h = cell()
    # along s at unit rate: derivative in time is derivative in s; position bit for bit, the rest to rounding
    first, last = at(control, h, 0.0, 1.0), at(control, h, 1.0, 1.0)
    assert np.array_equal(first[0], start[:, 0])
    assert np.array_equal(last[0], end[:, 0])
    # differences of control points of size 1 lose eps / h per order
    assert np.max(np.abs(first[1:3] - start[:, 1:].T)) < 1e-13
    assert np.max(np.abs(last[1:3] - end[:, 1:].T)) < 1e-13


def test_chain_rule_against_polynomials():
    _, _, control, h = cell()
    sd, sdd, sddd = 0.7, -1.3, 2.9
    for u in np.linspace(0.0, 1.0, 11):
        rows = at(control, h, float(u), sd, sdd, sddd)
        for joint in range(3):
            p = polynomial(control, joint)
            d1, d2, d3 = (p.deriv(k)(u) / h**k for k in (1, 2, 3))
            expected = [p(u), d1 * sd, d2 * sd**2 + d1 * sdd, d3 * sd**3 + 3 * d2 * sd * sdd + d1 * sddd]
            # NumPy's power basis rounds at about 1e-15 of coefficients of size 60 / h**3
            assert rows[:, joint] == pytest.approx(expected, rel=1e-11, abs=1e-11)


def test_bounds_hold_everywhere_and_tighten_when_cells_are_halved():
    looseness = []
    for width in (0.5, 0.25, 0.125, 0.0625):
        worst = 0.0
        for low in np.arange(0.0, 1.0, width):
            ends = [
                [f(9.0 * (low + k * width)) for f in (np.sin, lambda x: 9.0 * np.cos(x), lambda x: -81.0 * np.sin(x))]
                for k in (0, 1)
            ]
            control, bounds = np.empty(6), np.empty(3)
            quintic.fit(np.array(ends[0]), np.array(ends[1]), width, control)
            quintic.bounds(control, width, bounds)
            u = np.linspace(0.0, 1.0, 201)
            p = polynomial(control, 0)
            peaks = np.array([np.max(np.abs(p.deriv(k)(u))) / width**k for k in (1, 2, 3)])
            # the power basis rounds its coefficients, of size 60 / width**3, at 1e-15
            assert np.all(bounds >= peaks - 60e-15 / width**3)
            worst = max(worst, float(np.max(bounds - peaks)))
        looseness.append(worst)
    # control points come closer with the square of the width
    assert looseness[-1] < looseness[0] / 16.0


def test_arrays_give_the_bits_of_floats():
    starts, ends = rng.normal(size=(40, 9)), rng.normal(size=(40, 9))
    h, u, rates = rng.uniform(0.1, 1.0, 40), rng.uniform(0.0, 1.0, 40), rng.normal(size=(3, 40))
    controls, out, bounds = np.empty((40, 18)), np.empty((40, 12)), np.empty((40, 9))
    run_rows(quintic.fit, starts, ends, h, controls)
    run_rows(quintic.motion, controls, h, u, *rates, out)
    run_rows(quintic.bounds, controls, h, bounds)
    for k in range(40):
        c, o, b = np.empty(18), np.empty(12), np.empty(9)
        quintic.fit(starts[k], ends[k], float(h[k]), c)
        quintic.motion(c, float(h[k]), float(u[k]), *rates[:, k].tolist(), o)
        quintic.bounds(c, float(h[k]), b)
        assert np.array_equal(c, controls[k])
        assert np.array_equal(o, out[k])
        assert np.array_equal(b, bounds[k])
