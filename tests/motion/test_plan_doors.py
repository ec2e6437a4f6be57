"""Planning from packed arrays goes through a door: the same bits and the same refusals as the long way."""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import motionkit as mk
from motionkit.motion import _hot

LIMITS = np.array([[2.0, 8.0, 40.0], [1.5, 6.0, 50.0], [1.0, 4.0, 30.0]])
DOORS = (_hot.plan_axes, _hot.plan_line, _hot.plan_stop)
CLASSES = (mk.SynchronizedTrajectory, mk.OnlineTrajectory, mk.StopProfile)


@pytest.fixture(autouse=True)
def native() -> Iterator[None]:
    before = [door.native for door in DOORS]
    for door in DOORS:
        door.compile()
    yield
    for door, was in zip(DOORS, before, strict=True):
        door.native = was


def long_way(plan: Any, *arguments: Any, **options: Any) -> Any:
    """The same call while no door is open."""
    kept = [door.native for door in DOORS]
    for door in DOORS:
        door.native = None
    try:
        return plan(*arguments, **options)
    finally:
        for door, was in zip(DOORS, kept, strict=True):
            door.native = was


def problems(seed: int, count: int = 40) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    for k in range(count):
        ends = rng.uniform(-1.0, 1.0, (2, 3, 3)) * [1.0, 0.6, 1.5]
        ends[:, :, 1:] *= k % 4 != 0
        yield ends[0], ends[1]


def fields(sample: Any) -> list[Any]:
    return [sample.position, sample.velocity, sample.acceleration, sample.jerk]


def same(one: Any, other: Any, ts: np.ndarray) -> None:
    assert one == other and hash(one) == hash(other) and repr(one) == repr(other)
    assert np.array_equal(fields(one.sample_many(ts)), fields(other.sample_many(ts)))
    for again in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert again == other and repr(again) == repr(other)


def test_lines_are_the_same() -> None:
    for start, goal in ((a[:, 0].copy(), b[:, 0].copy()) for a, b in problems(1)):
        goal[1] = start[1] if start[0] > 0.5 else goal[1]  # an axis that does not move
        made = mk.SynchronizedTrajectory.plan(start, goal, LIMITS)
        assert hasattr(made, "_block")  # it came through the door
        other = long_way(mk.SynchronizedTrajectory.plan, start, goal, LIMITS)
        assert not hasattr(other, "_block")
        same(made, other, np.linspace(-0.1, made.duration + 0.1, 9))
        assert made.binding_axes == other.binding_axes and made.limits == other.limits
        t = 0.3 * made.duration
        assert made.stop(t) == other.stop(t)


@pytest.mark.parametrize("synchronize", ["none", "time", "line"])
def test_states_are_the_same(synchronize: Any) -> None:
    for current, target in problems(2):
        if synchronize == "line":
            current, target = current * [1.0, 0.0, 0.0], target * [1.0, 0.0, 0.0]
        made = mk.OnlineTrajectory.plan(current, target, LIMITS, synchronize)
        assert hasattr(made, "_block") == (synchronize != "line")
        other = long_way(mk.OnlineTrajectory.plan, current, target, LIMITS, synchronize)
        same(made, other, np.linspace(-0.1, made.duration + 0.1, 9))
        assert np.array_equal(made.durations, other.durations) and not made.durations.flags.writeable
        assert made.replan(0.3 * made.duration) == other.replan(0.3 * made.duration)
        assert made.current == other.current and made.target == other.target


def test_stops_are_the_same() -> None:
    limits = mk.MotionLimits(2, 8, 40)
    rng = np.random.default_rng(3)
    for v, a in rng.uniform(-3.0, 3.0, (40, 2)).tolist():
        state = mk.MotionState(0.25, v, 4.0 * a)
        made = mk.StopProfile.plan(state, limits)
        assert hasattr(made, "_block")
        same(made, long_way(mk.StopProfile.plan, state, limits), np.linspace(-0.1, 2.0, 9))
        assert made.stopping_distance == made._model.values[12]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0, 0.0])
