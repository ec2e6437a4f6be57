"""Planned stations: within limits, in view, more telling than chance, and as telling as they say."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motionkit as mk

ARM = mk.SerialChain.six_axis_example()
CAMERA = mk.CameraIntrinsics(500.0, 500.0, 320.0, 240.0, width=640, height=480)
IN_HAND = mk.SE3(mk.SO3.from_rpy(0.0, math.pi / 2, 0.0), (0.05, 0.0, 0.0))
ON_TABLE = mk.SE3(mk.SO3.from_rpy(math.pi, 0.0, 0.0), (0.55, 0.0, 0.0))
SIZE = (0.1, 0.08)
NEAR = {"mount": "eye_in_hand", "target_size": SIZE, "distance": (0.2, 0.35)}


def corners(points=5):
    x, y = (np.linspace(-0.5, 0.5, points) * side for side in SIZE)
    return np.stack([np.repeat(x, points), np.tile(y, points), np.zeros(points**2)], axis=1)


def test_stations_are_within_limits_and_in_view() -> None:
    plan = mk.plan_stations(ARM, IN_HAND, ON_TABLE, CAMERA, count=10, largest_tilt=0.6, **NEAR)
    assert len(plan.q) == 10 and plan.reachable >= 10
    for q, flange, B in zip(plan.q, plan.base_T_flange, plan.camera_T_target, strict=True):
        assert (np.array(q) > ARM.lower).all() and (np.array(q) < ARM.upper).all()
        # what inverse kinematics leaves is below 1e-6 m and rad, the bar that it answers for
        seen = (flange * IN_HAND).inverse() * ON_TABLE
        assert np.abs(seen.matrix() - B.matrix()).max() < 1e-5
        pixels = CAMERA.project(seen * corners())
        assert (pixels > 0.0).all() and (pixels < (640, 480)).all()
        away = float(np.linalg.norm(seen.translation))
        assert 0.2 - 1e-5 < away < 0.35 + 1e-5
        normal, sight = seen.rotation.matrix()[:, 2], seen.translation / away
        assert math.atan2(np.linalg.norm(np.cross(normal, sight)), normal @ sight) < 0.6 + 1e-5


def test_the_same_seed_gives_the_same_stations() -> None:
    one, again, other = (
        mk.plan_stations(ARM, IN_HAND, ON_TABLE, CAMERA, count=5, candidates=80, seed=seed, **NEAR)
        for seed in (3, 3, 4)
    )
    assert one == again and one.q != other.q


def test_sigmas_are_those_of_the_calibration_that_follows() -> None:
    plan = mk.plan_stations(ARM, IN_HAND, ON_TABLE, CAMERA, count=8, candidates=80, pixel_noise=0.5, **NEAR)
    rng = np.random.default_rng(0)
    pixels = [
        CAMERA.project(((flange * IN_HAND).inverse() * ON_TABLE) * corners()) + rng.normal(size=(25, 2)) * 0.5
        for flange in plan.base_T_flange
    ]
    found = mk.refine_hand_eye_corners(
        plan.base_T_flange, pixels, corners(), CAMERA, (IN_HAND, ON_TABLE), mount="eye_in_hand", robust=False
    )
    # the same formula but for the noise, which 388 numbers tell to 4 %
    assert np.allclose(found.sigma_translation, plan.sigma_translation, rtol=0.15)
    assert np.allclose(found.sigma_rotation, plan.sigma_rotation, rtol=0.15)


def test_chosen_stations_tell_more_than_the_first_that_come() -> None:
    chosen = mk.plan_stations(ARM, IN_HAND, ON_TABLE, CAMERA, count=6, candidates=150, **NEAR)
    by_chance = [
        max(
            mk.plan_stations(
                ARM, IN_HAND, ON_TABLE, CAMERA, count=6, candidates=30, seed=seed, **NEAR
            ).sigma_translation
        )
        for seed in (1, 5)
    ]
    assert max(chosen.sigma_translation) < 0.9 * min(by_chance)
    assert list(chosen.sigmas_by_count) == sorted(chosen.sigmas_by_count, reverse=True)


def test_fixed_camera() -> None:
    base_T_camera = mk.SE3(mk.SO3.from_rpy(math.pi, 0.0, 0.0), (0.5, 0.0, 1.0))
    flange_T_target = mk.SE3(mk.SO3.from_rpy(0.0, math.pi / 2, 0.0) * mk.SO3.from_rpy(math.pi, 0.0, 0.0), (0.03, 0, 0))
    plan = mk.plan_stations(
        ARM, base_T_camera, flange_T_target, CAMERA, mount="eye_to_hand", target_size=SIZE, count=5, candidates=60
    )
    for flange, B in zip(plan.base_T_flange, plan.camera_T_target, strict=True):
        assert np.abs((base_T_camera.inverse() * flange * flange_T_target).matrix() - B.matrix()).max() < 1e-5


def test_refusals() -> None:
    def refused(kind, words, **changed):
        options = {**NEAR, "count": 6, "candidates": 60, **changed}
        camera = options.pop("camera", CAMERA)
        with pytest.raises(kind, match=words) as caught:
            mk.plan_stations(ARM, IN_HAND, options.pop("target", ON_TABLE), camera, **options)
        return caught.value

    refused(mk.UnknownName, "eye_in_hand or eye_to_hand", mount="hand")
    refused(mk.NotFinite, "width and height", camera=mk.CameraIntrinsics(500.0, 500.0, 320.0, 240.0))
    refused(mk.NotFinite, "at least 3", count=2)
    refused(mk.NotFinite, "quarter turn", largest_tilt=2.0)
    refused(mk.Unreachable, "further away", distance=(0.01, 0.02))
    refused(mk.Unreachable, "reaches 0 of", target=mk.SE3.from_translation((5.0, 0.0, 0.0)))
    refused(mk.NotEnoughSamples, "reaches", count=60)


def test_views_that_only_turn_about_the_optical_axis_are_refused() -> None:
    narrow = mk.CameraIntrinsics(20000.0, 20000.0, 320.0, 240.0, width=640, height=480)
    with pytest.raises(mk.DegenerateGeometry, match="hardly about anything else") as caught:
        mk.plan_stations(
            ARM,
            IN_HAND,
            ON_TABLE,
            narrow,
            mount="eye_in_hand",
            target_size=(0.002, 0.002),
            distance=(0.25, 0.3),
            largest_tilt=0.0,
            count=4,
            candidates=60,
        )
    assert abs(caught.value.direction[2]) > 0.999
