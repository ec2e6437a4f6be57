"""Field report: inverse kinematics reaches the position and leaves the orientation wrong, without saying so.

Targets were RotX(0) RotY(90 deg) RotZ(90 deg). Wanted: both are reached, or the failure says that both are not. (Report
21.)
"""

import math

import numpy as np
import pytest

import motionkit as mk

ARM = mk.SerialChain.six_axis_example()
TURN = mk.SO3.from_rpy(0, math.pi / 2, 0) * mk.SO3.from_rpy(0, 0, math.pi / 2)


@pytest.mark.parametrize("place", [(0.5, 0.1, 0.5), (0.4, -0.3, 0.3), (0.3, 0.3, 0.7)])
def test_both_are_reached(place):
    target = mk.SE3(TURN, place)
    reached = ARM.forward(ARM.inverse_any(target).q)
    assert np.linalg.norm(reached.translation - place) <= 1e-9 + 1e-15
    assert reached.rotation.angle_to(TURN) <= 1e-9 + 4e-15


def test_a_position_whose_orientation_is_out_of_reach_is_a_failure_with_both_errors():
    stretched = ARM.forward([0.0] * 6)
    target = mk.SE3(mk.SO3.from_rpy(0, 0, 1.0) * stretched.rotation, stretched.translation)
    # the position alone is there
    seed = [0.0, 0.1, 0.1, 0.0, 0.1, 0.0]
    assert ARM.inverse(target, seed, task="position", max_iterations=300).position_error <= 1e-9
    with pytest.raises(mk.Unreachable) as caught:
        ARM.inverse_any(target, max_restarts=40)
    report = caught.value.report
    assert report.rotation_error > 1e-3 or report.position_error > 1e-3
    assert report.cause == "out_of_reach"
    with pytest.raises(mk.NotConverged) as caught:
        ARM.inverse(target, seed)
    assert caught.value.report.cause in ("singular", "joint_limits")
