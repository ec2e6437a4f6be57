"""The executor on a machine that has mass: the example arm in MuJoCo, told to hold and go on in mid-move."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import motionkit as mk

Q = np.radians([0, -60, 90, 0, 60, 0])


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The example arm with stiff position actuators and gravity compensation."""
    path = tmp_path_factory.mktemp("arm") / "arm.urdf"
    mk.RobotModel.six_axis_example().to_urdf(path)
    spec = mujoco.MjSpec.from_file(str(path))
    spec.option.timestep = 5e-4
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    for body in spec.bodies:
        body.gravcomp = 1.0
    for geom in spec.geoms:
        geom.contype = geom.conaffinity = 0
    for joint in spec.joints:
        joint.armature = 0.1
        actuator = spec.add_actuator()
        actuator.name, actuator.target = f"{joint.name}_servo", joint.name
        actuator.trntype = mujoco.mjtTrn.mjTRN_JOINT
        actuator.set_to_position(kp=20000.0, kv=600.0)
    return spec.compile()


def test_it_follows_holds_goes_on_and_arrives(model: Any) -> None:
    arm = mk.SerialChain.six_axis_example()
    limits = [mk.MotionLimits(joint.max_velocity, 8.0, 60.0) for joint in arm.limits]
    pose = arm.forward(Q)
    plan = mk.CartesianPlan.plan(arm, Q, mk.SE3(pose.rotation, pose.translation + np.array([0.05, -0.2, 0.05])), limits)
    data = mujoco.MjData(model)
    sink = mk.MujocoSink(model, data, arm.joint_names)
    places = [int(model.joint(name).qposadr[0]) for name in arm.joint_names]
    data.qpos[places] = Q
    data.ctrl[:] = Q
    lags: list[float] = []
    tools: list[np.ndarray] = []

    def watched(setpoint: mk.Setpoint) -> None:
        sink(setpoint)
        lags.append(float(np.abs(sink.positions - setpoint.position).max()))
        tools.append(arm.forward(sink.positions).translation)

    executor = mk.Executor(plan, watched, limits=limits)
    for _ in range(450):
        executor.step()
    executor.hold()
    for _ in range(900):
        executor.step()
    held = sink.positions
    assert np.abs(held - executor.setpoint.position).max() < 1e-3 and not executor.setpoint.velocity.any()
    executor.resume(0.6)
    report = executor.run(realtime=False)
    way = plan.line.pose(1.0).translation - pose.translation
    off = [float(np.linalg.norm(np.cross(p - pose.translation, way)) / np.linalg.norm(way)) for p in tools]
    print(f"largest lag {max(lags):.2e} rad, tool off its line {max(off) * 1e3:.2f} mm, at the end {lags[-1]:.1e} rad")
    assert report.completed
    # a servo of kp 20000 and kv 600 lags by kv/kp = 30 ms of the velocity at most: 2 rad/s give 0.06 rad
    assert max(lags) < 0.06
    assert np.abs(sink.positions - plan.end_q).max() < 2e-2


def test_joints_that_are_not_there(model: Any) -> None:
    data = mujoco.MjData(model)
    with pytest.raises(mk.UnknownName, match="is not in the model"):
        mk.MujocoSink(model, data, ["elbow9"])
    bare = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/></body></worldbody></mujoco>"
    )
    with pytest.raises(mk.UnknownName, match="has no actuator"):
        mk.MujocoSink(bare, mujoco.MjData(bare), ["a"])
