"""Field report: inverse kinematics returns success with a wrong pose, or numbers for a target that is not one.

Wanted: success means within the tolerance in metres and radians; a target with NaN is refused; a joint without limits
overflows nothing. (Report 19.)
"""

import math

import numpy as np
import pytest

import motionkit as mk

ARM = mk.SerialChain.six_axis_example()


def test_success_is_within_the_tolerance_by_forward_kinematics():
    rng = np.random.default_rng(1900)
    for tolerance in (1e-3, 1e-6, 1e-9):
        for _ in range(15):
            target = ARM.forward(rng.uniform(ARM.lower, ARM.upper))
            report = ARM.inverse_any(target)
            loose = ARM.inverse(
                target,
                np.clip(report.q + 0.05, ARM.lower, ARM.upper),
                position_tolerance=tolerance,
                rotation_tolerance=tolerance,
                max_iterations=1000,
            )
            reached = ARM.forward(loose.q)
            assert np.linalg.norm(reached.translation - target.translation) <= tolerance + 1e-15
            assert reached.rotation.angle_to(target.rotation) <= tolerance + 4e-15


def test_a_target_that_is_not_a_pose_is_refused():
    poses = np.repeat(ARM.forward([0.1] * 6).matrix()[None], 3, axis=0)
    poses[1, 0, 3] = math.nan
    with pytest.raises(mk.NotFinite, match=r"targets\[1\]"):
        ARM.inverse_batch(poses)
    poses[1, 0, 3] = 0.0
    poses[2, :3, :3] *= 1.1
    with pytest.raises(mk.InvalidRotation, match=r"targets\[2\]"):
        ARM.inverse_batch(poses)
    with pytest.raises(mk.NotFinite):
        mk.SE3.from_translation([math.nan, 0.0, 0.0])


def test_a_single_row_is_no_singular_matrix():
    target = ARM.forward([0.3, -0.8, 1.2, 0.1, 0.9, 0.2])
    report = ARM.inverse(target, [0.2, -0.9, 1.3, 0.2, 1.0, 0.1], task=("y", "z"), frame="base")
    assert ARM.forward(report.q).translation[1:] == pytest.approx(target.translation[1:], abs=1e-9)
