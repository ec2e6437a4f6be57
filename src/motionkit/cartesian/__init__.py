"""Straight tool moves and stops of the tool: the only room where poses meet time."""

from __future__ import annotations

from .line import Line, LineTolerance
from .plan import CartesianPlan
from .report import Limiting, LineReport
from .stopping import ToolStop, tool_stop

__all__ = ["CartesianPlan", "Limiting", "Line", "LineReport", "LineTolerance", "ToolStop", "tool_stop"]
