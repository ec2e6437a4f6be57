"""Xacro files: expanded as the xacro command does, their packages found, and every error with its file."""

import math
import sys

import numpy as np
import pytest

import motionkit as mk

xacro = pytest.importorskip("xacrodoc", reason="xacro files need the extra: pip install 'motionkit[robots]'")

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
ARM = (
    HEAD
    + """<xacro:arg name="prefix" default=""/>
<xacro:arg name="reach" default="1"/>
<xacro:arg name="rail" default="false"/>
<xacro:include filename="parts/macros.xacro"/>
<xacro:if value="$(arg rail)"><link name="$(arg prefix)floor"/>
<joint name="$(arg prefix)slide" type="prismatic"><parent link="$(arg prefix)floor"/><child link="$(arg prefix)base"/>
<limit lower="0" upper="1" velocity="1" effort="1"/></joint></xacro:if>
<link name="$(arg prefix)base"/>
<xacro:segment name="$(arg prefix)elbow" length="${2 * $(arg reach)}"/>
</robot>
"""
)
MACROS = (
    HEAD
    + """<xacro:macro name="segment" params="name length">
<link name="${name}_link"/>
<joint name="${name}" type="revolute"><parent link="$(arg prefix)base"/><child link="${name}_link"/>
<origin xyz="${length} 0 0" rpy="0 0 ${pi / 2}"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
</xacro:macro>
</robot>
"""
)


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "macros.xacro").write_text(MACROS)
    (tmp_path / "parts" / "plain.xacro").write_text(HEAD + '<link name="a"/></robot>')
    (tmp_path / "arm.urdf.xacro").write_text(ARM)
    return tmp_path / "arm.urdf.xacro"


def test_macros_includes_and_expressions_are_expanded(arm, monkeypatch, tmp_path):
    model = mk.RobotModel.from_xacro(arm)
    assert [joint.name for joint in model.joints] == ["elbow"]
    place = model.joints[0].placement
    assert place.translation.tolist() == [2.0, 0.0, 0.0]
    assert place.rotation.rpy()[2] == math.pi / 2
    assert model.source == f"{arm} (expanded)"
    # from elsewhere, by a relative path
    monkeypatch.chdir(tmp_path / "parts")
    assert mk.RobotModel.from_xacro("../arm.urdf.xacro").joints[0].placement == place


def test_arguments_are_given_by_name_as_xacro_writes_them(arm):
    model = mk.RobotModel.from_xacro(arm, {"prefix": "left_", "reach": 0.1 + 0.2, "rail": True})
    assert [joint.name for joint in model.joints] == ["left_slide", "left_elbow"]
    assert model.joints[1].placement.translation[0] == 2 * (0.1 + 0.2)
    assert [j.name for j in mk.RobotModel.from_xacro(arm, {"rail": False}).joints] == ["elbow"]


def test_an_argument_that_the_file_does_not_have_is_refused(arm):
    """The control: xacro itself takes it and says nothing."""
    with pytest.raises(mk.UnknownName, match=r"no argument 'raech': did you mean 'reach'\?.*prefix, rail, reach"):
        mk.RobotModel.from_xacro(arm, {"raech": 2})
    with pytest.raises(mk.KindMismatch, match=r"argument 'reach' must be a text, a number or a boolean, got list"):
        mk.RobotModel.from_xacro(arm, {"reach": [1]})


def test_packages_are_found_beside_above_and_by_map(tmp_path):
    share = tmp_path / "share"
    for package in ("arm_description", "gripper_description"):
        (share / package / "urdf").mkdir(parents=True)
    (share / "gripper_description" / "urdf" / "part.xacro").write_text(HEAD + '<link name="hand"/></robot>')
    source = share / "arm_description" / "urdf" / "arm.xacro"
    source.write_text(HEAD + '<xacro:include filename="$(find gripper_description)/urdf/part.xacro"/></robot>')
    assert mk.RobotModel.from_xacro(source).root == "hand"
    elsewhere = tmp_path / "mine"
    (elsewhere / "urdf").mkdir(parents=True)
    (elsewhere / "urdf" / "part.xacro").write_text(HEAD + '<link name="other_hand"/></robot>')
    assert mk.RobotModel.from_xacro(source, packages={"gripper_description": elsewhere}).root == "other_hand"
    assert mk.RobotModel.from_xacro(source).root == "hand"  # nothing stays from the call before


