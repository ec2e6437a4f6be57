"""Arguments that several commands share, and joint values as a person types them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from ..errors import NotFinite, WrongLength

if TYPE_CHECKING:
    from ..program import Arm
    from ..robot import SerialChain

__all__ = ["AsJson", "BaseLink", "Robot", "TipLink", "from_typed", "limits_text", "load", "to_typed", "typed_unit"]

Robot = Annotated[str, tyro.conf.Positional, tyro.conf.arg(name="robot", metavar="ROBOT")]
"""A ``.urdf``, ``.xacro`` or ``.xml`` (MJCF) file, or ``six_axis_example``."""

BaseLink = Annotated[str | None, tyro.conf.arg(metavar="LINK")]
TipLink = Annotated[str | None, tyro.conf.arg(metavar="LINK")]
AsJson = Annotated[bool, tyro.conf.arg(name="json")]


def load(robot: str, base: str | None, tip: str | None) -> Arm:
    """The arm that the arguments mean."""
    from ..program import RobotReference, load_arm

    return load_arm(RobotReference(urdf=robot, base=base, tip=tip))


def from_typed(values: Sequence[float], chain: SerialChain) -> list[float]:
    """Degrees, and metres for prismatic joints, to SI units in joint order.

    Raises:
        WrongLength: not one value for each moving joint.
        NotFinite: a NaN or an infinity.
    """
    if len(values) != chain.n:
        raise WrongLength(
            f"expected {chain.n} values, one for each moving joint ({', '.join(chain.joint_names)}), got {len(values)}"
        )
    for name, value in zip(chain.joint_names, values, strict=True):
        if not math.isfinite(value):
            raise NotFinite(f"joint {name!r}: expected a finite number, got {value}")
    return [
        value if limits.kind == "prismatic" else math.radians(value)
        for value, limits in zip(values, chain.limits, strict=True)
    ]


def to_typed(q: Any, chain: SerialChain) -> list[float]:
    """SI units to degrees, and metres for prismatic joints."""
    return [
        float(value) if limits.kind == "prismatic" else math.degrees(float(value))
        for value, limits in zip(q, chain.limits, strict=True)
    ]


def typed_unit(kind: str) -> str:
    """The unit that a person types for a joint of this kind."""
    return "m" if kind == "prismatic" else "deg"


def limits_text(kind: str, value: float) -> str:
    """A limit in the unit that a person types; nothing where there is none."""
    if not math.isfinite(value):
        return "-"
    return f"{value:.4g}" if kind == "prismatic" else f"{math.degrees(value):.6g}"
