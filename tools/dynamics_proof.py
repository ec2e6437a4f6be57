"""Dynamics of three real robots at a great many states beside pinocchio and MuJoCo; too long for the suite.

    python tools/dynamics_proof.py --count 1000

Ends with status 1 when anything differs by more than 1e-9 of the largest number, when forward dynamics does not undo
inverse dynamics to that, or when ten seconds of free fall move the energy of the example arm by more than 1e-4 J.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("MOTIONKIT_TIER", "compiled")
TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "robot")]

ALLOWED, ENERGY = 1e-9, 1e-4


def main() -> int:
    """Compare and print."""
    from dynamic_oracles import ROBOTS, states, worst
    from test_example_arm_dynamics import fall

    import motionkit as mk
    from conftest import _example_robot_data

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="states of each robot")
    parser.add_argument("--seed", type=int, default=51)
    options = parser.parse_args()
    bad = False
    for name, file in ROBOTS.items():
        path = _example_robot_data() / file
        robot = mk.DynamicTree.from_urdf(path)
        for what, off in worst(robot, path, states(robot, options.seed, options.count)).items():
            print(f"{name:6} {what:40} {off:.1e}" + ("" if off < ALLOWED else "  TOO MUCH"))
            bad = bad or not off < ALLOWED
    off, fastest = fall(mk.DynamicChain.six_axis_example(), 1e-3, 10.0)
    print(f"free fall of the example arm, 10 s in steps of 1 ms: energy moved by {off:.1e} J of {fastest:.0f} J")
    return int(bad or not off < ENERGY)


if __name__ == "__main__":
    sys.exit(main())
