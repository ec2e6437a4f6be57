"""What a URDF means (axes, origins, limits, inertias), where its packages are, and files that are no robots."""

import math
import pickle

import numpy as np
import pytest

import motionkit as mk

LIMIT = '<limit lower="-2" upper="2" velocity="1" effort="1"/>'


def robot(joint, links='<link name="a"/><link name="b"/>', attributes='type="revolute"'):
    """A robot of two links and one joint with the given children."""
    ends = '<parent link="a"/><child link="b"/>'
    return f'<robot name="r">{links}<joint name="j" {attributes}>{ends}{joint}</joint></robot>'


def one_error(text):
    with pytest.raises(mk.InvalidModel) as info:
        mk.RobotModel.from_urdf(text)
    (finding,) = [found for found in info.value.findings if found.severity == "error"]
    return finding


def test_rpy_turns_about_fixed_axes():
    """Rz(yaw) Ry(pitch) Rx(roll)."""
    text = robot(f'<origin xyz="1 2 3" rpy="0.3 -0.4 0.5"/>{LIMIT}')
    placement = mk.RobotModel.from_urdf(text).joints[0].placement

    def about(axis, angle):
        return mk.SO3.from_axis_angle(axis, angle)

    expected = about((0, 0, 1), 0.5) * about((0, 1, 0), -0.4) * about((1, 0, 0), 0.3)
    assert placement.rotation.angle_to(expected) < 1e-15
    assert placement.translation.tolist() == [1, 2, 3]


def test_defaults_are_those_of_the_format():
    model = mk.RobotModel.from_urdf(robot('<limit velocity="1" upper="2"/>'))
    joint = model.joints[0]
    assert joint.axis == (1.0, 0.0, 0.0)
    assert joint.placement == mk.SE3.identity()
    assert (joint.limits.lower, joint.limits.upper, joint.limits.effort) == (0.0, 2.0, None)
    assert model.link("a").inertia is None
    assert joint.mimic is None


def test_a_range_of_nothing_is_doubtful():
    (finding,) = [f for f in mk.RobotModel.from_urdf(robot('<limit velocity="1"/>')).check() if f.severity == "warning"]
    assert finding.value == "lower = upper = 0"


def test_a_continuous_joint_ignores_its_ends():
    text = robot('<limit lower="5" upper="-5" velocity="3"/>', attributes='type="continuous"')
    assert mk.SerialChain.from_urdf(text).limits == (mk.JointLimits.continuous(3.0),)


@pytest.mark.parametrize("number", ["1", "+1", "1.", "1.0e0", ".1E+1", " 1 "])
def test_numbers_of_every_form(number):
    assert mk.SerialChain.from_urdf(robot(f'<limit lower="-1" upper="{number}" velocity="1"/>')).upper[0] == 1.0


@pytest.mark.parametrize(
    "number", ["", "one", "1_0", "nan", "inf", "-Infinity", "1e999", "1,5", "0x10", "1 2", "\u0661"]
)
def test_what_is_no_finite_number_is_refused(number):
    finding = one_error(robot(f'<limit lower="-1" upper="{number}" velocity="1"/>'))
    assert finding.where == "joint 'j' limit upper"
    assert finding.value == repr(number)


@pytest.mark.parametrize(
    ("joint", "where", "fix"),
    [
        ('<limit lower="2" upper="-2" velocity="1"/>', "joint 'j' limit", "exchange the two"),
        ('<limit lower="-2" upper="2" velocity="-1"/>', "joint 'j' limit velocity", "drop the sign"),
        ('<limit lower="-2" upper="2" effort="-1"/>', "joint 'j' limit effort", "drop the sign"),
        (f'<axis xyz="1 0"/>{LIMIT}', "joint 'j' axis xyz", "write 3 numbers"),
        (f'<axis xyz="0 0 0.0"/>{LIMIT}', "joint 'j' axis", "such as 0 0 1"),
        (f'<origin rpy="0 0 90deg"/>{LIMIT}', "joint 'j' origin rpy", "write 3 numbers"),
        (f'<mimic joint="k"/>{LIMIT}', "joint 'j' mimic", "name a joint of this file"),
        (f'<mimic joint="j"/>{LIMIT}', "joint 'j' mimic", "let one of them be free"),
        (f"<mimic/>{LIMIT}", "joint 'j' mimic", 'add joint="..."'),
        (f'<mimic joint="j" multiplier="x"/>{LIMIT}', "joint 'j' mimic multiplier", "write a number"),
    ],
)
def test_wrong_joints_are_refused_with_what_helps(joint, where, fix):
    finding = one_error(robot(joint))
    assert finding.where == where
    assert fix in finding.fix
    assert finding.line == 1


