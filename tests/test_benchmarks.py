"""The benchmarks run and what they print and write is well formed. Times are printed and never asserted.

What they measure beside is compared by the scripts themselves, which stop when an answer differs.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"
OPERATIONS = (
    "SO3 product",
    "frame lookup",
    "S-curve sample",
    "synchronised sample",
    "synchronised plan",
    "stop plan",
    "safe speed",
    "forward kinematics",
    "Jacobian",
    "seeded inverse",
    "inverse dynamics",
    "gravity torque",
    "mass matrix",
    "Cartesian sample",
    "Cartesian plan",
    "Override sample",
    "Override hold",
)
WITHOUT_NATIVE = ("Cartesian plan", "Override sample", "Override hold")
TIME = r"\d[\d.e+]* (?:ns|µs|ms|s)"
COMPARED = ("pinocchio", "SciPy", "ruckig", "bare Numba dispatch", "roboticstoolbox", "TRAC-IK", "ikpy")
VERDICTS = ("met", "lost", "below the aim", "control", "not measured: ")


def run(script: str, *arguments: str) -> str:
    """What a script prints."""
    command = [sys.executable, "-W", "error", str(BENCHMARKS / script), "--quick", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_control_loop_benchmark_covers_every_operation() -> None:
    """I3, B7: each operation of a control loop has its row, from Python and from native code; nothing is allocated."""
    printed = run("control_loop.py")
    lines = [line.strip() for line in printed.splitlines()]
    for name in OPERATIONS:
        rows = [line for line in lines if line.startswith(name)]
        assert rows, name
        for row in rows:
            assert len(re.findall(TIME, row)) == (3 if row.startswith(WITHOUT_NATIVE) else 6), row
    assert len([line for line in lines if re.fullmatch(r"planning .* / .* +[\d.]+ +[\d.]+", line)]) == 2
    found = re.search(r"B7: .* allocations in 1024 solves: (\d+) \(control, one array a row: (\d+)\)", printed)
    assert found is not None and found.groups() == ("0", "1024")


def test_protocol_of_inverse_kinematics_misses_nothing() -> None:
    """B5: every arm has its row, and the script fails when a pose is missed or an answer is wrong."""
    printed = run("inverse_kinematics.py")
    rows = re.findall(r"^(\w+) +[67] +(\d+) +(\d+) +[\d.]+ +\d+", printed, flags=re.MULTILINE)
    assert rows == [(name, "0", "0") for name in ("example", "ur5", "panda", "xarm7", "kinova")]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the comparison with other packages writes, those that are not installed included."""
    file = tmp_path_factory.mktemp("peers") / "RESULTS.md"
    run("peers.py", "--out", str(file))
    return file.read_text(encoding="utf-8")


def test_comparison_says_what_was_measured_on_what(results: str) -> None:
    head = results.partition("## ")[0]
    assert re.search(r"\d{4}-\d\d-\d\d; motionkit \S+, Python 3\.\d+\.\d+; numpy \d", head)
    assert re.search(r"\d+ cores", head)
    assert all(f"{name} " in head for name in ("numba", "pin", "ruckig", "scipy", "pytracik", "ikpy"))


def test_comparison_keeps_every_row(results: str) -> None:
    """A row that is lost, and one that cannot be measured here, stays and says so."""
    tables = re.findall(r"(?:^\|.*\n)+", results, flags=re.MULTILINE)
    assert len(tables) == 7
    for table in tables:
        rows = [line.strip("| \n").split(" | ") for line in table.splitlines()]
        assert len({line.count(" | ") for line in table.splitlines()}) == 1, table
        assert set(rows[1]) <= {"---", "--:"}
    rows = [line.strip("|\n").split("|") for table in tables[:-1] for line in table.splitlines()[2:]]
    assert all(any(peer in row[1] for row in rows) for peer in COMPARED)
    for row in rows:
        verdict = row[-1].strip()
        assert verdict.startswith(VERDICTS), row
        measured = re.fullmatch(TIME, row[2].strip()) is not None
        assert measured != verdict.startswith("not measured: "), row
    short = [row for row in rows if row[-1].strip() in ("lost", "below the aim")]
    starts = len(re.findall(r" lost \|", tables[-1]))
    summary = results.partition("## Lost, and below the aim")[2]
    assert len(re.findall(r"^- (?:lost|below the aim): ", summary, flags=re.MULTILINE)) == len(short) + starts
