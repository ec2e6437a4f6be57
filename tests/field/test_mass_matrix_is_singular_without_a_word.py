"""Report: a gripper's fingers had no mass, the mass matrix could not be inverted, and accelerations came out as NaN."""

import numpy as np
import pytest

import motionkit as mk

LIMIT = '<limit lower="0" upper="0.04" velocity="1" effort="1"/>'
BODY = '<inertial><mass value="0.7"/><inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial>'
JOINT = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{0}"/><axis xyz="0 1 0"/>' + LIMIT + "</joint>"
HAND = (
    '<robot name="gripper"><link name="base"/><link name="wrist">'
    + BODY
    + '</link><link name="finger">{}</link>'
    + JOINT.format("wrist", "revolute", "base")
    + JOINT.format("finger", "prismatic", "wrist")
    + "</robot>"
)


def test_kinematics_works_and_dynamics_names_the_finger():
    hand = mk.RobotModel.from_urdf(HAND.format(""))
    assert hand.chain().forward([0.1, 0.02]).translation.tolist() == pytest.approx([0.0, 0.02, 0.0])
    for make in (mk.DynamicTree, mk.DynamicChain.from_model):
        with pytest.raises(mk.InvalidInertia, match="link 'finger': joint 'finger' moves it") as caught:
            make(hand)
        assert caught.value.link == "finger"


def test_ten_grams_are_enough():
    light = '<inertial><mass value="0.01"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>'
    hand = mk.DynamicChain.from_urdf(HAND.format(light))
    assert hand.mass_matrix([0.0, 0.0])[1, 1] == 0.01
    assert hand.forward_dynamics([0.0, 0.0], [0.0, 0.0], [0.0, 0.02]).tolist() == pytest.approx([0.0, 2.0])


def test_a_chain_to_the_hand_does_not_mind_its_fingers():
    """They are held where they are, and weigh nothing."""
    chain = mk.DynamicChain.from_urdf(HAND.format(""), tip="wrist")
    assert np.all(chain.mass_matrix([0.0]) == 1e-3)
