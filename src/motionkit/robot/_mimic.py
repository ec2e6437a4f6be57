"""Joints that follow other joints: whose coordinate each shares, how far it moves for it, and what that allows.

A follower is where ``multiplier * q[joint] + offset`` says; its leader may follow another joint itself. Files are read
elsewhere, and that nothing follows itself is found there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..errors import InvalidLimits
from ..spatial import SE3, SO3
from ._packing import Drive
from .limits import JointLimits

if TYPE_CHECKING:
    from .model import ModelJoint


def drives(joints: Sequence[ModelJoint]) -> dict[str, Drive]:
    """The drive of every joint that follows another, by name.

    A follower that stands still, because its multiplier is 0 or its leader is fixed, has the multiplier 0.

    Raises:
        InvalidLimits: the joints of one coordinate leave it no room.
    """
    by_name = {joint.name: joint for joint in joints}
    laws = {joint.name: _law(joint, by_name) for joint in joints if joint.mimic is not None}
    limits = {leader: _combined(by_name[leader], laws, by_name) for leader in {law[0] for law in laws.values()}}
    return {name: Drive(leader, m, b, limits[leader]) for name, (leader, m, b) in laws.items()}


def _law(joint: ModelJoint, by_name: Mapping[str, ModelJoint]) -> tuple[str, float, float]:
    """The leading joint, the multiplier and the offset, through every joint in between."""
    multiplier, offset = 1.0, 0.0
    while joint.mimic is not None:
        # m (m' q + b') + b
        offset = multiplier * joint.mimic.offset + offset
        multiplier = multiplier * joint.mimic.multiplier
        joint = by_name[joint.mimic.joint]
    return joint.name, 0.0 if joint.kind == "fixed" else multiplier, offset


def _combined(
    leader: ModelJoint, laws: Mapping[str, tuple[str, float, float]], by_name: Mapping[str, ModelJoint]
) -> JointLimits:
    """Limits of a coordinate: the leader's own, and each follower's seen through its law."""
    own = leader.limits
    lower, upper, velocity = own.lower, own.upper, own.max_velocity
    for name, (coordinate, m, b) in laws.items():
        limits = by_name[name].limits
        if coordinate != leader.name or m == 0.0 or limits.kind == "fixed":
            continue
        ends = sorted(((limits.lower - b) / m, (limits.upper - b) / m))
        lower, upper = max(lower, ends[0]), min(upper, ends[1])
        if velocity is not None and limits.max_velocity is not None:
            velocity = min(velocity, limits.max_velocity / abs(m))
        if lower > upper:
            raise InvalidLimits(
                f"joint {name!r} follows {leader.name!r} and allows it {ends[0]:g} to {ends[1]:g} {own.unit}, which "
                f"leaves no room within {own.lower:g} to {own.upper:g} {own.unit} and its other followers; correct the "
                "limits, the multiplier or the offset",
                joint=name,
            )
    kind = "revolute" if own.kind == "continuous" and math.isfinite(lower) and math.isfinite(upper) else own.kind
    return JointLimits(kind, lower, upper, velocity, own.effort)


def without_room(joints: Sequence[ModelJoint]) -> Iterator[InvalidLimits]:
    """For every coordinate that its joints leave no room, the error that :func:`drives` raises."""
    by_name = {joint.name: joint for joint in joints}
    laws = {joint.name: _law(joint, by_name) for joint in joints if joint.mimic is not None}
    for leader in dict.fromkeys(law[0] for law in laws.values()):
        try:
            _combined(by_name[leader], laws, by_name)
        except InvalidLimits as error:
            yield error


def displaced(joint: ModelJoint, value: float) -> SE3:
    """What a joint does to the link that it carries when its coordinate is ``value``, rad or m."""
    x, y, z = joint.axis
    if joint.kind == "prismatic":
        return SE3.from_translation((x * value, y * value, z * value))
    if joint.kind == "fixed":
        return SE3.identity()
    return SE3(SO3.from_axis_angle(joint.axis, value), (0.0, 0.0, 0.0))
