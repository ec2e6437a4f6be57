"""Report: gravity torques of a file without inertias came out as zeros, or the call crashed; nothing was refused."""

import pytest

import motionkit as mk

ROBOT = (
    '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute"><parent link="a"/>'
    '<child link="b"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>'
)


def test_it_is_said_once_for_the_whole_robot_and_kinematics_works():
    model = mk.RobotModel.from_urdf(ROBOT)
    (finding,) = model.check()
    assert (finding.severity, finding.where, finding.value) == ("info", "robot", "no link has a mass")
    assert finding.fix == "add inertial elements before using dynamics"
    assert model.chain().n == 1


def test_dynamics_does_not_answer_with_zeros():
    for make in (mk.DynamicChain.from_urdf, mk.DynamicTree.from_urdf):
        with pytest.raises(mk.InvalidInertia, match="link 'b': joint 'j' moves it"):
            make(ROBOT)
