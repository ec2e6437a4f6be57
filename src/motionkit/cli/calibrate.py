"""``motionkit calibrate``: which calibrations there are; each is a module of its own."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import UnknownName, did_you_mean

__all__ = ["CALIBRATIONS", "find"]

CALIBRATIONS = {
    "kinematic": "axes of a robot from measured poses or positions of its tip",
    "plan": "stations of a hand-eye calibration within limits and in view",
}
"""Each with what it does; its module and function are named ``calibrate_`` and this."""


def find(words: Sequence[str]) -> tuple[str, list[str]]:
    """The module of the calibration that is meant, and what follows its name.

    Raises:
        UnknownName: none is named, or one that there is not.
    """
    name = words[0] if words else ""
    if name not in CALIBRATIONS:
        listed = "; ".join(f"{known}: {what}" for known, what in CALIBRATIONS.items())
        raise UnknownName(
            f"calibrate: expected what to calibrate, got {name!r}: {did_you_mean(name, CALIBRATIONS)} ({listed})",
            name=name,
        )
    return f"calibrate_{name}", list(words[1:])
