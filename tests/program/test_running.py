"""The main job from end to end in Python: files, report, determinism, and nothing written when anything fails."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import pickle
import platform
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionkit as mk
from motionkit.program import (
    demo_program,
    load_program,
    make_report,
    plan_program,
    prove,
    resolve,
    run_program,
    running,
)

TEXT = """\
motionkit: program/1
robot: six_axis_example
limits: {max_acceleration: [8, 8, 8, 12, 12, 12], max_jerk: [60, 60, 60, 90, 90, 90]}
points:
  home: {joints: [0, -60, 90, 0, 60, 0]}
  down: {xyz: [0.54, 0.1, 0.4], rpy: [180, 0, 0]}
defaults: {speed_joint: 0.5}
steps:
  - movej: home
  - movel: down
  - set: {gripper: closed, light: 3}
  - wait: 0.2
  - note: half way
  - movej: home
"""


def test_the_files_are_there_and_agree(tmp_path: Path) -> None:
    result = run_program(load_program(TEXT), out=tmp_path / "out", rate=500.0)
    assert result.folder == tmp_path / "out"
    assert sorted(p.name for p in result.folder.iterdir()) == ["report.json", "trajectory.csv", "trajectory.json"]
    table = np.loadtxt(result.folder / "trajectory.csv", delimiter=",", skiprows=1)
    assert np.array_equal(table[:, 0], result.motion.times)
    assert np.array_equal(table[:, 1::4], result.motion.positions)
    assert np.array_equal(table[:, 4::4], result.motion.jerks)
    points = json.loads((result.folder / "trajectory.json").read_text())["points"]
    assert np.array_equal([p["positions"] for p in points], result.motion.positions)
    report = json.loads((result.folder / "report.json").read_text())
    assert report == json.loads(result.report.to_json())
    assert report["rows"] == len(table) == len(points)
    assert not np.any(table[-1, 2::4]) and not np.any(table[-1, 3::4])


def test_the_report_says_what_the_table_needs() -> None:
    program = load_program(TEXT)
    data = run_program(program, rate=500.0).report.to_data()
    assert data["format"] == "motionkit-result/1"
    assert data["versions"] == {
        "motionkit": mk.__version__, "python": platform.python_version(), "numpy": np.__version__
    }  # fmt: skip
    assert data["digest"] == resolve(program).digest and len(data["digest"]) == 64
    assert (data["rate"], data["robot"]) == (500.0, "six_axis_example")
    verbs = [step["verb"] for step in data["steps"]]
    assert verbs == ["movej", "movel", "set", "wait", "note", "movej"]
    assert [step["line"] for step in data["steps"]] == [9, 10, 11, 12, 13, 14]
    assert data["steps"][2]["target"] == "gripper = closed, light = 3"
    start, line, _, wait, _, move = data["steps"]
    assert start["start"] == start["end"] == 0.0 and start["pacing"] is None
    assert line["pacing"]["limit"] in ("velocity", "acceleration", "jerk") and line["pacing"]["share"] > 0.9
    facts = line["straight"]
    assert facts["length"] == pytest.approx(math.dist((0.54, 0.1, 0.4), (0.5440896534380867, 0, 0.4423909236273085)))
    assert 0.0 <= facts["least_manipulability_at"] <= 1.0 and facts["least_manipulability"] > 0.0
    assert 0.0 < facts["deviation"] < 1e-4
    assert facts["ratio"] == pytest.approx((line["end"] - line["start"]) / facts["joint_duration"])
    assert wait["end"] - wait["start"] == pytest.approx(0.2) and wait["stop"] is None
    assert move["pacing"]["share"] == pytest.approx(1.0) and move["straight"] is None
    assert move["stop"]["duration"] > 0.0 and move["stop"]["time"] >= move["start"]
    assert data["duration"] == move["end"]
    assert data["totals"]["steps"] == {"movej": 2, "movel": 1, "set": 1, "wait": 1, "note": 1}
    assert data["totals"]["moving"] + data["totals"]["waiting"] == pytest.approx(data["duration"])
    assert [joint["name"] for joint in data["joints"]] == [stop["joint"] for stop in data["stopping"]]
    assert not any("torque" in text for text in (str(data), str(data["joints"])))  # absent, not zero


def test_the_hash_follows_the_program_and_the_robot(tmp_path: Path) -> None:
    digests = {resolve(load_program(text)).digest for text in (TEXT, TEXT.replace("0.2", "0.3"), TEXT + "\n")}
    assert len(digests) == 3
    urdf = Path(__file__).parents[2] / "examples" / "ur5.urdf"
    digests = set()
    for extra in ("", "<!-- changed -->\n"):
        (tmp_path / "arm.urdf").write_text(urdf.read_text() + extra)
        text = TEXT.replace("six_axis_example", f"{{urdf: {tmp_path / 'arm.urdf'}, tip: tool0}}")
        digests.add(
            resolve(load_program(text.split("points")[0] + "steps: [{movej: {joints: [0, 0, 0, 0, 0, 0]}}]")).digest
        )
    assert len(digests) == 2


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    sums = []
    for name in ("one", "two"):
        run_program(load_program(TEXT), out=tmp_path / name)
        files = sorted((tmp_path / name).iterdir())
        sums.append([hashlib.sha256(file.read_bytes()).hexdigest() for file in files])
    assert sums[0] == sums[1]


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_program(load_program(TEXT)).folder is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_refused_before_any_planning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def planned(*_: Any, **__: Any) -> None:
        raise AssertionError("planned before the folder was looked at")

    monkeypatch.setattr(running, "plan_program", planned)
    (tmp_path / "out").write_text("a file")
    with pytest.raises(mk.FileUnreadable, match="--out"):
        run_program(load_program(TEXT), out=tmp_path / "out")
    with pytest.raises(mk.InvalidProgram, match="rate"):
        run_program(load_program(TEXT), out=tmp_path / "new", rate=-1.0)


def test_a_motion_that_fails_its_proof_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = running.plan_program

    def quicker(program: Any, **options: Any) -> mk.ProgramPlan:
        plan = real(program, **options)
        resolved = dataclasses.replace(
            plan.program, limits=tuple(dataclasses.replace(v, max_acceleration=1.0) for v in plan.limits)
        )
        return dataclasses.replace(plan, program=resolved)

    monkeypatch.setattr(running, "plan_program", quicker)
    with pytest.raises(mk.ProofFailed, match=r"acceleration .* beyond"):
        run_program(load_program(TEXT), out=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_step_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(mk.CartesianError):
        run_program(load_program(TEXT.replace("0.54, 0.1", "5.4, 0.1")), out=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_warnings_reach_the_report() -> None:
    text = TEXT.replace("xyz: [0.54, 0.1, 0.4]", "xyz: [540, 100, 400]").replace("- movel: down\n", "- wait: 0.1\n")
    report = run_program(load_program(text)).report
    assert any("millimetre" in warning for warning in report.warnings)
    assert list(report.warnings) == report.to_data()["warnings"]


def test_progress_runs_from_nothing_to_all() -> None:
    told: list[tuple[str, float]] = []
    run_program(load_program(TEXT), progress=lambda what, done: told.append((what, done)))
    fractions = [done for _, done in told]
    assert fractions == sorted(fractions) and fractions[0] == 0.0 and fractions[-1] == 1.0
    assert any("planning step 1: movel" in what for what, _ in told)


def test_ranges_without_end_are_null_in_json() -> None:
    plan = plan_program(demo_program())
    motion = plan.sample(100.0)
    report = make_report(plan, motion, prove(plan, motion))
    endless = dataclasses.replace(report, joints=({**report.joints[0], "upper": math.inf, "lower": -math.inf},))
    joint = json.loads(endless.to_json())["joints"][0]
    assert joint["upper"] is None and joint["lower"] is None


RAIL = """\
<robot name="rail">
  <link name="base"/><link name="carriage"/><link name="arm"/>
  <joint name="rail" type="prismatic">
    <parent link="base"/><child link="carriage"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="3" velocity="1.5" effort="100"/>
  </joint>
  <joint name="turn" type="continuous">
    <parent link="carriage"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit velocity="3" effort="10"/>
  </joint>
