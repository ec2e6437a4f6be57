"""Axes in step told to stop: they stay on their line, within every limit, and rest sooner than the move would."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import motionkit as mk

LIMITS = [mk.MotionLimits(2.0, 8.0, 40.0), mk.MotionLimits(1.0, 3.0, 50.0), mk.MotionLimits(3.0, 9.0, 20.0)]
MOVE = mk.SynchronizedTrajectory.plan([0.1, -1.0, 2.0], [1.7, 0.2, 1.1], LIMITS)
TRAVEL = np.array([1.6, 1.2, -0.9])


def off_line(positions: np.ndarray) -> float:
    """Largest distance of rows of positions from the straight line through start and goal."""
    along = TRAVEL / np.linalg.norm(TRAVEL)
    away = positions - np.array([0.1, -1.0, 2.0])
    return float(np.abs(away - np.outer(away @ along, along)).max())


@pytest.mark.parametrize("share", np.linspace(0.0, 1.0, 21))
def test_the_stop_goes_on_from_the_move_stays_on_its_line_and_within_its_limits(share: float) -> None:
    t = share * MOVE.duration
    stop, before = MOVE.stop(t), MOVE.sample(t)
    first = stop.sample(0.0)
    for name in ("position", "velocity", "acceleration"):
        # the same number by way of the path parameter: a product more
        assert np.allclose(getattr(first, name), getattr(before, name), rtol=1e-14, atol=1e-14)
    path = stop.sample_many(np.linspace(0.0, stop.duration, 2001))
    assert off_line(path.position) < 1e-15
    for value, limit in (
        (path.acceleration, "max_acceleration"),
        (path.jerk, "max_jerk"),
        (path.velocity, "max_velocity"),
    ):
        bound = np.array([getattr(x, limit) for x in LIMITS])
        assert np.all(np.abs(value) <= bound * (1 + 1e-14))
    last = stop.sample(stop.duration)
    assert not last.velocity.any()
    assert not last.acceleration.any()
    assert np.allclose(last.position - first.position, stop.stopping_distances, rtol=0, atol=1e-15)
    assert np.array_equal(last.position, stop.positions)
    # never later nor further than the move itself comes to rest
    assert t + stop.duration <= MOVE.duration * (1 + 1e-14)
    assert np.all((MOVE.goal - stop.positions) * np.sign(TRAVEL) >= -1e-14)


def test_axes_stopped_one_by_one_leave_the_line() -> None:
    """The control: each at its own limits, centimetres beside it."""
    states = MOVE.states(0.6)
    alone = [mk.StopProfile.plan(state, limits) for state, limits in zip(states, LIMITS, strict=True)]
    times = np.linspace(0.0, max(s.duration for s in alone), 500)
    apart = off_line(np.stack([s.sample_many(times).position for s in alone], axis=1))
    together = off_line(MOVE.stop(0.6).sample_many(times).position)
    print(f"stopped one by one {1e3 * apart:.1f} mm beside the line, in step {together:.1e} m")
    assert apart > 0.005
    assert together < 1e-15


def test_a_reaction_time_is_spent_on_the_plan() -> None:
    late = MOVE.stop(0.3, reaction_time=0.2)
    assert late == MOVE.stop(0.5)
    assert (late.time, late != MOVE.stop(0.3)) == (0.5, True)
    with pytest.raises(mk.InvalidLimits, match="reaction_time"):
        MOVE.stop(0.3, reaction_time=-0.1)


def test_before_the_move_and_after_it_there_is_nothing_to_stop() -> None:
    for t in (-1.0, 0.0, MOVE.duration, 99.0):
        stop = MOVE.stop(t)
        assert stop.duration == 0.0
        assert not stop.stopping_distances.any()
    still = mk.SynchronizedTrajectory.plan([1.0, 2.0], [1.0, 2.0], LIMITS[:2]).stop(0.1)
    assert still.positions.tolist() == [1.0, 2.0]


def test_an_axis_that_stands_still_stays_where_it_is() -> None:
    move = mk.SynchronizedTrajectory.plan([0.0, 5.0], [1.0, 5.0], [LIMITS[0], mk.MotionLimits()])
    path = move.stop(0.4).sample_many(np.linspace(0, 1, 50))
    assert np.all(path.position[:, 1] == 5.0)
    assert not path.velocity[:, 1].any()


def test_samples_in_bulk_and_one_by_one_have_the_same_bits() -> None:
    stop, out = MOVE.stop(0.7), np.empty((4, 3))
    times = np.linspace(-0.1, stop.duration + 0.1, 40)
    bulk = stop.sample_many(times)
    for k, t in enumerate(times):
        one = stop.sample(t)
        assert stop.sample(t, out=out) is out
        for row, name in zip(out, ("position", "velocity", "acceleration", "jerk"), strict=True):
            assert np.array_equal(getattr(one, name), getattr(bulk, name)[k])
            assert np.array_equal(row, getattr(one, name))


def test_what_is_wrong_is_said() -> None:
    stop = MOVE.stop(0.7)
    for call in (lambda: MOVE.stop(np.nan), lambda: stop.sample(np.inf), lambda: stop.sample_many([np.nan])):
        with pytest.raises(mk.NotFinite):
            call()
    with pytest.raises(mk.WrongLength):
        stop.sample(0.1, out=np.empty((4, 2)))
    assert pickle.loads(pickle.dumps(stop)) == stop
    assert hash(stop) == hash(MOVE.stop(0.7))
