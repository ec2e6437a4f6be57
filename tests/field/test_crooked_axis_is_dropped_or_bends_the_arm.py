"""Reports: an axis that is no coordinate axis was dropped or stretched the arm; one along x got a wrong Jacobian."""

import numpy as np
import pytest

import motionkit as mk

ROBOT = (
    '<robot name="r"><link name="a"/><link name="b"/><link name="tip"/>'
    '<joint name="j" type="revolute"><origin xyz="0.3 0 0" rpy="0.2 -0.4 0.9"/><parent link="a"/><child link="b"/>'
    '<axis xyz="{} {} {}"/><limit lower="-3" upper="3" velocity="1" effort="1"/></joint>'
    '<joint name="f" type="fixed"><origin xyz="0.3 0.1 -0.2"/><parent link="b"/><child link="tip"/></joint></robot>'
)


def rodrigues(axis, angle):
    x, y, z = np.array(axis, dtype=float) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


@pytest.mark.parametrize("axis", [(0, 1.5, 0), (1, 0, 0), (1, 1, 0), (-0.3, 0.5, 2.0), (0, 0, -1), (1e-6, 0, 0)])
def test_every_axis_is_a_direction(axis):
    model = mk.RobotModel.from_urdf(ROBOT.format(*axis))
    chain = model.chain()
    assert chain.n == 1
    place = model.joints[0].placement
    expected = place.translation + place.rotation.matrix() @ rodrigues(axis, 0.5) @ [0.3, 0.1, -0.2]
    # a dozen roundings of lengths below 1 m
    assert np.allclose(chain.forward([0.5]).translation, expected, rtol=0, atol=1e-15)
    step = 1e-6
    slope = (chain.forward([0.5 + step]).translation - chain.forward([0.5 - step]).translation) / (2 * step)
    # central difference: rounding of 1e-16 over 1e-6
    assert np.allclose(chain.jacobian([0.5])[:3, 0], slope, rtol=0, atol=4e-10)
    told = [finding.rule for finding in model.check() if "axis" in finding.where]
    assert told == ([] if np.isclose(np.linalg.norm(axis), 1.0) else ["a direction of length 1"])


def test_an_axis_of_zeros_is_refused_by_name():
    with pytest.raises(mk.InvalidModel, match="joint 'j' axis: a direction; got '0 0 0'"):
        mk.RobotModel.from_urdf(ROBOT.format(0, 0, 0))
