"""What an axis may do: :class:`MotionLimits`, and the checks that planners make. No planning happens here."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, fields

from ..errors import InvalidLimits, JointLimitViolated

RATES = ("max_velocity", "max_acceleration", "max_jerk")
_UNITS = {"velocity": "rad/s or m/s", "acceleration": "rad/s^2 or m/s^2", "jerk": "rad/s^3 or m/s^3"}


@dataclass(frozen=True, slots=True, repr=False)
class MotionLimits:
    """Limits of one axis. The default, zero, means that the axis *may not move*.

    The constructor takes anything and never raises, so that limits known in part can be carried about; a planner
    validates them before it moves an axis.

    Args:
        max_velocity: in rad/s or m/s, for both directions unless ``min_velocity`` is given.
        max_acceleration: in rad/s^2 or m/s^2, for both directions unless ``min_acceleration`` is given.
        max_jerk: in rad/s^3 or m/s^3, for both directions.
        min_velocity: the fastest the axis may go backwards, below zero; None means ``-max_velocity``.
        min_acceleration: the lowest acceleration, below zero; None means ``-max_acceleration``.
        min_position: lower end of the range in rad or m; None means that there is none.
        max_position: upper end of the range in rad or m; None means that there is none.

    >>> import motionkit as mk
    >>> mk.MotionLimits(2, 8, 40)
    MotionLimits(max_velocity=2.0, max_acceleration=8.0, max_jerk=40.0)
    >>> mk.MotionLimits() == mk.MotionLimits(0, 0, 0)
    True
    """

    max_velocity: float = 0.0
    max_acceleration: float = 0.0
    max_jerk: float = 0.0
    _: KW_ONLY
    min_velocity: float | None = None
    min_acceleration: float | None = None
    min_position: float | None = None
    max_position: float | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and type(value) is not float:
                try:
                    object.__setattr__(self, field.name, float(value))
                except (TypeError, ValueError, OverflowError):
                    pass  # kept as it is; validate() names it

    def __repr__(self) -> str:
        shown = (f.name for f in fields(self) if f.name in RATES or getattr(self, f.name) is not None)
        return f"MotionLimits({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    def validate(self) -> None:
        """Check that an axis may move under these limits.

        Finiteness is looked at before signs, because a NaN passes ``<= 0``.

        Raises:
            InvalidLimits: a field is not a finite number, a maximum is not above zero (zero: the axis may not move), a
                minimum of velocity or acceleration is not below zero, or the range of positions is reversed. The
                message names the field, its value and what helps.
        """
        check_limits(self, RATES)


def check_limits(limits: MotionLimits, required: Iterable[str], name: str = "") -> None:
    """Raise InvalidLimits unless every field makes sense and every rate in ``required`` is above zero.

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
    for field in fields(limits):
        value = getattr(limits, field.name)
        if value is not None and (type(value) is not float or not math.isfinite(value)):
            raise InvalidLimits(f"{who}{field.name} is {value!r}; give a finite number", joint=name)
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
