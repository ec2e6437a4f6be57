"""Reads a URDF into a robot model and reports every defect at once, each with its line and what helps.

Only the description is read: meshes are looked up but never opened, and sensors, transmissions and simulator extensions
are passed over. What a model that loads may still lack is found by ``RobotModel.check``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ..errors import FileUnreadable, InvalidModel, UnknownName, did_you_mean
from ._packages import PackageResolver
from ._source import Source, read
from ._urdf_elements import Reader
from ._urdf_schema import misfits
from ._urdf_tree import assemble
from ._xml import parse
from .findings import Finding, check, errors_first, in_order, joint_findings, link_findings
from .model import ModelJoint, Packages, RobotModel

_SHOWN = 8  # defects that the message lists; the exception has them all


@dataclass(frozen=True, slots=True)
class Examination:
    """What reading a file came to: the model, or None, and everything found, errors first, each by line."""

    model: RobotModel | None
    findings: tuple[Finding, ...]


def load(
    source: str | os.PathLike[str], packages: Packages | None = None, hold: str | Iterable[str] = ()
) -> RobotModel:
    """The model of a URDF file or text; see :meth:`RobotModel.from_urdf`."""
    return load_file(read(source), packages, hold)


def load_file(file: Source, packages: Packages | None = None, hold: str | Iterable[str] = ()) -> RobotModel:
    """The model of a URDF that is in memory already."""
    model, findings = _read(file, packages, hold)
    if model is None:
        refuse(file.name, findings)
    return model


def examine(
    source: str | os.PathLike[str], packages: Packages | None = None, hold: str | Iterable[str] = ()
) -> Examination:
    """Everything that is wrong or doubtful about a URDF, whether it can be loaded or not.

    Args:
        source: as for :meth:`RobotModel.from_urdf`.
        packages: as there.
        hold: as there.

    Raises:
        UnknownName: ``hold`` names what is no floating or planar joint of a file that loads otherwise.
    """
    try:
        model, findings = _read(read(source), packages, hold)
    except FileUnreadable as error:
        said = error.message.partition(": ")[2]
        what, _, fix = said.rpartition("; ")
        return Examination(None, (Finding("error", "file", error.line, "a robot file", what, fix),))
    return Examination(model, tuple(errors_first(findings if model is None else check(model))))


def _read(
    file: Source, packages: Packages | None, hold: str | Iterable[str]
) -> tuple[RobotModel | None, list[Finding]]:
    name, text = file.name, file.is_text
    root = parse(file.data, name, "utf-8" if text else None)
    if root.tag != "robot":
        fix = "is this file a URDF?"
        return None, [Finding("error", "root", root.line, "a robot element", f"<{root.tag}>", fix)]
    held = (hold,) if isinstance(hold, str) else tuple(hold)
    reader = Reader(PackageResolver(file.folder, {k: Path(v) for k, v in (packages or {}).items()}), held)
    reader.leftover_xacro(root)
    if reader.errors:  # what else would be found follows from it
        return None, reader.errors
    link_elements, joint_elements = list(root.each("link")), list(root.each("joint"))
    for finding in misfits(root):
        (reader.errors if finding.severity == "error" else reader.notes).append(finding)
    if not link_elements:
        fix = "add links; xacro leaves a file like this when the macro that makes the robot was not called"
        reader.errors.append(Finding("error", "robot", root.line, "at least one link", "none", fix))
        return None, errors_first([*reader.errors, *reader.notes])
    links = [link for element in link_elements if (link := reader.link(element)) is not None]
    joints = [joint for element in joint_elements if (joint := reader.joint(element)) is not None]
    whole = len(links) == len(link_elements) and len(joints) == len(joint_elements)
    ordered = assemble(links, joints, reader, whole)
    _refuse_unknown(held, reader, joints)
    if reader.errors:
        doubts = [*reader.notes, *(f for joint in joints for f in joint_findings(joint))]
        doubts += [f for link in links for f in link_findings(link)]
        wrong = {error.where for error in reader.errors}  # what stands for a wrong value is not doubted as well
        return None, errors_first([*reader.errors, *(doubt for doubt in doubts if doubt.where not in wrong)])
    title = root.get("name") or "robot"
    notes = tuple(in_order(reader.notes))
    return RobotModel(title, tuple(links), tuple(ordered), notes, "" if text else name), []


def _refuse_unknown(held: Iterable[str], reader: Reader, joints: Iterable[ModelJoint]) -> None:
    kinds = {joint.name: joint.kind for joint in joints}
    for name in held:
        if name not in reader.free:
            kind = f"joint {name!r} is {kinds[name]}" if name in kinds else f"there is no joint {name!r}"
            what = did_you_mean(name, reader.free) if reader.free else "this robot has none of them"
            raise UnknownName(f"hold takes floating and planar joints; {kind}; {what}", name=name)


def refuse(name: str, errors: Iterable[Finding]) -> NoReturn:
    """Raise one error that lists all defects; warnings follow the errors in its ``findings``."""
    found = errors_first(errors)
    wrong = [f for f in found if f.severity == "error"]
    lines = [f"{name}:{f.line or '?'}: {f.where}: {f.rule}; got {f.value}; {f.fix}" for f in wrong[:_SHOWN]]
    if len(wrong) > _SHOWN:
        lines.append(f"and {len(wrong) - _SHOWN} more; 'motionkit check' prints them all")
    raise InvalidModel("\n".join(lines), findings=found)
