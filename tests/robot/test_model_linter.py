"""What the checks find in robots that load: every rule with the number that breaks it, and what is just right."""

import math

import pytest

import motionkit as mk
from motionkit.robot._joint_rules import meant_angle

LIMIT = '<limit lower="-2" upper="2" velocity="1" effort="1"/>'
BODY = '<inertial><mass value="1"/><inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial>'


def link(name, inside=BODY):
    return f'<link name="{name}">{inside}</link>'


def joint(name, parent, child, inside="", kind="revolute", xyz="0.3 0 0"):
    limit = "" if "<limit" in inside or kind == "fixed" else LIMIT
    origin = "" if "<origin" in inside else f'<origin xyz="{xyz}"/>'
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f"{origin}{inside}{limit}</joint>"
    )


def robot(*parts, root=BODY):
    return f'<robot name="r">{link("base", root)}{"".join(parts)}</robot>'


def arm(inside="", kind="revolute", body=BODY, xyz="0.3 0 0"):
    """Two joints of 0.3 m, the second as given."""
    return robot(link("a"), joint("j1", "base", "a"), link("b", body), joint("j2", "a", "b", inside, kind, xyz))


def found(text):
    return [(f.severity, f.where, str(f.value)) for f in mk.RobotModel.from_urdf(text).check()]


def refused(text):
    with pytest.raises(mk.InvalidModel) as info:
        mk.RobotModel.from_urdf(text)
    return [f for f in info.value.findings if f.severity == "error"]


def only(text):
    (finding,) = mk.RobotModel.from_urdf(text).check()
    return finding


def test_a_sound_arm_has_nothing_to_say():
    assert found(arm()) == []
    assert found(robot(link("a", ""), joint("j", "base", "a", kind="fixed"))) == []


# ---- units
@pytest.mark.parametrize(
    ("limit", "place", "fix"),
    [
        ('lower="-170" upper="170" velocity="1"', "joint 'j2' limit", "-2.96706 to 2.96706"),
        ('lower="-1e16" upper="1e16" velocity="1"', "joint 'j2' limit", "continuous"),
        ('lower="-2" upper="2" velocity="180"', "joint 'j2' limit velocity", "write 3.14159"),
        ('lower="-2" upper="2" velocity="10000"', "joint 'j2' limit velocity", "data sheet"),
    ],
)
def test_degrees_in_limits(limit, place, fix):
    finding = only(arm(f'<limit {limit} effort="1"/>'))
    assert finding.where == place
    assert fix in finding.fix


@pytest.mark.parametrize("limit", ['lower="-12.5" upper="12.5" velocity="44"', 'lower="-2" upper="2" velocity="52.4"'])
def test_large_numbers_that_machines_have_are_no_degrees(limit):
    assert found(arm(f'<limit {limit} effort="1"/>')) == []


def test_degrees_in_rpy():
    finding = only(arm('<origin xyz="0.3 0 0" rpy="0 90 -45"/>'))
    assert (finding.where, finding.value) == ("joint 'j2' origin rpy", "'0 90 -45'")
    assert "0 1.57079633 -0.785398163" in finding.fix
    assert found(arm('<origin xyz="0.3 0 0" rpy="0 6.28 -0.785"/>')) != []  # 6.28 is a rounded turn, not degrees


@pytest.mark.parametrize("number", ["3.141", "3.1415", "-1.57", "1.571", "3.14", "4.71", "1.5707"])
def test_a_rounded_pi_is_found(number):
    finding = only(arm(f'<origin xyz="0.3 0 0" rpy="{number} 0 0"/>'))
    assert "quarter turns" in finding.rule
    assert repr(meant_angle(number)) in finding.fix
    assert math.sin(2 * meant_angle(number)) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(
    "number", ["3.14159", "1.5708", "1.5707963", "3.1420", "1.6", "3", "1.2", "0.001", "1.5696123"]
)
def test_angles_with_enough_digits_or_of_their_own_are_not(number):
    assert found(arm(f'<origin xyz="0.3 0 0" rpy="{number} 0 0"/>')) == []


