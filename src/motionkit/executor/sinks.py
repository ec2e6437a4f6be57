"""Where set-points go: anything that can be called with one, a file, a simulation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

import numpy as np

from .._extras import require
from .._files import write_whole
from ..errors import UnknownName, WrongLength, did_you_mean
from ..motion.samples import FloatArray

QUANTITIES = ("position", "velocity", "acceleration", "jerk")


@dataclass(frozen=True, slots=True, eq=False)
class Setpoint:
    """What the axes shall do at an instant.

    Attributes:
        time: s since the first one.
        position, velocity, acceleration, jerk: (n,), rad or m and s.
    """

    time: float
    position: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    jerk: FloatArray


class Sink(Protocol):
    """Takes one set-point a cycle. What it raises ends the run."""

    def __call__(self, setpoint: Setpoint, /) -> object:
        """Hand it on."""
        ...


class CsvSink:
    """Writes a file with a row a set-point: its time, then position, velocity, acceleration and jerk of every axis.

    The file appears when the sink is closed, whole; nothing appears when the ``with`` block is left by an error.

    Args:
        path: of the file; one that is there is replaced.
        names: of the axes, (n,).

    >>> import motionkit as mk
    >>> with mk.CsvSink("move.csv", ["lift"]) as sink:  # doctest: +SKIP
    ...     mk.Executor(move, sink).run()
    """

    def __init__(self, path: str | os.PathLike[str], names: Sequence[str]) -> None:
        self.path = path
        self.names = tuple(names)
        self._lines = [",".join(["time_s", *(f"{name}_{what}" for what in QUANTITIES for name in self.names)])]

    def __call__(self, setpoint: Setpoint) -> None:
        """Keep a row.

        Raises:
            WrongLength: there are not as many axes as names.
        """
        if len(setpoint.position) != len(self.names):
            raise WrongLength(f"expected {len(self.names)} axes, one a name, got {len(setpoint.position)}")
        row = [setpoint.time]
        for what in QUANTITIES:
            row += getattr(setpoint, what).tolist()
        self._lines.append(",".join(map(repr, row)))

    def close(self) -> None:
        """Write the file.

        Raises:
            FileUnreadable: it cannot be written.
        """
        write_whole(self.path, ("\n".join(self._lines) + "\n").encode())

    def __enter__(self) -> CsvSink:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()


class MujocoSink:
    """Plays set-points to a MuJoCo simulation (extra ``mjcf``): controls, then steps up to the time of the set-point.

    Args:
        model: mujoco.MjModel with a position actuator for every joint.
        data: mujoco.MjData; its time when the first set-point comes counts as 0.
        joints: names of the joints in the order of the axes.

    Raises:
        UnknownName: the model has no such joint, or no actuator for it.
        MissingExtra: MuJoCo is not installed.
    """

    def __init__(self, model: Any, data: Any, joints: Sequence[str]) -> None:
        mujoco = require("mujoco", "mjcf", "playing to a simulation")

        self.model = model
        self.data = data
        self._step: Any = mujoco.mj_step
        self._controls: list[int] = []
        self._places: list[int] = []
        known = [model.joint(i).name for i in range(model.njnt)]
        driven = {int(model.actuator_trnid[k, 0]): k for k in range(model.nu)}
        for name in joints:
            if name not in known:
                raise UnknownName(f"joint {name!r} is not in the model; {did_you_mean(name, known)}", name=name)
            joint = known.index(name)
            if joint not in driven:
                raise UnknownName(
                    f"joint {name!r} has no actuator in the model; give it a position actuator", name=name
                )
            self._controls.append(driven[joint])
            self._places.append(int(model.jnt_qposadr[joint]))
        self._begun: float | None = None

    @property
    def positions(self) -> FloatArray:
        """Where the simulated joints are, (n,)."""
        return np.array(self.data.qpos)[self._places]

    def __call__(self, setpoint: Setpoint) -> None:
        """Command the positions and simulate until the time of the set-point."""
        if self._begun is None:
            self._begun = float(self.data.time)
        self.data.ctrl[self._controls] = setpoint.position
        half = 0.5 * float(self.model.opt.timestep)
        while float(self.data.time) - self._begun < setpoint.time - half:
            self._step(self.model, self.data)
