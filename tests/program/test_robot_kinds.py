"""The robot of a program or a command may be a URDF, a MJCF or a xacro file; which it is shows in the file."""

import json
import sys

import pytest

import motionkit as mk
from motionkit.cli import main
from motionkit.program import load_arm, load_model

MJCF = """<!-- <robot> --><mujoco model="m"><compiler angle="degree"/><worldbody>
<body name="upper"><joint name="a" axis="0 0 1" range="-170 170"/>
<body name="fore" pos="0.5 0 0"><joint name="b" axis="0 0 1" range="-170 170"/><site name="tip" pos="0.5 0 0"/>
</body></body></worldbody></mujoco>"""
XACRO = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="reach" value="0.5"/>
<link name="base"/><link name="arm"/><joint name="a" type="revolute"><parent link="base"/><child link="arm"/>
<origin xyz="${reach} 0 0"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""
PROGRAM = """motionkit: program/1
robot: {robot}
limits: {{max_velocity: [1, 1], max_acceleration: [8, 8], max_jerk: [60, 60]}}
points: {{home: {{joints: [0, 30]}}, away: {{joints: [60, -30]}}}}
steps:
  - movej: home
  - movej: away
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "arm.xml").write_text(MJCF)
    (tmp_path / "arm.xacro").write_text(XACRO)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_mjcf_is_known_by_its_first_element(folder):
    arm = load_arm("arm.xml")
    assert arm.chain.joint_names == ("a", "b")
    assert arm.chain.tip == "tip"
    # a URDF may be called .xml too
    mk.RobotModel.six_axis_example().to_urdf(folder / "other.xml")
    assert load_model("other.xml").name == "six_axis_example"
    assert mk.RobotModel.from_file(folder / "other.xml").name == "six_axis_example"


def test_a_xacro_is_known_by_its_ending(folder):
    pytest.importorskip("xacrodoc", reason="xacro files need the extra: pip install 'motionkit[robots]'")
    assert load_arm("arm.xacro").chain.forward([0.0]).translation.tolist() == [0.5, 0.0, 0.0]


def test_the_digest_changes_with_an_included_file(folder):
    (folder / "part.xml").write_text('<mujocoinclude><body name="b"><joint name="j"/></body></mujocoinclude>')
    (folder / "whole.xml").write_text('<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>')
    before = load_arm("whole.xml").digest
    assert before == load_arm("whole.xml").digest
    (folder / "part.xml").write_text(
        '<mujocoinclude><body name="b" pos="0 0 1"><joint name="j"/></body></mujocoinclude>'
    )
    assert load_arm("whole.xml").digest != before


def test_a_program_runs_on_a_mjcf(folder, capsys):
    (folder / "move.yaml").write_text(PROGRAM.format(robot="arm.xml"))
    assert main(["run", "move.yaml", "--out", "result"]) == 0
    report = json.loads((folder / "result" / "report.json").read_text())
    assert report["robot"] == "arm.xml"
    assert [joint["name"] for joint in report["joints"]] == ["a", "b"]


def test_the_commands_take_a_mjcf(folder, capsys):
    assert main(["fk", "arm.xml", "0", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["xyz"] == pytest.approx([1.0, 0.0, 0.0])
    assert main(["check", "arm.xml"]) == 0
    assert "2 moving joints from world to tip" in capsys.readouterr().out


def test_a_missing_extra_is_told_with_the_place_in_the_program(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    (folder / "move.yaml").write_text(PROGRAM.format(robot="arm.xml"))
    with pytest.raises(mk.MissingExtra, match=r"move\.yaml:2: robot: .*motionkit\[mjcf\]"):
        from motionkit.program import load_program, resolve

        resolve(load_program("move.yaml"))


def test_packages_for_a_mjcf_are_refused(folder):
    with pytest.raises(mk.KindMismatch, match=r"arm\.xml is a MJCF, which names no packages; got parts"):
        mk.RobotModel.from_file("arm.xml", packages={"parts": "."})
