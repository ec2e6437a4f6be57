"""Reports: absolute paths, package:// and $(find) were not resolved, and a missing mesh stopped the kinematics."""

import pytest

import motionkit as mk

ROBOT = (
    '<robot name="r"><link name="a"/><link name="b"><visual><geometry><mesh filename="{}"/></geometry></visual></link>'
    '<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" velocity="1" '
    'effort="1"/></joint></robot>'
)
NAMES = ("package://nowhere/m/a.stl", "/no/such/a.stl", "file:///no/such/a.stl", "m/a.stl", "http://host/a.stl")


@pytest.mark.parametrize("name", NAMES)
def test_kinematics_needs_no_mesh(name, tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text(ROBOT.format(name))
    model = mk.RobotModel.from_urdf(path)
    assert model.chain().n == 1
    (finding,) = [f for f in model.check() if f.where == "link 'b' visual"]
    assert (finding.severity, finding.value) == ("info", name)


def test_packages_are_given_by_name(tmp_path):
    mesh = tmp_path / "elsewhere" / "m" / "a.stl"
    mesh.parent.mkdir(parents=True)
    mesh.write_text("")
    model = mk.RobotModel.from_urdf(ROBOT.format(NAMES[0]), packages={"nowhere": tmp_path / "elsewhere"})
    assert [m.path for m in model.meshes] == [mesh]


def test_a_find_that_xacro_should_have_replaced_is_told_so():
    with pytest.raises(mk.InvalidModel, match="run xacro on it first"):
        mk.RobotModel.from_urdf(ROBOT.format("$(find arm)/m/a.stl"))
