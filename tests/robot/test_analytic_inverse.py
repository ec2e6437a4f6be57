"""Closed-form inverse kinematics: all configurations, each verified, within limits, on its turn, nearest first."""

import math
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import motionkit as mk
from motionkit.robot import _hot
from motionkit.robot._analytic_candidates import kernel_of

sys.path.insert(0, str(Path(__file__).parent))
import analytic_arms as arms
from analytic_arms import apart, residual

ARMS = arms.arms()


@pytest.mark.parametrize("name", ARMS)
def test_every_pose_gives_back_its_configuration_and_no_wrong_one(name):
    chain = ARMS[name]
    count = 10_000 if name in ("dh", "puma-like", "example") else 1_000
    q = np.random.default_rng(40).uniform(-math.pi, math.pi, (count, 6))
    targets = chain.forward_batch(q)
    answers = chain.inverse_all_batch(targets)
    assert np.array_equal(answers.found, answers.reached)
    nearest = np.where(answers.found, apart(answers.q, q[:, None, :]), np.inf).min(axis=1)
    # what the rounding of a pose, a few 1e-16 a digit, may move a configuration by
    assert (nearest * chain.singular_values_batch(q)[:, -1]).max() < 1e-14
    assert np.quantile(nearest, 0.99) < 1e-11
    ends = chain.forward_batch(answers.q[answers.found])
    goals = np.repeat(targets[:, None], 8, axis=1)[answers.found]
    worst = np.abs(ends - goals).max()
    stated = max(answers.position_errors[answers.found].max(), answers.rotation_errors[answers.found].max())
    print(f"{name}: {count} poses, {answers.found.sum() / count:.2f} answers each, worst residual {worst:.1e}, "
          f"stated {stated:.1e}, own configuration missed by at most {nearest.max():.1e} rad")  # fmt: skip
    assert worst < 1e-12
    assert stated < 1e-12


