"""A move that may take ten seconds still jerks as hard as it can (ruckig's minimum_duration: peak 0.717 of 10 s)."""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk

START, GOAL, LIMITS = mk.MotionState(0.0, 0.0, 0.0), mk.MotionState(1.0, 0.0, 0.0), mk.MotionLimits(1, 2, 5)


@pytest.mark.parametrize("duration", [1.96, 2.5, 10.0, 5000.0])
def test_a_longer_move_is_gentler(duration: float) -> None:
    quick = mk.OnlineTrajectory.plan(START, GOAL, LIMITS)
    slow = mk.OnlineTrajectory.plan(START, GOAL, LIMITS, min_duration=duration)
    assert slow.duration == duration and slow.sample(duration).position[0] == 1.0
    times = np.linspace(0.0, duration, 501)
    jerk = float(np.abs(slow.sample_many(times).jerk).max())
    share = quick.duration / duration
    assert jerk < 5.0 and slow.acceleration_extrema[1][0] <= quick.acceleration_extrema[1][0] * share * 1.01


def test_control_a_shorter_one_changes_nothing() -> None:
    quick = mk.OnlineTrajectory.plan(START, GOAL, LIMITS)
    assert mk.OnlineTrajectory.plan(START, GOAL, LIMITS, min_duration=1.0).duration == quick.duration
