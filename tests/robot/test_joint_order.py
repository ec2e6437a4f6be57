"""Joint order: what it is, that names carry coordinates from one order to another, and what a wrong name is told."""

import math

import numpy as np
import pinocchio as pin
import pytest

import motionkit as mk

TREE = """<robot name="r"><link name="hand"/><link name="base"/><link name="arm"/><link name="mast"/>
<joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/><origin xyz="1 0 0"/></joint>
<joint name="lamp" type="fixed"><parent link="base"/><child link="mast"/></joint>
<joint name="shoulder" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
</robot>"""


def test_order_is_from_the_base_to_the_tip_whatever_the_file_has():
    model = mk.RobotModel.from_urdf(TREE)
    assert [joint.name for joint in model.joints] == ["lamp", "shoulder", "wrist"]
    assert model.joint_names == model.chain(tip="hand").joint_names == ("shoulder", "wrist")
    assert list(model.as_mapping({"wrist": 2.0, "shoulder": 1.0}).items()) == [("shoulder", 1.0), ("wrist", 2.0)]
    assert model.chain(base="hand", tip="base").joint_names == ("wrist", "shoulder")


def test_a_mapping_comes_out_in_joint_order_and_goes_in_in_any():
    chain = mk.RobotModel.from_urdf(TREE).chain(tip="hand")
    q = chain.as_mapping({"wrist": 2.0, "shoulder": 1.0})
    assert list(q.items()) == [("shoulder", 1.0), ("wrist", 2.0)]
    assert q == chain.as_mapping([1.0, 2.0]) == chain.as_mapping(np.array([1.0, 2.0]))
    assert all(type(value) is float for value in q.values())
    assert chain.forward(q) == chain.forward([1.0, 2.0])
    assert chain.vector(dict(reversed(q.items()))).tolist() == [1.0, 2.0]


def test_what_is_wrong_with_a_mapping_is_said():
    chain = mk.RobotModel.from_urdf(TREE).chain(tip="hand")
    with pytest.raises(mk.UnknownName, match="no joint 'wrst': did you mean 'wrist'"):
        chain.as_mapping({"wrst": 1.0, "shoulder": 0.0})
    with pytest.raises(mk.WrongLength, match="no value for joint wrist"):
        chain.as_mapping({"shoulder": 0.0})
    with pytest.raises(mk.WrongLength):
        chain.as_mapping([1.0])
    with pytest.raises(mk.NotFinite, match="'wrist'"):
        chain.as_mapping([0.0, math.nan])


def test_names_carry_a_configuration_to_another_program_and_back(robot_files):
    """Two arms that pinocchio orders otherwise: by position the same numbers are another pose."""
    path = robot_files / "baxter_description/urdf/baxter.urdf"
    chain = mk.RobotModel.from_urdf(path).chain("left_gripper", "right_gripper")
    oracle = pin.buildModelFromUrdf(str(path))
    theirs = [name for name in oracle.names if name in chain.joint_names]
    assert theirs != list(chain.joint_names)
    q = np.linspace(-0.5, 0.5, chain.n)
    named = chain.as_mapping(q)
    there = [named[name] for name in theirs]
    assert chain.vector(dict(zip(theirs, there, strict=True))).tolist() == q.tolist()
    assert there != q.tolist()  # the control
