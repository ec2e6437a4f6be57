"""Every operation that a control loop calls, as data: from Python in the form that fills ``out``, and in native code.

What I3 asks for. Times and printing are elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

import compiled
import motionkit as mk
from timing import Work, repeated

COUNT = 64  # inputs that an operation goes through in one pass
HOME = np.radians([0.0, -60.0, 90.0, 0.0, 60.0, 0.0])
TOLERANCE, DAMPING, BUDGET = 1e-9, 1e-6, 100  # what SerialChain.inverse takes when nothing is said


@dataclass(frozen=True)
class Operation:
    """One row of the table.

    Attributes:
        name: what is done.
        python: as called from Python.
        compiled: the same from native code; None for what has no form without Python.
        count: problems in a pass of either.
    """

    name: str
    python: Work
    compiled: Work | None
    count: int = COUNT


def operations() -> tuple[Operation, ...]:
    """The table, made of one set of inputs that do not change from run to run."""
    rng = np.random.default_rng(7)
    return (*_spatial(rng), *_motion(rng), *_kinematics(rng), *_dynamics(), *_cartesian(rng))


def _spatial(rng: np.random.Generator) -> Iterator[Operation]:
    rotations = [mk.SO3.random(rng) for _ in range(COUNT)]
    factor = mk.SO3.random(rng)

    def product() -> None:
        for rotation in rotations:
            rotation * factor

    quaternions = np.array([r.wxyz for r in rotations])
    yield Operation(
        "SO3 product",
        repeated(product),
        partial(compiled.so3_product, quaternions, np.array(factor.wxyz), np.empty((COUNT, 4))),
    )

    # tools and a camera on one wrist, in a cell
    graph = mk.FrameGraph()
    cell = graph.declare_root("cell")
    wrist = graph.declare_frame("wrist", graph.declare_frame("base", cell, mk.SE3.random(rng)), mk.SE3.random(rng))
    poses = [mk.SE3.random(rng) for _ in range(COUNT)]
    tools = [graph.declare_frame(f"tool {k}", wrist, pose) for k, pose in enumerate(poses)]
    wrist_T_camera = mk.SE3.random(rng)
    camera = graph.declare_frame("camera", wrist, wrist_T_camera)
    matrix = np.empty((4, 4))

    def lookup() -> None:
        for tool in tools:
            graph.lookup(tool, camera, out=matrix)

    rows = np.array([_numbers(pose) for pose in poses])
    yield Operation(
        "frame lookup, tool to camera",
        repeated(lookup),
        partial(compiled.lookup, rows, _numbers(wrist_T_camera), np.empty((COUNT, 12))),
    )


def _motion(rng: np.random.Generator) -> Iterator[Operation]:
    limits = mk.MotionLimits(2.0, 8.0, 40.0)
    one, six = np.empty(4), np.empty((4, 6))

    move = mk.ScurveProfile.plan(0.0, 2.0, limits)
    times = rng.uniform(0.0, move.duration, COUNT)
    listed = times.tolist()

    def sample() -> None:
        for t in listed:
            move.sample(t, out=one)

    yield Operation(
        "S-curve sample",
        repeated(sample),
        partial(compiled.sample, move.kernel_model.array, 1, times, np.empty((COUNT, 4))),
    )

    goals = rng.uniform(0.1, 2.0, COUNT)

    def plan() -> None:
        for goal in goals.tolist():
            mk.ScurveProfile.plan(0.0, goal, limits)

    asked = np.column_stack([goals, np.tile([2.0, 8.0, 40.0], (COUNT, 1))])
    yield Operation("S-curve plan", repeated(plan), partial(compiled.scurve_plan, asked, np.empty((COUNT, 15))))

    start, ends = rng.uniform(-1.0, 1.0, 6), rng.uniform(-1.0, 1.0, (COUNT, 6))
    table = np.tile([2.0, 8.0, 40.0], (6, 1))
    together = mk.SynchronizedTrajectory.plan(start, ends[0], table)

    def sample_together() -> None:
        for t in listed:
            together.sample(t, out=six)

    yield Operation(
        "synchronised sample, 6 axes",
        repeated(sample_together),
        partial(compiled.sample, together.kernel_model.array, 6, times, np.empty((COUNT, 24))),
    )

    def plan_together() -> None:
        for end in ends:
            mk.SynchronizedTrajectory.plan(start, end, table)

    values = np.concatenate([np.zeros(6), table.T.reshape(-1)])
    yield Operation(
        "synchronised plan, 6 axes",
        repeated(plan_together),
        partial(compiled.synchronized_plan, start, ends, values, np.empty(6), np.empty(4), np.empty((COUNT, 33))),
    )

    states = [mk.MotionState(0.0, v, a) for v, a in zip(*rng.uniform(-1.5, 1.5, (2, COUNT)).tolist(), strict=True)]

    def plan_stop() -> None:
        for state in states:
            mk.StopProfile.plan(state, limits)

    moving = np.array([[state.velocity, state.acceleration, 8.0, 8.0, 40.0] for state in states])
    yield Operation("stop plan", repeated(plan_stop), partial(compiled.stop_plan, moving, np.empty((COUNT, 16))))

    stop = mk.StopProfile.plan(mk.MotionState(0.0, 1.5, 8.0), limits)
    instants = rng.uniform(0.0, stop.duration, COUNT)

    def sample_stop() -> None:
        for t in instants.tolist():
            stop.sample(t, out=one)

    yield Operation(
        "stop sample",
        repeated(sample_stop),
        partial(compiled.stop_sample, stop.kernel_model.array, instants, np.empty((COUNT, 4))),
    )

    clearances = rng.uniform(0.1, 1.0, COUNT)
    for name, reaction in (("safe speed", 0.0), ("safe speed, after a reaction", 0.1)):

        def safe(reaction: float = reaction) -> None:
            for clearance in clearances.tolist():
                mk.maximum_safe_speed(clearance, limits, reaction_time=reaction)

        questions = np.column_stack([clearances, np.tile([0.0, 2.0, 8.0, 8.0, 40.0, reaction], (COUNT, 1))])
        yield Operation(name, repeated(safe), partial(compiled.maximum_safe_speed, questions, np.empty((COUNT, 1))))


def _kinematics(rng: np.random.Generator) -> Iterator[Operation]:
    arm = mk.SerialChain.six_axis_example()
    Q = HOME + rng.uniform(-0.2, 0.2, (COUNT, arm.n))
    model = arm.kernel_model.array
    qs = list(Q)
    pose, matrix = np.empty((4, 4)), np.empty((6, arm.n))

    def forward() -> None:
        for q in qs:
            arm.forward(q, out=pose)

    yield Operation("forward kinematics", repeated(forward), partial(compiled.forward, model, Q, np.empty((COUNT, 16))))

    def jacobian() -> None:
        for q in qs:
            arm.jacobian(q, out=matrix)

    yield Operation("Jacobian", repeated(jacobian), partial(compiled.jacobian, model, Q, np.empty((COUNT, 36))))
    yield seeded_inverse(arm, Q)


def _dynamics() -> Iterator[Operation]:
    """On states of their own, so that the other rows keep their inputs."""
    arm = mk.DynamicChain.six_axis_example()
    states = np.random.default_rng(9).uniform(-1.0, 1.0, (3, COUNT, arm.n))
    states[0] += HOME
    model, m = arm.dynamic_model.array, len(arm.body_names)
    rows, configurations = list(zip(*states, strict=True)), list(states[0])
    tau, matrix = np.empty(arm.n), np.empty((arm.n, arm.n))
    space, torques = np.empty(27 * m + arm.n), np.empty((COUNT, arm.n))

    def inverse() -> None:
        for q, qd, qdd in rows:
            arm.inverse_dynamics(q, qd, qdd, out=tau)

    yield Operation("inverse dynamics", repeated(inverse), partial(compiled.torques, model, *states, space, torques))

    def gravity() -> None:
        for q in configurations:
            arm.gravity_torque(q, out=tau)

    yield Operation("gravity torque", repeated(gravity), partial(compiled.gravity, model, states[0], space, torques))

    def masses() -> None:
        for q in configurations:
            arm.mass_matrix(q, out=matrix)

    flat = np.empty((COUNT, arm.n * arm.n))
    yield Operation("mass matrix", repeated(masses), partial(compiled.masses, model, states[0], space, flat))


def seeded_inverse(arm: mk.SerialChain, Q: np.ndarray) -> Operation:
    """Targets 0.02 rad a joint away from their seeds: what a loop at 1 kHz meets at 20 rad/s."""
    targets = [arm.forward(q + 0.02) for q in Q]
    pairs = list(zip(targets, Q, strict=True))
    answer = np.empty(arm.n)

    def solve() -> None:
        for target, seed in pairs:
            arm.inverse(target, seed, out=answer)

    n, turns = arm.n, arm.upper - arm.lower >= 2.0 * np.pi
    run = partial(
        compiled.solve,
        arm.kernel_model.array,
        np.column_stack([arm.lower, arm.upper, turns]).reshape(-1),
        np.array([np.concatenate([t.rotation.matrix().reshape(-1), t.translation]) for t in targets]),
        np.ascontiguousarray(Q),
        TOLERANCE,
        DAMPING,
        2.0 / arm.reach,
        BUDGET,
        np.empty(7 * n + 6 * max(6, n) + 36),
        np.empty((len(Q), n + 5)),
    )
    return Operation("seeded inverse", repeated(solve), run, len(Q))


def _cartesian(rng: np.random.Generator) -> Iterator[Operation]:
    arm = mk.SerialChain.six_axis_example()
    limits = [mk.MotionLimits(2.0, 8.0, 40.0)] * arm.n
    up = mk.SE3.from_translation([0.0, 0.0, 0.05]) * arm.forward(HOME)
    line = mk.CartesianPlan.plan(arm, HOME, up, limits)
    times = rng.uniform(0.0, line.duration, COUNT)
    rows = np.empty((4, arm.n))

    def sample() -> None:
        for t in times.tolist():
            line.sample(t, out=rows)

    controls = line.path.controls
    path = np.concatenate([line.path.knots, controls.reshape(-1)])
    yield Operation(
        "Cartesian sample",
        repeated(sample),
        partial(
            compiled.line_sample,
            line.profile.kernel_model.array,
            path,
            len(controls),
            times,
            np.empty(4),
            np.empty((COUNT, 24)),
        ),
    )
    played = mk.Override.of(line, limits).change(0.25 * line.duration, 0.5)

    def override() -> None:
        for t in times.tolist():
            played.sample(t, out=rows)

    yield Operation("Override sample", repeated(override), None)
    yield Operation(
        "Override hold", repeated(lambda: mk.Override.of(line, limits).hold(0.25 * line.duration)), None, count=1
    )
    yield Operation(
        "Cartesian plan, 50 mm", repeated(lambda: mk.CartesianPlan.plan(arm, HOME, up, limits)), None, count=1
    )


def _numbers(pose: mk.SE3) -> np.ndarray:
    return np.concatenate([pose.rotation.wxyz, pose.translation])
