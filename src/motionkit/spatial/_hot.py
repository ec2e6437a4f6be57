"""Front doors of products, exponentials and logarithms: a handful of numbers in and out; nothing is computed here.

What they do not take, in type or value, they leave to the long way, which says what is wrong.
"""

from __future__ import annotations

from typing import Any

from ..kernels import quat, rigid
from ..kernels._contract import front_of_helpers
from ..kernels.trig import LARGEST_ANGLE

LONG_WAY = 2e-6  # s that the shortest of the long ways takes
FAR = 0.999 * LARGEST_ANGLE  # the long way decides about what is further


@front_of_helpers("four four")
def rotation_product(a: Any, b: Any) -> Any:
    """The product of two rotations."""
    return rigid.rotation_product(a, b)


@front_of_helpers("four three four three")
def compose(qa: Any, pa: Any, qb: Any, pb: Any) -> Any:
    """The product of two poses."""
    return rigid.compose((qa, pa), (qb, pb))


@front_of_helpers("in")
def exp_rotation(v: Any) -> Any:
    """The exponential of a rotation vector."""
    if len(v) != 3 or not v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < FAR * FAR:
        raise TypeError
    return quat.canonical(quat.normalize(quat.exp((v[0], v[1], v[2]))))


@front_of_helpers("in")
def exp_pose(v: Any) -> Any:
    """The exponential of a twist."""
    if len(v) != 6 or not v[3] * v[3] + v[4] * v[4] + v[5] * v[5] < FAR * FAR:
        raise TypeError
    if not (v[0] - v[0] == 0.0 and v[1] - v[1] == 0.0 and v[2] - v[2] == 0.0):
        raise TypeError
    return rigid.exp((v[0], v[1], v[2], v[3], v[4], v[5]))


@front_of_helpers("four out", "taken")
def log_rotation(q: Any, out: Any) -> int:
    """The rotation vector in ``out`` (3,)."""
    out[0], out[1], out[2] = quat.log(q)
    return 0


@front_of_helpers("four three out", "taken")
def log_pose(q: Any, p: Any, out: Any) -> int:
    """The twist in ``out`` (6,)."""
    out[0], out[1], out[2], out[3], out[4], out[5] = rigid.log((q, p))
    return 0
