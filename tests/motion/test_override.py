"""Override of a motion under way: within limits and on the path whatever is asked, and as quick as a stop can be."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import motionkit as mk
from motionkit.motion.paced import ByTime, Trajectory

PERIOD = 1e-3
FINE = PERIOD / 4  # instants at which tests look: twice as many as the search does
ROOM = 1.0 + 1e-8  # of a limit: the search allows 1e-9, and its instants are not those of the tests
# what fails is not made smaller, which would take minutes
DRAWN = settings(max_examples=20, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])


def moves(seed: int, axes: int = 3) -> tuple[mk.SynchronizedTrajectory, np.ndarray]:
    rng = np.random.default_rng(seed)
    limits = np.column_stack([rng.uniform(1, 3, axes), rng.uniform(4, 12, axes), rng.uniform(30, 120, axes)])
    return mk.SynchronizedTrajectory.plan(np.zeros(axes), rng.uniform(-2, 2, axes), limits), limits


@pytest.fixture(scope="module")
def arm() -> mk.SerialChain:
    return mk.SerialChain.six_axis_example()


@pytest.fixture(scope="module")
def line(arm: mk.SerialChain) -> tuple[mk.CartesianPlan, np.ndarray]:
    """A straight line of the tool: a curve in joint space."""
    q = np.radians([0, -60, 90, 0, 60, 0])
    limits = [mk.MotionLimits(joint.max_velocity, 8.0, 60.0) for joint in arm.limits]
    pose = arm.forward(q)
    goal = mk.SE3(pose.rotation, pose.translation + np.array([-0.3, 0.2, 0.1]))
    rates = np.array([[v.max_velocity, v.max_acceleration, v.max_jerk] for v in limits])
    return mk.CartesianPlan.plan(arm, q, goal, limits), rates


def shares(play: Any, limits: np.ndarray, until: float, begin: float = 0.0) -> float:
    """The largest share of a limit that is used, at fine instants."""
    sample = play.sample_many(np.arange(begin, until, FINE))
    columns = zip((sample.velocity, sample.acceleration, sample.jerk), limits.T, strict=True)
    return max(float((np.abs(values) / cap).max(initial=0.0)) for values, cap in columns)


# ---- the plan itself
def test_without_a_command_it_is_the_plan_bit_for_bit() -> None:
    plan, _ = moves(1)
    ts = np.linspace(-0.1, plan.duration + 0.1, 50)
    play = mk.Override.of(plan)
    assert play.duration == plan.duration
    assert play.sample_many(ts) == plan.sample_many(ts)
    assert play.sample(0.3) == mk.MotionSample(*(f[0] for f in _fields(plan.sample_many(np.array([0.3])))))


def _fields(sample: mk.MotionSample[np.ndarray]) -> tuple[np.ndarray, ...]:
    return sample.position, sample.velocity, sample.acceleration, sample.jerk


def test_a_rate_from_the_start_scales_time() -> None:
    """Velocities by the rate, accelerations by its square, jerks by its cube."""
    plan, _ = moves(2)
    slow = mk.Override.of(plan, rate=0.5)
    ts = np.linspace(0.0, plan.duration, 20)
    a, b = plan.sample_many(ts), slow.sample_many(2.0 * ts)
    assert slow.duration == 2.0 * plan.duration
    for k, (one, other) in enumerate(zip(_fields(a), _fields(b), strict=True)):
        np.testing.assert_allclose(other, one * 0.5**k, rtol=0, atol=1e-13 * (1.0 + np.abs(one).max()))
    assert np.array_equal(slow.sample(slow.duration).position, plan.goal)


# ---- a line: as quick as can be
@pytest.mark.parametrize("share", [0.02, 0.1, 0.25, 0.4, 0.5, 0.6])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_holding_a_line_is_the_fastest_stop_on_it(seed: int, share: float) -> None:
    """The oracle is LineStop, which is in closed form and optimal. Its state is rounded otherwise: 1e-9."""
    plan, limits = moves(seed)
    t = share * plan.duration
    best = plan.stop(t)
    held = mk.Override.of(plan, limits).hold(t)
    if held.duration == math.inf:
        end = held.sample(t + best.duration + 1e-6)
        assert held.begun == t and held.standing(t + best.duration * (1 + 1e-9)) and not held.standing(t)
        np.testing.assert_allclose(end.position, best.positions, rtol=0, atol=1e-9)
    else:  # nothing stops earlier than the plan does
        assert best.duration >= (plan.duration - t) * (1 - 1e-9)


def test_control_a_clock_that_is_slowed_down_needs_longer_while_it_speeds_up() -> None:
    """What scaling time alone does, the usual way: up to 1.4 of the fastest stop here, or until the plan ends."""
    ratios = []
    for seed in range(4):
        plan, limits = moves(seed)
        t = 0.2 * plan.duration
        held = mk.Override.of(ByTime(plan), limits).hold(t)
        ends = held.duration if held.duration < math.inf else held.begun + held._track.pieces[-1].lasts
        ratios.append((ends - t) / plan.stop(t).duration)
    print("clock alone, time to rest by the fastest:", np.round(ratios, 2))
    assert max(ratios) > 1.3 and min(ratios) > 1.0 - 1e-9


# ---- whatever is asked
commands = st.lists(
    st.tuples(st.floats(0.0, 0.6), st.sampled_from([0.0, 0.0, 0.05, 0.3, 0.5, 0.8, 1.0, 1.0])), min_size=1, max_size=5
)


def obey(play: mk.Override, asked: list[tuple[float, float]]) -> tuple[mk.Override, float]:
    """The motion after commands, each so long after the one before it, and when it has surely ended."""
    t = 0.0
    for wait, rate in asked:
        t += wait
        play = play.change(t, rate)
    if play.duration == math.inf:
        last = play._track.starts[-1] + play._track.pieces[-1].lasts
        return play.resume(max(t, last)), last
    return play, t


@given(seed=st.integers(0, 20), asked=commands)
@DRAWN
def test_a_line_keeps_limits_and_line_whatever_is_asked(seed: int, asked: list[tuple[float, float]]) -> None:
    plan, limits = moves(seed)
    play, _ = obey(mk.Override.of(plan, limits), asked)
    assert play.duration < math.inf
    assert shares(play, limits, play.duration + 0.1) <= ROOM
    sample = play.sample_many(np.arange(0.0, play.duration + 0.1, FINE))
    along = sample.position @ plan.goal / (plan.goal @ plan.goal)
    off = np.abs(sample.position - along[:, None] * plan.goal).max()
    assert off < 1e-14 and np.diff(along).min() > -1e-12
    assert np.array_equal(sample.position[-1], plan.goal) and not sample.velocity[-1].any()


@given(asked=commands)
@DRAWN
def test_a_curve_keeps_limits_and_curve_whatever_is_asked(line: Any, asked: list[tuple[float, float]]) -> None:
    plan, limits = line
    play, _ = obey(mk.Override.of(plan, limits), asked)
    assert play.duration < math.inf
    assert shares(play, limits, play.duration + 0.1) <= ROOM
    ts = np.arange(0.0, play.duration + 0.1, FINE)
    progress = play.progress(ts)
    # the joints are where the path is at the parameter, which goes forward, up to a rounding of its own scale 1
    assert np.abs(play.sample_many(ts).position - plan.path.positions(progress.position)).max() < 1e-12
    assert np.diff(progress.position).min() > -1e-12 and progress.position[-1] == 1.0
    # nor is the tool faster than the plan's
    assert progress.velocity.max() <= plan.profile.peak_velocity * ROOM


@given(asked=commands)
@settings(DRAWN, max_examples=4)
def test_axes_that_arrive_together_keep_limits_whatever_is_asked(asked: list[tuple[float, float]]) -> None:
    limits = np.array([[2.0, 8.0, 40.0], [1.0, 4.0, 30.0]])
    plan = mk.OnlineTrajectory.plan([[0, 0, 0], [0, 0, 0]], [[2, 0, 0], [-0.3, 0, 0]], limits)
    play, _ = obey(mk.Override.of(plan, limits), asked)
    assert shares(play, limits, play.duration + 0.1) <= ROOM


def naive(plan: Any, t: float, rate: float, until: float) -> mk.MotionSample[np.ndarray]:
    """The control: the clock of a plan slowed down at once, as a factor on time does; by differences."""
    ts = np.arange(0.0, until, PERIOD)
    position = plan.sample_many(np.where(ts < t, ts, t + rate * (ts - t))).position
    velocity, acceleration, jerk = (np.diff(position, k, axis=0) / PERIOD**k for k in (1, 2, 3))
    return mk.MotionSample(position, velocity, acceleration, jerk)


def test_control_a_factor_on_time_breaks_the_limits() -> None:
    plan, limits = moves(1)
    sample = naive(plan, 0.5 * plan.duration, 0.3, plan.duration)
    used = [float((np.abs(v) / cap).max()) for v, cap in zip(_fields(sample)[1:], limits.T, strict=True)]
    print("shares of velocity, acceleration, jerk with a factor on time:", np.round(used, 1))
    assert used[0] < 1.01 and used[1] > 10.0 and used[2] > 100.0
    play = mk.Override.of(plan, limits).change(0.5 * plan.duration, 0.3)
    assert shares(play, limits, play.duration) <= ROOM


def test_differences_of_the_set_points_keep_the_limits(line: Any) -> None:
    """A mean over an interval is no larger than the largest value in it; the search looks every 0.5 ms."""
    plan, limits = line
    play = mk.Override.of(plan, limits).change(0.2, 0.3).hold(0.3).resume(0.45).hold(0.8).resume(0.9, 0.6)
    position = play.sample_many(np.arange(0.0, play.duration + 0.01, PERIOD)).position
    for k, cap in enumerate(limits.T, 1):
        used = float((np.abs(np.diff(position, k, axis=0)) / PERIOD**k / cap).max())
        # rounding of the third difference: 4 x 1e-16 x 3 rad / 1e-9 s3 = 1e-6 rad/s3 of 60
        assert used <= 1.0 + 1e-7, k


# ---- the rate
def test_a_lower_rate_is_reached_and_kept() -> None:
    plan, limits = moves(3)
    t = 0.4 * plan.duration
    play = mk.Override.of(plan, limits).change(t, 0.25)
    track = play._track
    joined = track.starts[-1]
    assert t < joined < t + 1.2 * plan.stop(t).duration  # no slower than coming to rest
    speed = play.progress(np.array([joined + 0.1])).velocity[0]
    time = track.pieces[-1].times(np.array([0.1]))[0]
    assert speed == pytest.approx(0.25 * plan.progress(np.array([time])).velocity[0], rel=1e-12)


def test_more_than_the_plan_where_the_limits_allow_it() -> None:
    limits = [mk.MotionLimits(2, 8, 40)]
    plan = mk.SynchronizedTrajectory.plan([0.0], [2.0], [mk.MotionLimits(1, 2, 5)])
    play = mk.Override.of(plan, limits).change(0.3, 1.9)
    assert play.duration < plan.duration and shares(play, np.array([[2.0, 8.0, 40.0]]), play.duration) <= ROOM
    with pytest.raises(mk.Refused, match=r"allow 1\.998") as refused:
        mk.Override.of(plan, limits).change(0.3, 2.5)
    assert refused.value.amount == pytest.approx(0.502, abs=1e-3)


def test_a_plan_beyond_the_limits_is_no_worse_than_it_is() -> None:
    """It begins above its limit of acceleration, which nothing can avoid."""
    limits = np.array([[2.0, 8.0, 40.0]])
    plan = mk.OnlineTrajectory.plan([[0.0, 1.0, 10.0]], [[2.0, 0.0, 0.0]], limits)
    play = mk.Override.of(plan, limits).hold(0.02)
    sample = play.sample_many(np.arange(0.0, 2.0, FINE))
    assert np.abs(sample.acceleration).max() <= 10.0 and np.abs(sample.jerk).max() <= 40.0 * ROOM


# ---- corners
def test_holding_before_the_start_and_after_the_end() -> None:
    plan, limits = moves(1)
    play = mk.Override.of(plan, limits)
    held = play.hold(0.0)
    assert held.standing(0.0) and np.array_equal(held.sample(5.0).position, plan.start)
    assert held.resume(3.0).duration == pytest.approx(plan.duration + 3.0)
    late = play.hold(plan.duration + 1.0)
    assert late.duration == plan.duration and np.array_equal(late.sample(9.0).position, plan.goal)


def test_resuming_while_still_coming_to_rest() -> None:
    plan, limits = moves(1)
    t = 0.4 * plan.duration
    half = t + 0.5 * plan.stop(t).duration
    play = mk.Override.of(plan, limits).hold(t).resume(half)
    speeds = play.progress(np.arange(t, play.duration - 0.2 * plan.duration, FINE)).velocity
    assert speeds.min() > 0.0  # it never stood
    assert shares(play, limits, play.duration) <= ROOM


def test_a_change_leaves_the_past_and_the_object_as_they_were() -> None:
    plan, limits = moves(1)
    play = mk.Override.of(plan, limits).change(0.3, 0.5)
    before = play.sample_many(np.linspace(0, 2, 40))
    later = play.hold(0.6)
    assert play.sample_many(np.linspace(0, 2, 40)) == before
    ts = np.linspace(0, 0.599, 30)
    assert later.sample_many(ts) == play.sample_many(ts)


def test_one_and_many_and_out_agree_and_it_can_be_copied() -> None:
    plan, limits = moves(1)
    play = mk.Override.of(plan, limits).change(0.3, 0.5).hold(0.6)
    ts = np.linspace(0.0, 1.5, 30)
    many = play.sample_many(ts)
    for k, t in enumerate(ts.tolist()):
        out = np.empty((4, 3))
        assert play.sample(t, out) is out
        assert np.array_equal(out, np.stack([f[k] for f in _fields(many)]))
    for other in (pickle.loads(pickle.dumps(play)), copy.deepcopy(play)):
        assert other.sample_many(ts) == many


@pytest.mark.parametrize(
    ("rate", "error", "text"),
    [
        (math.nan, mk.NotFinite, "rate"),
        (-0.1, mk.InvalidLimits, "give 0 to hold"),
        (1.5, mk.Refused, "allow 1"),
    ],
)
def test_a_rate_that_cannot_be(rate: float, error: type[Exception], text: str) -> None:
    plan, limits = moves(1)
    with pytest.raises(error, match=text):
        mk.Override.of(plan, limits).change(0.1, rate)


def test_what_cannot_be_overridden() -> None:
    plan, limits = moves(1)
    moving = mk.OnlineTrajectory.plan([[0, 0, 0]], [[1, 0.5, 0]], [[2, 8, 40]])
    begun = mk.OnlineTrajectory.plan([[0, 0.5, 0]], [[1, 0, 0]], [[2, 8, 40]])
    with pytest.raises(mk.KindMismatch, match=r"ends with velocity 0\.5"):
        mk.Override.of(moving, [[2, 8, 40]])
    with pytest.raises(mk.KindMismatch, match=r"begins with velocity 0\.5"):
        mk.Override.of(begun, [[2, 8, 40]], rate=0.5)
    assert mk.Override.of(begun, [[2, 8, 40]]).hold(0.1).duration == math.inf
    with pytest.raises(mk.KindMismatch, match="expected a trajectory"):
        mk.Override.of([1, 2, 3], limits)  # type: ignore[arg-type]
    with pytest.raises(mk.InvalidLimits, match="does not say which limits"):
        mk.Override.of(begun)
    with pytest.raises(mk.InvalidLimits, match="period"):
        mk.Override.of(plan, limits, period=0.0)
    with pytest.raises(mk.InvalidLimits, match="rate is 0"):
        mk.Override.of(plan, limits, rate=0.0)
    with pytest.raises(mk.InvalidLimits, match="axis 0"):
        mk.Override.of(plan, np.zeros((3, 3)))
    with pytest.raises(mk.InvalidLimits, match="before the last change"):
        mk.Override.of(plan, limits).change(0.5, 0.5).change(0.4, 0.2)


def test_an_axis_that_stands_needs_no_limits() -> None:
    plan = mk.SynchronizedTrajectory.plan([0.0, 1.0], [1.0, 1.0], [mk.MotionLimits(2, 8, 40), mk.MotionLimits()])
    held = mk.Override.of(plan).hold(0.3)
    assert held.duration == math.inf and held.sample(9.0).position[1] == 1.0


def test_a_line_that_turns_back_is_slowed_down_by_its_clock() -> None:
    """Its parameter passes a place twice, so it cannot tell how far the motion is."""
    plan = mk.OnlineTrajectory.plan([[0, -1.0, 0], [0, -1.0, 0]], [[1, 0, 0], [1, 0, 0]], [[2, 8, 40]] * 2, "line")
    play = mk.Override.of(plan, [[2, 8, 40]] * 2).change(0.4, 0.5)
    assert play.progress(np.array([0.2])).position[0] == 0.2
    assert shares(play, np.array([[2.0, 8.0, 40.0]] * 2), play.duration) <= ROOM


def test_protocols_say_what_is_needed() -> None:
    plan, _ = moves(1)
    given: Trajectory = plan
    assert given.duration == plan.duration
