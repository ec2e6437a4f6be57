"""The files of a result: their text, exact round trips, and a folder that appears whole or not at all."""

from __future__ import annotations

import csv
import io
import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest

from motionkit.errors import FileUnreadable, InvalidProgram
from motionkit.program import writing
from motionkit.program.sampling import SampledMotion, checked_rate, grid
from motionkit.program.writing import RESULT_FORMAT, csv_header, trajectory_csv, trajectory_json, write_result

REPORT = json.dumps({"format": RESULT_FORMAT}).encode()
OLD = {"trajectory.csv": b"old", "report.json": REPORT}
NEW = {"trajectory.csv": b"new", "trajectory.json": b"{}", "report.json": REPORT}


def hard_numbers(rows: int, joints: int) -> SampledMotion:
    """Rows whose numbers need all 17 digits, and the extremes: zeros of both signs, a denormal, the largest double."""
    rng = np.random.default_rng(20)
    values = rng.normal(size=(4, rows, joints)) * 10.0 ** rng.integers(-300, 300, size=(4, rows, joints))
    values[0, :5, 0] = [0.0, -0.0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2]
    return SampledMotion(
        1000.0, np.arange(rows) / 1000.0, values[0], values[1], values[2], values[3], np.zeros(rows, dtype=np.int64)
    )


def bits(values: np.ndarray) -> bytes:
    return struct.pack(f"<{values.size}d", *values.reshape(-1).tolist())


def test_header_names_quantities_with_units_by_kind() -> None:
    assert csv_header(["a", "rail"], [False, True]) == [
        "time_s",
        "a_position_rad",
        "a_velocity_rad_s",
        "a_acceleration_rad_s2",
        "a_jerk_rad_s3",
        "rail_position_m",
        "rail_velocity_m_s",
        "rail_acceleration_m_s2",
        "rail_jerk_m_s3",
    ]


def test_csv_reads_back_to_the_same_bits() -> None:
    motion = hard_numbers(5000, 3)  # more rows than are formatted at once
    text = trajectory_csv(motion, ["a", "b,c", "d"], [False, False, True]).decode()
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == csv_header(["a", "b,c", "d"], [False, False, True])
    table = np.array(rows[1:], dtype=np.float64)
    assert table.shape == (5000, 13)
    assert bits(table[:, 0]) == bits(motion.times)
    for k, values in enumerate((motion.positions, motion.velocities, motion.accelerations, motion.jerks)):
        assert bits(table[:, 1 + k :: 4]) == bits(values)


def test_json_has_the_fields_of_a_joint_trajectory_and_the_same_bits() -> None:
    motion = hard_numbers(50, 2)
    data = json.loads(trajectory_json(motion, ["a", "b"]))
    assert data["joint_names"] == ["a", "b"]
    assert len(data["points"]) == 50
    assert list(data["points"][0]) == ["positions", "velocities", "accelerations", "time_from_start"]
    assert bits(np.array([p["positions"] for p in data["points"]])) == bits(motion.positions)
    assert bits(np.array([p["velocities"] for p in data["points"]])) == bits(motion.velocities)
    assert bits(np.array([p["accelerations"] for p in data["points"]])) == bits(motion.accelerations)
    assert data["points"][49]["time_from_start"] == {"sec": 0, "nanosec": 49_000_000}


def test_seconds_and_nanoseconds_never_overflow_into_each_other() -> None:
    times = np.array([0.0, 0.9999999999, 1.0, 2.000000001])
    q = np.zeros((4, 1))
    motion = SampledMotion(1.0, times, q, q, q, q, np.zeros(4, dtype=np.int64))
    stamps = [p["time_from_start"] for p in json.loads(trajectory_json(motion, ["a"]))["points"]]
    assert stamps == [
        {"sec": 0, "nanosec": 0},
        {"sec": 1, "nanosec": 0},
        {"sec": 1, "nanosec": 0},
        {"sec": 2, "nanosec": 1},
    ]


def test_grid_ends_at_the_first_multiple_that_is_not_before_the_end() -> None:
    assert grid(0.0, 1000.0).tolist() == [0.0]
    assert grid(1.0, 10.0).tolist() == [k / 10.0 for k in range(11)]
    rng = np.random.default_rng(21)
    for duration, rate in zip(rng.uniform(0.0, 20.0, 500), rng.uniform(1.0, 4000.0, 500), strict=True):
        times = grid(duration, rate)
        assert times[-1] >= duration
        assert len(times) == 1 or times[-2] < duration
        assert times[7 % len(times)] == (7 % len(times)) / rate


