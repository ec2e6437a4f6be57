"""Reads the attributes of a URDF: names, numbers, origins. Which elements have them is not known here."""

from __future__ import annotations

import math
import re

from ..spatial import SE3, SO3
from ._joint_rules import angle_findings
from ._xml import Element
from .findings import Finding

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class AttributeReader:
    """Turns attributes into values; what is wrong goes to ``errors``, what is doubtful to ``notes``."""

    def __init__(self) -> None:
        self.errors: list[Finding] = []
        self.notes: list[Finding] = []

    def error(self, element: Element, where: str, rule: str, value: object, fix: str) -> None:
        """Note a defect that the model cannot be loaded with."""
        self.errors.append(Finding("error", where, element.line, rule, value, fix))

    def name(self, element: Element, what: str) -> str | None:
        """Its name; None when it has none."""
        name = element.get("name")
        if not name:
            self.error(element, what, f"a {what} has a name", "none", 'add name="..."')
        return name or None

    def origin(self, element: Element, where: str) -> SE3:
        """The pose that its origin element says; the identity without one."""
        origin = element.find("origin")
        if origin is None:
            return SE3.identity()
        x, y, z = self.numbers(origin, "xyz", 3, where, (0.0, 0.0, 0.0))
        if origin.get("quat_xyzw") is not None:
            return SE3(self._quaternion(origin, where), (x, y, z))
        before = len(self.errors)
        roll, pitch, yaw = self.numbers(origin, "rpy", 3, where, (0.0, 0.0, 0.0))
        text = origin.get("rpy")
        if text is not None and len(self.errors) == before:
            # a rounded angle bends a chain, and nothing that hangs on a link's frame
            turns = where.startswith("joint")
            self.notes.extend(angle_findings(f"{where} rpy", origin.line, text, (roll, pitch, yaw), turns=turns))
        return SE3(SO3.from_rpy(roll, pitch, yaw), (x, y, z))

    def _quaternion(self, origin: Element, where: str) -> SO3:
        if origin.get("rpy") is not None:
            self.error(origin, where, "rpy or quat_xyzw", "both", "keep one of them")
        parts = self.numbers(origin, "quat_xyzw", 4, where, (0.0, 0.0, 0.0, 1.0))
        norm = math.hypot(*parts)
        if abs(norm - 1.0) > 1e-3:
            fix = "write x y z w of a quaternion of length 1"
            self.error(origin, f"{where} quat_xyzw", "a quaternion of length 1", f"length {norm:.6g}", fix)
            return SO3.identity()
        return SO3.from_xyzw([part / norm for part in parts])

    def numbers(
        self, element: Element, key: str, count: int, where: str, default: tuple[float, ...]
    ) -> tuple[float, ...]:
        """Numbers separated by blanks; the default when they are not there, or wrong."""
        text = element.get(key)
        if text is None:
            return default
        words = text.split()
        values = [self._parse(word) for word in words]
        numbers = tuple(v for v in values if v is not None)
        if len(words) != count or len(numbers) != count:
            self.error(
                element,
                f"{where} {key}",
                f"{count} finite numbers",
                repr(text),
                f"write {count} numbers separated by spaces",
            )
            return default
        return numbers

    def number(self, element: Element, key: str, where: str, default: float | None = None) -> float | None:
        """One number; None when it is wrong, or is not there and has no default."""
        text = element.get(key)
        if text is None:
            if default is None:
                self.error(element, where, f"attribute {key}", "none", f'add {key}="..."')
            return default
        value = self._parse(text.strip())
        if value is None:
            self.error(element, f"{where} {key}", "a finite number", repr(text), "write a number such as 1.5")
        return value

    @staticmethod
    def _parse(word: str) -> float | None:
        if not _NUMBER.fullmatch(word):
            return None
        value = float(word)
        return value if math.isfinite(value) else None
