"""Report: closed-form answers do not match forward kinematics when the last frame has an offset.

Right: the tool is part of the pose. Random tools, including none, on every kind of arm.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

import motionkit as mk

sys.path.insert(0, str(Path(__file__).parents[1] / "robot"))
import analytic_arms as arms

ARMS = arms.arms()


@pytest.mark.parametrize("name", ARMS)
def test_random_tools(name):
    rng = np.random.default_rng(6)
    for k in range(30):
        chain = ARMS[name].with_tool(mk.SE3.identity() if k == 0 else mk.SE3.random(rng))
        q = rng.uniform(-3.0, 3.0, 6)
        target = chain.forward(q)
        answers = chain.inverse_all(target, q)
        assert np.abs(answers[0].q - q).max() < 1e-7
        assert max(arms.residual(chain, a.q, target) for a in answers) < 1e-13
