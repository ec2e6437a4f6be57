"""A least duration by cruising slowly: as long as asked, accelerations as ever, the velocity as low as it can be."""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk

LIMITS = mk.MotionLimits(1, 2, 5)
REST, THERE = mk.MotionState(0.0, 0.0, 0.0), mk.MotionState(1.0, 0.0, 0.0)


@pytest.mark.parametrize("duration", [1.96, 2.5, 10.0, 5000.0])
def test_rest_to_rest(duration: float) -> None:
    """The oracle is the fastest motion under that velocity as its limit: the same motion."""
    slow = mk.OnlineTrajectory.plan(REST, THERE, LIMITS, min_duration=duration, slower="cruise")
    top = float(slow.velocity_extrema[1][0])
    other = mk.OnlineTrajectory.plan(REST, THERE, mk.MotionLimits(top, 2, 5))
    assert slow.duration == duration and slow.sample(duration).position[0] == 1.0
    # a limit is known to its last bit, and the duration follows it by d/v^2
    assert other.duration == pytest.approx(duration, rel=1e-9)
    times = np.linspace(0.0, duration, 201)
    assert np.abs(slow.sample_many(times).position - other.sample_many(times).position).max() < 1e-8
    gentler = mk.OnlineTrajectory.plan(REST, THERE, LIMITS, min_duration=duration)
    assert top < gentler.velocity_extrema[1][0] and slow.acceleration_extrema[1] > gentler.acceleration_extrema[1]


@pytest.mark.parametrize("synchronize", ["none", "time", "line"])
def test_several_axes(synchronize: str) -> None:
    start, goal = [[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [0.2, 0, 0]]
    slow = mk.OnlineTrajectory.plan(start, goal, [[1, 2, 5]] * 2, synchronize, 6.0, "cruise")  # type: ignore[arg-type]
    assert slow.durations.tolist() == [6.0, 6.0]
    speeds = np.maximum(slow.velocity_extrema[1], -slow.velocity_extrema[0])
    # way / time is the least there can be; speeding up and braking take v/a + a/j of it at most
    assert (speeds > np.array([1.0, 0.8]) / 6.0).all() and (speeds < np.array([1.0, 0.8]) / 5.2).all()
    assert np.array_equal(slow.sample(6.0).position, [1.0, 0.2])


def test_states_in_motion() -> None:
    rng = np.random.default_rng(1)
    for current, target in zip(*(rng.uniform(-1, 1, (2, 60, 2, 3)) * [1.0, 0.6, 1.2]), strict=True):
        target[:, 1:] *= 0.05
        limits = np.array([[1.0, 2.0, 5.0], [1.5, 3.0, 20.0]])
        quick = mk.OnlineTrajectory.plan(current, target, limits)
        wanted = 1.3 * quick.duration
        try:
            slow = mk.OnlineTrajectory.plan(current, target, limits, min_duration=wanted, slower="cruise")
        except mk.InvalidLimits as error:
            assert "the target moves with" in str(error)
            continue
        assert slow.duration >= wanted * (1 - 1e-12)
        ends = slow.sample(slow.duration)
        # positions of at most 1 are met to a few roundings
        assert np.abs(np.column_stack([ends.position, ends.velocity, ends.acceleration]) - target).max() < 1e-13
        assert slow.unavoidable_violation == quick.unavoidable_violation
        sample = slow.sample_many(np.linspace(0.0, slow.duration, 301))
        inside = np.linspace(0.0, slow.duration, 301) >= max((v.until for v in slow.unavoidable_violation), default=0.0)
        assert (np.abs(sample.velocity[inside]) <= limits[:, 0] * (1 + 1e-9)).all()
        assert (np.abs(sample.jerk) <= limits[:, 2] * (1 + 1e-9)).all()


def test_what_is_long_enough_is_left_as_it_is() -> None:
    quick = mk.OnlineTrajectory.plan(REST, THERE, LIMITS)
    slow = mk.OnlineTrajectory.plan(REST, THERE, LIMITS, min_duration=1.0, slower="cruise")
    assert slow.duration == quick.duration and slow.velocity_extrema[1] == quick.velocity_extrema[1]


def test_a_target_in_motion_bounds_how_slow_it_can_be() -> None:
    moving = mk.MotionState(1.0, 0.3, 0.0)
    with pytest.raises(mk.InvalidLimits, match=r"moves with 0\.3, and a cruise at that velocity takes 3\.578"):
        mk.OnlineTrajectory.plan(REST, moving, LIMITS, min_duration=60.0, slower="cruise")
    assert mk.OnlineTrajectory.plan(REST, moving, LIMITS, min_duration=60.0).duration >= 60.0


def test_a_way_that_there_is_not() -> None:
    with pytest.raises(mk.UnknownName, match="did you mean 'cruise'"):
        mk.OnlineTrajectory.plan(REST, THERE, LIMITS, min_duration=3.0, slower="cruising")  # type: ignore[arg-type]
