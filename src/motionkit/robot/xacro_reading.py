"""Expands xacro files into URDF with the xacro package, and turns what goes wrong there into errors with a place.

How the URDF becomes links and joints is the business of ``urdf``.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import re
import threading
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

from .._extras import require
from ..errors import FileUnreadable, InvalidModel, KindMismatch, MotionkitError, UnknownName, did_you_mean
from ._packages import PackageResolver
from ._source import Source, read
from .findings import Finding
from .model import Packages, RobotModel
from .urdf import load_file

_LOCK = threading.Lock()  # xacro keeps its state in module variables
_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_QUOTED = re.compile(r"'([^']{2,})'|\"([^\"]{2,})\"|\[([^\]]{2,})\]|(xacro:[\w.-]+)")


class _NoPackage(LookupError):
    """A package that is nowhere."""

    def __init__(self, package: str) -> None:
        super().__init__(
            f"package '{package}' is neither beside the file nor above it; pass packages={{{package!r}: folder}}"
        )
        self.package = package


class _Arguments(dict[str, str]):
    """Arguments of a file; remembers which names the file has."""

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        self.asked: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.asked.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return super().__getitem__(name)


def load(
    path: str | os.PathLike[str], arguments: Mapping[str, object], packages: Packages, hold: Collection[str] = ()
) -> RobotModel:
    """The model of a xacro file; see :meth:`RobotModel.from_xacro`."""
    expanded, said = expand(path, arguments, packages)
    model = load_file(expanded, packages, hold)
    if not said:
        return model
    rule, fix = "a file that xacro has no doubts about", "correct it in the xacro file"
    return dataclasses.replace(model, notes=(*model.notes, Finding("warning", "xacro", None, rule, said, fix)))


def expand(path: str | os.PathLike[str], arguments: Mapping[str, object], packages: Packages) -> tuple[Source, str]:
    """The URDF that a xacro file stands for, as the command ``xacro FILE`` prints it, and what xacro warns of."""
    require("xacrodoc", "robots", "expanding xacro files")
    xacro = require("xacro", "robots", "expanding xacro files")
    if isinstance(path, str) and path.lstrip().startswith("<"):
        raise KindMismatch("from_xacro: expected the path of a file, from which its includes can be found; got a text")
    file = read(path)
    given = {name: _written(name, value) for name, value in arguments.items()}
    resolver = PackageResolver(file.folder, {name: Path(folder) for name, folder in packages.items()})
    mappings = _Arguments(given)
    with _LOCK, _finding_packages(resolver), contextlib.redirect_stderr(io.StringIO()) as warned:
        try:
            document = xacro.process_file(file.name, mappings=mappings)
        except Exception as error:
            raise _refused(xacro, file.name, error) from error
    for name in given:
        if name not in mappings.asked:
            hint = did_you_mean(name, mappings.asked) if mappings.asked else "it has none"
            raise UnknownName(f"{file.name}: no argument {name!r}: {hint}", name=name)
    data: bytes = document.toprettyxml(indent="  ", encoding="utf-8")
    return Source(f"{file.name} (expanded)", file.folder, data), " ".join(_COLOUR.sub("", warned.getvalue()).split())


def _written(name: str, value: object) -> str:
    """A value as xacro reads it: its own spelling of booleans, every digit of a number."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, (int, float)):
        return repr(value)
    raise KindMismatch(
        f"from_xacro: argument {name!r} must be a text, a number or a boolean, got {type(value).__name__}"
    )


@contextlib.contextmanager
def _finding_packages(resolver: PackageResolver) -> Generator[None]:
    """Let ``$(find name)`` find packages as ``package://name`` does, then as ROS does."""
    substitution: Any = require("xacro.substitution_args", "robots", "expanding xacro files")
    otherwise: Callable[[str], str] = substitution._eval_find

    def find(package: str) -> str:
        folder = resolver.folder(package)
        if folder is not None:
            return folder.as_posix()
        try:
            return otherwise(package)
        except Exception as error:
            raise _NoPackage(package) from error

    substitution._eval_find = find
    try:
        yield
    finally:
        substitution._eval_find = otherwise


# ---- errors
def _refused(xacro: Any, name: str, error: Exception) -> MotionkitError:
    """The error of xacro, with the file in which it happened and, where it can be told, the line."""
    stack = [str(file) for file in (xacro.filestack or [name]) if file is not None]
    place = stack[-1] if stack else name
    through = "".join(f", included from {file}" for file in reversed(stack[:-1]))
    if isinstance(error, ExpatError):
        return FileUnreadable(
            f"{place}:{error.lineno}: not XML: {error}{through}; correct the XML there",
            path=place,
            line=error.lineno,
        )
    cause = _cause(error)
    # of what it did not expect xacro gives class and text twice over
    text = " ".join(str(cause if str(error).startswith("<class") else error).split()) or type(cause).__name__
    line = _line(place, text)
    for macro in reversed(xacro.macrostack or []):
        # what is wrong may be in the file that defines the macro, not in the one that calls it
        defined = str(macro.history[-1][-1])
        if line is None and defined != place and (line := _line(defined, text)):
            place, through = defined, f", called from {place}{through}"
    if isinstance(cause, _NoPackage):
        line = next(_lines_with(place, f"$(find {cause.package})"), line)
    if isinstance(cause, OSError):
        where = f"{place}:{line}" if line else place
        return FileUnreadable(f"{where}: {text}{through}; correct the path", path=place, line=line)
    macros = [str(macro.body.getAttribute("name")) for macro in reversed(xacro.macrostack or [])]
    inside = f", in macro {', in '.join(macros)}" if macros else ""
    finding = Finding("error", f"xacro{inside}", line, "a file that xacro can expand", text, "correct it there")
    message = f"{place}:{line or '?'}: {finding.where}: {finding.rule}; got {text}{through}; {finding.fix}"
    return InvalidModel(message, findings=[finding])


def _cause(error: BaseException) -> BaseException:
    """What xacro wrapped, at the bottom."""
    inner = getattr(error, "exc", None)
    return _cause(inner) if isinstance(inner, BaseException) else error


def _line(path: str, text: str) -> int | None:
    """The one line that has what the message quotes, the longest quotation first; xacro itself keeps no lines."""
    quotations = ["".join(groups) for groups in _QUOTED.findall(text)]
    for quotation in sorted({*quotations, *(Path(word).name for word in quotations)}, key=len, reverse=True):
        found = list(_lines_with(path, quotation)) if quotation else []
        if len(found) == 1:
            return found[0]
    return None


def _lines_with(path: str, text: str) -> Iterator[int]:
    try:
        lines = Path(path).read_text(errors="replace").splitlines()
    except OSError:
        return
    for number, line in enumerate(lines, start=1):
        if text in " ".join(line.split()):
            yield number
