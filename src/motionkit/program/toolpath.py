"""Measures the path that the tool really takes, from poses of many rows.

Used by the proof, and written apart from :mod:`motionkit.cartesian` so that a planner is never its own witness: plain
NumPy on whole columns. Nothing is planned here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..spatial import SE3

__all__ = ["LineDeviation", "line_deviation", "pose_error", "tool_speeds"]

FloatArray = NDArray[np.float64]

_HALVINGS = 50  # of the interval in which the nearest point of a line is sought; leaves 1e-15 of it
_SHORT = 1e-9  # metres or radians: a shorter line has no direction


@dataclass(frozen=True, slots=True, eq=False)
class LineDeviation:
    """How far rows of poses stay away from a straight line of the tool.

    Attributes:
        position: (N,) metres.
        rotation: (N,) radians.
        progress: (N,) the place on the line, from 0 to 1, that both are measured at.
    """

    position: FloatArray
    rotation: FloatArray
    progress: FloatArray


def line_deviation(
    poses: FloatArray, start: SE3, end: SE3, position_tolerance: float, rotation_tolerance: float
) -> LineDeviation:
    """Distance of each pose from the straight line between two poses.

    A line is a translation and a turn about one axis that advance together. Each pose is compared with the place of the
    line at which the larger of its two deviations, each in units of its tolerance, is least.

    Args:
        poses: (N, 4, 4) of the tool in the base frame.
        start: where the line begins, in the base frame.
        end: where it ends.
        position_tolerance: metres; only weighs.
        rotation_tolerance: radians; only weighs.
    """
    origin = np.asarray(start.translation)
    along = np.asarray(end.translation) - origin
    length = float(np.linalg.norm(along))
    offset = poses[:, :3, 3] - origin
    first = np.array(start.rotation.wxyz)
    w, v = _relative(first, _quaternions(poses[:, :3, :3]))
    turn_w, turn_v = _relative(first, np.array(end.rotation.wxyz)[np.newaxis])
    angle = float(_angles(turn_w, turn_v)[0])
    axis = turn_v[0] * (1.0 if turn_w[0] >= 0.0 else -1.0)
    axis = axis / np.linalg.norm(axis) if angle > _SHORT else np.array([0.0, 0.0, 1.0])
    about = v @ axis
    if length <= _SHORT:
        along, length = np.zeros(3), 0.0
    if angle <= _SHORT:
        angle = 0.0

    def deviations(progress: FloatArray) -> tuple[FloatArray, FloatArray]:
        position = np.linalg.norm(offset - progress[:, np.newaxis] * along, axis=1)
        cos, sin = np.cos(0.5 * angle * progress), np.sin(0.5 * angle * progress)
        # conj(turn at progress) * rotation; its part across the axis keeps its length whatever the progress
        left = about * cos - w * sin
        across = v - about[:, np.newaxis] * axis
        rotation = 2.0 * np.arctan2(np.hypot(left, np.linalg.norm(across, axis=1)), np.abs(w * cos + about * sin))
        return position, rotation

    by_position = np.clip(offset @ along / length**2, 0.0, 1.0) if length else None
    by_rotation = None
    if angle:
        signed = 2.0 * np.arctan2(about, w)  # the turn about the axis, of which a whole turn more is the same rotation
        signed = signed - 2.0 * np.pi * np.round((signed - 0.5 * angle) / (2.0 * np.pi))
        by_rotation = np.clip(signed / angle, 0.0, 1.0)
    if by_position is None or by_rotation is None:
        progress = next((p for p in (by_position, by_rotation) if p is not None), np.zeros(len(poses)))
        return LineDeviation(*deviations(progress), progress)
    # from the best place for the position to the best for the rotation one grows and the other shrinks: halve
    low, high = by_position.copy(), by_rotation.copy()
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        position, rotation = deviations(middle)
        nearer = position / position_tolerance < rotation / rotation_tolerance
        low, high = np.where(nearer, middle, low), np.where(nearer, high, middle)
    progress = 0.5 * (low + high)
    return LineDeviation(*deviations(progress), progress)


def tool_speeds(poses: FloatArray, rate: float) -> tuple[FloatArray, FloatArray]:
    """Mean speed of the tool from each row to the next.

    Args:
        poses: (N, 4, 4) at rows ``1 / rate`` apart.
        rate: Hz.

    Returns:
        m/s and rad/s, each (N - 1,): chords, so never above the largest speed between the rows.
    """
    speed = np.linalg.norm(np.diff(poses[:, :3, 3], axis=0), axis=1) * rate
    q = _quaternions(poses[:, :3, :3])
    return speed, _angles(*_relative(q[:-1], q[1:])) * rate


def pose_error(poses: FloatArray, target: SE3) -> tuple[FloatArray, FloatArray]:
    """Distance of each pose (N, 4, 4) from one: metres and radians, each (N,)."""
    position = np.linalg.norm(poses[:, :3, 3] - np.asarray(target.translation), axis=1)
    return position, _angles(*_relative(np.array(target.rotation.wxyz), _quaternions(poses[:, :3, :3])))


def _quaternions(rotations: FloatArray) -> FloatArray:
    """Unit quaternions (w, x, y, z) of rotation matrices (N, 3, 3), by the largest of the four components.

    Shepperd, Journal of Guidance and Control 1 (1978): no component is ever divided by a small one.
    """
    diagonal = rotations[:, (0, 1, 2), (0, 1, 2)]
    trace = diagonal.sum(axis=1)
    four = np.empty((len(rotations), 4, 4))  # for each row the outer product of the quaternion with itself, times 4
    four[:, 0, 0] = 1.0 + trace
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        four[:, 1 + i, 1 + i] = 1.0 + 2.0 * diagonal[:, i] - trace
        four[:, 0, 1 + i] = four[:, 1 + i, 0] = rotations[:, k, j] - rotations[:, j, k]
        four[:, 1 + i, 1 + j] = four[:, 1 + j, 1 + i] = rotations[:, i, j] + rotations[:, j, i]
    largest = np.argmax(four[:, range(4), range(4)], axis=1)
    q = four[np.arange(len(four)), largest]
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def _relative(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Scalar (N,) and vector part (N, 3) of conj(a) * b, of unit quaternions."""
    w = np.sum(a * b, axis=-1)
    v = a[..., :1] * b[..., 1:] - b[..., :1] * a[..., 1:] - np.cross(a[..., 1:], b[..., 1:])
    return w, v


def _angles(w: FloatArray, v: FloatArray) -> FloatArray:
    return 2.0 * np.arctan2(np.linalg.norm(v, axis=-1), np.abs(w))
