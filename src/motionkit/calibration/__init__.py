"""Calibration: where cameras, tools and the axes of a real arm are, from what was measured."""

from __future__ import annotations

from .kinematic import (
    AxisCorrection,
    KinematicCalibration,
    KinematicError,
    RejectedSample,
    calibrate_kinematics,
)

__all__ = [
    "AxisCorrection",
    "KinematicCalibration",
    "KinematicError",
    "RejectedSample",
    "calibrate_kinematics",
]
