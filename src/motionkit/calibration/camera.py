"""What is known of a camera: focal lengths, centre, distortion and the size of its image."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DegenerateGeometry, NotFinite, WrongLength
from ..kernels import camera as kernels
from ..kernels._batch import run_rows

FloatArray = NDArray[np.float64]

__all__ = ["CameraIntrinsics"]


@dataclass(frozen=True, slots=True)
class CameraIntrinsics:
    """A pinhole camera with the distortion of Brown; its frame is x right, y down, z forward.

    Args:
        fx: focal length along the rows, pixels; positive.
        fy: focal length along the columns, pixels; positive.
        cx: column of the optical axis, pixels.
        cy: row of the optical axis, pixels.
        distortion: k1, k2, p1, p2, k3, the order of OpenCV; without units.
        width: of the image, pixels; 0 where it does not matter.
        height: of the image, pixels; 0 where it does not matter.

    Raises:
        NotFinite: a number is not finite, or a focal length is not positive.
        WrongLength: not five coefficients.

    >>> import motionkit as mk
    >>> camera = mk.CameraIntrinsics(500.0, 500.0, 320.0, 240.0)
    >>> camera.project([[0.1, 0.0, 1.0]]).tolist()
    [[370.0, 240.0]]
    """

    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    width: int = 0
    height: int = 0

    def __post_init__(self) -> None:
        if len(self.distortion) != 5:
            raise WrongLength(f"distortion: expected k1, k2, p1, p2, k3, got {len(self.distortion)} numbers")
        if not all(map(math.isfinite, self.numbers)) or self.fx <= 0.0 or self.fy <= 0.0:
            raise NotFinite(f"camera: expected finite numbers and positive focal lengths, got {self.numbers}")

    @property
    def numbers(self) -> tuple[float, ...]:
        """The nine numbers of ``kernels.camera``."""
        return (self.fx, self.fy, self.cx, self.cy, *self.distortion)

    def project(self, points: ArrayLike) -> FloatArray:
        """Pixels (N, 2) of points (N, 3) in the camera's frame, m.

        Raises:
            WrongLength: another shape than (N, 3).
            NotFinite: a coordinate is NaN or infinite.
            DegenerateGeometry: a point is not in front of the camera; names it.
        """
        given = np.ascontiguousarray(points, dtype=np.float64)
        if given.ndim != 2 or given.shape[1] != 3:
            raise WrongLength(f"points: expected (N, 3), got shape {given.shape}")
        if not np.isfinite(given).all():
            raise NotFinite(f"points[{int(np.argmin(np.isfinite(given).all(axis=1)))}]: expected finite numbers")
        if (given[:, 2] <= 0.0).any():
            i = int(np.argmax(given[:, 2] <= 0.0))
            raise DegenerateGeometry(
                f"points[{i}]: expected a point in front of the camera (z > 0), got {given[i].tolist()}",
                direction=tuple(given[i].tolist()),
            )
        return projected(self, given)[:, :2]


def projected(camera: CameraIntrinsics, points: FloatArray) -> FloatArray:
    """Pixels and their derivatives, (N, 8), of points (N, 3) that are in front."""
    out = np.empty((len(points), 8))
    intrinsics = np.repeat(np.array([camera.numbers]), len(points), axis=0)
    run_rows(kernels.project, intrinsics, np.ascontiguousarray(points), out)
    return out
