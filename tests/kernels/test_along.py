"""The chain rule, against polynomials put into each other and differentiated."""

from __future__ import annotations

import numpy as np
from numpy.polynomial import Polynomial

from motionkit.kernels import along


def test_a_polynomial_of_a_polynomial() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        path, clock = Polynomial(rng.normal(size=6)), Polynomial(rng.normal(size=4))
        t = float(rng.uniform(-1.0, 1.0))
        s = float(clock(t))
        derivatives = np.array([path.deriv(k)(s) if k else path(s) for k in range(4)])
        moving = np.array([clock.deriv(k)(t) if k else s for k in range(4)])
        out = np.empty(4)
        along.along(derivatives, moving, out)
        whole = path(clock)
        expected = [whole.deriv(k)(t) if k else whole(t) for k in range(4)]
        # coefficients of the composition are rounded: a share of their sum
        np.testing.assert_allclose(out, expected, rtol=0, atol=1e-12 * np.abs(whole.coef).sum() * len(whole.coef) ** 3)


def test_a_line_is_the_path_without_higher_derivatives() -> None:
    rng = np.random.default_rng(2)
    start, way, moving = rng.normal(size=3), rng.normal(size=3), rng.normal(size=4)
    out, other = np.empty(12), np.empty(12)
    along.along_line(np.concatenate([start, way]), 3, moving, out)
    along.along(np.concatenate([start + way * moving[0], way, np.zeros(6)]), moving, other)
    np.testing.assert_allclose(out, other, rtol=0, atol=1e-15 * np.abs(other).max())
