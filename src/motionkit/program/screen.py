"""The report as tables on a terminal.

Rich is imported inside, so that a program that only plans does not load it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .figures import Figure
from .report import LineFacts, Pacing, ProgramReport, StepReport
from .stopping import Stop

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

__all__ = ["print_report", "report_tables"]

_QUIET = ("tool", "frame", "set", "note")


def print_report(report: ProgramReport, console: Console) -> None:
    """Print the tables of a report, then its warnings."""
    for table in report_tables(report):
        console.print(table)
    for warning in report.warnings:
        console.print(f"warning: {warning}", style="yellow", markup=False, highlight=False)


def report_tables(report: ProgramReport) -> list[RenderableType]:
    """The step table, the worst figures of the proof, and the stopping table."""
    return [_steps(report), _figures(report), _stopping(report)]


def _steps(report: ProgramReport) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        title=Text(f"{report.name} on {report.robot}: {report.duration:.3f} s"),
        title_justify="left",
    )
    for name, justify in (("step", "right"), ("what", "left"), ("start s", "right"), ("end s", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    table.add_column("limited by", overflow="fold")
    table.add_column("least manip.", justify="right")
    table.add_column("off the path", justify="right")
    table.add_column("longest stop", justify="left", overflow="fold")
    for step in report.steps:
        quiet = step.verb in _QUIET
        cells = [
            str(step.index),
            f"{step.verb} {step.target}",
            f"{step.start:.3f}",
            "" if quiet else f"{step.end:.3f}",
            pacing_text(step.pacing),
            manipulability_text(step.straight),
            deviation_text(step.straight),
            stop_text(step.stop),
        ]
        table.add_row(*(Text(cell) for cell in cells), style="dim" if quiet else None)
        for note in step.notes:
            table.add_row("", Text(f"({note})"), style="dim")
    return table


def _figures(report: ProgramReport) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    title = f"worst figures of {report.rows} rows at {report.rate:g} Hz, each within its limit"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=Text(title), title_justify="left")
    for name, justify in (("figure", "left"), ("value", "right"), ("limit", "right"), ("share", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    table.add_column("where")
    for figure in report.figures:
        if " column" in figure.what:  # for a machine; what the positions do is what a robot is told
            continue
        cells = [figure.what, *figure_texts(figure), where_text(figure, report.steps)]
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _stopping(report: ProgramReport) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        title=Text("furthest stop of each joint, with its full limits"),
        title_justify="left",
    )
    for name, justify in (("joint", "left"), ("goes on", "right"), ("for s", "right"), ("told at s", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    table.add_column("in step", justify="right")
    for stop in report.stopping:
        place = report.steps[stop.step]
        distance = f"{_typed(stop.distance, stop.unit)}"
        cells = [stop.joint, distance, f"{stop.duration:.3f}", f"{stop.time:.3f}", f"{place.index} {place.verb}"]
        table.add_row(*(Text(cell) for cell in cells))
    return table


def pacing_text(pacing: Pacing | None) -> str:
    """Such as ``elbow velocity 100 %``."""
    if pacing is None:
        return ""
    who = pacing.limit if pacing.joint is None else f"{pacing.joint} {pacing.limit}"
    return f"{who} {100.0 * pacing.share:.0f} %"


def manipulability_text(line: LineFacts | None) -> str:
    """The least manipulability of a line and where along it."""
    if line is None:
        return ""
    return f"{line.least_manipulability:.3g} at {100.0 * line.least_manipulability_at:.0f} %"


def deviation_text(line: LineFacts | None) -> str:
    """How far the tool strays from a line."""
    if line is None:
        return ""
    return f"{1e3 * line.deviation:.4f} mm {math.degrees(line.deviation_rotation):.4f}°"


def stop_text(stop: Stop | None) -> str:
    """Such as ``elbow 12.3° in 0.41 s at 1.20 s``."""
    if stop is None:
        return ""
    return f"{stop.joint} {_typed(stop.distance, stop.unit)} in {stop.duration:.3f} s from {stop.time:.3f} s"


def figure_texts(figure: Figure) -> tuple[str, str, str]:
    """Value, limit and share of a figure, as a person reads them."""
    value, limit = _typed(figure.value, figure.unit), _typed(figure.limit, figure.unit)
    return value, limit, f"{100.0 * figure.share:.2f} %"


def where_text(figure: Figure, steps: tuple[StepReport, ...]) -> str:
    """Joint, time and step of a figure."""
    step = steps[figure.step]
    who = "tool" if figure.joint is None else figure.joint
    return f"{who} at {figure.time:.3f} s, step {step.index} {step.verb}"


def _typed(value: float, unit: str) -> str:
    """A number in the unit that a person types: degrees and millimetres."""
    if unit.startswith("rad"):
        return f"{math.degrees(value):.6g}°{unit.removeprefix('rad')}"
    if unit == "m":
        return f"{1e3 * value:.6g} mm"
    return f"{value:.6g} {unit}"
