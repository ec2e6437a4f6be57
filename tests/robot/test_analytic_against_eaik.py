"""Closed-form inverse kinematics against EAIK, an independent solver by subproblem decomposition.

Its answers were recorded (``tests/data/closed_forms/eaik.json``), as it is no dependency: eight poses of each of four
arms, of joint coordinates drawn from -3 to 3 rad.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import analytic_arms as arms

RECORDED = json.loads((Path(__file__).parents[1] / "data/closed_forms/eaik.json").read_text())["arms"]
ARMS = arms.arms()


@pytest.mark.parametrize("name", RECORDED)
def test_both_list_the_same_configurations(name):
    chain = ARMS[name]
    worst = 0.0
    for row in RECORDED[name]:
        ours = np.array([a.q for a in chain.inverse_all(chain.forward(row["q"]))])
        theirs = np.array(row["solutions"])
        assert len(ours) == len(theirs)
        gaps = arms.apart(ours[:, None], theirs[None])
        assert (np.sort(gaps.argmin(axis=1)) == np.arange(len(ours))).all()
        worst = max(worst, gaps.min(axis=1).max())
    print(f"{name}: {len(RECORDED[name])} poses, largest difference {worst:.1e} rad")
    assert worst < 1e-8  # they are recorded with ten decimals, and its residuals are up to 6e-11
