"""A straight tool path: its pose, what the joints must do to follow it, and how far a pose is from it.

A line is 18 elements: rotation, row-major (9), and position (3) of the tool at its start, then its displacement (3)
and its rotation vector (3), both over the whole line, in base axes. Its parameter runs from 0 to 1.
"""

from __future__ import annotations

from typing import Any

from . import quat
from ._contract import helper, kernel
from ._elements import like, minimum, select, sqrt
from .chain import jacobian_derivative, tip_and_jacobian
from .inverse import pose_error
from .linear import orthonormalize


@helper
def pose_at(line: Any, s: Any) -> Any:
    """Pose of the line at the parameter ``s``, as 12 elements."""
    r = quat.to_matrix(quat.exp((line[15] * s, line[16] * s, line[17] * s)))
    return (
        r[0] * line[0] + r[1] * line[3] + r[2] * line[6],
        r[0] * line[1] + r[1] * line[4] + r[2] * line[7],
        r[0] * line[2] + r[1] * line[5] + r[2] * line[8],
        r[3] * line[0] + r[4] * line[3] + r[5] * line[6],
        r[3] * line[1] + r[4] * line[4] + r[5] * line[7],
        r[3] * line[2] + r[4] * line[5] + r[5] * line[8],
        r[6] * line[0] + r[7] * line[3] + r[8] * line[6],
        r[6] * line[1] + r[7] * line[4] + r[8] * line[7],
        r[6] * line[2] + r[7] * line[5] + r[8] * line[8],
        line[9] + s * line[12],
        line[10] + s * line[13],
        line[11] + s * line[14],
    )


@kernel("model real out -> none")
def pose(line: Any, s: Any, out: Any) -> None:
    """Pose of the line, (18,), at the parameter ``s`` in [0, 1]: ``out`` (12,), rotation row-major, position in m."""
    r = pose_at(line, s)
    for k in range(12):
        out[k] = r[k]


@kernel("model in real out -> none")
def deviation(line: Any, pose: Any, s: Any, out: Any) -> None:
    """How far a pose (12,) is from the line (18,) at ``s``: ``out`` (2,), distance in metres and angle in radians."""
    p = (pose[0], pose[1], pose[2], pose[3], pose[4], pose[5], pose[6], pose[7], pose[8], pose[9], pose[10], pose[11])
    _, _, _, _, _, _, distance, angle = pose_error(p, pose_at(line, s))
    out[0] = distance
    out[1] = angle


@helper
def _forward_solve(r: Any, at: int, b: Any, y: Any, y_at: int) -> None:
    """Y of L y = b for the 6 x 6 lower triangle at ``at``; a zero on the diagonal counts as one."""
    for i in range(6):
        v = b[i]
        for j in range(i):
            v = v - r[at + 6 * i + j] * y[y_at + j]
        d = r[at + 6 * i + i]
        y[y_at + i] = v / select(d > 0.0, d, like(d, 1.0))


@kernel("model model in scratch out -> none")
def rates(model: Any, line: Any, q: Any, scratch: Any, out: Any) -> None:
    """First and second derivative of the joints along a line, the arm being on it.

    With six joints the exact derivatives; with more those of the motion that moves the joints least at every point
    (J^+ x'), whose second derivative has its own term in the null space. From J q' = x', J q'' = -J' q' (x'' = 0 on a
    line at constant rate).

    Args:
        model: the chain, at least six joints.
        line: (18,); only the displacement and rotation vector are read.
        q: joint coordinates, (n,), rad or m.
        scratch: (18 n + 36 + 24,).
        out: (2 n + 2,): q', q'' per unit of the parameter, then the manipulability, then the least sine of a row of
            the Jacobian to those before it: the share of that direction that no other joint motion undoes, free of
            units. Near 0 the arm is singular and the derivatives mean nothing.
    """
    n = len(q)
    J = 0
    Q = 6 * n  # orthonormal rows, J = L Q
    D = 12 * n  # derivative of J
    L = 18 * n
    Y = L + 36
    tip_and_jacobian(model, q, n, scratch, J)
    for k in range(6 * n):
        scratch[Q + k] = scratch[J + k]
    volume = orthonormalize(6, n, scratch, Q, scratch, L)
    least = like(volume, 1.0)
    for r in range(6):
        square = like(volume, 0.0)
        for i in range(n):
            square = square + scratch[J + r * n + i] * scratch[J + r * n + i]
        length = sqrt(square)
        least = minimum(scratch[L + 7 * r] / select(length > 0.0, length, like(length, 1.0)), least)
    _forward_solve(scratch, L, (line[12], line[13], line[14], line[15], line[16], line[17]), scratch, Y)
    for i in range(n):
        v = like(volume, 0.0)
        for r in range(6):
            v = v + scratch[Q + r * n + i] * scratch[Y + r]
        out[i] = v
    jacobian_derivative(model, q, out, n, scratch, J, scratch, D)
    for i in range(n):
        out[n + i] = like(volume, 0.0)
    if n > 6:
        _null_space_term(n, L, Y, D, scratch, out)
    for r in range(6):
        v = like(volume, 0.0)
        for i in range(n):
            v = v - scratch[D + r * n + i] * out[i] - scratch[J + r * n + i] * out[n + i]
        scratch[Y + 18 + r] = v
    b = (scratch[Y + 18], scratch[Y + 19], scratch[Y + 20], scratch[Y + 21], scratch[Y + 22], scratch[Y + 23])
    _forward_solve(scratch, L, b, scratch, Y + 12)
    for i in range(n):
        v = out[n + i]
        for r in range(6):
            v = v + scratch[Q + r * n + i] * scratch[Y + 12 + r]
        out[n + i] = v
    out[2 * n] = volume
    out[2 * n + 1] = least


@helper
def _null_space_term(n: int, L: int, Y: int, D: int, scratch: Any, out: Any) -> None:
    """J'^T lambda with J J^T lambda = x' into the second half of ``out``: how the least motion itself turns."""
    for k in range(6):
        i = 5 - k
        v = scratch[Y + i]
        for j in range(i + 1, 6):
            v = v - scratch[L + 6 * j + i] * scratch[Y + 6 + j]
        d = scratch[L + 6 * i + i]
        scratch[Y + 6 + i] = v / select(d > 0.0, d, like(d, 1.0))
    for i in range(n):
        v = like(scratch[Y], 0.0)
        for r in range(6):
            v = v + scratch[D + r * n + i] * scratch[Y + 6 + r]
        out[n + i] = v
