"""``motionkit check``: what is wrong with robot programs and robot files, without planning."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from ..errors import MotionkitError, UnknownName
from ._arguments import AsJson, BaseLink, TipLink
from ._findings import counted, print_findings, wrapped
from ._output import print_json

if TYPE_CHECKING:
    from ..robot import Finding, RobotModel

__all__ = ["check"]

CHECKED = "program (.yaml, .yml, .json), a robot file (.urdf, .xacro, .xml) or six_axis_example"
PROGRAM_ENDINGS = (".yaml", ".yml", ".json")


def check(
    targets: Annotated[list[str], tyro.conf.Positional, tyro.conf.arg(name="target", metavar="PROGRAM|ROBOT")],
    *,
    base: BaseLink = None,
    tip: TipLink = None,
    hold: tyro.conf.UseAppendAction[Annotated[tuple[str, ...], tyro.conf.arg(metavar="JOINT")]] = (),
    json: AsJson = False,
) -> int:
    """Check robot programs and robot files. Nothing is planned and nothing is written.

    Args:
        targets: programs (.yaml, .yml or .json), robot files (.urdf, .xacro or .xml), or six_axis_example; one or
            several.
        base: for a robot, the first link; the root when left out.
        tip: for a robot, the last link; the end of the longest branch when left out.
        hold: for a robot, a floating or planar joint to take as fixed at zero; may be given several times.
        json: print one JSON object.
    """
    if not targets:
        raise UnknownName(f"nothing to check: give a PROGRAM|ROBOT, that is a {CHECKED}", name="")
    answers: list[tuple[int, dict[str, Any]]] = []
    for index, target in enumerate(targets):
        if index and not json:
            print()
        if Path(target).suffix.lower() in PROGRAM_ENDINGS:
            answers.append(_program(target, json))
        else:
            answers.append(_robot(target, base, tip, hold, json))
    if json:
        data = [answer for _, answer in answers]
        print_json(data[0] if len(data) == 1 else {"targets": data})
    return max(code for code, _ in answers)


def _program(path: str, json: bool) -> tuple[int, dict[str, Any]]:
    from ..program import load_program, resolve

    resolved = resolve(load_program(path))
    verbs = Counter(step.verb for step in resolved.steps)
    data: dict[str, Any] = {
        "program": path,
        "robot": resolved.robot,
        "joints": list(resolved.chain.joint_names),
        "steps": len(resolved.steps),
        "verbs": dict(verbs),
        "warnings": list(resolved.warnings),
        "digest": resolved.digest,
    }
    if not json:
        for warning in resolved.warnings:
            print(f"warning: {warning}")
        said = ", ".join(f"{count} {verb}" for verb, count in verbs.items())
        print(f"{path}: good so far: {len(resolved.steps)} steps ({said}) for {resolved.robot}")
        print("names, units, limits and points are checked; 'motionkit run' finds out whether the motion can be made")
    return 0, data


def _robot(
    robot: str, base: str | None, tip: str | None, hold: tuple[str, ...], json: bool
) -> tuple[int, dict[str, Any]]:
    model, findings = _examined(robot, hold)
    chain, why_not = None, ""
    if model is not None:
        try:
            chain = model.chain(base, tip)
        except MotionkitError as error:  # a file may be good and still leave open which of its chains is meant
            if base is not None or tip is not None:
                raise
            why_not = error.message
    data: dict[str, Any] = {
        "robot": robot,
        "loads": model is not None,
        "joints": None if chain is None else list(chain.joint_names),
        "findings": findings,
        "severities": Counter(finding.severity for finding in findings),
    }
    if not json:
        print_findings(robot, findings)
        verdict = "loads" if model is not None else "cannot be loaded"
        print(f"{robot}: {verdict}; {counted(findings)}")
        if chain is not None:
            print(f"{chain.n} moving joints from {chain.base} to {chain.tip}")
        elif model is not None:
            print(wrapped(f"note: {why_not}"))
    return (0 if model is not None else 2), data


def _examined(robot: str, hold: tuple[str, ...]) -> tuple[RobotModel | None, tuple[Finding, ...]]:
    """The model when there is one, and all findings, errors first."""
    from ..program import load_model
    from ..robot.files import errors_first, examine

    if Path(robot).suffix or Path(robot).is_file():
        examination = examine(robot, hold=hold)
        return examination.model, examination.findings
    model = load_model(robot)
    return model, tuple(errors_first(model.check()))
