"""The stopping table: every entry against the stop profile of that one state, and no worse state left out."""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk
from motionkit.program import demo_program, make_report, plan_program, prove
from motionkit.program.stopping import stopping_table


@pytest.fixture(scope="module")
def plan() -> mk.ProgramPlan:
    return plan_program(demo_program())


def one_by_one(plan: mk.ProgramPlan, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Distance and duration of the stop from every row and joint, by one profile each, with the full limits."""
    motion = plan.sample(rate)
    distance, duration = np.empty_like(motion.positions), np.empty_like(motion.positions)
    for j, limits in enumerate(plan.limits):
        free = mk.MotionLimits(limits.max_velocity, limits.max_acceleration, limits.max_jerk)
        for k in range(len(motion)):
            state = mk.MotionState(0.0, float(motion.velocities[k, j]), float(motion.accelerations[k, j]))
            stop = mk.StopProfile.plan(state, free)
            distance[k, j], duration[k, j] = stop.stopping_distance, stop.duration
    return distance, duration


def test_the_table_is_the_worst_of_all_stop_profiles(plan: mk.ProgramPlan) -> None:
    rate = 50.0
    motion = plan.sample(rate)
    distance, duration = one_by_one(plan, rate)
    table = stopping_table(plan, motion)
    assert [stop.joint for stop in table.by_joint] == list(plan.joint_names)
    for j, stop in enumerate(table.by_joint):
        row = round(stop.time * rate)
        assert abs(stop.distance) == np.abs(distance[:, j]).max()
        assert (stop.distance, stop.duration) == (distance[row, j], duration[row, j])
        assert (stop.velocity, stop.acceleration) == (motion.velocities[row, j], motion.accelerations[row, j])
        assert stop.step == motion.steps[row] and stop.unit == "rad"
    for place, stop in enumerate(table.by_step):
        rows = motion.steps == place
        if stop is None:
            assert not duration[rows].any()
            continue
        row, j = round(stop.time * rate), plan.joint_names.index(stop.joint)
        assert stop.duration == duration[rows].max() == duration[row, j]
        assert stop.distance == distance[row, j] and stop.step == place


def test_a_stop_uses_the_full_limits_not_the_pace_of_the_step(plan: mk.ProgramPlan) -> None:
    table = stopping_table(plan, plan.sample(1000.0))
    worst = table.by_step[2]  # a joint move at six tenths of the limits
    assert worst is not None and plan.steps[2].share == 0.6
    limits = plan.limits[plan.joint_names.index(worst.joint)]
    state = mk.MotionState(0.0, worst.velocity, worst.acceleration)
    full = mk.StopProfile.plan(state, mk.MotionLimits(limits.max_velocity, limits.max_acceleration, limits.max_jerk))
    slow = mk.StopProfile.plan(state, mk.MotionLimits(limits.max_velocity, 4.8, 0.6 * limits.max_jerk))
    assert worst.duration == full.duration < slow.duration


def test_waiting_and_instants_have_no_stop(plan: mk.ProgramPlan) -> None:
    table = stopping_table(plan, plan.sample(1000.0))
    for step, stop in zip(plan.steps, table.by_step, strict=True):
        assert (stop is not None) == step.step.verb.startswith("move") or step.end == step.start


def test_the_report_has_the_table(plan: mk.ProgramPlan) -> None:
    motion = plan.sample(1000.0)
    report = make_report(plan, motion, prove(plan, motion))
    table = stopping_table(plan, motion)
    assert report.stopping == table.by_joint
    assert tuple(step.stop for step in report.steps) == table.by_step
