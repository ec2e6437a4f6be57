"""What a joint may do: its range and its greatest velocity, by kind of joint.

How several joints combine into a metric or a number of steps does not belong here, nor do limits of motion in time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, cast, overload

from ..errors import InvalidLimits, JointLimitViolated, KindMismatch, NotFinite
from ..values import Angle, JointPosition, JointVelocity, Length
from ..values._data import keyed, tagged
from ..values.joint_values import JointValue, si_of

MOVING = ("revolute", "prismatic", "continuous")
KINDS = (*MOVING, "fixed")
LENGTHS = ("prismatic",)
_ENDS = {"revolute": ("lower", "upper"), "prismatic": ("lower", "upper"), "continuous": ()}
_KNOWN = ("max_velocity", "effort")  # when the maker says so


@dataclass(frozen=True, slots=True)
class JointLimits:
    """Range and greatest velocity of one joint.

    Make one with :meth:`revolute`, :meth:`prismatic`, :meth:`continuous` or :meth:`fixed`.

    Args:
        kind: ``"revolute"``, ``"prismatic"``, ``"continuous"`` or ``"fixed"``.
        lower: smallest coordinate, rad (m for a prismatic joint); minus infinity for a continuous joint.
        upper: largest coordinate; at least ``lower``.
        max_velocity: greatest speed in either direction, rad/s (m/s); None when the maker does not say.
        effort: greatest torque or force, N m (N); None when the maker does not say.

    Raises:
        InvalidLimits: a number is NaN, the range is reversed or unbounded where it may not be, or a velocity or an
            effort is not positive and finite.
        KindMismatch: an unknown kind, or something is not a number.

    >>> import motionkit as mk
    >>> limits = mk.JointLimits.revolute(-3.0, 3.0, 2.0)
    >>> limits.contains(1.5), limits.clamp(4.0)
    (True, 3.0)
    """

    kind: str
    lower: float
    upper: float
    max_velocity: float | None = None
    effort: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise KindMismatch(f"a joint is one of {', '.join(KINDS)}, got {self.kind!r}")
        lower, upper = _number(self.lower, "lower"), _number(self.upper, "upper")
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)
        if self.kind in ("revolute", "prismatic"):
            for name, value in (("lower", lower), ("upper", upper)):
                if not math.isfinite(value):
                    raise InvalidLimits(
                        f"{name} limit of a {self.kind} joint must be finite, got {value}"
                        + ("; a joint without limits is continuous" if self.kind == "revolute" else "")
                    )
            if lower > upper:
                raise InvalidLimits(f"lower limit {lower:g} is above the upper limit {upper:g}: exchange them")
        for name in ("max_velocity", "effort"):
            value = getattr(self, name)
            if value is None:
                continue
            value = _number(value, name)
            if not math.isfinite(value) or value <= 0.0:
                raise InvalidLimits(
                    f"{name} must be positive and finite, got {value:g}; leave it None when it is not known"
                )
            object.__setattr__(self, name, value)

    @classmethod
    def revolute(
        cls,
        lower: Angle | float,
        upper: Angle | float,
        max_velocity: JointVelocity | float | None = None,
        *,
        effort: float | None = None,
    ) -> JointLimits:
        """Limits of a joint that turns: rad, rad, rad/s, N m.

        >>> import motionkit as mk
        >>> mk.JointLimits.revolute(mk.Angle.from_degrees(-90), mk.Angle.from_degrees(90)).upper
        1.5707963267948966
        """
        return _moving("revolute", lower, upper, max_velocity, effort)

    @classmethod
    def prismatic(
        cls,
        lower: Length | float,
        upper: Length | float,
        max_velocity: JointVelocity | float | None = None,
        *,
        effort: float | None = None,
    ) -> JointLimits:
        """Limits of a joint that slides: m, m, m/s, N."""
        return _moving("prismatic", lower, upper, max_velocity, effort)

    @classmethod
    def continuous(
        cls, max_velocity: JointVelocity | float | None = None, *, effort: float | None = None
    ) -> JointLimits:
        """Limits of a joint that turns without end: rad/s, N m."""
        return _moving("continuous", -math.inf, math.inf, max_velocity, effort)

    @classmethod
    def fixed(cls) -> JointLimits:
        """Limits of a joint that does not move."""
        return cls("fixed", 0.0, 0.0)

    @property
    def unit(self) -> str:
        """Unit of the coordinate: ``"m"`` for a prismatic joint, else ``"rad"``."""
        return "m" if self.kind in LENGTHS else "rad"

    @property
    def sampling_interval(self) -> tuple[float, float]:
        """Where random coordinates are drawn from: the range, or one turn about 0 when it is continuous."""
        return (-math.pi, math.pi) if self.kind == "continuous" else (self.lower, self.upper)

    @property
    def position_kind(self) -> str:
        """Kind of the joint's positions and rates: ``"revolute"`` for a continuous joint, else :attr:`kind`."""
        return "revolute" if self.kind == "continuous" else self.kind

    def contains(self, q: JointPosition | float) -> bool:
        """Whether the coordinate ``q`` is allowed, ends included; NaN and infinities never are.

        Raises:
            KindMismatch: a typed value of another kind of joint, or not a number.
        """
        x = q if type(q) is float else self._coordinate(q)
        return math.isfinite(x) and self.lower <= x <= self.upper

    @overload
    def clamp(self, q: float) -> float: ...
    @overload
    def clamp(self, q: JointPosition) -> JointPosition: ...
    def clamp(self, q: JointPosition | float) -> JointPosition | float:
        """The allowed coordinate nearest to ``q``, typed when ``q`` is.

        Raises:
            NotFinite: ``q`` is NaN or infinite.
            KindMismatch: a typed value of another kind of joint, or not a number.
        """
        x = q if type(q) is float else self._coordinate(q)
        if not math.isfinite(x):
            raise NotFinite(f"a joint coordinate must be finite, got {x}")
        allowed = min(max(x, self.lower), self.upper)
        return JointPosition(q.kind, allowed) if isinstance(q, JointPosition) else allowed

    def validate(self, q: JointPosition | float, joint: str = "") -> None:
        """Refuse a coordinate that is not allowed.

        Args:
            q: the coordinate, rad (m), or typed.
            joint: name of the joint, for the message.

        Raises:
            NotFinite: ``q`` is NaN or infinite.
            KindMismatch: a typed value of another kind of joint, or not a number.
            JointLimitViolated: ``q`` is outside the range; the message says by how much.
        """
        name = f"joint {joint!r}" if joint else "joint"
        x = q if type(q) is float else self._coordinate(q, joint)
        if not math.isfinite(x):
            raise NotFinite(f"{name}: the coordinate must be finite, got {x}")
        if self.lower <= x <= self.upper:
            return
        side, limit = ("below its lower", self.lower) if x < self.lower else ("above its upper", self.upper)
        raise JointLimitViolated(
            f"{name} at {x:.6g} {self.unit} is {abs(x - limit):.3g} {self.unit} {side} limit {limit:.6g} {self.unit}",
            joint=joint,
            value=x,
            limit=limit,
        )

    def to_data(self) -> dict[str, dict[str, float]] | str:
        """The limits keyed by their kind, in SI units, for JSON or YAML; what is not known is left out.

        >>> import motionkit as mk
        >>> mk.JointLimits.revolute(-3.1, 3.1, 2.2).to_data()
        {'revolute': {'lower': -3.1, 'upper': 3.1, 'max_velocity': 2.2}}
        >>> mk.JointLimits.from_data({"continuous": {"max_velocity": 3.0}}) == mk.JointLimits.continuous(3.0)
        True
        """
        if self.kind == "fixed":
            return "fixed"
        keys = (*_ENDS[self.kind], *_KNOWN)
        return {self.kind: {key: getattr(self, key) for key in keys if getattr(self, key) is not None}}

    @classmethod
    def from_data(cls, data: Any) -> JointLimits:
        """The limits that :meth:`to_data` wrote.

        Raises:
            UnknownName: an unknown kind or key; the message has the nearest.
            KindMismatch: it has another form, lacks an end of the range, or holds something that is not a number.
            NotFinite: a number is NaN or infinite.
            InvalidLimits: the range is reversed, or a velocity or an effort is not positive.
        """
        kind, content = tagged(data, KINDS, "JointLimits")
        if kind == "fixed":
            return cls.fixed()
        given = keyed(content, _ENDS[kind], _KNOWN, f"{kind} limits")
        lower, upper = given.get("lower", -math.inf), given.get("upper", math.inf)
        return cls(kind, lower, upper, given.get("max_velocity"), given.get("effort"))

    def _coordinate(self, q: object, joint: str = "") -> float:
        """A typed or plain coordinate as a float."""
        where = f"joint {joint!r}" if joint else "a joint coordinate"
        if not isinstance(q, JointValue):
            return _number(q, where)
        try:
            return si_of(q, self.position_kind)
        except KindMismatch as error:
            raise KindMismatch(f"{where}: {error}", joint=joint) from None


def _moving(kind: str, lower: object, upper: object, max_velocity: object, effort: float | None) -> JointLimits:
    """Limits from typed or plain numbers."""
    values = "prismatic" if kind == "prismatic" else "revolute"
    ends = [si_of(end, values) if isinstance(end, JointValue | Angle | Length) else end for end in (lower, upper)]
    speed = si_of(max_velocity, values, JointVelocity) if isinstance(max_velocity, JointValue) else max_velocity
    # what is not a number is refused by the class
    return JointLimits(kind, cast("float", ends[0]), cast("float", ends[1]), cast("float | None", speed), effort)


def _number(value: object, name: str) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise KindMismatch(f"{name}: expected a number, got {value!r}") from error
