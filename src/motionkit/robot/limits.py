"""What a joint may do: its range and its greatest velocity, by kind of joint.

How several joints combine into a metric or a number of steps does not belong here, nor do limits of motion in time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import InvalidLimits, JointLimitViolated, KindMismatch, NotFinite

MOVING = ("revolute", "prismatic", "continuous")
KINDS = (*MOVING, "fixed")
LENGTHS = ("prismatic",)


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
        cls, lower: float, upper: float, max_velocity: float | None = None, *, effort: float | None = None
    ) -> JointLimits:
        """Limits of a joint that turns: rad, rad, rad/s, N m."""
        return cls("revolute", lower, upper, max_velocity, effort)

    @classmethod
    def prismatic(
        cls, lower: float, upper: float, max_velocity: float | None = None, *, effort: float | None = None
    ) -> JointLimits:
        """Limits of a joint that slides: m, m, m/s, N."""
        return cls("prismatic", lower, upper, max_velocity, effort)

    @classmethod
    def continuous(cls, max_velocity: float | None = None, *, effort: float | None = None) -> JointLimits:
        """Limits of a joint that turns without end: rad/s, N m."""
        return cls("continuous", -math.inf, math.inf, max_velocity, effort)

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

    def contains(self, q: float) -> bool:
        """Whether the coordinate ``q`` is allowed, ends included; NaN and infinities never are."""
        return math.isfinite(q) and self.lower <= q <= self.upper

    def clamp(self, q: float) -> float:
        """The allowed coordinate nearest to ``q``.

        Raises:
            NotFinite: ``q`` is NaN or infinite.
        """
        if not math.isfinite(q):
            raise NotFinite(f"a joint coordinate must be finite, got {q}")
        return min(max(float(q), self.lower), self.upper)

    def validate(self, q: float, joint: str = "") -> None:
        """Refuse a coordinate that is not allowed.

        Args:
            q: the coordinate, rad (m).
            joint: name of the joint, for the message.

        Raises:
            NotFinite: ``q`` is NaN or infinite.
            JointLimitViolated: ``q`` is outside the range; the message says by how much.
        """
        name = f"joint {joint!r}" if joint else "joint"
        if not math.isfinite(q):
            raise NotFinite(f"{name}: the coordinate must be finite, got {q}")
        if self.lower <= q <= self.upper:
            return
        side, limit = ("below its lower", self.lower) if q < self.lower else ("above its upper", self.upper)
        raise JointLimitViolated(
            f"{name} at {q:.6g} {self.unit} is {abs(q - limit):.3g} {self.unit} {side} limit {limit:.6g} {self.unit}",
            joint=joint,
            value=float(q),
            limit=limit,
        )


def _number(value: object, name: str) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise KindMismatch(f"{name}: expected a number, got {value!r}") from error
