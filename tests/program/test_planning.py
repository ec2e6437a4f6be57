"""Planning: which motion each step becomes, on one clock, and what is said when a step cannot be made."""

from __future__ import annotations

import dataclasses
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionkit as mk
from motionkit.program import plan_program, program_from_data, prove, resolve
from motionkit.program.toolpath import tool_speeds

HOME = [0, -60, 90, 0, 60, 0]
ASIDE = [30, -50, 80, 10, 50, -20]


def program(*steps: dict[str, Any], **more: Any) -> mk.Program:
    data: dict[str, Any] = {
        "motionkit": "program/1",
        "robot": "six_axis_example",
        "limits": {"max_acceleration": [8, 8, 8, 12, 12, 12], "max_jerk": [60, 60, 60, 90, 90, 90]},
        "tools": {"pen": {"xyz": [0, 0, 0.1]}},
        "points": {"home": {"joints": HOME}, "aside": {"joints": ASIDE}},
        "steps": list(steps),
    }
    return program_from_data(data | more)


def planned(*steps: dict[str, Any], **more: Any) -> mk.ProgramPlan:
    return plan_program(program(*steps, **more))


def typed(pose: mk.SE3) -> dict[str, Any]:
    """A pose as a program types it."""
    return {
        "xyz": [float(v) for v in pose.translation],
        "rpy": [math.degrees(float(v)) for v in pose.rotation.rpy()],
    }


def arm() -> mk.SerialChain:
    return mk.SerialChain.six_axis_example()


def home_pose() -> mk.SE3:
    return arm().forward(np.radians(HOME))


def shifted(x: float, y: float, z: float) -> dict[str, Any]:
    return typed(mk.SE3.from_translation([x, y, z]) * home_pose())


# ---- the clock
def test_the_first_movej_says_where_the_program_starts_and_takes_no_time() -> None:
    plan = planned({"movej": "home"}, {"movej": "aside"})
    first, second = plan.steps
    assert (first.start, first.end, first.segment) == (0.0, 0.0, None)
    assert "no time passes" in first.notes[0]
    assert np.array_equal(first.end_q, np.radians(HOME))
    assert second.start == 0.0 and second.end == plan.duration > 0.0


def test_with_a_start_the_first_movej_moves() -> None:
    plan = planned({"movej": "aside"}, start={"joints": HOME})
    assert plan.duration > 0.0
    assert np.array_equal(plan.sample_many([0.0]).position[0], np.radians(HOME))
    assert np.array_equal(plan.sample_many([plan.duration]).position[0], np.radians(ASIDE))


def test_with_a_start_the_first_step_may_be_a_line() -> None:
    plan = planned({"movel": shifted(0.0, 0.0, -0.05)}, start="home")
    assert plan.steps[0].line is not None


def test_steps_follow_one_another_without_a_gap() -> None:
    plan = planned(
        {"note": "hello"},
        {"tool": "pen"},
        {"movej": "home"},
        {"wait": 0.25},
        {"set": {"grip": True}},
        {"movej": "aside"},
        {"wait": 0},
        {"movej": "home"},
    )
    assert [step.step.index for step in plan.steps] == list(range(8))
    assert plan.steps[0].start == 0.0 and plan.steps[-1].end == plan.duration
    for before, after in zip(plan.steps, plan.steps[1:], strict=False):
        assert before.end == after.start
        assert np.array_equal(before.end_q, after.start_q)
    assert plan.steps[3].end - plan.steps[3].start == 0.25
    assert plan.steps[4].start == plan.steps[4].end == 0.25
    assert plan.steps[6].start == plan.steps[6].end


def test_a_move_to_where_the_arm_is_takes_no_time_and_says_so() -> None:
    plan = planned({"movej": "home"}, {"movej": "home"}, {"movel": "home"})
    assert plan.duration == 0.0
    assert all("already there" in step.notes[0] for step in plan.steps[1:])


