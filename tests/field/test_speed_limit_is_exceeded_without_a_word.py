"""An axis at its top speed that still accelerates exceeds it, and the plan is called a success (ruckig #86)."""

from __future__ import annotations

import pytest

import motionkit as mk

LIMITS = mk.MotionLimits(1, 2, 5)
GOAL = mk.MotionState(3.0, 0.0, 0.0)


def test_what_cannot_be_avoided_is_reported() -> None:
    move = mk.OnlineTrajectory.plan(mk.MotionState(0.0, 1.0, 1.0), GOAL, LIMITS)
    (violation,) = move.unavoidable_violation
    assert violation.axis == 0 and violation.quantity == "velocity"
    assert violation.amount == pytest.approx(0.1, rel=1e-12) and violation.until == pytest.approx(0.4, rel=1e-12)
    assert move.velocity_extrema[1][0] == pytest.approx(1.1, rel=1e-12)


def test_both_directions_and_accelerations_are_reported() -> None:
    move = mk.OnlineTrajectory.plan(mk.MotionState(0.0, -1.5, -3.0), GOAL, LIMITS)
    found = {(v.quantity, round(v.amount, 9)) for v in move.unavoidable_violation}
    assert found == {("velocity", 1.4), ("acceleration", 1.0)}


def test_control_a_start_inside_has_nothing_to_report() -> None:
    assert mk.OnlineTrajectory.plan(mk.MotionState(0.0, 0.9, 1.0), GOAL, LIMITS).unavoidable_violation == ()
