"""A point given twice raised an error about a parameter that must increase, or gave steps of nanoseconds."""

from __future__ import annotations

import numpy as np

import motionkit as mk


def test_equal_points_count_once() -> None:
    a, b, c = (mk.SE3.from_translation(p) for p in ([0, 0, 0], [1.0, 0, 0], [1.0, 1.0, 0]))
    twice = mk.Path([mk.Polyline([a, a, b, b, b, c, c])], blend=0.01)
    once = mk.Path([mk.Polyline([a, b, c])], blend=0.01)
    assert mk.Polyline([a, a, b, b, b, c, c]).merged == (1, 3, 4, 6)
    assert np.array_equal(twice.breaks, once.breaks)
    assert np.min(np.diff(twice.breaks)) > 0.01


def test_lines_that_go_nowhere_are_left_out_and_listed() -> None:
    a, b = mk.SE3.identity(), mk.SE3.from_translation([1.0, 0, 0])
    path = mk.Path([mk.Line(a, a), mk.Line(a, b), mk.Line(b, b)])
    assert path.skipped == (0, 2)
    assert path.breaks.tolist() == [0.0, 1.0]


def test_equal_configurations_count_once() -> None:
    q = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.5], [1.0, 0.5], [1.0, 2.0]])
    for twice, once in (
        (mk.JointPolyline(q, blend=0.01), mk.JointPolyline(q[[0, 2, 4]], blend=0.01)),
        (mk.JointSpline(q), mk.JointSpline(q[[0, 2, 4]])),
    ):
        assert np.array_equal(twice.breaks, once.breaks)
        assert np.min(np.diff(twice.breaks)) > 0.01
