"""The robot program that ships with the package."""

from __future__ import annotations

import importlib.resources

from .loading import load_program
from .schema import Program

__all__ = ["demo_program"]


def demo_program() -> Program:
    """The program of ``motionkit demo``: pick a part, carry it round a post, place it, with the built-in arm."""
    with importlib.resources.as_file(importlib.resources.files("motionkit.program") / "data" / "demo.yaml") as path:
        return load_program(path)
