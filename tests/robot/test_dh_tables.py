"""B1: tables of Denavit and Hartenberg in both conventions, against products of matrices written out and real arms."""

import math

import numpy as np
import pytest

import motionkit as mk

HALF = math.pi / 2


def turn_x(t):
    c, s = math.cos(t), math.sin(t)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])


def turn_z(t):
    c, s = math.cos(t), math.sin(t)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])


def shift(x, y, z):
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def naive(rows, convention, q, frames=False):
    """The product of the textbook; independent of the package."""
    T, every = np.eye(4), []
    for row, x in zip(rows, q, strict=True):
        theta = row["theta"] + (row["sign"] * x if row["kind"] == "revolute" else 0)
        d = row["d"] + (row["sign"] * x if row["kind"] == "prismatic" else 0)
        about_z = turn_z(theta) @ shift(0, 0, d)
        about_x = shift(row["a"], 0, 0) @ turn_x(row["alpha"])
        T = T @ (about_z @ about_x if convention == "standard" else about_x @ about_z)
        every.append(T)
    return every if frames else T


def random_rows(rng, n):
    rows = []
    for _ in range(n):
        kind = "prismatic" if rng.random() < 0.25 else "revolute"
        make = getattr(mk.JointLimits, kind)
        values = dict(zip(("a", "alpha", "d", "theta"), rng.uniform(-1, 1, 4) * (1, 3, 1, 3), strict=True))
        rows.append({**values, "kind": kind, "sign": int(rng.choice([-1, 1])), "limits": make(-3, 3, 1)})
    return rows


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_b1_random_tables_are_the_product_of_their_matrices(convention, capsys):
    rng, worst, other = np.random.default_rng(560), 0.0, 0.0
    for n in [1, 2, 3, 4, 6, 7, 9] * 8:
        rows = random_rows(rng, n)
        base, tool = mk.SE3.random(rng), mk.SE3.random(rng)
        chain = mk.RobotModel.from_dh(rows, convention, base=base, tool=tool).chain()
        wrong = mk.RobotModel.from_dh(
            rows, "modified" if convention == "standard" else "standard", base=base, tool=tool
        ).chain()
        assert chain.joint_names == tuple(f"joint{i}" for i in range(1, n + 1))
        assert chain.link_names == ("base", *(f"link{i}" for i in range(1, n + 1)), "flange", "tool")
        for q in rng.uniform(-3, 3, (10, n)):
            expected = base.matrix() @ naive(rows, convention, q) @ tool.matrix()
            worst = max(worst, np.abs(chain.forward(q).matrix() - expected).max())
            if n > 1:
                other = max(other, np.abs(wrong.forward(q).matrix() - expected).max())
    with capsys.disabled():
        print(f"\nB1, {convention} tables: {worst:.1e} from the product of matrices; read the other way {other:.1f}")
    # nine joints with sliding ones reach twenty metres: some 1e-14
    assert worst < 1e-12
    assert other > 1.0  # the control: the other convention is another arm


def test_modified_link_frames_are_those_of_the_rows():
    rng = np.random.default_rng(3)
    rows = random_rows(rng, 6)
    chain = mk.RobotModel.from_dh(rows, "modified").chain()
    q = rng.uniform(-2, 2, 6)
    for i, expected in enumerate(naive(rows, "modified", q, frames=True), start=1):
        assert np.abs(chain.link_poses(q)[f"link{i}"].matrix() - expected).max() < 1e-13


def test_both_conventions_of_one_arm_agree():
    """A standard table becomes a modified one by moving a and alpha one row on; the last pair goes to the tool."""
    rng = np.random.default_rng(4)
    rows = random_rows(rng, 6)
    before = [(0.0, 0.0), *((row["a"], row["alpha"]) for row in rows[:-1])]
    moved = [{**row, "a": a, "alpha": alpha} for row, (a, alpha) in zip(rows, before, strict=True)]
    end = mk.SE3.from_matrix(shift(rows[-1]["a"], 0, 0) @ turn_x(rows[-1]["alpha"]))
    one = mk.RobotModel.from_dh(rows, "standard").chain()
    two = mk.RobotModel.from_dh(moved, "modified", tool=end).chain()
    for q in rng.uniform(-2, 2, (20, 6)):
        assert np.abs(one.forward(q).matrix() - two.forward(q).matrix()).max() < 1e-13


