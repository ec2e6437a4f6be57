"""Short moves from states in motion: no solution, or a target missed by 1e-9 and more (reports against ruckig)."""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk

# start, target, limits, and the duration that was reported as right
CASES = [
    ((0.02853333, 0.68, 8.0), (0.0, 0.0, 0.0), (1.0, 10.0, 100.0), 0.58),
    ((0.0, 1.0, 1.0), (0.1, 0.0, 0.0), (1.0, 2.0, 5.0), None),
]


@pytest.mark.parametrize(("start", "target", "limits", "duration"), CASES)
def test_it_is_solved_and_arrives(
    start: tuple[float, ...], target: tuple[float, ...], limits: tuple[float, ...], duration: float | None
) -> None:
    move = mk.OnlineTrajectory.plan(mk.MotionState(*start), mk.MotionState(*target), mk.MotionLimits(*limits))
    end = move.sample_many(np.nextafter(move.duration, 0.0) + np.zeros(1))
    # just before the end, where nothing is set to the target: off by what is left of the motion, and by roundings
    assert abs(float(end.position[0, 0]) - target[0]) < 1e-15 and abs(float(end.velocity[0, 0]) - target[1]) < 1e-13
    if duration is not None:
        assert move.duration == pytest.approx(duration, abs=5e-3)


def test_seven_axes_arrive_to_the_last_digits() -> None:
    """Random ones of seven axes were met to 1e-8."""
    rng = np.random.default_rng(3)
    worst = 0.0
    for _ in range(20):
        current, target = rng.uniform(-1.0, 1.0, (2, 7, 3)) * [1.0, 0.5, 1.0]
        move = mk.OnlineTrajectory.plan(current, target, np.tile([2.0, 8.0, 40.0], (7, 1)))
        end = move.sample(np.nextafter(move.duration, 0.0))
        worst = max(worst, float(np.abs(end.position - target[:, 0]).max()))
    print(f"furthest from the target at the end: {worst:.1e} rad")
    assert worst < 1e-14  # a few roundings of positions of about 1
