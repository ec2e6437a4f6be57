"""Candidates of closed-form inverse kinematics: from the kernels, and refined on arms that have the form only nearly.

What a candidate must be to count as an answer is decided in ``_analytic``.
"""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import analytic_answers as answers
from ..kernels import analytic_parallel, analytic_wrist, inverse
from ..kernels._batch import run_rows
from ..kernels._contract import CONTEXT, Model
from ..spatial import SE3, SO3
from . import _hot
from ._analytic_form import AnalyticForm
from ._coordinates import Coordinates
from ._inverse import TOLERANCE

if TYPE_CHECKING:
    from .chain import SerialChain

FloatArray = NDArray[np.float64]

_FINE = 1e-13  # m and rad: refining stops here
_SAME_FINE, _SAME_COARSE = 1e-5, 1e-3  # rad between refined answers that are one: roots of what is left of the pose
_BUDGET, _LONG_BUDGET = 40, 1000  # steps; the long one where a pose is singular in two ways at once
_AROUND, _FAR = 24, 3.0  # how many poses round a target, and how far, in parts of what the arm and its form differ by
_REGULAR = 0.1  # sine of half of what coordinates may change by among them where nothing is singular
_GOLDEN = 1.1127756842787055  # the root of x^7 = x + 1 (Roberts, 2018)
_NO_LIMITS = Model(np.tile([-np.inf, np.inf, 0.0], 6))
_BEYOND, _CODE = answers.BEYOND, answers.CODE


@functools.lru_cache(maxsize=64)
def limits_model(chain: SerialChain) -> Model:
    """Lower and upper limit of every joint, as the kernels read them."""
    return Model(np.column_stack([chain.lower, chain.upper]))


def kernel_of(form: AnalyticForm) -> Any:
    """The kernel that solves a form."""
    return analytic_wrist.all_with_wrist if form.has_wrist else analytic_parallel.all_with_parallel


class _Memory(threading.local):
    """What a call works in: one a thread, so that a control loop allocates its answer only."""

    def __init__(self) -> None:
        self.target = np.empty(12)
        self.scratch = np.empty(6)


_memory = _Memory()


def candidates(chain: SerialChain, form: AnalyticForm, target: SE3, seed: Coordinates) -> FloatArray:
    """Candidates of the closed form for one pose, (8, 11)."""
    rows = np.empty((answers.CANDIDATES, answers.ROW))
    flat = rows.reshape(-1)
    hot = (_hot.all_with_wrist if form.has_wrist else _hot.all_with_parallel).native
    limits, back = limits_model(chain), int(form.backwards)
    target_scratch, scratch = _memory.target, _memory.scratch
    if hot is not None:
        (w, a, b, c), (x, y, z) = target.parts
        models = (form.arm, chain.kernel_model, limits)
        pose = (w, a, b, c, x, y, z)
        if hot(CONTEXT, *models, seed, *pose, form.tolerance, back, target_scratch, scratch, flat) == 0:
            return rows
    target_scratch[:] = target.elements
    start = chain.vector(seed, "seed")
    kernel_of(form)(form.arm, chain.kernel_model, limits, target_scratch, start, form.tolerance, back, scratch, flat)
    return rows


def over_rows(
    chain: SerialChain,
    form: AnalyticForm,
    poses: FloatArray,
    seeds: FloatArray,
    *,
    threads: int = 1,
    blurred: bool = False,
) -> FloatArray:
    """Candidates of the closed form for many poses, (N, 8, 11); ``blurred`` as if poses were known to 1e-9 only."""
    out = np.empty((len(poses), answers.CANDIDATES * answers.ROW))
    models = (form.blurred if blurred else form.arm, chain.kernel_model, limits_model(chain))
    settings = (form.tolerance, int(form.backwards))
    run_rows(kernel_of(form), *models, poses, np.ascontiguousarray(seeds), *settings, out, scratch=6, threads=threads)
    return out.reshape(-1, answers.CANDIDATES, answers.ROW)


def on_the_arm(
    chain: SerialChain, form: AnalyticForm, pose: FloatArray, near: FloatArray, rows: FloatArray
) -> FloatArray:
    """The configurations of the arm itself, from candidates that miss the pose by more than rounding, or all do.

    At least one row comes back, reached or not.
    """
    found = (_polished if form.exact else _searched)(chain, form, pose, near, rows)
    if len(found):
        return found
    lost = rows.copy()
    lost[:, _CODE] = 0.0
    return lost


