"""The length of tool paths, and their pieces by arc length: exact derivatives whatever parameter a piece has."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._pieces import Piece, motions

FloatArray = NDArray[np.float64]

STRETCHES = 8  # of an unsteady piece that are measured one by one
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
ROUNDS = 8  # of Newton's method; it starts within an eighth of a piece and doubles its digits


class ArcLength:
    """The arc length of pieces in a row; see :meth:`motion`."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.rows = np.array([piece.row for piece in pieces])
        self.steady = np.array([piece.steady for piece in pieces])
        lengths = np.array([piece.length for piece in pieces])
        edges = np.arange(STRETCHES + 1) / STRETCHES
        self.table = lengths[:, None] * edges
        loose = np.flatnonzero(~self.steady)
        if len(loose):
            at = np.repeat(loose, STRETCHES)
            low = np.tile(edges[:-1], len(loose))
            stretches = self._integral(at, low, low + 1.0 / STRETCHES).reshape(len(loose), STRETCHES)
            self.table[loose, 1:] = np.cumsum(stretches, axis=1)
        self.lengths = self.table[:, -1]
        self.ends = np.concatenate([[0.0], np.cumsum(self.lengths)])

    def _integral(self, at: NDArray[np.intp], low: FloatArray, high: FloatArray) -> FloatArray:
        half = 0.5 * (high - low)
        u = half[:, None] * NODES + (0.5 * (low + high))[:, None]
        rate = motions(self.rows[np.repeat(at, len(NODES))], u.reshape(-1))[:, 12:15]
        return half * (np.linalg.norm(rate, axis=1).reshape(u.shape) @ WEIGHTS)

    def locate(self, s: FloatArray) -> tuple[NDArray[np.intp], FloatArray]:
        """Piece and fraction of it, (T,) each, at arc lengths."""
        at = np.clip(np.searchsorted(self.ends, s, side="right") - 1, 0, len(self.rows) - 1)
        within = np.clip(s - self.ends[at], 0.0, self.lengths[at])
        u = within / self.lengths[at]
        loose = np.flatnonzero(~self.steady[at])
        if len(loose):
            u[loose] = self._fractions(at[loose], within[loose])
        return at, u

    def _fractions(self, at: NDArray[np.intp], within: FloatArray) -> FloatArray:
        tables = self.table[at]
        cell = np.clip(np.sum(tables <= within[:, None], axis=1) - 1, 0, STRETCHES - 1)
        rows = np.arange(len(at))
        low, high = tables[rows, cell], tables[rows, cell + 1]
        start = cell / STRETCHES
        u = start + (within - low) / (high - low) / STRETCHES
        for _ in range(ROUNDS):
            rate = np.linalg.norm(motions(self.rows[at], u)[:, 12:15], axis=1)
            off = low + self._integral(at, start, u) - within
            u = np.clip(u - off / rate, start, start + 1.0 / STRETCHES)
            if float(np.max(np.abs(off) / self.lengths[at])) < 1e-15:
                break
        return u

    def motion(self, s: FloatArray) -> FloatArray:
        """Pose and derivatives by arc length, (T, 30), laid out as in ``kernels.tool_path.motion``."""
        at, u = self.locate(s)
        out = motions(self.rows[at], u)
        first, second, third = out[:, 12:18].copy(), out[:, 18:24].copy(), out[:, 24:].copy()
        steady = self.steady[at]
        p1, p2, p3 = first[:, :3], second[:, :3], third[:, :3]
        norm = np.linalg.norm(p1, axis=1)
        rate = np.where(steady, self.lengths[at], norm)
        # the rate of the arc length by u, its derivatives, and with them those of u by the arc length
        along = np.sum(p1 * p2, axis=1)
        slope = np.where(steady, 0.0, along / np.where(steady, 1.0, norm))
        bend = np.sum(p2 * p2, axis=1) + np.sum(p1 * p3, axis=1) - slope * slope
        bend = np.where(steady, 0.0, bend / np.where(steady, 1.0, norm))
        d1 = (1.0 / rate)[:, None]
        d2 = (-slope / rate**3)[:, None]
        d3 = (3.0 * slope**2 / rate**5 - bend / rate**4)[:, None]
        out[:, 12:18] = first * d1
        out[:, 18:24] = second * d1**2 + first * d2
        out[:, 24:] = third * d1**3 + 3.0 * second * d1 * d2 + first * d3
        return out
