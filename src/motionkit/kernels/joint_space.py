"""Distances, steps and straight lines in joint space, where some coordinates come back after a whole turn.

The shorter way round a joint that turns without end is a difference in (-pi, pi]. Half a turn apart to the last place,
both ways are equally long and the positive one is taken, whichever of the two configurations comes first. Units and
names of joints do not belong here: a joint slides or turns, and comes back or does not.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, both, floor, like, maximum, select, sqrt
from .trig import PI, TWO_PI

ROW = 2  # numbers a joint in the model: 1 where it slides, 1 where it comes back after a whole turn

# a turn in three pieces of 33, 33 and 53 bits: whole multiples of the first two are exact up to 2**20 turns
_TURN_1 = 6.2831853069365025
_TURN_2 = 2.4308402025215864e-10
_TURN_3 = 8.089064995183803e-21

_SLACK = 0.999999999999  # a step may be longer by this share, so that 0.07 m is seven steps of 0.01 m


@helper
def line_point(a: Any, difference: Any, b: Any, t: Any) -> Any:
    """The point a share ``t`` of the way from ``a`` to ``b``: ``a`` itself at 0, ``b`` itself at 1.

    Args:
        a: where it starts.
        difference: ``b`` less ``a``.
        b: where it ends.
        t: any number; beyond 0 and 1 the line goes on.
    """
    return select(t < 0.5, a + t * difference, b - (1.0 - t) * difference)


@helper
def unwrapped(x: Any, turns: Any) -> Any:
    """``x`` less a whole number of turns, for up to a million turns."""
    return ((x - turns * _TURN_1) - turns * _TURN_2) - turns * _TURN_3


@helper
def shorter_way(a: Any, b: Any) -> tuple[Any, Any]:
    """The difference from ``a`` to ``b`` in (-pi, pi], and the place it leads to: ``b`` less a whole number of turns.

    Without a turn to take off, the place is ``b``, bit for bit. For magnitudes up to 1e6 the difference is that of the
    two numbers within 3 units in the last place of pi, however large they are.
    """
    d = b - a
    # what the subtraction has rounded off (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B)
    back = b - d
    rest = (b - (d + back)) + (back - a)
    turns = -floor(0.5 - d / TWO_PI)
    w = unwrapped(d, turns) + rest
    # the quotient is rounded: one turn may be too many or too few
    turns = select(w > PI, turns + 1.0, select(w <= -PI, turns - 1.0, turns))
    w = unwrapped(d, turns) + rest
    # half a turn to the last place: the positive way
    half = absolute(w) >= PI
    turns = select(both(half, w < 0.0), turns - 1.0, turns)
    return select(half, like(w, PI), w), select(turns == 0.0, b, unwrapped(b, turns))


@helper
def difference(space: Any, i: Any, a: Any, b: Any) -> Any:
    """The difference of joint ``i`` from ``a`` to ``b``: the shorter way round where it comes back."""
    around, _ = shorter_way(a, b)
    return select(space[ROW * i + 1] > 0.5, around, b - a)


@kernel("model in in real real out -> none")
def distance(space: Any, a: Any, b: Any, angular: Any, linear: Any, out: Any) -> None:
    """Length of the straight way between two configurations, each joint counted in units of its kind.

    Args:
        space: (2 n,) for every joint whether it slides and whether it comes back after a whole turn, 1 or 0.
        a: (n,) in rad or m, n at least 1, magnitudes up to 1e6.
        b: (n,) in rad or m.
        angular: what counts as 1 of a joint that turns, rad.
        linear: what counts as 1 of a joint that slides, m.
        out: (1,) output: the root of the sum of squares.
    """
    total = like(a[0], 0.0)
    for i in range(len(a)):
        share = difference(space, i, a[i], b[i]) / select(space[ROW * i] > 0.5, linear, angular)
        total = total + share * share
    out[0] = sqrt(total)


@kernel("model in in real real out -> none")
def steps(space: Any, a: Any, b: Any, angular: Any, linear: Any, out: Any) -> None:
    """How many equal steps lead from one configuration to another, none longer than the resolution at any joint.

    Args:
        space: (2 n,) for every joint whether it slides and whether it comes back after a whole turn, 1 or 0.
        a: (n,) in rad or m, n at least 1, magnitudes up to 1e6.
        b: (n,) in rad or m.
        angular: largest step of a joint that turns, rad; may be exceeded by 1e-12 of itself.
        linear: largest step of a joint that slides, m; likewise.
        out: (1,) output: a whole number, the largest over the joints; 0 when nothing moves.
    """
    most = like(a[0], 0.0)
    for i in range(len(a)):
        size = select(space[ROW * i] > 0.5, linear, angular)
        most = maximum(most, absolute(difference(space, i, a[i], b[i])) / size)
    # the smallest whole number that is not below
    out[0] = maximum(-floor(-(most * _SLACK)), select(most > 0.0, like(most, 1.0), like(most, 0.0)))


@kernel("model in in real out -> none")
def interpolate(space: Any, a: Any, b: Any, t: Any, out: Any) -> None:
    """The configuration a share of the straight way from one to another, the shorter way round where joints come back.

    Args:
        space: (2 n,) for every joint whether it slides and whether it comes back after a whole turn, 1 or 0.
        a: (n,) in rad or m, n at least 1, magnitudes up to 1e6.
        b: (n,) in rad or m.
        t: the share, any number; beyond 0 and 1 the line goes on.
        out: (n,) output; at 0 it is ``a``, at 1 ``b`` less whole turns. May be ``a`` or ``b``.
    """
    for i in range(len(a)):
        around, place = shorter_way(a[i], b[i])
        comes_back = space[ROW * i + 1] > 0.5
        d = select(comes_back, around, b[i] - a[i])
        out[i] = line_point(a[i], d, select(comes_back, place, b[i]), t)


@kernel("model in real real out -> none")
def normalized(space: Any, q: Any, angular: Any, linear: Any, out: Any) -> None:
    """A configuration counted in units of each joint's kind.

    Args:
        space: (2 n,) for every joint whether it slides and whether it comes back after a whole turn, 1 or 0.
        q: (n,) in rad or m.
        angular: what counts as 1 of a joint that turns, rad.
        linear: what counts as 1 of a joint that slides, m.
        out: (n,) output. May be ``q``.
    """
    for i in range(len(q)):
        out[i] = q[i] / select(space[ROW * i] > 0.5, linear, angular)
