"""A path that goes back the way it came raised an exception from inside the blending, or lost the corner."""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk


def there_and_back() -> mk.Polyline:
    a, b = mk.SE3.identity(), mk.SE3.from_translation([1.0, 0, 0])
    return mk.Polyline([a, b, a])


def test_a_reversal_stops() -> None:
    path = mk.Path([there_and_back()])
    assert path.corners.tolist() == [1.0]
    assert list(path.pose(1.0).translation) == [1.0, 0.0, 0.0]
    assert mk.JointPolyline([[0.0], [1.0], [0.0]]).corners.tolist() == [1.0]


def test_a_blend_there_is_refused_with_both_sides() -> None:
    with pytest.raises(mk.errors.BlendRefused, match="segments 0 and 1: the tool turns back"):
        mk.Path([there_and_back()], blend=0.01)


def test_nearly_back_is_rounded() -> None:
    a, b, c = (mk.SE3.from_translation(p) for p in ([0, 0, 0], [1.0, 0, 0], [0.0, 0.02, 0]))
    path = mk.Path([mk.Polyline([a, b, c])], blend=0.01)
    assert path.blends[0].deviation <= 0.01
    assert np.all(np.isfinite(path.tool(np.linspace(0.0, path.length, 500))))