@pytest.mark.parametrize(
    ("inside", "value"),
    [
        ('<origin xyz="0.3 0 0" rpy="0 0.001 0"/><axis xyz="0 0 1"/>', "0.001 rad from parallel to that of 'j1'"),
        (
            '<origin xyz="0.3 0 0" rpy="1.5696123 0 0"/><axis xyz="0 0 1"/>',
            "0.0012 rad from a right angle to that of 'j1'",
        ),
        ('<axis xyz="0.002 0 1"/>', "0.002 rad from parallel to that of 'j1'"),
        ('<axis xyz="1e-6 0 1"/>', None),
        ('<axis xyz="0.1 0 1"/>', None),
        ('<axis xyz="0 1 0"/>', None),
    ],
)
def test_axes_that_are_nearly_parallel_or_nearly_square(inside, value):
    """An angle that no rounded number betrays: the axis itself is off, or the digits are those of a measurement."""
    text = arm(inside).replace('<origin xyz="0.3 0 0"/><limit', '<origin xyz="0.3 0 0"/><axis xyz="0 0 1"/><limit')
    told = [f for f in mk.RobotModel.from_urdf(text).check() if "right angle" in f.rule]
    assert [(f.severity, f.where, f.value) for f in told] == [("info", "joint 'j2' axis", value)] * (value is not None)


def test_an_axis_off_by_a_rounded_angle_is_told_once():
    text = arm('<origin xyz="0.3 0 0" rpy="3.141 0 0"/><axis xyz="0 0 1"/>')
    text = text.replace('<origin xyz="0.3 0 0"/><limit', '<origin xyz="0.3 0 0"/><axis xyz="0 0 1"/><limit')
    assert [f[1] for f in found(text)] == ["joint 'j2' origin rpy"]


def test_millimetres():
    assert only(arm(xyz="300 0 0")).where == "robot"  # 300.3 m
    lengths = (0.3, 0.3, 0.3, 40, 0.3)
    links = "".join(link(f"l{i}") for i in range(6))
    joints = "".join(joint(f"j{i}", f"l{i}", f"l{i + 1}", xyz=f"{x} 0 0") for i, x in enumerate(lengths))
    finding = only(f'<robot name="r">{links}{joints}</robot>')
    assert (finding.where, finding.value) == ("joint 'j3' origin xyz", "40 m to it")
    assert "0.04 0 0" in finding.fix
    rail = '<limit lower="0" upper="{}" velocity="1" effort="1"/>'
    finding = only(arm(rail.format(850), "prismatic"))
    assert finding.fix == "if these are millimetres write 0 to 0.85"
    assert found(arm(rail.format(12), "prismatic")) == []  # a long rail
    fast = '<limit lower="0" upper="1" velocity="{}" effort="1"/>'
    finding = only(arm(fast.format(850), "prismatic"))
    assert (finding.where, finding.fix) == ("joint 'j2' limit velocity", "if this is in mm/s write 0.85")
    assert found(arm(fast.format(15), "prismatic")) == []  # a linear motor


@pytest.mark.parametrize(("angle", "told"), [("0 0 90", True), ("0 0 1.57", False)])
def test_degrees_of_an_inertial(angle, told):
    body = BODY.replace("<mass", f'<origin rpy="{angle}"/><mass')
    assert [f[1] for f in found(arm(body=body))] == ["link 'b' inertial origin rpy"] * told


# ---- bodies
def test_a_body_larger_than_its_robot_and_a_centre_far_outside():
    grams = '<inertial><mass value="1"/><inertia ixx="800" ixy="0" ixz="0" iyy="800" iyz="0" izz="900"/></inertial>'
    finding = only(arm(body=grams))
    assert (finding.where, finding.rule) == ("link 'b' inertial inertia", "an inertia in kg m^2")
    away = BODY.replace("<mass", '<origin xyz="0 0 120"/><mass')
    finding = only(arm(body=away))
    assert (finding.where, finding.rule) == ("link 'b' inertial origin", "a centre of mass in the link")


def test_the_identity_that_exporters_leave_behind():
    body = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    assert found(arm(body=body))[0][1] == "link 'b' inertial inertia"
    assert "default of many exporters" in found(arm(body=body))[0][2]


def test_products_with_the_signs_of_a_cad_program_are_recognised():
    """A tensor whose products all have the wrong sign: impossible as written, possible with the signs turned."""
    tensor = '<inertia ixx="1e-3" ixy="{0}" ixz="{0}" iyy="1e-3" iyz="{0}" izz="1e-3"/>'
    body = '<inertial><mass value="1"/>' + tensor + "</inertial>"
    assert found(arm(body=body.format("-5e-4"))) == []  # principal moments 0, 1.5e-3, 1.5e-3: a rod
    finding = only(arm(body=body.format("5e-4")))
    assert finding.value == "principal moments 0.0005, 0.0005, 0.002 kg m^2"
    assert finding.fix.startswith("turn the signs of ixy, ixz and iyz")


