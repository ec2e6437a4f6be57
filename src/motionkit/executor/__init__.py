"""Plans to the outside world: a cyclic runner that plays them to a sink, and what it can be told while it runs."""

from __future__ import annotations

from .clock import Clock, MonotonicClock
from .executor import Executor
from .report import Command, ExecutionReport, Jitter
from .sinks import CsvSink, MujocoSink, Setpoint, Sink

__all__ = [
    "Clock",
    "Command",
    "CsvSink",
    "ExecutionReport",
    "Executor",
    "Jitter",
    "MonotonicClock",
    "MujocoSink",
    "Setpoint",
    "Sink",
]
