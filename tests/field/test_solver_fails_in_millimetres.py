"""What is solved in radians has no solution in millimetres or micrometres (ruckig #27, #54; 1.5 % and 21 % fail)."""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk

STATES = np.array([[0.0, 852.0, 9010.0], [-737.0, 1540.0, 12200.0]])
LIMITS = np.array([2000.0, 20000.0, 400000.0])


@pytest.mark.parametrize("unit", [1.0, 1e-3, 1e3, 1e6, 1e-9])
def test_the_unit_of_length_does_not_matter(unit: float) -> None:
    start, goal = STATES[:1] * unit, STATES[1:] * unit
    move = mk.OnlineTrajectory.plan(start, goal, LIMITS[None] * unit)
    reference = mk.OnlineTrajectory.plan(STATES[:1], STATES[1:], LIMITS[None])
    assert abs(move.duration / reference.duration - 1.0) < 1e-12


def test_control_the_peer_fails() -> None:
    import ruckig

    given = ruckig.InputParameter(1)
    given.current_position, given.current_velocity, given.current_acceleration = ([x] for x in STATES[0].tolist())
    given.target_position, given.target_velocity, given.target_acceleration = ([x] for x in STATES[1].tolist())
    given.max_velocity, given.max_acceleration, given.max_jerk = ([x] for x in LIMITS.tolist())
    with pytest.raises(ruckig.RuckigError, match="step 1"):
        ruckig.Ruckig(1).calculate(given, ruckig.Trajectory(1))
