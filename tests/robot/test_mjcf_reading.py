"""MJCF files against MuJoCo itself: where everything is, what it weighs, what follows what, and what is refused."""

import re
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

import motionkit as mk
from motionkit.robot import Mimic

# up to ten matrices with entries of order one, some metres: 1e-14, and a margin
TOLERANCE = 1e-12


def mujoco_pose(position, matrix):
    T = np.eye(4)
    T[:3, 3] = position
    T[:3, :3] = np.reshape(matrix, (3, 3))
    return T


def worst_difference(model, oracle, rng, count=20):
    """The largest difference of any body or site from MuJoCo's own kinematics, over random configurations."""
    data, worst, seen = mujoco.MjData(oracle), 0.0, set()
    names = {j: oracle.joint(j).name for j in range(oracle.njnt)}
    for _ in range(count):
        values = {name: rng.uniform(-2, 2) for name in model.joint_names}
        data.qpos[:] = oracle.qpos0
        for j, name in names.items():
            if name in values:
                data.qpos[oracle.jnt_qposadr[j]] = values[name]
        mujoco.mj_kinematics(oracle, data)
        expected = {oracle.body(i).name: mujoco_pose(data.xpos[i], data.xmat[i]) for i in range(oracle.nbody)}
        for i in range(oracle.nsite):
            name = oracle.site(i).name
            expected[f"{name}_site" if name in expected else name] = mujoco_pose(data.site_xpos[i], data.site_xmat[i])
        expected = {name: pose for name, pose in expected.items() if name not in ("", "_site")}
        for link, pose in model.link_poses(values).items():
            if link in expected:
                worst = max(worst, np.abs(pose.matrix() - expected[link]).max())
                seen.add(link)
    assert seen == set(expected)
    return worst


def numbers(values):
    return " ".join(repr(float(v)) for v in values)


def random_mjcf(rng, anchors=True):
    """Nested bodies with none to three joints each, anchors and references anywhere, in every way to turn a frame."""
    count = 0

    def body(depth):
        nonlocal count
        count += 1
        me = count
        turn = rng.choice(["quat", "euler", "axisangle", "none"])
        size = {"quat": 4, "euler": 3, "axisangle": 4}.get(turn, 0)
        turned = f'{turn}="{numbers(rng.uniform(-1, 1, size) * (1 if turn == "quat" else 90))}"' if size else ""
        parts = [f'<body name="b{me}" pos="{numbers(rng.uniform(-0.5, 0.5, 3))}" {turned}>']
        for k in range(rng.integers(0, 4)):
            kind = rng.choice(["hinge", "hinge", "slide"])
            pos = numbers(rng.uniform(-0.3, 0.3, 3)) if anchors and rng.random() < 0.6 else "0 0 0"
            ref = f'ref="{rng.uniform(-1, 1)!r}"' if rng.random() < 0.3 else ""
            limited = 'range="-2 2"' if kind == "slide" or rng.random() < 0.5 else ""
            axis = numbers(rng.uniform(-1, 1, 3))
            parts.append(f'<joint name="j{me}_{k}" type="{kind}" pos="{pos}" axis="{axis}" {ref} {limited}/>')
        diagonal = rng.uniform(1, 1.5, 3)
        parts.append(
            f'<inertial pos="{numbers(rng.uniform(-0.1, 0.1, 3))}" quat="{numbers(rng.uniform(-1, 1, 4))}" '
            f'mass="{rng.uniform(0.1, 9)!r}" diaginertia="{numbers(diagonal)}"/>'
        )
        if rng.random() < 0.5:
            parts.append(f'<site name="s{me}" pos="{numbers(rng.uniform(-1, 1, 3))}" euler="10 20 30"/>')
        for _ in range(rng.integers(0, 3) if depth < 3 else 0):
            parts.append(body(depth + 1))
        return "".join(parts) + "</body>"

    return f'<mujoco model="random"><worldbody>{"".join(body(0) for _ in range(2))}</worldbody></mujoco>'


