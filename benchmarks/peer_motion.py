"""Moves, stops and samples beside ruckig: planned from the same numbers, with the same result."""

from __future__ import annotations

import numpy as np

import motionkit as mk
from comparisons import Row, Sides, largest
from timing import repeated

AXES = 6
COUNT = 64
BATCH = 10_000
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


def states(count: int, axes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Current and target states (count, axes, 3) in motion, and limits (axes, 3) of all of them."""
    rng = np.random.default_rng(7)
    limits = np.tile([VELOCITY, ACCELERATION, JERK], (axes, 1))
    ends = rng.uniform(-1.0, 1.0, (2, count, axes, 3)) * [1.0, 0.6 * VELOCITY, 0.5 * ACCELERATION]
    return ends[0], ends[1], limits


class Online:
    """State to state with time synchronisation."""

    def __init__(self, axes: int) -> None:
        import ruckig

        self.planner = ruckig.Ruckig(axes)
        self.given = ruckig.InputParameter(axes)
        self.given.max_velocity = [VELOCITY] * axes
        self.given.max_acceleration = [ACCELERATION] * axes
        self.given.max_jerk = [JERK] * axes
        self.trajectory = ruckig.Trajectory(axes)

    def plan(self, current: list[list[float]], target: list[list[float]]) -> float:
        """The duration; positions, velocities and accelerations come as columns."""
        given = self.given
        given.current_position, given.current_velocity, given.current_acceleration = current
        given.target_position, given.target_velocity, given.target_acceleration = target
        assert self.planner.calculate(given, self.trajectory).name in ACCEPTED
        return self.trajectory.duration


def online_sides(axes: int) -> Sides:
    """From packed arrays; ruckig's inputs are lists already."""
    current, target, limits = states(COUNT, axes)
    peer = Online(axes)
    pairs = [(a.T.tolist(), b.T.tolist()) for a, b in zip(current, target, strict=True)]

    def ours() -> None:
        for a, b in zip(current, target, strict=True):
            mk.OnlineTrajectory.plan(a, b, limits)

    def theirs() -> None:
        for a, b in pairs:
            peer.plan(a, b)

    def off() -> float:
        mine = [mk.OnlineTrajectory.plan(a, b, limits).duration for a, b in zip(current, target, strict=True)]
        return largest([(np.array(mine), np.array([peer.plan(a, b) for a, b in pairs]))])

    return Sides(repeated(ours), repeated(theirs), off, EXACT, COUNT, COUNT)


def online_batch_sides() -> Sides:
    current, target, limits = states(BATCH, 1)
    current, target = current[:, 0], target[:, 0]
    table = np.repeat(limits, BATCH, axis=0)
    peer = Online(1)
    pairs = [([[x] for x in a], [[x] for x in b]) for a, b in zip(current.tolist(), target.tolist(), strict=True)]

    def ours() -> None:
        mk.plan_online_batch(current, target, table)

    def theirs() -> None:
        for a, b in pairs:
            peer.plan(a, b)

    def off() -> float:
        mine = mk.plan_online_batch(current, target, table).durations
        return largest([(mine, np.array([peer.plan(a, b) for a, b in pairs]))])

    return Sides(repeated(ours), repeated(theirs), off, EXACT, BATCH, BATCH)


def online_sample_sides() -> Sides:
    current, target, limits = states(1, AXES)
    peer = Online(AXES)
    move = mk.OnlineTrajectory.plan(current[0], target[0], limits)
    peer.plan(current[0].T.tolist(), target[0].T.tolist())
    times = np.linspace(0.0, move.duration, 1000)
    listed = times.tolist()

    def theirs() -> None:
        for t in listed:
            peer.trajectory.at_time(t)

    def off() -> float:
        end = move.sample(move.duration)
        return largest([(end.position, np.array(peer.trajectory.at_time(move.duration)[0]))])

    return Sides(repeated(lambda: move.sample_many(times)), repeated(theirs), off, 1e-7, 1000, 1000)


def rows() -> tuple[Row, ...]:
    return (
        Row("synchronised rest-to-rest plan, 6 axes", "ruckig, phase synchronisation", 1.0, plan_sides),
        Row("1 axis from state to state: `OnlineTrajectory.plan`", "ruckig, inputs set", 1.2, lambda: online_sides(1)),
        Row("6 axes from state to state, together", "ruckig, inputs set", 1.0, lambda: online_sides(AXES)),
        Row("10 000 of one axis: `plan_online_batch`", "ruckig in a loop", 10.0, online_batch_sides),
        Row("1000 samples of 6 axes from state to state", "ruckig `at_time` in a loop", 20.0, online_sample_sides),
        Row("stop from a moving state", "ruckig, velocity control", 1.0, stop_sides),
        Row("one sample of 6 axes: `sample(t, out=)`", "ruckig `at_time`", 1.0, one_sample_sides),
        Row("1000 samples of 6 axes: `sample_many`", "ruckig `at_time` in a loop", 1.0, lambda: sample_sides(1000)),
    )
