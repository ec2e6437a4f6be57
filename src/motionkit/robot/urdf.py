"""Reads a URDF into a robot model and reports every defect at once, each with its line and what helps.

Only the description is read: meshes are looked up but never opened, and sensors, transmissions and simulator extensions
are passed over. What a model that loads may still lack is found by ``RobotModel.check``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ..errors import InvalidModel
from ._packages import PackageResolver
from ._source import Source, read
from ._urdf_elements import Reader
from ._urdf_tree import assemble
from ._xml import parse
from .findings import Finding, in_order
from .model import Packages, RobotModel

_SHOWN = 8  # defects that the message lists; the exception has them all


def load(source: str | os.PathLike[str], packages: Packages | None = None) -> RobotModel:
    """The model of a URDF file or text; see :meth:`RobotModel.from_urdf`."""
    return load_file(read(source), packages)


def load_file(file: Source, packages: Packages | None = None) -> RobotModel:
    """The model of a URDF that is in memory already."""
    name, text = file.name, file.is_text
    root = parse(file.data, name, "utf-8" if text else None)
    if root.tag != "robot":
        refuse(name, [Finding("error", "root", root.line, "a robot element", f"<{root.tag}>", "is this file a URDF?")])
    reader = Reader(PackageResolver(file.folder, {k: Path(v) for k, v in (packages or {}).items()}))
    reader.leftover_xacro(root)
    if reader.errors:  # what else would be found follows from it
        refuse(name, reader.errors)
    link_elements, joint_elements = list(root.each("link")), list(root.each("joint"))
    if not link_elements:
        fix = "add links; xacro leaves a file like this when the macro that makes the robot was not called"
        refuse(name, [Finding("error", "robot", root.line, "at least one link", "none", fix)])
    links = [link for element in link_elements if (link := reader.link(element)) is not None]
    joints = [joint for element in joint_elements if (joint := reader.joint(element)) is not None]
    whole = len(links) == len(link_elements) and len(joints) == len(joint_elements)
    ordered = assemble(links, joints, reader, whole)
    if reader.errors:
        refuse(name, reader.errors)
    return RobotModel(
        root.get("name") or "robot", tuple(links), tuple(ordered), tuple(in_order(reader.notes)), "" if text else name
    )


def refuse(name: str, errors: Iterable[Finding]) -> None:
    """Raise one error that lists all defects."""
    found = in_order(errors)
    lines = [f"{name}:{f.line or '?'}: {f.where}: {f.rule}; got {f.value}; {f.fix}" for f in found[:_SHOWN]]
    if len(found) > _SHOWN:
        lines.append(f"and {len(found) - _SHOWN} more")
    raise InvalidModel("\n".join(lines), findings=found)
