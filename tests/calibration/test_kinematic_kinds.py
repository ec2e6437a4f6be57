"""Kinematic calibration of chains of other kinds: one joint, sliding axes, followers, a base far away, bad input."""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk
from motionkit.calibration._screw_errors import corrected, terms

ARM = mk.SerialChain.six_axis_example()

FOLLOWER = """<robot name="m"><link name="b"/><link name="l1"/><link name="l2"/><link name="l3"/><link name="t"/>
<joint name="j1" type="revolute"><parent link="b"/><child link="l1"/><origin xyz="0 0 .1"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
<joint name="j2" type="revolute"><parent link="l1"/><child link="l2"/><origin xyz="0.3 0 .1"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
<joint name="j3" type="revolute"><parent link="l2"/><child link="l3"/><origin xyz="0.3 0 0"/><axis xyz="1 0 0"/>
<limit lower="-4" upper="4" velocity="1" effort="1"/><mimic joint="j2" multiplier="-1.5" offset="0.2"/></joint>
<joint name="f" type="fixed"><parent link="l3"/><child link="t"/><origin xyz="0.1 .1 0"/></joint></robot>"""


def test_one_joint_is_a_line_and_a_tool() -> None:
    chain = mk.SerialChain.from_joints(
        [mk.Joint.revolute("a", (0, 0, 1), (0, 0, 0), mk.JointLimits.revolute(-3, 3, 1))],
        tool=mk.SE3.from_translation((1, 0, 0)),
    )
    Q = np.linspace(-1, 1, 9)[:, None]
    assert mk.calibrate_kinematics(chain, Q, [chain.forward(q) for q in Q]).rank == 10
    assert mk.calibrate_kinematics(chain, Q, np.array([chain.forward(q).translation for q in Q])).rank == 7


def test_sliding_axes_have_directions_only() -> None:
    rng = np.random.default_rng(0)
    limits = mk.JointLimits.prismatic(0, 1, 1)
    gantry = mk.SerialChain.from_joints(
        [mk.Joint.prismatic(n, a, (0, 0, 0), limits) for n, a in zip("xyz", np.eye(3).tolist(), strict=True)]
    )
    parameters = terms(gantry, ("axes",), (), turned_tool=True)
    real = corrected(gantry, mk.SE3.identity(), parameters, rng.normal(size=len(parameters)) * 1e-3)[0]
    Q = rng.uniform(0, 1, (12, 3))
    found = mk.calibrate_kinematics(gantry, Q, [real.forward(q) for q in Q])
    assert found.rank == 12  # two an axis, six of the tool
    fresh = rng.uniform(0, 1, (5, 3))
    assert max(np.abs(found.predict(q).matrix() - real.forward(q).matrix()).max() for q in fresh) < 1e-12
    assert all(axis.shifted == axis.sigma_point == 0.0 for axis in found.axes)


def test_followers_are_calibrated_and_written() -> None:
    rng = np.random.default_rng(0)
    robot = mk.RobotModel.from_urdf(FOLLOWER)
    chain = robot.chain(tip="t")
    parameters = terms(chain, ("axes", "zeros", "tool"), (), turned_tool=True)
    real = corrected(chain, mk.SE3.identity(), parameters, rng.normal(size=len(parameters)) * 1e-3)[0]
    Q = rng.uniform(-1.9, 1.9, (30, 2))
    found = mk.calibrate_kinematics(chain, Q, [real.forward(q) for q in Q])
    assert found.rank == 18 and found.after.position_worst < 1e-12
    again = mk.RobotModel.from_urdf(found.model(robot).to_urdf()).chain(tip="t")
    assert max(np.abs(again.forward(q).matrix() - found.chain.forward(q).matrix()).max() for q in Q[:5]) < 1e-12
    backwards = robot.chain(base="t", tip="b")
    other = mk.calibrate_kinematics(backwards, Q, [backwards.forward(q) for q in Q])
    with pytest.raises(mk.KindMismatch, match="towards the root"):
        other.model(robot)
    with pytest.raises(mk.UnknownName, match="is not the one"):
        found.model(mk.RobotModel.six_axis_example())


def test_base_and_tool_nobody_knows() -> None:
    """The tool half a metre off and turned by more than a quarter turn, the tracker metres away."""
    rng = np.random.default_rng(0)
    Q = rng.uniform(-1.5, 1.5, (20, 6))
    place = mk.SE3(mk.SO3.from_rpy(1, 2, 3), (3, 1, 2))
    tool = mk.SE3(mk.SO3.from_rpy(2, 1, -2), (0.5, 0.3, 0.2))
    found = mk.calibrate_kinematics(ARM, Q, [place * ARM.forward(q) * tool for q in Q])
    assert found.after.position_worst < 1e-12
    assert np.abs(found.base.matrix() - place.matrix()).max() < 1e-9


def test_base_that_is_given_wrong_is_refused() -> None:
    rng = np.random.default_rng(0)
    Q = rng.uniform(-1.5, 1.5, (20, 6))
    seen = [ARM.forward(q) * mk.SE3.exp(rng.normal(size=6) * 1e-4) for q in Q]
    with pytest.raises(mk.KindMismatch, match=r"11\.\d deg from where it was given"):
        mk.calibrate_kinematics(ARM, Q, seen, base=mk.SE3(mk.SO3.from_rpy(0, 0, 0.2), (0, 0.1, 0)))


@pytest.mark.parametrize(
    "measured, kind",
    [
        (np.zeros((20, 3)), mk.NotConverged),
        (np.outer(np.arange(20.0), [1, 2, 3]), mk.NotConverged),
        ([mk.SE3.identity()] * 20, mk.NotConverged),
        ([], mk.NotEnoughSamples),
        ("twenty poses", mk.WrongLength),
    ],
)
def test_what_no_arm_can_have_measured_is_a_typed_error(measured, kind) -> None:
    with pytest.raises(kind):
        mk.calibrate_kinematics(ARM, np.random.default_rng(0).uniform(-1.5, 1.5, (20, 6)), measured)


def test_nothing_free_is_refused() -> None:
    with pytest.raises(mk.UnknownName, match="at least one of axes, zeros, base, tool"):
        mk.calibrate_kinematics(ARM, np.zeros((20, 6)), np.zeros((20, 3)), free=())
