"""The quickest way of a path parameter from its state into a scaled plan, or to rest, that keeps every limit.

Candidates are the fastest motions of the parameter alone under constant bounds; the quickest one that keeps the limits
of every axis at all of its instants is taken. So nothing is taken on trust: what is returned was looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels import online_axis, online_segments
from ..kernels import stop as stop_kernels
from ..kernels._batch import run_rows
from ..kernels._contract import Model
from ._pieces import Joining, Scaled, Stopping
from .paced import Paced
from .samples import FloatArray, MotionSample

IntArray = NDArray[np.intp]

# bounds of acceleration and jerk of the parameter that are tried, as shares of what one axis allows
STOP_BOUNDS = 1.3 ** np.arange(3, -17, -1)
JOIN_BOUNDS = 1.5 ** np.arange(1, -9, -1)
JOINS = np.geomspace(2e-3, 1.0, 22)  # of what is left of the plan: where it is joined
PLACES = 65  # at which what is left of the plan is looked at for bounds
COARSE = 9  # instants of a candidate that are looked at first
SLOWEST = 4.0  # times what is left of the scaled plan: a way into it that takes longer is none
TOGETHER = 128  # candidates looked at together
ROOM = 1.0 + 1e-9  # roundings of the chain rule
BACK = 1e-9  # share of the speed, and of the way, that a rounded parameter may seem to go back by


@dataclass(frozen=True, slots=True)
class Caps:
    """Limits (n,) of the axes: upper and lower velocities and accelerations, and jerks; magnitudes."""

    velocity: FloatArray
    velocity_back: FloatArray
    acceleration: FloatArray
    braking: FloatArray
    jerk: FloatArray

    def kept(self, plan: Paced, progress: MotionSample[FloatArray], top: FloatArray | float) -> NDArray[np.bool_]:
        """(T,) where the axes keep them, and the path parameter goes forward and no faster than ``top``."""
        speed = progress.velocity
        sample = plan.along(progress)
        kept = (speed >= -BACK * top) & (speed <= ROOM * top)
        kept &= (sample.velocity <= ROOM * self.velocity).all(axis=1)
        kept &= (sample.velocity >= -ROOM * self.velocity_back).all(axis=1)
        kept &= (sample.acceleration <= ROOM * self.acceleration).all(axis=1)
        kept &= (sample.acceleration >= -ROOM * self.braking).all(axis=1)
        return kept & (np.abs(sample.jerk) <= ROOM * self.jerk).all(axis=1)


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is left of a plan, at ``PLACES`` times of its own.

    Attributes:
        times: of the plan.
        parameter, speed, acceleration: of the path.
        bounds: (places, 2) acceleration and jerk of the parameter with which one axis alone would be at its limit.
    """

    times: FloatArray
    parameter: FloatArray
    speed: FloatArray
    acceleration: FloatArray
    bounds: FloatArray

    @classmethod
    def of(cls, plan: Paced, caps: Caps, times: FloatArray) -> Ahead:
        """The plan at times of its own."""
        progress = plan.progress(times)
        unit = type(progress)(progress.position, np.ones(len(times)), np.zeros(len(times)), np.zeros(len(times)))
        slopes = np.abs(plan.along(unit).velocity)
        least = np.finfo(np.float64).tiny
        weakest = np.minimum(caps.acceleration, caps.braking)
        with np.errstate(over="ignore"):
            bounds = [np.min(cap / np.maximum(slopes, least), axis=1) for cap in (weakest, caps.jerk)]
        return cls(times, progress.position, progress.velocity, progress.acceleration, np.column_stack(bounds))


def stopping(
    plan: Paced, caps: Caps, state: FloatArray, time: float, fastest: float, longest: float, period: float
) -> Stopping | None:
    """The quickest stop on the path from the state (3,) of its parameter, or None where none keeps the limits.

    Args:
        plan: what is played.
        caps: limits of the axes.
        state: parameter, velocity, acceleration.
        time: of the plan at that parameter, s.
        fastest: the speed that the parameter would have come to without the stop.
        longest: s; a stop that lasts longer is none.
        period: of the cycle, s.
    """
    scale = Ahead.of(plan, caps, np.array([time])).bounds[0]
    if not np.isfinite(scale).all():  # nothing moves there: the places ahead say how much it may
        scale = np.min(Ahead.of(plan, caps, np.linspace(time, plan.duration, PLACES)).bounds, axis=0)
    if not np.isfinite(scale).all():
        scale = np.ones(2)
    rows = np.array([[state[1], state[2], a, a, j] for a in STOP_BOUNDS * scale[0] for j in STOP_BOUNDS * scale[1]])
    models = np.empty((len(rows), stop_kernels.STOP + 2))
    found = np.empty((len(rows), stop_kernels.STOP))
    run_rows(stop_kernels.stop, rows, found)
    models[:, :-2], models[:, -2], models[:, -1] = found, state[0], state[0] + found[:, 12]
    begin, end = plan.progress(np.array([0.0, plan.duration])).position.tolist()
    # a stop at the end, but for a rounding, is the end of the plan: there would be nothing to go on to
    models = models[(models[:, 14] >= -BACK * (end - begin)) & (models[:, -1] <= end - BACK * (end - begin))]
    tops = np.full(len(models), fastest)

    def sampled(which: IntArray, times: FloatArray) -> FloatArray:
        out = np.empty((len(times), 4))
        run_rows(stop_kernels.stop_row_sample, np.ascontiguousarray(models[which]), times, out)
        return out

    row = _first(plan, caps, models[:, 3], np.argsort(models[:, 3], kind="stable"), tops, sampled, longest, period)
    return None if row is None else Stopping(plan, Model(models[row]))


