"""Field report: stepping a differential solver carries a joint past its limit, or it fails when it starts outside.

Wanted: what comes back is never outside the limits, not even by rounding, and a start outside is refused by the joint's
name instead of being infeasible. (Report 8.)
"""

import numpy as np
import pytest

import motionkit as mk

ARM = mk.SerialChain.six_axis_example()


def test_chasing_a_target_that_leaves_never_leaves_the_limits():
    q = np.array([0.0, -1.0, 1.5, 0.0, 1.0, 0.0])
    start = ARM.forward(q)
    for k in range(40):
        target = mk.SE3(mk.SO3.from_axis_angle([0, 1, 0], 0.08 * k) * start.rotation, start.translation)
        try:
            q = ARM.inverse(target, q, max_iterations=20).q
        except mk.NotConverged as error:
            q = error.report.q
        assert np.all((q >= ARM.lower) & (q <= ARM.upper))
    assert np.any((q == ARM.lower) | (q == ARM.upper))  # it did get there, exactly


def test_a_start_outside_is_refused_by_name():
    seed = np.zeros(6)
    seed[4] = ARM.upper[4] + 1e-4
    with pytest.raises(mk.JointLimitViolated, match="j5"):
        ARM.inverse(ARM.forward(np.zeros(6)), seed)
