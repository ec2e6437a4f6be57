"""C6 and C7 on a chain: distance, steps and lines that go the shorter way round where a joint turns without end."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionkit as mk

TURN = 2 * math.pi
configuration = st.tuples(st.floats(-1.0, 1.0), st.floats(-30.0, 30.0), st.floats(-3.0, 3.0), st.floats(-1e6, 1e6))


@pytest.fixture(scope="module")
def chain():
    """A rail, an endless joint, one with limits, an endless one."""
    turn = mk.JointLimits.revolute(-3.0, 3.0, 1.0)
    joints = [
        mk.Joint.prismatic("rail", (1, 0, 0), (0, 0, 0), mk.JointLimits.prismatic(-1.0, 1.0, 0.5)),
        mk.Joint.continuous("wheel", (0, 0, 1), (0, 0, 0)),
        mk.Joint.revolute("elbow", (0, 1, 0), (0.5, 0, 0), turn),
        mk.Joint.continuous("tip", (1, 0, 0), (0.9, 0, 0)),
    ]
    return mk.SerialChain.from_joints(joints, tool=mk.SE3.from_translation((0.1, 0.1, 0.0)))


def wrapped(a, b):
    """The naive reference: the remainder in exact arithmetic of the doubles, by the double 2 pi refined to 1e-36."""
    turn = 2 * Fraction("3.14159265358979323846264338327950288420")
    d = Fraction(b) - Fraction(a)
    return float(d - round(d / turn) * turn)


def differences(a, b):
    return [b[0] - a[0], wrapped(a[1], b[1]), b[2] - a[2], wrapped(a[3], b[3])]


@settings(derandomize=True, max_examples=300, deadline=None)
@given(configuration, configuration)
def test_distance_and_steps_against_the_naive_reference(chain, a, b):
    metric, resolution = mk.JointMetric(0.5, 0.1), mk.JointResolution()
    d = differences(a, b)
    shares = [abs(x) / s for x, s in zip(d, (0.1, 0.5, 0.5, 0.5), strict=True)]
    assert chain.distance(a, b, metric=metric) == pytest.approx(math.hypot(*shares), rel=1e-13, abs=1e-14)
    assert chain.distance(a, b) == pytest.approx(math.hypot(*d), rel=1e-13, abs=1e-14)
    most = max(abs(x) / s for x, s in zip(d, (0.01, 0.08, 0.08, 0.08), strict=True))
    steps = chain.steps(a, b, resolution)
    assert most * (1 - 1e-11) <= steps <= most * (1 + 1e-11) + 1
    assert chain.steps(a, b) == steps and type(steps) is int
    assert chain.distance(b, a) == pytest.approx(chain.distance(a, b), rel=1e-13)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(configuration, configuration)
def test_a_line_hits_both_ends_and_takes_the_shorter_way(chain, a, b):
    start, end = chain.interpolate(a, b, 0.0), chain.interpolate(a, b, 1.0)
    assert start.tolist() == list(a)
    assert end[[0, 2]].tolist() == [b[0], b[2]]
    size = max(map(abs, (*a, *b, TURN)))
    for k in (1, 3):
        assert abs(end[k] - a[k]) <= math.pi + np.spacing(size)
        assert end[k] == b[k] or abs(wrapped(end[k], b[k])) <= 2 * np.spacing(size)
    d = differences(a, b)
    if all(abs(abs(d[k]) - math.pi) > 1e-9 for k in (1, 3)):
        for t in (0.25, 0.5, 0.75, -0.5, 1.5):
            assert chain.interpolate(a, b, t) == pytest.approx(np.array(a) + t * np.array(d), abs=4 * np.spacing(size))


@settings(derandomize=True, max_examples=100, deadline=None)
@given(configuration, configuration)
def test_samples_at_the_steps_are_as_close_as_the_resolution(chain, a, b):
    """C7: what a collision check relies on."""
    resolution = mk.JointResolution(0.4, 0.05)
    steps = chain.steps(a, b, resolution)
    samples = chain.interpolate(a, b, np.linspace(0.0, 1.0, steps + 1))
    assert samples.shape == (steps + 1, 4)
    most = np.max(np.abs(np.diff(samples, axis=0)) / [0.05, 0.4, 0.4, 0.4], initial=0.0)
    assert most <= 1.0 + 1e-9 + 4 * np.spacing(max(map(abs, (*a, *b)))) / 0.05


def test_only_endless_joints_wrap(chain):
    a, b = [0.0, 3.0, 2.9, 0.0], [0.0, -3.0, -2.9, 0.0]
    assert chain.periodic == (False, True, False, True)
    assert chain.distance(a, b) == pytest.approx(math.hypot(TURN - 6.0, 5.8), rel=1e-15)
    assert chain.interpolate(a, b, 1.0).tolist() == [0.0, pytest.approx(TURN - 3.0, rel=1e-15), -2.9, 0.0]
    # the bare form does not: the control
    assert mk.JointMetric().distance(chain.typed(a), chain.typed(b)) == pytest.approx(math.hypot(6.0, 5.8), rel=1e-15)
    assert mk.JointResolution().steps(chain.typed(a), chain.typed(b)) == 75
    assert chain.steps(a, b) == 73


def test_half_a_turn_goes_the_positive_way_from_either_end(chain):
    """C7: half a turn to the last place."""
    a, b = [0.0, 0.0, 0.0, 0.0], [0.0, math.pi, 0.0, -math.pi]
    assert chain.interpolate(a, b, 0.5).tolist() == [0.0, math.pi / 2, 0.0, pytest.approx(math.pi / 2, rel=1e-15)]
    assert chain.interpolate(b, a, 0.5).tolist() == [0.0, 1.5 * math.pi, 0.0, pytest.approx(-math.pi / 2)]
    assert chain.distance(a, b) == chain.distance(b, a) == pytest.approx(math.sqrt(2) * math.pi, rel=1e-15)
    near = math.nextafter(math.pi, 0.0)
    assert chain.interpolate(a, [0.0, -near, 0.0, 0.0], 0.5)[1] == -near / 2


def test_the_pose_at_the_end_is_the_pose_of_the_goal(chain):
    """Whole turns do not change where the arm is; at the end of a far line they are rounded as its numbers are."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        a, b = rng.uniform(-20.0, 20.0, (2, 4))
        end = chain.interpolate(a, b, 1.0)
        assert chain.forward(end).matrix() == pytest.approx(chain.forward(b).matrix(), abs=2e-14)


