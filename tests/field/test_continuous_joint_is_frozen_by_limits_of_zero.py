"""Report: a continuous joint whose file says lower="0" upper="0" could not move; others sampled it over all doubles."""

import math

import numpy as np
import pytest

import motionkit as mk

ROBOT = (
    '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>'
    '<child link="b"/><axis xyz="0 0 1"/>{}</joint></robot>'
)


@pytest.mark.parametrize("limit", ["", '<limit lower="0" upper="0" velocity="2"/>', '<limit velocity="2"/>'])
def test_it_turns_without_end_and_is_sampled_over_one_turn(limit):
    chain = mk.SerialChain.from_urdf(ROBOT.format(limit))
    limits = chain.limits[0]
    assert (limits.lower, limits.upper) == (-math.inf, math.inf)
    assert limits.sampling_interval == (-math.pi, math.pi)
    assert chain.n == 1  # one angle, not a sine and a cosine
    for q in (0.5, 0.5 + 2 * math.pi, 50.0):
        turned = chain.forward([q]).rotation.angle_to(mk.SO3.from_rpy(0, 0, q))
        assert turned < 1e-14


def test_ends_that_are_numbers_are_told_and_not_used():
    model = mk.RobotModel.from_urdf(ROBOT.format('<limit lower="-1" upper="1" velocity="2"/>'))
    assert "a continuous joint has no ends" in [finding.rule for finding in model.check()]
    assert np.isinf(model.chain().upper[0])
