"""A planned motion as rows on a uniform grid of time, the form in which it is proven and written.

Planning does not live here, nor does the format of any file.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidProgram

__all__ = [
    "DEFAULT_RATE",
    "HIGHEST_RATE",
    "LOWEST_RATE",
    "MOST_ROWS",
    "SampledMotion",
    "check_rows",
    "checked_rate",
    "grid",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

DEFAULT_RATE = 1000.0
LOWEST_RATE = 1.0
HIGHEST_RATE = 100_000.0
MOST_ROWS = 1_000_000  # a quarter of an hour at 1 kHz; beyond it the files no longer fit into anything's memory


@dataclass(frozen=True, slots=True, eq=False)
class SampledMotion:
    """Rows of a motion at ``k / rate`` for k = 0, 1, ...

    Attributes:
        rate: rows a second, in Hz.
        times: (N,) seconds.
        positions: (N, n) rad or m, in joint order.
        velocities: (N, n) rad/s or m/s.
        accelerations: (N, n) rad/s² or m/s².
        jerks: (N, n) rad/s³ or m/s³.
        steps: (N,) for each row, the place of its step in the plan's list of steps.
    """

    rate: float
    times: FloatArray
    positions: FloatArray
    velocities: FloatArray
    accelerations: FloatArray
    jerks: FloatArray
    steps: IntArray

    def __len__(self) -> int:
        return len(self.times)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SampledMotion):
            return NotImplemented
        return self.rate == other.rate and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("times", "positions", "velocities", "accelerations", "jerks", "steps")
        )

    __hash__ = None  # type: ignore[assignment]


def checked_rate(rate: float) -> float:
    """``rate`` as a float, in Hz.

    Raises:
        InvalidProgram: when it is not a finite number from 1 to 100 000.
    """
    value = float(rate)
    if not math.isfinite(value) or not LOWEST_RATE <= value <= HIGHEST_RATE:
        raise InvalidProgram(
            f"the rate must be a number of samples a second from {LOWEST_RATE:g} to {HIGHEST_RATE:g}, got {rate!r}; "
            f"leave it out for {DEFAULT_RATE:g}",
            path="--rate",
            line=None,
        )
    return value


def check_rows(duration: float, rate: float) -> None:
    """Refuse a motion that is too long for its rate.

    Raises:
        InvalidProgram: more than a million rows.
    """
    if duration * rate > MOST_ROWS:
        fitting = math.floor(MOST_ROWS / duration * 100.0) / 100.0
        advice = f"--rate {fitting:g}, or split the program" if fitting >= LOWEST_RATE else "split the program"
        raise InvalidProgram(
            f"{duration:.6g} s at {rate:g} Hz are {duration * rate:.3g} rows, and at most {MOST_ROWS} are written; "
            f"{advice}",
            path="--rate",
            line=None,
        )


def grid(duration: float, rate: float) -> FloatArray:
    """The times ``k / rate`` from 0 to the first that is not before the end of the motion.

    >>> grid(0.25, 10.0).tolist()
    [0.0, 0.1, 0.2, 0.3]
    """
    last = math.ceil(duration * rate)
    while last > 0 and (last - 1) / rate >= duration:
        last -= 1
    while last / rate < duration:
        last += 1
    return np.arange(last + 1, dtype=np.float64) / rate
