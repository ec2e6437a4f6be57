"""Report 12 (pinocchio #2131, #1290, #2753, openrave #924): a joint that follows another is read as one of its own.

One value then drives the leader alone, and the Jacobian has a column too many. Here j2 = -2 j1 + 0.1 as in the matrix
of broken models: one coordinate, one column, which is that of j1 minus twice that of j2; continuous followers alike.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionkit as mk

ROW = Path(__file__).resolve().parents[1] / "data" / "urdf_defects" / "mimic.urdf"


@pytest.mark.parametrize("kind", ["revolute", "continuous"])
def test_mimic_joint_counts_as_a_free_one(kind: str) -> None:
    text = ROW.read_text()
    if kind == "continuous":
        before, mark, after = text.partition('<joint name="j2" type="revolute"')
        assert mark
        text = before + '<joint name="j2" type="continuous"' + after
    chain = mk.SerialChain.from_urdf(text)
    assert chain.joint_names == ("j1",)
    apart = mk.SerialChain.from_urdf(text.replace('<mimic joint="j1" multiplier="-2" offset="0.1"/>', ""))
    assert apart.n == 2  # the control: without the element the same file has two
    for q1 in (-0.7, 0.0, 0.4):
        both = [q1, -2 * q1 + 0.1]
        assert np.allclose(chain.forward([q1]).matrix(), apart.forward(both).matrix(), rtol=0, atol=1e-15)
        J = apart.jacobian(both)
        assert np.allclose(chain.jacobian([q1])[:, 0], J[:, 0] - 2.0 * J[:, 1], rtol=0, atol=1e-15)
