"""``motionkit run`` and ``motionkit demo``: what they print, what they write, and how every way of failing ends."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from motionkit.cli import main

Capture = pytest.CaptureFixture[str]
EXAMPLES = Path(__file__).parents[2] / "examples"

HEAD = f"""\
motionkit: program/1
robot: {{urdf: {EXAMPLES / "ur5.urdf"}, tip: tool0}}
limits: {{max_acceleration: [8, 8, 8, 12, 12, 12], max_jerk: [60, 60, 60, 90, 90, 90]}}
points:
  home: {{joints: [0, -90, 90, -90, -90, 0]}}
steps:
  - movej: home
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def listing(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def written(folder: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}


# ---- what works
def test_run_writes_a_folder_named_after_the_program(here: Path, capsys: Capture) -> None:
    (here / "carry.yaml").write_text(HEAD + "  - movej: {joints: [30, -90, 90, -90, -90, 0]}\n")
    assert main(["run", "carry.yaml"]) == 0
    assert listing(here) == ["carry", "carry.yaml"]
    assert listing(here / "carry") == ["report.json", "trajectory.csv", "trajectory.json"]
    shown = capsys.readouterr()
    assert shown.err == ""
    for text in (
        "carry on ur5.urdf",
        "movej home",
        "shoulder_pan_joint acceleration 100 %",
        "worst figures of",
        "shoulder_pan_joint at ",
        "furthest stop of each joint",
        "proved and written: carry",
    ):
        assert text in shown.out
    assert main(["run", "carry.yaml"]) == 0  # the earlier result is replaced
    assert main(["run", "carry.yaml", "--out", "else/where", "--rate", "100"]) == 0
    rows = len((here / "carry" / "trajectory.csv").read_text().splitlines()) - 1
    assert len((here / "else" / "where" / "trajectory.csv").read_text().splitlines()) - 1 == pytest.approx(
        rows / 10, abs=2
    )


def test_run_answers_in_json_and_nothing_else(here: Path, capsys: Capture) -> None:
    (here / "carry.yaml").write_text(HEAD + "  - note: hello\n")
    assert main(["run", "carry.yaml", "--json"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert json.loads(shown.out) == json.loads((here / "carry" / "report.json").read_text())


def test_the_demo_ends_with_its_files_and_its_worst_figures(here: Path, capsys: Capture) -> None:
    assert main(["demo"]) == 0
    assert listing(here / "demo") == ["report.json", "trajectory.csv", "trajectory.json"]
    shown = capsys.readouterr().out
    for text in ("demo on six_axis_example", "movel inner", "line position", "tool speed", "proved and written: demo"):
        assert text in shown
    report = json.loads((here / "demo" / "report.json").read_text())
    shares = {figure["what"]: figure["share"] for figure in report["figures"]}
    print("worst shares of the demo:", {what: round(share, 6) for what, share in shares.items()})
    # one millionth is what the proof allows a ceiling of the tool, and rounding the joint limits
    assert all(share <= 1.0 + 1e-6 for what, share in shares.items() if " column" not in what)


def test_the_same_program_gives_the_same_bytes_in_two_processes(here: Path) -> None:
    """Hash seeds differ between processes; nothing that is written may depend on them, nor on the time of day."""
    (here / "carry.yaml").write_text(HEAD + "  - movel: {xyz: [0.5, 0.2, 0.3], rpy: [180, 0, -90]}\n")
    sums = []
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        command = [sys.executable, "-m", "motionkit.cli", "run", str(here / "carry.yaml"), "--out", f"out{seed}"]
        subprocess.run(command, check=True, env=environment, cwd=here, capture_output=True)
        sums.append(written(here / f"out{seed}"))
    assert sums[0] == sums[1]


# ---- what cannot be done, and what is wrong
LINE = "  - movel: {xyz: [%s], rpy: [180, 0, -90]}\n"
FLIP = "  - movel: {joints: [5, -90, 90, -270, 90, 180]}\n"
IMPOSSIBLE = {
    "through a singularity": (HEAD + LINE % "-0.113, 0.109, 0.592", "LineThroughSingularity", "steps[1].movel"),
    "out of reach": (HEAD + LINE % "1.4, 0.1, 0.3", "LineOutOfReach", "steps[1].movel"),
    "joint target out of reach": (HEAD + "  - movej: {xyz: [3, 0, 0.3]}\n", "Unreachable", "steps[1].movej"),
    "over a joint limit": (
        HEAD.replace("90, -90, -90, 0]", "90, -90, -90, 355]")
        + "  - movel: {xyz: [0.487, 0.109, 0.292], rpy: [180, 0, -110]}\n",
        "LineCrossesLimit",
        "steps[1].movel",
    ),
    "into another configuration": (HEAD + FLIP, "BranchFlip", "steps[1].movel"),
}
WRONG = {
    "an unset limit": (HEAD.replace(", max_jerk: [60, 60, 60, 90, 90, 90]", ""), "InvalidLimits", "no jerk limit"),
    "a typed value among degrees": (
        HEAD.replace("[0, -90, 90", "[{revolute: 0.4}, -90, 90"), "InvalidProgram", "points.home.joints[0]"
    ),
    "a key that is there twice": (HEAD.replace("steps:", "points: {}\nsteps:"), "InvalidProgram", "twice"),
    "a verb that is misspelt": (HEAD + "  - movel_: home\n", "InvalidProgram", "did you mean 'movel'"),
    "a verb of a later version": (HEAD + "  - repeat: {times: 2, steps: []}\n", "InvalidProgram", "repeat"),
    "a joint out of its range": (HEAD + "  - movej: {joints: [400, 0, 0, 0, 0, 0]}\n", "JointLimitViolated", "400"),
    "no such robot": (HEAD.replace("ur5.urdf", "ur6.urdf"), "FileUnreadable", "ur6.urdf"),
}  # fmt: skip


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(("text", "error", "telling"), IMPOSSIBLE.values(), ids=list(IMPOSSIBLE))
def test_a_motion_that_cannot_be_made_ends_with_1(
    text: str, error: str, telling: str, as_json: bool, here: Path, capsys: Capture
) -> None:
    refused(1, text, error, telling, as_json, here, capsys)


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(("text", "error", "telling"), WRONG.values(), ids=list(WRONG))
def test_wrong_input_ends_with_2(
    text: str, error: str, telling: str, as_json: bool, here: Path, capsys: Capture
) -> None:
    refused(2, text, error, telling, as_json, here, capsys)


def refused(code: int, text: str, error: str, telling: str, as_json: bool, here: Path, capsys: Capture) -> None:
    (here / "bad.yaml").write_text(text)
    assert main(["run", "bad.yaml", *(["--json"] if as_json else [])]) == code
    shown = capsys.readouterr()
    assert f"{error}: bad.yaml" in shown.err and telling in shown.err
    assert "Traceback" not in shown.err
    if as_json:
        data = json.loads(shown.out)["error"]
        assert (data["class"], data["exit_code"]) == (error, code)
    else:
        assert shown.out == ""
    assert listing(here) == ["bad.yaml"]


def test_a_broken_robot_file_ends_with_2(here: Path, capsys: Capture) -> None:
    (here / "broken.urdf").write_text((EXAMPLES / "ur5.urdf").read_text().replace("</robot>", ""))
    (here / "bad.yaml").write_text(HEAD.replace(str(EXAMPLES / "ur5.urdf"), "broken.urdf"))
    assert main(["run", "bad.yaml"]) == 2
    assert "broken.urdf" in capsys.readouterr().err
    assert listing(here) == ["bad.yaml", "broken.urdf"]


def test_a_program_that_is_not_there_ends_with_2(here: Path, capsys: Capture) -> None:
    assert main(["run", "nowhere.yaml"]) == 2
    assert "nowhere.yaml" in capsys.readouterr().err


@pytest.mark.parametrize("rate", ["0", "-5", "nan", "inf", "1e9"])
def test_a_rate_that_is_none_ends_with_2(rate: str, here: Path, capsys: Capture) -> None:
    (here / "carry.yaml").write_text(HEAD)
    assert main(["run", "carry.yaml", "--rate", rate]) == 2
    assert "rate" in capsys.readouterr().err
    assert listing(here) == ["carry.yaml"]


@pytest.mark.parametrize("out", ["taken", "taken/below", "full"])
def test_a_folder_that_cannot_be_written_ends_with_2_and_keeps_what_is_there(
    out: str, here: Path, capsys: Capture
) -> None:
    (here / "carry.yaml").write_text(HEAD)
    (here / "taken").write_text("a file where the folder should be")
    (here / "full").mkdir()
    (here / "full" / "thesis.txt").write_text("years of work")
    assert main(["run", "carry.yaml", "--out", out]) == 2
    shown = capsys.readouterr()
    assert "FileUnreadable" in shown.err and "--out" in shown.err
    assert shown.out == ""
    assert listing(here) == ["carry.yaml", "full", "taken"]
    assert (here / "full" / "thesis.txt").read_text() == "years of work"
    assert (here / "taken").read_text() == "a file where the folder should be"


def test_a_folder_without_permission_ends_with_2(here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "carry.yaml").write_text(HEAD)
    (here / "locked").mkdir(mode=0o555)
    if os.access(
        here / "locked", os.W_OK
    ):  # whoever runs the tests may write anywhere: the system's answer is given for it
        monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert main(["run", "carry.yaml", "--out", "locked/out"]) == 2
    assert "cannot write into" in capsys.readouterr().err
    assert listing(here / "locked") == []


# ---- progress
def test_progress_shows_only_on_a_terminal_and_only_after_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    from motionkit.cli._progress import LateProgress

    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    for terminal, shown in ((False, [False, False]), (True, [False, True])):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        now[0] = 100.0
        seen: list[Any] = []
        with LateProgress() as progress:
            for elapsed in (0.5, 1.5):
                now[0] = 100.0 + elapsed
                progress("planning", elapsed / 2)
                seen.append(progress._bar is not None)
        assert seen == shown
