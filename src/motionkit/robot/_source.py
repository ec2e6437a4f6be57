"""Robot files as bytes: what a caller gave, a path or the text itself, its name in messages, and where it lies."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import FileUnreadable, did_you_mean
from ._xml import LARGEST

SUFFIXES = (".urdf", ".xml", ".xacro", ".mjcf")
_PIECE = 2**20  # bytes
_BLANK = "\ufeff \t\r\n"
_DECLARATION = re.compile(r"^\s*<\?xml\s[^>]*\?>")


@dataclass(frozen=True, slots=True)
class Source:
    """A robot file.

    Args:
        name: of the file, for messages; ``"<text>"`` for a text.
        folder: where it lies; None for a text.
        data: what is in it.
    """

    name: str
    folder: Path | None
    data: bytes

    @property
    def is_text(self) -> bool:
        """Whether it was given as a text."""
        return self.folder is None


def read(source: str | os.PathLike[str]) -> Source:
    """What is in a file, or the text itself (a str that starts with ``<``).

    Raises:
        FileUnreadable: the file cannot be read.
    """
    if isinstance(source, str) and source.lstrip(_BLANK).startswith("<"):
        # a text has no encoding any more, and may start with blank lines; lines keep their numbers
        text = _DECLARATION.sub(lambda match: "\n" * match.group().count("\n"), source.lstrip("\ufeff"))
        return Source("<text>", None, text.encode())
    path = Path(source)
    try:
        with path.open("rb") as file:  # in pieces, for a pipe or a device may have no end
            content = bytearray()
            while len(content) <= LARGEST and (piece := file.read(_PIECE)):
                content += piece
        return Source(os.fspath(source), path.resolve().parent, bytes(content))
    except OSError as error:
        hint = "check the path"
        if isinstance(error, FileNotFoundError) and path.parent.is_dir():
            near = did_you_mean(path.name, (p.name for p in path.parent.iterdir() if p.suffix in SUFFIXES))
            hint = near if near.startswith("did") else hint
        raise FileUnreadable(
            f"{path}: cannot be read: {error.strerror or error}; {hint}", path=str(path), line=None
        ) from error
