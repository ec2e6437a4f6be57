"""Whole robots with masses: joints that follow others, joints that are held, bodies in several hands."""

import pickle

import numpy as np
import pytest

import motionkit as mk

BODY = (
    '<inertial><origin xyz="0.02 0.01 0.1"/><mass value="{}"/>'
    '<inertia ixx="2e-3" ixy="1e-4" ixz="0" iyy="3e-3" iyz="0" izz="1.5e-3"/></inertial>'
)
JOINT = (
    '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{0}"/><origin xyz="{3}" rpy="0.1 0.2 0.3"/>'
    '<axis xyz="{4}"/><limit lower="-2" upper="2" velocity="1" effort="9"/>{5}</joint>'
)
FOLLOWS = '<mimic joint="left" multiplier="-0.5" offset="0.01"/>'


def hand(follower=FOLLOWS):
    """A wrist with two fingers that slide, the right one after the left."""
    links = '<link name="base"/>' + "".join(
        f'<link name="{name}">{BODY.format(mass)}</link>'
        for name, mass in (("wrist", 2), ("left", 0.3), ("right", 0.4))
    )
    joints = (
        JOINT.format("wrist", "revolute", "base", "0 0 0.2", "0 1 0", "")
        + JOINT.format("right", "prismatic", "wrist", "0 -0.05 0.1", "0 1 0", follower)
        + JOINT.format("left", "prismatic", "wrist", "0 0.05 0.1", "0 1 0", "")
    )
    return f'<robot name="hand">{links}{joints}</robot>'


@pytest.fixture(scope="module")
def robot():
    return mk.DynamicTree.from_urdf(hand())


def test_followers_share_a_row_and_a_column(robot):
    """M of the coordinates is P^T M P of the joints when each is free, and so are torques and Coriolis matrices."""
    free = mk.DynamicTree.from_urdf(hand(""))
    assert (robot.joint_names, free.joint_names) == (("wrist", "left"), ("wrist", "right", "left"))
    P = np.array([[1.0, 0.0], [0.0, -0.5], [0.0, 1.0]])
    q, qd, qdd = np.array([[0.4, 0.03], [1.0, -0.2], [2.0, 0.5]])
    at, rate, gain = P @ q + [0.0, 0.01, 0.0], P @ qd, P @ qdd
    assert np.abs(robot.mass_matrix(q) - P.T @ free.mass_matrix(at) @ P).max() < 1e-16
    assert np.abs(robot.inverse_dynamics(q, qd, qdd) - P.T @ free.inverse_dynamics(at, rate, gain)).max() < 1e-14
    assert np.abs(robot.coriolis_matrix(q, qd) - P.T @ free.coriolis_matrix(at, rate) @ P).max() < 1e-15
    ours, theirs = robot.inverse_dynamics_derivatives(q, qd, qdd), free.inverse_dynamics_derivatives(at, rate, gain)
    for a, b in zip(ours, theirs, strict=True):
        assert np.abs(a - P.T @ b @ P).max() < 1e-14
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert np.abs(robot.forward_dynamics(q, qd, tau, out=np.empty(2)) - qdd).max() < 1e-13
    assert np.abs(robot.regressor(q, qd, qdd) @ robot.inertial_parameters.ravel() - tau).max() < 1e-14
    # a follower's own share is not there to be left out: counted once it would be off
    assert np.abs(robot.mass_matrix(q) - free.mass_matrix(at)[np.ix_([0, 2], [0, 2])]).max() > 0.05


def test_a_held_joint_is_part_of_what_carries_it(robot):
    held = mk.DynamicTree.from_urdf(hand(), held={"left": 0.03})
    assert held.joint_names == ("wrist",)
    assert held.held == {"left": 0.03}
    assert held.mass_matrix([0.4])[0, 0] == pytest.approx(robot.mass_matrix([0.4, 0.03])[0, 0], rel=1e-14)
    assert held.gravity_torque([0.4])[0] == pytest.approx(robot.gravity_torque([0.4, 0.03])[0], rel=1e-14)
    with pytest.raises(mk.UnknownName, match="'right'"):  # it has no coordinate of its own
        mk.DynamicTree.from_urdf(hand(), held={"right": 0.0})


def test_bodies_in_several_hands_come_and_go(robot):
    q = [0.4, 0.03]
    one = robot.with_payload("left", 0.5, (0, 0, 0.1))
    two = one.with_payload("wrist", 1.0, (0.1, 0, 0), np.diag([1e-3, 1e-3, 1e-3]))
    J = robot.link_jacobian("left", q)
    arm = robot.model.link_poses([0.4, 0.03])["left"].rotation.matrix() @ [0, 0, 0.1]
    linear = J[:3] + np.cross(J[3:].T, arm).T
    assert np.abs(one.gravity_torque(q) - robot.gravity_torque(q) - linear.T @ [0, 0, 0.5 * 9.81]).max() < 1e-14
    assert set(two.payloads) == {"left", "wrist"}
    back = two.with_payload("wrist", 0.0, (0, 0, 0)).with_payload("left", 0.0, (0, 0, 0))
    assert back == robot
    assert back.dynamic_model.values == robot.dynamic_model.values
    with pytest.raises(mk.UnknownName, match="'thumb'"):
        robot.with_payload("thumb", 1.0, (0, 0, 0))


def test_it_is_a_value(robot):
    loaded = robot.with_payload("left", 0.5, (0, 0, 0.1)).with_gravity((0, 0, -1.62)).with_friction([1, 2], [0.1, 0.2])
    again = pickle.loads(pickle.dumps(loaded))
    assert again == loaded
    assert hash(again) == hash(loaded)
    assert loaded != robot
    assert repr(robot) == "DynamicTree 'hand': 3 moving bodies, n = 2"
    assert [limits.upper for limits in robot.limits] == [limits.upper for limits in robot.model.limits]


def test_the_jacobian_of_the_base_is_nothing_and_others_change_as_they_move(robot):
    q, qd, h = np.array([0.4, 0.03]), np.array([1.0, -0.2]), 1e-6
    assert not robot.link_jacobian("base", q).any()
    slope = (robot.link_jacobian("right", q + h * qd) - robot.link_jacobian("right", q - h * qd)) / (2 * h)
    assert np.abs(robot.link_jacobian_derivative("right", q, qd) - slope).max() < 1e-9
    chain = mk.RobotModel.from_urdf(hand()).chain(tip="right")
    assert np.abs(robot.link_jacobian("right", q) - chain.jacobian(q)).max() < 1e-15
    with pytest.raises(mk.UnknownName, match="'thumb'"):
        robot.link_jacobian("thumb", q)
