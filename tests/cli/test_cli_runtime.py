"""``motionkit warmup`` and ``motionkit cache``, what ``doctor`` says about both, and settings without a meaning."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from motionkit import runtime
from motionkit.cli import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own with one file in it."""
    monkeypatch.setenv("MOTIONKIT_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("MOTIONKIT_TIER", "MOTIONKIT_LANES", "MOTIONKIT_CACHE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "cache" / ("0" * 20)).mkdir(parents=True)
    (tmp_path / "cache" / ("0" * 20) / "f.nbc").write_bytes(bytes(2_000_000))
    return tmp_path / "cache"


def test_cache_info_and_clear(folder: Path, capsys: Capture) -> None:
    assert main(["cache", "info"]) == 0
    shown = capsys.readouterr().out
    assert f"folder   {folder}\nenabled  yes\nfiles    1\nsize     2.0 MB\n" == shown
    assert main(["cache", "info", "--json"]) == 0
    data = {"folder": str(folder), "enabled": True, "files": 1, "bytes": 2_000_000}
    assert json.loads(capsys.readouterr().out) == data
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == f"1 files with 2.0 MB removed from {folder}\n"
    assert main(["cache", "clear", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"folder": str(folder), "removed": 0, "bytes": 0}


def test_cache_says_that_it_is_off(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTIONKIT_CACHE", "0")
    assert main(["cache", "info"]) == 0
    assert "enabled  no: MOTIONKIT_CACHE" in capsys.readouterr().out


def test_cache_needs_to_know_what_to_do(folder: Path, capsys: Capture) -> None:
    assert main(["cache"]) == main(["cache", "empty"]) == 2
    assert "info" in capsys.readouterr().err


def test_warmup(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command around the call; what the call does is tested with the call."""
    asked: list[bool] = []

    def jobs(rows: bool) -> list[tuple[str, object]]:
        asked.append(rows)
        return [("a kernel", lambda: (folder / ("0" * 20) / "g.nbc").write_bytes(b"12"))]

    monkeypatch.setattr(runtime, "_jobs", jobs)
    assert main(["warmup"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("1 native forms are ready after 0.")
    assert f"1 new files in {folder}, which holds 2 with 2.0 MB" in shown.out
    assert shown.err == ""  # no bar where nobody looks
    assert main(["warmup", "--no-rows", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["tier"], data["native"], data["new_files"], data["cache"]["files"]) == ("auto", 1, 0, 2)
    assert asked == [True, False]
    monkeypatch.setenv("MOTIONKIT_CACHE", "off")
    assert main(["warmup"]) == 0
    assert "MOTIONKIT_CACHE switches the cache off" in capsys.readouterr().out
    monkeypatch.setenv("MOTIONKIT_TIER", "interpreted")
    assert main(["warmup"]) == 0
    assert capsys.readouterr().out == "nothing to do: MOTIONKIT_TIER=interpreted forbids compiling\n"


def test_warmup_where_nothing_can_be_written(
    folder: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("a file where a folder should be")
    monkeypatch.setenv("MOTIONKIT_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(runtime, "_jobs", lambda rows: [("a kernel", lambda: None)])
    assert main(["warmup"]) == 0
    assert f"nothing is kept for the next process: {tmp_path / 'file'} cannot be written" in capsys.readouterr().out


def test_doctor_says_how_kernels_run(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTIONKIT_TIER", "interpreted")
    monkeypatch.setenv("MOTIONKIT_LANES", "4")
    assert main(["doctor", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    said = {name: data[name] for name in ("tier", "lanes", "cache", "cache_enabled", "cache_writable", "cache_files")}
    assert said == {
        "tier": "interpreted", "lanes": 4, "cache": str(folder), "cache_enabled": True, "cache_writable": True,
        "cache_files": 1,
    }  # fmt: skip
    assert data["cache_megabytes"] == 2.0


@pytest.mark.parametrize("command", [["doctor"], ["fk", "six_axis_example", *"000000"], ["warmup"], ["cache", "info"]])
@pytest.mark.parametrize(
    ("name", "text"), [("MOTIONKIT_TIER", "fast"), ("MOTIONKIT_LANES", "3"), ("MOTIONKIT_CACHE", "maybe")]
)
def test_a_setting_without_meaning_is_exit_code_2(
    name: str, text: str, command: list[str], folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, text)
    assert main([*command, "--json"]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith(f"motionkit: InvalidSetting: {name}: expected ")
    error = json.loads(shown.out)["error"]
    assert (error["class"], error["name"]) == ("InvalidSetting", name)
    assert main([command[0], "--help"]) == 0


def test_a_command_that_answers_one_question_loads_no_compiler_and_no_planner(folder: Path) -> None:
    """So it ends before ``import numba`` alone would; the benchmarks have the times."""
    code = (
        "import sys; from motionkit.cli import main\n"
        "code = main('ik six_axis_example --xyz 0.5 0.1 0.4 --rpy 180 0 0'.split())\n"
        "heavy = ('numba', 'scipy', 'motionkit.cartesian', 'motionkit.motion', 'motionkit.program.planning')\n"
        "print(code, sorted(name for name in heavy if name in sys.modules), file=sys.stderr)"
    )
    environment = {**os.environ, "MOTIONKIT_TIER": "auto", "MOTIONKIT_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stderr.strip() == "0 []"
