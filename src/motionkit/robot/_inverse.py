"""Inverse kinematics of a serial chain: what an answer means, which starts are tried, and what failure is called.

The iteration itself is :mod:`motionkit.kernels.inverse`. The methods of :class:`~motionkit.robot.SerialChain` of the
same names call these functions.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidLimits, InvalidRotation, NotConverged, NotFinite, Unreachable, WrongLength
from ..kernels import inverse as kernels
from ..kernels._batch import run_rows
from ..kernels._contract import CONTEXT, Model
from ..kernels.trig import PI, TWO_PI
from ..spatial import SE3
from . import _hot
from ._coordinates import Coordinates, matrix, output

if TYPE_CHECKING:
    from ._structure import ChainStructure
    from .chain import SerialChain

FloatArray = NDArray[np.float64]

TOLERANCE = 1e-9  # m and rad: far below any arm's repeatability, far above the rounding of forward kinematics
DAMPING = 1e-6
MAX_ITERATIONS = 100
MAX_RESTARTS = 256
STARTS = 32  # starts tried together: one pass of array elements costs about as much as fifteen single searches
_BUDGET = 40  # steps a start: of mid-range starts that end at all, all but a few in a thousand end within 40


@dataclass(frozen=True, slots=True, eq=False)
class IkReport:
    """An answer of inverse kinematics and how it was found.

    Attributes:
        q: joint coordinates, (n,), rad or m.
        iterations: steps taken from the start that led here.
        position_error: distance between the tool at ``q`` and the target, m.
        rotation_error: angle between them, rad.
        least_manipulability: the smallest manipulability met on the way (Yoshikawa's measure).
    """

    q: FloatArray
    iterations: int
    position_error: float
    rotation_error: float
    least_manipulability: float

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IkReport):
            return NotImplemented
        return np.array_equal(self.q, other.q) and self._numbers() == other._numbers()

    def __hash__(self) -> int:
        return hash((self.q.tobytes(), self._numbers()))

    def _numbers(self) -> tuple[float, ...]:
        return (float(self.iterations), self.position_error, self.rotation_error, self.least_manipulability)


@dataclass(frozen=True, slots=True, eq=False)
class IkBatch:
    """Answers of inverse kinematics for many poses; only rows that are marked are answers.

    Attributes:
        q: joint coordinates, (N, n), rad or m; where not converged, where the search ended.
        converged: which rows reached their target, (N,).
        iterations: steps taken, (N,).
        position_errors: distances left, (N,), m.
        rotation_errors: angles left, (N,), rad.
    """

    q: FloatArray
    converged: NDArray[np.bool_]
    iterations: NDArray[np.int64]
    position_errors: FloatArray
    rotation_errors: FloatArray


def inverse(
    chain: SerialChain,
    target: SE3,
    seed: Coordinates,
    *,
    position_tolerance: float = TOLERANCE,
    rotation_tolerance: float = TOLERANCE,
    damping: float = DAMPING,
    max_iterations: int = MAX_ITERATIONS,
    out: FloatArray | None = None,
) -> IkReport:
    """See :meth:`motionkit.SerialChain.inverse`."""
    memory = _workspace(chain.n)
    row, hot = memory.row, _hot.solve.native
    (w, a, b, c), (x, y, z) = _pose(target).parts
    if (
        hot is None
        or type(max_iterations) is not int
        or hot(
            CONTEXT,
            chain.kernel_model,
            chain.limit_model,
            seed,
            w,
            a,
            b,
            c,
            x,
            y,
            z,
            position_tolerance,
            rotation_tolerance,
            damping,
            max_iterations,
            memory.target,
            memory.scratch,
            row,
        )
        != 0
    ):
        settings = (position_tolerance, rotation_tolerance, damping, max_iterations)
        _solve(chain, target, seed, *settings, memory)
    report = _report(chain, row)
    if row[chain.n + 4] != 1.0:
        raise NotConverged(_why_not(chain, report, row[chain.n + 4] == 2.0, max_iterations), report=report)
    if out is not None:
        output(out, (chain.n,), "out")[:] = report.q
    return report


def _solve(
    chain: SerialChain,
    target: SE3,
    seed: Coordinates,
    position_tolerance: float,
    rotation_tolerance: float,
    damping: float,
    max_iterations: int,
    memory: _Workspace,
) -> None:
    """Look at everything, then search; the answer, or where the search ended, is in the row of ``memory``."""
    memory.target[:] = _pose(target).elements
    start = chain.vector(seed, "seed")
    if (start < chain.lower).any() or (start > chain.upper).any():
        for limits, value, name in zip(chain.limits, start.tolist(), chain.joint_names, strict=True):
            limits.validate(value, name)
    _refuse_beyond_reach(chain, target)
    _positive("position_tolerance", position_tolerance)
    _positive("rotation_tolerance", rotation_tolerance)
    _positive("damping", damping, zero=True)
    _positive("max_iterations", max_iterations)
    kernels.solve(
        chain.kernel_model,
        chain.limit_model,
        memory.target,
        start,
        position_tolerance,
        rotation_tolerance,
        damping,
        _scale(chain),
        max_iterations,
        memory.scratch,
        memory.row,
    )


def inverse_batch(chain: SerialChain, targets: ArrayLike, seeds: ArrayLike, *, threads: int = 1) -> IkBatch:
    """See :meth:`motionkit.SerialChain.inverse_batch`."""
    poses = np.ascontiguousarray(targets, dtype=np.float64)
    if poses.ndim != 3 or poses.shape[1:] != (4, 4):
        raise WrongLength(f"targets: expected shape (N, 4, 4), got {poses.shape}")
    starts = matrix(seeds, chain.joint_names, "seeds")
    if len(starts) != len(poses):
        raise WrongLength(f"seeds: expected a row for each of the {len(poses)} targets, got {len(starts)}")
    if not np.all(np.isfinite(poses)):
        row = int(np.argmin(np.isfinite(poses).all(axis=(1, 2))))
        raise NotFinite(f"targets[{row}]: expected finite numbers, got {poses[row].tolist()}")
    turns = poses[:, :3, :3]
    off = np.max(np.abs(np.swapaxes(turns, 1, 2) @ turns - np.eye(3)), axis=(1, 2), initial=0.0)
    bad = (off > 1e-6) | (np.linalg.det(turns) < 0.0) | np.any(poses[:, 3] != [0.0, 0.0, 0.0, 1.0], axis=1)
    if np.any(bad):
        row = int(np.argmax(bad))
        raise InvalidRotation(f"targets[{row}]: not a pose (rotation off by {off[row]:.2g}): {poses[row].tolist()}")
    outside = (starts < chain.lower) | (starts > chain.upper)
    if np.any(outside):
        row, joint = (int(k) for k in np.argwhere(outside)[0])
        chain.limits[joint].validate(float(starts[row, joint]), f"{chain.joint_names[joint]} (seeds[{row}])")
    flat = np.ascontiguousarray(np.concatenate([turns.reshape(-1, 9), poses[:, :3, 3]], axis=1))
    n = chain.n
    rows = np.empty((len(poses), n + 5))
    settings = (TOLERANCE, TOLERANCE, DAMPING, _scale(chain), MAX_ITERATIONS)
    models = (chain.kernel_model, chain.limit_model)
    run_rows(kernels.solve, *models, flat, starts, *settings, rows, scratch=_scratch(n), threads=threads)
    return IkBatch(
        q=np.ascontiguousarray(rows[:, :n]),
        converged=rows[:, n + 4] == 1.0,
        iterations=rows[:, n].astype(np.int64),
        position_errors=rows[:, n + 1].copy(),
        rotation_errors=rows[:, n + 2].copy(),
    )


def inverse_any(
    chain: SerialChain,
    target: SE3,
    *,
    rng: np.random.Generator | None = None,
    max_restarts: int = MAX_RESTARTS,
) -> IkReport:
    """See :meth:`motionkit.SerialChain.inverse_any`."""
    _refuse_beyond_reach(chain, target)
    shift = None if rng is None else rng.random(chain.n)
    if max_restarts < 0:
        raise InvalidLimits(f"max_restarts: expected a whole number >= 0, got {max_restarts}")
    best: IkReport | None = None
    tried = 0
    while tried <= max_restarts:
        # the first alone, because it often arrives
        starts = _starts(chain, tried, min(STARTS if tried else 1, max_restarts + 1 - tried), shift)
        rows = _solve_many(chain, target, starts)
        good = np.flatnonzero(rows[:, chain.n + 4] == 1.0)
        if len(good):
            return _report(chain, rows[good[0]])
        errors = np.hypot(rows[:, chain.n + 1] * _scale(chain), rows[:, chain.n + 2])
        nearest = _report(chain, rows[np.argmin(errors)])
        if best is None or nearest.position_error < best.position_error:
            best = nearest
        tried += len(starts)
    assert best is not None
    raise Unreachable(
        f"no configuration within the joint limits reaches {target!r}: {tried} starts spread over the joint space "
        f"ended at best {best.position_error:.6g} m and {best.rotation_error:.6g} rad away; "
        "move the target closer to the arm, turn it, or widen the joint limits",
        distance=best.position_error,
        report=best,
    )


def inverse_near(chain: SerialChain, target: SE3, reference: Coordinates, *, starts: int = STARTS) -> IkReport:
    """See :meth:`motionkit.SerialChain.inverse_near`."""
    near = chain.vector(reference, "reference")
    _refuse_beyond_reach(chain, target)
    spread = _starts(chain, 0, max(starts - 1, 0), None)
    lower, upper = _spans(chain)
    first = np.clip(
        near, np.where(np.isfinite(chain.lower), lower, near), np.where(np.isfinite(chain.upper), upper, near)
    )
    rows = _solve_many(chain, target, np.vstack([first[None], spread]))
    found = rows[rows[:, chain.n + 4] == 1.0]
    if not len(found):
        return inverse_any(chain, target)
    answers = _turned_towards(chain, found[:, : chain.n], near)
    cost = np.linalg.norm(answers - near, axis=1)
    # an answer seen from two starts differs in the last digits: the first of the nearly nearest is taken
    winner = int(np.flatnonzero(cost <= np.min(cost) + 1e-7)[0])
    return inverse(chain, target, answers[winner])


def differential_inverse(chain: SerialChain, q: Coordinates, twist: ArrayLike, *, damping: float) -> FloatArray:
    """See :meth:`motionkit.SerialChain.differential_inverse`."""
    values = chain.vector(q, "q")
    wanted = np.ascontiguousarray(twist, dtype=np.float64)
    if wanted.shape != (6,):
        raise WrongLength(f"twist: expected 6 numbers (3 linear, 3 angular), got shape {wanted.shape}")
    if not np.all(np.isfinite(wanted)):
        raise NotFinite(f"twist: expected finite numbers, got {wanted.tolist()}")
    _positive("damping", damping, zero=True)
    out = np.empty(chain.n)
    kernels.step(chain.kernel_model, values, wanted, float(damping), np.empty(6 * chain.n), out)
    return out


def _pose(target: SE3) -> SE3:
    if not isinstance(target, SE3):  # pyright: ignore[reportUnnecessaryIsInstance]  a user's mistake
        raise WrongLength(
            f"target: expected an SE3 (SE3.from_matrix makes one of a 4 x 4 array), got {type(target).__name__}"
        )
    return target


def _positive(name: str, value: float, *, zero: bool = False) -> None:
    if not math.isfinite(value):
        raise NotFinite(f"{name}: expected a finite number, got {value}")
    if value < 0 or (value == 0 and not zero):
        raise InvalidLimits(f"{name}: expected a number {'>= 0' if zero else '> 0'}, got {value}")


def _refuse_beyond_reach(chain: SerialChain, target: SE3) -> None:
    away = math.dist(_pose(target).parts[1], chain.reach_centre)
    if away > chain.reach:
        short = away - chain.reach
        raise Unreachable(
            f"the target at {np.asarray(target.translation).tolist()} m lies {away:.6g} m from the first joint, and "
            f"the arm stretches {chain.reach:.6g} m at the very most: {short:.6g} m too far; check the units (metres) "
            "and the frame",
            distance=short,
            report=None,
        )


def _scale(chain: ChainStructure) -> float:
    """One over the length that weighs like a radian: half the reach, so that both errors count alike on any arm."""
    return 2.0 / chain.reach if chain.reach > 0.0 else 1.0


def _scratch(n: int) -> int:
    return 7 * n + 6 * max(6, n) + 36


class _Workspace:
    """The arrays that a solve of n joints works in."""

    def __init__(self, n: int) -> None:
        self.target = np.empty(12)
        self.row = np.empty(n + 5)
        self.scratch = np.empty(_scratch(n))


class _Memory(threading.local):
    """One workspace a thread and size: a control loop allocates nothing anew."""

    def __init__(self) -> None:
        self.spaces: dict[int, _Workspace] = {}


_memory = _Memory()


def _workspace(n: int) -> _Workspace:
    found = _memory.spaces.get(n)
    if found is None:
        found = _memory.spaces[n] = _Workspace(n)
    return found


def limit_model(chain: ChainStructure) -> Model:
    """What ``kernels.inverse.solve`` reads, and what :func:`_hot.solve` reads after it."""
    turns = [
        1.0 if limits.kind in ("revolute", "continuous") and upper - lower >= TWO_PI else 0.0
        for limits, lower, upper in zip(chain.limits, chain.lower, chain.upper, strict=True)
    ]
    rows = np.column_stack([chain.lower, chain.upper, turns]).reshape(-1)
    return Model(np.concatenate([rows, [_scale(chain), chain.reach], chain.reach_centre]))


def _spans(chain: SerialChain) -> tuple[FloatArray, FloatArray]:
    """The intervals that starts are spread over: the limits, one turn of a continuous joint."""
    return np.where(np.isfinite(chain.lower), chain.lower, -PI), np.where(np.isfinite(chain.upper), chain.upper, PI)


def _starts(chain: SerialChain, first: int, count: int, shift: FloatArray | None) -> FloatArray:
    """Rows ``first`` to ``first + count`` of an even spread over the joint space; row 0 is its middle.

    The additive recurrence of the square roots of primes (Richtmyer, 1951): the same on every machine. That of the
    generalised golden ratio is as even in the long run, but its first points follow each other closely in many
    dimensions, and it took 47 starts where this takes SPREAD_STARTS.
    """
    steps = np.sqrt(_primes(chain.n)) % 1.0
    k = np.arange(first, first + count, dtype=np.float64)[:, None]
    unit = (0.5 + (0.0 if shift is None else shift - 0.5) + k * steps) % 1.0
    lower, upper = _spans(chain)
    # a joint that turns further than once has every answer within one turn round its middle
    middle, half = 0.5 * (lower + upper), np.minimum(0.5 * (upper - lower), np.where(_turns(chain), PI, np.inf))
    return np.ascontiguousarray(middle + half * (2.0 * unit - 1.0))


def _primes(count: int) -> FloatArray:
    """The first ``count`` primes."""
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return np.array(found, dtype=np.float64)


def _turns(chain: SerialChain) -> NDArray[np.bool_]:
    return chain.limit_model.array[: 3 * chain.n].reshape(-1, 3)[:, 2] > 0.5


def _solve_many(chain: SerialChain, target: SE3, starts: FloatArray) -> FloatArray:
    rows = np.empty((len(starts), chain.n + 5))
    targets = np.tile(np.array(_pose(target).elements), (len(starts), 1))
    settings: tuple[Any, ...] = (TOLERANCE, TOLERANCE, DAMPING, _scale(chain), _BUDGET)
    run_rows(
        kernels.solve,
        chain.kernel_model,
        chain.limit_model,
        targets,
        starts,
        *settings,
        rows,
        scratch=_scratch(chain.n),
    )
    return rows


def _turned_towards(chain: SerialChain, answers: FloatArray, reference: FloatArray) -> FloatArray:
    """The same configurations with every joint that can turn by whole turns next to the reference."""
    turns = _turns(chain)
    near = answers - TWO_PI * np.round((answers - reference) / TWO_PI)
    near = np.where(near > chain.upper, near - TWO_PI, near)
    near = np.where(near < chain.lower, near + TWO_PI, near)
    return np.ascontiguousarray(np.where(turns, near, answers))


def _report(chain: SerialChain, row: FloatArray) -> IkReport:
    n = chain.n
    q = row[:n].copy()
    q.setflags(write=False)
    return IkReport(q, int(row[n]), float(row[n + 1]), float(row[n + 2]), float(row[n + 3]))


def _why_not(chain: SerialChain, report: IkReport, rested: bool, budget: int) -> str:
    at_limit = [
        name
        for name, value, lower, upper in zip(chain.joint_names, report.q, chain.lower, chain.upper, strict=True)
        if value <= lower or value >= upper
    ]
    ended = (
        f"came to rest after {report.iterations} steps"
        if rested
        else f"did not arrive within {budget} steps (max_iterations)"
    )
    held = f"; joints at a limit: {', '.join(at_limit)}" if at_limit else ""
    return (
        f"the search {ended}, {report.position_error:.6g} m and {report.rotation_error:.6g} rad from the target{held}; "
        f"the least manipulability on the way was {report.least_manipulability:.3g}. "
        "Another seed may reach it: inverse_any tries many"
    )
