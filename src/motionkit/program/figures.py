"""What a proof finds: worst figures and violations, and the ledger that collects them step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import ProofFailed

if TYPE_CHECKING:
    from .planned import ProgramPlan

__all__ = ["ORDERS", "Figure", "Ledger", "Proof", "Violation", "slices"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

ORDERS = ("position", "velocity", "acceleration", "jerk")
PER_SECOND = ("", "/s", "/s²", "/s³")
SHOWN = 10  # violations that a message lists; ``violations`` has them all


@dataclass(frozen=True, slots=True)
class Figure:
    """The worst value of one kind that the proof met.

    Attributes:
        what: such as ``velocity`` (by differences of the positions), ``velocity column``, ``line position``.
        value: in ``unit``, with its sign.
        limit: what its magnitude may not exceed; for a position the nearer end of the range.
        share: magnitude of value by limit; for a position how far it is from the middle of the range, 1 at an end.
        unit: of value and limit.
        joint: name; None for a figure of the tool.
        time: seconds.
        step: place in the plan's list of steps.
    """

    what: str
    value: float
    limit: float
    share: float
    unit: str
    joint: str | None
    time: float
    step: int


@dataclass(frozen=True, slots=True)
class Violation:
    """Something that the sampled motion must not do.

    Attributes:
        figure: the worst value of its kind in its step.
        amount: by how much it exceeds what is allowed, rounding included, in the figure's unit.
        rows: how many rows of the step do.
        where: file, line and step.
    """

    figure: Figure
    amount: float
    rows: int
    where: str

    def __str__(self) -> str:
        f = self.figure
        who = "" if f.joint is None else f"joint {f.joint!r}: "
        rows = f" ({self.rows} rows)" if self.rows > 1 else ""
        return (
            f"{self.where}: {who}{f.what} {f.value:.6g} {f.unit} at {f.time:.6g} s is beyond {f.limit:.6g} {f.unit} "
            f"by {self.amount:.3g}{rows}"
        )


@dataclass(frozen=True, slots=True)
class Proof:
    """What the proof measured.

    Attributes:
        figures: the worst of each kind over the whole program.
        by_step: the same for each step of the plan, in the order of its steps.
        violations: empty when the motion is proved.
        rows: how many rows were checked.
    """

    figures: tuple[Figure, ...]
    by_step: tuple[tuple[Figure, ...], ...]
    violations: tuple[Violation, ...]
    rows: int

    def require(self) -> None:
        """Raise when anything is violated.

        Raises:
            ProofFailed: with every violation in ``violations``.
        """
        if not self.violations:
            return
        count = len(self.violations)
        shown = "\n".join(f"  {violation}" for violation in self.violations[:SHOWN])
        more = f"\n  and {count - SHOWN} more" if count > SHOWN else ""
        raise ProofFailed(
            f"the sampled motion breaks {count} promise{'s' if count > 1 else ''}, so nothing is written; this is a "
            f"defect of the planner, not of the program:\n{shown}{more}",
            violations=self.violations,
        )


def slices(steps: IntArray) -> Iterator[tuple[int, slice]]:
    """The runs of equal numbers in ``steps``: the number, and where it stands."""
    edges = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), len(steps)]
    for low, high in pairwise(edges):
        if high > low:
            yield int(steps[low]), slice(low, high)


@dataclass(slots=True)
class Ledger:
    """Collects figures and violations while a proof runs.

    Args:
        plan: the steps that figures belong to.
    """

    plan: ProgramPlan
    _steps: list[list[Figure]] = field(init=False)
    _violations: list[Violation] = field(default_factory=list[Violation], init=False)

    def __post_init__(self) -> None:
        self._steps = [[] for _ in self.plan.steps]

    def note(self, figure: Figure, amount: float, rows: int = 1) -> None:
        """Keep a figure; a positive ``amount`` beyond its limit makes it a violation."""
        self._steps[figure.step].append(figure)
        if amount > 0.0:
            self.violate(figure, amount, rows)

    def violate(self, figure: Figure, amount: float, rows: int = 1) -> None:
        """Keep a violation that is no figure of the report."""
        step = self.plan.steps[figure.step].step
        where = self.plan.program.program.source.where(("steps", step.index, step.verb))
        self._violations.append(Violation(figure, amount, rows, where))

    def joints(
        self,
        what: str,
        order: int,
        values: FloatArray,
        bounds: FloatArray,
        noise: FloatArray,
        times: FloatArray,
        steps: IntArray,
    ) -> None:
        """Compare values of the joints with bounds; keep the worst joint of each step and every violation.

        Args:
            what: name of the figure.
            order: 0 for positions to 3 for jerks; says the unit.
            values: (M, n).
            bounds: (M, n), of the magnitude; zero where nothing may move.
            noise: (M, n), what rounding may add.
            times: (M,) seconds.
            steps: (M,) places in the plan's list of steps.
        """
        magnitude = np.abs(values)
        excess = magnitude - bounds - noise
        # where nothing may move, the share says how much of the rounding is used up
        share = magnitude / np.where(bounds > 0.0, bounds, np.maximum(noise, 1e-300))
        for place, rows in slices(steps):
            worst = rows.start + share[rows].argmax(axis=0)
            broken = np.count_nonzero(excess[rows] > 0.0, axis=0)
            leader = int(share[worst, range(len(worst))].argmax())
            for j in sorted({leader, *np.flatnonzero(broken).tolist()}):
                k = int(worst[j])
                if broken[j]:
                    k = rows.start + int(excess[rows, j].argmax())
                elif bounds[k, j] <= 0.0:
                    continue
                unit = self.unit(j, order)
                value, bound = float(values[k, j]), float(bounds[k, j])
                figure = Figure(
                    what, value, bound, float(share[k, j]), unit, self.plan.joint_names[j], float(times[k]), place
                )
                self.note(figure, float(excess[k, j]), int(broken[j]))

    def unit(self, joint: int, order: int) -> str:
        """The unit of a joint's position (order 0) to jerk (order 3)."""
        return self.plan.program.chain.limits[joint].unit + PER_SECOND[order]

    def proof(self, rows: int) -> Proof:
        """What was collected over ``rows`` rows."""
        return Proof(
            _worst(figure for step in self._steps for figure in step),
            tuple(_worst(step) for step in self._steps),
            tuple(self._violations),
            rows,
        )


def _worst(figures: Iterable[Figure]) -> tuple[Figure, ...]:
    """The figure with the largest share of each kind, in the order in which the kinds first appear."""
    best: dict[str, Figure] = {}
    for figure in figures:
        if figure.what not in best or figure.share > best[figure.what].share:
            best[figure.what] = figure
    return tuple(best.values())
