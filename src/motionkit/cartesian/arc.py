"""Arcs of circles as tool paths, through a point or about an axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import CollinearArc, NotFinite, WrongLength
from ..spatial import SE3, SO3
from ._pieces import Piece, circular, motions, pose_of

FloatArray = NDArray[np.float64]

COLLINEAR = 1e-6  # least sine at the via point: below it the radius is wrong by more than 1e-9 of it for doubles


@dataclass(frozen=True, slots=True)
class Arc:
    """A part of a circle; the tool turns about one axis, at a constant rate, on the way.

    Attributes:
        start: pose of the tool in the base at its start.
        end: pose at its end.
        centre: of the circle, (3,), m.
        axis: unit vector about which the tool goes round, right-handed, (3,).
        radius: m.
        angle: that it goes round, rad, above 0 and at most 2 pi.
        turn: rotation vector from the rotation of the start to that of the end, base axes, (3,), rad.
    """

    start: SE3
    end: SE3
    centre: tuple[float, float, float]
    axis: tuple[float, float, float]
    radius: float
    angle: float
    turn: tuple[float, float, float]

    @classmethod
    def through(cls, start: SE3, via: FloatArray | Sequence[float], end: SE3) -> Arc:
        """The arc from a pose through a point to a pose; the rotation takes the shortest turn between the ends.

        Three points on a line are refused, also where the via point is between the others: the circle through them
        has no radius. Points with the start and the end at one place are refused too; a full circle is :meth:`about`.

        Args:
            start: pose in the base.
            via: (3,), m, in the base.
            end: pose in the base.

        Raises:
            CollinearArc: the points are on one line, or two of them are equal.
            NotFinite: a number is not finite.
            WrongLength: the via point is not three numbers.

        >>> import motionkit as mk
        >>> arc = mk.Arc.through(mk.SE3.identity(), [1.0, 1.0, 0.0], mk.SE3.from_translation([2.0, 0.0, 0.0]))
        >>> round(arc.radius, 12), round(arc.angle / 3.141592653589793, 12)
        (1.0, 1.0)
        """
        a, b, c = np.asarray(start.translation), _point("via", via), np.asarray(end.translation)
        first, second = b - a, c - b
        normal = np.cross(first, second)
        size = float(np.linalg.norm(normal))
        product = float(np.linalg.norm(first) * np.linalg.norm(second))
        chord = c - a
        if size <= COLLINEAR * product or float(np.linalg.norm(chord)) <= COLLINEAR * math.sqrt(product):
            raise CollinearArc(
                f"arc: expected three points that define a circle, got start {_show(a)}, via {_show(b)}, end "
                f"{_show(c)}, a triangle of {0.5 * size:.3g} m^2; move the via point off the line, make the move a "
                "line, or give a full or half circle by its centre and axis"
            )
        axis = normal / size
        # from the start: half the chord, and the way to the centre across it
        lever = float(first @ second) / size
        centre = 0.5 * (a + c) + 0.5 * lever * np.cross(axis, chord)
        # an angle at the circle is half of that at the centre, on the other side of the chord
        angle = 2.0 * math.pi - 2.0 * math.atan2(size, float(-first @ second))
        return cls._made(start, end, centre, axis, angle, _shortest(start.rotation, end.rotation))

    @classmethod
    def about(
        cls,
        start: SE3,
        centre: FloatArray | Sequence[float],
        axis: FloatArray | Sequence[float],
        angle: float,
        *,
        turn: str = "keep",
    ) -> Arc:
        """The arc from a pose round an axis, up to a full circle.

        Args:
            start: pose in the base.
            centre: any point of the axis, (3,), m, in the base.
            axis: direction, (3,), of any length; the tool goes round it right-handed.
            angle: rad, above 0 and at most 2 pi.
            turn: ``"keep"`` the rotation of the start, or turn the tool with the ``"arc"``.

        Raises:
            CollinearArc: the start is on the axis, the axis is zero, or the angle is none of an arc.
            NotFinite: a number is not finite.
            WrongLength: a vector is not three numbers.

        >>> import motionkit as mk
        >>> arc = mk.Arc.about(mk.SE3.from_translation([1.0, 0, 0]), [0, 0, 0], [0, 0, 1], 3.0)
        >>> round(float(arc.end.translation[1]), 6)
        0.14112
        """
        a, c, direction = np.asarray(start.translation), _point("centre", centre), _point("axis", axis)
        if not math.isfinite(angle):
            raise NotFinite(f"angle: expected a finite number of radians, got {angle}")
        size = float(np.linalg.norm(direction))
        if not 0.0 < angle <= 2.0 * math.pi:
            raise CollinearArc(f"angle: expected radians above 0 and at most 2 pi, got {angle}; reverse the axis")
        if size == 0.0:
            raise CollinearArc("axis: expected a direction, got a zero vector")
        unit = direction / size
        foot = c + unit * float(unit @ (a - c))
        if float(np.linalg.norm(a - foot)) <= 1e-12 * max(1.0, float(np.linalg.norm(a))):
            raise CollinearArc(f"arc: expected a start away from the axis, got {_show(a)} on it")
        if turn not in ("keep", "arc"):
            raise CollinearArc(f"turn: expected 'keep' or 'arc', got {turn!r}")
        spin = angle * unit if turn == "arc" else np.zeros(3)
        arc = cls._made(start, start, foot, unit, angle, spin)
        end = pose_of(motions(arc.pieces()[0].row[None], np.ones(1))[0])
        return cls._made(start, end, foot, unit, angle, spin)

    @classmethod
    def _made(cls, start: SE3, end: SE3, centre: FloatArray, axis: FloatArray, angle: float, spin: FloatArray) -> Arc:
        radius = float(np.linalg.norm(np.asarray(start.translation) - centre))
        return cls(start, end, _three(centre), _three(axis), radius, angle, _three(spin))

    @property
    def length(self) -> float:
        """Of the way of the tool, m."""
        return self.radius * self.angle

    def pieces(self) -> list[Piece]:
        """What a :class:`Path` is made of."""
        x = np.asarray(self.start.translation) - np.asarray(self.centre)
        y = np.cross(np.asarray(self.axis), x)
        return [circular(np.asarray(self.centre), x, y, self.angle, self.start.rotation, np.asarray(self.turn))]


def _three(v: FloatArray) -> tuple[float, float, float]:
    return (float(v[0]), float(v[1]), float(v[2]))


def _shortest(a: SO3, b: SO3) -> FloatArray:
    return np.zeros(3) if a == b else np.asarray((b * a.inverse()).log())


def _point(name: str, value: FloatArray | Sequence[float]) -> FloatArray:
    v = np.asarray(value, dtype=np.float64)
    if v.shape != (3,):
        raise WrongLength(f"{name}: expected three numbers, got {v.shape}")
    if not np.all(np.isfinite(v)):
        raise NotFinite(f"{name}: expected finite numbers, got {v.tolist()}")
    return v


def _show(v: FloatArray) -> str:
    return "[" + ", ".join(f"{x:.6g}" for x in v) + "]"