def joining(
    plan: Paced, caps: Caps, state: FloatArray, time: float, rate: float, slower: bool, fastest: float, period: float
) -> tuple[Joining, Scaled] | None:
    """The quickest way into the plan at a rate, or through it to the end, from a state (3,) of its parameter.

    Args:
        plan: what is played.
        caps: limits of the axes.
        state: parameter, velocity, acceleration.
        time: of the plan at that parameter, s.
        rate: above 0.
        slower: whether the plan at that rate is to be joined as soon as possible; or else its end is to be reached so.
        fastest: the speed that the parameter would have come to without the change.
        period: of the cycle, s.

    Returns:
        The way into the scaled plan, and the rest of that; None where no way keeps the limits.
    """
    left = plan.duration - time
    ahead = Ahead.of(plan, caps, np.unique([time, *(time + left * np.linspace(0.0, 1.0, PLACES))]))
    top = max(rate * float(ahead.speed.max()), fastest)
    joins = np.array([*(time + left * JOINS[:-1]), plan.duration])
    targets = plan.progress(joins)
    strictest = np.minimum.accumulate(ahead.bounds, axis=0)[np.searchsorted(ahead.times, joins, side="right") - 1]
    softer, gentler, k = _combinations(len(joins))
    problems = np.empty((len(k), 12))
    problems[:, :3] = state
    problems[:, 3] = targets.position[k]
    problems[:, 4] = rate * targets.velocity[k]
    problems[:, 5] = rate * rate * targets.acceleration[k]
    problems[:, 6:8] = ROOM * top
    problems[:, 8:10] = (softer * strictest[k, 0])[:, None]
    problems[:, 10] = gentler * strictest[k, 1]
    problems[:, 11] = 0.0
    usable = np.isfinite(problems).all(axis=1) & (problems[:, 6:11] > 0.0).all(axis=1)
    problems, k = np.ascontiguousarray(problems[usable]), k[usable]
    fits = np.empty((len(problems), 1))
    run_rows(online_axis.online_fits, problems, fits)
    problems, k = np.ascontiguousarray(problems[fits[:, 0] == 1.0]), k[fits[:, 0] == 1.0]
    models = np.empty((len(problems), online_segments.HEAD + online_segments.EACH * online_axis.FASTEST))
    run_rows(online_axis.online_plan, problems, models)
    wait = models[:, 0]
    # slower as soon as possible, but faster by arriving as early as possible
    after: FloatArray = (plan.duration - joins[k]) / rate
    worth: FloatArray = wait if slower else wait + after

    def sampled(which: IntArray, times: FloatArray) -> FloatArray:
        out = np.empty((len(times), 4))
        run_rows(
            online_segments.online_row_sample,
            np.ascontiguousarray(models[which]),
            online_axis.FASTEST,
            times,
            out,
        )
        return out

    tops = np.full(len(models), top)
    longest = SLOWEST * left / rate + COARSE * period
    row = _first(plan, caps, wait, np.argsort(worth, kind="stable"), tops, sampled, longest, period)
    return None if row is None else (Joining(plan, Model(models[row])), Scaled(plan, float(joins[k[row]]), rate))


def _combinations(places: int) -> tuple[FloatArray, FloatArray, IntArray]:
    """Every pair of shares of bounds with every place."""
    each = len(JOIN_BOUNDS)
    bounds: FloatArray = JOIN_BOUNDS.astype(np.float64)
    softer: FloatArray = np.repeat(bounds, each * places)
    gentler: FloatArray = np.tile(np.repeat(bounds, places), each)
    return softer, gentler, np.tile(np.arange(places, dtype=np.intp), each * each)


def _first(
    plan: Paced,
    caps: Caps,
    lasts: FloatArray,
    order: IntArray,
    tops: FloatArray,
    sampled: Callable[[IntArray, FloatArray], FloatArray],
    longest: float,
    period: float,
) -> int | None:
    """The first candidate, in order, that keeps the limits at all of its instants.

    Args:
        plan: what is played.
        caps: limits of the axes.
        lasts: (N,) s.
        order: candidates, best first.
        tops: (N,) greatest speed of the parameter that is allowed.
        sampled: the parameter (T, 4) of candidates (T,) at times (T,).
        longest: s; what lasts longer is left out.
        period: of the cycle, s.
    """
    for begin in range(0, len(order), TOGETHER):
        some = order[begin : begin + TOGETHER]
        some = some[lasts[some] <= longest]
        if not len(some):
            continue
        which = np.repeat(some, COARSE)
        times = (lasts[some, None] * np.linspace(0.0, 1.0, COARSE)).reshape(-1)
        few = MotionSample(*np.ascontiguousarray(sampled(which, times).T))
        promising = caps.kept(plan, few, tops[which]).reshape(len(some), COARSE).all(axis=1)
        for row in some[promising].tolist():
            ts = np.linspace(0.0, lasts[row], max(int(np.ceil(2.0 * lasts[row] / period)), COARSE) + 1)
            rows = sampled(np.full(len(ts), row), ts)
            if caps.kept(plan, MotionSample(*np.ascontiguousarray(rows.T)), float(tops[row])).all():
                return int(row)
    return None
