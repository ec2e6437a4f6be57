"""Mass, centre of mass and inertia of one link, and whether a body can have them.

What a person states must be possible; what a file states may be anything finite, since kinematics does not need it:
``RobotModel.check`` reports it and dynamics refuses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DegenerateGeometry, InvalidInertia, KindMismatch, NotFinite, WrongLength
from ..kernels.symmetric import eigenvalues
from ..spatial import SO3

TRIANGLE_TOLERANCE = 1e-9  # of the trace: rods and plates sit at equality

Row = tuple[float, float, float]
Tensor = tuple[Row, Row, Row]


@dataclass(frozen=True, slots=True, init=False)
class LinkInertia:
    """Mass properties of a link, in the axes of the link's frame.

    Args:
        mass: kg.
        com: centre of mass in the link's frame, (3,), m.
        inertia: inertia tensor about the centre of mass, (3, 3), kg m^2, axes of the link's frame. Its off-diagonal
            elements are those of the tensor (minus the integral of x y), as in a URDF.

    Raises:
        WrongLength: a shape differs.
        KindMismatch: something is not a number.
        NotFinite: a number is NaN or infinite.
        InvalidInertia: no body can have them: the tensor is not symmetric, a principal moment is negative or above the
            sum of the other two (by more than 1e-9 of the trace: rods and plates sit at equality), or the mass is
            negative, or zero with a tensor that is not.

    >>> import numpy as np
    >>> import motionkit as mk
    >>> mk.LinkInertia(2.0, [0.0, 0.0, 0.1], np.diag([0.02, 0.02, 0.001])).mass
    2.0
    """

    mass: float
    com: Row
    inertia: Tensor

    def __init__(self, mass: float, com: ArrayLike, inertia: ArrayLike) -> None:
        centre = _numbers(com, (3,), "centre of mass")
        tensor = _numbers(inertia, (3, 3), "inertia")
        weight = float(_numbers(mass, (), "mass"))
        object.__setattr__(self, "mass", weight)
        object.__setattr__(self, "com", tuple(centre.tolist()))
        object.__setattr__(self, "inertia", tuple(tuple(row) for row in tensor.tolist()))
        self.validate()

    @classmethod
    def as_stated(cls, mass: float, com: ArrayLike, inertia: ArrayLike) -> LinkInertia:
        """What a file states, whether a body can have it or not; :meth:`validate` finds out.

        Raises:
            WrongLength: a shape differs.
            KindMismatch: something is not a number.
            NotFinite: a number is NaN or infinite.

        >>> import numpy as np
        >>> import motionkit as mk
        >>> mk.LinkInertia.as_stated(-1.0, (0, 0, 0), np.zeros((3, 3))).mass
        -1.0
        """
        made = object.__new__(cls)
        object.__setattr__(made, "mass", float(_numbers(mass, (), "mass")))
        object.__setattr__(made, "com", tuple(_numbers(com, (3,), "centre of mass").tolist()))
        rows = _numbers(inertia, (3, 3), "inertia").tolist()
        object.__setattr__(made, "inertia", tuple(tuple(row) for row in rows))
        return made

    def validate(self, link: str = "") -> None:
        """Refuse what no body can have.

        Args:
            link: name of the link, for the message.

        Raises:
            InvalidInertia: the message has the rule and the principal moments.
        """
        name = f"link {link!r}" if link else "inertia"
        if self.mass < 0.0 or (self.mass == 0.0 and any(any(row) for row in self.inertia)):
            rule = "expected a positive mass, or 0 with no inertia at all"
            raise InvalidInertia(f"{name}: {rule}, got {self.mass:g} kg; correct the mass", link=link)
        rule = impossible(self.inertia)
        if rule:
            moments = ", ".join(f"{moment:.6g}" for moment in self.principal_moments().tolist())
            raise InvalidInertia(
                f"{name}: expected {rule}, got principal moments {moments} kg m^2; correct the tensor, which is about "
                "the centre of mass",
                link=link,
            )

    def matrix(self) -> NDArray[np.float64]:
        """The inertia tensor about the centre of mass as a (3, 3) array, kg m^2."""
        return np.array(self.inertia)

    def principal_moments(self) -> NDArray[np.float64]:
        """The three principal moments of inertia about the centre of mass, ascending, kg m^2."""
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = self.inertia
        return np.array(eigenvalues(xx, xy, xz, yy, yz, zz))

    @classmethod
    def cylinder(cls, mass: float, radius: float, start: Sequence[float], end: Sequence[float]) -> LinkInertia:
        """A solid cylinder from the centre of one end face to that of the other, both in the link's frame, m.

        Raises:
            DegenerateGeometry: the two ends are one point.

        >>> import motionkit as mk
        >>> mk.LinkInertia.cylinder(3.0, 0.1, (0, 0, 0), (0, 0, 1)).com
        (0.0, 0.0, 0.5)
        """
        a, b = _numbers(start, (3,), "start"), _numbers(end, (3,), "end")
        along = b - a
        square = float(np.sum(along * along))
        if square == 0.0:
            raise DegenerateGeometry("a cylinder needs two different end points", direction=(0.0, 0.0, 0.0))
        across = mass * (3.0 * radius * radius + square) / 12.0
        axial = 0.5 * mass * radius * radius
        return cls(mass, (a + b) / 2.0, across * np.eye(3) + (axial - across) / square * np.outer(along, along))


def impossible(tensor: Tensor) -> str:
    """The rule that a tensor about the centre of mass breaks, or nothing (Wensing et al., RA-L 3 (2018), 60-67)."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = tensor
    slack = TRIANGLE_TOLERANCE * (abs(xx) + abs(yy) + abs(zz))
    if max(abs(xy - yx), abs(xz - zx), abs(yz - zy)) > slack:
        return "a symmetric tensor"
    least, middle, most = eigenvalues(xx, xy, xz, yy, yz, zz)
    if least < -slack:
        return "no negative principal moment"
    if least + middle < most - slack:
        return "no principal moment above the sum of the other two"
    return ""


def turned_tensor(rotation: SO3, tensor: Tensor) -> Tensor:
    """The tensor in the axes that the rotation leads to: R I R^T, exactly symmetric when it was, exact when R is 1."""
    if rotation == SO3.identity():
        return tensor
    columns = [rotation * (tensor[0][j], tensor[1][j], tensor[2][j]) for j in range(3)]  # R I
    half = [rotation * (columns[0][i], columns[1][i], columns[2][i]) for i in range(3)]  # row i of (R I) R^T
    xx, yy, zz = float(half[0][0]), float(half[1][1]), float(half[2][2])
    xy, xz, yz = (0.5 * float(half[i][j] + half[j][i]) for i, j in ((0, 1), (0, 2), (1, 2)))
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def _numbers(values: ArrayLike, shape: tuple[int, ...], what: str) -> NDArray[np.float64]:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise KindMismatch(f"{what}: expected numbers of shape {shape}, got {values!r}") from error
    if array.shape != shape:
        raise WrongLength(f"{what}: expected numbers of shape {shape}, got {array.shape}")
    if not np.isfinite(array).all():
        raise NotFinite(f"{what}: every number must be finite, got {array.tolist()}")
    return array
