"""Field report: inverse kinematics answers with joint angles beyond the limits, by turns or by degrees.

Wanted: limits hold without being asked for, an answer that needs another turn comes on the turn that is allowed, and a
failure says which joint is in the way. (Report 7.)
"""

import numpy as np
import pytest

import motionkit as mk

ARM = mk.SerialChain.six_axis_example()


def test_answers_are_within_limits_and_on_a_turn_that_is_allowed():
    rng = np.random.default_rng(700)
    for _ in range(40):
        q = rng.uniform(ARM.lower, ARM.upper)
        answer = ARM.inverse_any(ARM.forward(q)).q
        assert np.all((answer >= ARM.lower) & (answer <= ARM.upper))
    # joint 6 may turn by 350 degrees either way: from a seed near its end the answer beyond it comes a turn back
    q = np.array([0.2, -1.0, 1.4, 0.3, 0.8, float(ARM.upper[5]) + 0.1])
    seed = q - [0, 0, 0, 0, 0, 0.2]
    assert ARM.inverse(ARM.forward(q), seed).q[5] == pytest.approx(q[5] - 2 * np.pi, abs=1e-8)


def test_a_failure_names_the_joint_that_its_limit_stops():
    q = np.array([0.2, -1.0, float(ARM.upper[2]) + 0.15, 0.3, 0.8, 0.0])
    with pytest.raises(mk.NotConverged) as caught:
        ARM.inverse(ARM.forward(q), q - [0, 0, 0.3, 0, 0, 0])
    assert caught.value.report.cause == "joint_limits"
    assert caught.value.report.joints == ("j3",)
    assert "j3" in str(caught.value)
