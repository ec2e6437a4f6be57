"""Issue: FK, link poses and Jacobian agree with pinocchio to 1e-12 at 1000 random configurations of five real arms."""

import numpy as np
import pinocchio as pin
import pytest

import motionkit as mk

ARMS = {
    "UR5": ("ur_description/urdf/ur5_robot.urdf", "tool0"),
    "UR10": ("ur_description/urdf/ur10_robot.urdf", "tool0"),
    "Panda": ("panda_description/urdf/panda.urdf", "panda_hand_tcp"),
    "xarm7": ("xarm_description/urdf/xarm7.urdf", None),
    "Kinova": ("kinova_description/robots/kinova.urdf", "j2s6s200_end_effector"),
}
FRAMES = {
    "tool_at_base_orientation": pin.LOCAL_WORLD_ALIGNED,
    "tool": pin.LOCAL,
    "base_origin": pin.WORLD,
}
COUNT = 1000
# both programs multiply a dozen matrices whose entries are of order one: 1e-14, and a margin
TOLERANCE = 1e-12


class Oracle:
    """Pinocchio's model of the file, fed by joint names: its order and its (cos, sin) coordinates stay inside."""

    def __init__(self, path, chain):
        self.model = pin.buildModelFromUrdf(str(path))
        self.data = self.model.createData()
        joints = [self.model.joints[self.model.getJointId(name)] for name in chain.joint_names]
        self._joints = joints
        self.columns = [joint.idx_v for joint in joints]

    def q(self, values):
        q = pin.neutral(self.model)
        for joint, x in zip(self._joints, values, strict=True):
            if joint.nq == 2:
                q[joint.idx_q : joint.idx_q + 2] = np.cos(x), np.sin(x)
            else:
                q[joint.idx_q] = x
        return q

    def qd(self, values):
        v = np.zeros(self.model.nv)
        v[self.columns] = values
        return v

    def frame(self, link):
        return self.model.getFrameId(link, pin.BODY)

    def pose(self, link):
        return self.data.oMf[self.frame(link)].homogeneous


def configurations(chain, rng, count):
    low, high = np.array([limits.sampling_interval for limits in chain.limits]).T
    turning = np.array([limits.kind != "prismatic" for limits in chain.limits])
    return rng.uniform(np.where(turning, -np.pi, low), np.where(turning, np.pi, high), (count, chain.n))


@pytest.mark.parametrize("arm", ARMS)
def test_pose_link_poses_and_jacobians(arm, robot_files, capsys):
    path, tip = ARMS[arm]
    chain = mk.SerialChain.from_urdf(robot_files / path, tip=tip)
    oracle = Oracle(robot_files / path, chain)
    Q = configurations(chain, np.random.default_rng(20), COUNT)
    poses = chain.forward_batch(Q)
    jacobians = {frame: chain.jacobian_batch(Q, frame) for frame in FRAMES}
    pose_error = link_error = jacobian_error = 0.0
    for k in range(COUNT):
        pin.framesForwardKinematics(oracle.model, oracle.data, oracle.q(Q[k]))
        pose_error = max(pose_error, np.abs(poses[k] - oracle.pose(chain.tip)).max())
        for link, pose in chain.link_poses(Q[k]).items():
            link_error = max(link_error, np.abs(pose.matrix() - oracle.pose(link)).max())
        pin.computeJointJacobians(oracle.model, oracle.data)
        for frame, reference in FRAMES.items():
            J = pin.getFrameJacobian(oracle.model, oracle.data, oracle.frame(chain.tip), reference)[:, oracle.columns]
            jacobian_error = max(jacobian_error, np.abs(jacobians[frame][k] - J).max())
    with capsys.disabled():
        print(f"\n{arm}: pose {pose_error:.1e}, links {link_error:.1e}, Jacobians {jacobian_error:.1e} from pinocchio")
    assert pose_error < TOLERANCE
    assert link_error < TOLERANCE
    assert jacobian_error < TOLERANCE


@pytest.mark.parametrize("arm", ARMS)
def test_drift_is_the_classical_acceleration_at_rest_of_the_joints(arm, robot_files):
    path, tip = ARMS[arm]
    chain = mk.SerialChain.from_urdf(robot_files / path, tip=tip)
    oracle = Oracle(robot_files / path, chain)
    rng = np.random.default_rng(21)
    worst = 0.0
    for q in configurations(chain, rng, 100):
        qd = rng.uniform(-2, 2, chain.n)
        v = oracle.qd(qd)
        pin.forwardKinematics(oracle.model, oracle.data, oracle.q(q), v, 0.0 * v)
        pin.updateFramePlacements(oracle.model, oracle.data)
        a = pin.getFrameClassicalAcceleration(
            oracle.model, oracle.data, oracle.frame(chain.tip), pin.LOCAL_WORLD_ALIGNED
        )
        worst = max(worst, np.abs(chain.drift(q, qd) - a.vector).max())
    assert worst < 1e-11  # accelerations of up to 100 m/s^2


def test_a_chain_between_two_hands_goes_up_and_down(robot_files):
    """From one gripper of a two-armed robot to the other: joints passed upwards turn the other way."""
    path = robot_files / "baxter_description/urdf/baxter.urdf"
    chain = mk.RobotModel.from_urdf(path).chain("left_gripper", "right_gripper")
    assert chain.n == 14
    oracle = Oracle(path, chain)
    for q in configurations(chain, np.random.default_rng(22), 50):
        full = oracle.q(q)
        pin.framesForwardKinematics(oracle.model, oracle.data, full)
        expected = np.linalg.inv(oracle.pose("left_gripper")) @ oracle.pose("right_gripper")
        assert np.abs(chain.forward(q).matrix() - expected).max() < TOLERANCE
        J = pin.computeFrameJacobian(oracle.model, oracle.data, full, oracle.frame("right_gripper"), pin.WORLD)
        J = J - pin.computeFrameJacobian(oracle.model, oracle.data, full, oracle.frame("left_gripper"), pin.WORLD)
        # the relative twist in world axes at the world origin, brought to the left hand
        to_left = oracle.data.oMf[oracle.frame("left_gripper")].inverse().action
        assert np.abs(chain.jacobian(q, "base_origin") - (to_left @ J)[:, oracle.columns]).max() < TOLERANCE
