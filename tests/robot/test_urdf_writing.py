"""Models written as URDF: what is read again is the same robot, also to another program, and nothing is dropped."""

import dataclasses
import math
import os

import numpy as np
import pinocchio as pin
import pytest

import motionkit as mk
from motionkit.robot import Mesh, Mimic, ModelJoint, ModelLink

HALF = math.pi / 2


def same(model, again):
    """The largest difference of any pose; everything else is equal to the bit."""
    worst = 0.0
    assert again.name == model.name
    for a, b in zip(model.links, again.links, strict=True):
        assert (a.name, a.inertia) == (b.name, b.inertia)
        for mesh, other in zip(
            sorted(a.meshes, key=lambda m: m.role), sorted(b.meshes, key=lambda m: m.role), strict=True
        ):
            assert (mesh.filename, mesh.role, mesh.scale) == (other.filename, other.role, other.scale)
            worst = max(worst, np.abs(mesh.pose.matrix() - other.pose.matrix()).max())
    for a, b in zip(model.joints, again.joints, strict=True):
        keep = ("name", "kind", "parent", "child", "limits", "mimic")
        assert [getattr(a, key) for key in keep] == [getattr(b, key) for key in keep]
        worst = max(worst, np.abs(a.placement.matrix() - b.placement.matrix()).max())
        worst = max(worst, np.abs(np.subtract(a.axis, b.axis)).max())
    return worst


@pytest.fixture(scope="module")
def models(robot_files, rtb_files):
    """Every file of both collections that loads."""
    found = {}
    for folder in (robot_files, rtb_files):
        for path in sorted(folder.rglob("*.urdf")):
            try:
                found[path] = mk.RobotModel.from_urdf(path)
            except mk.MotionkitError:
                continue  # what is refused, and why, is held by test_robot_corpus
    assert len(found) > 60
    return found


def test_urdf_to_model_to_urdf_keeps_everything(models, capsys):
    """Issue: kinematics, limits and inertias to 1e-12."""
    worst = 0.0
    for model in models.values():
        text = model.to_urdf()
        again = mk.RobotModel.from_urdf(text)
        worst = max(worst, same(model, again))
        assert again.to_urdf().count("\n") == text.count("\n")
    with capsys.disabled():
        print(f"\nURDF -> model -> URDF, {len(models)} files: poses within {worst:.1e}, all else equal to the bit")
    assert worst < 1e-12


def test_pinocchio_reads_the_written_file_as_the_old_one(models, tmp_path, capsys):
    """Kinematics, limits and inertias of another program's own reading of both files."""
    worst, count = 0.0, 0
    rng = np.random.default_rng(12)
    for path, model in models.items():
        target = tmp_path / "robot.urdf"
        model.to_urdf(target)
        old, new = pin.buildModelFromUrdf(str(path)), pin.buildModelFromUrdf(str(target))
        assert list(new.names) == list(old.names)
        assert [f.name for f in new.frames] == [f.name for f in old.frames]
        for a, b in zip(old.inertias, new.inertias, strict=True):
            assert np.allclose(a.matrix(), b.matrix(), rtol=1e-12, atol=1e-12)
        for key in ("lowerPositionLimit", "upperPositionLimit"):
            assert np.array_equal(getattr(old, key), getattr(new, key))
        for key in ("velocityLimit", "effortLimit"):
            # 0 in a file is a limit left open, which the written one may leave out
            a, b = (np.where(limit == 0, np.inf, limit) for limit in (getattr(old, key), getattr(new, key)))
            assert np.array_equal(a, b)
        q = pin.neutral(old)
        for joint in old.joints:
            if joint.nv == 1:
                x = rng.uniform(-3, 3)
                q[joint.idx_q : joint.idx_q + joint.nq] = (np.cos(x), np.sin(x)) if joint.nq == 2 else x
        old_data, new_data = old.createData(), new.createData()
        pin.framesForwardKinematics(old, old_data, q)
        pin.framesForwardKinematics(new, new_data, q)
        for a, b in zip(old_data.oMf, new_data.oMf, strict=True):
            worst = max(worst, np.abs(a.homogeneous - b.homogeneous).max())
            count += 1
    with capsys.disabled():
        print(f"\npinocchio, {count} frames of {len(models)} files: old against written {worst:.1e}")
    assert worst < 1e-12


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_dh_to_urdf_to_model_keeps_everything(convention, tmp_path, capsys):
    """Issue: DH -> URDF -> model, kinematics, limits and inertias to 1e-12; and pinocchio agrees."""
    rng, worst, other = np.random.default_rng(8), 0.0, 0.0
    for trial in range(20):
        rows = [
            mk.DhRow(
                a=rng.uniform(-1, 1),
                alpha=rng.choice([HALF, -HALF, math.pi, rng.uniform(-3, 3)]),
                d=rng.uniform(-1, 1),
                theta=rng.choice([0.0, HALF, rng.uniform(-3, 3)]),
                limits=mk.JointLimits.revolute(*sorted(rng.uniform(-3, 3, 2)), rng.uniform(1, 3), effort=7.5),
                sign=int(rng.choice([-1, 1])),
            )
            for _ in range(6)
        ]
        half = rng.uniform(-0.1, 0.1, (6, 3, 3))
        bodies = [
            mk.LinkInertia(rng.uniform(1, 9), rng.uniform(-1, 1, 3), np.trace(h @ h.T) * np.eye(3) - h @ h.T)
            for h in half
        ]
        model = mk.RobotModel.from_dh(rows, convention, base=mk.SE3.random(rng), inertias=bodies)
        path = tmp_path / f"{trial}.urdf"
        assert model.to_urdf(path) is None
        again = mk.RobotModel.from_urdf(path)
        same(model, again)
        chain, back, oracle = model.chain(), again.chain(), pin.buildModelFromUrdf(str(path))
        data = oracle.createData()
        for q in rng.uniform(-3, 3, (10, 6)):
            pose = chain.forward(q).matrix()
            worst = max(worst, np.abs(pose - back.forward(q).matrix()).max())
            pin.framesForwardKinematics(oracle, data, q)
            other = max(other, np.abs(pose - data.oMf[oracle.getFrameId("flange")].homogeneous).max())
    with capsys.disabled():
        print(f"\nDH ({convention}) -> URDF -> model: {worst:.1e}; pinocchio's reading {other:.1e}")
    assert worst < 1e-12
    assert other < 1e-12


