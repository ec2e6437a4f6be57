"""One axis from rest to rest: figures, exact ends, limits, oracles, refusals."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
import ruckig

import motionkit as mk

LIMITS = mk.MotionLimits(2, 8, 40)
EPS = 2.0**-52


def random_moves(count: int, seed: int) -> list[tuple[float, float, mk.MotionLimits]]:
    """Start, goal and limits over six decades, both directions."""
    rng = np.random.default_rng(seed)
    rows = 10.0 ** rng.uniform(-3.0, 3.0, (count, 4))
    ends = rng.normal(size=count) * rows[:, 0]
    signed = rows[:, 0] * rng.choice([-1.0, 1.0], count)
    return [
        (s, s + d, mk.MotionLimits(v, a, j))
        for s, d, (v, a, j) in zip(ends.tolist(), signed.tolist(), rows[:, 1:].tolist(), strict=True)
    ]


def test_euler_lags_mid_way_and_is_on_target_at_the_end() -> None:
    """E2, the control: integrating at 1 kHz is wrong on the way even where the end looks perfect.

    2 m at 2 m/s, 8 m/s^2, 40 m/s^3 take 1.45 s, a whole number of cycles. Holding each velocity sample for a cycle
    lags by half a cycle of motion, 1 mm at 2 m/s; the lag is made up while braking, so the end proves nothing. Holding
    acceleration samples lags twice as much.
    """
    move = mk.ScurveProfile.plan(0.0, 2.0, LIMITS)
    assert move.duration == 1.45
    cycle = 1e-3
    exact = move.sample_many(np.arange(1451) * cycle)
    position = np.concatenate([[0.0], np.cumsum(exact.velocity[:-1] * cycle)])
    mid, end = position[725] - exact.position[725], position[-1] - 2.0
    speed = np.concatenate([[0.0], np.cumsum(exact.acceleration[:-1] * cycle)])
    twice = np.concatenate([[0.0], np.cumsum(speed[:-1] * cycle)])
    print(f"forward Euler at 1 kHz: {mid * 1e3:.6f} mm mid-way, {end:.1e} m at the end")
    print(f"from acceleration:      {(twice[725] - exact.position[725]) * 1e3:.6f} mm, {twice[-1] - 2.0:.1e} m")
    assert mid == pytest.approx(-1e-3, rel=1e-9)  # half a cycle at 2 m/s, whole cycles to every segment: exact but
    assert abs(end) < 1e-12  # for the rounding of 1450 additions
    assert twice[725] - exact.position[725] == pytest.approx(-2e-3, rel=1e-9)
    assert abs(twice[-1] - 2.0) < 1e-12
    # ours, in closed form, at the same times: symmetric, and exact where it can be known exactly
    assert exact.position[725] == 1.0
    assert exact.position[-1] == 2.0


def test_ends_are_exact_and_rest_is_rest() -> None:
    """E6: before 0 the start, from the duration on the goal, bit for bit, and nothing moves."""
    for start, goal, limits in random_moves(300, 1):
        move = mk.ScurveProfile.plan(start, goal, limits)
        for t in (-1e9, -1.0, -5e-324):
            assert move.sample(t) == mk.MotionSample(start, 0.0, 0.0, 0.0)
        for t in (move.duration, np.nextafter(move.duration, np.inf), move.duration + 1.0, 1e12):
            assert move.sample(t) == mk.MotionSample(goal, 0.0, 0.0, 0.0)
        assert move.sample(0.0).position == start and move.sample(0.0).velocity == 0.0


def test_no_distance_takes_no_time() -> None:
    move = mk.ScurveProfile.plan(0.3, 0.3, LIMITS)
    assert move.duration == move.peak_velocity == move.peak_acceleration == 0.0
    for t in (-1.0, 0.0, 1.0):
        assert move.sample(t) == mk.MotionSample(0.3, 0.0, 0.0, 0.0)
    with pytest.raises(mk.InvalidLimits):
        mk.ScurveProfile.plan(0.3, 0.3, mk.MotionLimits())


def test_many_samples_have_the_bits_of_single_ones() -> None:
    """E6: below and above the size at which arrays take over, and across chunks."""
    move = mk.ScurveProfile.plan(-0.2, 1.1, mk.MotionLimits(1.7, 9.3, 71.0))
    rng = np.random.default_rng(2)
    for count in (0, 1, 5, 100, 5000):
        ts = np.concatenate([rng.uniform(-0.1, move.duration + 0.1, count), move.boundaries[: min(count, 8)]])
        many = move.sample_many(ts)
        assert many.position.shape == many.jerk.shape == ts.shape
        out = np.empty(4)
        for k in rng.choice(len(ts), min(len(ts), 300), replace=False).tolist():
            one = move.sample(ts[k])
            got = (many.position[k], many.velocity[k], many.acceleration[k], many.jerk[k])
            assert (
                np.array(got).tobytes() == np.array([one.position, one.velocity, one.acceleration, one.jerk]).tobytes()
            )
            assert move.sample(ts[k], out) is out
            assert out.tobytes() == np.array(got).tobytes()


def test_jerk_on_a_boundary_is_that_of_the_segment_that_begins() -> None:
    for start, goal in ((0.0, 2.0), (2.0, 0.0)):
        move = mk.ScurveProfile.plan(start, goal, LIMITS)
        j = math.copysign(40.0, goal - start)
        assert move.sample_many(move.boundaries).jerk.tolist() == [j, 0.0, -j, 0.0, -j, 0.0, j, 0.0]
        just_before = np.nextafter(move.boundaries[1:], 0.0)
        assert move.sample_many(just_before).jerk.tolist() == [j, 0.0, -j, 0.0, -j, 0.0, j]
    # without a plateau and a cruise the segments that are missing begin when the next one does
    short = mk.ScurveProfile.plan(0.0, 2.0, mk.MotionLimits(9, 8, 1))
    assert short.sample_many(short.boundaries).jerk.tolist() == [1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 0.0]


def test_durations_agree_with_ruckig() -> None:
    """Over limits of six decades; where ruckig refuses (it has absolute tolerances), nothing is compared."""
    compared, worst, worst_on_the_way = 0, 0.0, 0.0
    planner = ruckig.Ruckig(1)
    for start, goal, limits in random_moves(1500, 3):
        given = ruckig.InputParameter(1)
        given.current_position, given.target_position = [start], [goal]
        given.max_velocity, given.max_acceleration = [limits.max_velocity], [limits.max_acceleration]
        given.max_jerk = [limits.max_jerk]
        theirs = ruckig.Trajectory(1)
        if planner.calculate(given, theirs) not in (ruckig.Result.Working, ruckig.Result.Finished):
            continue
        compared += 1
        ours = mk.ScurveProfile.plan(start, goal, limits)
        worst = max(worst, abs(theirs.duration / ours.duration - 1.0))
        for share in (0.1, 0.3, 0.5, 0.8):
            error = theirs.at_time(share * ours.duration)[0][0] - ours.sample(share * ours.duration).position
            worst_on_the_way = max(worst_on_the_way, abs(error) / (abs(goal - start) + abs(start)))
    print(f"ruckig: {compared} compared, duration within {worst:.1e}, positions within {worst_on_the_way:.1e}")
    assert compared > 1200
    assert worst < 1e-9  # the requirement; ruckig's own tolerance is 1e-8 absolute in position
    assert worst_on_the_way < 1e-9


def test_limits_hold_at_every_sample_and_in_differences() -> None:
    for start, goal, limits in random_moves(150, 4):
        move = mk.ScurveProfile.plan(start, goal, limits)
        ts = np.sort(np.concatenate([np.linspace(-0.05, 1.05, 600) * move.duration, move.boundaries]))
        m = move.sample_many(ts)
        # every extremum lies on a boundary, and boundaries are among the samples: not by a bit above the limits
        assert np.abs(m.velocity).max() <= limits.max_velocity
        assert np.abs(m.acceleration).max() <= limits.max_acceleration
        assert np.abs(m.jerk).max() == limits.max_jerk
        assert np.abs(m.velocity).max() == pytest.approx(move.peak_velocity, rel=4 * EPS)
        assert np.abs(m.acceleration).max() == pytest.approx(move.peak_acceleration, rel=4 * EPS)
        steps = np.sign(goal - start) * np.diff(m.position)
        assert steps.min() >= 0.0
        # a difference of samples is a mean of the derivative; rounding of the samples is all that comes on top
        dt = np.diff(ts)
        keep = dt > 1e-6 * move.duration
        scale = max(abs(start), abs(goal)) * 4 * EPS
        assert (np.abs(np.diff(m.position)[keep]) <= limits.max_velocity * dt[keep] * (1 + 1e-9) + scale).all()
        assert (np.abs(np.diff(m.velocity)[keep]) <= limits.max_acceleration * dt[keep] * (1 + 1e-9)).all()
        # (an acceleration sample is off by the rounding of the times: jerk times eps * duration)
        slack = 8 * EPS * (limits.max_acceleration + limits.max_jerk * move.duration)
        assert (np.abs(np.diff(m.acceleration)[keep]) <= limits.max_jerk * dt[keep] * (1 + 1e-9) + slack).all()


def test_position_velocity_and_acceleration_are_continuous() -> None:
    """Also in the middle, where evaluation passes from the start to the goal."""
    for start, goal, limits in random_moves(300, 5):
        move = mk.ScurveProfile.plan(start, goal, limits)
        edges = np.concatenate([move.boundaries, [0.5 * move.duration]])
        before, after = move.sample_many(np.nextafter(edges, -np.inf)), move.sample_many(edges)
        step = 4 * EPS * move.duration  # times are rounded by half of that, and segments begin at rounded times
        assert np.abs(after.acceleration - before.acceleration).max() <= 2 * limits.max_jerk * step
        assert np.abs(after.velocity - before.velocity).max() <= 2 * (
            move.peak_acceleration * step + EPS * move.peak_velocity
        )
        size = abs(start) + abs(goal)
        assert np.abs(after.position - before.position).max() <= 2 * (move.peak_velocity * step + EPS * size)


def test_huge_and_tiny_moves() -> None:
    """Lengths from a nanometre to 1000 km: no absolute tolerance, no longest duration."""
    for length in (1e-12, 1e-9, 1e-6, 1e3, 1e6, 1e9):
        move = mk.ScurveProfile.plan(0.0, length, LIMITS)
        assert move.sample(0.5 * move.duration).position == pytest.approx(0.5 * length, rel=8 * EPS, abs=0.0)
    assert mk.ScurveProfile.plan(0.0, 1e6, mk.MotionLimits(1, 1, 1)).duration == 1e6 + 2.0


def test_a_range_that_rounds_is_still_met_at_both_ends() -> None:
    start, goal = 1e6, 1e-9  # goal - start is not a double
    move = mk.ScurveProfile.plan(start, goal, LIMITS)
    assert move.sample(0.0).position == start
    assert move.sample(move.duration).position == goal
    assert abs(move.sample(np.nextafter(move.duration, 0.0)).position - goal) < 1e-12


# ---- asymmetric limits and ranges
def test_negative_direction_has_its_own_velocity() -> None:
    limits = mk.MotionLimits(2, 8, 40, min_velocity=-1)
    assert mk.ScurveProfile.plan(0, 3, limits).peak_velocity == 2.0
    back = mk.ScurveProfile.plan(3, 0, limits)
    assert back.peak_velocity == 1.0
    assert back.sample(0.5 * back.duration).velocity == -1.0


def test_asymmetric_acceleration_is_refused_by_name() -> None:
    with pytest.raises(mk.InvalidLimits, match=r"min_acceleration -4\.0 is not -max_acceleration"):
        mk.ScurveProfile.plan(0, 1, mk.MotionLimits(2, 8, 40, min_acceleration=-4))
    mk.ScurveProfile.plan(0, 1, mk.MotionLimits(2, 8, 40, min_acceleration=-8))


@pytest.mark.parametrize(("start", "goal", "field", "value", "limit"), [
    (-1.5, 0.0, "min_position", -1.5, -1.0),
    (0.0, 1.25, "max_position", 1.25, 1.0),
])  # fmt: skip
def test_range_holds_at_both_ends(start: float, goal: float, field: str, value: float, limit: float) -> None:
    limits = mk.MotionLimits(2, 8, 40, min_position=-1, max_position=1)
    for ends in ((start, goal), (goal, start)):
        with pytest.raises(mk.JointLimitViolated, match=field) as caught:
            mk.ScurveProfile.plan(*ends, limits)
        assert (caught.value.value, caught.value.limit) == (value, limit)
    mk.ScurveProfile.plan(-1.0, 1.0, limits)


# ---- refusals
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, "x", None])
def test_not_finite_is_refused(bad: float) -> None:
    for ends in ((bad, 1.0), (0.0, bad)):
        with pytest.raises(mk.NotFinite, match=r"start|goal"):
            mk.ScurveProfile.plan(*ends, LIMITS)


def test_not_finite_times_are_refused() -> None:
    move = mk.ScurveProfile.plan(0, 1, LIMITS)
    for bad in (math.nan, math.inf, -math.inf):
        with pytest.raises(mk.NotFinite, match="time"):
            move.sample(bad)
        with pytest.raises(mk.NotFinite, match="index 1"):
            move.sample_many([0.0, bad])
    with pytest.raises(mk.WrongLength, match="times"):
        move.sample_many(0.5)
    with pytest.raises(mk.WrongLength, match="times"):
        move.sample_many([[0.1, 0.2]])


@pytest.mark.parametrize(
    "out", [np.empty(3), np.empty((4, 1)), np.empty(4, dtype=np.float32), np.empty(8)[::2], [0.0] * 4]
)
def test_wrong_out_is_refused(out: np.ndarray) -> None:
    with pytest.raises(mk.WrongLength, match=r"shape \(4,\)"):
        mk.ScurveProfile.plan(0, 1, LIMITS).sample(0.1, out)


def test_overflow_is_refused() -> None:
    with pytest.raises(mk.NotFinite, match="other units"):
        mk.ScurveProfile.plan(-1.7e308, 1.7e308, LIMITS)


def test_limits_of_another_kind_are_refused() -> None:
    with pytest.raises(mk.InvalidLimits, match="expected MotionLimits"):
        mk.ScurveProfile.plan(0, 1, (2.0, 8.0, 40.0))  # type: ignore[arg-type]


def test_profiles_are_values() -> None:
    move = mk.ScurveProfile.plan(0.0, 2.0, LIMITS)
    for twin in (pickle.loads(pickle.dumps(move)), copy.deepcopy(move), mk.ScurveProfile.plan(0, 2, LIMITS)):
        assert twin == move and hash(twin) == hash(move)
        assert twin.sample(0.7) == move.sample(0.7)
    assert move != mk.ScurveProfile.plan(0.0, 2.5, LIMITS)
    assert repr(move) == f"ScurveProfile(start=0.0, goal=2.0, limits={LIMITS!r}, duration=1.45)"
    with pytest.raises(AttributeError):
        move.duration = 1.0  # type: ignore[misc]
