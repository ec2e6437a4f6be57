"""Straight tool moves: the only room where poses meet time."""

from __future__ import annotations

from .line import Line, LineTolerance
from .plan import CartesianPlan
from .report import Limiting, LineReport

__all__ = ["CartesianPlan", "Limiting", "Line", "LineReport", "LineTolerance"]
