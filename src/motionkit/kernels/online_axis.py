"""Entries that plan one axis from any state to any state: the fastest way, or in a given duration.

Problem, 12 numbers: 0-2 start position, velocity and acceleration; 3-5 those of the target; 6 highest velocity, 7
magnitude of the lowest velocity; 8 highest acceleration, 9 magnitude of the lowest acceleration; 10 jerk, all positive;
11 a duration. The target must lie inside the limits, the velocity that ending with full jerk begins from included;
the start need not. What comes out is laid out in ``online_segments``.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, both, like, maximum, minimum, not_, select
from .online import direct, fastest
from .online_brake import brake
from .online_segments import EACH, HEAD, states
from .online_timed import mixture, next_duration

BRAKING = 3  # segments that bring an axis into its limits
FASTEST = 10  # segments of the fastest motion
TIMED = 16  # segments of a motion in a given duration
SPLITS = 12  # times at which the jerk of a mixture may change
SLACK = 4.4e-16  # of the positions: what they are rounded to


@helper
def unit_problem(problem):
    """The problem after braking, in units in which the jerk is one, and the brake."""
    j = problem[10]
    jj = j * j
    up = problem[8]
    down = problem[9]
    top = problem[6] * j
    bottom = problem[7] * j
    w = problem[1] * j
    a = problem[2]
    braking = brake(w, a, up, down, top, bottom)
    j1, t1, j2, t2, t3, w0, a0 = braking
    x = (w + (0.5 * a + j1 * t1 / 6.0) * t1) * t1
    w = w + (a + 0.5 * j1 * t1) * t1
    a = a + j1 * t1
    x = x + (w + (0.5 * a + j2 * t2 / 6.0) * t2) * t2
    w = w + (a + 0.5 * j2 * t2) * t2
    x = x + (w + 0.5 * a0 * t3) * t3
    d = (problem[3] - problem[0]) * jj - x
    slack = SLACK * (absolute(problem[0]) + absolute(problem[3])) * jj
    return d, w0, a0, problem[4] * j, problem[5], up, down, top, bottom, slack, braking


@helper
def begin_model(problem, braking, model):
    """Start, target and braking segments; the jerks of the latter, the accelerations at their beginnings."""
    j = problem[10]
    j1, t1, j2, t2, t3, _, a0 = braking
    a = problem[2]
    for k in range(6):
        model[2 + k] = problem[k]
    model[1] = (t1 + t2 + t3) / j
    b = select(t1 > 0.0, maximum(minimum(a, problem[8]), 0.0 - problem[9]), a)
    put(model, 0, t1 / j, a, j1 * j)
    put(model, 1, t2 / j, b, j2 * j)
    put(model, 2, t3 / j, a0, like(j, 0.0))


@helper
def put(model, k, time, acceleration, jerk):
    """Segment ``k``, before its states are known."""
    at = HEAD + EACH * k
    model[at] = time
    model[at + 5] = acceleration
    model[at + 6] = jerk


@helper
def accelerations(motion, a0, af):
    """Accelerations at the beginnings of the seven segments."""
    s, t0, _, t2, t3, _, _, t6 = motion
    peak = a0 + s * t0
    low = af - s * t6
    return a0, peak, peak, like(a0, 0.0), select(t3 > 0.0, like(a0, 0.0), peak - s * t2), low, low


@kernel("in out -> none")
def online_plan(problem: Any, model: Any) -> None:
    """The fastest motion.

    Args:
        problem: (12,) as the module says; the duration is not read.
        model: (78,) output; must not overlap ``problem``.

    Source: the extreme motions of a triple integrator with bounded velocity, acceleration and jerk, in ``online``.
    """
    j = problem[10]
    zero = like(j, 0.0)
    never = zero > zero
    d, w0, a0, wf, af, up, down, top, bottom, slack, braking = unit_problem(problem)
    motion = fastest(d, w0, a0, wf, af, up, down, top, bottom, slack, zero, never, never)
    s, t0, t1, t2, t3, t4, t5, t6 = motion
    c0, c1, c2, c3, c4, c5, c6 = accelerations(motion, a0, af)
    begin_model(problem, braking, model)
    sj = s * j
    put(model, 3, t0 / j, c0, sj)
    put(model, 4, t1 / j, c1, zero)
    put(model, 5, t2 / j, c2, 0.0 - sj)
    put(model, 6, t3 / j, c3, zero)
    put(model, 7, t4 / j, c4, 0.0 - sj)
    put(model, 8, t5 / j, c5, zero)
    put(model, 9, t6 / j, c6, sj)
    states(model, FASTEST)


@kernel("in out -> none")
def online_next(problem: Any, out: Any) -> None:
    """The least duration that is possible and not below the one given, which is not below that of the fastest motion.

    Args:
        problem: (12,) as the module says.
        out: (1,) output.
    """
    j = problem[10]
    d, w0, a0, wf, af, up, down, top, bottom, slack, braking = unit_problem(problem)
    before = braking[1] + braking[3] + braking[4]
    given = problem[11] * j - before
    total = next_duration(given, d, w0, a0, wf, af, up, down, top, bottom, slack)
    out[0] = select(total > given, (total + before) / j, problem[11])


@kernel("in out -> none")
def online_change(problem: Any, out: Any) -> None:
    """Where the quickest change to the velocity and acceleration of the target ends, whatever its position.

    Args:
        problem: (12,) as the module says; neither the target's position nor the duration is read.
        out: (1,) output: the position.
    """
    _, w0, a0, wf, af, up, down, _, _, _, braking = unit_problem(problem)
    j1, t1, j2, t2, t3, _, _ = braking
    j = problem[10]
    w = problem[1] * j
    a = problem[2]
    x = (w + (0.5 * a + j1 * t1 / 6.0) * t1) * t1
    w = w + (a + 0.5 * j1 * t1) * t1
    a = a + j1 * t1
    x = x + (w + (0.5 * a + j2 * t2 / 6.0) * t2) * t2
    w = w + (a + 0.5 * j2 * t2) * t2
    x = x + (w + 0.5 * a0 * t3) * t3
    _, _, _, _, distance = direct(w0, a0, wf, af, up, down)
    out[0] = problem[0] + (x + distance) / (j * j)


@helper
def lay_out(motion, a0, af, at, scratch):
    """The seven segments of a motion, from ``at`` on in ``scratch``.

    Seven each: beginnings from the start, ends before the end, accelerations there and there, jerks.
    """
    s, t0, t1, t2, t3, t4, t5, t6 = motion
    c0, c1, c2, c3, c4, c5, c6 = accelerations(motion, a0, af)
    zero = like(s, 0.0)
    scratch[at] = zero
    scratch[at + 1] = t0
    scratch[at + 2] = t0 + t1
    scratch[at + 3] = t0 + t1 + t2
    scratch[at + 4] = t0 + t1 + t2 + t3
    scratch[at + 5] = t0 + t1 + t2 + t3 + t4
    scratch[at + 6] = t0 + t1 + t2 + t3 + t4 + t5
    scratch[at + 13] = zero
    scratch[at + 12] = t6
    scratch[at + 11] = t6 + t5
    scratch[at + 10] = t6 + t5 + t4
    scratch[at + 9] = t6 + t5 + t4 + t3
    scratch[at + 8] = t6 + t5 + t4 + t3 + t2
    scratch[at + 7] = t6 + t5 + t4 + t3 + t2 + t1
    scratch[at + 14] = c0
    scratch[at + 15] = c1
    scratch[at + 16] = c2
    scratch[at + 17] = c3
    scratch[at + 18] = c4
    scratch[at + 19] = c5
    scratch[at + 20] = c6
    scratch[at + 21] = c1
    scratch[at + 22] = c1
    scratch[at + 23] = select(t3 > 0.0, zero, c4)
    scratch[at + 24] = select(t3 > 0.0, zero, c4)
    scratch[at + 25] = c5
    scratch[at + 26] = c5
    scratch[at + 27] = af
    scratch[at + 28] = s
    scratch[at + 29] = zero
    scratch[at + 30] = 0.0 - s
    scratch[at + 31] = zero
    scratch[at + 32] = 0.0 - s
    scratch[at + 33] = zero
    scratch[at + 34] = s


@helper
def piece(early, middle, begins, at, scratch):
    """Acceleration at ``begins`` and jerk of the segment that holds ``middle``; both are pairs: from start, to end."""
    from_start, to_end = middle
    time = like(from_start, scratch[at])
    a = like(from_start, scratch[at + 14])
    j = like(from_start, scratch[at + 28])
    for k in range(1, 7):
        begun = select(early, scratch[at + k] - from_start, to_end - scratch[at + 6 + k]) <= 0.0
        time = select(begun, select(early, scratch[at + k], scratch[at + 7 + k]), time)
        a = select(begun, select(early, scratch[at + 14 + k], scratch[at + 21 + k]), a)
        j = select(begun, scratch[at + 28 + k], j)
    first = to_end > scratch[at + 7]
    time = select(both(first, not_(early)), like(from_start, scratch[at + 7]), time)
    a = select(both(first, not_(early)), like(from_start, scratch[at + 21]), a)
    start, end = begins
    return a + j * select(early, start - time, time - end), j


@helper
def sort(at, scratch):
    """Twelve numbers into ascending order."""
    for k in range(SPLITS):
        for i in range(at + k % 2, at + SPLITS - 1, 2):
            low = minimum(scratch[i], scratch[i + 1])
            high = maximum(scratch[i], scratch[i + 1])
            scratch[i] = low
            scratch[i + 1] = high


@kernel("in scratch out -> none")
def online_timed(problem: Any, scratch: Any, model: Any) -> None:
    """A motion in the duration given: a mixture of the two that cover most and least in it.

    Times in the first half are counted from the start, those in the second half from the end: a long way between two
    short manoeuvres takes nothing from their accuracy.

    Args:
        problem: (12,) as the module says; the duration must be one that :func:`online_next` returned.
        scratch: (94,).
        model: (120,) output; must not overlap ``problem``.
    """
    j = problem[10]
    zero = like(j, 0.0)
    d, w0, a0, wf, af, up, down, top, bottom, _, braking = unit_problem(problem)
    before = braking[1] + braking[3] + braking[4]
    total = maximum(problem[11] * j - before, zero)
    share, longest, shortest = mixture(total, d, w0, a0, wf, af, up, down, top, bottom)
    lay_out(longest, a0, af, 0, scratch)
    lay_out(shortest, a0, af, 35, scratch)
    half = 0.5 * total
    for k in range(6):
        scratch[70 + k] = minimum(scratch[1 + k], half)
        scratch[76 + k] = minimum(scratch[36 + k], half)
        scratch[82 + k] = minimum(scratch[7 + k], half)
        scratch[88 + k] = minimum(scratch[42 + k], half)
    sort(70, scratch)
    sort(82, scratch)
    begin_model(problem, braking, model)
    start = zero
    end = total
    for k in range(SPLITS + 1):
        # where the interval ends, from the start and from the end
        if k < SPLITS:
            early_end = scratch[70 + k] < half
            following = select(early_end, scratch[70 + k], total - scratch[93 - k])
            left = select(early_end, total - scratch[70 + k], scratch[93 - k])
        else:
            early_end = half < zero
            following = total
            left = zero
        late_begin = start >= half
        t = select(early_end, following - start, select(late_begin, end - left, total - start - left))
        middle = 0.5 * (start + following), 0.5 * (end + left)
        early = middle[0] <= half
        a_long, j_long = piece(early, middle, (start, end), 0, scratch)
        a_short, j_short = piece(early, middle, (start, end), 35, scratch)
        a = share * a_long + (1.0 - share) * a_short
        jerk = share * j_long + (1.0 - share) * j_short
        put(model, BRAKING + k, maximum(t, zero) / j, a, jerk * j)
        start = following
        end = left
    states(model, TIMED)
    model[0] = problem[11]
