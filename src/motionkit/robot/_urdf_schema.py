"""What may stand where in a URDF: misspelt, misplaced and repeated elements and attributes.

What the values mean is not known here. Extensions (gazebo, transmission, sensors, prefixed names) are passed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ..errors import nearest
from ._xml import Element
from .findings import Finding

_SHAPES = ("box", "cylinder", "sphere", "capsule", "mesh")
CHILDREN: Mapping[str, tuple[str, ...]] = {
    "robot": ("link", "joint", "material"),
    "link": ("inertial", "visual", "collision"),
    "inertial": ("origin", "mass", "inertia"),
    "visual": ("origin", "geometry", "material"),
    "collision": ("origin", "geometry", "material"),
    "geometry": _SHAPES,
    "joint": ("origin", "parent", "child", "axis", "calibration", "dynamics", "limit", "mimic", "safety_controller"),
    "origin": (),
    "mass": (),
    "inertia": (),
    "parent": (),
    "child": (),
    "axis": (),
    "limit": (),
    "mimic": (),
}
ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "link": ("name",),
    "joint": ("name", "type"),
    "origin": ("xyz", "rpy", "quat_xyzw"),
    "mass": ("value",),
    "inertia": ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"),
    "parent": ("link",),
    "child": ("link",),
    "axis": ("xyz",),
    "limit": ("lower", "upper", "effort", "velocity"),
    "mimic": ("joint", "multiplier", "offset"),
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "sphere": ("radius",),
    "capsule": ("radius", "length"),
    "mesh": ("filename", "scale"),
}
_KINEMATIC = ("origin", "parent", "child", "axis", "limit", "mimic")
_EXTENSIONS = ("gazebo", "transmission", "sensor", "ros2_control", "material")
_KNOWN = frozenset(CHILDREN) | frozenset(_SHAPES)


def misfits(root: Element) -> Iterator[Finding]:
    """Elements and attributes that no reader knows here, though one that is known was probably meant.

    What a joint's place, axis or limits may depend on is an error, since the default would be taken instead.
    """
    yield from _walk(root, "robot", joint=False)


def _walk(element: Element, where: str, joint: bool) -> Iterator[Finding]:
    inside = joint or element.tag == "joint"
    yield from _attributes(element, where, inside)
    allowed = CHILDREN.get(element.tag)
    if allowed is None:
        return
    counts = Counter(child.tag for child in element.children)
    seen: set[str] = set()
    for child in element.children:
        tag = child.tag
        if tag in _EXTENSIONS or tag.startswith("{"):
            continue
        place = _place(child, where)
        if tag in allowed:
            if element.tag in ("joint", "inertial") or tag == "inertial":
                if tag in seen:
                    severity = "error" if inside and tag in _KINEMATIC else "warning"
                    rule, fix = f"one {tag} in a {element.tag}", "keep one; readers differ in which they take"
                    yield Finding(severity, place, child.line, rule, f"{counts[tag]} of them", fix)
                seen.add(tag)
            yield from _walk(child, place, inside)
        elif tag in _KNOWN:
            lost = (inside and tag in _KINEMATIC) or tag in ("joint", "link", "robot")
            homes = " or ".join(f"<{home}>" for home, tags in CHILDREN.items() if tag in tags) or "a file of its own"
            rule, fix = f"<{tag}> in {homes}", f"move it to {homes}; here it means nothing"
            yield Finding("error" if lost else "warning", place, child.line, rule, f"in <{element.tag}>", fix)
        elif (close := _near(tag, allowed, counts)) is not None:
            lost = (inside and close in _KINEMATIC) or close in ("joint", "link")
            rule, fix = f"an element that a {element.tag} has", f"did you mean <{close}>?"
            yield Finding("error" if lost else "warning", where, child.line, rule, f"<{tag}>", fix)


def _attributes(element: Element, where: str, joint: bool) -> Iterator[Finding]:
    allowed = ATTRIBUTES.get(element.tag)
    if allowed is None:
        return
    for key in element.attributes:
        if key in allowed or key.startswith("{"):
            continue
        close = _near(key, allowed, element.attributes)
        if close is not None:
            lost = joint and element.tag in _KINEMATIC and close != "effort"
            rule, fix = f"an attribute that {element.tag} has", f"did you mean {close!r}?"
            yield Finding("error" if lost else "warning", f"{where} {close}", element.line, rule, repr(key), fix)


def _near(name: str, allowed: tuple[str, ...], present: Mapping[str, object]) -> str | None:
    """The allowed name that was probably meant: near, and not there already."""
    return nearest(name, [one for one in allowed if one not in present or one in ("link", "joint", "visual")], 0.66)


def _place(child: Element, where: str) -> str:
    name = child.get("name")
    named = child.tag in ("link", "joint") and name
    if named:
        return f"{child.tag} {name!r}"
    return child.tag if where == "robot" else f"{where} {child.tag}"
