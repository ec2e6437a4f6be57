"""Inverse kinematics of a serial chain by damped least squares, and the damped step alone.

The step solves (J J^T + lambda^2) y = e and moves by J^T y. The damping grows with the remaining error (Sugihara,
2011, IEEE Trans. Robotics 27(5)), so the last steps are Newton's. A joint at a limit that the step would leave gives
up its column (an active set), and what is left is projected. The orientation error is 4 tan(angle / 4) about the axis
that turns the tool to its target: finite up to a whole turn, and equal to the rotation vector for small angles.
Restarts, branches, names and errors do not belong here.
"""

from __future__ import annotations

from typing import Any

from . import quat
from ._contract import helper, kernel
from ._elements import (
    absolute,
    all_of,
    any_of,
    both,
    either,
    floor,
    like,
    maximum,
    minimum,
    not_,
    select,
    sqrt,
)
from .chain import tip_and_jacobian
from .linear import factor6, orthonormalize, solve6
from .trig import TWO_PI, atan2

LARGEST_STEP = 1.0  # rad or m that a joint may move in one step: beyond it the linear model says nothing
GROWTH = 0.05  # of the squared damping with the squared error; tenfold costs a third more steps from mid-range seeds
REST = 1e-13  # rad or m: a step that moves no joint further ends the search


@helper
def turn_between(T: Any, target: Any) -> Any:
    """Unit quaternion, w >= 0, of the rotation in base axes that takes the pose ``T`` to the pose ``target``."""
    return quat.canonical(
        quat.from_matrix(
            (
                target[0] * T[0] + target[1] * T[1] + target[2] * T[2],
                target[0] * T[3] + target[1] * T[4] + target[2] * T[5],
                target[0] * T[6] + target[1] * T[7] + target[2] * T[8],
                target[3] * T[0] + target[4] * T[1] + target[5] * T[2],
                target[3] * T[3] + target[4] * T[4] + target[5] * T[5],
                target[3] * T[6] + target[4] * T[7] + target[5] * T[8],
                target[6] * T[0] + target[7] * T[1] + target[8] * T[2],
                target[6] * T[3] + target[7] * T[4] + target[8] * T[5],
                target[6] * T[6] + target[7] * T[7] + target[8] * T[8],
            )
        )
    )


@helper
def pose_error(T: Any, target: Any) -> Any:
    """What takes the pose ``T`` to ``target``: displacement (3), turn vector (3), its lengths in metres and radians."""
    x = target[9] - T[9]
    y = target[10] - T[10]
    z = target[11] - T[11]
    w, a, b, c = turn_between(T, target)
    f = 4.0 / (1.0 + w)
    angle = 2.0 * atan2(sqrt(a * a + b * b + c * c), w)
    return x, y, z, f * a, f * b, f * c, sqrt(x * x + y * y + z * z), angle


@helper
def manipulability(J: Any, n: int, scratch: Any, at: int) -> Any:
    """Yoshikawa's measure of the Jacobian ``J`` (6, n) at the start of ``J``; needs 6 max(6, n) + 36 of scratch.

    The volume spanned by the six rows, or by the columns when there are fewer than six.
    """
    if n >= 6:
        for k in range(6 * n):
            scratch[at + k] = J[k]
        volume = orthonormalize(6, n, scratch, at, scratch, at + 6 * n)
    else:
        for i in range(n):
            for r in range(6):
                scratch[at + 6 * i + r] = J[r * n + i]
        volume = orthonormalize(n, 6, scratch, at, scratch, at + 6 * n)
    return volume


