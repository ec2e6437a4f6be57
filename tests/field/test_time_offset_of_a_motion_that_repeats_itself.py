"""A wave of the arm to and fro gives a time offset that is a whole period wrong, and no word of it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motionkit as mk


def wave(t: float) -> mk.SE3:
    return mk.SE3.from_rotation(mk.SO3.from_rpy(0.5 * math.sin(2.0 * math.pi * t / 0.8), 0.0, 0.0))


def wave_and_pause(t: float) -> mk.SE3:
    return wave(t) if 4.0 < t % 7.0 < 6.4 else wave(0.0)


def test_motion_with_a_period_is_refused() -> None:
    hand, eye = np.arange(0.0, 15.0, 0.02), np.arange(1.0, 14.0, 0.033)
    with pytest.raises(mk.DegenerateGeometry, match="repeats itself") as caught:
        mk.time_offset(hand, [wave(t) for t in hand], eye, [wave(t + 0.05) for t in eye], window=0.1)
    one, other = caught.value.direction
    assert abs(abs(one - other) % 0.4) < 0.02 or abs(abs(one - other) % 0.4 - 0.4) < 0.02  # half a period of 0.8 s


def test_control_with_pauses_it_is_told() -> None:
    hand, eye = np.arange(0.0, 15.0, 0.02), np.arange(1.0, 14.0, 0.033)
    found = mk.time_offset(hand, [wave_and_pause(t) for t in hand], eye, [wave_and_pause(t + 0.05) for t in eye])
    assert abs(found.offset - 0.05) < 6e-3  # the starts are sharp to samples of 33 ms; half a period is 400 ms
