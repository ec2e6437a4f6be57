"""Inverse kinematics of a serial chain at many poses: batches, and paths that stay on one branch.

One pose is in ``_inverse``. The
methods of :class:`~motionkit.robot.SerialChain` of the same names call these functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidLimits, NotConverged, Unreachable, WrongLength
from ..spatial import SE3
from ._coordinates import Coordinates, matrix
from ._ik_report import IkBatch, IkReport
from ._ik_search import search, starts
from ._inverse import MAX_ITERATIONS, SHORT, checked_pose, checked_poses, inverse

if TYPE_CHECKING:
    from ._structure import ChainStructure

FloatArray = NDArray[np.float64]

LARGEST_JUMP = (
    0.5  # rad or m that a joint may move from one pose of a path to the next before more poses are put between
)
HALVINGS = 6  # of the way between two poses


def inverse_batch(
    chain: ChainStructure, targets: ArrayLike, seeds: ArrayLike | None, *, restarts: int = 0, threads: int = 1
) -> IkBatch:
    """See :meth:`motionkit.SerialChain.inverse_batch`."""
    flat = checked_poses(targets)
    if restarts < 0:
        raise InvalidLimits(f"restarts: expected a whole number >= 0, got {restarts}")
    begin = np.repeat(starts(chain, 0, 1), len(flat), axis=0) if seeds is None else _seeds(chain, seeds, len(flat))
    budget = SHORT if restarts else MAX_ITERATIONS
    found = search(chain, flat, begin, restarts=restarts, threads=threads, budget=budget, long_budget=MAX_ITERATIONS)
    return IkBatch(
        q=found.q,
        converged=found.status == 1,
        iterations=found.steps,
        position_errors=found.distance,
        rotation_errors=found.angle,
        starts=found.starts,
    )


def _seeds(chain: ChainStructure, seeds: ArrayLike, count: int) -> FloatArray:
    given = matrix(seeds, chain.joint_names, "seeds")
    if len(given) != count:
        raise WrongLength(f"seeds: expected a row for each of the {count} targets, got {len(given)}")
    outside = (given < chain.lower) | (given > chain.upper)
    if np.any(outside):
        row, joint = (int(k) for k in np.argwhere(outside)[0])
        chain.limits[joint].validate(float(given[row, joint]), f"{chain.joint_names[joint]} (seeds[{row}])")
    return given


def inverse_path(
    chain: ChainStructure, targets: Sequence[SE3], seed: Coordinates, *, largest_jump: float = LARGEST_JUMP
) -> FloatArray:
    """See :meth:`motionkit.SerialChain.inverse_path`."""
    poses = [checked_pose(target) for target in targets]
    if not largest_jump > 0.0:
        raise InvalidLimits(f"largest_jump: expected a number > 0, got {largest_jump}")
    q = np.empty((len(poses), chain.n))
    here: FloatArray = chain.vector(seed, "seed")
    for k, pose in enumerate(poses):
        try:
            if k == 0:
                here = inverse(chain, pose, here).q
            else:
                here = _follow(chain, poses[k - 1], pose, here, largest_jump, HALVINGS)
        except (NotConverged, Unreachable) as error:
            raise NotConverged(
                f"targets[{k}] of {len(poses)}: {error}", report=error.report, index=k, q=q[:k].copy()
            ) from error
        q[k] = here
    return q


def _follow(
    chain: ChainStructure, start: SE3, end: SE3, q: FloatArray, largest_jump: float, halvings: int
) -> FloatArray:
    """Joint coordinates at ``end`` on the branch of ``q``, which is at ``start``; poses between where it is far."""
    failed: NotConverged | None = None
    report: IkReport | None = None
    try:
        report = inverse(chain, end, q)
        if float(np.max(np.abs(report.q - q), initial=0.0)) <= largest_jump:
            return report.q
    except NotConverged as error:
        failed = error
    if halvings > 0:
        between = start.interpolate(end, 0.5)
        middle = _follow(chain, start, between, q, largest_jump, halvings - 1)
        return _follow(chain, between, end, middle, largest_jump, halvings - 1)
    if failed is not None:
        raise failed
    assert report is not None
    worst = int(np.argmax(np.abs(report.q - q)))
    raise NotConverged(
        f"the branch ends here: joint {chain.joint_names[worst]} would have to jump by "
        f"{abs(report.q[worst] - q[worst]):.4g} {chain.limits[worst].unit} to go on (largest_jump {largest_jump:g}), "
        "as at a singular place or where a limit cuts the branch off; another seed or another path may do",
        report=replace(report, cause="singular", joints=(chain.joint_names[worst],)),
    )