@helper
def _damped_factor(J: Any, n: int, scale: Any, damping_squared: Any) -> Any:
    """Factor of J J^T + damping, the linear rows of J multiplied by ``scale``."""
    o = like(J[0], 0.0)
    a00, a10, a11, a20, a21, a22, a30, a31, a32, a33 = o, o, o, o, o, o, o, o, o, o
    a40, a41, a42, a43, a44, a50, a51, a52, a53, a54, a55 = o, o, o, o, o, o, o, o, o, o, o
    for i in range(n):
        x = J[i] * scale
        y = J[n + i] * scale
        z = J[2 * n + i] * scale
        a = J[3 * n + i]
        b = J[4 * n + i]
        c = J[5 * n + i]
        a00 = a00 + x * x
        a10 = a10 + y * x
        a11 = a11 + y * y
        a20 = a20 + z * x
        a21 = a21 + z * y
        a22 = a22 + z * z
        a30 = a30 + a * x
        a31 = a31 + a * y
        a32 = a32 + a * z
        a33 = a33 + a * a
        a40 = a40 + b * x
        a41 = a41 + b * y
        a42 = a42 + b * z
        a43 = a43 + b * a
        a44 = a44 + b * b
        a50 = a50 + c * x
        a51 = a51 + c * y
        a52 = a52 + c * z
        a53 = a53 + c * a
        a54 = a54 + c * b
        a55 = a55 + c * c
    d = damping_squared
    return factor6(
        (
            a00 + d, a10, a11 + d, a20, a21, a22 + d, a30, a31, a32, a33 + d, a40, a41, a42, a43, a44 + d,
            a50, a51, a52, a53, a54, a55 + d,
        )
    )  # fmt: skip


@helper
def _along(J: Any, n: int, i: int, scale: Any, y: Any) -> Any:
    """Column i of the scaled Jacobian times the six elements ``y``."""
    return (J[i] * y[0] + J[n + i] * y[1] + J[2 * n + i] * y[2]) * scale + (
        J[3 * n + i] * y[3] + J[4 * n + i] * y[4] + J[5 * n + i] * y[5]
    )


@kernel("model in in real scratch out -> none")
def step(model: Any, q: Any, twist: Any, damping: Any, scratch: Any, out: Any) -> None:
    """The damped least-squares step J^T (J J^T + damping^2)^-1 twist.

    Args:
        model: the chain.
        q: joint coordinates, (n,), rad or m.
        twist: displacement and turn asked of the tool, (6,), m and rad, base axes, reference point at the tool.
        damping: lambda, > 0 (or 0 where J has six independent rows).
        scratch: (6 n,).
        out: (n,), rad or m; joint limits are not considered.
    """
    n = len(q)
    tip_and_jacobian(model, q, n, scratch, 0)
    f = _damped_factor(scratch, n, 1.0, damping * damping)
    y = solve6(f, (twist[0], twist[1], twist[2], twist[3], twist[4], twist[5]))
    for i in range(n):
        out[i] = _along(scratch, n, i, 1.0, y)


@helper
def _nearest_turn(x: Any, seed: Any, lower: Any, upper: Any) -> Any:
    """``x`` plus the whole turns that bring it next to ``seed``, then within the limits when one turn does that."""
    x = x - TWO_PI * floor((x - seed) * (1.0 / TWO_PI) + 0.5)
    x = select(x > upper, x - TWO_PI, x)
    return select(x < lower, x + TWO_PI, x)


@helper
def settled(limits: Any, i: int, x: Any, seed: Any) -> Any:
    """Coordinate i at ``x``, on the turn next to ``seed`` where turns are free, and within its limits."""
    lower = like(x, limits[3 * i])
    upper = like(x, limits[3 * i + 1])
    turned = both(like(x, limits[3 * i + 2]) > 0.5, absolute(x) < 1e9)
    x = select(turned, _nearest_turn(x, seed, lower, upper), x)
    return minimum(maximum(x, lower), upper)


@helper
def _stop(limits: Any, i: int, x: Any, move: Any) -> Any:
    """Whether a move carries coordinate i from ``x`` past a limit, where turns are not free, and the move up to it."""
    after = x + move
    past = both(either(after > limits[3 * i + 1], after < limits[3 * i]), like(x, limits[3 * i + 2]) < 0.5)
    return past, minimum(maximum(after, like(x, limits[3 * i])), like(x, limits[3 * i + 1])) - x


