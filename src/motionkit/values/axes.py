"""Several coordinates, each with a name and a kind, and typed values turned into plain numbers by them.

How people pass coordinates otherwise (arrays, mappings) belongs to the rooms that take them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from ..errors import KindMismatch, WrongLength
from .joint_values import JointPosition, JointValue, si_of
from .units import Angle, Length


class Axes:
    """Coordinates in the order of every array.

    Args:
        names: of the joints that have a coordinate.
        kinds: ``"revolute"`` or ``"prismatic"`` for each.
        labels: what each is called in messages; ``joint 'NAME'`` when left out.
    """

    __slots__ = ("kinds", "labels", "names", "shape")

    def __init__(self, names: Sequence[str], kinds: Sequence[str], labels: Sequence[str] | None = None) -> None:
        self.names = tuple(names)
        self.kinds = tuple(kinds)
        self.labels = tuple(f"joint {name!r}" for name in names) if labels is None else tuple(labels)
        self.shape = (len(self.names),)  # of an array of coordinates

    @classmethod
    def of_values(cls, values: Sequence[Any]) -> Axes:
        """Coordinates that are as typed values say, counted from 0.

        Raises:
            KindMismatch: a value is fixed, for which a configuration has no place, or plain.
        """
        kinds = [moving_kind(value, f"value {i}") for i, value in enumerate(values)]
        names = [str(i) for i in range(len(kinds))]
        return cls(names, kinds, [f"value {name}" for name in names])

    def numbers(self, values: Sequence[Any], what: str, quantity: type[JointValue] = JointPosition) -> list[float]:
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
        for name, label, kind, value in zip(self.names, self.labels, self.kinds, values, strict=True):
            where = f"{what}: {label}"
            moving_kind(value, where, name, f"{quantity.__name__}.{kind}({value!r})")
            try:
                numbers.append(si_of(value, kind, quantity))
            except KindMismatch as error:
                raise KindMismatch(f"{where}: {error}", joint=name) from None
        return numbers


def kind_of(value: object) -> str | None:
    """The kind of joint that a typed value belongs to; None when the value is plain."""
    if isinstance(value, JointValue):
        return value.kind
    if isinstance(value, Angle):
        return "revolute"
    return "prismatic" if isinstance(value, Length) else None


def moving_kind(value: object, where: str, name: str = "", instead: str = "JointPosition.revolute(...)") -> str:
    """The kind of joint that a typed value belongs to.

    Args:
        value: the value.
        where: it is, for messages.
        name: of the joint.
        instead: of a plain number, what to write.

    Raises:
        KindMismatch: the value is fixed, or plain.
    """
    kind = kind_of(value)
    if kind is None:
        raise KindMismatch(f"{where}: got {value!r} among values with units; say {instead}", joint=name)
    if kind == "fixed":
        raise KindMismatch(
            f"{where}: got {value!r}, but a joint that does not move has no coordinate: leave it out", joint=name
        )
    return kind


def typed_values(given: object) -> list[Any] | None:
    """The values of a sequence or array of which some carry their unit, else None."""
    if isinstance(given, Sequence) and not isinstance(given, str):
        values = list(cast("Sequence[Any]", given))
    elif isinstance(given, np.ndarray) and cast("Any", given).dtype == object and given.ndim == 1:
        values = cast("list[Any]", cast("Any", given).tolist())
    else:
        return None
    return values if any(kind_of(value) for value in values) else None
