"""Torques, mass matrices and accelerations of a UR5 and of a humanoid beside pinocchio and roboticstoolbox.

Both engines read the same files; joints of the humanoid that follow others are held, since pinocchio's model has them
free. Answers are compared first, as shares of the largest number.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import motionkit as mk
from comparisons import NotMeasured, Row, Sides
from timing import repeated

UR5 = Path(__file__).resolve().parent.parent / "examples" / "ur5.urdf"
TALOS = "talos_data/robots/talos_reduced.urdf"
STATES = 64
CLOSE = 1e-11  # of the largest number: rounding of two ways to it, grown by the condition of the mass matrix for ABA


@cache
def robot_file(name: str) -> Path:
    """The file of a robot; the humanoid comes with example-robot-data, beside pinocchio."""
    if name == "UR5":
        return UR5
    spec = importlib.util.find_spec("pinocchio")
    if spec is None:
        raise ImportError(name="pinocchio")
    for above in Path(next(iter(spec.submodule_search_locations or ()))).parents:
        found = above / "share" / "example-robot-data" / "robots" / TALOS
        if found.exists():
            return found
    raise NotMeasured("no example-robot-data here")


@cache
def ours(name: str) -> mk.DynamicTree:
    return mk.DynamicTree.from_urdf(robot_file(name))


@cache
def theirs(name: str) -> tuple[Any, Any, Any, list[int]]:
    """Module, model, data and the places of our coordinates in its arrays."""
    import pinocchio as pin

    model = pin.buildModelFromXML(robot_file(name).read_text())
    robot = ours(name)
    if model.nq != robot.n:
        raise NotMeasured(f"{model.nq} coordinates in pinocchio, {robot.n} here")
    return pin, model, model.createData(), [model.joints[model.getJointId(j)].idx_q for j in robot.joint_names]


def states(name: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The same states in our order and in pinocchio's: (3, count, n)."""
    places = theirs(name)[3]
    mine = np.random.default_rng(5).uniform(-2.0, 2.0, (3, count, ours(name).n))
    other = np.empty_like(mine)
    other[:, :, places] = mine
    return mine, other


def sides(
    name: str,
    call: Callable[[mk.DynamicTree], Callable[..., Any]],
    peer: Callable[[Any], Callable[..., Any]],
    arguments: int,
    shape: tuple[int, ...],
) -> Sides:
    """One call of ours that fills ``out``, one call of pinocchio's, with as many vectors as it takes."""
    pin, model, data, places = theirs(name)
    mine, other = states(name, STATES)
    run, beside, out = call(ours(name)), peer(pin), np.empty(shape)
    rows = [tuple(mine[k, i] for k in range(arguments)) for i in range(STATES)]
    peers = [tuple(np.ascontiguousarray(other[k, i]) for k in range(arguments)) for i in range(STATES)]

    work, peer_work = loops(run, beside, model, data, rows, peers, out)

    def off() -> float:
        worst = 0.0
        for row, peer_row in zip(rows, peers, strict=True):
            found = np.asarray(beside(model, data, *peer_row))
            found = found[places] if found.ndim == 1 else found[np.ix_(places, places)]
            worst = max(worst, float(np.abs(run(*row, out=out) - found).max() / np.abs(found).max()))
        return worst

    return Sides(repeated(work), repeated(peer_work), off, CLOSE, STATES, STATES)


def loops(
    run: Callable[..., Any], beside: Callable[..., Any], model: Any, data: Any, rows: Any, peers: Any, out: np.ndarray
) -> tuple[Callable[[], None], Callable[[], None]]:
    """Both loops, written out for as many vectors as there are: unpacking them would be a tenth of the time."""
    if len(rows[0]) == 1:

        def work() -> None:
            for (q,) in rows:
                run(q, out=out)

        def peer_work() -> None:
            for (q,) in peers:
                beside(model, data, q)

    elif len(rows[0]) == 2:

        def work() -> None:
            for q, v in rows:
                run(q, v, out=out)

        def peer_work() -> None:
            for q, v in peers:
                beside(model, data, q, v)

    else:

        def work() -> None:
            for q, v, a in rows:
                run(q, v, a, out=out)

        def peer_work() -> None:
            for q, v, a in peers:
                beside(model, data, q, v, a)

    return work, peer_work


def regressor_sides() -> Sides:
    """The torques that the regressors give are compared: pinocchio orders the numbers of bodies otherwise."""
    pin, model, data, _ = theirs("UR5")
    robot = ours("UR5")
    mine, other = states("UR5", STATES)
    out = np.empty((robot.n, 10 * len(robot.body_names)))
    rows, peers = list(zip(*mine, strict=True)), list(zip(*other, strict=True))
    compute = pin.computeJointTorqueRegressor
    ours_pi = robot.inertial_parameters.reshape(-1)
    peer_pi = np.concatenate([body.toDynamicParameters() for body in list(model.inertias)[1:]])

    work, peer_work = loops(robot.regressor, compute, model, data, rows, peers, out)

    def off() -> float:
        return max(
            float(np.abs(robot.regressor(*row, out=out) @ ours_pi - compute(model, data, *beside) @ peer_pi).max())
            for row, beside in zip(rows, peers, strict=True)
        )

    return Sides(repeated(work), repeated(peer_work), off, CLOSE * 1e3, STATES, STATES)


