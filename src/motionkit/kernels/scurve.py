"""Jerk-limited motion from rest to rest along a line: the seven segments, and their values at any time.

A line is one distance driven along any number of axes: axis i is at ``start_i + scale_i * x`` when the distance ``x``
has been covered, so one axis alone (scale +1 or -1, x in metres) and many axes in step (scale goal - start, x from 0
to 1) are sampled by the same kernel. Motions that start or end while moving are not here (see ``stop``).

Model of a line with n axes, 15 + 3 n numbers: 0 duration; 1-6 the times at which segments two to seven begin; 7 jerk;
8 peak acceleration; 9 peak velocity; 10 time of one jerk segment; 11 time of the whole speeding-up; 12, 13 distance
and velocity after the first segment; 14 distance of the whole speeding-up; then n starts, n goals, n scales.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import both, like, maximum, minimum, select, sqrt
from .roots import cbrt

PROFILE = 15  # numbers in the model of a line before its starts, goals and scales


@helper
def rest_to_rest(distance, velocity, acceleration, jerk):
    """Durations and peaks of the fastest motion over ``distance >= 0`` within three positive limits.

    Returns the time of a jerk segment, the time of a constant-acceleration segment, the time from the start until
    braking begins, peak acceleration and peak velocity. The speeding-up is a jerk segment as long as the first limit
    to bind allows (acceleration: a/j; velocity: sqrt(v/j); distance: cbrt(d/(2 j))) and, where acceleration binds, a
    plateau as long as the next limit allows; the plateau c that uses up the distance solves c c + 3 t c + 2 t t = d/a,
    written without cancellation. A limit that is reached is returned as it is, not as a product that rounds to it.
    """
    t_acceleration = acceleration / jerk
    t_jerk = minimum(t_acceleration, minimum(sqrt(velocity / jerk), cbrt(distance / (2.0 * jerk))))
    plateau = t_jerk >= t_acceleration
    reach = distance / acceleration
    below = 3.0 * t_jerk + sqrt(t_jerk * t_jerk + 4.0 * reach)  # zero where there is no way to go
    c_distance = 2.0 * (reach - 2.0 * t_jerk * t_jerk) / select(below > 0.0, below, like(distance, 1.0))
    c_velocity = velocity / acceleration - t_acceleration
    t_plateau = select(plateau, maximum(minimum(c_velocity, c_distance), like(distance, 0.0)), like(distance, 0.0))
    speeding_up = t_jerk + t_plateau + t_jerk
    moves = speeding_up > 0.0
    mean = distance / select(moves, speeding_up, like(distance, 1.0))
    until_braking = select(mean > velocity, maximum(distance / velocity, speeding_up), speeding_up)
    peak_acceleration = select(plateau, acceleration, minimum(jerk * t_jerk, acceleration))
    return t_jerk, t_plateau, until_braking, peak_acceleration, minimum(mean, velocity)


@kernel("in out -> none")
def scurve_plan(limits: Any, profile: Any) -> None:
    """The first 15 numbers of the model of a line.

    Args:
        limits: (4,) distance >= 0, then velocity, acceleration and jerk, all positive; any consistent units.
        profile: (15,) output, laid out as the module says; must not overlap ``limits``.

    Source: the seven-segment profile of textbooks, solved here for its segment times.
    """
    distance = limits[0]
    jerk = limits[3]
    t_jerk, t_plateau, until_braking, peak_acceleration, peak_velocity = rest_to_rest(
        distance, limits[1], limits[2], jerk
    )
    second = t_jerk + t_plateau
    speeding_up = second + t_jerk
    duration = until_braking + speeding_up
    profile[0] = duration
    profile[1] = t_jerk
    profile[2] = second
    profile[3] = speeding_up
    profile[4] = duration - speeding_up
    profile[5] = duration - second
    profile[6] = duration - t_jerk
    profile[7] = jerk
    profile[8] = peak_acceleration
    profile[9] = peak_velocity
    profile[10] = t_jerk
    profile[11] = speeding_up
    profile[12] = peak_acceleration * t_jerk * t_jerk / 6.0
    profile[13] = 0.5 * peak_acceleration * t_jerk
    profile[14] = 0.5 * peak_velocity * speeding_up


@helper
def scurve_at(model, t):
    """Distance from the nearer end in time, velocity, acceleration, jerk, and whether that end is the goal.

    The second half is the first one mirrored, evaluated from the goal: ``duration - t`` is exact there, so the end is
    met continuously and without residue. A segment begins at its first instant: on a boundary the jerk is that of the
    segment that begins.
    """
    duration = model[0]
    jerk = model[7]
    peak_acceleration = model[8]
    peak_velocity = model[9]
    zero = like(t, 0.0)
    goal_half = t >= 0.5 * duration
    in_jerk_up = select(goal_half, t >= model[6], t < model[1])
    in_plateau = select(goal_half, t >= model[5], t < model[2])
    in_jerk_down = select(goal_half, t >= model[4], t < model[3])
    u = select(goal_half, duration - t, t)
    # first segment: u since rest
    a_up = minimum(jerk * u, peak_acceleration)
    v_up = 0.5 * jerk * u * u
    x_up = jerk * u * u * u / 6.0
    # second: w since the acceleration peak was reached
    w = maximum(u - model[10], zero)
    v_plateau = minimum(model[13] + peak_acceleration * w, peak_velocity)
    x_plateau = model[12] + (model[13] + 0.5 * peak_acceleration * w) * w
    # third: r until peak velocity
    r = maximum(model[11] - u, zero)
    a_down = minimum(jerk * r, peak_acceleration)
    v_down = peak_velocity - 0.5 * jerk * r * r
    x_down = model[14] - (peak_velocity - jerk * r * r / 6.0) * r
    # cruise
    x_cruise = model[14] + peak_velocity * (u - model[11])
    x = select(in_jerk_up, x_up, select(in_plateau, x_plateau, select(in_jerk_down, x_down, x_cruise)))
    v = select(in_jerk_up, v_up, select(in_plateau, v_plateau, select(in_jerk_down, v_down, peak_velocity)))
    a = select(in_jerk_up, a_up, select(in_plateau, peak_acceleration, select(in_jerk_down, a_down, zero)))
    j = select(in_jerk_up, jerk, select(in_plateau, zero, select(in_jerk_down, 0.0 - jerk, zero)))
    return x, v, select(goal_half, 0.0 - a, a), j, goal_half


@kernel("model int real out -> none")
def scurve_sample(model: Any, axes: int, t: Any, out: Any) -> None:
    """Position, velocity, acceleration and jerk of every axis of a line at time ``t`` in seconds.

    Args:
        model: (15 + 3 axes,) as the module says.
        axes: number of axes.
        t: time; any finite value. Before 0 the axes rest at their starts, from the duration on at their goals.
        out: (4 * axes,) output: positions, then velocities, accelerations and jerks.
    """
    zero = like(t, 0.0)
    x, v, a, j, goal_half = scurve_at(model, t)
    moving = both(t >= 0.0, t < model[0])
    ended = t >= model[0]
    for i in range(axes):
        start = model[15 + i]
        goal = model[15 + axes + i]
        scale = model[15 + 2 * axes + i]
        inside = select(goal_half, goal - scale * x, start + scale * x)
        out[i] = select(moving, inside, select(ended, like(t, goal), like(t, start)))
        out[axes + i] = select(moving, scale * v + 0.0, zero)
        out[2 * axes + i] = select(moving, scale * a + 0.0, zero)
        out[3 * axes + i] = select(moving, scale * j + 0.0, zero)