@helper
def advance(
    limits: Any, seed: Any, n: int, e: Any, damping_squared: Any, scale: Any, done: Any, scratch: Any, out: Any
) -> Any:
    """One damped step of ``out`` for the scaled error ``e``, where not ``done``; the largest move of a coordinate.

    The Jacobian stands in the first 6 n elements of ``scratch``; its columns of joints that are held by a limit become
    zero. Another n elements are used after it. A joint that rests at a limit and is pushed outwards is held there. One
    that the step would carry past a limit stops at it, and the step is solved again for the others, so that they do
    what it cannot.
    """
    at = 6 * n
    zero = like(e[0], 0.0)
    one = like(e[0], 1.0)
    for i in range(n):
        gradient = _along(scratch, n, i, scale, e)
        outward = either(
            both(gradient > 0.0, out[i] >= limits[3 * i + 1]), both(gradient < 0.0, out[i] <= limits[3 * i])
        )
        keep = select(outward, zero, one)
        keep = maximum(keep, like(zero, limits[3 * i + 2]))
        for r in range(6):
            scratch[r * n + i] = scratch[r * n + i] * keep
    v = solve6(_damped_factor(scratch, n, scale, damping_squared), e)
    largest = zero
    crossing = zero > one
    for i in range(n):
        move = _along(scratch, n, i, scale, v)
        scratch[at + i] = move
        largest = maximum(absolute(move), largest)
        past, _ = _stop(limits, i, out[i], move)
        crossing = either(crossing, past)
    crossing = both(crossing, both(largest <= LARGEST_STEP, not_(done)))
    if any_of(crossing):
        e0, e1, e2, e3, e4, e5 = e
        for i in range(n):
            past, room = _stop(limits, i, out[i], scratch[at + i])
            past = both(past, crossing)
            spent = select(past, room, zero)
            keep = select(past, zero, one)
            e0 = e0 - scratch[i] * scale * spent
            e1 = e1 - scratch[n + i] * scale * spent
            e2 = e2 - scratch[2 * n + i] * scale * spent
            e3 = e3 - scratch[3 * n + i] * spent
            e4 = e4 - scratch[4 * n + i] * spent
            e5 = e5 - scratch[5 * n + i] * spent
            for r in range(6):
                scratch[r * n + i] = scratch[r * n + i] * keep
        v = solve6(_damped_factor(scratch, n, scale, damping_squared), (e0, e1, e2, e3, e4, e5))
        largest = zero
        for i in range(n):
            move = scratch[at + i]
            past, room = _stop(limits, i, out[i], move)
            again = select(past, room, _along(scratch, n, i, scale, v))
            move = select(crossing, again, move)
            scratch[at + i] = move
            largest = maximum(absolute(move), largest)
    shorten = LARGEST_STEP / maximum(largest, like(zero, LARGEST_STEP))
    moved = zero
    for i in range(n):
        before = out[i]
        after = settled(limits, i, before + scratch[at + i] * shorten, seed[i])
        moved = maximum(absolute(after - before), moved)
        out[i] = select(done, before, after)
    return moved


@helper
def pose_of(target: Any) -> Any:
    """The 12 elements of a pose as a tuple."""
    return (target[0], target[1], target[2], target[3], target[4], target[5], target[6], target[7], target[8],
            target[9], target[10], target[11])  # fmt: skip


@helper
def squared(e: Any) -> Any:
    """The sum of the squares of six elements."""
    return e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] + e[4] * e[4] + e[5] * e[5]


