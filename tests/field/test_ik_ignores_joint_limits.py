"""Reports: closed-form answers come unfiltered, or a valid one is thrown away because it is a turn away.

Right: within the limits always, turned by whole turns where that brings a joint inside, else an error that names it.
"""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import motionkit as mk

sys.path.insert(0, str(Path(__file__).parents[1] / "robot"))
import analytic_arms as arms

FREE = arms.puma()


def limited(bounds):
    joints = [
        mk.Joint.revolute(j.name, j.axis, j.point, mk.JointLimits.revolute(*b))
        for j, b in zip(FREE.joints, bounds, strict=True)
    ]
    return mk.SerialChain.from_joints(joints, tool=arms.TOOL)


def test_a_turn_brings_a_joint_inside():
    # joint 6 may only be where no angle from -pi to pi is
    chain = limited([(-6.3, 6.3)] * 5 + [(4.0, 9.0)])
    rng = np.random.default_rng(7)
    for _ in range(50):
        q = np.append(rng.uniform(-3.0, 3.0, 5), rng.uniform(4.0, 9.0))
        answers = chain.inverse_all(chain.forward(q))
        assert min(np.abs(np.sin(0.5 * (a.q - q))).max() for a in answers) < 1e-7
        assert all(4.0 <= a.q[5] <= 9.0 for a in answers)


def test_everything_listed_is_inside_and_the_rest_is_forbidden():
    rng = np.random.default_rng(8)
    for _ in range(50):
        lower = rng.uniform(-3.0, 0.0, 6)
        bounds = list(zip(lower, lower + rng.uniform(1.0, 4.0, 6), strict=True))
        chain = limited(bounds)
        target = FREE.forward(rng.uniform(-3.0, 3.0, 6))
        turns = 2 * math.pi * np.arange(-1, 2)[:, None]
        expected = sum(
            bool((((a.q + turns) >= chain.lower) & ((a.q + turns) <= chain.upper)).any(axis=0).all())
            for a in FREE.inverse_all(target)
        )
        if expected:
            answers = chain.inverse_all(target)
            assert len(answers) == expected
            assert all(((a.q >= chain.lower) & (a.q <= chain.upper)).all() for a in answers)
        else:
            with pytest.raises(mk.JointLimitViolated) as caught:
                chain.inverse_all(target)
            k = chain.joint_names.index(caught.value.joint)
            assert caught.value.limit in (chain.lower[k], chain.upper[k])
            assert not chain.lower[k] <= caught.value.value <= chain.upper[k]
