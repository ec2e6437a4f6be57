"""Many threads at once on the same objects: every answer has the bits that one thread alone gets.

Each operation is called from eight threads at a short switch interval, cold and while kernels turn native.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading
import numpy as np
import motionkit as mk

sys.setswitchinterval(1e-5)
arm = mk.SerialChain.six_axis_example()
model = mk.RobotModel.six_axis_example()
home = np.array([0.0, -1.0, 1.5, 0.0, 1.0, 0.0])
limits = mk.MotionLimits(2.0, 8.0, 40.0)
line = mk.SynchronizedTrajectory.plan(home, home + 0.5, [limits] * 6)
stop = mk.StopProfile.plan(mk.MotionState(0.0, 1.5, 2.0), limits)
graph = mk.FrameGraph()
root = graph.declare_root("world")
tool = graph.declare_frame("tool", root, mk.SE3.from_translation([1.0, 0.0, 0.0]))

def work(k):
    q = home + 0.01 * k
    target = arm.forward(q)
    return b"".join(np.ascontiguousarray(a).tobytes() for a in (
        arm.forward(q, out=np.empty((4, 4))),
        arm.jacobian(q, out=np.empty((6, 6))),
        arm.inverse(target, home, out=np.empty(6)).q,
        arm.forward_batch(np.tile(q, (40, 1)), threads=2),
        line.sample(0.01 * k, out=np.empty((4, 6))),
        stop.sample(0.01 * k, out=np.empty(4)),
        mk.ScurveProfile.plan(0.0, 1.0 + k, limits).sample_many([0.1, 0.2]).position,
        mk.SynchronizedTrajectory.plan(home, q + 0.1, [limits] * 6).sample(0.1).position,
        graph.lookup(tool, root).matrix(),
        np.array([mk.maximum_safe_speed(0.1 + k, limits)]),
        model.link_poses_batch(q[None]),
    ))

expected = [work(k) for k in range(24)]
{between}
wrong, gate = [], threading.Barrier(8)

def hammer(offset):
    gate.wait()
    for turn in range({turns}):
        for k in range(24):
            if work((k + offset) % 24) != expected[(k + offset) % 24]:
                wrong.append(k)

workers = [threading.Thread(target=hammer, args=(3 * n,)) for n in range(8)]
[w.start() for w in workers]
[w.join() for w in workers]
print(len(wrong))
"""
# the kernels turn native while the threads run: one of them compiles, the others go on interpreted
TURN_NATIVE = """
import os
os.environ["MOTIONKIT_TIER"] = "auto"
from motionkit.kernels._contract import KERNELS
for kernel in KERNELS.values():
    kernel.heat.spent = kernel.rows_heat.spent = 99.0
"""


@pytest.mark.parametrize(
    ("tier", "between", "turns"),
    [("interpreted", "", 1), ("interpreted", TURN_NATIVE, 4), ("compiled", "", 40)],
    ids=["interpreted", "turning native", "native"],
)
def test_eight_threads_get_the_answers_of_one(tier: str, between: str, turns: int) -> None:
    code = PROGRAM.format(between=between, turns=turns)
    environment = {**os.environ, "MOTIONKIT_TIER": tier}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "0"