# ---- sampling
def test_samples_rest_before_the_start_and_after_the_end() -> None:
    plan = planned({"movej": "home"}, {"movej": "aside"}, {"wait": 0.1}, {"movej": "home"})
    sample = plan.sample_many([-5.0, 0.0, plan.duration, plan.duration + 5.0])
    assert np.array_equal(sample.position, np.radians([HOME] * 4))
    for rates in (sample.velocity, sample.acceleration):
        assert not rates.any()


def test_rows_of_any_grid_have_the_bits_of_the_steps_own_motion() -> None:
    plan = planned({"movej": "home"}, {"movej": "aside"}, {"movel": shifted(0, 0.05, 0.0)}, {"wait": 0.1})
    motion = plan.sample(500.0)
    assert len(motion) == math.ceil(plan.duration * 500.0) + 1
    assert motion.times[-1] >= plan.duration > motion.times[-2]
    again = plan.sample_many(motion.times)
    assert np.array_equal(again.position, motion.positions) and np.array_equal(again.jerk, motion.jerks)
    for place, step in enumerate(plan.steps):
        rows = motion.steps == place
        if rows.any():
            assert step.segment is not None
            own = step.segment.sample_many(motion.times[rows] - step.start)
            assert np.array_equal(own.position, motion.positions[rows])
            assert np.array_equal(own.acceleration, motion.accelerations[rows])
    assert not motion.velocities[-1].any() and not motion.accelerations[-1].any() and not motion.jerks[-1].any()


def test_a_program_in_which_nothing_moves_is_one_row() -> None:
    motion = planned({"movej": "home"}, {"note": "done"}).sample(1000.0)
    assert len(motion) == 1
    assert np.array_equal(motion.positions[0], np.radians(HOME))


# ---- movej
@pytest.mark.parametrize("share", [1.0, 0.5, 0.1])
def test_speed_joint_scales_velocity_acceleration_and_jerk_alike(share: float) -> None:
    plan = planned({"movej": "home"}, {"movej": "aside", "speed_joint": share})
    rows = plan.sample_many(np.linspace(0.0, plan.duration, 4000))
    used = [
        np.max(np.abs(rows.velocity) / [limit.max_velocity for limit in plan.limits]),
        np.max(np.abs(rows.acceleration) / [limit.max_acceleration for limit in plan.limits]),
        np.max(np.abs(rows.jerk) / [limit.max_jerk for limit in plan.limits]),
    ]
    assert max(used) <= share * (1 + 1e-12)  # rounding of the sampled rates
    assert used[1] > share * 0.999  # and the move is as quick as it may be: it reaches the acceleration
    assert used[2] > share * 0.999


def test_a_pose_is_reached_in_the_configuration_of_its_near_point() -> None:
    flipped = [0, -60, 90, 180, -60, 180]  # the same pose of the tool with the wrist turned over
    points = {"home": {"joints": HOME}, "flipped": {"joints": flipped}}
    target = shifted(0.03, 0.0, 0.0)
    for name, joints in (("home", HOME), ("flipped", flipped)):
        plan = planned({"movej": "home"}, {"movej": {**target, "near": name}}, points=points)
        assert np.max(np.abs(plan.steps[1].end_q - np.radians(joints))) < 0.3


def test_without_near_a_pose_is_reached_in_the_configuration_of_the_step_before() -> None:
    flipped = [0, -60, 90, 180, -60, 180]
    points = {"home": {"joints": HOME}, "flipped": {"joints": flipped}}
    target = shifted(0.03, 0.0, 0.0)
    for name, joints in (("home", HOME), ("flipped", flipped)):
        plan = planned({"movej": name}, {"movej": target}, points=points)
        assert np.max(np.abs(plan.steps[1].end_q - np.radians(joints))) < 0.3


def test_no_joint_ever_jumps_by_a_whole_turn() -> None:
    # joint 6 may turn to 350 degrees: at 300 the pose that looks like -60 must stay at 300
    turned = [*HOME[:5], 300]
    pose = typed(mk.SE3.from_translation([0.0, 0.02, 0.0]) * arm().forward(np.radians(turned)))
    plan = planned({"movej": {"joints": turned}}, {"movej": pose}, {"movel": "there"}, points={"there": pose})
    assert abs(plan.steps[1].end_q[5] - math.radians(300)) < 0.3


