"""The benchmark runs: every operation of it, and both ratios. Times are printed and never asserted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "benchmarks" / "control_loop.py"
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
    "Cartesian sample",
    "Cartesian plan",
)


def test_control_loop_benchmark_covers_every_operation() -> None:
    """I3: each operation of a control loop has its row."""
    done = subprocess.run([sys.executable, "-W", "error", SCRIPT, "--rounds", "1"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    assert [name for name in OPERATIONS if f"\n{name}" not in done.stdout] == []
    assert done.stdout.count("(spread over rounds") == 2
