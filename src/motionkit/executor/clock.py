"""Time for a cyclic runner: the machine's own, or one that a test drives."""

from __future__ import annotations

import time
from typing import Protocol

SPIN = 2e-4  # s before a deadline in which the clock is asked rather than the system trusted to wake up


class Clock(Protocol):
    """Seconds from anywhere, and waiting for a time of it."""

    def now(self) -> float:
        """In s; never goes back."""
        ...

    def wait_until(self, deadline: float, /) -> None:
        """Return at ``deadline`` or, when that has passed, at once."""
        ...


class MonotonicClock:
    """The clock of the machine. It sleeps until just before a deadline and spins for the rest."""

    def now(self) -> float:
        """Seconds."""
        return time.perf_counter()

    def wait_until(self, deadline: float) -> None:
        """Return at ``deadline`` or, when that has passed, at once."""
        while (left := deadline - time.perf_counter()) > 0.0:
            if left > SPIN:
                time.sleep(left - SPIN)
