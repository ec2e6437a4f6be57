"""The camera kernel against OpenCV, and its derivative against differences."""

from __future__ import annotations

import numpy as np

import motionkit as mk
from motionkit.calibration.camera import projected

CAMERA = mk.CameraIntrinsics(812.0, 798.0, 330.0, 251.0, (-0.21, 0.06, 1.1e-3, -2.3e-3, 0.02))


def points(rows: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    z = rng.uniform(0.4, 3.0, rows)
    return np.stack([z * rng.uniform(-0.6, 0.6, rows), z * rng.uniform(-0.5, 0.5, rows), z], axis=1)


def test_pixels_are_those_of_opencv() -> None:
    import cv2

    matrix = np.array([[CAMERA.fx, 0, CAMERA.cx], [0, CAMERA.fy, CAMERA.cy], [0, 0, 1]])
    theirs, jacobian = cv2.projectPoints(points(200), np.zeros(3), np.zeros(3), matrix, np.array(CAMERA.distortion))
    assert np.abs(CAMERA.project(points(200)) - theirs[:, 0]).max() < 1e-10  # some roundings of a thousand pixels
    # their derivative by the translation is ours by the point
    assert np.abs(projected(CAMERA, points(200))[:, 2:].reshape(-1, 3) - jacobian[:, 3:6]).max() < 1e-8


def test_derivative() -> None:
    """Central differences of 1e-6 m: rounding of 1e-13 pixels over it, 1e-7."""
    at = points(20)
    ours = projected(CAMERA, at)[:, 2:].reshape(-1, 2, 3)
    for k in range(3):
        step = 1e-6 * np.eye(3)[k]
        difference = (CAMERA.project(at + step) - CAMERA.project(at - step)) / 2e-6
        assert np.abs(ours[:, :, k] - difference).max() < 1e-5
