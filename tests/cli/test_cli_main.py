"""The command line as a whole: exit codes, errors for a person and for a machine, help that costs next to nothing."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

import motionkit as mk
from motionkit import errors
from motionkit.cli import main
from motionkit.cli._main import COMMANDS, exit_code

Capture = pytest.CaptureFixture[str]

IMPOSSIBLE = {
    "BlendRefused", "BranchFlip", "CartesianError", "CollinearArc", "EffortExceeded", "LineCrossesLimit",
    "LineOutOfReach", "LineThroughSingularity", "NotConverged", "OffLine", "ProofFailed", "Refused", "Unreachable",
}  # fmt: skip


def test_every_error_has_its_exit_code() -> None:
    """1: the motion cannot be made; 2: the input is wrong. A new class has to be put on one side here."""
    kinds = {name: getattr(errors, name) for name in errors.__all__}
    assert {name for name, kind in kinds.items() if exit_code(kind("message")) == 1} == IMPOSSIBLE
    assert {exit_code(kind("message")) for name, kind in kinds.items() if name not in IMPOSSIBLE} == {2}


def test_no_command_and_help(capsys: Capture) -> None:
    assert main([]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert main(["--help"]) == main(["-h"]) == main(["help"]) == 0
    overview = capsys.readouterr().out
    assert shown.err in overview
    assert all(f"\n  {command} " in overview for command in COMMANDS)
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"motionkit {mk.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: Capture) -> None:
    """Every argument has its sentence."""
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: motionkit {command}")
    assert "--json" in shown
    assert "{None}" not in shown


def test_an_unknown_command_gets_the_nearest(capsys: Capture) -> None:
    assert main(["chek"]) == 2
    assert "did you mean 'check'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "telling"),
    [
        (["fk"], "ROBOT"),
        (["fk", "six_axis_example"], "expected 6 values"),
        (["fk", "six_axis_example", "1", "2"], "expected 6 values"),
        (["fk", "six_axis_example", "1", "2", "x", "4", "5", "6"], "x"),
        (["fk", "six_axis_example", "1", "2", "nan", "4", "5", "6"], "joint 'j3': expected a finite number"),
        (["fk", "six_axis_exampl", "1"], "did you mean 'six_axis_example'?"),
        (["fk", "nowhere.urdf", "1"], "nowhere.urdf cannot be read"),
        (["fk", "six_axis_example", "--tip", "flang", *"000000"], "did you mean 'flange'?"),
        (["ik", "six_axis_example"], "--xyz"),
        (["ik", "six_axis_example", "--xyz", "1", "2"], "--xyz"),
        (["ik", "six_axis_example", "--xyz", "inf", "0", "0"], "finite"),
        (["ik", "six_axis_example", "--xyz", "0.5", "0", "0.4", "--seed", "0"], "expected 6 values"),
        (["ik", "six_axis_example", "--xyz", "0.5", "0", "0.4", "--seed", "300", *"00000"], "limit"),
        (["stop", "--max-jerk", "40"], "--max-acceleration"),
        (["stop", "--max-acceleration", "0", "--max-jerk", "40"], "max_acceleration"),
        (["stop", "--max-acceleration", "8", "--max-jerk", "40", "--velocity", "nan"], "finite"),
        (["info", "six_axis_example", "--jsn"], "--json"),
        (["check", "none.yaml"], "No such file"),
        (["check"], "PROGRAM|ROBOT"),
        (["run", "none.yaml"], "No such file"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_wrong_input_is_exit_code_2(
    arguments: list[str], telling: str, as_json: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """A readable block on stderr; on stdout nothing, or with --json one JSON object."""
    monkeypatch.chdir(tmp_path)
    assert main([*arguments, "--json"] if as_json else arguments) == 2
    shown = capsys.readouterr()
    assert telling in " ".join(shown.err.split())
    assert "Traceback" not in shown.err
    if as_json:
        error = json.loads(shown.out)["error"]
        assert error["exit_code"] == 2
        assert error["message"]
    else:
        assert shown.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_motion_that_cannot_be_made_is_exit_code_1(capsys: Capture) -> None:
    assert main(["ik", "six_axis_example", "--xyz", "5", "0", "0", "--json"]) == 1
    shown = capsys.readouterr()
    assert shown.err.startswith("motionkit: Unreachable: ")
    error = json.loads(shown.out)["error"]
    assert (error["class"], error["exit_code"]) == ("Unreachable", 1)
    assert error["distance"] > 3  # the arm reaches about a metre


def test_the_findings_of_a_broken_robot_are_all_listed(tmp_path: Path, capsys: Capture) -> None:
    """All of them on stdout, errors first; other commands say on stderr what keeps the file from being loaded."""
    broken = tmp_path / "broken.urdf"
    links = "".join(f'<link name="{c}"/>' for c in "abcdefghijkl")
    joints = "".join(
        f'<joint name="j{i}" type="revolut"><parent link="a"/><child link="b"/></joint>\n' for i in range(12)
    )
    last = '<joint name="k" type="revolute"><parent link="a"/><child link="c"/><limit lower="0" upper="0"/></joint>'
    broken.write_text(f'<robot name="r">{links}\n{joints}{last}</robot>\n')
    assert main(["check", str(broken), "--json"]) == 2
    shown = capsys.readouterr()
    assert shown.err == ""
    data = json.loads(shown.out)
    assert (data["loads"], data["joints"]) == (False, None)
    assert data["severities"] == {"error": 35, "warning": 2}
    assert [finding["severity"] for finding in data["findings"]] == ["error"] * 35 + ["warning"] * 2
    assert main(["check", str(broken)]) == 2
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out.count(f"{broken}:") == 38  # one a finding and the verdict
    assert shown.out.index("ERRORS") < shown.out.index("WARNINGS")
    assert "did you mean 'revolute'?" in shown.out
    assert f"{broken}: cannot be loaded; 35 errors, 2 warnings" in shown.out
    assert main(["info", str(broken)]) == 2
    assert "'revolut'" in capsys.readouterr().err


def test_several_files_are_checked_at_once_and_the_worst_decides(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    good = '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="{}"><parent link="a"/>'
    good += '<child link="b"/></joint></robot>'
    Path("good.urdf").write_text(good.format("fixed"))
    Path("free.urdf").write_text(good.format("floating"))
    Path("no.urdf").write_text("hello")
    assert main(["check", "good.urdf", "free.urdf", "no.urdf", "none.urdf"]) == 2
    shown = capsys.readouterr().out
    assert "good.urdf: loads; nothing to report" in shown
    assert "free.urdf: cannot be loaded; 1 error" in shown
    assert "no.urdf:1: file: got not XML: Start tag expected" in shown
    assert "none.urdf: file: got cannot be read: No such file or directory" in shown
    assert main(["check", "good.urdf", "free.urdf", "--hold", "j", "--json"]) == 2
    assert "joint 'j' is fixed" in capsys.readouterr().err
    assert main(["check", "free.urdf", "--hold", "j"]) == 0
    assert "free.urdf: loads; 1 info" in capsys.readouterr().out
    assert main(["check", "good.urdf", "no.urdf", "--json"]) == 2
    assert [target["loads"] for target in json.loads(capsys.readouterr().out)["targets"]] == [True, False]


def with_command(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Put a command in place of ``doctor`` that ends with ``error``."""

    def doctor(*, json: bool = False) -> NoReturn:
        """Fail."""
        raise error

    module = ModuleType("motionkit.cli.doctor")
    module.doctor = doctor  # type: ignore[attr-defined]
    monkeypatch.setattr(importlib, "import_module", lambda name: module)


