"""Rounded corners: how far from the corner, how smooth at their ends, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motionkit as mk


def corner(angle: float, turn: float = 0.0) -> list[mk.SE3]:
    """Three poses whose two legs of 1 m have ``angle`` between their directions."""
    ends = ([-1.0, 0, 0], [0, 0, 0], [math.cos(angle), math.sin(angle), 0])
    return [mk.SE3(mk.SO3.exp([turn * k, 0.3 * turn * k * k, 0]), p) for k, p in enumerate(ends)]


@pytest.mark.parametrize("turn", [0.0, 0.4])
@pytest.mark.parametrize("angle", [0.02, 0.5, math.pi / 2, 3.0])
def test_deviation_is_within_the_tolerance(angle: float, turn: float) -> None:
    poses = corner(angle, turn)
    tolerance = 1e-3
    path = mk.Path([mk.Polyline(poses)], blend=tolerance)
    done = path.blends[0]
    s = np.linspace(path.breaks[1], path.breaks[2], 4001)
    at = path.poses(s)[:, :3, 3]
    missed = float(np.min(np.linalg.norm(at, axis=1)))  # the corner is the origin
    legs = np.minimum(
        np.linalg.norm(at[:, 1:], axis=1),
        np.linalg.norm(np.cross(at, [math.cos(angle), math.sin(angle), 0.0]), axis=1),
    )
    print(f"{angle}: corner missed by {missed:.3e} m, legs by {np.max(legs):.3e}, reported {done.deviation:.3e}")
    assert done.done
    assert missed <= tolerance
    assert np.max(legs) <= tolerance
    assert missed == pytest.approx(done.deviation, rel=1e-6)  # the middle is the nearest and is measured
    # closed form of the middle: 5/32 of the zone times the length of the difference of the unit tangents
    assert done.deviation == pytest.approx(0.15625 * done.zone * 2.0 * math.sin(angle / 2), rel=1e-9)
    if "half" not in done.reason:
        assert done.deviation > 0.99 * tolerance  # as large as the tolerance allows


def test_rotation_has_a_tolerance_of_its_own() -> None:
    poses = corner(0.1, 0.8)
    path = mk.Path([mk.Polyline(poses)], blend=0.1, blend_rotation=0.01)
    assert 0.0099 < path.blends[0].deviation_rotation <= 0.01
    at = path.poses(np.linspace(path.breaks[1], path.breaks[2], 501))
    angle = min(mk.SO3.from_matrix(T[:3, :3]).angle_to(poses[1].rotation) for T in at)
    assert angle <= 0.01


def test_three_derivatives_are_continuous() -> None:
    poses = corner(1.0, 0.4)
    path = mk.Path([mk.Polyline(poses)], blend=0.01)
    sharp = mk.Path([mk.Polyline(poses)])
    size = np.max(np.abs(path.tool(np.linspace(0.0, path.length, 500))), axis=(0, 1))
    ends = path.breaks[1:-1]
    jump = np.max(np.abs(path.tool(ends - 1e-13) - path.tool(ends)), axis=(0, 1)) / size
    control = np.max(np.abs(sharp.tool([1.0 - 1e-13])[:, :, 0] - sharp.tool([1.0])[:, :, 0]))
    print("jumps, of the largest in the blend:", jump, "without a blend:", control)
    assert np.max(jump) < 1e-9  # roundings magnified by the cube of the zone's inverse
    assert control > 0.5
    assert len(path.corners) == 0
    assert len(sharp.corners) == 1


def test_the_price_of_smoothness_is_a_tighter_bend() -> None:
    """The control is the fillet of the same deviation, whose curvature jumps at both ends."""
    path = mk.Path([mk.Polyline(corner(math.pi / 2))], blend=1e-3)
    bend = np.linalg.norm(path.tool(np.linspace(path.breaks[1], path.breaks[2], 2001))[:, :3, 1], axis=1)
    done = path.blends[0]
    radius = done.deviation / (math.sqrt(2.0) - 1.0)
    print(
        f"zone {done.zone:.4e} m, fillet {radius:.4e} m; largest curvature {np.max(bend) * radius:.3f} of the fillet's"
    )
    assert bend[0] < 1e-6 * np.max(bend)
    assert bend[-1] < 1e-6 * np.max(bend)
    assert 1.0 < np.max(bend) * radius < 2.0


def test_lines_into_arcs() -> None:
    """A tangent corner has a jump of the curvature only, which is rounded too."""
    start = mk.SE3.from_translation([0.3, 0, 0])
    arc = mk.Arc.about(start, [0.3, 0.1, 0.0], [0, 0, 1], math.pi)
    path = mk.Path([mk.Line(mk.SE3.identity(), start), arc], blend=1e-4)
    done = path.blends[0]
    at = path.poses(np.linspace(path.breaks[1], path.breaks[2], 2001))[:, :3, 3]
    off = np.where(at[:, 0] < 0.3, np.abs(at[:, 1]), np.abs(np.hypot(at[:, 0] - 0.3, at[:, 1] - 0.1) - 0.1))
    print("zone", done.zone, "deviation", done.deviation, "distance from line and arc", np.max(off))
    assert done.done
    assert np.max(off) <= done.deviation * (1.0 + 1e-3) <= 1e-4 * (1.0 + 1e-3)
    third = path.tool(path.breaks[1:-1] - 1e-13) - path.tool(path.breaks[1:-1])
    assert np.max(np.abs(third) / np.max(np.abs(path.tool(np.linspace(0, path.length, 300))), axis=(0, 1))) < 1e-9


def test_zones_do_not_overlap() -> None:
    """Tolerances that would allow more than half of a segment take half, and say so; strict ones are refused."""
    steps = [mk.SE3.from_translation([0.1 * ((k + 1) // 2), 0.1 * (k // 2), 0]) for k in range(6)]
    path = mk.Path([mk.Polyline(steps)], blend=1.0)
    assert all(b.done and b.reason == "half of a segment is cut off" for b in path.blends)
    assert np.allclose([b.zone for b in path.blends], 0.05)
    assert np.all(np.diff(path.breaks) > 1e-3)  # nothing of no length is left between zones that meet
    assert len(path.corners) == 0
    with pytest.raises(mk.errors.BlendRefused, match="segments 0 and 1"):
        mk.Path([mk.Polyline(steps)], blend=1.0, strict=True)


def test_what_cannot_be_rounded_names_both_sides() -> None:
    a, b = mk.SE3.identity(), mk.SE3.from_translation([1.0, 0, 0])
    turned = mk.SE3(mk.SO3.from_rpy(0, 0, 1.0), [1.0, 0, 0])
    further = mk.SE3.from_translation([2.0, 1.0, 0])
    with pytest.raises(mk.errors.BlendRefused, match="segments 0 and 1: the tool only turns"):
        mk.Path([mk.Line(a, b), mk.Line(b, turned)], blend=0.01)
    with pytest.raises(mk.errors.BlendRefused, match="segments 0 and 1: a spline"):
        mk.Path([mk.Line(a, b), mk.Spline([b, further])], blend=0.01)
    with pytest.raises(mk.errors.InvalidLimits, match="zero or more"):
        mk.Path([mk.Line(a, b)], blend=-0.01)
    with pytest.raises(mk.errors.WrongLength, match="1 corners"):
        mk.Path([mk.Line(a, b), mk.Line(b, further)], blend=[0.01, 0.01])
