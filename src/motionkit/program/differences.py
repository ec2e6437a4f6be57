"""The joints' part of the proof: differences of the positions, and the columns beside them.

Why a difference quotient needs no allowance for the grid, and what it is allowed for rounding, is derived in
:mod:`motionkit.program.proof`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .figures import ORDERS, Figure, Ledger, slices
from .planned import ProgramPlan
from .sampling import SampledMotion

if TYPE_CHECKING:
    from ..motion import MotionLimits

__all__ = ["JointBounds", "check_agreement", "check_columns", "check_differences", "check_positions"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

ULP = 2.0**-53
ARITHMETIC = 16.0  # roundings, of half an ulp each, in one value
CLOCK = 4.0  # roundings, of half an ulp each, in one time
STEADY = 0.01  # share of the limit by which the jerk may change over three rows and still counts as steady
CREDIBLE = 0.05  # share of the limit by which the jerk column may miss a steady difference
FEW_ROWS = 8  # fewer rows than these say nothing about a column


@dataclass(slots=True)
class JointBounds:
    """The limits of the joints as arrays, and how much of them each row may use.

    Attributes:
        plan: where the limits come from.
        motion: the rows.
        upper: (4, n): largest position, velocity, acceleration and jerk.
        lower: (4, n): least of each.
    """

    plan: ProgramPlan
    motion: SampledMotion
    upper: FloatArray = field(init=False)
    lower: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.upper = np.array([_upper(limits) for limits in self.plan.limits]).T
        self.lower = np.array([_lower(limits) for limits in self.plan.limits]).T

    def of(self, order: int, values: FloatArray, share: FloatArray) -> FloatArray:
        """What values (M, n) may not exceed in magnitude, by their sign, in rows that may use a share (M,)."""
        return np.select([values >= 0.0], [self.upper[order]], -self.lower[order]) * share[:, np.newaxis]

    def largest(self, order: int) -> FloatArray:
        """(n,): the larger magnitude of both directions."""
        return np.maximum(self.upper[order], -self.lower[order])

    def position_noise(self) -> FloatArray:
        """(N, n): what rounding may add to a position."""
        magnitude = np.abs(self.motion.positions).max(axis=0, initial=0.0)
        return ULP * (ARITHMETIC * magnitude + CLOCK * self.largest(1) * self.motion.times[:, np.newaxis])

    def column_noise(self, order: int) -> FloatArray:
        """(N, n): what rounding may add to a column; the clock's rounding acts through the next derivative."""
        noise = np.broadcast_to(ARITHMETIC * self.largest(order), self.motion.positions.shape)
        if order < 3:
            noise = noise + CLOCK * self.largest(order + 1) * self.motion.times[:, np.newaxis]
        return ULP * noise

    def row_share(self) -> FloatArray:
        """(N,): the share of the limits that the step of each row may use."""
        return np.array([step.share for step in self.plan.steps])[self.motion.steps]

    def interval_share(self) -> tuple[FloatArray, IntArray]:
        """(N - 1,) each, between rows: the largest share of the steps that touch the interval, and the step."""
        times = self.motion.times
        share, steps = np.zeros(len(times) - 1), self.motion.steps[:-1].copy()
        for place, step in enumerate(self.plan.steps):
            if step.end <= step.start:
                continue
            low = max(int(np.searchsorted(times, step.start, side="right")) - 1, 0)
            high = int(np.searchsorted(times, step.end, side="left"))
            more = step.share > share[low:high]
            steps[low:high][more] = place
            share[low:high][more] = step.share
        return share, steps


def check_positions(bounds: JointBounds, ledger: Ledger) -> None:
    """Every position within its joint's range."""
    motion = bounds.motion
    noise = bounds.position_noise()
    for j, name in enumerate(bounds.plan.joint_names):
        lower, upper = float(bounds.lower[0, j]), float(bounds.upper[0, j])
        if not (np.isfinite(lower) and np.isfinite(upper)):
            continue
        q = motion.positions[:, j]
        middle, half = 0.5 * (lower + upper), 0.5 * (upper - lower)
        share = np.abs(q - middle) / half if half > 0.0 else np.ones(len(q))
        excess = np.maximum(q - upper, lower - q) - noise[:, j]
        for place, rows in slices(motion.steps):
            k = rows.start + int(np.argmax(share[rows]))
            limit = upper if q[k] >= middle else lower
            time, unit = float(motion.times[k]), ledger.unit(j, 0)
            figure = Figure("position", float(q[k]), limit, float(share[k]), unit, name, time, place)
            ledger.note(figure, float(excess[k]), int(np.count_nonzero(excess[rows] > 0.0)))


