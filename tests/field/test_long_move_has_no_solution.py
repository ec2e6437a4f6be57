"""Moves of more than two hours have no solution, or zeros (ruckig #80, #83, #109, #201)."""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk


@pytest.mark.parametrize("distance", [7599.0, 1e5, 1e9])
def test_a_long_way_only_takes_long(distance: float) -> None:
    zero = np.zeros((2, 3))
    goal = np.array([[distance, 0.0, 0.0], [distance, 0.0, 0.0]])
    move = mk.OnlineTrajectory.plan(zero, goal, [[1.0, 1.0, 1.0]] * 2)
    assert move.duration == distance + 2.0
    assert (move.sample(move.duration).position == distance).all()
