"""Weighted least squares over the error terms of a chain: residuals, steps, weights, rank and starting poses.

The step is a damped Gauss-Newton step in columns scaled to one unit (lengths by a length of the robot), taken from a
singular value decomposition, so that combinations which no data can tell stay where they are instead of running away.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels import pose
from ..robot import SerialChain
from ..spatial import SE3, SO3
from ._screw_errors import ErrorTerm, corrected, frames, lanes, twist_columns

FloatArray = NDArray[np.float64]

ROUNDING = 1e-9  # of the largest singular value: below, a combination does nothing at all
ITERATIONS = 40


@dataclass(frozen=True, slots=True)
class Samples:
    """What was measured: (N, n) coordinates, (N, 12) poses or (N, 3) positions in the measuring frame, and noise."""

    Q: FloatArray
    measured: FloatArray
    sigma_position: float
    sigma_rotation: float
    length: float

    @property
    def poses(self) -> bool:
        """Whether orientations were measured too."""
        return self.measured.shape[1] == 12

    @property
    def sigmas(self) -> FloatArray:
        """Noise of each row of a residual."""
        s = [self.sigma_position] * 3 + ([self.sigma_rotation] * 3 if self.poses else [])
        return np.array(s)

    def part(self, rows: NDArray[np.intp]) -> Samples:
        """The samples of these indices."""
        return replace(self, Q=self.Q[rows], measured=self.measured[rows])


@dataclass(frozen=True, slots=True)
class State:
    """A chain and where its base stands in the measuring frame."""

    chain: SerialChain
    base: SE3


def residuals(state: State, samples: Samples, placed: FloatArray | None = None) -> FloatArray:
    """Predicted less measured, (N, 3) or (N, 6): position (m), rotation (rad), in the axes of the measuring frame."""
    placed = frames(state.chain, samples.Q) if placed is None else placed
    tip = pose.compose(state.base.elements, lanes(placed[:, -1]))
    if not samples.poses:
        return np.stack(tip[9:], axis=1) - samples.measured
    return np.stack(pose.difference(lanes(samples.measured), tip), axis=1)


def linearised(state: State, samples: Samples, parameters: list[ErrorTerm]) -> tuple[FloatArray, FloatArray]:
    """Residuals (N, k) and their derivative by the parameters (N, k, p)."""
    placed = frames(state.chain, samples.Q)
    r = residuals(state, samples, placed)
    twists = tip_twists(state, samples.Q, placed, parameters)
    if not samples.poses:
        return r, twists[:, :3]
    # exp(w) in front of a rotation changes its logarithm by the inverse of the left Jacobian
    turned: Any = tuple(r[:, k : k + 1] for k in range(3, 6))
    w: Any = tuple(twists[:, k] for k in range(3, 6))
    return r, np.concatenate([twists[:, :3], np.stack(pose.left_jacobian_inverse(turned, w), axis=1)], axis=1)


def tip_twists(state: State, Q: FloatArray, placed: FloatArray, parameters: list[ErrorTerm]) -> FloatArray:
    """The twist of the tip for a unit of each parameter, (N, 6, p): axes of the measuring frame, at the tip."""
    twists = twist_columns(state.chain, Q, placed, parameters)
    turn = state.base.rotation.matrix()
    angular = twists[:, 3:]
    linear = twists[:, :3] + np.cross(angular, placed[:, -1, 9:, None], axis=1)
    return np.concatenate([turn @ linear, turn @ angular], axis=1)


def scales(parameters: list[ErrorTerm], length: float) -> FloatArray:
    """What one unit of each scaled parameter is: a length of the robot, or a radian."""
    return np.array([length if term.linear else 1.0 for term in parameters])


def whitened(jacobian: FloatArray, samples: Samples, parameters: list[ErrorTerm], weights: FloatArray) -> FloatArray:
    """The derivative in units of the noise, columns scaled, rows of one sample after the other."""
    J = jacobian * (np.sqrt(weights)[:, None] / samples.sigmas)[:, :, None] * scales(parameters, samples.length)
    return J.reshape(-1, len(parameters))


def solve(
    state: State,
    samples: Samples,
    parameters: list[ErrorTerm],
    weights: FloatArray,
    *,
    count: int | None = None,
    robust: bool = False,
) -> State:
    """The state of least weighted squares near ``state``.

    Args:
        state: where to start.
        samples: what was measured.
        parameters: what may change.
        weights: of the samples, (N,).
        count: how many combinations of the parameters can be told at best; the others stay.
        robust: weigh samples down by how far they are off, in units of the others (Huber), anew at every step.
    """
    damping, cost = 0.0, np.inf
    r, jacobian = linearised(state, samples, parameters)
    for _ in range(ITERATIONS):
        w = weights * huber(distances(r, samples)) if robust else weights
        A = whitened(jacobian, samples, parameters, w)
        b = (r * np.sqrt(w)[:, None] / samples.sigmas).reshape(-1)
        cost = float(b @ b)
        left, all_values, right = np.linalg.svd(A, full_matrices=False)
        told = np.arange(len(all_values)) < (len(all_values) if count is None else count)
        keep = (all_values > ROUNDING * all_values[0]) & told
        U, S, V = left[:, keep], all_values[keep], right[keep]
        for _ in range(8):
            x = -(V.T @ (S / (S * S + damping * S[0] * S[0]) * (U.T @ b)))
            step = x * scales(parameters, samples.length)
            size = float(np.abs(x).max())
            if size > 1.0:  # a radian: beyond it the straight step means nothing
                step = step / size
            trial = State(*corrected(state.chain, state.base, parameters, step))
            tried = residuals(trial, samples)
            new = float(np.sum(w[:, None] * (tried / samples.sigmas) ** 2))
            if new <= cost * (1.0 + 1e-12):
                damping = damping * 0.1 if damping > 1e-9 else 0.0
                break
            damping = max(damping * 10.0, 1e-6)
        else:
            return state
        state = trial
        r, jacobian = linearised(state, samples, parameters)
        if size < 1e-12 or (not robust and cost - new <= 1e-13 * cost):
            break
    return state


def distances(r: FloatArray, samples: Samples) -> FloatArray:
    """How far each sample is off in units of its noise: the root of the mean of squares, (N,)."""
    return np.sqrt(np.mean((r / samples.sigmas) ** 2, axis=1))


def usual(d: FloatArray, rows: int) -> float:
    """What the distance of a usual sample is, from the median: a few that are far off do not change it."""
    # the median of the root of chi-squared over its number of rows
    return max(float(np.median(d)) / (0.888 if rows == 3 else 0.944), 1e-6)


def huber(d: FloatArray) -> FloatArray:
    """Weights (N,) of Huber's loss with its corner at 1.5 times the usual distance."""
    limit = 1.5 * usual(d, 6)
    return np.where(d > limit, limit / np.maximum(d, limit), 1.0)


