"""Puts the links and joints of a URDF together as a tree and finds what keeps them from being one."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import nearest
from ._mimic import without_room
from ._urdf_elements import Reader
from .findings import Finding
from .model import ModelJoint, ModelLink


def assemble(links: Sequence[ModelLink], joints: Sequence[ModelJoint], reader: Reader, whole: bool) -> list[ModelJoint]:
    """The joints in topological order; what is wrong goes to the reader's errors.

    ``whole`` says that no element had to be left out; else roots and loops would be told of a tree with holes.
    """
    before = len(reader.errors)
    _unique("link", links, reader)
    _unique("joint", joints, reader)
    _ends(links, joints, reader)
    _mimics(joints, reader)
    if len(reader.errors) > before:
        return []
    _room(joints, reader)
    return _ordered(links, joints, reader) if whole else []


def _add(reader: Reader, where: str, line: int | None, rule: str, value: str, fix: str) -> None:
    reader.errors.append(Finding("error", where, line, rule, value, fix))


def _unique(what: str, things: Sequence[ModelLink] | Sequence[ModelJoint], reader: Reader) -> None:
    first: dict[str, int | None] = {}
    for thing in things:
        if thing.name in first:
            rule = f"every {what} has a name of its own"
            _add(
                reader,
                f"{what} {thing.name!r}",
                thing.line,
                rule,
                f"the name of line {first[thing.name]} again",
                "rename one",
            )
        else:
            first[thing.name] = thing.line


def _ends(links: Sequence[ModelLink], joints: Sequence[ModelJoint], reader: Reader) -> None:
    names = {link.name: None for link in links}
    carrier: dict[str, ModelJoint] = {}
    for joint in joints:
        where = f"joint {joint.name!r}"
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in names:
                close = nearest(name, names)
                hint = f"did you mean {close!r}?" if close else f"add the link, or use one of {', '.join(names)}"
                _add(reader, f"{where} {role}", joint.line, "a link of this file", repr(name), hint)
        other = carrier.setdefault(joint.child, joint)
        if other is not joint:
            rule = f"link {joint.child!r} hangs on one joint"
            fix = "a closed loop is not a tree; remove one of the two joints"
            _add(reader, where, joint.line, rule, f"joint {other.name!r} of line {other.line} carries it already", fix)


def _mimics(joints: Sequence[ModelJoint], reader: Reader) -> None:
    by_name = {joint.name: joint for joint in joints}
    for joint in joints:
        if joint.mimic is None:
            continue
        where = f"joint {joint.name!r} mimic"
        if joint.mimic.joint not in by_name:
            close = nearest(joint.mimic.joint, by_name)
            fix = f"did you mean {close!r}?" if close else "name a joint of this file, or remove the mimic element"
            _add(reader, where, joint.line, "a joint of this file", repr(joint.mimic.joint), fix)
            continue
        if by_name[joint.mimic.joint].kind == "fixed" and joint.mimic.joint not in reader.unclear:
            fix = "make this joint fixed too, or let it follow one that moves"
            _add(reader, where, joint.line, "a leader that moves", f"joint {joint.mimic.joint!r} is fixed", fix)
            continue
        leader, passed = joint, [joint.name]
        while leader.mimic is not None and leader.mimic.joint in by_name:
            leader = by_name[leader.mimic.joint]
            if leader.name in passed:
                _add(
                    reader,
                    where,
                    joint.line,
                    "a joint that does not follow itself",
                    " -> ".join([*passed, leader.name]),
                    "let one of them be free",
                )
                break
            passed.append(leader.name)


def _room(joints: Sequence[ModelJoint], reader: Reader) -> None:
    """Followers whose limits leave the joint that they follow no value at all."""
    if reader.unclear:
        return
    lines = {joint.name: joint.line for joint in joints}
    for error in without_room(joints):
        value, _, fix = error.message.rpartition("; ")
        where = f"joint {error.joint!r} mimic"
        _add(reader, where, lines[error.joint], "limits that leave the joint it follows room", value, fix)


def _ordered(links: Sequence[ModelLink], joints: Sequence[ModelJoint], reader: Reader) -> list[ModelJoint]:
    carried = {joint.child for joint in joints}
    roots = [link for link in links if link.name not in carried]
    if not roots:
        _add(
            reader,
            "links",
            links[0].line,
            "a root that no joint carries",
            "a closed loop of joints",
            "remove the joint that closes it",
        )
    elif len(roots) > 1:
        listed = ", ".join(f"{link.name!r} (line {link.line})" for link in roots)
        _add(
            reader,
            "links",
            roots[1].line,
            "one root",
            listed,
            "join them with a fixed joint, or remove the links that do not belong",
        )
    hanging: dict[str, list[ModelJoint]] = {}
    for joint in joints:
        hanging.setdefault(joint.parent, []).append(joint)
    ordered: list[ModelJoint] = []
    ready = [joint for link in roots for joint in hanging.get(link.name, [])]
    position = {joint.name: i for i, joint in enumerate(joints)}
    while ready:
        ready.sort(key=lambda joint: position[joint.name], reverse=True)  # the first in the file that can follow
        joint = ready.pop()
        ordered.append(joint)
        ready.extend(hanging.get(joint.child, []))
    if roots and len(ordered) < len(joints):
        left = [joint for joint in joints if joint not in ordered]
        _add(
            reader,
            f"joint {left[0].name!r}",
            left[0].line,
            "joints that start at the root",
            "a loop: " + ", ".join(j.name for j in left),
            "remove the joint that closes it",
        )
    return ordered