def test_random_models_are_where_mujoco_has_them(capsys):
    rng, worst, joints, off = np.random.default_rng(31), 0.0, 0, 0
    for _ in range(40):
        text = random_mjcf(rng)
        model = mk.RobotModel.from_mjcf(text)
        joints += sum(joint.kind != "fixed" for joint in model.joints)
        off += sum("_j" in link.name for link in model.links)
        worst = max(worst, worst_difference(model, mujoco.MjModel.from_xml_string(text), rng, count=5))
    with capsys.disabled():
        print(f"\nMJCF, 40 random models, {joints} joints, {off} massless links: {worst:.1e} from mj_kinematics")
    assert worst < TOLERANCE
    assert off > 100  # the anchors beside the origin and the bodies with several joints are there


def test_inertias_are_those_of_mujoco():
    rng = np.random.default_rng(32)
    for _ in range(10):
        text = random_mjcf(rng)
        model, oracle = mk.RobotModel.from_mjcf(text), mujoco.MjModel.from_xml_string(text)
        for i in range(1, oracle.nbody):
            body = model.link(oracle.body(i).name).inertia
            R = np.zeros(9)
            mujoco.mju_quat2Mat(R, oracle.body_iquat[i])
            R = R.reshape(3, 3)
            assert body.mass == oracle.body_mass[i]
            assert body.com == tuple(oracle.body_ipos[i])
            assert np.abs(body.matrix() - R @ np.diag(oracle.body_inertia[i]) @ R.T).max() < 1e-14


def test_mujocos_own_test_model_is_where_mujoco_has_it():
    """Free, ball, hinge and slide joints, defaults, several joints on one body, shapes of every kind."""
    path = Path(mujoco.__file__).parent / "testdata" / "model.xml"
    with pytest.raises(
        mk.InvalidModel, match=r"model\.xml:62: joint 'wheel_0': one coordinate; got a ball joint"
    ) as caught:
        mk.RobotModel.from_mjcf(path)
    named = [finding.where.split("'")[1] for finding in caught.value.findings]
    assert len(named) == 6
    model = mk.RobotModel.from_mjcf(path, hold=named)
    oracle = mujoco.MjModel.from_xml_path(str(path))
    assert worst_difference(model, oracle, np.random.default_rng(33)) < TOLERANCE


ARM = """<mujoco model="arm">
<compiler angle="degree" meshdir="meshes"/>
<worldbody>
<body name="upper" pos="0 0 1">
<joint name="shoulder" axis="0 0 2" range="-90 90" actuatorfrcrange="-7 7" armature="0.1"/>
<geom type="capsule" size="0.05" fromto="0 0 0 0.5 0 0"/>
<body name="fore" pos="0.5 0 0">
<joint name="elbow" axis="0 1 0" pos="0 0 0.1" damping="2" frictionloss="1"/>
<geom type="box" size="0.1 0.1 0.1"/>
<site name="tip" pos="0.4 0 0" euler="0 90 0"/>
<site pos="1 2 3"/>
<body pos="0.1 0 0"><joint type="slide" axis="1 0 0" range="0 0.2"/><geom size="0.01"/></body>
</body>
</body>
</worldbody>
%s
</mujoco>"""


def test_names_limits_and_units():
    model = mk.RobotModel.from_mjcf(ARM % "")
    assert model.name == "arm"
    assert model.root == "world"
    assert [link.name for link in model.links] == ["world", "upper", "fore_elbow", "fore", "body3", "tip"]
    assert [(j.name, j.kind, j.parent, j.child) for j in model.joints] == [
        ("shoulder", "revolute", "world", "upper"),
        ("elbow", "continuous", "upper", "fore_elbow"),
        ("fore_fixed", "fixed", "fore_elbow", "fore"),
        ("body3_joint", "prismatic", "fore", "body3"),
        ("tip_fixed", "fixed", "fore", "tip"),
    ]
    shoulder, elbow, _, slide, _ = model.joints
    assert shoulder.limits == mk.JointLimits.revolute(np.radians(-90), np.radians(90), effort=7)
    assert elbow.limits == mk.JointLimits.continuous()
    assert slide.limits == mk.JointLimits.prismatic(0, 0.2)
    assert shoulder.axis == (0.0, 0.0, 1.0)
    assert shoulder.line == 5
    assert model.link("fore").line == 7
    assert model.link("fore_elbow").inertia is None
    # the anchor of the elbow stays where it is while the forearm turns
    chain = model.chain(tip="fore")
    for angle in (0.3, -1.0):
        pose = chain.forward([0.0, angle])
        assert (pose * (0, 0, 0.1)).tolist() == pytest.approx([0.5, 0, 1.1], abs=1e-15)


