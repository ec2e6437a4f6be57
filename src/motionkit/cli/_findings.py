"""Prints findings about a robot file for a person: errors apart from warnings, those of one rule together."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..robot import Finding

__all__ = ["counted", "print_findings", "wrapped"]

WIDTH = 100
_TITLES = {
    "error": "ERRORS, which keep the file from being loaded",
    "warning": "WARNINGS, which the kinematics can live with",
    "info": "INFO",
}
_WORDS = {"error": ("error", "errors"), "warning": ("warning", "warnings"), "info": ("info", "infos")}


def counted(findings: Sequence[Finding]) -> str:
    """How many there are of each severity, worst first.

    >>> counted([])
    'nothing to report'
    """
    count = Counter(finding.severity for finding in findings)
    parts = [f"{count[s]} {_WORDS[s][count[s] != 1]}" for s in _WORDS if count[s]]
    return ", ".join(parts) or "nothing to report"


def print_findings(name: str, findings: Sequence[Finding]) -> None:
    """Print every finding with its line, place, value, rule and fix."""
    for severity, title in _TITLES.items():
        rules: dict[str, list[Finding]] = {}
        for finding in findings:
            if finding.severity == severity:
                rules.setdefault(finding.rule, []).append(finding)
        if not rules:
            continue
        print(f"{title} ({sum(map(len, rules.values()))})")
        for rule, same in rules.items():
            print(wrapped(f"expected {rule}", "  "))
            one_fix = len({finding.fix for finding in same}) == 1
            for finding in same:
                place = f"{name}:{finding.line}" if finding.line is not None else name
                print(wrapped(f"{place}: {finding.where}: got {finding.value}", "    "))
                if not one_fix:
                    print(wrapped(f"-> {finding.fix}", "      "))
            if one_fix:
                print(wrapped(f"-> {same[0].fix}", "      "))
        print()


def wrapped(text: str, indent: str = "") -> str:
    """Text in lines that fit; a word that is longer stays whole."""
    return textwrap.fill(
        " ".join(text.split()), WIDTH, initial_indent=indent, subsequent_indent=indent + "  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
