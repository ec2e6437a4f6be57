"""The main job from end to end: load, resolve, plan, sample, prove, report, write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from .figures import Proof
from .planned import ProgramPlan
from .planning import plan_program
from .proof import prove
from .report import ProgramReport, make_report
from .resolved import ResolvedProgram
from .sampling import DEFAULT_RATE, SampledMotion, check_rows, checked_rate
from .schema import Program
from .writing import check_destination, trajectory_csv, trajectory_json, write_result

__all__ = ["RunResult", "result_files", "run_program"]

Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True, eq=False)
class RunResult:
    """What a run made.

    Attributes:
        plan: the motion of every step.
        motion: its rows, as written.
        proof: what the rows were measured to do.
        report: the table.
        folder: where the files are; None when nothing was written.
    """

    plan: ProgramPlan = field(repr=False)
    motion: SampledMotion = field(repr=False)
    proof: Proof = field(repr=False)
    report: ProgramReport
    folder: Path | None


def run_program(
    program: Program | ResolvedProgram,
    *,
    out: Path | None = None,
    rate: float = DEFAULT_RATE,
    progress: Progress | None = None,
) -> RunResult:
    """Plan a program, prove the motion on its samples, and write the result.

    Args:
        program: as :func:`load_program` or :func:`resolve` gives it.
        out: folder of the result, written whole or not at all; None writes nothing.
        rate: rows a second, in Hz, from 1 to 100 000.
        progress: called with what is being done and the fraction that is done.

    Returns:
        Plan, rows, proof and report.

    Raises:
        FileUnreadable: when the folder must not be replaced or cannot be written.
        InvalidProgram: when the rate is none, or the motion would be more than a million rows.
        ProofFailed: when the sampled motion breaks a limit or a tolerance; nothing is written then.
        MotionkitError: what makes a step impossible, see :func:`plan_program`.

    >>> import motionkit as mk
    >>> from motionkit.program import run_program
    >>> result = run_program(mk.load_program('''
    ... motionkit: program/1
    ... robot: six_axis_example
    ... limits: {max_acceleration: [8, 8, 8, 12, 12, 12], max_jerk: [60, 60, 60, 90, 90, 90]}
    ... steps:
    ...   - movej: {joints: [0, -60, 90, 0, 60, 0]}
    ...   - movej: {joints: [90, -60, 90, 0, 60, 0]}
    ... '''), rate=100)
    >>> result.report.steps[1].pacing
    Pacing(joint='j1', limit='acceleration', share=1.0)
    """
    tell = progress or _silent
    rate = checked_rate(rate)
    if out is not None:
        check_destination(out)
    plan = plan_program(program, progress=lambda what, done: tell(what, 0.6 * done))
    check_rows(plan.duration, rate)
    tell("sampling", 0.6)
    motion = plan.sample(rate)
    tell("proving", 0.65)
    proof = prove(plan, motion)
    proof.require()
    tell("reporting", 0.8)
    report = make_report(plan, motion, proof)
    if out is not None:
        tell("writing", 0.85)
        write_result(out, result_files(motion, report))
    tell("done", 1.0)
    return RunResult(plan, motion, proof, report, out)


def _silent(what: str, done: float) -> None:
    """Tell nobody."""


def result_files(motion: SampledMotion, report: ProgramReport) -> dict[str, bytes]:
    """The text of every file of a result, by name."""
    names = [joint["name"] for joint in report.joints]
    lengths = [joint["unit"] == "m" for joint in report.joints]
    return {
        "trajectory.csv": trajectory_csv(motion, names, lengths),
        "trajectory.json": trajectory_json(motion, names),
        "report.json": report.to_json(),
    }
