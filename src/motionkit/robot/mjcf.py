"""Reads a MJCF file through MuJoCo's own compiler, which alone knows what defaults, includes and angles mean.

Here a file becomes a compiled model, or an error with its line. How that becomes links and joints is in ``_mjcf_tree``.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from .._extras import require
from ..errors import InvalidModel, KindMismatch
from ._mjcf_compiled import Compiled
from ._mjcf_parts import meshes, mimics, note_what_is_left_out
from ._mjcf_tree import NOTHING, Builder
from ._source import Source, read
from ._xml import Element, parse
from .findings import Finding, in_order
from .model import RobotModel
from .urdf import refuse

_LINE = re.compile(r"line (\d+)")
_AT_LINE = re.compile(r"Element .*\bline (\d+)")
_SINGULAR = "Inertia matrix is too close to singular"  # of a body without mass, which only dynamics minds
_NAN = re.compile(r"[\s\d.eE+-]*\bnan\b[\s\d.eE+-]*(\bnan\b[\s\d.eE+-]*)*", re.ASCII | re.IGNORECASE)
_ELEMENT = re.compile(r"Element (?:name )?'([^']+)'")


def load(source: str | os.PathLike[str], hold: Collection[str] = ()) -> RobotModel:
    """The model of a MJCF file or text; see :meth:`RobotModel.from_mjcf`."""
    mujoco = require("mujoco", "mjcf", "reading MJCF files")
    if isinstance(hold, str):
        raise KindMismatch(f"from_mjcf: hold: expected names of joints, got a text; write hold=({hold!r},)")
    file = read(source)
    root = parse(file.data, file.name, "utf-8" if file.is_text else None)
    if root.tag != "mujoco":
        fix = "load it with from_urdf" if root.tag == "robot" else "is this file a MJCF?"
        refuse(file.name, [Finding("error", "root", root.line, "a mujoco element", f"<{root.tag}>", fix)])
    if bad := list(_not_numbers(root)):
        refuse(file.name, bad)
    notes: list[Finding] = []
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            if file.folder is None:
                spec = mujoco.MjSpec.from_string(file.data.decode())
            else:  # from the root of the disk, so that the paths of meshes are too
                spec = mujoco.MjSpec.from_file(str(file.folder / Path(file.name).name))
        except (ValueError, mujoco.FatalError) as error:
            raise _refused(file, error, "a model that MuJoCo reads") from error
        m, left_out = _compiled(mujoco, spec, file, notes)
    notes.extend(_warned(str(warning.message)) for warning in said if _SINGULAR not in str(warning.message))
    compiled = Compiled(mujoco, m, _lines(spec, root), hold)
    compiled.refuse_what_is_not_finite()
    if compiled.errors:  # poses could not even be made of them
        refuse(file.name, compiled.errors)
    builder = Builder(compiled, meshes(compiled, file.folder or Path()), mimics(compiled), left_out)
    builder.build()
    if compiled.errors:
        refuse(file.name, compiled.errors)
    note_what_is_left_out(compiled)
    found, source = in_order([*notes, *compiled.notes]), "" if file.is_text else file.name
    return RobotModel(str(spec.modelname), tuple(builder.links), tuple(builder.joints), tuple(found), source)


def _compiled(mujoco: Any, spec: Any, file: Source, notes: list[Finding]) -> tuple[Any, frozenset[int]]:
    """The compiled model, and the bodies whose mass is not known since meshes had to be left out.

    Kinematics needs no pictures: when a file that is named cannot be used, they are left out and the model is compiled
    again.
    """
    spec.compiler.fusestatic = False  # bodies keep their names
    spec.compiler.discardvisual = False
    # a body without mass has kinematics all the same; MuJoCo insists on some, and the tree tells it from none
    spec.compiler.boundmass = spec.compiler.boundmass or NOTHING
    spec.compiler.boundinertia = spec.compiler.boundinertia or NOTHING
    try:
        return spec.compile(), frozenset()
    except (ValueError, mujoco.FatalError) as error:
        first = error
    bodies = _without_assets(mujoco, spec)
    try:
        compiled = spec.compile()
    except (ValueError, mujoco.FatalError) as error:
        raise _refused(file, error, "a model that MuJoCo compiles") from error
    reason = str(first).splitlines()[0].removeprefix("Error: ")
    notes.append(
        Finding(
            "info",
            "assets",
            None,
            "meshes and textures that can be read",
            reason,
            "all of them are left out; kinematics does not need them",
        )
    )
    return compiled, frozenset(int(body.id) for body in bodies)


def _without_assets(mujoco: Any, spec: Any) -> list[Any]:
    """Take out everything that is read from other files; the bodies whose mass was a matter of what is gone."""
    bodies: list[Any] = []
    always = spec.compiler.inertiafromgeom == mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
    for shape in list(spec.geoms):
        shape.material = ""
        if shape.meshname or shape.hfieldname:
            if always or not shape.parent.explicitinertial:
                bodies.append(shape.parent)
            spec.delete(shape)
    for shape in (*spec.sites, *spec.tendons, *spec.flexes):
        shape.material = ""
    for kind in (spec.meshes, spec.hfields, spec.skins, spec.materials, spec.textures):
        for asset in list(kind):
            spec.delete(asset)
    return bodies


def _not_numbers(root: Element) -> Iterator[Finding]:
    """Attributes with a NaN, which MuJoCo takes and writes into a log file."""
    for element in root.walk():
        for key, value in element.attributes.items():
            if key != "name" and _NAN.fullmatch(value):
                fix = "write a number such as 1.5"
                yield Finding("error", f"<{element.tag}> {key}", element.line, "finite numbers", repr(value), fix)


def _lines(spec: Any, root: Element) -> dict[tuple[str, int], int]:
    """Lines of bodies and joints by kind and number; none when several files make the model, whose lines mix."""
    if any(element.tag == "include" for element in root.walk()):
        return {}
    lines: dict[tuple[str, int], int] = {}
    for kind, elements in (("body", spec.bodies), ("joint", spec.joints)):
        things: Iterable[Any] = elements
        for thing in things:
            if found := _LINE.fullmatch(str(thing.info)):
                lines[kind, int(thing.id)] = int(found.group(1))
    return lines


def _warned(text: str) -> Finding:
    return Finding("warning", "model", None, "a model that MuJoCo has no doubts about", text, "see MuJoCo's manual")


def _refused(file: Source, error: Exception, rule: str) -> InvalidModel:
    """MuJoCo's message as a finding, with the line and the name that it tells."""
    text = str(error).strip()
    found, named = _AT_LINE.search(text), _ELEMENT.search(text)
    line = int(found.group(1)) if found else None
    value = text.splitlines()[0].removeprefix("XML Error: ").removeprefix("Error: ")
    where = f"element {named.group(1)!r}" if named else "model"
    finding = Finding("error", where, line, rule, value, "correct it there; MuJoCo refuses it too")
    return InvalidModel(f"{file.name}:{line or '?'}: {where}: {rule}; got {value}; {finding.fix}", findings=[finding])
