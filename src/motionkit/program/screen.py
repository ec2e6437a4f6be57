"""The report as tables on a terminal.

Rich is imported inside, so that a program that only plans does not load it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .figures import Figure
from .report import LineFacts, Pacing, ProgramReport, StepReport
from .stopping import Stop

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

__all__ = ["print_report", "report_tables"]

_QUIET = ("tool", "frame", "set", "note")


def print_report(report: ProgramReport, console: Console) -> None:
    """Print the tables of a report, then its warnings."""
    for table in report_tables(report):
        console.print(table)
    for warning in report.warnings:
        console.print(f"warning: {warning}", style="yellow", markup=False, highlight=False)


def report_tables(report: ProgramReport) -> list[RenderableType]:
    """The step table, the lines if there are any, the worst figures of the proof, and the stopping table."""
    lines = [_lines(report)] if any(step.straight for step in report.steps) else []
    return [_steps(report), *lines, _figures(report), _stopping(report)]


def _table(title: str, columns: Mapping[str, str]) -> Table:
    """An empty table; ``<`` and ``>`` say to which side a column goes."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name, side in columns.items():
        table.add_column(name, justify="right" if side == ">" else "left", overflow="fold")
    return table


def _row(table: Table, cells: Sequence[str], style: str | None = None) -> None:
    from rich.text import Text

    table.add_row(*(Text(cell) for cell in cells), style=style)


def _steps(report: ProgramReport) -> RenderableType:
    columns = {"step": ">", "what": "<", "start s": ">", "end s": ">", "limited by": "<", "longest stop": "<"}
    table = _table(f"{report.name} on {report.robot}: {report.duration:.3f} s", columns)
    for step in report.steps:
        quiet = step.verb in _QUIET
        limited = pacing_text(step.pacing) if step.pacing else "; ".join(step.notes)
        what, end = f"{step.verb} {step.target}", "" if quiet else f"{step.end:.3f}"
        cells = [str(step.index), what, f"{step.start:.3f}", end, limited, stop_text(step.stop)]
        _row(table, cells, "dim" if quiet else None)
        for note in step.notes if step.pacing else ():
            _row(table, ["", "", "", "", note, ""], "dim")
    return table


def _lines(report: ProgramReport) -> RenderableType:
    columns = {
        "step": ">",
        "to": "<",
        "length": ">",
        "turn": ">",
        "time": ">",
        "least manipulability": ">",
        "off it": ">",
    }
    table = _table("lines; time is by that of the joint move between the same ends", columns)
    for step in report.steps:
        if (line := step.straight) is None:
            continue
        length, turn = f"{1e3 * line.length:.1f} mm", f"{math.degrees(line.turn):.1f}°"
        manipulability, deviation = manipulability_text(line), deviation_text(line)
        _row(table, [str(step.index), step.target, length, turn, f"{line.ratio:.2f}", manipulability, deviation])
    return table


def _figures(report: ProgramReport) -> RenderableType:
    title = f"worst figures of {report.rows} rows at {report.rate:g} Hz, each within its limit"
    table = _table(title, {"figure": "<", "value": ">", "limit": ">", "share": ">", "where": "<"})
    for figure in report.figures:
        if " column" not in figure.what:  # those are for a machine; what the positions do is what a robot is told
            _row(table, [figure.what, *figure_texts(figure), where_text(figure, report.steps)])
    return table


def _stopping(report: ProgramReport) -> RenderableType:
    columns = {"joint": "<", "goes on": ">", "for s": ">", "told at s": ">", "in step": ">"}
    table = _table("furthest stop of each joint, with its full limits", columns)
    for stop in report.stopping:
        step, distance = report.steps[stop.step], _distance(stop.distance, stop.unit)
        where = f"{step.index} {step.verb}"
        _row(table, [stop.joint, distance, f"{stop.duration:.3f}", f"{stop.time:.3f}", where])
    return table


def pacing_text(pacing: Pacing | None) -> str:
    """Such as ``elbow velocity 100 %`` or ``tool speed 100 %``."""
    if pacing is None:
        return ""
    return f"{pacing.joint or 'tool'} {pacing.limit} {100.0 * pacing.share:.0f} %"


def manipulability_text(line: LineFacts) -> str:
    """The least manipulability of a line and where along it."""
    along = line.least_manipulability_at
    where = f"{1e3 * line.length * along:.1f} mm" if line.length > 0.0 else f"{math.degrees(line.turn * along):.1f}°"
    return f"{line.least_manipulability:.3g} at {where}"


def deviation_text(line: LineFacts) -> str:
    """How far the tool strays from a line."""
    return f"{_short(1e3 * line.deviation)} mm, {_short(math.degrees(line.deviation_rotation))}°"


def stop_text(stop: Stop | None) -> str:
    """Such as ``elbow 12.3° in 0.410 s at 1.200 s``: how far, how long, and when the worst moment is."""
    if stop is None:
        return ""
    return f"{stop.joint} {_distance(stop.distance, stop.unit)} in {stop.duration:.3f} s at {stop.time:.3f} s"


def figure_texts(figure: Figure) -> tuple[str, str, str]:
    """Value, limit and share of a figure, as a person reads them."""
    value, limit = _typed(figure.value, figure.unit), _typed(figure.limit, figure.unit)
    return value, limit, f"{100.0 * figure.share:.2f} %"


def where_text(figure: Figure, steps: tuple[StepReport, ...]) -> str:
    """Joint, time and step of a figure."""
    step = steps[figure.step]
    who = "tool" if figure.joint is None else figure.joint
    return f"{who} at {figure.time:.3f} s, step {step.index} {step.verb}"


def _short(value: float) -> str:
    """Few digits, and an exponent only where plain digits would show nothing."""
    return f"{value:.4f}" if value >= 1e-3 else f"{value:.0e}" if value > 0.0 else "0"


def _distance(value: float, unit: str) -> str:
    """A stopping distance to the hundredth of a millimetre or of a degree."""
    scaled, typed, digits = (1e3 * value, " mm", 2) if unit == "m" else (math.degrees(value), "°", 2)
    return f"{round(scaled, digits) + 0.0:g}{typed}"


def _typed(value: float, unit: str) -> str:
    """A number in the unit that a person types: degrees and millimetres."""
    if unit.startswith("rad"):
        return f"{math.degrees(value):.6g}°{unit.removeprefix('rad')}"
    if unit == "m":
        return f"{1e3 * value:.6g} mm"
    return f"{value:.6g} {unit}"
