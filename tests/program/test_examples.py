"""The examples: the programs run and their written motion keeps every limit; the scripts run headless.

The files are judged by their own readers and differences here, not by the proof of the package.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionkit as mk
from motionkit.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
RATES = (250, 1000, 4000)


def real_ur5() -> Path:
    """The file of the example-robot-data package, beside pinocchio in the prefix that both are installed into."""
    spec = importlib.util.find_spec("pinocchio")
    assert spec is not None and spec.submodule_search_locations is not None
    for above in Path(next(iter(spec.submodule_search_locations))).parents:
        file = above / "share/example-robot-data/robots/ur_description/urdf/ur5_robot.urdf"
        if file.is_file():
            return file
    pytest.skip("the package example-robot-data is missing")


def run(program: Path, out: Path, rate: int) -> None:
    assert main(["run", str(program), "--out", str(out), "--rate", str(rate), "--json"]) == 0


def read(folder: Path) -> tuple[dict[str, Any], np.ndarray]:
    """The report and the table of a result."""
    table = np.loadtxt(folder / "trajectory.csv", delimiter=",", skiprows=1, ndmin=2)
    return json.loads((folder / "report.json").read_text()), table


def largest_shares(report: dict[str, Any], table: np.ndarray) -> list[float]:
    """Largest share of the velocity, acceleration and jerk limits, by differences of the position columns."""
    rate, positions = report["rate"], table[:, 1::4]
    shares = []
    for order, limit in ((1, "max_velocity"), (2, "max_acceleration"), (3, "max_jerk")):
        differences = np.abs(np.diff(positions, order, axis=0)) * float(rate) ** order
        shares.append(float(np.max(differences / [joint[limit] for joint in report["joints"]])))
    return shares


def rounding(report: dict[str, Any], table: np.ndarray, order: int) -> float:
    """What 17 digits leave in a difference, as a share of the smallest limit.

    A few roundings of a coordinate below 2 pi (half a unit in the last place is 4.4e-16 there), and of a time below
    16 s at speeds below 6 rad/s (half a unit 8.9e-16 s), in 2^order terms.
    """
    name = ("max_velocity", "max_acceleration", "max_jerk")[order - 1]
    smallest = min(joint[name] for joint in report["joints"])
    return 2**order * (4 * 4.4e-16 + 6 * 2 * 8.9e-16) * report["rate"] ** order / smallest


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("name", ["demo", "ur5_pick_place"])
def test_the_written_motion_keeps_every_limit(name: str, rate: int, tmp_path: Path) -> None:
    """F1, E3: differences of the CSV at three rates."""
    run(EXAMPLES / f"{name}.yaml", tmp_path / "out", rate)
    report, table = read(tmp_path / "out")
    shares = largest_shares(report, table)
    print(f"{name} at {rate} Hz: {', '.join(f'{share:.9f}' for share in shares)} of velocity, acceleration, jerk")
    for order, share in enumerate(shares, start=1):
        assert share <= 1.0 + rounding(report, table, order)
    # the way home, a joint move, is as quick as it may be: its speed_joint is reached
    home = table[table[:, 0] > report["steps"][-1]["start"]]
    pace = {"demo": 0.6, "ur5_pick_place": 0.7}[name]
    assert largest_shares(report, home)[1] == pytest.approx(pace, rel=1e-3)
    assert np.array_equal(table[:, 0], np.arange(len(table)) / rate)
    assert table[-1, 0] >= report["duration"] > table[-2, 0]
    assert not table[-1, 2::4].any() and not table[-1, 3::4].any()


def test_the_demo_that_ships_is_the_one_in_the_examples() -> None:
    shipped = Path(mk.program.__file__).parent / "data" / "demo.yaml"
    assert shipped.read_bytes() == (EXAMPLES / "demo.yaml").read_bytes()


def test_the_demo_carries_its_part_round_the_post(tmp_path: Path) -> None:
    """The post stands at (0.50, 0): the tool passes on its inner side, with room for a part of 10 cm."""
    assert main(["demo", "--out", str(tmp_path / "out"), "--json"]) == 0
    report, table = read(tmp_path / "out")
    arm = mk.SerialChain.six_axis_example().with_tool(mk.SE3.from_translation([0, 0, 0.125]))
    tips = arm.forward_batch(np.ascontiguousarray(table[:, 1::4]))[:, :3, 3]
    carried = (table[:, 0] > report["steps"][6]["start"]) & (table[:, 0] < report["steps"][10]["end"])
    distance = np.hypot(tips[carried, 0] - 0.5, tips[carried, 1])
    print(f"the tool passes the middle of the post at {1e3 * distance.min():.0f} mm")
    assert distance.min() > 0.15
    crossing = carried & (np.abs(tips[:, 1]) < 0.01)
    assert crossing.any() and tips[crossing, 0].max() < 0.5


def test_the_same_program_runs_on_the_makers_robot_file(tmp_path: Path) -> None:
    """The file written from published figures and the maker's own differ by nothing that a program sees."""
    real = real_ur5()
    text = (EXAMPLES / "ur5_pick_place.yaml").read_text()
    (tmp_path / "ur5_pick_place.yaml").write_text(text.replace("urdf: ur5.urdf", f"urdf: {real}"))
    motions = []
    for program, out in ((EXAMPLES / "ur5_pick_place.yaml", "ours"), (tmp_path / "ur5_pick_place.yaml", "real")):
        run(program, tmp_path / out, 250)
        motions.append(read(tmp_path / out))
    (ours, our_table), (theirs, real_table) = motions
    assert theirs["robot"] == "ur5_robot.urdf" and ours["digest"] != theirs["digest"]
    assert [j["name"] for j in ours["joints"]] == [j["name"] for j in theirs["joints"]]
    assert our_table.shape == real_table.shape
    gap = np.max(np.abs(our_table[:, 1::4] - real_table[:, 1::4]))
    print(f"largest difference of a joint between the two robot files: {gap:.1e} rad")
    assert gap < 1e-6  # the maker's file writes right angles with 11 digits


