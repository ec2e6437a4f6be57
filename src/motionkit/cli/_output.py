"""What commands have in common when they print: JSON, tables, errors, poses."""

from __future__ import annotations

import dataclasses
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ..errors import MotionkitError

if TYPE_CHECKING:
    from ..spatial import SE3

__all__ = ["plain", "pose_data", "pose_lines", "print_error", "print_json", "print_table"]


def print_json(data: Any) -> None:
    """Print data as one JSON document on stdout."""
    print(json.dumps(plain(data), indent=2, ensure_ascii=False, allow_nan=False))


def plain(value: Any) -> Any:
    """Arrays to lists, records to mappings, numbers that JSON does not have to text."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in cast("Mapping[Any, Any]", value).items()}
    as_list: Any = getattr(value, "tolist", None)  # an array, without loading NumPy to ask
    if as_list is not None:
        return plain(as_list())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in cast("Iterable[Any]", value)]
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return str(value)


def print_error(error: MotionkitError, code: int, *, as_json: bool) -> None:
    """Print an error for a person on stderr, and on request for a machine on stdout."""
    if as_json:
        details = {name: value for name, value in error.__dict__.items() if not name.startswith("_")}
        named = {"class": type(error).__name__, "message": error.message, "exit_code": code}
        print_json({"error": named | {name: details[name] for name in details if name not in named}})
    findings = getattr(error, "findings", None) or ()
    lines = [f"motionkit: {type(error).__name__}: {error.message}"]
    # the message is about the first finding; where it is the only one, it says everything
    lines += [f"  {finding}" for finding in findings if len(findings) > 1]
    print("\n".join(lines), file=sys.stderr)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table with numbers to the right; the first column is text."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index == 0 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:  # a file or a pipe has no width to respect
        console = Console(highlight=False, markup=False, width=1000)
    console.print(table)


def pose_data(pose: SE3) -> dict[str, list[float]]:
    """A pose as a program file writes it, with its quaternion."""
    return {
        "xyz": [float(value) for value in pose.translation],
        "rpy_degrees": [math.degrees(float(angle)) for angle in pose.rotation.rpy()],
        "wxyz": [float(value) for value in pose.rotation.wxyz],
    }


def pose_lines(pose: SE3) -> list[str]:
    """A pose for a person: metres, degrees, quaternion."""
    data = pose_data(pose)
    return [
        "xyz   " + _numbers(data["xyz"], 6) + "  m",
        "rpy   " + _numbers(data["rpy_degrees"], 4) + "  deg",
        "wxyz  " + _numbers(data["wxyz"], 6),
    ]


def _numbers(values: Sequence[float], digits: int) -> str:
    return " ".join(f"{round(value, digits) + 0.0:{digits + 6}.{digits}f}" for value in values)
