"""A joint path: quintic cells that meet in value, first and second derivative; it knows no tool, time or limits."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..kernels import quintic
from ..kernels._batch import run_rows
from ..kernels._contract import Model

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class JointPath:
    """Joint coordinates as a twice continuously differentiable function of a parameter from 0 to 1.

    Attributes:
        knots: parameters of the m + 1 knots, increasing, from 0 to 1.
        controls: control points of the m cells, (m, 6 n): point k of joint i at ``6 * i + k``.
    """

    knots: FloatArray
    controls: FloatArray
    _model: list[Model] = field(init=False, repr=False, default_factory=list[Model])  # made when first asked for

    @classmethod
    def through(cls, knots: FloatArray, states: FloatArray) -> JointPath:
        """The path with given values and derivatives at its knots.

        Args:
            knots: (m + 1,).
            states: (m + 1, n, 3): value, first and second derivative of each joint.
        """
        flat = np.ascontiguousarray(states.reshape(len(knots), -1))
        controls = np.empty((len(knots) - 1, 2 * flat.shape[1]))
        run_rows(quintic.fit, np.ascontiguousarray(flat[:-1]), np.ascontiguousarray(flat[1:]), np.diff(knots), controls)
        return cls(knots, controls)

    @property
    def n(self) -> int:
        """Number of joints."""
        return self.controls.shape[1] // 6

    @property
    def kernel_model(self) -> Model:
        """What ``kernels.quintic.path_motion`` reads."""
        if not self._model:
            self._model.append(Model(np.concatenate([self.knots, self.controls.reshape(-1)])))
        return self._model[0]

    def motion(self, s: FloatArray, sd: FloatArray, sdd: FloatArray, sddd: FloatArray) -> FloatArray:
        """Positions, velocities, accelerations and jerks, (T, 4, n), while the parameter moves as given, each (T,)."""
        cell, width, fraction = self._locate(s)
        out = np.empty((len(s), 4 * self.n))
        run_rows(quintic.motion, self.controls[cell], width, fraction, sd, sdd, sddd, out)
        return out.reshape(len(s), 4, self.n)

    def state(self, along: FloatArray, out: FloatArray) -> None:
        """One row of :meth:`motion`, with the same bits, into an array.

        Args:
            along: the parameter and its three rates, (4,).
            out: (4, n), C-contiguous.
        """
        quintic.path_motion(self.kernel_model, len(self.controls), along, out.reshape(-1))

    def positions(self, s: FloatArray) -> FloatArray:
        """Joint coordinates at parameters, (T, n)."""
        still = np.zeros(len(s))
        return np.ascontiguousarray(self.motion(s, still, still, still)[:, 0])

    def bounds(self) -> FloatArray:
        """Bounds of the magnitudes of the first three derivatives in every cell, (m, 3, n)."""
        out = np.empty((len(self.controls), 3 * self.n))
        run_rows(quintic.bounds, self.controls, np.diff(self.knots), out)
        return out.reshape(len(self.controls), 3, self.n)

    def halved(self, times: int) -> JointPath:
        """The same curve with every cell halved, repeatedly: bounds by control points come closer to it."""
        path = self
        for _ in range(times):
            halves = np.empty((len(path.controls), 2, path.controls.shape[1]))
            left, right = np.empty_like(path.controls), np.empty_like(path.controls)
            run_rows(quintic.halve, path.controls, left, right)
            halves[:, 0], halves[:, 1] = left, right
            knots = np.empty(2 * len(path.knots) - 1)
            knots[::2], knots[1::2] = path.knots, 0.5 * (path.knots[:-1] + path.knots[1:])
            path = JointPath(knots, halves.reshape(2 * len(left), -1))
        return path

    def hull(self) -> tuple[FloatArray, FloatArray]:
        """Least and largest control point of every joint in every cell, (m, n) each: the curve lies between them."""
        points = self.controls.reshape(len(self.controls), self.n, 6)
        return np.min(points, axis=2), np.max(points, axis=2)

    def _locate(self, s: FloatArray) -> tuple[NDArray[np.intp], FloatArray, FloatArray]:
        cell = np.clip(np.searchsorted(self.knots, s, side="right") - 1, 0, len(self.knots) - 2)
        width = self.knots[cell + 1] - self.knots[cell]
        return cell, width, (s - self.knots[cell]) / width
