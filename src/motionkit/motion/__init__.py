"""Scalar axes in time: limits, jerk-limited moves, axes in step, stopping. Knows nothing about poses.

Positions are radians or metres, whatever the axis is; times are seconds.
"""

from __future__ import annotations

from .limits import MotionLimits
from .line_stop import LineStop
from .online import OnlineTrajectory, Violation
from .online_batch import OnlineBatch, plan_online_batch
from .override import Override
from .safe_speed import maximum_safe_speed, worst_case_travel
from .samples import MotionSample, MotionState
from .scurve import ScurveProfile
from .stop import StopProfile, stopping_distances
from .synchronized import BindingAxes, SynchronizedTrajectory

__all__ = [
    "BindingAxes",
    "LineStop",
    "MotionLimits",
    "MotionSample",
    "MotionState",
    "OnlineBatch",
    "OnlineTrajectory",
    "Override",
    "ScurveProfile",
    "StopProfile",
    "SynchronizedTrajectory",
    "Violation",
    "maximum_safe_speed",
    "plan_online_batch",
    "stopping_distances",
    "worst_case_travel",
]
