"""Text to plain data, strictly: YAML 1.2 and JSON, every part with its line, everything ambiguous refused.

Refused, each with its line: keys given twice, anchors, aliases, tags and merge keys (what stands in the file is all
there is), numbers that are not finite or not plainly decimal, keys without a value, several documents in one file.
As YAML 1.2 has it, ``yes``, ``on`` and ``12:30`` are text and nothing but ``true`` and ``false`` is a truth value.
What the keys mean is not known here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from ..errors import FileUnreadable, InvalidProgram
from .source import Source, SourcePath

__all__ = ["Data", "check_data", "read_file", "read_text"]

Data: TypeAlias = "str | int | float | bool | list[Data] | dict[str, Data]"

DEEPEST = 16
"""How deep mappings and lists may be nested; a program needs six."""

LONGEST_NUMBER = 64
"""How many characters a number may have; 17 digits, sign and exponent need 24."""

_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")
_NOT_FINITE = re.compile(r"[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN")
_NULLS = ("", "~", "null", "Null", "NULL")
_TRUE = ("true", "True", "TRUE")
_FALSE = ("false", "False", "FALSE")


def read_file(path: Path | str) -> tuple[Data, Source]:
    """The data of a file, and where each part of it stands.

    Args:
        path: a file that ends in ``.json`` is JSON, any other YAML 1.2.

    Raises:
        FileUnreadable: no such file, no permission, a folder, or not UTF-8.
        InvalidProgram: the text breaks the rules of its format, or one of the rules at the top of this module.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileUnreadable(
            f"{path}: expected UTF-8 text, found byte 0x{error.object[error.start]:02x} at offset {error.start}; "
            "save the file as UTF-8",
            path=str(path),
            line=None,
        ) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileUnreadable(f"{path}: cannot be read: {reason}", path=str(path), line=None) from None
    return read_text(text, name=str(path), folder=str(path.parent), is_json=path.suffix.lower() == ".json")


def read_text(text: str, *, name: str = "<text>", folder: str = ".", is_json: bool = False) -> tuple[Data, Source]:
    """The data of a text, and where each part of it stands.

    Args:
        text: the whole document.
        name: what messages call it.
        folder: what relative file names in it are relative to.
        is_json: read as JSON rather than as YAML 1.2 (which takes most JSON too).

    Raises:
        InvalidProgram: the text breaks the rules of its format, or one of the rules at the top of this module.
    """
    source = Source(name=name, folder=folder, text=text, lines={(): 1})
    if not text.strip():
        raise source.error((), "the file is empty; expected a mapping that starts with 'motionkit: program/1'")
    data = _JsonReader(source).document() if is_json else _YamlReader(source).document()
    return data, source


