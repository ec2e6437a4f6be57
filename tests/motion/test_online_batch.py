"""Many problems at once have the bits of one at a time, and say which of them makes no sense."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import motionkit as mk
from online_problems import random_problems


def test_a_batch_has_the_bits_of_single_plans() -> None:
    problems = random_problems(40, 51, 2.0)
    limits = problems[:, [6, 8, 10]]
    current, target = problems[:, :3] * 0.3, problems[:, 3:6] * [1.0, 0.1, 0.1]
    batch = mk.plan_online_batch(current, target, limits)
    times = batch.durations * np.linspace(-0.1, 1.1, 40)
    samples = batch.sample(times)
    for i in range(40):
        single = mk.OnlineTrajectory.plan(current[i : i + 1], target[i : i + 1], limits[i : i + 1])
        assert single.duration == batch.durations[i] and batch.trajectory(i) == single
        one = single.sample(times[i])
        assert all(
            getattr(one, k)[0] == getattr(samples, k)[i] for k in ("position", "velocity", "acceleration", "jerk")
        )
    assert len(batch) == 40 and pickle.loads(pickle.dumps(batch)) == batch and hash(batch) is not None
    assert batch != 1


def test_one_limit_for_all_may_be_asymmetric() -> None:
    limits = mk.MotionLimits(1, 2, 5, min_velocity=-0.5)
    batch = mk.plan_online_batch(np.zeros((2, 3)), [[4, 0, 0], [-4, 0, 0]], limits)
    assert batch.durations[1] > 1.5 * batch.durations[0]


def test_the_problem_that_makes_no_sense_is_named() -> None:
    zero, limits = np.zeros((3, 3)), np.ones((3, 3))
    with pytest.raises(mk.InvalidLimits, match=r"axis 1: the target's velocity 2\.0 is outside"):
        mk.plan_online_batch(zero, [[0, 0, 0], [0, 2, 0], [0, 0, 0]], limits)
    with pytest.raises(mk.NotFinite, match="axis 2"):
        mk.plan_online_batch([[0, 0, 0], [0, 0, 0], [0, np.inf, 0]], zero, limits)
    with pytest.raises(mk.NotFinite, match="other units"):
        mk.plan_online_batch(zero, np.full((3, 3), [1e300, 0, 0]), limits * 1e50)
    with pytest.raises(mk.InvalidLimits, match="axis 0: max_jerk"):
        mk.plan_online_batch(zero, zero, [[1, 1, 0], [1, 1, 1], [1, 1, 1]])
    with pytest.raises(mk.WrongLength):
        mk.plan_online_batch(zero, zero[:2], limits)
