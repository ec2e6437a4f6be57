"""The JSON Schema of program files, for editors that complete and check while one types.

It is made from the classes of :mod:`motionkit.program.schema`, so that the two cannot say different things, and ships
as ``program-1.schema.json`` beside this file. The reader does not use it: its own messages have lines and say more.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any, cast

import msgspec

from .schema import (
    FORMAT,
    LONGEST_WAIT,
    STEP_TYPES,
    Defaults,
    Frame,
    LimitTable,
    RobotReference,
    Target,
    Tolerance,
    Tool,
)

__all__ = ["SCHEMA_FILE", "json_schema"]

SCHEMA_FILE = Path(__file__).with_name("program-1.schema.json")
"""The shipped file; its first line in a program: ``# yaml-language-server: $schema=...``."""

_PARTS: tuple[type, ...] = (
    RobotReference, LimitTable, Tool, Frame, Target, Tolerance, Defaults, *STEP_TYPES.values(),
)  # fmt: skip
_ARGUMENT = re.compile(r"^ {4}(\w+): (.*)$")


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a program file."""
    _, parts = msgspec.json.schema_components(_PARTS, ref_template="#/$defs/{name}")
    for kind in _PARTS:
        _describe(parts[kind.__name__], inspect.cleandoc(kind.__doc__ or ""))
    for verb, kind in STEP_TYPES.items():
        parts[kind.__name__]["required"] = [verb]
    parts["Target"]["oneOf"] = [
        {"required": ["joints"], "not": {"anyOf": [{"required": [n]} for n in ("xyz", "rpy", "frame", "near")]}},
        {"required": ["xyz"], "not": {"required": ["joints"]}},
    ]
    parts["Tool"]["dependentRequired"] = {"com": ["mass"]}
    parts["SetStep"]["properties"]["set"]["minProperties"] = 1
    share = {"exclusiveMinimum": 0, "maximum": 1}
    positive = {"exclusiveMinimum": 0}
    ranges: dict[str, dict[str, dict[str, Any]]] = {
        "Defaults": {"speed_joint": share, "speed": positive, "turn": positive},
        "MoveJStep": {"speed_joint": share},
        "MoveLStep": {"speed": positive, "turn": positive},
        "Tolerance": {"position": positive, "rotation": positive},
        "WaitStep": {"wait": {"minimum": 0, "maximum": LONGEST_WAIT}},
        "Tool": {"mass": {"minimum": 0}},
    }
    for part, fields in ranges.items():
        for field, limits in fields.items():
            parts[part]["properties"][field] |= limits
    for part in ("Defaults", "MoveJStep", "MoveLStep"):
        parts[part]["properties"]["blend"] = {"const": 0, "description": "metres; this version takes only 0"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"motionkit {FORMAT}",
        "type": "object",
        "properties": {
            "motionkit": {"const": FORMAT},
            "robot": {"anyOf": [{"type": "string"}, _reference("RobotReference")]},
            "limits": _reference("LimitTable"),
            "tools": _named("Tool"),
            "frames": _named("Frame"),
            "points": _named("Target"),
            "defaults": _reference("Defaults"),
            "start": {"anyOf": [{"type": "string"}, _reference("Target") | {"required": ["joints"]}]},
            "steps": {
                "type": "array",
                "minItems": 1,
                "items": {"oneOf": [_reference(kind.__name__) for kind in STEP_TYPES.values()]},
            },
        },
        "required": ["motionkit", "robot", "steps"],
        "additionalProperties": False,
        "$defs": {name: _tidied(part) for name, part in sorted(parts.items())},
    }


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _named(name: str) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": _reference(name)}


def _describe(part: dict[str, Any], docstring: str) -> None:
    """Give the part and its fields the sentences of the class's docstring, less what None means in code."""
    summary, _, arguments = docstring.partition("\n\n")
    part["description"] = " ".join(summary.split())
    for line in arguments.splitlines():
        if (match := _ARGUMENT.match(line)) and match[1] in part["properties"]:
            part["properties"][match[1]]["description"] = match[2].partition("; None ")[0].rstrip(".")


def _tidied(value: Any) -> Any:
    """The same as a person would write it: no ``null``, since a key of a file has a value or is not there."""
    if isinstance(value, list):
        return [_tidied(item) for item in cast("list[Any]", value) if item != {"type": "null"}]
    if not isinstance(value, dict):
        return value
    kept = {
        key: _tidied(item)
        for key, item in cast("dict[str, Any]", value).items()
        if key != "default" or item not in (None, {})
    }
    alternatives: list[Any] = kept.get("anyOf", [])
    if {"type": "number"} in alternatives:  # an integer is a number
        kept["anyOf"] = alternatives = [item for item in alternatives if item != {"type": "integer"}]
    if len(alternatives) == 1:
        kept |= kept.pop("anyOf")[0]
    return kept
