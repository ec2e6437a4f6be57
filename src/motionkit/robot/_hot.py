"""Front doors of the calls of a chain that belong in control loops: checked in nanoseconds, then a kernel runs.

What they do not take they leave to the long way, which says what is wrong. Nothing is computed here.
"""

from __future__ import annotations

from typing import Any

from ..kernels import analytic_parallel, analytic_wrist, chain, inverse, rigid
from ..kernels._contract import front
from ..kernels.analytic_answers import CANDIDATES, ROW
from ..kernels.chain import COORDINATES, store
from ..kernels.trig import LARGEST_ANGLE


@front(chain.forward_matrix, "model in out2")
def forward(model: Any, q: Any, out: Any) -> int:
    """The pose of the tip in ``out`` (4, 4)."""
    if len(q) != int(model[COORDINATES]) or out.shape[0] != 4 or out.shape[1] != 4:
        return 1
    for i in range(len(q)):
        if not abs(q[i]) <= LARGEST_ANGLE:  # also where it is not a number
            return 1
    chain.forward_matrix(model, q, out.reshape(16))
    return 0


@front(chain.jacobian, "model in out2")
def jacobian(model: Any, q: Any, out: Any) -> int:
    """The Jacobian at the tip in base axes in ``out`` (6, n)."""
    n = len(q)
    if n != int(model[COORDINATES]) or out.shape[0] != 6 or out.shape[1] != n or n == 0:
        return 1
    for i in range(n):
        if not abs(q[i]) <= LARGEST_ANGLE:
            return 1
    chain.jacobian(model, q, out.reshape(6 * n))
    return 0


@front(inverse.solve, "model model in real real real real real real real real real real int scratch scratch out")
def solve(
    model: Any,
    limits: Any,
    seed: Any,
    w: Any,
    a: Any,
    b: Any,
    c: Any,
    x: Any,
    y: Any,
    z: Any,
    position_tolerance: Any,
    rotation_tolerance: Any,
    damping: Any,
    budget: int,
    target: Any,
    scratch: Any,
    row: Any,
) -> int:
    """The answer, or where the search ended, in ``row`` (n + 5) for the pose of quaternion (w, a, b, c) at (x, y, z).

    ``limits`` are those of the kernel, then its ``scale``, the reach, and the point that the reach counts from.
    """
    n = len(seed)
    if len(limits) != 3 * n + 5 or len(row) != n + 5 or n == 0:
        return 1
    for i in range(n):
        if not (limits[3 * i] <= seed[i] <= limits[3 * i + 1] and abs(seed[i]) <= LARGEST_ANGLE):
            return 1
    dx, dy, dz = x - limits[3 * n + 2], y - limits[3 * n + 3], z - limits[3 * n + 4]
    if not dx * dx + dy * dy + dz * dz <= limits[3 * n + 1] * limits[3 * n + 1]:
        return 1
    if not (0.0 < position_tolerance < 1.0 and 0.0 < rotation_tolerance < 1.0 and 0.0 <= damping < 1.0 and budget > 0):
        return 1
    store(target, 0, rigid.to_elements(((w, a, b, c), (x, y, z))))
    scale = limits[3 * n]
    inverse.solve(
        model, limits, target, seed, position_tolerance, rotation_tolerance, damping, scale, budget, scratch, row
    )
    return 0


@front(
    analytic_wrist.all_with_wrist,
    "model model model in real real real real real real real real int scratch scratch out",
)
def all_with_wrist(
    arm: Any,
    model: Any,
    limits: Any,
    seed: Any,
    w: Any,
    a: Any,
    b: Any,
    c: Any,
    x: Any,
    y: Any,
    z: Any,
    tolerance: Any,
    backwards: int,
    target: Any,
    scratch: Any,
    out: Any,
) -> int:
    """The candidates of the closed form in ``out`` for the pose of quaternion (w, a, b, c) at (x, y, z)."""
    if len(seed) != 6 or len(target) != 12 or len(scratch) != 6 or len(out) != CANDIDATES * ROW:
        return 1
    for i in range(6):
        if not abs(seed[i]) <= LARGEST_ANGLE:
            return 1
    store(target, 0, rigid.to_elements(((w, a, b, c), (x, y, z))))
    analytic_wrist.all_with_wrist(arm, model, limits, target, seed, tolerance, backwards, scratch, out)
    return 0


@front(
    analytic_parallel.all_with_parallel,
    "model model model in real real real real real real real real int scratch scratch out",
)
def all_with_parallel(
    arm: Any,
    model: Any,
    limits: Any,
    seed: Any,
    w: Any,
    a: Any,
    b: Any,
    c: Any,
    x: Any,
    y: Any,
    z: Any,
    tolerance: Any,
    backwards: int,
    target: Any,
    scratch: Any,
    out: Any,
) -> int:
    """The candidates of the closed form in ``out`` for the pose of quaternion (w, a, b, c) at (x, y, z)."""
    if len(seed) != 6 or len(target) != 12 or len(scratch) != 6 or len(out) != CANDIDATES * ROW:
        return 1
    for i in range(6):
        if not abs(seed[i]) <= LARGEST_ANGLE:
            return 1
    store(target, 0, rigid.to_elements(((w, a, b, c), (x, y, z))))
    analytic_parallel.all_with_parallel(arm, model, limits, target, seed, tolerance, backwards, scratch, out)
    return 0
