"""Joint space against exact arithmetic: the shorter way round, lengths, steps and straight lines."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionkit.kernels import joint_space
from motionkit.kernels.joint_space import line_point, shorter_way

# 2 pi to 2e-37, the first terms of the decimal expansion of pi as known since the seventeenth century
TURN = 2 * Fraction("3.14159265358979323846264338327950288420")
ULP_OF_PI = 4.5e-16
angles = st.floats(-1e6, 1e6)


def exact_way(a, b):
    """The difference in (-pi, pi] in rational arithmetic."""
    d = Fraction(b) - Fraction(a)
    turns = -((TURN / 2 - d) // TURN)
    return d - turns * TURN


def ends_apart(x, y):
    """How far two angles are apart up to whole turns, exactly."""
    return float(abs(exact_way(x, y)))


@settings(max_examples=2000, derandomize=True, deadline=None)
@given(angles, angles)
def test_the_shorter_way_is_exact_however_large_the_angles(a, b):
    w, place = shorter_way(a, b)
    truth = exact_way(a, b)
    assert -math.pi < w <= math.pi
    # half a turn to the last place may go either way round: the magnitude is right all the same
    off = min(abs(Fraction(w) - truth), TURN - abs(Fraction(w) - truth))
    assert off <= 3 * ULP_OF_PI
    # the place is a neighbour of a and the same angle as b, to the rounding of a number of its size
    assert ends_apart(place, b) <= 2 * np.spacing(max(abs(a), abs(b), math.pi))
    assert abs((place - a) - w) <= 2 * np.spacing(max(abs(a), abs(b), math.pi))


def test_the_plain_remainder_is_worse():
    """The control: the difference, its remainder by the double 2 pi, and the loss that both bring at large angles."""
    rng = np.random.default_rng(1)
    ours = plain = 0.0
    for a, b in rng.uniform(-1e6, 1e6, (2000, 2)).tolist():
        truth = exact_way(a, b)
        ours = max(ours, float(abs(Fraction(shorter_way(a, b)[0]) - truth)))
        plain = max(plain, float(abs(Fraction(math.remainder(b - a, 2 * math.pi)) - truth)))
    assert ours <= 3 * ULP_OF_PI
    assert plain > 1e-11


@pytest.mark.parametrize("a", [0.0, 1.0, -2.5, 0.125, 100.0])
def test_half_a_turn_is_taken_the_positive_way(a):
    for b in (a + math.pi, a - math.pi):
        w, place = shorter_way(a, b)
        if b - a in (math.pi, -math.pi):  # the sum may have been rounded away from half a turn
            assert w == math.pi
            assert place > a
        assert abs(w) <= math.pi
    assert shorter_way(0.0, math.pi) == (math.pi, math.pi)
    assert shorter_way(0.0, -math.pi) == (math.pi, pytest.approx(math.pi, abs=ULP_OF_PI))
    assert shorter_way(math.pi, 0.0)[0] == math.pi
    before = math.nextafter(math.pi, 0.0)
    assert shorter_way(0.0, before)[0] == before
    assert shorter_way(0.0, -before)[0] == -before


@settings(max_examples=500, derandomize=True, deadline=None)
@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.integers(-1000, 1000))
def test_whole_turns_change_nothing(a, b, turns):
    w, _ = shorter_way(a, b)
    shifted, _ = shorter_way(a, b + turns * 2 * math.pi)
    # the double 2 pi is off by 2.5e-16, and the product and the sum are rounded
    assert min(abs(w - shifted), 2 * math.pi - abs(w - shifted)) <= np.spacing(abs(turns) * 7.0 + 7.0) + 2.5e-16 * abs(
        turns
    )


def test_without_a_turn_the_place_is_the_goal_bit_for_bit():
    rng = np.random.default_rng(2)
    for a, d in rng.uniform(-3.0, 3.0, (500, 2)).tolist():
        assert shorter_way(a, a + d)[1] == a + d


def test_a_line_hits_both_ends_exactly_and_stands_where_nothing_moves():
    """And the form that starts from one end does not: the control."""
    rng = np.random.default_rng(3)
    missed = 0
    for a, b, t in rng.uniform(-3.0, 3.0, (2000, 3)).tolist():
        assert line_point(a, b - a, b, 0.0) == a
        assert line_point(a, b - a, b, 1.0) == b
        assert line_point(a, 0.0, a, t) == a
        assert line_point(a, b - a, b, t) == pytest.approx(a + (b - a) * t, abs=1e-14)
        missed += a + (b - a) * 1.0 != b
    assert missed > 100


SPACE = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0]  # a rail, a joint with limits, one that turns without end


def one(kernel, *inputs, size=1):
    out = [0.0] * size
    kernel.function(*inputs, out)
    return out if size > 1 else out[0]


def test_distance_and_steps_by_hand():
    a, b = [0.1, 3.0, 3.0], [0.4, -3.0, -3.0]
    short = 2 * math.pi - 6.0
    assert one(joint_space.distance, SPACE, a, b, 2.0, 0.1) == pytest.approx(
        math.sqrt(3.0**2 + 3.0**2 + (short / 2) ** 2), rel=1e-14
    )
    assert one(joint_space.steps, SPACE, a, b, 0.08, 0.01) == 75.0
    assert one(joint_space.steps, SPACE, a, b, 1.0, 0.01) == 30.0
    assert one(joint_space.steps, SPACE, a, a, 0.08, 0.01) == 0.0
    assert one(joint_space.normalized, SPACE, b, 2.0, 0.1, size=3) == [4.0, -1.5, -1.5]
    assert one(joint_space.interpolate, SPACE, a, b, 1.0, size=3) == [0.4, -3.0, pytest.approx(3.0 + short)]


@pytest.mark.parametrize(
    ("travel", "size", "count"),
    [(0.07, 0.01, 7), (0.56, 0.08, 7), (0.3, 0.1, 3), (0.3001, 0.1, 4), (1e-300, 0.1, 1), (5e-324, 0.1, 1)],
)
def test_a_travel_of_whole_steps_takes_no_step_more(travel, size, count):
    assert one(joint_space.steps, SPACE, [0.0, 0.0, 0.0], [0.0, travel, 0.0], size, 1.0) == count


@settings(max_examples=500, derandomize=True, deadline=None)
@given(st.floats(1e-9, 1e6), st.floats(1e-9, 10.0))
def test_steps_are_short_enough_and_one_fewer_would_not_be(travel, size):
    count = one(joint_space.steps, SPACE, [0.0, 0.0, 0.0], [0.0, travel, 0.0], size, 1.0)
    assert count == math.floor(count) >= 1
    assert Fraction(travel) <= Fraction(size) * int(count) * (1 + Fraction(2, 10**12))
    assert count == 1 or Fraction(travel) > Fraction(size) * int(count - 1)
