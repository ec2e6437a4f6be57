"""Issue: every URDF of example-robot-data and every plain URDF of rtb-data loads, or is refused for a good reason.

The list is printed. A file that loads is not only read: the chain from its root to each leaf is evaluated, and for
leaves that floating joints keep from being chains the reason is listed.
"""

import re

import numpy as np
import pinocchio as pin
import pytest

import corpora
import motionkit as mk

# what a person accepts as the reason for not loading a file
ACCEPTED = {
    "example-robot-data/alex_description/urdf/alex_psyonic_hands.urdf": r"mimic: a joint of this file; got 'index_q1'",
    "example-robot-data/ur_description/urdf/ur3.urdf": r"at least one link; got none",  # a xacro run left it empty
    "rtb-data/data/test.urdf": r"not XML: Start tag expected",  # the word hello
}
# what keeps a leaf from being the tip of a chain
NO_CHAIN = r"joint '[^']+' (is floating|is planar)"


@pytest.fixture(scope="module")
def corpus(robot_files, rtb_files):
    files = {f"example-robot-data/{p.relative_to(robot_files)}": p for p in robot_files.rglob("*.urdf")}
    files |= {f"rtb-data/{p.relative_to(rtb_files)}": p for p in rtb_files.rglob("*.urdf")}
    return dict(sorted(files.items()))


def test_every_file_loads_or_is_refused_for_a_good_reason(corpus, capsys):
    assert len(corpus) > 70
    lines, refused, chains = [], {}, 0
    for name, path in corpus.items():
        try:
            model = mk.RobotModel.from_urdf(path)
        except mk.MotionkitError as error:
            refused[name] = str(error)
            lines.append(f"{name}: refused: {str(error).splitlines()[0].replace(str(path), path.name)}")
            continue
        moving = sum(joint.kind != "fixed" for joint in model.joints)
        blocked = 0
        for leaf in model.leaves:
            try:
                chain = model.chain(tip=leaf)
            except mk.InvalidModel as error:
                assert re.search(NO_CHAIN, str(error)), f"{name}, {leaf}: {error}"
                blocked += 1
                continue
            chains += 1
            q = np.clip(np.full(chain.n, 0.1), chain.lower, chain.upper)
            pose = chain.forward(q).matrix()
            assert np.allclose(pose[:3, :3] @ pose[:3, :3].T, np.eye(3), rtol=0, atol=1e-12)
        doubts = sum(finding.severity == "warning" for finding in model.check())
        lines.append(
            f"{name}: {moving} moving joints, leaves: {len(model.leaves)}"
            + (f" ({blocked} behind floating joints)" if blocked else "")
            + (f", {doubts} warnings" if doubts else "")
        )
    with capsys.disabled():
        print("\n" + "\n".join(lines) + f"\n{len(corpus) - len(refused)} load, {len(refused)} refused, {chains} chains")
    assert set(refused) == set(ACCEPTED)
    for name, reason in ACCEPTED.items():
        assert re.search(reason, refused[name])
    assert chains > 300


def test_the_page_about_them_is_current():
    """docs/robot-corpora.md lists every file with its findings; ``python tools/corpora.py`` writes it anew."""
    assert corpora.PAGE.read_text() == corpora.page()
    assert set(corpora.REFUSED) == set(ACCEPTED)


def test_meshes_of_every_package_are_found_without_a_map(corpus):
    """package:// leads to a folder above by name or manifest; what is missing is not shipped or named otherwise."""
    missing = {}
    for name, path in corpus.items():
        if name in ACCEPTED:
            continue
        model = mk.RobotModel.from_urdf(path)
        unresolved = sum(mesh.path is None for mesh in model.meshes)
        assert unresolved == sum(finding.rule == "a mesh that can be found" for finding in model.check())
        if unresolved:
            lost = [mesh.filename for mesh in model.meshes if mesh.path is None]
            missing[name.rpartition("/")[2]] = {re.match(r"package://[^/]+|file:///\w+", f)[0] for f in lost}
    assert missing == {
        "romeo_laas_small.urdf": {"file:///usr"},  # of the machine it was exported on
        "irb140.urdf": {"package://abb_irb140_support"},
        "irb140QT.urdf": {"package://abb_irb140_support"},
        "kr120r2500pro.urdf": {"package://kuka_kr120_support"},
        "kr16_2.urdf": {"package://kuka_kr16_support"},
        "kr210l150.urdf": {"package://kuka_kr210_support"},
        "lbr_iiwa_14_r820.urdf": {"package://kuka_lbr_iiwa_support"},
    }


def test_a_map_finds_a_package_that_has_another_name(rtb_files):
    folder = rtb_files / "xacro" / "abb_irb140_description"
    model = mk.RobotModel.from_urdf(folder / "urdf" / "irb140.urdf", packages={"abb_irb140_support": folder})
    assert all(mesh.path is not None and mesh.path.is_file() for mesh in model.meshes)
    assert len(model.meshes) == 14


def test_every_leaf_of_every_file_is_where_pinocchio_has_it(corpus):
    """One random configuration a file: what is read (axes, origins, names, order), not only that it is."""
    rng, worst, count = np.random.default_rng(30), 0.0, 0
    for name, path in corpus.items():
        if name in ACCEPTED:
            continue
        model = mk.RobotModel.from_urdf(path)
        oracle = pin.buildModelFromUrdf(str(path))
        data, q = oracle.createData(), pin.neutral(oracle)
        moving = [joint for joint in model.joints if joint.kind in ("revolute", "prismatic", "continuous")]
        values = {joint.name: rng.uniform(-3, 3) for joint in moving}
        for joint in moving:
            drive = model.drives.get(joint.name)  # of a follower: what its leader makes of it
            x = values[joint.name] if drive is None else drive.multiplier * values[drive.coordinate] + drive.offset
            at = oracle.joints[oracle.getJointId(joint.name)]
            q[at.idx_q : at.idx_q + at.nq] = (np.cos(x), np.sin(x)) if at.nq == 2 else x
        pin.framesForwardKinematics(oracle, data, q)
        for leaf in model.leaves:
            try:
                chain = model.chain(tip=leaf)
            except mk.InvalidModel:
                continue
            pose = chain.forward({joint: values[joint] for joint in chain.joint_names}).matrix()
            expected = data.oMf[oracle.getFrameId(leaf, pin.BODY)].homogeneous
            worst = max(worst, np.abs(pose - expected).max())
            count += 1
    # up to thirty joints and, with sliding ones, ten metres
    assert worst < 1e-12
    assert count > 600