@pytest.mark.parametrize(
    ("text", "where", "value"),
    [
        ('<robot name="r"><link/></robot>', "link", "none"),
        ('<robot name="r"><link name="a"/><joint type="fixed"/></robot>', "joint", "none"),
        ('<robot name="r"/>', "robot", "none"),
        ('<robots><link name="a"/></robots>', "root", "<robots>"),
        (robot("", attributes=""), "joint 'j' type", "None"),
        (robot(LIMIT, links='<link name="a"/><link name="bb"/>'), "joint 'j' child", "'b'"),
        (
            robot("", attributes='type="fixed"').replace(
                "</robot>", '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint></robot>'
            ),
            "links",
            "a closed loop of joints",
        ),
        (
            robot("", links="".join(f'<link name="{c}"/>' for c in "abcd"), attributes='type="fixed"').replace(
                "</robot>",
                '<joint name="k" type="fixed"><parent link="c"/><child link="d"/></joint>'
                '<joint name="l" type="fixed"><parent link="d"/><child link="c"/></joint></robot>',
            ),
            "joint 'k'",
            "a loop: k, l",
        ),
        (
            robot("", attributes='type="fixed"').replace(
                "</robot>", '<joint name="k" type="fixed"><parent link="a"/><child link="b"/></joint></robot>'
            ),
            "joint 'k'",
            "joint 'j' of line 1 carries it already",
        ),
        (
            robot("")
            .replace("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ')
            .replace("<joint", "<xacro:m/><joint", 1),
            "<m>",
            "a xacro element",
        ),
        (robot(f'<origin xyz="${{x}} 0 0"/>{LIMIT}'), "<origin> xyz", "'${x} 0 0'"),
        (robot(f'<origin xyz="$(arg x) 0 0"/>{LIMIT}'), "<origin> xyz", "'$(arg x) 0 0'"),
    ],
)
def test_what_is_no_robot_is_refused(text, where, value):
    finding = one_error(text)
    assert (finding.where, str(finding.value)) == (where, value)


def test_names_of_links_are_suggested():
    finding = one_error(robot(LIMIT, links='<link name="a"/><link name="b2"/>'))
    assert finding.fix == "did you mean 'b2'?"


# ---- inertia
def test_inertia_is_turned_into_the_axes_of_the_link():
    text = (
        '<robot name="r"><link name="a"><inertial><origin xyz="0.1 0.2 0.3" rpy="0 0 1.5707963267948966"/>'
        '<mass value="2"/><inertia ixx="1" ixy="0" ixz="0.25" iyy="2" iyz="0" izz="2.5"/></inertial></link></robot>'
    )
    body = mk.RobotModel.from_urdf(text).link("a").inertia
    assert (body.mass, body.com) == (2.0, (0.1, 0.2, 0.3))
    # a quarter turn about z exchanges x and y: the product with z goes from x to y
    assert np.allclose(body.matrix(), [[2, 0, 0], [0, 1, 0.25], [0, 0.25, 2.5]], rtol=0, atol=1e-15)
    assert np.array_equal(body.matrix(), body.matrix().T)


def test_an_inertial_without_mass_or_tensor_is_massless_and_said_so():
    text = '<robot name="r"><link name="a"><inertial/></link></robot>'
    model = mk.RobotModel.from_urdf(text)
    assert model.link("a").inertia == mk.LinkInertia(0.0, (0, 0, 0), np.zeros((3, 3)))
    assert [f.rule for f in model.check()] == ["a mass", "an inertia"]
    with pytest.raises(mk.InvalidModel) as info:
        mk.RobotModel.from_urdf(text.replace("<inertial/>", '<inertial><mass/><inertia ixx="1"/></inertial>'))
    assert [f.rule.removeprefix("attribute ") for f in info.value.findings] == [
        "value",
        "ixy",
        "ixz",
        "iyy",
        "iyz",
        "izz",
    ]


@pytest.mark.parametrize(
    ("mass", "moments", "rule"),
    [
        ("1", (1, 1, 2), None),  # a plate sits at equality
        ("1", (1, 1, 0), None),  # a rod too
        ("1", (0, 0, 0), None),  # a point mass
        ("0", (0, 0, 0), None),  # a frame without a body
        ("1", (1, 1, 2.001), "no principal moment above the sum of the other two"),
        ("1", (1, 1, -1e-6), "no negative principal moment"),
        ("0", (1, 1, 1.5), "a positive mass, or 0 with no inertia at all"),
        ("-1", (0, 0, 0), "a positive mass, or 0 with no inertia at all"),
    ],
)
def test_bodies_that_cannot_be_are_found(mass, moments, rule):
    x, y, z = moments
    text = (
        f'<robot name="r"><link name="a"><inertial><mass value="{mass}"/>'
        f'<inertia ixx="{x}" ixy="0" ixz="0" iyy="{y}" iyz="0" izz="{z}"/></inertial></link></robot>'
    )
    assert [f.rule for f in mk.RobotModel.from_urdf(text).check()] == ([] if rule is None else [rule])


# ---- files
def test_a_path_may_be_a_string_or_a_path_and_text_starts_with_an_angle(tmp_path):
    text = robot(LIMIT)
    path = tmp_path / "r.urdf"
    path.write_text(text)
    models = [mk.RobotModel.from_urdf(source) for source in (path, str(path), text, "\n  " + text)]
    assert models[0] == models[1]
    assert models[0].source == str(path)
    assert models[2].source == ""
    assert len({model.chain() for model in models}) == 1


def test_a_text_may_declare_an_encoding_it_no_longer_has():
    text = '<?xml version="1.0" encoding="iso-8859-1"?>' + robot(LIMIT).replace('name="r"', 'name="Überarm"')
    assert mk.RobotModel.from_urdf(text).name == "Überarm"


def test_a_missing_file_names_its_neighbour(tmp_path):
    (tmp_path / "arm.urdf").write_text(robot(LIMIT))
    with pytest.raises(mk.FileUnreadable, match=r"am\.urdf: cannot be read: .*did you mean 'arm\.urdf'") as info:
        mk.RobotModel.from_urdf(tmp_path / "am.urdf")
    assert info.value.path == str(tmp_path / "am.urdf")
    assert isinstance(info.value, OSError)
    with pytest.raises(mk.FileUnreadable, match="cannot be read"):
        mk.RobotModel.from_urdf(tmp_path)


def test_broken_xml_names_its_line(tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text('<robot name="r">\n<link name="a">\n</robot>\n')
    with pytest.raises(mk.FileUnreadable, match=r"r\.urdf:3: not XML: .*mismatch") as info:
        mk.RobotModel.from_urdf(path)
    assert info.value.line == 3


@pytest.mark.parametrize("data", [b"", b"hello", b"\x00\xff\xfe", b"<robot", b'<robot name="\xff"/>'])
def test_what_is_no_xml_is_unreadable(tmp_path, data):
    path = tmp_path / "r.urdf"
    path.write_bytes(data)
    with pytest.raises(mk.FileUnreadable, match=r"r\.urdf"):
        mk.RobotModel.from_urdf(path)


def test_entities_are_not_expanded_and_files_not_fetched(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("0 0 1")
    declared = f'<!DOCTYPE robot [<!ENTITY x SYSTEM "{secret.as_uri()}"><!ENTITY y "0 0 1">]>'
    for use in ("&x;", '<link name="a"/>', '<link name="&y;"/>'):
        with pytest.raises(mk.FileUnreadable, match="DOCTYPE"):
            mk.RobotModel.from_urdf(f'{declared}<robot name="r">{use}</robot>')


def test_a_bomb_of_entities_is_refused_at_once():
    levels = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    with pytest.raises(mk.FileUnreadable):
        mk.RobotModel.from_urdf(
            f'<!DOCTYPE robot [<!ENTITY a0 "boom">{levels}]><robot name="&a11;"><link name="a"/></robot>'
        )


def test_xacro_without_its_namespace_says_what_to_run():
    with pytest.raises(mk.FileUnreadable, match="run xacro on it first"):
        mk.RobotModel.from_urdf('<robot name="r"><xacro:macro/></robot>')


def test_macro_namespaces_comments_and_extensions_are_passed_over():
    text = robot(LIMIT).replace("<robot ", '<!-- by hand --><robot xmlns:xacro="http://www.ros.org/wiki/xacro" ')
    extra = (
        '<gazebo><plugin file="$(find x)"/></gazebo><transmission><joint name="j"/></transmission><!-- ${x} --><?pi?>'
    )
    model = mk.RobotModel.from_urdf(text.replace("</robot>", extra + "</robot>"))
    assert len(model.joints) == 1


# ---- packages
def mesh_robot(*filenames):
    meshes = "".join(f'<visual><geometry><mesh filename="{name}"/></geometry></visual>' for name in filenames)
    return f'<robot name="r"><link name="a">{meshes}</link></robot>'


def write(path, text=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def paths(model):
    return [mesh.path for mesh in model.meshes]


def test_a_map_goes_first_then_beside_the_file_then_upwards(tmp_path):
    mapped = write(tmp_path / "elsewhere" / "m" / "a.stl")
    beside = write(tmp_path / "ws" / "arm" / "urdf" / "hand" / "m" / "a.stl")
    upwards = write(tmp_path / "ws" / "hand" / "m" / "a.stl")
    file = write(tmp_path / "ws" / "arm" / "urdf" / "r.urdf", mesh_robot("package://hand/m/a.stl"))
    assert paths(mk.RobotModel.from_urdf(file, packages={"hand": tmp_path / "elsewhere"})) == [mapped]
    assert paths(mk.RobotModel.from_urdf(file)) == [beside]
    beside.unlink()
    assert paths(mk.RobotModel.from_urdf(file)) == [upwards]
    upwards.unlink()
    assert paths(mk.RobotModel.from_urdf(file)) == [None]
    assert paths(mk.RobotModel.from_urdf(file, packages={"hand": tmp_path / "nowhere"})) == [None]


def test_a_package_is_known_by_its_folder_or_its_manifest(tmp_path):
    mesh = write(tmp_path / "checkout" / "m" / "a.stl")
    file = write(
        tmp_path / "checkout" / "urdf" / "r.urdf", mesh_robot("package://arm/m/a.stl", "package://checkout/m/a.stl")
    )
    assert paths(mk.RobotModel.from_urdf(file)) == [None, mesh]
    write(tmp_path / "checkout" / "package.xml", "<package><name> arm </name></package>")
    assert paths(mk.RobotModel.from_urdf(file)) == [mesh, mesh]


def test_plain_file_and_absolute_names(tmp_path):
    mesh = write(tmp_path / "m" / "a b.stl")
    names = ["m/a b.stl", str(mesh), mesh.as_uri(), "file://m/a b.stl", "m/none.stl", "http://host/a.stl"]
    file = write(tmp_path / "r.urdf", mesh_robot(*names))
    assert paths(mk.RobotModel.from_urdf(file)) == [mesh, mesh, mesh, mesh, None, None]


def test_a_text_has_no_folder(tmp_path):
    mesh = write(tmp_path / "m" / "a.stl")
    text = mesh_robot("m/a.stl", "package://p/m/a.stl", str(mesh))
    assert paths(mk.RobotModel.from_urdf(text)) == [None, None, mesh]
    assert paths(mk.RobotModel.from_urdf(text, packages={"p": str(tmp_path)})) == [None, mesh, mesh]


def test_missing_meshes_stop_nothing_and_are_told():
    model = mk.RobotModel.from_urdf(mesh_robot("package://p/m/a.stl"))
    assert [(f.severity, f.where, f.value) for f in model.check()] == [
        ("info", "link 'a' visual", "package://p/m/a.stl")
    ]


def test_a_name_that_no_file_can_have_is_a_missing_mesh(tmp_path):
    file = write(tmp_path / "r.urdf", mesh_robot("m" * 5000, "a&#10;b.stl"))
    assert paths(mk.RobotModel.from_urdf(file)) == [None, None]


# ---- values
def test_models_and_findings_are_values(robot_files):
    path = robot_files / "panda_description/urdf/panda.urdf"
    model = mk.RobotModel.from_urdf(path)
    assert pickle.loads(pickle.dumps(model)) == model == mk.RobotModel.from_urdf(path)
    assert repr(model).startswith("RobotModel 'panda': ")
    assert len(repr(model)) < 120
    with pytest.raises(AttributeError):
        model.name = "other"
    with pytest.raises(mk.InvalidModel) as info:
        mk.RobotModel.from_urdf(robot('<limit upper="x"/>'))
    again = pickle.loads(pickle.dumps(info.value))
    assert again.findings == info.value.findings
    assert math.isclose(len(str(again)), len(str(info.value)))
