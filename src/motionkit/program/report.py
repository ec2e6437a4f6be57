"""The report of a run: one table for a person and for a machine.

It only gathers what planning, the proof and the stopping table found. How it looks on a screen is in
:mod:`motionkit.program.screen`, how it is written in :mod:`motionkit.program.writing`.
"""

from __future__ import annotations

import math
import platform
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from .figures import Figure, Proof
from .planned import PlannedStep, ProgramPlan
from .resolved import FrameChange, JointTarget, MoveJoint, MoveLine, Note, PoseTarget, SetOutput, ToolChange, Wait
from .sampling import SampledMotion
from .stopping import Stop, StoppingTable, stopping_table
from .writing import RESULT_FORMAT

if TYPE_CHECKING:
    from ..cartesian import LineReport

__all__ = ["LineFacts", "Pacing", "ProgramReport", "StepReport", "make_report"]

PACES = ("velocity", "acceleration", "jerk")
TIE = 1e-6  # shares closer than this are equal: the velocity then counts as what limits, since it does so for longest


@dataclass(frozen=True, slots=True)
class Pacing:
    """What keeps a step from being quicker.

    Attributes:
        joint: name; None when a ceiling of the tool limits.
        limit: ``velocity``, ``acceleration``, ``jerk``, ``speed`` or ``turn``.
        share: how much of what the step may use of it is used, from 0 to 1.
    """

    joint: str | None
    limit: str
    share: float


@dataclass(frozen=True, slots=True)
class LineFacts:
    """What a straight line of the tool costs.

    Attributes:
        length: metres.
        turn: radians.
        least_manipulability: the least along the line.
        least_manipulability_at: where, as a fraction of the line.
        deviation: largest measured distance of the tool from the line, metres.
        deviation_rotation: largest measured turn away from it, radians.
        joint_duration: seconds that the move in joint space between the same ends would take.
        ratio: duration of the line by that.
        knots: how many the curve in joint space needed.
    """

    length: float
    turn: float
    least_manipulability: float
    least_manipulability_at: float
    deviation: float
    deviation_rotation: float
    joint_duration: float
    ratio: float
    knots: int


@dataclass(frozen=True, slots=True)
class StepReport:
    """One row of the table.

    Attributes:
        index: position in the program's steps, from 0.
        path: place in the file.
        line: line in the file; None for a program made in code.
        verb: of the step.
        target: where to, or what, in words.
        start: seconds.
        end: seconds.
        pacing: what limits it; None when it does not move.
        straight: facts of a movel; None for every other verb.
        stop: the worst stop; None when it does not move.
        worst: the worst figures of the proof in this step.
        notes: what a person should know.
    """

    index: int
    path: str
    line: int | None
    verb: str
    target: str
    start: float
    end: float
    pacing: Pacing | None
    straight: LineFacts | None
    stop: Stop | None
    worst: tuple[Figure, ...] = field(repr=False)
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProgramReport:
    """Everything a run found out.

    Attributes:
        name: of the program.
        robot: as the program calls it.
        digest: SHA-256 of the program's text and of the robot file.
        rate: rows a second, Hz.
        rows: of the trajectory.
        duration: seconds.
        joints: name, kind and limits of each joint, SI units.
        steps: the table.
        stopping: for each joint its furthest stop.
        figures: the worst figures of the proof.
        totals: seconds moving and waiting, metres of lines, number of steps of each verb.
        warnings: legal, and yet likely a slip.
        versions: of what made the result.
    """

    name: str
    robot: str
    digest: str
    rate: float
    rows: int
    duration: float
    joints: tuple[dict[str, Any], ...] = field(repr=False)
    steps: tuple[StepReport, ...]
    stopping: tuple[Stop, ...]
    figures: tuple[Figure, ...]
    totals: dict[str, Any]
    warnings: tuple[str, ...]
    versions: dict[str, str]

    def to_data(self) -> dict[str, Any]:
        """The report as plain mappings, lists and numbers."""
        data = _plain(asdict(self))
        return {"format": RESULT_FORMAT, **data}

    def to_json(self) -> bytes:
        """The text of ``report.json``."""
        return msgspec.json.format(msgspec.json.encode(self.to_data()), indent=2) + b"\n"


