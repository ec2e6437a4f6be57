"""Writes a robot model as a URDF: what a model knows is in the file, and what a URDF cannot say is an error.

Numbers have as many digits as it takes to read the same double again. Reading is done in ``urdf``.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .._files import write_whole
from ..errors import InvalidModel
from ..spatial import SE3
from ._xml import etree
from .findings import Finding
from .inertia import LinkInertia
from .limits import MOVING
from .model import Mesh, ModelJoint, ModelLink, RobotModel

KINDS = (*MOVING, "fixed", "floating", "planar")
ROLES = ("visual", "collision")
_IDENTITY = SE3.identity()


def to_urdf(model: RobotModel, path: str | os.PathLike[str] | None) -> str | None:
    """The text, or None once it is in a file; see :meth:`RobotModel.to_urdf`."""
    wrong = list(_unsayable(model))
    if wrong:
        lines = "\n".join(f"{f.where}: {f.rule}; got {f.value}; {f.fix}" for f in wrong)
        raise InvalidModel(f"robot {model.name!r} cannot be written as a URDF:\n{lines}", findings=wrong)
    folder = None if path is None else Path(os.path.realpath(path)).parent
    root = etree.Element("robot", name=model.name)
    for link in model.links:
        _link(root, link, folder)
    for joint in model.joints:
        _joint(root, joint)
    etree.indent(root)
    body: str = etree.tostring(root, encoding="unicode")
    text = f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'
    if path is None:
        return text
    write_whole(path, text.encode())
    return None


def _unsayable(model: RobotModel) -> Iterator[Finding]:
    yield from _name("robot", model.name, None)
    for link in model.links:
        where = f"link {link.name!r}"
        yield from _name(where, link.name, link.line)
        if link.inertia is not None and not _symmetric(link.inertia):
            fix = "correct the tensor: of its two halves only one can be written"
            rows = link.inertia.inertia
            yield Finding("error", f"{where} inertia", link.inertial_line, "a symmetric tensor", rows, fix)
        for mesh in link.meshes:
            yield from _name(f"{where} {mesh.role} mesh", mesh.filename, mesh.line)
            if mesh.role not in ROLES:
                yield Finding(
                    "error", f"{where} mesh", mesh.line, f"one of {', '.join(ROLES)}", mesh.role, "correct it"
                )
    names = Counter(joint.name for joint in model.joints)
    for joint in model.joints:
        where = f"joint {joint.name!r}"
        yield from _name(where, joint.name, joint.line)
        if names[joint.name] > 1:
            rule = "every joint has a name of its own"
            yield Finding("error", where, joint.line, rule, f"{names[joint.name]} of this name", "rename one")
        if joint.kind not in KINDS:
            yield Finding("error", where, joint.line, f"one of {', '.join(KINDS)}", repr(joint.kind), "correct it")
        elif joint.kind in (*MOVING, "fixed") and joint.limits.kind != joint.kind:
            rule = f"limits of a {joint.kind} joint"
            yield Finding("error", where, joint.line, rule, f"{joint.limits.kind} limits", "give limits of its kind")
        if not (all(map(math.isfinite, joint.axis)) and any(joint.axis)):
            fix = "give the direction it turns about or slides along"
            yield Finding("error", f"{where} axis", joint.line, "a direction", joint.axis, fix)
        if (mimic := joint.mimic) is not None:
            where = f"{where} mimic"
            if mimic.joint not in names:
                fix = "name a joint of the model"
                yield Finding("error", where, joint.line, "a joint of the model", repr(mimic.joint), fix)
            if not (math.isfinite(mimic.multiplier) and math.isfinite(mimic.offset)):
                yield Finding("error", where, joint.line, "finite numbers", mimic, "correct them")


def _name(where: str, name: str, line: int | None) -> Iterator[Finding]:
    """A name that is empty, or has characters that XML cannot hold in any way."""
    if not name:
        yield Finding("error", where, line, "a name", "none", "give it a name")
        return
    try:
        etree.Element("robot", name=name)
    except ValueError:
        yield Finding("error", where, line, "characters that XML can hold", repr(name), "rename it")


def _symmetric(body: LinkInertia) -> bool:
    tensor = body.inertia
    return all(tensor[j][k] == tensor[k][j] for j, k in ((0, 1), (0, 2), (1, 2)))


# ---- elements
def _link(root: Any, link: ModelLink, folder: Path | None) -> None:
    element = etree.SubElement(root, "link", name=link.name)
    body = link.inertia
    if body is not None:
        inertial = etree.SubElement(element, "inertial")
        if any(body.com):
            etree.SubElement(inertial, "origin", xyz=_numbers(*body.com))
        etree.SubElement(inertial, "mass", value=_numbers(body.mass))
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia
        parts = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
        etree.SubElement(inertial, "inertia", {key: _numbers(value) for key, value in parts.items()})
    for mesh in link.meshes:
        part = etree.SubElement(element, mesh.role)
        _origin(part, mesh.pose)
        shape = etree.SubElement(etree.SubElement(part, "geometry"), "mesh", filename=_filename(mesh, folder))
        if mesh.scale != (1.0, 1.0, 1.0):
            shape.set("scale", _numbers(*mesh.scale))


def _filename(mesh: Mesh, folder: Path | None) -> str:
    """As it was written; a relative one leads to the same file from where the URDF will be."""
    name = mesh.filename
    if folder is None or mesh.path is None or ":" in name or Path(name).is_absolute():
        return name
    try:
        return Path(os.path.relpath(mesh.path, folder)).as_posix()
    except ValueError:  # on another drive
        return mesh.path.absolute().as_posix()


def _joint(root: Any, joint: ModelJoint) -> None:
    element = etree.SubElement(root, "joint", name=joint.name, type=joint.kind)
    _origin(element, joint.placement)
    etree.SubElement(element, "parent", link=joint.parent)
    etree.SubElement(element, "child", link=joint.child)
    if joint.kind in (*MOVING, "planar"):
        etree.SubElement(element, "axis", xyz=_numbers(*joint.axis))
    limits = joint.limits
    if joint.kind in MOVING:
        unset = limits.max_velocity is None and limits.effort is None
        if joint.kind != "continuous" or not unset:
            # other readers insist on both attributes; 0 is how a URDF leaves them open
            shown = {"effort": limits.effort or 0.0, "velocity": limits.max_velocity or 0.0}
            if joint.kind != "continuous":
                shown = {"lower": limits.lower, "upper": limits.upper, **shown}
            etree.SubElement(element, "limit", {key: _numbers(value) for key, value in shown.items()})
    if (mimic := joint.mimic) is not None:
        numbers = {"multiplier": _numbers(mimic.multiplier), "offset": _numbers(mimic.offset)}
        etree.SubElement(element, "mimic", {"joint": mimic.joint, **numbers})


def _origin(element: Any, pose: SE3) -> None:
    """Nothing where it is the identity, which is what its absence means."""
    turned = pose.rotation != _IDENTITY.rotation
    shifted = any(pose.translation.tolist())
    if turned or shifted:
        origin = etree.SubElement(element, "origin")
        if shifted:
            origin.set("xyz", _numbers(*pose.translation.tolist()))
        if turned:
            origin.set("rpy", _numbers(*pose.rotation.rpy().tolist()))


def _numbers(*values: float) -> str:
    return " ".join(repr(float(value) + 0.0).removesuffix(".0") for value in values)
