"""Chooses the speed profile of a path: the quickest S-curve of the path parameter that keeps every joint in its limits.

The profile has one velocity, acceleration and jerk for the whole path. They share each joint's limits, so a higher
speed through a bend leaves less for speeding up; the best split is searched.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..kernels import pacing as kernels
from ..kernels._batch import run_rows
from ..kernels._contract import Model
from ..motion import MotionLimits, ScurveProfile
from ._joint_path import JointPath

FloatArray = NDArray[np.float64]

_SIDE = 12  # candidates a side of the search grid
_ROUNDS = 5  # every round halves the range round the best candidate: the last one resolves half a per cent
_MARGIN = 1e-12  # of each limit, for the rounding of the sums that are compared with it


def constraints(path: JointPath, limits: Sequence[MotionLimits]) -> FloatArray:
    """Rows of the pacing kernel: derivative bounds of a cell and the limits, for every joint that moves there, (k, 6).

    Rows that another row of the same joint makes superfluous are left out.
    """
    bounds = path.bounds()
    rows: list[FloatArray] = [np.zeros((0, 6))]
    for joint, limit in enumerate(limits):
        mine = bounds[:, :, joint]
        mine = mine[mine[:, 0] > 0.0]
        kept: list[FloatArray] = []
        for row in mine[np.lexsort((mine[:, 0], mine[:, 1], mine[:, 2]))[::-1]]:
            if not any(np.all(other >= row) for other in kept):
                kept.append(row)
        own = np.array([limit.max_velocity, limit.max_acceleration, limit.max_jerk]) * (1.0 - _MARGIN)
        rows.extend(np.concatenate([row, own])[None] for row in kept)
    return np.vstack(rows)


def pace(path: JointPath, limits: Sequence[MotionLimits], max_rate: float) -> ScurveProfile:
    """The quickest profile of the path parameter from 0 to 1, at rest at both ends.

    Args:
        path: the joints over the parameter.
        limits: of every joint.
        max_rate: largest rate of the parameter that the tool allows, 1/s; may be infinite.
    """
    rows = constraints(path, limits)
    if not len(rows):
        return ScurveProfile.plan(0.0, 0.0, MotionLimits(1.0, 1.0, 1.0))
    first, second, third, velocity, acceleration, jerk = rows.T
    with np.errstate(divide="ignore"):
        alone = [velocity / first, np.sqrt(acceleration / second), np.cbrt(jerk / third)]
    top = min(max_rate, *(float(np.min(a)) for a in alone))
    model = Model(rows)
    # the best candidate of a grid over (speed / top, share), then of finer grids round it
    low, high = np.zeros(2), np.ones(2)
    best = np.array([np.inf, 0.0, 0.0, 0.0])
    for _ in range(_ROUNDS):
        ticks = [low[k] + (high[k] - low[k]) * np.arange(1, _SIDE + 1) / (_SIDE + (k == 1)) for k in range(2)]
        speed, share = (g.reshape(-1).copy() for g in np.meshgrid(ticks[0], ticks[1], indexing="ij"))
        found = np.empty((len(speed), 3))
        run_rows(kernels.pace, model, speed * top, share, found)
        k = int(np.argmin(found[:, 0]))
        if found[k, 0] < best[0]:
            best = np.array([found[k, 0], speed[k] * top, found[k, 1], found[k, 2]])
            centre = np.array([speed[k], share[k]])
            half = 0.25 * (high - low)
            low, high = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
        else:
            middle, half = 0.5 * (low + high), 0.25 * (high - low)
            low, high = middle - half, middle + half
    return ScurveProfile.plan(0.0, 1.0, MotionLimits(float(best[1]), float(best[2]), float(best[3])))