def test_d5_what_rounding_left_of_nothing_is_called_so():
    body = '<inertial><mass value="1"/><inertia ixx="0" ixy="2.4e-35" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>'
    finding = only(arm(body=body))
    assert finding.value == "principal moments -2.4e-35, 0, 2.4e-35 kg m^2"
    assert finding.fix.startswith("write 0 for all six")


def test_an_end_without_mass_is_found_once_and_a_carried_mass_is_enough():
    massless = robot(link("a"), joint("j1", "base", "a"), link("b", ""), joint("j2", "a", "b"), link("c", ""),
                     joint("j3", "b", "c"))  # fmt: skip
    assert [f[1] for f in found(massless)] == ["link 'b'"]
    between = robot(link("a", ""), joint("j1", "base", "a"), link("b"), joint("j2", "a", "b"))
    assert found(between) == []
    nothing = robot(link("a", ""), joint("j1", "base", "a"), link("b", ""), joint("j2", "a", "b"), root="")
    assert found(nothing) == [("info", "robot", "no link has a mass")]


# ---- joints and names
def test_an_effort_of_zero_is_unset():
    assert found(arm('<limit lower="-2" upper="2" velocity="1" effort="0"/>')) == [
        ("info", "joint 'j2' limit effort", "unset (missing or 0)")
    ]


def test_ends_of_a_continuous_joint():
    finding = only(arm('<limit lower="-3" upper="3" velocity="1" effort="1"/>', "continuous"))
    assert (finding.severity, finding.value) == ("info", "lower=-3 upper=3, which nobody reads")


def test_names_that_differ_in_case_or_blanks():
    text = arm().replace('"b"', '"A"')
    assert found(text) == [("warning", "link 'A'", "'a' and 'A'")]
    text = arm().replace('"b"', '"b "')
    assert found(text) == [("warning", "link 'b '", "'b '")]


def test_followers():
    def second(mimic, kind="revolute"):
        return arm(mimic, kind)

    assert found(second('<mimic joint="j1" multiplier="-0.5" offset="0.1"/>')) == []
    assert found(second('<mimic joint="j1" multiplier="0"/>')) == [("warning", "joint 'j2' mimic", "0")]
    assert found(second('<mimic joint="j1"/>', "prismatic")) == [("warning", "joint 'j2' mimic", "1")]
    assert found(second('<mimic joint="j1" multiplier="0.02"/>', "prismatic")) == []  # a rack
    frozen = second('<mimic joint="j1"/><limit lower="0" upper="0" velocity="1" effort="1"/>')
    assert found(frozen)[0] == ("warning", "joint 'j2' limit", "lower = upper = 0")
    assert found(frozen)[1] == ("warning", "joint 'j1' limit", "0 rad is what the limits of 'j2' leave it")
    assert found(second('<mimic joint="j1"/>', "fixed")) == [("info", "joint 'j2' mimic", "type fixed")]
    (error,) = refused(second('<mimic joint="j1"/>').replace('"j1" type="revolute"', '"j1" type="fixed"'))
    assert error.value == "joint 'j1' is fixed"


# ---- spelling and places
@pytest.mark.parametrize(
    ("inside", "value", "fix"),
    [
        ('<origin xzy="1 0 0"/>', "'xzy'", "did you mean 'xyz'?"),
        ('<origin xyz="0.3 0 0" ryp="1 0 0"/>', "'ryp'", "did you mean 'rpy'?"),
        ('<axsi xyz="0 1 0"/>', "<axsi>", "did you mean <axis>?"),
        ('<Axis xyz="0 1 0"/>', "<Axis>", "did you mean <axis>?"),
        ('<axis XYZ="0 1 0"/>', "'XYZ'", "did you mean 'xyz'?"),
        ('<mimic joint="j1" multipler="2"/>', "'multipler'", "did you mean 'multiplier'?"),
        ('<axis xyz="0 1 0"/><axis xyz="1 0 0"/>', "2 of them", "keep one; readers differ in which they take"),
        ('<dynamics><axis xyz="0 1 0"/></dynamics>', None, None),
        ('<calibration/><axis xyz="0 1 0"><origin/></axis>', "in <axis>", "move it to"),
        ('<inertial/><link name="x"/>', "in <joint>", "move it to <robot>"),
    ],
)
def test_what_a_joint_depends_on_may_not_be_misspelt_misplaced_or_doubled(inside, value, fix):
    if value is None:  # inside an extension anything may stand
        assert found(arm(inside)) == []
        return
    errors = refused(arm(inside))
    assert [str(error.value) for error in errors] == [value]
    assert fix in errors[0].fix


