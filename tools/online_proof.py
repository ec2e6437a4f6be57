"""Plans a great many random problems from any state to any state and judges every one; too long for the suite.

    python tools/online_proof.py --count 1000000
    python tools/online_proof.py --count 200000 --axes 6

Ends with status 1 when a problem fails, a limit is exceeded or a state missed by more than 1e-12 of it, or ruckig,
where it finds a solution, is quicker by more than 1e-9 of the duration.
"""

from __future__ import annotations

import argparse
import os
import sys

os.environ.setdefault("MOTIONKIT_TIER", "compiled")

import numpy as np

import motionkit as mk
from motionkit.kernels import online_axis, online_segments
from motionkit.kernels._batch import run_rows
from online_problems import judge, random_problems, ruckig_durations

CHUNK = 20_000
EXACT, SLOWER = 1e-12, 1e-9


@mk.njit
def _together(problems, axes, scratch, reports, models):
    """Every row of problems in one common duration."""
    for i in range(len(problems)):
        online_axis.online_axes(problems[i], axes, 2, scratch, reports[i], models[i])


def plan(problems: np.ndarray, axes: int) -> tuple[np.ndarray, np.ndarray]:
    """Durations of the wholes, and the models of all axes, one a row."""
    count = len(problems) // axes
    if axes == 1:
        models = np.empty((count, online_segments.HEAD + online_segments.EACH * online_axis.FASTEST))
        run_rows(online_axis.online_plan, problems, models)
        return models[:, 0].copy(), models
    size = online_segments.HEAD + online_segments.EACH * online_axis.TIMED
    models, reports = np.empty((count, axes * size)), np.empty((count, 1 + 2 * axes))
    _together(problems.reshape(count, -1), axes, np.empty(94), reports, models)
    return reports[:, 0].copy(), models.reshape(-1, size)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--axes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=2000)
    parser.add_argument("--decades", type=float, default=6.0)
    parser.add_argument("--outside", action="store_true", help="starts outside the limits as well")
    chosen = parser.parse_args(argv)
    worst: dict[str, float] = {}
    solved = slower = failed = quicker = done = 0
    most = -1.0
    while done < chosen.count:
        count = min(CHUNK // chosen.axes, chosen.count - done)
        seed = chosen.seed + done
        problems = random_problems(count * chosen.axes, seed, chosen.decades, outside=chosen.outside)
        durations, models = plan(problems, chosen.axes)
        failed += int((~np.isfinite(durations)).sum())
        for name, values in judge(problems, models).items():
            worst[name] = max(worst.get(name, 0.0), float(values.max()))
        shaped = problems if chosen.axes == 1 else problems.reshape(count, chosen.axes, -1)
        theirs = ruckig_durations(shaped)
        longer = (durations / theirs - 1.0)[np.isfinite(theirs)]
        solved += len(longer)
        slower += int((longer > SLOWER).sum())
        quicker += int((longer < -SLOWER).sum())
        most = max(most, float(longer.max()))
        done += count
    print(f"{done} problems of {chosen.axes} axes, limits over {chosen.decades:g} decades, failed: {failed}")
    print("worst, relative:", ", ".join(f"{name} {value:.2e}" for name, value in worst.items()))
    print(f"ruckig solves {solved}, is quicker in {slower} (we take {most:.1e} more at most), slower in {quicker}")
    return int(failed > 0 or slower > 0 or max(worst.values()) > EXACT)


if __name__ == "__main__":
    sys.exit(main())
