"""B3: a branched robot is one model; what its branches share is evaluated once, and every frame is where it belongs."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import motionkit as mk
from motionkit.kernels import tree as kernels

TREES = {
    "humanoid": "talos_data/robots/talos_full_v2.urdf",
    "two arms": "baxter_description/urdf/baxter.urdf",
    "legs": "anymal_b_simple_description/robots/anymal.urdf",
    "hand": "allegro_hand_description/urdf/allegro_left_hand.urdf",
}


def oracle_poses(path: Path, model: mk.RobotModel, q: np.ndarray) -> dict[str, np.ndarray]:
    """Pinocchio's pose of every link, each joint set as the file's rules say."""
    oracle = pin.buildModelFromUrdf(str(path))
    data, full = oracle.createData(), pin.neutral(oracle)
    values = dict(zip(model.joint_names, q, strict=True))
    for joint in model.joints:
        if joint.kind in ("revolute", "prismatic", "continuous"):
            drive = model.drives.get(joint.name)
            x = values[joint.name] if drive is None else drive.multiplier * values[drive.coordinate] + drive.offset
            at = oracle.joints[oracle.getJointId(joint.name)]
            full[at.idx_q : at.idx_q + at.nq] = (np.cos(x), np.sin(x)) if at.nq == 2 else x
    pin.framesForwardKinematics(oracle, data, full)
    return {link.name: data.oMf[oracle.getFrameId(link.name, pin.BODY)].homogeneous for link in model.links}


@pytest.mark.parametrize("name", TREES)
def test_every_frame_is_where_pinocchio_has_it(name: str, robot_files: Path) -> None:
    path = robot_files / TREES[name]
    model, rng, worst = mk.RobotModel.from_urdf(path), np.random.default_rng(5), 0.0
    for _ in range(100):
        q = rng.uniform(-2, 2, model.n)
        expected = oracle_poses(path, model, q)
        for link, pose in model.link_poses(q).items():
            worst = max(worst, np.abs(pose.matrix() - expected[link]).max())
    print(f"B3: {name}: {model.n} coordinates, {len(model.links)} frames, worst {worst:.1e}")
    assert worst < 1e-12  # the figure; a dozen products of matrices round to a few 1e-15


@pytest.mark.parametrize("name", TREES)
def test_shared_prefixes_are_evaluated_once(name: str, robot_files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sine and cosine a moving joint, where the chains to the leaves take one for every joint on every way."""
    model = mk.RobotModel.from_urdf(robot_files / TREES[name])
    count, sincos = [0], kernels.sincos

    def counting(x: float) -> tuple[float, float]:
        count[0] += 1
        return sincos(x)

    monkeypatch.setattr(kernels, "sincos", counting)
    kernels.frame_matrices._interpret(
        (model.kernel_model, np.zeros(model.n), np.empty(12 * 200), np.empty(16 * len(model.links)))
    )
    moving = sum(joint.kind != "fixed" for joint in model.joints)
    one_by_one = sum(len(model.chain(tip=leaf).moving) for leaf in model.leaves)
    print(f"B3: {name}: {count[0]} joints evaluated, {one_by_one} by the chains to its leaves")
    assert count[0] == moving <= one_by_one
    assert one_by_one > moving or name in ("legs", "hand")  # whose branches part at the root


@pytest.mark.parametrize("name", TREES)
def test_any_branch_of_a_tree_is_a_chain(name: str, robot_files: Path) -> None:
    model, rng = mk.RobotModel.from_urdf(robot_files / TREES[name]), np.random.default_rng(6)
    q = rng.uniform(-2, 2, model.n)
    poses, values = model.link_poses(q), dict(zip(model.joint_names, q.tolist(), strict=True))
    for leaf in model.leaves:
        chain = model.chain(tip=leaf)
        pose = chain.forward({name: values[name] for name in chain.joint_names})
        # two orders of the same products
        assert np.allclose(pose.matrix(), poses[leaf].matrix(), rtol=0, atol=1e-13)


def test_many_configurations_are_a_loop_over_one(robot_files: Path) -> None:
    model, rng = mk.RobotModel.from_urdf(robot_files / TREES["two arms"]), np.random.default_rng(7)
    Q = rng.uniform(-2, 2, (40, model.n))
    rows = model.link_poses_batch(Q)
    assert rows.shape == (40, len(model.links), 4, 4)
    out = np.empty_like(rows)
    assert model.link_poses_batch(Q, out, threads=2) is out
    assert np.array_equal(out, rows)
    for q, poses in zip(Q, rows, strict=True):
        alone = model.link_poses(q)
        # a pose keeps a unit quaternion, which rounds the matrix once more
        assert all(
            np.allclose(alone[x.name].matrix(), p, rtol=0, atol=1e-15) for x, p in zip(model.links, poses, strict=True)
        )


def test_coordinates_are_those_of_leaders_and_by_name_or_in_order() -> None:
    model = mk.RobotModel.six_axis_example()
    assert (model.n, model.joint_names) == (6, ("j1", "j2", "j3", "j4", "j5", "j6"))
    assert model.limits == model.chain().limits
    q = dict.fromkeys(model.joint_names, 0.2)
    assert model.link_poses(q) == model.link_poses([0.2] * 6)
    with pytest.raises(mk.UnknownName, match="did you mean 'j1'"):
        model.link_poses({**q, "j11": 0.0})
    with pytest.raises(mk.WrongLength):
        model.link_poses([0.0] * 5)
    with pytest.raises(mk.NotFinite):
        model.link_poses([np.nan] * 6)


def test_a_robot_of_one_link_and_one_that_does_not_move() -> None:
    one = mk.RobotModel.from_urdf('<robot name="r"><link name="only"/></robot>')
    assert one.link_poses([]) == {"only": mk.SE3.identity()}
    assert one.link_poses_batch(np.empty((3, 0))).shape == (3, 1, 4, 4)
    still = mk.RobotModel.from_urdf(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/>'
        '<child link="b"/><origin xyz="1 2 3"/></joint></robot>'
    )
    assert still.link_poses([])["b"] == mk.SE3.from_translation([1.0, 2.0, 3.0])


def test_a_model_that_was_evaluated_is_still_a_value() -> None:
    model = mk.RobotModel.six_axis_example()
    model.link_poses([0.0] * 6)
    assert pickle.loads(pickle.dumps(model)) == model == mk.RobotModel.six_axis_example()
