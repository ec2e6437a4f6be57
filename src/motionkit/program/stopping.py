"""How far and how long the arm goes on when it is told to stop, from the worst moment of each step.

The stop itself is :class:`motionkit.motion.StopProfile`; here it is only asked for at every row of a motion, joint by
joint and with the full limits of the joints, since whoever stops a robot does not keep to the pace of a program.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .planned import ProgramPlan
from .sampling import SampledMotion

__all__ = ["Stop", "StoppingTable", "stopping_table"]


@dataclass(frozen=True, slots=True)
class Stop:
    """The stop of one joint from one moment of the motion.

    Attributes:
        joint: its name.
        distance: how far it still goes, signed, rad or m.
        duration: how long it takes, seconds.
        unit: of the distance.
        time: when it is told to stop, seconds from the beginning of the program.
        step: place in the plan's list of steps.
        velocity: at that moment, rad/s or m/s.
        acceleration: at that moment, rad/s² or m/s².
    """

    joint: str
    distance: float
    duration: float
    unit: str
    time: float
    step: int
    velocity: float
    acceleration: float


@dataclass(frozen=True, slots=True)
class StoppingTable:
    """The worst stops of a motion.

    Attributes:
        by_joint: for each joint the moment from which it goes furthest.
        by_step: for each step of the plan the joint and the moment that take longest to stop; None where nothing moves.
    """

    by_joint: tuple[Stop, ...]
    by_step: tuple[Stop | None, ...]


def stopping_table(plan: ProgramPlan, motion: SampledMotion) -> StoppingTable:
    """The worst stops of a motion, by joint and by step.

    Args:
        plan: whose limits hold for the stop: all of the joint's acceleration and jerk.
        motion: its rows; each is asked. O(rows * joints).
    """
    from ..motion import stopping_distances

    shape = motion.positions.shape
    distance, duration = stopping_distances(
        motion.velocities,
        motion.accelerations,
        np.array([limits.max_acceleration for limits in plan.limits]),
        np.array([limits.max_jerk for limits in plan.limits]),
    )
    units = [limits.unit for limits in plan.program.chain.limits]

    def stop(row: int, joint: int) -> Stop:
        return Stop(
            plan.joint_names[joint],
            float(distance[row, joint]),
            float(duration[row, joint]),
            units[joint],
            float(motion.times[row]),
            int(motion.steps[row]),
            float(motion.velocities[row, joint]),
            float(motion.accelerations[row, joint]),
        )

    by_joint = tuple(stop(int(np.argmax(np.abs(distance[:, j]))), j) for j in range(shape[1]))
    by_step: list[Stop | None] = [None] * len(plan.steps)
    for place in np.unique(motion.steps):
        rows = np.flatnonzero(motion.steps == place)
        worst, joint = np.unravel_index(int(np.argmax(duration[rows])), (len(rows), shape[1]))
        if duration[rows[worst], joint] > 0.0:
            by_step[int(place)] = stop(int(rows[worst]), int(joint))
    return StoppingTable(by_joint, tuple(by_step))
