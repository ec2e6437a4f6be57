"""Reads the single elements of a URDF: links, joints and the numbers in them. How they form a tree is not seen here."""

from __future__ import annotations

import math
import re

from ..errors import nearest
from ._packages import PackageResolver
from ._urdf_attributes import AttributeReader
from ._xml import Element
from .findings import Finding
from .inertia import LinkInertia, turned_tensor
from .joint import unit_axis
from .limits import MOVING, JointLimits
from .model import Mesh, Mimic, ModelJoint, ModelLink

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
UNIT_TOLERANCE = 1e-6  # an axis typed with six digits is unit
_PRODUCTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_XACRO = re.compile(r"\$[{(]")


class Reader(AttributeReader):
    """Turns elements into links and joints; what is wrong goes to ``errors``, what is doubtful to ``notes``."""

    def __init__(self, resolver: PackageResolver, hold: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.free: list[str] = []  # floating and planar joints, held or not
        self.unclear: set[str] = set()  # joints whose type or limits are wrong, so that nothing follows from them
        self._hold = hold
        self._resolver = resolver

    def leftover_xacro(self, root: Element) -> None:
        """Refuse macros that were not expanded: elements of xacro, and ``${...}`` or ``$(...)`` in attributes."""
        found: list[tuple[Element, str, str, str]] = []
        for element in root.walk():
            where = f"<{element.tag.rpartition('}')[2]}>"
            if "xacro" in element.tag:
                found.append((element, where, "plain URDF", "a xacro element"))
            elif element.tag in _READ:
                for key, value in element.attributes.items():
                    if _XACRO.search(value):
                        found.append((element, f"{where} {key}", "a plain value", repr(value)))
        if found:  # the first stands for all, since one run of xacro is the answer to all
            element, where, rule, value = found[0]
            more = f", and {len(found) - 1} more places" if len(found) > 1 else ""
            self.error(element, where, rule, value + more, "run xacro on it first")

    # ---- links
    def link(self, element: Element) -> ModelLink | None:
        """The link of an element; None when it has no name."""
        name = self.name(element, "link")
        if name is None:
            return None
        where = f"link {name!r}"
        inertial = element.find("inertial")
        inertia = None if inertial is None else self._inertia(inertial, where)
        meshes = tuple(
            self._mesh(mesh, filename, part, f"{where} {role}")
            for role in ("visual", "collision")
            for part in element.each(role)
            for mesh in part.each("geometry", "mesh")
            if (filename := mesh.get("filename"))
        )
        return ModelLink(name, inertia, meshes, element.line, None if inertial is None else inertial.line)

    def _mesh(self, mesh: Element, filename: str, part: Element, where: str) -> Mesh:
        pose = self.origin(part, f"{where} origin")
        x, y, z = self.numbers(mesh, "scale", 3, f"{where} mesh", (1.0, 1.0, 1.0))
        return Mesh(filename, self._resolver.find(filename), part.tag, mesh.line, pose, (x, y, z))

    def _inertia(self, element: Element, where: str) -> LinkInertia | None:
        origin = self.origin(element, f"{where} inertial origin")
        mass_element, tensor_element = element.find("mass"), element.find("inertia")
        mass: float | None = 0.0
        if mass_element is None:
            self._note_missing(element, f"{where} inertial", "a mass", "add <mass value=.../>")
        else:
            mass = self.number(mass_element, "value", f"{where} mass")
        values: list[float | None] = [0.0] * 6
        if tensor_element is None:
            self._note_missing(element, f"{where} inertial", "an inertia", "add <inertia ixx=... />")
        else:
            values = [self.number(tensor_element, key, f"{where} inertia") for key in _PRODUCTS]
        numbers = [v for v in values if v is not None]
        if mass is None or len(numbers) < 6:
            return None
        xx, xy, xz, yy, yz, zz = numbers
        tensor = turned_tensor(origin.rotation, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        return LinkInertia.as_stated(mass, origin.translation, tensor)

    def _note_missing(self, element: Element, where: str, rule: str, fix: str) -> None:
        self.notes.append(Finding("warning", where, element.line, rule, "none, so 0", fix))

    # ---- joints
    def joint(self, element: Element) -> ModelJoint | None:
        """The joint of an element; None when its name or its ends are missing."""
        name = self.name(element, "joint")
        if name is None:
            return None
        where = f"joint {name!r}"
        kind = element.get("type")
        meant = kind
        if kind not in KINDS:  # what it resembles is what its axis and limits are read as
            meant = nearest(kind, KINDS) if kind else None
            fix = f"did you mean {meant!r}? " if meant else ""
            rule = f"one of {', '.join((*MOVING, 'fixed'))}"
            self.error(element, f"{where} type", rule, repr(kind), f"{fix}correct the type")
        ends = [self._end(element, tag, where) for tag in ("parent", "child")]
        placement = self.origin(element, f"{where} origin")
        axis = self._axis(element, where) if meant in MOVING else (1.0, 0.0, 0.0)
        limits = self._limits(element, meant, where) if meant in KINDS else None
        mimic = self._mimic(element, where)
        parent, child = ends
        if parent is None or child is None:
            return None
        if kind in ("floating", "planar"):
            self._free(element, name, kind)
        if (kind not in (*MOVING, "fixed") and name not in self._hold) or limits is None:
            self.unclear.add(name)
        if mimic is not None and kind == "fixed":
            self.notes.append(
                Finding("info", f"{where} mimic", element.line, "a joint that follows another moves", "type fixed",
                        "remove the mimic element, or give the joint the type of its leader")
            )  # fmt: skip
            mimic = None
        # one of an unknown type, or that is held, still holds the tree together
        known = kind if kind in MOVING else "fixed"
        return ModelJoint(
            name, known, parent, child, placement, axis, limits or JointLimits.fixed(), mimic, element.line
        )

    def _free(self, element: Element, name: str, kind: str) -> None:
        self.free.append(name)
        where = f"joint {name!r}"
        if name in self._hold:
            rule, value = "a joint has one coordinate or none", f"{kind}, held at zero as asked"
            fix = "the pose of what it carries is a matter for whoever moves the robot"
            self.notes.append(Finding("info", where, element.line, rule, value, fix))
        else:
            fix = f"pass hold=({name!r},) to load it fixed at zero, or remove the joint and what is above it"
            self.error(element, f"{where} type", "a joint with one coordinate or none", kind, fix)

    def _end(self, element: Element, tag: str, where: str) -> str | None:
        end = element.find(tag)
        link = None if end is None else end.get("link")
        if not link:
            self.error(element if end is None else end, where, f"a {tag} link", "none", f'add <{tag} link="..."/>')
        return link or None

    def _axis(self, element: Element, where: str) -> tuple[float, float, float]:
        axis_element = element.find("axis")
        if axis_element is None:
            return (1.0, 0.0, 0.0)
        xyz = self.numbers(axis_element, "xyz", 3, f"{where} axis", (1.0, 0.0, 0.0))
        norm = math.hypot(*xyz)
        if norm == 0.0:
            self.error(
                axis_element,
                f"{where} axis",
                "a direction",
                repr(axis_element.get("xyz")),
                "give the direction it turns about or slides along, such as 0 0 1",
            )
            return (1.0, 0.0, 0.0)
        x, y, z = unit_axis(xyz, where)
        if abs(norm - 1.0) > UNIT_TOLERANCE:
            self.notes.append(
                Finding(
                    "warning",
                    f"{where} axis",
                    axis_element.line,
                    "a direction of length 1",
                    f"{axis_element.get('xyz')!r} of length {norm:.6g}, which was normalised",
                    f"write {x:.9g} {y:.9g} {z:.9g}",
                )
            )
        return (x, y, z)

    def _limits(self, element: Element, kind: str | None, where: str) -> JointLimits | None:
        if kind not in ("revolute", "continuous", "prismatic"):
            return JointLimits.fixed()
        limit = element.find("limit")
        where = f"{where} limit"
        if limit is None:
            if kind == "continuous":
                return JointLimits.continuous()
            fix = "add <limit lower=... upper=... velocity=... effort=.../>"
            self.error(
                element,
                where,
                f"limits, which a {kind} joint needs",
                "none",
                fix + (", or make it continuous" if kind == "revolute" else ""),
            )
            return None
        velocity = self._positive(limit, "velocity", where)
        effort = self._positive(limit, "effort", where)
        if kind == "continuous":
            ends = [limit.get(key) for key in ("lower", "upper")]
            if any(end not in (None, "0", "0.0") for end in ends):
                said = f"lower={ends[0]} upper={ends[1]}, which nobody reads"
                fix = "leave them out, or make the joint revolute"
                self.notes.append(Finding("info", where, limit.line, "a continuous joint has no ends", said, fix))
            return JointLimits.continuous(velocity, effort=effort)
        lower = self.number(limit, "lower", where, 0.0)
        upper = self.number(limit, "upper", where, 0.0)
        if lower is None or upper is None:
            return None
        if lower > upper:
            self.error(limit, where, "lower not above upper", f"lower={lower:g} upper={upper:g}", "exchange the two")
            return None
        return JointLimits(kind, lower, upper, velocity, effort)

    def _positive(self, element: Element, key: str, where: str) -> float | None:
        """A limit that is unset when it is missing or zero."""
        value = self.number(element, key, where, 0.0)
        if value is not None and value < 0.0:
            self.error(element, f"{where} {key}", "a positive number, or 0 for unset", f"{value:g}", "drop the sign")
            return None
        return value or None

    def _mimic(self, element: Element, where: str) -> Mimic | None:
        mimic = element.find("mimic")
        if mimic is None:
            return None
        where = f"{where} mimic"
        multiplier = self.number(mimic, "multiplier", where, 1.0)
        offset = self.number(mimic, "offset", where, 0.0)
        target = mimic.get("joint")
        if not target:
            self.error(mimic, where, "the joint to follow", "none", 'add joint="..."')
            return None
        return None if multiplier is None or offset is None else Mimic(target, multiplier, offset)


_READ = frozenset(
    ("link", "joint", "origin", "axis", "limit", "parent", "child", "mass", "inertia", "mimic", "mesh", "box", "robot")
)
