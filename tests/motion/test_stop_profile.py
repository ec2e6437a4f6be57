"""Stopping one axis: figures, the peer, every kind of start, tables of many states."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest
import ruckig

import motionkit as mk
from motionkit.motion import stopping_distances

LIMITS = mk.MotionLimits(5, 8, 40)
EPS = 2.0**-52


def random_states(count: int, seed: int, beyond: float = 1.0) -> list[tuple[float, float, mk.MotionLimits]]:
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(count):
        a_max, jerk = 10.0 ** rng.uniform(-2.0, 3.0, 2)
        velocity = rng.normal() * 10.0 ** rng.uniform(-3.0, 2.0)
        rows.append((velocity, rng.uniform(-beyond, beyond) * a_max, mk.MotionLimits(1.0, a_max, jerk)))
    return rows


@pytest.mark.parametrize(("velocity", "acceleration", "distance", "peak"), [
    (1.5, 0.0, 0.2905, 1.5),
    (1.5, 8.0, 0.9673, 2.3),
    (0.05, -8.0, -0.199, -0.75),
])  # fmt: skip
def test_figures(velocity: float, acceleration: float, distance: float, peak: float) -> None:
    """E4: 0.2905 m; 0.9673 m, the speed rising to 2.3 m/s first; 0.199 m behind the start, having reached -0.75 m/s."""
    stop = mk.StopProfile.plan(mk.MotionState(0.0, velocity, acceleration), LIMITS)
    print(
        f"from {velocity} m/s, {acceleration} m/s^2: {stop.stopping_distance:.6f} m, peak {stop.peak_velocity:.4f} m/s"
    )
    assert stop.stopping_distance == pytest.approx(
        distance, abs=5e-4 if distance < 0 else 5e-5
    )  # as many digits as given
    assert stop.peak_velocity == pytest.approx(peak, rel=4 * EPS)
    assert stop.peak_speed == abs(stop.peak_velocity)
    end = stop.sample(stop.duration)
    assert end == mk.MotionSample(stop.stopping_distance, 0.0, 0.0, 0.0)
    sampled = stop.sample_many(np.linspace(0.0, stop.duration, 20001)).velocity
    assert np.abs(sampled).max() == pytest.approx(stop.peak_speed, rel=1e-6)  # quadratic at the peak, steps of 3e-5 s


def test_known_duration() -> None:
    stop = mk.StopProfile.plan(mk.MotionState(0.0, 1.0, 1.0), mk.MotionLimits(1, 2, 5))
    assert stop.duration == pytest.approx(1.15, rel=2 * EPS)
    assert stop.stopping_distance == pytest.approx(0.735833333, abs=1e-9)


def test_durations_and_distances_agree_with_ruckig() -> None:
    """Its velocity interface, over limits of five decades, where it does not refuse."""
    planner, compared, duration, distance = ruckig.Ruckig(1), 0, 0.0, 0.0
    for velocity, acceleration, limits in random_states(2000, 1):
        given = ruckig.InputParameter(1)
        given.control_interface = ruckig.ControlInterface.Velocity
        given.current_position, given.current_velocity = [0.0], [velocity]
        given.current_acceleration = [acceleration]
        given.target_velocity, given.target_acceleration = [0.0], [0.0]
        given.max_acceleration, given.max_jerk = [limits.max_acceleration], [limits.max_jerk]
        theirs = ruckig.Trajectory(1)
        if planner.calculate(given, theirs) not in (ruckig.Result.Working, ruckig.Result.Finished):
            continue
        compared += 1
        ours = mk.StopProfile.plan(mk.MotionState(0.0, velocity, acceleration), limits)
        duration = max(duration, abs(theirs.duration / ours.duration - 1.0))
        scale = (abs(velocity) + limits.max_acceleration * ours.duration) * ours.duration
        distance = max(distance, abs(theirs.at_time(theirs.duration)[0][0] - ours.stopping_distance) / scale)
    print(f"ruckig: {compared} compared, duration within {duration:.1e}, distance within {distance:.1e}")
    assert compared > 1500
    assert duration < 1e-9 and distance < 1e-9  # as required; both are in closed form


def test_samples_stay_within_limits_and_follow_their_own_derivatives() -> None:
    for velocity, acceleration, limits in random_states(150, 2, beyond=2.0):
        stop = mk.StopProfile.plan(mk.MotionState(0.3, velocity, acceleration), limits)
        ts = np.sort(np.concatenate([np.linspace(0.0, stop.duration, 400), stop.boundaries]))
        m = stop.sample_many(ts)
        # the acceleration never exceeds the limit, or what it was at the start
        assert np.abs(m.acceleration).max() <= max(limits.max_acceleration, abs(acceleration))
        assert np.abs(m.jerk).max() <= limits.max_jerk
        assert np.abs(m.velocity).max() <= stop.peak_speed * (1 + 4 * EPS)
        low, high = stop.position_extremes
        size = abs(m.position).max()
        assert m.position.min() >= low - 4 * EPS * size and m.position.max() <= high + 4 * EPS * size
        # position is the integral of velocity, velocity that of acceleration: Simpson's rule is exact for cubics within
        # a segment, so what remains is rounding
        middle = stop.sample_many(0.5 * (ts[1:] + ts[:-1]))
        dt = np.diff(ts)
        for value, rate, mid in (
            (m.position, m.velocity, middle.velocity),
            (m.velocity, m.acceleration, middle.acceleration),
        ):
            integral = dt / 6.0 * (rate[:-1] + 4.0 * mid + rate[1:])
            scale = np.abs(value).max() + np.abs(rate).max() * stop.duration
            assert np.abs(np.diff(value) - integral).max() <= 16 * EPS * scale


def test_limits_beyond_which_the_start_lies_are_returned_to_at_full_jerk() -> None:
    stop = mk.StopProfile.plan(mk.MotionState(0.0, 3.0, -12.0), LIMITS)
    assert stop.sample(0.0) == mk.MotionSample(0.0, 3.0, -12.0, 40.0)  # let off by 4 m/s^2 in 0.1 s, then hold -8
    assert stop.boundaries[1] == pytest.approx(0.1, rel=4 * EPS)
    assert stop.sample(0.1 + 1e-9).acceleration == -8.0
    assert stop.sample_many(np.linspace(0.1, stop.duration, 100)).acceleration.min() >= -8.0
    # and in the other direction: braking begins at once
    stop = mk.StopProfile.plan(mk.MotionState(0.0, 3.0, 12.0), LIMITS)
    assert stop.sample(0.0).jerk == -40.0 and stop.peak_speed == pytest.approx(3.0 + 144 / 80, rel=4 * EPS)


def test_acceleration_may_be_all_that_is_left() -> None:
    """Velocity and acceleration that cancel in one jerk segment; nothing moves; a tiny rest."""
    stop = mk.StopProfile.plan(mk.MotionState(1.0, 0.8, -8.0), LIMITS)
    assert stop.duration == pytest.approx(0.2, rel=4 * EPS) and stop.peak_speed == 0.8
    rest = mk.StopProfile.plan(mk.MotionState(1.0, 0.0, 0.0), LIMITS)
    assert rest.duration == rest.stopping_distance == rest.peak_speed == 0.0
    for t in (-1.0, 0.0, 1.0):
        assert rest.sample(t) == mk.MotionSample(1.0, 0.0, 0.0, 0.0)
    tiny = mk.StopProfile.plan(mk.MotionState(0.0, 1e-12, 0.0), LIMITS)
    assert tiny.stopping_distance == pytest.approx(1e-12**1.5 / 40**0.5, rel=8 * EPS, abs=0.0)


def test_mirrored_states_stop_mirrored() -> None:
    for velocity, acceleration, limits in random_states(200, 3, beyond=1.5):
        one = mk.StopProfile.plan(mk.MotionState(0.0, velocity, acceleration), limits)
        other = mk.StopProfile.plan(mk.MotionState(0.0, -velocity, -acceleration), limits)
        assert (one.duration, one.stopping_distance) == (other.duration, -other.stopping_distance)
        assert one.position_extremes == tuple(-x for x in reversed(other.position_extremes))


def test_sampling_outside_the_stop_is_exact() -> None:
    """E6: up to 0 the state the stop begins from, from the duration on rest at the end."""
    for velocity, acceleration, limits in random_states(100, 4, beyond=1.5):
        stop = mk.StopProfile.plan(mk.MotionState(0.7, velocity, acceleration), limits)
        assert stop.sample(0.0).state() == stop.state
        assert stop.sample(-1.0) == mk.MotionSample(0.7, velocity, acceleration, 0.0)
        end = mk.MotionSample(0.7 + stop.stopping_distance, 0.0, 0.0, 0.0)
        assert stop.sample(stop.duration) == stop.sample(1e9) == end


def test_many_samples_have_the_bits_of_single_ones() -> None:
    """E6."""
    stop = mk.StopProfile.plan(mk.MotionState(0.7, 0.05, -8.0), LIMITS)
    out = np.empty(4)
    for count in (0, 4, 200):
        ts = np.random.default_rng(count).uniform(-0.2, stop.duration + 0.2, count)
        many = stop.sample_many(ts)
        for k in range(count):
            got = np.array([many.position[k], many.velocity[k], many.acceleration[k], many.jerk[k]])
            assert stop.sample(ts[k], out) is out
            assert out.tobytes() == got.tobytes()


def test_jerk_on_a_boundary_is_that_of_the_segment_that_begins() -> None:
    stop = mk.StopProfile.plan(mk.MotionState(0.0, 2.0, 0.0), LIMITS)
    assert stop.boundaries.tolist() == pytest.approx([0.0, 0.2, 0.25, 0.45], rel=4 * EPS)
    assert stop.sample_many(stop.boundaries).jerk.tolist() == [-40.0, 0.0, 40.0, 0.0]


def test_braking_has_its_own_limit_forward_and_backward() -> None:
    limits = mk.MotionLimits(5, 8, 40, min_acceleration=-4)
    forward = mk.StopProfile.plan(mk.MotionState(0.0, 2.0, 0.0), limits)
    backward = mk.StopProfile.plan(mk.MotionState(0.0, -2.0, 0.0), limits)
    assert forward.stopping_distance == pytest.approx(2 * 4 / 80 + 4 / 8, rel=4 * EPS)
    assert backward.stopping_distance == pytest.approx(-0.45, rel=4 * EPS)


def test_velocity_limit_is_not_needed() -> None:
    limits = mk.MotionLimits(max_acceleration=8, max_jerk=40)
    stop = mk.StopProfile.plan(mk.MotionState(0.0, 2.0, 0.0), limits)
    assert stop.stopping_distance == pytest.approx(0.45, rel=4 * EPS)


def test_range_holds_on_the_whole_way() -> None:
    limits = mk.MotionLimits(5, 8, 40, min_position=-0.1, max_position=0.4)
    with pytest.raises(
        mk.JointLimitViolated, match=r"the stop takes the axis to 0\.45\d* is above max_position"
    ) as caught:
        mk.StopProfile.plan(mk.MotionState(0.0, 2.0, 0.0), limits)
    assert caught.value.limit == 0.4 and caught.value.value == pytest.approx(0.45, rel=4 * EPS)
    with pytest.raises(mk.JointLimitViolated, match="below min_position"):
        mk.StopProfile.plan(mk.MotionState(0.0, 0.05, -8.0), limits)
    with pytest.raises(mk.JointLimitViolated, match="start"):
        mk.StopProfile.plan(mk.MotionState(0.5, 0.0, 0.0), limits)
    # it turns round in front of its end: the turning point counts
    turning = mk.MotionState(0.0, -0.7, 8.0)
    low, _ = mk.StopProfile.plan(turning, LIMITS).position_extremes
    assert low < -0.03
    with pytest.raises(mk.JointLimitViolated, match="below min_position"):
        mk.StopProfile.plan(turning, mk.MotionLimits(5, 8, 40, min_position=0.9 * low))
    mk.StopProfile.plan(turning, mk.MotionLimits(5, 8, 40, min_position=1.1 * low))


# ---- many states
def test_tables_have_the_bits_of_single_stops() -> None:
    rng = np.random.default_rng(5)
    velocities = rng.normal(size=(30, 20))
    accelerations = rng.uniform(-12.0, 12.0, (30, 20))
    limits, jerks = 8.0, 10.0 ** rng.uniform(0.0, 2.0, 20)
    distances, durations = stopping_distances(velocities, accelerations, limits, jerks)
    assert distances.shape == durations.shape == (30, 20)
    for i in range(30):
        for k in range(0, 20, 3):
            state = mk.MotionState(0.0, velocities[i, k], accelerations[i, k])
            one = mk.StopProfile.plan(state, mk.MotionLimits(1.0, limits, jerks[k]))
            assert (distances[i, k], durations[i, k]) == (one.stopping_distance, one.duration)


def test_tables_refuse_what_does_not_fit() -> None:
    with pytest.raises(mk.WrongLength, match="shapes"):
        stopping_distances([1.0, 2.0], [1.0, 2.0, 3.0], 8.0, 40.0)
    with pytest.raises(mk.NotFinite, match=r"velocities, got nan at index 1"):
        stopping_distances([1.0, math.nan], 0.0, 8.0, 40.0)
    for bad in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(mk.InvalidLimits, match="max_jerk"):
            stopping_distances([1.0], 0.0, 8.0, bad)
    assert stopping_distances([], [], 8.0, 40.0)[0].shape == (0,)
    assert stopping_distances(2.0, 0.0, 8.0, 40.0)[0] == pytest.approx(0.45, rel=4 * EPS)


# ---- refusals and values
@pytest.mark.parametrize("bad", [math.nan, math.inf, None])
@pytest.mark.parametrize("field", ["position", "velocity", "acceleration"])
def test_states_that_are_not_finite_are_refused(field: str, bad: float) -> None:
    state = mk.MotionState(**({"position": 0.0, "velocity": 1.0, "acceleration": 0.0} | {field: bad}))
    with pytest.raises(mk.NotFinite, match=field):
        mk.StopProfile.plan(state, LIMITS)


def test_unset_limits_and_wrong_calls_are_refused() -> None:
    state = mk.MotionState(0.0, 1.0, 0.0)
    for limits, field in ((mk.MotionLimits(), "max_acceleration"), (mk.MotionLimits(2, 8), "max_jerk")):
        with pytest.raises(mk.InvalidLimits, match=field):
            mk.StopProfile.plan(state, limits)
    with pytest.raises(mk.InvalidLimits, match="max_velocity is nan"):
        mk.StopProfile.plan(state, mk.MotionLimits(math.nan, 8, 40))
    with pytest.raises(mk.NotFinite, match="other units"):
        mk.StopProfile.plan(mk.MotionState(0.0, 1e300, 0.0), mk.MotionLimits(1, 1e-300, 1))
    stop = mk.StopProfile.plan(state, LIMITS)
    with pytest.raises(mk.NotFinite):
        stop.sample(math.nan)
    with pytest.raises(mk.WrongLength):
        stop.sample(0.0, np.empty(3))


def test_stops_are_values() -> None:
    stop = mk.StopProfile.plan(mk.MotionState(0.0, 1.5, 8.0), LIMITS)
    for twin in (pickle.loads(pickle.dumps(stop)), copy.deepcopy(stop)):
        assert twin == stop and hash(twin) == hash(stop) and twin.sample(0.1) == stop.sample(0.1)
    assert stop != mk.StopProfile.plan(mk.MotionState(0.0, 1.5, 7.0), LIMITS)
    assert "stopping_distance=0.967" in repr(stop) and "_model" not in repr(stop)
