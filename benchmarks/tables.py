"""What is printed: times in units that suit them, tables for terminals and in Markdown, and the machine they are of."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table


def shown(seconds: float) -> str:
    """A time with three digits, in ns, us, ms or s."""
    for unit, size in (("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3)):
        if seconds < 999.5 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def share(part: float) -> str:
    """A share of a control cycle."""
    return f"{100.0 * part:.2g} %" if part < 0.1 else f"{100.0 * part:.0f} %"


def times_over(ratio: float) -> str:
    """How many times something is faster."""
    if ratio < 0.1:
        return f"{ratio:.2g}"
    return f"{ratio:.2f}" if ratio < 10.0 else f"{ratio:,.0f}".replace(",", " ")


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> None:
    """A table on the terminal, never cut; the first ``left`` columns stand to the left."""
    table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for place, head in enumerate(heads):
        table.add_column(head, justify="left" if place < left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    Console(width=400).print(table, soft_wrap=True)


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> list[str]:
    """Lines of a table in Markdown; the first ``left`` columns stand to the left, the others to the right."""
    rule = ["---" if place < left else "--:" for place in range(len(heads))]
    return ["| " + " | ".join(row) + " |" for row in (heads, rule, *rows)]


def machine() -> str:
    """Processor, cores that may be used, and system."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        name = models[0] if models else name
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name}, {cores} cores, {platform.system()} {platform.machine()}"


def today() -> str:
    return datetime.date.today().isoformat()


def version(package: str) -> str | None:
    """The version of an installed package, None when it is not there."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
