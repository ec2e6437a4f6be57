"""Positions and limits of several axes as people pass them: by name, with their unit, or plain.

Motion knows no joints: their names, where there are any, come from the caller. What limits allow is in ``limits``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidLimits, KindMismatch, UnknownName, WrongLength, did_you_mean
from ..values import Angle, JointPosition, Length
from ..values.axes import Axes, kind_of, moving_kind, typed_values
from ..values.joint_values import si_of
from .limits import MotionLimits
from .samples import FloatArray, finite_vector

Position = JointPosition | Angle | Length
Positions = ArrayLike | Sequence[Position] | Mapping[str, float] | Mapping[str, Position]


def in_order(values: Any, names: Sequence[str] | None, what: str) -> Any:
    """The values of a mapping by joint in the order of ``names``; anything else as it is.

    Raises:
        WrongLength: a mapping without names to order it by, or one that lacks a joint.
        UnknownName: it names a joint that there is not.
    """
    if not isinstance(values, Mapping):
        return values
    given = cast("Mapping[Any, Any]", values)
    if names is None:
        raise WrongLength(f"{what}: a mapping has no order; give names=, such as chain.joint_names")
    for name in given:
        if name not in names:
            raise UnknownName(f"{what}: no joint {name!r}: {did_you_mean(str(name), names)}", name=str(name))
    if missing := [name for name in names if name not in given]:
        raise WrongLength(f"{what}: nothing for joint {', '.join(missing)}; expected one each for {', '.join(names)}")
    return [given[name] for name in names]


def straight_move(
    start: Any, goal: Any, limits: Any, names: Sequence[str] | None
) -> tuple[FloatArray, FloatArray, tuple[MotionLimits, ...]]:
    """Start and goal as new arrays (n,), and limits one an axis, once all that is known of an axis is of one kind.

    Raises:
        WrongLength: they are not of one length.
        UnknownName: a mapping has a name that there is not.
        NotFinite: a position is not finite.
        KindMismatch: start, goal and limits of an axis are of different kinds; names it.
        InvalidLimits: the limits of one axis where those of several belong.
    """
    start, goal, limits = (
        in_order(values, names, what) for values, what in ((start, "start"), (goal, "goal"), (limits, "limits"))
    )
    typed = [_typed(start), _typed(goal)]
    known = next(((what, v) for what, v in zip(("start", "goal"), typed, strict=True) if v is not None), None)
    if known is None:
        first = finite_vector(start, "start")
        n = len(first)
        labelled(names, n)
        return first, finite_vector(goal, "goal", n), one_an_axis(limits, n)
    what, values = known
    n = len(values)
    each = one_an_axis(limits, n)
    labels = labelled(names, n)
    joints = [str(i) for i in range(n)] if names is None else list(names)
    kinds = [moving_kind(v, f"{what}: {labels[i]}", joints[i]) for i, v in enumerate(values)]
    check_kinds(each, kinds, labels, joints)
    axes = Axes(joints, kinds, labels)
    start, goal = (
        plain if values is None else axes.numbers(values, what)
        for plain, values, what in zip((start, goal), typed, ("start", "goal"), strict=True)
    )
    return finite_vector(start, "start", n), finite_vector(goal, "goal", n), each


def one_an_axis(limits: Sequence[MotionLimits] | ArrayLike, n: int) -> tuple[MotionLimits, ...]:
    """One MotionLimits an axis, from a sequence of them or an array (n, 3)."""
    if isinstance(limits, MotionLimits):
        raise InvalidLimits(f"expected limits of {n} axes, got those of one; give one MotionLimits an axis", joint="")
    if isinstance(limits, Sequence) and any(isinstance(axis, MotionLimits) for axis in limits):
        per_axis = tuple(cast("Sequence[MotionLimits]", limits))  # check_limits refuses anything else among them
    else:
        try:
            table = np.array(limits, dtype=np.float64)
        except (TypeError, ValueError):
            table = np.empty(0)
        if table.ndim != 2 or table.shape[-1] != 3:
            raise WrongLength(
                f"expected one MotionLimits an axis or an array ({n}, 3) of velocity, acceleration and jerk, "
                f"got {limits!r}"
            )
        rows = cast("list[list[float]]", table.tolist())
        per_axis = tuple(MotionLimits(velocity, acceleration, jerk) for velocity, acceleration, jerk in rows)
    if len(per_axis) != n:
        raise WrongLength(f"expected limits of {n} axes, got {len(per_axis)}")
    return per_axis


def check_kinds(
    limits: Sequence[MotionLimits], kinds: Sequence[str], labels: Sequence[str], joints: Sequence[str]
) -> None:
    """Raise KindMismatch where limits that carry a unit are of another kind of joint than the axis they are for.

    Args:
        limits: one an axis.
        kinds: ``"revolute"`` or ``"prismatic"`` for each.
        labels: what each axis is called in messages.
        joints: its name.
    """
    for limit, kind, label, joint in zip(limits, kinds, labels, joints, strict=True):
        own = limit.kind if type(limit) is MotionLimits else None
        if own is not None and own != kind:
            raise KindMismatch(
                f"limits: {label} is {kind}, got limits of a joint that is {own}: {limit!r}", joint=joint
            )


def labelled(names: Sequence[str] | None, n: int) -> list[str]:
    """What axes are called in messages.

    Raises:
        WrongLength: not n names.
    """
    if names is None:
        return [f"axis {i}" for i in range(n)]
    if len(names) != n:
        raise WrongLength(f"names: expected one for each of {n} axes, got {len(names)}")
    return [f"joint {name!r}" for name in names]


def plain_ends(start: Any, goal: Any, limits: MotionLimits) -> tuple[Any, Any]:
    """Start and goal of one axis without their units, once they are of one kind with its limits.

    Raises:
        KindMismatch: they are not, or a value is fixed.
    """
    own = limits.kind if type(limits) is MotionLimits else None
    kind = own or kind_of(start) or kind_of(goal)
    numbers: list[Any] = []
    for what, value in (("start", start), ("goal", goal)):
        number: Any = value
        if kind_of(value) is not None:
            moving_kind(value, what)
            try:
                number = si_of(value, kind or "", JointPosition)
            except KindMismatch as error:
                raise KindMismatch(f"{what}: {error}" + (f"; its limits are {own}" if own else "")) from None
        numbers.append(number)
    return numbers[0], numbers[1]


def _typed(values: Positions) -> list[Any] | None:
    """The values when they carry their unit; what cannot be numbers at all is refused by the one who converts them."""
    plain = isinstance(values, np.ndarray) and cast("Any", values).dtype == np.float64
    return None if plain else typed_values(cast("Any", values))
