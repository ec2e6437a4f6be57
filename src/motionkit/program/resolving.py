"""A program as typed becomes one that can be planned: names looked up, degrees to radians, poses to the base frame.

Everything that can be refused without planning is refused here: names, joint limits, ranges of numbers, the order of
the first steps. Whether a pose can be reached is for planning to find out.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import JointLimitViolated, did_you_mean
from .arm import check_joint_count, check_joint_names, located_arm, motion_limits, unknown
from .loading import program_from_data
from .resolved import (
    BASE,
    FLANGE,
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
from .schema import (
    LONGEST_WAIT,
    FrameStep,
    JointValues,
    MoveJStep,
    MoveLStep,
    NoteStep,
    Number,
    Program,
    SetStep,
    Step,
    Target,
    Tolerance,
    ToolStep,
    Triple,
    WaitStep,
)
from .source import SourcePath, path_text
from .suspicions import Suspicions

if TYPE_CHECKING:
    from ..robot import SerialChain
    from ..spatial import SE3

__all__ = ["resolve"]

POSITION_TOLERANCE = 1e-4
"""Metres that a line may stray when the program does not say."""

ROTATION_TOLERANCE = 0.05
"""Degrees that a line may turn away when the program does not say."""

LARGEST_ANGLE = 1e6
"""Radians beyond which an angle has lost too many digits to mean anything."""


def resolve(program: Program) -> ResolvedProgram:
    """Look up every name of a program, convert it to SI units, and check it against its arm.

    Args:
        program: from :func:`motionkit.program.load_program`, or made in code.

    Returns:
        The program in radians, metres and base-frame poses, with its warnings.

    Raises:
        InvalidProgram: an unknown name, a number out of its range, a first motion that does not say where it starts.
        InvalidLimits: a motion limit that is unset, not positive, or above the robot's own.
        JointLimitViolated: a joint value outside the arm's range; the message names joint, value and limit as typed.
        FileUnreadable: the robot file cannot be read.
        InvalidModel: the robot file is broken.
        UnknownName: the robot, or a link of it, does not exist.
    """
    if not program.source.lines:  # made in code: what a file would have been checked for has not been checked yet
        program = program_from_data(program.to_data(), folder=program.source.folder)
    arm = located_arm(program.robot, program.source)
    limits = motion_limits(program.limits, arm.chain, program.source)
    resolver = _Resolver(program, arm.chain)
    resolver.check_everything_named()
    start = resolver.start()
    tool = resolver.tools[program.defaults.tool or FLANGE]
    steps = resolver.steps()
    return ResolvedProgram(
        name=program.source.stem,
        program=program,
        robot=arm.name,
        model=arm.model,
        chain=arm.chain,
        limits=limits,
        start=start,
        tool=tool,
        steps=steps,
        tools=resolver.tools,
        warnings=resolver.suspicions.messages(),
        digest=hashlib.sha256(f"{program.source.digest}{arm.digest}".encode()).hexdigest(),
    )


@dataclass(slots=True)
class _Active:
    """What the steps so far have chosen."""

    tool: ResolvedTool
    frame: str
    moved: bool


class _Resolver:
    """One program on its way to SI units."""

    def __init__(self, program: Program, chain: SerialChain) -> None:
        self._program = program
        self._source = program.source
        self._names = list(chain.joint_names)
        self._limits = chain.limits
        self.suspicions = Suspicions(program.source)
        self.tools = self._tools()
        self._frames = self._read_frames()

    # ---- what has a name
    def _tools(self) -> dict[str, ResolvedTool]:
        from ..spatial import SE3

        tools = {FLANGE: ResolvedTool(name=FLANGE, flange_T_tcp=SE3.identity())}
        for name, tool in self._program.tools.items():
            path: SourcePath = ("tools", name)
            if name == FLANGE:
                raise self._source.error(path, f"{FLANGE!r} is the bare flange and cannot be a tool; use another name")
            if tool.mass is not None and tool.mass < 0:
                raise self._source.error((*path, "mass"), f"expected a mass of zero or more kilograms, got {tool.mass}")
            if tool.com is not None and tool.mass is None:
                raise self._source.error((*path, "com"), "a centre of mass without a mass; add 'mass' in kilograms")
            if tool.com is not None:
                self.suspicions.lengths(tool.com, (*path, "com"))
            tools[name] = ResolvedTool(
                name=name,
                flange_T_tcp=self._pose(tool.xyz, tool.rpy, path),
                mass=None if tool.mass is None else float(tool.mass),
                com=None if tool.com is None else _floats(tool.com),
            )
        return tools

    def _read_frames(self) -> dict[str, SE3]:
        from ..spatial import SE3

        frames = {BASE: SE3.identity()}
        for name, frame in self._program.frames.items():
            path: SourcePath = ("frames", name)
            if name == BASE:
                raise self._source.error(path, f"{BASE!r} is the robot's base and cannot be a frame; use another name")
            frames[name] = self._pose(frame.xyz, frame.rpy, path)
        return frames

    def check_everything_named(self) -> None:
        """Check points that no step uses, and the defaults."""
        for name, target in self._program.points.items():
            self._target(target, ("points", name), BASE, name)
        defaults = self._program.defaults
        if defaults.tool is not None:
            self._tool(defaults.tool, ("defaults", "tool"))
        if defaults.frame is not None:
            self._frame(defaults.frame, ("defaults", "frame"))
        self._speed_joint(defaults.speed_joint, ("defaults", "speed_joint"))
        self._positive(defaults.speed, "m/s", ("defaults", "speed"))
        self._positive(defaults.turn, "deg/s", ("defaults", "turn"))
        self._tolerance(defaults.tolerance, ("defaults", "tolerance"))
        self._no_blend(defaults.blend, ("defaults", "blend"))

    def _tool(self, name: str, path: SourcePath) -> ResolvedTool:
        if name not in self.tools:
            raise unknown("tool", name, list(self.tools), self._source, path)
        return self.tools[name]

    def _frame(self, name: str, path: SourcePath) -> SE3:
        if name not in self._frames:
            raise unknown("frame", name, list(self._frames), self._source, path)
        return self._frames[name]

    def _joint_point(self, name: str, path: SourcePath, purpose: str) -> tuple[float, ...]:
        points = self._program.points
        with_joints = [other for other, point in points.items() if point.joints is not None]
        if name not in points:
            raise unknown("point", name, with_joints, self._source, path)
        joints = points[name].joints
        if joints is None:
            raise self._source.error(
                path, f"{purpose} needs a point with joints, but {name!r} is a pose; {did_you_mean(name, with_joints)}"
            )
        return self._joints(joints, ("points", name, "joints"))

    # ---- numbers
    def _joints(self, values: JointValues, path: SourcePath) -> tuple[float, ...]:
        """Joint values in SI units and joint order, within the limits."""
        if isinstance(values, dict):
            check_joint_names(values, self._names, self._source, path)
            if missing := [name for name in self._names if name not in values]:
                raise self._source.error(
                    path, f"expected a value for every moving joint; missing: {', '.join(missing)}"
                )
            paths: list[SourcePath] = [(*path, name) for name in self._names]
            typed = [values[name] for name in self._names]
        else:
            check_joint_count(values, self._names, self._source, path)
            paths = [(*path, index) for index in range(len(values))]
            typed = list(values)
        return tuple(self._joint(index, value, paths[index]) for index, value in enumerate(typed))

    def _joint(self, index: int, typed: Number, path: SourcePath) -> float:
        limits = self._limits[index]
        length = limits.kind == "prismatic"
        q = float(typed) if length else math.radians(typed)
        if length:
            self.suspicions.lengths((typed,), path)
        else:
            self.suspicions.joint_angle(typed, path)
        if abs(q) > LARGEST_ANGLE:
            raise self._source.error(path, f"joint {self._names[index]!r}: {typed:g} is beyond every meaningful value")
        if limits.lower <= q <= limits.upper:
            return q
        unit, scale = (" m", 1.0) if length else ("°", 180.0 / math.pi)
        low, high = limits.lower * scale, limits.upper * scale
        side, limit, shown = (
            ("above its upper", limits.upper, high) if q > limits.upper else ("below its lower", limits.lower, low)
        )
        message = (
            f"{self._source.where(path)}: joint {self._names[index]!r} at {typed:.12g}{unit} is {side} limit "
            f"{shown:.9g}{unit}; it goes from {low:.9g} to {high:.9g}"
        )
        turn = -360 if typed > 0 else 360
        if not length and low <= typed + turn <= high:
            message += f"; nothing is wrapped: write {typed + turn:.12g} if that is meant"
        raise JointLimitViolated(message, joint=self._names[index], value=q, limit=limit)

    def _pose(self, xyz: Triple, rpy: Triple, path: SourcePath) -> SE3:
        from ..spatial import SE3, SO3

        self.suspicions.lengths(xyz, (*path, "xyz"))
        for index, angle in enumerate(rpy):
            self.suspicions.orientation_angle(angle, (*path, "rpy", index))
            if abs(angle) > 360:
                raise self._source.error((*path, "rpy", index), f"expected degrees from -360 to 360, got {angle:g}")
        roll, pitch, yaw = (math.radians(angle) for angle in rpy)
        return SE3(SO3.from_rpy(roll, pitch, yaw), _floats(xyz))

    def _speed_joint(self, value: Number, path: SourcePath) -> float:
        if not 0 < value <= 1:
            raise self._source.error(
                path, f"expected a share of the joint limits, above 0 and up to 1 (0.5 is half), got {value:g}"
            )
        return float(value)

    def _positive(self, value: Number | None, unit: str, path: SourcePath) -> float | None:
        if value is not None and not value > 0:
            raise self._source.error(path, f"expected a positive number ({unit}), got {value:g}")
        return None if value is None else float(value)

    def _tolerance(self, value: Tolerance, path: SourcePath) -> tuple[float, float]:
        """Metres and radians; what the step leaves out is the program's default, what that leaves out the format's."""
        position = self._positive(value.position, "m", (*path, "position"))
        rotation = self._positive(value.rotation, "degrees", (*path, "rotation"))
        default = self._program.defaults.tolerance
        position = position or default.position or POSITION_TOLERANCE
        return float(position), math.radians(rotation or default.rotation or ROTATION_TOLERANCE)

    def _no_blend(self, value: Number | None, path: SourcePath) -> None:
        if value is None or value == 0:
            return
        if value < 0:
            raise self._source.error(path, f"expected 0, got {value:g}")
        raise self._source.error(
            path,
            f"blends are not available in this version: got {value:g}; write 'blend: 0', which stops at each point",
        )

    # ---- steps
    def start(self) -> tuple[float, ...] | None:
        """The joint values at time zero, when the program says them apart from its steps."""
        start = self._program.start
        if start is None:
            return None
        if isinstance(start, str):
            return self._joint_point(start, ("start",), "a start")
        if start.joints is None:
            raise self._source.error(("start",), "a start needs 'joints': a pose does not say how the arm stands")
        return self._joints(start.joints, ("start", "joints"))

    def steps(self) -> tuple[ResolvedStep, ...]:
        """Every step, with the tool and frame that hold for it."""
        defaults = self._program.defaults
        active = _Active(self.tools[defaults.tool or FLANGE], defaults.frame or BASE, self._program.start is not None)
        resolved = tuple(self._step(index, step, active) for index, step in enumerate(self._program.steps))
        if not active.moved:
            raise self._source.error(
                ("steps",), "no step moves the arm, so where it stands is not said; begin with a movej to joint values"
            )
        return resolved

    def _step(self, index: int, step: Step, active: _Active) -> ResolvedStep:
        path: SourcePath = ("steps", index)
        text, line = path_text(path), self._source.line(path)
        match step:
            case MoveJStep():
                target = self._named_target(step.movej, (*path, "movej"), active.frame)
                self._check_first(target, (*path, "movej"), active)
                self._no_blend(step.blend, (*path, "blend"))
                share = self._program.defaults.speed_joint if step.speed_joint is None else step.speed_joint
                return MoveJoint(
                    index=index, path=text, line=line, verb="movej", target=target,
                    speed_joint=self._speed_joint(share, (*path, "speed_joint")), tool=active.tool, frame=active.frame,
                )  # fmt: skip
            case MoveLStep():
                return self._move_line(index, step, active)
            case WaitStep():
                if not 0 <= step.wait <= LONGEST_WAIT:
                    raise self._source.error(
                        (*path, "wait"), f"expected seconds from 0 to {LONGEST_WAIT}, which is a day, got {step.wait:g}"
                    )
                return Wait(index=index, path=text, line=line, verb="wait", seconds=float(step.wait))
            case SetStep():
                return SetOutput(index=index, path=text, line=line, verb="set", outputs=tuple(step.set.items()))
            case NoteStep():
                return Note(index=index, path=text, line=line, verb="note", text=step.note)
            case ToolStep():
                active.tool = self._tool(step.tool, (*path, "tool"))
                return ToolChange(index=index, path=text, line=line, verb="tool", tool=active.tool)
            case FrameStep():
                pose = self._frame(step.frame, (*path, "frame"))
                active.frame = step.frame
                return FrameChange(
                    index=index, path=text, line=line, verb="frame", name=step.frame, base_T_frame=pose
                )  # fmt: skip

    def _move_line(self, index: int, step: MoveLStep, active: _Active) -> MoveLine:
        path: SourcePath = ("steps", index)
        defaults = self._program.defaults
        if not active.moved:
            raise self._source.error(
                (*path, "movel"),
                "the first motion must be a movej, which says where the program starts; "
                "put a movej first, or add 'start: {joints: [...]}'",
            )
        target = self._named_target(step.movel, (*path, "movel"), active.frame)
        self._no_blend(step.blend, (*path, "blend"))
        turn = self._positive(defaults.turn if step.turn is None else step.turn, "deg/s", (*path, "turn"))
        tolerance = defaults.tolerance if step.tolerance is None else step.tolerance
        position, rotation = self._tolerance(tolerance, (*path, "tolerance"))
        return MoveLine(
            index=index,
            path=path_text(path),
            line=self._source.line(path),
            verb="movel",
            target=target,
            speed=self._positive(defaults.speed if step.speed is None else step.speed, "m/s", (*path, "speed")),
            turn=None if turn is None else math.radians(turn),
            position_tolerance=position,
            rotation_tolerance=rotation,
            tool=active.tool,
            frame=active.frame,
        )

    def _check_first(self, target: JointTarget | PoseTarget, path: SourcePath, active: _Active) -> None:
        if not active.moved and isinstance(target, PoseTarget) and target.near is None:
            raise self._source.error(
                path,
                "the first movej says where the program starts, and a pose alone does not say how the arm stands; "
                "give joint values, or add 'near: NAME' of a point with joints",
            )
        active.moved = True

    def _named_target(self, value: str | Target, path: SourcePath, frame: str) -> JointTarget | PoseTarget:
        if isinstance(value, Target):
            return self._target(value, path, frame, None)
        points = self._program.points
        if value not in points:
            raise unknown("point", value, list(points), self._source, path)
        return self._target(points[value], ("points", value), frame, value)

    def _target(self, target: Target, path: SourcePath, active: str, name: str | None) -> JointTarget | PoseTarget:
        if target.joints is not None:
            return JointTarget(q=self._joints(target.joints, (*path, "joints")), name=name)
        assert target.xyz is not None  # loading has seen to it
        frame = active if target.frame is None else target.frame
        base_T_frame = self._frame(frame, (*path, "frame"))
        pose = self._pose(target.xyz, target.rpy or (0, 0, 0), path)
        near = None
        if target.near is not None:
            near = self._joint_point(target.near, (*path, "near"), "'near'")
        return PoseTarget(
            base_T_tcp=pose if frame == BASE else base_T_frame * pose, near=near, near_name=target.near, name=name
        )


def _floats(values: Triple) -> tuple[float, float, float]:
    x, y, z = values
    return (float(x), float(y), float(z))
