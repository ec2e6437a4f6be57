"""A program for an arm on a floating base: refused by name, and planned on the base held at zero."""

from __future__ import annotations

from pathlib import Path

import pytest

import motionkit as mk
from motionkit.program import RobotReference, load_arm

ROBOT = (
    '<robot name="r"><link name="world"/><link name="a"/><link name="b"/>'
    '<joint name="free" type="floating"><parent link="world"/><child link="a"/></joint>'
    '<joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
    '<limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>'
)


def test_hold_of_a_robot_reference(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(ROBOT)
    with pytest.raises(mk.InvalidModel, match="pass hold="):
        load_arm("r.urdf", folder=tmp_path)
    arm = load_arm(RobotReference(urdf="r.urdf", hold=("free",)), folder=tmp_path)
    assert arm.chain.joint_names == ("j",)
