"""Limits and states: what the constructor takes, what validation refuses, and that values behave as values."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest

import motionkit as mk

GOOD = mk.MotionLimits(2, 8, 40)


def test_default_is_zero_and_zero_may_not_move() -> None:
    """E1: an axis whose limits nobody set is refused, not moved without limits."""
    limits = mk.MotionLimits()
    assert (limits.max_velocity, limits.max_acceleration, limits.max_jerk) == (0.0, 0.0, 0.0)
    with pytest.raises(mk.InvalidLimits, match=r"max_velocity is 0\.0; zero means that the axis may not move"):
        limits.validate()


@pytest.mark.parametrize("field", ["max_velocity", "max_acceleration", "max_jerk"])
@pytest.mark.parametrize("value", [0.0, -0.0, -1.0, math.nan, math.inf, -math.inf, "fast", None])
def test_every_rate_must_be_finite_and_positive(field: str, value: object) -> None:
    """E1: the message names the field and its value; what is not finite is called so, before signs are looked at."""
    limits = mk.MotionLimits(**({"max_velocity": 2.0, "max_acceleration": 8.0, "max_jerk": 40.0} | {field: value}))  # type: ignore[arg-type]
    with pytest.raises(mk.InvalidLimits, match=field) as caught:
        limits.validate()
    assert repr(value) in caught.value.message
    if isinstance(value, float) and not math.isfinite(value):
        assert "finite" in caught.value.message


@pytest.mark.parametrize("field", ["min_velocity", "min_acceleration", "min_position", "max_position"])
@pytest.mark.parametrize("value", [math.nan, math.inf, "low"])
def test_optional_fields_must_be_finite_when_given(field: str, value: object) -> None:
    with pytest.raises(mk.InvalidLimits, match=field):
        mk.MotionLimits(2, 8, 40, **{field: value}).validate()  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["min_velocity", "min_acceleration"])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_lower_bounds_must_be_below_zero(field: str, value: float) -> None:
    with pytest.raises(mk.InvalidLimits, match=f"{field} is {value}.*must be below zero"):
        mk.MotionLimits(2, 8, 40, **{field: value}).validate()


def test_reversed_range_is_refused() -> None:
    with pytest.raises(mk.InvalidLimits, match=r"min_position 1\.0 is above max_position -1\.0"):
        mk.MotionLimits(2, 8, 40, min_position=1, max_position=-1).validate()
    mk.MotionLimits(2, 8, 40, min_position=1, max_position=1).validate()


def test_whole_numbers_and_numpy_numbers_become_floats() -> None:
    limits = mk.MotionLimits(np.float64(2), np.int64(8), 40)
    assert repr(limits) == "MotionLimits(max_velocity=2.0, max_acceleration=8.0, max_jerk=40.0)"
    assert limits == GOOD and hash(limits) == hash(GOOD)
    assert repr(mk.MotionLimits(2, 8, 40, min_position=-1)).endswith("max_jerk=40.0, min_position=-1.0)")
    assert mk.MotionLimits(2, 8, 40, min_velocity=-1) != GOOD


def test_values_are_immutable_picklable_comparable() -> None:
    arrays = mk.MotionSample(*np.arange(8.0).reshape(4, 2))
    for value in (GOOD, mk.MotionState(1.0, 2.0, 3.0), mk.MotionSample(1.0, 2.0, 3.0, 4.0), arrays, arrays.state()):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, dataclasses.fields(value)[0].name, 0.0)
        for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):
            assert twin == value and type(twin) is type(value)
        assert value != object()
    assert mk.MotionState(1.0, 2.0, 3.0) != mk.MotionState(1.0, 2.0, 4.0)
    assert arrays != mk.MotionSample(*np.zeros((4, 2)))
    assert hash(mk.MotionState(1.0, 2.0, 3.0)) == hash(mk.MotionState(1.0, 2.0, 3.0))
    assert mk.MotionSample(1.0, 2.0, 3.0, 4.0).state() == mk.MotionState(1.0, 2.0, 3.0)
