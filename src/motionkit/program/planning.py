"""From a resolved program to a plan: which motion each step is, one after another on one clock.

Nothing is sampled, proved or written here. Every motion begins and ends at rest, so steps join without a jerk.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

import numpy as np
from numpy.typing import NDArray

from ..errors import (
    BranchFlip,
    InvalidLimits,
    InvalidProgram,
    JointLimitViolated,
    KindMismatch,
    LineCrossesLimit,
    LineThroughSingularity,
    MotionkitError,
    NotConverged,
    Unreachable,
)
from .lines import plan_line
from .planned import Hold, PlannedStep, ProgramPlan, Segment, StraightLine
from .resolved import (
    FrameChange,
    JointTarget,
    MoveJoint,
    MoveLine,
    Note,
    PoseTarget,
    ResolvedProgram,
    ResolvedStep,
    ResolvedTool,
    SetOutput,
    ToolChange,
    Wait,
)
from .resolving import resolve

if TYPE_CHECKING:
    from ..motion import MotionLimits
    from ..robot import SerialChain
    from .schema import Program

__all__ = ["plan_program"]

FloatArray = NDArray[np.float64]

# what another configuration of the arm may avoid; out of reach is out of reach for all of them
FORCING = (LineCrossesLimit, LineThroughSingularity, BranchFlip, Unreachable, NotConverged, JointLimitViolated)
SAME_BRANCH = 1e-3  # rad or m; configurations that are nearer to each other are one
TRIES = 64  # of other configurations, in the whole program
POSE = 6  # numbers that a pose determines: an arm with more joints may reach one in endless ways


def plan_program(
    program: Program | ResolvedProgram, *, progress: Callable[[str, float], None] | None = None
) -> ProgramPlan:
    """Plan every step of a program.

    The first movej of a program without ``start`` says where the arm stands at time zero: it takes no time. A movej
    reaches a pose in the configuration of its ``near`` point, otherwise in the one nearest to the joints before it.
    Where a later step cannot be made from there, because a joint would leave its range or a line would pass a
    singularity or end in another configuration than asked for, it is the next nearest from which the program gets
    through, and the step says so in its notes; that needs an arm with a closed form of inverse kinematics. A movel
    keeps the configuration it begins in, and is refused where that does not end in the one of ``near``; an arm with
    more than six joints has no such choice of configurations, so there ``near`` is noted and not checked.

    Args:
        program: as :func:`load_program` or :func:`resolve` gives it.
        progress: called before each step with what it is and the fraction of steps that are done.

    Returns:
        The plan, of which nothing is proved yet.

    Raises:
        InvalidLimits: when a joint has no velocity, acceleration or jerk limit, whether it moves or not.
        MotionkitError: whatever makes a step impossible, in the class of its cause; the message begins with the file,
            the line and the step.

    >>> import motionkit as mk
    >>> plan = mk.plan_program(mk.load_program('''
    ... motionkit: program/1
    ... robot: six_axis_example
    ... limits: {max_acceleration: [8, 8, 8, 12, 12, 12], max_jerk: [60, 60, 60, 90, 90, 90]}
    ... steps: [{movej: {joints: [0, -60, 90, 0, 60, 0]}}, {wait: 0.5}]
    ... '''))
    >>> plan.duration, len(plan.sample(rate=1000.0))
    (0.5, 501)
    """
    resolved = program if isinstance(program, ResolvedProgram) else resolve(program)
    _refuse_unset_limits(resolved)
    return _Planner(resolved).plan(progress or (lambda _what, _done: None))


def _refuse_unset_limits(program: ResolvedProgram) -> None:
    for name, limits in zip(program.chain.joint_names, program.limits, strict=True):
        try:
            limits.validate()
        except InvalidLimits as error:
            raise InvalidLimits(
                f"{program.program.source.where(('limits',))}: joint {name!r}: {error.message}; "
                "give it under limits: in the program",
                joint=name,
            ) from error


@dataclass
class _Choice:
    """A movej whose pose several configurations of the arm reach, with the state of the planner before it."""

    number: int
    clock: float
    start: FloatArray
    tool: ResolvedTool
    planned: int  # steps
    taken: FloatArray
    others: list[FloatArray] | None = None  # not tried yet, nearest first; looked for when the nearest does not do
    tried: int = 0
    reason: str = ""  # why the nearest does not do


class _Planner:
    """The state that runs through the steps: the joints, the clock, the tool, and the choices that were made."""

    def __init__(self, program: ResolvedProgram) -> None:
        self.program = program
        self.clock = 0.0
        self.q: FloatArray | None = None if program.start is None else np.array(program.start)
        self.tool = program.tool
        self.chains: dict[str, SerialChain] = {}
        self.steps: list[PlannedStep] = []
        self.choices: list[_Choice] = []
        self.tries = 0

    def plan(self, progress: Callable[[str, float], None]) -> ProgramPlan:
        before: list[ResolvedStep] = []  # steps without time that stand before the joints are known
        steps, number, first = self.program.steps, 0, None
        while number < len(steps):
            step = steps[number]
            progress(f"planning step {step.index}: {step.verb}", number / len(steps))
            if isinstance(step, ToolChange):
                self.tool = step.tool
            if self.q is None and not isinstance(step, MoveJoint):
                before.append(step)
                number += 1
                continue
            try:
                planned = self._step(step, number)
            except MotionkitError as error:
                located = _located(self.program, step, error)
                first = first or located
                if not isinstance(error, FORCING) or not self._choose_again(located):
                    raise self._in_vain(first) from error
                number = self.choices[-1].number
                continue
            for early in before:
                self.steps.append(self._instant(early, planned.start_q))
            before.clear()
            self.steps.append(planned)
            self.clock, self.q = planned.end, planned.end_q
            number += 1
        if self.q is None:
            source = self.program.program.source
            raise source.error(
                ("steps",),
                "nothing says where the arm stands: begin with a movej, or say start: {joints: [...]}",
            )
        return ProgramPlan(self.program, tuple(self.steps), self.clock, self.program.warnings)

    def _choose_again(self, error: MotionkitError) -> bool:
        """Go back to the last movej that another configuration reaches, and take that one."""
        while self.choices and self.tries < TRIES:
            choice = self.choices[-1]
            if choice.others is None:
                choice.others, choice.reason = self._others(choice), error.message
            if choice.others:
                choice.taken = choice.others.pop(0)
                choice.tried += 1
                self.tries += 1
                self.clock, self.q, self.tool = choice.clock, choice.start, choice.tool
                del self.steps[choice.planned :]
                return True
            self.choices.pop()
        return False

    def _others(self, choice: _Choice) -> list[FloatArray]:
        """The other configurations for the pose of a movej, nearest first; none on an arm without a closed form."""
        step = self.program.steps[choice.number]
        assert isinstance(step, MoveJoint)
        assert isinstance(step.target, PoseTarget)
        try:
            answers = self._chain(step.tool).inverse_all(step.target.base_T_tcp, choice.start)
        except KindMismatch:  # which forms there are is the arm's business; without one the nearest is all there is
            return []
        return [a.q for a in answers if float(np.max(np.abs(a.q - choice.taken))) > SAME_BRANCH]

    def _in_vain(self, error: MotionkitError) -> MotionkitError:
        """The first error, which the nearest configurations led to; says what else was tried."""
        if not self.tries:
            return error
        more = f"; {self.tries} other configurations of the arm for earlier poses were tried, and none gets through"
        return type(error)(error.message + more, **error.__dict__)

    def _step(self, step: ResolvedStep, number: int) -> PlannedStep:
        match step:
            case MoveJoint():
                return self._movej(step, number)
            case MoveLine():
                return self._movel(step)
            case Wait():
                return self._wait(step)
            case SetOutput() | Note() | ToolChange() | FrameChange():
                return self._instant(step, self._here())
        assert_never(step)

    def _here(self) -> FloatArray:
        assert self.q is not None, "resolving and plan() let no step through before the joints are known"
        return self.q

    def _chain(self, tool: ResolvedTool) -> SerialChain:
        if tool.name not in self.chains:
            self.chains[tool.name] = self.program.chain.with_tool(tool.flange_T_tcp)
        return self.chains[tool.name]

    def _instant(self, step: ResolvedStep, q: FloatArray) -> PlannedStep:
        chain = self._chain(self.tool)
        return PlannedStep(step, self.clock, self.clock, q, q, share=0.0, segment=None, chain=chain)

    def _wait(self, step: Wait) -> PlannedStep:
        q = self._here()
        hold = Hold(tuple(q.tolist()), step.seconds)
        return self._timed(step, hold, q, q, share=0.0, chain=self._chain(self.tool))

    def _movej(self, step: MoveJoint, number: int) -> PlannedStep:
        from ..motion import SynchronizedTrajectory

        chain = self._chain(step.tool)
        goal, notes = self._joints(step.target, chain, number)
        if self.q is None:
            note = "defines where the program starts; no time passes"
            return PlannedStep(step, 0.0, 0.0, goal, goal, share=0.0, segment=None, chain=chain, notes=(note,))
        limits = [scaled(limit, step.speed_joint) for limit in self.program.limits]
        segment = SynchronizedTrajectory.plan(self.q, goal, limits)
        return self._timed(step, segment, self.q, goal, share=step.speed_joint, chain=chain, notes=notes)

    def _movel(self, step: MoveLine) -> PlannedStep:
        chain = self._chain(step.tool)
        here = self._here()
        notes: tuple[str, ...] = ()
        if isinstance(step.target, JointTarget):
            goal_q = np.array(step.target.q)
            goal = chain.forward(goal_q)
        else:
            goal_q, goal = None, step.target.base_T_tcp
            if step.target.near is not None and chain.n <= POSE:
                goal_q = self._near(step.target, chain)
            elif step.target.near is not None:  # a pose leaves such an arm a whole curve of configurations
                notes = (f"near {step.target.near_name} has no say: {chain.n} joints take the line with least motion",)
        segment = plan_line(chain, here, goal, self.program.limits, step, goal_q)
        line = StraightLine(
            chain.forward(here), goal, step.position_tolerance, step.rotation_tolerance, step.speed, step.turn
        )
        return self._timed(step, segment, here, np.array(segment.end_q), share=1.0, chain=chain, line=line, notes=notes)

    def _timed(
        self,
        step: ResolvedStep,
        segment: Segment,
        start_q: FloatArray,
        end_q: FloatArray,
        *,
        share: float,
        chain: SerialChain,
        line: StraightLine | None = None,
        notes: tuple[str, ...] = (),
    ) -> PlannedStep:
        duration = segment.duration
        if not math.isfinite(duration):
            raise InvalidProgram(f"the step would take {duration} s", path=step.path, line=step.line)
        still = duration <= 0.0
        if still and isinstance(step, MoveJoint | MoveLine):
            notes = (*notes, "already there; no time passes")
        return PlannedStep(
            step,
            self.clock,
            self.clock if still else self.clock + duration,
            start_q,
            end_q,
            share=share,
            segment=None if still else segment,
            chain=chain,
            line=line,
            notes=notes,
        )

    def _joints(
        self, target: JointTarget | PoseTarget, chain: SerialChain, number: int
    ) -> tuple[FloatArray, tuple[str, ...]]:
        """The joint values of a movej's target, and what is to be said of them."""
        if isinstance(target, JointTarget):
            return np.array(target.q), ()
        if target.near is not None:
            return self._near(target, chain), ()
        here = self._here()
        if self.choices and self.choices[-1].number == number:
            choice = self.choices[-1]
            return choice.taken, (f"not in the configuration nearest to the step before, from which {choice.reason}",)
        goal = np.array(chain.inverse_near(target.base_T_tcp, here).q)
        self.choices.append(_Choice(number, self.clock, here, self.tool, len(self.steps), goal))
        return goal, ()

    def _near(self, target: PoseTarget, chain: SerialChain) -> FloatArray:
        assert target.near is not None
        return np.array(chain.inverse_near(target.base_T_tcp, np.array(target.near)).q)


def _located(program: ResolvedProgram, step: ResolvedStep, error: MotionkitError) -> MotionkitError:
    """The same error, of the same class and with the same fields, whose message begins with the place in the file."""
    source = program.program.source
    where = source.where(("steps", step.index, step.verb))
    if error.message.startswith(where):
        return error
    details = dict(error.__dict__)
    if isinstance(error, InvalidProgram):
        details = {"path": f"{step.path}.{step.verb}", "line": step.line}
    return type(error)(f"{where}: {error.message}", **details)


def scaled(limits: MotionLimits, share: float) -> MotionLimits:
    """Limits of which a move may use only a share: velocity, acceleration and jerk alike."""
    from ..motion import MotionLimits

    if share == 1.0:
        return limits
    return MotionLimits(
        limits.max_velocity * share,
        limits.max_acceleration * share,
        limits.max_jerk * share,
        min_velocity=None if limits.min_velocity is None else limits.min_velocity * share,
        min_acceleration=None if limits.min_acceleration is None else limits.min_acceleration * share,
        min_position=limits.min_position,
        max_position=limits.max_position,
    )
