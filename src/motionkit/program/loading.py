"""Plain data to a :class:`Program`: every key known, every value of its type, one verb a step.

What is checked here is the shape of the file; whether names exist and numbers make sense for the arm is decided in
:mod:`motionkit.program.resolving`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from ..errors import InvalidProgram, did_you_mean
from .reading import Data, check_data, read_file, read_text
from .schema import (
    COLUMNS,
    FORMAT,
    LATER_COLUMNS,
    LATER_VERBS,
    STEP_TYPES,
    Defaults,
    Frame,
    LimitTable,
    Program,
    RobotReference,
    Step,
    Target,
    Tolerance,
    Tool,
)
from .source import Source, SourcePath

__all__ = ["load_program", "program_from_data"]

_T = TypeVar("_T")

_KINDS = ("revolute", "prismatic", "continuous", "angular", "linear")
_WORDS = {
    "int | float": "a number",
    "int": "a number",
    "float": "a number",
    "str": "text",
    "bool": "a truth value",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}
_NESTED: dict[str, type] = {"movej": Target, "movel": Target, "start": Target, "tolerance": Tolerance}
_PATH_PART = re.compile(r"\.([^.\[]+)|\[([0-9]+|\.\.\.)\]")
_NUMERIC_TEXT = re.compile(r"\s*[-+]?[0-9][0-9_]*([.,][0-9]*)?([eE][-+]?[0-9]+)?\s*")
_NOT_FINITE_TEXT = ("nan", "inf", "+inf", "-inf", "infinity", "-infinity")


def load_program(source: Path | str) -> Program:
    """A robot program from a file or a text, checked for its shape.

    Numbers stay as typed: degrees and metres. :func:`motionkit.program.resolve` looks up names, converts to SI units
    and checks everything against the arm.

    Args:
        source: a path; or the text itself, recognised by its line break. A file that ends in ``.json`` is JSON, all
            else YAML 1.2. File names inside are relative to the program file, or to the current folder for a text.

    Returns:
        The program, with the line of each of its parts.

    Raises:
        FileUnreadable: the file cannot be read.
        InvalidProgram: the text breaks the format; the message has file, line, path and what helps.

    >>> import motionkit as mk
    >>> program = mk.load_program('''
    ... motionkit: program/1
    ... robot: six_axis_example
    ... points: {home: {joints: [0, -60, 90, 0, 60, 0]}}
    ... steps: [{movej: home}, {wait: 0.5}]
    ... ''')
    >>> program.points["home"].joints
    (0, -60, 90, 0, 60, 0)
    """
    if isinstance(source, str) and "\n" in source:
        return _Loader(*read_text(source)).program()
    return _Loader(*read_file(source)).program()


def program_from_data(data: Any, *, folder: Path | str = ".") -> Program:
    """A robot program from plain mappings, lists and numbers, as :meth:`Program.to_data` gives them.

    Args:
        data: what a program file would hold.
        folder: what relative file names in it are relative to.

    Raises:
        InvalidProgram: the data breaks the format.
    """
    checked = check_data(data, Source(folder=str(folder)))
    source = Source(folder=str(folder), text=msgspec.json.format(msgspec.json.encode(checked)).decode())
    return _Loader(checked, source).program()


class _Loader:
    """One document on its way to a program."""

    def __init__(self, data: Data, source: Source) -> None:
        self._source = source
        self._data = data

    def program(self) -> Program:
        """The program, or the first thing that is wrong with it."""
        data = self._mapping(self._data, (), "a program is a mapping that starts with 'motionkit: program/1'")
        self._format(data)
        known = [name for name in Program.__struct_fields__ if name != "source"]
        for key in data:
            if key not in known:
                raise self._source.error((key,), f"unknown key {key!r}; {did_you_mean(key, known)}")
        for key, example in (("robot", "robot: six_axis_example"), ("steps", "steps: [{movej: home}]")):
            if key not in data:
                raise self._source.error((), f"the key {key!r} is missing; add for example '{example}'")
        return Program(
            robot=self._robot(data["robot"]),
            limits=self._convert(data.get("limits", {}), LimitTable, ("limits",)),
            tools=self._table(data, "tools", Tool, "{gripper: {xyz: [0, 0, 0.1]}}"),
            frames=self._table(data, "frames", Frame, "{table: {xyz: [0.5, 0, 0]}}"),
            points={
                name: self._target(value, ("points", name))
                for name, value in self._entries(data, "points", "{home: {joints: [...]}}")
            },
            defaults=self._convert(data.get("defaults", {}), Defaults, ("defaults",)),
            start=self._name_or_target(data["start"], ("start",)) if "start" in data else None,
            steps=self._steps(data["steps"]),
            source=self._source,
        )

    def _format(self, data: dict[str, Data]) -> None:
        if "motionkit" not in data:
            raise self._source.error((), f"the key 'motionkit' is missing; a program starts with 'motionkit: {FORMAT}'")
        if data["motionkit"] != FORMAT:
            raise self._source.error(
                ("motionkit",), f"expected {FORMAT}, which is what this version reads, got {data['motionkit']!r}"
            )

    def _robot(self, value: Data) -> str | RobotReference:
        if isinstance(value, str):
            return value
        expected = "expected six_axis_example, the path of a robot file, or {urdf: ..., base: ..., tip: ...}"
        return self._convert(self._mapping(value, ("robot",), expected), RobotReference, ("robot",))

    def _entries(self, data: dict[str, Data], key: str, example: str) -> Iterable[tuple[str, Data]]:
        return self._mapping(data.get(key, {}), (key,), f"expected a mapping by name, such as {example}").items()

    def _table(self, data: dict[str, Data], key: str, kind: type[_T], example: str) -> dict[str, _T]:
        return {name: self._convert(value, kind, (key, name)) for name, value in self._entries(data, key, example)}

    # ---- targets
    def _name_or_target(self, value: Data, path: SourcePath) -> str | Target:
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            raise self._source.error(
                path, "expected the name of a point or a mapping, got a list; write {joints: [...]} for joint values"
            )
        if not isinstance(value, dict):
            raise self._source.error(path, f"expected the name of a point or a mapping, got {_kind(value)}")
        return self._target(value, path)

    def _target(self, value: Data, path: SourcePath) -> Target:
        target = self._convert(value, Target, path)
        given = [name for name in Target.__struct_fields__ if getattr(target, name) is not None]
        if "joints" in given and len(given) > 1:
            others = ", ".join(name for name in given if name != "joints")
            raise self._source.error(
                path, f"'joints' already says everything; {others} would contradict it; give joints or a pose, not both"
            )
        if not {"joints", "xyz"} & set(given):
            raise self._source.error(
                path, "expected 'joints' (joint values) or 'xyz' (a pose of the tool), got neither"
            )
        return target

    # ---- steps
    def _steps(self, value: Data) -> tuple[Step, ...]:
        if not isinstance(value, list):
            raise self._source.error(("steps",), f"expected a list, one '- verb: ...' a line, got {_kind(value)}")
        if not value:
            raise self._source.error(("steps",), "expected at least one step, got an empty list")
        return tuple(self._step(item, ("steps", index)) for index, item in enumerate(value))

    def _step(self, value: Data, path: SourcePath) -> Step:
        step = self._mapping(value, path, "expected a mapping with one verb, such as {movej: home}")
        verb = self._verb(step, path)
        for column in step:
            if column != verb and column not in COLUMNS[verb]:
                raise self._wrong_column(column, verb, path)
        kind = STEP_TYPES[verb]
        if verb in ("movej", "movel"):
            target = self._name_or_target(step[verb], (*path, verb))
            others = self._convert({**step, verb: ""}, kind, path)
            return msgspec.structs.replace(others, **{verb: target})
        converted = self._convert(step, kind, path)
        if verb == "set" and not step[verb]:
            raise self._source.error((*path, verb), "expected at least one output, such as {gripper: closed}")
        return converted

    def _verb(self, step: dict[str, Data], path: SourcePath) -> str:
        for name in LATER_VERBS:
            if name in step:
                raise self._source.error(
                    (*path, name),
                    f"the verb {name!r} is not available in this version; available: {', '.join(STEP_TYPES)}",
                )
        verbs = [name for name in step if name in STEP_TYPES]
        if len(verbs) == 1:
            return verbs[0]
        if len(verbs) > 1:
            message = f"expected one verb, got {' and '.join(verbs)}; write one step for each"
            if {"tool", "frame"} & set(verbs):
                message += ", or, if it belongs to the pose, put it inside the braces"
            raise self._source.error(path, message)
        columns = {name for of_verb in COLUMNS.values() for name in of_verb}
        unknown = next((name for name in step if name not in columns), None)
        if unknown is None:
            raise self._source.error(path, f"a step without a verb; valid verbs: {', '.join(STEP_TYPES)}")
        raise self._source.error((*path, unknown), f"unknown verb {unknown!r}; {did_you_mean(unknown, STEP_TYPES)}")

    def _wrong_column(self, column: str, verb: str, path: SourcePath) -> InvalidProgram:
        valid = COLUMNS[verb]
        takes = f"{verb} takes {', '.join(valid)}" if valid else f"{verb} takes no columns"
        owners = [other for other, columns in COLUMNS.items() if column in columns]
        if column in LATER_COLUMNS:
            message = f"the column {column!r} is not available in this version; {takes}"
        elif owners == ["movel"] and verb == "movej":
            message = (
                f"{column!r} belongs to movel, where the tool moves on a line; "
                "the pace of a movej is speed_joint, a share (0, 1] of the joint limits"
            )
        elif owners == ["movej"] and verb == "movel":
            message = f"{column!r} belongs to movej; the pace of a movel is speed (m/s) and turn (deg/s)"
        elif owners:
            message = f"{column!r} belongs to {' and '.join(owners)}; {takes}"
        elif valid:
            message = f"unknown column {column!r} of {verb}; {did_you_mean(column, valid)}"
        else:
            message = f"unknown column {column!r}; {takes}"
        return self._source.error((*path, column), message)

    # ---- types
    def _mapping(self, value: Data, path: SourcePath, expected: str) -> dict[str, Data]:
        if not isinstance(value, dict):
            raise self._source.error(path, f"{expected}; got {_kind(value)}")
        return value

    def _convert(self, value: Data, kind: type[_T], path: SourcePath) -> _T:
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise self._translated(str(error), value, kind, path) from None

    def _translated(self, text: str, value: Data, kind: type, path: SourcePath) -> InvalidProgram:
        message, _, place = text.partition(" - at `$")
        below, found = self._descend(value, place.removesuffix("`"), message)
        path = (*path, *below)
        if match := re.fullmatch(r"Object contains unknown field `(.*)`", message):
            name = match[1]
            if name in _KINDS:
                return self._source.error((*path, name), _typed(cast("dict[str, Data]", found)))
            part = _NESTED.get(str(below[-1]), kind) if below else kind
            fields = part.__struct_fields__ if issubclass(part, msgspec.Struct) else ()
            return self._source.error((*path, name), f"unknown key {name!r}; {did_you_mean(name, fields)}")
        if match := re.fullmatch(r"Object missing required field `(.*)`", message):
            return self._source.error(path, f"the key {match[1]!r} is missing")
        if match := re.fullmatch(r"Expected `array` of length ([0-9]+), got ([0-9]+)", message):
            return self._source.error(path, f"expected {match[1]} numbers, got {match[2]}")
        if match := re.fullmatch(r"Expected `(.*)`, got `(.*)`", message):
            return self._source.error(path, _expected(match[1], found))
        return self._source.error(path, message[:1].lower() + message[1:])

    def _descend(self, value: Data, place: str, message: str) -> tuple[SourcePath, Data]:
        """The path below ``value`` that msgspec means; it does not say which key of a mapping by name."""
        path: list[str | int] = []
        for match in _PATH_PART.finditer(place):
            part: str | int = match[1] or (int(match[2]) if match[2] != "..." else "")
            if isinstance(value, dict):
                if part == "":
                    got = message.rpartition("got `")[2].removesuffix("`")
                    part = next((key for key, item in value.items() if _type_name(item) == got), next(iter(value)))
                path.append(part)
                value = value[str(part)]
            elif isinstance(value, list) and isinstance(part, int):
                path.append(part)
                value = value[part]
        return tuple(path), value


def _type_name(value: Data) -> str:
    """What msgspec calls the type of a value."""
    names = {bool: "bool", int: "int", float: "float", str: "str", list: "array", dict: "object"}
    return names[type(value)]


def _kind(value: Data) -> str:
    """What a person calls a value."""
    shown = str(value).lower() if isinstance(value, bool) else repr(value)
    if isinstance(value, list | dict):
        return _WORDS[_type_name(value)]
    return f"{_WORDS[_type_name(value)]}: {shown if len(shown) < 40 else shown[:36] + '...'}"


def _expected(names: str, found: Data) -> str:
    """A type error in words, with what helps."""
    number = "int | float" in names
    words = [_WORDS[name] for name in names.replace("int | float", "float").split(" | ") if name != "null"]
    message = f"expected {' or '.join(words)}, got {_kind(found)}"
    if isinstance(found, dict) and set(found) & set(_KINDS):
        return _typed(found)
    if number and isinstance(found, str):
        if found == "fixed":
            return _typed({})
        if found.strip().lower() in _NOT_FINITE_TEXT:
            return f"expected a finite number, got {found}"
        if _NUMERIC_TEXT.fullmatch(found):
            return message + "; write it without quotes, with a decimal point"
        return message + "; numbers stand plain, without quotes or unit (degrees, metres, seconds)"
    if words == ["text"] and isinstance(found, int | float):
        return message + "; put quotes around it"
    return message


def _typed(found: dict[str, Data]) -> str:
    """Why a value that carries its unit is refused in a program."""
    message = (
        "a typed value, which is in radians or metres, is not allowed here: it belongs to limits and planner files; "
        "a program holds plain degrees and metres by joint kind"
    )
    angle = found.get("revolute", found.get("continuous"))
    if isinstance(angle, int | float):
        message += f"; if {angle} rad is meant, write {angle * 57.29577951308232:.6g}"
    elif isinstance(found.get("prismatic"), int | float):
        message += f"; write {found['prismatic']}"
    return message
