"""The state of axes at an instant: what planners take and what trajectories answer. Nothing is planned here."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import NotFinite, WrongLength

FloatArray = NDArray[np.float64]
Value = TypeVar("Value", float, NDArray[np.float64])


class _ByValue:
    """Equality of dataclasses whose fields may be arrays; hashable when they are not."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, f.name) for f in fields(self)))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, eq=False)
class MotionState(_ByValue, Generic[Value]):
    """Where an axis is, how fast, and how fast that changes.

    Args:
        position: in rad or m.
        velocity: in rad/s or m/s.
        acceleration: in rad/s^2 or m/s^2.

    >>> import motionkit as mk
    >>> mk.MotionState(0.5, 1.5, 0.0)
    MotionState(position=0.5, velocity=1.5, acceleration=0.0)
    """

    position: Value
    velocity: Value
    acceleration: Value


@dataclass(frozen=True, slots=True, eq=False)
class MotionSample(_ByValue, Generic[Value]):
    """A trajectory at one time (floats; arrays (n,) for n axes) or at T times (arrays (T,); (T, n) for n axes).

    Args:
        position: in rad or m.
        velocity: in rad/s or m/s.
        acceleration: in rad/s^2 or m/s^2.
        jerk: in rad/s^3 or m/s^3.
    """

    position: Value
    velocity: Value
    acceleration: Value
    jerk: Value

    def state(self) -> MotionState[Value]:
        """The sample without its jerk."""
        return MotionState(self.position, self.velocity, self.acceleration)


def finite(value: Any, what: str) -> float:
    """``value`` as a float; raises NotFinite, naming it as ``what``, when it is not a finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise NotFinite(f"expected a finite number as {what}, got {value!r}") from None
    if not math.isfinite(number):
        raise NotFinite(f"expected a finite number as {what}, got {value!r}")
    return number


def finite_vector(values: ArrayLike, what: str, length: int | None = None) -> FloatArray:
    """``values`` as a new (n,) array; raises WrongLength or NotFinite, naming it as ``what``."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise WrongLength(f"expected numbers as {what}, got {values!r} ({error})") from None
    if array.ndim != 1 or (length is not None and len(array) != length):
        shape = f"({'n' if length is None else length},)"
        raise WrongLength(f"expected an array of shape {shape} as {what}, got shape {array.shape}")
    if not np.isfinite(array).all():
        k = int(np.flatnonzero(~np.isfinite(array))[0])
        raise NotFinite(f"expected finite numbers as {what}, got {array[k]!r} at index {k}")
    return array


def check_out(out: FloatArray, shape: tuple[int, ...]) -> None:
    """Raise WrongLength unless ``out`` is a C-contiguous float64 array of ``shape``."""
    if (
        type(out) is not np.ndarray  # pyright: ignore[reportUnnecessaryComparison]
        or out.shape != shape
        or out.dtype != np.float64
        or not out.flags.c_contiguous
    ):
        got = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else repr(out)  # pyright: ignore[reportUnnecessaryIsInstance]
        raise WrongLength(f"expected out to be a C-contiguous float64 array of shape {shape}, got {got}")
