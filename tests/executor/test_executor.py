"""The cyclic runner: what it sends keeps limits and path whatever it is told, from any thread and however late."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import motionkit as mk
from motionkit.executor import Jitter

LIMITS = np.array([[2.0, 8.0, 40.0], [1.5, 6.0, 50.0]])
HERE, THERE = [0.0, 1.0], [1.5, 0.2]


class Machine:
    """A clock that a test drives: waiting takes exactly as long as asked, and now and then longer."""

    def __init__(self, late: dict[int, float] | None = None) -> None:
        self.time = 100.0
        self.waits = 0
        self.late = late or {}

    def now(self) -> float:
        return self.time

    def wait_until(self, deadline: float) -> None:
        self.time = max(self.time, deadline) + self.late.get(self.waits, 0.0)
        self.waits += 1


def move(start: list[float] = HERE, goal: list[float] = THERE) -> mk.SynchronizedTrajectory:
    return mk.SynchronizedTrajectory.plan(start, goal, LIMITS)


def used(positions: Any, period: float, limits: np.ndarray = LIMITS) -> float:
    """The largest share of a limit in differences of the positions sent."""
    q = np.array(positions)
    return max(float((np.abs(np.diff(q, k, axis=0)) / period**k / limits[:, k - 1]).max()) for k in (1, 2, 3))


# ---- without commands
def test_it_sends_the_plan_and_ends_at_its_end() -> None:
    sent: list[mk.Setpoint] = []
    plan = move()
    report = mk.Executor(plan, sent.append, frequency=250.0).run(realtime=False)
    times = np.array([s.time for s in sent])
    assert np.array_equal(times, np.arange(len(sent)) / 250.0) and times[-2] < plan.duration <= times[-1]
    sample = plan.sample_many(times)
    assert np.array_equal([s.position for s in sent], sample.position)
    assert np.array_equal([s.jerk for s in sent], sample.jerk)
    assert (report.completed, report.cycles, report.plan, report.commands) == (True, len(sent), 0, ())
    assert report.planned == plan.duration and report.setpoint.position.tolist() == THERE


def test_plans_one_after_the_other() -> None:
    sent: list[mk.Setpoint] = []
    plans = [move(), move(THERE, HERE), move()]
    report = mk.Executor(plans, sent.append).run(realtime=False)
    assert report.completed and report.plan == 2
    assert report.cycles == int(np.ceil(sum(p.duration for p in plans) * 1000)) + 1
    assert used([s.position for s in sent], 1e-3) <= 1.0 + 1e-6  # rounding of third differences at 1 kHz


def test_plans_that_do_not_join_are_refused() -> None:
    with pytest.raises(mk.Refused, match=r"trajectory 1 begins 1\.5 away") as refused:
        mk.Executor([move(), move()], lambda _: None)
    assert refused.value.amount == 1.5
    other = mk.SynchronizedTrajectory.plan([0.0], [1.0], LIMITS[:1])
    with pytest.raises(mk.WrongLength, match="expected 2 axes"):
        mk.Executor([move(), other], lambda _: None)
    with pytest.raises(mk.WrongLength, match="at least one"):
        mk.Executor([], lambda _: None)
    with pytest.raises(mk.InvalidLimits, match="frequency"):
        mk.Executor(move(), lambda _: None, frequency=0.0)


# ---- commands
def test_hold_and_resume() -> None:
    sent: list[mk.Setpoint] = []
    executor = mk.Executor(move(), sent.append)
    for _ in range(300):
        executor.step()
    command = executor.hold()
    assert command.time == 0.3 and command.begun == 0.3
    for _ in range(1500):
        executor.step()
    assert not executor.finished and not sent[-1].velocity.any() and sent[-1].position.tolist() != THERE
    with pytest.raises(mk.Refused, match="held"):
        executor.run(realtime=False)
    executor.resume(0.5)
    report = executor.run(realtime=False)
    assert report.completed and [c.name for c in report.commands] == ["hold", "resume"]
    assert used([s.position for s in sent], 1e-3) <= 1.0 + 1e-6


def test_stop_ends_on_the_path() -> None:
    sent: list[mk.Setpoint] = []
    plan = move()
    executor = mk.Executor([plan, move(THERE, HERE)], sent.append)
    for _ in range(400):
        executor.step()
    executor.stop()
    report = executor.run(realtime=False)
    assert not report.completed and report.plan == 0 and executor.step() is None
    stop = plan.stop(0.4)
    assert np.abs(report.setpoint.position - stop.positions).max() < 1e-9
    assert report.time == pytest.approx(0.4 + stop.duration, abs=2e-3)
    with pytest.raises(mk.Refused, match="stopped"):
        executor.resume()


def test_what_is_held_at_a_join_waits_there() -> None:
    sent: list[mk.Setpoint] = []
    executor = mk.Executor([move(), move(THERE, HERE)], sent.append)
    while executor.setpoint.position[0] < 1.499999:
        executor.step()
    executor.hold()  # too late to stop before the end, where the axes rest anyway
    for _ in range(500):
        executor.step()
    assert sent[-1].position.tolist() == THERE
    executor.set_rate(0.7)
    assert executor.run(realtime=False).completed and sent[-1].position.tolist() == HERE


@given(
    script=st.lists(
        st.tuples(
            st.integers(1, 250), st.sampled_from(["hold", "resume", "rate", "rate", "stop"]), st.floats(0.02, 1.0)
        ),
        max_size=6,
    )
)
@settings(max_examples=12, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])
def test_set_points_keep_limits_and_path_whatever_is_asked(script: list[tuple[int, str, float]]) -> None:
    """Over a line of two axes, a line of a tool (a curve of six) and the line back, as one motion."""
    sent: list[mk.Setpoint] = []
    executor = mk.Executor(list(PLANS), sent.append, limits=RATES)
    for cycles, name, rate in script:
        for _ in range(cycles):
            executor.step()
        try:
            {
                "hold": executor.hold,
                "stop": executor.stop,
                "resume": lambda rate=rate: executor.resume(rate),
                "rate": lambda rate=rate: executor.set_rate(rate),
            }[name]()
        except mk.Refused as refused:
            assert refused.reason == "stopped" and "stop" in [c[1] for c in script]
    if not executor.report().commands or executor.report().commands[-1].name == "hold":
        executor.resume()
    report = executor.run(realtime=False)
    q = np.array([s.position for s in sent])
    # rounding of third differences: 8 x 2e-16 x 2 rad / 1e-9 s3 = 3e-6 of 60 rad/s3
    assert used(q, 1e-3, RATES) <= 1.0 + 1e-6
    for k, cap in ((1, "velocity"), (2, "acceleration"), (3, "jerk")):
        assert (np.abs([getattr(s, cap) for s in sent]) / RATES[:, k - 1]).max() <= 1.0 + 1e-8
    assert max(_distance(row) for row in q[::41]) < 1e-6  # how well a search for the nearest place finds it
    assert not sent[-1].velocity.any() and not sent[-1].acceleration.any()
    if report.completed:
        assert np.array_equal(q[-1], PLANS[-1].goal)


def _plans() -> tuple[list[Any], np.ndarray]:
    arm = mk.SerialChain.six_axis_example()
    q = np.radians([0, -60, 90, 0, 60, 0])
    limits = [mk.MotionLimits(joint.max_velocity, 8.0, 60.0) for joint in arm.limits]
    pose = arm.forward(q)
    line = mk.CartesianPlan.plan(arm, q, mk.SE3(pose.rotation, pose.translation + np.array([0.05, -0.2, 0.05])), limits)
    there = mk.SynchronizedTrajectory.plan(q - 0.1, q, limits)
    back = mk.SynchronizedTrajectory.plan(line.end_q, q, limits)
    return [there, line, back], np.array([[v.max_velocity, v.max_acceleration, v.max_jerk] for v in limits])


PLANS, RATES = _plans()


def _distance(q: np.ndarray) -> float:
    """From the nearest of the three paths, in joint space."""
    there, line, back = PLANS
    found = []
    for plan in (there, back):
        way = plan.goal - plan.start
        s = min(max(float((q - plan.start) @ way / (way @ way)), 0.0), 1.0)
        found.append(float(np.abs(q - plan.start - s * way).max()))
    low, high = 0.0, 1.0
    for _ in range(40):  # the distance has one minimum over the parameter of so short a curve
        a, b = low + (high - low) / 3, high - (high - low) / 3
        one, other = (float(np.linalg.norm(line.path.positions(np.array([s]))[0] - q)) for s in (a, b))
        low, high = (low, b) if one < other else (a, high)
    found.append(float(np.abs(line.path.positions(np.array([low]))[0] - q).max()))
    return min(found)


def test_a_change_that_takes_longer_than_a_cycle_is_made_for_a_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cycles go on while it is computed, here five and then five more, as another thread would have them."""
    sent: list[mk.Setpoint] = []
    executor = mk.Executor(move(), sent.append)
    asked: list[float] = []
    plain = mk.Override.change

    def slow(play: mk.Override, t: float, rate: float) -> mk.Override:
        changed = plain(play, t, rate)
        asked.append(t)
        for _ in range(5 if len(asked) <= 2 else 0):
            executor.step()
        return changed

    for _ in range(300):
        executor.step()
    monkeypatch.setattr(mk.Override, "change", slow)
    command = executor.hold()
    assert len(asked) == 3 and asked[0] == 0.3 and command.time == asked[2] >= 0.31
    for _ in range(600):
        executor.step()
    assert not sent[-1].velocity.any() and sent[-1].position.tolist() != THERE
    assert used([s.position for s in sent], 1e-3) <= 1.0 + 1e-6


