"""Reports: joints that follow others (mimic) were read as free, as fixed or not at all, continuous ones wrongly."""

import numpy as np
import pytest

import motionkit as mk

LIMIT = '<limit lower="{}" upper="{}" velocity="1" effort="1"/>'
ROBOT = (
    '<robot name="r"><link name="base"/><link name="l1"/><link name="l2"/>'
    '<joint name="j1" type="{kind}"><origin xyz="0.3 0 0"/><parent link="base"/><child link="l1"/>'
    '<axis xyz="0 0 1"/>{limit1}</joint>'
    '<joint name="j2" type="{kind}"><origin xyz="0.3 0 0"/><parent link="l1"/><child link="l2"/>'
    '<axis xyz="0 0 1"/>{limit2}<mimic joint="j1" multiplier="-2" offset="0.1"/></joint></robot>'
)
TOOL = mk.SE3.from_translation((0.3, 0.0, 0.0))


def two_links(q1, q2):
    return [0.3 + 0.3 * np.cos(q1) + 0.3 * np.cos(q1 + q2), 0.3 * np.sin(q1) + 0.3 * np.sin(q1 + q2), 0.0]


@pytest.mark.parametrize("kind", ["revolute", "continuous"])
def test_one_coordinate_moves_both(kind):
    wide = LIMIT.format(-3, 3)
    chain = mk.SerialChain.from_urdf(ROBOT.format(kind=kind, limit1=wide, limit2=wide)).with_tool(TOOL)
    assert chain.joint_names == ("j1",)
    q1 = 0.7
    q2 = -2 * q1 + 0.1
    assert np.allclose(chain.forward([q1]).translation, two_links(q1, q2), rtol=0, atol=1e-15)
    # dx/dq1 = J1 - 2 J2 of the same arm with both joints free
    free = mk.SerialChain.from_urdf(
        ROBOT.format(kind=kind, limit1=wide, limit2=wide).replace(
            '<mimic joint="j1" multiplier="-2" offset="0.1"/>', ""
        )
    ).with_tool(TOOL)
    both = free.jacobian([q1, q2])
    assert np.allclose(chain.jacobian([q1])[:, 0], both[:, 0] - 2 * both[:, 1], rtol=0, atol=1e-15)


def test_limits_of_the_follower_hold_for_the_leader():
    text = ROBOT.format(kind="revolute", limit1=LIMIT.format(-3, 3), limit2=LIMIT.format(-0.5, 1.5))
    chain = mk.SerialChain.from_urdf(text)
    # -2 q + 0.1 from -0.5 to 1.5: the ends change places with the sign
    assert chain.lower[0] == pytest.approx(-0.7, abs=1e-15)
    assert chain.upper[0] == pytest.approx(0.3, abs=1e-15)
