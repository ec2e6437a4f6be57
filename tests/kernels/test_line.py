"""A line's poses, and the exact derivatives of joints that follow it, against differences of solved joints."""

import numpy as np
import pytest

import motionkit as mk
from motionkit.kernels import line as kernels
from motionkit.kernels._batch import run_rows
from motionkit.kernels._contract import Model

ARM = mk.SerialChain.six_axis_example()
Q = np.array([0.2, -1.1, 1.4, 0.3, 0.9, -0.4])


def make_line(arm, q, displacement, turn):
    m = arm.forward(q).matrix()
    return Model(np.concatenate([m[:3, :3].reshape(-1), m[:3, 3], displacement, turn]))


def rates(arm, line, q):
    n = arm.n
    out = np.empty(2 * n + 2)
    kernels.rates(arm.kernel_model, line, q, np.empty(18 * n + 60), out)
    return out


def pose_of(line, s):
    out, matrix = np.empty(12), np.eye(4)
    kernels.pose(line, s, out)
    matrix[:3, :3], matrix[:3, 3] = out[:9].reshape(3, 3), out[9:]
    return mk.SE3.from_matrix(matrix)


def test_poses_are_the_straight_interpolation():
    rng = np.random.default_rng(20)
    for _ in range(50):
        a, b = mk.SE3.random(rng), mk.SE3.random(rng)
        m = a.matrix()
        turn = (b.rotation * a.rotation.inverse()).log()
        line = Model(np.concatenate([m[:3, :3].reshape(-1), m[:3, 3], b.translation - a.translation, turn]))
        for s in (0.0, 0.25, 1.0):
            expected = a.interpolate(b, s)
            # a few roundings of numbers of size 1
            assert np.max(np.abs(pose_of(line, s).matrix() - expected.matrix())) < 3e-15
        moved, out = pose_of(line, 0.5).matrix(), np.empty(2)
        flat = np.concatenate([moved[:3, :3].reshape(-1), moved[:3, 3] + [3e-3, 4e-3, 0.0]])
        kernels.deviation(line, flat, 0.5, out)
        assert out[0] == pytest.approx(5e-3, rel=1e-10)
        assert out[1] < 1e-15


@pytest.mark.parametrize("turn", [[0.0, 0.0, 0.0], [0.2, -0.3, 0.4]])
def test_derivatives_of_six_joints_against_differences(turn):
    line = make_line(ARM, Q, [0.05, 0.03, -0.04], turn)
    out = rates(ARM, line, Q)
    h = 1e-3
    solved = [
        ARM.inverse(pose_of(line, k * h), Q, position_tolerance=1e-14, rotation_tolerance=1e-14).q for k in (-1, 0, 1)
    ]
    # central differences: error h^2 q''' / 6 resp. h^2 q'''' / 12 with derivatives of order 1, and 1e-14 / h^2
    assert (solved[2] - solved[0]) / (2 * h) == pytest.approx(out[:6], abs=1e-6)
    assert (solved[2] - 2 * solved[1] + solved[0]) / h**2 == pytest.approx(out[6:12], abs=1e-6)
    assert out[12] == pytest.approx(ARM.manipulability(Q), rel=1e-12)


def seven_joints():
    limits = mk.JointLimits.revolute(-3.0, 3.0, 2.0)
    axes = [(0, 0, 1), (0, 1, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0)]
    points = [(0, 0, 0.1), (0, 0, 0.3), (0, 0, 0.5), (0, 0, 0.7), (0.2, 0, 0.7), (0.4, 0, 0.7), (0.5, 0, 0.7)]
    return mk.SerialChain.from_joints(
        [mk.Joint.revolute(f"j{k}", a, p, limits) for k, (a, p) in enumerate(zip(axes, points, strict=True))]
    )


def test_seven_joints_move_least_and_turn_as_the_least_motion_does():
    arm = seven_joints()
    q = np.array([0.2, 0.5, -0.3, 0.9, 0.4, 0.8, -0.2])
    line = make_line(arm, q, [0.05, 0.03, -0.04], [0.1, -0.2, 0.15])
    out = rates(arm, line, q)
    assert out[:7] == pytest.approx(np.linalg.pinv(arm.jacobian(q)) @ line.array[12:], abs=1e-13)
    # q'' is the derivative of J^+(q) x' along q': a difference of the whole field, null space included
    h = 1e-5
    ahead = np.linalg.pinv(arm.jacobian(q + h * out[:7])) @ line.array[12:]
    behind = np.linalg.pinv(arm.jacobian(q - h * out[:7])) @ line.array[12:]
    assert (ahead - behind) / (2 * h) == pytest.approx(out[7:14], abs=1e-9)
    # the control: without the null-space term the derivative is wrong
    J, drift = arm.jacobian(q), arm.drift(q, out[:7])
    assert np.max(np.abs(np.linalg.pinv(J) @ -drift - out[7:14])) > 1e-4


def test_least_sine_tells_a_singular_arm():
    for wrist, low, high in ((0.9, 1e-2, 1.0), (1e-5, 1e-7, 1e-4), (0.0, 0.0, 1e-12)):
        q = Q.copy()
        q[3], q[4] = 0.0, wrist
        out = rates(ARM, make_line(ARM, q, [0.05, 0.03, -0.04], [0.0, 0.0, 0.0]), q)
        assert low <= out[13] <= high


def test_arrays_give_the_bits_of_floats():
    rng = np.random.default_rng(21)
    for arm in (ARM, seven_joints()):
        n = arm.n
        line = make_line(arm, rng.uniform(0.2, 1.0, n), [0.05, 0.03, -0.04], [0.1, 0.2, -0.3])
        q, s = rng.uniform(0.2, 1.0, (30, n)), rng.uniform(0.0, 1.0, 30)
        together, poses, strayed = np.empty((30, 2 * n + 2)), np.empty((30, 12)), np.empty((30, 2))
        run_rows(kernels.rates, arm.kernel_model, line, q, together, scratch=18 * n + 60)
        run_rows(kernels.pose, line, s, poses)
        run_rows(kernels.deviation, line, poses[::-1].copy(), s, strayed)
        for k in range(30):
            assert np.array_equal(together[k], rates(arm, line, q[k]))
            pose, off = np.empty(12), np.empty(2)
            kernels.pose(line, float(s[k]), pose)
            kernels.deviation(line, poses[29 - k], float(s[k]), off)
            assert np.array_equal(pose, poses[k])
            assert np.array_equal(off, strayed[k])
