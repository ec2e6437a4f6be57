"""Reads XML safely into plain typed elements that know their line; what the elements mean is not known here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree as _lxml  # pyright: ignore

from ..errors import FileUnreadable

etree: Any = _lxml  # pyright: ignore


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

    No entity is expanded, nothing is fetched, and depth and size are bounded.

    Args:
        data: the file.
        name: of the file, for messages.
        encoding: overrides what the file says of itself.

    Raises:
        FileUnreadable: it is not XML, or it has a DOCTYPE.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        encoding=encoding,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or None
        fix = "run xacro on it first" if "xacro" in str(error.msg) else "correct the XML there"
        raise FileUnreadable(f"{_at(name, line)}: not XML: {error.msg}; {fix}", path=name, line=line) from error
    if root.getroottree().docinfo.doctype:
        message = f"{name}: a DOCTYPE, which can define entities, has no place in a robot file; remove it"
        raise FileUnreadable(message, path=name, line=None)
    return _element(root)


def _element(node: Any) -> Element:
    children = tuple(_element(child) for child in node if isinstance(child.tag, str))
    return Element(node.tag, dict(node.attrib), children, node.sourceline)


def _at(name: str, line: int | None) -> str:
    return f"{name}:{line}" if line is not None else name
