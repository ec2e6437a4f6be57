"""Kernels of stopping: the segments end at rest, and arrays give the bits of floats."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from motionkit.kernels._batch import run_rows
from motionkit.kernels._contract import Model
from motionkit.kernels.safe_speed import safe_speed, slower_start, swing, worst_travel
from motionkit.kernels.stop import STOP, stop, stop_sample

EPS = 2.0**-52


def states(count: int, seed: int) -> np.ndarray:
    """Velocity, acceleration (a third of them beyond the limits), both braking limits and jerk, over six decades."""
    rng = np.random.default_rng(seed)
    rows = np.empty((count, 5))
    rows[:, 2:] = 10.0 ** rng.uniform(-3.0, 3.0, (count, 3))
    rows[:, 1] = rng.uniform(-1.5, 1.5, count) * np.maximum(rows[:, 2], rows[:, 3])
    rows[:, 0] = rng.normal(size=count) * 10.0 ** rng.uniform(-3.0, 2.0, count)
    rows[::7, 0] = 0.0
    rows[::5, 1] = 0.0
    # on the edge: the velocity that bringing the acceleration to zero uses up
    rows[::11, 0] = -rows[::11, 1] * np.abs(rows[::11, 1]) / (2.0 * rows[::11, 4])
    return rows


def plan(state: list[float]) -> list[float]:
    model = [0.0] * STOP
    stop(state, model)
    return model


def test_three_segments_end_at_rest_where_the_plan_says() -> None:
    """E4: the jerk, integrated without rounding over the segments, leaves no velocity, no acceleration, no distance."""
    worst = np.zeros(3)
    for state in states(1500, 20).tolist():
        m = plan(state)
        x, v, a = Fraction(0), Fraction(state[0]), Fraction(state[1])
        edges = [0.0, *m[1:4]]
        for k, jerk in enumerate((m[0] * m[4], 0.0, m[0] * m[6])):
            t, j = Fraction(edges[k + 1]) - Fraction(edges[k]), Fraction(jerk)
            x += v * t + a * t * t / 2 + j * t**3 / 6
            v += a * t + j * t * t / 2
            a += j * t
        duration = m[3]
        if duration == 0.0:
            assert state[:2] == [0.0, 0.0]
            continue
        # segments end at times rounded to eps * duration, which the jerk turns into acceleration, and so on
        a_scale = abs(state[1]) + m[5] + state[4] * duration
        v_scale = abs(state[0]) + a_scale * duration
        errors = (x - Fraction(m[12])) / Fraction(v_scale * duration), v / Fraction(v_scale), a / Fraction(a_scale)
        worst = np.maximum(worst, [abs(float(e)) for e in errors])
    print("end errors of distance, velocity, acceleration:", worst)
    assert worst.max() < 4 * EPS


def test_plan_has_the_same_bits_on_arrays() -> None:
    given = states(600, 21)
    rows = np.empty((600, STOP))
    run_rows(stop, given, rows)
    assert rows.tobytes() == np.array([plan(row) for row in given.tolist()]).tobytes()


def test_sample_has_the_same_bits_on_arrays() -> None:
    for state in states(40, 22).tolist():
        m = plan(state)
        model = Model([*m, 0.25, 0.25 + m[12]])
        times = np.concatenate([np.linspace(-0.2, 1.2, 40) * (m[3] or 1.0), m[1:4], [0.0, -0.0]])
        rows = np.empty((len(times), 4))
        run_rows(stop_sample, model, times, rows)
        single = np.empty((len(times), 4))
        for t, row in zip(times.tolist(), single, strict=True):
            stop_sample(model, t, row)
        assert rows.tobytes() == single.tobytes()


def rooms(count: int, seed: int) -> np.ndarray:
    """Clearance (or speed), acceleration, top speed, largest and lowest acceleration, jerk, reaction time."""
    rng = np.random.default_rng(seed)
    rows = 10.0 ** rng.uniform(-1.0, 1.0, (count, 7))
    rows[:, 1] = rng.uniform(-1.3, 1.3, count) * rows[:, 3]
    rows[::3, 1] = 0.0
    rows[::4, 6] = 0.0
    rows[::9, 0] = 0.0
    return rows


def test_worst_travel_and_safe_speed_have_the_same_bits_on_arrays() -> None:
    for kernel, count in ((worst_travel, 150), (safe_speed, 60)):
        given = rooms(count, 23)
        rows = np.empty((count, 1))
        run_rows(kernel, given, rows)
        single = np.empty((count, 1))
        for row, out in zip(given.tolist(), single, strict=True):
            kernel(row, out)
        assert rows.tobytes() == single.tobytes()
        assert np.isfinite(rows).all() and (rows >= 0.0).all()


def travel_of_swing(
    start: tuple[float, float, float], beta: float, top: float, reaction: float, *bounds: float
) -> tuple:
    """h within ``bounds``, and the travel that depends on it, of the swing from a free speed."""
    h, lost = slower_start(bounds[0], start, beta, bounds[1], top, reaction)
    return h, (top - h * h / 6.0) * h - lost


def test_swing_from_a_free_speed_is_better_than_its_neighbours() -> None:
    """The closed form of h, with and without the lowest acceleration held; the bounds of h force the neighbours."""
    rng = np.random.default_rng(24)
    free = held = 0
    for _ in range(600):
        top, reaction, beta = (10.0 ** rng.uniform(-1.5, 0.5, 3)).tolist()
        alpha = max(float(rng.uniform(-0.5, 0.5) * reaction), -beta)
        problem = ((0.0, 1.0, alpha), beta, top, reaction)
        h, best = travel_of_swing(*problem, 0.0, 1e9)
        depth = 0.5 * (reaction - h - alpha)
        if h in (0.0, alpha + reaction, swing(top, alpha, reaction, beta)[0]):
            continue  # no dip, or a negative speed: h is where a bound is, not where the slope is zero
        for bounds in ((0.0, 0.99 * h), (1.01 * h, 1e9)):
            assert travel_of_swing(*problem, *bounds)[1] < best, (problem, h, depth, bounds)
        free, held = free + (depth <= beta), held + (depth > beta)
    assert free > 30 and held > 30
