"""A movel's plan whose tool keeps below the ceilings of the program wherever it is, between knots too.

The planning itself is :class:`motionkit.cartesian.CartesianPlan`; which line to plan is said in
:mod:`motionkit.program.planning`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .toolpath import tool_speeds

if TYPE_CHECKING:
    from ..cartesian import CartesianPlan
    from ..motion import MotionLimits
    from ..robot import SerialChain
    from ..spatial import SE3
    from .resolved import MoveLine

__all__ = ["plan_line"]

FloatArray = NDArray[np.float64]

ROWS = 2000  # times at which the tool is measured: some sixty between two knots
OVER = 1e-7  # part of a ceiling below which nothing is done
MORE = 1.1  # how much more than the measured excess is taken off: the worst is between two rows
ROUNDS = 4  # the excess shrinks by ten each time


def plan_line(
    chain: SerialChain,
    start_q: FloatArray,
    goal: SE3,
    limits: tuple[MotionLimits, ...],
    step: MoveLine,
    end_q: FloatArray | None,
) -> CartesianPlan:
    """Plan a straight line whose tool never exceeds the step's ``speed`` and ``turn``.

    The planner holds the ceilings for the ideal line. The curve in joint space strays from it, within its tolerance,
    and so passes a place a little early or late: near a singularity by parts in a million, and by more with a looser
    tolerance. Where that is too fast, the line is planned again with a ceiling that is lower by as much.

    Args:
        chain: the arm with the step's tool.
        start_q: joints (n,) where the line begins, rad or m.
        goal: pose of the tool at the end, in the base frame.
        limits: of every joint.
        step: speeds and tolerances.
        end_q: joints (n,) that the line must end in, or None.

    Raises:
        CartesianError: whatever keeps the arm from the line, and where.
    """
    from ..cartesian import CartesianPlan, LineTolerance

    tolerance = LineTolerance(position=step.position_tolerance, rotation=step.rotation_tolerance)

    def plan_below(max_speed: float | None, max_turn: float | None) -> CartesianPlan:
        return CartesianPlan.plan(
            chain,
            start_q,
            goal,
            limits,
            tolerance=tolerance,
            max_speed=max_speed,
            max_turn=max_turn,
            end_q=end_q,
        )

    speed, turn = step.speed, step.turn
    plan = plan_below(speed, turn)
    if (speed is None and turn is None) or plan.duration <= 0.0:
        return plan
    for _ in range(ROUNDS):
        rate = (ROWS - 1) / plan.duration
        rows = plan.sample_many(np.arange(ROWS) / rate).position
        measured = tool_speeds(np.asarray(chain.forward_batch(np.ascontiguousarray(rows))), rate)
        over = [
            0.0 if ceiling is None else float(np.max(values)) / ceiling - 1.0
            for values, ceiling in zip(measured, (step.speed, step.turn), strict=True)
        ]
        if max(over) <= OVER:
            break
        speed = speed if speed is None or over[0] <= OVER else speed / (1.0 + MORE * over[0])
        turn = turn if turn is None or over[1] <= OVER else turn / (1.0 + MORE * over[1])
        plan = plan_below(speed, turn)
    return plan
