"""Hand-eye refined on pixels: known poses, recorded stations with their reference, sigmas, refusals."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import motionkit as mk
from motionkit.calibration.corners import _bundle, linearised

DATA = Path(__file__).parents[1] / "data" / "calibration"
CAMERA = mk.CameraIntrinsics(800.0, 790.0, 320.0, 240.0, (-0.15, 0.03, 1e-3, -1e-3, 0.0), 640, 480)
X = mk.SE3(mk.SO3.from_rpy(0.1, -0.2, 1.5), (0.05, -0.03, 0.12))
Z = mk.SE3(mk.SO3.from_rpy(0.0, 0.0, 0.3), (0.8, 0.1, 0.2))
GRID = np.array([(0.03 * i, 0.03 * j, 0.0) for i in range(5) for j in range(4)]) - (0.06, 0.045, 0.0)
OFF = (mk.SE3.exp((0.02, -0.01, 0.015, 0.03, -0.02, 0.04)), mk.SE3.exp((-0.01, 0.02, 0.01, 0.01, 0.03, -0.02)))


def stations(mount, rng, count=12, noise=0.0):
    """Robot poses and pixels, the target seen from half a metre with tilts of up to 35 degrees."""
    robot, pixels = [], []
    for _ in range(count):
        tilt = mk.SE3.from_rotation(mk.SO3.exp(rng.uniform(-0.6, 0.6, 3)))
        B = mk.SE3(mk.SO3.from_rpy(math.pi, 0.0, 0.0), (*rng.uniform(-0.05, 0.05, 2), rng.uniform(0.4, 0.6))) * tilt
        A = Z * B.inverse() * X.inverse()  # A X B = Z
        robot.append(A if mount == "eye_in_hand" else A.inverse())
        pixels.append(CAMERA.project(B * GRID) + rng.normal(size=(len(GRID), 2)) * noise)
    return robot, pixels


@pytest.mark.parametrize("mount", ["eye_in_hand", "eye_to_hand"])
def test_known_poses_are_found(mount: str) -> None:
    robot, pixels = stations(mount, np.random.default_rng(1))
    found = mk.refine_hand_eye_corners(robot, pixels, GRID, CAMERA, (X * OFF[0], Z * OFF[1]), mount=mount)
    # rounding of a thousand pixels, 1e-13, times the condition of some tens
    assert np.abs(found.transform.matrix() - X.matrix()).max() < 1e-11
    assert np.abs(found.other.matrix() - Z.matrix()).max() < 1e-11
    assert found.reprojection_worst < 1e-9 < 1.0 < found.start_rms and found.rejected == ()


def test_derivatives() -> None:
    robot, pixels = stations("eye_in_hand", np.random.default_rng(1), count=3)
    bundle = _bundle(robot, pixels, GRID, CAMERA, "eye_in_hand")
    _, J = linearised(bundle, X, Z)
    for k in range(12):
        ends = []
        for sign in (1e-6, -1e-6):
            step = np.zeros(12)
            step[k] = sign
            ends.append(linearised(bundle, X * mk.SE3.exp(step[:6]), Z * mk.SE3.exp(step[6:]))[0])
        assert np.abs(J[:, :, k] - (ends[0] - ends[1]) / 2e-6).max() < 1e-4  # of thousands of pixels a metre


def test_sigma_tells_the_spread() -> None:
    """16 draws of 6 numbers: three sigmas of their own spread are 22 %; the bar is 30 %."""
    rng = np.random.default_rng(2)
    ratios = []
    for _ in range(16):
        robot, pixels = stations("eye_in_hand", rng, noise=0.5)
        found = mk.refine_hand_eye_corners(robot, pixels, GRID, CAMERA, (X, Z), mount="eye_in_hand", robust=False)
        gap = (X.inverse() * found.transform).log()
        ratios.append(gap / np.array([*found.sigma_translation, *found.sigma_rotation]))
        assert 0.4 < found.sigma_pixels < 0.6
    assert 0.7 < float(np.sqrt(np.mean(np.square(ratios)))) < 1.3


def test_a_corner_that_is_off_is_named_and_left_out() -> None:
    rng = np.random.default_rng(3)
    robot, pixels = stations("eye_in_hand", rng, noise=0.3)
    pixels[4][7] += (30.0, 0.0)
    start = (X * OFF[0], Z * OFF[1])
    found = mk.refine_hand_eye_corners(robot, pixels, GRID, CAMERA, start, mount="eye_in_hand")
    assert [(s, c) for s, c, _ in found.rejected] == [(4, 7)]
    plain = mk.refine_hand_eye_corners(robot, pixels, GRID, CAMERA, start, mount="eye_in_hand", robust=False)
    assert (plain.worst_station, plain.worst_corner) == (4, 7)
    # the RMS hides it, the worst does not
    assert plain.reprojection_rms < 2.5 < 25.0 < plain.reprojection_worst
    assert found.reprojection_rms < 0.6


def recorded(name):
    robot = np.loadtxt(DATA / f"{name}_robot.csv", delimiter=",", skiprows=1)
    corners = np.loadtxt(DATA / f"{name}_corners.csv", delimiter=",", skiprows=1)
    poses = [mk.SE3(mk.SO3.from_xyzw(row[4:] / np.linalg.norm(row[4:])), row[1:4]) for row in robot]
    rows = [corners[corners[:, 0] == row[0]] for row in robot]
    points = [np.concatenate([part[:, 1:3], np.zeros((len(part), 1))], axis=1) for part in rows]
    return poses, [part[:, 3:] for part in rows], points


def test_recorded_board_before_a_fixed_camera() -> None:
    """An independent least squares left 2.66 pixels and put the camera at (-0.0200, 1.2690, 0.2856), sigma 0.22 mm."""
    poses, pixels, points = recorded("charuco")
    camera = mk.CameraIntrinsics(1352.02747, 1356.14287, 789.67065, 627.2995)
    q = np.array([-0.04793, -0.55735, 0.82851, -0.02509])
    reference = mk.SE3(mk.SO3.from_xyzw(q / np.linalg.norm(q)), (-0.01996, 1.26904, 0.28561))
    board = mk.SE3(mk.SO3.identity(), (-0.12543, -0.06153, 0.19893))
    # only the place of the board is known beforehand: its axes come from the first station
    turns = [mk.SO3.from_rpy(*rpy) for rpy in np.random.default_rng(0).uniform(-math.pi, math.pi, (40, 3))]
    starts = [(reference * OFF[0], mk.SE3(turn, board.translation)) for turn in turns]
    best = None
    for start in starts:
        try:
            found = mk.refine_hand_eye_corners(poses, pixels, points, camera, start, mount="eye_to_hand")
        except mk.MotionkitError:
            continue
        if best is None or found.reprojection_rms < best.reprojection_rms:
            best = found
        if best.reprojection_rms < 3.0:
            break
    assert best is not None and abs(best.reprojection_rms - 2.66) < 0.01
    assert np.abs(best.transform.translation - reference.translation).max() < 1e-4
    assert math.degrees(best.transform.rotation.angle_to(reference.rotation)) < 0.01
    assert abs(np.mean(best.sigma_translation) - 0.22e-3) < 0.02e-3
    assert np.abs(best.other.translation - board.translation).max() < 1e-4


def test_refusals() -> None:
    robot, pixels = stations("eye_in_hand", np.random.default_rng(1))
    start = (X, Z)
    with pytest.raises(mk.UnknownName, match="eye_in_hand or eye_to_hand"):
        mk.refine_hand_eye_corners(robot, pixels, GRID, CAMERA, start, mount="hand")
    with pytest.raises(mk.NotEnoughSamples, match="3 stations"):
        mk.refine_hand_eye_corners(robot[:2], pixels[:2], GRID, CAMERA, start, mount="eye_in_hand")
    with pytest.raises(mk.WrongLength, match="station 0"):
        mk.refine_hand_eye_corners(robot, pixels, GRID[:-1], CAMERA, start, mount="eye_in_hand")
    broken = [p.copy() for p in pixels]
    broken[5][3, 0] = math.nan
    with pytest.raises(mk.NotFinite, match="station 5"):
        mk.refine_hand_eye_corners(robot, broken, GRID, CAMERA, start, mount="eye_in_hand")
    with pytest.raises(mk.KindMismatch, match="behind the camera"):
        mk.refine_hand_eye_corners(
            robot,
            pixels,
            GRID,
            CAMERA,
            (X * mk.SE3.from_rotation(mk.SO3.from_rpy(math.pi, 0, 0)), Z),
            mount="eye_in_hand",
        )
    with pytest.raises(mk.MotionkitError):
        mk.refine_hand_eye_corners(robot, pixels[::-1], GRID, CAMERA, start, mount="eye_in_hand")
