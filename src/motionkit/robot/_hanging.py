"""What hangs on a chain beside its own links, and robots some of whose joints are held where they are.

A chain's torques carry everything that is fixed to its links and everything behind joints that are not on it. Those are
held at a stated configuration, unless they follow a coordinate of the chain: then they move with it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import NotFinite, UnknownName, did_you_mean
from ..spatial import SE3, SO3
from ._dynamics_packing import Part
from ._packing import Segment
from .limits import JointLimits

if TYPE_CHECKING:
    from .model import RobotModel


def all_parts(model: RobotModel) -> list[Part]:
    """Every joint of a robot from its root on."""
    return [Part(joint.parent, model.segment(i)) for i, joint in enumerate(model.joints)]


def hanging(model: RobotModel, path: Collection[str]) -> list[Part]:
    """Every joint of a robot that is not between two links of a path, outwards from it, whatever the file's root is.

    Args:
        model: the robot.
        path: links of the chain.
    """
    reached = set(path)
    left = [i for i, joint in enumerate(model.joints) if not (joint.parent in reached and joint.child in reached)]
    found: list[Part] = []
    while left:
        later: list[int] = []
        for i in left:
            joint = model.joints[i]
            if joint.parent in reached:
                found.append(Part(joint.parent, model.segment(i)))
                reached.add(joint.child)
            elif joint.child in reached:
                found.append(Part(joint.child, model.segment(i, towards_root=True)))
                reached.add(joint.parent)
            else:
                later.append(i)
        left = later
    return found


def held(parts: Sequence[Part], free: Collection[str], posture: Mapping[str, float], what: str) -> tuple[Part, ...]:
    """The parts with every joint fixed whose coordinate is not free.

    Args:
        parts: joints and links.
        free: coordinates that move.
        posture: where coordinates that do not move are held, rad or m; 0 where nothing is said.
        what: whose they are, for messages.

    Raises:
        UnknownName: the posture names what is not held.
        NotFinite: a number in it is not finite.
    """
    can = list(dict.fromkeys(p.segment.coordinate for p in parts if p.segment.moving))
    can = [name for name in can if name not in free]
    for name, value in posture.items():
        if name not in can:
            raise UnknownName(
                f"held: {what} has no joint {name!r} to hold beside it: {did_you_mean(name, can)}", name=name
            )
        if not math.isfinite(value):
            raise NotFinite(f"held: joint {name!r} must be finite, got {value}")
    return tuple(
        part
        if not part.segment.moving or part.segment.coordinate in free
        else Part(part.carrier, _fixed(part.segment, posture.get(part.segment.coordinate, 0.0)))
        for part in parts
    )


def _fixed(segment: Segment, coordinate: float) -> Segment:
    """The segment where its coordinate has a value, no longer moving."""
    x = segment.multiplier * coordinate + segment.offset
    a, b, c = segment.axis
    if segment.limits.kind == "prismatic":
        moved = SE3.from_translation((a * x, b * x, c * x))
    else:
        moved = SE3(SO3.from_axis_angle(segment.axis, x), (0.0, 0.0, 0.0))
    return replace(segment, before=segment.before * moved, limits=JointLimits.fixed(), drive=None)