@pytest.mark.parametrize(
    ("error", "code"), [(mk.ProofFailed("x"), 1), (mk.LineOutOfReach("x"), 1), (mk.BranchFlip("x"), 1)]
)
def test_errors_of_planning(
    error: mk.MotionkitError, code: int, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    with_command(monkeypatch, error)
    assert main(["doctor"]) == code
    assert capsys.readouterr().err == f"motionkit: {type(error).__name__}: x\n"


def test_an_interrupt_is_exit_code_130(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    with_command(monkeypatch, KeyboardInterrupt())
    assert main(["doctor"]) == 130
    assert capsys.readouterr().err == "motionkit: interrupted\n"


def test_a_bug_is_not_dressed_up_as_wrong_input(monkeypatch: pytest.MonkeyPatch) -> None:
    with_command(monkeypatch, ZeroDivisionError("a bug"))
    with pytest.raises(ZeroDivisionError):
        main(["doctor"])


def fresh(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own."""
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)


def test_a_reader_that_has_enough_is_no_error() -> None:
    """``motionkit info ... | head -1``: a pipe that nobody reads any more is the end, not a failure."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        words = [sys.executable, "-m", "motionkit.cli", "info", "six_axis_example"]
        shown = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writer)
    assert (shown.returncode, shown.stderr) == (0, "")


MEASURE = """
import sys
from motionkit.cli import main
code = main(sys.argv[1:])
heavy = {"numpy", "numba", "scipy", "msgspec", "lxml", "ruamel.yaml", "matplotlib"} & set(sys.modules)
print(code, *sorted(heavy), file=sys.stderr)
"""


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_loads_nothing_heavy(command: str) -> None:
    """6-program.md: every command answers --help in under 0.5 s.

    What makes a start slow is what it imports, and that is asserted; the time itself depends on the machine and its
    load, and is printed (0.03 s for the overview and 0.10 to 0.21 s for the commands on two shared cores).
    """
    words = [command, "--help"] if command else ["--help"]
    fresh(MEASURE, *words)  # bytecode is compiled once
    started = time.perf_counter()
    shown = fresh(MEASURE, *words)
    elapsed = time.perf_counter() - started
    print(f"motionkit {' '.join(words)}: {elapsed:.2f} s")
    assert shown.stderr.split() == ["0"]


@pytest.mark.parametrize(
    "arguments",
    [["fk", "six_axis_example", *"000000"], ["doctor"], ["stop", "--max-acceleration", "8", "--max-jerk", "40"]],
)
def test_small_commands_load_no_compiler(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One answer must not pay for numba; for the small ones nothing of scipy or a plotting library either."""
    monkeypatch.setenv("MOTIONKIT_TIER", "auto")
    loaded: Any = fresh(MEASURE, *arguments).stderr.split()
    assert loaded[0] == "0"
    assert not {"numba", "scipy", "matplotlib"} & set(loaded[1:])


def test_a_missing_compiler_is_a_message_where_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    from motionkit.kernels import _tier, chain

    def missing() -> None:
        raise _tier.CompilerMissing("native kernels need numba, which cannot be imported")

    monkeypatch.setenv("MOTIONKIT_TIER", "compiled")
    for kernel in (chain.forward, chain.forward_matrix):
        monkeypatch.setattr(kernel, "native", None)
        monkeypatch.setattr(kernel, "heat", _tier.Heat("chain.forward"))
    monkeypatch.setattr(_tier, "traced", lambda: False)
    monkeypatch.setattr(_tier, "boot", missing)
    monkeypatch.setattr(_tier, "compile_door", lambda *_: missing())
    assert main(["fk", "six_axis_example", *"000000"]) == 2
    assert "native kernels need numba" in capsys.readouterr().err


XACRO = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/>{}</robot>'
MJCF = '<mujoco><worldbody><body name="a">{}<geom size="0.1"/></body></worldbody></mujoco>'
FREE = '<link name="b"/><joint name="j" type="floating"><parent link="a"/><child link="b"/></joint>'


@pytest.mark.parametrize(
    ("ending", "good", "bad", "where"),
    [
        ("urdf", f"<robot name='r'><link name='a'/>{FREE}</robot>", "<robot/>", "robot"),
        ("xacro", XACRO.format(FREE), XACRO.format('<joint name="k"/>'), "joint 'k' type"),
        ("xml", MJCF.format('<freejoint name="j"/>'), MJCF.format('<joint axis="nan 0 0"/>'), "<joint> axis"),
        ("xacro", XACRO.format(FREE), "<robot", "file"),
    ],
)
def test_files_of_every_kind_are_checked_and_their_joints_held(
    ending: str, good: str, bad: str, where: str, tmp_path: Path, capsys: Capture
) -> None:
    pytest.importorskip("mujoco" if ending == "xml" else "xacro", reason="an extra reads files of this kind")
    path = tmp_path / f"r.{ending}"
    for text, found in ((bad, where), (good, "joint 'j'")):
        path.write_text(text)
        assert main(["check", str(path), "--json"]) == 2
        data = json.loads(capsys.readouterr().out)
        assert data["loads"] is False
        errors = [finding for finding in data["findings"] if finding["severity"] == "error"]
        assert errors[0]["where"].startswith(found)
        assert errors[0]["fix"]
    assert main(["check", str(path), "--hold", "j", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["loads"] is True


def test_a_note_is_no_wider_than_the_rest(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    links = [f"a_link_with_a_long_name_{i}" for i in range(9)]
    text = "".join(f'<link name="{link}"/>' for link in links)
    text += "".join(
        f'<joint name="j{i}" type="fixed"><parent link="{links[0]}"/><child link="{link}"/></joint>'
        for i, link in enumerate(links[1:])
    )
    (tmp_path / "r.urdf").write_text(f'<robot name="r">{text}</robot>')
    assert main(["check", "r.urdf"]) == 0
    shown = capsys.readouterr().out
    assert "note: robot 'r': 8 leaves" in shown
    assert max(map(len, shown.splitlines())) <= 100
