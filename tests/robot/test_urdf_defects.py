"""Two-link robots with one defect each: what is refused, what loads with a finding, and what every message says.

The files are those of the table of bad models in the project's notes: l1 lies 0.3 m from the base and l2 0.3 m from l1,
both joints about z, limits of 2 rad.
"""

import math

import numpy as np
import pytest

import motionkit as mk

# file: (where the one error is, what came, what helps)
REFUSED = {
    "axis_zero": ("joint 'j1' axis", "'0 0 0'", "give the direction"),
    "bad_number": ("joint 'j1' origin xyz", "'0.3 0'", "write 3 numbers"),
    "floating": ("joint 'j1' type", "floating", "pass hold=('j1',)"),
    "planar": ("joint 'j1' type", "planar", "pass hold=('j1',)"),
    "bad_type": ("joint 'j1' type", "'revolut'", "did you mean 'revolute'?"),
    "dup_joint": ("joint 'j1'", "the name of line 1 again", "rename one"),
    "nanmass": ("link 'l1' mass value", "'nan'", "write a number"),
    "nolimit": ("joint 'j1' limit", "none", "or make it continuous"),
    "two_roots": ("links", "'base' (line 1), 'b2' (line 1)", "join them with a fixed joint"),
    "unknown_child": ("joint 'j2' child", "'ghost'", "add the link, or use one of base, l1"),
}

# file: (severity, where, what came)
FOUND = {
    "continuous": ("warning", "joint 'j1' limit velocity", "unset (missing or 0)"),
    "axis_unnorm": ("warning", "joint 'j1' axis", "'0 1.5 0' of length 1.5, which was normalised"),
    "deg_limits": ("warning", "joint 'j1' limit", "-180 to 180"),
    "neginertia": ("warning", "link 'l1' inertial inertia", "principal moments -0.01, 0.01, 0.01 kg m^2"),
    "negmass": ("warning", "link 'l1' inertial mass", "-1 kg"),
    "no_inertial": ("warning", "link 'l2'", "no inertial, so mass 0"),
    "tri": ("warning", "link 'l1' inertial inertia", "principal moments 0.1, 0.1, 1 kg m^2"),
}
CLEAN = ("ok", "axis_missing", "base_inertia", "mimic")


def planar_tip(q1, q2):
    """Where l2's frame is in the sound robot: 0.3 m to l1, turned, 0.3 m to l2."""
    return [0.3 + 0.3 * math.cos(q1), 0.3 * math.sin(q1), 0.0]


def test_every_file_has_its_row(defects):
    assert {path.stem for path in defects.glob("*.urdf")} == {*REFUSED, *FOUND, *CLEAN}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_file_line_name_value_and_fix(name, defects):
    where, value, fix = REFUSED[name]
    path = defects / f"{name}.urdf"
    for load in (mk.RobotModel.from_urdf, mk.SerialChain.from_urdf):
        with pytest.raises(mk.InvalidModel) as info:
            load(path)
        (finding,) = info.value.findings
        assert (finding.severity, finding.where, finding.line) == ("error", where, 1)
        assert value in str(finding.value)
        assert fix in finding.fix
        message = str(info.value)
        assert message.startswith(f"{path}:1: {where}: ")
        assert value in message
        assert fix in message
        assert "\n" not in message


@pytest.mark.parametrize("name", FOUND)
def test_loads_with_one_finding(name, defects):
    severity, where, value = FOUND[name]
    model = mk.RobotModel.from_urdf(defects / f"{name}.urdf")
    (finding,) = model.check()
    assert (finding.severity, finding.where, finding.line, finding.value) == (severity, where, 1, value)
    assert finding.fix
    assert str(finding).startswith(f"line 1: {severity}: {where}: ")


@pytest.mark.parametrize("name", CLEAN)
def test_sound_files_have_nothing_to_say(name, defects):
    assert mk.RobotModel.from_urdf(defects / f"{name}.urdf").check() == []


@pytest.mark.parametrize("kind", ["floating", "planar"])
def test_a_joint_with_several_coordinates_loads_only_when_it_is_held(kind, defects):
    path = defects / f"{kind}.urdf"
    model = mk.RobotModel.from_urdf(path, hold=["j1"])
    with pytest.raises(mk.KindMismatch, match=r"write hold=\('j1',\)"):
        mk.RobotModel.from_urdf(path, hold="j1")
    assert model.joints[0].kind == "fixed"
    (finding,) = model.check()
    assert (finding.severity, finding.where, finding.line) == ("info", "joint 'j1'", 1)
    assert finding.value == f"{kind}, held at zero as asked"
    chain = mk.SerialChain.from_urdf(path, hold=["j1"])
    assert np.allclose(chain.forward([0.7]).translation, planar_tip(0.0, 0.7), rtol=0, atol=1e-15)
    with pytest.raises(mk.UnknownName, match="did you mean 'j1'"):
        mk.RobotModel.from_urdf(path, hold=["j11"])
    with pytest.raises(mk.UnknownName, match=r"joint 'j2' is revolute; valid names: j1|joint 'j2' is revolute; did"):
        mk.RobotModel.from_urdf(path, hold=["j1", "j2"])