def batch_sides(count: int) -> Sides:
    pin, model, data, _ = theirs("UR5")
    robot = ours("UR5")
    mine, other = states("UR5", count)
    out = np.empty((count, robot.n))
    rows = list(zip(*other, strict=True))

    rnea = pin.rnea

    def peer_work() -> None:
        for q, v, a in rows:
            rnea(model, data, q, v, a)

    def off() -> float:
        robot.inverse_dynamics_batch(*mine, out=out)
        return max(float(np.abs(out[k] - pin.rnea(model, data, *rows[k])).max()) for k in range(0, count, 97))

    work = repeated(lambda: robot.inverse_dynamics_batch(*mine, out=out, threads=1))
    return Sides(work, repeated(peer_work), off, CLOSE * 1e3, count, count)


def toolbox_sides(what: str) -> Sides:
    """A Puma 560 of roboticstoolbox: its table of links, centres of mass and rotors, friction left out."""
    import roboticstoolbox as rtb

    puma = rtb.models.DH.Puma560()
    puma = puma.nofriction(coulomb=True, viscous=True)
    for link in puma.links:  # two of its bodies have inertias that no body can
        link.m = max(link.m, 0.5)
        link.I = 0.01 * link.m * np.diag([1.0, 1.2, 0.8])
    rows = [mk.DhRow(a=x.a, alpha=x.alpha, d=x.d, theta=0.0, name=f"j{k}") for k, x in enumerate(puma.links)]
    bodies = [mk.LinkInertia(x.m, x.r, x.I) for x in puma.links]
    model = mk.RobotModel.from_dh(rows, convention="standard", inertias=bodies)
    arm = mk.DynamicChain.from_model(model).with_rotor_inertia([x.Jm * x.G**2 for x in puma.links])
    rng = np.random.default_rng(8)
    values = rng.uniform(-1.0, 1.0, (8, 3, 6))
    out = np.empty(6) if what == "torque" else np.empty((6, 6))

    def mine(q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        if what == "torque":
            return arm.inverse_dynamics(q, qd, qdd, out=out)
        return arm.mass_matrix(q, out=out) if what == "mass" else arm.coriolis_matrix(q, qd, out=out)

    def peer(q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        if what == "torque":
            return puma.rne(q, qd, qdd)
        return puma.inertia(q) if what == "mass" else puma.coriolis(q, qd)

    def off() -> float:
        worst = 0.0
        for q, qd, qdd in values:
            a, b = mine(q, qd, qdd), peer(q, qd, qdd)
            if what == "coriolis":  # many matrices do; their torques agree
                a, b = a @ qd, b @ qd
            worst = max(worst, float(np.abs(a - b).max()))
        return worst

    return Sides(
        repeated(lambda: [mine(*row) for row in values] and None),
        repeated(lambda: [peer(*row) for row in values] and None),
        off,
        1e-6,  # its Coriolis matrix comes from differences of torques
        len(values),
        len(values),
    )


def rows(quick: bool) -> tuple[Row, ...]:
    count = 1000 if quick else 100_000
    table: list[Row] = []
    for name, n in (("UR5", 6), ("Talos", 32)):
        text = "UR5" if name == "UR5" else "humanoid"
        made = (
            ("RNEA", "inverse_dynamics", "rnea", 3, False, 1.3),
            ("CRBA", "mass_matrix", "crba", 1, True, 1.3),
            ("ABA", "forward_dynamics", "aba", 3, False, 1.8),
            ("Coriolis matrix", "coriolis_matrix", "computeCoriolisMatrix", 2, True, 1.0),
        )
        for work, method, peer, arguments, square, aim in made:
            shape = (n, n) if square else (n,)
            table.append(
                Row(
                    f"{work} of a {text}: `{method}(…, out=)`",
                    f"pinocchio `{peer}`",
                    aim,
                    lambda name=name, method=method, peer=peer, arguments=arguments, shape=shape: sides(
                        name,
                        lambda robot: getattr(robot, method),
                        lambda pin: getattr(pin, peer),
                        arguments,
                        shape if name == "UR5" else tuple(ours(name).n for _ in shape),
                    ),
                )
            )
    peer = "pinocchio `computeJointTorqueRegressor`"
    table.append(Row("regressor of a UR5: `regressor(…, out=)`", peer, 1.0, regressor_sides))
    peer = "pinocchio `rnea` in a loop"
    table.append(Row(f"RNEA of {count} states: `inverse_dynamics_batch`", peer, 20.0, lambda: batch_sides(count)))
    for what, call in (("torque", "rne"), ("mass", "inertia"), ("coriolis", "coriolis")):
        work = {"torque": "RNEA", "mass": "CRBA", "coriolis": "Coriolis matrix"}[what]
        peer = f"roboticstoolbox `{call}`"
        table.append(Row(f"{work} of a Puma 560", peer, 1.0, lambda what=what: toolbox_sides(what)))
    return tuple(table)
