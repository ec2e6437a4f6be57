"""Front doors of planning from packed arrays and of sampling with ``out``: checked in nanoseconds, then a kernel runs.

What they do not take they leave to the long way, which says what is wrong. Nothing is computed here.
"""

from __future__ import annotations

from typing import Any

from ..kernels import online_axis, online_segments, scurve, stop, synchronized
from ..kernels._contract import front


@front(scurve.scurve_sample, "model real out")
def sample_axis(model: Any, t: Any, out: Any) -> int:
    """A line of one axis at time ``t`` in ``out`` (4,)."""
    if not t - t == 0.0 or len(model) != scurve.PROFILE + 3 or len(out) != 4:
        return 1
    scurve.scurve_sample(model, 1, t, out)
    return 0


@front(scurve.scurve_sample, "model real out2")
def sample_axes(model: Any, t: Any, out: Any) -> int:
    """A line of n axes at time ``t`` in ``out`` (4, n)."""
    n = out.shape[1]
    if not t - t == 0.0 or len(model) != scurve.PROFILE + 3 * n or out.shape[0] != 4:
        return 1
    scurve.scurve_sample(model, n, t, out.reshape(4 * n))
    return 0


@front(stop.stop_sample, "model real out")
def sample_stop(model: Any, t: Any, out: Any) -> int:
    """A stop at time ``t`` in ``out`` (4,)."""
    if not t - t == 0.0 or len(out) != 4:
        return 1
    stop.stop_sample(model, t, out)
    return 0


@front(stop.stop_line_sample, "model real out2")
def sample_line_stop(model: Any, t: Any, out: Any) -> int:
    """A stop of n axes on their line at time ``t`` in ``out`` (4, n)."""
    n = out.shape[1]
    if not t - t == 0.0 or len(model) != 18 + 2 * n or out.shape[0] != 4:
        return 1
    stop.stop_line_sample(model, n, t, out.reshape(4 * n))
    return 0


SHORT = online_segments.HEAD + online_segments.EACH * online_axis.FASTEST
LONG = online_segments.HEAD + online_segments.EACH * online_axis.TIMED


@front(online_segments.online_sample, "model real out2")
def sample_online(model: Any, t: Any, out: Any) -> int:
    """Axes that go from any state to any state, at time ``t`` in ``out`` (4, n)."""
    n = out.shape[1]
    size = len(model)
    if not t - t == 0.0 or out.shape[0] != 4 or not (size == SHORT * n or size == LONG * n):
        return 1
    segments = online_axis.FASTEST if size == SHORT * n else online_axis.TIMED
    online_segments.online_sample(model, n, segments, t, out.reshape(4 * n))
    return 0


@front(online_segments.online_line_sample, "model real out2")
def sample_online_line(model: Any, t: Any, out: Any) -> int:
    """The same along a line."""
    n = out.shape[1]
    size = len(model) - 4 * n
    if not t - t == 0.0 or out.shape[0] != 4 or not (size == SHORT or size == LONG):
        return 1
    segments = online_axis.FASTEST if size == SHORT else online_axis.TIMED
    online_segments.online_line_sample(model, n, segments, t, model[0], out.reshape(4 * n))
    return 0


@front(online_axis.online_axes, "in2 in2 in2 int out")
def plan_axes(current: Any, target: Any, limits: Any, mode: int, block: Any) -> int:
    """Axes from states (n, 3) to states (n, 3) under limits (n, 3), each alone (mode 0) or together (2).

    ``block`` receives the model of n axes, the problems (12 n) and the report of the kernel (1 + 2 n); scratch follows.
    """
    n = current.shape[0]
    size = SHORT if mode == 0 else LONG
    if n == 0 or current.shape[1] != 3 or target.shape[0] != n or target.shape[1] != 3:
        return 1
    if limits.shape[0] != n or limits.shape[1] != 3 or len(block) != (size + 14) * n + 1 + online_axis.SCRATCH:
        return 1
    model = block[: size * n]
    problems = block[size * n : (size + 12) * n]
    report = block[(size + 12) * n : (size + 14) * n + 1]
    for i in range(n):
        velocity, acceleration, jerk = limits[i, 0], limits[i, 1], limits[i, 2]
        if not (velocity > 0.0 and acceleration > 0.0 and jerk > 0.0):
            return 1
        at = 12 * i
        for k in range(3):
            problems[at + k] = current[i, k]
            problems[at + 3 + k] = target[i, k]
        problems[at + 6] = problems[at + 7] = velocity
        problems[at + 8] = problems[at + 9] = acceleration
        problems[at + 10] = jerk
        problems[at + 11] = 0.0
    online_axis.online_axes(problems, n, mode, block[(size + 14) * n + 1 :], report, model)
    for i in range(n):
        if report[1 + i] != 1.0:  # a target outside the limits, or numbers that cannot be computed with
            return 1
    return 0 if report[0] - report[0] == 0.0 else 1


@front(synchronized.line_limits, "in in in2 out")
def plan_line(start: Any, goal: Any, limits: Any, block: Any) -> int:
    """The straight move of n axes from rest to rest, under limits (n, 3).

    ``block`` receives the model that ``scurve_sample`` reads, the limits (3 n), what ``line_limits`` says (6), and
    what it was asked (4 n).
    """
    n = len(start)
    if n == 0 or len(goal) != n or limits.shape[0] != n or limits.shape[1] != 3:
        return 1
    size = scurve.PROFILE + 3 * n
    if len(block) != size + 7 * n + 6:
        return 1
    common = block[size + 3 * n : size + 3 * n + 6]
    asked = block[size + 3 * n + 6 :]
    moves = False
    for i in range(n):
        travel = goal[i] - start[i]
        if not travel - travel == 0.0:
            return 1
        asked[i] = travel
        block[scurve.PROFILE + i] = start[i]
        block[scurve.PROFILE + n + i] = goal[i]
        block[scurve.PROFILE + 2 * n + i] = travel
        for k in range(3):
            rate = limits[i, k]
            if not (rate >= 0.0 and rate - rate == 0.0) or (rate == 0.0 and travel != 0.0):
                return 1
            block[size + 3 * i + k] = rate
            asked[(1 + k) * n + i] = rate if travel != 0.0 else 0.0
        moves = moves or travel != 0.0
    if not moves:
        return 1
    synchronized.line_limits(asked, n, common)
    asked[0] = 1.0
    for k in range(3):
        asked[1 + k] = common[k]
    scurve.scurve_plan(asked, block[: scurve.PROFILE])
    return 0 if block[0] - block[0] == 0.0 else 1


@front(stop.stop, "real real real real real real out")
def plan_stop(p: Any, velocity: Any, acceleration: Any, top: Any, limit: Any, jerk: Any, block: Any) -> int:
    """The fastest stop from position ``p`` under limits for both directions.

    ``block`` receives the model (18) that ``stop_sample`` reads, and what the kernel was asked (5).
    """
    numbers = p + velocity + acceleration + top + limit + jerk
    if not (top >= 0.0 and limit > 0.0 and jerk > 0.0 and numbers - numbers == 0.0):
        return 1
    if len(block) != stop.STOP + 7:
        return 1
    model, state = block[: stop.STOP + 2], block[stop.STOP + 2 :]
    state[0] = velocity
    state[1] = acceleration
    state[2] = state[3] = limit
    state[4] = jerk
    stop.stop(state, model[: stop.STOP])
    model[16] = p
    model[17] = p + model[12]
    total = model[3] + model[12] + model[13] + model[14] + model[15]
    return 0 if total - total == 0.0 else 1
