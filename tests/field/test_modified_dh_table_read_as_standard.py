"""Field report: an arm whose table is in modified Denavit-Hartenberg parameters cannot be given, or is another arm.

Inverse kinematics then disagrees with forward kinematics, and a last frame with an offset makes it worse. Wanted: both
conventions, said explicitly, and a pose that comes back through a random tool.
"""

import math

import numpy as np
import pytest

import motionkit as mk

HALF = math.pi / 2
TURN = mk.JointLimits.revolute(-3.0, 3.0, 2.0)
# a six-axis arm in modified parameters, with offsets so that no axis meets the next by chance
ROWS = [
    mk.DhRow(d=0.4, limits=TURN),
    mk.DhRow(alpha=-HALF, a=0.1, theta=-HALF, limits=TURN),
    mk.DhRow(a=0.45, limits=TURN),
    mk.DhRow(alpha=-HALF, a=0.05, d=0.42, limits=TURN),
    mk.DhRow(alpha=HALF, limits=TURN),
    mk.DhRow(alpha=-HALF, d=0.08, limits=TURN),
]


@pytest.mark.parametrize("seed", range(5))
def test_inverse_kinematics_of_a_modified_table_meets_its_forward_kinematics(seed):
    rng = np.random.default_rng(seed)
    arm = mk.RobotModel.from_dh(ROWS, "modified", tool=mk.SE3.random(rng)).chain()
    standard = mk.RobotModel.from_dh(ROWS, "standard").chain()
    for q in rng.uniform(-1.2, 1.2, (5, 6)):
        target = arm.forward(q)
        found = arm.inverse(target, q + rng.uniform(-0.1, 0.1, 6)).q
        assert np.abs(arm.forward(found).matrix() - target.matrix()).max() < 2e-9  # the solver's own tolerance
        # the control: the same table in the other convention is nowhere near
        other = mk.RobotModel.from_dh(ROWS, "modified").chain().forward(q)
        assert np.abs(standard.forward(q).matrix() - other.matrix()).max() > 0.01


def test_a_table_without_its_convention_is_not_taken():
    with pytest.raises(TypeError):
        mk.RobotModel.from_dh(ROWS)
