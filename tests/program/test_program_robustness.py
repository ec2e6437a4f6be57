"""Whatever a program holds, it is either a program or refused with a place: never another exception, never a hang."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np

import motionkit as mk
from motionkit.program import load_program, program_from_data, resolve

GOOD = Path(__file__).parents[1] / "data" / "programs" / "good" / "everything.yaml"

ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 1e300, -1e300, 10**400, float("nan"), float("inf"), "", "x", "home", "0", "\n",
    [], {}, [0], [[0, 0, 0]], {"x": 1}, {"revolute": 0.4}, {"revolute": {}}, {1: 2}, ["fixed"], {"": ""}, ["home"] * 7,
    [0] * 6, {"joints": []}, {"joints": {}}, {"xyz": [0, 0, 0]}, {"movej": "home"}, b"bytes", object(),
]  # fmt: skip
KEYS = [
    "",
    "x",
    "movej",
    "movel",
    "frame",
    "tool",
    "joints",
    "speed",
    "time",
    "xyz",
    "near",
    "a.b",
    "[0]",
    "`",
    "$",
    "...",
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every part of plain data."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    return [path] + [below for key, item in items for below in places(item, (*path, key))]


def as_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: as_lists(item) for key, item in value.items()}
    return [as_lists(item) for item in value] if isinstance(value, list | tuple) else value


def test_any_value_in_any_place() -> None:
    """Every part of the good program, replaced by every odd value: some 4000 programs."""
    data = as_lists(load_program(GOOD).to_data())
    accepted = refused = 0
    for path in places(data)[1:]:
        for odd in ODD:
            changed = copy.deepcopy(data)
            inside = changed
            for key in path[:-1]:
                inside = inside[key]
            inside[path[-1]] = odd
            try:
                resolve(program_from_data(changed))
                accepted += 1
            except mk.MotionkitError as error:
                refused += 1
                assert error.message.startswith("<program>: "), (path, odd, error)
    print(f"{accepted} accepted, {refused} refused")
    assert accepted > 100  # a name in a set, another number of seconds: legal changes exist
    assert refused > 3000


def test_any_key_in_any_mapping() -> None:
    """Unknown keys are refused everywhere, with the path of the key."""
    data = as_lists(load_program(GOOD).to_data())
    for path in places(data):
        for key in KEYS:
            changed = copy.deepcopy(data)
            inside = changed
            for part in path:
                inside = inside[part]
            if not isinstance(inside, dict) or key in inside:
                continue
            inside[key] = 1
            free = path in (("tools",), ("frames",), ("points",)) or "set" in path  # names are free there
            try:
                resolve(program_from_data(changed))
                assert "set" in path or key == "speed", (path, key)  # a movel has a speed
            except mk.MotionkitError as error:
                assert error.message.startswith("<program>: ")
                if isinstance(error, mk.InvalidProgram) and not free:
                    assert error.path, (path, key, error)


def test_damaged_text() -> None:
    """1000 copies of the text with a few characters lost, doubled or exchanged; fixed seed."""
    rng = np.random.default_rng(20240607)
    text = GOOD.read_text(encoding="utf-8")
    alphabet = "{}[]:,-&*!|>'\"%@`#? \n\t0a.~<é\x00\ufeff\u2028"
    outcomes = {"accepted": 0, "refused": 0}
    for _ in range(1000):
        letters = list(text)
        for _ in range(int(rng.integers(1, 4))):
            at = int(rng.integers(len(letters)))
            match int(rng.integers(3)):
                case 0:
                    del letters[at]
                case 1:
                    letters.insert(at, letters[int(rng.integers(len(letters)))])
                case _:
                    letters[at] = alphabet[int(rng.integers(len(alphabet)))]
        try:
            resolve(load_program("".join(letters)))
            outcomes["accepted"] += 1
        except mk.MotionkitError as error:
            outcomes["refused"] += 1
            assert error.message.startswith("<text>:"), error
    print(outcomes)
    assert min(outcomes.values()) > 50  # most damage is seen, and damage to a note or a comment is none
