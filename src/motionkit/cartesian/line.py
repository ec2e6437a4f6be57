"""The geometry of a straight tool move: where the tool is along it, and how exactly it has to stay there."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidLimits, NotFinite
from ..kernels import line as kernels
from ..kernels._batch import run_rows
from ..kernels._contract import Model
from ..spatial import SE3
from ._pieces import Piece, straight

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LineTolerance:
    """How far the tool may be from its line between knots.

    Attributes:
        position: distance, m.
        rotation: angle, rad.
    """

    position: float = 1e-4
    rotation: float = math.radians(0.05)

    def validate(self) -> None:
        """Refuse what is not a tolerance.

        Raises:
            NotFinite: a number is not finite.
            InvalidLimits: a number is not above zero.
        """
        for name, value in (("position", self.position), ("rotation", self.rotation)):
            if not math.isfinite(value):
                raise NotFinite(f"tolerance {name}: expected a finite number, got {value}")
            if value <= 0.0:
                raise InvalidLimits(f"tolerance {name}: expected a number above 0, got {value}")


@dataclass(frozen=True, slots=True)
class Line:
    """A straight tool path: the position moves along a segment, the rotation about one axis, both at constant rate.

    Attributes:
        start: pose of the tool in the base at parameter 0.
        end: pose at parameter 1.
        length: distance between them, m.
        turn: angle between them, rad, at most pi.
    """

    start: SE3
    end: SE3
    length: float = field(init=False)
    turn: float = field(init=False)
    kernel_model: Model = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        matrix = self.start.matrix()
        displacement = np.asarray(self.end.translation) - np.asarray(self.start.translation)
        # a rotation times its own inverse is the identity to rounding only
        same = self.end.rotation == self.start.rotation
        rotation = np.zeros(3) if same else np.asarray((self.end.rotation * self.start.rotation.inverse()).log())
        packed = np.concatenate([matrix[:3, :3].reshape(-1), matrix[:3, 3], displacement, rotation])
        object.__setattr__(self, "length", float(np.linalg.norm(displacement)))
        object.__setattr__(self, "turn", float(np.linalg.norm(rotation)))
        object.__setattr__(self, "kernel_model", Model(packed))

    def poses(self, fractions: FloatArray) -> FloatArray:
        """Poses at parameters, (T, 12): rotation row-major, then position."""
        out = np.empty((len(fractions), 12))
        run_rows(kernels.pose, self.kernel_model, fractions, out)
        return out

    def pieces(self) -> list[Piece]:
        """What a :class:`Path` is made of."""
        return [
            straight(self.start, np.array(self.kernel_model.values[12:15]), np.array(self.kernel_model.values[15:]))
        ]

    def pose(self, fraction: float) -> SE3:
        """Pose of the tool in the base at a parameter in [0, 1]."""
        row = self.poses(np.array([fraction]))[0]
        matrix = np.eye(4)
        matrix[:3, :3] = row[:9].reshape(3, 3)
        matrix[:3, 3] = row[9:]
        return SE3.from_matrix(matrix)

    def deviations(self, poses: FloatArray, fractions: FloatArray) -> FloatArray:
        """Distance in metres and angle in radians, (T, 2), of poses (T, 12) from the line at given parameters."""
        out = np.empty((len(fractions), 2))
        run_rows(kernels.deviation, self.kernel_model, poses, fractions, out)
        return out
