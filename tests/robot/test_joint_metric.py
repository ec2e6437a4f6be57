"""C6 and C7: metric and resolution of typed values; nothing wraps here. C4: their data."""

from __future__ import annotations

import copy
import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionkit as mk

turn, slide = mk.JointPosition.revolute, mk.JointPosition.prismatic
scales = st.floats(1e-3, 1e3)
travels = st.lists(st.tuples(st.booleans(), st.floats(-10, 10), st.floats(-10, 10)), min_size=1, max_size=8)


def configurations(rows):
    make = [slide if slides else turn for slides, _, _ in rows]
    return [m(a) for m, (_, a, _) in zip(make, rows, strict=True)], [
        m(b) for m, (_, _, b) in zip(make, rows, strict=True)
    ]


def test_defaults():
    """C6: a radian and a metre count as 1. C7: 0.08 rad and 1 cm, and the metric of them."""
    assert mk.JointMetric() == mk.JointMetric(1.0, 1.0) == mk.JointMetric(angular_scale=1, linear_scale=1)
    assert mk.JointResolution() == mk.JointResolution(angular=0.08, linear=0.01)
    assert mk.JointResolution().metric() == mk.JointMetric(0.08, 0.01)


def test_normalized_counts_each_kind_in_its_scale():
    metric = mk.JointMetric(0.5, 0.1)
    assert metric.normalized([turn(1.0), slide(1.0), turn(-0.25)]).tolist() == [2.0, 10.0, -0.5]
    assert metric.normalized(turn(1.0)) == 2.0
    assert metric.normalized(slide(1.0)) == metric.normalized(mk.Length(1.0)) == 10.0
    assert metric.normalized(mk.JointPosition.fixed()) == 0.0
    assert metric.normalized([mk.Angle(1.0), mk.Length(1.0)]).tolist() == [2.0, 10.0]


@settings(derandomize=True, max_examples=200)
@given(travels, scales, scales)
def test_distance_is_the_length_in_normalized_units(rows, angular, linear):
    """C6: against the textbook formula, and the axioms of a metric."""
    metric, (a, b) = mk.JointMetric(angular, linear), configurations(rows)
    shares = [(y - x) / (linear if slides else angular) for slides, x, y in rows]
    expected = math.sqrt(math.fsum(s * s for s in shares))
    assert metric.distance(a, b) == pytest.approx(expected, rel=1e-14, abs=1e-160)
    assert metric.distance(a, b) == metric.distance(b, a)
    assert metric.distance(a, a) == 0.0
    assert np.linalg.norm(metric.normalized(b) - metric.normalized(a)) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    zero = [type(v)(v.kind, 0.0) for v in a]
    assert metric.distance(a, b) <= (metric.distance(a, zero) + metric.distance(zero, b)) * (1 + 1e-14)


@settings(derandomize=True, max_examples=200)
@given(travels, scales, scales)
def test_steps_are_the_largest_over_the_joints(rows, angular, linear):
    """C7: not the length: the control below differs."""
    resolution, (a, b) = mk.JointResolution(angular, linear), configurations(rows)
    steps = resolution.steps(a, b)
    each = [resolution.steps([x], [y]) for x, y in zip(a, b, strict=True)]
    assert steps == max(each) == resolution.steps(b, a)
    most = max(abs(y - x) / (linear if slides else angular) for slides, x, y in rows)
    assert most * (1 - 1e-11) <= steps <= most * (1 + 1e-11) + 1


def test_steps_by_hand():
    resolution = mk.JointResolution()
    assert resolution.steps([turn(0.0), slide(0.0)], [turn(0.8), slide(0.03)]) == 10
    assert resolution.steps([turn(0.0), slide(0.0)], [turn(0.16), slide(0.07)]) == 7
    assert resolution.steps(turn(0.0), turn(0.081)) == 2
    assert resolution.steps(slide(0.2), slide(0.2)) == 0
    # the control: six joints that move ten steps each are 25 steps by the length
    a, b = [turn(0.0)] * 6, [turn(0.8)] * 6
    assert resolution.steps(a, b) == 10
    assert math.ceil(resolution.metric().distance(a, b)) == 25


def test_nothing_wraps():
    """C7: the bare forms do not know the joint."""
    assert mk.JointMetric().distance(turn(3.0), turn(-3.0)) == 6.0
    assert mk.JointResolution(0.1, 0.1).steps(turn(3.0), turn(-3.0)) == 60


