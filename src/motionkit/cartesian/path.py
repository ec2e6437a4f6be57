"""A tool path of lines, arcs and splines in one, by its arc length, with corners rounded where that was asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..errors import CartesianError, InvalidLimits, NotEnoughSamples, NotFinite, WrongLength
from ..spatial import SE3
from ._arc_length import ArcLength
from ._pieces import Piece, motions, pose_of
from .arc import Arc
from .blending import Blend, blend, smooth
from .line import Line, LineTolerance
from .spline import Polyline, Spline

FloatArray = NDArray[np.float64]

JOINED = 1e-9  # m and rad between the end of a segment and the start of the next: rounding of poses that were composed


class Path:
    """Where the tool goes, as a function of the length of its way; no joints and no time.

    Between its ``breaks`` the path has continuous derivatives of every order. At the ``corners`` the tangent, the
    curvature or the turn rate jumps: a tool can pass them only at rest, or with unlimited acceleration or jerk.
    A segment on which the tool only turns counts its radians as metres.

    Args:
        segments: lines, arcs, polylines and splines; each begins where the one before it ends.
        blend: how far the tool may be from a corner, m, for all corners or one number for each of them (between
            segments; a polyline is as many segments as it has lines); 0 passes the corner exactly.
        blend_rotation: how far its rotation may be, rad.
        strict: refuse a blend whose tolerance allows more than half of a segment, instead of rounding by less.

    Raises:
        BlendRefused: a corner that cannot be rounded: the tool turns back, or one side is a spline.
        CartesianError: a segment does not begin where the one before it ends.
        NotEnoughSamples: no segment has any length.
        InvalidLimits: a tolerance is negative.
        NotFinite: a tolerance is not finite.
        WrongLength: as many tolerances as corners were expected.

    >>> import motionkit as mk
    >>> a, b, c = (mk.SE3.from_translation(p) for p in ([0, 0, 0], [1.0, 0, 0], [1.0, 1.0, 0]))
    >>> path = mk.Path([mk.Polyline([a, b, c])], blend=0.01)
    >>> round(path.length, 3), path.blends[0].done, path.blends[0].deviation <= 0.01
    (1.989, True, True)
    """

    __slots__ = ("_arc", "blends", "breaks", "corners", "length", "owners", "segments", "skipped")

    segments: tuple[Line | Arc | Spline, ...]
    """The segments, polylines taken apart and those of no length left out."""
    skipped: tuple[int, ...]
    """Indices, among the segments as given and taken apart, of those without length and turn."""
    blends: tuple[Blend, ...]
    """What was done at each corner."""
    length: float
    """Of the way, m."""
    breaks: FloatArray
    """Arc lengths of the ends of pieces, (m,), both ends of the path included."""
    corners: FloatArray
    """Those of them that can only be passed at rest, (k,), without the ends."""
    owners: NDArray[np.intp]
    """Index of the segment of each piece between breaks, (m - 1,); a blend belongs to the segment before it."""

    def __init__(
        self,
        segments: Sequence[Line | Arc | Polyline | Spline],
        *,
        blend: float | Sequence[float] = 0.0,
        blend_rotation: float = math.radians(5.0),
        strict: bool = False,
    ) -> None:
        flat: list[Line | Arc | Spline] = []
        skipped: list[int] = []
        for segment in segments:
            for part in segment.segments() if isinstance(segment, Polyline) else [segment]:
                if isinstance(part, Line) and part.length == 0.0 and part.turn == 0.0:
                    skipped.append(len(flat) + len(skipped))
                else:
                    flat.append(part)
        if not flat:
            raise NotEnoughSamples("path: expected a segment of some length, got none")
        tolerances = _tolerances(blend, len(flat) - 1)
        if not math.isfinite(blend_rotation) or blend_rotation <= 0.0:
            raise InvalidLimits(f"blend_rotation: expected radians above 0, got {blend_rotation}")
        groups = [segment.pieces() for segment in flat]
        _refuse_gaps(groups)
        pieces: list[Piece] = []
        owners: list[int] = []
        stops: list[int] = []  # breaks, by number of the piece before, where the tool has to stop
        blends: list[Blend] = []
        spent = 0.0
        for k, group in enumerate(groups):
            last = k == len(groups) - 1
            keep, rounded = 0.0, None
            if not last:
                tolerance = LineTolerance(tolerances[k], blend_rotation)
                rounded, keep = _corner(group[-1], groups[k + 1][0], tolerance, strict, k, blends)
            own = list(group)
            if spent > 0.0 or keep > 0.0:
                own = [_remainder(group[0], spent, keep)]
            pieces += [piece for piece in own if piece.length > 0.0]
            owners += [k] * (len(pieces) - len(owners))
            if rounded is not None:
                pieces.append(rounded)
                owners.append(k)
            elif not last and blends[-1].reason != "smooth":
                stops.append(len(pieces))
            spent = keep
        self.segments = tuple(flat)
        self.skipped = tuple(skipped)
        self.blends = tuple(blends)
        self._arc = ArcLength(pieces)
        self.breaks = self._arc.ends
        self.length = float(self.breaks[-1])
        self.corners = self.breaks[np.array(stops, dtype=np.intp)]
        self.owners = np.array(owners, dtype=np.intp)
        for array in (self.breaks, self.corners, self.owners):
            array.flags.writeable = False

    def pose(self, s: float) -> SE3:
        """Pose of the tool in the base at an arc length from 0 to :attr:`length`.

        Raises:
            CartesianError: the arc length is not on the path.
            NotFinite: it is not finite.
        """
        return pose_of(self._arc.motion(self._within(s))[0])

    def poses(self, s: FloatArray | Sequence[float]) -> FloatArray:
        """Poses at arc lengths (T,): (T, 4, 4). See :meth:`pose`."""
        motion = self._arc.motion(self._within(s))
        out = np.zeros((len(motion), 4, 4))
        out[:, :3, :3] = motion[:, :9].reshape(-1, 3, 3)
        out[:, :3, 3] = motion[:, 9:12]
        out[:, 3, 3] = 1.0
        return out

    def tool(self, s: FloatArray | Sequence[float]) -> FloatArray:
        """Derivatives by arc length at arc lengths (T,): (T, 6, 3).

        Rows are the linear and the angular rate of the tool in base axes, as in a twist whose reference point is the
        tool; columns the rate and its first and second derivative. At a break those of the piece behind it.
        """
        motion = self._arc.motion(self._within(s))
        return np.ascontiguousarray(motion[:, 12:].reshape(-1, 3, 6).transpose(0, 2, 1))

    def _within(self, s: float | FloatArray | Sequence[float]) -> FloatArray:
        along = np.atleast_1d(np.asarray(s, dtype=np.float64))
        if along.ndim != 1:
            raise WrongLength(f"s: expected a list of arc lengths, got an array of shape {along.shape}")
        if not np.all(np.isfinite(along)):
            raise NotFinite(f"s: expected finite arc lengths, got {along[~np.isfinite(along)][0]}")
        outside = np.flatnonzero((along < 0.0) | (along > self.length))
        if len(outside):
            raise CartesianError(
                f"s: expected arc lengths from 0 to {self.length:.9g} m, got {along[outside[0]]:.9g} at {outside[0]}",
                distance=float(along[outside[0]]),
            )
        return along

    def __repr__(self) -> str:
        return f"<Path of {len(self.segments)} segments, {self.length:.6g} m>"


def _tolerances(blend: float | Sequence[float], corners: int) -> list[float]:
    values = np.asarray(blend, dtype=np.float64)
    if not np.all(np.isfinite(values)):
        raise NotFinite(f"blend: expected finite tolerances in metres, got {values.tolist()}")
    if np.any(values < 0.0):
        raise InvalidLimits(f"blend: expected metres, zero or more, got {values.tolist()}")
    if values.ndim == 0:
        values = np.full(corners, float(values))
    if values.shape != (corners,):
        raise WrongLength(f"blend: expected one tolerance or one for each of {corners} corners, got {values.shape}")
    return values.tolist()


def _corner(
    before: Piece, behind: Piece, tolerance: LineTolerance, strict: bool, corner: int, blends: list[Blend]
) -> tuple[Piece | None, float]:
    """The piece that rounds a corner and how much of both sides it takes; what was done goes onto the list."""
    if smooth(before, behind):
        blends.append(Blend(corner, False, "smooth"))
        return None, 0.0
    if tolerance.position == 0.0:
        blends.append(Blend(corner, False, "the tolerance is zero: the tool stops at the corner"))
        return None, 0.0
    piece, zone, done = blend(before, behind, tolerance, strict, corner)
    blends.append(done)
    return piece, zone


def _remainder(piece: Piece, front: float, back: float) -> Piece:
    """A steady piece without so much of both its ends; of no length where the blends meet in its middle."""
    low, high = front / piece.length, 1.0 - back / piece.length
    if high - low <= 1e-12:
        return Piece(piece.row, 0.0, True, piece.spin)
    return piece.part(low, high)


def _refuse_gaps(groups: list[list[Piece]]) -> None:
    for k, (before, behind) in enumerate(pairwise(groups)):
        rows = np.array([before[-1].row, behind[0].row])
        ends = motions(rows, np.array([1.0, 0.0]))
        gap = float(np.linalg.norm(ends[0, 9:12] - ends[1, 9:12]))
        turn = pose_of(ends[0]).rotation.angle_to(pose_of(ends[1]).rotation)
        if gap > JOINED or turn > JOINED:
            raise CartesianError(
                f"path: segment {k + 1} begins {gap:.3g} m and {turn:.3g} rad from where segment {k} ends; segments "
                "must follow each other",
                distance=gap,
            )
