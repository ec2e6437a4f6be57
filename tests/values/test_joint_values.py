"""C1, C3, C4: values of one joint carry their unit; reading one as the other is an error; data keyed by kind."""

from __future__ import annotations

import copy
import json
import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionkit as mk

RATES = (mk.JointVelocity, mk.JointAcceleration, mk.JointJerk)
CLASSES = (mk.JointPosition, *RATES)
numbers = st.floats(-1e9, 1e9)


def every(value: float) -> list[mk.JointPosition | mk.JointVelocity | mk.JointAcceleration | mk.JointJerk]:
    return [v for c in CLASSES for v in (c.revolute(value), c.prismatic(value), c.fixed())]


def test_a_position_carries_its_unit() -> None:
    """C1: an angle, a length or nothing; reading one as the other is an error."""
    elbow = mk.JointPosition.revolute(mk.Angle.from_degrees(90))
    rail = mk.JointPosition.prismatic(mk.Length.from_millimetres(120))
    rigid = mk.JointPosition.fixed()
    assert (elbow.kind, elbow.si_value, elbow.unit) == ("revolute", math.pi / 2, "rad")
    assert (rail.kind, rail.si_value, rail.unit) == ("prismatic", 0.12, "m")
    assert (rigid.kind, rigid.si_value, rigid.unit) == ("fixed", 0.0, "")
    assert elbow.angle() == mk.Angle.from_degrees(90)
    assert rail.displacement() == mk.Length.from_metres(0.12)
    assert mk.JointPosition.revolute(0.4) == mk.JointPosition.revolute(mk.Angle.from_radians(0.4))
    for value in (rail, rigid):
        with pytest.raises(mk.KindMismatch, match="has no angle"):
            value.angle()
    for value in (elbow, rigid):
        with pytest.raises(mk.KindMismatch, match="has no displacement"):
            value.displacement()


def test_a_position_is_not_made_of_the_wrong_unit() -> None:
    """C1: built from an angle or a length, each for its kind."""
    for bad in (mk.Length(1.0), mk.JointPosition.prismatic(1.0), mk.JointVelocity.revolute(1.0), "1", None, True):
        with pytest.raises(mk.KindMismatch):
            mk.JointPosition.revolute(bad)  # type: ignore[arg-type]
    for bad in (mk.Angle(1.0), mk.JointPosition.revolute(1.0), mk.JointVelocity.prismatic(1.0), "1", None, True):
        with pytest.raises(mk.KindMismatch):
            mk.JointPosition.prismatic(bad)  # type: ignore[arg-type]
    with pytest.raises(mk.KindMismatch, match="one of revolute, prismatic, fixed"):
        mk.JointPosition("continuous", 1.0)
    with pytest.raises(mk.KindMismatch, match="does not move"):
        mk.JointPosition("fixed", 1.0)


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_values_are_finite(cls: type[mk.JointVelocity], bad: float) -> None:
    for make in (cls.revolute, cls.prismatic):
        with pytest.raises(mk.NotFinite):
            make(bad)


@settings(derandomize=True)
@given(numbers, numbers, st.floats(-2.0, 3.0))
def test_interpolation_is_linear_and_hits_both_ends(a: float, b: float, t: float) -> None:
    """C1: within one kind; the ends bit for bit."""
    for cls in CLASSES:
        for make in (cls.revolute, cls.prismatic):
            start, end = make(a), make(b)
            assert start.interpolate(end, 0.0) == start and start.interpolate(end, 1.0) == end
            assert start.interpolate(start, t) == start
            # four roundings of numbers of this size
            size = max(abs(a), abs(b)) * (1.0 + abs(t))
            assert start.interpolate(end, t).si_value == pytest.approx(a + (b - a) * t, abs=8e-16 * size, rel=0)
    assert mk.JointPosition.fixed().interpolate(mk.JointPosition.fixed(), t) == mk.JointPosition.fixed()


def test_a_bare_angle_does_not_wrap() -> None:
    """C7: a value does not know whether its joint turns without end."""
    assert mk.JointPosition.revolute(3.0).interpolate(mk.JointPosition.revolute(-3.0), 0.5).si_value == 0.0


def test_interpolation_between_kinds_is_refused() -> None:
    """C1: and between quantities."""
    values = every(0.5)
    for a in values:
        for b in values:
            if (type(a), a.kind) != (type(b), b.kind):
                with pytest.raises(mk.KindMismatch, match="expected another"):
                    a.interpolate(b, 0.5)  # type: ignore[arg-type]
    with pytest.raises(mk.KindMismatch, match=r"expected another revolute position, got 0\.5"):
        mk.JointPosition.revolute(0.5).interpolate(0.5, 0.5)  # type: ignore[arg-type]
    with pytest.raises(mk.NotFinite):
        mk.JointPosition.revolute(0.5).interpolate(mk.JointPosition.revolute(0.6), math.nan)


