"""Paths in joint space: straight between configurations with rounded corners, or smooth through all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import BlendRefused, CartesianError, InvalidLimits, NotEnoughSamples, NotFinite, WrongLength
from ..kernels import septic
from ..kernels._batch import run_rows
from ._through import through

FloatArray = NDArray[np.float64]

MIDDLE = 0.15625  # 5/32 of the zone times the difference of the unit tangents: how far the curve stays from the corner
REVERSAL = 2e-3  # length of their sum below which a path turns back


class _Cells:
    """Cells of polynomials over a parameter in joint units; what both paths are made of."""

    __slots__ = ("_coefficients", "breaks", "corners", "n")

    n: int
    """Number of joints."""
    breaks: FloatArray
    """Parameters of the ends of cells, (m,), both ends of the path included."""
    corners: FloatArray
    """Those of them that can only be passed at rest, (k,)."""

    def _set(self, widths: FloatArray, coefficients: FloatArray, corners: FloatArray) -> None:
        self.breaks = np.concatenate([[0.0], np.cumsum(widths)])
        self.corners = corners
        self.n = coefficients.shape[1] // 8
        self._coefficients = coefficients
        for array in (self.breaks, self.corners, self._coefficients):
            array.flags.writeable = False

    @property
    def length(self) -> float:
        """End of the parameter, which begins at 0."""
        return float(self.breaks[-1])

    def joints(self, s: FloatArray | Sequence[float]) -> FloatArray:
        """Joint values and their first three derivatives by the parameter at parameters (T,): (T, n, 4).

        Raises:
            CartesianError: a parameter is not on the path.
            NotFinite: one is not finite.
        """
        along = np.atleast_1d(np.asarray(s, dtype=np.float64))
        if not np.all(np.isfinite(along)):
            raise NotFinite(f"s: expected finite parameters, got {along[~np.isfinite(along)][0]}")
        if np.any((along < 0.0) | (along > self.length)):
            worst = along[np.argmax(np.abs(along - 0.5 * self.length))]
            raise CartesianError(f"s: expected parameters from 0 to {self.length:.9g}, got {worst:.9g}")
        at = np.clip(np.searchsorted(self.breaks, along, side="right") - 1, 0, len(self.breaks) - 2)
        width = self.breaks[at + 1] - self.breaks[at]
        out = np.empty((len(along), 4 * self.n))
        run_rows(septic.derivatives, self._coefficients[at], width, (along - self.breaks[at]) / width, out)
        return out.reshape(len(along), self.n, 4)

    def tool(self, s: FloatArray | Sequence[float]) -> None:
        """None: a joint path says nothing about a tool."""
        return


class JointPolyline(_Cells):
    """Straight from each configuration to the next, corners rounded with three continuous derivatives.

    The parameter is the distance along the straight legs, in the joints' units (rad and m count alike).

    Args:
        points: (m, n), rad or m; equal ones in a row count once.
        blend: how far the curve may stay from a corner, in the same distance, one number or one a corner; 0 passes
            it exactly and has to stop there.

    Raises:
        BlendRefused: the path turns back at a corner that should be rounded.
        NotEnoughSamples: fewer than two different points.
        InvalidLimits: a tolerance is negative.
        NotFinite: a number is not finite.
        WrongLength: the points are no matrix, or there is another number of tolerances than of corners.

    >>> import motionkit as mk
    >>> path = mk.JointPolyline([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], blend=0.01)
    >>> path.joints([1.0])[0, :, 0].round(4).tolist()
    [0.9929, 0.0071]
    """

    __slots__ = ("deviations", "points")

    points: FloatArray
    """The different configurations, (k, n)."""
    deviations: FloatArray
    """How far the path stays from each corner, (k - 2,); 0 where it passes it."""

    def __init__(self, points: FloatArray | Sequence[Sequence[float]], *, blend: float | Sequence[float] = 0.0) -> None:
        given = _matrix(points)
        keep = np.concatenate([[True], np.any(given[1:] != given[:-1], axis=1)])
        self.points = given[keep]
        if len(self.points) < 2:
            raise NotEnoughSamples("joint polyline: expected two different points or more")
        legs = np.diff(self.points, axis=0)
        lengths = np.linalg.norm(legs, axis=1)
        units = legs / lengths[:, None]
        tolerance = np.asarray(blend, dtype=np.float64)
        corners = len(legs) - 1
        tolerance = np.full(corners, float(tolerance)) if tolerance.ndim == 0 else tolerance
        if tolerance.shape != (corners,):
            raise WrongLength(f"blend: expected one number or {corners}, one a corner, got {tolerance.shape}")
        if not np.all(np.isfinite(tolerance)):
            raise NotFinite("blend: expected finite tolerances")
        if np.any(tolerance < 0.0):
            raise InvalidLimits(f"blend: expected zero or more, got {tolerance.tolist()}")
        zones = np.zeros(corners)
        self.deviations = np.zeros(corners)
        stops: list[float] = []
        ends = np.cumsum(lengths)
        for k in range(corners):
            turn = float(np.linalg.norm(units[k + 1] - units[k]))
            if turn <= 1e-12:
                continue
            if tolerance[k] == 0.0:
                stops.append(float(ends[k]))
                continue
            if float(np.linalg.norm(units[k] + units[k + 1])) < REVERSAL:
                raise BlendRefused(
                    f"blend between legs {k} and {k + 1}: the path turns back there and has to stop; leave it out"
                )
            zones[k] = min(tolerance[k] / (MIDDLE * turn), 0.5 * lengths[k], 0.5 * lengths[k + 1])
            self.deviations[k] = MIDDLE * turn * zones[k]
        self._round(units, lengths, zones, stops)
        self.points.flags.writeable = False
        self.deviations.flags.writeable = False

    def _round(self, units: FloatArray, lengths: FloatArray, zones: FloatArray, stops: list[float]) -> None:
        """Cells of the legs without what is cut off, and of what replaces it."""
        starts: list[FloatArray] = []
        ends: list[FloatArray] = []
        widths: list[float] = []
        cut = np.concatenate([[0.0], zones, [0.0]])
        for k, (unit, length) in enumerate(zip(units, lengths, strict=True)):
            a, b = self.points[k] + cut[k] * unit, self.points[k + 1] - cut[k + 1] * unit
            rest = float(length - cut[k] - cut[k + 1])
            if rest > 1e-12 * float(length):
                starts.append(_state(a, unit))
                ends.append(_state(b, unit))
                widths.append(rest)
            if cut[k + 1] > 0.0:
                starts.append(_state(b, unit))
                ends.append(_state(self.points[k + 1] + cut[k + 1] * units[k + 1], units[k + 1]))
                widths.append(2.0 * float(cut[k + 1]))
        h = np.array(widths)
        out = np.empty((len(h), 8 * units.shape[1]))
        run_rows(septic.fit, np.array(starts), np.array(ends), h, out)
        edges = np.concatenate([[0.0], np.cumsum(h)])
        nearest = [int(np.argmin(np.abs(edges - s))) for s in stops]
        self._set(h, out, edges[np.array(nearest, dtype=np.intp)])


class JointSpline(_Cells):
    """The quintic spline through configurations: four continuous derivatives, no corners.

    The parameter is the summed distance of the points, in the joints' units.

    Args:
        points: (m, n), rad or m; equal ones in a row count once.

    Raises:
        NotEnoughSamples: fewer than two different points.
        NotFinite: a number is not finite.
        WrongLength: the points are no matrix.
    """

    __slots__ = ("points",)

    points: FloatArray
    """The different configurations, (k, n)."""

    def __init__(self, points: FloatArray | Sequence[Sequence[float]]) -> None:
        given = _matrix(points)
        keep = np.concatenate([[True], np.any(given[1:] != given[:-1], axis=1)])
        self.points = given[keep]
        if len(self.points) < 2:
            raise NotEnoughSamples("joint spline: expected two different points or more")
        widths = np.linalg.norm(np.diff(self.points, axis=0), axis=1)
        cells = through(np.concatenate([[0.0], np.cumsum(widths)]), self.points)
        self._set(widths, np.ascontiguousarray(cells.reshape(len(cells), -1)), np.zeros(0))
        self.points.flags.writeable = False


def _state(point: FloatArray, unit: FloatArray) -> FloatArray:
    state = np.zeros((len(point), 4))
    state[:, 0], state[:, 1] = point, unit
    return state.reshape(-1)


def _matrix(points: FloatArray | Sequence[Sequence[float]]) -> FloatArray:
    given = np.array(points, dtype=np.float64)
    if given.ndim != 2 or given.shape[1] == 0:
        raise WrongLength(f"points: expected a matrix (m, n), got shape {given.shape}")
    if not np.all(np.isfinite(given)):
        raise NotFinite(f"points: expected finite numbers, got {given[~np.isfinite(given)][0]}")
    return given
