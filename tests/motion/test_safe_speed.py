"""The speed from which a stop fits a clearance: figures, exact arithmetic, and the worst of all legal motions."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

import motionkit as mk
from motionkit.kernels._batch import run_rows
from motionkit.kernels.stop import STOP, stop
from motionkit.motion import worst_case_travel

LIMITS = mk.MotionLimits(5, 8, 40)
UNUSED = 1e-12  # the share of the clearance that may stay unused, as required


# ---- without reaction time and acceleration
def test_trapezoid_says_a_quarter_metre_and_the_truth_is_0_45() -> None:
    """E5: at 2 m/s, 8 m/s^2, 40 m/s^3. The trapezoidal formula is the control: its speed overruns the clearance."""
    trapezoid = 2.0**2 / (2 * 8.0)
    truth = worst_case_travel(2.0, LIMITS)
    print(f"trapezoid {trapezoid:.3f} m, truth {truth:.3f} m")
    assert trapezoid == 0.25
    assert truth == pytest.approx(0.45, rel=1e-15)
    assert mk.maximum_safe_speed(0.45, LIMITS) == pytest.approx(2.0, rel=UNUSED)
    safe = mk.maximum_safe_speed(0.25, LIMITS)
    overrun = worst_case_travel(math.sqrt(2 * 8.0 * 0.25), LIMITS) - 0.25
    print(f"0.25 m: {safe:.4f} m/s; the trapezoid's 2 m/s overrun it by {overrun:.3f} m")
    assert safe == pytest.approx(1.3572, abs=5e-5) and overrun > 0.19


def exact_share(clearance: float, speed: float, limits: mk.MotionLimits) -> Fraction | None:
    """Clearance minus stopping distance, as a share of the clearance, without rounding; None below the plateau."""
    c, v = Fraction(clearance), Fraction(speed)
    a, j = Fraction(limits.max_acceleration), Fraction(limits.max_jerk)
    if v >= a * a / j:
        return 1 - (v * a / (2 * j) + v * v / (2 * a)) / c
    return None


def test_clearance_is_never_exceeded_and_hardly_unused_in_exact_arithmetic() -> None:
    """E5: over limits and clearances of six decades; not by an ulp, and by less than 1e-12 of it."""
    rng = np.random.default_rng(1)
    worst, plateaus, shorts = Fraction(0), 0, 0
    for a_max, jerk, clearance in (10.0 ** rng.uniform(-3.0, 3.0, (3000, 3))).tolist():
        limits = mk.MotionLimits(1e30, a_max, jerk)
        speed = mk.maximum_safe_speed(clearance, limits)
        share = exact_share(clearance, speed, limits)
        if share is None:
            # D = sqrt(v^3 / j): compare squares, and 1 - D / C is within rounding half of 1 - (D / C)^2
            square = Fraction(speed) ** 3 / Fraction(jerk) / Fraction(clearance) ** 2
            share = (1 - square) / 2
            shorts += 1
        else:
            plateaus += 1
        assert 0 <= share, (a_max, jerk, clearance)
        worst = max(worst, share)
        # and as a stop that is planned from there computes it
        state = mk.MotionState(0.0, speed, 0.0)
        assert mk.StopProfile.plan(state, limits).stopping_distance <= clearance
    print(f"unused share at most {float(worst):.1e} ({plateaus} with plateau, {shorts} without)")
    assert worst < UNUSED and min(plateaus, shorts) > 500


def test_top_speed_bounds_the_answer() -> None:
    assert mk.maximum_safe_speed(1e6, LIMITS) == 5.0
    assert mk.maximum_safe_speed(1e6, LIMITS, reaction_time=0.3, acceleration=2.0) == 5.0
    assert worst_case_travel(5.0, LIMITS) < 10.0


def test_no_room_means_zero() -> None:
    """E5: also where even an axis at rest may get going before the stop begins, or is speeding up already."""
    for clearance in (0.0, -0.0, -1.0):
        assert mk.maximum_safe_speed(clearance, LIMITS) == 0.0
        assert mk.maximum_safe_speed(clearance, LIMITS, reaction_time=0.1, acceleration=-1.0) == 0.0
    from_rest = worst_case_travel(0.0, LIMITS, reaction_time=0.1)
    assert from_rest > 0.0
    assert mk.maximum_safe_speed(0.99 * from_rest, LIMITS, reaction_time=0.1) == 0.0
    assert mk.maximum_safe_speed(1.01 * from_rest, LIMITS, reaction_time=0.1) > 0.0
    speeding_up = mk.StopProfile.plan(mk.MotionState(0.0, 0.0, 8.0), LIMITS).stopping_distance
    assert mk.maximum_safe_speed(0.99 * speeding_up, LIMITS, acceleration=8.0) == 0.0
    assert mk.maximum_safe_speed(1.01 * speeding_up, LIMITS, acceleration=8.0) > 0.0


def test_tiny_and_huge_clearances() -> None:
    for clearance in (5e-324, 1e-300, 1e-30, 1e-9, 1e9, 1e30):
        limits = mk.MotionLimits(1e200, 8, 40)
        speed = mk.maximum_safe_speed(clearance, limits)
        assert math.isfinite(speed) and worst_case_travel(speed, limits) <= clearance
        assert worst_case_travel(speed * (1 + 1e-9), limits) > clearance or clearance < 1e-300


def test_braking_limit_is_the_negative_one() -> None:
    limits = mk.MotionLimits(5, 100, 40, min_acceleration=-8)
    assert mk.maximum_safe_speed(0.45, limits) == pytest.approx(2.0, rel=UNUSED)


# ---- with a present acceleration: the stop in sixty digits
def exact_reach(speed: Decimal, acceleration: Decimal, a_max: Decimal, jerk: Decimal) -> Decimal:
    """How far forward a stop comes, by stepping through its segments in Decimal; symmetric limits."""
    left = speed + acceleration * abs(acceleration) / (2 * jerk)
    if left < 0:  # turns round: forward until the velocity is zero
        t = (-acceleration - (acceleration**2 - 2 * jerk * speed).sqrt()) / jerk
        return max(speed * t + acceleration * t * t / 2 + jerk * t**3 / 6, Decimal(0))
    peak = min(a_max, (jerk * speed + acceleration**2 / 2).sqrt())
    first = jerk if -acceleration > peak else -jerk
    x, v, a = Decimal(0), speed, acceleration
    t = abs(acceleration + peak) / jerk
    x, v, a = x + v * t + a * t * t / 2 + first * t**3 / 6, v + a * t + first * t * t / 2, -peak
    t = max(v - peak * peak / (2 * jerk), Decimal(0)) / peak if peak else Decimal(0)
    x, v = x + v * t + a * t * t / 2, v + a * t
    t = peak / jerk
    return max(x + v * t + a * t * t / 2 + jerk * t**3 / 6, Decimal(0))


def test_present_acceleration_of_either_sign_in_sixty_digits() -> None:
    """E5: as above, with an acceleration, also beyond its limit."""
    rng = np.random.default_rng(2)
    worst, counted = 0.0, 0
    with localcontext() as context:
        context.prec = 60
        for _ in range(400):
            a_max, jerk = (10.0 ** rng.uniform(-2.0, 2.0, 2)).tolist()
            acceleration = float(rng.uniform(-1.3, 1.3) * a_max)
            limits = mk.MotionLimits(1e9, a_max, jerk)
            scale = a_max**3 / jerk**2
            clearance = float(scale * 10.0 ** rng.uniform(-2.0, 2.0))
            speed = mk.maximum_safe_speed(clearance, limits, acceleration=acceleration)
            numbers = [Decimal(x) for x in (speed, acceleration, a_max, jerk)]
            unused = 1 - exact_reach(*numbers) / Decimal(clearance)
            if speed == 0.0:
                assert exact_reach(*numbers) >= Decimal(clearance) * (1 - Decimal(UNUSED))
                continue
            counted += 1
            assert 0 <= unused, (limits, acceleration, clearance)
            worst = max(worst, float(unused))
            made = mk.StopProfile.plan(mk.MotionState(0.0, speed, acceleration), limits)
            assert made.position_extremes[1] <= clearance
    print(f"unused share at most {worst:.1e} in {counted} cases")
    assert worst < UNUSED and counted > 250


def test_turning_point_counts_not_the_end() -> None:
    """An axis at 0.05 m/s braking with 8 m/s^2 ends behind its start, but comes 0.16 mm forward first."""
    travel = worst_case_travel(0.05, LIMITS, acceleration=-8.0)
    stop = mk.StopProfile.plan(mk.MotionState(0.0, 0.05, -8.0), LIMITS)
    assert stop.stopping_distance < 0.0 < travel == stop.position_extremes[1]
    assert travel == pytest.approx(1.58e-4, rel=1e-2)
    assert mk.maximum_safe_speed(travel, LIMITS, acceleration=-8.0) == pytest.approx(0.05, rel=1e-9)


# ---- with a reaction time
def random_rooms(count: int, seed: int) -> list[tuple[float, float, float, float, float, float, float]]:
    """Speed, acceleration, top speed, largest and (magnitude of the) lowest acceleration, jerk, reaction time."""
    rng = np.random.default_rng(seed)
    rooms = []
    for _ in range(count):
        a_max, jerk = 10.0 ** rng.uniform(-1.0, 1.5, 2)
        jerk *= 3.0
        top = 10.0 ** rng.uniform(-1.0, 1.0)
        low = a_max * 10.0 ** rng.uniform(-0.4, 0.4)
        speed = top * rng.choice([1.0, rng.random(), rng.random(), 0.0])
        acceleration = rng.choice([0.0, rng.uniform(-low, a_max), rng.uniform(-1.5 * low, 1.5 * a_max)])
        reaction = 10.0 ** rng.uniform(-1.0, 0.7) * max(a_max / jerk, math.sqrt(top / jerk))
        rooms.append(tuple(float(x) for x in (speed, acceleration, top, a_max, low, jerk, reaction)))
    return rooms


def travel_of(room: tuple[float, ...], speed: float | None = None) -> float:
    now, acceleration, top, a_max, low, jerk, reaction = room
    limits = mk.MotionLimits(top, a_max, jerk, min_acceleration=-low)
    return worst_case_travel(now if speed is None else speed, limits, reaction_time=reaction, acceleration=acceleration)


def random_legal_motions(room: tuple[float, ...], count: int, steps: int, rng: np.random.Generator) -> np.ndarray:
    """Forward travel of random motions that keep to the limits in the reaction time and then stop.

    Jerk is constant in each step and cut so that no limit is passed: half of the motions speed up, slow down, speed up
    and slow down at random times, the others are noise.
    """
    speed, acceleration, top, a_max, low, jerk, reaction = room
    dt = reaction / steps
    ceiling = max(top, speed + max(acceleration, 0.0) ** 2 / (2 * jerk))
    switches = np.sort(rng.random((count, 3)), axis=1)
    switches[: count // 4, 0] = 0.0
    switches[count // 4 : count // 2, 2] = 1.0
    phase = ((np.arange(steps) + 0.5) / steps)[None, :, None] >= switches[:, None, :]
    wanted = np.where(phase.sum(axis=2) % 2 == 0, jerk, -jerk)
    wanted[count // 2 :] = rng.uniform(-jerk, jerk, (count - count // 2, steps))
    wanted[0] = jerk
    x, v, a = np.zeros(count), np.full(count, speed), np.full(count, acceleration)
    v[count // 3 : count // 2] *= rng.random(count // 2 - count // 3)  # a lower speed is legal too
    forward = np.zeros(count)
    for k in range(steps):
        highest = np.where(a > a_max, -jerk, np.minimum(jerk, (a_max - a) / dt))
        lowest = np.where(a < -low, jerk, np.maximum(-jerk, (-low - a) / dt))
        j = np.clip(wanted[:, k], np.minimum(lowest, jerk), np.maximum(highest, -jerk))
        a_next, v_next = a + j * dt, v + a * dt + 0.5 * j * dt * dt
        bad = v_next + np.maximum(a_next, 0.0) ** 2 / (2 * jerk) > ceiling
        j = np.where(bad, np.where(a > 0.0, np.maximum(-jerk, -a / dt), np.minimum(j, 0.0)), j)
        x = x + v * dt + a * dt * dt / 2 + j * dt**3 / 6
        v = v + a * dt + 0.5 * j * dt * dt
        a = a + j * dt
        forward = np.maximum(forward, x)
        x[v + np.maximum(a, 0.0) ** 2 / (2 * jerk) > ceiling * (1 + 1e-9)] = np.nan  # not legal after all
    states = np.column_stack([v, a, np.full(count, low), np.full(count, a_max), np.full(count, jerk)])
    rows = np.empty((count, STOP))
    run_rows(stop, np.ascontiguousarray(states), rows)
    return np.where(np.isnan(x), 0.0, np.fmax(forward, x + rows[:, 15]))


def test_no_random_legal_motion_comes_further() -> None:
    """E5: and where the top speed plays no part, the worst of them is found to the last digits."""
    rng = np.random.default_rng(3)
    found = []
    for room in random_rooms(120, 4):
        travel = travel_of(room)
        best = random_legal_motions(room, 600, 120, rng).max()
        assert best <= travel * (1 + 1e-12), room  # 120 steps, each rounded a few times
        if travel > 0.0:
            found.append(best / travel)
    print("share of the worst that random motions find:", np.quantile(found, [0.1, 0.5, 0.9]))
    assert np.median(found) > 0.99


def stop_from_top(room: tuple[float, ...]) -> float:
    _, _, top, a_max, low, jerk, _ = room
    return worst_case_travel(top, mk.MotionLimits(top, a_max, jerk, min_acceleration=-low))


def most_travel(room: tuple[float, ...], steps: int, shares: int) -> float:
    """The worst travel as a linear programme in the jerk of each step, for a grid of states in which the stop finds it.

    Limits hold at the ends of steps only, and the curved one is replaced by tangents: both let a little too much pass.
    """
    speed, acceleration, top, a_max, low, jerk, reaction = room
    dt = reaction / steps
    later = np.maximum(np.arange(steps)[:, None] - np.arange(steps)[None, :], -1) * 1.0
    on = later >= 0.0
    a_map = np.where(on, jerk * dt, 0.0)
    v_map = np.where(on, jerk * dt * dt * (later + 0.5), 0.0)
    x_map = np.where(on, jerk * dt**3 * (later**2 / 2 + later / 2 + 1 / 6), 0.0)
    t = dt * np.arange(1, steps + 1)
    zeros = np.zeros((steps, 1))
    # unknowns: jerk of each step as a share, and how much slower than given the motion starts
    rows, sides = [np.hstack([a_map, zeros]), np.hstack([-a_map, zeros])], [a_max - acceleration, low + acceleration]
    for touch in np.linspace(0.0, a_max, 30):
        rows.append(np.hstack([v_map + touch / jerk * a_map, zeros - 1.0]))
        sides.append(top - speed - acceleration * t - touch * acceleration / jerk + touch * touch / (2 * jerk))
    a_ub = np.vstack(rows)
    b_ub = np.concatenate([np.full(steps, s) if np.ndim(s) == 0 else s for s in sides])
    rest = stop_from_top(room)
    best = -math.inf
    for h in np.linspace(0.0, min(a_max, acceleration + jerk * reaction) / jerk, shares):
        a_eq = np.vstack([np.append(a_map[-1], 0.0), np.append(v_map[-1], -1.0)])
        b_eq = [jerk * h - acceleration, top - jerk * h * h / 2 - speed - acceleration * reaction]
        cost = np.append(-x_map[-1], reaction)
        bounds = [*[(-1.0, 1.0)] * steps, (0.0, speed)]
        solved = linprog(cost, A_ub=a_ub, b_ub=b_ub, A_eq=a_eq, b_eq=b_eq, bounds=bounds, method="highs")
        if solved.status == 0:
            way = speed * reaction + acceleration * reaction**2 / 2 - solved.fun
            best = max(best, way + top * h - jerk * h**3 / 6 + rest)
    return best


@pytest.mark.parametrize("room", [
    (2.0, 0.0, 2.0, 8.0, 8.0, 40.0, 0.3),       # at top speed: dip and be caught
    (1.0, 0.0, 2.0, 8.0, 8.0, 40.0, 0.4),       # on the way to it
    (1.9, 0.0, 2.0, 8.0, 8.0, 40.0, 0.1),       # a lower speed is worse
    (0.5, -3.0, 1.0, 4.0, 5.0, 10.0, 1.0),      # braking now
    (2.0, 0.0, 2.0, 8.0, 8.0, 40.0, 0.2),       # a lower speed is worse, and dips too
    (2.0, 0.0, 2.0, 8.0, 0.5, 40.0, 0.2),       # the same, and the lowest acceleration is held
    (3.0, 0.0, 3.0, 3.0, 0.3, 30.0, 1.0),       # the lowest acceleration is held in the dip
    (0.0, 0.0, 0.418, 2.308, 4.047, 1.67, 0.875),
])  # fmt: skip
def test_travel_is_the_optimum_over_all_legal_motions(room: tuple[float, ...]) -> None:
    """The closed form against a linear programme that knows nothing of its argument."""
    travel, programme = travel_of(room), most_travel(room, 60, 30)
    print(f"{room}: {travel:.6f} m, linear programme {programme:.6f} m")
    # the grid of 30 states misses the best one by up to 1/60 of the range (measured: 6e-4 at most)
    rest = stop_from_top(room)
    assert programme - rest == pytest.approx(travel - rest, rel=1e-3)


def test_to_reach_top_speed_and_wait_is_not_the_worst() -> None:
    """The control: the motion that one would think of comes 12 cm less far than the one that is caught speeding up."""
    limits = mk.MotionLimits(2, 8, 40)
    obvious = 2.0 * 0.3 + worst_case_travel(2.0, limits)
    travel = worst_case_travel(2.0, limits, reaction_time=0.3)
    h = math.sqrt(2.0 / (6 * 40))  # the best dip: V h - 2 j h^3 at its largest
    print(f"at 2 m/s with 0.3 s: {travel:.4f} m, cruising on {obvious:.4f} m")
    assert travel == pytest.approx(obvious + 2.0 * h - 2 * 40 * h**3, rel=1e-12)
    assert travel - obvious > 0.12


def test_travel_grows_with_everything_that_makes_it_worse() -> None:
    for room in random_rooms(40, 5):
        speed, acceleration, top, a_max, low, jerk, reaction = room
        by_speed = [travel_of(room, v) for v in np.linspace(0.0, top, 25)]
        by_time = [travel_of((speed, acceleration, top, a_max, low, jerk, t)) for t in np.linspace(0.0, reaction, 15)]
        for values in (by_speed, by_time):
            assert (np.diff(values) >= -1e-12 * np.array(values[1:])).all(), room
    # so close to the top speed that the present acceleration takes the axis above it: what is worst when slower counts
    hot = (2.0, 0.5, 2.0, 8.0, 8.0, 40.0, 0.1)
    values = [travel_of(hot, v) for v in np.linspace(1.98, 2.0, 30)]
    assert (np.diff(values) >= -1e-12).all()


def test_round_trip_with_reaction_time() -> None:
    """E5: the travel from the speed returned is the clearance, to 1e-12, or the top speed bounds it."""
    rng = np.random.default_rng(6)
    worst, bounded, none, counted = 0.0, 0, 0, 0
    for _, acceleration, top, a_max, low, jerk, reaction in random_rooms(150, 7):
        limits = mk.MotionLimits(top, a_max, jerk, min_acceleration=-low)
        options = {"reaction_time": reaction, "acceleration": acceleration}
        least, most = (worst_case_travel(v, limits, **options) for v in (0.0, top))
        clearance = float(least + (most - least) * rng.uniform(-0.1, 1.05))
        speed = mk.maximum_safe_speed(clearance, limits, **options)
        travel = worst_case_travel(speed, limits, **options)
        if speed == 0.0:
            none += 1
            assert clearance <= least * (1 + UNUSED)
            continue
        assert travel <= clearance
        if speed == top:
            bounded += 1
            continue
        counted += 1
        worst = max(worst, 1.0 - travel / clearance)
    print(f"unused share at most {worst:.1e} in {counted} cases; {bounded} at top speed, {none} without room")
    assert worst < UNUSED and counted > 60 and bounded > 5 and none >= 3


def test_reaction_far_from_top_speed_is_full_jerk_in_sixty_digits() -> None:
    """E5: full jerk, then full acceleration, then the stop; exactly within the clearance."""
    rng = np.random.default_rng(8)
    worst = 0.0
    with localcontext() as context:
        context.prec = 60
        for _ in range(150):
            a_max, jerk = (10.0 ** rng.uniform(-1.0, 2.0, 2)).tolist()
            reaction = float(a_max / jerk * 10.0 ** rng.uniform(-1.0, 0.7))
            acceleration = float(rng.choice([0.0, rng.uniform(0.0, 1.0)]) * a_max)
            limits = mk.MotionLimits(1e9, a_max, jerk)
            least = worst_case_travel(0.0, limits, reaction_time=reaction, acceleration=acceleration)
            clearance = float(least * (1.0 + 10.0 ** rng.uniform(-3.0, 2.0)))
            speed = mk.maximum_safe_speed(clearance, limits, reaction_time=reaction, acceleration=acceleration)
            assert 0.0 < speed < 1e9
            v, a, top, j, wait = (Decimal(x) for x in (speed, acceleration, a_max, jerk, reaction))
            t = min(wait, (top - a) / j)
            x = v * t + a * t * t / 2 + j * t**3 / 6
            v, a = v + a * t + j * t * t / 2, a + j * t
            t = wait - t
            x, v = x + v * t + a * t * t / 2, v + a * t
            unused = 1 - (x + exact_reach(v, a, top, j)) / Decimal(clearance)
            assert 0 <= unused
            worst = max(worst, float(unused))
    print(f"unused share at most {worst:.1e}")
    assert worst < UNUSED


# ---- refusals
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, None])
def test_not_finite_is_refused(bad: float) -> None:
    for call, name in (
        (lambda: mk.maximum_safe_speed(bad, LIMITS), "clearance"),
        (lambda: mk.maximum_safe_speed(1.0, LIMITS, reaction_time=bad), "reaction_time"),
        (lambda: mk.maximum_safe_speed(1.0, LIMITS, acceleration=bad), "acceleration"),
        (lambda: worst_case_travel(bad, LIMITS), "speed"),
    ):
        with pytest.raises(mk.NotFinite, match=name):
            call()


def test_unset_limits_and_negative_values_are_refused() -> None:
    with pytest.raises(mk.InvalidLimits, match="max_velocity"):
        mk.maximum_safe_speed(1.0, mk.MotionLimits())
    with pytest.raises(mk.InvalidLimits, match="max_jerk"):
        mk.maximum_safe_speed(1.0, mk.MotionLimits(2, 8))
    with pytest.raises(mk.InvalidLimits, match=r"reaction_time is -0\.1"):
        mk.maximum_safe_speed(1.0, LIMITS, reaction_time=-0.1)
    with pytest.raises(mk.InvalidLimits, match=r"speed is -1\.0"):
        worst_case_travel(-1.0, LIMITS)
    with pytest.raises(mk.NotFinite, match="other units"):
        worst_case_travel(1e300, mk.MotionLimits(1.0, 1e-300, 1.0))
