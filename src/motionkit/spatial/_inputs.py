"""What comes in from a caller, turned into floats or refused; no meaning is given to the numbers here."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidRotation, KindMismatch, NotFinite, WrongLength
from ..kernels.trig import LARGEST_ANGLE

FloatArray = NDArray[np.float64]
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]  # w, x, y, z
Matrix = tuple[float, float, float, float, float, float, float, float, float]  # row-major


def as_array(values: ArrayLike, what: str) -> FloatArray:
    """The values as a float64 array of any shape.

    Raises:
        KindMismatch: they are not real numbers.
        WrongLength: they are nested unevenly.
        NotFinite: one is NaN or infinite.
    """
    try:
        array: NDArray[Any] = np.asarray(values)
    except ValueError as error:
        raise WrongLength(f"{what}: expected an even array of numbers, got {values!r}") from error
    if array.dtype.kind not in "fiu" and array.size:
        raise KindMismatch(f"{what}: expected real numbers, got {values!r}")
    array = array.astype(np.float64, copy=False)
    if not np.isfinite(array).all():
        raise NotFinite(f"{what}: expected finite numbers, got {_shown(array)}")
    return array


def as_floats(values: ArrayLike, count: int, what: str) -> tuple[float, ...]:
    """Exactly ``count`` finite floats of a one-dimensional sequence; raises like :func:`as_array`."""
    if type(values) is tuple and len(values) == count and all(type(v) is float for v in values):
        if not all(map(math.isfinite, values)):
            raise NotFinite(f"{what}: expected finite numbers, got {values}")
        return values
    array = as_array(values, what)
    if array.shape != (count,):
        raise WrongLength(f"{what}: expected {count} numbers in one dimension, got an array of shape {array.shape}")
    return tuple(array.tolist())


def as_matrix(values: ArrayLike, size: int, what: str) -> FloatArray:
    """A finite ``size`` by ``size`` matrix; raises like :func:`as_array`."""
    array = as_array(values, what)
    if array.shape != (size, size):
        raise WrongLength(f"{what}: expected a {size} by {size} matrix, got an array of shape {array.shape}")
    return array


def as_float(value: float, what: str) -> float:
    """One finite float; raises like :func:`as_array`."""
    if type(value) is float and math.isfinite(value):
        return value
    array = as_array(value, what)
    if array.shape != ():
        raise WrongLength(f"{what}: expected one number, got an array of shape {array.shape}")
    return float(array)


def as_angle(value: float, what: str) -> float:
    """One angle in radians, of at most a million; raises like :func:`as_array`.

    Raises:
        InvalidRotation: the angle is so large that it has lost its meaning.
    """
    angle = as_float(value, what)
    if abs(angle) > LARGEST_ANGLE:
        raise InvalidRotation(
            f"{what}: expected at most {LARGEST_ANGLE:g} rad in magnitude, got {angle:g}; an angle that large has "
            "lost digits before it arrives, so wrap it where it is made"
        )
    return angle


def rotation_vector(values: ArrayLike, what: str) -> Vector:
    """Three floats that are together at most a million rad; raises like :func:`as_angle`."""
    r = cast("Vector", as_floats(values, 3, what))
    as_angle(math.hypot(*r), what)
    return r


def as_fraction(t: float, what: str) -> float:
    """A fraction of a move, small enough that a turn times it is still an angle with digits."""
    fraction = as_float(t, f"{what}: t")
    if abs(fraction) > 1e5:
        raise InvalidRotation(f"{what}: expected a fraction between 0 and 1, got t = {fraction:g}")
    return fraction


def as_points(values: ArrayLike, what: str) -> FloatArray:
    """A finite array of shape (3,) or (N, 3)."""
    points = as_array(values, what)
    if points.ndim not in (1, 2) or points.shape[-1] != 3:
        raise WrongLength(f"{what}: expected a point (3,) or points (N, 3), got an array of shape {points.shape}")
    return points


def check_out(out: object, shape: tuple[int, ...], what: str) -> None:
    """Refuse a buffer that cannot be filled as it is.

    Raises:
        KindMismatch: it is not an array of float64.
        WrongLength: its shape or layout is another one, or it is read-only.
    """
    if not isinstance(out, np.ndarray):
        raise KindMismatch(f"{what}: expected a float64 array of shape {shape}, got {type(out).__name__}")
    array = cast("NDArray[Any]", out)
    if array.dtype != np.float64:
        raise KindMismatch(f"{what}: expected a float64 array of shape {shape}, got one of {array.dtype}")
    if array.shape != shape or not array.flags.c_contiguous or not array.flags.writeable:
        raise WrongLength(
            f"{what}: expected a writable C-contiguous array of shape {shape}, got shape {array.shape}, "
            f"C-contiguous: {array.flags.c_contiguous}, writable: {array.flags.writeable}"
        )


def _shown(array: FloatArray) -> str:
    if array.size <= 16:
        return str(array.tolist())
    where = np.argwhere(~np.isfinite(array))
    return f"{array[tuple(where[0])]} at index {tuple(where[0].tolist())}, {len(where)} such in all"
