"""What is legal in a program and yet looks like the wrong unit: millimetres for metres, radians for degrees."""

from __future__ import annotations

import math

from .schema import Number
from .source import Source, SourcePath

__all__ = ["LONGEST", "Suspicions"]

LONGEST = 10
"""Metres; a length above it is worth a question."""


class Suspicions:
    """The numbers of one program, watched for slips of unit.

    Args:
        source: the program file, for messages.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._long: dict[SourcePath, Number] = {}
        self._joints: dict[SourcePath, Number] = {}
        self._orientations: dict[SourcePath, Number] = {}

    def lengths(self, values: tuple[Number, ...], path: SourcePath) -> None:
        """Take note of lengths in metres that stand at one place."""
        worst = max(values, key=abs)
        if abs(worst) > LONGEST:
            self._long[path] = worst

    def joint_angle(self, value: Number, path: SourcePath) -> None:
        """Take note of the angle of a joint, in degrees."""
        self._joints[path] = value

    def orientation_angle(self, value: Number, path: SourcePath) -> None:
        """Take note of a roll, pitch or yaw, in degrees."""
        self._orientations[path] = value

    def messages(self) -> tuple[str, ...]:
        """The warnings, each with its place."""
        messages = [
            f"{self._source.where(path)}: {value:g} m is long for an arm; lengths are metres, were millimetres meant?"
            for path, value in self._long.items()
        ]
        for what, angles in (("joint angle", self._joints), ("roll, pitch and yaw", self._orientations)):
            if place := _like_radians(angles):
                messages.append(
                    f"{self._source.where(place)}: every {what} of the program is within ±6.28 and none is whole; "
                    "angles are degrees, were radians meant?"
                )
        return tuple(messages)


def _like_radians(angles: dict[SourcePath, Number]) -> SourcePath | None:
    """The first angle that looks like radians when all of them do; zeros say nothing."""
    turned = {path: value for path, value in angles.items() if value != 0}
    if any(abs(value) > 2 * math.pi or float(value).is_integer() for value in turned.values()):
        return None
    return next(iter(turned), None)
