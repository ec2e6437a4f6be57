"""Closed-form inverse kinematics where answers meet or are free: nothing is lost, self-motion is named."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import motionkit as mk

sys.path.insert(0, str(Path(__file__).parent))
import analytic_arms as arms
from analytic_arms import apart, residual

ARMS = arms.arms()
SINGULAR = {  # joints that are set to a value, on arms of which they make a singular one
    "q5 = 0": {4: 0.0},
    "q5 = pi": {4: math.pi},
    "q3 = 0": {2: 0.0},
    "q3 = q5 = 0": {2: 0.0, 4: 0.0},
    "q2 = q3 = q5 = 0": {1: 0.0, 2: 0.0, 4: 0.0},
}


def configurations(setting, count, seed):
    q = np.random.default_rng(seed).uniform(-3.0, 3.0, (count, 6))
    for joint, value in setting.items():
        q[:, joint] = value
    return q


@pytest.mark.parametrize("setting", SINGULAR)
@pytest.mark.parametrize("name", ["dh", "example", "puma-like", "ortho-parallel"])
def test_of_500_singular_poses_none_is_missed(name, setting):
    chain = ARMS[name]
    q = configurations(SINGULAR[setting], 500, 50)
    targets = chain.forward_batch(q)
    answers = chain.inverse_all_batch(targets, q)
    assert answers.found.any(axis=1).all()
    ends = chain.forward_batch(answers.q[answers.found])
    worst = np.abs(ends - np.repeat(targets[:, None], 8, axis=1)[answers.found]).max()
    nearest = np.where(answers.found, apart(answers.q, q[:, None, :]), np.inf).min(axis=1)
    print(f"{name}, {setting}: worst residual {worst:.1e}, self-motion in {answers.self_motion.any(axis=1).sum()}, "
          f"seed given back in {(nearest < 1e-6).sum()} of 500")  # fmt: skip
    # a direction of up to 1e-12 counts as none, and the middle joint may then bend the tip by twice that
    assert worst < 4e-12
    # a configuration is its own nearest; 2 in 100 are singular in a second way that blurs the first beyond 1e-12
    assert (nearest < 1e-6).sum() >= 490
    if "q5" in setting:
        assert answers.self_motion.any(axis=1).sum() >= 495


@pytest.mark.parametrize("bend", [0.0, 1e-12, 1e-9, 1e-7, 1e-5])
@pytest.mark.parametrize("name", ["dh", "example", "puma-like"])
def test_near_the_wrist_singularity_no_pose_is_missed(name, bend):
    chain = ARMS[name]
    for q5 in (bend, -bend, math.pi - bend):
        q = configurations({4: q5}, 200, 51)
        targets = chain.forward_batch(q)
        answers = chain.inverse_all_batch(targets, q)
        assert answers.found.any(axis=1).all()
        ends = chain.forward_batch(answers.q[answers.found])
        worst = np.abs(ends - np.repeat(targets[:, None], 8, axis=1)[answers.found]).max()
        assert worst < (4e-12 if bend < 1e-10 else 1e-13)


def test_the_wrist_shares_what_the_seed_is_away():
    chain = ARMS["example"]
    q = np.array([0.3, -0.8, 1.1, 0.7, 0.0, -0.2])
    target = chain.forward(q)
    seed = q + np.array([0.0, 0.0, 0.0, 0.3, 0.0, 0.1])
    best = chain.inverse_all(target, seed)[0]
    assert best.self_motion == ("j4", "j6")
    # q4 + q6 = 0.5 is all that the target says; the nearest such pair to (1.0, -0.1) is (0.8, -0.3)
    assert best.q == pytest.approx([0.3, -0.8, 1.1, 0.8, 0.0, -0.3], abs=1e-12)
    along = np.linspace(-1.0, 1.0, 201)
    others = [np.linalg.norm(best.q + np.array([0, 0, 0, t, 0, -t]) - seed) for t in along]
    assert np.argmin(others) == 100
    assert residual(chain, best.q + np.array([0, 0, 0, 0.4, 0, -0.4]), target) < 1e-14


def test_the_linkage_of_four_parallel_axes_keeps_axis_6_at_its_seed_or_as_near_as_it_reaches():
    chain = ARMS["dh"]
    rng = np.random.default_rng(52)
    kept, clamped = 0, 0
    for _ in range(100):
        q = rng.uniform(-3.0, 3.0, 6)
        q[4] = 0.0
        target = chain.forward(q)
        seed = rng.uniform(-3.0, 3.0, 6)
        free = [a for a in chain.inverse_all(target, seed) if a.self_motion]
        assert free
        assert all(a.self_motion == ("j2", "j3", "j4", "j6") for a in free)
        gap = min(abs(math.remainder(a.q[5] - seed[5], 2 * math.pi)) for a in free)
        if gap < 1e-9:
            kept += 1
            continue
        # then the two links are stretched out or folded: axis 6 could not be nearer
        clamped += 1
        best = min(free, key=lambda a: abs(math.remainder(a.q[5] - seed[5], 2 * math.pi)))
        assert abs(math.sin(best.q[2])) < 1e-6
    print(f"axis 6 stays at its seed in {kept}, as near as the links reach in {clamped}")
    assert kept > 30
    assert clamped > 5


def test_the_wrist_centre_on_axis_1_leaves_the_first_joint_free():
    chain = ARMS["example"]
    rng = np.random.default_rng(53)
    for k in range(100):
        # two links of 0.43 and 0.38 m whose end stands over axis 1
        q = rng.uniform(-3.0, 3.0, 6)
        height = rng.uniform(0.1, 0.8)
        bend = math.acos((height**2 - 0.43**2 - 0.38**2) / (2 * 0.43 * 0.38))
        first = math.pi / 2 - math.atan2(0.38 * math.sin(bend), 0.43 + 0.38 * math.cos(bend))
        q[1], q[2] = -first, -bend
        target = chain.forward(q)
        seed = q if k < 50 else rng.uniform(-3.0, 3.0, 6)
        answers = chain.inverse_all(target, seed)
        free = [a for a in answers if "j1" in a.self_motion]
        assert len(free) == len(answers)
        assert all(set(a.self_motion) == {"j1", "j4", "j5", "j6"} for a in free)
        assert max(residual(chain, a.q, target) for a in answers) < 1e-12
        assert min(abs(math.remainder(a.q[0] - seed[0], 2 * math.pi)) for a in answers) < 1e-12
        if k < 50:
            assert min(apart(a.q, q) for a in answers) < 1e-6


def test_equal_links_folded_onto_axis_2_leave_it_free():
    axes = [arms.Z, arms.Y, arms.Y, arms.X, arms.Y, arms.X]
    points = [(0, 0, 0), (0, 0, 0.4), (0.4, 0, 0.4), (0.6, 0, 0.4), (0.8, 0, 0.4), (0.9, 0, 0.4)]
    chain = arms.arm(axes, points)
    rng = np.random.default_rng(54)
    for _ in range(50):
        q = rng.uniform(-3.0, 3.0, 6)
        q[2] = math.pi
        answers = chain.inverse_all(chain.forward(q), q)
        assert max(residual(chain, a.q, chain.forward(q)) for a in answers) < 1e-12
        assert {"j2", "j4", "j5", "j6"} <= set(answers[0].self_motion)
        assert apart(answers[0].q, q) < 1e-6


def test_a_straight_elbow_is_one_answer_marked_as_double():
    for name in ("dh", "example"):
        chain = ARMS[name]
        double = 0
        for row in configurations({2: 0.0}, 50, 55):
            answers = chain.inverse_all(chain.forward(row), row)
            double += answers[0].double
            assert np.abs(answers[0].q - row).max() < 1e-6
            for k, a in enumerate(answers):
                assert all(apart(a.q, b.q) > 0.99e-7 for b in answers[:k])
        assert double >= 49  # the straight elbow of one is blurred to 1e-7 by a wrist that is 0.02 rad from straight


def test_a_target_that_digits_of_a_file_blur_is_still_reached():
    # ten decimals leave a pose 1e-10 off its singular place: within the tolerance of the library
    chain = ARMS["dh"]
    free = 0
    for row in configurations({4: 0.0}, 100, 56):
        matrix = chain.forward(row).matrix().round(10)
        target = mk.SE3(mk.SO3.from_matrix(matrix[:3, :3], project=True), matrix[:3, 3])
        answers = chain.inverse_all(target)
        assert max(residual(chain, a.q, target) for a in answers) < 1e-9
        free += any(a.self_motion for a in answers)
    print(f"{free} of 100 are reached only by taking the wrist as free")
    assert free > 0


@pytest.mark.parametrize("name", ARMS)
def test_the_joints_that_are_named_can_move_with_the_tip_at_rest(name):
    chain = ARMS[name]
    count = 0
    for setting in ({4: 0.0}, {1: 0.0}, {2: 0.0, 4: 0.0}, {1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0, 4: 0.0}):
        for row in configurations(setting, 10, 57):
            for answer in chain.inverse_all(chain.forward(row), row):
                if answer.self_motion:
                    members = [chain.joint_names.index(joint) for joint in answer.self_motion]
                    columns = chain.jacobian(answer.q)[:, members]
                    # dependent columns: some rates of these joints alone leave the tip where it is
                    assert np.linalg.matrix_rank(columns, tol=1e-7) < len(members)
                    count += 1
    print(f"{name}: {count} answers with self-motion")
    assert count > 0 or "skew" in name