def test_a_first_movej_to_a_pose_starts_in_the_configuration_of_its_near_point() -> None:
    plan = planned({"movej": {**shifted(0.0, 0.0, 0.0), "near": "home"}})
    assert plan.duration == 0.0
    assert np.max(np.abs(plan.steps[0].end_q - np.radians(HOME))) < 1e-8  # the accuracy of inverse kinematics


# ---- movel
def test_a_line_speaks_of_the_tool_of_its_step() -> None:
    flange, pen = (
        planned({"movej": "home"}, {"movel": shifted(0.0, 0.05, 0.0)}),
        planned({"tool": "pen"}, {"movej": "home"}, {"movel": shifted(0.0, 0.05, -0.1)}),
    )
    for plan, tool in ((flange, 0.0), (pen, 0.1)):
        chain = arm().with_tool(mk.SE3.from_translation([0.0, 0.0, tool]))
        step = plan.steps[-1]
        assert step.line is not None
        rows = plan.sample_many(np.linspace(step.start, step.end, 200)).position
        tips = np.array([chain.forward(q).translation for q in rows])
        off = tips - step.line.start.translation
        along = step.line.end.translation - step.line.start.translation
        along /= np.linalg.norm(along)
        assert np.max(np.linalg.norm(off - np.outer(off @ along, along), axis=1)) < 1e-4


def test_a_line_to_a_joint_point_ends_at_those_joints() -> None:
    plan = planned({"movej": "home"}, {"movel": "aside"})
    assert np.max(np.abs(plan.steps[1].end_q - np.radians(ASIDE))) < 2e-9


def test_a_line_to_a_joint_point_in_another_configuration_is_refused() -> None:
    flipped = [5, -60, 90, 180, -60, 180]
    with pytest.raises(mk.BranchFlip, match=r"steps\[1\]\.movel") as caught:
        planned({"movej": "home"}, {"movel": {"joints": flipped}})
    assert caught.value.fraction == 1.0
    assert caught.value.joint in arm().joint_names


def test_ceilings_hold_for_the_tool_between_knots_too() -> None:
    """The planner's own ceiling, for the ideal line, is the control: near a singularity the tool exceeds it."""
    q = [20, -50, 80, 30, 0.5, 10]  # the wrist half a degree from straight
    start = arm().forward(np.radians(q))
    goal = mk.SE3.from_translation([0.0, 0.05, -0.03]) * start
    plan = planned({"movej": {"joints": q}}, {"movel": typed(goal), "speed": 0.01})
    control = mk.CartesianPlan.plan(arm(), np.radians(q), goal, plan.limits, max_speed=0.01)
    excess = []
    for segment in (plan.steps[1].segment, control):
        assert segment is not None
        rate = 20000.0 / segment.duration
        rows = segment.sample_many(np.arange(20001) / rate).position
        speed, _ = tool_speeds(arm().forward_batch(np.ascontiguousarray(rows)), rate)
        excess.append(float(np.max(speed)) / 0.01 - 1.0)
    print(f"speed above its ceiling of 0.01 m/s, as a part of it: {excess[0]:.1e}, without measuring {excess[1]:.1e}")
    assert excess[0] <= 1e-6  # the allowance of the proof
    assert excess[1] > 1e-6


