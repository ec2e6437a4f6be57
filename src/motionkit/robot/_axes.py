"""Names and kinds of the coordinates of a robot, and typed values turned into plain numbers by them.

How people pass coordinates otherwise (arrays, mappings) is in ``_coordinates``; what a value is, in ``values``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from ..errors import KindMismatch, WrongLength
from ..values import Angle, JointPosition, Length
from ..values.joint_values import JointValue, si_of
from .limits import JointLimits

_KINDS = {Angle: "revolute", Length: "prismatic"}


class Axes:
    """The coordinates of a robot, in the order of every array.

    Args:
        names: of the joints that have a coordinate.
        kinds: ``"revolute"`` or ``"prismatic"`` for each.
    """

    __slots__ = ("kinds", "names", "shape")

    def __init__(self, names: Sequence[str], kinds: Sequence[str]) -> None:
        self.names = tuple(names)
        self.kinds = tuple(kinds)
        self.shape = (len(self.names),)  # of an array of coordinates

    @classmethod
    def of(cls, names: Sequence[str], limits: Sequence[JointLimits]) -> Axes:
        """The coordinates with these names and limits."""
        return cls(names, [v.position_kind for v in limits])

    @classmethod
    def of_values(cls, values: Sequence[Any]) -> Axes:
        """Coordinates that are as typed values say, counted from 0.

        Raises:
            KindMismatch: a value is fixed, for which a configuration has no place, or plain.
        """
        kinds: list[str] = []
        for i, value in enumerate(values):
            kind = value.kind if isinstance(value, JointValue) else _KINDS.get(type(cast("Any", value)))
            if kind is None:
                raise KindMismatch(f"value {i} is {value!r} among values with units; say JointPosition")
            if kind == "fixed":
                raise KindMismatch(f"value {i} is fixed: a joint that does not move has no coordinate, leave it out")
            kinds.append(kind)
        return cls([str(i) for i in range(len(kinds))], kinds)

    def numbers(self, values: Sequence[Any], what: str, quantity: type[JointValue]) -> list[float]:
        """Typed values, one each, as plain numbers.

        Raises:
            WrongLength: not one value each.
            KindMismatch: a value is of another kind or quantity than its joint, or plain; names the joint.
        """
        if len(values) != len(self.names):
            fixed = sum(isinstance(v, JointValue) and v.kind == "fixed" for v in values)
            hint = (
                f"; {fixed} of them fixed: a joint that does not move has no coordinate, leave it out" if fixed else ""
            )
            listed = ", ".join(self.names) or "no joint"
            raise WrongLength(f"{what}: expected {len(self.names)} values, for {listed}; got {len(values)}{hint}")
        numbers: list[float] = []
        for name, kind, value in zip(self.names, self.kinds, values, strict=True):
            where = f"{what}: joint {name!r}"
            if not is_typed(value):
                good = f"{quantity.__name__}.{kind}({value!r})"
                raise KindMismatch(f"{where}: got {value!r} among values with units; say {good}", joint=name)
            if isinstance(value, JointValue) and value.kind == "fixed":
                raise KindMismatch(
                    f"{where} is {kind}, got {value!r}: a joint that does not move has no coordinate, leave it out",
                    joint=name,
                )
            try:
                numbers.append(si_of(value, kind, quantity))
            except KindMismatch as error:
                raise KindMismatch(f"{where}: {error}", joint=name) from None
        return numbers


def is_typed(value: object) -> bool:
    """Whether a value carries its unit."""
    return isinstance(value, JointValue | Angle | Length)


def typed_values(given: object) -> list[Any] | None:
    """The values of a sequence or array of which some carry their unit, else None."""
    if isinstance(given, Sequence) and not isinstance(given, str):
        values = list(cast("Sequence[Any]", given))
    elif isinstance(given, np.ndarray) and cast("Any", given).dtype == object and given.ndim == 1:
        values = cast("Any", given).tolist()
    else:
        return None
    return values if any(map(is_typed, values)) else None


def joint_positions(axes: Axes, numbers: Sequence[float]) -> tuple[JointPosition, ...]:
    """Plain coordinates as typed positions."""
    return tuple(JointPosition(kind, number) for kind, number in zip(axes.kinds, numbers, strict=True))
