"""Kernels of the S-curve and of the common path parameter: accuracy, degenerate cases, scales, bits on arrays."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from motionkit.kernels._batch import FEW, run_rows
from motionkit.kernels._contract import Model
from motionkit.kernels.roots import cbrt
from motionkit.kernels.scurve import PROFILE, scurve_plan, scurve_sample
from motionkit.kernels.synchronized import line_limits

EPS = 2.0**-52


def plan(distance: float, velocity: float, acceleration: float, jerk: float) -> list[float]:
    profile = [0.0] * PROFILE
    scurve_plan([distance, velocity, acceleration, jerk], profile)
    return profile


def cases(count: int, seed: int, decades: float = 3.0) -> np.ndarray:
    """Rows of distance and limits over twice so many decades; some rows have no distance."""
    rng = np.random.default_rng(seed)
    rows = 10.0 ** rng.uniform(-decades, decades, (count, 4))
    rows[:: max(count // 20, 1), 0] = 0.0
    return rows


def exact_end(profile: list[float], limits: np.ndarray) -> tuple[Fraction, Fraction, Fraction]:
    """Position, velocity and acceleration at the end, integrating the jerk without rounding."""
    jerk = Fraction(float(limits[3]))
    edges = [Fraction(0), *(Fraction(b) for b in profile[1:7]), Fraction(profile[0])]
    x = v = a = Fraction(0)
    for k, sign in enumerate((1, 0, -1, 0, -1, 0, 1)):
        t, j = edges[k + 1] - edges[k], sign * jerk
        x += v * t + a * t * t / 2 + j * t**3 / 6
        v += a * t + j * t * t / 2
        a += j * t
    return x, v, a


# ---- cube root
def test_cube_root_is_within_one_and_a_fifth_units_over_the_whole_range() -> None:
    rng = np.random.default_rng(10)
    xs = [*(10.0 ** rng.uniform(-307.0, 308.0, 4000)), 1e-30, 1e30, 1.7976931348623157e308, 2.2250738585072014e-308]
    worst = 0.0
    for x in map(float, xs):
        y = cbrt(x)
        # (y^3 - x) / (3 y^2) is the error of y to first order, here without rounding
        error = (Fraction(y) ** 3 - Fraction(x)) / (3 * Fraction(y) ** 2)
        worst = max(worst, abs(float(error / Fraction(float(np.spacing(y))))))
    print(f"cube root: worst {worst:.3f} ulp")
    assert worst < 1.2


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (1.0, 1.0), (8.0, 2.0), (27.0, 3.0), (1e-30, 1e-10), (1e30, 1e10)])
def test_cube_root_of_cubes(x: float, y: float) -> None:
    assert cbrt(x) == pytest.approx(y, rel=1.2 * EPS, abs=0.0)


def test_cube_root_of_the_smallest_number_is_finite() -> None:
    # subnormal numbers have lost digits before they arrive; what counts is that no step under- or overflows
    assert cbrt(5e-324) == pytest.approx(1.7e-108, rel=1e-2)


def test_cube_root_has_the_same_bits_on_arrays() -> None:
    xs = 10.0 ** np.random.default_rng(11).uniform(-300.0, 300.0, 500)
    assert cbrt(xs).tolist() == [cbrt(x) for x in xs.tolist()]


# ---- plan
def test_seven_segments_integrate_to_the_distance() -> None:
    """E2: the jerk, integrated without rounding over the segments, ends at rest at the goal."""
    worst = [0.0, 0.0, 0.0]
    for limits in cases(600, 12):
        profile = plan(*limits.tolist())
        x, v, a = exact_end(profile, limits)
        distance = Fraction(float(limits[0]))
        if distance == 0:
            assert profile[0] == 0.0
            continue
        scale = (distance, Fraction(profile[9]), Fraction(profile[8]))
        for k, error in enumerate((x - distance, v, a)):
            # segments end at rounded times; relative to a jerk segment that is eps * duration / t_jerk
            error /= scale[k] * max(1, Fraction(profile[0]) / Fraction(profile[1]))
            worst[k] = max(worst[k], abs(float(error)))
    print("relative end errors of position, velocity, acceleration:", worst)
    assert max(worst) < 8 * EPS


def test_peaks_are_within_limits_and_reach_them_to_the_bit() -> None:
    reached = np.zeros(2, dtype=int)
    for limits in cases(2000, 13):
        profile = plan(*limits.tolist())
        if limits[0] == 0.0:
            continue
        assert profile[9] <= limits[1] and profile[8] <= limits[2]
        assert all(np.diff(profile[1:7]) >= 0.0) and profile[0] >= profile[6] >= 0.0
        reached += (profile[9] == limits[1], profile[8] == limits[2])
    assert (reached > 300).all(), "both limits must be met to the bit in many cases"


@pytest.mark.parametrize(
    ("limits", "boundaries"),
    [
        # all seven segments
        ((2.0, 2.0, 8.0, 40.0), [0.2, 0.25, 0.45, 1.0, 1.2, 1.25, 1.45]),
        # no constant acceleration: velocity is reached first
        ((2.0, 1.0, 8.0, 4.0), [0.5, 0.5, 1.0, 2.0, 2.5, 2.5, 3.0]),
        # no cruise
        ((1.0, 9.0, 4.0, 16.0), [0.25, 0.390388, 0.640388, 0.640388, 0.890388, 1.030776, 1.280776]),
        # neither: four jerk segments of cbrt(d / (2 j))
        ((2.0, 9.0, 8.0, 1.0), [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0]),
        # nothing
        ((0.0, 2.0, 8.0, 40.0), [0.0] * 7),
    ],
)
def test_degenerate_cases(limits: tuple[float, ...], boundaries: list[float]) -> None:
    profile = plan(*limits)
    assert [*profile[1:7], profile[0]] == pytest.approx(boundaries, abs=1e-6)  # the expected values have six digits


@pytest.mark.parametrize("length", [1e-9, 1e-3, 1e3, 1e6])
@pytest.mark.parametrize("time", [1e-4, 1.0, 1e5])
def test_units_do_not_matter(length: float, time: float) -> None:
    """The time of a scaled problem is the scaled time: no absolute tolerance hides anywhere."""
    for d, v, a, j in cases(100, 14, 2.0).tolist():
        scaled = plan(d * length, v * length / time, a * length / time**2, j * length / time**3)
        # a dozen rounded operations on each side
        assert scaled[0] == pytest.approx(plan(d, v, a, j)[0] * time, rel=16 * EPS, abs=0.0)


def test_powers_of_two_change_no_bit() -> None:
    for d, v, a, j in cases(50, 15, 2.0).tolist():
        assert plan(8.0 * d, 8.0 * v, 8.0 * a, 8.0 * j)[1:7] == plan(d, v, a, j)[1:7]


# ---- bits on arrays
def test_plan_has_the_same_bits_on_arrays() -> None:
    limits = cases(400, 16)
    rows = np.empty((400, PROFILE))
    run_rows(scurve_plan, limits, rows)
    assert rows.tolist() == [plan(*row) for row in limits.tolist()]


def test_sample_has_the_same_bits_on_arrays() -> None:
    profile = plan(1.0, 2.0, 8.0, 40.0)
    model = Model([*profile, 1.0, -2.0, 5.0, 1.5, -4.0, 5.0, 0.5, -2.0, 0.0])
    times = np.sort(np.concatenate([np.linspace(-0.5, profile[0] + 0.5, 300), profile[:7], [0.0, -0.0]]))
    assert len(times) > FEW
    rows = np.empty((len(times), 12))
    run_rows(scurve_sample, model, 3, times, rows)
    single = np.empty((len(times), 12))
    for t, row in zip(times.tolist(), single, strict=True):
        scurve_sample(model, 3, t, row)
    assert rows.tobytes() == single.tobytes()


def test_line_limits_have_the_same_bits_on_arrays_and_never_exceed_an_axis() -> None:
    rng = np.random.default_rng(17)
    n, count = 4, 3000
    values = 10.0 ** rng.uniform(-3.0, 3.0, (count, 4 * n))
    values[:, :n] *= rng.choice([-1.0, 0.0, 1.0], (count, n))
    rows = np.empty((count, 6))
    run_rows(line_limits, values, n, rows)
    for given, got in list(zip(values.tolist(), rows.tolist(), strict=True))[:300]:
        out = [0.0] * 6
        line_limits(given, n, out)
        assert out == got
    travel = np.abs(values[:, :n])
    moves = travel.any(axis=1)
    for k in range(3):
        limits = values[:, (k + 1) * n : (k + 2) * n]
        assert (travel[moves] * rows[moves, k : k + 1] <= np.where(travel > 0, limits, np.inf)[moves]).all()
        axis = rows[moves, 3 + k].astype(int)
        share = (travel[moves] * rows[moves, k : k + 1] / limits[moves])[np.arange(moves.sum()), axis]
        assert share.min() >= 1.0 - 2 * EPS  # the binding axis runs at its limit, two steps down at most
    assert (rows[~moves, 3:] == -1.0).all()
