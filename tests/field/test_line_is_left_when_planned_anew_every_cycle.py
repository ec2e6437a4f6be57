"""A line that is planned anew every 4 ms under a changing speed limit is left by centimetres (found beside ruckig).

Whether the state lies on the line was decided by comparing sampled velocities; rounding decides otherwise after a few
cycles, and each axis then goes its own way.
"""

from __future__ import annotations

import numpy as np

import motionkit as mk

CYCLE = 0.004
N = 6


def follow(synchronize: str) -> tuple[float, float]:
    """How far from the line the axes come, and how far from the goal they end."""
    rng = np.random.default_rng(4)
    start, goal = rng.uniform(-1.0, 1.0, (2, N))
    travel = goal - start
    zeros = np.zeros(N)
    states = [np.column_stack([p, zeros, zeros]) for p in (start, goal)]
    limits = np.tile([1.0, 2.0, 5.0], (N, 1))
    plan = mk.OnlineTrajectory.plan(states[0], states[1], limits, synchronize)  # pyright: ignore[reportArgumentType]
    worst = 0.0
    for k in range(2000):
        limits[:, 0] = 0.55 + 0.45 * np.sin(0.01 * k)
        if plan.duration < CYCLE:
            break
        plan = plan.replan(CYCLE, limits)
        position = plan.sample(0.0).position
        along = (position - start) @ travel / (travel @ travel)
        worst = max(worst, float(np.abs(position - start - along * travel).max()))
    return worst, float(np.abs(plan.sample(plan.duration).position - goal).max())


def test_a_line_stays_the_line_that_it_was() -> None:
    off, missed = follow("line")
    assert off < 5e-16 and missed == 0.0


def test_control_arriving_together_leaves_it() -> None:
    off, missed = follow("time")
    assert off > 0.01 and missed == 0.0
