"""Several axes in step: the line is exact, the binding axis runs at its limit, and what is refused."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
import ruckig

import motionkit as mk

EPS = 2.0**-52


def random_moves(count: int, seed: int, n: int = 6) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    moves = []
    for _ in range(count):
        start, goal = rng.uniform(-3.0, 3.0, (2, n))
        still = rng.random(n) < 0.15
        goal[still] = start[still]
        moves.append((start, goal, 10.0 ** rng.uniform(-1.0, 2.0, (n, 3))))
    return moves


def off_line(start: np.ndarray, goal: np.ndarray, positions: np.ndarray) -> float:
    """Largest distance of points (T, n) from the line through start and goal, exact but for the last root."""
    a = [Fraction(x) for x in start.tolist()]
    u = [Fraction(y) - x for y, x in zip(goal.tolist(), a, strict=True)]
    uu = sum(c * c for c in u)
    worst = Fraction(0)
    for row in positions.tolist():
        r = [Fraction(y) - x for y, x in zip(row, a, strict=True)]
        along = sum(c * d for c, d in zip(r, u, strict=True))
        worst = max(worst, sum(c * c for c in r) - along * along / uu)
    return math.sqrt(worst)


def test_line_is_exact_where_stretched_profiles_leave_it() -> None:
    """E3: off the joint-space line by about 1e-16; profiles planned per axis and stretched leave it by centimetres.

    Two axes of 1.0 and 0.6 m, one with little velocity and much jerk: their profiles have different shapes, and
    stretching them to a common duration (here they have one already) does not change that.
    """
    start, goal = np.array([0.0, 0.0]), np.array([1.0, 0.6])
    limits = [mk.MotionLimits(2, 8, 40), mk.MotionLimits(0.8, 8, 80)]
    move = mk.SynchronizedTrajectory.plan(start, goal, limits)
    share = np.linspace(0.0, 1.0, 401)
    ours = off_line(start, goal, move.sample_many(share * move.duration).position)
    alone = [mk.ScurveProfile.plan(a, b, axis) for a, b, axis in zip(start, goal, limits, strict=True)]
    stretched = np.column_stack([p.sample_many(share * p.duration).position for p in alone])
    control = off_line(start, goal, stretched)
    print(f"off the line: {ours:.2e} m in step, {control * 1e3:.1f} mm per axis and stretched")
    assert ours < 2e-16  # positions below 1 are rounded by 1.1e-16 at most an axis, half of it across the line
    assert 0.045 < control < 0.055
    worst = 0.0
    for a, b, table in random_moves(40, 1):
        along = mk.SynchronizedTrajectory.plan(a, b, table)
        worst = max(worst, off_line(a, b, along.sample_many(np.linspace(0.0, along.duration, 50)).position))
    print(f"off the line, six axes within 3 rad: worst {worst:.2e}")
    assert worst < 4 * EPS  # six axes, each rounded by at most 2.2e-16 when added and as much when multiplied


def test_ruckig_in_phase_leaves_the_line_on_a_known_case() -> None:
    """The control with a peer: asked for the straight line, it answers with another motion and says so nowhere."""
    start = np.array([1.54895, 0.489029, -1.21306, 3.20465, -1.83886, 2.43109])
    goal = np.array([-1.72593, 3.0917, 0.991633, 0.558518, 1.1474, -2.96836])
    table = np.array([[2, 2, 2.6, 3.14, 3.14, 3.14], [6, 6, 8, 10, 10, 10], [70, 60, 80, 100, 100, 100]])
    ours = mk.SynchronizedTrajectory.plan(start, goal, table.T)
    given = ruckig.InputParameter(6)
    given.current_position, given.target_position = start.tolist(), goal.tolist()
    given.max_velocity, given.max_acceleration, given.max_jerk = table.tolist()
    given.synchronization = ruckig.Synchronization.Phase
    theirs = ruckig.Trajectory(6)
    ruckig.Ruckig(6).calculate(given, theirs)
    their_points = np.array([theirs.at_time(t)[0] for t in np.linspace(0.0, theirs.duration, 300)])
    our_points = ours.sample_many(np.linspace(0.0, ours.duration, 300)).position
    print(f"ruckig: {theirs.duration:.6f} s, {off_line(start, goal, their_points):.4f} rad off the line")
    print(f"ours:   {ours.duration:.6f} s, {off_line(start, goal, our_points):.1e} rad off the line")
    assert ours.duration == pytest.approx(2.135908, abs=1e-6)
    assert off_line(start, goal, our_points) < 4 * EPS
    assert off_line(start, goal, their_points) > 0.1


def test_binding_axis_runs_at_its_limit_and_no_axis_above() -> None:
    """E3: each limit that the motion reaches is met by the axis that is named, within one step of a double."""
    counts = np.zeros(3, dtype=int)
    for start, goal, table in random_moves(300, 2):
        move = mk.SynchronizedTrajectory.plan(start, goal, table)
        ts = np.sort(np.concatenate([np.linspace(0.0, move.duration, 200), move.boundaries[:7]]))
        m = move.sample_many(ts)
        peaks = np.abs([m.velocity, m.acceleration, m.jerk]).max(axis=1)
        moving = start != goal
        assert (peaks[:, moving] <= table.T[:, moving]).all(), "not by a bit above a limit"
        assert (peaks[:, ~moving] == 0.0).all()
        share = peaks[:, moving] / table.T[:, moving]
        for k, axis in enumerate(move.binding_axes):
            if axis is None:
                assert share[k].max() < 1.0 - 2 * EPS
                continue
            counts[k] += 1
            assert moving[axis]
            assert peaks[k, axis] == pytest.approx(table[axis, k], rel=4 * EPS, abs=0.0)
            assert share[k].max() <= peaks[k, axis] / table[axis, k] * (1 + 4 * EPS)
    assert (counts > 30).all(), counts


def test_duration_is_that_of_the_slowest_possible_line() -> None:
    """One axis alone, and identical axes, take what :class:`ScurveProfile` takes."""
    for v, a, j in 10.0 ** np.random.default_rng(3).uniform(-1.0, 2.0, (50, 3)):
        limits = mk.MotionLimits(v, a, j)
        alone = mk.ScurveProfile.plan(0.2, -1.3, limits).duration
        assert mk.SynchronizedTrajectory.plan([0.2], [-1.3], [limits]).duration == pytest.approx(alone, rel=8 * EPS)
        both = mk.SynchronizedTrajectory.plan([0.2, 0.0], [-1.3, 0.4], [limits, limits])
        assert both.duration == pytest.approx(alone, rel=8 * EPS)


def test_ends_are_exact_and_rest_is_rest() -> None:
    """E6, in many axes."""
    for start, goal, table in random_moves(100, 4):
        move = mk.SynchronizedTrajectory.plan(start, goal, table)
        for t, ends in ((-1.0, start), (-5e-324, start), (move.duration, goal), (1e9, goal)):
            m = move.sample(t)
            assert m.position.tobytes() == ends.tobytes()
            assert not m.velocity.any() and not m.acceleration.any() and not m.jerk.any()
        assert move.sample(0.0).position.tolist() == start.tolist()
        # an axis that need not move is where it was at all times
        still = start == goal
        assert (move.sample_many(np.linspace(0.0, move.duration, 50)).position[:, still] == start[still]).all()


def test_many_samples_have_the_bits_of_single_ones() -> None:
    """E6, in many axes."""
    start, goal, table = random_moves(1, 5)[0]
    move = mk.SynchronizedTrajectory.plan(start, goal, table)
    out = np.empty((4, 6))
    for count in (0, 3, 200, 4200):
        ts = np.random.default_rng(count).uniform(-0.2, move.duration + 0.2, count)
        many = move.sample_many(ts)
        assert many.position.shape == (count, 6)
        for k in range(0, count, max(1, count // 100)):
            got = np.array([many.position[k], many.velocity[k], many.acceleration[k], many.jerk[k]])
            one = move.sample(ts[k])
            assert got.tobytes() == np.array([one.position, one.velocity, one.acceleration, one.jerk]).tobytes()
            assert move.sample(ts[k], out) is out
            assert out.tobytes() == got.tobytes()


def test_states_are_what_planners_take() -> None:
    start, goal, table = random_moves(1, 6)[0]
    move = mk.SynchronizedTrajectory.plan(start, goal, table)
    m = move.sample(0.4 * move.duration)
    states = move.states(0.4 * move.duration)
    assert states == [
        mk.MotionState(*row) for row in np.column_stack([m.position, m.velocity, m.acceleration]).tolist()
    ]
    assert all(type(s.velocity) is float for s in states)
    mk.StopProfile.plan(states[0], mk.MotionLimits(*table[0]))


def test_nothing_to_do_takes_no_time() -> None:
    move = mk.SynchronizedTrajectory.plan([0.3, -0.0], [0.3, -0.0], np.zeros((2, 3)))
    assert move.duration == 0.0 and move.binding_axes == (None, None, None)
    assert move.sample(0.0).position.tobytes() == np.array([0.3, -0.0]).tobytes()
    assert move.sample_many([0.0, 1.0]).velocity.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    empty = mk.SynchronizedTrajectory.plan([], [], np.empty((0, 3)))
    assert empty.duration == 0.0 and empty.sample(0.5).position.shape == (0,)


# ---- limits
def test_only_axes_that_move_need_limits() -> None:
    limits = [mk.MotionLimits(2, 8, 40), mk.MotionLimits()]
    mk.SynchronizedTrajectory.plan([0.0, 1.0], [2.0, 1.0], limits)
    for table in (limits, [[2, 8, 40], [0, 0, 0]]):
        with pytest.raises(mk.InvalidLimits, match=r"axis 1: max_velocity is 0\.0") as caught:
            mk.SynchronizedTrajectory.plan([0.0, 1.0], [2.0, 1.5], table)
        assert caught.value.joint == "axis 1"
    with pytest.raises(mk.InvalidLimits, match="axis 1: max_jerk is nan"):
        mk.SynchronizedTrajectory.plan([0.0, 1.0], [2.0, 1.0], [limits[0], mk.MotionLimits(1, 1, math.nan)])


def test_arrays_and_objects_mean_the_same() -> None:
    start, goal, table = random_moves(1, 7)[0]
    assert mk.SynchronizedTrajectory.plan(start, goal, table) == mk.SynchronizedTrajectory.plan(
        start, goal, [mk.MotionLimits(*row) for row in table]
    )


def test_direction_picks_the_velocity_limit() -> None:
    limits = [mk.MotionLimits(2, 8, 40, min_velocity=-0.5), mk.MotionLimits(2, 8, 40)]
    there = mk.SynchronizedTrajectory.plan([0.0, 0.0], [3.0, 3.0], limits)
    back = mk.SynchronizedTrajectory.plan([3.0, 3.0], [0.0, 0.0], limits)
    assert there.sample(0.5 * there.duration).velocity.tolist() == pytest.approx([2.0, 2.0], rel=2 * EPS)
    assert back.sample(0.5 * back.duration).velocity.tolist() == pytest.approx([-0.5, -0.5], rel=2 * EPS)
    assert back.binding_axes.velocity == 0


def test_asymmetric_acceleration_and_ranges_are_named() -> None:
    good = mk.MotionLimits(2, 8, 40)
    with pytest.raises(mk.InvalidLimits, match="axis 1: min_acceleration"):
        mk.SynchronizedTrajectory.plan([0, 0], [1, 1], [good, mk.MotionLimits(2, 8, 40, min_acceleration=-2)])
    narrow = mk.MotionLimits(2, 8, 40, max_position=0.5)
    for ends, what in ((([0, 0], [1, 1]), "goal"), (([0, 1], [1, 1]), "start")):
        with pytest.raises(mk.JointLimitViolated, match=rf"axis 1: {what} 1\.0 is above max_position 0\.5") as caught:
            mk.SynchronizedTrajectory.plan(*ends, [good, narrow])
        assert caught.value.joint == "axis 1"


# ---- refusals
@pytest.mark.parametrize(("start", "goal", "limits", "error", "text"), [
    ([0, 0], [1], [[1, 1, 1]] * 2, mk.WrongLength, "goal"),
    ([[0, 0]], [1, 1], [[1, 1, 1]] * 2, mk.WrongLength, "start"),
    ([0, 0], [1, 1], [[1, 1, 1]], mk.WrongLength, "limits of 2 axes"),
    ([0, 0], [1, 1], [[1, 1]] * 2, mk.WrongLength, "velocity, acceleration and jerk"),
    ([0, 0], [1, 1], [mk.MotionLimits(1, 1, 1)], mk.WrongLength, "limits of 2 axes"),
    ([0, 0], [1, 1], "fast", mk.WrongLength, "velocity, acceleration and jerk"),
    ([0, 0], [1, 1], mk.MotionLimits(1, 1, 1), mk.InvalidLimits, "one MotionLimits an axis"),
    ([0, 0], [1, 1], [mk.MotionLimits(1, 1, 1), (1, 1, 1)], mk.InvalidLimits, "axis 1: expected MotionLimits"),
    ([0, math.nan], [1, 1], [[1, 1, 1]] * 2, mk.NotFinite, "start, got .*nan.* at index 1"),
    ([0, 0], [math.inf, 1], [[1, 1, 1]] * 2, mk.NotFinite, "goal"),
    ([0, 0], [1, "b"], [[1, 1, 1]] * 2, mk.WrongLength, "numbers as goal"),
    ([0, 0], [1, 1], [[1, 1, 1], [1, math.nan, 1]], mk.InvalidLimits, "axis 1: max_acceleration is nan"),
])  # fmt: skip
def test_what_does_not_fit_is_refused(start: object, goal: object, limits: object, error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        mk.SynchronizedTrajectory.plan(start, goal, limits)  # type: ignore[arg-type]


def test_wrong_times_and_outputs_are_refused() -> None:
    move = mk.SynchronizedTrajectory.plan([0, 0], [1, 1], [[1, 1, 1]] * 2)
    for bad in (math.nan, math.inf):
        with pytest.raises(mk.NotFinite):
            move.sample(bad)
        with pytest.raises(mk.NotFinite):
            move.states(bad)
        with pytest.raises(mk.NotFinite):
            move.sample_many([bad])
    for out in (np.empty(8), np.empty((2, 4)), np.empty((4, 2), dtype=np.float32), np.empty((4, 4))[:, ::2]):
        with pytest.raises(mk.WrongLength, match=r"shape \(4, 2\)"):
            move.sample(0.1, out)


def test_trajectories_are_values() -> None:
    start, goal, table = random_moves(1, 8)[0]
    move = mk.SynchronizedTrajectory.plan(start, goal, table)
    for twin in (pickle.loads(pickle.dumps(move)), copy.deepcopy(move)):
        assert twin == move and hash(twin) == hash(move)
        assert twin.sample(0.3) == move.sample(0.3)
    assert move != mk.SynchronizedTrajectory.plan(start, goal + 0.1, table) and move != 1
    with pytest.raises(AttributeError):
        move.duration = 1.0  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        move.start[0] = 1.0
    start[0] += 1.0  # the caller's array stays the caller's
    assert move.sample(-1.0).position[0] == start[0] - 1.0
    assert repr(move).startswith("SynchronizedTrajectory(start=array([") and "binding_axes=BindingAxes(" in repr(move)
