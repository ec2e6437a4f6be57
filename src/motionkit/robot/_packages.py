"""Where ``package://`` names lead: an explicit map, then beside the file, then upwards. No mesh is opened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote

_MANIFEST_NAME = re.compile(rb"<name>\s*([^<\s]+)\s*</name>")
_SCHEMES = ("package://", "model://")


class PackageResolver:
    """Finds the files that a robot file names.

    Args:
        folder: where the robot file lies; None for a text.
        packages: folders by package name; these go first.
    """

    def __init__(self, folder: Path | None, packages: Mapping[str, Path]) -> None:
        self._folder = folder
        self._packages = packages
        self._roots: dict[str, list[Path]] = {}

    def find(self, filename: str) -> Path | None:
        """The file that ``filename`` stands for, or None when there is none."""
        for scheme in _SCHEMES:
            if filename.startswith(scheme):
                package, _, rest = filename[len(scheme) :].partition("/")
                return _first(root / rest for root in self._roots_of(package))
        if filename.startswith("file:"):
            # file:///a/b and file:/a/b are absolute, file://b is what some exporters write for a relative path
            path = Path(unquote(re.sub(r"^file:(?:///(?=/)|//(?=/)|//)?", "", filename)))
        else:
            path = Path(filename)
        if path.is_absolute():
            return _first([path])
        return _first([self._folder / path]) if self._folder is not None else None

    def folder(self, package: str) -> Path | None:
        """The folder of a package, found as its files are; None when there is none."""
        if package in self._packages:
            return self._packages[package]
        if self._folder is None:
            return None
        if (self._folder / package).is_dir():
            return self._folder / package
        for above in (self._folder, *self._folder.parents):
            if above.name == package or _manifest_name(above) == package:
                return above
            if (above / package).is_dir():
                return above / package
        return None

    def _roots_of(self, package: str) -> list[Path]:
        if package not in self._roots:
            self._roots[package] = list(self._search(package))
        return self._roots[package]

    def _search(self, package: str) -> list[Path]:
        if package in self._packages:
            return [self._packages[package]]
        if self._folder is None:
            return []
        found = [self._folder / package, self._folder]
        for above in (self._folder, *self._folder.parents):
            if above.name == package or _manifest_name(above) == package:
                found.append(above)
            found.append(above / package)
        return found


def _first(candidates: Iterable[Path]) -> Path | None:
    for path in candidates:
        try:
            if path.is_file():
                return path
        except OSError:
            continue
    return None


def _manifest_name(folder: Path) -> str | None:
    try:
        match = _MANIFEST_NAME.search((folder / "package.xml").read_bytes())
    except OSError:
        return None
    return match.group(1).decode(errors="replace") if match else None
