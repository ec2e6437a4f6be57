"""A fixed threshold on singular values calls good data unobservable, or lets noise decide, in the next data set.

Whether a joint that moves little is told depends on the noise: three degrees are plenty for a tracker of 10 microns,
and nothing for a tape measure, of which sixty samples tell no more than twelve.
"""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk

ARM = mk.SerialChain.six_axis_example().with_tool(mk.SE3.from_translation((0.1, 0.05, 0.02)))


def samples(count: int, travel: float, noise: float):
    rng = np.random.default_rng(4)
    Q = rng.uniform(-1.8, 1.8, (count, 6))
    Q[:, 3] *= travel
    return Q, [ARM.forward(q) * mk.SE3.exp(rng.normal(size=6) * noise) for q in Q]


@pytest.mark.parametrize("count", [12, 60])
def test_a_joint_that_moves_little_is_told_by_little_noise(count: int) -> None:
    found = mk.calibrate_kinematics(ARM, *samples(count, 0.015, 1e-5))
    assert found.rank == 30
    assert found.axes[3].sigma_direction > 5.0 * found.axes[1].sigma_direction  # and says that it knows it less well


@pytest.mark.parametrize("count", [12, 60])
def test_and_is_refused_where_noise_would_decide(count: int) -> None:
    with pytest.raises(mk.DegenerateGeometry, match=r"'j4' \(moved by [23]\.\d+ deg\)"):
        mk.calibrate_kinematics(ARM, *samples(count, 0.015, 1e-2), sigma_position=1e-2, sigma_rotation=1e-2)
