"""A robot program from Python: load, plan, prove, look at the report, write the files.

The same as ``motionkit run ur5_pick_place.yaml``; here each stage can be used on its own.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import motionkit as mk
from motionkit.program import prove, run_program

program = mk.load_program(Path(__file__).parent / "ur5_pick_place.yaml")

plan = mk.plan_program(program)  # every step on one clock
print(f"{len(plan.steps)} steps in {plan.duration:.3f} s")

motion = plan.sample(rate=500.0)  # rows as they would be written
proof = prove(plan, motion)  # measured again from the positions alone
print(f"{proof.rows} rows, {len(proof.violations)} violations; the worst figures:")
for figure in proof.figures:
    if figure.what in ("velocity", "acceleration", "jerk", "line position", "tool speed"):
        print(f"  {figure.what:14} {abs(figure.value):.6g} of {figure.limit:.6g} {figure.unit} at {figure.time:.3f} s")

with tempfile.TemporaryDirectory() as folder:  # all of it at once, with files that appear whole or not at all
    result = run_program(program, out=Path(folder) / "result")
    assert result.folder is not None
    for file in sorted(result.folder.iterdir()):
        print(f"  {file.name}: {file.stat().st_size} bytes")

worst = max(result.report.stopping, key=lambda stop: stop.duration)
print(f"longest stop: {worst.joint}, {worst.duration:.3f} s and {abs(worst.distance):.3f} {worst.unit}")
