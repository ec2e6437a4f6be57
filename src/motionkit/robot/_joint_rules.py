"""What is doubtful about one joint seen alone: numbers in degrees, no range, nothing said of its speed, rounded angles.

What depends on the rest of the robot is in ``_model_rules``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .findings import Finding
from .limits import MOVING

if TYPE_CHECKING:
    from .model import ModelJoint

LARGEST_TURN = 4.0 * math.pi  # rad; a range beyond two turns either way is nearly always meant in degrees
ENDLESS = 1000.0  # rad; a range that is meant as none
SLOWEST_DEGREES = 45.0  # rad/s; whole multiples of 5 from here on are speeds in degrees
FASTEST_SLIDE = 20.0  # m/s; faster than any axis of a robot
FASTEST_DEGREES = 1000.0  # rad/s; from here on a number stands for "fast enough"
QUARTER_TURNS = "quarter turns with enough digits"
ROUNDED = 5e-5  # rad; a quarter turn off by this moves a tool at 1 m by 0.05 mm


def rules(joint: ModelJoint) -> Iterator[Finding]:
    """Findings of a joint."""
    if joint.kind not in MOVING or joint.limits.kind != joint.kind:  # limits that are wrong are told already
        return
    where, line, limits = f"joint {joint.name!r}", joint.line, joint.limits
    largest = max(abs(limits.lower), abs(limits.upper))
    degrees = joint.kind == "revolute" and LARGEST_TURN < largest
    if degrees:
        said = f"if these are degrees write {math.radians(limits.lower):.6g} to {math.radians(limits.upper):.6g}"
        yield Finding(
            "warning",
            f"{where} limit",
            line,
            "limits in radians, rarely beyond two turns (12.57)",
            f"{limits.lower:g} to {limits.upper:g}",
            "if it turns without end make it continuous" if largest >= ENDLESS else said,
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
    yield from _speed(joint, where)
    if limits.effort is None and limits.max_velocity is not None:
        unit = "N" if limits.unit == "m" else "N m"
        rule = f"a positive effort limit in {unit}"
        yield Finding("info", f"{where} limit effort", line, rule, "unset (missing or 0)", "only torque limits need it")


def _speed(joint: ModelJoint, where: str) -> Iterator[Finding]:
    speed, unit = joint.limits.max_velocity, joint.limits.unit
    where = f"{where} limit velocity"
    if speed is None:
        yield Finding(
            "warning",
            where,
            joint.line,
            f"a positive velocity limit in {unit}/s, without which no motion can be planned",
            "unset (missing or 0)",
            "give the value of the maker's data sheet",
        )
    elif unit == "rad" and speed >= FASTEST_DEGREES:
        rule, fix = "a velocity limit that a motor has", "give the value of the maker's data sheet"
        yield Finding("info", where, joint.line, rule, f"{speed:g} rad/s", fix)
    elif unit == "rad" and speed >= SLOWEST_DEGREES and speed % 5.0 == 0.0:
        fix = f"if this is in degrees write {math.radians(speed):.6g}"
        rule = "velocity limits in rad/s, rarely a round number this large"
        yield Finding("warning", where, joint.line, rule, f"{speed:g} rad/s", fix)
    elif unit == "m" and speed >= FASTEST_SLIDE:
        fix = f"if this is in mm/s write {0.001 * speed:.6g}"
        yield Finding("warning", where, joint.line, "velocity limits in m/s, rarely above 20", f"{speed:g} m/s", fix)


def angle_findings(
    where: str, line: int | None, text: str, angles: tuple[float, ...], *, turns: bool = True
) -> Iterator[Finding]:
    """What is doubtful about roll, pitch and yaw as they are written; ``turns``: whether rounded quarter turns are."""
    if max(map(abs, angles), default=0.0) > 2.0 * math.pi + 1e-2:
        radians = " ".join(f"{math.radians(angle):.9g}" for angle in angles)
        rule, fix = "angles in radians, not beyond a turn (6.283)", f"if these are degrees write {radians}"
        yield Finding("warning", where, line, rule, repr(text), fix)
        return
    if not turns:
        return
    meant = [meant_angle(word) for word in text.split()]
    off = [abs(m - angle) for m, angle in zip(meant, angles, strict=True)]
    if max(off, default=0.0) > ROUNDED:
        exact = " ".join(word if m == float(word) else repr(m) for word, m in zip(text.split(), meant, strict=True))
        value = f"{text!r}, {max(off):.2g} rad off"
        yield Finding(
            "warning", where, line, QUARTER_TURNS, value, f"write {exact}; axes that should be parallel are not"
        )


def meant_angle(word: str) -> float:
    """The multiple of a quarter turn that a number was cut or rounded from, or the number itself.

    >>> meant_angle("3.141"), meant_angle("1.2"), meant_angle("-1.57")
    (3.141592653589793, 1.2, -1.5707963267948966)
    """
    value = float(word)
    turns = round(value / (math.pi / 2.0))
    digits = len(word.lower().partition("e")[0].partition(".")[2])
    near = turns * (math.pi / 2.0)
    return near if turns and 2 <= digits <= 4 and abs(value - near) < 10.0**-digits else value
