"""Four recorded stations of a camera that turned about one axis: solvers put it 93 to 4122 m away, or return NaN."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionkit as mk

DATA = Path(__file__).parents[1] / "data" / "calibration"
CAMERA = mk.CameraIntrinsics(542.324, 543.515, 320.474, 226.039)


def test_corners_of_single_axis_stations_are_refused_with_the_axis() -> None:
    robot = np.loadtxt(DATA / "circles_single_axis_robot.csv", delimiter=",", skiprows=1)
    corners = np.loadtxt(DATA / "circles_single_axis_corners.csv", delimiter=",", skiprows=1)
    poses = [mk.SE3(mk.SO3.from_xyzw(row[4:] / np.linalg.norm(row[4:])), row[1:4]) for row in robot]
    rows = [corners[corners[:, 0] == row[0]] for row in robot]
    q = np.array([0.01486, -0.01091, -0.70355, 0.71041])
    camera = mk.SE3(mk.SO3.from_xyzw(q / np.linalg.norm(q)), (-0.0733, 0.02754, 0.0865))
    # the target lies flat before the camera, half a turn about x
    target = poses[0] * camera * mk.SE3(mk.SO3.from_rpy(np.pi, 0.0, 0.0), (0.0, 0.0973, 0.757))
    points = [np.concatenate([part[:, 1:3], np.zeros((len(part), 1))], axis=1) for part in rows]
    with pytest.raises(mk.DegenerateGeometry, match="one axis") as caught:
        mk.refine_hand_eye_corners(
            poses, [part[:, 3:] for part in rows], points, CAMERA, (camera, target), mount="eye_in_hand"
        )
    turns = [(poses[0].rotation.inverse() * pose.rotation).log() for pose in poses[1:]]
    axis = max(turns, key=np.linalg.norm)
    axis = axis / np.linalg.norm(axis)
    assert abs(abs(float(axis @ np.array(caught.value.direction))) - 1.0) < 0.01  # the axis that the robot turned about
