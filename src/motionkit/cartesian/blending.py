"""Rounding a corner between two pieces of a tool path: geometry only, no time.

The corner is cut out at the same distance before and behind it and replaced by the polynomial of the seventh degree
that meets both pieces there in position, rotation and three derivatives. Rotations are vectors in the tangent space of
the corner's rotation, in which pieces that turn about one axis are straight, so position and rotation are one curve.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import BlendRefused
from ..kernels import septic
from ..kernels._batch import run_rows
from ._pieces import Piece, curved, motions, pose_of
from .line import LineTolerance

FloatArray = NDArray[np.float64]

PLACES = np.arange(129) / 128.0  # where a blend is measured; the middle, where a symmetric one is worst, is among them
REVERSAL = 1e-3  # half the tangents' sum below which the tool turns back: the curve would have a cusp
SMOOTH = 1e-9  # what rates may differ by, of their size, where pieces meet without a corner: rounding
AIM, CLOSEST = 0.998, 0.99  # of the tolerance; what is left covers what lies between the places measured


@dataclass(frozen=True, slots=True)
class Blend:
    """What was done at the end of a segment.

    Attributes:
        corner: index of the segment that ends there.
        done: whether the corner was rounded; where it was not, the tool passes it exactly.
        reason: why not; empty where it was.
        zone: arc length cut off on either side, m.
        deviation: largest distance from the corner's two legs, matched place by place, m: so the blend is nowhere
            further from them, nor they from it.
        deviation_rotation: largest angle, rad.
    """

    corner: int
    done: bool
    reason: str
    zone: float = 0.0
    deviation: float = 0.0
    deviation_rotation: float = 0.0


def rates(piece: Piece, u: float) -> FloatArray:
    """Position and rotation by arc length at a fraction of a steady piece: p', w, p'', w', p''', w'' as (3, 6)."""
    h = np.array([piece.length, piece.length**2, piece.length**3])
    return motions(piece.row[None], np.array([u]))[0, 12:].reshape(3, 6) / h[:, None]


def smooth(before: Piece, behind: Piece) -> bool:
    """Whether two steady pieces meet with the same rates and derivatives of them, to the third order."""
    if not before.steady or not behind.steady:
        return False
    a, b = rates(before, 1.0), rates(behind, 0.0)
    size = 1.0 + np.maximum(np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1))[:, None]
    return bool(np.all(np.abs(a - b) <= SMOOTH * size))


def blend(
    before: Piece, behind: Piece, tolerance: LineTolerance, strict: bool, corner: int
) -> tuple[Piece, float, Blend]:
    """The largest rounding within a tolerance, the zone it takes on both sides, and what was done.

    Raises:
        BlendRefused: the tool turns back at the corner, only turns on one side of it, one side is a spline, or, when
            strict, the tolerance would allow more than half of a segment.
    """
    where = f"blend between segments {corner} and {corner + 1}"
    if not before.steady or not behind.steady:
        raise BlendRefused(f"{where}: a spline has no rate that a blend could continue; put a line between")
    a, b = rates(before, 1.0), rates(behind, 0.0)
    if min(float(np.linalg.norm(a[0, :3])), float(np.linalg.norm(b[0, :3]))) < 0.5:
        raise BlendRefused(f"{where}: the tool only turns on one side of the corner; leave the blend out there")
    if float(np.linalg.norm(a[0, :3] + b[0, :3])) < 2.0 * REVERSAL:
        raise BlendRefused(f"{where}: the tool turns back at the corner and has to stop; leave the blend out there")
    most = 0.5 * min(before.length, behind.length)
    zone, low, high = most, 0.0, most
    piece, off = _rounded(before, behind, zone)
    share = _share(off, tolerance)
    if share <= 1.0 and strict:
        raise BlendRefused(
            f"{where}: rounding by {off[0]:.3g} m takes half of the shorter one already, and the tolerance of "
            f"{tolerance.position:.3g} m would take more; lower it below that"
        )
    while share > 1.0 or (zone < most and share < CLOSEST):
        if share > 1.0:
            high = zone
        else:
            low = zone
        # between lines the deviation is in proportion to the zone; anywhere else halving gets there too
        guess = zone * AIM / share
        zone = guess if low < guess < high else 0.5 * (low + high)
        piece, off = _rounded(before, behind, zone)
        share = _share(off, tolerance)
        if high - low < 1e-3 * high and share <= 1.0:
            break
    reason = "half of a segment is cut off" if zone == most else ""
    return piece, zone, Blend(corner, True, reason, zone, float(off[0]), float(off[1]))


def _share(off: FloatArray, tolerance: LineTolerance) -> float:
    return max(float(off[0]) / tolerance.position, float(off[1]) / tolerance.rotation)


def _rounded(before: Piece, behind: Piece, zone: float) -> tuple[Piece, FloatArray]:
    """The curve that replaces so much of both pieces, and its largest distance and angle from them."""
    u_in, u_out = 1.0 - zone / before.length, zone / behind.length
    corner = pose_of(motions(behind.row[None], np.zeros(1))[0]).rotation
    ends: list[FloatArray] = []
    for piece, u, side in ((before, u_in, -1.0), (behind, u_out, 1.0)):
        rate = rates(piece, u)
        state = np.zeros((6, 4))
        state[:3, 0] = motions(piece.row[None], np.array([u]))[0, 9:12]
        state[:3, 1:] = rate[:, :3].T
        state[3:, 0] = side * zone * rate[0, 3:]
        state[3:, 1] = rate[0, 3:]
        ends.append(state.reshape(1, -1))
    out = np.empty((1, 48))
    run_rows(septic.fit, ends[0], ends[1], np.array([2.0 * zone]), out)
    curve = out.reshape(6, 8)
    piece = curved(curve[:3], curve[3:], corner, 2.0 * zone)
    new = motions(np.broadcast_to(piece.row, (len(PLACES), len(piece.row))), PLACES)
    early = PLACES <= 0.5
    rows = np.where(early[:, None], before.row, behind.row)
    u = np.where(early, 1.0 - (1.0 - 2.0 * PLACES) * zone / before.length, (2.0 * PLACES - 1.0) * zone / behind.length)
    old = motions(rows, u)
    distance = np.linalg.norm(new[:, 9:12] - old[:, 9:12], axis=1)
    # the Frobenius norm of the difference of two rotations is sqrt(8) times the sine of half the angle between them
    chord = np.linalg.norm(new[:, :9] - old[:, :9], axis=1) / np.sqrt(8.0)
    return piece, np.array([np.max(distance), 2.0 * np.arcsin(min(1.0, float(np.max(chord))))])
