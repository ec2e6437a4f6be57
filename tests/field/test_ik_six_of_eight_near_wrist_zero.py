"""Report: near J5 = 0 a closed form lists six of eight solutions, and the wrist branches collapse to the same J4, J6.

The target is that of the zero configuration, its rotation off by a few units in the last place.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

import motionkit as mk

sys.path.insert(0, str(Path(__file__).parents[1] / "robot"))
import analytic_arms as arms

ARM = arms.ortho_parallel()


@pytest.mark.parametrize("ulps", [0, 1, 3, 10, 1000])
def test_all_eight_and_the_wrist_branches_apart(ulps):
    rng = np.random.default_rng(3)
    exact = ARM.forward(np.zeros(6))
    for _ in range(50):
        turn = mk.SO3.exp(ulps * 1.1e-16 * rng.normal(size=3))
        target = mk.SE3(turn * exact.rotation, exact.translation)
        answers = ARM.inverse_all(target, np.zeros(6))
        assert len(answers) == 8
        assert max(arms.residual(ARM, a.q, target) for a in answers) < 1e-12
        pairs = [(a, b) for k, a in enumerate(answers) for b in answers[:k] if arms.apart(a.q[:3], b.q[:3]) < 1e-9]
        assert len(pairs) == 4
        assert all(arms.apart(a.q[[3, 5]], b.q[[3, 5]]) > 0.1 for a, b in pairs)
        # and the one that the seed asks for is the first
        assert np.abs(answers[0].q - 0.0).max() < (1e-9 if ulps < 1000 else 10.0)
