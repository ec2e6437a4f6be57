"""Reports: a file lists its joints in another order than the engine has them, and torques went to other motors."""

import numpy as np
import pytest

import motionkit as mk

BODY = (
    '<inertial><origin xyz="0.1 0 0"/><mass value="{}"/>'
    '<inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial>'
)
JOINT = (
    '<joint name="{}" type="revolute"><parent link="{}"/><child link="{}"/><origin xyz="0.3 0 0"/><axis xyz="0 1 0"/>'
    '<limit lower="-2" upper="2" velocity="1" effort="1"/></joint>'
)
LINKS = '<link name="base"/>' + "".join(f'<link name="{n}">{BODY.format(m)}</link>' for n, m in (("a", 3), ("b", 1)))
SHOULDER, ELBOW = JOINT.format("shoulder", "base", "a"), JOINT.format("elbow", "a", "b")
ROBOT = '<robot name="r">' + LINKS + "{}{}</robot>"


@pytest.mark.parametrize("order", [(SHOULDER, ELBOW), (ELBOW, SHOULDER)])
def test_the_order_is_that_of_the_names_whatever_the_file_has(order):
    text = ROBOT.format(*order)
    for robot in (mk.DynamicChain.from_urdf(text), mk.DynamicTree.from_urdf(text)):
        assert robot.joint_names == ("shoulder", "elbow")
        tau = robot.gravity_torque({"elbow": 0.0, "shoulder": 0.0})
        assert tau == pytest.approx([-9.81 * (3 * 0.1 + 1 * 0.4), -9.81 * 0.1], abs=1e-14)
        named = dict(zip(robot.joint_names, tau.tolist(), strict=True))
        backwards = dict(reversed(named.items()))  # by name the order of a mapping means nothing
        assert np.abs(robot.forward_dynamics([0, 0], [0, 0], backwards)).max() < 1e-13
        assert np.abs(robot.forward_dynamics([0, 0], [0, 0], tau[::-1].copy())).max() > 10.0  # what it would have done


def test_the_order_of_columns_is_that_of_rates(robot_files):
    robot = mk.DynamicTree.from_urdf(robot_files / "talos_data/robots/talos_full_v2.urdf")
    k = robot.joint_names.index("arm_left_4_joint")
    unit = np.eye(robot.n)[k]
    q = np.full(robot.n, 0.2)
    h = 1e-6
    moved = robot.model.link_poses(q + h * unit)["arm_left_7_link"].translation
    before = robot.model.link_poses(q - h * unit)["arm_left_7_link"].translation
    slope = (moved - before) / (2 * h)
    assert np.abs(robot.link_jacobian("arm_left_7_link", q)[:3, k] - slope).max() < 1e-9