@kernel("model model in in real real real real int scratch out -> none")
def solve(
    model: Any,
    limits: Any,
    target: Any,
    seed: Any,
    position_tolerance: Any,
    rotation_tolerance: Any,
    damping: Any,
    scale: Any,
    budget: int,
    scratch: Any,
    out: Any,
) -> None:
    """Joint coordinates that bring the tool to the target, from a seed.

    Args:
        model: the chain.
        limits: (3 n,): lower limit, upper limit (minus and plus infinity where there is none), and 1 where the joint
            turns by a whole turn or more, so that turns are free and the one nearest the seed is taken; else 0.
        target: pose of the tool in the base, (12,).
        seed: start, (n,), within the limits.
        position_tolerance: largest distance that counts as reached, m.
        rotation_tolerance: largest angle that counts as reached, rad.
        damping: lambda that remains at the target.
        scale: inverse of the length that weighs like one radian, 1/m.
        budget: largest number of steps.
        scratch: (7 n + 6 max(6, n) + 36,).
        out: (n + 5,): joint coordinates, steps taken, distance in metres, angle in radians, least manipulability
            met on the way, and 1 where the target is reached, 2 where the search came to rest away from it, else 0.
    """
    n = len(seed)
    work = 7 * n
    for i in range(n):
        out[i] = seed[i] + 0.0
    T = tip_and_jacobian(model, out, n, scratch, 0)
    tp = pose_of(target)
    x, y, z, a, b, c, distance, angle = pose_error(T, tp)
    least = manipulability(scratch, n, scratch, work)
    steps = like(distance, 0.0)
    reached = both(distance <= position_tolerance, angle <= rotation_tolerance)
    stuck = not_(distance == distance)
    for _ in range(budget):
        if all_of(either(reached, stuck)):
            break
        e = (x * scale, y * scale, z * scale, a, b, c)
        done = either(reached, stuck)
        moved = advance(limits, seed, n, e, damping * damping + GROWTH * squared(e), scale, done, scratch, out)
        steps = select(done, steps, steps + 1.0)
        T = tip_and_jacobian(model, out, n, scratch, 0)
        x, y, z, a, b, c, distance, angle = pose_error(T, tp)
        least = minimum(manipulability(scratch, n, scratch, work), least)
        reached = both(distance <= position_tolerance, angle <= rotation_tolerance)
        stuck = either(stuck, both(not_(reached), moved < REST))
    out[n] = steps
    out[n + 1] = distance
    out[n + 2] = angle
    out[n + 3] = least
    out[n + 4] = select(reached, like(distance, 1.0), select(stuck, like(distance, 2.0), like(distance, 0.0)))


@kernel("model model in in in real real real real int scratch out -> none")
def search(
    model: Any,
    limits: Any,
    target: Any,
    seed: Any,
    start: Any,
    position_tolerance: Any,
    rotation_tolerance: Any,
    damping: Any,
    scale: Any,
    budget: int,
    scratch: Any,
    out: Any,
) -> None:
    """The search of :func:`solve`, step by step the same, that can be interrupted and does not watch manipulability.

    Made for batches: run a few steps, take the rows out that have ended, go on with the others from where they are.

    Args:
        model: the chain.
        limits: as in :func:`solve`.
        target: pose of the tool in the base, (12,).
        seed: where the search began, (n,): free turns are taken next to it.
        start: where it goes on, (n,), within the limits.
        position_tolerance: m.
        rotation_tolerance: rad.
        damping: lambda that remains at the target.
        scale: inverse of the length that weighs like one radian, 1/m.
        budget: largest number of steps now.
        scratch: (7 n,).
        out: (n + 4,): joint coordinates, steps taken now, distance in metres, angle in radians, and 1, 2 or 0 as in
            :func:`solve`. Must not overlap ``start``.
    """
    n = len(seed)
    for i in range(n):
        out[i] = start[i] + 0.0
    T = tip_and_jacobian(model, out, n, scratch, 0)
    tp = pose_of(target)
    x, y, z, a, b, c, distance, angle = pose_error(T, tp)
    steps = like(distance, 0.0)
    reached = both(distance <= position_tolerance, angle <= rotation_tolerance)
    stuck = not_(distance == distance)
    for _ in range(budget):
        if all_of(either(reached, stuck)):
            break
        e = (x * scale, y * scale, z * scale, a, b, c)
        done = either(reached, stuck)
        moved = advance(limits, seed, n, e, damping * damping + GROWTH * squared(e), scale, done, scratch, out)
        steps = select(done, steps, steps + 1.0)
        T = tip_and_jacobian(model, out, n, scratch, 0)
        x, y, z, a, b, c, distance, angle = pose_error(T, tp)
        reached = both(distance <= position_tolerance, angle <= rotation_tolerance)
        stuck = either(stuck, both(not_(reached), moved < REST))
    out[n] = steps
    out[n + 1] = distance
    out[n + 2] = angle
    out[n + 3] = select(reached, like(distance, 1.0), select(stuck, like(distance, 2.0), like(distance, 0.0)))
