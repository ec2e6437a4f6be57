"""C2, C9: planners of axes take positions and limits that carry their unit, and refuse the wrong one at an axis."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest

import motionkit as mk

turn, slide = mk.JointPosition.revolute, mk.JointPosition.prismatic
NAMES = ("rail", "shoulder", "elbow")
START, GOAL = [0.0, 0.1, 0.2], [0.5, -0.4, 0.2]


def limits_of(kind: str, velocity: float, acceleration: float, jerk: float) -> mk.MotionLimits:
    return mk.MotionLimits(
        mk.JointVelocity(kind, velocity), mk.JointAcceleration(kind, acceleration), mk.JointJerk(kind, jerk)
    )


RAIL, TURN = limits_of("prismatic", 0.5, 2.0, 20.0), limits_of("revolute", 2.0, 8.0, 60.0)
LIMITS = [RAIL, TURN, TURN]
PLAIN = [[0.5, 2.0, 20.0], [2.0, 8.0, 60.0], [2.0, 8.0, 60.0]]


def typed(q: list[float]) -> list[mk.JointPosition]:
    return [slide(q[0]), *map(turn, q[1:])]


def test_limits_with_units_are_plain_numbers_of_a_known_kind() -> None:
    """C9: the fields stay numbers, so nothing that reads them changes."""
    assert (RAIL.max_velocity, RAIL.max_acceleration, RAIL.max_jerk, RAIL.kind) == (0.5, 2.0, 20.0, "prismatic")
    assert (mk.MotionLimits(0.5, 2, 20).kind, TURN.kind) == (None, "revolute")
    RAIL.validate()
    assert mk.MotionLimits(0.5, 2.0, 20.0, kind="prismatic") == RAIL != mk.MotionLimits(0.5, 2.0, 20.0)
    some = mk.MotionLimits(2.0, 8.0, 60.0, min_velocity=mk.JointVelocity.revolute(-1.0), min_position=mk.Angle(-3.0))
    assert (some.min_velocity, some.min_position, some.kind) == (-1.0, -3.0, "revolute")
    some.validate()
    for value in (RAIL, some):
        for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), eval(repr(value), vars(mk))):
            assert twin == value and hash(twin) == hash(value)
    faster = dataclasses.replace(RAIL, max_velocity=mk.JointVelocity.prismatic(1.0))
    assert (faster.max_velocity, faster.kind) == (1.0, "prismatic")
    dataclasses.replace(RAIL, max_velocity=mk.JointVelocity.revolute(1.0))  # never raises; validate does


@pytest.mark.parametrize(
    ("arguments", "keywords", "says"),
    [
        (
            (mk.JointVelocity.prismatic(0.5), mk.JointAcceleration.revolute(2.0), 20.0),
            {},
            r"max_acceleration: expected a prismatic acceleration in m/s\^2, got the revolute acceleration",
        ),
        ((mk.JointAcceleration.prismatic(0.5), 2.0, 20.0), {}, "max_velocity: expected a prismatic velocity in m/s"),
        ((mk.JointVelocity.fixed(), 2.0, 20.0), {}, "does not move has no limits of motion"),
        (
            (mk.JointVelocity.prismatic(0.5), 2.0, 20.0),
            {"min_position": mk.Angle(0.1)},
            "min_position: expected a pris",
        ),
        ((mk.JointVelocity.prismatic(0.5), 2.0, 20.0), {"kind": "revolute"}, "max_velocity: expected a revolute"),
        ((mk.Angle(0.5), 2.0, 20.0), {}, "max_velocity: expected a revolute velocity in rad/s, got Angle"),
        (
            (0.5, 2.0, 20.0),
            {"kind": "continuous"},
            "limits are of a revolute or prismatic joint, got kind 'continuous'",
        ),
    ],
)
def test_limits_that_do_not_belong_together_are_refused_when_validated(
    arguments: tuple[object, ...], keywords: dict[str, object], says: str
) -> None:
    """E1: the constructor never raises, planners do."""
    limits = mk.MotionLimits(*arguments, **keywords)  # type: ignore[arg-type]
    with pytest.raises(mk.KindMismatch, match=says):
        limits.validate()
    with pytest.raises(mk.KindMismatch, match=f"axis 0: .*{says}"):
        mk.SynchronizedTrajectory.plan([0.0], [1.0], [limits])
    assert repr(limits) and pickle.loads(pickle.dumps(limits)) == limits


def test_a_typed_plan_is_the_plain_one() -> None:
    """C9: a rail and two turning joints, each with its unit: bit for bit the plan of plain numbers."""
    plain = mk.SynchronizedTrajectory.plan(START, GOAL, PLAIN)
    by_name = [dict(zip(NAMES, values, strict=True)) for values in (typed(START), typed(GOAL), LIMITS)]
    for plan in (
        mk.SynchronizedTrajectory.plan(typed(START), typed(GOAL), LIMITS),
        mk.SynchronizedTrajectory.plan(typed(START), GOAL, LIMITS),
        mk.SynchronizedTrajectory.plan(START, typed(GOAL), PLAIN),
        mk.SynchronizedTrajectory.plan(np.array(START), np.array(GOAL), LIMITS),
        mk.SynchronizedTrajectory.plan([mk.Length(START[0]), *map(mk.Angle, START[1:])], typed(GOAL), LIMITS),
        mk.SynchronizedTrajectory.plan(*by_name, names=NAMES),
        mk.SynchronizedTrajectory.plan(
            dict(reversed(list(zip(NAMES, START, strict=True)))), by_name[1], LIMITS, names=NAMES
        ),
    ):
        assert plan.duration == plain.duration
        assert np.array_equal(plan.kernel_model.array, plain.kernel_model.array)
    # the rail, slower in its own unit, sets the pace
    assert plain.binding_axes.velocity == 0


@pytest.mark.parametrize("names", [None, NAMES])
def test_the_wrong_unit_at_an_axis_is_named(names: tuple[str, ...] | None) -> None:
    """C9: limits, start and goal against each other; the name comes from the caller, or is the number."""
    who, label = ("elbow", "joint 'elbow'") if names else ("2", "axis 2")
    first, first_label = ("rail", "joint 'rail'") if names else ("0", "axis 0")
    for start, goal, limits, joint, says in (
        (
            typed(START),
            typed(GOAL),
            [RAIL, TURN, RAIL],
            who,
            f"limits: {label} is revolute, got limits of a joint .* pris",
        ),
        (typed(START), GOAL, [TURN, TURN, TURN], first, f"limits: {first_label} is prismatic"),
        (START, typed(GOAL), [TURN, TURN, TURN], first, f"limits: {first_label} is prismatic"),
        (typed(START), [*typed(GOAL)[:2], slide(0.1)], PLAIN, who, f"goal: {label}: expected a revolute position"),
        ([*typed(START)[:2], mk.JointPosition.fixed()], GOAL, PLAIN, who, f"start: {label}: got JointPosition.fixed"),
        ([*typed(START)[:2], 0.1], GOAL, PLAIN, who, f"start: {label}: got 0.1 among values with units"),
        ([*typed(START)[:2], mk.JointVelocity.revolute(0.1)], GOAL, PLAIN, who, f"start: {label}: expected a revolute"),
    ):
        with pytest.raises(mk.KindMismatch, match=says) as caught:
            mk.SynchronizedTrajectory.plan(start, goal, limits, names=names)
        assert caught.value.joint == joint


def test_units_are_looked_at_before_numbers() -> None:
    """C2: a wrong kind is said even where a limit is unset and a position outside its range."""
    limits = [mk.MotionLimits(), mk.MotionLimits(2, 8, 60, max_position=-1.0), TURN]
    with pytest.raises(mk.KindMismatch, match="axis 2"):
        mk.SynchronizedTrajectory.plan([slide(0.0), turn(0.0), slide(0.0)], GOAL, limits)


def test_names_are_in_the_other_errors_too() -> None:
    with pytest.raises(mk.InvalidLimits, match=r"elbow: max_velocity is 0\.0") as caught:
        mk.SynchronizedTrajectory.plan([0.0] * 3, [1.0] * 3, [RAIL, TURN, mk.MotionLimits()], names=NAMES)
    assert caught.value.joint == "elbow"
    with pytest.raises(mk.WrongLength, match="names: expected one for each of 3 axes, got 1"):
        mk.SynchronizedTrajectory.plan(START, GOAL, LIMITS, names=("rail",))
    with pytest.raises(mk.WrongLength, match="goal: expected 3 values"):
        mk.SynchronizedTrajectory.plan(typed(START), typed(GOAL)[:2], LIMITS, names=NAMES)
    with pytest.raises(mk.WrongLength, match="expected limits of 2 axes, got 3"):
        mk.SynchronizedTrajectory.plan(typed(START)[:2], typed(GOAL), LIMITS)


def test_mappings_need_names_and_every_joint() -> None:
    start, goal = dict(zip(NAMES, START, strict=True)), dict(zip(NAMES, GOAL, strict=True))
    with pytest.raises(mk.WrongLength, match=r"start: a mapping has no order; give names="):
        mk.SynchronizedTrajectory.plan(start, goal, PLAIN)
    with pytest.raises(mk.UnknownName, match="goal: no joint 'elbw': did you mean 'elbow'"):
        mk.SynchronizedTrajectory.plan(start, {"elbw": 1.0}, PLAIN, names=NAMES)
    with pytest.raises(mk.WrongLength, match="limits: nothing for joint shoulder, elbow"):
        mk.SynchronizedTrajectory.plan(start, goal, {"rail": RAIL}, names=NAMES)


def test_one_axis_takes_units_too() -> None:
    plain = mk.ScurveProfile.plan(0.1, 0.6, mk.MotionLimits(0.5, 2.0, 20.0))
    for start, goal, limits in (
        (slide(0.1), slide(0.6), RAIL),
        (mk.Length(0.1), 0.6, RAIL),
        (0.1, slide(0.6), mk.MotionLimits(0.5, 2.0, 20.0)),
    ):
        assert np.array_equal(mk.ScurveProfile.plan(start, goal, limits).kernel_model.array, plain.kernel_model.array)
    for start, goal, limits, says in (
        (slide(0.1), slide(0.6), TURN, "start: expected a revolute position .*its limits are revolute"),
        (slide(0.1), turn(0.6), mk.MotionLimits(0.5, 2.0, 20.0), "goal: expected a prismatic position"),
        (0.1, mk.JointPosition.fixed(), RAIL, "goal: got JointPosition.fixed"),
        (0.1, mk.JointVelocity.prismatic(0.5), RAIL, "goal: expected a prismatic position"),
    ):
        with pytest.raises(mk.KindMismatch, match=says):
            mk.ScurveProfile.plan(start, goal, limits)
    with pytest.raises(mk.NotFinite, match="start"):
        mk.ScurveProfile.plan("here", 1.0, RAIL)  # type: ignore[arg-type]