def make_report(plan: ProgramPlan, motion: SampledMotion, proof: Proof) -> ProgramReport:
    """Gather the report of a proved motion."""
    stops = stopping_table(plan, motion)
    steps = tuple(_step(plan, place, proof, stops) for place in range(len(plan.steps)))
    program = plan.program
    return ProgramReport(
        name=program.name,
        robot=Path(program.robot).name,
        digest=program.digest,
        rate=motion.rate,
        rows=len(motion),
        duration=plan.duration,
        joints=tuple(_joint(plan, j) for j in range(len(plan.limits))),
        steps=steps,
        stopping=stops.by_joint,
        figures=proof.figures,
        totals=_totals(steps),
        warnings=plan.warnings,
        versions=_versions(),
    )


def _step(plan: ProgramPlan, place: int, proof: Proof, stops: StoppingTable) -> StepReport:
    planned = plan.steps[place]
    step = planned.step
    line: LineReport | None = getattr(planned.segment, "report", None)
    worst = proof.by_step[place]
    facts = None if line is None else _line(line, worst)
    return StepReport(
        index=step.index,
        path=step.path,
        line=step.line,
        verb=step.verb,
        target=_target(planned),
        start=planned.start,
        end=planned.end,
        pacing=_pacing(planned, worst) if line is None else _line_pacing(line),
        straight=facts,
        stop=stops.by_step[place],
        worst=worst,
        notes=planned.notes,
    )


def _target(planned: PlannedStep) -> str:
    step = planned.step
    match step:
        case MoveJoint() | MoveLine():
            match step.target:
                case JointTarget(name=name):
                    return name or "joints"
                case PoseTarget(name=name):
                    return name or "pose"
        case Wait():
            return f"{step.seconds:g} s"
        case SetOutput():
            return ", ".join(f"{name} = {value}" for name, value in step.outputs)
        case Note():
            return step.text
        case ToolChange():
            return step.tool.name
        case FrameChange():
            return step.name


def _pacing(planned: PlannedStep, worst: tuple[Figure, ...]) -> Pacing | None:
    if planned.share == 0.0 or planned.segment is None:
        return None
    columns = {figure.what.removesuffix(" column"): figure for figure in worst if figure.what.endswith(" column")}
    paces = [(name, columns[name]) for name in PACES if name in columns]
    most = max((figure.share for _, figure in paces), default=0.0)
    for name, figure in paces:
        if figure.share >= most - TIE:
            return Pacing(figure.joint, name, figure.share)
    return None


def _line_pacing(report: LineReport) -> Pacing:
    name, limit, share = report.limiting
    return Pacing(None if limit in ("speed", "turn") else name, limit, share)


def _line(report: LineReport, worst: tuple[Figure, ...]) -> LineFacts:
    measured = {figure.what: figure.value for figure in worst}
    return LineFacts(
        length=report.length,
        turn=report.turn,
        least_manipulability=report.least_manipulability,
        least_manipulability_at=report.least_manipulability_at,
        deviation=measured.get("line position", report.deviation),
        deviation_rotation=measured.get("line rotation", report.deviation_rotation),
        joint_duration=report.joint_duration,
        ratio=report.ratio,
        knots=report.knots,
    )


def _joint(plan: ProgramPlan, j: int) -> dict[str, Any]:
    limits, range_ = plan.limits[j], plan.program.chain.limits[j]
    return {
        "name": plan.joint_names[j],
        "kind": range_.kind,
        "unit": range_.unit,
        "lower": range_.lower,
        "upper": range_.upper,
        "max_velocity": limits.max_velocity,
        "max_acceleration": limits.max_acceleration,
        "max_jerk": limits.max_jerk,
    }


def _totals(steps: tuple[StepReport, ...]) -> dict[str, Any]:
    verbs: dict[str, int] = {}
    for step in steps:
        verbs[step.verb] = verbs.get(step.verb, 0) + 1
    return {
        "moving": math.fsum(step.end - step.start for step in steps if step.pacing is not None),
        "waiting": math.fsum(step.end - step.start for step in steps if step.verb == "wait"),
        "line_length": math.fsum(step.straight.length for step in steps if step.straight is not None),
        "steps": verbs,
    }


def _versions() -> dict[str, str]:
    from .. import __version__

    return {"motionkit": __version__, "python": platform.python_version(), "numpy": np.__version__}


def _plain(value: Any) -> Any:
    """Mappings, lists and numbers only; what is not finite (the range of a continuous joint) becomes null."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
