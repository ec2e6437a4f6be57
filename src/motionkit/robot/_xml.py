"""Reads XML safely into plain typed elements that know their line; what the elements mean is not known here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree as _lxml  # pyright: ignore

from ..errors import FileUnreadable

etree: Any = _lxml  # pyright: ignore

LARGEST = 64 * 2**20  # bytes; a large humanoid has a quarter of a mebibyte
MOST_ELEMENTS = 1_000_000  # tags


@dataclass(frozen=True, slots=True)
class Element:
    """An element: its name, its attributes, the elements in it, and its line in the file, counted from 1."""

    tag: str
    attributes: dict[str, str]
    children: tuple[Element, ...]
    line: int | None

    def get(self, key: str) -> str | None:
        """An attribute, or None."""
        return self.attributes.get(key)

    def find(self, tag: str) -> Element | None:
        """The first child of a name, or None."""
        return next(self.each(tag), None)

    def each(self, *path: str) -> Iterator[Element]:
        """Every element reached by going down the given names."""
        for child in self.children:
            if child.tag == path[0]:
                if len(path) == 1:
                    yield child
                else:
                    yield from child.each(*path[1:])

    def walk(self) -> Iterator[Element]:
        """This element and everything in it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()


def parse(data: bytes, name: str, encoding: str | None = None) -> Element:
    """The root element.

    No entity is expanded, nothing is fetched, and depth and size are bounded. A namespace that the whole robot is in
    is taken off the names.

    Args:
        data: the file.
        name: of the file, for messages.
        encoding: overrides what the file says of itself.

    Raises:
        FileUnreadable: it is not XML, too large, nested too deeply, or it has a DOCTYPE.
    """
    _bounded(data, name)
    options = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    options |= {"remove_comments": True, "remove_pis": True, "encoding": encoding}
    try:
        _refuse_doctype(data, name, options)
        root = etree.fromstring(data, etree.XMLParser(dtd_validation=False, **options))
    except etree.XMLSyntaxError as error:
        line = error.lineno or None
        reason = re.sub(r", line \d+, column \d+$", "", str(error.msg))
        raise FileUnreadable(f"{_at(name, line)}: not XML: {reason}; {_fix(reason)}", path=name, line=line) from error
    space = root.tag.rpartition("robot")[0] if root.tag.endswith("}robot") else ""
    return _element(root, space)


def _bounded(data: bytes, name: str) -> None:
    if len(data) > LARGEST or data.count(b"<") > MOST_ELEMENTS:
        amount = f"at most {LARGEST // 2**20} MiB and {MOST_ELEMENTS} tags"
        raise FileUnreadable(
            f"{name}: a robot file has {amount}, got more; is this a robot file? meshes belong in files of their own",
            path=name,
            line=None,
        )


class _Prolog:
    """Sees what stands before the first element, and then stops."""

    declared = False

    def doctype(self, *_: object) -> None:
        self.declared = True
        raise StopIteration

    def start(self, *_: object) -> None:
        raise StopIteration

    def close(self) -> None: ...


def _refuse_doctype(data: bytes, name: str, options: dict[str, Any]) -> None:
    """Refuse a DOCTYPE before an entity of it is even defined, so that none can be expanded."""
    target = _Prolog()
    try:
        etree.fromstring(data, etree.XMLParser(target=target, **options))
    except StopIteration:
        pass
    if target.declared:
        at = re.search(rb"<!doctype", data, re.IGNORECASE)
        line = None if at is None else data.count(b"\n", 0, at.start()) + 1
        message = f"{_at(name, line)}: a DOCTYPE, which can define entities, has no place in a robot file; remove it"
        raise FileUnreadable(message, path=name, line=line)


_ENCODING = 'save it as UTF-8, or say its encoding first: <?xml version="1.0" encoding="iso-8859-1"?>'
_FIXES = (
    ("xacro", "run xacro on it first"),
    ("not proper UTF-8", _ENCODING),
    ("Invalid bytes in character", _ENCODING),
    ("declaration allowed only at the start", "delete what stands before <?xml"),
    ("Extra content", "one file describes one robot; put another one into a file of its own"),
    ("Document is empty", "the file is empty or not text"),
    ("Excessive depth", "elements are nested too deeply to be a robot"),
)


def _fix(reason: str) -> str:
    return next((fix for sign, fix in _FIXES if sign in reason), "correct the XML there")


def _element(node: Any, space: str) -> Element:
    children = tuple(_element(child, space) for child in node if isinstance(child.tag, str))
    return Element(node.tag.removeprefix(space), dict(node.attrib), children, node.sourceline)


def _at(name: str, line: int | None) -> str:
    return f"{name}:{line}" if line is not None else name
