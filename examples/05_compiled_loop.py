"""A control loop in native code: each millisecond a trajectory is sampled and inverse kinematics solved, no Python.

The loop is an ordinary function under ``motionkit.njit``. It calls the kernels, which are what the classes of the
package call too, with arrays that are made beforehand; inside nothing is allocated and no error is raised, so the loop
looks at what comes back. The tool of a UR5 moves 120 mm along y and back up the wall, jerk-limited, and the joints
follow.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import motionkit as mk
from motionkit.kernels import inverse, scurve

RATE = 1000.0  # cycles a second
TOLERANCE = 1e-6  # m and rad


@mk.njit
def loop(cycles, model, limits, scale, direction, line, target, q, move, scratch, answer, log):
    """One cycle after the other: where the tool should be, then which joints bring it there. Returns the failures."""
    n = len(q)
    x, y, z = target[9], target[10], target[11]
    failed = 0
    for k in range(cycles):
        scurve.scurve_sample(line, 1, k / RATE, move)
        target[9] = x + direction[0] * move[0]
        target[10] = y + direction[1] * move[0]
        target[11] = z + direction[2] * move[0]
        inverse.solve(model, limits, target, q, TOLERANCE, TOLERANCE, 1e-6, scale, 20, scratch, answer)
        if answer[n + 4] != 1.0:
            failed += 1
        for i in range(n):
            q[i] = answer[i]
            log[k, i] = answer[i]
    return failed


arm = mk.SerialChain.from_urdf(Path(__file__).parent / "ur5.urdf", base="base_link", tip="tool0")
home = np.radians([0, -90, 90, -90, -90, 0])
start = arm.forward(home)
move = mk.ScurveProfile.plan(0.0, 0.2, mk.MotionLimits(max_velocity=0.25, max_acceleration=1.0, max_jerk=10.0))
direction = np.array([0.0, 0.6, 0.8])  # the way of the tool in base axes, of length 1
cycles = int(move.duration * RATE) + 2

# what the kernels read and write; their docstrings say what is where
turns = arm.upper - arm.lower >= 2 * np.pi
limits = np.column_stack([arm.lower, arm.upper, turns]).reshape(-1)
matrix = start.matrix()
target = np.concatenate([matrix[:3, :3].reshape(-1), matrix[:3, 3]])
scratch = np.empty(7 * arm.n + 6 * max(6, arm.n) + 36)
log = np.empty((cycles, arm.n))


def run(cycles: int) -> int:
    """The loop from the start of the move."""
    return loop(
        cycles, arm.kernel_model.array, limits, 2.0 / arm.reach, direction, move.kernel_model.array, target.copy(),
        home.copy(), np.empty(4), scratch, np.empty(arm.n + 5), log,
    )  # fmt: skip


began = time.perf_counter()
run(1)  # compiles, or loads what an earlier run compiled
print(f"ready after {time.perf_counter() - began:.2f} s, which a later run spends on loading only")

began = time.perf_counter()
failed = run(cycles)
spent = time.perf_counter() - began
print(f"{cycles} cycles, {1e6 * spent / cycles:.1f} microseconds each of the {1e6 / RATE:.0f} that there are")
assert failed == 0

end = arm.forward(log[-1])
gone = end.translation - start.translation
print("the tool went", (1e3 * gone).round(3), "mm")
assert np.abs(gone - 0.2 * direction).max() < 2 * TOLERANCE
steps = np.abs(np.diff(log, axis=0)).max()
print(f"largest step of a joint in a cycle: {steps:.5f} rad")
