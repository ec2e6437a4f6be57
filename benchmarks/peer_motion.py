"""Moves, stops and samples beside ruckig: planned from the same numbers, with the same result."""

from __future__ import annotations

import numpy as np

import motionkit as mk
from comparisons import NotMeasured, Row, Sides, largest
from timing import repeated

AXES = 6
COUNT = 64
VELOCITY, ACCELERATION, JERK = 2.0, 8.0, 40.0
EXACT = 1e-9  # s, rad, rad/s, rad/s^2: ruckig states its durations to 1e-10 or so
ACCEPTED = ("Working", "Finished")


def moves() -> tuple[np.ndarray, np.ndarray]:
    """Start, and goals (COUNT, AXES)."""
    rng = np.random.default_rng(5)
    return rng.uniform(-1.0, 1.0, AXES), rng.uniform(-1.0, 1.0, (COUNT, AXES))


class Ruckig:
    """Synchronised rest-to-rest moves with one straight line for all axes. Limits of all axes are alike: then the
    fastest such move is the one in which the axis with the longest way binds, and both planners find it."""

    def __init__(self) -> None:
        import ruckig

        self.planner = ruckig.Ruckig(AXES)
        self.given = ruckig.InputParameter(AXES)
        self.given.synchronization = ruckig.Synchronization.Phase
        self.given.max_velocity = [VELOCITY] * AXES
        self.given.max_acceleration = [ACCELERATION] * AXES
        self.given.max_jerk = [JERK] * AXES
        self.trajectory = ruckig.Trajectory(AXES)

    def plan(self, start: list[float], goal: list[float]):
        self.given.current_position = start
        self.given.target_position = goal
        result = self.planner.calculate(self.given, self.trajectory)
        assert result.name in ACCEPTED, result
        return self.trajectory


def plan_sides() -> Sides:
    peer = Ruckig()
    start, goals = moves()
    limits = np.tile([VELOCITY, ACCELERATION, JERK], (AXES, 1))
    begin, ends, rows = start.tolist(), goals.tolist(), list(goals)
    plan, given, trajectory = peer.planner.calculate, peer.given, peer.trajectory

    def ours() -> None:
        for goal in rows:
            mk.SynchronizedTrajectory.plan(start, goal, limits)

    def theirs() -> None:
        for goal in ends:
            given.current_position = begin
            given.target_position = goal
            plan(given, trajectory)

    def off() -> float:
        worst = 0.0
        for goal, end in zip(rows, ends, strict=True):
            mine, other = mk.SynchronizedTrajectory.plan(start, goal, limits), peer.plan(begin, end)
            times = np.linspace(0.0, mine.duration, 9)
            mine_at, other_at = mine.sample_many(times).position, [other.at_time(t)[0] for t in times.tolist()]
            worst = max(worst, abs(mine.duration - other.duration), largest([(mine_at, other_at)]))
        return worst

    return Sides(repeated(ours), repeated(theirs), off, EXACT, COUNT, COUNT)


def sample_sides(count: int) -> Sides:
    """Position, velocity and acceleration of six axes; ours has the jerk too."""
    peer = Ruckig()
    start, goals = moves()
    move = mk.SynchronizedTrajectory.plan(start, goals[0], np.tile([VELOCITY, ACCELERATION, JERK], (AXES, 1)))
    trajectory = peer.plan(start.tolist(), goals[0].tolist())
    times = np.linspace(0.0, move.duration, count)
    listed = times.tolist()

    def theirs() -> None:
        for t in listed:
            trajectory.at_time(t)

    def off() -> float:
        mine = move.sample_many(times)
        other = np.array([trajectory.at_time(t) for t in listed])
        return largest(zip((mine.position, mine.velocity, mine.acceleration), np.moveaxis(other, 1, 0), strict=True))

    return Sides(repeated(lambda: move.sample_many(times)), repeated(theirs), off, EXACT, count, count)


def one_sample_sides() -> Sides:
    many = sample_sides(COUNT)
    start, goals = moves()
    move = mk.SynchronizedTrajectory.plan(start, goals[0], np.tile([VELOCITY, ACCELERATION, JERK], (AXES, 1)))
    listed, out = np.linspace(0.0, move.duration, COUNT).tolist(), np.empty((4, AXES))

    def ours() -> None:
        for t in listed:
            move.sample(t, out=out)

    return Sides(repeated(ours), many.theirs, many.off, EXACT, COUNT, COUNT)


def stop_sides() -> Sides:
    import ruckig

    rng = np.random.default_rng(6)
    states = [mk.MotionState(0.0, v, a) for v, a in zip(*rng.uniform(-1.5, 1.5, (2, COUNT)).tolist(), strict=True)]
    limits = mk.MotionLimits(VELOCITY, ACCELERATION, JERK)
    pairs = [([state.velocity], [state.acceleration]) for state in states]
    planner, given, trajectory = ruckig.Ruckig(1), ruckig.InputParameter(1), ruckig.Trajectory(1)
    given.control_interface = ruckig.ControlInterface.Velocity
    given.current_position, given.target_velocity, given.target_acceleration = [0.0], [0.0], [0.0]
    given.max_acceleration, given.max_jerk = [ACCELERATION], [JERK]
    plan = planner.calculate

    def ours() -> None:
        for state in states:
            mk.StopProfile.plan(state, limits)

    def theirs() -> None:
        for velocity, acceleration in pairs:
            given.current_velocity = velocity
            given.current_acceleration = acceleration
            plan(given, trajectory)

    def off() -> float:
        worst = 0.0
        for state, (velocity, acceleration) in zip(states, pairs, strict=True):
            given.current_velocity, given.current_acceleration = velocity, acceleration
            assert plan(given, trajectory).name in ACCEPTED
            mine = mk.StopProfile.plan(state, limits)
            distance = trajectory.at_time(trajectory.duration)[0][0]
            worst = max(worst, abs(mine.duration - trajectory.duration), abs(mine.stopping_distance - distance))
        return worst

    return Sides(repeated(ours), repeated(theirs), off, EXACT, COUNT, COUNT)


def no_batch() -> Sides:
    raise NotMeasured("there is no form that plans many moves yet")


def rows() -> tuple[Row, ...]:
    return (
        Row("synchronised rest-to-rest plan, 6 axes", "ruckig, phase synchronisation", 1.0, plan_sides),
        Row("10 000 of them in a batch", "ruckig, phase synchronisation", 10.0, no_batch),
        Row("stop from a moving state", "ruckig, velocity control", 1.0, stop_sides),
        Row("one sample of 6 axes: `sample(t, out=)`", "ruckig `at_time`", 1.0, one_sample_sides),
        Row("1000 samples of 6 axes: `sample_many`", "ruckig `at_time` in a loop", 1.0, lambda: sample_sides(1000)),
    )
