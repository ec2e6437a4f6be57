"""Reads a URDF into a robot model and reports every defect at once, each with its line and what helps.

Only the description is read: meshes are looked up but never opened, and sensors, transmissions and simulator extensions
are passed over. What a model that loads may still lack is found by ``RobotModel.check``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ..errors import FileUnreadable, InvalidModel, UnknownName, did_you_mean
from ._packages import PackageResolver
from ._urdf_elements import Reader
from ._urdf_schema import misfits
from ._urdf_tree import assemble
from ._xml import LARGEST, parse
from .findings import Finding, check, errors_first, in_order, joint_findings, link_findings
from .model import ModelJoint, Packages, RobotModel

_SHOWN = 8  # defects that the message lists; the exception has them all
_PIECE = 2**20  # bytes
_BLANK = "\ufeff \t\r\n"
_DECLARATION = re.compile(r"^\s*<\?xml\s[^>]*\?>")


@dataclass(frozen=True, slots=True)
class Examination:
    """What reading a file came to: the model, or None, and everything found, errors first, each by line."""

    model: RobotModel | None
    findings: tuple[Finding, ...]


def load(
    source: str | os.PathLike[str], packages: Packages | None = None, hold: str | Iterable[str] = ()
) -> RobotModel:
    """The model of a URDF file or text; see :meth:`RobotModel.from_urdf`."""
    name, model, findings = _read(source, packages, hold)
    if model is None:
        refuse(name, findings)
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
        _, model, findings = _read(source, packages, hold)
    except FileUnreadable as error:
        said = error.message.partition(": ")[2]
        what, _, fix = said.rpartition("; ")
        return Examination(None, (Finding("error", "file", error.line, "a robot file", what, fix),))
    return Examination(model, tuple(errors_first(findings if model is None else check(model))))


def _read(
    source: str | os.PathLike[str], packages: Packages | None, hold: str | Iterable[str]
) -> tuple[str, RobotModel | None, list[Finding]]:
    text = isinstance(source, str) and source.lstrip(_BLANK).startswith("<")
    name, folder = ("<text>", None) if text else (os.fspath(source), Path(source).resolve().parent)
    if text and isinstance(source, str):
        # a text has no encoding any more, and may start with blank lines; lines keep their numbers
        source = _DECLARATION.sub(lambda match: "\n" * match.group().count("\n"), source.lstrip("\ufeff"))
        root = parse(source.encode(), name, "utf-8")
    else:
        root = parse(_contents(Path(source)), name)
    if root.tag != "robot":
        fix = "is this file a URDF?"
        return name, None, [Finding("error", "root", root.line, "a robot element", f"<{root.tag}>", fix)]
    held = (hold,) if isinstance(hold, str) else tuple(hold)
    reader = Reader(PackageResolver(folder, {k: Path(v) for k, v in (packages or {}).items()}), held)
    reader.leftover_xacro(root)
    if reader.errors:  # what else would be found follows from it
        return name, None, reader.errors
    link_elements, joint_elements = list(root.each("link")), list(root.each("joint"))
    for finding in misfits(root):
        (reader.errors if finding.severity == "error" else reader.notes).append(finding)
    if not link_elements:
        fix = "add links; xacro leaves a file like this when the macro that makes the robot was not called"
        reader.errors.append(Finding("error", "robot", root.line, "at least one link", "none", fix))
        return name, None, errors_first([*reader.errors, *reader.notes])
    links = [link for element in link_elements if (link := reader.link(element)) is not None]
    joints = [joint for element in joint_elements if (joint := reader.joint(element)) is not None]
    whole = len(links) == len(link_elements) and len(joints) == len(joint_elements)
    ordered = assemble(links, joints, reader, whole)
    _refuse_unknown(held, reader, joints)
    if reader.errors:
        doubts = [*reader.notes, *(f for joint in joints for f in joint_findings(joint))]
        doubts += [f for link in links for f in link_findings(link)]
        wrong = {error.where for error in reader.errors}  # what stands for a wrong value is not doubted as well
        return name, None, errors_first([*reader.errors, *(doubt for doubt in doubts if doubt.where not in wrong)])
    title = root.get("name") or "robot"
    notes = tuple(in_order(reader.notes))
    return name, RobotModel(title, tuple(links), tuple(ordered), notes, "" if text else name), []


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


def _contents(path: Path) -> bytes:
    try:
        with path.open("rb") as file:  # in pieces, for a pipe or a device may have no end
            content = bytearray()
            while len(content) <= LARGEST and (piece := file.read(_PIECE)):
                content += piece
            return bytes(content)
    except OSError as error:
        hint = "check the path"
        if isinstance(error, FileNotFoundError) and path.parent.is_dir():
            near = did_you_mean(path.name, (p.name for p in path.parent.iterdir() if p.suffix in (".urdf", ".xml")))
            hint = near if near.startswith("did") else hint
        raise FileUnreadable(
            f"{path}: cannot be read: {error.strerror or error}; {hint}", path=str(path), line=None
        ) from error
