"""An impossible target gives an error without the field, the axis or what would be possible (ruckig #200, #147)."""

from __future__ import annotations

import pytest

import motionkit as mk

LIMITS = mk.MotionLimits(2, 40, 100)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ((1.0, -1.711, 30.0), r"velocity -1\.711 and .* had velocity -6\.211 before.* give the velocity 2\.5"),
        ((1.0, 2.5, 0.0), r"the target's velocity 2\.5 is outside its limits -2\.0 and 2\.0; give 2\.0"),
        ((1.0, 0.0, -41.0), r"the target's acceleration -41\.0 is outside its limits -40\.0 and 40\.0; give -40\.0"),
    ],
)
def test_the_error_names_axis_value_bound_and_the_nearest_that_fits(target: tuple[float, ...], message: str) -> None:
    with pytest.raises(mk.InvalidLimits, match="axis 0: .*" + message):
        mk.OnlineTrajectory.plan(mk.MotionState(0.0, 0.0, 0.0), mk.MotionState(*target), LIMITS)


def test_unset_jerk_is_named() -> None:
    with pytest.raises(mk.InvalidLimits, match=r"axis 0: max_jerk is 0\.0; zero means that the axis may not move"):
        mk.OnlineTrajectory.plan(mk.MotionState(0.0, 0.0, 1.0), mk.MotionState(1.0, 0.0, 0.0), mk.MotionLimits(1, 2))