# ---- arms whose tables are published
PUMA = [
    {"alpha": HALF},
    {"a": 0.4318},
    {"a": 0.0203, "d": 0.15005, "alpha": -HALF},
    {"d": 0.4318, "alpha": HALF},
    {"alpha": -HALF},
    {},
]
UR5 = [
    {"d": 0.089159, "alpha": HALF},
    {"a": -0.425},
    {"a": -0.39225},
    {"d": 0.10915, "alpha": HALF},
    {"d": 0.09465, "alpha": -HALF},
    {"d": 0.0823},
]
PANDA = [
    {"d": 0.333},
    {"alpha": -HALF},
    {"d": 0.316, "alpha": HALF},
    {"a": 0.0825, "alpha": HALF},
    {"a": -0.0825, "d": 0.384, "alpha": -HALF},
    {"alpha": HALF},
    {"a": 0.088, "alpha": HALF},
]


def test_puma_560_stands_where_the_textbook_has_it():
    chain = mk.RobotModel.from_dh(PUMA, "standard").chain()
    zero = chain.forward([0.0] * 6)
    assert zero.translation.tolist() == pytest.approx([0.4521, -0.15005, 0.4318], abs=1e-15)
    assert np.abs(zero.rotation.matrix() - np.eye(3)).max() < 1e-15
    # ready: the arm straight up
    ready = chain.forward([0, HALF, -HALF, 0, 0, 0]).translation
    assert ready.tolist() == pytest.approx([0.0203, -0.15005, 0.8636], abs=1e-15)


def test_b1_standard_table_of_the_ur5_is_its_urdf(robot_files, capsys):
    arm = mk.RobotModel.from_dh(UR5, "standard").chain()
    urdf = mk.SerialChain.from_urdf(robot_files / "ur_description/urdf/ur5_robot.urdf", "base_link", "tool0")
    # the table's first frame is the base turned by half a turn
    turned = mk.SE3.from_rotation(mk.SO3.from_rpy(0, 0, math.pi))
    worst = max(
        np.abs((turned * arm.forward(q)).matrix() - urdf.forward(q).matrix()).max()
        for q in np.random.default_rng(5).uniform(-3, 3, (200, 6))
    )
    with capsys.disabled():
        print(f"\nB1, UR5: table against URDF {worst:.1e}")
    assert worst < 2e-10  # the file has its quarter turns with eleven digits


def test_b1_modified_table_of_the_panda_is_its_urdf(robot_files, capsys):
    flange = mk.SE3.from_translation((0, 0, 0.107))
    arm = mk.RobotModel.from_dh(PANDA, "modified", tool=flange).chain()
    path = robot_files / "panda_description/urdf/panda.urdf"
    urdf = mk.SerialChain.from_urdf(path, "panda_link0", "panda_link8")
    wrong = mk.RobotModel.from_dh(PANDA, "standard", tool=flange).chain()
    configurations = np.random.default_rng(6).uniform(-2.5, 2.5, (200, 7))
    worst = max(np.abs(arm.forward(q).matrix() - urdf.forward(q).matrix()).max() for q in configurations)
    off = min(np.abs(wrong.forward(q).matrix() - urdf.forward(q).matrix()).max() for q in configurations)
    with capsys.disabled():
        print(f"\nB1, Panda: table against URDF {worst:.1e}; read as standard it is off by {off:.2f} or more")
    assert worst < 1e-12  # a dozen matrices with entries of order one
    assert off > 0.05  # the control: the wrong convention is never near the arm


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_quarter_turns_are_exact(convention):
    rows = [mk.DhRow(a=0.5, alpha=HALF, d=0.3), mk.DhRow(a=0.2, alpha=-HALF, d=0.1, theta=math.pi), mk.DhRow(d=0.4)]
    model = mk.RobotModel.from_dh(rows, convention)
    for joint in model.joints:
        w, x, y, z = joint.placement.rotation.quaternion
        half = math.sqrt(0.5)
        assert all(min(abs(abs(v) - u) for u in (0.0, 0.5, half, 1.0)) < 2e-16 for v in (w, x, y, z))
        numbers = joint.placement.translation.tolist()
        assert numbers == [round(v, 9) for v in numbers]  # no 6e-17 of a cosine
        assert "-0.0" not in [repr(v) for v in numbers]


