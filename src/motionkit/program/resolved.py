"""A robot program ready to be planned: SI units, radians, poses in the base frame, every name looked up.

Only the results; :mod:`motionkit.program.resolving` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ..motion import MotionLimits
    from ..robot import RobotModel, SerialChain
    from ..spatial import SE3
    from .schema import OutputValue, Program

__all__ = [
    "BASE",
    "FLANGE",
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
]

FLANGE = "flange"
"""The name of the bare flange wherever a tool is named."""

BASE = "base"
"""The name of the robot's base frame wherever a frame is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedTool:
    """A tool on the flange.

    Attributes:
        name: as the program calls it; ``flange`` for the bare flange.
        flange_T_tcp: the tool centre point in the flange frame.
        mass: kilograms; None when the program does not say.
        com: centre of mass in the flange frame, metres; None when the program does not say.
    """

    name: str
    flange_T_tcp: SE3
    mass: float | None = None
    com: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JointTarget:
    """Joint values to go to.

    Attributes:
        q: one value per moving joint, radians or metres, within the limits.
        name: the point's name; None for a target written in the step.
    """

    q: tuple[float, ...]
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseTarget:
    """A pose of the tool centre point to go to.

    Attributes:
        base_T_tcp: the pose, in the base frame of the chain.
        near: joint values (rad or m) whose configuration of the arm is meant; None for that of the previous step.
        near_name: the name of the point that ``near`` comes from.
        name: the point's name; None for a target written in the step.
    """

    base_T_tcp: SE3
    near: tuple[float, ...] | None = None
    near_name: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """What every step knows about itself.

    Attributes:
        index: position in the program's ``steps``, from 0.
        path: place in the file, such as ``steps[2]``.
        line: line in the file, from 1; None for a program made in code.
        verb: the verb of the step.
    """

    index: int
    path: str
    line: int | None
    verb: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveJoint(_Step):
    """A straight line in joint space.

    Attributes:
        target: where to.
        speed_joint: share (0, 1] of every joint's velocity, acceleration and jerk limit.
        tool: the tool of this move.
        frame: name of the active frame; ``base`` when there is none.
    """

    target: JointTarget | PoseTarget
    speed_joint: float
    tool: ResolvedTool
    frame: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveLine(_Step):
    """A straight line of the tool centre point.

    Attributes:
        target: where to; a joint target means its pose, and that exactly those joint values are met.
        speed: ceiling in m/s; None when only the joint limits pace.
        turn: ceiling in rad/s; None when only the joint limits pace.
        position_tolerance: how far the tool may stray from the line, metres.
        rotation_tolerance: how far the tool may turn away from the line's orientation, radians.
        tool: the tool of this move.
        frame: name of the active frame; ``base`` when there is none.
    """

    target: JointTarget | PoseTarget
    speed: float | None
    turn: float | None
    position_tolerance: float
    rotation_tolerance: float
    tool: ResolvedTool
    frame: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait(_Step):
    """Standing still.

    Attributes:
        seconds: how long; zero or more.
    """

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOutput(_Step):
    """Outputs written at one instant.

    Attributes:
        outputs: name and value of each, in the order of the file.
    """

    outputs: tuple[tuple[str, OutputValue], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(_Step):
    """A line printed.

    Attributes:
        text: what is printed.
    """

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolChange(_Step):
    """Another tool from here on.

    Attributes:
        tool: the tool; ``flange`` for none.
    """

    tool: ResolvedTool


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameChange(_Step):
    """Another frame for poses from here on.

    Attributes:
        name: the frame; ``base`` for none.
        base_T_frame: its pose in the base frame.
    """

    name: str
    base_T_frame: SE3


ResolvedStep: TypeAlias = MoveJoint | MoveLine | Wait | SetOutput | Note | ToolChange | FrameChange


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedProgram:
    """A program that can be planned.

    Attributes:
        name: the file's name without folders and ending; output folders are named after it.
        program: the program as typed, with its source.
        robot: how the program calls the arm.
        model: the whole robot.
        chain: the arm without a tool.
        limits: motion limits of each moving joint, in joint order: SI units, all set.
        start: joint values at time zero; None when the first movej is the start.
        tool: the tool at time zero.
        steps: in order; the first motion step is a movej, or ``start`` is not None.
        tools: every tool of the program by name, with ``flange``.
        warnings: what is legal and yet looks like a slip, ready to be printed.
        digest: SHA-256 of the program's text and of the robot file, in hexadecimal.
    """

    name: str
    program: Program = field(repr=False)
    robot: str
    model: RobotModel = field(repr=False)
    chain: SerialChain = field(repr=False)
    limits: tuple[MotionLimits, ...]
    start: tuple[float, ...] | None
    tool: ResolvedTool
    steps: tuple[ResolvedStep, ...]
    tools: dict[str, ResolvedTool]
    warnings: tuple[str, ...]
    digest: str
