"""Which closed form an arm has: recognised from its axes, by tolerance, refused with the reason."""

import copy
import math
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import motionkit as mk

sys.path.insert(0, str(Path(__file__).parent))
import analytic_arms as arms
from analytic_arms import X, Y, Z, apart, residual

ARMS = arms.arms()
WRIST, PARALLEL = "spherical wrist", "three parallel axes"


@pytest.mark.parametrize(
    ("name", "kind", "backwards"),
    [
        ("dh", PARALLEL, False),
        ("puma-like", WRIST, False),
        ("ortho-parallel", WRIST, False),
        ("ortho-parallel moved", WRIST, False),
        ("example", WRIST, False),
        ("skew wrist", WRIST, False),
        ("skew parallel", PARALLEL, False),
        ("dh backwards", PARALLEL, True),
        ("puma-like backwards", WRIST, True),
    ],
)
def test_the_form_is_read_off_the_axes(name, kind, backwards):
    form = ARMS[name].analytic_form()
    assert (form.kind, form.backwards, form.exact) == (kind, backwards, True)
    assert form.angle < 1e-15
    assert form.distance < 1e-15
    assert ARMS[name].with_tool(mk.SE3.random(np.random.default_rng(1))).analytic_form().kind == kind
    assert pickle.loads(pickle.dumps(form)) == form
    assert copy.copy(form) == form
    assert repr(form).startswith(f"AnalyticForm(kind='{kind}'")


def test_robot_files_have_their_forms(robot_files, examples, rtb_files):
    expected = {
        examples / "ur5.urdf": PARALLEL,
        robot_files / "ur_description/urdf/ur5_robot.urdf": PARALLEL,
        robot_files / "ur_description/urdf/ur10_robot.urdf": PARALLEL,
        rtb_files / "xacro/abb_irb140_description/urdf/irb140.urdf": WRIST,
    }
    rng = np.random.default_rng(60)
    for path, kind in expected.items():
        model = mk.RobotModel.from_urdf(path)
        tips = ("tool0", "ee_link", "link_6", None)
        names = {link.name for link in model.links}
        chain = model.chain(tip=next(t for t in tips if t is None or t in names))
        assert chain.analytic_form().kind == kind
        for _ in range(20):
            q = np.array([rng.uniform(*limits.sampling_interval) for limits in chain.limits])
            answers = chain.inverse_all(chain.forward(q), q)
            assert np.abs(answers[0].q - q).max() < 1e-6
            assert max(residual(chain, a.q, chain.forward(q)) for a in answers) < 1e-12


def test_an_arm_of_another_number_or_kind_of_joints_is_refused(two_link):
    with pytest.raises(mk.KindMismatch, match="needs six joints that turn, each by itself, and it has 2"):
        two_link.inverse_all(mk.SE3.identity())
    slide = mk.Joint.prismatic("s", X, (0, 0, 0), mk.JointLimits.prismatic(0, 1))
    turns = [mk.Joint.continuous(f"j{k}", Z, (0, 0, 0)) for k in range(5)]
    with pytest.raises(mk.KindMismatch, match="prismatic"):
        mk.SerialChain.from_joints([*turns, slide]).inverse_all_batch(np.eye(4)[None])


def test_a_joint_that_follows_another_is_refused():
    links = "".join(f'<link name="l{k}"/>' for k in range(7))
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><parent link="l{k - 1}"/><child link="l{k}"/><axis xyz="0 0 1"/>'
        + ('<mimic joint="j1"/>' if k == 3 else "")
        + "</joint>"
        for k in range(1, 7)
    )
    chain = mk.SerialChain.from_urdf(f'<robot name="r">{links}{joints}</robot>')
    with pytest.raises(mk.KindMismatch, match="of which 1 follow another"):
        chain.analytic_form()


def changed(chain, joint, *, axis=None, shift=(0.0, 0.0, 0.0)):
    joints = [
        mk.Joint.revolute(
            j.name,
            axis if k == joint and axis else j.axis,
            np.array(j.point) + (shift if k == joint else 0.0),
            arms.TURN,
        )
        for k, j in enumerate(chain.joints)
    ]
    return mk.SerialChain.from_joints(joints, tool=arms.TOOL, name="changed")


