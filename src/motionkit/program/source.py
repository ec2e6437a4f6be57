"""Where the parts of a program stand in its file: paths such as ``steps[2].movel.xyz[0]`` and their lines."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TypeAlias

import msgspec

from ..errors import InvalidProgram

__all__ = ["Source", "SourcePath", "path_text"]

SourcePath: TypeAlias = tuple[str | int, ...]

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def path_text(path: SourcePath) -> str:
    """A path into a file as a person reads it.

    >>> path_text(("steps", 2, "movel", "xyz", 0))
    'steps[2].movel.xyz[0]'
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            text += f".{part}" if text else part
        else:
            text += f"[{part!r}]"
    return text


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A program file: its name, its text, and the line of each part.

    Args:
        name: what messages call it: the path as given, or ``<text>``.
        folder: what relative file names in it are relative to.
        text: the whole text.
        lines: line, from 1, of each path; empty for a program made in code.
    """

    name: str = "<program>"
    folder: str = "."
    text: str = ""
    lines: dict[SourcePath, int] = {}

    def __repr__(self) -> str:
        return f"Source({self.name!r}, {self.text.count(chr(10))} lines)"

    @property
    def stem(self) -> str:
        """The name without folders and ending, as output folders are named."""
        return Path(self.name).stem if self.lines and not self.name.startswith("<") else "program"

    @property
    def digest(self) -> str:
        """SHA-256 of the text, in hexadecimal."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def line(self, path: SourcePath) -> int | None:
        """The line of a path, or of the nearest part above it that has one."""
        for end in range(len(path), -1, -1):
            if (line := self.lines.get(path[:end])) is not None:
                return line
        return None

    def where(self, path: SourcePath) -> str:
        """``file:line: path``, the beginning of every message about this place."""
        line = self.line(path)
        place = self.name if line is None else f"{self.name}:{line}"
        return f"{place}: {path_text(path)}" if path else place

    def error(self, path: SourcePath, message: str) -> InvalidProgram:
        """An error about a place in the file; the caller raises it."""
        return InvalidProgram(f"{self.where(path)}: {message}", path=path_text(path), line=self.line(path))