@pytest.mark.parametrize(
    ("text", "where", "fix"),
    [
        (arm(body=BODY.replace("ixx", "ixxx")), None, None),
        (arm(body=BODY + BODY), "link 'b' inertial", "keep one"),
        (arm(body=BODY + '<origin xyz="0 0 0"/>'), "link 'b' origin", "move it to"),
        (arm(body=BODY + "<visul/>"), "link 'b'", "did you mean <visual>?"),
        (arm(body=BODY + '<visual><geometry><cylinder radius="1" lenght="1"/></geometry></visual>'),
         "link 'b' visual geometry cylinder length", "did you mean 'length'?"),
    ],
)  # fmt: skip
def test_elsewhere_it_is_a_warning(text, where, fix):
    if where is None:  # the number that is then missing is an error
        assert [error.rule for error in refused(text)] == ["attribute ixx"]
        return
    finding = only(text)
    assert (finding.severity, finding.where) == ("warning", where)
    assert fix in finding.fix


def test_extensions_are_nobody_s_spelling_mistake():
    inside = '<gazebo><axsi/></gazebo><hardware/><drake:axsi xmlns:drake="http://drake.mit.edu"/>'
    text = arm(inside).replace("</robot>", '<gazebo reference="a"><axis/></gazebo><transmission name="t"/></robot>')
    assert found(text) == []


@pytest.mark.parametrize("kind", ["Revolute", "REVOLUTE", "revolut", "hinge "])
def test_a_type_in_other_letters_is_named(kind):
    errors = refused(arm(kind=kind))
    assert errors[0].where == "joint 'j2' type"
    assert errors[0].value == repr(kind)
    if kind != "hinge ":
        assert errors[0].fix == "did you mean 'revolute'? correct the type"


def test_two_robots_in_one_file():
    with pytest.raises(mk.FileUnreadable, match="one file describes one robot"):
        mk.RobotModel.from_urdf(arm() + arm())
    (error,) = refused(arm().replace("</robot>", "<robot name='s'/></robot>"))
    assert error.fix.startswith("move it to a file of its own")


def test_a_quaternion_in_place_of_rpy():
    half = math.sqrt(0.5)
    model = mk.RobotModel.from_urdf(arm(f'<origin xyz="0.3 0 0" quat_xyzw="0 0 {half} {half}"/>'))
    assert model.joints[1].placement.rotation.angle_to(mk.SO3.from_rpy(0, 0, math.pi / 2)) < 1e-15
    (error,) = refused(arm('<origin xyz="0.3 0 0" quat_xyzw="0 0 1 1"/>'))
    assert error.value == "length 1.41421"
    (error,) = refused(arm('<origin xyz="0.3 0 0" rpy="0 0 0" quat_xyzw="0 0 0 1"/>'))
    assert error.value == "both"


# ---- inertias that a person states
@pytest.mark.parametrize(
    ("mass", "tensor", "telling"),
    [
        (-1.0, (1, 1, 1), "positive mass"),
        (0.0, (1, 1, 1), "positive mass"),
        (1.0, (-1, 1, 1), "no negative principal moment, got principal moments -1, 1, 1"),
        (1.0, (1, 1, 2.1), "no principal moment above the sum of the other two, got principal moments 1, 1, 2.1"),
    ],
)
def test_d5_an_impossible_body_is_refused_by_hand_and_kept_from_a_file(mass, tensor, telling):
    full = [[tensor[0], 0, 0], [0, tensor[1], 0], [0, 0, tensor[2]]]
    with pytest.raises(mk.InvalidInertia, match=telling):
        mk.LinkInertia(mass, (0, 0, 0), full)
    stated = mk.LinkInertia.as_stated(mass, (0, 0, 0), full)
    with pytest.raises(mk.InvalidInertia, match="link 'hand'") as info:
        stated.validate("hand")
    assert info.value.link == "hand"


def test_d5_rods_plates_points_and_nothing_are_bodies():
    for mass, tensor in ((1, (1, 1, 0)), (1, (1, 1, 2)), (1, (0, 0, 0)), (0, (0, 0, 0)), (1, (1, 1, 2 + 1e-10))):
        x, y, z = tensor
        assert mk.LinkInertia(mass, (0, 0, 0), [[x, 0, 0], [0, y, 0], [0, 0, z]]).mass == mass
    with pytest.raises(mk.InvalidInertia, match="symmetric"):
        mk.LinkInertia(1, (0, 0, 0), [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]])
