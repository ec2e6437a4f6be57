"""Matrices that are, nearly are, or should be rotations: checked, brought to the nearest one, turned to quaternions."""

from __future__ import annotations

from typing import cast

import numpy as np

from ..errors import InvalidRotation
from ..kernels import orthogonal, quat
from ._inputs import FloatArray, Matrix, Quaternion

TOLERANCE = 1e-6  # what is taken for rounding in a quaternion's norm or a matrix's orthogonality, float32 included


def unit(q: Quaternion) -> Quaternion:
    """The canonical unit quaternion along one that is not zero."""
    return quat.canonical(quat.normalize(q))


def nine(array: FloatArray) -> Matrix:
    """The elements of a (3, 3) array row by row."""
    return cast("Matrix", tuple(array.ravel().tolist()))


def checked(array: FloatArray, what: str) -> Matrix:
    """The nine elements of a finite (3, 3) array that is a rotation within the tolerance; else InvalidRotation."""
    m = nine(array)
    error = orthogonal.orthogonality_error(m)
    if not error <= TOLERANCE:
        raise InvalidRotation(
            f"{what}: expected a rotation matrix, got one whose orthogonality error (largest element of RᵀR - 1) is "
            f"{error:.3g}, more than {TOLERANCE:g}; project=True takes the nearest rotation"
        )
    if orthogonal.determinant(m) < 0.0:
        raise InvalidRotation(
            f"{what}: expected a rotation, got a reflection (determinant {orthogonal.determinant(m):.6g}); "
            "a column has the wrong sign, or two are exchanged"
        )
    return m


def rotation_of(m: Matrix) -> Quaternion:
    """The canonical unit quaternion of a matrix that is nearly a rotation."""
    return unit(quat.from_matrix(orthogonal.orthogonalize(m)))


def nearest(array: FloatArray, what: str) -> Matrix:
    """The nine elements of the rotation nearest to a finite (3, 3) array; InvalidRotation when several are."""
    left, values, right = np.linalg.svd(array / (np.abs(array).max() or 1.0))
    sign = 1.0 if np.linalg.det(left) * np.linalg.det(right) > 0.0 else -1.0
    # the nearest rotation is unique as long as the two smallest singular values, the last one signed, do not cancel
    if not values[1] + sign * values[2] > 1e-9 * values[0]:
        raise InvalidRotation(
            f"{what}: no single rotation is nearest to {array.tolist()}: its singular values are in the ratio "
            f"{values[0]:.3g} : {values[1]:.3g} : {sign * values[2]:.3g}"
        )
    left[:, 2] *= sign
    return nine(left @ right)
