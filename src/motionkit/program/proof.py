r"""The proof on the sampled output: what is written is measured again, without trusting the plan that made it.

From the **positions** of the rows alone come velocity, acceleration and jerk, by differences; the tool's path, by
forward kinematics; and the place where each step begins and ends. All are compared with the joint limits, with the
tolerance of each line and with the points of the program. The columns that are written beside the positions are
compared with the limits too, and with the differences. Only NumPy and the kinematics of the arm are used; no code of
the planners.

How much a difference may exceed a limit. The k-th difference quotient over a grid of spacing h is a mean of the k-th
derivative (weighted by a B-spline), so it obeys the very limit that the derivative obeys: no allowance for the grid is
made. What remains is rounding. With u = 2^-53, a position computed from a polynomial in time carries at most 16 u \|q\|
from the arithmetic and 4 u V t from the rounding of the clock (V the joint's speed limit, t the time), and a k-th
difference adds 2^k such errors: the allowance is 2^k (16 \|q\| + 4 V t) u / h^k. At 1 kHz, 3 rad, 3 rad/s and 10 s that
is 1.5e-4 rad/s³ of a jerk limit of some 60. A column is allowed 16 u of its limit and the rounding of the clock.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .differences import JointBounds, check_agreement, check_columns, check_differences, check_positions
from .figures import Figure, Ledger, Proof
from .planned import PlannedStep, ProgramPlan, StraightLine
from .resolved import JointTarget, MoveJoint, MoveLine
from .sampling import SampledMotion
from .toolpath import line_deviation, pose_error, tool_speeds

__all__ = ["prove"]

FloatArray = NDArray[np.float64]

CEILING = 1e-6  # part of a speed ceiling that the curve between knots may take more: it passes a place early or late
POSE_NOISE = 2e-9  # metres and radians: what inverse kinematics leaves of a pose (1e-9), and room for rounding


def prove(plan: ProgramPlan, motion: SampledMotion) -> Proof:
    """Measure the rows of a motion against everything that its program promises.

    Args:
        plan: what was promised: limits, lines, points.
        motion: the rows as they will be written.

    Returns:
        The worst figures and every violation; nothing is raised, see :meth:`Proof.require`. O(rows * joints).
    """
    ledger = Ledger(plan)
    if not _finite(motion, ledger):
        return ledger.proof(len(motion))
    bounds = JointBounds(plan, motion)
    check_positions(bounds, ledger)
    check_differences(bounds, ledger)
    check_columns(bounds, ledger)
    check_agreement(bounds, ledger)
    noise = bounds.position_noise()
    for place, step in enumerate(plan.steps):
        _check_joints_at_ends(bounds, noise, ledger, place, step)
        if isinstance(step.step, MoveJoint | MoveLine):
            _check_point(bounds, noise, ledger, place, step)
        if step.line is not None and step.end > step.start:
            _check_line(motion, ledger, place, step, step.line)
    return ledger.proof(len(motion))


def _finite(motion: SampledMotion, ledger: Ledger) -> bool:
    """Whether every number is one; NaN passes every comparison with a limit, so this comes first."""
    ok = True
    for what in ("positions", "velocities", "accelerations", "jerks"):
        good = np.isfinite(getattr(motion, what)).all(axis=1)
        if not good.all():
            row = int(np.argmin(good))
            figure = Figure(what, np.nan, 0.0, np.inf, "", None, float(motion.times[row]), int(motion.steps[row]))
            ledger.violate(figure, np.inf, int(np.count_nonzero(~good)))
            ok = False
    return ok


def _row_at(bounds: JointBounds, time: float) -> tuple[int, FloatArray]:
    """The row nearest to an instant of rest, and how far each joint (n,) may have gone between the two.

    A joint that rests at one instant is, a time d earlier or later, at most J d³ / 6 away.
    """
    motion = bounds.motion
    row = min(int(np.rint(time * motion.rate)), len(motion) - 1)
    away = abs(float(motion.times[row]) - time)
    return row, bounds.largest(3) * away**3 / 6.0


def _check_joints_at_ends(
    bounds: JointBounds, noise: FloatArray, ledger: Ledger, place: int, step: PlannedStep
) -> None:
    """The rows where a step begins and ends are where the plan says that the arm rests."""
    for end, time, goal in (("beginning", step.start, step.start_q), ("end", step.end, step.end_q)):
        row, gone = _row_at(bounds, time)
        gap = np.maximum(np.abs(bounds.motion.positions[row] - goal) - gone, 0.0)
        allowed = noise[row]
        for j in np.flatnonzero(gap > allowed).tolist():
            value, limit = float(gap[j]), float(allowed[j])
            share = value / limit if limit > 0.0 else np.inf
            name, clock = bounds.plan.joint_names[j], float(bounds.motion.times[row])
            figure = Figure(f"distance from the {end}", value, limit, share, ledger.unit(j, 0), name, clock, place)
            ledger.violate(figure, value - limit)


def _check_point(bounds: JointBounds, noise: FloatArray, ledger: Ledger, place: int, step: PlannedStep) -> None:
    """The row where a motion ends is at the point that the program names."""
    motion, target = bounds.motion, step.step
    assert isinstance(target, MoveJoint | MoveLine)
    row, gone = _row_at(bounds, step.end)
    q, time = motion.positions[row], float(motion.times[row])
    if isinstance(target.target, JointTarget):
        allowed = noise[row] + (POSE_NOISE if step.line is not None else 0.0)
        gap = np.maximum(np.abs(q - np.array(target.target.q)) - gone, 0.0)
        j = int(np.argmax(gap / np.maximum(allowed, 1e-300)))
        name, unit = bounds.plan.joint_names[j], ledger.unit(j, 0)
        _note_point(ledger, "joint from its point", float(gap[j]), float(allowed[j]), unit, name, time, place)
        return
    # what the joints have gone moves the tool by no more than the Jacobian says; a hundredth covers its change
    reach = 1.01 * np.abs(np.asarray(step.chain.jacobian(q))) @ gone
    position, rotation = pose_error(np.asarray(step.chain.forward_batch(q[np.newaxis])), target.target.base_T_tcp)
    for what, value, rows, unit in (
        ("tool from its point", position, reach[:3], "m"),
        ("tool turned from its point", rotation, reach[3:], "rad"),
    ):
        gap = max(float(value[0]) - float(np.linalg.norm(rows)), 0.0)
        _note_point(ledger, what, gap, POSE_NOISE, unit, None, time, place)


def _note_point(
    ledger: Ledger, what: str, value: float, limit: float, unit: str, joint: str | None, time: float, place: int
) -> None:
    share = value / limit if limit > 0.0 else 0.0 if value == 0.0 else np.inf
    ledger.note(Figure(what, value, limit, share, unit, joint, time, place), value - limit)


def _check_line(motion: SampledMotion, ledger: Ledger, place: int, step: PlannedStep, line: StraightLine) -> None:
    """The tool stays within the tolerance of its line and below its ceilings of speed."""
    inside = np.flatnonzero((motion.times >= step.start) & (motion.times <= step.end))
    if not len(inside):
        return
    poses = np.asarray(step.chain.forward_batch(np.ascontiguousarray(motion.positions[inside])))
    off = line_deviation(poses, line.start, line.end, line.position_tolerance, line.rotation_tolerance)
    times = motion.times[inside]
    speed, turn = tool_speeds(poses, motion.rate)
    for what, values, limit, unit, allowance in (
        ("line position", off.position, line.position_tolerance, "m", 0.0),
        ("line rotation", off.rotation, line.rotation_tolerance, "rad", 0.0),
        ("tool speed", speed, line.max_speed, "m/s", CEILING),
        ("tool turn", turn, line.max_turn, "rad/s", CEILING),
    ):
        if limit is None or not len(values):
            continue
        k = int(np.argmax(values))
        value = float(values[k])
        figure = Figure(what, value, limit, value / limit, unit, None, float(times[k]), place)
        allowed = limit * (1.0 + allowance)
        ledger.note(figure, value - allowed, int(np.count_nonzero(values > allowed)))
