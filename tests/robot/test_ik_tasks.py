"""Inverse kinematics for a part of the pose, secondary goals, causes of failure, and paths."""

import math

import numpy as np
import pytest

import motionkit as mk

ARM = mk.SerialChain.six_axis_example()
SEED = np.array([0.1, -1.0, 1.5, 0.2, 1.0, 0.3])


def within(chain, q):
    return bool(np.all((q >= chain.lower) & (q <= chain.upper)))


def targets(count, seed=70):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        q = rng.uniform(ARM.lower, ARM.upper)
        yield ARM.forward(q), np.clip(q + rng.uniform(-0.4, 0.4, 6), ARM.lower, ARM.upper)


def error_rows(T, target, frame):
    """Displacement and turn vector from ``T`` to ``target`` along the axes of the frame."""
    axes = target.matrix()[:3, :3] if frame == "target" else np.eye(3)
    turn = np.asarray((target.rotation * T.rotation.inverse()).log())
    return np.concatenate([axes.T @ (target.translation - T.translation), axes.T @ turn])


ROWS = ("x", "y", "z", "rx", "ry", "rz")


@pytest.mark.parametrize("frame", ["target", "base"])
@pytest.mark.parametrize(
    "rows", [("x", "y", "z"), ("rx", "ry", "rz"), ("x", "z", "rx", "ry", "rz"), ("y",), ("x", "rz")]
)
def test_rows_that_count_are_reached(rows, frame):
    counted = [ROWS.index(row) for row in rows]
    left = 0.0
    for target, seed in targets(15):
        report = ARM.inverse(target, seed, task=rows, frame=frame)
        error = error_rows(ARM.forward(report.q), target, frame)
        # one turn of three counts as a part of 4 tan(angle / 4), which is zero where that of the logarithm is
        assert np.abs(error[counted]).max() < 2e-9
        assert within(ARM, report.q)
        left = max(left, float(np.abs(np.delete(error, counted)).max()))
    assert left > 1e-3  # the others were free


@pytest.mark.parametrize("frame", ["target", "base"])
@pytest.mark.parametrize("free", [0, 1, 2])
def test_two_turns_leave_the_spin_about_the_third_axis(frame, free):
    rows = ("x", "y", "z", *(row for row in ("rx", "ry", "rz") if row != ("rx", "ry", "rz")[free]))
    spin = 0.0
    for target, seed in targets(15, seed=71):
        report = ARM.inverse(target, seed, task=rows, frame=frame)
        T, M = ARM.forward(report.q).matrix()[:3, :3], target.matrix()[:3, :3]
        along = (T[:, free], M[:, free]) if frame == "target" else (T[free], M[free])
        assert np.linalg.norm(along[0] - along[1]) < 2e-9
        spin = max(spin, float(np.abs(T - M).max()))
        if free == 2 and frame == "target":
            assert ARM.inverse(target, seed, task="axis") == report
    assert spin > 1e-3


def test_an_axis_that_points_the_opposite_way_comes_round():
    target = ARM.forward(SEED)
    flipped = mk.SE3(target.rotation * mk.SO3.from_rpy(math.pi, 0.0, 0.0), target.translation)
    report = ARM.inverse(flipped, ARM.inverse_any(target).q, task=("rx", "ry"))
    assert np.linalg.norm(ARM.forward(report.q).matrix()[:3, 2] - flipped.matrix()[:3, 2]) < 2e-9


def test_a_posture_is_approached_in_what_the_task_leaves_free():
    for target, seed in targets(6, seed=72):
        plain = ARM.inverse(target, seed, task="position")
        drawn = ARM.inverse(target, seed, task="position", posture=SEED)
        assert np.linalg.norm(ARM.forward(drawn.q).translation - target.translation) <= 1.01e-9
        assert within(ARM, drawn.q)
        assert np.linalg.norm(drawn.q - SEED) < np.linalg.norm(plain.q - SEED)
    # a posture that is an answer is the answer
    q = np.array([0.5, -1.2, 1.0, 0.3, 0.7, 1.0])
    drawn = ARM.inverse(ARM.forward(q), SEED, task="position", posture=q)
    assert drawn.q == pytest.approx(q, abs=1e-6)


