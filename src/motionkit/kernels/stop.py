"""The fastest jerk-limited stop of one axis from any velocity and acceleration, and its values at any time.

A stop is three segments: jerk until the braking acceleration is reached, that acceleration held, jerk back to zero.
Which speed allows a stop within a distance is in ``safe_speed``.

Everything is computed *mirrored*: multiplied by the sign (+1 or -1) that makes the velocity which would remain after
bringing the acceleration to zero not negative. Braking is then always a negative acceleration.

Model of a stop, 18 numbers: 0 sign; 1 time of the first segment; 2 time at which the last segment begins; 3 duration;
4 first jerk, 5 braking acceleration (magnitude), 6 jerk limit, 7 start velocity, 8 start acceleration, 9 velocity at
the start of the last segment, 10 distance of the last segment, 11 whole distance, all of these mirrored; then as they
are: 12 distance, 13 peak velocity (the one of largest magnitude), 14 lowest and 15 highest position on the way
relative to the start; 16 start and 17 end position, which the kernel leaves to the caller.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, both, like, maximum, minimum, select, sqrt

STOP = 16  # numbers that the kernel ``stop`` writes


@helper
def stop_segments(velocity, acceleration, braking_forward, braking_backward, jerk):
    """A stop from ``velocity`` and ``acceleration``, mirrored; see :func:`stop` for the limits.

    With v, a mirrored, the braking acceleration p follows from the velocity balance of the two jerk segments,
    ``p p = j v + a a / 2``, and is cut at its limit, which leaves a plateau. An axis that brakes harder than its limit
    already is let off to the limit with full jerk. Distances come from the mean velocities of the segments, whose terms
    have one sign when the axis does not turn round.

    Returns:
        Sign, times of the three segments, first jerk, braking acceleration, mirrored velocity and acceleration,
        velocity at the start of the last segment, distance of the last segment, whole distance, and the velocity that
        remains once the acceleration is zero.
    """
    zero = like(velocity, 0.0)
    remaining = velocity + acceleration * absolute(acceleration) / (2.0 * jerk)
    backward = remaining < 0.0
    sign = select(backward, like(velocity, -1.0), like(velocity, 1.0))
    limit = select(backward, braking_backward, braking_forward)
    v = sign * velocity
    a = sign * acceleration
    square = maximum(jerk * v + 0.5 * a * a, zero)
    peak = minimum(limit, maximum(sqrt(square), maximum(0.0 - a, zero)))
    first_jerk = select(0.0 - a > limit, jerk, 0.0 - jerk)
    t_first = absolute(a + peak) / jerk
    t_last = peak / jerk
    v_last = 0.5 * peak * t_last
    excess = v + 0.5 * (a - peak) * t_first - v_last
    t_plateau = select(peak >= limit, maximum(excess, zero) / limit, zero)
    x_first = 0.5 * (v + (v_last + peak * t_plateau)) * t_first - first_jerk * t_first * t_first * t_first / 12.0
    x_last = v_last * t_last / 3.0
    x = x_first + (v_last + 0.5 * peak * t_plateau) * t_plateau + x_last
    return sign, t_first, t_plateau, t_last, first_jerk, peak, v, a, v_last, x_last, x, sign * remaining


@helper
def turning_point(velocity, acceleration, jerk):
    """Time at which, and displacement by then, an axis under jerk ``-jerk`` first has zero velocity.

    For ``velocity < 0 < acceleration`` and ``acceleration**2 >= -2 jerk velocity``.
    """
    zero = like(velocity, 0.0)
    t = (0.0 - 2.0 * velocity) / (
        acceleration + sqrt(maximum(acceleration * acceleration + 2.0 * jerk * velocity, zero))
    )
    return t, t * (0.5 * velocity + jerk * t * t / 12.0)


@helper
def stop_extremes(v, a, jerk, x):
    """Lowest and highest displacement during a stop, mirrored, given its whole distance ``x``."""
    zero = like(v, 0.0)
    turns = both(v < 0.0, a > 0.0)
    _, turn = turning_point(select(turns, v, like(v, -0.5)), select(turns, a, like(a, 1.0)), jerk)
    return select(turns, turn, zero), maximum(x, zero)


@helper
def stop_reach(velocity, acceleration, braking_forward, braking_backward, jerk):
    """How far forward of its start an axis comes during its stop; not negative."""
    sign, _, _, _, _, _, v, a, _, _, x, _ = stop_segments(
        velocity, acceleration, braking_forward, braking_backward, jerk
    )
    low, high = stop_extremes(v, a, jerk, x)
    return select(sign > 0.0, high, 0.0 - low)


@kernel("in out -> none")
def stop(state: Any, model: Any) -> None:
    """Plan the fastest stop.

    Args:
        state: (5,) velocity, acceleration, the magnitudes allowed for braking while moving forward and while moving
            backward, and jerk; the last three positive; any consistent units.
        model: (16,) output, laid out as the module says; must not overlap ``state``.

    Source: time-optimal control of the double integrator with bounded derivative: bang, hold, bang.
    """
    velocity = state[0]
    jerk = state[4]
    sign, t_first, t_plateau, t_last, first_jerk, peak, v, a, v_last, x_last, x, remaining = stop_segments(
        velocity, state[1], state[2], state[3], jerk
    )
    low, high = stop_extremes(v, a, jerk, x)
    forward = sign > 0.0
    top = select(a > 0.0, remaining, v)
    model[0] = sign
    model[1] = t_first
    model[2] = t_first + t_plateau
    model[3] = t_first + t_plateau + t_last
    model[4] = first_jerk
    model[5] = peak
    model[6] = jerk
    model[7] = v
    model[8] = a
    model[9] = v_last
    model[10] = x_last
    model[11] = x
    model[12] = sign * x + 0.0
    model[13] = select(absolute(v) > top, velocity, sign * top + 0.0)
    model[14] = select(forward, low, 0.0 - high)
    model[15] = select(forward, high, 0.0 - low)


@helper
def stop_at(t_first, t_brake_end, duration, first_jerk, peak, jerk, v, a, v_last, x_last, x, t):
    """Displacement from the start, displacement still to go, velocity, acceleration and jerk at ``t``, mirrored.

    For ``0 <= t < duration``. The first segment is evaluated from the start, the others from the end, which is met
    exactly; on a boundary the jerk is that of the segment that begins.
    """
    zero = like(t, 0.0)
    first = t < t_first
    last = t >= t_brake_end
    a_first = a + first_jerk * t
    a_first = select(first_jerk < 0.0, maximum(a_first, 0.0 - peak), minimum(a_first, 0.0 - peak))
    v_first = v + (a + 0.5 * first_jerk * t) * t
    gone = (v + (0.5 * a + first_jerk * t / 6.0) * t) * t
    u = duration - t
    w = maximum(u - (duration - t_brake_end), zero)
    to_go = select(last, jerk * u * u * u / 6.0, x_last + (v_last + 0.5 * peak * w) * w)
    v_rest = select(last, 0.5 * jerk * u * u, v_last + peak * w)
    a_rest = select(last, 0.0 - minimum(jerk * u, peak), 0.0 - peak)
    j_rest = select(last, jerk, zero)
    return (
        select(first, gone, x - to_go),
        select(first, x - gone, to_go),
        select(first, v_first, v_rest),
        select(first, a_first, a_rest),
        select(first, first_jerk, j_rest),
    )


@helper
def stop_state(model, t):
    """Position, velocity, acceleration and jerk of a stop at ``t``; see :func:`stop_sample`."""
    zero = like(t, 0.0)
    sign = model[0]
    gone, to_go, v, a, j = stop_at(
        model[1],
        model[2],
        model[3],
        model[4],
        model[5],
        model[6],
        model[7],
        model[8],
        model[9],
        model[10],
        model[11],
        t,
    )
    ended = t >= model[3]
    begins = t <= 0.0
    position = select(t < model[1], model[16] + sign * gone, model[17] - sign * to_go)
    position = select(begins, like(t, model[16]), position)
    return (
        select(ended, like(t, model[17]), position),
        select(ended, zero, sign * select(begins, like(t, model[7]), v) + 0.0),
        select(ended, zero, sign * select(begins, like(t, model[8]), a) + 0.0),
        select(both(t >= 0.0, t < model[3]), sign * j, zero),
    )


@kernel("model real out -> none")
def stop_sample(model: Any, t: Any, out: Any) -> None:
    """Position, velocity, acceleration and jerk of a stop at time ``t`` in seconds.

    Args:
        model: (18,) as the module says, start and end position included.
        t: time; any finite value. Up to 0 the state is exactly the one the stop begins from (before 0 with jerk zero);
            from the duration on the axis rests at the end position.
        out: (4,) output.
    """
    x, v, a, j = stop_state(model, t)
    out[0] = x
    out[1] = v
    out[2] = a
    out[3] = j


@kernel("in real out -> none")
def stop_row_sample(model: Any, t: Any, out: Any) -> None:
    """As :func:`stop_sample`, each row with a stop of its own.

    Args:
        model: (18,) as the module says.
        t: time, s.
        out: (4,) output.
    """
    x, v, a, j = stop_state(model, t)
    out[0] = x
    out[1] = v
    out[2] = a
    out[3] = j


@kernel("model int real out -> none")
def stop_line_sample(model: Any, axes: int, t: Any, out: Any) -> None:
    """Position, velocity, acceleration and jerk of every axis while a line is stopped along itself.

    Args:
        model: (18 + 2 axes,): the stop of the path parameter, then where each axis is at parameter 0, then how far it
            goes for a unit of it.
        axes: number of axes.
        t: time; as for :func:`stop_sample`.
        out: (4 axes,) output: positions, then velocities, accelerations and jerks.
    """
    x, v, a, j = stop_state(model, t)
    for i in range(axes):
        scale = model[18 + axes + i]
        out[i] = model[18 + i] + scale * x
        out[axes + i] = scale * v + 0.0
        out[2 * axes + i] = scale * a + 0.0
        out[3 * axes + i] = scale * j + 0.0
