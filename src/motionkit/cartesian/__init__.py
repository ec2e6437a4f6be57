"""Tool paths, straight tool moves and stops of the tool: the only room where poses meet time."""

from __future__ import annotations

from .arc import Arc
from .blending import Blend
from .joint_curves import JointPolyline, JointSpline
from .line import Line, LineTolerance
from .path import Path
from .plan import CartesianPlan
from .report import Limiting, LineReport
from .spline import Polyline, Spline
from .stopping import ToolStop, tool_stop

__all__ = [
    "Arc",
    "Blend",
    "CartesianPlan",
    "JointPolyline",
    "JointSpline",
    "Limiting",
    "Line",
    "LineReport",
    "LineTolerance",
    "Path",
    "Polyline",
    "Spline",
    "ToolStop",
    "tool_stop",
]
