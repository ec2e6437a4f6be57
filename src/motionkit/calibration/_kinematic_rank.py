"""Which combinations of error terms can be told: by any samples of a chain, and by those that were taken.

Two ranks are compared. That of the structure is taken over many configurations within the limits; what is missing there
no data can tell. What the samples miss beyond it, they could tell, if other joints moved: that is refused, with names.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateGeometry, NotConverged, NotEnoughSamples
from ..robot import SerialChain
from ..spatial import SE3
from . import _kinematic_fit as fit
from ._kinematic_fit import Samples, State
from ._screw_errors import ErrorTerm

FloatArray = NDArray[np.float64]

CONFIGURATIONS = 64
BELIEVABLE = 0.05  # rad, or share of the reach: no arm is built so far off that a sigma this large tells anything


@dataclass(frozen=True, slots=True)
class Structure:
    """What samples of a chain can tell at best.

    Attributes:
        parameters: the error terms.
        rank: how many combinations of them.
        unidentifiable: the combinations beyond, in words.
    """

    parameters: tuple[ErrorTerm, ...]
    rank: int
    unidentifiable: tuple[str, ...]


def structure(chain: SerialChain, samples: Samples, parameters: list[ErrorTerm]) -> Structure:
    """The rank over configurations all over the ranges of the joints."""
    low = np.where(np.isfinite(chain.lower), chain.lower, -math.pi)
    high = np.where(np.isfinite(chain.upper), chain.upper, math.pi)
    Q = np.random.default_rng(0).uniform(low, high, (CONFIGURATIONS, chain.n))
    placed = np.zeros((CONFIGURATIONS, samples.measured.shape[1]))
    if samples.poses:
        placed[:] = SE3.identity().elements
    anywhere = replace(samples, Q=Q, measured=placed, sigma_position=samples.length, sigma_rotation=1.0)
    state = State(chain, SE3.identity())
    if samples.poses:  # measured where it is, so that the logarithms are those of small errors
        anywhere = replace(anywhere, measured=fit.frames(chain, Q)[:, -1])
    _, jacobian = fit.linearised(state, anywhere, parameters)
    A = fit.whitened(jacobian, anywhere, parameters, np.ones(CONFIGURATIONS))
    _, S, V = np.linalg.svd(A)
    rank = int(np.sum(S > fit.ROUNDING * S[0])) if len(S) else 0
    return Structure(tuple(parameters), rank, tuple(_in_words(V[rank:], parameters)))


def refuse_few(chain: SerialChain, samples: Samples, known: Structure) -> None:
    """Refuse fewer rows than combinations.

    Raises:
        NotEnoughSamples: with how many are needed.
        DegenerateGeometry: there are enough, but most are repeated.
    """
    rows = 6 if samples.poses else 3
    needed = math.ceil(known.rank / rows) + 1
    what = "poses" if samples.poses else "positions"
    if len(samples.Q) < needed:
        raise NotEnoughSamples(
            f"expected at least {needed} {what} for the {known.rank} parameters that they can tell, got "
            f"{len(samples.Q)}; take more (three times as many is usual), hold joints, or free less"
        )
    different = len(np.unique(np.round(samples.Q, 6), axis=0))
    if different < needed:
        raise DegenerateGeometry(
            f"{len(samples.Q)} {what} at only {different} different configurations, and {needed} are needed for "
            f"{known.rank} parameters; more of the same does not help: move all joints between samples",
            direction=(),
        )


def refuse_unknown(
    chain: SerialChain, samples: Samples, known: Structure, used: NDArray[np.bool_], *, fitted: bool = False
) -> None:
    """Refuse samples that leave undetermined what others would tell, with this noise.

    Raises:
        DegenerateGeometry: names the joints to move.
        NotConverged: it is ``fitted``, passed with the noise that was expected and fails with the noise that is left.
    """
    parameters = list(known.parameters)
    if not known.rank:
        return
    part = samples.part(np.flatnonzero(used))
    anywhere = replace(part, measured=fit.frames(chain, part.Q)[:, -1]) if part.poses else part
    _, jacobian = fit.linearised(State(chain, SE3.identity()), anywhere, parameters)
    A = fit.whitened(jacobian, part, parameters, np.ones(len(part.Q)))
    _, values, directions = np.linalg.svd(A)
    S = np.concatenate([values, np.zeros(max(known.rank - len(values), 0))])[: known.rank]
    unknown = S * BELIEVABLE < 1.0
    unknown |= S <= fit.ROUNDING * S[0]
    if not unknown.any():
        return
    if fitted:
        turned = f" and {math.degrees(samples.sigma_rotation):.3g} deg" if samples.poses else ""
        raise NotConverged(
            f"the best fit leaves {samples.sigma_position * 1e3:.3g} mm{turned} a coordinate, with which {len(part.Q)} "
            "samples tell nothing of the axes: look at the order and signs of the joints, the chain, and whether each "
            "pose belongs to its row of q",
            report=None,
        )
    V = directions[: known.rank][unknown]
    shares: dict[str, float] = {}
    for term, share in zip(parameters, np.mean(V * V, axis=0).tolist(), strict=True):
        shares[term.joint or term.part] = shares.get(term.joint or term.part, 0.0) + share
    ordered = [name for name in sorted(shares, key=lambda name: -shares[name]) if shares[name] > 0.05]
    travels = dict(zip(chain.joint_names, np.ptp(part.Q, axis=0).tolist(), strict=True))
    kinds = dict(zip(chain.joint_names, [limits.kind for limits in chain.limits], strict=True))
    still = [
        f"{name!r} (moved by {travels[name]:.3g} m)"
        if kinds[name] == "prismatic"
        else f"{name!r} (moved by {math.degrees(travels[name]):.3g} deg)"
        for name in chain.joint_names
        if travels[name] < (0.05 * samples.length if kinds[name] == "prismatic" else math.radians(10.0))
    ]
    helps = (
        f"move joint {', '.join(still)} far more (tens of degrees) between samples"
        if still
        else "add samples in which these joints move far and independently of one another, and the tip turns"
    )
    raise DegenerateGeometry(
        f"the samples leave {int(unknown.sum())} of {known.rank} combinations undetermined, of "
        f"{', '.join(ordered)}; {helps}, or hold those joints",
        direction=tuple(ordered),
    )


def _in_words(null: FloatArray, parameters: list[ErrorTerm]) -> list[str]:
    """A basis of the null space with as few parameters in each vector as elimination gives, in words."""
    rows = null.copy()
    for k in range(len(rows)):
        # from the back, so that a base or an early axis is told by what follows it
        pivot = int(np.argmax(np.abs(rows[k])))
        rows[k] /= rows[k, pivot]
        for other in range(len(rows)):
            if other != k:
                rows[other] -= rows[other, pivot] * rows[k]
    return [
        " with ".join(term.label for term, share in zip(parameters, row.tolist(), strict=True) if abs(share) > 1e-6)
        for row in rows
    ]
