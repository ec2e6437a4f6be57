"""``motionkit check``: what is wrong with a robot program or a robot file, without planning."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import tyro

from ..errors import MotionkitError
from ._arguments import AsJson, BaseLink, TipLink
from ._output import print_json

__all__ = ["check"]

PROGRAM_ENDINGS = (".yaml", ".yml", ".json")


def check(
    target: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PROGRAM|ROBOT")],
    *,
    base: BaseLink = None,
    tip: TipLink = None,
    json: AsJson = False,
) -> int:
    """Check a robot program or a robot file. Nothing is planned and nothing is written.

    Args:
        target: a program (.yaml, .yml or .json), a robot file (.urdf, .xacro or .xml), or six_axis_example.
        base: for a robot, the first link; the root when left out.
        tip: for a robot, the last link; the end of the longest branch when left out.
        json: print one JSON object.
    """
    if Path(target).suffix.lower() in PROGRAM_ENDINGS:
        return _program(target, json)
    return _robot(target, base, tip, json)


def _program(path: str, json: bool) -> int:
    from ..program import load_program, resolve

    resolved = resolve(load_program(path))
    verbs = Counter(step.verb for step in resolved.steps)
    if json:
        data: dict[str, Any] = {
            "program": path,
            "robot": resolved.robot,
            "joints": list(resolved.chain.joint_names),
            "steps": len(resolved.steps),
            "verbs": dict(verbs),
            "warnings": list(resolved.warnings),
            "digest": resolved.digest,
        }
        print_json(data)
        return 0
    for warning in resolved.warnings:
        print(f"warning: {warning}")
    counted = ", ".join(f"{count} {verb}" for verb, count in verbs.items())
    print(f"{path}: good so far: {len(resolved.steps)} steps ({counted}) for {resolved.robot}")
    print("names, units, limits and points are checked; 'motionkit run' finds out whether the motion can be made")
    return 0


def _robot(robot: str, base: str | None, tip: str | None, json: bool) -> int:
    from ..program import load_model

    model = load_model(robot)
    findings = model.check()
    counted = Counter(finding.severity for finding in findings)
    chain, why_not = None, ""
    try:
        chain = model.chain(base, tip)
    except MotionkitError as error:  # a file may be good and still leave open which of its chains is meant
        if base is not None or tip is not None:
            raise
        why_not = error.message
    if json:
        joints = None if chain is None else list(chain.joint_names)
        print_json({"robot": robot, "joints": joints, "findings": findings, "severities": counted})
        return 2 if counted["error"] else 0
    for finding in findings:
        print(finding)
    summary = ", ".join(f"{count} {severity}" for severity, count in counted.items()) or "nothing to report"
    print(f"{robot}: {summary}")
    print(f"{chain.n} moving joints from {chain.base} to {chain.tip}" if chain is not None else f"note: {why_not}")
    return 2 if counted["error"] else 0
