"""Reports: a frame's acceleration was the one of six-vectors, without w x v, and its Jacobian in other axes."""

import numpy as np

import motionkit as mk

Q, QD = np.array([0.2, -0.9, 1.3, 0.4, 0.7, -0.3]), np.array([0.5, -1.0, 0.8, 1.2, -0.7, 2.0])


def test_the_derivative_of_the_jacobian_gives_what_an_accelerometer_at_the_tool_moves_by():
    arm = mk.DynamicChain.six_axis_example().with_tool(mk.SE3.from_translation((0.0, 0.05, 0.2)))
    h = 1e-4
    path = [arm.forward(Q + t * QD).translation for t in (-h, 0.0, h)]
    measured = (path[0] - 2 * path[1] + path[2]) / (h * h)
    acceleration = arm.jacobian_derivative(Q, QD) @ QD
    assert np.abs(acceleration[:3] - measured).max() < 1e-6  # the error of second differences over 1e-4 s
    twist = arm.jacobian(Q) @ QD
    spatial = acceleration[:3] - np.cross(twist[3:], twist[:3])
    assert np.abs(spatial - measured).max() > 0.5  # m/s^2: the control


def test_power_does_not_depend_on_the_frame_that_it_is_reckoned_in():
    """A wrench moved along with the twist: force and moment at the tool, at the base, in either's axes."""
    arm = mk.DynamicChain.six_axis_example()
    pose = arm.forward(Q)
    force, moment = np.array([1.0, -2.0, 3.0]), np.array([0.3, 0.1, -0.2])
    R = pose.rotation.matrix()
    wrenches = {
        "tool_at_base_orientation": np.concatenate([force, moment]),
        "tool": np.concatenate([R.T @ force, R.T @ moment]),
        "base_origin": np.concatenate([force, moment + np.cross(pose.translation, force)]),
    }
    torques = [arm.jacobian(Q, frame).T @ wrench for frame, wrench in wrenches.items()]
    for tau in torques[1:]:
        assert np.abs(tau - torques[0]).max() < 1e-14
