"""Joint coordinates as people pass them (arrays, sequences, mappings by name), checked and turned into plain arrays.

What carries its unit is looked at in ``values``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import JointLimitViolated, NotFinite, UnknownName, WrongLength, did_you_mean
from ..kernels.trig import LARGEST_ANGLE
from ..values import Angle, JointPosition, Length
from ..values.axes import Axes, typed_values
from ..values.joint_values import JointValue

FloatArray = NDArray[np.float64]
Typed = JointValue | Angle | Length
Coordinates = ArrayLike | Sequence[Typed] | Mapping[str, float] | Mapping[str, JointPosition] | Mapping[str, Typed]


def vector(q: Coordinates, axes: Axes, what: str = "q", quantity: type[JointValue] = JointPosition) -> FloatArray:
    """``q`` as a C-contiguous float64 array (n,), finite and not beyond 1e6; the same array when it is one already.

    Args:
        q: plain numbers, or values with units.
        axes: names and kinds of the coordinates.
        what: what ``q`` is, for messages.
        quantity: what values with units have to be.

    Raises:
        WrongLength: not n numbers, or a mapping lacks a joint.
        KindMismatch: a value of another kind than its joint, fixed, or plain among values with units.
        UnknownName: a mapping names a joint that there is not.
        NotFinite: a number is NaN or infinite.
        JointLimitViolated: a number is beyond 1e6, where an angle has lost its last digits.
    """
    if type(q) is np.ndarray and q.dtype == np.float64 and q.shape == axes.shape and q.flags.c_contiguous:
        values: FloatArray = q
    else:
        values = _converted(q, axes, what, quantity)
    for x in values.tolist():
        if not -LARGEST_ANGLE <= x <= LARGEST_ANGLE:
            _refuse(values, axes.names, what)
    return values


def mapping(q: Coordinates, axes: Axes, what: str = "q") -> dict[str, float]:
    """``q`` by joint name, in joint order; checked as by :func:`vector`."""
    return dict(zip(axes.names, vector(q, axes, what).tolist(), strict=True))


def matrix(Q: ArrayLike, names: Sequence[str], what: str = "Q") -> FloatArray:
    """``Q`` as a C-contiguous float64 array (N, n), checked as :func:`vector` checks a row."""
    try:
        values = np.ascontiguousarray(Q, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise WrongLength(f"{what}: expected rows of {len(names)} numbers, got {_short(Q)}") from error
    if values.ndim != 2 or values.shape[1] != len(names):
        raise WrongLength(
            f"{what}: expected shape (N, {len(names)}), a column each for {', '.join(names) or 'no joint'}; "
            f"got {values.shape}" + ("; for one configuration use the form without _batch" if values.ndim == 1 else "")
        )
    flat = values.reshape(-1)
    with np.errstate(over="ignore", invalid="ignore"):
        square = np.einsum("i,i->", flat, flat)  # not BLAS, whose threads would start for this
    if square <= LARGEST_ANGLE * LARGEST_ANGLE:  # then every number is finite and small enough; one quick pass
        return values
    good = np.abs(values) <= LARGEST_ANGLE
    if not good.all():
        row = int(np.argmin(good.all(axis=1)))
        _refuse(values[row], names, f"{what}[{row}]")
    return values


def output(out: FloatArray | None, shape: tuple[int, ...], what: str) -> FloatArray:
    """The caller's array when it fits, a new one when it is None.

    Raises:
        WrongLength: another shape, another type, or not C-contiguous.
    """
    if out is None:
        return np.empty(shape)
    if out.shape != shape or out.dtype != np.float64 or not out.flags.c_contiguous or not out.flags.writeable:
        raise WrongLength(
            f"{what}: expected a writable C-contiguous float64 array of shape {shape}, got {out.dtype} {out.shape}"
            + ("" if out.flags.c_contiguous else ", not contiguous")
        )
    return out


def _converted(q: Coordinates, axes: Axes, what: str, quantity: type[JointValue]) -> FloatArray:
    names = axes.names
    listed = ", ".join(names) or "no joint"
    given: Any = q
    if isinstance(q, Mapping):
        for name in q:
            if name not in names:
                raise UnknownName(f"{what}: no joint {name!r}: {did_you_mean(str(name), names)}", name=str(name))
        missing = [name for name in names if name not in q]
        if missing:
            raise WrongLength(f"{what}: no value for joint {', '.join(missing)}; expected one each for {listed}")
        given = [q[name] for name in names]
    try:
        values = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        typed = typed_values(given)
        if typed is None:
            raise WrongLength(f"{what}: expected {len(names)} numbers, for {listed}; got {_short(given)}") from error
        return np.array(axes.numbers(typed, what, quantity))
    if values.shape != (len(names),):
        hint = "; for many configurations use the _batch form" if values.ndim == 2 else ""
        raise WrongLength(f"{what}: expected {len(names)} numbers, for {listed}; got shape {values.shape}{hint}")
    return values


def _refuse(values: FloatArray, names: Sequence[str], what: str) -> None:
    for name, x in zip(names, values.tolist(), strict=True):
        if not math.isfinite(x):
            raise NotFinite(f"{what}: joint {name!r} must be finite, got {x}")
    for name, x in zip(names, values.tolist(), strict=True):
        if abs(x) > LARGEST_ANGLE:
            raise JointLimitViolated(
                f"{what}: joint {name!r} at {x:g} is beyond {LARGEST_ANGLE:g}, where an angle has lost its last "
                "digits; take off whole turns first",
                joint=name,
                value=x,
                limit=math.copysign(LARGEST_ANGLE, x),
            )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
