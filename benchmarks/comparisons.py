"""What a comparison with a peer is: a row of the table, how both sides are made, and what came of it.

Rows are data; they are made when their turn comes, so that a peer that is not installed costs its own rows only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from timing import CPU, Clock, Comparison, Effort, Work, compare


class NotMeasured(Exception):
    """There is nothing to measure; the text says why."""


@dataclass(frozen=True)
class Sides:
    """Both sides of a row over the same inputs.

    Attributes:
        ours, theirs: works (see ``timing``).
        off: runs both and returns the largest difference of what they answer.
        tolerance: how large it may be.
        ours_count, theirs_count: problems in a pass.
        clock: of the processor, or on the wall where a side has threads of its own.
        remarks: what else ``off`` has found.
    """

    ours: Work
    theirs: Work
    off: Callable[[], float]
    tolerance: float
    ours_count: int
    theirs_count: int
    clock: Clock = CPU
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Row:
    """One comparison.

    Attributes:
        work: what is done.
        peer: who does it beside us, and by which call.
        aim: what their time by ours should be at least; None where nothing is claimed.
        make: both sides; raises ImportError or NotMeasured.
        rate: how many of them a second there should be, where that is asked for as well.
    """

    work: str
    peer: str
    aim: float | None
    make: Callable[[], Sides]
    rate: float | None = None


@dataclass(frozen=True)
class Result:
    """A row with what was measured, or with the reason why nothing was."""

    work: str
    peer: str
    aim: float | None
    comparison: Comparison | None = None
    off: float = 0.0
    tolerance: float = 0.0
    reason: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        if self.comparison is None:
            return f"not measured: {self.reason}"
        if self.aim is None:
            return "control"
        if self.comparison.ratio >= self.aim:
            return "met"
        return "lost" if self.comparison.ratio < min(1.0, self.aim) else "below the aim"


def measured(row: Row, effort: Effort) -> Result:
    """Both answers compared, then both times taken.

    Raises:
        AssertionError: the answers differ; then times mean nothing.
    """
    try:
        sides = row.make()
    except ImportError as error:
        return Result(row.work, row.peer, row.aim, reason=f"no module {error.name!r} here")
    except NotMeasured as error:
        return Result(row.work, row.peer, row.aim, reason=str(error))
    off = sides.off()
    assert off <= sides.tolerance, f"{row.work} against {row.peer}: the answers differ by {off:.3g}"
    found = compare((sides.ours, sides.ours_count), (sides.theirs, sides.theirs_count), effort, sides.clock)
    remarks = list(sides.remarks)
    if row.rate is not None:
        rate, aim = (f"{number:,.0f}".replace(",", " ") for number in (1.0 / found.ours.median, row.rate))
        remarks.append(f"{rate} a second on one thread, aim {aim}")
    return Result(row.work, row.peer, row.aim, found, off, sides.tolerance, remarks=tuple(remarks))


def largest(pairs: object) -> float:
    """The largest difference between the arrays of pairs."""
    return max(float(np.max(np.abs(np.asarray(a) - np.asarray(b)))) for a, b in pairs)  # type: ignore[attr-defined]