@pytest.mark.parametrize("name", ["ok", "base_inertia", "deg_limits", "neginertia", "negmass", "no_inertial", "tri"])
def test_kinematics_does_not_mind_what_only_dynamics_or_planning_needs(name, defects):
    chain = mk.SerialChain.from_urdf(defects / f"{name}.urdf")
    assert np.allclose(chain.forward([0.5, 0.7]).translation, planar_tip(0.5, 0.7), rtol=0, atol=1e-15)


def test_a_missing_axis_is_x(defects):
    """j1 turns about x: l2 stays on the axis whatever q1 is."""
    chain = mk.SerialChain.from_urdf(defects / "axis_missing.urdf")
    assert np.allclose(chain.forward([1.1, 0.0]).translation, [0.6, 0, 0], rtol=0, atol=1e-15)
    assert chain.joints[0].axis == (1.0, 0.0, 0.0)


def test_an_axis_that_is_not_unit_is_normalised_and_not_used_as_it_is(defects):
    """About y by 0.5 rad: z = -0.3 sin(0.5) = -0.1438; a form that keeps the length turned too far (-0.2157)."""
    chain = mk.SerialChain.from_urdf(defects / "axis_unnorm.urdf")
    tip = chain.forward([0.5, 0.0]).translation
    assert tip[2] == pytest.approx(-0.3 * math.sin(0.5), abs=1e-15)
    assert np.allclose(np.linalg.det(chain.forward([0.5, 0.0]).matrix()), 1.0, rtol=0, atol=1e-15)


def test_degrees_are_suggested_in_radians(defects):
    (finding,) = mk.RobotModel.from_urdf(defects / "deg_limits.urdf").check()
    assert "-3.14159 to 3.14159" in finding.fix


def test_a_continuous_joint_has_no_ends(defects):
    chain = mk.SerialChain.from_urdf(defects / "continuous.urdf")
    assert chain.limits[0].kind == "continuous"
    assert (chain.lower[0], chain.upper[0]) == (-math.inf, math.inf)
    assert np.allclose(chain.forward([100.0, 0.0]).translation, planar_tip(100.0, 0.0), rtol=0, atol=1e-15)


def test_a_mimic_joint_keeps_its_rule(defects):
    model = mk.RobotModel.from_urdf(defects / "mimic.urdf")
    mimic = model.joints[1].mimic
    assert (mimic.joint, mimic.multiplier, mimic.offset) == ("j1", -2.0, 0.1)


def test_every_defect_is_reported_at_once():
    text = """<robot name="many">
  <link name="a"/>
  <link name="a"/>
  <link name="b"/>
  <joint name="j" type="revolute">
    <parent link="a"/>
    <child link="bb"/>
    <axis xyz="0 0 0"/>
    <limit lower="2" upper="-2" velocity="fast"/>
  </joint>
  <joint name="k" type="fixd">
    <parent link="a"/>
  </joint>
</robot>"""
    with pytest.raises(mk.InvalidModel) as info:
        mk.RobotModel.from_urdf(text)
    assert [(f.line, f.where) for f in info.value.findings] == [
        (3, "link 'a'"),
        (5, "joint 'j' child"),
        (8, "joint 'j' axis"),
        (9, "joint 'j' limit velocity"),
        (9, "joint 'j' limit"),
        (11, "joint 'k' type"),
        (11, "joint 'k'"),
    ]
    assert str(info.value).count("<text>:") == 7


def test_a_long_list_is_cut_in_the_message_and_whole_in_the_error():
    links = "".join(f'<link name="a"><inertial><mass value="{i}kg"/></inertial></link>' for i in range(6))
    with pytest.raises(mk.InvalidModel, match=r"and 3 more; 'motionkit check' prints them all$") as info:
        mk.RobotModel.from_urdf(f'<robot name="r">{links}</robot>')
    assert [f.severity for f in info.value.findings] == ["error"] * 11 + ["warning"] * 6  # no tensors
    assert len(str(info.value).splitlines()) == 9
