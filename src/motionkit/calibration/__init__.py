"""Calibration: where cameras, tools and the axes of a real arm are, from what was measured."""

from __future__ import annotations

from .kinematic import (
    AxisCorrection,
    KinematicCalibration,
    KinematicError,
    RejectedSample,
    calibrate_kinematics,
)
from .time_offset import TimeOffset, time_offset

__all__ = [
    "AxisCorrection",
    "KinematicCalibration",
    "KinematicError",
    "RejectedSample",
    "TimeOffset",
    "calibrate_kinematics",
    "time_offset",
]
