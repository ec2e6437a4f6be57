"""Writes the API reference from the docstrings of the public names, and the help of every command.

One page a room, made from what ``motionkit`` gives under its own name, so that a new public name cannot be forgotten.
A name without a docstring ends the build. The pages go to docs/reference/ and are not kept under version control.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

import motionkit
from docstrings import undocumented

TITLES = {
    "spatial": "Rotations, poses and frames",
    "values": "Values with units",
    "robot": "Robots",
    "motion": "Motion of axes",
    "cartesian": "Straight lines",
    "program": "Programs",
    "runtime": "How kernels run",
}


def public_names() -> dict[str, list[str]]:
    """Public names by room, in alphabetical order; the errors are a room of their own here."""
    rooms = {room: sorted(names) for room, names in motionkit._ROOMS.items()}
    return {**rooms, "errors": sorted(motionkit.errors.__all__)}


def entry(home: str, name: str, value: object, base: bool) -> list[str]:
    """The directive of one name."""
    if inspect.isclass(value):
        lines = [f".. autoclass:: {home}.{name}", "   :members:"]
        if not base and any(part.__module__.startswith("motionkit") for part in value.__mro__[1:]):
            lines.append("   :inherited-members:")  # what a class is put together from is no matter of its readers
        return [*lines, "   :show-inheritance:", ""] if base else [*lines, ""]
    return [f".. {'autofunction' if inspect.isroutine(value) else 'autodata'}:: {home}.{name}", ""]


def page(room: str, names: list[str]) -> str:
    """The page of one room: what has a name of its own in ``motionkit`` first, then what only the room gives."""
    title = TITLES.get(room, room.capitalize())
    module = getattr(motionkit, room)
    lines = [title, "=" * len(title), "", f".. automodule:: motionkit.{room}", "   :no-members:", ""]
    for name in names:
        lines += entry("motionkit", name, getattr(motionkit, name), room == "errors")
    if rest := sorted(set(module.__all__) - set(names)):
        heading = f"Only in ``motionkit.{room}``"
        lines += [heading, "-" * len(heading), ""]
        for name in rest:
            lines += entry(f"motionkit.{room}", name, getattr(module, name), False)
    return "\n".join(lines)


def command_help() -> str:
    """The help of every command, as Markdown."""
    from motionkit.cli._main import COMMANDS

    parts = []
    for command in COMMANDS:
        environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1"}
        words = [sys.executable, "-m", "motionkit.cli", command, "--help"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        parts += [f"### motionkit {command}", "", "```text", done.stdout.strip(), "```", ""]
    return "\n".join(parts)


def write(app: Sphinx) -> None:
    """Write the pages that have changed."""
    rooms = public_names()
    modules = [getattr(motionkit, room) for room in rooms]
    missing = [m for module in modules for name in module.__all__ for m in undocumented(name, getattr(module, name))]
    if missing:
        raise ExtensionError(f"public names without a docstring: {', '.join(missing)}")
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    pages = {f"{room}.rst": page(room, names) for room, names in rooms.items()}
    title = "API reference"
    entries = [f"   {room}" for room in rooms]
    words = "Every name below is ``motionkit.NAME``, and is loaded from its room when it is first used."
    pages["index.rst"] = "\n".join([title, "=" * len(title), "", words, "", ".. toctree::", "", *entries, ""])
    pages["command-line.txt"] = command_help()
    for old in folder.glob("*.rst"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def keep_bars(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Let ``|v|`` in a docstring mean a magnitude, as its author does, and not a substitution."""
    for k, line in enumerate(lines):
        if "|" in line and not line.lstrip().startswith(("|", "+", ">>>", "...")):
            parts = line.split("``")  # every other part is literal
            parts[::2] = [part.replace("|", "\\|") for part in parts[::2]]
            lines[k] = "``".join(parts)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("builder-inited", write)
    app.connect("autodoc-process-docstring", keep_bars)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
