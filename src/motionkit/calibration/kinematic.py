"""Kinematic calibration: where the axes of a real arm are, from poses or positions of its tip that were measured.

What an error of an axis is stands in ``_screw_errors``, the least squares in ``_kinematic_fit``, which combinations the
samples tell, and the refusals, in ``_kinematic_rank``, what comes out in ``_kinematic_result``. Cameras, time and
hand-eye are other modules.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import KindMismatch, NotConverged, NotEnoughSamples, NotFinite, UnknownName, WrongLength, did_you_mean
from ..robot import SerialChain
from ..robot._coordinates import matrix
from ..spatial import SE3
from . import _kinematic_fit as fit
from . import _kinematic_rank as rank
from ._kinematic_fit import Samples, State
from ._kinematic_result import AxisCorrection, KinematicCalibration, KinematicError, RejectedSample
from ._screw_errors import ErrorTerm, terms

FloatArray = NDArray[np.float64]

__all__ = ["AxisCorrection", "KinematicCalibration", "KinematicError", "RejectedSample", "calibrate_kinematics"]

PARTS = ("axes", "zeros", "base", "tool")
FAR = 5.0  # times the usual distance: beyond it a sample is not of the same kind as the others


def calibrate_kinematics(
    chain: SerialChain,
    q: ArrayLike,
    measured: Sequence[SE3] | ArrayLike,
    *,
    base: SE3 | None = None,
    free: Collection[str] = ("axes", "tool"),
    hold: Collection[str] = (),
    sigma_position: float | None = None,
    sigma_rotation: float | None = None,
    robust: bool = True,
) -> KinematicCalibration:
    """The chain whose axes, and tool, fit measured poses or positions of its tip best.

    Every axis may tilt and shift across itself: four parameters for a revolute joint, two for a prismatic one; with the
    tool's six (three where positions were measured) that is everything which can be told. Zero offsets and the base are
    combinations of these; free them instead of, or besides, the axes to have them as such.

    First the nominal chain is placed (base and tool), which is also the control ``before``; then the axes are fitted
    with the base held. Residuals are weighed by the stated noise, or by the noise that is left, found in three passes.

    Args:
        chain: the nominal chain.
        q: (N, n), the coordinates at which it was measured, rad or m.
        measured: N poses of the tip (SE3, or (N, 4, 4)), or (N, 3) positions, m, in the measuring frame.
        base: pose of the chain's base in the measuring frame, held as it is; searched for when left out.
        free: what may change: ``"axes"``, ``"zeros"``, ``"base"``, ``"tool"``.
        hold: names of joints whose axis and zero stay nominal.
        sigma_position: noise of one coordinate of a measured position, m; estimated when left out.
        sigma_rotation: noise of one component of a measured rotation, rad; estimated when left out.
        robust: weigh down samples that are far off, and leave out those five times as far as usual.

    Raises:
        WrongLength: shapes do not fit.
        NotFinite: a number is NaN or infinite; names the sample.
        UnknownName: ``free`` or ``hold`` names nothing that there is.
        KindMismatch: units look mixed (millimetres, degrees), the poses look inverted, or the base is elsewhere.
        NotEnoughSamples: fewer rows than parameters.
        DegenerateGeometry: the samples leave an axis undetermined; names the joints to move.
        NotConverged: the chain does not explain the samples, or more than a quarter of them are far off.

    >>> import numpy as np
    >>> import motionkit as mk
    >>> arm = mk.SerialChain.six_axis_example()
    >>> Q = np.random.default_rng(1).uniform(-1.5, 1.5, (12, 6))
    >>> bent = arm.with_tool(mk.SE3.from_translation((0.001, 0, 0)))
    >>> found = mk.calibrate_kinematics(arm, Q, [bent.forward(q) for q in Q])
    >>> found.rank, found.after.position_rms < 1e-9
    (30, True)
    """
    _known(free, PARTS, "free")
    _known(hold, [segment.joint for segment in chain.moving], "hold")
    Q = matrix(q, chain.joint_names, "q")
    values = _measured(measured)
    if len(values) != len(Q):
        raise WrongLength(f"measured: expected one for each of the {len(Q)} rows of q, got {len(values)}")
    for name, sigma in (("sigma_position", sigma_position), ("sigma_rotation", sigma_rotation)):
        if sigma is not None and not (math.isfinite(sigma) and sigma > 0.0):
            raise NotFinite(f"{name}: expected a positive number, got {sigma}")
    length = max(chain.reach, float(np.abs(Q).max(initial=0.0)) if chain.reach == 0.0 else 0.0, 1e-3)
    stated = (sigma_position, sigma_rotation)
    start = Samples(Q, values, sigma_position or 1e-4 * length, sigma_rotation or 1e-4, length)
    parameters = terms(chain, free, hold, turned_tool=start.poses)
    if not parameters:
        raise UnknownName(f"free: expected at least one of {', '.join(PARTS)}, got none: all is held", name="")
    structure = rank.structure(chain, start, parameters)
    rank.refuse_few(chain, start, structure)
    tool = [term for term in parameters if term.part == "tool"]
    state = _placed(chain, start, base, tool, robust)
    _refuse_suspicious(chain, start, base, tool, state)
    rank.refuse_unknown(state.chain, start, structure, np.ones(len(Q), dtype=bool))
    nominal = state
    state, samples, used = _fitted(state, start, parameters, structure.rank, stated, robust)
    rank.refuse_unknown(state.chain, samples, structure, used, fitted=True)

    r, jacobian = fit.linearised(state, samples, parameters)
    covariance, condition, told = _covariance(jacobian[used], samples, parameters, structure.rank)
    held = _hold_out(nominal, samples, parameters, structure.rank, np.flatnonzero(used))
    r0 = fit.residuals(nominal, samples)
    all_rows = np.flatnonzero(used)
    return KinematicCalibration(
        chain=state.chain,
        nominal=chain,
        base=state.base,
        before=_error(r0[used], all_rows),
        after=_error(r[used], all_rows),
        hold_out=None if held is None else _error(held, all_rows),
        axes=tuple(_axes(chain, state.chain, parameters, covariance, told)),
        parameters=tuple(term.label for term in parameters),
        rank=structure.rank,
        unidentifiable=structure.unidentifiable,
        covariance=tuple(tuple(row) for row in covariance.tolist()),
        condition=condition,
        sigma_position=samples.sigma_position,
        sigma_rotation=samples.sigma_rotation if samples.poses else math.nan,
        residuals=tuple(tuple(row) for row in r.tolist()),
        rejected=tuple(_rejected(r, samples, used)),
        degrees_of_freedom=int(used.sum()) * r.shape[1] - structure.rank,
        _terms=tuple(parameters),
    )


# ---- what comes in
def _known(names: Collection[str], valid: Collection[str], what: str) -> None:
    given = [names] if isinstance(names, str) else names
    for name in given:
        if name not in valid or isinstance(names, str):
            raise UnknownName(
                f"{what}: expected a collection of names, got {name!r}: {did_you_mean(name, valid)}", name=name
            )


def _measured(measured: Sequence[SE3] | ArrayLike) -> FloatArray:
    """(N, 12) elements of poses, or (N, 3) positions."""
    given = cast("Any", measured)
    if len(given) == 0:
        raise NotEnoughSamples("measured: expected poses or positions of the tip, got none")
    if not isinstance(given, np.ndarray) and len(given) and all(isinstance(pose, SE3) for pose in given):
        return np.array([pose.elements for pose in given])
    try:
        array = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise WrongLength("measured: expected SE3s, an array (N, 4, 4) or positions (N, 3)") from error
    if array.ndim not in (2, 3) or array.shape[1:] not in ((4, 4), (3,)):
        raise WrongLength(f"measured: expected SE3s, an array (N, 4, 4) or positions (N, 3), got shape {array.shape}")
    good = np.isfinite(array).reshape(len(array), -1).all(axis=1)
    if not good.all():
        i = int(np.argmin(good))
        raise NotFinite(f"measured[{i}]: every number must be finite, got {array[i].tolist()}")
    return array if array.ndim == 2 else np.array([SE3.from_matrix(pose).elements for pose in array])


# ---- the fit
def _placed(chain: SerialChain, samples: Samples, base: SE3 | None, tool: list[ErrorTerm], robust: bool) -> State:
    """The nominal axes with base and tool placed as well as they can be."""
    weights = np.ones(len(samples.Q))
    place = [*tool] if base is not None else [*(ErrorTerm("base", "", -1, k) for k in range(6)), *tool]
    starts = [State(chain, base)] if base is not None else fit.base_starts(chain, samples)
    best, least = State(chain, SE3.identity() if base is None else base), math.inf
    for start in starts:
        found = start
        if not tool:  # a start may have moved the tool
            found = State(chain, start.base)
        if place:
            found = fit.solve(found, samples, place, weights, robust=robust)
        cost = float(np.median(fit.distances(fit.residuals(found, samples), samples)))
        if cost < 0.999 * least:
            best, least = found, cost
    return best


def _fitted(
    state: State,
    samples: Samples,
    parameters: list[ErrorTerm],
    count: int,
    stated: tuple[float | None, float | None],
    robust: bool,
) -> tuple[State, Samples, NDArray[np.bool_]]:
    """The fit, the samples with the noise that is left, and which were used."""
    used = np.ones(len(samples.Q), dtype=bool)
    rows = 6 if samples.poses else 3
    for sweep in range(4):
        state = fit.solve(state, samples, parameters, used.astype(np.float64), count=count, robust=robust and sweep < 2)
        r = fit.residuals(state, samples)
        if robust:
            d = fit.distances(r, samples)
            far = d > FAR * max(fit.usual(d[used], rows), 1e-9 * samples.length / samples.sigma_position)
            if int(far.sum()) * 4 > len(far):
                raise NotConverged(
                    f"{int(far.sum())} of {len(far)} samples are more than {FAR:g} times as far off as usual, too many "
                    "to leave out: the chain, the order of the joints or the measurements are of another robot",
                    report=None,
                )
            used = ~far
        position, rotation = fit.estimated(r, samples, count, used)
        samples = replace(samples, sigma_position=stated[0] or position, sigma_rotation=stated[1] or rotation)
    return state, samples, used


def _refuse_suspicious(
    chain: SerialChain, samples: Samples, base: SE3 | None, tool: list[ErrorTerm], state: State
) -> None:
    """Refuse samples that another unit or direction explains far better.

    Raises:
        KindMismatch: names the unit or the direction.
    """
    spread = float(np.sqrt(np.sum(np.var(samples.measured[:, -3:], axis=0))))
    left = _median_distance(state, samples)
    if left <= 0.02 * max(spread, 1e-12):
        return
    if base is not None:
        found = _placed(chain, samples, None, tool, True)
        if _median_distance(found, samples) < min(0.1 * left, 0.02 * spread):
            gap = base.inverse() * found.base
            turned = math.degrees(float(np.linalg.norm(gap.rotation.log())))
            raise KindMismatch(
                f"base: the samples fit the chain ten times better with the base {np.linalg.norm(gap.translation):.3g} "
                f"m and {turned:.3g} deg from where it was given; leave "
                "it out to have it found, or see which way round it is",
                joint="",
            )
    for what, other, unit in _other_readings(chain, samples):
        moved = None if base is None or unit else base
        found = _placed(chain, other, moved, tool, True)
        unit = unit or 1.0
        if _median_distance(found, other) < min(0.1 * left, 0.02 * spread) * unit:
            raise KindMismatch(
                f"the samples fit the chain ten times better if {what} (they are {left:.3g} m off as given); "
                "convert what was measured, or correct the unit where it is stated",
                joint="",
            )


def _other_readings(chain: SerialChain, samples: Samples) -> Iterator[tuple[str, Samples, float]]:
    measured = samples.measured
    readings = [(1e-3, "the measured positions are in millimetres")]
    if chain.reach > 20.0:  # an arm in millimetres; otherwise its own size would not count beside them
        readings.append((1e3, "the chain is in millimetres"))
    for factor, what in readings:
        scaled = measured.copy()
        scaled[:, -3:] *= factor
        yield what, replace(samples, measured=scaled), factor
    turning = np.array([limits.kind != "prismatic" for limits in chain.limits])
    if turning.any() and np.ptp(samples.Q[:, turning]) > 2.0 * math.pi:
        yield (
            "the joint values are in degrees",
            replace(samples, Q=np.where(turning, np.radians(samples.Q), samples.Q)),
            1.0,
        )
    if samples.poses:
        turned = np.array([SE3.from_elements(tuple(row)).inverse().elements for row in measured.tolist()])
        yield "the measured poses are inverted", replace(samples, measured=turned), 0.0


def _median_distance(state: State, samples: Samples) -> float:
    r = fit.residuals(state, samples)[:, :3]
    return float(np.median(np.sqrt(np.sum(r * r, axis=1))))


# ---- what comes out
def _covariance(
    jacobian: FloatArray, samples: Samples, parameters: list[ErrorTerm], count: int
) -> tuple[FloatArray, float, NDArray[np.bool_]]:
    """Covariance, condition, and which parameters are no part of a combination that cannot be told."""
    A = fit.whitened(jacobian, samples, parameters, np.ones(len(jacobian)))
    _, S, V = np.linalg.svd(A)
    half = V[:count].T / S[:count] * fit.scales(parameters, samples.length)[:, None]
    told = np.sum(V[count:] ** 2, axis=0) < 1e-6
    return half @ half.T, float(S[0] / S[count - 1]) if count else 1.0, told


def _hold_out(
    nominal: State, samples: Samples, parameters: list[ErrorTerm], count: int, rows: NDArray[np.intp]
) -> FloatArray | None:
    """Residuals of samples that their chain was not fitted to, (N, k); None where too few are left for the fit."""
    width = 6 if samples.poses else 3
    if (len(rows) - math.ceil(len(rows) / 4)) * width < count + 3:
        return None
    order = np.random.default_rng(0).permutation(len(rows))
    out = np.empty((len(rows), width))
    for k in range(4):
        away = order[k::4]
        kept = samples.part(rows[np.setdiff1d(order, away)])
        found = fit.solve(nominal, kept, parameters, np.ones(len(kept.Q)), count=count)
        out[away] = fit.residuals(found, samples.part(rows[away]))
    return out


def _error(r: FloatArray, rows: NDArray[np.intp]) -> KinematicError:
    d: FloatArray = np.sqrt(np.sum(r[:, :3] ** 2, axis=1))
    i = int(np.argmax(d))
    rms, worst, at = math.nan, math.nan, -1
    if r.shape[1] == 6:
        a: FloatArray = np.sqrt(np.sum(r[:, 3:] ** 2, axis=1))
        at = int(rows[int(np.argmax(a))])
        rms, worst = float(np.sqrt(np.mean(a * a))), float(a.max())
    return KinematicError(float(np.sqrt(np.mean(d * d))), float(d[i]), int(rows[i]), rms, worst, at, len(r))


def _rejected(r: FloatArray, samples: Samples, used: NDArray[np.bool_]) -> Iterator[RejectedSample]:
    times = fit.distances(r, samples)
    for i in np.flatnonzero(~used).tolist():
        position = float(np.sqrt(np.sum(r[i, :3] ** 2)))
        rotation = float(np.sqrt(np.sum(r[i, 3:] ** 2))) if samples.poses else math.nan
        turned = f" and {math.degrees(rotation):.3g} deg" if samples.poses else ""
        yield RejectedSample(
            i,
            position,
            rotation,
            f"{position * 1e3:.3g} mm{turned} from where the other samples put it, {times[i]:.3g} times their noise",
        )


def _axes(
    nominal: SerialChain,
    chain: SerialChain,
    parameters: list[ErrorTerm],
    covariance: FloatArray,
    told: NDArray[np.bool_],
) -> Iterator[AxisCorrection]:
    for i, (old, new) in enumerate(zip(nominal.joints, chain.joints, strict=True)):
        a, b, gap = np.array(old.axis), np.array(new.axis), np.array(old.point) - np.array(new.point)
        turned = math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b))
        slides = old.kind == "prismatic"
        sigmas: list[float] = []
        for linear in (False, True):
            at = [
                k
                for k, term in enumerate(parameters)
                if term.part == "axis" and term.index == i and term.linear is linear
            ]
            block = covariance[np.ix_(at, at)]
            sigma = math.sqrt(max(float(np.linalg.eigvalsh(block)[-1]), 0.0)) if at else 0.0
            sigmas.append(sigma if told[at].all() else math.inf)
        yield AxisCorrection(
            old.name,
            new.axis,
            new.point,
            turned,
            0.0 if slides else float(np.linalg.norm(np.cross(gap, b))),
            sigmas[0],
            sigmas[1],
        )
