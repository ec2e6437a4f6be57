"""``motionkit demo``: the whole job for a program and an arm that come with the package."""

from __future__ import annotations

from pathlib import Path

from ._arguments import AsJson
from ._progress import LateProgress
from .run import Out, Rate, finish

__all__ = ["demo"]


def demo(*, out: Out = None, rate: Rate = 1000.0, as_json: AsJson = False) -> int:
    """Pick a part, carry it round a post and place it, with an arm that comes with the package.

    Args:
        out: folder of the result; left out, ``demo`` here.
        rate: samples a second.
        as_json: print the report as JSON, and nothing else, on stdout.
    """
    from ..program import demo_program, resolve, run_program

    with LateProgress() as progress:
        result = run_program(
            resolve(demo_program()), out=Path("demo") if out is None else out, rate=rate, progress=progress
        )
    finish(result, as_json=as_json)
    return 0