def check_data(data: Any, source: Source, path: SourcePath = ()) -> Data:
    """Data made in code, checked by the same rules as a file's: text keys, finite numbers, no None.

    Raises:
        InvalidProgram: something that a file could not hold.
    """
    if len(path) > DEEPEST:
        raise _too_deep(source, path)
    if isinstance(data, dict):
        checked: dict[str, Data] = {}
        for key, value in data.items():  # pyright: ignore[reportUnknownVariableType]
            if not isinstance(key, str):
                raise source.error(path, f"expected text as a key, got {key!r}")
            checked[key] = check_data(value, source, (*path, key))
        return checked
    if isinstance(data, list | tuple):
        return [check_data(value, source, (*path, i)) for i, value in enumerate(data)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(data, bool | str):
        return data
    if isinstance(data, int | float):
        return _finite(data, repr(data), source, path)
    raise source.error(path, f"expected a mapping, a list, text, a number or a truth value, got {data!r}")


def _finite(value: int | float, text: str, source: Source, path: SourcePath) -> int | float:
    try:
        finite = math.isfinite(float(value))
    except OverflowError:
        finite = False
    if not finite:
        raise source.error(path, f"expected a finite number, got {text}")
    return value


def _too_deep(source: Source, path: SourcePath) -> InvalidProgram:
    return source.error(path[:3], f"nested more than {DEEPEST} deep; a program needs six")


class _Reader:
    """What both formats share: scalars by YAML's core schema, lines, keys given twice."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def _at(self, path: SourcePath, line: int) -> None:
        self._source.lines.setdefault(path, line)

    def _error(self, path: SourcePath, line: int, message: str) -> InvalidProgram:
        self._source.lines[path] = line
        return self._source.error(path, message)

    def _no_value(self, path: SourcePath) -> InvalidProgram:
        return self._source.error(path, "has no value; give one or remove the key")

    def _number(self, text: str, path: SourcePath, line: int) -> int | float:
        if len(text) > LONGEST_NUMBER:
            raise self._error(path, line, f"expected a number of at most {LONGEST_NUMBER} characters, got {len(text)}")
        value = int(text) if _INTEGER.fullmatch(text) else float(text)
        return _finite(value, text, self._source, path)

    def _new_key(self, key: str, mapping: dict[str, Data], path: SourcePath, line: int) -> SourcePath:
        below = (*path, key)
        if key in mapping:
            first = self._source.lines[below]
            raise self._error(below, line, f"the key {key!r} is given twice, first on line {first}; remove one")
        self._at(below, line)
        if len(below) > DEEPEST:
            raise _too_deep(self._source, below)
        return below

    def _new_item(self, items: list[Data], path: SourcePath, line: int) -> SourcePath:
        below = (*path, len(items))
        self._at(below, line)
        if len(below) > DEEPEST:
            raise _too_deep(self._source, below)
        return below


class _YamlReader(_Reader):
    """YAML 1.2 from the parser's events, so that nothing is composed, resolved or constructed behind our back."""

    def document(self) -> Data:
        """The one document of the text."""
        from ruamel.yaml import YAML
        from ruamel.yaml.error import MarkedYAMLError, YAMLError

        try:
            yaml: Any = YAML(typ="safe", pure=True)
            self._events: Iterator[Any] = iter(yaml.parse(self._source.text))
            return self._stream()
        except MarkedYAMLError as error:
            raise self._syntax(error) from None
        except YAMLError as error:
            position = getattr(error, "position", 0)
            line = self._source.text.count("\n", 0, position) + 1
            raise self._error((), line, f"not YAML: {getattr(error, 'reason', error)}") from None

    def _syntax(self, error: Any) -> InvalidProgram:
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else mark.line + 1
        problem = str(error.problem or error.context)
        lines = self._source.text.splitlines()
        here = lines[line - 1] if line <= len(lines) else ""
        message = f"not YAML: {problem}"
        if error.context and error.context_mark is not None:
            message += f" ({error.context} that starts on line {error.context_mark.line + 1})"
        if "\t" in here[: len(here) - len(here.lstrip())]:
            message += "; indent with spaces, YAML takes no tabs there"
        elif "mapping values are not allowed" in problem:
            message += "; check the indentation, and put quotes around text that holds ': '"
        else:
            message += "; check brackets, quotes and indentation at and above this line"
        return self._error((), line, message)

    def _stream(self) -> Data:
        from ruamel.yaml.events import DocumentEndEvent, DocumentStartEvent, StreamEndEvent, StreamStartEvent

        value: Data | None = None
        for event in self._events:
            line = event.start_mark.line + 1
            if isinstance(event, DocumentStartEvent):
                version = getattr(event, "version", None)
                if version not in (None, (1, 2)):
                    raise self._error((), line, f"expected YAML 1.2, the file says {version[0]}.{version[1]}")
                if value is not None:
                    raise self._error((), line, "a second document begins here; a program is one document")
            elif not isinstance(event, StreamStartEvent | StreamEndEvent | DocumentEndEvent):
                value = self._value(event, ())
        if value is None:
            raise self._error((), 1, "the file is empty; expected a mapping that starts with 'motionkit: program/1'")
        return value

    def _value(self, event: Any, path: SourcePath) -> Data:
        from ruamel.yaml.events import MappingStartEvent, ScalarEvent, SequenceStartEvent

        self._refuse_indirection(event, path)
        if isinstance(event, ScalarEvent):
            return self._scalar(event, path)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(path)
        assert isinstance(event, MappingStartEvent)
        return self._mapping(path)

    def _refuse_indirection(self, event: Any, path: SourcePath) -> None:
        from ruamel.yaml.events import AliasEvent

        line = event.start_mark.line + 1
        anchor = getattr(event, "anchor", None)
        if isinstance(event, AliasEvent):
            raise self._error(path, line, f"aliases (*{anchor}) are not allowed; write the value out")
        if anchor is not None:
            raise self._error(path, line, f"anchors (&{anchor}) are not allowed; write the value where it is needed")
        if (tag := getattr(event, "tag", None)) is not None:
            raise self._error(path, line, f"tags ({tag}) are not allowed; write the plain value")

    def _sequence(self, path: SourcePath) -> list[Data]:
        from ruamel.yaml.events import SequenceEndEvent

        items: list[Data] = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            items.append(self._value(event, self._new_item(items, path, event.start_mark.line + 1)))
        return items

    def _mapping(self, path: SourcePath) -> dict[str, Data]:
        from ruamel.yaml.events import MappingEndEvent

        mapping: dict[str, Data] = {}
        while not isinstance(event := next(self._events), MappingEndEvent):
            below = self._new_key(self._key(event, path), mapping, path, event.start_mark.line + 1)
            mapping[str(below[-1])] = self._value(next(self._events), below)
        return mapping

    def _key(self, event: Any, path: SourcePath) -> str:
        from ruamel.yaml.events import ScalarEvent

        line, is_scalar = event.start_mark.line + 1, isinstance(event, ScalarEvent)
        self._refuse_indirection(event, path)
        if not is_scalar:
            raise self._error(path, line, "expected text as a key, got a list or mapping; check the indentation")
        text = str(event.value)
        if not event.implicit[0]:  # quoted, so text whatever it looks like
            return text
        if text == "<<":
            raise self._error(path, line, "merge keys (<<) are not allowed; write the keys out")
        if text in _NULLS or text in _TRUE or text in _FALSE or _FLOAT.fullmatch(text) or _OTHER_BASE.fullmatch(text):
            raise self._error(path, line, f"expected text as a key, got {text or 'nothing'}; put quotes around a name")
        return text

    def _scalar(self, event: Any, path: SourcePath) -> Data:
        line = event.start_mark.line + 1
        text = str(event.value)
        if not event.implicit[0]:
            return text
        if text in _NULLS:
            raise self._no_value(path)
        if text in _TRUE or text in _FALSE:
            return text in _TRUE
        if _NOT_FINITE.fullmatch(text):
            raise self._error(path, line, f"expected a finite number, got {text}")
        if _OTHER_BASE.fullmatch(text):
            raise self._error(path, line, f"expected a decimal number, got {text}; write {int(text, 0)}")
        if _LEADING_ZERO.fullmatch(text):
            plain = text.lstrip("+-0") or "0"
            raise self._error(
                path, line, f"a number may not start with 0, which some read as octal: got {text}; write {plain}"
            )
        if _FLOAT.fullmatch(text):
            return self._number(text, path, line)
        return text


_JSON_TOKEN = re.compile(
    r"[ \t\r\n]*(?P<token>[{}\[\],:]|\"(?:[^\"\\]|\\.)*\"|-?[0-9][0-9.eE+-]*|true|false|null)[ \t\r\n]*"
)


class _JsonReader(_Reader):
    """JSON with lines: the standard reader says whether it is JSON, a walk over the tokens says where things stand."""

    def document(self) -> Data:
        """The one value of the text."""
        text = self._source.text
        try:
            json.loads(text, parse_constant=self._constant, parse_int=float)
        except json.JSONDecodeError as error:
            raise self._not_json(error) from None
        except RecursionError:
            raise _too_deep(self._source, ()) from None
        self._offset = 0
        self._line = 1
        return self._value((), *self._next())

    def _not_json(self, error: json.JSONDecodeError) -> InvalidProgram:
        text, what = error.doc, error.msg
        # a comma before a closing bracket: Python releases put it at the comma or at the bracket, in their own words
        before = text[: error.pos + 1 if text[error.pos : error.pos + 1] == "," else error.pos].rstrip()
        if before.endswith(",") and text[len(before) :].lstrip()[:1] in ("}", "]"):
            what = "a comma after the last entry; take it out"
            error = json.JSONDecodeError(what, text, len(before) - 1)
        return self._error((), error.lineno, f"not JSON: {what} (column {error.colno})")

    def _constant(self, text: str) -> float:
        line = self._source.text.count("\n", 0, self._source.text.index(text)) + 1
        raise self._error((), line, f"expected a finite number, got {text}")

    def _next(self) -> tuple[str, int]:
        match = _JSON_TOKEN.match(self._source.text, self._offset)
        assert match is not None  # the text is JSON
        line = self._line + self._source.text.count("\n", self._offset, match.start("token"))
        self._line += self._source.text.count("\n", self._offset, match.end())
        self._offset = match.end()
        return match["token"], line

    def _value(self, path: SourcePath, token: str, line: int) -> Data:
        if token == "{":
            return self._object(path)
        if token == "[":
            return self._array(path)
        if token[0] == '"':
            return str(json.loads(token))
        if token == "null":
            raise self._no_value(path)
        if token in ("true", "false"):
            return token == "true"
        return self._number(token, path, line)

    def _object(self, path: SourcePath) -> dict[str, Data]:
        mapping: dict[str, Data] = {}
        token, line = self._next()
        while token != "}":
            below = self._new_key(str(json.loads(token)), mapping, path, line)
            self._next()  # the colon
            mapping[str(below[-1])] = self._value(below, *self._next())
            token, line = self._next()
            if token == ",":
                token, line = self._next()
        return mapping

    def _array(self, path: SourcePath) -> list[Data]:
        items: list[Data] = []
        token, line = self._next()
        while token != "]":
            items.append(self._value(self._new_item(items, path, line), token, line))
            token, line = self._next()
            if token == ",":
                token, line = self._next()
        return items
