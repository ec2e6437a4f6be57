"""What inverse kinematics hands back, and why a search failed: found out by searching again without what may block it.

The searches themselves are in ``_inverse`` and ``_ik_search``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from ..kernels import inverse as kernels
from ..kernels import inverse_task
from ..kernels._contract import Model
from ..kernels.trig import TWO_PI
from . import _evaluate
from ._ik_search import DAMPING, TOLERANCE, scale
from ._ik_task import Task

if TYPE_CHECKING:
    from ._structure import ChainStructure

FloatArray = NDArray[np.float64]
Cause = Literal["reached", "out_of_reach", "joint_limits", "singular", "not_converged"]

FREE_STEPS = 100  # of the searches that look for a cause
SINGULAR = 0.05  # smallest singular value, lengths counted in halves of the reach, that is called singular


@dataclass(frozen=True, slots=True, eq=False)
class IkReport:
    """An answer of inverse kinematics and how it was found; in an error, where the search ended and why.

    Attributes:
        q: joint coordinates, (n,), rad or m; NaN where a target was too far away to be searched for.
        iterations: steps taken from the start that led here.
        position_error: distance between the tool at ``q`` and the target, m; of a task, along its rows.
        rotation_error: angle between them, rad; of a task, of its turns.
        least_manipulability: the smallest manipulability met on the way (Yoshikawa's measure).
        cause: ``"reached"``; or ``"joint_limits"``: without limits the same search arrives; ``"out_of_reach"``: without
            limits not even the position alone is reached, or, of ``inverse_any``, the pose from none of many starts;
            ``"singular"``: the search ended where the tool has lost a direction, as it does when the position is within
            reach and the orientation is not; ``"not_converged"``: nothing of this was found, and another seed may well
            arrive.
        joints: names of the joints that block, with ``"joint_limits"``.
        out_of_reach_by: with ``"out_of_reach"``: how far from the target the tool stays without limits, m; else 0.
    """

    q: FloatArray
    iterations: int
    position_error: float
    rotation_error: float
    least_manipulability: float
    cause: Cause = "reached"
    joints: tuple[str, ...] = ()
    out_of_reach_by: float = 0.0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IkReport):
            return NotImplemented
        return np.array_equal(self.q, other.q) and self._rest() == other._rest()

    def __hash__(self) -> int:
        return hash((self.q.tobytes(), self._rest()))

    def _rest(self) -> tuple[object, ...]:
        numbers = (self.iterations, self.position_error, self.rotation_error, self.least_manipulability)
        return (*numbers, self.cause, self.joints, self.out_of_reach_by)


@dataclass(frozen=True, slots=True, eq=False)
class IkBatch:
    """Answers of inverse kinematics for many poses; only rows that are marked are answers.

    Attributes:
        q: joint coordinates, (N, n), rad or m; where not converged, where the nearest search ended.
        converged: which rows reached their target, (N,).
        iterations: steps taken from the start that led there, (N,).
        position_errors: distances left, (N,), m.
        rotation_errors: angles left, (N,), rad.
        starts: starts tried, (N,).
    """

    q: FloatArray
    converged: NDArray[np.bool_]
    iterations: NDArray[np.int64]
    position_errors: FloatArray
    rotation_errors: FloatArray
    starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a search failed: the cause, the joints that block, metres out of reach, and a sentence."""

    cause: Cause
    joints: tuple[str, ...]
    by: float
    sentence: str


def reason(chain: ChainStructure, target: FloatArray, task: Task, end: FloatArray) -> Reason:
    """Why a search for a task ended at ``end``.

    Args:
        chain: of the search.
        target: pose as 12 elements.
        task: what counts of it.
        end: where the search ended, (n,).
    """
    free = free_model(chain)
    row = run_task(chain, free, target, end, task, FREE_STEPS)
    if row[-1] == 1.0:
        return _blocked(chain, row[: chain.n])
    if task.rows.any():
        position = Task(task.rows, 0, 0, task.own)
        alone = run_task(chain, free, target, end, position, FREE_STEPS)
        # the search may drift past the nearest place: what it started from counts as well
        begin = run_task(chain, free, target, end, position, 0)
        by = float(min(alone[chain.n + 1], begin[chain.n + 1]))
        if alone[-1] != 1.0 and by > 1e-6:
            return Reason(
                "out_of_reach",
                (),
                by,
                f"the position is out of reach: without joint limits the tool stays {by:.6g} m away",
            )
    lengths = np.repeat([scale(chain), 1.0], 3)
    values = np.linalg.svd(
        _evaluate.jacobian(chain, end, "tool_at_base_orientation", None) * lengths[:, None], compute_uv=False
    )
    least = float(values[-1]) if chain.n >= 6 else 0.0  # fewer joints cannot move the tool every way
    if least < SINGULAR:
        return Reason(
            "singular",
            (),
            0.0,
            f"there the tool has lost a direction (smallest singular value {least:.2g}): a singular place, or a pose "
            "whose position is within reach and whose orientation is not",
        )
    return Reason("not_converged", (), 0.0, "nothing was found that blocks it")


def _blocked(chain: ChainStructure, answer: FloatArray) -> Reason:
    """The reason when the search arrives at ``answer`` without limits."""
    bounded = np.isfinite(chain.lower) & np.isfinite(chain.upper)
    middle = 0.5 * (np.where(bounded, chain.lower, answer) + np.where(bounded, chain.upper, answer))
    turns = np.round((answer - middle) / TWO_PI) * TWO_PI
    q = np.where(np.asarray(chain.turning), answer - turns, answer)
    past = np.maximum(chain.lower - q, q - chain.upper)
    blocking = np.flatnonzero(past > 0.0)
    if not len(blocking):
        return Reason("not_converged", (), 0.0, "there is an answer within the limits, on another way than this")
    names = tuple(chain.joint_names[i] for i in blocking)
    told = ", ".join(
        f"{chain.joint_names[i]} at {q[i]:.4g} {chain.limits[i].unit}, {past[i]:.3g} past its limit" for i in blocking
    )
    return Reason("joint_limits", names, 0.0, f"blocked by joint limits: without them it arrives with {told}")


def free_model(chain: ChainStructure) -> Model:
    """The limits of :func:`_ik_search.limit_model` for a chain that has none."""
    n = chain.n
    return Model(
        np.column_stack([np.full(n, -np.inf), np.full(n, np.inf), np.asarray(chain.turning, dtype=np.float64)])
    )


def run_task(
    chain: ChainStructure,
    limits: Model,
    target: FloatArray,
    seed: FloatArray,
    task: Task,
    budget: int,
    position_tolerance: float = TOLERANCE,
    rotation_tolerance: float = TOLERANCE,
    damping: float = DAMPING,
    wish: tuple[FloatArray, FloatArray] | None = None,
) -> FloatArray:
    """The row (n + 5,) of a search for a task; a whole pose without a posture takes the shorter kernel."""
    n = chain.n
    row, scratch = np.empty(n + 5), np.empty(9 * n + 6 * max(6, n) + 36)
    settings = (position_tolerance, rotation_tolerance, damping, scale(chain))
    if task.whole and wish is None:
        kernels.solve(chain.kernel_model, limits, target, seed, *settings, budget, scratch, row)
        return row
    posture, pull = (seed, np.zeros(n)) if wish is None else wish
    models = (chain.kernel_model, limits, task.model)
    kind = (task.turns, task.axis, task.own, 0 if wish is None else 1)
    inverse_task.solve_task(*models, target, seed, posture, pull, *settings, *kind, budget, scratch, row)
    return row
