"""The shape of a robot program file, as typed: degrees, metres, names.

Each class mirrors one mapping of the file, field by field; nothing is converted, so that a program can be written back
with the numbers its author typed. What the names and numbers mean is in :mod:`motionkit.program.resolving`; how a file
becomes these classes is in :mod:`motionkit.program.loading`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from .source import Source

__all__ = [
    "COLUMNS",
    "FORMAT",
    "LATER_COLUMNS",
    "LATER_VERBS",
    "LONGEST_WAIT",
    "STEP_TYPES",
    "Defaults",
    "Frame",
    "FrameStep",
    "JointValues",
    "LimitTable",
    "MoveJStep",
    "MoveLStep",
    "NoteStep",
    "Number",
    "OutputValue",
    "Program",
    "RobotReference",
    "SetStep",
    "Step",
    "Target",
    "Tolerance",
    "Tool",
    "ToolStep",
    "Triple",
    "WaitStep",
]

FORMAT = "program/1"
"""What ``motionkit:`` must say at the top of a file that this version reads."""

LATER_VERBS = ("movec", "payload", "repeat", "call")
"""Verbs of the format that this version refuses by name."""

LATER_COLUMNS = ("time",)
"""Columns of the format that this version refuses by name."""

LONGEST_WAIT = 86400
"""Seconds that a wait may take; more than a day is a slip."""

Number: TypeAlias = int | float
Triple: TypeAlias = tuple[Number, Number, Number]
JointValues: TypeAlias = tuple[Number, ...] | dict[str, Number]
OutputValue: TypeAlias = str | int | float | bool


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A mapping of the file: immutable, and no keys but the declared ones.

    Subclasses repeat ``frozen``, which they inherit anyway, for the type checker.
    """


class RobotReference(_Part, frozen=True):
    """Which arm: a robot file, the two links its chain runs between, and where its packages lie.

    Args:
        urdf: the robot file, relative to the program file.
        base: the link that poses are given in; None for the root.
        tip: the link that carries the tool; None for the only natural one.
        packages: folder of each ``package://`` name, relative to the program file.
        hold: floating and planar joints to take as fixed at zero.
    """

    urdf: str
    base: str | None = None
    tip: str | None = None
    packages: dict[str, str] = {}
    hold: tuple[str, ...] = ()


class LimitTable(_Part, frozen=True):
    """Limits by joint: a list with one value per moving joint, or a mapping by joint name.

    Args:
        max_velocity: rad/s or m/s; may tighten what the robot file says, or fill in what it leaves unset.
        max_acceleration: rad/s² or m/s².
        max_jerk: rad/s³ or m/s³.
    """

    max_velocity: JointValues | None = None
    max_acceleration: JointValues | None = None
    max_jerk: JointValues | None = None


class Tool(_Part, frozen=True):
    """A tool on the flange.

    Args:
        xyz: the tool centre point in the flange frame, metres.
        rpy: its orientation in the flange frame: roll, pitch, yaw in degrees.
        mass: kilograms; None when unknown.
        com: the tool's centre of mass in the flange frame, metres.
    """

    xyz: Triple = (0, 0, 0)
    rpy: Triple = (0, 0, 0)
    mass: Number | None = None
    com: Triple | None = None


class Frame(_Part, frozen=True):
    """A frame that poses may be given in: its own pose in the robot's base frame.

    Args:
        xyz: the origin, metres.
        rpy: roll, pitch, yaw in degrees.
    """

    xyz: Triple = (0, 0, 0)
    rpy: Triple = (0, 0, 0)


class Target(_Part, frozen=True):
    """Where to go: either joint values, or a pose of the tool.

    Args:
        joints: degrees, or metres for a prismatic joint; excludes all others.
        xyz: position of the tool centre point, metres.
        rpy: roll, pitch, yaw in degrees.
        frame: the frame that the pose is given in; None for the active one.
        near: name of a joint point whose configuration of the arm is meant.
    """

    joints: JointValues | None = None
    xyz: Triple | None = None
    rpy: Triple | None = None
    frame: str | None = None
    near: str | None = None

    @property
    def is_pose(self) -> bool:
        """Whether this is a pose rather than joint values."""
        return self.joints is None


