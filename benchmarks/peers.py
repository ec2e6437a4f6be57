"""Our time beside that of other packages for the same work, as ratios, into RESULTS.md. A row that we lose stays.

Both sides get the same input, their answers are compared before anything is timed, and rounds alternate. Packages that
are not installed give rows that say so. Absolute times are printed and never asserted.

    make bench-peers      ARGS="--only Jacobian"
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.setdefault("MOTIONKIT_TIER", "compiled")

import motionkit as mk
import peer_analytic
import peer_dynamics
import peer_inverse
import peer_kinematics
import peer_motion
import peer_spatial
from comparisons import Result, Row, measured
from peer_start import PEERS as STARTED
from peer_start import Starts, starts
from tables import machine, markdown_table, print_table, shown, times_over, today, version
from timing import Effort

OUT = Path(__file__).resolve().parent / "RESULTS.md"
HEADS = ("work", "peer", "ours", "peer's", "ratio", "quartiles", "aim", "answers differ by", "verdict")
PACKAGES = ("numpy", "numba", "pin", "ruckig", "scipy", "pytracik", "ikpy", "roboticstoolbox-python", "eaik", "ssik")
SECTIONS: tuple[tuple[str, Callable[[bool], Sequence[Row]]], ...] = (
    ("Kinematics", peer_kinematics.rows),
    ("Dynamics", peer_dynamics.rows),
    ("Poses and rotations", lambda quick: peer_spatial.rows()),
    ("Inverse kinematics", peer_inverse.rows),
    ("Inverse kinematics in closed form", lambda quick: peer_analytic.rows()),
    ("Motion", lambda quick: peer_motion.rows()),
)


def cells(result: Result) -> Sequence[str]:
    """A row of the table."""
    aim = "" if result.aim is None else f"≥ {result.aim:.3g}"
    if result.comparison is None:
        return result.work, result.peer, "", "", "", "", aim, "", result.verdict
    found = result.comparison
    low, high = found.spread
    return (
        *(result.work, result.peer, shown(found.ours.median), shown(found.theirs.median)),
        *(times_over(found.ratio), f"{times_over(low)} to {times_over(high)}", aim),
        *(f"{result.off:.1g} (at most {result.tolerance:.0e})", result.verdict),
    )


def start_rows(found: Starts) -> list[Sequence[str]]:
    """Peers down, our starts across: their time by ours."""
    rows: list[Sequence[str]] = [("ours", "", *(shown(times.median) for times in found.ours.values()))]
    codes = dict(STARTED)
    for name, times in found.peers.items():
        if times is None:
            rows.append((f"`{codes[name]}`", "not installed", *[""] * len(found.ours)))
            continue
        ratios = [times.median / ours.median for ours in found.ours.values()]
        verdicts = [times_over(ratio) + ("" if ratio >= 1.0 else " lost") for ratio in ratios]
        rows.append((f"`{codes[name]}`", shown(times.median), *verdicts))
    return rows


def lost_starts(found: Starts) -> list[str]:
    """Which of our starts take longer than which peer's."""
    codes, peers = dict(STARTED), {name: times for name, times in found.peers.items() if times is not None}
    return [
        f"{ours}, beside `{codes[name]}`: {times_over(theirs.median / times.median)}, aim 1"
        for ours, times in found.ours.items()
        for name, theirs in peers.items()
        if theirs.median < times.median
    ]


def header(effort: Effort) -> list[str]:
    """What was measured, on what."""
    versions = ", ".join(f"{name} {version(name) or 'not installed'}" for name in PACKAGES)
    return [
        "# Results of `make bench-peers`",
        "",
        f"{today()}; motionkit {mk.__version__}, Python {platform.python_version()}; {versions}.",
        "",
        f"{machine()}. Kernels: MOTIONKIT_TIER={os.environ['MOTIONKIT_TIER']}. {effort.rounds} rounds of at least "
        f"{shown(effort.seconds)} a side, in turn.",
        "",
        "A ratio is the peer's time by ours, medians: above 1 we are faster. Times are for one problem. The quartiles",
        "are those of the ratio round by round. *lost*: below 1, or below an aim that is less than 1. *below the aim*:",
        "faster than the peer, and less so than we want. Nothing is claimed about a *control*.",
        "",
    ]


def report(results: dict[str, list[Result]], found: Starts | None, effort: Effort) -> str:
    """The whole file."""
    lines = header(effort)
    for title, rows in results.items():
        lines += [f"## {title}", "", *markdown_table(HEADS, [cells(row) for row in rows], left=2), ""]
        remarks = dict.fromkeys(f"- {row.work}: {remark}." for row in rows for remark in row.remarks)
        lines += [*remarks, ""] if remarks else []
    if found is not None:
        lines += ["## Start of a process", ""]
        lines += [f"Time of the processor; {shown(found.nothing.median)} of each is Python itself.", ""]
        lines += [*markdown_table(("beside", "takes", *found.ours), start_rows(found)), ""]
    every = [row for rows in results.values() for row in rows]
    short = [row for row in every if row.verdict in ("lost", "below the aim")]
    lines += ["## Lost, and below the aim", ""]
    for row in short:
        assert row.comparison is not None
        ratio = times_over(row.comparison.ratio)
        lines.append(f"- {row.verdict}: {row.work}, beside {row.peer}: {ratio}, aim {row.aim:.3g}.")
    lines += [f"- lost: {name}." for name in lost_starts(found)] if found is not None else []
    lines += [] if lines[-1] else ["None."]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="rounds of each side")
    parser.add_argument("--only", default="", help="only rows whose work contains this; nothing is written")
    parser.add_argument("--quick", action="store_true", help="one short round of everything: does it run?")
    parser.add_argument("--out", type=Path, default=OUT, help="the file to write")
    options = parser.parse_args()
    effort = Effort(1, 0.0) if options.quick else Effort(options.rounds, 0.02)
    results: dict[str, list[Result]] = {}
    for title, rows in SECTIONS:
        chosen = [row for row in rows(options.quick) if options.only in row.work]
        if chosen:
            results[title] = [measured(row, effort) for row in chosen]
            print_table(title, HEADS, map(cells, results[title]), left=2)
    found = None
    if not options.only:
        found = starts(Effort(1 if options.quick else 7, 0.0))
        print_table("Start of a process", ("beside", "takes", *found.ours), start_rows(found))
        options.out.write_text(report(results, found, effort))
        print(f"written: {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