def check_differences(bounds: JointBounds, ledger: Ledger) -> None:
    """First, second and third differences of the positions within the limits."""
    motion = bounds.motion
    share, steps = bounds.interval_share()
    values, noise = motion.positions, bounds.position_noise()
    for order in (1, 2, 3):
        if len(values) < 2:
            return
        values = np.diff(values, axis=0) * motion.rate
        noise = (noise[1:] + noise[:-1]) * motion.rate
        if order > 1:
            later = share[1:] > share[:-1]
            share, steps = np.maximum(share[1:], share[:-1]), np.where(later, steps[1:], steps[:-1])
        times = 0.5 * (motion.times[: len(values)] + motion.times[order:])
        ledger.joints(ORDERS[order], order, values, bounds.of(order, values, share), noise, times, steps)


def check_columns(bounds: JointBounds, ledger: Ledger) -> None:
    """The columns of velocity, acceleration and jerk within the limits, and at rest in the first and last row."""
    motion, share = bounds.motion, bounds.row_share()
    columns = (motion.velocities, motion.accelerations, motion.jerks)
    for order, values in enumerate(columns, start=1):
        what = f"{ORDERS[order]} column"
        bound = bounds.of(order, values, share)
        ledger.joints(what, order, values, bound, bounds.column_noise(order), motion.times, motion.steps)
    for row in (0, len(motion) - 1):
        for order in (1, 2):
            for j in np.flatnonzero(columns[order - 1][row]):
                value, name = float(columns[order - 1][row, j]), bounds.plan.joint_names[j]
                what, time = f"{ORDERS[order]} column at rest", float(motion.times[row])
                figure = Figure(
                    what, value, 0.0, np.inf, ledger.unit(int(j), order), name, time, int(motion.steps[row])
                )
                ledger.violate(figure, abs(value))


def check_agreement(bounds: JointBounds, ledger: Ledger) -> None:
    """The columns agree with differences of the column before.

    The mean of a velocity over one interval and the mean of its two ends differ by at most h² J / 12, since its second
    derivative is a jerk; those of an acceleration by at most h J / 4, since its first is (the errors of the trapezoidal
    rule). A jerk may jump, so it is compared only where three rows of accelerations say that it is steady, and most of
    these rows of a step must disagree before the column is called wrong.
    """
    motion = bounds.motion
    if len(motion) < 2:
        return
    h = 1.0 / motion.rate
    share, steps = bounds.interval_share()
    jerk = bounds.largest(3) * share[:, np.newaxis]
    times = 0.5 * (motion.times[1:] + motion.times[:-1])
    cases = (
        (1, motion.positions, motion.velocities, h * h / 12.0 * jerk, bounds.position_noise()),
        (2, motion.velocities, motion.accelerations, h / 4.0 * jerk, bounds.column_noise(1)),
    )
    for order, before, column, bound, noise in cases:
        gap = np.diff(before, axis=0) * motion.rate - 0.5 * (column[1:] + column[:-1])
        rounding = (noise[1:] + noise[:-1]) * motion.rate + bounds.column_noise(order)[1:]
        ledger.joints(f"{ORDERS[order]} column - difference", order, gap, bound, rounding, times, steps)
    _check_steady_jerk(bounds, ledger)


def _check_steady_jerk(bounds: JointBounds, ledger: Ledger) -> None:
    motion, jerk = bounds.motion, bounds.largest(3)
    slope = np.diff(motion.accelerations, axis=0) * motion.rate
    inside = (motion.steps[2:] == motion.steps[:-2])[:, np.newaxis]
    steady = inside & (np.abs(np.diff(slope, axis=0)) <= STEADY * jerk)
    gap = motion.jerks[1:-1] - 0.5 * (slope[1:] + slope[:-1])
    wrong = steady & (np.abs(gap) > CREDIBLE * jerk)
    for place, rows in slices(motion.steps[1:-1]):
        counts, bad = np.count_nonzero(steady[rows], axis=0), np.count_nonzero(wrong[rows], axis=0)
        for j in np.flatnonzero((bad > FEW_ROWS) & (2 * bad > counts)).tolist():
            k = rows.start + int(np.argmax(np.where(wrong[rows, j], np.abs(gap[rows, j]), 0.0)))
            value, limit = float(gap[k, j]), float(CREDIBLE * jerk[j])
            name, time = bounds.plan.joint_names[j], float(motion.times[k + 1])
            share = abs(value) / limit
            figure = Figure("jerk column - difference", value, limit, share, ledger.unit(j, 3), name, time, place)
            ledger.violate(figure, abs(value) - limit, int(bad[j]))


def _upper(limits: MotionLimits) -> Sequence[float]:
    position = np.inf if limits.max_position is None else limits.max_position
    return (position, limits.max_velocity, limits.max_acceleration, limits.max_jerk)


def _lower(limits: MotionLimits) -> Sequence[float]:
    position = -np.inf if limits.min_position is None else limits.min_position
    velocity = -limits.max_velocity if limits.min_velocity is None else limits.min_velocity
    acceleration = -limits.max_acceleration if limits.min_acceleration is None else limits.min_acceleration
    return (position, velocity, acceleration, -limits.max_jerk)
