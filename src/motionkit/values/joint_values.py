"""Position, velocity, acceleration and jerk of one joint, each an angle or a length over powers of a second.

How the joints of a robot make a configuration belongs to ``robot``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from ..errors import KindMismatch
from ..kernels.joint_space import line_point
from ._data import finite, tagged
from .units import Angle, Length

KINDS = ("revolute", "prismatic", "fixed")

V = TypeVar("V", bound="JointValue")
R = TypeVar("R", bound="JointRate")


@dataclass(frozen=True, slots=True, repr=False)
class JointValue:
    """What positions and their rates share; one of the classes below is meant wherever this one is named.

    Args:
        kind: ``"revolute"`` (a joint that turns), ``"prismatic"`` (one that slides) or ``"fixed"`` (one that does not
            move).
        si_value: the number in radians or metres (over powers of a second); 0.0 when fixed.

    Raises:
        KindMismatch: an unknown kind, something that is not a number, or a fixed joint that is not at 0.
        NotFinite: the number is NaN or infinite.
    """

    kind: str
    si_value: float

    QUANTITY: ClassVar[str] = ""
    UNITS: ClassVar[dict[str, str]] = {}

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise KindMismatch(f"{type(self).__name__}: a kind is one of {', '.join(KINDS)}, got {self.kind!r}")
        value = finite(self.si_value, f"the {self.QUANTITY} of a {self.kind} joint")
        if self.kind == "fixed" and value != 0.0:
            raise KindMismatch(f"a fixed joint does not move: its {self.QUANTITY} is 0, got {value!r}")
        object.__setattr__(self, "si_value", value)

    @property
    def unit(self) -> str:
        """Unit of :attr:`si_value`, such as ``"rad"`` or ``"m/s"``; empty when fixed."""
        return self.UNITS[self.kind]

    def interpolate(self: V, other: V, t: float) -> V:
        """The value a share ``t`` of the way to another one of the same kind.

        Both ends (t = 0 and t = 1) are exact, and beyond them the line goes on. An angle does not wrap: a value does
        not know whether its joint turns without end. ``SerialChain.interpolate`` does.

        Raises:
            KindMismatch: the other is of another kind, or another quantity.
            NotFinite: ``t`` or the result is NaN or infinite.

        >>> import motionkit as mk
        >>> mk.JointPosition.revolute(0.2).interpolate(mk.JointPosition.revolute(0.6), 0.5)
        JointPosition.revolute(0.4)
        """
        share = finite(t, "the share of the way")
        if type(other) is not type(self) or other.kind != self.kind:
            raise KindMismatch(f"interpolate: expected another {self.described}, got {described(other)}")
        a, b = self.si_value, other.si_value
        return type(self)(self.kind, line_point(a, b - a, b, share))

    def to_data(self) -> dict[str, float] | str:
        """The value keyed by its kind, in SI units, for JSON or YAML.

        >>> import motionkit as mk
        >>> mk.JointPosition.revolute(0.4).to_data(), mk.JointPosition.fixed().to_data()
        ({'revolute': 0.4}, 'fixed')
        """
        return "fixed" if self.kind == "fixed" else {self.kind: self.si_value}

    @classmethod
    def from_data(cls: type[V], data: Any) -> V:
        """The value that :meth:`to_data` wrote.

        Raises:
            UnknownName: there is no such kind; the message has the nearest.
            KindMismatch: it has another form, or the number is none.
            NotFinite: the number is NaN or infinite.
        """
        kind, value = tagged(data, KINDS, cls.__name__)
        return cls(kind, 0.0 if kind == "fixed" else finite(value, f"{kind} of {cls.__name__}"))

    @property
    def described(self) -> str:
        """Kind and quantity in words, such as ``"revolute velocity"``."""
        return f"{self.kind} {self.QUANTITY}"

    def __str__(self) -> str:
        return f"{self.si_value:g} {self.unit}" if self.unit else "fixed"

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.kind}({'' if self.kind == 'fixed' else repr(self.si_value)})"


class JointPosition(JointValue):
    """Where one joint is: an angle, a length, or nothing when the joint is fixed.

    Make one with :meth:`revolute`, :meth:`prismatic` or :meth:`fixed`. A joint that turns without end is revolute.

    >>> import motionkit as mk
    >>> elbow = mk.JointPosition.revolute(mk.Angle.from_degrees(90))
    >>> elbow.si_value, elbow.angle().degrees
    (1.5707963267948966, 90.0)
    """

    __slots__ = ()
    QUANTITY = "position"
    UNITS: ClassVar[dict[str, str]] = {"revolute": "rad", "prismatic": "m", "fixed": ""}

    @classmethod
    def revolute(cls, angle: Angle | float) -> JointPosition:
        """A joint that turns, at an angle; a plain number is radians.

        Raises:
            KindMismatch: it is a length, or not a number.
            NotFinite: it is NaN or infinite.
        """
        return cls("revolute", si_of(angle, "revolute", cls))

    @classmethod
    def prismatic(cls, displacement: Length | float) -> JointPosition:
        """A joint that slides, at a displacement; a plain number is metres.

        Raises:
            KindMismatch: it is an angle, or not a number.
            NotFinite: it is NaN or infinite.
        """
        return cls("prismatic", si_of(displacement, "prismatic", cls))

    @classmethod
    def fixed(cls) -> JointPosition:
        """A joint that does not move."""
        return cls("fixed", 0.0)

    def angle(self) -> Angle:
        """The angle of a joint that turns.

        Raises:
            KindMismatch: the joint slides, or is fixed.
        """
        if self.kind != "revolute":
            raise KindMismatch(f"expected the position of a joint that turns, got {self!r}, which has no angle")
        return Angle(self.si_value)

    def displacement(self) -> Length:
        """The displacement of a joint that slides.

        Raises:
            KindMismatch: the joint turns, or is fixed.
        """
        if self.kind != "prismatic":
            raise KindMismatch(f"expected the position of a joint that slides, got {self!r}, which has no displacement")
        return Length(self.si_value)


class JointRate(JointValue):
    """What the rates of a position share: velocity, acceleration and jerk."""

    __slots__ = ()

    @classmethod
    def revolute(cls: type[R], value: float) -> R:
        """Of a joint that turns: radians over a power of a second."""
        return cls("revolute", value)

    @classmethod
    def prismatic(cls: type[R], value: float) -> R:
        """Of a joint that slides: metres over a power of a second."""
        return cls("prismatic", value)

    @classmethod
    def fixed(cls: type[R]) -> R:
        """Of a joint that does not move."""
        return cls("fixed", 0.0)

    @classmethod
    def from_coordinate(cls: type[R], position: JointPosition, value: float) -> R:
        """A plain number in SI units as the rate of a joint of the same kind as a position.

        Args:
            position: where the joint is; only its kind matters.
            value: radians or metres over a power of a second; 0 for a fixed joint.

        Raises:
            KindMismatch: ``position`` is no JointPosition, or the joint is fixed and the number not 0.
            NotFinite: the number is NaN or infinite.

        >>> import motionkit as mk
        >>> mk.JointVelocity.from_coordinate(mk.JointPosition.prismatic(0.1), 0.5)
        JointVelocity.prismatic(0.5)
        """
        if not isinstance(position, JointPosition):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise KindMismatch(f"from_coordinate: expected a JointPosition to take the kind from, got {position!r}")
        return cls(position.kind, value)

    def angular(self) -> float:
        """The number of a joint that turns, radians over a power of a second.

        Raises:
            KindMismatch: the joint slides, or is fixed.
        """
        return self._read("revolute", "turns")

    def linear(self) -> float:
        """The number of a joint that slides, metres over a power of a second.

        Raises:
            KindMismatch: the joint turns, or is fixed.
        """
        return self._read("prismatic", "slides")

    def _read(self, kind: str, does: str) -> float:
        if self.kind != kind:
            raise KindMismatch(f"expected the {self.QUANTITY} of a joint that {does}, got {self!r}")
        return self.si_value


class JointVelocity(JointRate):
    """How fast one joint moves: rad/s or m/s.

    >>> import motionkit as mk
    >>> str(mk.JointVelocity.revolute(2.0)), str(mk.JointVelocity.prismatic(0.5))
    ('2 rad/s', '0.5 m/s')
    """

    __slots__ = ()
    QUANTITY = "velocity"
    UNITS: ClassVar[dict[str, str]] = {"revolute": "rad/s", "prismatic": "m/s", "fixed": ""}


class JointAcceleration(JointRate):
    """How the velocity of one joint changes: rad/s^2 or m/s^2."""

    __slots__ = ()
    QUANTITY = "acceleration"
    UNITS: ClassVar[dict[str, str]] = {"revolute": "rad/s^2", "prismatic": "m/s^2", "fixed": ""}


class JointJerk(JointRate):
    """How the acceleration of one joint changes: rad/s^3 or m/s^3."""

    __slots__ = ()
    QUANTITY = "jerk"
    UNITS: ClassVar[dict[str, str]] = {"revolute": "rad/s^3", "prismatic": "m/s^3", "fixed": ""}


def described(value: object) -> str:
    """A value in words, for a message: kind and quantity when it has them, else as it prints."""
    if isinstance(value, JointValue):
        return f"the {value.described} {value!r}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def si_of(value: object, kind: str, quantity: type[JointValue] = JointPosition) -> float:
    """The SI number of what stands for a quantity of a joint of a kind: typed, an angle, a length, or plain.

    Raises:
        KindMismatch: it is of another kind or quantity, or not a number.
        NotFinite: it is NaN or infinite.
    """
    if type(value) is float:
        return finite(value, f"the {quantity.QUANTITY} of a {kind} joint")
    if isinstance(value, JointValue):
        if type(value) is quantity and value.kind == kind:
            return value.si_value
    elif isinstance(value, Angle | Length):
        fits = Angle if kind == "revolute" else Length
        if quantity is JointPosition and type(value) is fits:
            return value.radians if isinstance(value, Angle) else value.metres
    else:
        return finite(value, f"the {quantity.QUANTITY} of a {kind} joint")
    raise KindMismatch(f"expected a {kind} {quantity.QUANTITY} in {quantity.UNITS[kind]}, got {described(value)}")