def _polished(
    chain: SerialChain, form: AnalyticForm, pose: FloatArray, near: FloatArray, rows: FloatArray
) -> FloatArray:
    """On an arm that has its form but for the last digits: the same candidates, which keep their meaning.

    A pose that is off by less than the tolerance may have no exact answer where a direction decides that means
    nothing at that tolerance; then the direction is taken as free.
    """
    possible = rows[:, _CODE] != 0.0
    if not possible.any():
        rows = over_rows(chain, form, pose[None], near[None], blurred=True)[0]
        possible = rows[:, _CODE] != 0.0
    return _refined(chain, form, pose, near, rows[possible], _BUDGET)


def _searched(
    chain: SerialChain, form: AnalyticForm, pose: FloatArray, near: FloatArray, rows: FloatArray
) -> FloatArray:
    """On another arm: answers near those of the nearest arm that has the form.

    Where answers meet or are free, those of the nearest arm may be far from the arm's own. So answers for poses as far
    round the target as the two arms differ are looked at, and refined as well unless all go with the target.
    """
    possible = rows[:, _CODE] != 0.0
    found = _refined(chain, form, pose, near, rows[possible], _BUDGET)
    more = over_rows(chain, form, _around(form, pose), np.tile(near, (_AROUND, 1)))
    moved = np.max(np.abs(np.sin(0.5 * (more[..., :6] - rows[:, :6]))), axis=2)
    regular = ((more[..., _CODE] != 0.0) == possible).all() and (moved[:, possible] < _REGULAR).all()
    if regular and len(found) == np.sum(rows[:, _CODE] > 0.0):
        return found
    starts = np.concatenate([rows, more.reshape(-1, answers.ROW)])
    starts = starts[starts[:, _CODE] != 0.0]
    found = _refined(chain, form, pose, near, starts, _BUDGET)
    return found if len(found) else _refined(chain, form, pose, near, starts, _LONG_BUDGET)


def _around(form: AnalyticForm, pose: FloatArray) -> FloatArray:
    """Poses as far from one as an arm and its form differ by, in all directions; (_AROUND, 12)."""
    T = SE3.from_elements(tuple(pose.tolist()))
    # an even spread of six-vectors, the same on every machine
    k = np.arange(1.0, _AROUND + 1.0)[:, None]
    spread = ((0.5 + k * _GOLDEN ** -np.arange(1.0, 7.0)) % 1.0) * 2.0 - 1.0
    spread *= _FAR * (form.angle + form.distance / form.length)
    poses = [
        SE3(SO3.exp(turn) * T.rotation, T.translation + shift * form.length).elements
        for shift, turn in zip(spread[:, :3], spread[:, 3:], strict=True)
    ]
    return np.array(poses)


def _refined(
    chain: SerialChain, form: AnalyticForm, pose: FloatArray, near: FloatArray, rows: FloatArray, budget: int
) -> FloatArray:
    """Candidates that arrive on the arm itself, each once, on their turns.

    On an arm that is off its form, where some arrive to the last digits, those that came to rest within the tolerance
    were on the way to them.
    """
    if not len(rows):
        return rows
    starts = np.ascontiguousarray(rows[:, :6])
    ends = np.empty((len(starts), 11))
    scale = 2.0 / chain.reach if chain.reach > 0.0 else 1.0
    settings: tuple[Any, ...] = (_FINE, _FINE, 1e-6, scale, budget)
    poses = np.tile(pose, (len(starts), 1))
    run_rows(inverse.solve, chain.kernel_model, _NO_LIMITS, poses, starts, *settings, ends, scratch=114)
    error = np.maximum(ends[:, 7], ends[:, 8])
    good = error <= TOLERANCE
    same = answers.SAME
    if not form.exact:
        fine = error <= form.rough
        good, same = (fine, _SAME_FINE) if fine.any() else (good, _SAME_COARSE)
    settled = np.empty((int(np.sum(good)), 8))
    q = np.ascontiguousarray(ends[good, :6])
    run_rows(answers.settle, limits_model(chain), q, np.tile(near, (len(q), 1)), settled)
    # what the form says of a candidate holds for an arm that has it
    codes = np.maximum(rows[good, _CODE], answers.REACHED) if form.exact else np.full(len(q), answers.REACHED)
    found = np.column_stack([settled[:, :6], ends[good, 7:9], settled[:, 6:], codes])
    return _each_once(found[np.argsort(found[:, _BEYOND] > 0.0, kind="stable")], same)


def _each_once(rows: FloatArray, same: float) -> FloatArray:
    """The first of rows whose coordinates are the same, whole turns aside, marked as double."""
    kept = rows[:0]
    for row in rows:
        twin = np.flatnonzero(np.max(np.abs(np.sin(0.5 * (kept[:, :6] - row[:6]))), axis=1, initial=0.0) <= 0.5 * same)
        if len(twin):
            kept[twin[0], _CODE] = float(int(kept[twin[0], _CODE]) | int(answers.DOUBLE))
        else:
            kept = np.concatenate([kept, row[None]])
    return kept
