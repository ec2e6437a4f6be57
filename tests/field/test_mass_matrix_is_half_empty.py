"""Reports: only the upper triangle of the mass matrix was filled, and whoever solved with all of it got nonsense."""

import numpy as np

import motionkit as mk


def test_both_triangles_are_filled_and_equal_to_the_bit():
    arm = mk.DynamicChain.six_axis_example().with_payload(1.0, (0.05, 0.02, 0.1))  # else the wrist has true zeros
    q = np.array([0.2, -0.9, 1.3, 0.4, 0.7, -0.3])
    for M in (arm.mass_matrix(q), arm.mass_matrix(q, out=np.full((6, 6), np.nan)), arm.mass_matrix_batch([q])[0]):
        assert (M == M.T).all()
        assert np.count_nonzero(np.tril(M, -1)) == 15
        assert np.linalg.cholesky(M)[5, 5] > 0.0
    # the upper triangle taken for the whole is off by as much as the numbers themselves
    tau = arm.inverse_dynamics(q, 0 * q, np.ones(6)) - arm.gravity_torque(q)
    assert np.abs(M @ np.ones(6) - tau).max() < 1e-13
    assert np.abs(np.triu(M) @ np.ones(6) - tau).max() > 0.1


def test_branches_that_do_not_carry_one_another_have_zeros(robot_files):
    robot = mk.DynamicTree.from_urdf(robot_files / "talos_data/robots/talos_full_v2.urdf")
    M = robot.mass_matrix(np.full(robot.n, 0.3), out=np.full((robot.n, robot.n), np.nan))
    left, right = (robot.joint_names.index(f"leg_{side}_1_joint") for side in ("left", "right"))
    assert M[left, right] == 0.0 == M[right, left]
    assert (M == M.T).all()
