"""OnlineTrajectory: several axes, lines, refusals, samples, and what every result of the package is."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import motionkit as mk
from online_problems import judge, random_problems, ruckig_durations

LIMITS = mk.MotionLimits(2, 8, 40)
HOME, AWAY = mk.MotionState(0.0, 0.0, 0.0), mk.MotionState(2.0, 0.0, 0.0)


def axes_limits(problem: np.ndarray) -> list[mk.MotionLimits]:
    rows = problem[:, 6:11].tolist()
    return [mk.MotionLimits(v, a, j, min_velocity=-w, min_acceleration=-b) for v, w, a, b, j in rows]


def plan(problem: np.ndarray, synchronize: str = "time") -> mk.OnlineTrajectory:
    return mk.OnlineTrajectory.plan(problem[:, :3], problem[:, 3:6], axes_limits(problem), synchronize)  # pyright: ignore[reportArgumentType]


def test_random_axes_arrive_together_within_limits_and_not_later_than_with_ruckig() -> None:
    problems = random_problems(6 * 150, 41, 2.0).reshape(150, 6, 12)
    theirs = ruckig_durations(problems)
    worst = 0.0
    for problem, their in zip(problems, theirs.tolist(), strict=True):
        move = plan(problem)
        models = np.asarray(move.kernel_model.array).reshape(6, -1)
        worst = max(worst, *(float(v.max()) for v in judge(problem, models).values()))
        assert move.duration <= their * (1.0 + 1e-9)
        end = move.sample(move.duration)
        assert (np.stack([end.position, end.velocity, end.acceleration], axis=1) == problem[:, 3:6]).all()
    print("worst jump or excess:", worst)
    assert worst < 1e-12


def test_rest_to_rest_is_the_profile_of_textbooks() -> None:
    move = mk.OnlineTrajectory.plan(HOME, AWAY, LIMITS)
    profile = mk.ScurveProfile.plan(0.0, 2.0, LIMITS)
    assert move.duration == pytest.approx(profile.duration, rel=1e-15)
    times = np.linspace(-0.1, 1.6, 97)
    mine, other = move.sample_many(times), profile.sample_many(times)
    for name in ("position", "velocity", "acceleration"):
        np.testing.assert_allclose(getattr(mine, name)[:, 0], getattr(other, name), rtol=0, atol=1e-13)


def test_not_synchronised_each_axis_arrives_when_it_can() -> None:
    problem = random_problems(3, 42, 1.0)
    move = plan(problem, "none")
    alone = [plan(problem[i : i + 1]).duration for i in range(3)]
    assert move.durations.tolist() == alone and move.duration == max(alone)
    assert (plan(problem).durations == plan(problem).duration).all()


def test_the_ways_to_give_states_and_limits_agree() -> None:
    states = [mk.MotionState(0.0, 0.5, 0.0), mk.MotionState(1.0, 0.0, -1.0)]
    goals = [mk.MotionState(1.0, 0.0, 0.0), mk.MotionState(0.0, 0.5, 0.0)]
    limits = [LIMITS, LIMITS]
    first = mk.OnlineTrajectory.plan(states, goals, limits)
    packed = mk.OnlineTrajectory.plan([[0, 0.5, 0], [1, 0, -1]], [[1, 0, 0], [0, 0.5, 0]], [[2, 8, 40]] * 2)
    arrays = mk.OnlineTrajectory.plan(
        mk.MotionState(np.array([0.0, 1.0]), np.array([0.5, 0.0]), np.array([0.0, -1.0])), goals, limits
    )
    assert first == packed == arrays and hash(first) == hash(packed)
    assert first.current == tuple(states) and first.target == tuple(goals) and len(first) == 2


def test_samples_one_at_a_time_and_many_have_the_same_bits() -> None:
    for synchronize in ("time", "none", "line"):
        start = [[0.0, 0.2, 0.1], [0.0, 0.1, 0.05]]
        move = mk.OnlineTrajectory.plan(start, [[2, 0, 0], [1, 0, 0]], [[2, 8, 40]] * 2, synchronize)  # pyright: ignore[reportArgumentType]
        times = np.linspace(-0.1, move.duration + 0.1, 50)
        many = move.sample_many(times)
        out = np.empty((4, 2))
        for k, t in enumerate(times.tolist()):
            one = move.sample(t)
            assert move.sample(t, out=out) is out
            for row, name in enumerate(("position", "velocity", "acceleration", "jerk")):
                assert (getattr(one, name) == getattr(many, name)[k]).all() and (out[row] == getattr(one, name)).all()


def test_before_and_after_it_is_exactly_the_two_states() -> None:
    move = mk.OnlineTrajectory.plan(mk.MotionState(0.1, 0.7, -0.3), mk.MotionState(1.1, -0.2, 0.4), LIMITS)
    for t, expected in (
        (-1.0, (0.1, 0.7, -0.3, 0.0)),
        (move.duration, (1.1, -0.2, 0.4, 0.0)),
        (99.0, (1.1, -0.2, 0.4, 0.0)),
    ):
        sample = move.sample(t)
        assert (sample.position[0], sample.velocity[0], sample.acceleration[0], sample.jerk[0]) == expected
    first = move.sample(0.0)
    assert (first.position[0], first.velocity[0]) == (0.1, 0.7) and abs(first.jerk[0]) == 40.0


def test_moving_along_a_line_starts_and_ends_in_motion() -> None:
    travel = np.array([2.0, -1.0, 0.5])
    start = np.column_stack([np.ones(3), 0.3 * travel, 0.5 * travel])
    goal = np.column_stack([1.0 + travel, 0.2 * travel, 0.0 * travel])
    limits = [
        mk.MotionLimits(2, 8, 40, min_velocity=-1, min_acceleration=-5),
        mk.MotionLimits(1.5, 6, 30, min_velocity=-0.8, min_acceleration=-3),
        LIMITS,
    ]
    move = mk.OnlineTrajectory.plan(start, goal, limits, "line")
    sample = move.sample_many(np.linspace(0.0, move.duration, 2001))
    s = (sample.position[:, 0] - 1.0) / travel[0]
    assert np.abs(sample.position - 1.0 - s[:, None] * travel).max() < 1e-15
    for values, name in ((sample.velocity, "velocity"), (sample.acceleration, "acceleration"), (sample.jerk, "jerk")):
        for i, axis in enumerate(limits):
            high = getattr(axis, f"max_{name}")
            low = getattr(axis, f"min_{name}", None)
            assert values[:, i].max() <= high * (1 + 1e-12) and values[:, i].min() >= (low or -high) * (1 + 1e-12)
    assert move.line_price >= 1.0
    low, high = move.position_extrema
    assert (sample.position.min(0) >= low - 1e-12).all() and (sample.position.max(0) <= high + 1e-12).all()


def test_a_start_off_the_line_is_refused() -> None:
    limits = [[2, 8, 40]] * 2
    with pytest.raises(mk.OffLine, match=r"the current velocity does not point along the line: axis 1 has 0\.5"):
        mk.OnlineTrajectory.plan([[0, 0.2, 0], [0, 0.5, 0]], [[1, 0, 0], [1, 0, 0]], limits, "line")
    with pytest.raises(mk.OffLine, match="the target's acceleration"):
        mk.OnlineTrajectory.plan([[0, 0, 0], [0, 0, 0]], [[1, 0, 0.5], [1, 0, 0.1]], limits, "line")


def test_a_line_of_no_length_follows_the_motion() -> None:
    limits = [[2, 8, 40]] * 2
    still = mk.OnlineTrajectory.plan([[1, 0, 0], [2, 0, 0]], [[1, 0, 0], [2, 0, 0]], limits, "line")
    assert still.duration == 0.0 and still.line_price == 1.0
    back = mk.OnlineTrajectory.plan([[0, 0.4, 0], [0, 0.2, 0]], [[0, 0, 0], [0, 0, 0]], limits, "line")
    positions = back.sample_many(np.linspace(0, back.duration, 50)).position
    assert back.duration > 0.0 and np.abs(positions[:, 0] - 2.0 * positions[:, 1]).max() < 1e-16


def test_planning_again_from_the_way_goes_on_as_planned() -> None:
    problem = random_problems(4, 43, 1.0)
    for synchronize in ("time", "none"):
        move = plan(problem, synchronize)
        for share in (0.1, 0.4, 0.8, 1.0):
            t = share * move.durations.min()
            again = move.replan(t)
            assert again.duration <= (move.duration - t) * (1.0 + 1e-9) + 1e-12
            assert again.target == move.target


@pytest.mark.parametrize("axes", [1, 3])
def test_planned_again_every_cycle_it_arrives_when_the_first_plan_said(axes: int) -> None:
    """Also where the target moves and accelerates, when a state that is rounded cannot reach it without a loop."""
    for seed in range(12):
        problem = random_problems(axes, 1000 + seed, 0.5)
        move = plan(problem)
        total, passed = move.duration, 0.0
        cycle = total / 50.3
        for _ in range(49):
            move = move.replan(cycle)
            passed += cycle
            assert abs((move.duration + passed) / total - 1.0) < 1e-6, (seed, passed)
        end = move.sample(move.duration)
        assert (end.position == problem[:, 3]).all() and (end.velocity == problem[:, 4]).all()


def test_control_planned_anew_from_samples_it_may_arrive_much_later() -> None:
    late = 0
    for seed in range(12):
        problem = random_problems(1, 1000 + seed, 0.5)
        move = plan(problem)
        total, cycle, passed = move.duration, move.duration / 50.3, 0.0
        for _ in range(49):
            move = mk.OnlineTrajectory.plan(move.states(cycle), move.target, axes_limits(problem))
            passed += cycle
        late += move.duration + passed > 1.1 * total
    assert late > 0


def test_what_is_left_keeps_position_limits_and_states() -> None:
    limits = mk.MotionLimits(1, 2, 5, max_position=1.0)
    move = mk.OnlineTrajectory.plan(mk.MotionState(0, 0, 0), mk.MotionState(1.0, 0, 0), limits)
    for _ in range(20):
        before = move.sample(0.09)
        move = move.replan(0.09)
        after = move.sample(0.0)
        assert before.position == after.position and before.velocity == after.velocity
        assert move.position_extrema[1][0] <= 1.0
    assert move.replan(0.01, mk.MotionLimits(0.5, 2, 5)).sample(9.0).position[0] == 1.0


def test_velocity_interface_is_the_quickest_change() -> None:
    stop = mk.OnlineTrajectory.to_velocity(mk.MotionState(1.0, 1.5, 8.0), 0.0, LIMITS)
    expected = mk.StopProfile.plan(mk.MotionState(1.0, 1.5, 8.0), mk.MotionLimits(2, 8, 40))
    # 1.5 m/s at 8 m/s^2 exceeds 2 m/s whatever is done; both take the same way
    assert stop.duration == pytest.approx(expected.duration, rel=1e-12)
    assert stop.sample(9.0).position[0] == pytest.approx(1.0 + expected.stopping_distance, rel=1e-12)
    both = mk.OnlineTrajectory.to_velocity([[0, 0, 0], [0, 1, 0]], [1.0, -1.0], [[2, 8, 40]] * 2, 0.5)
    end = both.sample(both.duration)
    assert end.velocity.tolist() == [1.0, -1.0] and end.acceleration.tolist() == [0.5, 0.5]


def test_a_stop_that_is_asked_for_as_a_target_is_the_stop() -> None:
    state = mk.MotionState(0.0, 1.0, 2.0)
    stop = mk.StopProfile.plan(state, LIMITS)
    move = mk.OnlineTrajectory.plan(state, mk.MotionState(stop.stopping_distance, 0.0, 0.0), LIMITS)
    assert move.duration == pytest.approx(stop.duration, rel=1e-9)


def test_results_are_values() -> None:
    move = mk.OnlineTrajectory.plan([[0, 0.2, 0], [0, 0.1, 0]], [[2, 0, 0], [1, 0, 0]], [[2, 8, 40]] * 2, "line")
    for other in (pickle.loads(pickle.dumps(move)), copy.deepcopy(move), copy.copy(move)):
        assert other == move and hash(other) == hash(move)
        assert (other.sample(0.3).position == move.sample(0.3).position).all()
    assert move != mk.OnlineTrajectory.plan(HOME, AWAY, LIMITS) and move != 1
    assert "OnlineTrajectory(synchronize='line', duration=" in repr(move)
    with pytest.raises(AttributeError):
        move.duration = 1.0  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(ValueError, match="read-only"):
        move.durations[0] = 1.0


@pytest.mark.parametrize(
    ("error", "message", "arguments"),
    [
        (mk.UnknownName, "did you mean 'line'", (HOME, AWAY, LIMITS, "lines")),
        (mk.InvalidLimits, "min_duration is -1.0", (HOME, AWAY, LIMITS, "time", -1.0)),
        (mk.NotFinite, "min_duration", (HOME, AWAY, LIMITS, "time", float("nan"))),
        (mk.NotFinite, "axis 0: expected a finite number as velocity of target", (HOME, [[0, np.nan, 0]], LIMITS)),
        (mk.WrongLength, "expected 1 target states", (HOME, [AWAY, AWAY], LIMITS)),
        (mk.WrongLength, "expected limits of 2 axes, got 1", ([HOME, HOME], [AWAY, AWAY], [LIMITS])),
        (mk.WrongLength, "an array .1, 3. of velocity", (HOME, AWAY, [[1.0, 2.0]])),
        (mk.WrongLength, "as current", ("x", AWAY, LIMITS)),
        (mk.WrongLength, "as target", (HOME, [1.0, 2.0, 3.0], LIMITS)),
        (mk.InvalidLimits, "axis 0: max_jerk is 0.0", (HOME, AWAY, [[1.0, 2.0, 0.0]])),
        (mk.InvalidLimits, "axis 0: max_jerk is -3.0", (HOME, AWAY, [[1.0, 2.0, -3.0]])),
        (mk.InvalidLimits, "axis 0: max_velocity is -1.0", (HOME, AWAY, [[-1.0, 2.0, -3.0]])),
        (mk.InvalidLimits, "axis 0: max_velocity is -1.0", (HOME, AWAY, [[-1.0, 2.0, 3.0]])),
        (mk.InvalidLimits, "axis 0: max_acceleration is nan", (HOME, AWAY, [[1.0, np.nan, 3.0]])),
        (mk.InvalidLimits, "axis 0: max_velocity is inf", (HOME, AWAY, [[np.inf, 1.0, 3.0]])),
        (mk.InvalidLimits, "axis 0: min_velocity is 1.0", (HOME, AWAY, mk.MotionLimits(1, 2, 3, min_velocity=1))),
        (mk.NotFinite, "leaves the range|too large", (HOME, mk.MotionState(1e300, 0, 0), mk.MotionLimits(1, 1, 1e200))),
    ],
)
def test_what_makes_no_sense_is_refused(error: type[Exception], message: str, arguments: tuple[object, ...]) -> None:
    with pytest.raises(error, match=message):
        mk.OnlineTrajectory.plan(*arguments)  # pyright: ignore[reportArgumentType]


def test_samples_are_refused_where_they_make_no_sense() -> None:
    move = mk.OnlineTrajectory.plan(HOME, AWAY, LIMITS)
    with pytest.raises(mk.NotFinite, match="finite time"):
        move.sample(float("inf"))
    with pytest.raises(mk.WrongLength, match="shape"):
        move.sample(0.1, np.empty(4))
    with pytest.raises(mk.NotFinite, match="index 1"):
        move.sample_many([0.0, np.nan])
