"""C5: limits of one joint: what they contain, clamp and refuse, and what a chain says of limits that are unset."""

import copy
import json
import math
import pickle

import numpy as np
import pytest

import motionkit as mk

REVOLUTE = mk.JointLimits.revolute(-1.5, 2.0, 3.0)
RAIL = mk.JointLimits.prismatic(0.0, 0.5, 0.2)
ENDLESS = mk.JointLimits.continuous(4.0)
RIGID = mk.JointLimits.fixed()


@pytest.mark.parametrize(
    ("limits", "inside", "outside"),
    [
        (REVOLUTE, [-1.5, 0.0, 2.0], [np.nextafter(-1.5, -2), np.nextafter(2.0, 3), 1e9]),
        (RAIL, [0.0, -0.0, 0.5], [-5e-324, 0.51]),
        (ENDLESS, [0.0, 1e5, -1e5], []),
        (RIGID, [0.0], [1e-12, -1.0]),
    ],
)
def test_contains_clamp_and_validate_agree(limits, inside, outside):
    for q in inside:
        assert limits.contains(q)
        assert limits.clamp(q) == q
        limits.validate(q)
    for q in outside:
        assert not limits.contains(q)
        assert limits.clamp(q) in (limits.lower, limits.upper)
        with pytest.raises(mk.JointLimitViolated) as info:
            limits.validate(q, "elbow")
        assert info.value.joint == "elbow"
        assert info.value.value == q
        assert info.value.limit == limits.clamp(q)
    for q in (math.nan, math.inf, -math.inf):
        assert not limits.contains(q)
        with pytest.raises(mk.NotFinite):
            limits.validate(q)
        with pytest.raises(mk.NotFinite):
            limits.clamp(q)


def test_a_violation_says_by_how_much_and_in_which_unit():
    with pytest.raises(mk.JointLimitViolated, match=r"'elbow' at 2.25 rad is 0.25 rad above its upper limit 2 rad"):
        REVOLUTE.validate(2.25, "elbow")
    with pytest.raises(mk.JointLimitViolated, match=r"0.1 m below its lower limit 0 m"):
        RAIL.validate(-0.1)


def test_sampling_interval_is_the_range_or_one_turn():
    assert REVOLUTE.sampling_interval == (-1.5, 2.0)
    assert ENDLESS.sampling_interval == (-math.pi, math.pi)
    assert RIGID.sampling_interval == (0.0, 0.0)
    assert (ENDLESS.lower, ENDLESS.upper) == (-math.inf, math.inf)


@pytest.mark.parametrize(
    "arguments",
    [
        (1.0, -1.0, 1.0),
        (math.nan, 1.0, 1.0),
        (-1.0, math.nan, 1.0),
        (-math.inf, 1.0, 1.0),
        (-1.0, math.inf, 1.0),
        (-1.0, 1.0, 0.0),
        (-1.0, 1.0, -1.0),
        (-1.0, 1.0, math.nan),
        (-1.0, 1.0, math.inf),
    ],
)
@pytest.mark.parametrize("make", [mk.JointLimits.revolute, mk.JointLimits.prismatic])
def test_impossible_limits_are_refused_when_made(make, arguments):
    with pytest.raises(mk.InvalidLimits):
        make(*arguments)


@pytest.mark.parametrize("velocity", [0.0, -2.0, math.nan, math.inf])
def test_a_continuous_joint_needs_a_possible_velocity_too(velocity):
    with pytest.raises(mk.InvalidLimits):
        mk.JointLimits.continuous(velocity)


def test_what_is_no_number_is_a_kind_mismatch():
    with pytest.raises(mk.KindMismatch, match="lower"):
        mk.JointLimits.revolute("left", 1.0, 1.0)
    with pytest.raises(mk.KindMismatch, match="one of revolute"):
        mk.JointLimits("spherical", 0.0, 1.0)


def test_equal_ends_are_a_legal_range():
    assert mk.JointLimits.revolute(0.3, 0.3, 1.0).contains(0.3)


