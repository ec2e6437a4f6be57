"""How times are taken: passes over changing inputs, rounds of many passes, two sides in turn. Nothing is printed here.

A *work* is called with a number of passes; in each pass it does ``count`` problems, every one with another input. Times
are for one problem, of the processor and not of the clock on the wall: on a shared machine the second tells how busy
the others are. Where a peer works in threads of its own, the clock is what counts. The garbage collector rests during a
round.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Work = Callable[[int], Any]
Clock = Callable[[], float]
CPU: Clock = time.process_time
WALL: Clock = time.perf_counter


def CHILDREN() -> float:
    """What the processor has spent on processes that were started and have ended."""
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True)
class Effort:
    """How long to measure: rounds, and the seconds that each of them lasts at least."""

    rounds: int
    seconds: float


@dataclass(frozen=True)
class Times:
    """Seconds for one problem, by round."""

    rounds: tuple[float, ...]

    @property
    def least(self) -> float:
        return min(self.rounds)

    @property
    def median(self) -> float:
        return statistics.median(self.rounds)

    @property
    def most(self) -> float:
        return max(self.rounds)


@dataclass(frozen=True)
class Comparison:
    """Two sides that were measured in turn, A B A B, so that what slows the machine down slows down both."""

    ours: Times
    theirs: Times

    @property
    def ratio(self) -> float:
        """Median of theirs by median of ours: above 1 we are faster."""
        return self.theirs.median / self.ours.median

    @property
    def spread(self) -> tuple[float, float]:
        """Quartiles of the ratio round by round."""
        ratios = [b / a for a, b in zip(self.ours.rounds, self.theirs.rounds, strict=True)]
        if len(ratios) < 3:
            return min(ratios), max(ratios)
        low, _, high = statistics.quantiles(ratios, n=4)
        return low, high


def repeated(one_pass: Callable[[], Any]) -> Work:
    """A work made from a function that does one pass."""

    def work(passes: int) -> None:
        for _ in range(passes):
            one_pass()

    return work


def _round(work: Work, passes: int, clock: Clock) -> float:
    gc.disable()
    try:
        start = clock()
        work(passes)
        return clock() - start
    finally:
        gc.enable()


def passes_for(work: Work, seconds: float, clock: Clock = CPU) -> int:
    """How many passes last that long."""
    work(1)
    if seconds == 0.0:
        return 1
    work(1)  # the first calls compile, open front doors and fill caches
    took = _round(work, 1, clock)
    if seconds <= took:
        return 1
    took = _round(work, few, clock) / few if (few := int(seconds / 10.0 / took)) > 1 else took
    return max(1, round(seconds / took))


def measure(work: Work, count: int, effort: Effort) -> Times:
    """Times of one work, by itself."""
    passes = passes_for(work, effort.seconds)
    return Times(tuple(_round(work, passes, CPU) / (passes * count) for _ in range(effort.rounds)))


def in_turn(sides: Sequence[tuple[Work, int]], effort: Effort, clock: Clock = CPU) -> list[Times]:
    """Times of several works, a round of each in turn; a work comes with the number of problems in its pass."""
    ready = [(work, count, passes_for(work, effort.seconds, clock)) for work, count in sides]
    gc.collect()
    rounds: list[list[float]] = [[] for _ in ready]
    for _ in range(effort.rounds):
        for found, (work, count, passes) in zip(rounds, ready, strict=True):
            found.append(_round(work, passes, clock) / (passes * count))
    return [Times(tuple(found)) for found in rounds]


def compare(ours: tuple[Work, int], theirs: tuple[Work, int], effort: Effort, clock: Clock = CPU) -> Comparison:
    """Times of two works, in turn."""
    return Comparison(*in_turn((ours, theirs), effort, clock))
