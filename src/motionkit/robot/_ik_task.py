"""What counts of a target: names of tasks and rows, turned into the numbers that the kernel reads.

A task is ``"pose"``, ``"position"``, ``"axis"`` (the position, and the tool's z axis along the target's), or names of
rows among x, y, z, rx, ry, rz, along and about the axes of a frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import UnknownName, WrongLength, did_you_mean
from ..kernels._contract import Model

TASKS = ("pose", "position", "axis")
FRAMES = ("target", "base")
DISPLACEMENTS = ("x", "y", "z")
TURNS = ("rx", "ry", "rz")


class Task:
    """What counts of a target.

    Args:
        rows: which displacements, (3,).
        turns: how many turns.
        axis: the turn that counts where one does, the one that does not where two do.
        own: 1 for the axes of the target, 0 for those of the base.
    """

    def __init__(self, rows: NDArray[np.float64], turns: int, axis: int, own: int) -> None:
        self.rows = rows
        self.turns = turns
        self.axis = axis
        self.own = own
        self.whole = turns == 3 and bool(rows.all())

    @cached_property
    def model(self) -> Model:
        """The displacements that count, as the kernel reads them."""
        return Model(self.rows)


POSE = Task(np.ones(3), 3, 0, 1)
POSITION = Task(np.ones(3), 0, 0, 1)
AXIS = Task(np.ones(3), 2, 2, 1)


def task_of(task: str | Sequence[str], frame: str) -> Task:
    """The task of a name or of rows.

    Raises:
        UnknownName: there is no such task, row or frame.
        WrongLength: no row.
    """
    if frame not in FRAMES:
        raise UnknownName(f"frame: expected 'target' or 'base', got {frame!r}; {did_you_mean(frame, FRAMES)}")
    if isinstance(task, str):
        if task not in TASKS:
            raise UnknownName(
                f"task: expected 'pose', 'position', 'axis' or rows such as ('x', 'y', 'z', 'rz'), got {task!r}"
                f"; {did_you_mean(task, TASKS)}"
            )
        return {"pose": POSE, "position": POSITION, "axis": AXIS}[task]
    rows = tuple(task)
    for row in rows:
        if row not in DISPLACEMENTS + TURNS:
            raise UnknownName(
                f"task: expected rows among {', '.join(DISPLACEMENTS + TURNS)}, got {row!r}"
                f"; {did_you_mean(str(row), DISPLACEMENTS + TURNS)}"
            )
    if not rows:
        raise WrongLength("task: expected at least one row among x, y, z, rx, ry, rz")
    counted = [name in rows for name in TURNS]
    turns = sum(counted)
    axis = counted.index(turns == 1) if turns in (1, 2) else 0
    return Task(np.array([float(name in rows) for name in DISPLACEMENTS]), turns, axis, int(frame == "target"))