def test_limits_are_values():
    same = mk.JointLimits.revolute(-1.5, 2, 3)
    assert same == REVOLUTE
    assert hash(same) == hash(REVOLUTE)
    assert pickle.loads(pickle.dumps(ENDLESS)) == ENDLESS == copy.deepcopy(ENDLESS)
    assert "max_velocity=3.0" in repr(REVOLUTE)
    with pytest.raises(AttributeError):
        REVOLUTE.lower = 0.0


def urdf(limit):
    """A turning and a sliding joint; the second has the given limit element."""
    return (
        '<robot name="r"><link name="a"/><link name="b"/><link name="c"/>'
        '<joint name="turn" type="revolute"><parent link="a"/><child link="b"/>'
        '<limit lower="-1" upper="1" velocity="2" effort="3"/></joint>'
        f'<joint name="slide" type="prismatic"><parent link="b"/><child link="c"/>{limit}</joint></robot>'
    )


@pytest.mark.parametrize("velocity", ["", 'velocity="0"', 'velocity="0.0"'])
def test_a_velocity_that_is_missing_or_zero_in_a_file_is_unset(velocity):
    """C5: the model loads and moves, check() reports it, chain.validate() refuses it by name."""
    text = urdf(f'<limit lower="0" upper="1" {velocity}/>')
    model = mk.RobotModel.from_urdf(text)
    chain = model.chain()
    assert chain.limits[1].max_velocity is None
    assert np.isnan(chain.max_velocity[1])
    assert chain.forward([0.0, 0.5]).translation.tolist() == [0.5, 0.0, 0.0]
    found = [(f.severity, f.where) for f in model.check() if f.severity != "info"]
    assert found == [("warning", "joint 'slide' limit velocity")]
    with pytest.raises(mk.InvalidLimits, match=r"'slide' has no velocity limit .* m/s") as info:
        chain.validate()
    assert info.value.joint == "slide"


def test_complete_limits_pass():
    chain = mk.SerialChain.from_urdf(urdf('<limit lower="0" upper="1" velocity="0.5" effort="10"/>'))
    chain.validate()
    assert chain.limits == (
        mk.JointLimits.revolute(-1, 1, 2, effort=3),
        mk.JointLimits.prismatic(0, 1, 0.5, effort=10),
    )
    assert chain.lower.tolist() == [-1, 0]
    assert chain.upper.tolist() == [1, 1]
    assert chain.max_velocity.tolist() == [2, 0.5]
    with pytest.raises(ValueError, match="read-only"):
        chain.lower[0] = 5.0


def test_typed_limits_are_the_plain_ones():
    """C1, C5: angles, lengths and velocities, each at its kind."""
    degrees, mm = mk.Angle.from_degrees, mk.Length.from_millimetres
    assert mk.JointLimits.revolute(degrees(-180), degrees(180), mk.JointVelocity.revolute(2.0)) == (
        mk.JointLimits.revolute(-math.pi, math.pi, 2.0)
    )
    assert mk.JointLimits.prismatic(mm(0), mm(500), mk.JointVelocity.prismatic(0.2)) == RAIL
    assert mk.JointLimits.continuous(mk.JointVelocity.revolute(4.0)) == ENDLESS
    for make, wrong in (
        (mk.JointLimits.revolute, (mm(0), mm(1), 1.0)),
        (mk.JointLimits.revolute, (0.0, 1.0, mk.JointVelocity.prismatic(1.0))),
        (mk.JointLimits.revolute, (0.0, 1.0, mk.JointAcceleration.revolute(1.0))),
        (mk.JointLimits.prismatic, (0.0, degrees(1), 1.0)),
        (mk.JointLimits.continuous, (mk.JointVelocity.prismatic(1.0),)),
    ):
        with pytest.raises(mk.KindMismatch, match=r"expected a (revolute|prismatic)"):
            make(*wrong)


