"""Inverse kinematics in closed form: which of the candidates are answers, on which turn, and what failure is called.

The candidates come from ``_analytic_candidates``; whether an arm has a closed form is decided in ``_analytic_form``.
The methods of :class:`~motionkit.robot.SerialChain` of the same names call these functions.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import JointLimitViolated, UnknownName, Unreachable, WrongLength, did_you_mean
from ..kernels import analytic_answers as answers
from ..kernels import inverse
from ..kernels.trig import TWO_PI
from ..spatial import SE3
from ._analytic_candidates import candidates, on_the_arm, over_rows
from ._analytic_form import AnalyticForm, analytic_form
from ._coordinates import Coordinates, matrix
from ._inverse import checked_pose, checked_poses

if TYPE_CHECKING:
    from .chain import SerialChain

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

MOST = 16  # configurations that a six-axis arm of any kind can have for a pose
_BEYOND, _COST, _CODE = answers.BEYOND, answers.COST, answers.CODE
_DOUBLE = int(answers.DOUBLE)
_FREE = int(answers.SHOULDER_FREE + answers.ELBOW_FREE + answers.WRIST_FREE)


@dataclass(frozen=True, slots=True, eq=False)
class IkSolution:
    """One configuration that brings the tip to a pose.

    Attributes:
        q: joint coordinates, (n,), rad.
        self_motion: names of the joints that can move together while the tip stays where it is; empty where the
            configuration stands alone. ``q`` is then the member of its family that the seed chose.
        position_error: distance between the tip at ``q`` and the target, m.
        rotation_error: angle between them, rad.
        double: whether two configurations coincide here, as where the elbow is straight: an end of the reach.
    """

    q: FloatArray
    self_motion: tuple[str, ...]
    position_error: float
    rotation_error: float
    double: bool

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IkSolution):
            return NotImplemented
        return np.array_equal(self.q, other.q) and self._rest() == other._rest()

    def __hash__(self) -> int:
        return hash((self.q.tobytes(), self._rest()))

    def _rest(self) -> tuple[object, ...]:
        return (self.self_motion, self.position_error, self.rotation_error, self.double)


_fields: Any = IkSolution
_set_q = _fields.q.__set__
_set_self_motion = _fields.self_motion.__set__
_set_position_error = _fields.position_error.__set__
_set_rotation_error = _fields.rotation_error.__set__
_set_double = _fields.double.__set__


@dataclass(frozen=True, slots=True, eq=False)
class IkAllBatch:
    """Every configuration for many poses; only what is marked in ``found`` is an answer.

    Attributes:
        q: joint coordinates, (N, K, n), rad; K is 8, or 16 on an arm whose closed form is refined.
        found: which of them reach their pose within the joint limits, (N, K), each configuration once.
        reached: which of them reach it, within the limits or not, (N, K).
        self_motion: where the arm can move with the tip at rest, (N, K).
        double: where two configurations coincide, (N, K).
        position_errors: distance between tip and pose, (N, K), m.
        rotation_errors: angle between them, (N, K), rad.
    """

    q: FloatArray
    found: BoolArray
    reached: BoolArray
    self_motion: BoolArray
    double: BoolArray
    position_errors: FloatArray
    rotation_errors: FloatArray


def inverse_all(
    chain: SerialChain, target: SE3, seed: Coordinates | None = None, *, turns: str = "nearest"
) -> list[IkSolution]:
    """See :meth:`motionkit.SerialChain.inverse_all`."""
    if turns not in ("nearest", "all"):
        raise UnknownName(f"turns: no choice {turns!r}: {did_you_mean(turns, ('nearest', 'all'))}", name=turns)
    form = analytic_form(chain)
    start = _middle(chain) if seed is None else seed
    rows = candidates(chain, form, checked_pose(target), start)
    numbers = rows.tolist()
    found, reached, worst = _answers(numbers)
    if worst > form.rough or worst < 0.0:
        pose, near = np.array(target.elements), chain.vector(start, "seed")
        rows = on_the_arm(chain, form, pose, near, rows)
        numbers = rows.tolist()
        found, reached, _ = _answers(numbers)
    if not reached:
        raise _unreachable(target, numbers)
    if not found:
        raise _forbidden(chain, numbers)
    rows.setflags(write=False)
    solutions = [_solution(chain, form, rows[k, :6], numbers[k]) for _, k in found]
    return solutions if turns == "nearest" else _on_all_turns(chain, target, chain.vector(start, "seed"), solutions)


def inverse_all_batch(
    chain: SerialChain, targets: ArrayLike, seeds: ArrayLike | None = None, *, threads: int = 1
) -> IkAllBatch:
    """See :meth:`motionkit.SerialChain.inverse_all_batch`."""
    form = analytic_form(chain)
    poses = _orthogonal(checked_poses(targets))
    if seeds is None:
        near = np.tile(_middle(chain), (len(poses), 1))
    else:
        near = matrix(seeds, chain.joint_names, "seeds")
        if len(near) != len(poses):
            raise WrongLength(f"seeds: expected a row for each of the {len(poses)} targets, got {len(near)}")
    rows = over_rows(chain, form, poses, near, threads=threads)
    worst = np.max(
        np.where(rows[..., _CODE:] != 0.0, rows[..., answers.DISTANCE : answers.ANGLE + 1], 0.0), axis=(1, 2)
    )
    rough = np.flatnonzero((worst > form.rough) | (rows[..., _CODE] == 0.0).all(axis=1))
    if form.exact:
        for k in rough:
            rows[k] = _first_rows(on_the_arm(chain, form, poses[k], near[k], rows[k]), answers.CANDIDATES)
    else:
        rows = np.array(
            [_first_rows(on_the_arm(chain, form, *each), MOST) for each in zip(poses, near, rows, strict=True)]
        )
        rows = rows.reshape(-1, MOST, answers.ROW)
    codes = rows[..., _CODE].astype(np.int64)
    return IkAllBatch(
        q=np.ascontiguousarray(rows[..., :6]),
        found=(codes > 0) & (rows[..., _BEYOND] <= 0.0),
        reached=codes > 0,
        self_motion=(codes > 0) & ((codes & _FREE) > 0),
        double=(codes > 0) & ((codes & _DOUBLE) > 0),
        position_errors=rows[..., answers.DISTANCE].copy(),
        rotation_errors=rows[..., answers.ANGLE].copy(),
    )


def _answers(numbers: list[list[float]]) -> tuple[list[tuple[float, int]], bool, float]:
    """Cost and place of the answers within limits, least first; whether any is reached; the worst residual, or -1."""
    found: list[tuple[float, int]] = []
    reached, worst = False, -1.0
    for k, row in enumerate(numbers):
        code = row[_CODE]
        if code != 0.0:
            worst = max(worst, row[answers.DISTANCE], row[answers.ANGLE])
            if code > 0.0:
                reached = True
                if row[_BEYOND] <= 0.0:
                    found.append((row[_COST], k))
    found.sort()
    return found, reached, worst


def _first_rows(rows: FloatArray, count: int) -> FloatArray:
    """``count`` rows: those nearest to the seed, or rows that are no answers after all there are."""
    rows = rows[np.argsort(rows[:, _COST], kind="stable")] if len(rows) > count else rows
    result = np.zeros((count, answers.ROW))
    result[: len(rows)] = rows[:count]
    return result


# ---- turns and limits
@functools.lru_cache(maxsize=64)
def _middle(chain: SerialChain) -> FloatArray:
    """The middle of every range, zero where there is none."""
    ranges = zip(chain.lower.tolist(), chain.upper.tolist(), strict=True)
    middle = np.array([0.5 * (a + b) if math.isfinite(a + b) else 0.0 for a, b in ranges])
    middle.setflags(write=False)
    return middle


def _on_all_turns(chain: SerialChain, target: SE3, near: FloatArray, solutions: list[IkSolution]) -> list[IkSolution]:
    """Every turn of every joint within the limits; a continuous joint stays where it is."""
    many: list[IkSolution] = []
    for solution in solutions:
        choices: list[list[float]] = []
        for x, lower, upper in zip(solution.q.tolist(), chain.lower.tolist(), chain.upper.tolist(), strict=True):
            if not math.isfinite(lower + upper):
                choices.append([x])
                continue
            first = math.ceil((lower - answers.LIMIT_SLACK - x) / TWO_PI)
            last = math.floor((upper + answers.LIMIT_SLACK - x) / TWO_PI)
            choices.append([min(max(x + TWO_PI * k, lower), upper) for k in range(first, last + 1)])
        for choice in itertools.product(*choices):
            q = np.array(choice)
            q.setflags(write=False)
            # whole turns change the last digits: what is stated is what q gives
            errors = inverse.pose_error(chain.forward(q).elements, target.elements)
            many.append(replace(solution, q=q, position_error=float(errors[6]), rotation_error=float(errors[7])))
    many.sort(key=lambda solution: float(np.linalg.norm(solution.q - near)))
    return many


# ---- answers
def _solution(chain: SerialChain, form: AnalyticForm, q: FloatArray, row: list[float]) -> IkSolution:
    """One answer; its fields are set past the frozen constructor, which takes three times as long."""
    code = int(row[_CODE])
    made = IkSolution.__new__(IkSolution)
    _set_q(made, q)
    _set_self_motion(made, _moving(chain, form, code) if code & _FREE else ())
    _set_position_error(made, row[answers.DISTANCE])
    _set_rotation_error(made, row[answers.ANGLE])
    _set_double(made, code & _DOUBLE != 0)
    return made


def _moving(chain: SerialChain, form: AnalyticForm, code: int) -> tuple[str, ...]:
    """Names of the joints that can move with the tip at rest."""
    members: set[int] = set()
    if code & int(answers.SHOULDER_FREE):
        members |= {0, 3, 4, 5} if form.has_wrist else {0, 1, 2, 3, 4, 5}
    if code & int(answers.ELBOW_FREE):
        members |= {1, 3, 4, 5} if form.has_wrist else {1, 3}
    if code & int(answers.WRIST_FREE):
        members |= {3, 5} if form.has_wrist else {1, 2, 3, 5}
    places = sorted(5 - k if form.backwards else k for k in members)
    return tuple(chain.joint_names[k] for k in places)


def _unreachable(target: SE3, rows: list[list[float]]) -> Unreachable:
    away = min(rows, key=lambda row: row[answers.DISTANCE] + row[answers.ANGLE])
    distance, angle = away[answers.DISTANCE], away[answers.ANGLE]
    return Unreachable(
        f"no configuration reaches the target at {np.asarray(target.translation).tolist()} m with its rotation: the "
        f"nearest of the closed form ends {distance:.6g} m and {angle:.6g} rad away, whatever the joint limits; move "
        "the target closer to the arm or turn it, and check the units (metres) and the frame",
        distance=distance,
        report=None,
    )


def _forbidden(chain: SerialChain, rows: list[list[float]]) -> JointLimitViolated:
    """The limit that is least in the way: the worst joint of the configuration that is nearest to being allowed."""
    rows = [row for row in rows if row[_CODE] > 0.0]
    q = min(rows, key=lambda row: row[_BEYOND])[:6]
    over = [max(x - upper, lower - x) for x, lower, upper in zip(q, chain.lower, chain.upper, strict=True)]
    joint = over.index(max(over))
    value, name = q[joint], chain.joint_names[joint]
    limit = float(chain.upper[joint] if value > chain.upper[joint] else chain.lower[joint])
    return JointLimitViolated(
        f"each of the {len(rows)} configurations that reach the target breaks a joint limit; the nearest to being "
        f"allowed needs joint {name!r} at {value:.6g} rad, its limit is {limit:.6g} rad",
        joint=name,
        value=value,
        limit=limit,
    )


def _orthogonal(poses: FloatArray) -> FloatArray:
    """Poses whose rotations are rotations to the last digit; checked ones may be 1e-6 off."""
    turns = poses[:, :9].reshape(-1, 3, 3)
    for _ in range(2):  # Newton's iteration for the nearest rotation: 1e-6, 1e-12, 1e-24
        turns = turns @ (1.5 * np.eye(3) - 0.5 * (np.swapaxes(turns, 1, 2) @ turns))
    return np.ascontiguousarray(np.concatenate([turns.reshape(-1, 9), poses[:, 9:]], axis=1))
