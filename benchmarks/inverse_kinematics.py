"""Inverse kinematics on the protocol of TRAC-IK: random reachable poses within limits, seeds amid the ranges.

For UR5, the example arm and, where example-robot-data is installed, Panda, xArm7 and Kinova j2s6s200: how many
poses are missed, how many starts they need, and how many solves a second one core does near the seed and from the
middle. Every answer is checked by forward kinematics and against the limits; the program ends with 1 when one is
missed or wrong. Times are processor time of this process.

    python benchmarks/inverse_kinematics.py              10 000 poses a robot, the first 500 also one by one
    python benchmarks/inverse_kinematics.py --nightly    60 000 poses a robot from fresh seeds
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import motionkit as mk

FloatArray = NDArray[np.float64]
TOLERANCE = 1e-9  # m and rad
ROUNDING = 4e-15  # of the check itself: matrices carry a few 1e-16 per element
PACKAGED = (
    ("panda", "panda_description/urdf/panda.urdf", "panda_hand"),
    ("xarm7", "xarm_description/urdf/xarm7.urdf", "link7"),
    ("kinova", "kinova_description/robots/kinova.urdf", "j2s6s200_end_effector"),
)


def robots() -> Iterator[tuple[str, mk.SerialChain]]:
    """The arms, by name."""
    yield "example", mk.SerialChain.six_axis_example()
    yield "ur5", mk.SerialChain.from_urdf(Path(__file__).resolve().parents[1] / "examples" / "ur5.urdf")
    found = importlib.util.find_spec("pinocchio")
    above = [] if found is None or found.origin is None else list(Path(found.origin).parents)
    folders = [p / "share" / "example-robot-data" / "robots" for p in above]
    folder = next((p for p in folders if p.is_dir()), None)
    if folder is None:
        print("example-robot-data is not installed: Panda, xArm7 and Kinova are left out")
        return
    for name, file, tip in PACKAGED:
        yield name, mk.RobotModel.from_urdf(folder / file).chain(tip=tip)


def reachable(chain: mk.SerialChain, count: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Random configurations within the limits, one turn of a continuous joint, and their poses."""
    lower = np.where(np.isfinite(chain.lower), chain.lower, -np.pi)
    upper = np.where(np.isfinite(chain.upper), chain.upper, np.pi)
    q = rng.uniform(lower, upper, (count, chain.n))
    return q, chain.forward_batch(q)


def wrong(chain: mk.SerialChain, q: FloatArray, targets: FloatArray) -> NDArray[np.bool_]:
    """Which answers are outside the limits, or further from their target than the tolerance."""
    reached = chain.forward_batch(q)
    away = np.linalg.norm(reached[:, :3, 3] - targets[:, :3, 3], axis=1)
    turns = np.swapaxes(reached[:, :3, :3], 1, 2) @ targets[:, :3, :3]
    sine = np.sqrt(0.125 * np.sum((turns - np.swapaxes(turns, 1, 2)) ** 2, axis=(1, 2)))
    angle = np.arctan2(sine, 0.5 * (np.trace(turns, axis1=1, axis2=2) - 1.0))
    outside = np.any((q < chain.lower) | (q > chain.upper), axis=1)
    poor: NDArray[np.bool_] = outside | (away > TOLERANCE + ROUNDING) | (angle > TOLERANCE + ROUNDING)
    return poor


def row(name: str, chain: mk.SerialChain, count: int, singles: int, seed: int) -> bool:
    """Measure one arm and print its line; whether nothing was missed or wrong."""
    rng = np.random.default_rng(seed)
    q, targets = reachable(chain, count, rng)
    near = np.clip(q + rng.uniform(-0.3, 0.3, q.shape), chain.lower, chain.upper)
    chain.inverse_batch(targets[:64], restarts=8)  # compiles
    for target in targets[: min(20, singles)]:
        chain.inverse_any(mk.SE3.from_matrix(target))
    started = time.process_time()
    middle = chain.inverse_batch(targets, restarts=256)
    spent_middle = time.process_time() - started
    started = time.process_time()
    seeded = chain.inverse_batch(targets, near)
    spent_near = time.process_time() - started
    missed = int(np.sum(~middle.converged))
    bad = int(np.sum(wrong(chain, middle.q, targets) & middle.converged))
    bad += int(np.sum(wrong(chain, seeded.q, targets) & seeded.converged))
    poses = [mk.SE3.from_matrix(T) for T in targets[:singles]]
    times: list[float] = []
    lost = 0
    for pose, target in zip(poses, targets[:singles], strict=True):
        started = time.perf_counter()
        try:
            report = chain.inverse_any(pose)
        except mk.Unreachable:
            lost += 1
            continue
        times.append(time.perf_counter() - started)
        bad += int(wrong(chain, report.q[None], target[None])[0])
    alone = (
        f"{1e6 * statistics.median(times):7.0f} {1e6 * statistics.fmean(times):7.0f}" if times else "      -       -"
    )
    lost_near = int(np.sum(~seeded.converged))
    most = int(np.max(middle.starts))
    print(
        f"{name:8} {chain.n} {missed + lost:6} {bad:5} {float(middle.starts.mean()):6.2f} {most:4}"
        f" {count / spent_middle:10.0f} {count / spent_near:10.0f} {lost_near:6} {alone}",
        flush=True,
    )
    return missed == 0 and lost == 0 and bad == 0


def main() -> int:
    """Run the protocol and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--poses", type=int, default=10_000)
    parser.add_argument("--singles", type=int, default=500, help="poses that inverse_any solves one by one")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nightly", action="store_true", help="60 000 poses from seed 1")
    parser.add_argument("--quick", action="store_true", help="60 poses, to see that it runs")
    arguments = parser.parse_args()
    count, seed = (60_000, 1) if arguments.nightly else (arguments.poses, arguments.seed)
    singles = 2 if arguments.quick else arguments.singles
    count = 60 if arguments.quick else count
    print(
        "arm      n missed wrong starts  max   middle/s     near/s  near-  any, us:\n"
        "                        (mean)           (a core)          missed  median    mean"
    )
    good = [row(name, chain, count, min(singles, count), seed) for name, chain in robots()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
