"""What a path asks of its joints: the chain rule to the third derivative, against polynomials put into one another."""

from __future__ import annotations

import math

from numpy.polynomial import Polynomial

from motionkit.kernels.pacing import demand


def test_demand_is_the_chain_rule_where_all_signs_agree() -> None:
    """F2: acceleration has two sources and jerk three; a path q(s) run along by s(t) has exactly these at t = 0."""
    first, second, third, v, a, j = 2.0, 3.0, 5.0, 7.0, 11.0, 13.0
    q = Polynomial([0.0, first, second / 2.0, third / 6.0])
    s = Polynomial([0.0, v, a / 2.0, j / 6.0])
    along = [math.factorial(k) * q(s).coef[k] for k in (1, 2, 3)]
    asked = demand(first, second, third, v, a, j)
    # whole numbers up to the division by six: two roundings
    assert all(abs(x - y) <= 2e-15 * y for x, y in zip(asked, along, strict=True))
    assert asked == (14.0, 169.0, 2434.0)
    # the control: a budget that forgets what bending takes while the speed changes misses a quarter of the jerk
    print(f"F2: jerk asked for {asked[2]:g}, without the mixed term {third * v**3 + first * j:g}")
    assert third * v**3 + first * j < 0.75 * asked[2]


def test_each_source_alone() -> None:
    assert demand(2.0, 0.0, 0.0, 3.0, 5.0, 7.0) == (6.0, 10.0, 14.0)
    assert demand(0.0, 2.0, 0.0, 3.0, 5.0, 7.0) == (0.0, 18.0, 90.0)
    assert demand(0.0, 0.0, 2.0, 3.0, 5.0, 7.0) == (0.0, 0.0, 54.0)