class Tolerance(_Part, frozen=True):
    """How far a line may stray.

    Args:
        position: metres; None for the default: 0.0001, a tenth of a millimetre.
        rotation: degrees; None for the default: 0.05.
    """

    position: Number | None = None
    rotation: Number | None = None


class Defaults(_Part, frozen=True):
    """What holds for every step that says nothing else.

    Args:
        tool: name of the tool at the start; None for the bare flange.
        frame: name of the frame at the start; None for the base.
        speed_joint: share (0, 1] of every joint limit, for movej.
        speed: metres per second, for movel; None leaves the pace to the joint limits.
        turn: degrees per second, for movel; None leaves the pace to the joint limits.
        tolerance: how far a line may stray.
        blend: metres; this version takes only 0.
    """

    tool: str | None = None
    frame: str | None = None
    speed_joint: Number = 1.0
    speed: Number | None = None
    turn: Number | None = None
    tolerance: Tolerance = Tolerance()
    blend: Number = 0


class MoveJStep(_Part, frozen=True):
    """Move every joint at once, in a straight line in joint space.

    Args:
        movej: name of a point, or a target.
        speed_joint: share (0, 1] of every joint limit; None for the default.
        blend: metres; this version takes only 0.
    """

    movej: str | Target
    speed_joint: Number | None = None
    blend: Number | None = None


class MoveLStep(_Part, frozen=True):
    """Move the tool along a straight line.

    Args:
        movel: name of a point, or a target.
        speed: metres per second at most; None for the default.
        turn: degrees per second at most; None for the default.
        tolerance: how far the line may stray; None for the default.
        blend: metres; this version takes only 0.
    """

    movel: str | Target
    speed: Number | None = None
    turn: Number | None = None
    tolerance: Tolerance | None = None
    blend: Number | None = None


class WaitStep(_Part, frozen=True):
    """Stand still.

    Args:
        wait: seconds, up to a day.
    """

    wait: Number


class SetStep(_Part, frozen=True):
    """Write outputs.

    Args:
        set: value of each named output.
    """

    set: dict[str, OutputValue]


class ToolStep(_Part, frozen=True):
    """Change the tool.

    Args:
        tool: its name; ``flange`` for none.
    """

    tool: str


class FrameStep(_Part, frozen=True):
    """Change the frame that poses are given in.

    Args:
        frame: its name; ``base`` for the base of the robot.
    """

    frame: str


class NoteStep(_Part, frozen=True):
    """Print a line.

    Args:
        note: the text.
    """

    note: str


Step: TypeAlias = MoveJStep | MoveLStep | WaitStep | SetStep | ToolStep | FrameStep | NoteStep

STEP_TYPES: dict[str, type[Step]] = {
    "movej": MoveJStep,
    "movel": MoveLStep,
    "wait": WaitStep,
    "set": SetStep,
    "tool": ToolStep,
    "frame": FrameStep,
    "note": NoteStep,
}
"""The class of each verb."""

COLUMNS: dict[str, tuple[str, ...]] = {
    verb: tuple(name for name in step.__struct_fields__ if name != verb) for verb, step in STEP_TYPES.items()
}
"""What may stand beside each verb."""


class Program(_Part, frozen=True, kw_only=True):
    """A robot program, as typed.

    Args:
        motionkit: the format, ``program/1``.
        robot: a built-in arm, a robot file, or a reference with its links and packages.
        limits: what the robot file does not say.
        tools: by name.
        frames: by name, in the base frame.
        points: targets by name.
        defaults: what holds where a step says nothing.
        start: where the arm stands at time zero: the name of a joint point, or joint values; None for the first movej.
        steps: what to do, in order; each has one verb.
        source: the file that it came from, and the line of each part.
    """

    motionkit: str = FORMAT
    robot: str | RobotReference
    limits: LimitTable = LimitTable()
    tools: dict[str, Tool] = {}
    frames: dict[str, Frame] = {}
    points: dict[str, Target] = {}
    defaults: Defaults = Defaults()
    start: str | Target | None = None
    steps: tuple[Step, ...]
    source: Source = Source()

    def to_data(self) -> dict[str, Any]:
        """The program as plain mappings, lists and numbers, as typed, ready to be written as YAML or JSON."""
        data: dict[str, Any] = {"motionkit": self.motionkit}
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if name != "source" and (builtin := msgspec.to_builtins(value)) not in ({}, None):
                data[name] = builtin
        return data