@pytest.mark.parametrize("where", [0, 1, 2])
def test_limits_that_make_no_sense_are_refused_alike(bad: float, where: int) -> None:
    limits = LIMITS.copy()
    limits[1, where] = bad
    one = mk.MotionLimits(*limits[1].tolist())
    current, target = next(problems(4))
    state = mk.MotionState(0.0, 1.0, 0.0)
    for plan, arguments in (
        (mk.SynchronizedTrajectory.plan, (current[:, 0].copy(), target[:, 0].copy(), limits)),
        (mk.OnlineTrajectory.plan, (current, target, limits)),
        (mk.StopProfile.plan, (state, one)),
    ):
        outcomes = []
        for call in (plan, lambda *a, plan=plan: long_way(plan, *a)):
            try:
                outcomes.append(repr(call(*arguments)))
            except mk.MotionkitError as error:
                outcomes.append(f"{type(error).__name__}: {error}")
        assert outcomes[0] == outcomes[1]
        # a stop needs no velocity
        assert "InvalidLimits" in outcomes[0] or (plan == mk.StopProfile.plan and where == 0 and bad == 0.0)


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e200])
def test_numbers_that_make_no_sense_are_refused_alike(bad: float) -> None:
    current, target = next(problems(5))
    current[1, 0] = bad
    for plan, arguments in (
        (mk.SynchronizedTrajectory.plan, (current[:, 0].copy(), target[:, 0].copy(), LIMITS)),
        (mk.OnlineTrajectory.plan, (current, target, LIMITS)),
        (mk.StopProfile.plan, (mk.MotionState(0.0, bad, 0.0), mk.MotionLimits(2, 8, 40))),
    ):
        outcomes = []
        for call in (plan, lambda *a, plan=plan: long_way(plan, *a)):
            try:
                outcomes.append(repr(call(*arguments)))
            except mk.MotionkitError as error:
                outcomes.append(f"{type(error).__name__}: {error}")
        assert outcomes[0] == outcomes[1]


def test_shapes_that_do_not_fit_are_refused_alike() -> None:
    current, target = next(problems(6))
    for a, b, limits in (
        (current[:2], target, LIMITS),
        (current, target, LIMITS[:2]),
        (current, target[:, :2].copy(), LIMITS),
        (np.empty((0, 3)), np.empty((0, 3)), np.empty((0, 3))),
    ):
        with pytest.raises(mk.WrongLength) as through:
            mk.OnlineTrajectory.plan(a, b, limits)
        with pytest.raises(mk.WrongLength) as along:
            long_way(mk.OnlineTrajectory.plan, a, b, limits)
        assert str(through.value) == str(along.value)
    for start, goal, limits in (
        (current[:2, 0].copy(), target[:, 0].copy(), LIMITS),
        (current[:, 0].copy(), target[:, 0].copy(), LIMITS[:2]),
    ):
        with pytest.raises(mk.WrongLength) as through:
            mk.SynchronizedTrajectory.plan(start, goal, limits)
        with pytest.raises(mk.WrongLength) as along:
            long_way(mk.SynchronizedTrajectory.plan, start, goal, limits)
        assert str(through.value) == str(along.value)


def test_a_target_outside_the_limits_is_explained_alike() -> None:
    current, target = next(problems(7))
    target[2, 1] = 5.0
    with pytest.raises(mk.InvalidLimits, match=r"axis 2: the target.s velocity 5\.0") as through:
        mk.OnlineTrajectory.plan(current, target, LIMITS)
    with pytest.raises(mk.InvalidLimits) as along:
        long_way(mk.OnlineTrajectory.plan, current, target, LIMITS)
    assert str(through.value) == str(along.value)


def test_results_cannot_be_changed_and_do_not_follow_their_arguments() -> None:
    current, target = next(problems(8))
    limits = LIMITS.copy()
    line = mk.SynchronizedTrajectory.plan(start := current[:, 0].copy(), target[:, 0].copy(), limits)
    axes = mk.OnlineTrajectory.plan(current, target, limits)
    stop = mk.StopProfile.plan(mk.MotionState(0.0, 1.0, 2.0), mk.MotionLimits(2, 8, 40))
    before = [line.start.tolist(), line.limits, axes.current]
    start += 1.0
    current += 1.0
    limits *= 2.0
    assert [line.start.tolist(), line.limits, axes.current] == before
    for made, name in ((line, "limits"), (axes, "duration"), (stop, "state"), (line, "anything")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, name, 1.0)
        with pytest.raises(dataclasses.FrozenInstanceError):
            delattr(made, name)
    with pytest.raises(ValueError, match="read-only"):
        line.start[0] = 1.0
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = line.colour  # type: ignore[attr-defined]
