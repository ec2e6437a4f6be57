"""C9: an arm on a rail, planned with the right unit at each joint: joint moves and straight lines."""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk

Q = [0.3, 0.1, -0.9, 1.4, 0.2, 0.8, 0.3]
PLAIN = [mk.MotionLimits(0.5, 2.0, 20.0), *[mk.MotionLimits(2.0, 8.0, 60.0)] * 6]


def limits_of(kind, velocity, acceleration, jerk):
    return mk.MotionLimits(
        mk.JointVelocity(kind, velocity), mk.JointAcceleration(kind, acceleration), mk.JointJerk(kind, jerk)
    )


RAIL, TURN = limits_of("prismatic", 0.5, 2.0, 20.0), limits_of("revolute", 2.0, 8.0, 60.0)
LIMITS = [RAIL, *[TURN] * 6]


@pytest.fixture(scope="module")
def arm():
    limits = mk.JointLimits.revolute(-2.9, 2.9, 3.0)
    axes = [
        ("base", (0, 0, 1), (0, 0, 0.3)),
        ("shoulder", (0, 1, 0), (0, 0, 0.6)),
        ("elbow", (0, 1, 0), (0, 0, 1.2)),
        ("roll", (1, 0, 0), (0.2, 0, 1.3)),
        ("bend", (0, 1, 0), (0.7, 0, 1.3)),
        ("twist", (1, 0, 0), (0.8, 0, 1.3)),
    ]
    rail = mk.Joint.prismatic("rail", (0, 1, 0), (0, 0, 0.1), mk.JointLimits.prismatic(-1.0, 1.0, 0.5))
    joints = [rail, *(mk.Joint.revolute(name, axis, point, limits) for name, axis, point in axes)]
    return mk.SerialChain.from_joints(joints, tool=mk.SE3.from_translation((0.1, 0, 0)))


@pytest.fixture(scope="module")
def target(arm):
    return mk.SE3.from_translation((0.0, 0.1, -0.05)) * arm.forward(Q)


def test_a_line_with_units_is_the_plain_one(arm, target):
    plain = mk.CartesianPlan.plan(arm, Q, target, PLAIN)
    q = arm.typed(Q)
    names = arm.joint_names
    for plan in (
        mk.CartesianPlan.plan(arm, q, target, LIMITS),
        mk.CartesianPlan.plan(arm, dict(zip(names, q, strict=True)), target, dict(zip(names, LIMITS, strict=True))),
        mk.CartesianPlan.plan(arm, Q, target, LIMITS, end_q=arm.typed(plain.end_q)),
    ):
        assert plan.duration == plain.duration
        assert np.array_equal(plan.path.controls, plain.path.controls)
    # each joint keeps its own limits, the rail in metres
    samples = plain.sample_many(np.linspace(0.0, plain.duration, 400))
    for rates, field in (
        (samples.velocity, "max_velocity"),
        (samples.acceleration, "max_acceleration"),
        (samples.jerk, "max_jerk"),
    ):
        shares = np.max(np.abs(rates), axis=0) / [getattr(v, field) for v in LIMITS]
        assert np.all(shares <= 1.0 + 1e-9)
    assert np.abs(samples.velocity[:, 0]).max() > 0.0  # the rail takes part


def test_a_joint_move_with_units(arm):
    goal = [0.8, 0.3, -0.5, 1.0, 0.0, 0.6, 0.1]
    move = mk.SynchronizedTrajectory.plan(arm.typed(Q), arm.typed(goal), LIMITS, names=arm.joint_names)
    assert move == mk.SynchronizedTrajectory.plan(Q, goal, LIMITS)
    assert arm.joint_names[move.binding_axes.velocity] == "rail"
    peak = np.abs(move.sample_many(np.linspace(0.0, move.duration, 2001)).velocity[:, 0]).max()
    assert peak == pytest.approx(0.5, rel=1e-9)  # m/s: it cruises


@pytest.mark.parametrize(
    ("joint", "wrong"),
    [
        ("rail", [TURN, *LIMITS[1:]]),
        ("elbow", [*LIMITS[:3], RAIL, *LIMITS[4:]]),
        ("twist", [*LIMITS[:6], RAIL]),
    ],
)
def test_the_wrong_unit_at_a_joint_is_named(arm, target, joint, wrong, monkeypatch):
    """C2, C9: before any maths: the chain is not asked for a pose."""
    q = arm.typed(Q)  # this checks and asks for no pose either
    monkeypatch.setattr(mk.SerialChain, "forward", lambda *_: pytest.fail("a pose was computed"))
    with pytest.raises(mk.KindMismatch, match=f"limits: joint '{joint}' is") as caught:
        mk.CartesianPlan.plan(arm, Q, target, wrong)
    assert caught.value.joint == joint
    with pytest.raises(mk.KindMismatch, match=f"limits: joint '{joint}' is") as caught:
        mk.SynchronizedTrajectory.plan(q, q, wrong, names=arm.joint_names)
    assert caught.value.joint == joint


def test_limits_that_are_mixed_up_name_the_joint(arm, target):
    mixed = mk.MotionLimits(mk.JointVelocity.prismatic(0.5), mk.JointAcceleration.revolute(2.0), 20.0)
    with pytest.raises(mk.KindMismatch, match="joint 'rail': max_acceleration: expected a prismatic acc") as caught:
        mk.CartesianPlan.plan(arm, Q, target, [mixed, *LIMITS[1:]])
    assert caught.value.joint == "rail"


def test_wrong_positions_name_the_joint(arm, target, monkeypatch):
    q = arm.typed(Q)
    wrong = [mk.JointPosition.revolute(0.3), *q[1:]]
    with pytest.raises(mk.KindMismatch, match="start_q: joint 'rail': expected a prismatic position"):
        mk.CartesianPlan.plan(arm, wrong, target, LIMITS)
    monkeypatch.setattr(mk.SerialChain, "forward", lambda *_: pytest.fail("a pose was computed"))
    with pytest.raises(mk.KindMismatch, match="end_q: joint 'rail': expected a prismatic position"):
        mk.CartesianPlan.plan(arm, q, target, LIMITS, end_q=wrong)
    with pytest.raises(mk.UnknownName, match="limits: no joint 'rial': did you mean 'rail'"):
        mk.CartesianPlan.plan(arm, q, target, {"rial": RAIL})
