"""A pose is reached in the configuration from which the whole program gets through, and what forces that is said."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import motionkit as mk
from motionkit.program import plan_program, program_from_data, prove

START = [0, -60, 90, 0, 60, 340]  # the last joint ends at 350 degrees


def typed(pose: mk.SE3) -> dict[str, Any]:
    angles = [math.degrees(float(v)) for v in pose.rotation.rpy()]
    return {"xyz": [float(v) for v in pose.translation], "rpy": angles}


def program(*steps: dict[str, Any], robot: str = "six_axis_example") -> mk.Program:
    return program_from_data(
        {
            "motionkit": "program/1",
            "robot": robot,
            "limits": {"max_acceleration": [8, 8, 8, 12, 12, 12], "max_jerk": [60, 60, 60, 90, 90, 90]},
            "points": {"start": {"joints": START}},
            "steps": [{"movej": {"joints": START}}, *steps],
        }
    )


def turned(angle: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """A pose near the start, and the same with the tool turned further about its own axis."""
    pose = mk.SerialChain.six_axis_example().forward(np.radians([5, -60, 90, 0, 60, 340]))
    return typed(pose), typed(pose * mk.SE3.from_rotation(mk.SO3.from_rpy(0, 0, math.radians(angle))))


def test_the_wrist_is_turned_over_where_the_last_joint_would_run_out() -> None:
    first, last = turned(60)
    plan = plan_program(program({"movej": first}, {"movel": last}))
    reached = np.degrees(plan.steps[1].end_q)
    assert np.allclose(reached, [5, -60, 90, 180, -60, 160], atol=1e-6)
    assert np.allclose(np.degrees(plan.steps[2].end_q), [5, -60, 90, 180, -60, 220], atol=1e-4)
    (note,) = plan.steps[1].notes
    assert "not in the configuration nearest to the step before" in note
    assert "steps[2].movel" in note
    assert "joint 'j6' would have to leave its range" in note
    prove(plan, plan.sample(250.0))  # within every limit


def test_where_the_nearest_configuration_does_it_is_taken() -> None:
    first, last = turned(5)
    plan = plan_program(program({"movej": first}, {"movel": last}))
    assert np.allclose(np.degrees(plan.steps[1].end_q), [5, -60, 90, 0, 60, 340], atol=1e-6)
    assert plan.steps[1].notes == ()


def test_near_is_an_order_and_not_overruled() -> None:
    first, last = turned(60)
    with pytest.raises(mk.LineCrossesLimit, match=r"steps\[2\].movel: joint 'j6'") as caught:
        plan_program(program({"movej": {**first, "near": "start"}}, {"movel": last}))
    assert "were tried" not in str(caught.value)


def test_steps_between_and_tools_are_planned_again_from_the_other_configuration() -> None:
    first, last = turned(60)
    plan = plan_program(program({"movej": first}, {"wait": 0.5}, {"note": "here"}, {"movel": last}, {"movel": first}))
    assert [step.step.verb for step in plan.steps] == ["movej", "movej", "wait", "note", "movel", "movel"]
    times = [(step.start, step.end) for step in plan.steps]
    assert all(b[0] == a[1] for a, b in pairwise(times))
    for before, after in pairwise(plan.steps):
        assert np.array_equal(before.end_q, after.start_q)


def test_the_last_choice_that_helps_is_changed_and_earlier_ones_stay() -> None:
    first, last = turned(60)
    home = typed(mk.SerialChain.six_axis_example().forward(np.radians([0, -50, 80, 0, 60, 335])))
    plan = plan_program(program({"movej": home}, {"movej": first}, {"movel": last}))
    assert plan.steps[1].notes == ()
    assert np.allclose(np.degrees(plan.steps[1].end_q), [0, -50, 80, 0, 60, 335], atol=1e-6)
    assert plan.steps[2].notes != ()


def test_where_no_configuration_gets_through_the_first_reason_is_given_and_what_was_tried() -> None:
    first, _ = turned(0)
    # eight turns of a hundred degrees: more than any configuration of the last joint has room for
    pose = mk.SerialChain.six_axis_example().forward(np.radians([5, -60, 90, 0, 60, 340]))
    turns = [
        {"movel": typed(pose * mk.SE3.from_rotation(mk.SO3.from_rpy(0, 0, math.radians(100 * k))))} for k in range(1, 9)
    ]
    with pytest.raises(mk.LineCrossesLimit, match=r"steps\[2\].movel: joint 'j6'") as caught:
        plan_program(program({"movej": first}, *turns))
    assert "other configurations of the arm for earlier poses were tried, and none gets through" in str(caught.value)
    assert caught.value.joint == "j6"
