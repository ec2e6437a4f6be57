"""Joints as they are read off a drawing: a direction and a point on the axis, in the base frame, at coordinate zero.

How joints follow one another in a robot file (parent, child, placement) belongs to the model, not here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import DegenerateGeometry, KindMismatch, NotFinite, WrongLength
from ..spatial import SE3
from .limits import JointLimits

Vector3 = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Joint:
    """One joint of a chain whose geometry is given with every coordinate at zero.

    Make one with :meth:`revolute`, :meth:`prismatic`, :meth:`continuous` or :meth:`fixed`.

    Args:
        name: unique within a chain.
        kind: ``"revolute"``, ``"prismatic"``, ``"continuous"`` or ``"fixed"``.
        axis: unit direction of the axis in the base frame; positive turns follow the right-hand rule.
        point: a point on the axis in the base frame, m; the joint's origin.
        limits: range and greatest velocity.
        pose: of a fixed joint: the frame that it carries, in the base frame; else None.
    """

    name: str
    kind: str
    axis: Vector3
    point: Vector3
    limits: JointLimits
    pose: SE3 | None = None

    @classmethod
    def revolute(cls, name: str, axis: Sequence[float], point: Sequence[float], limits: JointLimits) -> Joint:
        """A joint that turns about an axis, within limits.

        Args:
            name: unique within a chain.
            axis: direction in the base frame at zero, (3,), any length but zero.
            point: a point on the axis in the base frame at zero, (3,), m.
            limits: made with ``JointLimits.revolute``.

        Raises:
            DegenerateGeometry: the axis is zero.
            NotFinite: a number is NaN or infinite.
            WrongLength: the axis or the point does not have three numbers.
            KindMismatch: the limits are of another kind, or something is not a number.

        >>> import motionkit as mk
        >>> mk.Joint.revolute("shoulder", (0, 0, 2), (0, 0, 0.3), mk.JointLimits.revolute(-3, 3, 2)).axis
        (0.0, 0.0, 1.0)
        """
        return _moving(cls, "revolute", name, axis, point, limits)

    @classmethod
    def prismatic(cls, name: str, axis: Sequence[float], point: Sequence[float], limits: JointLimits) -> Joint:
        """A joint that slides along an axis; arguments and errors as :meth:`revolute`."""
        return _moving(cls, "prismatic", name, axis, point, limits)

    @classmethod
    def continuous(
        cls, name: str, axis: Sequence[float], point: Sequence[float], limits: JointLimits | None = None
    ) -> Joint:
        """A joint that turns without end; arguments and errors as :meth:`revolute`, limits may be left out."""
        return _moving(cls, "continuous", name, axis, point, JointLimits.continuous() if limits is None else limits)

    @classmethod
    def fixed(cls, name: str, pose: SE3) -> Joint:
        """A rigid connection that carries a frame of its own, such as a flange.

        Args:
            name: unique within a chain.
            pose: the frame in the base frame with every coordinate at zero.

        Raises:
            KindMismatch: the pose is no SE3.
        """
        if not isinstance(pose, SE3):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise KindMismatch(f"joint {name!r}: expected an SE3 as the pose, got {type(pose).__name__}", joint=name)
        x, y, z = (float(v) for v in pose.translation)
        return cls(name, "fixed", (0.0, 0.0, 0.0), (x, y, z), JointLimits.fixed(), pose)


def unit_axis(axis: Sequence[float], where: str) -> Vector3:
    """The direction of ``axis`` as a unit vector; an axis along a coordinate axis stays exact."""
    x, y, z = _three(axis, f"{where}: axis")
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0.0:
        raise DegenerateGeometry(
            f"{where}: the axis is zero, so it has no direction; give the direction it turns about or slides along",
            direction=(0.0, 0.0, 0.0),
        )
    x, y, z = x / largest, y / largest, z / largest
    norm = math.sqrt(x * x + y * y + z * z)
    return (x / norm, y / norm, z / norm)


def _moving(
    cls: type[Joint], kind: str, name: str, axis: Sequence[float], point: Sequence[float], limits: JointLimits
) -> Joint:
    where = f"joint {name!r}"
    if limits.kind != kind:
        raise KindMismatch(
            f"{where} is {kind}: use JointLimits.{kind}(...), got limits of kind {limits.kind!r}", joint=name
        )
    return cls(name, kind, unit_axis(axis, where), _three(point, f"{where}: point"), limits)


def _three(values: Sequence[float], where: str) -> Vector3:
    try:
        numbers = [float(v) for v in values]
    except (TypeError, ValueError) as error:
        raise KindMismatch(f"{where}: expected three numbers, got {values!r}") from error
    if len(numbers) != 3:
        raise WrongLength(f"{where}: expected three numbers, got {len(numbers)}")
    if not all(math.isfinite(v) for v in numbers):
        raise NotFinite(f"{where}: every number must be finite, got {numbers}")
    return (numbers[0], numbers[1], numbers[2])
