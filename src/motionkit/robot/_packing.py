"""From the joints of a chain, as a robot file or a drawing gives them, to the model array that kernels read.

Only constants are computed here, with the kernels' own arithmetic, so that a model has the same bits on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..kernels._contract import Model
from ..kernels.pose import IDENTITY, Pose, compose
from ..spatial import SE3
from .inertia import LinkInertia
from .limits import JointLimits


@dataclass(frozen=True, slots=True)
class Segment:
    """One joint of a chain and the link that it carries.

    Args:
        joint: name of the joint.
        before: pose of the joint's frame in the frame of the link before it.
        axis: unit direction of the axis in the joint's frame.
        after: pose of the link's frame in the moved joint's frame.
        limits: range and greatest velocity, which also tell the kind.
        link: name of the link.
        inertia: mass properties of the link in its own frame, when known.
    """

    joint: str
    before: SE3
    axis: tuple[float, float, float]
    after: SE3
    limits: JointLimits
    link: str
    inertia: LinkInertia | None = None

    @property
    def moving(self) -> bool:
        """Whether the joint has a coordinate."""
        return self.limits.kind != "fixed"


@dataclass(frozen=True, slots=True)
class Packed:
    """What :func:`pack` makes of a chain.

    ``model`` is read by the kernels. Each link hangs on a moving joint, counted from 0 (-1 is the base), with a
    constant pose in its moved frame, whose axis is z; the base comes first.
    """

    model: Model
    link_joint: tuple[int, ...]
    link_pose: tuple[Pose, ...]


def pack(segments: Sequence[Segment], tip: SE3) -> Packed:
    """Fold every constant of the chain into one row a moving joint, its axis turned into z.

    Args:
        segments: from the base to the last link.
        tip: pose of the tip in the last link's frame.
    """
    rows: list[tuple[float, ...]] = []
    pending: Pose
    link_joint: list[int] = [-1]
    link_pose: list[Pose] = [IDENTITY]
    pending = IDENTITY
    for segment in segments:
        pending = compose(pending, segment.before.elements)
        if segment.moving:
            turn = _z_onto(segment.axis)
            slides = segment.limits.kind == "prismatic"
            rows.append((*compose(pending, turn), 0.0 if slides else 1.0, 1.0 if slides else 0.0))
            pending = _transposed(turn)
        pending = compose(pending, segment.after.elements)
        link_joint.append(len(rows) - 1)
        link_pose.append(pending)
    rows.append((*compose(pending, tip.elements), 0.0, 0.0))
    return Packed(Model(rows), tuple(link_joint), tuple(link_pose))


def _z_onto(axis: tuple[float, float, float]) -> Pose:
    """A rotation whose third column is ``axis``; exact when the axis is a coordinate axis."""
    x, y, z = axis
    # the coordinate axis least along it gives the plane across it
    if abs(z) >= abs(x) and abs(z) >= abs(y):
        u = (z, 0.0, -x)
    elif abs(x) >= abs(y):
        u = (y, -x, 0.0)
    else:
        u = (0.0, z, -y)
    norm = math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
    u = (u[0] / norm, u[1] / norm, u[2] / norm)
    v = (y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0])
    return (u[0], v[0], x, u[1], v[1], y, u[2], v[2], z, 0.0, 0.0, 0.0)


def _transposed(turn: Pose) -> Pose:
    a, b, c, d, e, f, g, h, i, _, _, _ = turn
    return (a, d, g, b, e, h, c, f, i, 0.0, 0.0, 0.0)
