"""What is doubtful about a robot as a whole: lengths in millimetres, bodies larger than it, ends without mass, names.

What can be said of a joint or a link alone is in ``_joint_rules`` and ``_link_rules``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..spatial import SO3
from ._joint_rules import QUARTER_TURNS
from ._mimic import without_room
from .findings import Finding
from .limits import MOVING, JointLimits

if TYPE_CHECKING:
    from .model import ModelJoint, ModelLink, RobotModel

FloatArray = NDArray[np.float64]

LONGEST = 100.0  # m; a robot longer than this is written in millimetres
LONG_PART = 10.0  # m; so is a part longer than this and
OUT_OF_PROPORTION = 100.0  # this many times the usual part
CROOKED = (1e-5, 5e-3)  # rad; an axis this much off from parallel or from a right angle was hardly drawn so
SHORTEST = 0.1  # m; a shorter robot may be one point, which bodies cannot be measured against


def model_findings(model: RobotModel) -> Iterator[Finding]:
    """Findings that need the whole robot."""
    yield from _lengths(model)
    yield from _angles(model)
    yield from _bodies(model)
    yield from _massless(model)
    yield from _names("link", model.links)
    yield from _names("joint", model.joints)
    yield from _followers(model)


def _reach(model: RobotModel) -> float:
    """Length of the longest way from the root, strokes left out, m."""
    away = {model.root: 0.0}
    for joint in model.joints:
        away[joint.child] = away[joint.parent] + _length(joint)
    return max(away.values())


def _length(joint: ModelJoint) -> float:
    return math.hypot(*joint.placement.translation.tolist())


def _lengths(model: RobotModel) -> Iterator[Finding]:
    reach = _reach(model)
    if reach > LONGEST:
        fix = "if the lengths are in millimetres multiply all of them by 0.001"
        yield Finding("warning", "robot", model.joints[0].line, "lengths in metres", f"a robot {reach:.4g} m long", fix)
        return
    usual = median([length for joint in model.joints if (length := _length(joint)) > 0.0] or [0.0])
    for joint in model.joints:
        where, length = f"joint {joint.name!r}", _length(joint)
        if length > max(LONG_PART, OUT_OF_PROPORTION * usual):
            xyz = " ".join(f"{0.001 * x:.6g}" for x in joint.placement.translation.tolist())
            fix = f"if this is in millimetres write {xyz}"
            yield Finding(
                "warning", f"{where} origin xyz", joint.line, "lengths in metres", f"{length:.4g} m to it", fix
            )
        largest = max(abs(joint.limits.lower), abs(joint.limits.upper))
        if joint.kind == "prismatic" and largest > max(LONG_PART, OUT_OF_PROPORTION * max(usual, SHORTEST)):
            fix = f"if these are millimetres write {0.001 * joint.limits.lower:.6g} to {0.001 * joint.limits.upper:.6g}"
            value = f"{joint.limits.lower:g} to {joint.limits.upper:g} m"
            yield Finding("warning", f"{where} limit", joint.line, "lengths in metres", value, fix)


def _angles(model: RobotModel) -> Iterator[Finding]:
    """Axes that are nearly parallel to the one before, or nearly at a right angle to it; told once, from the root."""
    told = {note.where for note in model.notes if note.rule == QUARTER_TURNS}
    turned, last, exact = {model.root: SO3.identity()}, dict[str, tuple[str, FloatArray]](), {model.root: True}
    for joint in model.joints:
        rotation = turned[joint.child] = turned[joint.parent] * joint.placement.rotation
        exact[joint.child] = exact[joint.parent] and f"joint {joint.name!r} origin rpy" not in told
        before = last.get(joint.parent)
        if joint.kind not in MOVING:
            if before is not None:
                last[joint.child] = before
            continue
        axis = rotation * joint.axis
        last[joint.child] = (joint.name, axis)
        if before is not None and exact[joint.child]:
            name, other = before
            for what, off in (("parallel", math.hypot(*np.cross(axis, other))), ("a right angle", abs(axis @ other))):
                if CROOKED[0] < off < CROOKED[1]:
                    value, fix = (
                        f"{off:.2g} rad from {what} to that of {name!r}",
                        "correct rpy or axis, unless it was measured",
                    )
                    rule = "an axis that is parallel or at a right angle to the one before, or clearly neither"
                    yield Finding("info", f"joint {joint.name!r} axis", joint.line, rule, value, fix)
        exact[joint.child] = True


def _bodies(model: RobotModel) -> Iterator[Finding]:
    size = _reach(model)
    if size < SHORTEST:
        return
    for link in model.links:
        body = link.inertia
        if body is None or body.mass <= 0.0:
            continue
        where = f"link {link.name!r} inertial"
        away = math.hypot(*body.com)
        if away > 2.0 * size:
            fix = "give the centre of mass in the link's own frame, in metres"
            value = f"{away:.4g} m away, the whole robot being {size:.4g} m long"
            yield Finding("warning", f"{where} origin", link.inertial_line, "a centre of mass in the link", value, fix)
        trace = body.inertia[0][0] + body.inertia[1][1] + body.inertia[2][2]
        radius = math.sqrt(max(trace, 0.0) / (2.0 * body.mass))
        if radius > 2.0 * size:
            fix = "give the tensor in kg m^2 about the centre of mass (1 kg mm^2 is 1e-6, 1 g mm^2 is 1e-9)"
            value = f"{body.mass:g} kg spread {radius:.4g} m about its centre, the whole robot being {size:.4g} m long"
            yield Finding("warning", f"{where} inertia", link.inertial_line, "an inertia in kg m^2", value, fix)


def _massless(model: RobotModel) -> Iterator[Finding]:
    """Joints that move nothing at all: the mass matrix is singular there."""
    mass = {link.name: 0.0 if link.inertia is None else abs(link.inertia.mass) for link in model.links}
    links = {link.name: link for link in model.links}
    for joint in reversed(model.joints):
        mass[joint.parent] += mass[joint.child]
    moving = [joint for joint in model.joints if joint.kind in MOVING]
    if moving and mass[model.root] == 0.0:
        rule, fix = "mass properties of what moves", "add inertial elements before using dynamics"
        yield Finding("info", "robot", model.links[0].line, rule, "no link has a mass", fix)
        return
    told: set[str] = set()
    for joint in model.joints:
        if joint.parent in told:
            told.add(joint.child)
        elif joint.kind in MOVING and mass[joint.child] == 0.0:
            told.add(joint.child)
            link = links[joint.child]
            yield Finding(
                "warning",
                f"link {joint.child!r}",
                link.line,
                "a link that a joint moves, or what hangs on it, has mass",
                "no inertial, so mass 0" if link.inertia is None else "mass 0",
                "add an inertial element before using dynamics",
            )


def _names(what: str, things: Sequence[ModelLink] | Sequence[ModelJoint]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for thing in things:
        where = f"{what} {thing.name!r}"
        if thing.name != thing.name.strip():
            rule, fix = "a name without blanks at its ends", f"write {thing.name.strip()!r} everywhere"
            yield Finding("warning", where, thing.line, rule, repr(thing.name), fix)
        other = first.setdefault(thing.name.strip().lower(), thing.name)
        if other != thing.name:
            rule, fix = "names that differ by more than their case", "rename one"
            yield Finding("warning", where, thing.line, rule, f"{other!r} and {thing.name!r}", fix)


def _followers(model: RobotModel) -> Iterator[Finding]:
    by_name = {joint.name: joint for joint in model.joints}
    for joint in model.joints:
        if joint.mimic is None or joint.mimic.joint not in by_name:
            continue
        where, factor = f"joint {joint.name!r} mimic", joint.mimic.multiplier
        leader = by_name[joint.mimic.joint]
        if factor == 0.0:
            fix = "give the ratio, or make the joint fixed"
            yield Finding("warning", where, joint.line, "a multiplier that moves it", "0", fix)
        elif leader.limits.unit != joint.limits.unit and abs(factor) == 1.0:
            rule = f"a multiplier in {joint.limits.unit}/{leader.limits.unit}"
            fix = "1 rad for 1 m is rarely meant: give the ratio of the gear"
            yield Finding("warning", where, joint.line, rule, f"{factor:g}", fix)
    if any(without_room(model.joints)):  # made by hand; a loader refuses it, and so does every chain
        return
    for name, limits in zip(model.joint_names, model.limits, strict=True):
        leader = by_name[name]
        if limits.lower == limits.upper and leader.limits.lower < leader.limits.upper:
            value = f"{limits.lower:g} {limits.unit} is what the limits of {_holders(model, name, limits)} leave it"
            fix = "correct their limits, or their multiplier or offset"
            yield Finding("warning", f"joint {name!r} limit", leader.line, "followers that let it move", value, fix)


def _holders(model: RobotModel, leader: str, limits: JointLimits) -> str:
    """The followers whose limits end where those of the coordinate do."""
    names: list[str] = []
    for joint in model.joints:
        drive = model.drives.get(joint.name)
        if drive is None or drive.coordinate != leader or drive.multiplier == 0.0:
            continue
        ends = sorted((end - drive.offset) / drive.multiplier for end in (joint.limits.lower, joint.limits.upper))
        if ends[0] == limits.upper or ends[1] == limits.lower:
            names.append(repr(joint.name))
    return ", ".join(names)
