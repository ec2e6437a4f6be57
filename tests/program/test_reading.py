"""YAML 1.2 and JSON read strictly: what values become, where they stand, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

import motionkit as mk
from motionkit.program.reading import check_data, read_file, read_text
from motionkit.program.source import Source, path_text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("+7", 7),
        ("-0.5", -0.5),
        (".5", 0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("-1.5E-3", -0.0015),
        ("0", 0),
        ("0.25", 0.25),
        ("true", True),
        ("FALSE", False),
        # text in YAML 1.2, something else in YAML 1.1
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("12:30", "12:30"),
        ("1_000", "1_000"),
        ("2026-01-31", "2026-01-31"),
        ("=", "="),
        # quotes make text
        ("'1'", "1"),
        ('"true"', "true"),
        ("'~'", "~"),
        ("''", ""),
        ("nan", "nan"),
    ],
)
def test_scalars_follow_the_core_schema_of_yaml_1_2(text: str, value: Any) -> None:
    data, _ = read_text(f"key: {text}\n")
    assert isinstance(data, dict)
    assert data["key"] == value
    assert type(data["key"]) is type(value)


@pytest.mark.parametrize("text", ["0o17", "0x1F", "010", "-007", ".inf", "-.INF", ".nan", "1e999", "~", "null", ""])
def test_numbers_that_are_not_plain_and_missing_values_are_refused(text: str) -> None:
    with pytest.raises(mk.InvalidProgram) as caught:
        read_text(f"first: 1\nkey: {text}\n")
    assert (caught.value.path, caught.value.line) == ("key", 2)


def test_an_integer_too_long_for_a_float_is_not_finite() -> None:
    with pytest.raises(mk.InvalidProgram, match="at most 64 characters, got 5000"):
        read_text("key: " + "9" * 5000)
    with pytest.raises(mk.InvalidProgram, match="at most 64 characters"):
        read_text('{"key": ' + "9" * 5000 + "}", is_json=True)


def test_every_part_has_its_line() -> None:
    _, source = read_text("a: 1\nb:\n  c:\n    - x\n    - {d: 2,\n       e: 3}\n")
    lines = {path_text(path): line for path, line in source.lines.items()}
    assert lines == {"": 1, "a": 1, "b": 2, "b.c": 3, "b.c[0]": 4, "b.c[1]": 5, "b.c[1].d": 5, "b.c[1].e": 6}
    assert source.line(("b", "c", 1, "no such key")) == 5  # the nearest part above
    assert source.where(("b", "c", 1, "e")) == "<text>:6: b.c[1].e"


def test_json_has_lines_too() -> None:
    text = '{\n\t"a": 1,\n\t"b": [\n\t\ttrue,\n\t\t{"c": "\\u00e9, }"}\n\t]\n}\n'
    data, source = read_text(text, is_json=True)
    assert data == {"a": 1, "b": [True, {"c": "é, }"}]}
    assert source.lines == {(): 1, ("a",): 2, ("b",): 3, ("b", 0): 4, ("b", 1): 5, ("b", 1, "c"): 5}


def test_a_path_with_an_odd_name_is_quoted() -> None:
    assert path_text(("points", "a b", 0)) == "points['a b'][0]"
    assert path_text(("points", "a-b", "joints")) == "points.a-b.joints"


def test_the_reader_of_yaml_does_not_take_our_rules_for_granted() -> None:
    """The control: the library's own safe loader accepts what is refused here, silently."""
    safe = YAML(typ="safe", pure=True)
    assert safe.load("a: &x [1]\nb: *x\n") == {"a": [1], "b": [1]}
    assert safe.load("a:\n") == {"a": None}
    assert safe.load("a: 0x1F\n") == {"a": 31}
    for text in ("a: &x [1]\nb: *x\n", "a:\n", "a: 0x1F\n"):
        with pytest.raises(mk.InvalidProgram):
            read_text(text)


def test_an_alias_bomb_costs_nothing() -> None:
    """Refused at the first anchor, so that nothing is ever multiplied; 9**9 entries would not fit in memory."""
    levels = "".join(f"l{k}: &l{k} [{', '.join([f'*l{k - 1}'] * 9) if k else 'x'}]\n" for k in range(10))
    with pytest.raises(mk.InvalidProgram, match="anchors"):
        read_text(levels)


@pytest.mark.parametrize("is_json", [False, True])
def test_deep_nesting_is_refused_before_it_exhausts_the_stack(is_json: bool) -> None:
    with pytest.raises(mk.InvalidProgram, match="nested"):
        read_text("[" * 40 + "]" * 40, is_json=is_json)
    if is_json:
        with pytest.raises(mk.InvalidProgram, match="nested"):
            read_text("[" * 100_000 + "]" * 100_000, is_json=True)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(mk.FileUnreadable, match="No such file") as caught:
        read_file(tmp_path / "none.yaml")
    assert caught.value.path == str(tmp_path / "none.yaml")
    assert isinstance(caught.value, OSError)
    with pytest.raises(mk.FileUnreadable, match="directory"):
        read_file(tmp_path)
    (tmp_path / "latin.yaml").write_bytes("note: größe".encode("latin-1"))
    with pytest.raises(mk.FileUnreadable, match="UTF-8 text, found byte 0xf6 at offset 8"):
        read_file(tmp_path / "latin.yaml")


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "dos.yaml").write_bytes(b"\xef\xbb\xbfa: 1\r\nb:\r\n  - 2\r\n")
    data, source = read_file(tmp_path / "dos.yaml")
    assert data == {"a": 1, "b": [2]}
    assert source.lines[("b", 0)] == 3


def test_the_ending_says_what_is_json(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("a: 1\n")
    with pytest.raises(mk.InvalidProgram, match="not JSON"):
        read_file(tmp_path / "a.json")
    (tmp_path / "a.yaml").write_text('{"a": 1}\n')
    assert read_file(tmp_path / "a.yaml")[0] == {"a": 1}


@pytest.mark.parametrize("data", [{1: 2}, {"a": None}, {"a": float("nan")}, [10**400], {"a": object()}, {"a": {1, 2}}])
def test_data_made_in_code_is_held_to_the_same_rules(data: Any) -> None:
    with pytest.raises(mk.InvalidProgram):
        check_data(data, Source())


values = st.recursive(
    st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(min_codepoint=32, max_codepoint=0xD7FF, exclude_categories=["Cc", "Cs"]), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(min_codepoint=97, max_codepoint=122), min_size=1), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), values, min_size=1))
def test_json_reads_as_the_standard_library_reads_it(data: dict[str, Any]) -> None:
    """Values, types and order; the same text read as YAML too, which is a superset."""
    text = json.dumps(data, indent=1)
    ours, _ = read_text(text, is_json=True)
    assert ours == json.loads(text)
    assert repr(ours) == repr(json.loads(text))
