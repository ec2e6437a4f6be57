"""Robot programs: read strictly, resolved to SI units, planned, proved, and written.

A file becomes a :class:`Program` (as typed) by :func:`load_program` and a :class:`ResolvedProgram` (radians, metres,
base frame) by :func:`resolve`. :func:`plan_program` makes the motion, :func:`prove` measures it on its samples, and
:func:`run_program` does all of it and writes the files.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._json_schema import json_schema
    from .arm import Arm, load_arm, load_model
    from .demo import demo_program
    from .figures import Figure, Proof, Violation
    from .loading import load_program, program_from_data
    from .planned import PlannedStep, ProgramPlan
    from .planning import plan_program
    from .proof import prove
    from .report import ProgramReport, StepReport, make_report
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
    from .running import RunResult, run_program
    from .sampling import SampledMotion
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
    "Figure",
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
    "PlannedStep",
    "PoseTarget",
    "Program",
    "ProgramPlan",
    "ProgramReport",
    "Proof",
    "ResolvedProgram",
    "ResolvedStep",
    "ResolvedTool",
    "RobotReference",
    "RunResult",
    "SampledMotion",
    "SetOutput",
    "SetStep",
    "Source",
    "Step",
    "StepReport",
    "Target",
    "Tolerance",
    "Tool",
    "ToolChange",
    "ToolStep",
    "Violation",
    "Wait",
    "WaitStep",
    "demo_program",
    "json_schema",
    "load_arm",
    "load_model",
    "load_program",
    "make_report",
    "plan_program",
    "program_from_data",
    "prove",
    "resolve",
    "run_program",
]

# each name is loaded when it is first used: a command that answers one question needs few of them
_HOMES = {
    "_json_schema": ("json_schema",),
    "arm": (
        "Arm",
        "load_arm",
        "load_model",
    ),
    "demo": ("demo_program",),
    "figures": (
        "Figure",
        "Proof",
        "Violation",
    ),
    "loading": (
        "load_program",
        "program_from_data",
    ),
    "planned": (
        "PlannedStep",
        "ProgramPlan",
    ),
    "planning": ("plan_program",),
    "proof": ("prove",),
    "report": (
        "ProgramReport",
        "StepReport",
        "make_report",
    ),
    "resolved": (
        "FrameChange",
        "JointTarget",
        "MoveJoint",
        "MoveLine",
        "Note",
        "PoseTarget",
        "ResolvedProgram",
        "ResolvedStep",
        "ResolvedTool",
        "SetOutput",
        "ToolChange",
        "Wait",
    ),
    "resolving": ("resolve",),
    "running": (
        "RunResult",
        "run_program",
    ),
    "sampling": ("SampledMotion",),
    "schema": (
        "Defaults",
        "Frame",
        "FrameStep",
        "LimitTable",
        "MoveJStep",
        "MoveLStep",
        "NoteStep",
        "Program",
        "RobotReference",
        "SetStep",
        "Step",
        "Target",
        "Tolerance",
        "Tool",
        "ToolStep",
        "WaitStep",
    ),
    "source": ("Source",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
