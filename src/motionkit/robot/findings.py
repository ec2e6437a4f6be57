"""What is wrong or doubtful about a robot description: one record a defect, and the rules that find them in a model.

Defects that make a file unreadable as a robot are found by the loader; here are those that kinematics can live with.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .limits import MOVING

if TYPE_CHECKING:
    from .model import ModelJoint, ModelLink, RobotModel

LARGEST_TURN = 4.0 * math.pi  # rad; a range beyond two turns either way is nearly always meant in degrees
UNIT_TOLERANCE = 1e-6  # an axis typed with six digits is unit
TRIANGLE_TOLERANCE = 1e-9  # of the trace: rods and plates sit at equality


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect of a robot description.

    Args:
        severity: ``"error"`` (cannot be loaded, or a part cannot be used), ``"warning"`` or ``"info"``.
        where: the joint, link or attribute, such as ``"joint 'elbow' limit"``.
        line: line in the file, counted from 1; None when it did not come from a file.
        rule: what was expected.
        value: what came.
        fix: what helps.
    """

    severity: str
    where: str
    line: int | None
    rule: str
    value: Any
    fix: str

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line is not None else ""
        return f"{line}{self.severity}: {self.where}: {self.rule}; got {self.value}; {self.fix}"


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by line, those without a line last."""
    return sorted(findings, key=lambda f: (f.line is None, f.line or 0))


def check(model: RobotModel) -> list[Finding]:
    """Everything doubtful about a model that loads, in the order of the file."""
    found: list[Finding] = list(model.notes)
    for joint in model.joints:
        found.extend(_joint(joint))
    carried = {joint.child for joint in model.joints if joint.kind != "fixed"}
    for link in model.links:
        found.extend(_link(link, link.name in carried))
    return in_order(found)


def _joint(joint: ModelJoint) -> Iterator[Finding]:
    where, line = f"joint {joint.name!r}", joint.line
    if joint.kind in ("floating", "planar"):
        yield Finding(
            "warning",
            where,
            line,
            "a joint has one coordinate or none",
            f"type {joint.kind}",
            "chains may not pass through it; choose a base below it",
        )
        return
    limits = joint.limits
    if joint.kind == "revolute" and max(abs(limits.lower), abs(limits.upper)) > LARGEST_TURN:
        yield Finding(
            "warning",
            f"{where} limit",
            line,
            "limits are in radians, rarely beyond two turns (12.57)",
            f"{limits.lower:g} to {limits.upper:g}",
            f"if these are degrees write {math.radians(limits.lower):.6g} to {math.radians(limits.upper):.6g}",
        )
    if joint.kind in ("revolute", "prismatic") and limits.lower == limits.upper:
        yield Finding(
            "warning",
            f"{where} limit",
            line,
            "a moving joint has a range",
            f"lower = upper = {limits.lower:g}",
            "give lower and upper, or make the joint fixed",
        )
    if joint.kind in MOVING and limits.max_velocity is None:
        yield Finding(
            "warning",
            f"{where} limit velocity",
            line,
            f"a positive velocity limit in {limits.unit}/s, without which no motion can be planned",
            "unset (missing or 0)",
            "give the value of the maker's data sheet",
        )


def _link(link: ModelLink, carried: bool) -> Iterator[Finding]:
    where, line = f"link {link.name!r}", link.line
    body = link.inertia
    if body is None:
        if carried:
            yield Finding(
                "info",
                where,
                line,
                "a link that a joint moves has mass properties",
                "no inertial, so mass 0",
                "add an inertial element before using dynamics",
            )
    else:
        where, line = f"{where} inertial", link.inertial_line
        least, middle, most = body.principal_moments().tolist()
        trace = least + middle + most
        slack = TRIANGLE_TOLERANCE * abs(trace)
        if body.mass < 0.0 or (body.mass == 0.0 and any(any(row) for row in body.inertia)):
            yield Finding(
                "warning",
                f"{where} mass",
                line,
                "a positive mass, or 0 with no inertia at all",
                f"{body.mass:g} kg",
                "correct the mass; dynamics refuses this link",
            )
        if least < -slack:
            yield Finding(
                "warning",
                f"{where} inertia",
                line,
                "no negative principal moment",
                f"principal moments {least:.6g}, {middle:.6g}, {most:.6g} kg m^2",
                "correct the tensor (it is about the centre of mass); dynamics refuses this link",
            )
        elif least + middle < most - slack:
            yield Finding(
                "warning",
                f"{where} inertia",
                line,
                "no principal moment above the sum of the other two",
                f"principal moments {least:.6g}, {middle:.6g}, {most:.6g} kg m^2",
                "correct the tensor (it is about the centre of mass); dynamics refuses this link",
            )
    for mesh in link.meshes:
        if mesh.path is None:
            yield Finding(
                "info",
                f"link {link.name!r} {mesh.role}",
                mesh.line,
                "a mesh that can be found",
                mesh.filename,
                "pass packages={name: folder}; kinematics does not need it",
            )
