"""Inputs for every entry of the numeric core, as a batch of rows; an entry without a case here fails the tests.

Values are those of robots and motions, with the corners that the kernel's docstring names: joints at their limits,
axes at rest, times before the start and after the end, distances of zero.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import motionkit as mk
import motionkit.kernels
from motionkit.kernels import online_axis, online_segments, quat, scurve, stop
from motionkit.kernels._contract import KERNELS, Model

FloatArray = NDArray[np.float64]
MAKERS: dict[str, Callable[[np.random.Generator, int], Case]] = {}

for _path in sorted(Path(motionkit.kernels.__file__).parent.glob("[a-z]*.py")):
    importlib.import_module(f"motionkit.kernels.{_path.stem}")
_OURS = "motionkit.kernels."
NAMES = sorted(name.removeprefix(_OURS) for name in KERNELS if name.startswith(_OURS))  # tests mark kernels too


class Case:
    """Arguments of a kernel over rows, outputs left out: models, whole numbers, (N, k) and (N,) arrays."""

    def __init__(self, *inputs: Any, outputs: tuple[int, ...], scratch: int = 0) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self.scratch = scratch


def case(*names: str) -> Callable[[Callable[[np.random.Generator, int], Case]], Any]:
    """Mark the maker of a case for kernels."""

    def mark(maker: Callable[[np.random.Generator, int], Case]) -> Any:
        MAKERS.update(dict.fromkeys(names, maker))
        return maker

    return mark


def make(name: str, rows: int, seed: int = 1) -> Case:
    """The case of a kernel, such as ``chain.forward``."""
    return MAKERS[name](np.random.default_rng(seed), rows)


def kernel(name: str) -> Any:
    return KERNELS[f"motionkit.kernels.{name}"]


def single(case: Case, row: int) -> list[Any]:
    """Arguments of one row, without scratch and outputs."""
    return [_of_row(a, row) for a in case.inputs]


def _of_row(a: Any, row: int) -> Any:
    if not isinstance(a, np.ndarray):
        return a
    return np.ascontiguousarray(a[row]) if a.ndim == 2 else float(a[row])


def rotation(rng: np.random.Generator) -> tuple[float, ...]:
    w, x, y, z = rng.normal(size=4).tolist()
    return quat.to_matrix(quat.normalize((w, x, y, z)))


def chain_model(rng: np.random.Generator, n: int) -> Model:
    """An arm of n coordinates: the third one slides, and a joint more follows the second."""
    numbers = [*rotation(rng), *rng.uniform(-0.4, 0.4, 3), float(n)]
    for k in (*range(4), 1, *range(4, n)):
        tilt = rng.uniform(-np.pi, np.pi)
        flags = (0.0, 1.0) if k == 2 else (1.0, 0.0)
        numbers += [np.cos(tilt), np.sin(tilt), *rng.uniform(-0.4, 0.4, 3), rng.uniform(-np.pi, np.pi), *flags, k]
    return Model([*numbers, *rotation(rng), *rng.uniform(-0.4, 0.4, 3)])


def tree_model(rng: np.random.Generator) -> Model:
    """Seven joints with six coordinates on two branches, and a frame on each and on the base."""
    numbers = [7.0, 6.0, 8.0]
    for carrier, k in zip((-1, 0, 0, 1, 2, 2, 5), (0, 1, 2, 3, 4, 1, 5), strict=True):
        flags = (0.0, 1.0) if k == 2 else (1.0, 0.0)
        numbers += [carrier, k, *flags, *rotation(rng), *rng.uniform(-0.4, 0.4, 3)]
    for carrier in range(-1, 7):
        numbers += [carrier, *rotation(rng), *rng.uniform(-0.4, 0.4, 3)]
    return Model(numbers)


def body_model(rng: np.random.Generator, followers: bool) -> Model:
    """Seven bodies on branches, one slides, with rotors and friction; with followers the sixth shares a coordinate."""
    carriers, coordinates = (-1, 0, 0, 1, 2, 2, 5), (0, 1, 2, 3, 4, 1, 5) if followers else range(7)
    n = 6 if followers else 7
    numbers = [7.0, float(n), 0.3, -0.2, -9.81, 1.0]
    for i, (carrier, k) in enumerate(zip(carriers, coordinates, strict=True)):
        factor = -1.5 if followers and i == 5 else 1.0
        flags = (0.0, factor) if k == 2 else (factor, 0.0)
        special = float(carrier_later(carriers, i)) + (2.0 if k == 2 else 0.0)
        mass, com = rng.uniform(0.5, 3.0), rng.uniform(-0.2, 0.2, 3)
        spread = rng.uniform(0.01, 0.02, 3)  # sums of squares: the inertia is that of a body
        inertia = mass * (spread.sum() + com @ com) * np.eye(3) - mass * (np.diag(spread) + np.outer(com, com))
        numbers += [carrier, k, *flags, special, *rotation(rng), *rng.uniform(-0.4, 0.4, 3)]
        numbers += [mass, *(mass * com), *inertia[np.triu_indices(3)]]
    for k in range(n):
        numbers += [rng.uniform(0.0, 0.2), 0.5, 0.4, 0.05 * (k % 2), float(k % 2)]
    return Model(numbers)


def carrier_later(carriers: tuple[int, ...], i: int) -> bool:
    """Whether a joint other than the next one hangs on joint i."""
    return i in carriers[i + 2 :]


def pose_rows(rng: np.random.Generator, rows: int) -> FloatArray:
    return np.array([[*rotation(rng), *rng.uniform(-0.5, 0.5, 3)] for _ in range(rows)])


def joints(rng: np.random.Generator, rows: int, n: int = 6) -> FloatArray:
    q = rng.uniform(-3.2, 3.2, (rows, n))
    q[0] = 0.0
    q[rows // 2] = np.pi / 2
    return q


@case("camera.project")
def _project(rng: np.random.Generator, rows: int) -> Case:
    usual = np.array([800.0, 790.0, 320.0, 240.0, -0.2, 0.05, 1e-3, -2e-3, 0.01])
    intrinsics = usual * rng.uniform(0.9, 1.1, (rows, 9))
    points = rng.uniform(-0.5, 0.5, (rows, 3)) + np.array([0.0, 0.0, 1.0])
    return Case(intrinsics, points, outputs=(8,))


@case("chain.forward", "chain.forward_matrix", "chain.joint_frames", "chain.jacobian", "chain.jacobian_in_tool")
@case("chain.jacobian_at_base")
def _chain(rng: np.random.Generator, rows: int) -> Case:
    return Case(chain_model(rng, 6), joints(rng, rows), outputs=(96,))


@case("chain.forward_and_jacobian")
def _both(rng: np.random.Generator, rows: int) -> Case:
    return Case(chain_model(rng, 6), joints(rng, rows), outputs=(12, 36))


@case("tree.frame_matrices")
def _tree(rng: np.random.Generator, rows: int) -> Case:
    return Case(tree_model(rng), joints(rng, rows), outputs=(16 * 8,), scratch=12 * 7)


@case("newton_euler.inverse_dynamics", "articulated.forward_dynamics")
def _dynamics(rng: np.random.Generator, rows: int) -> Case:
    rates = rng.uniform(-2.0, 2.0, (rows, 7))
    rates[0] = 0.0  # Coulomb friction at rest
    return Case(body_model(rng, False), joints(rng, rows, 7), rates, 3.0 * rates, outputs=(7,), scratch=52 * 7)


@case("composite.forward_dynamics_by_mass")
def _by_mass(rng: np.random.Generator, rows: int) -> Case:
    space = 27 * 7 + 3 * 6 + 36
    rates = rng.uniform(-2.0, 2.0, (rows, 6))
    return Case(body_model(rng, True), joints(rng, rows), rates, 3.0 * rates, outputs=(6,), scratch=space)


@case("newton_euler.gravity_torque", "composite.mass_matrix")
def _at_rest(rng: np.random.Generator, rows: int) -> Case:
    return Case(body_model(rng, True), joints(rng, rows), outputs=(36,), scratch=27 * 7)


@case("particles.coriolis_matrix", "momentum.energies", "momentum.centroidal_momentum")
def _in_motion(rng: np.random.Generator, rows: int) -> Case:
    rates = rng.uniform(-2.0, 2.0, (rows, 6))
    return Case(body_model(rng, True), joints(rng, rows), rates, outputs=(13 + 36,), scratch=52 * 7)


@case("particles.inverse_dynamics_derivatives")
def _derivatives(rng: np.random.Generator, rows: int) -> Case:
    rates = rng.uniform(-2.0, 2.0, (rows, 6))
    return Case(body_model(rng, True), joints(rng, rows), rates, 3.0 * rates, outputs=(36, 36), scratch=70 * 7)


@case("regressor.regressor")
def _regressor(rng: np.random.Generator, rows: int) -> Case:
    rates = rng.uniform(-2.0, 2.0, (rows, 6))
    return Case(body_model(rng, True), joints(rng, rows), rates, 3.0 * rates, outputs=(420,), scratch=21 * 7)


@case("tree_jacobian.point_jacobian")
def _point(rng: np.random.Generator, rows: int) -> Case:
    points = rng.uniform(-0.3, 0.3, (3, rows))
    model, q, rates = body_model(rng, True), joints(rng, rows), rng.uniform(-2.0, 2.0, (rows, 6))
    return Case(model, q, rates, *points, 6, outputs=(36, 36), scratch=52 * 7)


@case("chain.jacobian_rate")
def _rate(rng: np.random.Generator, rows: int) -> Case:
    speeds = rng.uniform(-2.0, 2.0, (rows, 7))
    return Case(chain_model(rng, 7), joints(rng, rows, 7), speeds, outputs=(42, 42))


@case("chain.motion", "chain.drift")
def _moving(rng: np.random.Generator, rows: int) -> Case:
    return Case(chain_model(rng, 7), joints(rng, rows, 7), rng.uniform(-2.0, 2.0, (rows, 7)), outputs=(12,))


@case("inverse.step")
def _step(rng: np.random.Generator, rows: int) -> Case:
    twists = rng.uniform(-0.1, 0.1, (rows, 6))
    return Case(chain_model(rng, 6), joints(rng, rows), twists, np.full(rows, 1e-3), outputs=(6,), scratch=36)


@case("inverse.solve")
def _solve(rng: np.random.Generator, rows: int) -> Case:
    model = chain_model(rng, 6)
    limits = np.column_stack([np.full(6, -3.3), np.full(6, 3.3), np.zeros(6)])
    limits[4] = [-np.inf, np.inf, 1.0]
    q = joints(rng, rows)
    targets = np.empty((rows, 12))
    for k in range(rows):
        kernel("chain.forward").function(model.values, q[k].tolist(), targets[k])
    targets[1, 9:] = 9.0  # out of reach
    settings = (np.full(rows, 1e-9), np.full(rows, 1e-9), np.full(rows, 1e-6), 1.5, 40)
    seeds = np.clip(q + rng.normal(scale=0.3, size=q.shape), -3.3, 3.3)
    return Case(model, Model(limits), targets, seeds, *settings, outputs=(11,), scratch=7 * 6 + 36 + 36)


@case("inverse.search")
def _search(rng: np.random.Generator, rows: int) -> Case:
    model, limits, targets, seeds, *settings, _ = _solve(rng, rows).inputs
    starts = np.clip(seeds + rng.normal(scale=0.1, size=seeds.shape), -3.3, 3.3)
    return Case(model, limits, targets, seeds, starts, *settings, 9, outputs=(10,), scratch=7 * 6)


def _task(turns: int, axis: int, own: int, free: int) -> Callable[[np.random.Generator, int], Case]:
    def maker(rng: np.random.Generator, rows: int) -> Case:
        model, limits, targets, seeds, *settings, _ = _solve(rng, rows).inputs
        pull, posture = rng.uniform(0.0, 1.0, seeds.shape), rng.uniform(-1.0, 1.0, seeds.shape)
        return Case(
            model, limits, Model([1.0, 1.0, float(turns == 3)]), targets, seeds, posture, pull, *settings,
            turns, axis, own, free, 40, outputs=(11,), scratch=9 * 6 + 36 + 36,
        )  # fmt: skip

    return maker


case("inverse_task.solve_task")(_task(2, 2, 1, 1))
TASKS = {(turns, own, free): _task(turns, 1, own, free) for turns in range(4) for own in (0, 1) for free in (0, 1)}


def analytic(rng: np.random.Generator, rows: int, chain: Any, form: Any, bounds: float) -> Case:
    """Poses of an arm that has a closed form: singular ones, one out of reach, and seeds anywhere."""
    q = joints(rng, rows)
    q[1:8, 4] = 0.0
    q[4:12, 2] = 0.0
    targets = np.array([chain.forward(row).elements for row in q])
    targets[1, 9:] = 9.0
    limits = Model(np.tile([-bounds, bounds], 6))
    return Case(
        form.arm, chain.kernel_model, limits, targets, joints(rng, rows), np.full(rows, 1e-9), int(form.backwards),
        outputs=(88,), scratch=6,
    )  # fmt: skip


@case("analytic_wrist.all_with_wrist")
def _wrist(rng: np.random.Generator, rows: int) -> Case:
    chain = mk.SerialChain.six_axis_example()
    return analytic(rng, rows, chain, chain.analytic_form(), 3.5)


@case("analytic_parallel.all_with_parallel")
def _parallel(rng: np.random.Generator, rows: int) -> Case:
    """Read from the tool to the base."""
    axes = [(0, 1, 0), (0, 0, -1), (0, 1, 0), (0, 1, 0), (0, 1, 0), (0, 0, 1)]
    points = [(0.8, 0.2, 0.0), (0.8, 0.1, 0.0), (0.8, 0.1, 0.1), (0.4, 0.1, 0.1), (0.0, 0.0, 0.1), (0.0, 0.0, 0.0)]
    turn = mk.JointLimits.revolute(-6.3, 6.3, 1.0)
    moving = [mk.Joint.revolute(f"j{k}", a, p, turn) for k, (a, p) in enumerate(zip(axes, points, strict=True))]
    chain = mk.SerialChain.from_joints(moving, tool=mk.SE3.exp([0.1, 0.0, 0.2, 0.3, 0.4, 0.5]))
    return analytic(rng, rows, chain, chain.analytic_form(), 6.3)


@case("analytic_answers.settle")
def _settle(rng: np.random.Generator, rows: int) -> Case:
    limits = Model(np.array([[-3.0, 3.0], [-np.inf, np.inf], [-6.3, 6.3], [0.0, 0.1], [2.0, 9.0], [-9.0, -2.0]]))
    q = joints(rng, rows)
    q[1] = limits.array[1::2]
    q[1, 1] = 0.0
    return Case(limits, q, 3.0 * joints(rng, rows), outputs=(8,))


def line_model(rng: np.random.Generator) -> Model:
    return Model([*rotation(rng), *rng.uniform(-0.5, 0.5, 3), *rng.normal(size=6)])


@case("line.pose")
def _line(rng: np.random.Generator, rows: int) -> Case:
    return Case(line_model(rng), np.linspace(0.0, 1.0, rows), outputs=(12,))


@case("line.deviation")
def _deviation(rng: np.random.Generator, rows: int) -> Case:
    return Case(line_model(rng), pose_rows(rng, rows), rng.uniform(0.0, 1.0, rows), outputs=(2,))


@case("line.rates")
def _rates(rng: np.random.Generator, rows: int) -> Case:
    return Case(chain_model(rng, 7), line_model(rng), joints(rng, rows, 7), outputs=(16,), scratch=18 * 7 + 60)


@case("quintic.fit")
def _fit(rng: np.random.Generator, rows: int) -> Case:
    ends = rng.normal(size=(2, rows, 9))
    return Case(ends[0], ends[1], rng.uniform(0.01, 1.0, rows), outputs=(18,))


@case("quintic.motion")
def _motion(rng: np.random.Generator, rows: int) -> Case:
    reals = [rng.uniform(0.1, 1.0, rows) for _ in range(5)]
    return Case(rng.normal(size=(rows, 18)), *reals, outputs=(12,))


@case("quintic.path_motion")
def _path(rng: np.random.Generator, rows: int) -> Case:
    path = Model([0.0, 0.2, 0.5, 1.0, *rng.normal(size=3 * 18)])
    along = np.column_stack([np.linspace(0.0, 1.0, rows), rng.uniform(0.1, 1.0, (rows, 3))])
    return Case(path, 3, along, outputs=(12,))


@case("quintic.bounds")
def _bounds(rng: np.random.Generator, rows: int) -> Case:
    return Case(rng.normal(size=(rows, 18)), rng.uniform(0.01, 1.0, rows), outputs=(9,))


@case("septic.fit")
def _septic_fit(rng: np.random.Generator, rows: int) -> Case:
    ends = rng.normal(size=(2, rows, 8))
    return Case(ends[0], ends[1], rng.uniform(0.01, 1.0, rows), outputs=(16,))


@case("septic.derivatives")
def _septic_derivatives(rng: np.random.Generator, rows: int) -> Case:
    widths, places = rng.uniform(0.01, 1.0, rows), np.linspace(0.0, 1.0, rows)
    return Case(rng.normal(size=(rows, 16)), widths, places, outputs=(8,))


@case("tool_path.motion")
def _tool_path(rng: np.random.Generator, rows: int) -> Case:
    pieces = rng.normal(size=(rows, 87))
    pieces[:, 31:55] *= 0.3
    pieces[::2, 32:55] = 0.0  # a rotation that does not change, as on most lines
    pieces[::2, 31] = 0.0
    return Case(pieces, np.linspace(0.0, 1.0, rows), outputs=(30,))


@case("quintic.halve")
def _halve(rng: np.random.Generator, rows: int) -> Case:
    return Case(rng.normal(size=(rows, 18)), outputs=(18, 18))


@case("safe_speed.worst_travel")
def _travel(rng: np.random.Generator, rows: int) -> Case:
    state = rng.uniform(0.1, 4.0, (rows, 7))
    state[:, 1] -= 2.0
    state[:, 2] += 2.0
    state[::3, 6] = 0.0
    return Case(state, outputs=(1,))


@case("safe_speed.safe_speed")
def _safe(rng: np.random.Generator, rows: int) -> Case:
    room = rng.uniform(0.1, 4.0, (rows, 7))
    room[:, 1] -= 2.0
    room[::3, 1] = 0.0
    room[::3, 6] = 0.0
    room[1, 0] = -0.5
    return Case(room, outputs=(1,))


def line_limits(rng: np.random.Generator, rows: int) -> FloatArray:
    values = 10.0 ** rng.uniform(-2.0, 2.0, (rows, 4))
    values[0, 0] = 0.0
    return values


@case("scurve.scurve_plan")
def _plan(rng: np.random.Generator, rows: int) -> Case:
    return Case(line_limits(rng, rows), outputs=(scurve.PROFILE,))


@case("scurve.scurve_sample")
def _sample(rng: np.random.Generator, rows: int) -> Case:
    profile = np.empty(scurve.PROFILE)
    kernel("scurve.scurve_plan").function([2.0, 2.0, 8.0, 40.0], profile)
    model = Model([*profile, 0.0, 1.0, 0.5, 2.0, -1.0, 0.5, 1.0, -1.0, 0.0])
    return Case(model, 3, np.linspace(-0.1, profile[0] + 0.1, rows), outputs=(12,))


@case("stop.stop")
def _stop(rng: np.random.Generator, rows: int) -> Case:
    states = rng.uniform(0.5, 8.0, (rows, 5))
    states[:, :2] -= 4.0
    states[0, :2] = 0.0
    return Case(states, outputs=(stop.STOP,))


@case("stop.stop_sample")
def _stop_sample(rng: np.random.Generator, rows: int) -> Case:
    numbers = np.empty(stop.STOP)
    kernel("stop.stop").function([1.5, 8.0, 8.0, 8.0, 40.0], numbers)
    model = Model([*numbers, 0.25, 0.25 + numbers[12]])
    return Case(model, np.linspace(-0.1, numbers[3] + 0.1, rows), outputs=(4,))


@case("stop.stop_row_sample")
def _stop_row_sample(rng: np.random.Generator, rows: int) -> Case:
    states = rng.uniform(0.5, 8.0, (rows, 5))
    numbers = np.empty((rows, stop.STOP))
    for state, row in zip(states, numbers, strict=True):
        kernel("stop.stop").function(state, row)
    models = np.column_stack([numbers, np.full(rows, 0.25), 0.25 + numbers[:, 12]])
    return Case(models, np.linspace(-0.1, 1.1, rows) * numbers[:, 3], outputs=(4,))


@case("stop.stop_line_sample")
def _stop_line(rng: np.random.Generator, rows: int) -> Case:
    numbers = np.empty(stop.STOP)
    kernel("stop.stop").function([1.5, -8.0, 8.0, 8.0, 40.0], numbers)
    model = Model([*numbers, 0.25, 0.25 + numbers[12], *rng.normal(size=6)])
    return Case(model, 3, np.linspace(-0.1, numbers[3] + 0.1, rows), outputs=(12,))


@case("along.along")
def _along(rng: np.random.Generator, rows: int) -> Case:
    return Case(rng.normal(size=(rows, 12)), rng.normal(size=(rows, 4)), outputs=(12,))


@case("along.along_line")
def _along_line(rng: np.random.Generator, rows: int) -> Case:
    return Case(Model(rng.normal(size=6)), 3, rng.normal(size=(rows, 4)), outputs=(12,))


@case("joint_space.distance", "joint_space.steps")
def _joint_space(rng: np.random.Generator, rows: int) -> Case:
    return Case(*_configurations(rng, rows), np.full(rows, 0.08), np.full(rows, 0.01), outputs=(1,))


@case("joint_space.interpolate")
def _way(rng: np.random.Generator, rows: int) -> Case:
    return Case(*_configurations(rng, rows), np.linspace(-0.25, 1.25, rows), outputs=(4,))


@case("joint_space.normalized")
def _normalized(rng: np.random.Generator, rows: int) -> Case:
    space, q, _ = _configurations(rng, rows)
    return Case(space, q, np.full(rows, 0.08), np.full(rows, 0.01), outputs=(4,))


def _configurations(rng: np.random.Generator, rows: int) -> tuple[Model, FloatArray, FloatArray]:
    """A rail, a joint with limits and two that turn without end; among them none apart, half a turn, many turns."""
    a, b = rng.uniform(-7.0, 7.0, (2, rows, 4))
    b[0] = a[0]
    b[rows // 2] = a[rows // 2] + np.pi
    a[-1] = 0.0
    b[-1] = -np.pi
    a[1] *= 1e5
    return Model([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0]), a, b


ONLINE = online_segments.HEAD + online_segments.EACH * online_axis.FASTEST
TIMED = online_segments.HEAD + online_segments.EACH * online_axis.TIMED


def online_problems(rng: np.random.Generator, rows: int) -> FloatArray:
    """Problems of one axis: starts inside and outside the limits, ends at rest, moving, on the limit, equal states."""
    values = rng.uniform(0.5, 2.0, (rows, 12))
    values[:, :6] = rng.uniform(-1.0, 1.0, (rows, 6)) * [1.0, 1.5, 2.5, 1.0, 0.3, 0.3]
    values[::3, 4:6] = 0.0
    values[::4, 1:3] = 0.0
    values[1::5, 4] = values[1::5, 6]
    values[1::5, 5] = 0.0
    values[2::7, 3:6] = values[2::7, :3] * [1.0, 0.2, 0.1]
    values[2::7, :3] = values[2::7, 3:6]
    values[:, 11] = 0.0
    durations = np.empty((rows, ONLINE))
    for row, model in zip(values, durations, strict=True):
        kernel("online_axis.online_plan").function(row, model)
    values[:, 11] = durations[:, 0] * rng.choice([1.0, 1.01, 1.5, 6.0], rows)
    return values


@case("online_axis.online_plan")
def _online_plan(rng: np.random.Generator, rows: int) -> Case:
    return Case(online_problems(rng, rows), outputs=(ONLINE,))


@case("online_axis.online_next")
def _online_next(rng: np.random.Generator, rows: int) -> Case:
    return Case(online_problems(rng, rows), outputs=(1,))


@case("online_axis.online_fits")
def _online_fits(rng: np.random.Generator, rows: int) -> Case:
    values = online_problems(rng, rows)
    values[::3, 5] *= 20.0
    values[1::6, 3] *= 1e300
    return Case(values, outputs=(1,))


@case("online_axis.online_change")
def _online_change(rng: np.random.Generator, rows: int) -> Case:
    return Case(online_problems(rng, rows), outputs=(1,))


@case("online_axis.online_timed")
def _online_timed(rng: np.random.Generator, rows: int) -> Case:
    values = online_problems(rng, rows)
    for row in values:
        kernel("online_axis.online_next").function(row, row[11:])
    return Case(values, outputs=(TIMED,), scratch=94)


@case("online_axis.online_axes")
def _online_axes(rng: np.random.Generator, rows: int) -> Case:
    values = np.concatenate([online_problems(rng, rows) for _ in range(3)], axis=1)
    return Case(values, 3, 2, outputs=(7, 3 * TIMED), scratch=94)


@case("online_segments.online_sample")
def _online_sample(rng: np.random.Generator, rows: int) -> Case:
    numbers = np.empty((2, ONLINE))
    for problem, row in zip(online_problems(rng, 2), numbers, strict=True):
        kernel("online_axis.online_plan").function(problem, row)
    times = np.linspace(-0.1, numbers[:, 0].max() + 0.1, rows)
    return Case(Model(numbers.reshape(-1)), 2, online_axis.FASTEST, times, outputs=(8,))


@case("online_segments.online_row_sample")
def _online_row_sample(rng: np.random.Generator, rows: int) -> Case:
    numbers = np.empty((rows, ONLINE))
    for problem, row in zip(online_problems(rng, rows), numbers, strict=True):
        kernel("online_axis.online_plan").function(problem, row)
    return Case(numbers, online_axis.FASTEST, numbers[:, 0] * np.linspace(-0.1, 1.1, rows), outputs=(4,))


@case("online_segments.online_line_sample")
def _online_line_sample(rng: np.random.Generator, rows: int) -> Case:
    numbers = np.empty(ONLINE)
    kernel("online_axis.online_plan").function(online_problems(rng, 1)[0], numbers)
    times = np.linspace(-0.1, numbers[0] + 0.1, rows)
    model = Model([*numbers, 0.5, -1.0, 0.25, 2.0, 0.5, -1.0, 0.75, 1.0])
    return Case(model, 2, online_axis.FASTEST, times, np.full(rows, numbers[0]), outputs=(8,))


@case("online_segments.online_rest")
def _online_rest(rng: np.random.Generator, rows: int) -> Case:
    numbers = np.empty((rows, ONLINE))
    for problem, row in zip(online_problems(rng, rows), numbers, strict=True):
        kernel("online_axis.online_plan").function(problem, row)
    return Case(numbers, 1, online_axis.FASTEST, numbers[:, 0] * np.linspace(0.0, 1.1, rows), outputs=(ONLINE,))


@case("online_segments.online_extremes")
def _online_extremes(rng: np.random.Generator, rows: int) -> Case:
    numbers = np.empty((rows, ONLINE))
    for problem, row in zip(online_problems(rng, rows), numbers, strict=True):
        kernel("online_axis.online_plan").function(problem, row)
    return Case(numbers, 1, online_axis.FASTEST, outputs=(6,))


@case("synchronized.line_limits")
def _limits(rng: np.random.Generator, rows: int) -> Case:
    values = rng.uniform(0.1, 3.0, (rows, 12))
    values[:, :3] -= 1.5
    values[::4, 1] = 0.0
    return Case(values, 3, outputs=(6,))


def outputs(case: Case, rows: int) -> Iterator[FloatArray]:
    """Outputs over rows, filled with numbers that no kernel writes."""
    for size in case.outputs:
        yield np.full((rows, size), -777.25)


@case("symmetric.principal_moments")
def _tensors(rng: np.random.Generator, rows: int) -> Case:
    tensors = rng.normal(size=(rows, 6))
    tensors[0] = 0.0
    tensors[1] = [1.0, 0.0, 0.0, 1.0, 0.0, 2.0]  # a double root
    return Case(tensors, outputs=(3,))
