"""Joint paths: straight with rounded corners, and smooth through points; a control beside each."""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk


def test_corners_are_missed_by_what_is_reported() -> None:
    points = np.random.default_rng(1).normal(size=(6, 7))
    path = mk.JointPolyline(points, blend=0.02)
    q = path.joints(np.linspace(0.0, path.length, 20001))[:, :, 0]
    missed = [float(np.min(np.linalg.norm(q - p, axis=1))) for p in points[1:-1]]
    print("corners missed by", missed)
    assert np.allclose(path.deviations, 0.02, rtol=1e-12)
    assert np.allclose(missed, path.deviations, rtol=1e-3)  # places are 1e-3 apart
    size = np.max(np.abs(path.joints(np.linspace(0.0, path.length, 999))), axis=(0, 1))
    jump = np.max(np.abs(path.joints(path.breaks[1:-1] - 1e-13) - path.joints(path.breaks[1:-1])), axis=(0, 1))
    assert np.max(jump / size) < 1e-9
    sharp = mk.JointPolyline(points)
    control = np.abs(sharp.joints(sharp.breaks[1:-1] - 1e-13) - sharp.joints(sharp.breaks[1:-1]))
    assert np.max(control[:, :, 1]) > 0.5
    assert sharp.corners.tolist() == sharp.breaks[1:-1].tolist()


def test_derivatives_are_those_of_the_joints() -> None:
    points = np.random.default_rng(2).normal(size=(5, 3))
    for path in (mk.JointPolyline(points, blend=0.1), mk.JointSpline(points)):
        s = np.linspace(0.0, path.length, 300)
        s = s[np.min(np.abs(s[:, None] - path.breaks), axis=1) > 1e-3]
        here, ahead, behind = path.joints(s), path.joints(s + 1e-5), path.joints(s - 1e-5)
        for k in (1, 2, 3):
            size = np.max(np.abs(here[:, :, k]))
            error = np.max(np.abs((ahead - behind)[:, :, k - 1] / 2e-5 - here[:, :, k])) / size
            assert error < 1e-6  # h^2 of two derivatives more, and roundings of 1e-16 / h


def test_splines_are_smooth_and_keep_straight_lines() -> None:
    points = np.random.default_rng(3).normal(size=(9, 6))
    path = mk.JointSpline(points)
    assert np.max(np.abs(path.joints(path.breaks)[:, :, 0] - points)) < 1e-13
    inner = path.breaks[1:-1]
    assert np.max(np.abs(path.joints(inner - 1e-14) - path.joints(inner))) < 1e-9
    assert np.max(np.abs(path.joints([0.0, path.length])[:, :, 3])) < 1e-10
    two = mk.JointSpline(points[:2])
    assert np.max(np.abs(two.joints([0.0, 0.5 * two.length])[:, :, 2:])) < 1e-12
    three = mk.JointSpline([[0.0], [1.0], [3.0]])  # a parabola: 0 and 1 and 3 over 0, 1 and 3, so the line
    assert np.max(np.abs(three.joints([0.5, 2.0])[:, 0, 0] - [0.5, 2.0])) < 1e-13
    line = mk.JointSpline(np.outer([0.0, 0.1, 0.7, 1.0], [1.0, -2.0]))
    assert np.max(np.abs(line.joints(np.linspace(0.0, line.length, 50))[:, :, 2:])) < 1e-9


def test_what_is_no_path_is_refused() -> None:
    with pytest.raises(mk.errors.NotEnoughSamples):
        mk.JointPolyline([[1.0, 2.0], [1.0, 2.0]])
    with pytest.raises(mk.errors.NotFinite):
        mk.JointSpline([[1.0, np.nan], [1.0, 2.0]])
    with pytest.raises(mk.errors.WrongLength, match="corner"):
        mk.JointPolyline([[0.0], [1.0]], blend=[0.1])
    with pytest.raises(mk.errors.BlendRefused, match="legs 0 and 1"):
        mk.JointPolyline([[0.0], [1.0], [0.0]], blend=0.1)
    with pytest.raises(mk.errors.CartesianError, match="from 0 to 1"):
        mk.JointPolyline([[0.0], [1.0]]).joints([1.1])
