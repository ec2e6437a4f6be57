"""What an axis may do: :class:`MotionLimits`, and the checks that planners make. No planning happens here."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidLimits, JointLimitViolated, KindMismatch
from ..values import Angle, JointAcceleration, JointJerk, JointPosition, JointVelocity, Length
from ..values.axes import kind_of
from ..values.joint_values import JointValue, si_of

RATES = ("max_velocity", "max_acceleration", "max_jerk")
QUANTITIES = {
    "max_velocity": JointVelocity,
    "max_acceleration": JointAcceleration,
    "max_jerk": JointJerk,
    "min_velocity": JointVelocity,
    "min_acceleration": JointAcceleration,
    "min_position": JointPosition,
    "max_position": JointPosition,
}
KINDS = ("revolute", "prismatic")
_UNITS = {"velocity": "rad/s or m/s", "acceleration": "rad/s^2 or m/s^2", "jerk": "rad/s^3 or m/s^3"}


@dataclass(frozen=True, slots=True, repr=False, init=False)
class MotionLimits:
    """Limits of one axis. The default, zero, means that the axis *may not move*.

    The constructor takes anything and never raises, so that limits known in part can be carried about; a planner
    validates them before it moves an axis. Limits given with their unit (:class:`JointVelocity` and so on) belong to
    one kind of joint, and planners refuse them at another; the fields are plain numbers all the same.

    Args:
        max_velocity: in rad/s or m/s, for both directions unless ``min_velocity`` is given.
        max_acceleration: in rad/s^2 or m/s^2, for both directions unless ``min_acceleration`` is given.
        max_jerk: in rad/s^3 or m/s^3, for both directions.
        min_velocity: the fastest the axis may go backwards, below zero; None means ``-max_velocity``.
        min_acceleration: the lowest acceleration, below zero; None means ``-max_acceleration``.
        min_position: lower end of the range in rad or m; None means that there is none.
        max_position: upper end of the range in rad or m; None means that there is none.
        kind: ``"revolute"`` or ``"prismatic"``, known from any limit that is given with its unit; None: plain numbers,
            which fit any axis.

    >>> import motionkit as mk
    >>> mk.MotionLimits(mk.JointVelocity.prismatic(0.5), mk.JointAcceleration.prismatic(2.0), 20.0)
    MotionLimits(max_velocity=0.5, max_acceleration=2.0, max_jerk=20.0, kind='prismatic')
    >>> mk.MotionLimits(2, 8, 40)
    MotionLimits(max_velocity=2.0, max_acceleration=8.0, max_jerk=40.0)
    >>> mk.MotionLimits() == mk.MotionLimits(0, 0, 0)
    True
    """

    max_velocity: float
    max_acceleration: float
    max_jerk: float
    min_velocity: float | None
    min_acceleration: float | None
    min_position: float | None
    max_position: float | None
    kind: str | None

    def __init__(
        self,
        max_velocity: JointVelocity | float = 0.0,
        max_acceleration: JointAcceleration | float = 0.0,
        max_jerk: JointJerk | float = 0.0,
        *,
        min_velocity: JointVelocity | float | None = None,
        min_acceleration: JointAcceleration | float | None = None,
        min_position: JointPosition | Angle | Length | float | None = None,
        max_position: JointPosition | Angle | Length | float | None = None,
        kind: str | None = None,
    ) -> None:
        rates = (max_velocity, max_acceleration, max_jerk, min_velocity, min_acceleration)
        for name, value in zip(QUANTITIES, (*rates, min_position, max_position), strict=True):
            number: Any = value
            if value is not None and type(value) is not float:
                number, kind = _plain(value, QUANTITIES[name], kind)
            object.__setattr__(self, name, number)
        object.__setattr__(self, "kind", kind)

    def __repr__(self) -> str:
        names = (*QUANTITIES, "kind")
        shown = (name for name in names if name in RATES or getattr(self, name) is not None)
        return f"MotionLimits({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    @property
    def symmetric(self) -> bool:
        """Whether there is a limit of velocity, acceleration and jerk for both directions, and nothing else."""
        return (
            self.min_velocity is None
            and self.min_acceleration is None
            and self.min_position is None
            and self.max_position is None
            and self.kind is None
        )

    def validate(self) -> None:
        """Check that an axis may move under these limits.

        Finiteness is looked at before signs, because a NaN passes ``<= 0``.

        Raises:
            InvalidLimits: a field is not a finite number, a maximum is not above zero (zero: the axis may not move), a
                minimum of velocity or acceleration is not below zero, or the range of positions is reversed. The
                message names the field, its value and what helps.
            KindMismatch: limits of two kinds of joint, or an acceleration where a velocity belongs, and the like.
        """
        check_limits(self, RATES)


def check_limits(limits: MotionLimits, required: Iterable[str], name: str = "") -> None:
    """Raise unless every field makes sense, is of one kind of joint, and every rate in ``required`` is above zero.

    Args:
        limits: what to check; rates that are not required may be zero.
        required: names of the rates that the operation needs.
        name: the axis, for the message.
    """
    who = f"{name}: " if name else ""
    if type(limits) is not MotionLimits:  # pyright: ignore[reportUnnecessaryComparison]
        raise InvalidLimits(
            f"{who}expected MotionLimits(max_velocity, max_acceleration, max_jerk), got {limits!r}", joint=name
        )
    if limits.kind is not None and limits.kind not in KINDS:
        raise KindMismatch(f"{who}limits are of a {' or '.join(KINDS)} joint, got kind {limits.kind!r}", joint=name)
    for field, quantity in QUANTITIES.items():
        value = getattr(limits, field)
        if value is not None and (type(value) is not float or not math.isfinite(value)):
            if (kind := kind_of(value)) is not None:
                _refuse_kind(field, quantity, value, limits.kind or kind, name)
            raise InvalidLimits(f"{who}{field} is {value!r}; give a finite number", joint=name)
    for rate in RATES:
        value = getattr(limits, rate)
        if value is None or value < 0.0 or (value == 0.0 and rate in required):
            quantity = rate.removeprefix("max_")
            meaning = "; zero means that the axis may not move" if value == 0.0 else ""
            raise InvalidLimits(
                f"{who}{rate} is {value!r}{meaning}; give the largest {quantity} of the axis, above zero, "
                f"in {_UNITS[quantity]}",
                joint=name,
            )
    for low in ("min_velocity", "min_acceleration"):
        value = getattr(limits, low)
        if value is not None and not value < 0.0:
            high = low.replace("min", "max")
            raise InvalidLimits(
                f"{who}{low} is {value!r}; it is the bound of the negative direction and must be below zero; "
                f"leave it out to mean -{high}",
                joint=name,
            )
    low_end, high_end = limits.min_position, limits.max_position
    if low_end is not None and high_end is not None and low_end > high_end:
        raise InvalidLimits(
            f"{who}min_position {low_end!r} is above max_position {high_end!r}; exchange them", joint=name
        )


def _plain(value: object, quantity: type[JointValue], kind: str | None) -> tuple[Any, str | None]:
    """A limit as a float, and the kind of joint it is for; as it is where that cannot be, for validate() to name."""
    own = kind_of(value)
    try:
        if own is None:
            return float(value), kind  # type: ignore[arg-type]
        if own in KINDS and kind in (None, own):
            return si_of(value, own, quantity), own
    except (TypeError, ValueError, OverflowError, KindMismatch):
        pass
    return value, kind


def _refuse_kind(field: str, quantity: type[JointValue], value: object, kind: str, name: str) -> None:
    """Raise KindMismatch for a limit with a unit that its field cannot have."""
    who = f"{name}: " if name else ""
    if kind == "fixed":
        raise KindMismatch(f"{who}{field} is {value!r}; a joint that does not move has no limits of motion", joint=name)
    try:
        si_of(value, kind, quantity)
    except KindMismatch as error:
        raise KindMismatch(f"{who}{field}: {error}", joint=name) from None


def check_position(limits: MotionLimits, position: float, what: str, name: str = "") -> None:
    """Raise JointLimitViolated when ``position`` lies outside the range of validated ``limits``.

    Args:
        limits: limits of the axis.
        position: in rad or m.
        what: what the position is, for the message.
        name: the axis, for the message.
    """
    for field, limit, outside in (
        ("min_position", limits.min_position, limits.min_position is not None and position < limits.min_position),
        ("max_position", limits.max_position, limits.max_position is not None and position > limits.max_position),
    ):
        if outside:
            assert limit is not None
            side = "below" if field == "min_position" else "above"
            raise JointLimitViolated(
                f"{name + ': ' if name else ''}{what} {position!r} is {side} {field} {limit!r} "
                f"by {abs(position - limit):.6g}",
                joint=name,
                value=position,
                limit=limit,
            )


def rest_to_rest_rates(limits: MotionLimits, forward: bool, name: str = "") -> tuple[float, float, float]:
    """Velocity, acceleration and jerk that a move from rest to rest may use in its direction.

    Args:
        limits: validated limits.
        forward: whether the axis moves towards larger positions.
        name: the axis, for the message.

    Raises:
        InvalidLimits: ``min_acceleration`` is not ``-max_acceleration``. The profile is symmetric: it speeds up and
            brakes with one acceleration.
    """
    low = limits.min_acceleration
    if low is not None and low != -limits.max_acceleration:
        raise InvalidLimits(
            f"{name + ': ' if name else ''}min_acceleration {low!r} is not -max_acceleration "
            f"({-limits.max_acceleration!r}): a move from rest to rest speeds up and brakes with one acceleration; "
            f"give the smaller of the two as max_acceleration and leave min_acceleration out",
            joint=name,
        )
    velocity = limits.max_velocity
    if not forward and limits.min_velocity is not None:
        velocity = -limits.min_velocity
    return velocity, limits.max_acceleration, limits.max_jerk
