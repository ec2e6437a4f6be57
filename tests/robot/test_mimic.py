"""Joints that follow others: one coordinate for all of them, in poses, Jacobians, inverse kinematics and limits."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import motionkit as mk

LIMIT = '<limit lower="{}" upper="{}" velocity="{}" effort="5"/>'


def joint(name: str, parent: str, child: str, kind: str = "revolute", more: str = "", limit: str = "") -> str:
    limit = limit or LIMIT.format(-2, 2, 3)
    placement = '<origin xyz="0.3 0.02 0.1" rpy="0.2 -0.4 0.7"/><axis xyz="0.1 -0.3 0.9"/>'
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f"{placement}{limit if kind != 'fixed' else ''}{more}</joint>"
    )


def robot(*joints: str, links: str = "abcdef") -> mk.RobotModel:
    return mk.RobotModel.from_urdf(
        f'<robot name="r">{"".join(f"<link name={c!r}/>" for c in links[: len(joints) + 1])}{"".join(joints)}</robot>'
    )


def follow(leader: str, multiplier: float = 1.0, offset: float = 0.0) -> str:
    return f'<mimic joint="{leader}" multiplier="{multiplier}" offset="{offset}"/>'


def fingers() -> mk.RobotModel:
    """Two free joints; c follows a, d follows c, and e slides with b."""
    return robot(
        joint("a", "a", "b"),
        joint("b", "b", "c"),
        joint("c", "c", "d", more=follow("a", -2.0, 0.1), limit=LIMIT.format(-3, 3, 3)),
        joint("d", "d", "e", more=follow("c", 0.5, -0.2)),
        joint("e", "e", "f", "prismatic", follow("b", 0.25, 0.05), LIMIT.format(-1, 1, 1)),
    )


def free(model: mk.RobotModel) -> mk.SerialChain:
    """The same chain with every joint on its own."""
    joints = [dataclasses.replace(joint, mimic=None) for joint in model.joints]
    return mk.RobotModel(model.name, model.links, tuple(joints)).chain()


def spread(q: np.ndarray) -> np.ndarray:
    """Every joint of ``fingers`` from its two coordinates, and the constant matrix of its derivative."""
    a, b = q
    c = -2.0 * a + 0.1
    return np.array([a, b, c, 0.5 * c - 0.2, 0.25 * b + 0.05])


P = np.array([[1, 0], [0, 1], [-2, 0], [-1, 0], [0, 0.25]])


def test_a_follower_shares_the_coordinate_of_its_leader() -> None:
    chain, full, rng = fingers().chain(), free(fingers()), np.random.default_rng(1)
    assert (chain.n, chain.joint_names, len(chain.moving), full.n) == (2, ("a", "b"), 5, 5)
    for _ in range(50):
        q = rng.uniform(-1, 1, 2)
        # products of the same matrices with a few roundings elsewhere
        expected = full.forward(spread(q)).matrix()
        assert np.allclose(chain.forward(q).matrix(), expected, rtol=0, atol=1e-14)
        assert np.allclose(chain.joint_positions(q), full.joint_positions(spread(q)), rtol=0, atol=1e-14)
        for link, pose in full.link_poses(spread(q)).items():
            assert np.allclose(chain.link_poses(q)[link].matrix(), pose.matrix(), rtol=0, atol=1e-14)


@pytest.mark.parametrize("frame", ["tool_at_base_orientation", "tool", "base_origin"])
def test_columns_of_followers_are_summed(frame: str) -> None:
    chain, full, rng = fingers().chain(), free(fingers()), np.random.default_rng(2)
    for _ in range(50):
        q = rng.uniform(-1, 1, 2)
        expected = full.jacobian(spread(q), frame=frame) @ P
        assert np.allclose(chain.jacobian(q, frame=frame), expected, rtol=0, atol=1e-14)
    Q = rng.uniform(-1, 1, (20, 2))
    rows = chain.jacobian_batch(Q, frame=frame)
    assert all(np.array_equal(chain.jacobian(q, frame=frame), J) for q, J in zip(Q, rows, strict=True))


def test_the_acceleration_that_speed_alone_causes() -> None:
    chain, full, rng = fingers().chain(), free(fingers()), np.random.default_rng(3)
    q, qd = rng.uniform(-1, 1, 2), rng.uniform(-2, 2, 2)
    assert np.allclose(chain.drift(q, qd), full.drift(spread(q), P @ qd), rtol=0, atol=1e-13)


def test_pinocchio_reads_the_same_mimic_joints(defects: Path) -> None:
    """The row of the matrix of broken models: j2 = -2 j1 + 0.1."""
    path = defects / "mimic.urdf"
    chain, oracle = mk.SerialChain.from_urdf(path), pin.buildModelFromUrdf(str(path), mimic=True)
    data, frame = oracle.createData(), oracle.getFrameId("l2", pin.BODY)
    assert chain.n == oracle.nq == 1
    for q in np.linspace(-1, 1, 11):
        pin.computeJointJacobians(oracle, data, np.array([q]))
        pin.updateFramePlacements(oracle, data)
        assert np.allclose(chain.forward([q]).matrix(), data.oMf[frame].homogeneous, rtol=0, atol=1e-15)
        J = pin.getFrameJacobian(oracle, data, frame, pin.LOCAL_WORLD_ALIGNED)
        assert np.allclose(chain.jacobian([q]).ravel(), J.ravel(), rtol=0, atol=1e-15)
        # dx/dj1 = J1 - 2 J2, by hand: l2 is 0.3 m from l1
        a, b = q, q + (-2.0 * q + 0.1)
        assert np.allclose(chain.jacobian([q])[:2, 0], [-0.3 * math.sin(a), 0.3 * math.cos(a)], rtol=0, atol=1e-15), b


def test_a_humanoids_hand_follows_one_joint(robot_files: Path) -> None:
    path = robot_files / "talos_data/robots/talos_full_v2.urdf"
    # pinocchio refuses the followers of this file, so every joint is set as the file's rules say
    model, oracle = mk.RobotModel.from_urdf(path), pin.buildModelFromUrdf(str(path))
    data, q, a = oracle.createData(), pin.neutral(oracle), -0.4
    hand = {"gripper_left_joint": a} | {
        j.name: j.mimic.multiplier * a + j.mimic.offset
        for j in model.joints
        if j.mimic is not None and j.mimic.joint == "gripper_left_joint"
    }
    assert len(hand) == 7
    for name, x in hand.items():
        q[oracle.joints[oracle.getJointId(name)].idx_q] = x
    pin.framesForwardKinematics(oracle, data, q)
    base = data.oMf[oracle.getFrameId("gripper_left_base_link", pin.BODY)]
    for leaf in (leaf for leaf in model.leaves if "left_fingertip" in leaf):
        chain = model.chain("gripper_left_base_link", leaf)
        assert chain.joint_names == ("gripper_left_joint",)
        expected = (base.inverse() * data.oMf[oracle.getFrameId(leaf, pin.BODY)]).homogeneous
        assert np.allclose(chain.forward([a]).matrix(), expected, rtol=0, atol=1e-14)


def test_only_the_follower_is_on_the_chain() -> None:
    model = robot(joint("a", "a", "b"), joint("b", "a", "c", more=follow("a", -1.0, 0.2)))
    chain = model.chain(tip="c")
    assert (chain.joint_names, len(chain.moving)) == (("a",), 1)
    alone = free(mk.RobotModel(model.name, model.links[::2], model.joints[1:]))
    assert np.allclose(chain.forward([0.3]).matrix(), alone.forward([-0.1]).matrix(), rtol=0, atol=1e-15)


def test_towards_the_root_the_coordinates_stay() -> None:
    down, rng = fingers().chain(), np.random.default_rng(4)
    up = fingers().chain("f", "a")
    assert set(up.joint_names) == {"a", "b"}
    for _ in range(10):
        a, b = rng.uniform(-1, 1, 2)
        there, back = down.forward({"a": a, "b": b}), up.forward({"a": a, "b": b})
        assert np.allclose((there * back).matrix(), np.eye(4), rtol=0, atol=1e-14)


def test_limits_of_followers_constrain_their_leader() -> None:
    """a in -2..2; c = -2 a + 0.1 in -3..3 and d = c / 2 - 0.2 in -2..2 leave it -1.45..1.55."""
    chain = fingers().chain()
    assert np.allclose(chain.lower, [max(-2, -(3 - 0.1) / 2), -2], rtol=0, atol=1e-15)
    assert np.allclose(chain.upper, [min(2, (3 + 0.1) / 2), 2], rtol=0, atol=1e-15)
    assert chain.max_velocity.tolist() == [1.5, 3.0]
    with pytest.raises(mk.JointLimitViolated, match="a"):
        chain.inverse(chain.forward([1.0, 0.0]), [1.6, 0.0])


def test_limits_hold_on_a_chain_without_the_follower() -> None:
    assert fingers().chain(tip="c").upper[0] == pytest.approx(1.55)


def test_followers_that_leave_no_room_are_refused() -> None:
    telling = r"'b' follows 'a' and allows it -11 to -7 rad, which leaves no room within -2 to 2 rad"
    with pytest.raises(mk.InvalidModel, match=telling) as refused:
        robot(joint("a", "a", "b"), "\n" + joint("b", "b", "c", more=follow("a", 1.0, 9.0)))
    (finding,) = [found for found in refused.value.findings if found.severity == "error"]
    assert (finding.severity, finding.line, finding.where) == ("error", 2, "joint 'b' mimic")
    model = robot(joint("a", "a", "b"), joint("b", "b", "c", more=follow("a")))
    moved = dataclasses.replace(model.joints[1], mimic=mk.robot.Mimic("a", 1.0, 9.0))
    with pytest.raises(mk.InvalidLimits, match=telling) as info:  # made by hand
        dataclasses.replace(model, joints=(model.joints[0], moved)).chain()
    assert info.value.joint == "b"


def test_every_coordinate_without_room_is_told_at_once() -> None:
    def off(name: str, parent: str, child: str, leader: str) -> str:
        return "\n" + joint(name, parent, child, more=follow(leader, -1.0, 9.0))

    with pytest.raises(mk.InvalidModel) as info:
        robot(joint("a", "a", "b"), joint("b", "b", "c"), off("c", "c", "d", "b"), off("d", "d", "e", "a"))
    found = [(f.line, f.where) for f in info.value.findings if f.severity == "error"]
    assert found == [(2, "joint 'c' mimic"), (3, "joint 'd' mimic")]


@pytest.mark.parametrize("wrong", ['type="revolut"', 'type="floating"', 'lower="2" upper="-2"'])
def test_nothing_is_said_of_those_that_follow_what_is_wrong_itself(wrong: str) -> None:
    leader = joint("a", "a", "b")
    leader = leader.replace('type="revolute"' if "type" in wrong else 'lower="-2" upper="2"', wrong)
    with pytest.raises(mk.InvalidModel) as info:
        robot(leader, joint("b", "b", "c", more=follow("a", 1.0, 2.5)))
    (finding,) = [f for f in info.value.findings if f.severity == "error"]
    assert finding.where.startswith("joint 'a'")


def test_a_continuous_leader_is_limited_by_its_follower() -> None:
    model = robot(joint("a", "a", "b", "continuous"), joint("b", "b", "c", more=follow("a", 0.5)))
    (limits,) = model.chain().limits
    assert (limits.kind, limits.lower, limits.upper) == ("revolute", -4.0, 4.0)


@pytest.mark.parametrize(("multiplier", "periodic"), [(1.0, True), (-3.0, True), (0.5, False), (1.0000001, False)])
def test_a_whole_turn_of_the_leader_is_one_only_for_whole_multipliers(multiplier: float, periodic: bool) -> None:
    model = robot(joint("a", "a", "b", "continuous"), joint("b", "b", "c", "continuous", follow("a", multiplier)))
    chain = model.chain()
    assert chain.periodic == (periodic,)
    turned = chain.forward([0.3 + 2 * math.pi]).matrix()
    # a turn of 2 pi rounds by 2e-16, tripled by the follower; 1.0000001 turns are 6e-7 away
    assert np.allclose(turned, chain.forward([0.3]).matrix(), rtol=0, atol=1e-14) == periodic


def test_inverse_kinematics_takes_no_turns_that_are_none() -> None:
    """With half a turn of the follower for a turn of the leader, the answer must not be moved by whole turns."""
    model = robot(
        joint("a", "a", "b", "continuous"),
        joint("b", "b", "c"),
        joint("c", "c", "d", "continuous", follow("a", 0.5)),
        joint("d", "d", "e"),
    )
    chain = model.chain()
    target = chain.forward([7.0, 0.4, -0.3])
    report = chain.inverse(target, [6.8, 0.3, -0.2])
    assert chain.forward(report.q).rotation.angle_to(target.rotation) < 1e-8
    assert report.q[0] == pytest.approx(7.0, abs=1e-6)


def test_a_follower_of_something_that_stands_still_is_fixed() -> None:
    led = robot(joint("a", "a", "b"), joint("b", "b", "c", more=follow("a", 2.0, 0.3)))
    held = dataclasses.replace(led.joints[0], kind="fixed", limits=mk.JointLimits.fixed())
    still = dataclasses.replace(led, joints=(held, led.joints[1]))  # no loader makes one: a file like it is refused
    zero = robot(joint("a", "a", "b"), joint("b", "b", "c", more=follow("a", 0.0, 0.3)))
    assert (still.chain().n, zero.chain().n) == (0, 1)
    expected = free(zero).forward([0.0, 0.3]).matrix()
    assert np.allclose(zero.chain().forward([0.0]).matrix(), expected, rtol=0, atol=1e-15)
    assert np.allclose(still.chain().forward([]).matrix(), expected, rtol=0, atol=1e-15)
    assert np.allclose(still.chain("c", "a").forward([]).inverse().matrix(), expected, rtol=0, atol=1e-15)


def six() -> mk.SerialChain:
    """The example arm with a telescope at its foot: two slides that share a coordinate."""
    arm = mk.RobotModel.six_axis_example()
    slide = (
        '<joint name="{}" type="prismatic"><parent link="{}"/><child link="{}"/><axis xyz="0 0 1"/>'
        + LIMIT.format(0, 0.3, 0.5)
        + "{}</joint>"
    )
    lift = mk.RobotModel.from_urdf(
        '<robot name="lift"><link name="floor"/><link name="mid"/><link name="top"/>'
        + slide.format("lift", "floor", "mid", "")
        + slide.format("second", "mid", "top", follow("lift"))
        + "</robot>"
    )
    x, still = (1.0, 0.0, 0.0), mk.JointLimits.fixed()
    mount = mk.robot.ModelJoint("mount", "fixed", "top", arm.root, mk.SE3.identity(), x, still)
    return mk.RobotModel("lift", (*lift.links, *arm.links), (*lift.joints, mount, *arm.joints)).chain()


def test_lines_and_inverse_kinematics_through_a_telescope() -> None:
    chain = six()
    assert chain.joint_names[:2] == ("lift", "j1")
    home = np.array([0.1, *np.radians([0, -60, 90, 0, 60, 0])])
    target = mk.SE3.from_translation([0.0, 0.05, 0.08]) * chain.forward(home)
    report = chain.inverse(target, home)
    assert report.position_error < 1e-9
    plan = mk.CartesianPlan.plan(chain, home, target, [mk.MotionLimits(1.0, 4.0, 40.0)] * 7)
    for t in np.linspace(0, plan.duration, 20):
        point = chain.forward(plan.sample(t).position)
        away = np.linalg.norm(np.cross(point.translation - chain.forward(home).translation, [0, 0.05, 0.08]))
        assert away / math.hypot(0.05, 0.08) < 1e-4  # the plan's own tolerance, 0.1 mm


def test_a_chain_with_followers_is_a_value() -> None:
    chain = fingers().chain()
    assert pickle.loads(pickle.dumps(chain)) == chain == copy.deepcopy(chain)
    assert "n = 2" in repr(chain)
