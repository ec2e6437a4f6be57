"""Paths of lines, arcs and splines: where they go, and derivatives against central differences of one order less."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import motionkit as mk


def some_poses(rng: np.random.Generator, count: int) -> list[mk.SE3]:
    turns = 0.5 * rng.normal(size=(count, 3))
    return [mk.SE3(mk.SO3.exp(r), p) for r, p in zip(turns, rng.uniform(-0.5, 0.5, (count, 3)), strict=True)]


def mixed(rng: np.random.Generator, blend: float) -> mk.Path:
    a, b, c, d = some_poses(rng, 4)
    arc = mk.Arc.through(b, rng.uniform(-0.5, 0.5, 3), c)
    return mk.Path([mk.Line(a, b), arc, mk.Line(c, d)], blend=blend)


def inside(path: mk.Path, margin: float) -> np.ndarray:
    """Places that are not within a margin of a break."""
    s = np.linspace(0.0, path.length, 400)
    return s[np.min(np.abs(s[:, None] - path.breaks), axis=1) > margin]


@pytest.mark.parametrize("kind", ["mixed", "spline", "sharp"])
def test_derivatives_are_those_of_the_poses(kind: str) -> None:
    rng = np.random.default_rng(4)
    path = (
        mk.Path([mk.Spline(some_poses(rng, 6))]) if kind == "spline" else mixed(rng, 0.02 if kind == "mixed" else 0.0)
    )
    errors = []
    for h in (2e-4, 1e-4):
        s = inside(path, 1e-3)
        ahead, behind, here = path.poses(s + h), path.poses(s - h), path.poses(s)
        rate = np.empty((len(s), 6))
        rate[:, :3] = (ahead - behind)[:, :3, 3] / (2.0 * h)
        spin = (ahead - behind)[:, :3, :3] / (2.0 * h) @ here[:, :3, :3].transpose(0, 2, 1)
        rate[:, 3:] = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
        tool, later, earlier = path.tool(s), path.tool(s + h), path.tool(s - h)
        size = np.max(np.abs(tool), axis=(0, 1))
        own = [np.max(np.abs(rate - tool[:, :, 0])) / size[0]]
        for k in (1, 2):
            difference = (later - earlier)[:, :, k - 1] / (2.0 * h) - tool[:, :, k]
            own.append(np.max(np.abs(difference)) / max(size[k], 1.0))
        errors.append(own)
    print(kind, errors)
    # central differences are wrong by h^2 of two derivatives more: a quarter of it at half the step, and that is all
    # that may differ; the roundings of differences over 1e-4 are 1e-11
    for coarse, fine in zip(*errors, strict=True):
        assert fine < 0.3 * coarse + 1e-9
        assert fine < 2e-2


def test_the_parameter_is_the_length_of_the_way() -> None:
    rng = np.random.default_rng(5)
    for path in (mixed(rng, 0.02), mk.Path([mk.Spline(some_poses(rng, 5))])):
        speed = np.linalg.norm(path.tool(np.linspace(0.0, path.length, 300))[:, :3, 0], axis=1)
        assert np.max(np.abs(speed - 1.0)) < 1e-14  # by its definition
        at = path.poses(np.linspace(0.0, path.length, 20001))[:, :3, 3]
        chords = float(np.sum(np.linalg.norm(np.diff(at, axis=0), axis=1)))
        # chords are short by curvature^2 ds^2 / 24 of themselves, 1e-5 at a radius of 1 cm
        assert -1e-12 < path.length - chords < 1e-5


def test_arcs_pass_their_three_points() -> None:
    rng = np.random.default_rng(6)
    worst = 0.0
    for _ in range(100):
        start, end = mk.SE3.random(rng), mk.SE3.random(rng)
        via = rng.uniform(-1.0, 1.0, 3)
        arc = mk.Arc.through(start, via, end)
        path = mk.Path([arc])
        ends = path.poses([0.0, path.length]) - np.array([start.matrix(), end.matrix()])
        x = np.asarray(start.translation) - arc.centre
        y = np.cross(arc.axis, x)
        to = via - np.asarray(arc.centre)
        at = math.atan2(float(to @ y), float(to @ x)) % (2.0 * math.pi)
        passed = np.linalg.norm(path.poses([at * arc.radius])[0, :3, 3] - via)
        assert 0.0 < at < arc.angle  # on the way from start to end, not on the rest of the circle
        worst = max(worst, float(np.max(np.abs(ends))) / max(1.0, arc.radius), float(passed) / max(1.0, arc.radius))
    print("largest miss", worst)
    assert worst < 1e-12  # roundings of the centre: 1e-16 over the least sine at the via point, about 1e-3 here


@pytest.mark.parametrize("angle", [1e-3, math.pi, 2.0 * math.pi])
def test_arcs_by_centre(angle: float) -> None:
    start = mk.SE3(mk.SO3.from_rpy(0.3, 0.2, 0.1), [1.0, 0.5, 0.2])
    kept = mk.Arc.about(start, [0.0, 0.5, 7.0], [0.0, 0.0, 2.0], angle)
    turned = mk.Arc.about(start, [0.0, 0.5, 7.0], [0.0, 0.0, 2.0], angle, turn="arc")
    expected = [math.cos(angle), 0.5 + math.sin(angle), 0.2]
    assert np.allclose(kept.end.translation, expected, atol=1e-15, rtol=0)
    assert kept.end.rotation.angle_to(start.rotation) < 1e-15
    assert turned.end.rotation.angle_to(mk.SO3.exp([0, 0, angle]) * start.rotation) < 2e-15
    assert kept.length == pytest.approx(angle, rel=1e-15)
    assert mk.Path([turned]).tool([0.0])[0, 5, 0] == pytest.approx(1.0, rel=1e-15)


def test_splines_pass_their_poses_smoothly() -> None:
    rng = np.random.default_rng(7)
    poses = some_poses(rng, 8)
    path = mk.Path([mk.Spline(poses)])
    assert len(path.corners) == 0
    at = path.poses(path.breaks)
    assert np.max(np.abs(at - np.array([p.matrix() for p in poses]))) < 1e-14
    inner = path.breaks[1:-1]
    size = np.max(np.abs(path.tool(inner)), axis=(0, 1))
    jump = np.max(np.abs(path.tool(inner - 1e-13) - path.tool(inner)), axis=(0, 1)) / size
    print("jumps of the derivatives", jump)
    assert np.max(jump) < 1e-9  # 1e-13 on the way to the knot changes a third derivative by no more
    straight = mk.Path([mk.Spline([mk.SE3.from_translation([x, 0, 0]) for x in (0.0, 0.1, 0.7, 1.0)])])
    assert np.max(np.abs(straight.tool(np.linspace(0, straight.length, 50))[:, :, 1:])) < 1e-11


def test_corners_are_where_a_rate_jumps() -> None:
    a, b, c = (mk.SE3.from_translation(p) for p in ([0, 0, 0], [1.0, 0, 0], [2.0, 0, 0]))
    round_the_end = mk.Arc.about(c, [2.0, 1.0, 0.0], [0, 0, 1], 1.0)
    path = mk.Path([mk.Line(a, b), mk.Line(b, c), round_the_end])
    # the second line goes on as the first; on the arc the curvature jumps, and with it the acceleration
    assert [blend.reason for blend in path.blends] == ["smooth", "the tolerance is zero: the tool stops at the corner"]
    assert path.corners.tolist() == [2.0]
    assert path.owners.tolist() == [0, 1, 2]
    assert pickle.loads(pickle.dumps(path)).pose(2.5).translation == pytest.approx(path.pose(2.5).translation)


def test_what_is_not_on_the_path_is_refused() -> None:
    path = mk.Path([mk.Line(mk.SE3.identity(), mk.SE3.from_translation([1.0, 0, 0]))])
    with pytest.raises(mk.errors.CartesianError, match=r"from 0 to 1 m, got 1\.5"):
        path.pose(1.5)
    with pytest.raises(mk.errors.NotFinite):
        path.poses([0.1, math.nan])
    with pytest.raises(mk.errors.CartesianError, match=r"segment 1 begins 0\.5 m"):
        mk.Path([*path.segments, mk.Line(mk.SE3.from_translation([1.5, 0, 0]), mk.SE3.identity())])
    with pytest.raises(mk.errors.DegenerateGeometry, match="poses 1 and 2"):
        mk.Spline([mk.SE3.identity(), *(mk.SE3.from_translation([1.0, 0, 0]),) * 2])
