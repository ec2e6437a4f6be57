"""Calibrated link offsets of a UR arm come out as metres that cancel, since its axes 2, 3 and 4 are nearly parallel.

Denavit and Hartenberg measure along the common perpendicular of two axes. Where they are a milliradian from parallel
that stands anywhere along them, so the numbers are right together and useless alone, and noise moves them by metres.
"""

from __future__ import annotations

import numpy as np

import motionkit as mk
from motionkit.calibration._screw_errors import corrected, terms


def foot(one: mk.Joint, other: mk.Joint) -> float:
    """How far along the first axis its common perpendicular with the other stands from the joint's point, m."""
    a, b, gap = np.array(one.axis), np.array(other.axis), np.array(other.point) - np.array(one.point)
    across = np.cross(a, b)
    return float(np.cross(gap, b) @ across / (across @ across))


def test_corrections_are_as_small_as_the_errors(robot_files) -> None:
    rng = np.random.default_rng(5)
    chain = mk.SerialChain.from_urdf(robot_files / "ur_description/urdf/ur5_robot.urdf", tip="tool0")
    parameters = terms(chain, ("axes", "tool"), (), turned_tool=True)
    real = corrected(chain, mk.SE3.identity(), parameters, rng.normal(size=30) * 1e-3)[0]
    Q = rng.uniform(-2.5, 2.5, (40, 6))
    noisy = [real.forward(q) * mk.SE3.exp(rng.normal(size=6) * 1e-4) for q in Q]
    found = mk.calibrate_kinematics(chain, Q, noisy)
    # errors of two components of a millimetre, and what noise adds to them
    assert max(axis.shifted for axis in found.axes) < 5e-3
    assert max(axis.sigma_point for axis in found.axes) < 1e-3
    # the control: where the common perpendiculars stand, which the other numbers are measured along
    shoulder, elbow, wrist = found.chain.joints[1:4]
    true = real.joints
    assert max(abs(foot(shoulder, elbow)), abs(foot(elbow, wrist))) > 0.1
    moved = abs(foot(shoulder, elbow) - foot(true[1], true[2])), abs(foot(elbow, wrist) - foot(true[2], true[3]))
    assert max(moved) > 20.0 * max(axis.sigma_point for axis in found.axes)  # by a tenth of a millimetre of noise