def test_plain_numbers_are_taken_only_where_no_unit_is_needed():
    assert mk.JointMetric().distance([0.0, 0.0], np.array([3.0, 4.0])) == 5.0
    assert mk.JointMetric(2.0, 2.0).normalized([1.0, 2.0]).tolist() == [0.5, 1.0]
    assert mk.JointResolution(0.1, 0.1).steps([0.0], [1.0]) == 10
    for call in (
        lambda: mk.JointMetric(1.0, 2.0).distance([0.0], [1.0]),
        lambda: mk.JointMetric(1.0, 2.0).normalized([0.0]),
        lambda: mk.JointResolution().steps([0.0], [1.0]),
    ):
        with pytest.raises(mk.KindMismatch, match="plain numbers do not say which joints turn"):
            call()


def test_kinds_are_checked_before_any_arithmetic():
    """C2: and the value that is wrong is named."""
    for measure in (mk.JointMetric().distance, mk.JointResolution().steps):
        with pytest.raises(mk.KindMismatch, match="b: value 1: expected a prismatic position") as caught:
            measure([turn(0.0), slide(0.0)], [turn(0.0), turn(0.0)])
        assert caught.value.joint == "1"
        with pytest.raises(mk.KindMismatch, match=r"value 1 is fixed|value 1: got JointPosition\.fixed"):
            measure([turn(0.0), mk.JointPosition.fixed()], [turn(0.0), mk.JointPosition.fixed()])
        with pytest.raises(mk.KindMismatch, match=r"value 1: got 0\.5 among values with units"):
            measure([turn(0.0), 0.5], [turn(0.0), turn(0.5)])
        with pytest.raises(mk.KindMismatch):
            measure(turn(0.0), slide(0.0))
        with pytest.raises(mk.KindMismatch):
            measure([mk.JointVelocity.revolute(0.0)], [mk.JointVelocity.revolute(0.0)])
        with pytest.raises(mk.WrongLength, match="b: expected 2 values"):
            measure([turn(0.0), turn(0.0)], [turn(0.0)])
        with pytest.raises(mk.JointLimitViolated, match="beyond 1e"):
            measure([turn(0.0)], [turn(2e6)])


@pytest.mark.parametrize("cls", [mk.JointMetric, mk.JointResolution])
def test_scales_are_positive_and_finite(cls):
    for bad in (0.0, -1.0, 1e-10, 1e10):
        for arguments in ((bad, 1.0), (1.0, bad)):
            with pytest.raises(mk.InvalidLimits, match="expected 1e-09 to 1e\\+09"):
                cls(*arguments)
    for bad in (math.nan, math.inf):
        with pytest.raises(mk.NotFinite):
            cls(bad, 1.0)
    with pytest.raises(mk.KindMismatch):
        cls("1", 1.0)


@pytest.mark.parametrize("cls", [mk.JointMetric, mk.JointResolution])
def test_data(cls):
    """C4: the spelling, round trips, and errors that say what is wrong."""
    value = cls(0.08, 0.01)
    assert value.to_data() == {"angular": 0.08, "linear": 0.01}
    assert cls.from_data(json.loads(json.dumps(value.to_data()))) == value
    for data, error, says in (
        ({"angular": 1.0, "liner": 1.0}, mk.UnknownName, "did you mean 'linear'"),
        ({"angular": 1.0, "linear": math.nan}, mk.NotFinite, "linear"),
        ({"angular": 1.0, "linear": "1"}, mk.KindMismatch, "linear"),
        ({"angular": 1.0, "linear": -1.0}, mk.InvalidLimits, "linear"),
        ({"angular": 1.0}, mk.KindMismatch, "linear is missing"),
        ([0.08, 0.01], mk.KindMismatch, "expected a mapping"),
    ):
        with pytest.raises(error, match=says):
            cls.from_data(data)


@pytest.mark.parametrize("value", [mk.JointMetric(0.5, 2), mk.JointResolution(0.5, 2)])
def test_they_are_values(value):
    for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), eval(repr(value), vars(mk))):
        assert twin == value and hash(twin) == hash(value)
    assert value != type(value)(0.5, 3)
    with pytest.raises(AttributeError):
        setattr(value, "linear" if isinstance(value, mk.JointResolution) else "linear_scale", 1.0)
