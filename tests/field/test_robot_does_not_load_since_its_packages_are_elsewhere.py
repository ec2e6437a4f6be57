"""Field report: ``package://`` and ``$(find ...)`` are not resolved, arguments of macros cannot be given.

Wanted: a map of packages, arguments by name, and kinematics that load although meshes are missing.
"""

import pytest

import motionkit as mk

BASE = '<link name="base"><visual><geometry><mesh filename="package://arm_meshes/base.stl"/></geometry></visual></link>'
ARM = f"""<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="length" default="1"/>
{BASE}
<xacro:include filename="$(find arm_macros)/urdf/arm.xacro"/></robot>"""
MACROS = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="tip"/>
<joint name="j" type="continuous"><parent link="base"/><child link="tip"/><origin xyz="$(arg length) 0 0"/></joint>
</robot>"""


def test_a_urdf_loads_without_its_meshes():
    model = mk.RobotModel.from_urdf(f'<robot name="r">{BASE}</robot>')
    assert model.meshes[0].path is None
    assert any(f.rule == "a mesh that can be found" for f in model.check())


def test_a_xacro_loads_with_a_map_and_arguments(tmp_path):
    pytest.importorskip("xacrodoc", reason="xacro files need the extra: pip install 'motionkit[robots]'")
    (tmp_path / "elsewhere" / "urdf").mkdir(parents=True)
    (tmp_path / "elsewhere" / "urdf" / "arm.xacro").write_text(MACROS)
    (tmp_path / "arm.urdf.xacro").write_text(ARM)
    with pytest.raises(mk.InvalidModel, match=r"arm\.urdf\.xacro:3: .*pass packages=\{'arm_macros': folder\}"):
        mk.RobotModel.from_xacro(tmp_path / "arm.urdf.xacro")
    packages = {"arm_macros": tmp_path / "elsewhere"}
    chain = mk.RobotModel.from_xacro(tmp_path / "arm.urdf.xacro", {"length": 0.5}, packages).chain()
    assert chain.forward([0.0]).translation.tolist() == [0.5, 0.0, 0.0]
