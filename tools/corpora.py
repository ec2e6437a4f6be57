"""Writes docs/robot-corpora.md: every robot file of two public collections, loaded or refused, with what was found.

    python tools/corpora.py            write the page
    python tools/corpora.py --check    exit code 1 when the page is not what this version of the library finds

The collections are example-robot-data and rtb-data, as the development environment installs them.
"""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from importlib import metadata
from pathlib import Path

from motionkit.robot import Finding, RobotModel
from motionkit.robot.files import examine

PAGE = Path(__file__).resolve().parent.parent / "docs" / "robot-corpora.md"

# what a person accepts as the reason for not loading a file: the sign of it, and how the page tells it
REFUSED = {
    "example-robot-data/alex_description/urdf/alex_psyonic_hands.urdf": (
        "a joint of this file",
        "eight finger joints follow joints that the file does not have (`index_q1` where it has `Left_index_q1`)",
    ),
    "example-robot-data/ur_description/urdf/ur3.urdf": (
        "at least one link",
        "empty: xacro was run on it without calling the macro that makes the robot",
    ),
    "rtb-data/data/test.urdf": ("a robot file", "not XML: it holds the word hello"),
}

INTRODUCTION = """\
# Robot files in the wild

Every URDF of two public collections, {sources}, read by this version of the library:
{loaded} of {count} files load and {refused} are refused. `tools/corpora.py` makes this page, a test keeps it so;
`motionkit check FILE` prints the findings of a file with line, value and fix.

"Moving" counts the joints that move, followers (mimic) included; "ends" the links that carry no joint. The findings of
a file are given by their kind in the first table. An error (E) keeps a file from being loaded; with a warning (W)
kinematics works, but planning or dynamics may refuse; the rest (I) is information.
"""


def folders() -> dict[str, Path]:
    """The two collections as they are installed.

    Raises:
        FileNotFoundError: the development environment is not complete.
    """
    beside = _package("pinocchio")
    for above in beside.parents:
        robots = above / "share" / "example-robot-data" / "robots"
        if robots.is_dir():
            return {"example-robot-data": robots, "rtb-data": _package("rtbdata")}
    raise FileNotFoundError("example-robot-data is not installed; see requirements/test.txt")


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.submodule_search_locations is None:
        raise FileNotFoundError(f"{name} is not installed; see requirements/test.txt")
    return Path(next(iter(spec.submodule_search_locations)))


def files() -> dict[str, Path]:
    """Every URDF by the name that the page gives it, in order."""
    found = {f"{name}/{p.relative_to(root)}": p for name, root in folders().items() for p in root.rglob("*.urdf")}
    return dict(sorted(found.items()))


def page() -> str:
    """The page.

    Raises:
        AssertionError: a file is refused for a reason that nobody has accepted, or loads though it was given up.
    """
    read = {name: examine(path) for name, path in files().items()}
    kinds: Counter[tuple[str, str]] = Counter()
    holders: Counter[tuple[str, str]] = Counter()
    for examination in read.values():
        rules = Counter((f.severity, f.rule) for f in examination.findings)
        kinds.update(rules)
        holders.update(rules.keys())
    ordered = sorted(kinds.items(), key=_worst)
    marks = _marks([kind for kind, _ in ordered])
    loaded = sum(examination.model is not None for examination in read.values())
    rows = [
        (f"`{name}`", *_size(found.model), _counted(found.findings, marks), _verdict(name, found.model, found.findings))
        for name, found in read.items()
    ]
    sources = " and ".join(f"{name} {metadata.version(name)}" for name in folders())
    text = INTRODUCTION.format(sources=sources, loaded=loaded, count=len(read), refused=len(read) - loaded)
    found = [(marks[s, rule], s, rule, str(count), str(holders[s, rule])) for (s, rule), count in ordered]
    text += "\n## What was found\n\n" + _table(("kind", "", "expected", "findings", "files"), found)
    return text + "\n## The files\n\n" + _table(("file", "links", "moving", "ends", "findings", "verdict"), rows)


def _verdict(name: str, model: RobotModel | None, findings: tuple[Finding, ...]) -> str:
    if model is not None:
        assert name not in REFUSED, f"{name} loads now"
        return "loads"
    sign, reason = REFUSED.get(name, ("nothing", ""))
    wrong = {finding.rule for finding in findings if finding.severity == "error"}
    assert wrong == {sign}, f"{name} is refused: {wrong}"
    return f"refused: {reason}"


def _size(model: RobotModel | None) -> tuple[str, str, str]:
    if model is None:
        return "", "", ""
    moving = sum(joint.kind != "fixed" for joint in model.joints)
    return str(len(model.links)), str(moving), str(len(model.leaves))


def _marks(kinds: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """A short name for each kind of finding: its severity's letter and a number."""
    numbers: Counter[str] = Counter()
    marks: dict[tuple[str, str], str] = {}
    for severity, rule in kinds:
        numbers[severity] += 1
        marks[severity, rule] = f"{severity[0].upper()}{numbers[severity]}"
    return marks


def _counted(findings: tuple[Finding, ...], marks: dict[tuple[str, str], str]) -> str:
    counts = Counter((finding.severity, finding.rule) for finding in findings)
    return ", ".join(f"{counts[kind]} {mark}" for kind, mark in marks.items() if counts[kind])


def _worst(item: tuple[tuple[str, str], int]) -> tuple[int, int, str]:
    (severity, rule), count = item
    return ("error", "warning", "info").index(severity), -count, rule


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    escaped = [[cell.replace("|", "\\|").replace("<", "&lt;") for cell in line] for line in lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in escaped) + "\n"


def main() -> int:
    """Write or check the page."""
    text = page()
    if "--check" in sys.argv[1:]:
        return int(not PAGE.exists() or PAGE.read_text() != text)
    PAGE.write_text(text)
    print(f"{PAGE}: {text.count(chr(10))} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
