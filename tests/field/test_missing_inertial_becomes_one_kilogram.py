"""Report: a link without an inertial element was given 1 kg and the identity, and dynamics came out wrong unnoticed."""

import numpy as np

import motionkit as mk

LIMIT = '<limit lower="-2" upper="2" velocity="1" effort="1"/>'
BODY = '<inertial><mass value="2"/><inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial>'
ROBOT = (
    '<robot name="gripper"><link name="hand">' + BODY + '</link><link name="finger">{}</link><joint name="j" '
    'type="revolute"><parent link="hand"/><child link="finger"/>' + LIMIT + "</joint></robot>"
)


def test_it_has_no_mass_and_that_is_said():
    model = mk.RobotModel.from_urdf(ROBOT.format(""))
    assert model.link("finger").inertia is None
    (finding,) = model.check()
    assert (finding.where, finding.value) == ("link 'finger'", "no inertial, so mass 0")
    assert model.chain().forward([0.3]).translation.tolist() == [0, 0, 0]  # kinematics does not mind


def test_an_empty_inertial_is_zero_too():
    model = mk.RobotModel.from_urdf(ROBOT.format("<inertial/>"))
    body = model.link("finger").inertia
    assert body.mass == 0.0
    assert not np.any(body.matrix())


def test_a_kilogram_that_somebody_left_behind_is_suspected():
    default = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    (finding,) = mk.RobotModel.from_urdf(ROBOT.format(default)).check()
    assert "the default of many exporters" in finding.value
