"""A motion planned here, played with computed torque on MuJoCo's model of the same arm."""

import mujoco
import numpy as np

import motionkit as mk

STEP = 5e-4  # s, of the simulator and of the controller
START, GOAL = np.radians([0, -60, 90, 0, 60, 0]), np.radians([70, -20, 40, 90, -30, 120])
STIFFNESS, DAMPING = 400.0, 40.0  # 1/s^2 and 1/s: errors die away within a fifth of a second


def simulated(arm, plan, path, feedforward):
    """Largest error on the way, rad, and the largest torque."""
    arm_file = path / "arm.urdf"
    mk.RobotModel.six_axis_example().to_urdf(arm_file)
    model = mujoco.MjModel.from_xml_path(str(arm_file))
    model.opt.timestep, model.opt.integrator = STEP, mujoco.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(model)
    data.qpos[:] = START
    worst, most, row = 0.0, 0.0, np.empty((4, 6))
    while data.time <= plan.duration + 0.1:
        wanted = plan.sample(data.time, out=row)
        position, velocity, acceleration = wanted[0], wanted[1], wanted[2]
        correction = STIFFNESS * (position - data.qpos) + DAMPING * (velocity - data.qvel)
        if feedforward:
            tau = arm.inverse_dynamics(data.qpos.copy(), data.qvel.copy(), acceleration + correction)
        else:
            tau = arm.gravity_torque(data.qpos.copy()) + np.diag(arm.mass_matrix(START)) * correction
        data.qfrc_applied[:] = tau
        worst, most = max(worst, np.abs(position - data.qpos).max()), max(most, np.abs(tau).max())
        mujoco.mj_step(model, data)
    return worst, most


def test_the_arm_follows_the_plan(tmp_path, capsys):
    """Torques are held for half a millisecond, which leaves microradians; without the model of the arm it lags."""
    arm = mk.DynamicChain.six_axis_example()
    plan = mk.SynchronizedTrajectory.plan(START, GOAL, [mk.MotionLimits(2.0, 8.0, 60.0)] * 6)
    worst, most = simulated(arm, plan, tmp_path, feedforward=True)
    control, _ = simulated(arm, plan, tmp_path, feedforward=False)
    with capsys.disabled():
        print(
            f"\ncomputed torque: {worst:.1e} rad off the plan over {plan.duration:.2f} s at up to {most:.0f} N m; "
            f"gravity and the diagonal alone {control:.1e} rad"
        )
    assert most > 50.0
    assert worst < 5e-4
    assert control > 20 * worst