@pytest.mark.parametrize("rate", [0.0, -1.0, 0.5, 1e6, float("nan"), float("inf")])
def test_a_rate_that_is_none_is_refused(rate: float) -> None:
    with pytest.raises(InvalidProgram, match="rate"):
        checked_rate(rate)


# ---- whole or not at all
def entries(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_a_new_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    write_result(tmp_path / "a" / "b", NEW)
    assert entries(tmp_path / "a" / "b") == sorted(NEW)
    assert entries(tmp_path / "a") == ["b"]


def test_an_earlier_result_is_replaced_as_a_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_result(out, NEW)
    write_result(out, OLD)
    assert entries(out) == sorted(OLD)  # the file that only the earlier result had is gone
    assert (out / "trajectory.csv").read_bytes() == b"old"
    assert entries(tmp_path) == ["out"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_result(tmp_path / "out", NEW)
    assert entries(tmp_path / "out") == sorted(NEW)


def test_a_folder_that_is_not_a_result_is_refused_and_kept(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.txt").write_text("years of work")
    with pytest.raises(FileUnreadable, match=r"thesis\.txt.*--out"):
        write_result(out, NEW)
    assert (out / "thesis.txt").read_text() == "years of work"
    assert entries(tmp_path) == ["out"]


def test_a_result_with_something_of_the_users_in_it_is_refused_and_kept(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_result(out, OLD)
    (out / "notes.md").write_text("looks good")
    with pytest.raises(FileUnreadable, match=r"notes\.md"):
        write_result(out, NEW)
    assert (out / "trajectory.csv").read_bytes() == b"old"


@pytest.mark.parametrize("report", [b"{}", b"[1]", b"not json", b'{"format": "other"}'])
def test_a_report_without_our_mark_is_not_ours(tmp_path: Path, report: bytes) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "report.json").write_bytes(report)
    with pytest.raises(FileUnreadable, match="earlier result"):
        write_result(out, NEW)
    assert (out / "report.json").read_bytes() == report


@pytest.mark.parametrize("place", ["out", "out/deeper", "out/deeper/still"])
def test_a_file_where_a_folder_is_needed_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(FileUnreadable, match="--out"):
        write_result(tmp_path / place, NEW)
    assert entries(tmp_path) == ["out"]
    assert (tmp_path / "out").read_text() == "a file"


def test_a_link_is_refused(tmp_path: Path) -> None:
    write_result(tmp_path / "real", OLD)
    (tmp_path / "out").symlink_to(tmp_path / "real")
    with pytest.raises(FileUnreadable, match="link"):
        write_result(tmp_path / "out", NEW)


def test_an_unwritable_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # tests may run as a user who may write anywhere, so the system's answer is given for it
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(FileUnreadable, match="cannot write into"):
        write_result(tmp_path / "out", NEW)
    assert entries(tmp_path) == []


class Crash(BaseException):
    """What nobody catches: a power cut, a Ctrl-C."""


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), Crash()])
@pytest.mark.parametrize("files_before", [0, 1, 2])
@pytest.mark.parametrize("earlier", [False, True])
def test_a_crash_while_writing_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, files_before: int, earlier: bool
) -> None:
    out = tmp_path / "new" / "out"
    if earlier:
        write_result(out, OLD)
    real, written = writing.write_durably, []

    def fail(path: Path, text: bytes) -> None:
        if len(written) == files_before:
            path.write_bytes(text[:1])  # half of it is on the disk
            raise error
        written.append(path)
        real(path, text)

    monkeypatch.setattr(writing, "write_durably", fail)
    with pytest.raises(FileUnreadable if isinstance(error, OSError) else Crash):
        write_result(out, NEW)
    if earlier:
        assert entries(out) == sorted(OLD)
        assert (out / "trajectory.csv").read_bytes() == b"old"
        assert entries(tmp_path / "new") == ["out"]
    else:
        assert entries(tmp_path) == []


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), Crash()])
@pytest.mark.parametrize("failing", [1, 2])
def test_a_crash_between_the_renames_brings_the_earlier_result_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, failing: int
) -> None:
    out = tmp_path / "out"
    write_result(out, OLD)
    real, calls = Path.rename, []

    def rename(self: Path, target: Path) -> Path:
        calls.append(self)
        if len(calls) == failing:
            raise error
        return real(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(FileUnreadable if isinstance(error, OSError) else Crash):
        write_result(out, NEW)
    assert entries(tmp_path) == ["out"]
    assert (out / "trajectory.csv").read_bytes() == b"old"
    assert len(calls) >= failing
