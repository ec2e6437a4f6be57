"""Distances, steps and straight lines between configurations of a chain, the shorter way where a joint has no end.

What counts as how far is in ``metric``; the arithmetic is in the kernels.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import NotFinite, WrongLength
from ..kernels import joint_space as kernels
from ..kernels._batch import run_rows
from ..kernels._contract import Model
from ..values import JointPosition
from ._coordinates import Coordinates
from ._structure import ChainStructure
from .metric import JointMetric, JointResolution, count, length, space_of

FloatArray = NDArray[np.float64]


class JointSpace(ChainStructure):
    """The configurations of a chain as a space with a distance; nothing here knows poses."""

    @cached_property
    def space_model(self) -> Model:
        """What ``kernels.joint_space`` reads of the coordinates."""
        return space_of(self.axes, self.periodic)

    def typed(self, q: Coordinates) -> tuple[JointPosition, ...]:
        """A configuration as values that carry their unit, one for each coordinate.

        >>> import motionkit as mk
        >>> mk.SerialChain.six_axis_example().typed([0.1, 0, 0, 0, 0, 0])[0]
        JointPosition.revolute(0.1)
        """
        values = self.vector(q).tolist()
        return tuple(JointPosition(kind, x) for kind, x in zip(self.axes.kinds, values, strict=True))

    def distance(self, a: Coordinates, b: Coordinates, metric: JointMetric | None = None) -> float:
        """Length of the straight way from one configuration to another, in units of a metric.

        Joints that turn without end (:attr:`periodic`) go the shorter way round.

        Args:
            a: configuration, (n,), rad or m.
            b: configuration, (n,).
            metric: what counts as 1; a radian and a metre when left out.

        >>> import math
        >>> import motionkit as mk
        >>> wheel = mk.SerialChain.from_joints([mk.Joint.continuous("wheel", (0, 0, 1), (0, 0, 0))])
        >>> round(wheel.distance([3.0], [-3.0]), 6), round(2 * math.pi - 6.0, 6)
        (0.283185, 0.283185)
        """
        scale = _METRIC if metric is None else metric
        return length(self.space_model, self.vector(a, "a"), self.vector(b, "b"), scale)

    def steps(self, a: Coordinates, b: Coordinates, resolution: JointResolution | None = None) -> int:
        """How many equal steps lead from one configuration to another, none longer than a resolution at any joint.

        Joints that turn without end (:attr:`periodic`) go the shorter way round. The number is the largest over the
        joints, and 0 when nothing moves; rounding may make a step longer by a part in 1e12.

        Args:
            a: configuration, (n,), rad or m.
            b: configuration, (n,).
            resolution: the largest step; 0.08 rad and 1 cm when left out.

        >>> import motionkit as mk
        >>> chain = mk.SerialChain.six_axis_example()
        >>> chain.steps([0.0] * 6, [0.4, 0.0, 0.0, 0.0, 0.0, 0.1])
        5
        """
        largest = _RESOLUTION if resolution is None else resolution
        return count(self.space_model, self.vector(a, "a"), self.vector(b, "b"), largest)

    def interpolate(self, a: Coordinates, b: Coordinates, t: float | ArrayLike) -> FloatArray:
        """Configurations on the straight way from one to another.

        Joints that turn without end (:attr:`periodic`) go the shorter way round, a difference in (-pi, pi]; half a turn
        apart to the last place, they go the positive way. At ``t`` = 0 the answer is ``a``, at ``t`` = 1 it is ``b``,
        both bit for bit but for whole turns; beyond them the line goes on.

        Args:
            a: configuration, (n,), rad or m.
            b: configuration, (n,).
            t: a share of the way, or (T,) shares.

        Returns:
            (n,) for one share, (T, n) for many.

        Raises:
            NotFinite: a share is NaN or infinite.
            WrongLength: ``t`` has more dimensions than one.

        >>> import motionkit as mk
        >>> wheel = mk.SerialChain.from_joints([mk.Joint.continuous("wheel", (0, 0, 1), (0, 0, 0))])
        >>> wheel.interpolate([3.0], [-3.0], [0.0, 0.5, 1.0]).round(4).tolist()
        [[3.0], [3.1416], [3.2832]]
        """
        start, end = self.vector(a, "a"), self.vector(b, "b")
        shares = _shares(t)
        if shares.ndim == 0:
            out = np.empty(self.n)
            kernels.interpolate(self.space_model, start, end, float(shares), out)
            return out
        rows = np.empty((len(shares), self.n))
        if rows.size:
            first, last = (np.repeat(q[None], len(shares), axis=0) for q in (start, end))
            run_rows(kernels.interpolate, self.space_model, first, last, shares, rows)
        return rows


_METRIC = JointMetric()
_RESOLUTION = JointResolution()


def _shares(t: float | ArrayLike) -> FloatArray:
    try:
        shares = np.ascontiguousarray(t, dtype=np.float64) if np.ndim(t) else np.array(t, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise WrongLength(f"t: expected a share of the way or (T,) of them, got {t!r}") from error
    if shares.ndim > 1:
        raise WrongLength(f"t: expected a share of the way or (T,) of them, got shape {shares.shape}")
    if not np.isfinite(shares).all():
        raise NotFinite(f"t: expected finite shares of the way, got {shares[~np.isfinite(shares)].reshape(-1)[0]}")
    return shares
