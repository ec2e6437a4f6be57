"""Times of every operation that a control loop calls, as min, median and max, and as a share of a 1 kHz cycle.

Everything runs interpreted in this version, so these are the times of plain Python calls; a control loop in Python is
not what they recommend. Machines are shared and noisy: absolute times are printed and never asserted. The two ratios at
the end are measured with both sides interleaved, and compare one machine with itself.

    make bench            ARGS="--rounds 50 --only lookup"
"""

from __future__ import annotations

import argparse
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import numpy as np

import motionkit as mk

CYCLE = 1e-3  # seconds: a control loop at 1 kHz
ROUND = 0.02  # seconds that one round lasts, at least
WARM = 3

Operation = Callable[[], Any]


def varied(values: list[Any]) -> Iterator[Any]:
    """Inputs that change from call to call, so that nothing can be remembered."""
    return cycle(values)


def operations() -> dict[str, Operation]:
    """Each operation as a call without arguments."""
    rng = np.random.default_rng(7)
    # the arm that comes with the package
    arm = mk.SerialChain.six_axis_example()
    home = np.radians([0.0, -60.0, 90.0, 0.0, 60.0, 0.0])
    near = [home + rng.uniform(-0.2, 0.2, arm.n) for _ in range(64)]
    qs, seeds, targets = varied(near), varied(near), varied([arm.forward(q + 0.02) for q in near])
    pose, jacobian, answer = np.empty((4, 4)), np.empty((6, arm.n)), np.empty(arm.n)
    # rotations and frames: a tool and a camera on one wrist, in a cell
    rotations = varied([mk.SO3.random(rng) for _ in range(64)])
    factor = mk.SO3.random(rng)
    frames = mk.FrameGraph()
    frames.declare_root("cell")
    for name, parent in (("base", "cell"), ("wrist", "base"), ("tool", "wrist"), ("camera", "wrist")):
        frames.declare_frame(name, parent, mk.SE3.random(rng))
    # motion
    limits = mk.MotionLimits(2.0, 8.0, 40.0)
    times = varied(rng.uniform(0.0, 1.4, 64).tolist())
    profile = mk.ScurveProfile.plan(0.0, 2.0, limits)
    six = [limits] * arm.n
    goals = varied(near)
    together = mk.SynchronizedTrajectory.plan(home, near[0], six)
    states = varied(
        [mk.MotionState(0.0, v, a) for v, a in zip(rng.uniform(-1.5, 1.5, 64), rng.uniform(-6, 6, 64), strict=True)]
    )
    clearances = varied(rng.uniform(0.1, 1.0, 64).tolist())
    rows, row = np.empty((4, arm.n)), np.empty(4)
    # cartesian
    up = mk.SE3.from_translation([0.0, 0.0, 0.05]) * arm.forward(home)
    line = mk.CartesianPlan.plan(arm, home, up, six)
    return {
        "SO3 product": lambda: next(rotations) * factor,
        "frame lookup, tool to camera": lambda: frames.lookup("tool", "camera", out=pose),
        "S-curve sample": lambda: profile.sample(next(times), out=row),
        "S-curve plan": lambda: mk.ScurveProfile.plan(0.0, next(times) + 0.1, limits),
        "synchronised sample, 6 axes": lambda: together.sample(next(times), out=rows),
        "synchronised plan, 6 axes": lambda: mk.SynchronizedTrajectory.plan(home, next(goals), six),
        "stop plan": lambda: mk.StopProfile.plan(next(states), limits),
        "safe speed": lambda: mk.maximum_safe_speed(next(clearances), limits),
        "safe speed, reaction 0.1 s": lambda: mk.maximum_safe_speed(next(clearances), limits, reaction_time=0.1),
        "forward kinematics": lambda: arm.forward(next(qs), out=pose),
        "Jacobian": lambda: arm.jacobian(next(qs), out=jacobian),
        "seeded inverse": lambda: arm.inverse(next(targets), next(seeds), out=answer),
        "Cartesian sample": lambda: line.sample(next(times), out=rows),
        "Cartesian plan, 50 mm": lambda: mk.CartesianPlan.plan(arm, home, up, six),
    }


def one_round(operation: Operation, calls: int) -> float:
    """Seconds a call."""
    start = time.perf_counter()
    for _ in range(calls):
        operation()
    return (time.perf_counter() - start) / calls


def calls_for(operation: Operation) -> int:
    """How many calls make a round."""
    for _ in range(WARM):
        operation()
    return max(1, int(ROUND / max(one_round(operation, 1), 1e-9)))


def shown(seconds: float) -> str:
    """A time in the unit that suits it."""
    return f"{seconds * 1e6:9.2f} us" if seconds < 1e-3 else f"{seconds * 1e3:9.2f} ms"


def ratio(dividend: Operation, divisor: Operation, rounds: int) -> tuple[float, float]:
    """Median of the ratio of two operations, rounds interleaved, and its spread (largest by least)."""
    many, few = calls_for(dividend), calls_for(divisor)
    ratios = [one_round(dividend, many) / one_round(divisor, few) for _ in range(rounds)]
    return statistics.median(ratios), max(ratios) / min(ratios)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=11, help="rounds of at least 20 ms for each operation")
    parser.add_argument("--only", default="", help="only operations whose name contains this")
    options = parser.parse_args()
    table = operations()
    chosen = {name: operation for name, operation in table.items() if options.only in name}
    print(
        f"motionkit {mk.__version__}, Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}"
    )
    print(f"interpreted; {options.rounds} rounds; share of a 1 kHz cycle by the median\n")
    print(f"{'operation':32}{'min':>12}{'median':>12}{'max':>12}{'share':>10}")
    for name, operation in chosen.items():
        calls = calls_for(operation)
        seconds = [one_round(operation, calls) for _ in range(options.rounds)]
        middle = statistics.median(seconds)
        print(f"{name:32}{shown(min(seconds))}{shown(middle)}{shown(max(seconds))}{middle / CYCLE:10.2%}", flush=True)
    if not options.only:
        print()
        for what, above, below in (
            (
                "planning a synchronised move / a frame lookup",
                "synchronised plan, 6 axes",
                "frame lookup, tool to camera",
            ),
            ("planning a stop / planning a synchronised move", "stop plan", "synchronised plan, 6 axes"),
        ):
            value, spread = ratio(table[above], table[below], options.rounds)
            print(f"{what}: {value:.2f} (spread over rounds {spread:.2f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
