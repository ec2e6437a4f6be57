"""Inverse kinematics where only a part of the pose matters, and what an arm with joints to spare does with them.

The rows of the task are displacements along the axes of the base or of the target and turns about them. Of the turns
all three may count, none, one, or two; where two do, the third axis has to point its way and may spin about itself, so
the error is the turn that brings that axis to its place, and its two rows are across it. The rows that do not count
are zero in the Jacobian and in the error; the iteration is that of :mod:`motionkit.kernels.inverse`.

The motion that the task leaves free is found by projecting on the space across the rows of the Jacobian, made
orthonormal, so the secondary goal changes the task in second order only, and the steps after it repair that. Names,
choices and errors do not belong here.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, all_of, any_of, both, copysign, either, like, maximum, minimum, not_, select, sqrt
from .chain import tip_and_jacobian
from .inverse import GROWTH, REST, advance, manipulability, pose_error, pose_of, settled, squared
from .linear import orthonormalize
from .trig import atan2

IDLE = 1e-7  # rad or m: free motion below it ends the search
REPAIR = 15  # steps at the end that leave the free motion alone


@helper
def _axis_of(T: Any, k: int) -> Any:
    """Axis k of a pose."""
    x, y, z = T[0], T[3], T[6]
    if int(k) == 1:
        x, y, z = T[1], T[4], T[7]
    if int(k) == 2:
        x, y, z = T[2], T[5], T[8]
    return x, y, z


@helper
def _across(ux: Any, uy: Any, uz: Any) -> Any:
    """Two unit vectors across a unit vector and each other (Duff et al., 2017, J. Computer Graphics Tech. 6(1))."""
    sign = copysign(like(uz, 1.0), uz)
    a = -1.0 / (sign + uz)
    b = ux * uy * a
    return 1.0 + sign * ux * ux * a, sign * b, -sign * ux, b, sign + uy * uy * a, -uy


@helper
def _rows_on(J: Any, n: int, at: int, first: Any, second: Any, third: Any) -> None:
    """Replace three rows of the Jacobian, from row ``at`` on, by their products with three vectors."""
    for i in range(n):
        x = J[at * n + i]
        y = J[(at + 1) * n + i]
        z = J[(at + 2) * n + i]
        J[at * n + i] = first[0] * x + first[1] * y + first[2] * z
        J[(at + 1) * n + i] = second[0] * x + second[1] * y + second[2] * z
        J[(at + 2) * n + i] = third[0] * x + third[1] * y + third[2] * z


@helper
def task_error(T: Any, target: Any, rows: Any, turns: int, axis: int, own: int, n: int, J: Any) -> Any:
    """The six errors of the task, their lengths in metres and radians; the Jacobian ``J`` becomes that of the rows.

    ``rows`` are 1 for each displacement that counts, else 0. ``turns`` says how many turns count, ``axis`` which is the
    one that does, or does not; ``own`` whether the axes are those of the target (1) or of the base (0).
    """
    zero = like(T[0], 0.0)
    one = like(T[0], 1.0)
    none = (zero, zero, zero)
    x, y, z, a, b, c, distance, angle = pose_error(T, target)
    frame = target
    if int(own) == 0:
        frame = (one, zero, zero, zero, one, zero, zero, zero, one, zero, zero, zero)
    f0x, f0y, f0z = _axis_of(frame, 0)
    f1x, f1y, f1z = _axis_of(frame, 1)
    f2x, f2y, f2z = _axis_of(frame, 2)
    k0, k1, k2 = rows[0], rows[1], rows[2]
    _rows_on(J, n, 0, (f0x * k0, f0y * k0, f0z * k0), (f1x * k1, f1y * k1, f1z * k1), (f2x * k2, f2y * k2, f2z * k2))
    u = (f0x * x + f0y * y + f0z * z) * k0
    v = (f1x * x + f1y * y + f1z * z) * k1
    w = (f2x * x + f2y * y + f2z * z) * k2
    distance = sqrt(u * u + v * v + w * w)
    if int(turns) == 0:
        a, b, c, angle = zero, zero, zero, zero
        _rows_on(J, n, 3, none, none, none)
    if int(turns) == 1:
        # the turn vector p changes with the rate of turning by (1 - p^2 / 16) + [p] / 2 + p p^T / 8
        gx, gy, gz = _axis_of(frame, axis)
        part = gx * a + gy * b + gz * c
        g = 1.0 - (a * a + b * b + c * c) * 0.0625
        row = (
            g * gx + 0.5 * (gy * c - gz * b) + 0.125 * part * a,
            g * gy + 0.5 * (gz * a - gx * c) + 0.125 * part * b,
            g * gz + 0.5 * (gx * b - gy * a) + 0.125 * part * c,
        )
        _rows_on(J, n, 3, row, none, none)
        a, b, c, angle = part, zero, zero, absolute(part)
    if int(turns) == 2:
        # from axis p to axis r, about what is across both; ``p`` may spin about itself
        px, py, pz = _axis_of(T, axis)
        rx, ry, rz = _axis_of(target, axis)
        if int(own) == 0:
            # the axis of the base, as the target sees it, and carried along by the tool
            gx, gy, gz = _axis_of(frame, axis)
            sx = target[0] * gx + target[3] * gy + target[6] * gz
            sy = target[1] * gx + target[4] * gy + target[7] * gz
            sz = target[2] * gx + target[5] * gy + target[8] * gz
            px = T[0] * sx + T[1] * sy + T[2] * sz
            py = T[3] * sx + T[4] * sy + T[5] * sz
            pz = T[6] * sx + T[7] * sy + T[8] * sz
            rx, ry, rz = gx, gy, gz
        sx = py * rz - pz * ry
        sy = pz * rx - px * rz
        sz = px * ry - py * rx
        cosine = px * rx + py * ry + pz * rz
        half = sqrt(maximum(0.5 + 0.5 * cosine, zero))  # cosine of half the angle
        opposite = half < 1e-6
        f = 2.0 / (select(opposite, one, half) * (1.0 + half))
        # the spin axis: the tool's own, or the base's
        ox, oy, oz = px, py, pz
        if int(own) == 0:
            ox, oy, oz = rx, ry, rz
        tx, ty, tz, qx, qy, qz = _across(ox, oy, oz)
        _rows_on(J, n, 3, (tx, ty, tz), (qx, qy, qz), none)
        angle = atan2(sqrt(sx * sx + sy * sy + sz * sz), cosine)
        a = select(opposite, like(f, 4.0), f * (tx * sx + ty * sy + tz * sz))
        b = select(opposite, zero, f * (qx * sx + qy * sy + qz * sz))
        c = zero
    return u, v, w, a, b, c, distance, angle


@helper
def _free_motion(J: Any, n: int, scale: Any, limits: Any, posture: Any, pull: Any, q: Any, at: int) -> Any:
    """The step towards ``posture`` that the rows of the Jacobian at the start of ``J`` do not see, from ``at`` on.

    A joint at a limit that it would carry outwards is held there, and the others do without it; then it is shortened
    until no coordinate leaves its limits or moves by more than 0.2. Returns its largest coordinate.
    """
    zero = like(J[0], 0.0)
    one = like(J[0], 1.0)
    keep = at + n
    work = keep + n
    for i in range(n):
        J[keep + i] = one
    for _ in range(2):
        for i in range(n):
            for r in range(3):
                J[work + r * n + i] = J[r * n + i] * scale * J[keep + i]
                J[work + (r + 3) * n + i] = J[(r + 3) * n + i] * J[keep + i]
            J[at + i] = (posture[i] - q[i]) * pull[i] * J[keep + i]
        orthonormalize(6, n, J, work, J, work + 6 * n)
        for _again in range(2):
            for r in range(6):
                dot = zero
                for i in range(n):
                    dot = dot + J[work + r * n + i] * J[at + i]
                for i in range(n):
                    J[at + i] = J[at + i] - dot * J[work + r * n + i]
        held = zero > one
        for i in range(n):
            move = J[at + i]
            outward = either(both(move > 0.0, q[i] >= limits[3 * i + 1]), both(move < 0.0, q[i] <= limits[3 * i]))
            outward = both(outward, like(zero, limits[3 * i + 2]) < 0.5)
            J[keep + i] = select(outward, zero, J[keep + i])
            held = either(held, outward)
        if not any_of(held):
            break
    largest = zero
    for i in range(n):
        largest = maximum(absolute(J[at + i]), largest)
    part = 0.2 / maximum(largest, like(zero, 0.2))
    for i in range(n):
        move = J[at + i]
        size = absolute(move)
        room = select(move > 0.0, like(zero, limits[3 * i + 1]) - q[i], q[i] - limits[3 * i])
        blocked = both(size * part > room, like(zero, limits[3 * i + 2]) < 0.5)
        part = select(blocked, maximum(room, zero) / maximum(size, like(zero, 1e-300)), part)
    for i in range(n):
        J[at + i] = J[at + i] * part
    return largest * part


@kernel("model model model in in in in real real real real int int int int int scratch out -> none")
def solve_task(
    model: Any,
    limits: Any,
    rows: Any,
    target: Any,
    seed: Any,
    posture: Any,
    pull: Any,
    position_tolerance: Any,
    rotation_tolerance: Any,
    damping: Any,
    scale: Any,
    turns: int,
    axis: int,
    own: int,
    free: int,
    budget: int,
    scratch: Any,
    out: Any,
) -> None:
    """Joint coordinates that bring the tool to the rows of a target that count, and near a posture in what is left.

    Args:
        model: the chain.
        limits: as in ``inverse.solve``.
        rows: (3,): 1 for a displacement that counts, else 0.
        target: pose of the tool in the base, (12,).
        seed: start, (n,), within the limits.
        posture: where the joints would rather be, (n,).
        pull: how much each would, (n,), from 0 to 1.
        position_tolerance: largest distance, along the rows, that counts as reached, m.
        rotation_tolerance: largest angle that counts as reached, rad.
        damping: lambda that remains at the target.
        scale: inverse of the length that weighs like one radian, 1/m.
        turns: how many turns count, 0 to 3.
        axis: 0 to 2: the one that counts where one does, the one that does not where two do.
        own: 1 where the axes of the rows are the target's, 0 where they are the base's.
        free: 1 where the joints shall be drawn to the posture, else 0.
        budget: largest number of steps; the last 15 leave the posture alone.
        scratch: (9 n + 6 max(6, n) + 36,).
        out: (n + 5,): as in ``inverse.solve``.
    """
    n = len(seed)
    at = 7 * n
    work = 9 * n
    for i in range(n):
        out[i] = seed[i] + 0.0
    tp = pose_of(target)
    T = tip_and_jacobian(model, out, n, scratch, 0)
    least = manipulability(scratch, n, scratch, work)
    x, y, z, a, b, c, distance, angle = task_error(T, tp, rows, turns, axis, own, n, scratch)
    steps = like(distance, 0.0)
    reached = both(distance <= position_tolerance, angle <= rotation_tolerance)
    stuck = not_(distance == distance)
    idle = reached
    if free == 1:
        idle = both(reached, stuck)  # not yet
    for k in range(budget):
        if free == 1 and k + REPAIR >= budget:
            idle = either(idle, reached)
        done = either(stuck, both(reached, idle))
        if all_of(done):
            break
        e = (x * scale, y * scale, z * scale, a, b, c)
        if free == 1 and k + REPAIR < budget:
            wander = _free_motion(scratch, n, scale, limits, posture, pull, out, at)
            idle = either(idle, both(reached, wander < IDLE))
            done = either(stuck, both(reached, idle))
        moved = advance(limits, seed, n, e, damping * damping + GROWTH * squared(e), scale, done, scratch, out)
        if free == 1 and k + REPAIR < budget:
            for i in range(n):
                before = out[i]
                after = settled(limits, i, before + scratch[at + i], seed[i])
                moved = maximum(absolute(after - before), moved)
                out[i] = select(done, before, after)
        steps = select(done, steps, steps + 1.0)
        T = tip_and_jacobian(model, out, n, scratch, 0)
        least = minimum(manipulability(scratch, n, scratch, work), least)
        x, y, z, a, b, c, distance, angle = task_error(T, tp, rows, turns, axis, own, n, scratch)
        reached = both(distance <= position_tolerance, angle <= rotation_tolerance)
        if free == 0:
            idle = reached
        stuck = either(stuck, both(not_(reached), moved < REST))
    out[n] = steps
    out[n + 1] = distance
    out[n + 2] = angle
    out[n + 3] = least
    out[n + 4] = select(reached, like(distance, 1.0), select(stuck, like(distance, 2.0), like(distance, 0.0)))