def test_the_middle_of_the_ranges_is_approached_and_costs_nothing():
    middle, half = 0.5 * (ARM.lower + ARM.upper), 0.5 * (ARM.upper - ARM.lower)
    gained = 0
    for target, seed in targets(6, seed=73):
        plain = ARM.inverse(target, seed, task="axis")
        drawn = ARM.inverse(target, seed, task="axis", away_from_limits=True)
        before, after = (float(np.sum(((r.q - middle) / half) ** 2)) for r in (plain, drawn))
        assert drawn.position_error <= 1e-9
        assert drawn.rotation_error <= 1e-9
        assert after <= before + 1e-9
        gained += after < 0.9 * before
        # a whole pose leaves nothing free on six axes
        whole = ARM.inverse(target, seed)
        turns = (ARM.inverse(target, seed, away_from_limits=True).q - whole.q) / (2 * math.pi)
        assert turns == pytest.approx(np.round(turns), abs=1e-7)
    assert gained >= 2


def test_seven_axes_keep_the_pose_and_use_their_elbow(robot_files):
    panda = mk.RobotModel.from_urdf(robot_files / "panda_description/urdf/panda.urdf").chain(tip="panda_hand")
    q = np.array([0.3, -0.4, 0.5, -1.9, 0.4, 1.7, 0.2])
    target = panda.forward(q)
    seed = q + 0.2
    plain, drawn = panda.inverse(target, seed), panda.inverse(target, seed, posture=q)
    assert np.linalg.norm(plain.q - q) > 1e-2
    assert drawn.q == pytest.approx(q, abs=1e-5)
    assert drawn.position_error <= 1e-9


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"task": "poses"}, mk.UnknownName),
        ({"task": ("x", "w")}, mk.UnknownName),
        ({"task": ()}, mk.WrongLength),
        ({"task": "axis", "frame": "tool"}, mk.UnknownName),
        ({"posture": SEED, "away_from_limits": True}, mk.InvalidLimits),
        ({"posture": [9.0] * 6}, mk.JointLimitViolated),
    ],
)
def test_options_that_mean_nothing_are_refused(options, error):
    with pytest.raises(error):
        ARM.inverse(ARM.forward(SEED), SEED, **options)


# ---- causes of failure
def cause(call):
    with pytest.raises((mk.NotConverged, mk.Unreachable)) as caught:
        call()
    return caught.value


def test_out_of_reach_says_by_how_much():
    # the tip stretches 0.9 m from the shoulder at (0, 0, 0.35); the sum of all links is 1.1
    target = mk.SE3(ARM.forward([0.0] * 6).rotation, [0.95, 0.0, 0.35])
    error = cause(lambda: ARM.inverse(target, SEED))
    assert error.report.cause == "out_of_reach"
    assert 0.0 < error.report.out_of_reach_by <= 0.05 + 1e-6
    assert "stays" in str(error)
    far = cause(lambda: ARM.inverse(mk.SE3.from_translation([5.0, 0.0, 0.0]), SEED))
    assert far.report.cause == "out_of_reach"
    assert far.report.out_of_reach_by == far.distance > 3.0
    anywhere = cause(lambda: ARM.inverse_any(target, max_restarts=20))
    assert anywhere.report.cause == "out_of_reach"


def test_blocked_by_a_limit_names_the_joint():
    beyond = np.array([0.3, 0.1, 1.2, 0.2, float(ARM.upper[4]) + 0.2, 0.1])
    seed = beyond.copy()
    seed[4] -= 0.3
    error = cause(lambda: ARM.inverse(ARM.forward(beyond), seed))
    assert error.report.cause == "joint_limits"
    assert error.report.joints == (ARM.joint_names[4],)
    assert "past its limit" in str(error)
    assert ARM.joint_names[4] in str(error)


def test_a_turn_that_the_arm_cannot_make_is_singular_and_too_few_steps_are_neither():
    # three joints about one axis cannot tilt the tool
    turn = mk.JointLimits.revolute(-3.0, 3.0, 1.0)
    planar = mk.SerialChain.from_joints(
        [mk.Joint.revolute(f"j{k}", (0, 0, 1), (k, 0, 0), turn) for k in range(3)],
        tool=mk.SE3.from_translation((1, 0, 0)),
    )
    here = planar.forward([0.2, 0.4, 0.3])
    tilted = mk.SE3(here.rotation * mk.SO3.from_rpy(0.4, 0.0, 0.0), here.translation)
    error = cause(lambda: planar.inverse(tilted, [0.1, 0.5, 0.3], max_iterations=2000))
    assert error.report.cause == "singular"
    assert planar.inverse(tilted, [0.1, 0.5, 0.3], task=("x", "y", "rz"), frame="base").position_error <= 1e-9
    q = SEED + 0.3
    assert cause(lambda: ARM.inverse(ARM.forward(q), SEED, max_iterations=1)).report.cause == "not_converged"