def test_what_is_left_out_is_said():
    actuated = ARM % '<actuator><motor joint="elbow"/></actuator>'
    said = {f.where: f for f in mk.RobotModel.from_mjcf(actuated).check() if f.severity == "info"}
    assert said["armature of joints shoulder"].fix == "left out of the model"
    assert "damping of joints elbow" in said
    assert "friction of joints elbow" in said
    assert said["actuators"].value == "1 actuators"
    assert said["geoms"].value == "3 other shapes"
    assert not any("springs" in where for where in said)


def test_unequal_force_limits_are_said():
    text = ARM.replace('"-7 7"', '"-3 7"') % ""
    model = mk.RobotModel.from_mjcf(text)
    assert model.joints[0].limits.effort == 3.0
    assert any("actuatorfrcrange" in f.where and f.line == 5 for f in model.check())


def test_generated_names_step_aside_for_given_ones():
    text = """<mujoco><worldbody>
    <body><joint/><joint/><geom size="1"/><site name="body1"/></body>
    <body name="nan"><joint name="body1_joint"/><geom size="1"/></body></worldbody></mujoco>"""
    model = mk.RobotModel.from_mjcf(text)
    assert len({link.name for link in model.links}) == len(model.links) == 5
    assert len({joint.name for joint in model.joints}) == len(model.joints) == 4
    assert [j.name for j in model.joints if j.kind != "fixed"] == ["body1_joint_2", "body1_joint_3", "body1_joint"]
    assert model == mk.RobotModel.from_mjcf(text)


# ---- coordinates
def test_a_reference_is_where_the_file_draws_the_joint():
    text = """<mujoco><compiler angle="radian"/><worldbody><body name="b" pos="1 0 0">
    <joint name="j" axis="0 0 1" ref="0.5"/><geom size="1"/></body></worldbody></mujoco>"""
    chain = mk.RobotModel.from_mjcf(text).chain(tip="b")
    assert np.abs(chain.forward([0.5]).rotation.matrix() - np.eye(3)).max() < 1e-15
    assert np.abs(chain.forward([0.0]).rotation.matrix() - np.eye(3)).max() > 0.4


def test_free_and_ball_joints_are_refused_by_name_or_held():
    text = """<mujoco><worldbody>
    <body name="base" pos="1 2 3" quat="0 1 0 0"><freejoint name="float"/><geom size="1"/>
    <body name="ball" pos="0 0 1"><joint type="ball" name="hip"/><geom size="1"/>
    <body name="leg" pos="0 0 1"><joint name="knee"/><geom size="1"/></body></body></body></worldbody></mujoco>"""
    with pytest.raises(mk.InvalidModel) as caught:
        mk.RobotModel.from_mjcf(text)
    assert [(f.where, f.line) for f in caught.value.findings] == [("joint 'float'", 2), ("joint 'hip'", 3)]
    assert "which has six; keep it as drawn with hold=('float',)" in str(caught.value)
    with pytest.raises(mk.UnknownName, match=r"hold: no joint 'flaot': did you mean 'float'"):
        mk.RobotModel.from_mjcf(text, hold=["flaot"])
    with pytest.raises(mk.KindMismatch, match=r"write hold=\('hip',\)"):
        mk.RobotModel.from_mjcf(text, hold="hip")
    model = mk.RobotModel.from_mjcf(text, hold=["float", "hip"])
    chain = model.chain()
    assert chain.joint_names == ("knee",)
    assert chain.forward([0.0]).translation.tolist() == [1.0, 2.0, 1.0]
    assert mk.RobotModel.from_mjcf(text, hold=["float", "hip", "knee"]).chain(tip="leg").n == 0


def test_a_slide_without_range_is_refused():
    text = """<mujoco><worldbody><body name="b">
    <joint name="rail" type="slide"/><geom size="1"/></body></worldbody></mujoco>"""
    with pytest.raises(
        mk.InvalidModel, match=r"<text>:2: joint 'rail' range: limits, which a slide joint needs; got none"
    ):
        mk.RobotModel.from_mjcf(text)


