"""Every configuration of a UR5 for a pose, in closed form: six joints, one URDF."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np

import motionkit as mk
from comparisons import Row, Sides
from peer_kinematics import arm
from timing import repeated

POSES = 64
MANY = 4096
SAME = 1e-6  # rad; answers that are nearer to each other, whole turns apart, are one


@cache
def targets(count: int) -> tuple[mk.SE3, ...]:
    """Poses that the arm reaches, away from singularities, which count as one answer here and as none there."""
    rng = np.random.default_rng(23)
    answers = rng.uniform(-2.8, 2.8, (4 * count, 6))
    clear = (np.abs(np.sin(answers[:, 4])) > 0.2) & (np.abs(np.sin(answers[:, 2])) > 0.2)
    return tuple(arm().forward(q) for q in answers[clear][:count])


Solver = Callable[[np.ndarray], np.ndarray]  # the answers, (k, 6), to a pose as both sides take it


def eaik() -> tuple[Solver, Solver]:
    """EAIK's robot from the axes at zero; it knows nothing of the turn that the tool has there.

    Returns:
        What is timed, and the same with the answers that it calls approximate left out.
    """
    from eaik.IK_HP import HPRobot

    chain = arm()
    at_zero = chain.forward(np.zeros(6)).matrix()
    points = np.array([joint.point for joint in chain.joints])
    offsets = np.vstack([points[0], np.diff(points, axis=0), at_zero[:3, 3] - points[-1]])
    robot = HPRobot(np.array([joint.axis for joint in chain.joints]), offsets)

    def exact(matrix: np.ndarray) -> np.ndarray:
        found = robot.IK(matrix)
        return np.array([q for q, approximate in zip(found.Q, found.is_LS, strict=True) if not approximate])

    return robot.IK, exact


def ssik() -> tuple[Solver, Solver]:
    """The solver that ssik ships for this arm; its tool is turned."""
    from ssik import Manipulator

    robot = Manipulator.from_prebuilt("ur5_ik")
    return robot.solve, lambda matrix: np.array([solution.q for solution in robot.solve(matrix)])


def turned(name: str) -> list[np.ndarray]:
    """The poses with the peer's tool in place of ours."""
    at_zero = arm().forward(np.zeros(6)).matrix()[:3, :3]
    if name == "ssik":
        from ssik import Manipulator

        theirs = Manipulator.from_prebuilt("ur5_ik").fk(np.zeros(6))[:3, :3]
    else:
        theirs = np.eye(3)
    matrices = [pose.matrix() for pose in targets(POSES)]
    for matrix in matrices:
        matrix[:3, :3] = matrix[:3, :3] @ at_zero.T @ theirs
    return matrices


def sides(name: str, batch: bool) -> Sides:
    """Ours one pose at a time or many in one call, beside a peer one at a time."""
    solve, exact = {"EAIK": eaik, "ssik": ssik}[name]()
    chain, poses, asked = arm(), targets(POSES), turned(name)
    many = np.array([pose.matrix() for pose in poses] * (MANY // POSES))

    def one_by_one() -> None:
        for pose in poses:
            chain.inverse_all(pose)

    def theirs() -> None:
        for matrix in asked:
            solve(matrix)

    def off() -> float:
        """The largest distance from an answer of theirs to the nearest of ours, and the other way."""
        worst = 0.0
        for pose, matrix in zip(poses, asked, strict=True):
            ours = np.array([answer.q for answer in chain.inverse_all(pose)])
            apart = np.abs(np.angle(np.exp(1j * (exact(matrix)[:, None] - ours[None])))).max(axis=2)
            worst = max(worst, float(apart.min(axis=1).max()), float(apart.min(axis=0).max()))
        return worst

    ours = repeated(lambda: chain.inverse_all_batch(many)) if batch else repeated(one_by_one)
    return Sides(ours, repeated(theirs), off, SAME, MANY if batch else POSES, POSES)


def rows() -> tuple[Row, ...]:
    works = ((False, "every solution of one pose: `inverse_all`"), (True, f"of {MANY} poses: `inverse_all_batch`"))
    peers = (("EAIK", "EAIK `HPRobot.IK`", 3.0), ("ssik", "ssik, its solver for this arm", None))
    return tuple(
        Row(work, call, aim, partial(sides, name, batch)) for batch, work in works for name, call, aim in peers
    )
