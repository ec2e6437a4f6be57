"""Files that are written whole or not at all; what is in them is the business of others.

A file is written beside its place, flushed to the disk, and takes its name by a rename, so a reader finds the old one
or the new one and never half of either. Folders that appear as a whole are put together in ``program.writing``.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from .errors import FileUnreadable


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file; one that is there already is replaced. A link is followed, not replaced.

    Raises:
        FileUnreadable: the file cannot be written; what was there before is untouched.
    """
    target = Path(os.path.realpath(path))
    work = target.with_name(f".{target.name}.{secrets.token_hex(4)}.new")
    try:
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        try:
            write_durably(work, data)
            work.replace(target)
        finally:
            work.unlink(missing_ok=True)
        flush_folder(target.parent)
    except OSError as error:
        raise FileUnreadable(
            f"{os.fspath(path)}: cannot be written: {error.strerror or error}; choose another place",
            path=os.fspath(path),
            line=None,
        ) from error


def write_durably(path: Path, data: bytes) -> None:
    """Write a file and wait until it is on the disk."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def flush_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    if os.name != "posix":  # elsewhere a folder cannot be opened
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
