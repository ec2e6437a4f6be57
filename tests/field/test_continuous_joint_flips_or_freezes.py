"""Field report: a joint without limits freezes, flips by 360 degrees, or is sampled from the whole range of doubles.

Wanted: it is one angle, free, started from within a turn and answered next to the seed. (Report 11.)
"""

import numpy as np
import pytest

import motionkit as mk

FREE, TURN = mk.JointLimits.continuous(2.0), mk.JointLimits.revolute(-2.5, 2.5, 2.0)


@pytest.fixture(scope="module")
def arm():
    kinds = [FREE, TURN, TURN, FREE, TURN, FREE]
    axes = [(0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0)]
    points = [(0, 0, 0.3), (0, 0, 0.3), (0.4, 0, 0.3), (0.4, 0, 0.3), (0.8, 0, 0.3), (0.8, 0, 0.3)]
    joints = [getattr(mk.Joint, kinds[k].kind)(f"j{k}", axes[k], points[k], kinds[k]) for k in range(6)]
    return mk.SerialChain.from_joints(joints, tool=mk.SE3.from_translation((0.1, 0, 0)))


def test_it_is_answered_next_to_the_seed(arm):
    q = np.array([0.4, -0.6, 1.1, 0.5, 0.7, -0.3])
    for turns in (-3, 0, 2):
        seed = q + 0.05
        seed[[0, 3, 5]] += 2 * np.pi * turns
        answer = arm.inverse(arm.forward(q), seed).q
        assert np.abs(answer - seed).max() < 0.2
        assert arm.inverse_near(arm.forward(q), seed).q == pytest.approx(answer, abs=1e-7)


def test_starts_are_finite_and_every_pose_is_found(arm):
    rng = np.random.default_rng(1100)
    lower, upper = np.maximum(arm.lower, -np.pi), np.minimum(arm.upper, np.pi)
    targets = arm.forward_batch(rng.uniform(lower, upper, (60, 6)))
    found = arm.inverse_batch(targets, restarts=256)
    assert found.converged.all()
    assert np.abs(found.q).max() <= 2 * np.pi
    assert np.abs(arm.forward_batch(found.q) - targets).max() < 4e-9  # 1e-9 rad at up to 1 m, and elements