@pytest.mark.parametrize(
    ("cls", "units"),
    [
        (mk.JointVelocity, ("rad/s", "m/s")),
        (mk.JointAcceleration, ("rad/s^2", "m/s^2")),
        (mk.JointJerk, ("rad/s^3", "m/s^3")),
    ],
)
def test_rates_follow_the_same_pattern(cls: type[mk.JointVelocity], units: tuple[str, str]) -> None:
    """C3: units, reading, and the matching kind from a raw number."""
    turning, sliding, rigid = cls.revolute(2), cls.prismatic(0.5), cls.fixed()
    assert (turning.unit, sliding.unit, rigid.unit) == (*units, "")
    assert (turning.si_value, sliding.si_value, rigid.si_value) == (2.0, 0.5, 0.0)
    assert (turning.angular(), sliding.linear()) == (2.0, 0.5)
    for wrong in (turning.linear, sliding.angular, rigid.linear, rigid.angular):
        with pytest.raises(mk.KindMismatch, match=f"expected the {cls.QUANTITY} of a joint that"):
            wrong()
    assert cls.from_coordinate(mk.JointPosition.revolute(9.0), 2) == turning
    assert cls.from_coordinate(mk.JointPosition.prismatic(9.0), 0.5) == sliding
    assert cls.from_coordinate(mk.JointPosition.fixed(), 0.0) == rigid
    with pytest.raises(mk.KindMismatch, match="a fixed joint does not move"):
        cls.from_coordinate(mk.JointPosition.fixed(), 0.1)
    with pytest.raises(mk.KindMismatch, match="a JointPosition to take the kind from"):
        cls.from_coordinate(0.3, 0.1)  # type: ignore[arg-type]
    with pytest.raises(mk.NotFinite):
        cls.from_coordinate(mk.JointPosition.revolute(0.0), math.nan)
    for other in RATES:
        assert (other.revolute(2.0) == turning) == (other is cls)


def test_data_has_the_spelling_that_is_documented() -> None:
    """C4: keyed by kind in snake case."""
    assert mk.JointPosition.revolute(0.4).to_data() == {"revolute": 0.4}
    assert mk.JointPosition.prismatic(0.12).to_data() == {"prismatic": 0.12}
    assert mk.JointPosition.fixed().to_data() == "fixed"
    assert mk.JointVelocity.prismatic(0.2).to_data() == {"prismatic": 0.2}


@settings(derandomize=True)
@given(numbers)
def test_data_round_trips_through_json(x: float) -> None:
    """C4: bit for bit."""
    for value in every(x):
        assert type(value).from_data(json.loads(json.dumps(value.to_data()))) == value


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        ({"revolut": 1.0}, mk.UnknownName, "did you mean 'revolute'"),
        ({"Revolute": 1.0}, mk.UnknownName, "did you mean 'revolute'"),
        ({"continuous": 1.0}, mk.UnknownName, "valid names: fixed, prismatic, revolute"),
        ("fixd", mk.UnknownName, "did you mean 'fixed'"),
        ({"revolute": math.nan}, mk.NotFinite, "nan"),
        ({"prismatic": math.inf}, mk.NotFinite, "inf"),
        ({"revolute": "0.4"}, mk.KindMismatch, "expected a number"),
        ({"revolute": True}, mk.KindMismatch, "expected a number"),
        ({"revolute": None}, mk.KindMismatch, "expected a number"),
        ({"revolute": {"lower": 0.0}}, mk.KindMismatch, "expected a number"),
        ({"revolute": 1.0, "prismatic": 1.0}, mk.KindMismatch, "expected one of"),
        ({}, mk.KindMismatch, "expected one of"),
        ("revolute", mk.KindMismatch, "expected one of"),
        ({"fixed": 0.0}, mk.KindMismatch, '"fixed", got'),
        (0.4, mk.KindMismatch, "expected one of"),
        (None, mk.KindMismatch, "expected one of"),
        ([["revolute", 1.0]], mk.KindMismatch, "expected one of"),
    ],
)
def test_wrong_data_is_refused_clearly(
    cls: type[mk.JointVelocity], data: object, error: type[mk.MotionkitError], says: str
) -> None:
    """C4: unknown key, NaN, wrong kind."""
    with pytest.raises(error, match=says) as caught:
        cls.from_data(data)
    assert cls.__name__ in caught.value.message


def test_they_are_values() -> None:
    values = every(0.25)
    assert len(set(values)) == len(values)
    for value in values:
        for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), eval(repr(value), vars(mk))):
            assert twin == value and hash(twin) == hash(value) and type(twin) is type(value)
        with pytest.raises(AttributeError):
            value.si_value = 1.0  # type: ignore[misc]
    assert [str(v) for v in every(0.25)[:3]] == ["0.25 rad", "0.25 m", "fixed"]
