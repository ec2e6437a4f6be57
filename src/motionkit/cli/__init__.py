"""The ``motionkit`` command: one module a command, loaded when it is asked for.

Commands read arguments, call the library and print; they compute nothing themselves.
"""

from __future__ import annotations

from ._main import main

__all__ = ["main"]
