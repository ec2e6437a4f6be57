"""Arms that have a closed form of inverse kinematics, made from axes and points, and what tests of them share."""

from __future__ import annotations

import math

import numpy as np

import motionkit as mk

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TURN = mk.JointLimits.revolute(-6.3, 6.3, 1.0)
TOOL = mk.SE3.exp([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])


def arm(axes, points, *, tool=TOOL, limits=TURN, name="arm"):
    """An arm of turning joints."""
    joints = [
        mk.Joint.revolute(f"j{k}", axis, point, limits)
        for k, (axis, point) in enumerate(zip(axes, points, strict=True), start=1)
    ]
    return mk.SerialChain.from_joints(joints, tool=tool, name=name)


def from_dh(alpha, a, d):
    """An arm from standard Denavit-Hartenberg rows whose offsets of angle are zero; its tip is the last frame."""
    T = np.eye(4)
    axes, points = [], []
    for twist, length, offset in zip(alpha, a, d, strict=True):
        axes.append(tuple(T[:3, 2]))
        points.append(tuple(T[:3, 3]))
        c, s = math.cos(twist), math.sin(twist)
        T = T @ np.array([[1, 0, 0, length], [0, c, -s, 0], [0, s, c, offset], [0, 0, 0, 1]])
    joints = [
        mk.Joint.revolute(f"j{k}", z, p, TURN) for k, (z, p) in enumerate(zip(axes, points, strict=True), start=1)
    ]
    return mk.SerialChain.from_joints([*joints, mk.Joint.fixed("flange", mk.SE3.from_matrix(T))], name="dh")


def ur5():
    """The nominal UR5, its wrist turning twice."""
    h = math.pi / 2
    return from_dh([h, 0, 0, h, -h, 0], [0, -0.425, -0.39225, 0, 0, 0], [0.089159, 0, 0, 0.10915, 0.09465, 0.0823])


def puma():
    """An arm with a shoulder offset and an elbow offset, its third axis pointing the other way."""
    points = [(0, 0, 0), (0, 0.1, 0.6), (0.43, 0.05, 0.62), (0.45, 0.15, 0.3), (0.45, 0, 1.05), (0.45, 0.15, 2)]
    return arm([Z, Y, (0, -1, 0), Z, Y, Z], points, name="puma-like")


def ortho_parallel():
    """An industrial arm: shoulder and elbow offset, wrist along x at zero."""
    points = [(0, 0, 0), (0.18, 0, 0.4), (0.18, 0, 0.96), (0.5, 0, 0.925), (0.695, 0, 0.925), (0.8, 0, 0.925)]
    return arm([Z, Y, Y, X, Y, X], points, name="ortho-parallel")


def example():
    """The example arm of the package, free of its limits."""
    ready = mk.SerialChain.six_axis_example()
    flange = mk.Joint.fixed("flange", ready.forward(np.zeros(6)))
    return mk.SerialChain.from_joints([free(joint) for joint in ready.joints] + [flange], name="example")


def skew_wrist():
    """Axis 1 askew of axis 2, the axes of the wrist at odd angles."""
    axes = [(0.3, 0.2, 1), Y, (0, -1, 0), (1, 0.2, 0.3), (0.2, 1, 0.1), (1, -0.3, 0.2)]
    points = [(0, 0, 0), (0.1, 0.1, 0.6), (0.43, 0.05, 0.62), (0.7, 0.2, 0.3), (0.7, 0.2, 0.3), (0.7, 0.2, 0.3)]
    return arm(axes, points, name="skew wrist")


def skew_parallel():
    """Three parallel axes, the others at odd angles."""
    axes = [(0.3, 0.2, 1), Y, (0, -1, 0), Y, (0.9, 0.2, 0.1), (0.1, -1, 0.2)]
    points = [(0, 0, 0), (0.1, 0.1, 0.6), (0.43, 0.05, 0.62), (0.7, 0.2, 0.3), (0.8, 0.3, 0.2), (0.8, 0.3, 0.2)]
    return arm(axes, points, name="skew parallel")


def backwards(chain):
    """The same arm mounted by its tool."""
    joints = [mk.Joint.revolute(j.name, tuple(-np.array(j.axis)), j.point, TURN) for j in reversed(chain.joints)]
    return mk.SerialChain.from_joints(joints, tool=TOOL, name=f"{chain.name} backwards")


def moved(chain, pose):
    """The same arm standing elsewhere."""
    joints = [
        mk.Joint.revolute(j.name, tuple(pose.rotation * np.array(j.axis)), tuple(pose * np.array(j.point)), TURN)
        for j in chain.joints
    ]
    flange = mk.Joint.fixed("flange", pose * chain.forward(np.zeros(6)))
    return mk.SerialChain.from_joints([*joints, flange], name=f"{chain.name} moved")


def calibrated(chain, angle, distance, seed):
    """The same arm with every axis turned by ``angle`` and moved by ``distance``, in random directions."""
    rng = np.random.default_rng(seed)
    joints = []
    for j in chain.joints:
        turn, shift = rng.normal(size=(2, 3))
        axis = mk.SO3.exp(angle * turn / np.linalg.norm(turn)) * np.array(j.axis)
        point = np.array(j.point) + distance * shift / np.linalg.norm(shift)
        joints.append(mk.Joint.revolute(j.name, tuple(axis), tuple(point), TURN))
    flange = mk.Joint.fixed("flange", chain.forward(np.zeros(6)))
    return mk.SerialChain.from_joints([*joints, flange], name=f"{chain.name} calibrated")


def free(joint):
    """The joint with wide limits."""
    return mk.Joint.revolute(joint.name, joint.axis, joint.point, TURN)


def arms():
    """Every arm above, by name."""
    made = [ur5(), puma(), ortho_parallel(), example(), skew_wrist(), skew_parallel()]
    rng = np.random.default_rng(3)
    made += [backwards(made[0]), backwards(made[1]), moved(made[2], mk.SE3.random(rng))]
    return {chain.name: chain for chain in made}


def apart(a, b):
    """Largest difference of coordinates, whole turns aside."""
    return np.max(np.abs(np.sin(0.5 * (np.asarray(a) - b))), axis=-1) * 2.0


def residual(chain, q, target):
    """Distance and angle that the chain ends from the target, measured by poses, not by the solver."""
    reached = chain.forward(q)
    return max(np.linalg.norm(reached.translation - target.translation), reached.rotation.angle_to(target.rotation))
