"""What lines, arcs, corners and splines become: rows of ``kernels.tool_path``. No tolerances and no time here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels import tool_path
from ..kernels._batch import run_rows
from ..spatial import SE3, SO3

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One stretch of a tool path without breaks inside.

    Attributes:
        row: (87,), see ``kernels.tool_path``.
        length: m, or rad where the tool only turns.
        steady: whether the parameter of the row is its arc length, but for the factor.
        spin: rotation vector over the whole piece where it turns about one axis at a constant rate, else None.
    """

    row: FloatArray
    length: float
    steady: bool
    spin: FloatArray | None

    def part(self, low: float, high: float) -> Piece:
        """A steady piece between two fractions of it."""
        row = self.row.copy()
        share = high - low
        motion = motions(self.row[None], np.array([low]))[0]
        row[: tool_path.ARC].reshape(3, 8)[:, 0] += low * row[: tool_path.ARC].reshape(3, 8)[:, 1]
        row[: tool_path.ARC].reshape(3, 8)[:, 1] *= share
        x, y = row[tool_path.ARC : tool_path.ARC + 3].copy(), row[tool_path.ARC + 3 : tool_path.ARC + 6].copy()
        c, s = np.cos(low * row[tool_path.ARC + 6]), np.sin(low * row[tool_path.ARC + 6])
        row[tool_path.ARC : tool_path.ARC + 3] = c * x + s * y
        row[tool_path.ARC + 3 : tool_path.ARC + 6] = c * y - s * x
        row[tool_path.ARC + 6] *= share
        spin = np.zeros(3) if self.spin is None else share * self.spin
        _write_turn(row, SO3.from_matrix(motion[:9].reshape(3, 3)), spin)
        return Piece(row, share * self.length, True, spin)


def motions(rows: FloatArray, u: FloatArray) -> FloatArray:
    """``kernels.tool_path.motion`` of rows (T, 87) at fractions (T,): (T, 30)."""
    out = np.empty((len(u), 30))
    run_rows(tool_path.motion, np.ascontiguousarray(rows), np.ascontiguousarray(u), out)
    return out


def pose_of(motion: FloatArray) -> SE3:
    """The pose in a row of :func:`motions`."""
    matrix = np.eye(4)
    matrix[:3, :3] = motion[:9].reshape(3, 3)
    matrix[:3, 3] = motion[9:12]
    return SE3.from_matrix(matrix)


def straight(start: SE3, displacement: FloatArray, spin: FloatArray) -> Piece:
    """A straight piece that turns about one axis."""
    row = np.zeros(tool_path.PIECE)
    row[: tool_path.ARC].reshape(3, 8)[:, :2] = np.column_stack([start.translation, displacement])
    _write_turn(row, start.rotation, spin)
    length = float(np.linalg.norm(displacement))
    return Piece(row, length if length > 0.0 else float(np.linalg.norm(spin)), True, spin)


def circular(centre: FloatArray, x: FloatArray, y: FloatArray, angle: float, start: SO3, spin: FloatArray) -> Piece:
    """A piece of a circle: ``x`` and ``y`` (3,) span it from the centre and have its radius as their length."""
    row = np.zeros(tool_path.PIECE)
    row[: tool_path.ARC].reshape(3, 8)[:, 0] = centre
    row[tool_path.ARC : tool_path.TURN] = [*x, *y, angle]
    _write_turn(row, start, spin)
    return Piece(row, angle * float(np.linalg.norm(x)), True, spin)


def curved(position: FloatArray, turn: FloatArray, reference: SO3, length: float) -> Piece:
    """A polynomial in position and in the rotation vector from a reference, (3, 8) each."""
    row = np.zeros(tool_path.PIECE)
    row[: tool_path.ARC] = position.reshape(-1)
    row[tool_path.TURN : tool_path.SPIN] = turn.reshape(-1)
    row[tool_path.SPIN :: 8] = reference.wxyz
    return Piece(row, length, False, None)


def spun(position: FloatArray, quaternion: FloatArray, length: float) -> Piece:
    """A polynomial in position (3, 8) and in the quaternion (4, 8), which is divided by its length."""
    row = np.zeros(tool_path.PIECE)
    row[: tool_path.ARC] = position.reshape(-1)
    row[tool_path.SPIN :] = quaternion.reshape(-1)
    return Piece(row, length, False, None)


def _write_turn(row: FloatArray, start: SO3, spin: FloatArray) -> None:
    row[tool_path.TURN :] = 0.0
    row[tool_path.TURN : tool_path.SPIN].reshape(3, 8)[:, 1] = spin
    row[tool_path.SPIN :: 8] = start.wxyz
