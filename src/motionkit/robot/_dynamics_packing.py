"""From the joints and links of a robot to the model array that the kernels of dynamics read.

Links that are fixed to one another are merged into one body; bodies that do not move are left out. Only constants are
computed here, with the kernels' own arithmetic, so that a model has the same bits on every machine. What hangs on a
chain is in ``_hanging``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import InvalidInertia
from ..kernels import composite
from ..kernels._contract import Model
from ..kernels.pose import IDENTITY, Pose, compose, rotation, transform_point
from ..kernels.rigid_tree import DRIVE, HEAD, MASS, ROW, shifted_tensor, turned_tensor
from ._packing import Segment, about_z, along_z, transposed, z_onto
from .inertia import LinkInertia

GRAVITY = (0.0, 0.0, -9.81)  # m/s^2
NOTHING = 1e-12  # of what a body resists about any axis: what rounding leaves of no inertia at all

Vector3 = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Part:
    """A joint with the link that it carries, and the link that it hangs on."""

    carrier: str
    segment: Segment


@dataclass(frozen=True, slots=True)
class Drives:
    """What the motors of the coordinates add, in the order of the coordinates; see the methods that set them.

    Args:
        gravity: acceleration in the base frame, m/s^2.
        rotor_inertia: as felt at the joint, kg m^2 or kg; empty for none.
        viscous: torque or force for a unit of the rate; empty for none.
        coulomb: torque or force against the motion; empty for none.
        coulomb_speed: rate over which the Coulomb friction turns over; 0 for a jump.
    """

    gravity: Vector3 = GRAVITY
    rotor_inertia: tuple[float, ...] = ()
    viscous: tuple[float, ...] = ()
    coulomb: tuple[float, ...] = ()
    coulomb_speed: float = 0.0

    def numbers(self, n: int) -> list[float]:
        """Five numbers a coordinate, as ``kernels.rigid_tree`` says."""
        none = (0.0,) * n
        smooth = 1.0 if self.coulomb_speed > 0.0 else 0.0
        rows = zip(self.rotor_inertia or none, self.viscous or none, self.coulomb or none, strict=True)
        return [x for rotor, viscous, coulomb in rows for x in (rotor, viscous, coulomb, self.coulomb_speed, smooth)]

    @property
    def lossless(self) -> bool:
        """Whether motors add nothing."""
        return not any(self.rotor_inertia) and not any(self.viscous) and not any(self.coulomb)


@dataclass(frozen=True, slots=True)
class PackedBodies:
    """What :func:`pack_bodies` makes of a robot.

    ``model`` is read by the kernels. Every link is part of a moving body, counted from 0 (-1 is the base), and has a
    constant pose in its moved frame, whose axis is z; the link that a body's joint carries gives it its name.
    """

    model: Model
    links: dict[str, tuple[int, Pose]]
    bodies: tuple[str, ...]
    joints: tuple[str, ...]


def pack_bodies(
    base: str, parts: Sequence[Part], names: Sequence[str], added: Sequence[tuple[str, LinkInertia]], drives: Drives
) -> PackedBodies:
    """Fold every constant of a robot into what ``kernels.rigid_tree`` describes.

    Args:
        base: the link that stands still.
        parts: joints and links, each after what it hangs on; a joint moves when its coordinate is among the names.
        names: coordinates, in the order of every array.
        added: further bodies by the link that they are fixed to, in its frame; a link's own body comes first.
        drives: gravity and motors.

    Raises:
        InvalidInertia: a moving link, or what is added to one, has an inertia that no body can have.
    """
    order = {name: k for k, name in enumerate(names)}
    links: dict[str, tuple[int, Pose]] = {base: (-1, IDENTITY)}
    heads: list[list[float]] = []  # carrier, coordinate, turn, slide, branch and place of every moving joint
    masses: list[list[float]] = []
    bodies: list[str] = []
    joints: list[str] = []
    for part in parts:
        segment = part.segment
        carrier, offset = links[part.carrier]
        pose = compose(offset, segment.before.elements)
        if segment.moving:
            turn, slides, b = z_onto(segment.axis), segment.limits.kind == "prismatic", segment.offset
            pose = compose(compose(pose, turn), along_z(b) if slides else about_z(b))
            factors = (0.0, segment.multiplier) if slides else (segment.multiplier, 0.0)
            heads.append([float(carrier), float(order[segment.coordinate]), *factors, 0.0, *pose])
            masses.append([0.0] * 10)
            bodies.append(segment.link)
            joints.append(segment.joint)
            carrier, pose = len(heads) - 1, transposed(turn)
        links[segment.link] = carrier, compose(pose, segment.after.elements)
        if segment.inertia is not None:
            _merge(masses, links[segment.link], segment.inertia, segment.link)
    for link, body in added:
        _merge(masses, links[link], body, link)
    branching: set[int] = set()
    for i, head in enumerate(heads):
        carrier = int(head[0])
        if 0 <= carrier < i - 1:
            branching.add(carrier)
    for i, head in enumerate(heads):
        head[4] = float(i in branching) + (2.0 if head[3] != 0.0 else 0.0)
    rows = [number for head, mass in zip(heads, masses, strict=True) for number in (*head, *mass)]
    start = [float(len(heads)), float(len(names)), *drives.gravity, 0.0 if drives.lossless else 1.0]
    return PackedBodies(Model([*start, *rows, *drives.numbers(len(names))]), links, tuple(bodies), tuple(joints))


def _merge(masses: list[list[float]], place: tuple[int, Pose], body: LinkInertia, link: str) -> None:
    """Add a body to the one that it is fixed to."""
    index, pose = place
    if index < 0:
        return
    body.validate(link)
    numbers = masses[index]
    centre = transform_point(pose, body.com)
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = body.inertia
    tensor = (xx, 0.5 * (xy + yx), 0.5 * (xz + zx), yy, 0.5 * (yz + zy), zz)
    about_centre = turned_tensor(rotation(pose), tensor)
    inertia = shifted_tensor(body.mass, (0.0, 0.0, 0.0), about_centre, centre)
    m = body.mass
    for k, x in enumerate((m, m * centre[0], m * centre[1], m * centre[2], *inertia)):
        numbers[k] += x


def refuse_massless(packed: PackedBodies, names: Sequence[str]) -> None:
    """Refuse a coordinate that nothing resists, whatever the configuration: its torque would cause any acceleration.

    The inertia that a coordinate feels when those further out are free, which is what forward dynamics divides by, is
    found at a configuration without symmetries. A link without mass is fine as long as what hangs on it, or a rotor,
    has inertia about its axis.

    Raises:
        InvalidInertia: names the link and the joint.
    """
    values = packed.model.values
    m, n = int(values[0]), len(names)
    if n == 0:
        return
    q = [math.fmod(0.61803398875 * (k + 1), 1.0) + 0.35 for k in range(n)]
    scratch, flat = [0.0] * (composite.SPACE * m), [0.0] * (n * n)
    composite.masses(packed.model.values, q, scratch, flat, 0)
    sizes, link, joint = [0.0] * n, [""] * n, [""] * n
    hung = [(0.0, 0.0)] * m  # mass of what hangs on a joint, and its inertia about no particular axis, or a little more
    for i in range(m - 1, -1, -1):
        row = HEAD + ROW * i
        k, carrier = int(values[row + 1]), int(values[row])
        mass = hung[i][0] + values[row + MASS]
        spread = hung[i][1] + values[row + 21] + values[row + 24] + values[row + 26]
        sizes[k] += values[row + 2] ** 2 * spread + values[row + 3] ** 2 * mass
        link[k], joint[k] = packed.bodies[i], packed.joints[i]
        if carrier >= 0:  # the square of a sum of lengths is at most twice the sum of the squares
            away = sum(x * x for x in values[row + 14 : row + 17])
            hung[carrier] = hung[carrier][0] + mass, hung[carrier][1] + 2.0 * spread + 4.0 * mass * away
    M = np.array(flat).reshape(n, n)
    for k in range(n - 1, -1, -1):
        rotor = values[HEAD + ROW * m + DRIVE * k]
        if not M[k, k] > NOTHING * (sizes[k] + rotor):
            raise InvalidInertia(
                f"link {link[k]!r}: joint {joint[k]!r} moves it, and neither it nor what hangs on it has any "
                f"mass to resist that (the joint feels {M[k, k]:.3g}, expected more than 0); state the inertia of the "
                "link or of what it carries, or the inertia of the joint's rotor",
                link=link[k],
            )
        M[:k, :k] -= np.outer(M[:k, k], M[k, :k]) / M[k, k]
