"""Robots by name: what robot_descriptions gives is loaded by its kind, and an unknown name finds the nearest.

No file is fetched: the package is stood in for by modules that have what its modules have.
"""

import sys
import types

import pytest

import motionkit as mk

NAMES = ("ur5e_description", "ur5e_mj_description", "panda_description", "fer_description", "minitaur_description")


@pytest.fixture
def package(monkeypatch):
    """A stand-in for robot_descriptions; returns what adds a description to it."""
    module = types.ModuleType("robot_descriptions")
    module.DESCRIPTIONS = dict.fromkeys(NAMES)
    module.__path__ = []
    monkeypatch.setitem(sys.modules, "robot_descriptions", module)

    def add(name, **values):
        description = types.ModuleType(f"robot_descriptions.{name}")
        description.__dict__.update(values)
        monkeypatch.setitem(sys.modules, description.__name__, description)

    return add


def test_a_urdf_description_is_its_file(package, tmp_path):
    path = tmp_path / "arm.urdf"
    mk.RobotModel.six_axis_example().to_urdf(path)
    package("panda_description", URDF_PATH=str(path))
    assert mk.RobotModel.from_description("panda_description") == mk.RobotModel.from_urdf(str(path))
    with pytest.raises(mk.KindMismatch, match="panda_description is no xacro file, so it takes no arguments; got hand"):
        mk.RobotModel.from_description("panda_description", {"hand": True})


def test_a_mjcf_description_goes_through_mujoco(package, tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text('<mujoco model="m"><worldbody><body name="b"><joint name="j"/></body></worldbody></mujoco>')
    package("ur5e_mj_description", MJCF_PATH=str(path))
    assert mk.RobotModel.from_description("ur5e_mj_description").chain().joint_names == ("j",)


def test_a_xacro_description_has_arguments_and_packages(package, tmp_path):
    pytest.importorskip("xacrodoc", reason="xacro files need the extra: pip install 'motionkit[robots]'")
    (tmp_path / "share").mkdir()
    (tmp_path / "share" / "part.xacro").write_text('<robot name="r"><link name="hand"/></robot>')
    path = tmp_path / "arm.xacro"
    path.write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="name" default="r"/>'
        '<xacro:include filename="$(find parts)/part.xacro"/><link name="$(arg name)"/>'
        '<joint name="j" type="fixed"><parent link="hand"/><child link="$(arg name)"/></joint></robot>'
    )
    values = {"XACRO_PATH": str(path), "XACRO_ARGS": {"name": "a"}}
    package("fer_description", **values, XACRO_PACKAGE_PATHS={"parts": str(tmp_path / "share")})
    assert mk.RobotModel.from_description("fer_description").leaves == ("a",)
    assert mk.RobotModel.from_description("fer_description", {"name": "b"}).leaves == ("b",)


def test_an_unknown_name_finds_the_nearest(package):
    with pytest.raises(mk.UnknownName, match=r"no 'ur5e': did you mean 'ur5e_description', 'ur5e_mj_description'\?"):
        mk.RobotModel.from_description("ur5e")
    with pytest.raises(mk.UnknownName, match=r"did you mean 'panda_description'\? it knows 5 names"):
        mk.RobotModel.from_description("pandda_description")


def test_files_that_cannot_be_fetched_are_said(package):
    with pytest.raises(
        mk.FileUnreadable, match=r"files of minitaur_description cannot be fetched: ModuleNotFoundError"
    ):
        mk.RobotModel.from_description("minitaur_description")


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "robot_descriptions", None)
    with pytest.raises(mk.MissingExtra, match=r"pip install 'motionkit\[robots\]'"):
        mk.RobotModel.from_description("ur5e_description")


def test_the_real_package_has_the_names_and_shape_that_is_relied_on():
    package = pytest.importorskip("robot_descriptions", reason="needs the extra: pip install 'motionkit[robots]'")
    assert {"ur5e_description", "panda_description", "ur5e_mj_description"} <= set(package.DESCRIPTIONS)
    with pytest.raises(mk.UnknownName, match=r"no 'ur5e': did you mean 'ur5e_description'"):
        mk.RobotModel.from_description("ur5e")
