"""What each command prints: for a person, as JSON, and that it says what the library says."""

from __future__ import annotations

import json
import math
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionkit as mk
from motionkit.cli import main

DATA = Path(__file__).parents[1] / "data" / "programs"
RAIL = str(DATA / "bad" / "two_joints.urdf")  # a prismatic joint, then a revolute one
TYPED = [10.0, -60.0, 90.0, -5.0, 60.0, 0.5]

Capture = pytest.CaptureFixture[str]


def run_json(capsys: Capture, *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    return json.loads(shown.out)


# ---- fk and ik
def test_fk_takes_degrees_negative_ones_too(capsys: Capture) -> None:
    data = run_json(capsys, "fk", "six_axis_example", *(str(value) for value in TYPED))
    chain = mk.SerialChain.six_axis_example()
    pose = chain.forward([math.radians(value) for value in TYPED])
    assert isinstance(pose, mk.SE3)
    assert data["xyz"] == pose.translation.tolist()
    assert data["wxyz"] == list(pose.rotation.wxyz)
    assert data["rpy_degrees"] == [math.degrees(angle) for angle in pose.rotation.rpy()]
    assert (data["base"], data["tip"]) == ("base_link", "flange")


@pytest.mark.parametrize("spelling", ["-60", "-60.0", "-6e1", "-6.0E+1"])
def test_fk_takes_every_spelling_of_a_negative_number(spelling: str, capsys: Capture) -> None:
    data = run_json(capsys, "fk", "six_axis_example", "0", spelling, "90", "0", "60", "0")
    reference = run_json(capsys, "fk", "six_axis_example", "0", "-60", "90", "0", "60", "0")
    assert data == reference


def test_fk_takes_metres_for_a_prismatic_joint(capsys: Capture) -> None:
    assert run_json(capsys, "fk", RAIL, "0.5", "-90")["xyz"] == [0.5, 0.0, 0.0]


def test_fk_for_a_person(capsys: Capture) -> None:
    assert main(["fk", "six_axis_example", "0", "0", "0", "0", "0", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "flange in base_link"
    assert lines[1].split() == ["xyz", "0.900000", "0.000000", "0.350000", "m"]


def test_fk_and_ik_are_inverse_to_each_other(capsys: Capture) -> None:
    pose = run_json(capsys, "fk", "six_axis_example", *(str(value) for value in TYPED))
    target = [str(value) for value in (*pose["xyz"], *pose["rpy_degrees"])]
    seed = [str(value + 3.0) for value in TYPED]
    words = ["ik", "six_axis_example", "--xyz", *target[:3], "--rpy", *target[3:], "--seed", *seed]
    data = run_json(capsys, *words)
    # the solver stops within 1e-9 m and rad; the arm is far from singular here, so joints follow within 1e-6 degrees
    assert list(data["joints"].values()) == pytest.approx(TYPED, abs=1e-6)
    assert data["position_error"] <= 1e-9
    assert data["rotation_error"] <= 1e-9
    assert data["iterations"] >= 1
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "-60.000000" in shown
    assert "iterations" in shown


def test_ik_finds_a_start_by_itself(capsys: Capture) -> None:
    data = run_json(capsys, "ik", "six_axis_example", "--xyz", "0.5", "-0.1", "0.4", "--rpy", "180", "0", "-20")
    pose = mk.SerialChain.six_axis_example().forward(np.array(data["q"]))
    assert isinstance(pose, mk.SE3)
    np.testing.assert_allclose(pose.translation, [0.5, -0.1, 0.4], atol=1e-9)  # the solver's own tolerance


# ---- stop
def test_stop_prints_the_figures_of_requirement_e4(capsys: Capture) -> None:
    """E4: 0.2905 m from 1.5 m/s at rest acceleration; 0.9673 m with a peak of 2.3 m/s from +8 m/s²; 0.199 m behind."""
    limits = ["--max-acceleration", "8", "--max-jerk", "40"]
    plain = run_json(capsys, "stop", "--velocity", "1.5", *limits)
    assert round(plain["stopping_distance"], 4) == 0.2905
    rising = run_json(capsys, "stop", "--velocity", "1.5", "--acceleration", "8", *limits)
    assert round(rising["stopping_distance"], 4) == 0.9673
    assert round(rising["peak_speed"], 9) == 2.3
    falling = run_json(capsys, "stop", "--velocity", "0.05", "--acceleration", "-8", *limits)
    assert round(falling["stopping_distance"], 3) == -0.199


def test_stop_prints_the_safe_speed_of_requirement_e5(capsys: Capture) -> None:
    """E5: 0.450 m are needed at 2 m/s with 8 m/s² and 40 m/s³, where the trapezoidal formula says 0.250 m."""
    words = ["stop", "--max-acceleration", "8", "--max-jerk", "40", "--max-velocity", "5", "--clearance", "0.45"]
    assert round(run_json(capsys, *words)["safe_speed"], 9) == 2.0
    assert run_json(capsys, *words, "--reaction-time", "0.1")["safe_speed"] < 1.5
    assert main(words) == 0
    assert "safe speed         2 with 0.45 ahead" in capsys.readouterr().out


def test_stop_does_not_ignore_options_that_have_no_effect(capsys: Capture) -> None:
    limits = ["stop", "--max-acceleration", "8", "--max-jerk", "40"]
    assert main([*limits, "--reaction-time", "0.1"]) == 2
    assert "give --clearance too" in capsys.readouterr().err
    assert main([*limits, "--clearance", "0.1"]) == 2
    assert "give --max-velocity" in capsys.readouterr().err


# ---- info and check
def test_info_lists_the_joints(capsys: Capture) -> None:
    data = run_json(capsys, "info", RAIL)
    assert [(joint["name"], joint["kind"], joint["unit"]) for joint in data["joints"]] == [
        ("rail", "prismatic", "m"),
        ("turn", "revolute", "rad"),
    ]
    assert [joint["max_velocity"] for joint in data["joints"]] == [1.0, None]
    assert main(["info", RAIL]) == 0
    shown = capsys.readouterr().out
    rail, turn = (line.split() for line in shown.splitlines() if line.split()[:1] in (["rail"], ["turn"]))
    assert rail[1:] == ["prismatic", "0", "2", "1", "100", "m"]
    assert turn[1:] == ["revolute", "-171.887", "171.887", "unset", "10", "deg"]


def test_info_has_limits_that_json_does_not_know(tmp_path: Path, capsys: Capture) -> None:
    """A continuous joint has no ends: infinity is text in JSON, which has no number for it."""
    wheel = tmp_path / "wheel.urdf"
    wheel.write_text(Path(RAIL).read_text().replace('"revolute"', '"continuous"'))
    assert run_json(capsys, "info", str(wheel))["joints"][1]["upper"] == "inf"
    assert main(["info", str(wheel)]) == 0
    assert "continuous" in capsys.readouterr().out


def test_check_of_a_robot_lists_the_findings(capsys: Capture) -> None:
    data = run_json(capsys, "check", RAIL)
    assert data["joints"] == ["rail", "turn"]
    assert any("joint 'turn'" in finding["where"] for finding in data["findings"])
    assert main(["check", RAIL]) == 0
    shown = capsys.readouterr().out
    assert "velocity limit" in shown
    assert "2 moving joints from base_link to tool0" in shown


def test_check_of_a_robot_with_two_equal_branches_says_so_and_is_content(tmp_path: Path, capsys: Capture) -> None:
    twin = tmp_path / "twin.urdf"
    extra = (
        '<link name="camera"/><joint name="mount" type="fixed"><parent link="slide"/><child link="camera"/></joint>'
        '<link name="other"/><joint name="turn2" type="revolute"><parent link="slide"/><child link="other"/>'
        '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>'
    )
    twin.write_text(Path(RAIL).read_text().replace("</robot>", extra))
    assert main(["check", str(twin)]) == 0
    assert "tool0, other" in capsys.readouterr().out
    assert main(["check", str(twin), "--tip", "other"]) == 0
    assert "from base_link to other" in capsys.readouterr().out
    assert main(["check", str(twin), "--tip", "othr"]) == 2
    assert "did you mean 'other'?" in capsys.readouterr().err


def test_check_of_a_program_does_not_plan_it(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A target far out of reach is a matter for planning; names, units and limits are not."""
    monkeypatch.chdir(tmp_path)
    assert main(["check", str(DATA / "good" / "everything.yaml")]) == 0
    assert "10 steps (2 movej, 1 note, 3 movel" in capsys.readouterr().out
    text = (DATA / "good" / "everything.yaml").read_text().replace("[0.05, 0.02, 0.0]", "[500, 0.02, 0.0]")
    Path("far.yaml").write_text(text)
    data = run_json(capsys, "check", "far.yaml")
    assert data["steps"] == 10
    assert data["verbs"]["movel"] == 3
    assert len(data["warnings"]) == 1
    assert "500 m is long" in data["warnings"][0]
    assert main(["check", "far.yaml"]) == 0
    assert capsys.readouterr().out.startswith("warning: far.yaml:15: points.pick.xyz: 500 m is long")
    assert [path.name for path in tmp_path.iterdir()] == ["far.yaml"]


# ---- doctor
def test_doctor_reports_versions_without_loading_a_compiler(capsys: Capture) -> None:
    data = run_json(capsys, "doctor")
    assert data["motionkit"] == mk.__version__
    assert data["requires"]["numba"] == metadata.version("numba")
    assert set(data["requires"]) >= {"numpy", "numba", "msgspec", "lxml", "ruamel.yaml", "tyro", "rich"}
    assert {"view", "plot", "mjcf", "ros"} <= set(data["extras"])
    assert data["cpus"] >= 1
    assert main(["doctor"]) == 0
    assert "cache_writable" in capsys.readouterr().out


def test_doctor_sees_a_cache_folder_that_cannot_be_written(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder should be")
    monkeypatch.delenv("MOTIONKIT_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setenv("LOCALAPPDATA", str(blocked))
    monkeypatch.setenv("HOME", str(blocked))
    data = run_json(capsys, "doctor")
    assert data["cache"].startswith(str(blocked))
    assert data["cache_writable"] is False
