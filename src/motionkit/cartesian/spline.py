"""Tool paths through many poses: straight from each to the next, or smooth through all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateGeometry, NotEnoughSamples
from ..spatial import SE3
from ._pieces import Piece, spun
from ._through import through
from .line import Line

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Polyline:
    """Straight lines from each pose to the next; equal poses in a row count once.

    Attributes:
        poses: of the tool in the base, in order.
        merged: indices of the poses that are equal to the one before them.
    """

    poses: tuple[SE3, ...]
    merged: tuple[int, ...] = field(init=False)

    def __init__(self, poses: Sequence[SE3]) -> None:
        given = tuple(poses)
        if len(given) < 2:
            raise NotEnoughSamples(f"polyline: expected two poses or more, got {len(given)}")
        object.__setattr__(self, "poses", given)
        object.__setattr__(self, "merged", tuple(k for k in range(1, len(given)) if given[k] == given[k - 1]))

    def segments(self) -> list[Line]:
        """The lines, without those of no length."""
        return [Line(a, b) for a, b in zip(self.poses, self.poses[1:], strict=False) if a != b]


@dataclass(frozen=True, slots=True)
class Spline:
    """A smooth way through poses: position and rotation have continuous derivatives to the fourth order.

    Positions are the quintic spline over the summed distances of the poses, rotations that of their quaternions,
    divided by its length; at both ends the third and fourth derivative are zero.

    Attributes:
        poses: of the tool in the base, in order; neighbours must differ in position.
    """

    poses: tuple[SE3, ...]

    def __init__(self, poses: Sequence[SE3]) -> None:
        given = tuple(poses)
        if len(given) < 2:
            raise NotEnoughSamples(f"spline: expected two poses or more, got {len(given)}")
        object.__setattr__(self, "poses", given)
        for k in np.flatnonzero(self._widths() <= 0.0):
            raise DegenerateGeometry(
                f"spline: expected neighbours at different places, got poses {k} and {k + 1} at the same one; leave "
                "one out, or turn there with a line of its own"
            )

    def _widths(self) -> FloatArray:
        return np.linalg.norm(np.diff([p.translation for p in self.poses], axis=0), axis=1)

    def pieces(self) -> list[Piece]:
        """What a :class:`Path` is made of."""
        quaternions = np.array([p.rotation.wxyz for p in self.poses])
        # of the two quaternions of a rotation the one nearer to that before
        signs = np.where(np.sum(quaternions[1:] * quaternions[:-1], axis=1) < 0.0, -1.0, 1.0)
        quaternions[1:] *= np.cumprod(signs)[:, None]
        values = np.column_stack([np.array([p.translation for p in self.poses]), quaternions])
        widths = self._widths()
        cells = through(np.concatenate([[0.0], np.cumsum(widths)]), values)
        return [spun(c[:3], c[3:], float(w)) for c, w in zip(cells, widths, strict=True)]
