"""Programs as typed, and what they mean: names, degrees and metres, frames, tools, defaults, warnings."""

from __future__ import annotations

import copy
import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionkit as mk
from motionkit.program import (
    FrameChange,
    JointTarget,
    MoveJoint,
    MoveLine,
    MoveLStep,
    Note,
    PoseTarget,
    Program,
    ResolvedProgram,
    SetOutput,
    Target,
    ToolChange,
    Wait,
    json_schema,
    load_arm,
    load_model,
    load_program,
    program_from_data,
    resolve,
)
from motionkit.program._json_schema import SCHEMA_FILE
from motionkit.program.schema import STEP_TYPES

DATA = Path(__file__).parents[1] / "data" / "programs"
EVERYTHING = DATA / "good" / "everything.yaml"

HEAD = """
motionkit: program/1
robot: six_axis_example
limits: {max_acceleration: [8, 8, 8, 12, 12, 12], max_jerk: [60, 60, 60, 90, 90, 90]}
"""
HOME = "points: {home: {joints: [0, -60, 90, 0, 60, 0]}}\n"


def resolved(text: str) -> ResolvedProgram:
    return resolve(load_program(text))


# ---- as typed
def test_numbers_stay_as_typed() -> None:
    """Degrees and metres, whole numbers whole: what is written back is what its author wrote."""
    program = load_program(EVERYTHING)
    assert program.points["home"].joints == (0, -60, 90, 0, 60, 0)
    assert all(isinstance(value, int) for value in program.points["home"].joints)
    assert program.frames["table"].xyz == (0.45, 0, 0.10)
    step = program.steps[3]
    assert isinstance(step, MoveLStep)
    assert (step.movel, step.speed, step.turn) == ("pick", 0.1, 45)


def test_a_program_written_back_reads_as_the_same_program(tmp_path: Path) -> None:
    program = load_program(EVERYTHING)
    (tmp_path / "again.json").write_text(json.dumps(program.to_data()))
    again = load_program(tmp_path / "again.json")
    assert again.to_data() == program.to_data()
    assert resolve(again).steps[0].index == 0
    assert program_from_data(program.to_data()).to_data() == program.to_data()


def test_yaml_and_json_of_one_program_mean_the_same() -> None:
    program = load_program(EVERYTHING)
    from_yaml, from_json = resolve(program), resolve(program_from_data(program.to_data()))
    assert from_yaml.limits == from_json.limits
    assert from_yaml.tools == from_json.tools
    for one, other in zip(from_yaml.steps, from_json.steps, strict=True):
        different = {name for name in type(one).__dataclass_fields__ if getattr(one, name) != getattr(other, name)}
        assert different <= {"line"}  # a program made in code has no lines


def test_a_program_made_in_code_is_checked_like_a_file() -> None:
    good = load_program(EVERYTHING)
    made = Program(robot=good.robot, limits=good.limits, points=good.points, frames=good.frames, steps=good.steps[:1])
    assert resolve(made).steps[0].line is None
    wrong: Any = Target(joints=(0, math.nan, 0, 0, 0, 0))
    with pytest.raises(mk.InvalidProgram, match=r"^<program>: points\.home\.joints\[1\]: expected a finite number"):
        resolve(Program(robot=good.robot, limits=good.limits, points={"home": wrong}, steps=good.steps[:1]))


def test_programs_are_values() -> None:
    program = load_program(EVERYTHING)
    for value in (program, resolve(program)):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
    assert len(repr(resolve(program))) < 6000
    with pytest.raises(AttributeError):
        program.robot = "other"  # type: ignore[misc]


def test_a_text_is_told_from_a_path_by_its_line_break() -> None:
    assert load_program(HEAD + HOME + "steps: [{movej: home}]\n").source.name == "<text>"
    with pytest.raises(mk.FileUnreadable):
        load_program("steps: [{movej: home}]")


