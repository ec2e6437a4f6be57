"""How fast one speed profile may run along a joint path without breaking a joint limit anywhere.

Along q(s) with path speed v, acceleration a and jerk j the joints move with |q'| v, |q''| v^2 + |q'| a and
|q'''| v^3 + 3 |q''| v a + |q'| j at the most (Shin and McKay, 1985, for the first two). Each limit has more than one
source that draws on it: what the path's bending takes is not there for changing speed.

A row of constraints is six numbers: bounds of |q'|, |q''|, |q'''| over a piece of the path for one joint, then the
joint's velocity, acceleration and jerk limit. Which pieces there are does not matter here.
"""

from __future__ import annotations

from ._contract import kernel
from ._elements import both, like, minimum, select
from .scurve import rest_to_rest

ROW = 6


@kernel("model real real out -> none")
def pace(rows, v, share, out):
    """The profile of the path parameter from 0 to 1 at a given top speed.

    Args:
        rows: constraints, (6 m,); |q'| > 0 in each.
        v: largest path speed, 1/s.
        share: the part of the possible acceleration that is used, in (0, 1); the rest of the jerk goes to changing it.
        out: (3,): duration, path acceleration and path jerk; the duration is 1e300 where the speed alone breaks a limit.
    """
    a = like(v, 1e300)
    for i in range(len(rows) // ROW):
        b = ROW * i
        bending = 3.0 * rows[b + 1] * v
        a = minimum((rows[b + 4] - rows[b + 1] * v * v) / rows[b], a)
        rest = rows[b + 5] - rows[b + 2] * v * v * v
        a = minimum(select(bending > 0.0, rest / select(bending > 0.0, bending, like(v, 1.0)), like(v, 1e300)), a)
    a = a * share
    j = like(v, 1e300)
    for i in range(len(rows) // ROW):
        b = ROW * i
        j = minimum((rows[b + 5] - rows[b + 2] * v * v * v - 3.0 * rows[b + 1] * v * a) / rows[b], j)
    possible = both(a > 0.0, j > 0.0)
    one = like(v, 1.0)
    safe_a = select(possible, a, one)
    safe_j = select(possible, j, one)
    jerk_time, plateau, cruise, _, _ = rest_to_rest(one, v, safe_a, safe_j)
    out[0] = select(possible, 4.0 * jerk_time + 2.0 * plateau + cruise, like(v, 1e300))
    out[1] = a
    out[2] = j