# ---- equality
FINGERS = """<mujoco><compiler angle="radian"/><worldbody><body name="hand">
<joint name="a" type="slide" axis="1 0 0" range="0 1" ref="0.25"/><geom size="0.1"/>
<body name="f"><joint name="b" type="slide" axis="0 1 0" range="0 1" ref="0.5"/><geom size="0.1"/></body>
<body name="g"><joint name="c" axis="0 1 0"/><geom size="0.1"/></body></body></worldbody>
<equality>%s</equality></mujoco>"""


def equality(text):
    model = mk.RobotModel.from_mjcf(FINGERS % text)
    found = [f for f in model.check() if f.where.startswith("equality")]
    return {joint.name: joint.mimic for joint in model.joints if joint.mimic is not None}, found


def test_a_linear_equality_is_a_mimic_joint():
    mimics, found = equality('<joint joint1="b" joint2="a" polycoef="0.125 -2 0 0 0"/>')
    # b - 0.5 = 0.125 - 2 (a - 0.25)
    assert mimics == {"b": Mimic("a", -2.0, 1.125)}
    assert found == []


def test_a_follower_is_where_mujoco_has_it_when_the_constraint_holds():
    text = FINGERS % '<joint joint1="b" joint2="a" polycoef="0.125 -2 0 0 0"/>'
    chain = mk.RobotModel.from_mjcf(text).chain(tip="f")
    oracle = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(oracle)
    assert chain.joint_names == ("a",)
    for a in (0.1, 0.3, 0.5):
        data.qpos[:2] = a, 0.5 + 0.125 - 2 * (a - 0.25)
        mujoco.mj_kinematics(oracle, data)
        body = oracle.body("f").id
        pose = mujoco_pose(data.xpos[body], data.xmat[body])
        assert np.abs(chain.forward([a]).matrix() - pose).max() < 1e-15


def test_mujoco_itself_settles_where_the_mimic_says():
    """The forces of the constraint bring the follower there; the rate of that is all that limits the agreement."""
    text = FINGERS % '<joint joint1="b" joint2="a" polycoef="0.125 -2 0 0 0" solref="0.01 1"/>'
    text = text.replace("<worldbody>", '<option gravity="0 0 0"/><worldbody>')
    oracle = mujoco.MjModel.from_xml_string(text)
    oracle.dof_damping[:] = 1.0
    data = mujoco.MjData(oracle)
    data.qpos[:2] = 0.4, 0.9
    for _ in range(5000):
        mujoco.mj_step(oracle, data)
    mimic = equality('<joint joint1="b" joint2="a" polycoef="0.125 -2 0 0 0"/>')[0]["b"]
    assert abs(data.qpos[1] - (mimic.multiplier * data.qpos[0] + mimic.offset)) < 1e-5


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('<joint joint1="b" joint2="a" polycoef="0 1 0.5 0 0"/>', "a curve with polycoef"),
        ('<joint joint1="b" polycoef="0.1 0 0 0 0"/>', "joint 'b' held at one place"),
        ('<joint joint1="b" joint2="a" active="false"/>', "an inactive one"),
        ('<connect body1="f" body2="g" anchor="0 0 0"/>', "a connect constraint"),
        ('<weld name="loop" body1="f" body2="g"/>', "a weld constraint"),
    ],
)
def test_other_constraints_are_said_and_left_out(text, value):
    mimics, found = equality(text)
    assert mimics == {}
    assert len(found) == 1
    assert str(found[0].value).startswith(value)


def test_followers_in_a_circle_or_of_two_are_said():
    pairs = [("b", "a"), ("c", "b"), ("a", "c"), ("b", "c")]
    mimics, found = equality("".join(f'<joint joint1="{one}" joint2="{two}"/>' for one, two in pairs))
    assert mimics == {"b": Mimic("a", 1.0, 0.25), "c": Mimic("b", 1.0, -0.5)}
    assert [f.value.split(" twice")[0] for f in found] == ["joint 'a'", "joint 'b'"]


