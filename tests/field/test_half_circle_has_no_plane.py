"""A half circle failed: its start, centre and end are in line, and three such points have no plane."""

from __future__ import annotations

import math

import pytest

import motionkit as mk


def test_half_circles() -> None:
    start, end = mk.SE3.identity(), mk.SE3.from_translation([2.0, 0.0, 0.0])
    arc = mk.Arc.through(start, [1.0, 1.0, 0.0], end)
    assert (arc.radius, arc.angle) == pytest.approx((1.0, math.pi), rel=1e-15)
    by_centre = mk.Arc.about(start, [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], math.pi)
    assert by_centre.end.translation == pytest.approx((2.0, 0.0, 0.0), abs=1e-15)
    assert mk.Path([by_centre]).pose(math.pi / 2).translation == pytest.approx((1.0, 1.0, 0.0), abs=1e-15)


@pytest.mark.parametrize("via", [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 1e-9, 0.0]])
def test_points_in_a_line_are_refused_with_the_three(via: list[float]) -> None:
    with pytest.raises(mk.errors.CollinearArc, match=r"start \[0, 0, 0\], via .*, end \[2, 0, 0\]"):
        mk.Arc.through(mk.SE3.identity(), via, mk.SE3.from_translation([2.0, 0.0, 0.0]))


def test_ends_at_one_place_are_refused() -> None:
    with pytest.raises(mk.errors.CollinearArc, match="full or half circle by its centre"):
        mk.Arc.through(mk.SE3.identity(), [1.0, 0.0, 0.0], mk.SE3.identity())