def test_every_robot_of_rtb_data_expands_to_its_urdf(rtb_files, capsys):
    """Files that define macros only have no robot; the others load, once their packages have the names they ask for."""
    folder, loaded, left, worst = rtb_files / "xacro", 0, [], 0.0
    kuka = folder / "kuka_description"
    packages = {f"{path.name}_support": path for path in kuka.iterdir()} | {
        "kuka_resources": kuka / "kuka_resources",
        "abb_irb140": folder / "abb_irb140_description",
        "abb_irb140_support": folder / "abb_irb140_description",
    }
    for path in sorted(folder.rglob("*.xacro")):
        try:
            model = mk.RobotModel.from_xacro(path, packages=packages)
        except mk.InvalidModel as error:
            if "at least one link; got none" not in str(error):
                left.append(path.name)
            continue
        loaded += 1
        if path.stem in ("kr120r2500pro", "kr16_2", "lbr_iiwa_14_r820"):
            twin = mk.RobotModel.from_urdf(path.with_suffix(".urdf"))
            for a, b in zip(model.joints, twin.joints, strict=True):
                assert (a.name, a.kind, a.parent, a.child) == (b.name, b.kind, b.parent, b.child)
                worst = max(worst, np.abs(a.placement.matrix() - b.placement.matrix()).max())
    with capsys.disabled():
        print(f"\nxacro of rtb-data: {loaded} load; three against the URDFs beside them {worst:.1e}")
    assert loaded > 30
    assert worst < 1e-11  # those files have eleven digits
    # they need a package that is not shipped, or use a name that is defined nowhere
    assert left == ["sick_lms1xx_mount.urdf.xacro", "sick_s300_mount.urdf.xacro", "kr210l150.xacro"]


# ---- errors
@pytest.mark.parametrize(
    ("old", "new", "error", "message"),
    [
        (
            "<xacro:segment ",
            "<xacro:segmnet ",
            mk.InvalidModel,
            r"arm\.urdf\.xacro:10: xacro: .*unknown macro name: xacro:segmnet",
        ),
        ("$(arg reach)", "$(arg raech)", mk.InvalidModel, r"arm\.urdf\.xacro:10: .*raech"),
        (' length="${2 * $(arg reach)}"', "", mk.InvalidModel, r"in macro segment: .*Undefined parameters \[length\]"),
        ("${2 *", "${two *", mk.InvalidModel, r"arm\.urdf\.xacro:10: .*name 'two' is not defined"),
        ('default="false"', 'default="maybe"', mk.InvalidModel, r"conditional .*maybe"),
        ("parts/macros", "parts/marcos", mk.FileUnreadable, r"arm\.urdf\.xacro:5: No such file.*marcos\.xacro"),
        ("parts/macros", "$(find nowhere)/macros", mk.InvalidModel, r"xacro:5: .*pass packages=\{'nowhere': folder\}"),
        ("</robot>", "", mk.FileUnreadable, r"arm\.urdf\.xacro:12: not XML"),
        ('<link name="$(arg prefix)base"/>', "<link/>", mk.InvalidModel, r"\(expanded\):\d+: link: a link has a name"),
    ],
)
def test_an_error_has_file_line_and_reason(arm, old, new, error, message, capfd):
    assert old in ARM
    arm.write_text(ARM.replace(old, new))
    with pytest.raises(error, match=message):
        mk.RobotModel.from_xacro(arm)
    assert capfd.readouterr() == ("", "")


def test_an_error_in_an_included_file_names_both(arm):
    (arm.parent / "parts" / "macros.xacro").write_text(MACROS.replace("</xacro:macro>", ""))
    with pytest.raises(
        mk.FileUnreadable, match=r"macros\.xacro:7: not XML.*included from .*arm\.urdf\.xacro"
    ) as caught:
        mk.RobotModel.from_xacro(arm)
    assert caught.value.line == 7
    assert caught.value.path.endswith("macros.xacro")


def test_an_error_in_a_macro_of_another_file_is_found_there(arm):
    (arm.parent / "parts" / "macros.xacro").write_text(MACROS.replace("${pi / 2}", "${pie / 2}"))
    with pytest.raises(
        mk.InvalidModel, match=r"macros\.xacro:5: xacro, in macro segment: .*'pie' is not defined.*called"
    ):
        mk.RobotModel.from_xacro(arm)


def test_warnings_of_xacro_are_findings(arm, capfd):
    arm.write_text(ARM.replace("<xacro:arg ", '<xacro:arg colour="red" ', 1))
    (said,) = (f for f in mk.RobotModel.from_xacro(arm).check() if f.where == "xacro")
    assert "unknown attribute(s): colour" in said.value
    assert "\x1b" not in said.value
    assert capfd.readouterr() == ("", "")
    assert not any(f.where == "xacro" for f in mk.RobotModel.from_xacro(arm.parent / "parts" / "plain.xacro").check())


def test_a_text_and_a_missing_file_are_refused(tmp_path):
    with pytest.raises(mk.KindMismatch, match="expected the path of a file"):
        mk.RobotModel.from_xacro("<robot/>")
    with pytest.raises(mk.FileUnreadable, match="cannot be read"):
        mk.RobotModel.from_xacro(tmp_path / "no.xacro")


def test_lines_of_findings_are_those_of_the_xacro_command(arm):
    import xacro as command

    printed = command.process_file(str(arm)).toprettyxml(indent="  ").splitlines()
    joint = mk.RobotModel.from_xacro(arm).joints[0]
    assert '<joint name="elbow"' in printed[joint.line - 1]


def test_without_xacro_the_extra_is_named(monkeypatch, arm):
    monkeypatch.setitem(sys.modules, "xacrodoc", None)
    with pytest.raises(mk.MissingExtra, match=r"pip install 'motionkit\[robots\]'"):
        mk.RobotModel.from_xacro(arm)