# ---- meshes
CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + (
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
)
SHAPES = """<mujoco><compiler angle="radian" meshdir="meshes"/>
<asset><mesh name="cube" file="cube.obj" scale="0.5 0.5 0.25"/>
<texture name="t" type="2d" file="gone.png"/><material name="m" texture="t"/></asset>
<worldbody><body name="b" pos="0 0 1"><joint axis="0 0 1"/>
<geom type="mesh" mesh="cube" pos="1 2 3" quat="0 1 0 0" %s/>
<geom type="mesh" mesh="cube" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""


def test_meshes_have_the_place_that_their_own_vertices_have(tmp_path, monkeypatch):
    """MuJoCo moves a mesh to its centre of mass; the vertices of the file land where MuJoCo shows them."""
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "cube.obj").write_text(CUBE)
    path = tmp_path / "shapes.xml"
    path.write_text(re.sub(r"<texture.*?/></asset>", "</asset>", SHAPES % "", flags=re.DOTALL))
    model, oracle = mk.RobotModel.from_mjcf(path), mujoco.MjModel.from_xml_path(str(path))
    monkeypatch.chdir(tmp_path.parent)
    assert mk.RobotModel.from_mjcf(f"{tmp_path.name}/shapes.xml").meshes == model.meshes
    solid, seen = model.link("b").meshes
    assert (solid.role, seen.role) == ("collision", "visual")
    assert solid.filename == "meshes/cube.obj"
    assert solid.path == tmp_path / "meshes" / "cube.obj"
    assert solid.scale == (0.5, 0.5, 0.25)
    assert solid.pose.translation.tolist() == pytest.approx([1, 2, 3], abs=1e-9)
    corners = np.array([[x, y, z] for x in (0, 0.5) for y in (0, 0.5) for z in (0, 0.25)])
    for i, mesh in enumerate((solid, seen)):
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, oracle.geom_quat[i])
        shown = oracle.mesh_vert @ R.reshape(3, 3).T + oracle.geom_pos[i]
        ours = mesh.pose * corners
        # vertices are single-precision numbers there
        assert max(np.abs(shown - corner).max(axis=1).min() for corner in ours) < 1e-6


def test_meshes_and_textures_that_are_missing_do_not_keep_the_kinematics_from_loading():
    model = mk.RobotModel.from_mjcf(SHAPES % 'material="m"')
    assert model.chain(tip="b").n == 1
    assert model.link("b").inertia is None
    found = {f.where: f for f in model.check()}
    assert "gone.png" in found["assets"].value or "cube.obj" in found["assets"].value
    assert found["link 'b' inertial"].severity == "warning"


def test_a_stated_inertia_does_not_need_the_meshes():
    text = (SHAPES % "").replace("<joint", '<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><joint')
    assert mk.RobotModel.from_mjcf(text).link("b").inertia.mass == 2.0


def test_a_body_without_mass_has_kinematics():
    text = '<mujoco><worldbody><body name="b" pos="1 0 0"><joint/></body></worldbody></mujoco>'
    with pytest.raises(ValueError, match="larger than mjMINVAL"):  # the control: MuJoCo alone refuses it
        mujoco.MjModel.from_xml_string(text)
    model = mk.RobotModel.from_mjcf(text)
    assert model.link("b").inertia is None
    assert model.chain().forward([0.3]).translation.tolist() == [1.0, 0.0, 0.0]


# ---- round trips
def test_mujoco_reads_the_urdf_of_a_mjcf_as_the_same_robot(tmp_path, capsys):
    """MJCF -> model -> URDF -> MuJoCo, against MuJoCo's reading of the MJCF."""
    rng, worst = np.random.default_rng(34), 0.0
    for _ in range(10):
        text = random_mjcf(rng)
        old = mujoco.MjModel.from_xml_string(text)
        model = mk.RobotModel.from_mjcf(text)
        # the massless links between have no place in MuJoCo's dynamics
        written = model.to_urdf().replace(
            '<robot name="random">',
            '<robot name="random"><mujoco><compiler fusestatic="false" boundmass="1e-9" '
            'boundinertia="1e-9" balanceinertia="true" strippath="false"/></mujoco>',
        )
        new = mujoco.MjModel.from_xml_string(written)
        old_data, new_data = mujoco.MjData(old), mujoco.MjData(new)
        for _ in range(5):
            for j in range(old.njnt):
                x = rng.uniform(-2, 2)
                old_data.qpos[old.jnt_qposadr[j]] = x
                new_data.qpos[new.joint(old.joint(j).name).qposadr[0]] = x
            mujoco.mj_kinematics(old, old_data)
            mujoco.mj_kinematics(new, new_data)
            for i in range(1, old.nbody):
                k = new.body(old.body(i).name).id
                worst = max(worst, np.abs(old_data.xpos[i] - new_data.xpos[k]).max())
                worst = max(worst, np.abs(old_data.xmat[i] - new_data.xmat[k]).max())
    with capsys.disabled():
        print(f"\nMJCF -> model -> URDF -> MuJoCo: {worst:.1e}")
    assert worst < TOLERANCE


