"""From the joints of a chain, as a robot file or a drawing gives them, to the model array that kernels read.

Only constants are computed here, with the kernels' own arithmetic, so that a model has the same bits on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..kernels._contract import Model
from ..kernels.pose import IDENTITY, Pose, compose
from ..kernels.trig import atan2, sincos
from ..spatial import SE3
from .inertia import LinkInertia
from .limits import JointLimits


@dataclass(frozen=True, slots=True)
class Drive:
    """The coordinate that a joint shares with the joint that it follows.

    Args:
        coordinate: name of the leading joint, which need not be on the chain.
        multiplier: travel of the joint for a unit of the coordinate, not 0.
        offset: where the joint is at coordinate 0, rad or m.
        limits: of the coordinate, with those of every follower taken into account.
    """

    coordinate: str
    multiplier: float
    offset: float
    limits: JointLimits


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
        drive: the coordinate of a joint that follows another; None when it has its own.
    """

    joint: str
    before: SE3
    axis: tuple[float, float, float]
    after: SE3
    limits: JointLimits
    link: str
    inertia: LinkInertia | None = None
    drive: Drive | None = None

    @property
    def coordinate(self) -> str:
        """Name of the coordinate that moves the joint."""
        return self.joint if self.drive is None else self.drive.coordinate

    @property
    def multiplier(self) -> float:
        """Travel of the joint for a unit of its coordinate."""
        return 1.0 if self.drive is None else self.drive.multiplier

    @property
    def offset(self) -> float:
        """Where the joint is when its coordinate is 0."""
        return 0.0 if self.drive is None else self.drive.offset

    @property
    def coordinate_limits(self) -> JointLimits:
        """Limits of the coordinate that moves the joint."""
        return self.limits if self.drive is None else self.drive.limits

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
    """Fold every constant of the chain into what ``kernels.chain`` reads.

    Args:
        segments: from the base to the last link.
        tip: pose of the tip in the last link's frame.
    """
    places: list[Pose] = []  # of every moving joint, its axis turned into z, in the one before it
    tails: list[tuple[float, float, float]] = []  # turn and travel for a unit of which coordinate
    coordinates: dict[str, int] = {}
    link_joint: list[int] = [-1]
    link_pose: list[Pose] = [IDENTITY]
    pending: Pose = IDENTITY
    for segment in segments:
        pending = compose(pending, segment.before.elements)
        if segment.moving:
            turn = z_onto(segment.axis)
            m, b, slides = segment.multiplier, segment.offset, segment.limits.kind == "prismatic"
            places.append(compose(compose(pending, turn), along_z(b) if slides else about_z(b)))
            k = coordinates.setdefault(segment.coordinate, len(coordinates))
            tails.append((0.0, m, float(k)) if slides else (m, 0.0, float(k)))
            pending = transposed(turn)
        pending = compose(pending, segment.after.elements)
        link_joint.append(len(places) - 1)
        link_pose.append(pending)
    return _normal_form(places, tails, len(coordinates), compose(pending, tip.elements), tuple(link_joint), link_pose)


def _normal_form(
    places: list[Pose],
    tails: list[tuple[float, float, float]],
    coordinates: int,
    tip: Pose,
    link_joint: tuple[int, ...],
    link_pose: list[Pose],
) -> Packed:
    """Turn every frame about its own axis so that the next is one turn about x and a shift away.

    A placement is Rz(a) Rx(angle) Rz(b): b joins the angle of its own joint, a that of the joint before, whose frame
    turns with it, and with the frame what hangs on it.
    """
    model = [*(places[0] if places else IDENTITY), float(coordinates)]
    tilts = [(1.0, 0.0)] * len(places)
    shifts = [(0.0, 0.0, 0.0)] * len(places)
    angles = [0.0] * len(places)
    turns = [IDENTITY] * len(places)  # what each moved frame is turned back by
    for k in range(1, len(places)):
        a, tilts[k], b = _euler(places[k])
        angles[k - 1] += a
        angles[k] = b
        turns[k - 1] = about_z(-a)
        moved = compose(turns[k - 1], places[k])
        shifts[k] = (moved[9], moved[10], moved[11])
    for (c, s), shift, angle, tail in zip(tilts, shifts, angles, tails, strict=True):
        model.extend((c, s, *shift, angle, *tail))
    model.extend(tip)
    poses = [
        compose(turns[joint], pose) if joint >= 0 else pose for joint, pose in zip(link_joint, link_pose, strict=True)
    ]
    return Packed(Model(model), link_joint, tuple(poses))


def about_z(angle: float) -> Pose:
    """A turn about z."""
    s, c = sincos(angle)
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


def along_z(distance: float) -> Pose:
    """A shift along z."""
    return (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, distance)


def _euler(place: Pose) -> tuple[float, tuple[float, float], float]:
    """a, the cosine and sine of the tilt, and b of a rotation Rz(a) Rx(tilt) Rz(b).

    Where the axes are parallel only the sum of a and b means anything, and a is 0. b is what is left of the rotation
    once a and the tilt are taken off, so an a that rounding made uncertain costs nothing.
    """
    sine = math.sqrt(place[2] * place[2] + place[5] * place[5])
    a = atan2(place[2], -place[5]) if sine > 0.0 else 0.0
    size = math.sqrt(sine * sine + place[8] * place[8])
    tilt = (place[8] / size, sine / size)
    rest = compose(about_z(-a), place)
    # the first column of Rx(-tilt) Rz(-a) R
    return a, tilt, atan2(rest[3] * tilt[0] + rest[6] * tilt[1], rest[0])


def z_onto(axis: tuple[float, float, float]) -> Pose:
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


def transposed(turn: Pose) -> Pose:
    """The inverse of a pose that is a rotation only."""
    a, b, c, d, e, f, g, h, i, _, _, _ = turn
    return (a, d, g, b, e, h, c, f, i, 0.0, 0.0, 0.0)