def test_numbers_keep_every_digit():
    """The control: nine digits, which many writers have, lose a hundred thousand ulps."""
    third = mk.SE3(mk.SO3.from_rpy(0.1, 0.2, 0.3), (1 / 3, -1e-17, 1e22))
    limits = mk.JointLimits.revolute(-0.1 - 0.2, math.nextafter(2.0, 3.0), 1e-300, effort=1e300)
    joint = ModelJoint("j", "revolute", "a", "b", third, (0.0, 0.0, 1.0), limits)
    model = mk.RobotModel("r", (ModelLink("a"), ModelLink("b")), (joint,))
    again = mk.RobotModel.from_urdf(model.to_urdf()).joints[0]
    assert again.limits == limits
    assert again.placement.translation.tolist() == [1 / 3, -1e-17, 1e22]
    assert float(f"{1 / 3:.9g}") != 1 / 3


@pytest.mark.parametrize("pitch", [HALF, -HALF, math.nextafter(HALF, 0), 1.5707, -1.57079632679, 0.0])
def test_rotations_at_the_lock_come_back(pitch):
    rng = np.random.default_rng(9)
    for roll, yaw in rng.uniform(-math.pi, math.pi, (50, 2)):
        pose = mk.SE3.from_rotation(mk.SO3.from_rpy(roll, pitch, yaw))
        joint = ModelJoint("j", "fixed", "a", "b", pose, (1.0, 0.0, 0.0), mk.JointLimits.fixed())
        again = mk.RobotModel.from_urdf(mk.RobotModel("r", (ModelLink("a"), ModelLink("b")), (joint,)).to_urdf())
        assert np.abs(again.joints[0].placement.matrix() - pose.matrix()).max() < 1e-14


def every_kind():
    """One joint of every kind, names that need escaping, meshes with a place, unset limits."""
    place = mk.SE3.from_translation((0, 0, 1))
    mesh = Mesh("package://p/a & b.stl", None, "visual", None, place, (0.001, 0.001, 0.001))
    odd = 'tool "<&>\t' + "\u00fc\u5b57' "
    kinds = {
        "revolute": mk.JointLimits.revolute(-1, 1),
        "prismatic": mk.JointLimits.prismatic(-0.5, 0.5, 0.1, effort=5),
        "continuous": mk.JointLimits.continuous(2.0),
        "fixed": mk.JointLimits.fixed(),
    }
    links = [ModelLink(odd, mk.LinkInertia(0.0, (0, 0, 0), np.zeros((3, 3))), (mesh,))]
    joints = []
    for kind, limits in kinds.items():
        name = f"{odd}{kind}"
        axis = (0.6, 0.0, -0.8) if kind != "fixed" else (1.0, 0.0, 0.0)
        joints.append(ModelJoint(name, kind, links[-1].name, name, place, axis, limits))
        links.append(ModelLink(name))
    follower = mk.JointLimits.revolute(-2, 2, 1)
    mimic = Mimic(f"{odd}revolute", -2.0, 0.1)
    joints.append(ModelJoint("follower", "revolute", links[-1].name, "end", place, (0.0, 1.0, 0.0), follower, mimic))
    links.append(ModelLink("end"))
    return mk.RobotModel(odd, tuple(links), tuple(joints))


