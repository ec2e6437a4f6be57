"""A range of positions is accepted and then left on the way (ruckig, community version: peak 0.432, limit 0.2)."""

from __future__ import annotations

import pytest

import motionkit as mk

START, GOAL = mk.MotionState(0.0, 1.0, 0.0), mk.MotionState(0.1, 0.0, 0.0)


def test_a_way_that_leaves_the_range_is_refused_with_what_it_reaches() -> None:
    with pytest.raises(
        mk.JointLimitViolated, match=r"axis 0: the way reaches 0\.43\d* is above max_position 0\.2"
    ) as error:
        mk.OnlineTrajectory.plan(START, GOAL, mk.MotionLimits(1, 2, 5, max_position=0.2))
    assert 0.43 < error.value.value < 0.44 and error.value.limit == 0.2


def test_control_with_room_it_is_planned() -> None:
    move = mk.OnlineTrajectory.plan(START, GOAL, mk.MotionLimits(1, 2, 5, max_position=0.45, min_position=-0.01))
    low, high = move.position_extrema
    assert low[0] >= -0.01 and 0.43 < high[0] < 0.45


@pytest.mark.parametrize(("start", "goal"), [(0.3, 0.0), (0.0, 0.3)])
def test_ends_outside_the_range_are_refused(start: float, goal: float) -> None:
    limits = mk.MotionLimits(1, 2, 5, max_position=0.2)
    with pytest.raises(mk.JointLimitViolated, match=r"max_position 0\.2"):
        mk.OnlineTrajectory.plan(mk.MotionState(start, 0.0, 0.0), mk.MotionState(goal, 0.0, 0.0), limits)
