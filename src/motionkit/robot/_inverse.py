"""Inverse kinematics of a serial chain at one pose: what an answer means, and which starts are tried.

The iteration itself is :mod:`motionkit.kernels.inverse`; many poses are in ``_ik_many``. The methods of
:class:`~motionkit.robot.SerialChain` of the same names call these functions.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidLimits, InvalidRotation, NotConverged, NotFinite, Unreachable, WrongLength
from ..kernels import inverse as kernels
from ..kernels._contract import CONTEXT
from ..kernels.trig import TWO_PI
from ..spatial import SE3
from . import _hot
from ._coordinates import Coordinates, output
from ._ik_report import IkReport, Reason, free_model, reason, run_task
from ._ik_search import CLOSE, DAMPING, TOLERANCE, Found, free_turns, scale, search, spans, starts
from ._ik_task import POSE, Task, task_of

if TYPE_CHECKING:
    from ._structure import ChainStructure

FloatArray = NDArray[np.float64]
Wish = tuple[FloatArray, FloatArray]  # a posture, and how much each coordinate is drawn to it

MAX_ITERATIONS = 100
MAX_RESTARTS = 256
STARTS = 32  # starts of inverse_near
SHORT = 16  # steps of each start where many are tried: one that is close by then goes on
_TOGETHER = (1, 8, 8, 32)  # starts tried together: the first alone, because it often arrives


def inverse(
    chain: ChainStructure,
    target: SE3,
    seed: Coordinates,
    *,
    task: str | Sequence[str] = "pose",
    frame: str = "target",
    posture: Coordinates | None = None,
    away_from_limits: bool = False,
    position_tolerance: float = TOLERANCE,
    rotation_tolerance: float = TOLERANCE,
    damping: float = DAMPING,
    max_iterations: int = MAX_ITERATIONS,
    out: FloatArray | None = None,
) -> IkReport:
    """See :meth:`motionkit.SerialChain.inverse`."""
    memory = _workspace(chain.n)
    row, hot, chosen = memory.row, _hot.solve.native, POSE
    plain = task == "pose" and posture is None and not away_from_limits
    (w, a, b, c), (x, y, z) = checked_pose(target).parts
    if (
        hot is None
        or not plain
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
        chosen = task_of(task, frame)
        wish = _wish(chain, posture, away_from_limits)
        settings = (position_tolerance, rotation_tolerance, damping, max_iterations)
        start = _checked(chain, target, seed, *settings, whole=chosen.whole)
        memory.target[:] = target.elements
        row = _solve(chain, memory.target, start, chosen, wish, settings)
    report = _report(chain, row)
    if row[chain.n + 4] != 1.0:
        _give_up(chain, memory.target, chosen, report, row[chain.n + 4] == 2.0, max_iterations)
    if out is not None:
        output(out, (chain.n,), "out")[:] = report.q
    return report


def _checked(
    chain: ChainStructure,
    target: SE3,
    seed: Coordinates,
    position_tolerance: float,
    rotation_tolerance: float,
    damping: float,
    max_iterations: int,
    *,
    whole: bool,
) -> FloatArray:
    """Look at everything; the seed as an array."""
    start = chain.vector(seed, "seed")
    if (start < chain.lower).any() or (start > chain.upper).any():
        for limits, value, name in zip(chain.limits, start.tolist(), chain.joint_names, strict=True):
            limits.validate(value, name)
    if whole:
        refuse_beyond_reach(chain, target)
    _positive("position_tolerance", position_tolerance)
    _positive("rotation_tolerance", rotation_tolerance)
    _positive("damping", damping, zero=True)
    _positive("max_iterations", max_iterations)
    return start


def _wish(chain: ChainStructure, posture: Coordinates | None, away_from_limits: bool) -> Wish | None:
    """The secondary goal of the options."""
    if posture is not None and away_from_limits:
        raise InvalidLimits("posture and away_from_limits: expected one secondary goal, got both")
    if posture is not None:
        wanted = chain.vector(posture, "posture")
        for limits, value, name in zip(chain.limits, wanted.tolist(), chain.joint_names, strict=True):
            limits.validate(value, f"{name} (posture)")
        return wanted, np.ones(chain.n)
    if not away_from_limits:
        return None
    bounded = np.isfinite(chain.lower) & np.isfinite(chain.upper) & (chain.upper > chain.lower)
    half = np.where(bounded, 0.5 * (np.where(bounded, chain.upper, 1.0) - np.where(bounded, chain.lower, -1.0)), 1.0)
    middle = np.where(bounded, np.where(bounded, chain.lower, 0.0) + half, 0.0)
    # the gradient of the sum of squares of the ways from the middle, each in parts of its own range
    shortest = np.min(half, where=bounded, initial=np.inf)
    return middle, np.where(bounded, (min(float(shortest), 1e9) / half) ** 2, 0.0)


def _solve(
    chain: ChainStructure,
    target: FloatArray,
    start: FloatArray,
    task: Task,
    wish: Wish | None,
    settings: tuple[float, float, float, int],
) -> FloatArray:
    """The row of a search. The secondary goal comes after it, from its answer: where that fails, the answer stays."""
    budget = settings[3]
    tolerances = settings[:3]
    first = run_task(chain, chain.limit_model, target, start, task, budget, *tolerances)
    if wish is None or first[-1] != 1.0:
        return first
    posture, pull = wish
    found = turned_towards(chain, first[: chain.n], posture)
    row = run_task(chain, chain.limit_model, target, found, task, max(budget, MAX_ITERATIONS), *tolerances, wish)
    row[chain.n] += first[chain.n]
    row[chain.n + 3] = min(row[chain.n + 3], first[chain.n + 3])
    # near a singular place the way to the posture can lead away from it
    before, after = (float(np.sum(pull * (posture - r[: chain.n]) ** 2)) for r in (first, row))
    return row if row[-1] == 1.0 and after <= before else first


def _give_up(
    chain: ChainStructure, target: FloatArray, task: Task, report: IkReport, rested: bool, budget: int
) -> NoReturn:
    """Say why a search from a seed did not arrive."""
    why = reason(chain, target, task, report.q)
    ended = "came to rest after" if rested else "did not arrive within"
    steps = f"{report.iterations} steps" if rested else f"{budget} steps (max_iterations)"
    helps = "move the target closer to the arm" if why.cause == "out_of_reach" else "another seed may reach it"
    raise NotConverged(
        f"the search {ended} {steps}, {report.position_error:.6g} m and {report.rotation_error:.6g} rad from the "
        f"target; {why.sentence}; the least manipulability on the way was {report.least_manipulability:.3g}; {helps}"
        + ("" if why.cause == "out_of_reach" else ": inverse_any tries many"),
        report=_with_reason(report, why),
    )


def _with_reason(report: IkReport, why: Reason) -> IkReport:
    """A report with the cause of its failure."""
    return replace(report, cause=why.cause, joints=why.joints, out_of_reach_by=why.by)


def inverse_any(
    chain: ChainStructure,
    target: SE3,
    *,
    rng: np.random.Generator | None = None,
    max_restarts: int = MAX_RESTARTS,
) -> IkReport:
    """See :meth:`motionkit.SerialChain.inverse_any`."""
    refuse_beyond_reach(chain, target)
    shift = None if rng is None else rng.random(chain.n)
    if max_restarts < 0:
        raise InvalidLimits(f"max_restarts: expected a whole number >= 0, got {max_restarts}")
    best: FloatArray | None = None
    left = math.inf
    tried = turn = 0
    pose = np.array(target.elements)
    while best is None or tried <= max_restarts:
        count = min(_TOGETHER[min(turn, len(_TOGETHER) - 1)], max_restarts + 1 - tried)
        turn += 1
        spread = chain.first_starts[tried : tried + count] if shift is None else None
        if spread is None or len(spread) < count:
            spread = starts(chain, tried, count, shift)
        found = _search_one(chain, pose, spread[0]) if count == 1 else _search_from(chain, target, spread)
        good = np.flatnonzero(found.status == 1)
        if len(good):
            q = found.q[good[0]]
            # no step is taken: it reports what a search from one seed reports
            report = _report(chain, run_task(chain, chain.limit_model, pose, q, POSE, 0))
            return replace(report, iterations=int(found.steps[good[0]]))
        errors = np.hypot(found.distance * scale(chain), found.angle)
        nearest = int(np.argmin(errors))
        if best is None or errors[nearest] < left:
            best, left = found.q[nearest].copy(), float(errors[nearest])
        tried += count
    raise _unreachable(chain, target, best, tried)


def _search_one(chain: ChainStructure, pose: FloatArray, seed: FloatArray) -> Found:
    """The search of :func:`_search_from` from one seed, without the rows."""
    n, here, steps = chain.n, seed, 0
    row, scratch = np.empty(n + 4), np.empty(7 * n)
    for budget in (SHORT, MAX_ITERATIONS - SHORT):
        settings = (TOLERANCE, TOLERANCE, DAMPING, scale(chain), budget)
        kernels.search(chain.kernel_model, chain.limit_model, pose, seed, here, *settings, scratch, row)
        steps += int(row[n])
        here = row[:n].copy()
        if row[n + 3] != 0.0 or not math.hypot(row[n + 1] * scale(chain), row[n + 2]) < CLOSE:
            break
    count = np.ones(1, np.int64)
    return Found(
        here[None], row[n + 3 :].astype(np.int64), count * steps, count, row[n + 1 : n + 2], row[n + 2 : n + 3]
    )


def _search_from(chain: ChainStructure, target: SE3, seeds: FloatArray) -> Found:
    """Searches for one pose from many seeds."""
    targets = np.tile(np.array(checked_pose(target).elements), (len(seeds), 1))
    return search(chain, targets, seeds, budget=SHORT, long_budget=MAX_ITERATIONS)


def _unreachable(chain: ChainStructure, target: SE3, best: FloatArray, tried: int) -> Unreachable:
    """Why none of many starts arrived."""
    pose = np.array(target.elements)
    report = _report(chain, run_task(chain, chain.limit_model, pose, best, POSE, 1))
    why = reason(chain, pose, POSE, report.q)
    if why.cause in ("singular", "not_converged"):
        # from elsewhere the same search, without limits, may show what blocks
        free = search(chain, pose[None], best[None], restarts=STARTS, limits=free_model(chain), budget=SHORT)
        if free.status[0] == 1:
            why = reason(chain, pose, POSE, free.q[0])
        else:
            by = float(free.distance[0])
            told = f"{by:.6g} m and {float(free.angle[0]):.6g} rad"
            sentence = f"out of reach: without joint limits {STARTS + 1} starts stay at best {told} away"
            why = Reason("out_of_reach", (), by, sentence)
    return Unreachable(
        f"no configuration within the joint limits reaches {target!r}: {tried} starts spread over the joint space "
        f"ended at best {report.position_error:.6g} m and {report.rotation_error:.6g} rad away; {why.sentence}; "
        "move the target closer to the arm, turn it, or widen the joint limits",
        distance=report.position_error,
        report=_with_reason(report, why),
    )


def inverse_near(chain: ChainStructure, target: SE3, reference: Coordinates, *, starts_tried: int = STARTS) -> IkReport:
    """See :meth:`motionkit.SerialChain.inverse_near`."""
    near = chain.vector(reference, "reference")
    refuse_beyond_reach(chain, target)
    spread = starts(chain, 0, max(starts_tried - 1, 0))
    lower, upper = spans(chain)
    first = np.clip(
        near, np.where(np.isfinite(chain.lower), lower, near), np.where(np.isfinite(chain.upper), upper, near)
    )
    found = _search_from(chain, target, np.vstack([first[None], spread]))
    good = found.q[found.status == 1]
    if not len(good):
        return inverse_any(chain, target)
    answers = turned_towards(chain, good, near)
    cost = np.linalg.norm(answers - near, axis=1)
    # an answer seen from two starts differs in the last digits: the first of the nearly nearest is taken
    winner = int(np.flatnonzero(cost <= np.min(cost) + 1e-7)[0])
    return inverse(chain, target, answers[winner])


def differential_inverse(chain: ChainStructure, q: Coordinates, twist: ArrayLike, *, damping: float) -> FloatArray:
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


def checked_poses(targets: ArrayLike) -> FloatArray:
    """Poses (N, 4, 4) as rows of twelve elements, (N, 12), once they are poses.

    Raises:
        WrongLength: another shape.
        NotFinite: a number is NaN or infinite; names the row.
        InvalidRotation: a row is not a pose.
    """
    poses = np.ascontiguousarray(targets, dtype=np.float64)
    if poses.ndim != 3 or poses.shape[1:] != (4, 4):
        raise WrongLength(f"targets: expected shape (N, 4, 4), got {poses.shape}")
    if not np.all(np.isfinite(poses)):
        row = int(np.argmin(np.isfinite(poses).all(axis=(1, 2))))
        raise NotFinite(f"targets[{row}]: expected finite numbers, got {poses[row].tolist()}")
    turns = poses[:, :3, :3]
    off = np.max(np.abs(np.swapaxes(turns, 1, 2) @ turns - np.eye(3)), axis=(1, 2), initial=0.0)
    bad = (off > 1e-6) | (np.linalg.det(turns) < 0.0) | np.any(poses[:, 3] != [0.0, 0.0, 0.0, 1.0], axis=1)
    if np.any(bad):
        row = int(np.argmax(bad))
        raise InvalidRotation(f"targets[{row}]: not a pose (rotation off by {off[row]:.2g}): {poses[row].tolist()}")
    return np.ascontiguousarray(np.concatenate([turns.reshape(-1, 9), poses[:, :3, 3]], axis=1))


def checked_pose(target: SE3) -> SE3:
    """The target, once it is an SE3."""
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


def refuse_beyond_reach(chain: ChainStructure, target: SE3) -> None:
    away = math.dist(checked_pose(target).parts[1], chain.reach_centre)
    if away > chain.reach:
        short = away - chain.reach
        raise Unreachable(
            f"the target at {np.asarray(target.translation).tolist()} m lies {away:.6g} m from the first joint, and "
            f"the arm stretches {chain.reach:.6g} m at the very most: {short:.6g} m too far; check the units (metres) "
            "and the frame",
            distance=short,
            report=IkReport(np.full(chain.n, np.nan), 0, short, 0.0, 0.0, "out_of_reach", (), short),
        )


class _Workspace:
    """The arrays that a solve of n joints works in."""

    def __init__(self, n: int) -> None:
        self.target = np.empty(12)
        self.row = np.empty(n + 5)
        self.scratch = np.empty(7 * n + 6 * max(6, n) + 36)


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


def turned_towards(chain: ChainStructure, answers: FloatArray, reference: FloatArray) -> FloatArray:
    """The same configurations with every joint that can turn by whole turns next to the reference."""
    near = answers - TWO_PI * np.round((answers - reference) / TWO_PI)
    near = np.where(near > chain.upper, near - TWO_PI, near)
    near = np.where(near < chain.lower, near + TWO_PI, near)
    return np.ascontiguousarray(np.where(free_turns(chain), np.clip(near, chain.lower, chain.upper), answers))


def _report(chain: ChainStructure, row: FloatArray) -> IkReport:
    n = chain.n
    q = row[:n].copy()
    q.setflags(write=False)
    steps, distance, angle, least, _ = row[n:].tolist()
    return IkReport(q, int(steps), distance, angle, least)
