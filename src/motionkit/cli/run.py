"""``motionkit run``: plan a robot program, prove it, and write the trajectory and the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from ._arguments import AsJson
from ._progress import LateProgress

if TYPE_CHECKING:
    from ..program import RunResult

__all__ = ["finish", "run"]

Out = Annotated[Path | None, tyro.conf.arg(metavar="DIR")]
Rate = Annotated[float, tyro.conf.arg(metavar="HZ")]


def run(
    program: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="PROGRAM")],
    /,
    *,
    out: Out = None,
    rate: Rate = 1000.0,
    as_json: AsJson = False,
) -> int:
    """Plan a robot program, prove the motion on its samples, and write trajectory.csv, trajectory.json and report.json.

    Args:
        program: the program file, YAML or JSON.
        out: folder of the result; left out, a folder here that is named after the program.
        rate: samples a second.
        as_json: print the report as JSON, and nothing else, on stdout.
    """
    from ..program import load_program, resolve, run_program

    with LateProgress() as progress:
        resolved = resolve(load_program(program))
        result = run_program(resolved, out=Path(resolved.name) if out is None else out, rate=rate, progress=progress)
    finish(result, as_json=as_json)
    return 0


def finish(result: RunResult, *, as_json: bool) -> None:
    """Print the report of a run, and where its files are."""
    if as_json:
        print(result.report.to_json().decode(), end="")
        return
    from rich.console import Console

    from ..program.screen import print_report
    from ..program.writing import FILES

    console = Console()
    if not console.is_terminal:  # a file or a pipe has no width to respect
        console = Console(width=200)
    print_report(result.report, console)
    if result.folder is not None:
        console.print(f"proved and written: {result.folder}/: {', '.join(FILES)}", markup=False, highlight=False)