@pytest.mark.parametrize(
    ("limits", "inside", "outside", "wrong"),
    [
        (REVOLUTE, mk.JointPosition.revolute(1.0), mk.JointPosition.revolute(2.25), mk.JointPosition.prismatic(1.0)),
        (RAIL, mk.JointPosition.prismatic(0.1), mk.JointPosition.prismatic(0.6), mk.JointPosition.revolute(0.1)),
        (ENDLESS, mk.JointPosition.revolute(1e5), None, mk.JointPosition.prismatic(0.1)),
        (RIGID, mk.JointPosition.fixed(), None, mk.JointPosition.revolute(0.0)),
    ],
)
def test_typed_values_are_contained_clamped_and_validated(limits, inside, outside, wrong):
    assert limits.contains(inside)
    assert limits.clamp(inside) == inside
    limits.validate(inside, "elbow")
    if outside is not None:
        assert not limits.contains(outside)
        assert limits.clamp(outside) == type(outside)(outside.kind, limits.upper)
        with pytest.raises(mk.JointLimitViolated) as info:
            limits.validate(outside, "elbow")
        assert (info.value.joint, info.value.value, info.value.limit) == ("elbow", outside.si_value, limits.upper)
    for call in (limits.contains, limits.clamp, limits.validate):
        with pytest.raises(mk.KindMismatch, match=f"expected a {limits.position_kind} position"):
            call(wrong)
    with pytest.raises(mk.KindMismatch, match="joint 'elbow'") as info:
        limits.validate(wrong, "elbow")
    assert info.value.joint == "elbow"
    with pytest.raises(mk.KindMismatch):
        limits.contains(mk.JointVelocity(inside.kind, 0.0))
    with pytest.raises(mk.KindMismatch, match="expected a number"):
        limits.clamp("left")


def test_data_has_the_spelling_that_is_documented():
    """C4: keyed by kind; what is not known is left out."""
    assert mk.JointLimits.revolute(-3.1, 3.1, 2.2).to_data() == {
        "revolute": {"lower": -3.1, "upper": 3.1, "max_velocity": 2.2}
    }
    assert mk.JointLimits.continuous(3.0).to_data() == {"continuous": {"max_velocity": 3.0}}
    assert mk.JointLimits.continuous().to_data() == {"continuous": {}}
    assert mk.JointLimits.prismatic(0.0, 1.0, effort=9.0).to_data() == {
        "prismatic": {"lower": 0.0, "upper": 1.0, "effort": 9.0}
    }
    assert RIGID.to_data() == "fixed"


@pytest.mark.parametrize(
    "limits", [REVOLUTE, RAIL, ENDLESS, RIGID, mk.JointLimits.revolute(0.1, 0.3), mk.JointLimits.continuous(effort=3.0)]
)
def test_data_round_trips_through_json(limits):
    """C4: bit for bit."""
    assert mk.JointLimits.from_data(json.loads(json.dumps(limits.to_data()))) == limits


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        ({"revolut": {}}, mk.UnknownName, "did you mean 'revolute'"),
        ({"revolute": {"lower": 0.0, "uper": 1.0}}, mk.UnknownName, "no key 'uper': did you mean 'upper'"),
        ({"continuous": {"lower": 0.0}}, mk.UnknownName, "no key 'lower'"),
        ({"revolute": {"lower": 0.0}}, mk.KindMismatch, "upper is missing"),
        ({"revolute": {"lower": math.nan, "upper": 1.0}}, mk.NotFinite, "lower of revolute limits"),
        ({"revolute": {"lower": 0.0, "upper": 1.0, "max_velocity": math.inf}}, mk.NotFinite, "max_velocity"),
        ({"revolute": {"lower": 0.0, "upper": "1"}}, mk.KindMismatch, "expected a number"),
        ({"revolute": {"lower": 2.0, "upper": 1.0}}, mk.InvalidLimits, "exchange them"),
        ({"revolute": {"lower": 0.0, "upper": 1.0, "max_velocity": 0.0}}, mk.InvalidLimits, "max_velocity"),
        ({"revolute": 1.0}, mk.KindMismatch, "expected a mapping"),
        ({"fixed": {}}, mk.KindMismatch, "expected one of"),
        ("continuous", mk.KindMismatch, "expected one of"),
        ({"continuous": None}, mk.KindMismatch, "expected a mapping"),
    ],
)
def test_wrong_data_is_refused_clearly(data, error, says):
    """C4: unknown key, NaN, wrong kind."""
    with pytest.raises(error, match=says):
        mk.JointLimits.from_data(data)