def test_commands_from_other_threads_while_cycles_go_on() -> None:
    sent: list[mk.Setpoint] = []
    plans = [move(), move(THERE, HERE)] * 4
    executor = mk.Executor(plans, sent.append, frequency=500.0)
    errors: list[BaseException] = []

    def tell(seed: int) -> None:
        rng = np.random.default_rng(seed)
        try:
            for _ in range(15):
                executor.set_rate(float(rng.uniform(0.3, 1.0)))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=tell, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        executor.step()
    report = executor.run(realtime=False)
    assert errors == [] and report.completed and len(report.commands) == 45
    assert used([s.position for s in sent], 2e-3) <= 1.0 + 1e-6


def test_a_program_is_played_and_held() -> None:
    plan = mk.plan_program(mk.program.demo_program())
    sent: list[mk.Setpoint] = []
    executor = mk.Executor(plan.trajectories, sent.append, limits=plan.limits, frequency=250.0)
    for _ in range(int(0.4 * plan.duration * 250)):
        executor.step()
    executor.hold()
    for _ in range(400):
        executor.step()
    held = executor.setpoint
    assert not held.velocity.any() and not executor.finished
    executor.resume()
    report = executor.run(realtime=False)
    assert report.completed and np.array_equal(report.setpoint.position, plan.steps[-1].end_q)
    rates = np.array([[v.max_velocity, v.max_acceleration, v.max_jerk] for v in plan.limits])
    assert used([s.position for s in sent], 4e-3, rates) <= 1.0 + 1e-6