def test_many_shares_give_the_bits_of_one(chain):
    rng = np.random.default_rng(2)
    a, b = rng.uniform(-7.0, 7.0, (2, 4))
    ts = rng.uniform(-0.5, 1.5, 50)
    rows = chain.interpolate(a, b, ts)
    assert all(np.array_equal(row, chain.interpolate(a, b, t)) for row, t in zip(rows, ts, strict=True))
    assert np.array_equal(chain.interpolate(a, b, ts.tolist()), rows)
    assert chain.interpolate(a, b, []).shape == (0, 4)


def test_a_line_leaves_its_ends_alone(chain):
    a, b = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.4, 0.3, 0.2, 0.1])
    out = chain.interpolate(a, b, 0.0)
    out[:] = 9.0
    assert a.tolist() == [0.1, 0.2, 0.3, 0.4]


def test_a_joint_that_follows_at_another_rate_does_not_come_back(chain):
    """A whole turn of the leader is half a turn of the follower: going round is not the way back."""
    text = (
        '<robot name="r"><link name="a"/><link name="b"/><link name="c"/>'
        '<joint name="lead" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>'
        '<joint name="follow" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>'
        '<mimic joint="lead" multiplier="{}"/></joint></robot>'
    )
    half, whole = (mk.SerialChain.from_urdf(text.format(m)) for m in ("0.5", "2.0"))
    assert half.distance([3.0], [-3.0]) == 6.0
    assert whole.distance([3.0], [-3.0]) == pytest.approx(TURN - 6.0, rel=1e-15)


def test_a_chain_without_joints_has_no_distances():
    rigid = mk.SerialChain.from_joints([mk.Joint.fixed("flange", mk.SE3.identity())])
    assert (rigid.distance([], []), rigid.steps([], []), rigid.interpolate([], [], 0.5).shape) == (0.0, 0, (0,))
    assert rigid.interpolate([], [], [0.0, 1.0]).shape == (2, 0)


def test_what_is_wrong_is_said(chain):
    q = [0.0] * 4
    for call in (chain.distance, chain.steps, lambda a, b: chain.interpolate(a, b, 0.5)):
        with pytest.raises(mk.WrongLength, match="a: expected 4"):
            call([0.0], q)
        with pytest.raises(mk.NotFinite, match="b: joint 'wheel'"):
            call(q, [0.0, math.nan, 0.0, 0.0])
        with pytest.raises(mk.KindMismatch, match="b: joint 'rail': expected a prismatic position") as caught:
            call(q, [mk.JointPosition.revolute(x) for x in q])
        assert caught.value.joint == "rail"
    for bad in (math.nan, [0.0, math.inf]):
        with pytest.raises(mk.NotFinite, match="t: expected finite shares"):
            chain.interpolate(q, q, bad)
    for bad in ([[0.0]], "half", None):
        with pytest.raises((mk.WrongLength, mk.NotFinite), match="t: expected"):
            chain.interpolate(q, q, bad)
