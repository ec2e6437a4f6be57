"""What is wrong or doubtful about a robot description: one record a defect, and how all of a model's are gathered.

Defects that make a file unreadable as a robot are found by the loader, those that kinematics can live with by the rules
for joints, links and the whole model, each in its own module.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .model import ModelJoint, ModelLink, RobotModel

SEVERITIES = ("error", "warning", "info")


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


def errors_first(findings: Iterable[Finding]) -> list[Finding]:
    """Errors, then warnings, then the rest; each by line."""
    return sorted(in_order(findings), key=lambda f: SEVERITIES.index(f.severity))


def check(model: RobotModel) -> list[Finding]:
    """Everything doubtful about a model that loads, in the order of the file."""
    from ._model_rules import model_findings

    found: list[Finding] = list(model.notes)
    for joint in model.joints:
        found.extend(joint_findings(joint))
    for link in model.links:
        found.extend(link_findings(link))
    found.extend(model_findings(model))
    return in_order(found)


def joint_findings(joint: ModelJoint) -> list[Finding]:
    """What is doubtful about a joint, seen alone."""
    from ._joint_rules import rules

    return list(rules(joint))


def link_findings(link: ModelLink) -> list[Finding]:
    """What is doubtful about a link, seen alone."""
    from ._link_rules import rules

    return list(rules(link))