def test_inertias_are_in_the_frame_of_their_row():
    """The centre of mass of every row, carried by the chain, against the frame of the row by matrices."""
    rng = np.random.default_rng(7)
    rows = random_rows(rng, 4)
    centres = rng.uniform(-0.2, 0.2, (4, 3))
    tensors = [np.diag(d) for d in rng.uniform(1, 1.5, (4, 3))]
    for convention in ("standard", "modified"):
        bodies = [mk.LinkInertia(2.0, c, t) for c, t in zip(centres, tensors, strict=True)]
        model = mk.RobotModel.from_dh(rows, convention, inertias=bodies)
        chain, q = model.chain(), rng.uniform(-1, 1, 4)
        poses, frames = chain.link_poses(q), naive(rows, convention, q, frames=True)
        for i, frame in enumerate(frames):
            body, R = model.link(f"link{i + 1}").inertia, poses[f"link{i + 1}"].rotation.matrix()
            centre = frame[:3, :3] @ centres[i] + frame[:3, 3]
            assert (poses[f"link{i + 1}"] * body.com).tolist() == pytest.approx(centre.tolist(), abs=1e-14)
            world = frame[:3, :3] @ tensors[i] @ frame[:3, :3].T
            assert np.abs(R @ body.matrix() @ R.T - world).max() < 1e-14
            assert body.matrix().tolist() == body.matrix().T.tolist()


def test_limits_and_names_are_taken():
    limits = mk.JointLimits.revolute(-1, 2, 3, effort=4)
    rows = [mk.DhRow(d=1, limits=limits, name="waist"), {"a": 1.0}]
    model = mk.RobotModel.from_dh(rows, "standard", name="two")
    assert model.name == "two"
    assert [(j.name, j.kind) for j in model.joints] == [
        ("waist", "revolute"),
        ("joint2", "continuous"),
        ("flange_fixed", "fixed"),
    ]
    assert model.joints[0].limits is limits


# ---- what is refused
def test_the_convention_has_no_default():
    with pytest.raises(TypeError, match="convention"):
        mk.RobotModel.from_dh(PUMA)
    with pytest.raises(mk.UnknownName, match=r"did you mean 'standard'.*modified is Rx\(alpha\)"):
        mk.RobotModel.from_dh(PUMA, "standart")


@pytest.mark.parametrize(
    ("row", "error", "message"),
    [
        ({"a": math.nan}, mk.NotFinite, r"rows\[1\].*a must be finite"),
        ({"a": "x"}, mk.KindMismatch, r"rows\[1\].*a must be a number, got 'x'"),
        ({"alpha": 90.0}, mk.KindMismatch, r"rows\[1\].*alpha is in radians.*math.radians\(90\)"),
        ({"theta": -180.0}, mk.KindMismatch, r"theta is in radians"),
        ({"kind": "prismatic"}, mk.InvalidLimits, r"a prismatic joint needs limits"),
        ({"kind": "revolut"}, mk.KindMismatch, r"did you mean 'revolute'"),
        ({"sign": 0}, mk.KindMismatch, r"sign must be 1 or -1, got 0"),
        ({"limits": mk.JointLimits.prismatic(0, 1)}, mk.KindMismatch, r"revolute joint cannot have prismatic limits"),
        ({"alfa": 1.0}, mk.UnknownName, r"rows\[1\]: no column 'alfa': did you mean 'alpha'"),
        ((0.1, 0.2, 0.3, 0.4), mk.KindMismatch, r"columns are given by name"),
        ({"name": "joint1"}, mk.InvalidModel, r"joint name joint1 occurs twice"),
    ],
)
def test_a_wrong_row_is_named(row, error, message):
    with pytest.raises(error, match=message):
        mk.RobotModel.from_dh([{}, row], "modified")


def test_wrong_surroundings_are_refused():
    with pytest.raises(mk.WrongLength, match="one for each of the 6 rows"):
        mk.RobotModel.from_dh(PUMA, "standard", inertias=[None])
    with pytest.raises(mk.KindMismatch, match="base: expected an SE3, got list"):
        mk.RobotModel.from_dh(PUMA, "standard", base=[0, 0, 1])
