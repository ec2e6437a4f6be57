"""Forward kinematics and Jacobians of a UR5 beside pinocchio, from one URDF, and beside a bare dispatch of Numba."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

import motionkit as mk
from comparisons import Row, Sides, largest
from timing import repeated

UR5 = Path(__file__).resolve().parent.parent / "examples" / "ur5.urdf"
TIP = "tool0"
POSES = 64
EXACT = 1e-12  # m and rad: rounding of two ways to the same number; the arm is a metre long


@cache
def arm() -> mk.SerialChain:
    return mk.SerialChain.from_urdf(UR5, tip=TIP)


@cache
def pinocchio_arm():
    """Module, model, data and the frame of the tip."""
    import pinocchio

    model = pinocchio.buildModelFromXML(UR5.read_text())
    return pinocchio, model, model.createData(), model.getFrameId(TIP)


def states(count: int) -> np.ndarray:
    return np.random.default_rng(11).uniform(-3.0, 3.0, (count, arm().n))


def forward_sides() -> Sides:
    pin, model, data, frame = pinocchio_arm()
    qs, out, chain = list(states(POSES)), np.empty((4, 4)), arm()
    forward, place = pin.forwardKinematics, pin.updateFramePlacement

    def ours() -> None:
        for q in qs:
            chain.forward(q, out=out)

    def theirs() -> None:
        for q in qs:
            forward(model, data, q)
            place(model, data, frame)

    def placed(q: np.ndarray) -> np.ndarray:
        forward(model, data, q)
        return place(model, data, frame).homogeneous.copy()

    return Sides(
        repeated(ours),
        repeated(theirs),
        lambda: largest((chain.forward(q, out=out), placed(q)) for q in qs),
        EXACT,
        POSES,
        POSES,
    )


def jacobian_sides() -> Sides:
    pin, model, data, frame = pinocchio_arm()
    qs, out, chain = list(states(POSES)), np.empty((6, 6)), arm()
    compute, axes = pin.computeFrameJacobian, pin.LOCAL_WORLD_ALIGNED

    def ours() -> None:
        for q in qs:
            chain.jacobian(q, out=out)

    def theirs() -> None:
        for q in qs:
            compute(model, data, q, frame, axes)

    return Sides(
        repeated(ours),
        repeated(theirs),
        lambda: largest((chain.jacobian(q, out=out), compute(model, data, q, frame, axes)) for q in qs),
        EXACT,
        POSES,
        POSES,
    )


def dispatch_sides() -> Sides:
    """The kernel of ``forward`` through Numba's own dispatcher, nothing checked."""
    from motionkit.kernels import chain as kernels

    @mk.njit
    def bare(model, q, out):
        kernels.forward_matrix(model, q, out)

    qs, out, chain = list(states(POSES)), np.empty((4, 4)), arm()
    model, flat = chain.kernel_model.array, np.empty(16)

    def ours() -> None:
        for q in qs:
            chain.forward(q, out=out)

    def theirs() -> None:
        for q in qs:
            bare(model, q, flat)

    def bare_pose(q: np.ndarray) -> np.ndarray:
        bare(model, q, flat)
        return flat.reshape(4, 4)

    return Sides(
        repeated(ours),
        repeated(theirs),
        lambda: largest((chain.forward(q, out=out), bare_pose(q)) for q in qs),
        0.0,  # one source
        POSES,
        POSES,
    )


def idle_sides() -> Sides:
    """What Numba's dispatcher takes for a function of the same arguments that does nothing."""

    @mk.njit
    def idle(model, q, out):
        pass

    qs, out, chain = list(states(POSES)), np.empty((4, 4)), arm()
    model, flat = chain.kernel_model.array, np.empty(16)

    def ours() -> None:
        for q in qs:
            chain.forward(q, out=out)

    def theirs() -> None:
        for q in qs:
            idle(model, q, flat)

    return Sides(repeated(ours), repeated(theirs), lambda: 0.0, 0.0, POSES, POSES)


def batch_sides(count: int) -> Sides:
    pin, model, data, frame = pinocchio_arm()
    Q, chain = states(count), arm()
    out = np.empty((count, 4, 4))
    forward, place = pin.forwardKinematics, pin.updateFramePlacement

    def theirs() -> None:
        for q in Q:
            forward(model, data, q)
            place(model, data, frame)

    def off() -> float:
        chain.forward_batch(Q, out=out)
        worst = 0.0
        for k in range(0, count, 97):
            forward(model, data, Q[k])
            worst = max(worst, largest([(out[k], place(model, data, frame).homogeneous)]))
        return worst

    return Sides(
        repeated(lambda: chain.forward_batch(Q, out=out, threads=1)), repeated(theirs), off, EXACT, count, count
    )


def jacobian_batch_sides(count: int) -> Sides:
    pin, model, data, frame = pinocchio_arm()
    Q, chain = states(count), arm()
    out = np.empty((count, 6, 6))
    compute, axes = pin.computeFrameJacobian, pin.LOCAL_WORLD_ALIGNED

    def theirs() -> None:
        for q in Q:
            compute(model, data, q, frame, axes)

    def off() -> float:
        chain.jacobian_batch(Q, out=out)
        return largest((out[k], compute(model, data, Q[k], frame, axes)) for k in range(0, count, 97))

    return Sides(
        repeated(lambda: chain.jacobian_batch(Q, out=out, threads=1)), repeated(theirs), off, EXACT, count, count
    )


PLACED = "pinocchio `forwardKinematics` + `updateFramePlacement`"
MOVED = "pinocchio `computeFrameJacobian`"


def rows(quick: bool) -> tuple[Row, ...]:
    count = 1000 if quick else 100_000
    one = "FK of one pose: `forward(q, out=)`"
    return (
        Row(one, PLACED, 1.0, forward_sides),
        Row(one, "its kernel by a bare Numba dispatch", 1.0 / 1.5, dispatch_sides),
        Row(one, "a bare Numba dispatch that does nothing", None, idle_sides),
        Row("Jacobian of one pose: `jacobian(q, out=)`", MOVED, 1.0, jacobian_sides),
        Row(f"FK of {count} states: `forward_batch`", f"{PLACED} in a loop", 20.0, lambda: batch_sides(count)),
        Row(
            f"Jacobians of {count} states: `jacobian_batch`",
            f"{MOVED} in a loop",
            12.0,
            lambda: jacobian_batch_sides(count),
        ),
    )
