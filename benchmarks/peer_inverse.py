"""Seeded inverse kinematics of a UR5: every joint of the seed up to 0.3 rad from an answer, six joints, one URDF.

Solvers may find different answers; what is compared is whether the tool gets to its target. All are asked for 1e-5 m
and rad, except where they have no such setting: ikpy, and ours for many, which always goes to 1e-9.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial

import numpy as np

import motionkit as mk
from comparisons import Row, Sides
from peer_kinematics import TIP, UR5, arm, pinocchio_arm
from timing import CPU, WALL, Clock, repeated

ASKED = 1e-5  # m and rad
REACHED = 2e-5  # TRAC-IK and roboticstoolbox bound each component or a weighted square, not the distance
SOLVES = 64
TIMEOUT = 0.005  # s that TRAC-IK may take
RATE = 500_000.0  # solves a second on one core that we want in lanes

Solver = Callable[[int], np.ndarray | None]  # the answer to a problem, None where there is none


@cache
def problems(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Targets (count, 4, 4) and seeds (count, 6)."""
    rng = np.random.default_rng(17)
    answers = rng.uniform(-2.5, 2.5, (count, arm().n))
    return arm().forward_batch(answers), answers + rng.uniform(-0.3, 0.3, answers.shape)


def numbers(count: int) -> Iterator[tuple[np.ndarray, np.ndarray, mk.SE3]]:
    for target, seed in zip(*problems(count), strict=True):
        yield target, seed, mk.SE3.from_matrix(target)


def trac_ik(count: int) -> Solver:
    import pytracik

    # its parser complains about the mass of the root, which plays no part here
    text = re.sub(r"<inertial>.*?</inertial>", "", UR5.read_text(), flags=re.DOTALL)
    solver = pytracik.TRAC_IK("base_link", TIP, text, TIMEOUT, ASKED, pytracik.SolveType.Speed)
    asked = []
    for _, seed, pose in numbers(count):
        w, x, y, z = pose.rotation.wxyz.tolist()
        asked.append((solver, seed, *pose.translation.tolist(), x, y, z, w))
    solve = pytracik.ik

    def answer(k: int) -> np.ndarray | None:
        found = solve(*asked[k])
        return found[1:] if found[0] >= 0 else None

    return answer


def toolbox(count: int) -> Solver:
    """``ETS.ik_LM`` by the method that was the fastest of its three here."""
    import roboticstoolbox as rtb

    _, model, _, frame = pinocchio_arm()
    turns = {"JointModelRX": rtb.ET.Rx, "JointModelRY": rtb.ET.Ry, "JointModelRZ": rtb.ET.Rz}
    elements = []
    for joint in range(1, model.njoints):
        elements += [rtb.ET.SE3(model.jointPlacements[joint].homogeneous), turns[model.joints[joint].shortname()]()]
    robot = rtb.ETS([*elements, rtb.ET.SE3(model.frames[frame].placement.homogeneous)])
    robot.qlim = np.array([arm().lower, arm().upper])
    targets, seeds = problems(count)
    residual = 0.5 * ASKED**2  # half of the squared error is what it compares

    def answer(k: int) -> np.ndarray | None:
        found = robot.ik_LM(targets[k], q0=seeds[k], tol=residual, k=0.1, method="chan")
        return np.asarray(found.q) if found.success else None

    return answer


def ikpy(count: int) -> Solver:
    """Without a setting for the accuracy."""
    from ikpy.chain import Chain

    moving = [False, *[True] * arm().n, False]
    chain = Chain.from_urdf_file(str(UR5), base_elements=["base_link"], active_links_mask=moving)
    targets, seeds = problems(count)

    def answer(k: int) -> np.ndarray:
        start = [0.0, *seeds[k], 0.0]
        return np.asarray(
            chain.inverse_kinematics_frame(targets[k], initial_position=start, orientation_mode="all")[1:7]
        )

    return answer


def plain_loop(count: int) -> Solver:
    """Damped least squares as it is usually written around pinocchio in Python."""
    pin, model, data, frame = pinocchio_arm()
    targets, seeds = problems(count)
    poses = [pin.SE3(target) for target in targets]
    damping = 1e-6 * np.eye(6)

    def answer(k: int) -> np.ndarray | None:
        q = seeds[k].copy()
        for _ in range(100):
            pin.forwardKinematics(model, data, q)
            here = pin.updateFramePlacement(model, data, frame)
            error = pin.log6(here.actInv(poses[k])).vector
            if np.linalg.norm(error) < ASKED:
                return q
            J = pin.computeFrameJacobian(model, data, q, frame)
            q += J.T @ np.linalg.solve(J @ J.T + damping, error)
        return None

    return answer


def misses(answers: Iterable[np.ndarray | None], targets: np.ndarray) -> tuple[float, int]:
    """The largest distance or angle between the tool and its target, and how many have no answer."""
    worst, none = 0.0, 0
    for q, target in zip(answers, targets, strict=True):
        if q is None:
            none += 1
            continue
        there, wanted = arm().forward(q), mk.SE3.from_matrix(target)
        away = float(np.linalg.norm(there.translation - wanted.translation))
        worst = max(worst, away, there.rotation.angle_to(wanted.rotation))
    return worst, none


def sides(name: str, make: Callable[[int], Solver], count: int, batch: int, clock: Clock) -> Sides:
    """Ours one at a time (``batch`` is 0) or many in one call, beside a peer one at a time."""
    answer = make(count)
    chain = arm()
    pairs = [(pose, seed) for _, seed, pose in numbers(count)]
    settings = {"position_tolerance": ASKED, "rotation_tolerance": ASKED}
    out = np.empty(chain.n)

    def one_by_one() -> None:
        for target, seed in pairs:
            chain.inverse(target, seed, out=out, **settings)

    def theirs() -> None:
        for k in range(count):
            answer(k)

    remarks: list[str] = []

    def off() -> float:
        targets, seeds = problems(batch or count)
        if batch:
            found = chain.inverse_batch(targets, seeds)
            ours, none = misses(found.q[::97], targets[::97])[0], int(np.sum(~found.converged))
        else:
            ours, none = misses((chain.inverse(*pair, **settings).q for pair in pairs), targets)
        theirs, theirs_none = misses((answer(k) for k in range(count)), problems(count)[0])
        if none:
            remarks.append(f"we find no answer to {none} of {batch or count}")
        if theirs_none:
            remarks.append(f"{name} finds no answer to {theirs_none} of {count}")
        return max(ours, theirs)

    ours = repeated(lambda: chain.inverse_batch(*problems(batch), threads=1)) if batch else repeated(one_by_one)
    return Sides(ours, repeated(theirs), off, REACHED, batch or count, count, clock, remarks)


PEERS = (
    ("TRAC-IK (pytracik), 5 ms", trac_ik, SOLVES, 20.0, WALL),
    ("roboticstoolbox `ik_LM`", toolbox, SOLVES, 20.0, CPU),
    ("ikpy `inverse_kinematics_frame`", ikpy, 8, 20.0, CPU),
    ("a plain loop over pinocchio", plain_loop, SOLVES, None, CPU),
)


def rows(quick: bool) -> tuple[Row, ...]:
    many = 512 if quick else 10_000
    works = ((0, "seeded IK, one at a time: `inverse`"), (many, f"seeded IK, {many} in lanes: `inverse_batch`"))
    return tuple(
        Row(
            work,
            name,
            aim,
            partial(sides, name, solver, min(count, 4) if quick else count, batch, clock),
            RATE if batch and aim is None else None,  # once is enough
        )
        for batch, work in works
        for name, solver, count, aim, clock in PEERS
    )