def estimated(r: FloatArray, samples: Samples, rank: int, used: NDArray[np.bool_]) -> tuple[float, float]:
    """Noise of one coordinate of position and of rotation from what is left, with the lost degrees of freedom."""
    rows = int(used.sum()) * r.shape[1]
    share = np.sqrt(rows / max(rows - rank, 1))
    # the floor is rounding: noise-free samples must not weigh infinitely
    position = max(float(np.sqrt(np.mean(r[used, :3] ** 2))) * share, 1e-12 * samples.length)
    rotation = max(float(np.sqrt(np.mean(r[used, 3:] ** 2))) * share, 1e-12) if samples.poses else 1.0
    return position, rotation


# ---- where the base stands
def base_starts(chain: SerialChain, samples: Samples) -> Iterator[State]:
    """Places of the base, and of the tool, from which the refinement may find the right one."""
    tips = frames(chain, samples.Q)[:, -1]
    positions, rotations = tips[:, 9:], tips[:, :9].reshape(-1, 3, 3)
    yield State(chain, kabsch(positions, samples.measured[:, -3:])[0])
    if not samples.poses:
        return
    measured = samples.measured[:, :9].reshape(-1, 3, 3)
    turn = _nearest(np.einsum("nij,nkj->ik", measured, rotations))
    yield State(chain, _placed(turn, np.asarray(np.mean(samples.measured[:, 9:] - positions @ turn.T, axis=0))))
    # measured = B R M is linear in the Kronecker product of B and M
    product, *_ = np.linalg.lstsq(rotations.reshape(-1, 9), measured.reshape(-1, 9), rcond=1e-6)
    product = product.reshape(3, 3, 3, 3)  # (j, k, i, l): B_ij M_kl
    U, _, V = np.linalg.svd(product.transpose(2, 0, 1, 3).reshape(9, 9))
    sign = 1.0 if np.linalg.det(U[:, 0].reshape(3, 3)) > 0.0 else -1.0
    B, M = _nearest(sign * U[:, 0].reshape(3, 3)), _nearest(sign * V[0].reshape(3, 3))
    tool = [ErrorTerm("tool", "", -1, k) for k in range(6)]
    made, _ = corrected(chain, SE3.identity(), tool[3:], SO3.from_matrix(M, project=True).log())
    # B p + B R m + b is linear in m and b
    rows = np.concatenate([np.einsum("ij,njk->nik", B, rotations), np.tile(np.eye(3), (len(rotations), 1, 1))], axis=2)
    x, *_ = np.linalg.lstsq(rows.reshape(-1, 6), (samples.measured[:, 9:] - positions @ B.T).reshape(-1), rcond=1e-6)
    made, _ = corrected(made, SE3.identity(), tool[:3], M.T @ x[:3])
    yield State(made, _placed(B, x[3:]))


def kabsch(points: FloatArray, measured: FloatArray) -> tuple[SE3, float]:
    """The pose that takes points to where they were measured, and the scale that would fit best (Umeyama, 1991)."""
    a, b = points - points.mean(axis=0), measured - measured.mean(axis=0)
    turn = _nearest(b.T @ a)
    spread = float(np.sum(a * a))
    scale = float(np.sum((a @ turn.T) * b)) / spread if spread > 0.0 else 1.0
    return _placed(turn, measured.mean(axis=0) - turn @ points.mean(axis=0)), scale


def _nearest(matrix: FloatArray) -> FloatArray:
    """The rotation nearest to a matrix of any rank; never a reflection."""
    U, _, V = np.linalg.svd(matrix)
    U[:, 2] *= np.sign(np.linalg.det(U @ V))
    return U @ V


def _placed(turn: FloatArray, origin: ArrayLike) -> SE3:
    return SE3(SO3.from_matrix(turn, project=True), origin)
