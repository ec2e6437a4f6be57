"""Entries that plan one axis from any state to any state: the fastest way, or in a given duration.

Problem, 12 numbers: 0-2 start position, velocity and acceleration; 3-5 those of the target; 6 highest velocity, 7
magnitude of the lowest velocity; 8 highest acceleration, 9 magnitude of the lowest acceleration; 10 jerk, all positive;
11 a duration. The target must lie inside the limits, the velocity that ending with full jerk begins from included;
the start need not. What comes out is laid out in ``online_segments``.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import absolute, any_of, both, like, maximum, minimum, select
from .online import direct, fastest
from .online_brake import OUTSIDE, brake
from .online_segments import EACH, HEAD, states
from .online_timed import mixture, next_duration

BRAKING = 3  # segments that bring an axis into its limits
FASTEST = 10  # segments of the fastest motion
TIMED = 16  # segments of a motion in a given duration
SCRATCH = 94  # numbers of scratch that timed motions need
SPLITS = 12  # times at which the jerk of a mixture may change
SLACK = 4.4e-16  # of the positions: what they are rounded to
LARGEST = 1e290
LEAST = 1e-280


@helper
def unit_problem(problem, first):
    """The problem after braking, in units in which the jerk is one, and the brake."""
    j = problem[first + 10]
    jj = j * j
    up = problem[first + 8]
    down = problem[first + 9]
    top = problem[first + 6] * j
    bottom = problem[first + 7] * j
    w = problem[first + 1] * j
    a = problem[first + 2]
    braking = brake(w, a, up, down, top, bottom)
    j1, t1, j2, t2, t3, w0, a0, _ = braking
    x = (w + (0.5 * a + j1 * t1 / 6.0) * t1) * t1
    w = w + (a + 0.5 * j1 * t1) * t1
    a = a + j1 * t1
    x = x + (w + (0.5 * a + j2 * t2 / 6.0) * t2) * t2
    w = w + (a + 0.5 * j2 * t2) * t2
    x = x + (w + 0.5 * a0 * t3) * t3
    d = (problem[first + 3] - problem[first]) * jj - x
    slack = SLACK * (absolute(problem[first]) + absolute(problem[first + 3])) * jj
    return d, w0, a0, problem[first + 4] * j, problem[first + 5], up, down, top, bottom, slack, braking


@helper
def begin_model(problem, first, braking, model, base):
    """Start, target and braking segments; the jerks of the latter, the accelerations at their beginnings."""
    j = problem[first + 10]
    j1, t1, j2, t2, t3, _, a0, still = braking
    a = problem[first + 2]
    for k in range(6):
        model[base + 2 + k] = problem[first + k]
    model[base + 1] = (t1 + t2 + t3 + still) / j
    b = select(t1 > 0.0, maximum(minimum(a, problem[first + 8]), 0.0 - problem[first + 9]), a)
    put(model, base, 0, t1 / j, a, j1 * j)
    put(model, base, 1, t2 / j, b, j2 * j)
    put(model, base, 2, t3 / j, a0, like(j, 0.0))


@helper
def put(model, base, k, time, acceleration, jerk):
    """Segment ``k``, before its states are known."""
    at = base + HEAD + EACH * k
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


@helper
def plan_axis(problem, first, model, base):
    """The fastest motion of the problem at ``first``, into the model at ``base``."""
    j = problem[first + 10]
    zero = like(j, 0.0)
    never = zero > zero
    d, w0, a0, wf, af, up, down, top, bottom, slack, braking = unit_problem(problem, first)
    motion = fastest(d, w0, a0, wf, af, up, down, top, bottom, slack, zero, never, never)
    s, t0, t1, t2, t3, t4, t5, t6 = motion
    c0, c1, c2, c3, c4, c5, c6 = accelerations(motion, a0, af)
    begin_model(problem, first, braking, model, base)
    sj = s * j
    put(model, base, 3, t0 / j, c0, sj)
    put(model, base, 4, t1 / j, c1, zero)
    put(model, base, 5, t2 / j, c2, 0.0 - sj)
    put(model, base, 6, t3 / j, c3, zero)
    put(model, base, 7, t4 / j, c4, 0.0 - sj)
    put(model, base, 8, t5 / j, c5, zero)
    put(model, base, 9, t6 / j, c6, sj)
    states(model, base, FASTEST)


@kernel("in out -> none")
def online_plan(problem: Any, model: Any) -> None:
    """The fastest motion.

    Args:
        problem: (12,) as the module says; the duration is not read.
        model: (78,) output; must not overlap ``problem``.

    Source: the extreme motions of a triple integrator with bounded velocity, acceleration and jerk, in ``online``.
    """
    plan_axis(problem, 0, model, 0)


@helper
def next_of_axis(problem, first, duration):
    """The least duration that the problem at ``first`` can have and that is not below ``duration``."""
    j = problem[first + 10]
    d, w0, a0, wf, af, up, down, top, bottom, slack, braking = unit_problem(problem, first)
    before = braking[1] + braking[3] + braking[4]
    given = duration * j - before
    total = next_duration(given, d, w0, a0, wf, af, up, down, top, bottom, slack)
    return select(total > given, (total + before) / j, duration)


@kernel("in out -> none")
def online_next(problem: Any, out: Any) -> None:
    """The least duration that is possible and not below the one given, which is not below that of the fastest motion.

    Args:
        problem: (12,) as the module says.
        out: (1,) output.
    """
    out[0] = next_of_axis(problem, 0, problem[11])


@kernel("in out -> none")
def online_change(problem: Any, out: Any) -> None:
    """Where the quickest change to the velocity and acceleration of the target ends, whatever its position.

    Args:
        problem: (12,) as the module says; neither the target's position nor the duration is read.
        out: (1,) output: the position.
    """
    _, w0, a0, wf, af, up, down, _, _, _, braking = unit_problem(problem, 0)
    j1, t1, j2, t2, t3, _, _, _ = braking
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
def piece(early, middle, begins, ends, at, scratch):
    """Accelerations at two times, and the jerk, of the segment that holds ``middle``.

    The times are pairs, from the start and to the end. The accelerations are between those of the segment's ends.
    """
    from_start, to_end = middle
    time = like(from_start, scratch[at])
    low = like(from_start, scratch[at + 14])
    high = like(from_start, scratch[at + 21])
    j = like(from_start, scratch[at + 28])
    late_time = like(from_start, scratch[at + 7])
    for k in range(1, 7):
        begun = select(early, scratch[at + k] - from_start, to_end - scratch[at + 6 + k]) <= 0.0
        time = select(begun, like(from_start, scratch[at + k]), time)
        late_time = select(begun, like(from_start, scratch[at + 7 + k]), late_time)
        low = select(begun, like(from_start, scratch[at + 14 + k]), low)
        high = select(begun, like(from_start, scratch[at + 21 + k]), high)
        j = select(begun, like(from_start, scratch[at + 28 + k]), j)
    anchor = select(early, low, high)
    begin = anchor + j * select(early, begins[0] - time, late_time - begins[1])
    end = anchor + j * select(early, ends[0] - time, late_time - ends[1])
    least = minimum(low, high)
    most = maximum(low, high)
    return maximum(minimum(begin, most), least), maximum(minimum(end, most), least), j


@helper
def sort(at, scratch):
    """Twelve numbers into ascending order."""
    for k in range(SPLITS):
        for i in range(at + k % 2, at + SPLITS - 1, 2):
            low = minimum(scratch[i], scratch[i + 1])
            high = maximum(scratch[i], scratch[i + 1])
            scratch[i] = low
            scratch[i + 1] = high


@helper
def time_axis(problem, first, duration, scratch, model, base):
    """A motion in ``duration`` for the problem at ``first``, into the model at ``base``."""
    j = problem[first + 10]
    zero = like(j, 0.0)
    d, w0, a0, wf, af, up, down, top, bottom, _, braking = unit_problem(problem, first)
    before = braking[1] + braking[3] + braking[4]
    total = maximum(duration * j - before, zero)
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
    begin_model(problem, first, braking, model, base)
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
        a_long, b_long, j_long = piece(early, middle, (start, end), (following, left), 0, scratch)
        a_short, b_short, j_short = piece(early, middle, (start, end), (following, left), 35, scratch)
        a = share * a_long + (1.0 - share) * a_short
        b = share * b_long + (1.0 - share) * b_short
        jerk = share * j_long + (1.0 - share) * j_short
        # a small difference of large times is rounded: what it means for the acceleration is known better
        t = maximum(t, zero)
        lasts = t > 0.0
        strong = absolute(jerk) > 0.001
        better = maximum((b - a) / select(strong, jerk, like(j, 1.0)), zero)
        jerk = select(strong, jerk, select(lasts, (b - a) / select(lasts, t, like(j, 1.0)), zero))
        put(model, base, BRAKING + k, select(both(strong, lasts), better, t) / j, a, jerk * j)
        start = following
        end = left
    states(model, base, TIMED)
    model[base] = duration


@kernel("in scratch out -> none")
def online_timed(problem: Any, scratch: Any, model: Any) -> None:
    """A motion in the duration given: a mixture of the two that cover most and least in it.

    Times in the first half are counted from the start, those in the second half from the end: a long way between two
    short manoeuvres takes nothing from their accuracy.

    Args:
        problem: (12,) as the module says; the duration must be one that :func:`online_next` returned.
        scratch: (SCRATCH,).
        model: (120,) output; must not overlap ``problem``.
    """
    time_axis(problem, 0, problem[11], scratch, model, 0)


@helper
def target_fits(problem, first):
    """Whether a problem can be solved.

    1.0: it can; 0.0: the target lies outside the limits, or the velocity from which full jerk ends at it does; -1.0: a
    number is not finite, a limit not above zero, or squares and cubes leave the range of doubles.
    """
    v = problem[first + 4]
    a = problem[first + 5]
    j = problem[first + 10]
    up = problem[first + 8]
    down = problem[first + 9]
    before = v - 0.5 * a * absolute(a) / j
    high = OUTSIDE * problem[first + 6]
    low = 0.0 - OUTSIDE * problem[first + 7]
    fits = both(a <= OUTSIDE * up, a >= 0.0 - OUTSIDE * down)
    fits = both(fits, both(v <= high, v >= low))
    fits = both(fits, both(before <= high, before >= low))
    speed = maximum(problem[first + 6], problem[first + 7]) * j
    slow = minimum(problem[first + 6], problem[first + 7]) * j
    way = (absolute(problem[first]) + absolute(problem[first + 3])) * j * j
    large = maximum(
        maximum(way, speed * speed), (absolute(problem[first + 1]) * j) * (absolute(problem[first + 1]) * j)
    )
    strong = maximum(maximum(up, down), absolute(problem[first + 2]))
    weak = minimum(up, down)
    ranges = both(large < LARGEST, strong * strong * strong < LARGEST)
    ranges = both(ranges, both(v - v == 0.0, a - a == 0.0))
    ranges = both(ranges, both(slow > 0.0, j > 0.0))
    ranges = both(ranges, both(slow * slow > LEAST, both(weak * weak * weak > LEAST, j * j > LEAST)))
    return select(ranges, select(fits, like(v, 1.0), like(v, 0.0)), like(v, -1.0))


@kernel("in out -> none")
def online_fits(problem: Any, out: Any) -> None:
    """What :func:`target_fits` says.

    Args:
        problem: (12,) as the module says.
        out: (1,) output.
    """
    out[0] = target_fits(problem, 0)


@kernel("in int int scratch out out -> none")
def online_axes(problems: Any, axes: int, mode: int, scratch: Any, report: Any, model: Any) -> None:
    """Several axes: each as quickly as it can, or all in one duration.

    Args:
        problems: (12 axes,) one problem after the other; the durations are least durations, 0 where there is none.
        axes: number of axes.
        mode: 0: each axis as quickly as it can, with 10 segments; 1: each in the least duration that it can have and
            that is not below the one given, with 16; 2: all in the least common duration, with 16.
        scratch: (SCRATCH,).
        report: (1 + 2 axes,) output: the duration of the whole; for each axis what :func:`target_fits` says: without
            1.0 its motion means nothing; for each axis its fastest duration.
        model: (axes (8 + 7 segments),) output.
    """
    zero = like(problems[0], 0.0)
    size = HEAD + EACH * (FASTEST if mode == 0 else TIMED)
    total = zero
    for i in range(axes):
        # with 10 segments, at the place where 16 will be
        plan_axis(problems, 12 * i, model, size * i)
        own = model[size * i]
        report[1 + i] = target_fits(problems, 12 * i)
        report[1 + axes + i] = own
        total = maximum(total, own)
    if mode == 2:
        for i in range(axes):
            total = maximum(total, problems[12 * i + 11])
        rounds = 0
        changed = total >= 0.0
        # each axis has two blocked stretches and a gap at most
        while rounds < 4 * axes and any_of(changed):
            before = total
            for i in range(axes):
                total = next_of_axis(problems, 12 * i, total)
            changed = total > before
            rounds = rounds + 1
    if mode != 0:
        longest = zero
        for i in range(axes):
            own = total
            if mode == 1:
                own = maximum(report[1 + axes + i], problems[12 * i + 11])
                own = next_of_axis(problems, 12 * i, own)
            time_axis(problems, 12 * i, own, scratch, model, size * i)
            longest = maximum(longest, own)
        total = longest
    report[0] = total