# ---- paths
def test_a_path_stays_on_its_branch():
    start = ARM.forward(SEED)
    line = [mk.SE3(start.rotation, start.translation + np.array([0.0, 0.002 * k, -0.001 * k])) for k in range(60)]
    q = ARM.inverse_path(line, SEED)
    assert np.abs(np.diff(q, axis=0)).max() < 0.05
    for k in (0, 31, 59):
        assert np.linalg.norm(ARM.forward(q[k]).translation - line[k].translation) <= 1.01e-9
    # two poses only: the branch is followed between them
    ends = ARM.inverse_path([line[0], line[-1]], SEED, largest_jump=0.05)
    assert ends[1] == pytest.approx(q[-1], abs=1e-6)


def test_a_path_says_where_its_branch_ends_and_why():
    start = ARM.forward(SEED)
    line = [mk.SE3(start.rotation, start.translation + np.array([0.02 * k, 0.0, 0.0])) for k in range(40)]
    error = cause(lambda: ARM.inverse_path(line, SEED))
    assert 0 < error.index < 40
    assert error.q.shape == (error.index, 6)
    assert error.report.cause in ("out_of_reach", "singular", "joint_limits")
    assert f"targets[{error.index}]" in str(error)
    assert len(ARM.inverse_path([], SEED)) == 0


def test_a_jump_between_branches_is_not_a_path():
    # through the straight wrist, a hair beside it: joints 4 and 6 would have to turn round on the spot
    before, after = np.array([0.0, -1.0, 1.5, 0.5, 0.05, 0.0]), np.array([0.0, -1.0, 1.5, 0.5, -0.05, 0.0])
    path = [ARM.forward(before), ARM.forward(after)]
    # the branch of the answer that is near passes the singular place exactly, and is continuous
    assert np.abs(ARM.inverse_path(path, before)[1] - after).max() < 1e-6
    beside = [ARM.forward(before + np.array([0.0, 0.0, 0.0, 1e-4 * k, -0.005 * k, 0.0])) for k in range(21)]
    q = ARM.inverse_path(beside, before)
    assert np.abs(np.diff(q, axis=0)).max() < 0.5
    error = cause(
        lambda: ARM.inverse_path([path[0], ARM.forward([0.0, -1.0, 1.5, 0.5, 0.05, 3.0])], before, largest_jump=1e-3)
    )
    assert error.index == 1
    assert error.report.cause == "singular"
    assert "jump" in str(error)


def test_a_coordinate_whose_follower_turns_half_as_far_has_no_free_turns():
    text = "<robot name='r'><link name='l0'/>"
    for k, mimic in enumerate(("", "<mimic joint='j0' multiplier='0.5'/>", "")):
        text += (
            f"<link name='l{k + 1}'/><joint name='j{k}' type='revolute'><parent link='l{k}'/><child link='l{k + 1}'/>"
            f"<origin xyz='0.3 0 0'/><axis xyz='0 0 1'/><limit lower='-7' upper='7' velocity='1' effort='1'/>{mimic}"
            "</joint>"
        )
    chain = mk.SerialChain.from_urdf(text + "</robot>").with_tool(mk.SE3.from_translation((0.2, 0.0, 0.0)))
    assert chain.turning == (False, True)
    assert chain.periodic == (False, False)
    q = np.array([5.0, 0.4])
    answer = chain.inverse(chain.forward(q), [4.8, 0.5 - 2 * math.pi], task=("x", "y", "rz"), frame="base").q
    # the leader stays where it is, the other comes on the turn of its seed
    assert answer == pytest.approx([5.0, 0.4 - 2 * math.pi], abs=1e-7)
    # the same leader a whole turn away is another pose
    other = chain.forward(q - [2 * math.pi, 0.0])
    assert np.abs(other.matrix() - chain.forward(q).matrix()).max() > 0.1
