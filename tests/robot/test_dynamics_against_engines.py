"""D7: torques, mass matrices, Coriolis matrices, derivatives, energies and momenta of three real robots."""

import sys
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import motionkit as mk

sys.path.insert(0, str(Path(__file__).parent))
from dynamic_oracles import ROBOTS, Pinocchio, off, states, worst

# a tool goes through 1000 states; the differences are of rounding, a thousand times smaller than what is asked
SAMPLE = 12
TOLERANCE = 1e-9


@pytest.mark.parametrize("name", ROBOTS)
def test_whole_robots(name, robot_files, capsys):
    path = robot_files / ROBOTS[name]
    robot = mk.DynamicTree.from_urdf(path)
    found = worst(robot, path, states(robot, 41, SAMPLE))
    with capsys.disabled():
        what = max(found, key=found.get)
        print(f"\nD7: {name}, {robot.n} coordinates: at most {found[what]:.1e} of the largest number ({what})")
    assert len(found) == 15
    assert max(found.values()) < TOLERANCE


def test_an_arm_of_a_humanoid_carries_its_hand(robot_files):
    """A chain's torques are those of the whole robot with everything else locked where it is held."""
    path = robot_files / ROBOTS["Talos"]
    model = mk.RobotModel.from_urdf(path)
    chain = mk.DynamicChain.from_model(
        model, "torso_2_link", "gripper_left_base_link", held={"gripper_left_joint": -0.4}
    )
    assert len(chain.beside) > 10  # fingers, which follow one joint
    held = {name: 0.0 for name in model.joint_names if name not in chain.joint_names} | {"gripper_left_joint": -0.4}
    robot = mk.DynamicTree(model, held=held)
    assert robot.joint_names == chain.joint_names
    # torso_2_link is the base of the chain and stands upright in the robot at zero
    oracle, rng = Pinocchio(path, robot), np.random.default_rng(42)
    for q, qd, qdd in rng.uniform(-1, 1, (10, 3, chain.n)):
        assert off(chain.inverse_dynamics(q, qd, qdd), oracle.torque(q, qd, qdd)) < 1e-13
        assert off(robot.inverse_dynamics(q, qd, qdd), oracle.torque(q, qd, qdd)) < 1e-13
    open_hand = mk.DynamicChain.from_model(model, "torso_2_link", "gripper_left_base_link")
    assert 1e-5 < off(open_hand.gravity_torque(q), chain.gravity_torque(q)) < 1e-2  # where the fingers are matters
    assert off(bare(chain).gravity_torque(q), chain.gravity_torque(q)) > 0.02  # that there are fingers matters more


def bare(chain):
    """The chain without what hangs beside it."""
    return mk.SerialChain(chain.segments, base=chain.base).with_inertias()


def test_jacobian_of_a_link_and_its_derivative(robot_files):
    path = robot_files / ROBOTS["Talos"]
    robot = mk.DynamicTree.from_urdf(path)
    oracle = Pinocchio(path, robot)
    frame = oracle.model.getFrameId("gripper_right_base_link")
    axes = pin.LOCAL_WORLD_ALIGNED
    for q, qd, _ in states(robot, 43, 5):
        pin.computeJointJacobiansTimeVariation(oracle.model, oracle.data, oracle.q(q), oracle.v(qd))
        pin.updateFramePlacements(oracle.model, oracle.data)
        J = pin.getFrameJacobian(oracle.model, oracle.data, frame, axes)[:, oracle.columns] @ oracle.P
        rate = pin.getFrameJacobianTimeVariation(oracle.model, oracle.data, frame, axes)[:, oracle.columns] @ oracle.P
        link = "gripper_right_base_link"
        assert off(robot.link_jacobian(link, q), J) < 1e-13
        ours = robot.link_jacobian_derivative(link, q, qd)
        h = 1e-6
        there, back = robot.link_jacobian(link, q + h * qd), robot.link_jacobian(link, q - h * qd)
        assert off(ours, (there - back) / (2 * h)) < 1e-8
        # pinocchio's linear rows leave out what the motion of the point adds (its documentation calls it local)
        assert off(ours[3:], rate[3:]) < 1e-12
