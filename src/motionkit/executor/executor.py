"""The cyclic runner: :class:`Executor`. How a motion is changed while it runs is in ``motion.override``."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidLimits, Refused, SinkFailed, WrongLength
from ..motion import MotionLimits, MotionSample, Override
from ..motion.paced import Trajectory
from ..motion.samples import FloatArray, finite
from .clock import Clock, MonotonicClock
from .report import Command, ExecutionReport, Jitter
from .sinks import Setpoint, Sink

GAP = 1e-9  # rad or m by which a plan may begin elsewhere than the one before it ended: rounding
LEAD = 0.005  # s before it takes effect that a change is computed, in a run; doubled as often as that was too short


class Executor:
    """Plays trajectories to a sink, one set-point a cycle, and may be told to slow down, hold, go on and stop.

    Every set-point is sampled from one motion: no command makes it leave its path, go back, or exceed a limit, and a
    cycle that comes late makes the motion late and not jump. Commands may come from any thread. :meth:`step` runs a
    single cycle, without a clock; :meth:`run` runs them all, in time.

    Args:
        trajectories: one, or a sequence of which each begins where the one before it ends; each begins and ends at
            rest. See :meth:`Override.of` for what is asked of them.
        sink: takes a :class:`Setpoint` a cycle. What it raises ends the run as :class:`SinkFailed`.
        limits: of the axes; None: those of each trajectory.
        frequency: cycles a second, Hz.
        rate: of the plans' speed to begin with; see :class:`Override`.
        clock: for :meth:`run`.

    Raises:
        WrongLength: there is no trajectory, or their numbers of axes differ.
        Refused: a trajectory does not begin where the one before it ends; ``amount`` is how far apart they are.
        InvalidLimits: the frequency is not above zero; or see :meth:`Override.of`, as for the other errors.

    >>> import motionkit as mk
    >>> move = mk.SynchronizedTrajectory.plan([0.0, 1.0], [2.0, 0.0], [[2, 8, 40], [2, 8, 40]])
    >>> positions = []
    >>> executor = mk.Executor(move, lambda setpoint: positions.append(setpoint.position), frequency=100)
    >>> report = executor.run(realtime=False)
    >>> report.completed, report.cycles, positions[-1].tolist()
    (True, 146, [2.0, 0.0])
    """

    def __init__(
        self,
        trajectories: Trajectory | list[Trajectory] | tuple[Trajectory, ...],
        sink: Sink,
        *,
        limits: Sequence[MotionLimits] | ArrayLike | None = None,
        frequency: float = 1000.0,
        rate: float = 1.0,
        clock: Clock | None = None,
    ) -> None:
        hertz = finite(frequency, "frequency")
        if hertz <= 0.0:
            raise InvalidLimits(f"frequency is {hertz!r}; give cycles a second, above zero", joint="")
        given: Any = trajectories
        plans: list[Trajectory] = [*given] if isinstance(given, (list, tuple)) else [given]
        if not plans:
            raise WrongLength("expected at least one trajectory, got none")
        self._sink = sink
        self._frequency = hertz
        self._period = 1.0 / hertz
        self._clock: Clock = MonotonicClock() if clock is None else clock
        self._plays = [Override.of(plan, limits, period=self._period) for plan in plans]
        _check_joins(self._plays)
        self._planned = sum(play.duration for play in self._plays)
        self._wanted = rate
        self._plays[0] = self._plays[0].change(0.0, rate)
        self._lock = threading.Lock()
        self._at = 0  # which plan is on
        self._since = 0.0  # time of the motion at which it began
        self._cycle = 0
        self._sent = 0
        self._lead = 1  # cycles from a command to the first set-point that it changes
        self._stopping = False
        self._waited = False  # between two plans, for a command to go on
        self._finished = False
        self._failure: SinkFailed | None = None
        self._commands: list[Command] = []
        self._late = array("d")
        self._last = self._plays[0].sample(0.0)

    # ---- commands
    def set_rate(self, rate: float) -> Command:
        """Go on at ``rate`` of the plans' speed; 0 holds.

        Raises:
            NotFinite: the rate is not finite.
            InvalidLimits: it is negative.
            Refused: the limits do not allow it, or the executor was stopped; ``reason`` says which.
        """
        return self._command("rate", rate)

    def hold(self) -> Command:
        """Come to rest on the path as quickly as the limits allow, and wait."""
        return self._command("hold", 0.0)

    def resume(self, rate: float = 1.0) -> Command:
        """Go on after :meth:`hold`, also before it has come to rest.

        Raises:
            Refused: as for :meth:`set_rate`.
        """
        return self._command("resume", rate)

    def stop(self) -> Command:
        """Come to rest on the path as quickly as the limits allow, and end the run there."""
        return self._command("stop", 0.0)

    def _command(self, name: str, rate: float) -> Command:
        lead = self._lead
        while True:
            with self._lock:
                if self._stopping and name != "stop":
                    raise Refused(f"{name}: the executor was stopped; begin anew", reason="stopped", amount=0.0)
                cycle, at, since, play = self._cycle, self._at, self._since, self._plays[self._at]
            # the long part, while cycles go on: the motion as it will be some cycles ahead
            time = max((cycle + lead - 1) / self._frequency, since + play.changed)
            changed = play.change(time - since, rate)
            with self._lock:
                if (self._cycle - 1) / self._frequency >= time and not self._finished:
                    lead *= 2  # the set-point that it was to change is sent already
                elif self._plays[self._at] is play and self._at == at:
                    self._plays[at] = changed
                    self._wanted = rate
                    self._stopping = self._stopping or name == "stop"
                    command = Command(name, rate, time, since + max(changed.begun, time - since))
                    self._commands.append(command)
                    return command

    # ---- cycles
    @property
    def finished(self) -> bool:
        """Whether there is no set-point left: the last plan has ended, or the stop that was asked for."""
        return self._finished

    @property
    def setpoint(self) -> MotionSample[FloatArray]:
        """The last set-point that was sent, or the first before any was."""
        return self._last

    def step(self) -> Setpoint | None:
        """Send the set-point of the next cycle, without waiting for its time.

        Returns:
            What was sent; None when there is none left.

        Raises:
            SinkFailed: the sink raised, now or before; nothing more is sent.
        """
        if self._failure is not None:
            raise self._failure
        with self._lock:
            if self._finished:
                return None
            now = self._cycle / self._frequency
            play = self._plays[self._at]
            while now - self._since >= play.duration and self._at + 1 < len(self._plays):
                if not self._goes_on():
                    self._waited = True
                    break
                # the next plan begins where the one before it ended, or when its waiting ends
                self._since = now if self._waited else self._since + play.duration
                self._waited = False
                self._at += 1
                play = self._plays[self._at] = self._plays[self._at].change(0.0, self._wanted)
            local = now - self._since
            self._cycle += 1
            ended = local >= play.duration and self._at + 1 == len(self._plays)
            self._finished = ended or (self._stopping and (local >= play.duration or play.standing(local)))
        sample = play.sample(local)
        setpoint = Setpoint(now, sample.position, sample.velocity, sample.acceleration, sample.jerk)
        try:
            self._sink(setpoint)
        except Exception as error:
            self._failure = SinkFailed(
                f"the sink raised {type(error).__name__} at set-point {self._cycle - 1}, {now:.6g} s: {error}; "
                "nothing more is sent, so the machine must stop by itself",
                report=self.report(),
            )
            raise self._failure from error
        self._last = sample
        self._sent += 1
        return setpoint

    def run(self, *, realtime: bool = True) -> ExecutionReport:
        """Send every set-point until the end of the last plan, or until the stop that was asked for.

        Deadlines are counted from the first one, so that no drift builds up. Where one is missed by a period or more
        the following ones are counted from there: the motion goes on later, and takes no larger step.

        Args:
            realtime: False: as fast as the sink takes them. A motion that is held would then never end, so it is an
                error when nothing is left to go on to.

        Raises:
            SinkFailed: the sink raised; ``report`` has what was done before.
            Refused: held for good without a clock.
        """
        begun = self._clock.now() if realtime else 0.0
        deadline = begun
        if realtime:
            self._lead = max(round(LEAD / self._period), 2)
        try:
            while not self._finished:
                if realtime:
                    self._clock.wait_until(deadline)
                    late = self._clock.now() - deadline
                    self._late.append(late)
                    deadline += self._period + (late if late >= self._period else 0.0)
                elif self._held():
                    raise Refused(
                        "the motion is held and no time passes that could bring resume(); use step()",
                        reason="held",
                        amount=0.0,
                    )
                self.step()
        finally:
            self._lead = 1
        return self.report()

    def report(self) -> ExecutionReport:
        """What was done so far."""
        play = self._plays[self._at]
        now = max(self._cycle - 1, 0) / self._frequency
        ended = self._at + 1 == len(self._plays) and now - self._since >= play.duration
        return ExecutionReport(
            cycles=self._sent,
            time=now,
            planned=self._planned,
            completed=self._finished and ended,
            plan=self._at,
            setpoint=self._last,
            commands=tuple(self._commands),
            jitter=Jitter.of(np.array(self._late), self._period),
        )

    def _goes_on(self) -> bool:
        """Whether the next plan may begin."""
        return self._wanted > 0.0 and not self._stopping

    def _held(self) -> bool:
        local = self._cycle / self._frequency - self._since
        return not self._goes_on() and not self._stopping and self._plays[self._at].standing(local)


def _check_joins(plays: Sequence[Override]) -> None:
    for k, (one, other) in enumerate(pairwise(plays)):
        end, begin = one.sample(one.duration).position, other.sample(0.0).position
        if len(end) != len(begin):
            raise WrongLength(f"trajectory {k + 1}: expected {len(end)} axes as those before it, got {len(begin)}")
        apart = np.abs(begin - end)
        if float(apart.max(initial=0.0)) > GAP:
            axis = int(apart.argmax())
            raise Refused(
                f"trajectory {k + 1} begins {float(apart[axis]):.6g} away from where the one before it ends, in axis "
                f"{axis}; plan a move between them",
                reason="gap",
                amount=float(apart[axis]),
            )