# ---- what it means
def test_degrees_become_radians_once_and_metres_stay() -> None:
    program = resolved(HEAD + HOME + "steps: [{movej: home}]\n")
    step = program.steps[0]
    assert isinstance(step, MoveJoint)
    assert isinstance(step.target, JointTarget)
    # one multiplication, so the same bits as math.radians
    assert step.target.q == tuple(math.radians(v) for v in (0, -60, 90, 0, 60, 0))
    assert step.speed_joint == 1.0


def test_a_prismatic_joint_is_typed_in_metres() -> None:
    program = resolve(
        program_from_data(
            {
                "motionkit": "program/1",
                "robot": str(DATA / "bad" / "two_joints.urdf"),
                "limits": {"max_velocity": {"turn": 2}, "max_acceleration": [1, 2], "max_jerk": [10, 20]},
                "start": {"joints": {"turn": 90, "rail": 0.5}},
                "steps": [{"movej": {"joints": [1.5, -45]}}],
            }
        )
    )
    step = program.steps[0]
    assert isinstance(step, MoveJoint)
    assert isinstance(step.target, JointTarget)
    assert program.start == (0.5, math.pi / 2)
    assert step.target.q == (1.5, -math.pi / 4)
    rail, turn = program.limits
    assert (rail.max_velocity, rail.max_acceleration, rail.max_jerk) == (1.0, 1.0, 10.0)
    assert (rail.min_position, rail.max_position) == (0.0, 2.0)
    assert (turn.max_velocity, turn.max_acceleration, turn.max_jerk) == (2.0, 2.0, 20.0)


def test_the_example_of_every_verb() -> None:
    program = resolve(load_program(EVERYTHING))
    kinds = [type(step) for step in program.steps]
    assert kinds == [
        MoveJoint, Note, MoveLine, MoveLine, SetOutput, Wait, FrameChange, MoveLine, ToolChange, MoveJoint,
    ]  # fmt: skip
    assert [step.line for step in program.steps] == [18, 19, 20, 21, 25, 26, 27, 28, 30, 31]
    above, pick, inside = program.steps[2], program.steps[3], program.steps[7]
    assert isinstance(above, MoveLine)
    assert isinstance(pick, MoveLine)
    assert isinstance(inside, MoveLine)
    assert (above.speed, above.turn) == (0.25, math.pi / 2)
    assert (pick.speed, pick.turn) == (0.1, math.pi / 4)
    assert (above.position_tolerance, above.rotation_tolerance) == (1e-4, math.radians(0.05))
    assert (pick.position_tolerance, pick.rotation_tolerance) == (5e-5, math.radians(0.05))
    # a frame named in the pose and the same frame made active mean the same
    assert isinstance(above.target, PoseTarget)
    assert isinstance(inside.target, PoseTarget)
    assert above.target.base_T_tcp == inside.target.base_T_tcp
    # the table is turned by 90 degrees: its x is the base's y
    np.testing.assert_allclose(above.target.base_T_tcp.translation, [0.45 - 0.02, 0.05, 0.2], atol=1e-15)
    assert isinstance(pick.target, PoseTarget)
    assert (pick.target.name, pick.target.near_name) == ("pick", "home")
    assert pick.target.near == tuple(math.radians(v) for v in (0, -60, 90, 0, 60, 0))
    assert program.steps[4].outputs == (("gripper", "closed"), ("pressure", 5.5), ("light", "on"), ("alarm", False))
    first, last = program.steps[0], program.steps[-1]
    assert isinstance(first, MoveJoint)
    assert isinstance(last, MoveJoint)
    assert (first.tool.name, first.speed_joint, last.tool.name, last.speed_joint) == ("gripper", 0.5, "flange", 1.0)
    assert first.tool.mass == 1.2
    assert first.tool.com == (0.0, 0.0, 0.06)
    assert program.limits[0].max_velocity == 2.5  # tightened by the program
    assert program.limits[1].max_velocity == 3.0  # the robot's own
    assert program.warnings == ()


