"""B5: random reachable poses from the middle of the ranges, as in the protocol of TRAC-IK; none may be missed.

``benchmarks/inverse_kinematics.py`` runs 10 000 a robot, and 60 000 with ``--nightly``. What is measured there: every
pose reached on UR5, Panda, xArm7, Kinova j2s6s200 and the example arm.
"""

import numpy as np
import pytest

import motionkit as mk
from motionkit.robot._ik_search import spans, starts

ROBOTS = {
    "panda": ("panda_description/urdf/panda.urdf", "panda_hand"),
    "xarm7": ("xarm_description/urdf/xarm7.urdf", "link7"),
    "kinova": ("kinova_description/robots/kinova.urdf", "j2s6s200_end_effector"),
}


@pytest.fixture(params=["example", "ur5", *ROBOTS])
def arm(request, robot_files, examples):
    if request.param == "example":
        return mk.SerialChain.six_axis_example()
    if request.param == "ur5":
        return mk.SerialChain.from_urdf(examples / "ur5.urdf")
    file, tip = ROBOTS[request.param]
    return mk.RobotModel.from_urdf(robot_files / file).chain(tip=tip)


def reachable(arm, count, seed):
    lower, upper = spans(arm)
    return arm.forward_batch(np.random.default_rng(seed).uniform(lower, upper, (count, arm.n)))


def check(arm, q, targets):
    """Every answer is within limits and, by forward kinematics, within 1e-9 of its target."""
    assert np.all((q >= arm.lower) & (q <= arm.upper))
    reached = arm.forward_batch(q)
    assert np.linalg.norm(reached[:, :3, 3] - targets[:, :3, 3], axis=1).max() <= 1e-9 + 1e-15
    turns = np.swapaxes(reached[:, :3, :3], 1, 2) @ targets[:, :3, :3]
    # the antisymmetric part is the sine of the angle; matrices carry a few 1e-16 per element
    skew = 0.5 * (turns - np.swapaxes(turns, 1, 2))
    assert np.sqrt(0.5 * np.sum(skew**2, axis=(1, 2))).max() <= 1e-9 + 4e-15
    assert np.trace(turns, axis1=1, axis2=2).min() > 2.9


def test_no_reachable_pose_is_missed_in_a_batch(arm):
    targets = reachable(arm, 400, 60)
    alone = arm.inverse_batch(targets)
    found = arm.inverse_batch(targets, restarts=256)
    print(f"B5 {arm.name}: {found.converged.sum()} of 400, from the first start {alone.converged.sum()}")
    assert found.converged.all()
    check(arm, found.q, targets)
    # the control: without restarts some are missed, and marked
    assert 300 < alone.converged.sum() < 400
    again = arm.inverse_batch(targets[::-1][:50], restarts=256)
    assert np.array_equal(again.q, found.q[::-1][:50])


def test_inverse_any_misses_none_and_repeats_itself(arm):
    targets = reachable(arm, 12, 61)
    reports = [arm.inverse_any(mk.SE3.from_matrix(T)) for T in targets]
    check(arm, np.array([r.q for r in reports]), targets)
    assert all(r.cause == "reached" for r in reports)
    assert arm.inverse_any(mk.SE3.from_matrix(targets[3])) == reports[3]


def test_a_batch_gives_the_bits_of_single_searches(arm):
    targets = [mk.SE3.from_matrix(T) for T in reachable(arm, 24, 62)]
    seeds = np.repeat(starts(arm, 0, 1), 24, axis=0)
    rows = arm.inverse_batch(np.array([T.matrix() for T in targets]), seeds)
    for k in range(24):
        try:
            report = arm.inverse(targets[k], seeds[k])
        except mk.NotConverged as error:
            report = error.report
            assert report.cause != "reached"
            assert not rows.converged[k]
        assert np.array_equal(rows.q[k], report.q)
        assert rows.iterations[k] == report.iterations


def test_threads_do_not_change_an_answer(arm):
    targets = reachable(arm, 40, 63)
    one, two = (arm.inverse_batch(targets, restarts=50, threads=k) for k in (1, 2))
    assert np.array_equal(one.q, two.q)
    assert np.array_equal(one.starts, two.starts)
