"""Angles and lengths: each says its unit when it is made and when it is read."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionkit as mk

numbers = st.floats(-1e6, 1e6)


@settings(derandomize=True)
@given(numbers)
def test_units_convert_both_ways(x: float) -> None:
    assert mk.Angle.from_radians(x).radians == x
    assert mk.Length.from_metres(x).metres == x
    # a conversion there and one back, each a product that is rounded, with a constant that is rounded; subnormals too
    assert mk.Angle.from_degrees(x).degrees == pytest.approx(x, rel=1e-15, abs=1e-320)
    assert mk.Length.from_millimetres(x).millimetres == pytest.approx(x, rel=1e-15, abs=1e-320)
    assert mk.Length.from_millimetres(x).metres == x / 1000.0


def test_whole_right_angles_are_exact() -> None:
    assert mk.Angle.from_degrees(180).radians == math.pi
    assert mk.Angle.from_degrees(-90).radians == -math.pi / 2
    assert mk.Angle.from_radians(math.pi).degrees == 180.0
    assert mk.Length.from_millimetres(120).metres == 0.12


def test_they_are_values() -> None:
    for value in (mk.Angle.from_degrees(30), mk.Length.from_millimetres(30)):
        for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), eval(repr(value), vars(mk))):
            assert twin == value and hash(twin) == hash(value)
        with pytest.raises(AttributeError):
            setattr(value, "radians" if isinstance(value, mk.Angle) else "metres", 1.0)
    assert mk.Angle.from_degrees(30) < mk.Angle.from_radians(0.6)
    assert mk.Angle.from_radians(0.0) != mk.Length.from_metres(0.0)
    with pytest.raises(TypeError):
        assert mk.Angle.from_radians(0.0) < mk.Length.from_metres(1.0)  # type: ignore[operator]


def test_a_value_is_no_number_by_itself() -> None:
    """What would turn into a number without a word would be read in the wrong unit without a word."""
    for value in (mk.Angle(1.0), mk.Length(1.0), mk.JointPosition.revolute(1.0), mk.JointVelocity.prismatic(1.0)):
        with pytest.raises(TypeError):
            float(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "make", [mk.Angle.from_radians, mk.Angle.from_degrees, mk.Length.from_metres, mk.Length.from_millimetres]
)
def test_what_is_no_finite_number_is_refused(make: object) -> None:
    for bad in (math.nan, math.inf, -math.inf, 10**400):
        with pytest.raises(mk.NotFinite):
            make(bad)  # type: ignore[operator]
    for bad in ("1", None, True, np.bool_(True), [1.0], 1j, mk.Angle(1.0), mk.Length(1.0)):
        with pytest.raises(mk.KindMismatch, match="expected a number"):
            make(bad)  # type: ignore[operator]
    for good in (1, np.float32(1), np.int64(1), Fraction(1)):
        assert make(good) == make(1.0)  # type: ignore[operator]
