"""Robot programs: read strictly, resolved to SI units, planned, proved, and written.

A file becomes a :class:`Program` (as typed) by :func:`load_program` and a :class:`ResolvedProgram` (radians, metres,
base frame) by :func:`resolve`.
"""

from __future__ import annotations

from .arm import Arm, load_arm
from ._json_schema import json_schema
from .loading import load_program, program_from_data
from .resolved import (
    FrameChange,
    JointTarget,
    MoveJoint,
    MoveLine,
    Note,
    PoseTarget,
    ResolvedProgram,
    ResolvedStep,
    ResolvedTool,
    SetOutput,
    ToolChange,
    Wait,
)
from .resolving import resolve
from .schema import (
    Defaults,
    Frame,
    FrameStep,
    LimitTable,
    MoveJStep,
    MoveLStep,
    NoteStep,
    Program,
    RobotReference,
    SetStep,
    Step,
    Target,
    Tolerance,
    Tool,
    ToolStep,
    WaitStep,
)
from .source import Source

__all__ = [
    "Arm",
    "Defaults",
    "Frame",
    "FrameChange",
    "FrameStep",
    "JointTarget",
    "LimitTable",
    "MoveJStep",
    "MoveJoint",
    "MoveLStep",
    "MoveLine",
    "Note",
    "NoteStep",
    "PoseTarget",
    "Program",
    "ResolvedProgram",
    "ResolvedStep",
    "ResolvedTool",
    "RobotReference",
    "SetOutput",
    "SetStep",
    "Source",
    "Step",
    "Target",
    "Tolerance",
    "Tool",
    "ToolChange",
    "ToolStep",
    "Wait",
    "WaitStep",
    "json_schema",
    "load_arm",
    "load_program",
    "program_from_data",
    "resolve",
]