REFUSED = {
    # the condition that fails, by how much, what is allowed
    "wrist apart": (
        changed(ARMS["puma-like"], 4, shift=(0.15, 0.0, 0.0)),
        r"'j4', 'j5' and 'j6' do not meet: that of 'j5' passes 0\.1 m from the point nearest to them",
    ),
    "2 off 3": (
        changed(ARMS["puma-like"], 2, axis=(0.0, -1.0, 0.1)),
        r"spherical wrist: the axes of 'j2' and 'j3' are not parallel: 'j\d' is 0\.0498 rad off",
    ),
    "5 off 6": (
        changed(ARMS["dh"], 5, shift=(0.05, 0.0, 0.0)),
        r"three parallel axes: the axes of 'j5' and 'j6' do not meet: that of 'j\d' passes 0\.025 m",
    ),
    "4 off 2 and 3": (
        changed(ARMS["dh"], 3, axis=(0.0, -1.0, 0.1)),
        r"three parallel axes: the axes of 'j2', 'j3' and 'j4' are not parallel",
    ),
    "1 like 2": (changed(ARMS["puma-like"], 0, axis=Y), r"the axes of 'j1' and 'j2' are \S+ rad from parallel, needed"),
    "4 like 5": (changed(ARMS["puma-like"], 4, axis=Z), r"the axes of 'j4' and 'j5' are \S+ rad from parallel"),
    "2 on 3": (
        changed(ARMS["puma-like"], 2, shift=(-0.43, 0.0, -0.02)),
        r"the axes of 'j2' and 'j3' are \S+ m apart, needed is a link",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_the_refusal_names_the_condition_and_by_how_much_it_fails(case):
    chain, message = REFUSED[case]
    with pytest.raises(mk.KindMismatch, match=message) as caught:
        chain.inverse_all(mk.SE3.identity())
    assert "inverse_any finds a configuration by searching" in str(caught.value)
    assert chain.inverse_any(chain.forward(np.full(6, 0.4))).position_error < 1e-9  # and it does


@pytest.mark.parametrize("name", ["dh", "example", "ortho-parallel"])
@pytest.mark.parametrize(("angle", "distance"), [(1e-10, 1e-10), (6e-4, 0.0), (3e-3, 5e-4)])
def test_an_arm_that_is_a_little_off_is_solved_exactly(name, angle, distance):
    chain = arms.calibrated(ARMS[name], angle, distance, 61)
    form = chain.analytic_form()
    assert 0.05 * angle < form.angle < 1.01 * angle
    assert form.exact == (angle < 1e-8)
    rng = np.random.default_rng(62)
    for _ in range(20):
        q = rng.uniform(-3.0, 3.0, 6)
        target = chain.forward(q)
        answers = chain.inverse_all(target, q)
        assert np.abs(answers[0].q - q).max() < 1e-6
        assert max(residual(chain, a.q, target) for a in answers) < 2e-12
        # the control: the answers of the nominal arm are off by what the arm is off
        nominal = ARMS[name].inverse_all(target, q)
        if angle > 1e-6:
            assert min(residual(chain, a.q, target) for a in nominal) > 1e-5


@pytest.mark.parametrize("setting", [{4: 0.0}, {2: 0.0}, {2: 0.0, 4: 0.0}])
def test_an_arm_that_is_a_little_off_misses_no_pose_where_the_nominal_one_is_singular(setting):
    for name in ("dh", "example"):
        chain = arms.calibrated(ARMS[name], 1e-3, 1e-4, 63)
        found = 0
        q = np.random.default_rng(64).uniform(-3.0, 3.0, (10, 6))
        for joint, value in setting.items():
            q[:, joint] = value
        for row in q:
            target = chain.forward(row)
            answers = chain.inverse_all(target)
            assert max(residual(chain, a.q, target) for a in answers) < 1e-9
            assert not any(a.self_motion for a in answers)
            found += min(apart(a.q, row) for a in answers) < 1e-3
        print(f"{name}, {setting}: own configuration among the answers in {found} of 10")
        # singular in two ways at once, a configuration may stand within the tolerance of the answer beside it
        assert found >= 8 or len(setting) == 2


def test_a_batch_on_an_arm_that_is_a_little_off():
    chain = arms.calibrated(ARMS["dh"], 1e-3, 1e-4, 65)
    q = np.random.default_rng(66).uniform(-3.0, 3.0, (5, 6))
    answers = chain.inverse_all_batch(chain.forward_batch(q), q)
    assert answers.q.shape == (5, 16, 6)
    for k in range(5):
        one = chain.inverse_all(chain.forward(q[k]), q[k])
        assert len(one) == answers.found[k].sum()
        gap = np.abs(answers.q[k][answers.found[k]] - one[0].q).max(axis=1).min()
        assert gap < 1e-9
    far = chain.forward_batch(q[:1])
    far[0, :3, 3] = 3.0
    assert not chain.inverse_all_batch(far).found.any()
    with pytest.raises(mk.Unreachable):
        chain.inverse_all(mk.SE3.from_matrix(far[0]))


def test_lengths_do_not_decide():
    # the same arm in another unit: everything scales
    small = ARMS["puma-like"]
    for factor in (1e-3, 1e3):
        joints = [mk.Joint.revolute(j.name, j.axis, factor * np.array(j.point), arms.TURN) for j in small.joints]
        chain = mk.SerialChain.from_joints(joints)
        q = np.full(6, 0.7)
        answers = chain.inverse_all(chain.forward(q), q)
        assert len(answers) == 8
        assert np.abs(answers[0].q - q).max() < 1e-9
        assert math.isfinite(answers[0].position_error)
