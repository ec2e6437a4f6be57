"""Reports: a regressor of unstated shape, no way to ask for the parameters it goes with, friction left out."""

import numpy as np
import pytest

import motionkit as mk

Q, QD, QDD = np.array(
    [[0.2, -0.9, 1.3, 0.4, 0.7, -0.3], [0.5, -1.0, 0.8, 1.2, -0.7, 2.0], [1.0, 2.0, -3.0, 4.0, 1.5, 0.2]]
)


def test_the_parameters_are_there_in_the_stated_order():
    """Ten a body: mass, first moment, inertia about the frame's origin."""
    arm = mk.DynamicChain.six_axis_example()
    Y, pi = arm.regressor(Q, QD, QDD), arm.inertial_parameters
    assert (Y.shape, pi.shape, len(arm.body_names)) == ((6, 60), (6, 10), 6)
    assert np.abs(Y @ pi.ravel() - arm.inverse_dynamics(Q, QD, QDD)).max() < 1e-13
    body = mk.RobotModel.six_axis_example().link("link1").inertia  # about z, and z is the axis of its joint
    assert pi[0, 0] == body.mass
    assert pi[0, 1:4] == pytest.approx(body.mass * np.array(body.com), abs=1e-15)
    assert pi[0, 9] == pytest.approx(body.inertia[2][2], rel=1e-15)
    # a joint is turned by the bodies behind it only
    assert not Y[5, :50].any()
    assert Y[0, :10].any()


def test_the_parameters_can_be_told_in_the_frame_of_the_link():
    arm = mk.DynamicChain.six_axis_example()
    for name, (m, *rest) in zip(arm.body_names, arm.inertial_parameters.tolist(), strict=True):
        body, frame = mk.RobotModel.six_axis_example().link(name).inertia, arm.body_frames[name]
        centre, (xx, xy, xz, yy, yz, zz) = np.array(rest[:3]) / m, rest[3:]
        assert np.abs(frame.inverse() * centre - body.com).max() < 1e-15
        about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        about -= m * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        R = frame.rotation.matrix()
        assert np.abs(R.T @ about @ R - body.matrix()).max() < 1e-15


def test_friction_and_rotors_are_added_beside_it():
    arm = mk.DynamicChain.six_axis_example().with_friction([3.0] * 6, [2.0] * 6).with_rotor_inertia([0.5] * 6)
    tau = arm.regressor(Q, QD, QDD) @ arm.inertial_parameters.ravel()
    tau += arm.viscous_friction * QD + arm.coulomb_friction * np.sign(QD) + arm.rotor_inertia * QDD
    assert np.abs(tau - arm.inverse_dynamics(Q, QD, QDD)).max() < 1e-12