def test_a_named_pose_without_a_frame_follows_the_active_one() -> None:
    program = resolved(
        HEAD
        + "frames: {table: {xyz: [0.1, 0, 0]}}\n"
        + "points:\n"
        + "  home: {joints: [0, -60, 90, 0, 60, 0]}\n"
        + "  p: {xyz: [0.5, 0, 0.4]}\n"
        + "  b: {xyz: [0.5, 0, 0.4], frame: base}\n"
        + "steps: [{movej: home}, {movel: p}, {frame: table}, {movel: p}, {movel: b}, {frame: base}, {movel: p}]\n"
    )
    x = [step.target.base_T_tcp.translation[0] for step in program.steps if isinstance(step, MoveLine)]
    assert x == pytest.approx([0.5, 0.6, 0.5, 0.5])  # plain sums of two numbers
    assert [step.frame for step in program.steps if isinstance(step, MoveLine)] == ["base", "table", "table", "base"]


def test_rpy_is_roll_pitch_yaw_in_degrees_about_fixed_axes() -> None:
    program = resolved(HEAD + HOME + "steps: [{movej: home}, {movel: {xyz: [0.5, 0, 0.4], rpy: [180, 0, 90]}}]\n")
    step = program.steps[1]
    assert isinstance(step, MoveLine)
    assert isinstance(step.target, PoseTarget)
    expected = mk.SO3.from_rpy(math.pi, 0.0, math.pi / 2)
    assert step.target.base_T_tcp.rotation.angle_to(expected) < 1e-15
    # tool down, its x along the base's y
    np.testing.assert_allclose(expected.matrix(), [[0, 1, 0], [1, 0, 0], [0, 0, -1]], atol=1e-15)


def test_a_line_to_a_joint_point_keeps_the_joints() -> None:
    program = resolved(HEAD + HOME + "start: home\nsteps: [{movel: home}]\n")
    step = program.steps[0]
    assert isinstance(step, MoveLine)
    assert isinstance(step.target, JointTarget)
    assert program.start == step.target.q


def test_a_start_allows_a_line_first_and_a_bare_pose_first() -> None:
    pose = "{xyz: [0.5, 0, 0.4], rpy: [180, 0, 0]}"
    for verb in ("movej", "movel"):
        program = resolved(HEAD + HOME + f"start: {{joints: [0, -60, 90, 0, 60, 0]}}\nsteps: [{{{verb}: {pose}}}]\n")
        assert program.start is not None


def test_blend_zero_is_accepted_everywhere() -> None:
    resolved(HEAD + HOME + "defaults: {blend: 0}\nsteps: [{movej: home, blend: 0}, {movel: home, blend: 0.0}]\n")


def test_a_joint_exactly_at_its_limit_is_accepted_and_one_ulp_beyond_refused() -> None:
    upper = math.degrees(mk.SerialChain.six_axis_example().limits[0].upper)
    line = "points: {{home: {{joints: [{0!r}, -60, 90, 0, 60, 0]}}}}\nsteps: [{{movej: home}}]\n"
    resolved(HEAD + line.format(upper))
    with pytest.raises(mk.JointLimitViolated) as caught:
        resolved(HEAD + line.format(math.nextafter(upper, 1000)))
    assert caught.value.joint == "j1"
    assert caught.value.value > caught.value.limit == math.radians(upper)


def test_the_robot_file_is_found_beside_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "arms").mkdir()
    (tmp_path / "arms" / "arm.urdf").write_bytes((DATA / "bad" / "two_joints.urdf").read_bytes())
    (tmp_path / "job.yaml").write_text(
        "motionkit: program/1\nrobot: {urdf: arms/arm.urdf, base: base_link, tip: slide}\n"
        "limits: {max_acceleration: [1], max_jerk: [1]}\nsteps: [{movej: {joints: [0.5]}}]\n"
    )
    monkeypatch.chdir("/")
    program = resolve(load_program(tmp_path / "job.yaml"))
    assert program.chain.joint_names == ("rail",)
    assert program.name == "job"