PROGRAM = """\
motionkit: program/1
robot: {{urdf: {urdf}, base: base_link, tip: tool0}}
limits: {{max_acceleration: [8, 8, 8, 12, 12, 12], max_jerk: [60, 60, 60, 90, 90, 90]}}
steps:
  - movej: {{joints: [0, -90, 90, -90, {wrist}, 0]}}
  - movel: {{xyz: {xyz}, rpy: {rpy}}}
"""


def test_lines_near_a_singularity_are_straight_within_limits_and_slower(tmp_path: Path) -> None:
    """F1, F3: 50 mm on a UR5, the wrist at 20, 4, 1 and 0.2 degrees from straight, judged from the written files."""
    arm = mk.SerialChain.from_urdf(EXAMPLES / "ur5.urdf", base="base_link", tip="tool0")
    durations = []
    for wrist in (20, 4, 1, 0.2):
        start = arm.forward(np.radians([0, -90, 90, -90, wrist, 0]))
        goal = mk.SE3.from_translation([0.0, 0.05, 0.0]) * start
        text = PROGRAM.format(
            urdf=EXAMPLES / "ur5.urdf",
            wrist=wrist,
            xyz=[float(v) for v in goal.translation],
            rpy=[math.degrees(float(v)) for v in goal.rotation.rpy()],
        )
        (tmp_path / "line.yaml").write_text(text)
        for rate in RATES:
            out = tmp_path / f"line{wrist}-{rate}"
            run(tmp_path / "line.yaml", out, rate)
            report, table = read(out)
            shares = largest_shares(report, table)
            assert all(s <= 1.0 + rounding(report, table, k) for k, s in enumerate(shares, start=1))
            poses = arm.forward_batch(np.ascontiguousarray(table[:, 1::4]))
            offset = poses[:, :3, 3] - start.translation
            across = offset - np.outer(offset[:, 1], [0.0, 1.0, 0.0])
            off = float(np.max(np.linalg.norm(across, axis=1)))
            # the sine of the angle, from the part of the rotation that is not symmetric
            turned = np.einsum("ij,njk->nik", start.rotation.matrix().T, poses[:, :3, :3])
            skew = (turned - np.swapaxes(turned, 1, 2)) / 2
            angle = float(np.max(np.linalg.norm(skew, axis=(1, 2)))) / math.sqrt(2)
            assert off < 1e-4 and angle < math.radians(0.05)
            print(
                f"wrist {wrist:4} deg, {rate:4} Hz: {report['duration']:.3f} s, off the line {1e3 * off:.1e} mm "
                f"{math.degrees(angle):.1e} deg, shares {', '.join(f'{s:.4f}' for s in shares)}"
            )
        durations.append(report["duration"])
    assert all(later > 1.5 * earlier for earlier, later in itertools.pairwise(durations))


SCRIPTS = sorted(EXAMPLES.glob("0*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.stem for script in SCRIPTS])
def test_scripts_run_headless_and_leave_nothing_behind(script: Path, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    command = [sys.executable, "-W", "error", str(script)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "" and len(done.stdout.splitlines()) >= 3
    assert list(tmp_path.iterdir()) == []


def test_there_are_scripts() -> None:
    assert [script.name[:2] for script in SCRIPTS] == [f"{k:02}" for k in range(1, len(SCRIPTS) + 1)]
    assert len(SCRIPTS) >= 4
