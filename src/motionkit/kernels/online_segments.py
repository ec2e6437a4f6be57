"""Motions of constant jerk, segment by segment: their states, their values at any time, their extremes of position.

Which segments a motion has is in ``online`` and ``online_timed``. Segments in the first half of the time are anchored
at their beginning and follow from the start, those of the second half are anchored at their end and follow from the
target, so that both are met without residue.

Model of an axis with K segments, 8 + 7 K numbers: 0 duration; 1 time by which the axis is inside its limits; 2-4 start
position, velocity and acceleration; 5-7 the same of the target; then for each segment: the time at which it begins, how
long it lasts, the time of its anchor, position, velocity and acceleration there, and its jerk.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, all_of, both, copysign, like, maximum, minimum, select, sqrt

HEAD = 8
EACH = 7


@helper
def states(model, base, segments):
    """Complete the segments of an axis whose times, accelerations and jerks are known.

    Before, a segment's first number is how long it lasts, and its acceleration is the one at its beginning.

    Args:
        model: of axes, as the module says.
        base: where the axis begins in it.
        segments: number of segments.
    """
    zero = like(model[base], 0.0)
    total = model[base + HEAD]
    for k in range(1, segments):
        total = total + model[base + HEAD + EACH * k]
    model[base] = total
    half = 0.5 * total
    # backwards first: it needs the times
    p = model[base + 5]
    v = model[base + 6]
    end = total
    for i in range(segments):
        at = base + HEAD + EACH * (segments - 1 - i)
        t = model[at]
        jerk = model[at + 6]
        begins = select(total > 0.0, end - t, zero)
        a = model[at + 5] + jerk * t
        model[at + 1] = t
        model[at + 2] = end
        model[at + 3] = p
        model[at + 4] = v
        p = p - (v - (0.5 * a - jerk * t / 6.0) * t) * t
        v = v - (a - 0.5 * jerk * t) * t
        end = begins
    p = model[base + 2]
    v = model[base + 3]
    begins = zero
    for k in range(segments):
        at = base + HEAD + EACH * k
        t = model[at]
        jerk = model[at + 6]
        a = model[at + 5]
        early = begins < half
        model[at] = begins
        model[at + 2] = select(early, begins, model[at + 2])
        model[at + 3] = select(early, p, model[at + 3])
        model[at + 4] = select(early, v, model[at + 4])
        model[at + 5] = select(early, a, a + jerk * t)
        p = p + (v + (0.5 * a + jerk * t / 6.0) * t) * t
        v = v + (a + 0.5 * jerk * t) * t
        begins = begins + t


@helper
def sample_axis(model, first, segments, t):
    """Position, velocity, acceleration and jerk of the axis whose model begins at ``first``."""
    at = first + HEAD
    length = like(t, model[at + 1])
    anchor = like(t, model[at + 2])
    p = like(t, model[at + 3])
    v = like(t, model[at + 4])
    a = like(t, model[at + 5])
    j = like(t, model[at + 6])
    for k in range(1, segments):
        at = first + HEAD + EACH * k
        begun = t >= model[at]
        length = select(begun, like(t, model[at + 1]), length)
        anchor = select(begun, like(t, model[at + 2]), anchor)
        p = select(begun, like(t, model[at + 3]), p)
        v = select(begun, like(t, model[at + 4]), v)
        a = select(begun, like(t, model[at + 5]), a)
        j = select(begun, like(t, model[at + 6]), j)
    return bounded(model, first, t, length, anchor, p, v, a, j)


@helper
def bounded(model, first, t, length, anchor, p, v, a, j):
    """A segment's values at ``t``; before the start and from the end on those of the ends."""
    # a time is rounded; beyond its length a segment would exceed what it ends with
    u = maximum(minimum(t - anchor, length), 0.0 - length)
    before = t <= 0.0
    ended = t >= model[first]
    p = select(before, like(t, model[first + 2]), p + (v + (0.5 * a + j * u / 6.0) * u) * u)
    v = select(before, like(t, model[first + 3]), v + (a + 0.5 * j * u) * u)
    a = select(before, like(t, model[first + 4]), a + j * u)
    return (
        select(ended, like(t, model[first + 5]), p),
        select(ended, like(t, model[first + 6]), v),
        select(ended, like(t, model[first + 7]), a),
        select(both(t >= 0.0, t < model[first]), j, like(t, 0.0)),
    )


