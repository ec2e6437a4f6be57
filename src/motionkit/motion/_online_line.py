"""The straight line of an :class:`OnlineTrajectory`, as one path parameter that drives all axes.

Axis i is at ``origin_i + direction_i * s``. The line is fixed when it is planned and kept when it is planned anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InvalidLimits, OffLine
from ..kernels import online_segments
from ..kernels._contract import Model
from ._online_problem import WIDTH, explain_target
from .samples import FloatArray

STRAIGHT = 1e-12  # share of a velocity or acceleration that may point off the line: rounding


@dataclass(frozen=True, slots=True)
class Line:
    """Origins and directions (n,), the path parameter with its rates at the start, and at the target."""

    origin: FloatArray
    direction: FloatArray
    start: tuple[float, float, float]
    target: tuple[float, float, float]

    def numbers(self, problem: FloatArray) -> FloatArray:
        """What the model of a line has behind the segments of its path parameter."""
        return np.concatenate([self.origin, self.direction, problem[:, 0], problem[:, 3]])


def line_of(problem: FloatArray) -> Line:
    """The line from the current to the target positions; when they are the same, along the motion.

    Raises:
        OffLine: a velocity or an acceleration does not point along the line.
    """
    travel = problem[:, 3] - problem[:, 0]
    direction = travel
    goal = 1.0
    if not travel.any():
        goal = 0.0
        rates = [problem[:, k] for k in (1, 4, 2, 5) if problem[:, k].any()]
        direction = rates[0] / np.abs(rates[0]).max() if rates else np.ones(len(problem))
    rates = {
        what: _along(problem[:, k], direction, what)
        for what, k in (
            ("the current velocity", 1),
            ("the current acceleration", 2),
            ("the target's velocity", 4),
            ("the target's acceleration", 5),
        )
    }
    v0, a0, vf, af = rates.values()
    return Line(problem[:, 0].copy(), direction.copy(), (0.0, v0, a0), (goal, vf, af))


def line_again(model: Model, segments: int, n: int, state: FloatArray) -> Line:
    """The line of a trajectory, to be followed from another state (4,) of its path parameter."""
    place = online_segments.HEAD + online_segments.EACH * segments
    target = model.values[5:8]
    s, sd, sdd = state[:3].tolist()
    return Line(
        model.array[place : place + n].copy(),
        model.array[place + n : place + 2 * n].copy(),
        (s, sd, sdd),
        (target[0], target[1], target[2]),
    )


def path_problem(problem: FloatArray, line: Line) -> FloatArray:
    """The problem (1, 12) of the path parameter: the tightest of the axes' limits in each direction."""
    forward = line.direction > 0.0
    size = np.abs(line.direction)
    moves = size > 0.0
    size = np.where(moves, size, 1.0)
    v_up, v_down, a_up, a_down, jerk = problem[:, 6:11].T

    def tightest(up: FloatArray, down: FloatArray) -> float:
        return float((np.where(forward, up, down)[moves] / size[moves]).min())

    row = [
        *line.start,
        *line.target,
        tightest(v_up, v_down),
        tightest(v_down, v_up),
        tightest(a_up, a_down),
        tightest(a_down, a_up),
        tightest(jerk, jerk),
        float(problem[0, 11]),
    ]
    return np.array([row]).reshape(1, WIDTH)


def explain(problem: FloatArray, table: FloatArray) -> InvalidLimits:
    """The error for a target outside the limits: that of an axis, or of the line when each axis alone would do."""
    for i, row in enumerate(problem.tolist()):
        v, a, jerk = row[4], row[5], row[10]
        passed = v - 0.5 * a * abs(a) / jerk
        if not (-row[9] <= a <= row[8] and -row[7] <= v <= row[6] and -row[7] <= passed <= row[6]):
            return explain_target(row, i)
    error = explain_target(table[0].tolist(), 0)
    return InvalidLimits(f"along the line, in shares of it: {error.message}", joint="line")


def extremes(model: Model, segments: int, n: int, path: FloatArray) -> FloatArray:
    """(n, 6) lowest and highest positions, velocities and accelerations of the axes, from those of the path."""
    place = online_segments.HEAD + online_segments.EACH * segments
    origin = model.array[place : place + n]
    direction = model.array[place + n : place + 2 * n]
    table = np.empty((n, 6))
    for k in range(0, 6, 2):
        one, other = direction * path[k], direction * path[k + 1]
        table[:, k], table[:, k + 1] = np.minimum(one, other), np.maximum(one, other)
    table[:, :2] += origin[:, None]
    return table


def _along(values: FloatArray, direction: FloatArray, what: str) -> float:
    """The rate of the path parameter that gives ``values``."""
    k = int(np.abs(direction).argmax())
    rate = float(values[k] / direction[k])
    off = np.abs(values - direction * rate)
    allowed = STRAIGHT * max(float(np.abs(values).max()), float(np.abs(direction * rate).max()))
    if (off > allowed).any():
        i = int(off.argmax())
        raise OffLine(
            f"{what} does not point along the line: axis {i} has {float(values[i])!r}, on the line it would have "
            f"{float(direction[i] * rate)!r}; stop the part that is off the line first, or use synchronize='time'"
        )
    return rate