@pytest.mark.parametrize("name", ["dh", "puma-like", "skew wrist", "skew parallel", "dh backwards"])
def test_searching_from_many_seeds_finds_nothing_that_is_not_listed(name):
    # the naive reference: damped least squares, which knows nothing of closed forms, from 40 seeds for each pose
    chain = ARMS[name]
    rng = np.random.default_rng(41)
    q = rng.uniform(-math.pi, math.pi, (50, 6))
    targets = chain.forward_batch(q)
    seeds = rng.uniform(-math.pi, math.pi, (40, 6))
    search = chain.inverse_batch(np.repeat(targets, 40, axis=0), np.tile(seeds, (50, 1)))
    listed = chain.inverse_all_batch(targets)
    found = set()
    for k in np.flatnonzero(search.converged):
        gaps = np.where(listed.found[k // 40], apart(listed.q[k // 40], search.q[k]), np.inf)
        assert gaps.min() < 1e-5  # 1e-9 of the pose over a singular value of 1e-4
        found.add((k // 40, int(gaps.argmin())))
    print(f"{name}: {search.converged.sum()} searches ended in {len(found)} of {listed.found.sum()} listed answers")
    assert len(found) > 0.7 * listed.found.sum()


def test_an_arccosine_loses_half_of_the_digits_of_the_same_angle():
    chain = ARMS["example"]
    ours, control = 0.0, 0.0
    rng = np.random.default_rng(42)
    for _ in range(200):
        q = rng.uniform(-1.0, 1.0, 6)
        q[4] = 1e-6
        answers = chain.inverse_all(chain.forward(q), q)
        ours = max(ours, abs(answers[0].q[4] - q[4]))
        # the angle of the wrist's middle joint from the cosine between its outer axes
        frames = chain.jacobian(q)[3:]
        cosine = float(np.clip(frames[:, 3] @ frames[:, 5], -1.0, 1.0))
        control = max(control, abs(math.acos(cosine) - q[4]))
    print(f"q5 = 1e-6: atan2 of products misses by {ours:.1e} rad, acos by {control:.1e} rad")
    assert ours < 1e-13  # rounding of a pose, through the two joints before
    assert control > 1e-10


def test_answers_are_sorted_and_on_the_nearest_turn():
    chain = ARMS["dh"]
    rng = np.random.default_rng(43)
    for _ in range(20):
        q = rng.uniform(-6.2, 6.2, 6)
        seed = q + rng.uniform(-0.05, 0.05, 6)
        answers = chain.inverse_all(chain.forward(q), np.clip(seed, -6.3, 6.3))
        assert np.abs(answers[0].q - q).max() < 1e-7
        distances = [np.linalg.norm(a.q - seed) for a in answers]
        assert distances == sorted(distances)
        for answer in answers:
            turned = answer.q + 2 * math.pi * np.array([[1], [-1]])
            better = (np.abs(turned - seed) < np.abs(answer.q - seed) - 1e-9) & (np.abs(turned) <= 6.3)
            assert not better.any()


def test_all_turns_within_the_limits_are_listed_when_asked_for():
    chain = ARMS["dh"]
    q = np.array([0.3, -1.0, 1.2, 0.4, 0.9, -0.7])
    target = chain.forward(q)
    nearest = chain.inverse_all(target, q)
    every = chain.inverse_all(target, q, turns="all")
    assert len(every) == 64 * len(nearest)  # +-6.3 rad holds two turns of every angle but 0
    assert len({a.q.round(9).tobytes() for a in every}) == len(every)
    assert max(residual(chain, a.q, target) for a in every) < 1e-14
    assert max(max(a.position_error, a.rotation_error) for a in every) < 1e-14
    assert np.abs(every[0].q - q).max() < 1e-12
    with pytest.raises(mk.UnknownName, match="did you mean 'nearest'"):
        chain.inverse_all(target, turns="neares")


def test_limits_forbid_and_name_the_joint_that_is_nearest_to_allowing():
    ready = mk.SerialChain.six_axis_example()
    rng = np.random.default_rng(44)
    for _ in range(50):
        q = rng.uniform(ready.lower, ready.upper)
        target = ready.forward(q)
        within = ready.inverse_all(target)
        assert all(((a.q >= ready.lower) & (a.q <= ready.upper)).all() for a in within)
        assert min(apart(a.q, q) for a in within) < 1e-6
        # the free arm has the same answers and those that the limits forbid
        for a in ARMS["example"].inverse_all(target):
            turns = a.q + 2 * math.pi * np.arange(-1, 2)[:, None]
            allowed = ((turns >= ready.lower) & (turns <= ready.upper)).any(axis=0).all()
            assert allowed == (min(apart(b.q, a.q) for b in within) < 1e-6)
    behind = ARMS["example"].forward([math.pi, -0.9, 1.4, 0.2, 0.8, 0.3])
    only = ARMS["example"].inverse_all(behind)
    assert only
    tight = arms.arm([j.axis for j in ready.joints], [j.point for j in ready.joints], tool=None,
                     limits=mk.JointLimits.revolute(-0.5, 0.5))  # fmt: skip
    with pytest.raises(mk.JointLimitViolated, match=r"breaks a joint limit; .* needs joint 'j") as caught:
        tight.inverse_all(tight.forward([0.0, -1.0, 1.4, 0.2, 0.8, 0.3]))
    assert abs(caught.value.value) > 0.5
    assert abs(caught.value.limit) == 0.5


def test_a_configuration_on_its_limits_is_found():
    ready = mk.SerialChain.six_axis_example()
    rng = np.random.default_rng(45)
    for _ in range(50):
        q = np.where(rng.random(6) < 0.5, ready.lower, ready.upper)
        q[4] = rng.uniform(0.3, 1.5)
        answers = ready.inverse_all(ready.forward(q), q)
        assert np.abs(answers[0].q - q).max() < 1e-9
        assert (answers[0].q >= ready.lower).all()
        assert (answers[0].q <= ready.upper).all()


def test_out_of_reach_says_by_how_much():
    chain = ARMS["example"]
    straight = chain.forward(np.zeros(6))  # fully stretched along x
    for away in (1e-6, 1e-3, 0.5):
        with pytest.raises(mk.Unreachable, match="no configuration reaches") as caught:
            chain.inverse_all(mk.SE3(straight.rotation, straight.translation + np.array([away, 0, 0])))
        assert caught.value.distance == pytest.approx(away, rel=1e-6)
    # within the tolerance of every solver of the library it counts, and says what is left
    (answer, *_) = chain.inverse_all(mk.SE3(straight.rotation, straight.translation + np.array([4e-10, 0, 0])))
    assert answer.position_error == pytest.approx(4e-10, rel=1e-3)
    with pytest.raises(mk.Unreachable):
        ARMS["dh"].inverse_all(mk.SE3.from_translation([0.05, 0.0, 0.3]))  # inside the column round axis 1


def test_continuous_joints_and_tools():
    axes, points = zip(*((j.axis, j.point) for j in ARMS["dh"].joints), strict=True)
    joints = [mk.Joint.continuous(f"j{k}", a, p) for k, (a, p) in enumerate(zip(axes, points, strict=True))]
    chain = mk.SerialChain.from_joints(joints)
    rng = np.random.default_rng(46)
    for _ in range(20):
        tooled = chain.with_tool(mk.SE3.random(rng))
        q = rng.uniform(-40.0, 40.0, 6)
        answers = tooled.inverse_all(tooled.forward(q), q)
        assert np.abs(answers[0].q - q).max() < 1e-7
        assert max(residual(tooled, a.q, tooled.forward(q)) for a in answers) < 1e-13
        assert len(tooled.inverse_all(tooled.forward(q), q, turns="all")) == len(answers)
        # without a seed, the turn round zero
        assert all(np.abs(a.q).max() <= math.pi for a in tooled.inverse_all(tooled.forward(q)))


def test_batches_give_what_single_calls_give():
    chain = ARMS["ortho-parallel"]
    rng = np.random.default_rng(47)
    q = rng.uniform(-3.0, 3.0, (40, 6))
    seeds = rng.uniform(-3.0, 3.0, (40, 6))
    many = chain.inverse_all_batch(chain.forward_batch(q), seeds)
    for k in range(40):
        one = chain.inverse_all(chain.forward(q[k]), seeds[k])
        rows = many.q[k][many.found[k]]
        assert len(one) == len(rows)
        for answer in one:
            # an SE3 keeps a quaternion, a batch matrices: the targets differ by rounding
            assert np.abs(rows - answer.q).max(axis=1).min() < 1e-9
    far = chain.forward_batch(q[:2])
    far[1, :3, 3] = 9.0
    assert chain.inverse_all_batch(far).found.any(axis=1).tolist() == [True, False]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda T: T.__setitem__((0, 0, 3), math.nan), mk.NotFinite),
        (lambda T: T.__setitem__((0, 0, 0), 1.5), mk.InvalidRotation),
        (lambda T: T.__setitem__((0, slice(0, 3), slice(0, 3)), -T[0, :3, :3]), mk.InvalidRotation),
    ],
)
def test_targets_that_are_no_poses_are_refused(change, error):
    poses = ARMS["dh"].forward_batch(np.full((2, 6), 0.5))
    change(poses)
    with pytest.raises(error):
        ARMS["dh"].inverse_all_batch(poses)
    with pytest.raises(error):
        mk.SE3.from_matrix(poses[0])  # so nothing of the kind comes to inverse_all


def test_arguments_of_other_shapes_and_kinds_are_refused():
    poses = ARMS["dh"].forward_batch(np.full((2, 6), 0.5))
    with pytest.raises(mk.WrongLength):
        ARMS["dh"].inverse_all_batch(poses[0])
    with pytest.raises(mk.WrongLength):
        ARMS["dh"].inverse_all_batch(poses, np.zeros((3, 6)))
    with pytest.raises(mk.WrongLength, match="expected an SE3"):
        ARMS["dh"].inverse_all(poses[0])
    with pytest.raises(mk.NotFinite):
        ARMS["dh"].inverse_all(mk.SE3.identity(), [math.nan] * 6)


def test_a_rotation_that_is_a_little_off_is_answered_for_the_nearest_rotation():
    chain = ARMS["dh"]
    poses = chain.forward_batch(np.full((1, 6), 0.5))
    poses[0, :3, :3] *= 1.0 + 3e-7
    answers = chain.inverse_all_batch(poses)
    assert answers.found.sum() == 8
    assert answers.rotation_errors[answers.found].max() < 1e-14


@pytest.mark.parametrize("name", ["dh", "puma-like backwards"])
def test_the_door_into_native_code_changes_nothing(name, monkeypatch):
    chain = ARMS[name]
    entry = kernel_of(chain.analytic_form())
    front = _hot.all_with_wrist if chain.analytic_form().has_wrist else _hot.all_with_parallel
    q = np.random.default_rng(48).uniform(-3.0, 3.0, (20, 6))
    q[:10, 4] = 0.0
    targets = [chain.forward(row) for row in q]
    entry.compile()
    assert front.native is not None
    native = [chain.inverse_all(target, row) for target, row in zip(targets, q, strict=True)]
    named = chain.inverse_all(targets[0], dict(zip(chain.joint_names, q[0].tolist(), strict=True)))  # the long way
    assert named == native[0]
    with pytest.raises(mk.NotFinite):
        chain.inverse_all(targets[0], np.full(6, math.nan))
    with pytest.raises(mk.WrongLength):
        chain.inverse_all(targets[0], np.zeros(5))
    monkeypatch.setattr(front, "native", None)
    monkeypatch.setattr(entry, "native", None)
    assert [chain.inverse_all(target, row) for target, row in zip(targets, q, strict=True)] == native


def test_solutions_are_values():
    chain = ARMS["dh"]
    answers = chain.inverse_all(chain.forward(np.full(6, 0.5)))
    assert pickle.loads(pickle.dumps(answers)) == answers
    assert len({*answers, *chain.inverse_all(chain.forward(np.full(6, 0.5)))}) == len(answers)
    assert repr(answers[0]).startswith("IkSolution(q=")
    assert answers[0] != "q"
    with pytest.raises(ValueError, match="read-only"):
        answers[0].q[0] = 1.0