@helper
def sample_times(model: Any, axes: int, segments: int, times: Any, out: Any) -> None:
    """Axes at many times, with the bits of :func:`online_sample`; for floats, since each time has a segment of its own.

    Args:
        model: (axes (8 + 7 segments),) as the module says.
        axes: number of axes.
        segments: number of segments of each axis.
        times: (T,), in any order; quickest where they rise.
        out: (4 T axes,) output: for every time the positions, then all velocities, accelerations and jerks likewise.
    """
    count = len(times)
    block = count * axes
    for i in range(axes):
        first = i * (HEAD + EACH * segments)
        at = first + HEAD
        last = at + EACH * (segments - 1)
        for row in range(count):
            t = times[row]
            if all_of(t >= model[last]):
                at = last
            else:
                if all_of(t < model[at]):
                    at = first + HEAD  # back to the beginning
                while all_of(t >= model[at + EACH]):
                    at = at + EACH
            p, v, a, j = bounded(
                model,
                first,
                t,
                model[at + 1],
                model[at + 2],
                model[at + 3],
                model[at + 4],
                model[at + 5],
                model[at + 6],
            )
            place = row * axes + i
            out[place] = p
            out[block + place] = v
            out[2 * block + place] = a
            out[3 * block + place] = j


@kernel("model int int real out -> none")
def online_sample(model: Any, axes: int, segments: int, t: Any, out: Any) -> None:
    """Position, velocity, acceleration and jerk of every axis at time ``t`` in seconds.

    Args:
        model: (axes (8 + 7 segments),) as the module says.
        axes: number of axes.
        segments: number of segments of each axis.
        t: time; any finite value. Up to 0 the state is exactly the start (before 0 with jerk zero), from the duration
            of an axis on exactly its target.
        out: (4 axes,) output: positions, then velocities, accelerations and jerks.
    """
    for i in range(axes):
        p, v, a, j = sample_axis(model, i * (HEAD + EACH * segments), segments, t)
        out[i] = p
        out[axes + i] = v
        out[2 * axes + i] = a
        out[3 * axes + i] = j


@kernel("in int real out -> none")
def online_row_sample(model: Any, segments: int, t: Any, out: Any) -> None:
    """One axis at one time, for many models at once, each at its own time; see :func:`online_sample`.

    Args:
        model: (8 + 7 segments,) as the module says.
        segments: number of segments.
        t: time; any finite value.
        out: (4,) output: position, velocity, acceleration and jerk.
    """
    p, v, a, j = sample_axis(model, 0, segments, t)
    out[0] = p
    out[1] = v
    out[2] = a
    out[3] = j


@kernel("model int int real real out -> none")
def online_line_sample(model: Any, axes: int, segments: int, t: Any, ending: Any, out: Any) -> None:
    """The same for axes that are driven along a straight line by one path parameter.

    Args:
        model: (8 + 7 segments + 4 axes,) the path parameter as the module says, then origins, directions, starts and
            targets of the axes.
        axes: number of axes.
        segments: number of segments.
        t: time; any finite value; see :func:`online_sample`.
        ending: the duration.
        out: (4 axes,) output: positions, then velocities, accelerations and jerks.
    """
    s, sd, sdd, sddd = sample_axis(model, 0, segments, t)
    place = HEAD + EACH * segments
    for i in range(axes):
        along = model[place + axes + i]
        inside = model[place + i] + along * s
        inside = select(t <= 0.0, like(t, model[place + 2 * axes + i]), inside)
        out[i] = select(t >= ending, like(t, model[place + 3 * axes + i]), inside)
        out[axes + i] = along * sd + 0.0
        out[2 * axes + i] = along * sdd + 0.0
        out[3 * axes + i] = along * sddd + 0.0


