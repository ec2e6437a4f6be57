"""The proof: silent on what the planners make, loud on every planted fault, its allowances no larger than rounding."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
from typing import Any

import numpy as np
import pytest

import motionkit as mk
from motionkit.program import Proof, SampledMotion, demo_program, plan_program, program_from_data, prove, resolve
from motionkit.program.differences import JointBounds

RATES = (250.0, 1000.0, 4000.0)


@pytest.fixture(scope="module")
def plan() -> mk.ProgramPlan:
    """The demo: joint moves at six tenths of the limits, lines at a ceiling of speed, waits."""
    return plan_program(demo_program())


@pytest.fixture
def motion(plan: mk.ProgramPlan) -> SampledMotion:
    return copy.deepcopy(plan.sample(1000.0))


def first(plan: mk.ProgramPlan, verb: str) -> int:
    """The place of the first step of a verb that takes time."""
    return next(k for k, step in enumerate(plan.steps) if step.step.verb == verb and step.end > step.start)


def kinds(proof: Proof) -> set[str]:
    return {violation.figure.what for violation in proof.violations}


def ramp(motion: SampledMotion, rows: slice) -> np.ndarray:
    """A bump that rises and falls so smoothly that it breaks no limit of the joints: sin^6 over a step."""
    bump = np.zeros(len(motion))
    bump[rows] = np.sin(np.linspace(0.0, math.pi, rows.stop - rows.start)) ** 6
    return bump


def rows_of(motion: SampledMotion, place: int) -> slice:
    rows = np.flatnonzero(motion.steps == place)
    return slice(int(rows[0]), int(rows[-1]) + 1)


# ---- silence
@pytest.mark.parametrize("rate", RATES)
def test_the_demo_is_proved_at_every_rate(plan: mk.ProgramPlan, rate: float) -> None:
    proof = prove(plan, plan.sample(rate))
    assert proof.violations == ()
    assert proof.rows == len(plan.sample(rate))
    proof.require()
    found = {figure.what: figure for figure in proof.figures}
    for what in ("position", "velocity", "acceleration", "jerk", "line position", "line rotation", "tool speed"):
        print(f"{rate:6g} Hz: {what:14} {found[what].value:.6g} of {found[what].limit:.6g} {found[what].unit}")
    # joint moves run at their limit, and lines at their ceiling: a proof that measured less would be blind
    assert found["acceleration"].share > 0.999
    assert found["tool speed"].share > 0.999999
    assert 0.0 < found["line position"].value < 1e-4


def test_figures_name_joint_time_and_step(plan: mk.ProgramPlan, motion: SampledMotion) -> None:
    proof = prove(plan, motion)
    worst = next(figure for figure in proof.figures if figure.what == "velocity")
    assert worst.joint in plan.joint_names
    step = plan.steps[worst.step]
    assert step.start <= worst.time <= step.end and step.step.verb == "movej"
    row = round(worst.time * motion.rate - 0.5)
    joint = plan.joint_names.index(worst.joint)
    slope = (motion.positions[row + 1, joint] - motion.positions[row, joint]) * motion.rate
    assert slope == pytest.approx(worst.value, rel=1e-12)
    assert worst.limit == pytest.approx(step.share * plan.limits[joint].max_velocity, rel=1e-15)
    assert all(figure.step == place for place, figures in enumerate(proof.by_step) for figure in figures)


@pytest.mark.parametrize("rate", RATES)
def test_the_allowance_for_rounding_is_not_larger_than_rounding(rate: float) -> None:
    """Where the jerk is constant a third difference is that jerk, and what differs is rounding alone."""
    steps = [{"movej": {"joints": [0, -60, 90, 0, 60, 0]}}, {"movej": {"joints": [90, -30, 60, 90, 30, 180]}}]
    plan = plan_program(program(*steps))
    motion = plan.sample(rate)
    third = np.diff(motion.positions, 3, axis=0) * rate**3
    steady = np.all([motion.jerks[k : len(motion) - 3 + k] == motion.jerks[:-3] for k in range(4)], axis=0)
    steady[-1] = False  # the end of the motion is between the last two rows
    rounding = np.abs(third - motion.jerks[:-3])[steady]
    allowed = (JointBounds(plan, motion).position_noise()[3:] * 8 * rate**3)[steady]
    used = float(np.max(rounding / allowed))
    print(f"{rate:g} Hz: rounding of jerk up to {rounding.max():.1e} rad/s³, {used:.2f} of its allowance")
    assert 0.02 < used < 0.7


def program(*steps: dict[str, Any], **more: Any) -> mk.Program:
    data: dict[str, Any] = {
        "motionkit": "program/1",
        "robot": "six_axis_example",
        "limits": {"max_acceleration": [8, 8, 8, 12, 12, 12], "max_jerk": [60, 60, 60, 90, 90, 90]},
        "steps": list(steps),
    }
    return program_from_data(data | more)


def test_a_step_between_two_rows_is_no_violation() -> None:
    """A move shorter than a row is not in any row of its own, and may still use its own share of the limits."""
    steps = [{"movej": {"joints": [0, -60, 90, 0, 60, 0]}}]
    for k in range(12):
        steps += [{"wait": 0.01 + 0.0007 * k}, {"movej": {"joints": [1e-7 * (k % 2), -60, 90, 0, 60, 0]}}]
    plan = plan_program(program(*steps))
    assert 0.0 < plan.steps[4].end - plan.steps[4].start < 1e-3
    for rate in (50.0, *RATES):
        assert prove(plan, plan.sample(rate)).violations == ()


def test_a_program_in_which_nothing_moves_is_proved() -> None:
    plan = plan_program(program({"movej": {"joints": [0, -60, 90, 0, 60, 0]}}))
    assert prove(plan, plan.sample(1000.0)).violations == ()


# ---- planted faults
def test_a_motion_that_is_one_percent_too_quick(plan: mk.ProgramPlan, motion: SampledMotion) -> None:
    rows = plan.sample_many(motion.times * 1.01)
    motion.positions[:] = rows.position
    proof = prove(plan, motion)
    assert {"velocity", "acceleration", "jerk", "tool speed"} <= kinds(proof)
    place = first(plan, "movej")
    worst = next(v for v in proof.violations if (v.figure.what, v.figure.step) == ("acceleration", place))
    assert worst.figure.share == pytest.approx(1.01**2, rel=1e-4)
    assert worst.amount == pytest.approx(worst.figure.limit * (1.01**2 - 1.0), rel=1e-2)
    assert worst.rows > 10
    with pytest.raises(mk.ProofFailed, match=r"demo\.yaml:\d+: steps\[\d+\]\.movej: joint 'j\d'.*beyond") as caught:
        proof.require()
    assert caught.value.violations == proof.violations
    assert pickle.loads(pickle.dumps(caught.value)).violations == proof.violations


def test_one_sample_that_is_a_ten_millionth_off(plan: mk.ProgramPlan, motion: SampledMotion) -> None:
    place = first(plan, "movel")
    row = rows_of(motion, place).start + 200
    motion.positions[row, 2] += 1e-7
    proof = prove(plan, motion)
    jerk = next(v for v in proof.violations if v.figure.what == "jerk")
    assert (jerk.figure.joint, jerk.figure.step) == ("j3", place)
    assert abs(jerk.figure.time - motion.times[row]) < 3e-3
    assert jerk.amount > 3e2 - 2 * 60  # the middle binomial coefficient, over h³, beside what the motion uses itself


def test_a_line_that_is_bent_by_two_tenths_of_a_millimetre(plan: mk.ProgramPlan, motion: SampledMotion) -> None:
    """So smoothly that no limit of a joint breaks: only the tool tells."""
    place = first(plan, "movel")
    step, rows = plan.steps[place], rows_of(motion, place)
    bump = ramp(motion, rows)
    for row in range(rows.start, rows.stop):
        sideways = np.linalg.solve(step.chain.jacobian(motion.positions[row]), [0.0, 2e-4 * bump[row], 0, 0, 0, 0])
        motion.positions[row] += sideways
    proof = prove(plan, motion)
    assert not {"velocity", "acceleration", "jerk"} & kinds(proof)
    (violation,) = (v for v in proof.violations if v.figure.what == "line position")
    assert violation.figure.value == pytest.approx(2e-4, rel=1e-3)
    assert violation.figure.step == place


def test_a_line_that_is_turned_by_a_tenth_of_a_degree(plan: mk.ProgramPlan, motion: SampledMotion) -> None:
    place = first(plan, "movel")
    step, rows = plan.steps[place], rows_of(motion, place)
    bump = ramp(motion, rows)
    for row in range(rows.start, rows.stop):
        twist = [0, 0, 0, math.radians(0.1) * bump[row], 0, 0]
        motion.positions[row] += np.linalg.solve(step.chain.jacobian(motion.positions[row]), twist)
    proof = prove(plan, motion)
    assert "line rotation" in kinds(proof) and "line position" not in kinds(proof)
    violation = next(v for v in proof.violations if v.figure.what == "line rotation")
    assert violation.figure.value == pytest.approx(math.radians(0.1), rel=1e-3)


def test_a_joint_move_that_ends_a_microradian_away(plan: mk.ProgramPlan, motion: SampledMotion) -> None:
    """The whole last step is stretched, smoothly and within every limit; only its end is not the point."""
    place = len(plan.steps) - 1
    rows = slice(rows_of(motion, place).start, len(motion))
    s = (motion.positions[rows, 0] - motion.positions[rows.start, 0]) / (
        motion.positions[-1, 0] - motion.positions[rows.start, 0]
    )
    motion.positions[rows, 0] -= 1e-6 * s
    proof = prove(plan, motion)
    assert {"joint from its point", "distance from the end"} <= kinds(proof)
    violation = next(v for v in proof.violations if v.figure.what == "joint from its point")
    assert violation.figure.joint == "j1" and violation.figure.value == pytest.approx(1e-6, rel=1e-3)


def test_a_pose_that_is_missed_by_a_hundredth_of_a_micrometre(plan: mk.ProgramPlan, motion: SampledMotion) -> None:
    place = first(plan, "movel")
    step = plan.steps[place]
    target = mk.SE3.from_translation([1e-8, 0, 0]) * step.step.target.base_T_tcp
    moved = dataclasses.replace(
        step, step=dataclasses.replace(step.step, target=dataclasses.replace(step.step.target, base_T_tcp=target))
    )
    steps = tuple(moved if k == place else other for k, other in enumerate(plan.steps))
    proof = prove(dataclasses.replace(plan, steps=steps), motion)
    assert kinds(proof) == {"tool from its point"}
    assert proof.violations[0].figure.value == pytest.approx(1e-8, rel=0.1)


def test_an_arm_that_moves_while_it_should_wait(plan: mk.ProgramPlan, motion: SampledMotion) -> None:
    place = first(plan, "wait")
    rows = rows_of(motion, place)
    motion.positions[:, 5] += 1e-9 * ramp(motion, rows)
    proof = prove(plan, motion)
    assert any(
        v.figure.what == "velocity" and v.figure.step == place and v.figure.limit == 0.0 for v in proof.violations
    )


def test_a_position_outside_its_range(plan: mk.ProgramPlan, motion: SampledMotion) -> None:
    narrow = list(plan.limits)
    narrow[2] = dataclasses.replace(narrow[2], max_position=2.0)
    resolved = dataclasses.replace(plan.program, limits=tuple(narrow))
    proof = prove(dataclasses.replace(plan, program=resolved), motion)
    assert kinds(proof) == {"position"}
    assert all(v.figure.joint == "j3" and v.figure.limit == 2.0 for v in proof.violations)
    assert max(v.amount for v in proof.violations) == pytest.approx(motion.positions[:, 2].max() - 2.0, rel=1e-9)


@pytest.mark.parametrize(
    ("field", "value", "what"), [("max_speed", 0.399, "tool speed"), ("max_turn", 0.5, "tool turn")]
)
def test_a_tool_above_its_ceiling(
    plan: mk.ProgramPlan, motion: SampledMotion, field: str, value: float, what: str
) -> None:
    place = next(
        k
        for k, step in enumerate(plan.steps)
        if step.line and step.line.start.rotation.angle_to(step.line.end.rotation) > 0.5
    )
    line = dataclasses.replace(plan.steps[place].line, **{field: value})  # type: ignore[type-var]
    steps = tuple(dataclasses.replace(s, line=line) if k == place else s for k, s in enumerate(plan.steps))
    proof = prove(dataclasses.replace(plan, steps=steps), motion)
    assert kinds(proof) == {what}
    assert proof.violations[0].figure.step == place


@pytest.mark.parametrize("column", ["positions", "velocities", "accelerations", "jerks"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_number_that_is_none(plan: mk.ProgramPlan, motion: SampledMotion, column: str, value: float) -> None:
    getattr(motion, column)[777, 3] = value
    proof = prove(plan, motion)
    assert kinds(proof) == {column}
    assert proof.violations[0].figure.time == motion.times[777]


@pytest.mark.parametrize(
    ("column", "factor", "what"),
    [
        ("velocities", 1.001, "velocity column - difference"),
        ("velocities", 0.0, "velocity column - difference"),
        ("accelerations", 1.02, "acceleration column - difference"),
        ("accelerations", -1.0, "acceleration column - difference"),
        ("jerks", 0.9, "jerk column - difference"),
        ("jerks", -1.0, "jerk column - difference"),
        ("jerks", 1.001, "jerk column"),
    ],
)
def test_a_column_that_is_not_what_the_positions_do(
    plan: mk.ProgramPlan, motion: SampledMotion, column: str, factor: float, what: str
) -> None:
    getattr(motion, column)[:] *= factor
    assert what in kinds(prove(plan, motion))


def test_a_last_row_that_is_not_at_rest(plan: mk.ProgramPlan, motion: SampledMotion) -> None:
    motion.velocities[-1, 0] = 1e-15
    assert kinds(prove(plan, motion)) == {"velocity column at rest"}


def test_an_acceleration_that_steps_is_caught_at_every_rate(plan: mk.ProgramPlan) -> None:
    """The control: the same move with constant acceleration, then constant deceleration, in the same time.

    Velocity and acceleration keep their limits; only the jerk does not, since the acceleration jumps.
    """
    place = first(plan, "movej")
    step = plan.steps[place]
    for rate in RATES:
        motion = copy.deepcopy(plan.sample(rate))
        rows = rows_of(motion, place)
        s = (motion.times[rows] - step.start) / (step.end - step.start)
        progress = np.where(s < 0.5, 2 * s * s, 1 - 2 * (1 - s) ** 2)
        motion.positions[rows] = step.start_q + progress[:, np.newaxis] * (step.end_q - step.start_q)
        proof = prove(plan, motion)
        assert "jerk" in kinds(proof) and not {"velocity", "acceleration"} & kinds(proof)
        worst = max(v.figure.share for v in proof.violations if v.figure.what == "jerk")
        print(f"{rate:g} Hz: an acceleration that steps shows as {worst:.1f} times the jerk limit")
        assert worst > 5.0


def test_the_whole_program_is_resolved_once(plan: mk.ProgramPlan) -> None:
    """A plan of a resolved program and one of the program as typed are the same motion."""
    assert plan_program(resolve(demo_program())).sample(200.0) == plan.sample(200.0)
