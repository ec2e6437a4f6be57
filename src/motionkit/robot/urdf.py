"""Reads a URDF into a robot model and reports every defect at once, each with its line and what helps.

Only the description is read: meshes are looked up but never opened, and sensors, transmissions and simulator extensions
are passed over. What a model that loads may still lack is found by ``RobotModel.check``.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NoReturn

from ..errors import InvalidModel, KindMismatch, UnknownName, did_you_mean
from ._packages import PackageResolver
from ._source import Source, read
from ._urdf_elements import Reader
from ._urdf_schema import misfits
from ._urdf_tree import assemble
from ._xml import parse
from .findings import Finding, errors_first, in_order, joint_findings, link_findings
from .model import ModelJoint, Packages, RobotModel

_SHOWN = 8  # defects that the message lists; the exception has them all


def load(source: str | os.PathLike[str], packages: Packages | None = None, hold: Collection[str] = ()) -> RobotModel:
    """The model of a URDF file or text; see :meth:`RobotModel.from_urdf`."""
    return load_file(read(source), packages, hold)


def load_file(file: Source, packages: Packages | None = None, hold: Collection[str] = ()) -> RobotModel:
    """The model of a URDF that is in memory already."""
    if isinstance(hold, str):
        raise KindMismatch(f"hold: expected names of joints, got a text; write hold=({hold!r},)")
    root = parse(file.data, file.name, "utf-8" if file.is_text else None)
    if root.tag != "robot":
        fix = "load it with from_mjcf" if root.tag == "mujoco" else "is this file a URDF?"
        refuse(file.name, [Finding("error", "root", root.line, "a robot element", f"<{root.tag}>", fix)])
    reader = Reader(PackageResolver(file.folder, {k: Path(v) for k, v in (packages or {}).items()}), tuple(hold))
    reader.leftover_xacro(root)
    if reader.errors:  # what else would be found follows from it
        refuse(file.name, reader.errors)
    link_elements, joint_elements = list(root.each("link")), list(root.each("joint"))
    for finding in misfits(root):
        (reader.errors if finding.severity == "error" else reader.notes).append(finding)
    if not link_elements:
        fix = "add links; xacro leaves a file like this when the macro that makes the robot was not called"
        reader.errors.append(Finding("error", "robot", root.line, "at least one link", "none", fix))
        refuse(file.name, [*reader.errors, *reader.notes])
    links = [link for element in link_elements if (link := reader.link(element)) is not None]
    joints = [joint for element in joint_elements if (joint := reader.joint(element)) is not None]
    whole = len(links) == len(link_elements) and len(joints) == len(joint_elements)
    ordered = assemble(links, joints, reader, whole)
    _refuse_unknown(hold, reader, joints)
    if reader.errors:
        doubts = [*reader.notes, *(f for joint in joints for f in joint_findings(joint))]
        doubts += [f for link in links for f in link_findings(link)]
        wrong = {error.where for error in reader.errors}  # what stands for a wrong value is not doubted as well
        refuse(file.name, [*reader.errors, *(doubt for doubt in doubts if doubt.where not in wrong)])
    notes, source = tuple(in_order(reader.notes)), "" if file.is_text else file.name
    return RobotModel(root.get("name") or "robot", tuple(links), tuple(ordered), notes, source)


def _refuse_unknown(hold: Collection[str], reader: Reader, joints: Iterable[ModelJoint]) -> None:
    kinds = {joint.name: joint.kind for joint in joints}
    for name in hold:
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
