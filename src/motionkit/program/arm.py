"""The arm that a program is for: its robot file found and loaded, its motion limits complete.

Joint values, poses and steps are the business of :mod:`motionkit.program.resolving`.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import (
    FileUnreadable,
    InvalidLimits,
    InvalidModel,
    InvalidProgram,
    KindMismatch,
    MissingExtra,
    UnknownName,
    did_you_mean,
    nearest,
)
from .schema import JointValues, LimitTable, RobotReference
from .source import Source, SourcePath

if TYPE_CHECKING:
    from ..motion import MotionLimits
    from ..robot import RobotModel, SerialChain

__all__ = ["BUILT_IN", "Arm", "load_arm", "load_model", "motion_limits"]

BUILT_IN = "six_axis_example"
"""The arm that needs no file."""

_UNITS = {
    "max_velocity": ("velocity", "rad/s", "m/s"),
    "max_acceleration": ("acceleration", "rad/s²", "m/s²"),
    "max_jerk": ("jerk", "rad/s³", "m/s³"),
}


@dataclass(frozen=True, slots=True)
class Arm:
    """A robot and the chain of it that moves.

    Attributes:
        name: what the user called it.
        model: the whole robot.
        chain: from base to flange, without a tool.
        digest: SHA-256 in hexadecimal of the robot file, of the URDF that it stands for when it is another kind of
            file, which may draw on several, or of the name of a built-in arm.
    """

    name: str
    model: RobotModel
    chain: SerialChain
    digest: str


def load_arm(robot: str | RobotReference, *, folder: Path | str = ".") -> Arm:
    """Load a built-in arm or a robot file.

    Args:
        robot: ``six_axis_example``, the path of a URDF, xacro or MJCF file, or a reference with links and packages.
        folder: what relative paths are relative to.

    Raises:
        UnknownName: neither a built-in arm nor a path, or a link that the robot does not have.
        FileUnreadable: the file cannot be read or parsed.
        InvalidModel: the file describes no robot, or none with a moving joint between the two links.
        MissingExtra: a xacro or MJCF file, and what reads it is not installed.
    """
    reference = RobotReference(urdf=robot) if isinstance(robot, str) else robot
    model, content = _read_model(reference, Path(folder))
    chain = model.chain(base=reference.base, tip=reference.tip)
    if chain.n == 0:
        raise InvalidModel(
            f"the chain of {reference.urdf} from {chain.base!r} to {chain.tip!r} has no moving joint; "
            "choose other links with base and tip",
            findings=[],
        )
    return Arm(reference.urdf, model, chain, hashlib.sha256(content).hexdigest())


def load_model(robot: str, *, folder: Path | str = ".") -> RobotModel:
    """Load the whole robot of a built-in arm or a robot file, whichever of its chains may be meant.

    Args:
        robot: ``six_axis_example`` or the path of a URDF, xacro or MJCF file.
        folder: what a relative path is relative to.

    Raises:
        UnknownName: neither a built-in arm nor a path.
        FileUnreadable: the file cannot be read or parsed.
        InvalidModel: the file describes no robot.
        MissingExtra: a xacro or MJCF file, and what reads it is not installed.
    """
    return _read_model(RobotReference(urdf=robot), Path(folder))[0]


def _read_model(reference: RobotReference, folder: Path) -> tuple[RobotModel, bytes]:
    """The robot, and what its digest is made of."""
    from ..robot import RobotModel
    from ..robot.files import kind_of

    if reference.urdf == BUILT_IN:
        return RobotModel.six_axis_example(), BUILT_IN.encode()
    path = _robot_file(reference.urdf, folder)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileUnreadable(
            f"the robot file {path} cannot be read: {error.strerror or error}", path=str(path), line=None
        ) from None
    packages = {package: str(folder / place) for package, place in reference.packages.items()}
    model = RobotModel.from_file(path, packages or None, hold=reference.hold)
    return model, content if kind_of(path, content) == "urdf" else model.to_urdf().encode()


def _robot_file(name: str, folder: Path) -> Path:
    path = folder / name
    looks_like_a_path = bool(Path(name).suffix) or "/" in name or "\\" in name or path.is_file()
    if not looks_like_a_path:
        close = nearest(name, [BUILT_IN])
        hint = f"did you mean {close!r}? " if close else ""
        raise UnknownName(
            f"unknown robot {name!r}; {hint}expected {BUILT_IN} or the path of a .urdf, .xacro or .xml file", name=name
        )
    return path


def located_arm(robot: str | RobotReference, source: Source) -> Arm:
    """The arm of a program; errors say where the program names it.

    Raises:
        UnknownName: see :func:`load_arm`.
        FileUnreadable: see :func:`load_arm`.
        InvalidModel: see :func:`load_arm`.
    """
    try:
        return load_arm(robot, folder=source.folder)
    except (UnknownName, FileUnreadable, InvalidModel, InvalidLimits, KindMismatch, MissingExtra) as error:
        raise type(error)(f"{source.where(('robot',))}: {error.message}", **error.__dict__) from None


def motion_limits(table: LimitTable, chain: SerialChain, source: Source) -> tuple[MotionLimits, ...]:
    """Velocity, acceleration and jerk limits of every joint, from the robot file and the program.

    Args:
        table: the program's ``limits``.
        chain: the arm.
        source: the program file, for messages.

    Returns:
        One for each moving joint in joint order, with its range; SI units, all set.

    Raises:
        InvalidLimits: a limit is unset, not positive, not finite, or a velocity above the robot's own.
        InvalidProgram: a list of the wrong length, or a joint that the arm does not have.
    """
    from ..motion import MotionLimits

    given = {key: _by_joint(getattr(table, key), chain, source, ("limits", key)) for key in _UNITS}
    for index, (name, limits) in enumerate(zip(chain.joint_names, chain.limits, strict=True)):
        own = limits.max_velocity
        wanted = given["max_velocity"].setdefault(name, own) if own is not None else None
        if own is not None and wanted is not None and wanted > own:
            path = _value_path(table.max_velocity, "max_velocity", name, index)
            raise InvalidLimits(
                f"{source.where(path)}: joint {name!r} cannot go at {wanted:g}: the robot file says "
                f"at most {own:g} {_unit('max_velocity', limits.kind)}",
                joint=name,
            )
    for key, values in given.items():
        _refuse_unset(key, values, chain, source)
    return tuple(
        MotionLimits(
            max_velocity=given["max_velocity"][name],
            max_acceleration=given["max_acceleration"][name],
            max_jerk=given["max_jerk"][name],
            min_position=limits.lower if math.isfinite(limits.lower) else None,
            max_position=limits.upper if math.isfinite(limits.upper) else None,
        )
        for name, limits in zip(chain.joint_names, chain.limits, strict=True)
    )


def _unit(key: str, kind: str) -> str:
    return _UNITS[key][2 if kind == "prismatic" else 1]


def _value_path(values: JointValues | None, key: str, joint: str, index: int) -> SourcePath:
    if isinstance(values, dict):
        return ("limits", key, joint)
    return ("limits", key, index) if values is not None else ("limits", key)


def _by_joint(values: JointValues | None, chain: SerialChain, source: Source, path: SourcePath) -> dict[str, float]:
    """The values of one limit by joint name; those that must be positive are."""
    names = list(chain.joint_names)
    if values is None:
        return {}
    if isinstance(values, dict):
        check_joint_names(values, names, source, path)
        pairs = [(name, names.index(name), value) for name, value in values.items()]
    else:
        check_joint_count(values, names, source, path)
        pairs = [(name, index, value) for index, (name, value) in enumerate(zip(names, values, strict=True))]
    key = str(path[-1])
    for name, index, value in pairs:
        if not (math.isfinite(value) and value > 0):
            where = source.where(_value_path(values, key, name, index))
            raise InvalidLimits(
                f"{where}: joint {name!r} may not move: its {_UNITS[key][0]} limit must be positive and finite, "
                f"got {value:g} {_unit(key, chain.limits[index].kind)}",
                joint=name,
            )
    return {name: float(value) for name, _, value in pairs}


def _refuse_unset(key: str, values: dict[str, float], chain: SerialChain, source: Source) -> None:
    missing = [name for name in chain.joint_names if name not in values]
    if not missing:
        return
    word = _UNITS[key][0]
    kinds = {name: limits.kind for name, limits in zip(chain.joint_names, chain.limits, strict=True)}
    units = " or ".join(dict.fromkeys(_unit(key, kinds[name]) for name in missing))
    everyone = len(missing) == chain.n
    joints = "any joint" if everyone else ("joint " if len(missing) == 1 else "joints ") + ", ".join(map(repr, missing))
    example = f"[{', '.join(['…'] * chain.n)}]" if everyone else "{" + ", ".join(f"{n}: …" for n in missing) + "}"
    nowhere = (
        "neither the robot file nor the program says one" if key == "max_velocity" else "the program does not say one"
    )
    raise InvalidLimits(
        f"{source.where(('limits', key))}: no {word} limit for {joints} of the arm, which therefore may not move: "
        f"{nowhere}; add 'limits: {{{key}: {example}}}' ({units})",
        joint=missing[0],
    )


def check_joint_count(values: tuple[float, ...], names: list[str], source: Source, path: SourcePath) -> None:
    """Refuse a list that has not one value for each moving joint.

    Raises:
        InvalidProgram: too few or too many values.
    """
    if len(values) != len(names):
        raise source.error(
            path, f"expected {len(names)} values, one for each moving joint ({', '.join(names)}), got {len(values)}"
        )


def check_joint_names(values: dict[str, float], names: list[str], source: Source, path: SourcePath) -> None:
    """Refuse a mapping that names a joint the arm does not have.

    Raises:
        InvalidProgram: the unknown joint, with the nearest valid one.
    """
    for name in values:
        if name not in names:
            raise unknown("joint", name, names, source, (*path, name))


def unknown(kind: str, name: str, valid: list[str], source: Source, path: SourcePath) -> InvalidProgram:
    """An error about a name that does not exist; the caller raises it."""
    return source.error(path, f"unknown {kind} {name!r}; {did_you_mean(name, valid)}")