def test_an_arm_with_more_joints_than_a_pose_needs_takes_lines_with_the_least_motion(tmp_path: Path) -> None:
    """A UR5 on a rail: a pose has endless configurations, so ``near`` cannot name one, and the plan says so."""
    text = (Path(__file__).parents[2] / "examples" / "ur5.urdf").read_text()
    rail = """<link name="floor"/><joint name="rail" type="prismatic"><parent link="floor"/><child link="base_link"/>
      <axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="1" effort="1000"/></joint>"""
    (tmp_path / "rail.urdf").write_text(text.replace("</robot>", rail + "</robot>"))
    (tmp_path / "rail.yaml").write_text("""\
motionkit: program/1
robot: {urdf: rail.urdf, base: floor, tip: tool0}
limits: {max_acceleration: [4, 8, 8, 8, 12, 12, 12], max_jerk: [30, 60, 60, 60, 90, 90, 90]}
points: {home: {joints: [0.2, 0, -90, 90, -90, -90, 0]}}
steps:
  - movej: home
  - movel: {xyz: [0.487, 0.5, 0.292], rpy: [180, 0, -90], near: home}
  - movel: {xyz: [0.487, 0.5, 0.292], rpy: [180, 0, -60]}
""")
    plan = plan_program(mk.load_program(tmp_path / "rail.yaml"))
    assert "near home has no say" in plan.steps[1].notes[0] and plan.steps[2].notes == ()
    assert abs(plan.steps[1].end_q[0] - 0.2) > 0.01  # the rail takes its part
    assert prove(plan, plan.sample(1000.0)).violations == ()


# ---- refusals
@pytest.mark.parametrize(
    ("steps", "error"),
    [
        (({"movej": "home"}, {"movej": shifted(2.0, 0.0, 0.0)}), mk.Unreachable),
        (({"movej": "home"}, {"movel": shifted(0.6, 0.0, 0.0)}), mk.LineOutOfReach),
        (({"movej": {"joints": [165, *HOME[1:]]}}, {"movel": "behind"}), mk.LineCrossesLimit),
    ],
)
def test_an_impossible_step_keeps_its_class_and_says_where_it_stands(
    steps: tuple[dict[str, Any], ...], error: type[mk.MotionkitError]
) -> None:
    behind = typed(arm().forward(np.radians([-165, *HOME[1:]])))
    with pytest.raises(error, match=r"steps\[1\]\.move[jl]: ") as caught:
        planned(*steps, points={"home": {"joints": HOME}, "behind": behind})
    assert type(caught.value) is error
    if isinstance(caught.value, mk.CartesianError):
        assert 0.0 < caught.value.fraction <= 1.0 and caught.value.distance > 0.0
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_the_place_in_a_file_is_named_with_its_line() -> None:
    text = """\
motionkit: program/1
robot: six_axis_example
limits: {max_acceleration: [8, 8, 8, 12, 12, 12], max_jerk: [60, 60, 60, 90, 90, 90]}
steps:
  - movej: {joints: [0, -60, 90, 0, 60, 0]}
  - movel: {xyz: [3, 0, 0]}
"""
    with pytest.raises(mk.LineOutOfReach, match=r"^<text>:6: steps\[1\]\.movel: "):
        plan_program(mk.load_program(text))


@pytest.mark.parametrize("what", ["max_velocity", "max_acceleration", "max_jerk"])
def test_a_limit_that_is_unset_is_refused_even_where_nothing_moves(what: str) -> None:
    resolved = resolve(program({"movej": "home"}))
    limits = list(resolved.limits)
    limits[3] = dataclasses.replace(limits[3], **{what: 0.0})
    with pytest.raises(mk.InvalidLimits, match=r"'j4'.*" + what) as caught:
        plan_program(dataclasses.replace(resolved, limits=tuple(limits)))
    assert caught.value.joint == "j4"


def test_progress_is_told_before_every_step() -> None:
    told: list[tuple[str, float]] = []
    plan_program(program({"movej": "home"}, {"wait": 1}), progress=lambda what, done: told.append((what, done)))
    assert told == [("planning step 0: movej", 0.0), ("planning step 1: wait", 0.5)]


def test_two_plans_of_one_program_are_equal_to_the_bit() -> None:
    steps = ({"movej": {**shifted(0, 0, 0), "near": "home"}}, {"movel": shifted(0.0, 0.1, 0.0)}, {"movej": "aside"})
    one, two = planned(*steps).sample(1000.0), planned(*steps).sample(1000.0)
    assert one == two
