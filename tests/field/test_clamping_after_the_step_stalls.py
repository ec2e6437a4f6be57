"""Field report: a solver that takes its step and clips it to the limits stops short of poses that it can reach.

Wanted: what a joint at its limit cannot do, the others do in the same step. (Report 9.)
"""

import numpy as np

import motionkit as mk


def clipped_steps(arm, target, seed, steps):
    """The control: damped steps with the same growing damping, clipped afterwards."""
    q = seed.copy()
    length = 0.5 * arm.reach
    for _ in range(steps):
        T = arm.forward(q)
        twist = np.concatenate([target.translation - T.translation, (target.rotation * T.rotation.inverse()).log()])
        size = float(np.linalg.norm(twist / np.repeat([length, 1.0], 3)))
        if size < 1e-9:
            return True
        J = arm.jacobian(q) / np.repeat([length, 1.0], 3)[:, None]
        e = twist / np.repeat([length, 1.0], 3)
        q = np.clip(q + J.T @ np.linalg.solve(J @ J.T + (1e-12 + 0.05 * size**2) * np.eye(6), e), arm.lower, arm.upper)
    return False


def test_more_poses_beside_the_limits_are_reached_than_by_clipping(robot_files):
    arm = mk.RobotModel.from_urdf(robot_files / "panda_description/urdf/panda.urdf").chain(tip="panda_hand")
    rng = np.random.default_rng(900)
    ours = clipped = 0
    for _ in range(60):
        q = rng.uniform(arm.lower, arm.upper)
        q[[3, 5]] = arm.lower[[3, 5]] + 0.02  # two joints beside their limits
        seed = np.clip(q + rng.uniform(-0.5, 0.5, 7), arm.lower, arm.upper)
        target = arm.forward(q)
        ours += bool(arm.inverse_batch(target.matrix()[None], seed[None]).converged[0])
        clipped += clipped_steps(arm, target, seed, 100)
    print(f"reached of 60: {ours}; by clipping afterwards: {clipped}")
    assert ours > clipped
    assert ours >= 54
