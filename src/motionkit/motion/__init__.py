"""Scalar axes in time: limits, jerk-limited moves, axes in step, stopping. Knows nothing about poses.

Positions are radians or metres, whatever the axis is; times are seconds.
"""

from __future__ import annotations

from .limits import MotionLimits as MotionLimits
from .samples import MotionSample as MotionSample
from .samples import MotionState as MotionState
from .scurve import ScurveProfile as ScurveProfile
from .synchronized import BindingAxes as BindingAxes
from .synchronized import SynchronizedTrajectory as SynchronizedTrajectory

__all__ = [
    "BindingAxes",
    "MotionLimits",
    "MotionSample",
    "MotionState",
    "ScurveProfile",
    "SynchronizedTrajectory",
]