def test_the_digest_changes_with_the_program_and_with_the_robot(tmp_path: Path) -> None:
    arm = tmp_path / "arm.urdf"
    arm.write_bytes((DATA / "bad" / "two_joints.urdf").read_bytes())
    job = tmp_path / "job.yaml"
    text = (
        "motionkit: program/1\nrobot: {urdf: arm.urdf, tip: slide}\n"
        "limits: {max_acceleration: [1], max_jerk: [1]}\nsteps: [{movej: {joints: [0.5]}}]\n"
    )
    job.write_text(text)
    first = resolve(load_program(job)).digest
    assert resolve(load_program(job)).digest == first
    job.write_text(text.replace("0.5", "0.6"))
    second = resolve(load_program(job)).digest
    job.write_text(text)
    arm.write_text(arm.read_text().replace('upper="2"', 'upper="3"'))
    assert len({first, second, resolve(load_program(job)).digest}) == 3


# ---- warnings
@pytest.mark.parametrize(
    ("line", "warnings"),
    [
        ("{movej: home}", []),
        ("{movel: {xyz: [500, 0, 400], rpy: [180, 0, 0]}}", ["<text>:6: steps[1].movel.xyz: 500 m is long"]),
        ("{movel: {xyz: [10, 0, -10]}}", []),
        ("{movel: {xyz: [0.5, 0, 0.4], rpy: [3.14, 0, 0]}}", ["<text>:6: steps[1].movel.rpy[0]: every roll"]),
        ("{movel: {xyz: [0.5, 0, 0.4], rpy: [3, 0, 0]}}", []),
        ("{movel: {xyz: [0.5, 0, 0.4], rpy: [7.5, 0, 0]}}", []),
        ("{movel: {xyz: [0.5, 0, 0.4], rpy: [0, 0, 0]}}", []),
    ],
)
def test_slips_of_unit_are_warned_of(line: str, warnings: list[str]) -> None:
    program = resolved(HEAD + HOME + f"steps: [{{movej: home}}, {line}]\n")
    assert len(program.warnings) == len(warnings)
    for warning, start in zip(program.warnings, warnings, strict=True):
        assert warning.startswith(start)


def test_joints_that_look_like_radians_are_warned_of_once() -> None:
    radians = "points: {home: {joints: [0, -1.047, 1.571, 0, 1.047, 0]}, b: {joints: [0.5, 0, 0, 0, 0.25, 0]}}\n"
    steps = "steps: [{movej: home}, {movej: b}]\n"
    (warning,) = resolved(HEAD + radians + steps).warnings
    assert warning.startswith("<text>:5: points.home.joints[1]: every joint angle of the program is within")
    # one value in degrees anywhere, and the small ones are believed
    assert resolved(HEAD + radians.replace("0.5,", "45,") + steps).warnings == ()


# ---- arms
def test_arms_by_name_and_by_file() -> None:
    arm = load_arm("six_axis_example")
    assert (arm.name, arm.chain.n) == ("six_axis_example", 6)
    assert load_model("two_joints.urdf", folder=DATA / "bad").name == "two_joints"
    with pytest.raises(mk.InvalidModel, match="no moving joint"):
        load_arm(str(DATA / "bad" / "two_joints.urdf").replace("two_joints", "still"))


# ---- the JSON Schema
def test_the_shipped_schema_is_the_one_the_classes_make() -> None:
    """Run ``python tools/program_schema.py`` when this fails after a change of the format."""
    assert json.loads(SCHEMA_FILE.read_text(encoding="utf-8")) == json.loads(json.dumps(json_schema()))


def test_the_schema_knows_every_key_and_allows_no_other() -> None:
    schema = json_schema()
    assert set(schema["properties"]) == {name for name in Program.__struct_fields__ if name != "source"}
    parts = schema["$defs"]
    for verb, kind in STEP_TYPES.items():
        part = parts[kind.__name__]
        assert set(part["properties"]) == set(kind.__struct_fields__)
        assert part["required"] == [verb]
    assert all(part["additionalProperties"] is False for part in parts.values())
    assert "null" not in json.dumps(schema)
    for part in parts.values():
        assert all("description" in field for field in part["properties"].values())
