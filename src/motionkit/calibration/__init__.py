"""Calibration: where cameras, tools and the axes of a real arm are, from what was measured."""

from __future__ import annotations

from .camera import CameraIntrinsics
from .corners import CornerCalibration, refine_hand_eye_corners
from .kinematic import (
    AxisCorrection,
    KinematicCalibration,
    KinematicError,
    RejectedSample,
    calibrate_kinematics,
)
from .stations import StationPlan, plan_stations
from .time_offset import TimeOffset, time_offset

__all__ = [
    "AxisCorrection",
    "CameraIntrinsics",
    "CornerCalibration",
    "KinematicCalibration",
    "KinematicError",
    "RejectedSample",
    "StationPlan",
    "TimeOffset",
    "calibrate_kinematics",
    "plan_stations",
    "refine_hand_eye_corners",
    "time_offset",
]
