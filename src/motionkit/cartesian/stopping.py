"""How far the tool of an arm goes on when every joint stops as fast as it can: a bound that holds, not an estimate.

A planning aid: whether a distance is safe for people is a question of standards and hardware. Stops of single joints
are in ``motion``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidLimits, NotFinite, WrongLength
from ..kernels import chain as kernels
from ..kernels._batch import run_rows
from ..motion import MotionLimits, MotionState, StopProfile, worst_case_travel
from ..robot import SerialChain

FloatArray = NDArray[np.float64]

CELLS = 512  # pieces that a stop is cut into: the bound is then a few percent above the way
ROUNDING = 1e-12  # what the sums below may be off by, relative


@dataclass(frozen=True, slots=True)
class ToolStop:
    """How far a tool goes on; lengths in m.

    Attributes:
        distance: the tool is never further than this from where it was when the arm was told to stop.
        path_length: the way of the tool is not longer than this; None with a reaction time, in which nothing is known
            of the way.
        displacement: distance from there to where it comes to rest; None with a reaction time.
        duration: until the last joint rests, s, the reaction time included; None with a reaction time, for the same
            reason.
    """

    distance: float
    path_length: float | None
    displacement: float | None
    duration: float | None


def tool_stop(
    chain: SerialChain,
    q: FloatArray | Sequence[float],
    qd: FloatArray | Sequence[float],
    limits: Sequence[MotionLimits],
    *,
    qdd: FloatArray | Sequence[float] | None = None,
    reaction_time: float = 0.0,
) -> ToolStop:
    """Bound how far the tool goes on when every joint is stopped as fast as its limits allow.

    Without a reaction time the stops are known. They are cut into short pieces; over each the speed of the tool is at
    most that of its middle plus what the Jacobian and the joint velocities can change by on the way to its ends, and
    both have bounds in closed form. With a reaction time the joints may make any motion within their limits until the
    stop begins, so that only how far each can come is known (see ``worst_case_travel``), and the bound is wider.

    Args:
        chain: the arm; its tip is the tool.
        q: (n,), rad or m.
        qd: (n,), rad/s or m/s.
        limits: one a coordinate; acceleration and jerk must be set, and the velocity too with a reaction time.
        qdd: (n,), rad/s^2 or m/s^2; zero when left out.
        reaction_time: s.

    Returns:
        The bounds; O(n) for each of 512 pieces, about a millisecond.

    Raises:
        WrongLength: not n numbers or limits.
        NotFinite: a number is not finite.
        InvalidLimits: a limit is not set, or the reaction time is negative.
        JointLimitViolated: a joint cannot stop within the range of positions in its limits.

    Source: the velocity of a point on a chain and its derivatives by the joints, as in any text on manipulators.

    >>> import motionkit as mk
    >>> arm = mk.SerialChain.six_axis_example()
    >>> stop = mk.tool_stop(arm, [0.0] * 6, [1.0, 0, 0, 0, 0, 0], [mk.MotionLimits(2.0, 8.0, 40.0)] * 6)
    >>> round(stop.path_length, 3), round(stop.displacement, 3), round(stop.duration, 3)
    (0.143, 0.142, 0.316)
    """
    here, velocity = chain.vector(q), chain.vector(qd, "qd")
    acceleration = np.zeros(chain.n) if qdd is None else chain.vector(qdd, "qdd")
    if len(limits) != chain.n:
        raise WrongLength(f"limits: expected {chain.n}, for {', '.join(chain.joint_names)}; got {len(limits)}")
    if not math.isfinite(reaction_time):
        raise NotFinite(f"reaction_time: expected a finite number of seconds, got {reaction_time}")
    if reaction_time < 0.0:
        raise InvalidLimits(f"reaction_time: expected seconds, zero or more, got {reaction_time}")
    arm = _Arm(chain)
    if reaction_time > 0.0:
        furthest = [
            _furthest(v, a, axis, reaction_time)
            for v, a, axis in zip(velocity.tolist(), acceleration.tolist(), limits, strict=True)
        ]
        return ToolStop(arm.within(here, np.array(furthest)), None, None, None)
    states = zip(here.tolist(), velocity.tolist(), acceleration.tolist(), strict=True)
    stops = [StopProfile.plan(MotionState(*state), axis) for state, axis in zip(states, limits, strict=True)]
    duration = max((stop.duration for stop in stops), default=0.0)
    length = arm.way(stops, duration)
    rest = np.array([stop.sample(stop.duration).position for stop in stops])
    away = math.dist(chain.forward(here).parts[1], chain.forward(rest).parts[1])
    return ToolStop(length, length, away, duration)


def _furthest(velocity: float, acceleration: float, limits: MotionLimits, reaction_time: float) -> float:
    """How far an axis can come in either direction, worst legal motion in the reaction time, rad or m."""
    backward = MotionLimits(
        -limits.min_velocity if limits.min_velocity is not None else limits.max_velocity,
        -limits.min_acceleration if limits.min_acceleration is not None else limits.max_acceleration,
        limits.max_jerk,
        min_acceleration=-limits.max_acceleration,
    )
    travels = [
        worst_case_travel(max(v, 0.0), axis, reaction_time=reaction_time, acceleration=a)
        for v, a, axis in ((velocity, acceleration, limits), (-velocity, -acceleration, backward))
    ]
    return max(travels)


class _Arm:
    """Levers of the tool about every joint, and how they can change; joints that follow another are joints here."""

    def __init__(self, chain: SerialChain) -> None:
        self.chain = chain
        self.turns = np.array([segment.limits.kind != "prismatic" for segment in chain.moving], dtype=bool)
        coordinate = {name: k for k, name in enumerate(chain.joint_names)}
        self.coordinate = np.array([coordinate[segment.coordinate] for segment in chain.moving], dtype=np.intp)
        self.multiplier = np.array([abs(segment.multiplier) for segment in chain.moving])
        values = chain.kernel_model.array
        shifts = np.linalg.norm(values[kernels.HEAD : -kernels.TAIL].reshape(-1, kernels.ROW)[:, 2:5], axis=1)
        strokes = [
            0.0 if turns else m * max(abs(segment.coordinate_limits.lower), abs(segment.coordinate_limits.upper))
            for segment, turns, m in zip(chain.moving, self.turns, self.multiplier, strict=True)
        ]
        after = np.append((shifts + strokes)[1:], np.linalg.norm(values[-3:]))
        # the tool is never further than this from a joint's axis, whatever the joints behind it do
        self.reach = np.where(self.turns, np.cumsum(after[::-1])[::-1], 1.0)

    def way(self, stops: Sequence[StopProfile], duration: float) -> float:
        """A length that the way of the tool does not exceed."""
        if duration == 0.0:
            return 0.0
        edges = np.linspace(0.0, duration, CELLS + 1)
        step = duration / CELLS
        middles = 0.5 * (edges[1:] + edges[:-1])
        q = np.stack([stop.sample_many(middles).position for stop in stops], axis=1)
        v = np.stack([stop.sample_many(middles).velocity for stop in stops], axis=1)
        # no axis has more acceleration on its way than it begins with or than it brakes with
        steepest = np.array([_steepest(stop) for stop in stops])
        change = (0.5 * step * steepest)[self.coordinate] * self.multiplier  # of a joint's velocity within a cell
        signed = self._signed(v)
        fastest = np.abs(signed) + change
        turned = fastest * (0.5 * step)  # of a joint, from the middle of a cell
        columns, levers = self._columns(np.ascontiguousarray(q))
        # a column is turned by the joints before it, and lengthened or bent by those behind it and its own
        before = np.cumsum(np.where(self.turns, turned, 0.0), axis=1) - np.where(self.turns, turned, 0.0)
        behind = np.cumsum((turned * self.reach)[:, ::-1], axis=1)[:, ::-1]
        bent = np.where(self.turns, before * (levers + behind) + behind, before)
        speed = np.linalg.norm(np.einsum("tik,ti->tk", columns, signed), axis=1)
        # both grow from nothing in the middle in proportion to the time away from it: half of their largest on average
        speed += 0.5 * np.sum(change * levers + fastest * bent, axis=1)
        return float(np.sum(speed) * step) * (1.0 + ROUNDING)

    def within(self, q: FloatArray, furthest: FloatArray) -> float:
        """A distance that the tool keeps within while every coordinate stays within ``furthest`` of ``q``."""
        _, levers = self._columns(q[None])
        moved = furthest[self.coordinate] * self.multiplier
        behind = np.append(np.cumsum((moved * self.reach)[::-1])[::-1][1:], 0.0)
        longest = np.where(self.turns, np.minimum(levers[0] + behind, self.reach), 1.0)
        return float(np.sum(moved * longest)) * (1.0 + ROUNDING)

    def _signed(self, rates: FloatArray) -> FloatArray:
        """Rates of the joints from those of the coordinates, (T, m)."""
        signs = np.array([segment.multiplier for segment in self.chain.moving])
        return rates[:, self.coordinate] * signs

    def _columns(self, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Velocity of the tool for a unit rate of each joint, (T, m, 3), and its size, (T, m)."""
        frames = np.empty((len(q), 12 * (len(self.turns) + 1)))
        run_rows(kernels.joint_frames, self.chain.kernel_model, q, frames)
        poses = frames.reshape(len(q), -1, 12)
        axes, origins = poses[:, :-1, [2, 5, 8]], poses[:, :-1, 9:]
        tip = poses[:, -1:, 9:]
        columns = np.where(self.turns[:, None], np.cross(axes, tip - origins), axes)
        return columns, np.linalg.norm(columns, axis=2)


def _steepest(stop: StopProfile) -> float:
    return max(abs(stop.state.acceleration), float(np.max(np.abs(stop.sample_many(stop.boundaries).acceleration))))
