"""Time offset of two streams: found below the sampling time, its sigma is true, and what cannot tell it is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import motionkit as mk

DATA = Path(__file__).parents[1] / "data" / "calibration"
HAND_EYE = mk.SE3(mk.SO3.from_rpy(0.4, -1.0, 2.0), (0.1, 0.0, 0.05))


def pose(t):
    """A motion whose rhythm changes."""
    return mk.SE3.from_rotation(mk.SO3.from_rpy(math.sin(t * t / 8.0), math.sin(1.3 * t), 0.1 * t))


def streams(offset, rng, noise=0.0, motion=pose, length=12.0):
    """Hand at 50 Hz, camera at 30 Hz behind an unknown transform; what the camera stamps t happened at t + offset."""
    hand, eye = np.arange(0.0, length, 0.02), np.arange(1.0, length - 1.0, 1.0 / 30.0) + rng.uniform(0, 1e-3)
    turned = [mk.SE3.exp(np.concatenate([np.zeros(3), rng.normal(size=3) * noise])) for _ in eye]
    seen = [(motion(t + offset) * HAND_EYE).inverse() * T for t, T in zip(eye, turned, strict=True)]
    return hand, [motion(t) for t in hand], eye, seen


@pytest.mark.parametrize("offset", [-0.25, -0.016, 0.0, 0.0042, 0.5])
def test_offset_is_found(offset: float) -> None:
    """Between samples orientations are taken on the shortest turn, which leaves half a millisecond of 33."""
    found = mk.time_offset(*streams(offset, np.random.default_rng(0)))
    assert abs(found.offset - offset) < 1e-3
    assert found.correlation > 0.999 and abs(found.gain - 1.0) < 0.01


def test_sigma_tells_the_spread() -> None:
    rng = np.random.default_rng(1)
    ratios = []
    for _ in range(12):
        found = mk.time_offset(*streams(0.02, rng, noise=0.01), largest=0.2)
        ratios.append((found.offset - 0.02) / found.sigma)
    # 12 draws: three sigmas of the spread's own spread, 1 / sqrt(24), are 0.6
    assert 0.4 < float(np.sqrt(np.mean(np.square(ratios)))) < 1.6
    assert 1e-4 < found.sigma < 5e-3


def test_recorded_arm_and_camera() -> None:
    """16 ms, as an independent study of the whole minute found; these are 20 s of it."""
    arm, camera = (np.loadtxt(DATA / f"{name}_stream.csv", delimiter=",", skiprows=1) for name in ("arm", "camera"))
    turned = [
        [mk.SE3.from_rotation(mk.SO3.from_xyzw(row[1:] / np.linalg.norm(row[1:]))) for row in rows]
        for rows in (arm, camera)
    ]
    found = mk.time_offset(arm[:, 0], turned[0], camera[:, 0], turned[1])
    assert abs(found.offset + 0.016) < 0.004
    assert found.sigma < 0.005 and found.correlation > 0.9 and found.runner_up < 0.5


def test_joint_positions_do_as_well() -> None:
    arm = mk.SerialChain.six_axis_example()
    times = np.arange(0.0, 10.0, 0.02)

    def joints(t):
        rates = np.array([0.5, 0.7, 0.9, 1.1, 0.8, 0.6])
        return 0.6 * np.sin(np.multiply.outer(t, rates) + t[:, None] ** 2 * 0.05 * np.arange(1, 7))

    later = arm.forward_batch(joints(times + 0.03))
    found = mk.time_offset(times, joints(times), times, later, chain=arm, largest=0.3)
    assert abs(found.offset - 0.03) < 1e-3


def test_refusals() -> None:
    rng = np.random.default_rng(0)
    hand, T, eye, B = streams(0.0, rng)
    with pytest.raises(mk.NotEnoughSamples, match="at least 20"):
        mk.time_offset(hand[:10], T[:10], eye, B)
    with pytest.raises(mk.NotEnoughSamples, match="clocks that nearly agree"):
        mk.time_offset(hand + 1e6, T, eye, B)
    with pytest.raises(mk.NotFinite, match="index 5"):
        mk.time_offset(np.where(np.arange(len(hand)) == 5, hand[4], hand), T, eye, B)
    with pytest.raises(mk.WrongLength, match="a pose for each"):
        mk.time_offset(hand, T[:-1], eye, B)
    with pytest.raises(mk.DegenerateGeometry, match=r"end of the search|do not turn alike"):
        mk.time_offset(*streams(0.5, rng), largest=0.3)


def test_streams_of_two_bodies_are_refused() -> None:
    """A camera that turns half as far as the hand, as when a joint counts twice."""

    def half(t):
        return mk.SE3.exp((0, 0, 0, 0, 0, 0.5 * math.sin(t * t / 8.0)))

    hand, eye = np.arange(0.0, 12.0, 0.02), np.arange(1.0, 11.0, 0.033)
    with pytest.raises(mk.KindMismatch, match="2 times as much"):
        mk.time_offset(hand, [half(t) * half(t) for t in hand], eye, [half(t) for t in eye])


def test_still_arm_is_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(mk.DegenerateGeometry, match="turn the hand"):
        mk.time_offset(*streams(0.0, rng, noise=1e-3, motion=lambda t: HAND_EYE))
    with pytest.raises(mk.DegenerateGeometry, match="turn the hand"):  # an even turn has no events
        mk.time_offset(*streams(0.0, rng, noise=1e-3, motion=lambda t: mk.SE3.exp((0, 0, 0, 0, 0, 0.5 * t))))