def test_every_kind_and_odd_names_come_back():
    model = every_kind()
    assert same(model, mk.RobotModel.from_urdf(model.to_urdf())) < 1e-15


def test_limits_left_open_are_zero_and_open_again():
    text = every_kind().to_urdf()
    assert '<limit lower="-1" upper="1" effort="0" velocity="0"/>' in text
    assert mk.RobotModel.from_urdf(text).joints[0].limits.max_velocity is None
    model = mk.RobotModel.from_dh([mk.DhRow()], "standard")
    assert "<limit" not in model.to_urdf()  # a continuous joint without a velocity


def test_the_file_is_whole_or_not_there(tmp_path, monkeypatch):
    model, path = mk.RobotModel.six_axis_example(), tmp_path / "arm.urdf"
    path.write_text("before")
    link = tmp_path / "link.urdf"
    link.symlink_to(path)

    def fail(handle):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(mk.FileUnreadable, match=r"arm.urdf: cannot be written: No space left"):
            model.to_urdf(path)
    assert path.read_text() == "before"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["arm.urdf", "link.urdf"]
    model.to_urdf(link)
    assert link.is_symlink()
    assert path.read_text() == model.to_urdf()


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    model = mk.RobotModel.six_axis_example()
    with pytest.raises(mk.FileUnreadable, match="it is a folder"):
        model.to_urdf(tmp_path)
    with pytest.raises(mk.FileUnreadable, match=r"nowhere/arm\.urdf: cannot be written: No such file"):
        model.to_urdf(tmp_path / "nowhere" / "arm.urdf")


def test_relative_meshes_are_found_from_the_new_place(tmp_path):
    (tmp_path / "robot" / "meshes").mkdir(parents=True)
    (tmp_path / "robot" / "meshes" / "a.stl").touch()
    source = tmp_path / "robot" / "arm.urdf"
    source.write_text(
        '<robot name="r"><link name="a"><visual><origin xyz="1 2 3"/><geometry>'
        '<mesh filename="meshes/a.stl" scale="2 2 2"/></geometry></visual></link></robot>'
    )
    model = mk.RobotModel.from_urdf(source)
    model.to_urdf(tmp_path / "copy.urdf")
    (mesh,) = mk.RobotModel.from_urdf(tmp_path / "copy.urdf").meshes
    assert mesh.filename == "robot/meshes/a.stl"
    assert mesh.path.samefile(tmp_path / "robot" / "meshes" / "a.stl")
    assert mesh.scale == (2.0, 2.0, 2.0)
    assert mesh.pose.translation.tolist() == [1.0, 2.0, 3.0]
    assert 'filename="meshes/a.stl"' in model.to_urdf()


def changed(index=0, **values):
    model = every_kind()
    joints = list(model.joints)
    joints[index] = dataclasses.replace(joints[index], **values)
    return dataclasses.replace(model, joints=tuple(joints))


def with_body(tensor):
    links = (ModelLink("a", mk.LinkInertia.as_stated(1.0, (0, 0, 0), tensor)),)
    return mk.RobotModel("r", links, ())


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (with_body([[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]), "link 'a' inertia: a symmetric tensor; got"),
        (mk.RobotModel("r", (ModelLink("a\x00"),), ()), r"characters that XML can hold; got 'a\\x00'"),
        (mk.RobotModel("r", (ModelLink("a\ud800"),), ()), r"characters that XML can hold"),
        (
            mk.RobotModel("r", (ModelLink("a", None, (Mesh("a.stl", None, "sound"),)),), ()),
            "link 'a' mesh: one of visual, collision; got sound",
        ),
        (mk.RobotModel("", (ModelLink("a"),), ()), "robot: a name; got none"),
        (changed(1, name="follower"), "joint 'follower': every joint has a name of its own; got 2 of this name"),
        (changed(kind="spherical"), "one of revolute, .* got 'spherical'"),
        (changed(kind="fixed"), "limits of a fixed joint; got revolute limits"),
        (changed(axis=(0.0, 0.0, 0.0)), "axis: a direction"),
        (changed(mimic=Mimic("nobody")), "mimic: a joint of the model; got 'nobody'"),
        (changed(mimic=Mimic("follower", math.nan)), "mimic: finite numbers"),
    ],
)
def test_what_a_urdf_cannot_say_is_an_error(model, message, tmp_path):
    with pytest.raises(mk.InvalidModel, match=message) as caught:
        model.to_urdf(tmp_path / "robot.urdf")
    assert caught.value.findings
    assert list(tmp_path.iterdir()) == []