</robot>
"""


def test_lengths_and_turns_without_end_keep_their_units(tmp_path: Path) -> None:
    """C9: a rail in metres and a turning joint in radians, each with limits of its own unit."""
    (tmp_path / "rail.urdf").write_text(RAIL)
    (tmp_path / "rail.yaml").write_text(
        "motionkit: program/1\nrobot: rail.urdf\n"
        "limits: {max_acceleration: {rail: 2, turn: 8}, max_jerk: {rail: 10, turn: 60}}\n"
        "steps: [{movej: {joints: [0.5, 0]}}, {movej: {joints: {turn: 720, rail: 2.5}}}]\n"
    )
    result = run_program(load_program(tmp_path / "rail.yaml"), out=tmp_path / "out")
    header = (tmp_path / "out" / "trajectory.csv").read_text().splitlines()[0].split(",")
    assert header[1:9:4] == ["rail_position_m", "turn_position_rad"]
    assert header[4] == "rail_jerk_m_s3" and header[8] == "turn_jerk_rad_s3"
    assert result.motion.positions[-1].tolist() == [2.5, math.radians(720)]
    data = result.report.to_data()
    assert [(j["name"], j["kind"], j["unit"]) for j in data["joints"]] == [
        ("rail", "prismatic", "m"), ("turn", "continuous", "rad")
    ]  # fmt: skip
    assert data["joints"][1]["upper"] is None
    assert [stop["unit"] for stop in data["stopping"]] == ["m", "rad"]
    rail = data["stopping"][0]
    # from its speed at the worst moment the rail needs at least v² / 2a
    assert rail["distance"] > rail["velocity"] ** 2 / 4
    units = {figure["unit"] for figure in data["figures"] if figure["what"] == "velocity"}
    assert units <= {"m/s", "rad/s"} and units


def test_a_motion_of_too_many_rows_is_refused_with_a_rate_that_fits(tmp_path: Path) -> None:
    program = load_program(TEXT.replace("wait: 0.2", "wait: 5000"))
    with pytest.raises(mk.InvalidProgram, match=r"at most 1000000 are written; --rate 199\.\d+"):
        run_program(program, out=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    report = run_program(program, rate=1.0).report
    assert report.rows == math.ceil(report.duration) + 1 > 5000


def test_results_can_be_pickled_and_printed() -> None:
    result = run_program(load_program(TEXT), rate=100.0)
    again = pickle.loads(pickle.dumps(result))
    assert again.motion == result.motion and again.report == result.report and again.proof == result.proof
    assert again.plan.sample(50.0) == result.plan.sample(50.0)
    for part in (result, result.plan.steps[1], result.proof, result.report):
        assert len(str(part)) < 20000