@helper
def turns(p, v, a, j, length, low, high):
    """Lowest and highest position where the velocity is zero within a segment that has ``length`` left."""
    zero = like(p, 0.0)
    one = like(p, 1.0)
    square = a * a - 2.0 * v * j
    real = square >= 0.0
    # j u u / 2 + a u + v = 0
    q = 0.0 - (a + copysign(sqrt(maximum(square, zero)), a))
    for k in range(2):
        top = q if k == 0 else 2.0 * v
        bottom = j if k == 0 else q
        u = top / select(bottom != 0.0, bottom, one)
        inside = both(both(real, bottom != 0.0), both(u * length > 0.0, absolute(u) < absolute(length)))
        u = select(inside, u, zero)
        x = p + (v + (0.5 * a + j * u / 6.0) * u) * u
        low = minimum(low, x)
        high = maximum(high, x)
    return low, high


@kernel("in int int out -> none")
def online_extremes(model: Any, axes: int, segments: int, out: Any) -> None:
    """The lowest and the highest values of every axis on its way.

    Args:
        model: (axes (8 + 7 segments),) as the module says.
        axes: number of axes.
        segments: number of segments of each axis.
        out: (6 axes,) output: lowest and highest position, velocity and acceleration of each axis.
    """
    for i in range(axes):
        first = i * (HEAD + EACH * segments)
        low = minimum(model[first + 2], model[first + 5])
        high = maximum(model[first + 2], model[first + 5])
        slowest = minimum(model[first + 3], model[first + 6])
        quickest = maximum(model[first + 3], model[first + 6])
        least = minimum(model[first + 4], model[first + 7])
        most = maximum(model[first + 4], model[first + 7])
        for k in range(segments):
            at = first + HEAD + EACH * k
            p = model[at + 3]
            v = model[at + 4]
            a = model[at + 5]
            j = model[at + 6]
            length = select(model[at + 2] > model[at], 0.0 - model[at + 1], model[at + 1])
            lasts = length != 0.0
            low = minimum(low, p)
            high = maximum(high, p)
            low, high = turns(p, v, a, j, length, low, high)
            slowest = minimum(slowest, select(lasts, v, slowest))
            quickest = maximum(quickest, select(lasts, v, quickest))
            least = minimum(least, select(lasts, a, least))
            most = maximum(most, select(lasts, a, most))
            # where the acceleration passes through zero
            u = (0.0 - a) / select(j != 0.0, j, like(j, 1.0))
            inside = both(j != 0.0, both(u * length > 0.0, absolute(u) < absolute(length)))
            w = select(inside, v + 0.5 * a * u, v)
            slowest = minimum(slowest, select(lasts, w, slowest))
            quickest = maximum(quickest, select(lasts, w, quickest))
        out[6 * i] = low
        out[6 * i + 1] = high
        out[6 * i + 2] = slowest
        out[6 * i + 3] = quickest
        out[6 * i + 4] = least
        out[6 * i + 5] = most


@kernel("in int int real out -> none")
def online_rest(model: Any, axes: int, segments: int, t: Any, out: Any) -> None:
    """What is left of motions from time ``t`` on, as motions that begin at 0.

    Args:
        model: (axes (8 + 7 segments),) as the module says.
        axes: number of axes.
        segments: number of segments of each axis.
        t: time, not below zero.
        out: (axes (8 + 7 segments),) output; must not overlap ``model``.
    """
    zero = like(t, 0.0)
    for i in range(axes):
        first = i * (HEAD + EACH * segments)
        p, v, a, _ = sample_axis(model, first, segments, t)
        out[first] = maximum(model[first] - t, zero)
        out[first + 1] = maximum(model[first + 1] - t, zero)
        out[first + 2] = p
        out[first + 3] = v
        out[first + 4] = a
        for k in range(5, HEAD):
            out[first + k] = model[first + k]
        for k in range(segments):
            at = first + HEAD + EACH * k
            begins = model[at]
            length = model[at + 1]
            gone = t - begins
            cut = both(gone > 0.0, gone < length)
            again = both(cut, model[at + 2] <= begins)
            out[at] = maximum(begins - t, zero)
            out[at + 1] = select(gone > 0.0, maximum(length - gone, zero), length)
            out[at + 2] = select(again, zero, model[at + 2] - t)
            out[at + 3] = select(again, p, model[at + 3])
            out[at + 4] = select(again, v, model[at + 4])
            out[at + 5] = select(again, a, model[at + 5])
            out[at + 6] = model[at + 6]
