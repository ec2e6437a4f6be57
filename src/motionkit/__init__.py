"""Robot kinematics, trajectory generation and program planning.

``import motionkit as mk`` gives every public name; each is loaded from its room the first time it is used, so importing
the package costs next to nothing and loads no compiler.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import errors as errors
from .errors import *  # noqa: F403  every exception is public under its own name

if TYPE_CHECKING:
    from .spatial import *  # noqa: F403

__version__ = "0.1.0"

_ROOMS = {
    "spatial": ("SO3", "SE3", "FrameGraph", "FrameId", "LookupFailure"),
    "values": ("Angle", "JointAcceleration", "JointJerk", "JointPosition", "JointVelocity", "Length"),
    "motion": (
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
    ),
    "robot": (
        "AnalyticForm",
        "CentroidalMomentum",
        "DhRow",
        "DynamicChain",
        "DynamicTree",
        "Finding",
        "IkReport",
        "IkSolution",
        "Joint",
        "JointLimits",
        "JointMetric",
        "JointResolution",
        "Kinematics",
        "LinkInertia",
        "RobotModel",
        "SerialChain",
    ),
    "calibration": (
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
    ),
    "executor": ("CsvSink", "ExecutionReport", "Executor", "MujocoSink", "Setpoint"),
    "cartesian": (
        "Arc",
        "Blend",
        "CartesianPlan",
        "JointPolyline",
        "JointSpline",
        "Line",
        "LineReport",
        "LineTolerance",
        "Path",
        "Polyline",
        "Spline",
        "ToolStop",
        "tool_stop",
    ),
    "program": ("Program", "ProgramPlan", "load_program", "plan_program", "run_program"),
    "runtime": ("cache_clear", "cache_info", "njit", "warmup"),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"motionkit.{_HOME[name]}"), name)
    elif name in _ROOMS:
        value = importlib.import_module(f"motionkit.{name}")
    else:
        raise AttributeError(f"module 'motionkit' has no attribute {name!r}; {errors.did_you_mean(name, _HOME)}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_ROOMS})