def test_a_urdf_that_mujoco_saved_as_mjcf_is_the_same_robot():
    model = mk.RobotModel.six_axis_example()
    spec = mujoco.MjSpec.from_string(model.to_urdf())
    spec.compiler.fusestatic = False
    spec.compile()
    again = mk.RobotModel.from_mjcf(spec.to_xml())
    one, two = model.chain(), again.chain(tip="flange")
    assert one.joint_names == two.joint_names
    for q in np.random.default_rng(35).uniform(-3, 3, (50, 6)):
        # MuJoCo saves six digits
        assert np.abs(one.forward(q).matrix() - two.forward(q).matrix()).max() < 2e-5
    for joint in model.joints[:6]:
        twin = next(other for other in again.joints if other.name == joint.name)
        assert twin.limits.lower == pytest.approx(joint.limits.lower, rel=1e-5)


# ---- errors
@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("<mujoco><worldbody>\n<body></worldbody></mujoco>", mk.FileUnreadable, r"<text>:2: not XML"),
        ("<robot name='r'><link name='a'/></robot>", mk.InvalidModel, r"got <robot>; load it with from_urdf"),
        ("<sdf/>", mk.InvalidModel, r"a mujoco element; got <sdf>"),
        (
            "<mujoco><worldbody><body>\n<joint type='hing'/></body></worldbody></mujoco>",
            mk.InvalidModel,
            r"<text>:2: element 'joint': a model that MuJoCo reads; got invalid keyword: 'hing'",
        ),
        (
            "<mujoco><worldbody><body>\n<joint name='j' axis='0 0 0'/></body></worldbody></mujoco>",
            mk.InvalidModel,
            r"<text>:2: element 'j': a model that MuJoCo compiles; got axis too small in joint",
        ),
        ("<mujoco><include file='no.xml'/></mujoco>", mk.InvalidModel, r"Error opening file 'no.xml'"),
        (
            "<mujoco><worldbody>\n<body name='b' pos='1 0 nan'><joint/></body></worldbody></mujoco>",
            mk.InvalidModel,
            r"<text>:2: <body> pos: finite numbers; got '1 0 nan'",
        ),
        (
            "<mujoco><worldbody>\n<body name='b' pos='1 0 inf'><joint/></body></worldbody></mujoco>",
            mk.InvalidModel,
            r"<text>:2: body 'b': finite numbers; got inf",
        ),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><mujoco/>", mk.FileUnreadable, r"a DOCTYPE"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, error, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=message):
        mk.RobotModel.from_mjcf(text)
    assert list(tmp_path.iterdir()) == []  # MuJoCo likes to write a log of its own


def test_a_file_that_is_not_there_is_named(tmp_path):
    (tmp_path / "arm.xml").touch()
    with pytest.raises(mk.FileUnreadable, match=r"arn\.xml: cannot be read: No such file.*did you mean 'arm\.xml'"):
        mk.RobotModel.from_mjcf(tmp_path / "arn.xml")


def test_lines_of_several_files_are_not_mixed(tmp_path):
    (tmp_path / "part.xml").write_text("<mujocoinclude>\n\n<body name='b'><joint/></body></mujocoinclude>")
    (tmp_path / "arm.xml").write_text("<mujoco><worldbody><include file='part.xml'/></worldbody></mujoco>")
    model = mk.RobotModel.from_mjcf(tmp_path / "arm.xml")
    assert model.link("b").line is None
    assert model.source == str(tmp_path / "arm.xml")


def test_without_mujoco_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(mk.MissingExtra, match=r"pip install 'motionkit\[mjcf\]'") as caught:
        mk.RobotModel.from_mjcf("<mujoco/>")
    assert caught.value.name == "mujoco"
