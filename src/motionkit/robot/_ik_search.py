"""Searches of inverse kinematics for many poses at once, and the starts that they are given.

Rows that have ended leave after a few steps and the others move together, so that no lane waits for its neighbour.
What happens to a row depends on that row alone: not on how many there are, their order, or the threads. What an answer
means and what failure is called do not belong here; the iteration is :mod:`motionkit.kernels.inverse`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..kernels import inverse as kernels
from ..kernels._batch import run_rows
from ..kernels._contract import Model
from ..kernels.trig import PI, TWO_PI

if TYPE_CHECKING:
    from ._structure import ChainStructure

FloatArray = NDArray[np.float64]

TOLERANCE = 1e-9  # m and rad: far below any arm's repeatability, far above the rounding of forward kinematics
DAMPING = 1e-6
CLOSE = 1e-2  # rad, or as much of half the reach
_ROUNDS = (7, 5, 8)  # steps before ended rows are taken out; near its seed almost every search ends in the first


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Where searches ended, a row a pose: the first start that arrived, or the one that came nearest.

    Attributes:
        q: joint coordinates, (N, n).
        status: 1 where the target is reached, 2 where the search came to rest away from it, else 0; (N,).
        steps: steps of the start that is reported, (N,).
        starts: starts tried, (N,).
        distance: left, m, (N,).
        angle: left, rad, (N,).
    """

    q: FloatArray
    status: NDArray[np.int64]
    steps: NDArray[np.int64]
    starts: NDArray[np.int64]
    distance: FloatArray
    angle: FloatArray


def scale(chain: ChainStructure) -> float:
    """One over the length that weighs like a radian: half the reach, so that both errors count alike on any arm."""
    return 2.0 / chain.reach if chain.reach > 0.0 else 1.0


def limit_model(chain: ChainStructure) -> Model:
    """What ``kernels.inverse.solve`` reads, and what :func:`_hot.solve` reads after it."""
    turns = np.asarray(chain.turning) & (chain.upper - chain.lower >= TWO_PI)
    rows = np.column_stack([chain.lower, chain.upper, turns]).reshape(-1)
    return Model(np.concatenate([rows, [scale(chain), chain.reach], chain.reach_centre]))


def free_turns(chain: ChainStructure) -> NDArray[np.bool_]:
    """Which coordinates may be answered on more than one turn, (n,)."""
    return chain.limit_model.array[: 3 * chain.n].reshape(-1, 3)[:, 2] > 0.5


def spans(chain: ChainStructure) -> tuple[FloatArray, FloatArray]:
    """The intervals that starts are spread over: the limits, one turn of a continuous joint."""
    return np.where(np.isfinite(chain.lower), chain.lower, -PI), np.where(np.isfinite(chain.upper), chain.upper, PI)


def starts(chain: ChainStructure, first: int, count: int, shift: FloatArray | None = None) -> FloatArray:
    """Rows ``first`` to ``first + count`` of an even spread over the joint space; row 0 is its middle.

    The additive recurrence of the square roots of primes (Richtmyer, 1951): the same on every machine. That of the
    generalised golden ratio is as even in the long run, but in many dimensions its points follow each other closely,
    so that one start fails like the one before.
    """
    k = np.arange(first, first + count, dtype=np.float64)[:, None]
    return _spread(chain, k, shift)


def _spread(chain: ChainStructure, k: FloatArray, shift: FloatArray | None) -> FloatArray:
    unit = (0.5 + (0.0 if shift is None else shift - 0.5) + k * (np.sqrt(_primes(chain.n)) % 1.0)) % 1.0
    lower, upper = spans(chain)
    # a joint that turns further than once has every answer within one turn round its middle
    middle, half = 0.5 * (lower + upper), np.minimum(0.5 * (upper - lower), np.where(free_turns(chain), PI, np.inf))
    return np.ascontiguousarray(middle + half * (2.0 * unit - 1.0))


def _primes(count: int) -> FloatArray:
    """The first ``count`` primes."""
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return np.array(found, dtype=np.float64)


def search(
    chain: ChainStructure,
    targets: FloatArray,
    seeds: FloatArray,
    *,
    restarts: int = 0,
    limits: Model | None = None,
    threads: int = 1,
    budget: int,
    long_budget: int = 0,
) -> Found:
    """Search from every seed, then, where that does not arrive, from up to ``restarts`` starts of :func:`starts`.

    Args:
        chain: whose tip is to get there.
        targets: poses as 12 elements, (N, 12).
        seeds: starts within the limits, (N, n).
        restarts: starts tried after the first.
        limits: others than the chain's.
        threads: how many threads may share the rows.
        budget: steps a start.
        long_budget: steps of a start that is close to its target by then: at a singular one every step only halves
            the error.
    """
    bounds = chain.limit_model if limits is None else limits
    n, count, length = chain.n, len(targets), scale(chain)
    found = Found(
        q=seeds.copy(),
        status=np.zeros(count, np.int64),
        steps=np.zeros(count, np.int64),
        starts=np.zeros(count, np.int64),
        distance=np.full(count, np.inf),
        angle=np.full(count, np.inf),
    )
    nearest = np.full(count, np.inf)
    rows = np.arange(count)  # those that are still searched for
    poses, seed, q = targets, seeds, seeds
    steps, start = np.zeros(count, np.int64), np.zeros(count, np.int64)
    turn = 0
    while len(rows):
        out = np.empty((len(rows), n + 4))
        settings = (TOLERANCE, TOLERANCE, DAMPING, length, min(_ROUNDS[min(turn, len(_ROUNDS) - 1)], budget))
        models = (chain.kernel_model, bounds)
        run_rows(kernels.search, *models, poses, seed, q, *settings, out, scratch=7 * n, threads=threads)
        turn += 1
        steps = steps + out[:, n].astype(np.int64)
        status = out[:, n + 3]
        error = np.hypot(out[:, n + 1] * length, out[:, n + 2])
        allowed = np.where(error < CLOSE, max(budget, long_budget), budget)
        over = (status != 0.0) | (steps >= allowed)
        # what has ended is kept when it arrived, or came nearer than the starts before it
        better = np.flatnonzero(over & ((status == 1.0) | ~(error >= nearest[rows])))
        at = rows[better]
        found.q[at], found.status[at], found.steps[at] = out[better, :n], status[better], steps[better]
        found.distance[at], found.angle[at] = out[better, n + 1], out[better, n + 2]
        nearest[at] = error[better]
        found.starts[rows[over]] = start[over] + 1
        again = over & (status != 1.0) & (start < restarts) & np.isfinite(error)
        stays = np.flatnonzero(~over | again)
        rows, poses, steps, start = rows[stays], poses[stays], steps[stays], start[stays]
        seed, q = seed[stays], np.ascontiguousarray(out[stays, :n])
        fresh = np.flatnonzero(again[stays])
        if len(fresh):
            seed[fresh] = q[fresh] = _spread(chain, start[fresh, None].astype(np.float64), None)
            start[fresh] += 1
            steps[fresh] = 0
    return found
