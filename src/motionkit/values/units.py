"""An angle and a length, each of which says its unit when it is made and when it is read. Joints do not belong here."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ._data import finite


@dataclass(frozen=True, slots=True, order=True)
class Angle:
    """An angle. Make one with :meth:`from_radians` or :meth:`from_degrees`.

    Args:
        radians: finite, any number of turns.

    Raises:
        NotFinite: it is NaN or infinite.
        KindMismatch: it is not a number.

    >>> import motionkit as mk
    >>> mk.Angle.from_degrees(180)
    Angle.from_radians(3.141592653589793)
    >>> mk.Angle.from_degrees(90) < mk.Angle.from_radians(2.0)
    True
    """

    radians: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "radians", finite(self.radians, "an angle in radians"))

    @classmethod
    def from_radians(cls, radians: float) -> Angle:
        """An angle of so many radians."""
        return cls(radians)

    @classmethod
    def from_degrees(cls, degrees: float) -> Angle:
        """An angle of so many degrees."""
        return cls(math.radians(finite(degrees, "an angle in degrees")))

    @property
    def degrees(self) -> float:
        """The angle in degrees."""
        return math.degrees(self.radians)

    def __repr__(self) -> str:
        return f"Angle.from_radians({self.radians!r})"


@dataclass(frozen=True, slots=True, order=True)
class Length:
    """A length. Make one with :meth:`from_metres` or :meth:`from_millimetres`.

    Args:
        metres: finite, of any sign.

    Raises:
        NotFinite: it is NaN or infinite.
        KindMismatch: it is not a number.

    >>> import motionkit as mk
    >>> mk.Length.from_millimetres(120)
    Length.from_metres(0.12)
    """

    metres: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "metres", finite(self.metres, "a length in metres"))

    @classmethod
    def from_metres(cls, metres: float) -> Length:
        """A length of so many metres."""
        return cls(metres)

    @classmethod
    def from_millimetres(cls, millimetres: float) -> Length:
        """A length of so many millimetres."""
        return cls(finite(millimetres, "a length in millimetres") / 1000.0)

    @property
    def millimetres(self) -> float:
        """The length in millimetres."""
        return self.metres * 1000.0

    def __repr__(self) -> str:
        return f"Length.from_metres({self.metres!r})"
