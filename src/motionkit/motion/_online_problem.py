"""What :class:`OnlineTrajectory` is asked, as one table of numbers: read, checked, and explained when it is wrong.

Nothing is planned here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from ..errors import InvalidLimits, JointLimitViolated, MotionkitError, NotFinite, WrongLength
from .limits import RATES, MotionLimits, check_limits
from .samples import FloatArray, MotionState

WIDTH = 12  # numbers of a problem, see kernels.online_axis


def states_table(states: Any, what: str) -> FloatArray:
    """(n, 3) positions, velocities and accelerations.

    Args:
        states: one MotionState of floats or of arrays (n,), a sequence of MotionState, or an array (n, 3).
        what: the name for messages.

    Raises:
        WrongLength: it is none of these.
    """
    if type(states) is np.ndarray:
        table = states if states.dtype == np.float64 else states.astype(np.float64)
    else:
        try:
            if isinstance(states, MotionState):
                columns = np.broadcast_arrays(
                    *np.atleast_1d(states.position, states.velocity, states.acceleration)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
                )
                table = np.stack(columns, axis=1).astype(np.float64)
            elif isinstance(states, Sequence) and any(
                isinstance(s, MotionState) for s in cast("Sequence[Any]", states)
            ):
                given = cast("Sequence[MotionState[float]]", states)
                table = np.array([(s.position, s.velocity, s.acceleration) for s in given], dtype=np.float64)
            else:
                table = np.array(states, dtype=np.float64)
        except (TypeError, ValueError, AttributeError) as error:
            raise WrongLength(
                f"expected MotionStates or an array (n, 3) of position, velocity and acceleration as {what}, "
                f"got {states!r} ({error})"
            ) from None
    if table.ndim != 2 or table.shape[1] != 3 or not len(table):
        raise WrongLength(
            f"expected an array (n, 3) of position, velocity and acceleration as {what}, got shape {table.shape}"
        )
    return table


def limits_table(limits: Any, n: int) -> tuple[FloatArray, FloatArray | None]:
    """(n, 3) velocity, acceleration, jerk, or (n, 5) velocity forwards and backwards, acceleration up and down, jerk.

    All are magnitudes; then (n, 2) positions, when there are any. An array is not looked into: :func:`explain_numbers`
    is asked when planning fails.

    Args:
        limits: one MotionLimits for one axis, a sequence of MotionLimits, or an array (n, 3) of velocity, acceleration
            and jerk.
        n: number of axes.

    Raises:
        WrongLength: it is none of these.
        InvalidLimits: limits are unset or make no sense; the message names the axis.
    """
    if isinstance(limits, MotionLimits):
        limits = [limits]
    if isinstance(limits, Sequence) and any(isinstance(x, MotionLimits) for x in cast("Sequence[Any]", limits)):
        given = cast("Sequence[MotionLimits]", limits)
        if len(given) != n:
            raise WrongLength(f"expected limits of {n} axes, got {len(given)}")
        rows: list[tuple[float, ...]] = []
        ends: list[tuple[float, float]] = []
        for i, axis in enumerate(given):
            check_limits(axis, RATES, f"axis {i}")
            low_v = axis.max_velocity if axis.min_velocity is None else -axis.min_velocity
            low_a = axis.max_acceleration if axis.min_acceleration is None else -axis.min_acceleration
            rows.append((axis.max_velocity, low_v, axis.max_acceleration, low_a, axis.max_jerk))
            ends.append(
                (
                    -np.inf if axis.min_position is None else axis.min_position,
                    np.inf if axis.max_position is None else axis.max_position,
                )
            )
        positions = np.array(ends)
        return np.array(rows), positions if np.isfinite(positions).any() else None
    try:
        table = np.asarray(limits, dtype=np.float64)
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.shape != (n, 3):
        raise WrongLength(
            f"expected one MotionLimits an axis or an array ({n}, 3) of velocity, acceleration and jerk, got {limits!r}"
        )
    return table, None


def problem_table(current: FloatArray, target: FloatArray, rates: FloatArray, least: float) -> FloatArray:
    """(n, 12) problems, as kernels.online_axis has them.

    Raises:
        WrongLength: current and target are not of one length.
    """
    n = len(current)
    if len(target) != n:
        raise WrongLength(f"expected {n} target states, one for each current state, got {len(target)}")
    table = np.empty((n, WIDTH))
    table[:, :3] = current
    table[:, 3:6] = target
    put_rates(table, rates)
    table[:, 11] = least
    return table


def put_rates(table: FloatArray, rates: FloatArray) -> None:
    """Limits (n, 3) or (n, 5) into problems."""
    if rates.shape[1] == 5:
        table[:, 6:11] = rates
    else:
        table[:, 6:8] = rates[:, :1]
        table[:, 8:10] = rates[:, 1:2]
        table[:, 10] = rates[:, 2]


def explain_numbers(table: FloatArray) -> MotionkitError:
    """The error for problems whose numbers cannot be computed with."""
    wrong = np.argwhere(~np.isfinite(table[:, :6]))
    if len(wrong):
        i, k = int(wrong[0, 0]), int(wrong[0, 1])
        quantity = ("position", "velocity", "acceleration")[k % 3]
        return NotFinite(
            f"axis {i}: expected a finite number as {quantity} of {'current' if k < 3 else 'target'}, "
            f"got {float(table[i, k])!r}"
        )
    for i, (top, bottom, up, down, jerk) in enumerate(table[:, 6:11].tolist()):
        try:
            check_limits(MotionLimits(top, up, jerk, min_velocity=-bottom, min_acceleration=-down), RATES, f"axis {i}")
        except InvalidLimits as error:
            return error
    return NotFinite("the motion leaves the range of floating point numbers; use other units")


def explain_target(problem: list[float], axis: int) -> InvalidLimits:
    """The error for a target that lies outside the limits, with the nearest one that does not."""
    v, a, top, bottom, up, down, jerk = problem[4:11]
    name = f"axis {axis}"
    if not -down <= a <= up:
        bound = max(-down, min(up, a))
        return InvalidLimits(
            f"{name}: the target's acceleration {a!r} is outside its limits {-down!r} and {up!r}; give {bound!r}",
            joint=name,
        )
    if not -bottom <= v <= top:
        bound = max(-bottom, min(top, v))
        return InvalidLimits(
            f"{name}: the target's velocity {v!r} is outside its limits {-bottom!r} and {top!r}; give {bound!r}",
            joint=name,
        )
    passed = v - 0.5 * a * abs(a) / jerk
    bound = top if passed > top else -bottom
    nearest = bound + 0.5 * a * abs(a) / jerk
    return InvalidLimits(
        f"{name}: an axis that arrives with velocity {v!r} and acceleration {a!r} at jerk {jerk!r} had velocity "
        f"{passed!r} before, outside its limit {bound!r}; give the velocity {nearest!r}",
        joint=name,
    )


def check_ends(problem: FloatArray, positions: FloatArray) -> None:
    """Raise JointLimitViolated when a current or target position is outside its range."""
    check_range(problem[:, 0], problem[:, 0], positions, "the current position")
    check_range(problem[:, 3], problem[:, 3], positions, "the target")


def check_range(low: FloatArray, high: FloatArray, positions: FloatArray, what: str) -> None:
    """Raise JointLimitViolated when a way from ``low`` to ``high`` is not within the ranges of positions."""
    for reached, side, bound in ((low, "min_position", positions[:, 0]), (high, "max_position", positions[:, 1])):
        outside = reached < bound if side == "min_position" else reached > bound
        if outside.any():
            i = int(np.flatnonzero(outside)[0])
            value, limit = float(reached[i]), float(bound[i])
            direction = "below" if side == "min_position" else "above"
            raise JointLimitViolated(
                f"axis {i}: {what} {value!r} is {direction} {side} {limit!r} by {abs(value - limit):.6g}; "
                f"give more room, a slower start or another target",
                joint=f"axis {i}",
                value=value,
                limit=limit,
            )
