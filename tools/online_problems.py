"""Random problems of going from any state to any state, and what judges the answers: for the tests and the proof.

Nothing here uses the planner: the checker integrates the segments that the planner wrote, in extended precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
EXTENDED = np.longdouble
HEAD, EACH = 8, 7


def random_problems(count: int, seed: int, decades: float = 6.0, *, outside: bool = False) -> Array:
    """(count, 12) problems: limits over so many decades, asymmetric by up to a factor of three either way.

    Accelerations are anywhere within their limits, a fifth of them zero; velocities anywhere that can be left and
    reached within the limits, one in seven zero. Distances are three decades below to one above what it takes to reach
    full speed. With ``outside`` the start exceeds its limits up to three times in two thirds of the problems.
    """
    rng = np.random.default_rng(seed)
    half = 0.5 * decades
    top, up, jerk = 10.0 ** rng.uniform(-half, half, (3, count))
    bottom = top * 10.0 ** rng.uniform(-0.5, 0.5, count)
    down = up * 10.0 ** rng.uniform(-0.5, 0.5, count)

    def state(up: Array, down: Array) -> tuple[Array, Array]:
        a = rng.uniform(-1.0, 1.0, count)
        a = np.where(a > 0.0, a * up, a * down)
        a[rng.random(count) < 0.2] = 0.0
        low = -bottom + np.where(a < 0.0, 0.5 * a * a / jerk, 0.0)
        high = top - np.where(a > 0.0, 0.5 * a * a / jerk, 0.0)
        none = low > high
        a[none], low[none], high[none] = 0.0, -bottom[none], top[none]
        v = low + (high - low) * rng.random(count)
        v[(rng.random(count) < 0.15) & (low <= 0.0) & (high >= 0.0)] = 0.0
        return v, a

    v0, a0 = state(up, down)
    vf, af = state(down, up)  # seen backwards in time
    reach = 10.0 ** rng.uniform(-3.0, 1.0, count) * (top * top / up + top * up / jerk + top * np.sqrt(top / jerk))
    p0 = rng.normal(size=count) * reach
    pf = p0 + rng.normal(size=count) * reach
    if outside:
        fast, hard = rng.random(count) < 0.5, rng.random(count) < 0.5
        v0 = np.where(fast, top * rng.uniform(-3.0, 3.0, count), v0)
        a0 = np.where(hard, up * rng.uniform(-3.0, 3.0, count), a0)
    zero = np.zeros(count)
    return np.stack([p0, v0, a0, pf, vf, -af, top, bottom, up, down, jerk, zero], axis=1)


def judge(problems: Array, models: Array) -> dict[str, Array]:
    """What is wrong with motions (N, 8 + 7 K), each number for the worst instant of a motion.

    Returns:
        ``position``, ``velocity``, ``acceleration``: jumps between segments, start and target included, relative to
        the largest terms that their sums have; ``over``: how much a limit is exceeded, as a share of it, after the time
        by which the axis is inside its limits; ``jerk``: the same for the jerk, always.
    """
    count, segments = len(models), (models.shape[1] - HEAD) // EACH
    parts = models[:, HEAD:].reshape(count, segments, EACH).astype(EXTENDED)
    begins, length, anchor, p, v, a, j = (parts[:, :, k] for k in range(EACH))
    limit = problems[:, 10:11]

    def at(u: Any) -> tuple[Any, Any, Any]:
        return p + (v + (a / 2 + j * u / 6) * u) * u, v + (a + j * u / 2) * u, a + j * u

    early = np.where(anchor > begins, -length, 0.0)
    first, last = at(early), at(early + length)
    lasts = length > 0.0
    total = models[:, 0:1]
    scale_a = np.maximum(
        np.abs(first[2]).max(1, where=lasts, initial=0.0)[:, None], np.abs(models[:, [4, 7]]).max(1)[:, None]
    )
    scale_v = np.maximum(
        np.abs(first[1]).max(1, where=lasts, initial=0.0)[:, None], np.abs(models[:, [3, 6]]).max(1)[:, None]
    )
    # a time is known to a unit in its last place, which the jerk turns into acceleration, and so on
    scale_a = scale_a + limit * total * 1e-3
    scale_v = np.maximum(scale_v, scale_a * scale_a / limit) + scale_a * total * 1e-3
    scale_p = np.abs(models[:, [2, 5]]).max(1)[:, None] + scale_v * total
    worst = {name: np.zeros(count) for name in ("position", "velocity", "acceleration")}
    state = [models[:, 2 + k].astype(EXTENDED) for k in range(3)]
    for k in range(segments + 1):
        on = lasts[:, k] if k < segments else np.ones(count, bool)
        here = [x[:, k] for x in first] if k < segments else [models[:, 5 + q] for q in range(3)]
        for name, new, old, scale in zip(worst, here, state, (scale_p, scale_v, scale_a), strict=True):
            jump = np.where(on, np.abs(new - old), 0.0) / np.maximum(scale[:, 0], 1e-300)
            worst[name] = np.maximum(worst[name], jump.astype(np.float64))
        if k < segments:
            state = [np.where(on, x[:, k], old) for x, old in zip(last, state, strict=True)]
    outside = np.clip(models[:, 1:2] - begins, 0.0, length)
    inside = lasts & (outside < length)
    first = at(early + outside)
    over = np.zeros(count)

    def beyond(x: Any, where: Any, high: int, low: int) -> Any:
        """How far limits are exceeded, as a share of them or of what was reached outside them at the start."""
        largest = np.abs(x).max(1, where=lasts, initial=0.0)[:, None]
        up, down = problems[:, high, None], problems[:, low, None]
        above = np.where(where, (x - up) / np.maximum(up, largest), 0.0).max(1)
        return np.maximum(above, np.where(where, (-x - down) / np.maximum(down, largest), 0.0).max(1))

    for high, low, values in ((6, 7, (first[1], last[1])), (8, 9, (first[2], last[2]))):
        for x in values:
            over = np.maximum(over, beyond(x, inside, high, low))
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.where(j != 0.0, -a / j, 0.0)
    turn = inside & (u > early + outside) & (u < early + length)
    w = v + a * u / 2
    over = np.maximum(over, beyond(w, turn, 6, 7))
    return {**worst, "over": over.astype(np.float64), "jerk": (np.abs(j) / limit - 1).max(1).astype(np.float64)}


def ruckig_durations(problems: Array) -> Array:
    """Durations (N,) that ruckig finds for one axis, or for all axes of problems (N, n, 12) together; NaN if none."""
    import ruckig

    table = problems if problems.ndim == 3 else problems[:, None, :]
    n = table.shape[1]
    planner, given, trajectory = ruckig.Ruckig(n), ruckig.InputParameter(n), ruckig.Trajectory(n)
    durations = np.full(len(table), np.nan)
    for i, rows in enumerate(table):
        c = rows.T.tolist()
        given.current_position, given.current_velocity, given.current_acceleration = c[0], c[1], c[2]
        given.target_position, given.target_velocity, given.target_acceleration = c[3], c[4], c[5]
        given.max_velocity, given.max_acceleration, given.max_jerk = c[6], c[8], c[10]
        given.min_velocity, given.min_acceleration = [-x for x in c[7]], [-x for x in c[9]]
        try:
            if planner.calculate(given, trajectory).name in ("Working", "Finished"):
                # it may miss position and velocity by 1e-8; what is missing takes time as well
                ends = trajectory.at_time(np.nextafter(trajectory.duration, 0.0))
                missing = np.abs(np.asarray(ends[0]) - rows[:, 3]) / np.maximum(rows[:, 6], rows[:, 7])
                missing += np.abs(np.asarray(ends[1]) - rows[:, 4]) / np.maximum(rows[:, 8], rows[:, 9])
                durations[i] = trajectory.duration + missing.max()
        except (ValueError, ruckig.RuckigError):
            pass
    return durations