# ---- time
def test_deadlines_do_not_drift_and_a_late_cycle_makes_no_larger_step() -> None:
    sent: list[mk.Setpoint] = []
    clock = Machine({3: 2e-4, 100: 0.05})
    report = mk.Executor(move(), sent.append, clock=clock).run()
    assert report.jitter.missed == 1 and report.jitter.most == pytest.approx(0.05)
    assert used([s.position for s in sent], 1e-3) <= 1.0 + 1e-6
    # the small lateness is caught up, the large one shifts what follows
    assert clock.time - 100.0 == pytest.approx((report.cycles - 1) * 1e-3 + 0.05, abs=1e-9)


def test_in_real_time_cycles_come_when_they_should() -> None:
    """No figure of time is held here: only that time passes, and that every cycle is counted."""
    plan = mk.SynchronizedTrajectory.plan([0.0], [0.05], [[2, 8, 40]])
    times: list[float] = []
    clock = mk.executor.MonotonicClock()
    report = mk.Executor(plan, lambda _: times.append(clock.now()), frequency=200.0).run()
    assert report.completed and len(times) == report.cycles
    assert times[-1] - times[0] >= (report.cycles - 2) / 200.0
    assert 0.0 <= report.jitter.least <= report.jitter.median <= report.jitter.p99 <= report.jitter.most


def test_jitter_of_nothing_and_of_something() -> None:
    assert Jitter.of(np.zeros(0), 1e-3) == Jitter(0.0, 0.0, 0.0, 0.0, 0)
    found = Jitter.of(np.array([1e-6] * 98 + [2e-3, 5e-3]), 1e-3)
    assert (found.least, found.median, found.most, found.missed) == (1e-6, 1e-6, 5e-3, 2)


# ---- sinks
def test_a_sink_that_raises_ends_the_run_and_says_what_was_sent() -> None:
    sent: list[mk.Setpoint] = []

    def broken(setpoint: mk.Setpoint) -> None:
        if setpoint.time > 0.2:
            raise OSError("cable is out")
        sent.append(setpoint)

    executor = mk.Executor(move(), broken)
    with pytest.raises(mk.SinkFailed, match=r"OSError at set-point 201, 0.201 s: cable is out") as failed:
        executor.run(realtime=False)
    assert failed.value.report.cycles == len(sent) == 201 and isinstance(failed.value.__cause__, OSError)
    assert failed.value.report.setpoint.position.tolist() == sent[-1].position.tolist()
    with pytest.raises(mk.SinkFailed):
        executor.step()


def test_a_file_has_every_set_point_to_the_last_bit(tmp_path: Path) -> None:
    sent: list[mk.Setpoint] = []
    with mk.CsvSink(tmp_path / "move.csv", ["lift", "turn"]) as sink:

        def both(setpoint: mk.Setpoint) -> None:
            sink(setpoint)
            sent.append(setpoint)

        mk.Executor(move(), both, frequency=100.0).run(realtime=False)
        assert not (tmp_path / "move.csv").exists()
    head, *rows = (tmp_path / "move.csv").read_text().splitlines()
    assert head.startswith("time_s,lift_position,turn_position,lift_velocity") and len(rows) == len(sent)
    values = np.array([[float(x) for x in row.split(",")] for row in rows])
    assert np.array_equal(values[:, 1:3], [s.position for s in sent])
    assert np.array_equal(values[:, 7:], [s.jerk for s in sent])


def test_a_file_does_not_appear_when_something_breaks(tmp_path: Path) -> None:
    with pytest.raises(mk.WrongLength, match="expected 1 axes"), mk.CsvSink(tmp_path / "a.csv", ["lift"]) as sink:
        sink(mk.Setpoint(0.0, *np.zeros((4, 2))))
    assert list(tmp_path.iterdir()) == []
