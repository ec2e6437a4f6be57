"""F1 and F3: straight lines paced by joint limits, their exactness and their price."""

import math
import pickle

import numpy as np
import pytest

import motionkit as mk
from motionkit.cartesian._pacing import pace

ARM = mk.SerialChain.six_axis_example()
LIMITS = [mk.MotionLimits(3.0, 8.0, 60.0)] * 3 + [mk.MotionLimits(5.5, 12.0, 90.0)] * 3
CAPS = np.array([[v.max_velocity, v.max_acceleration, v.max_jerk] for v in LIMITS]).T
HOME = np.radians([0.0, -60.0, 90.0, 0.0, 60.0, 0.0])


def line(q, by, turn=(0.0, 0.0, 0.0), **options):
    start = ARM.forward(q)
    target = mk.SE3(mk.SO3.exp(turn) * start.rotation, start.translation + np.asarray(by))
    return mk.CartesianPlan.plan(ARM, q, target, LIMITS, **options)


def peaks_by_differences(sample, duration, rate):
    """Largest velocity, acceleration and jerk over the limits, from sampled positions alone, with their rounding.

    A k-th difference quotient is a mean of the k-th derivative, so it exceeds no bound of it; 2**k products of a
    rounding of |q| are added to it and divided by h**k.
    """
    h = 1.0 / rate
    q = sample(np.arange(math.ceil(duration * rate) + 2) * h).position
    rounding = np.spacing(np.max(np.abs(q)))
    return np.array(
        [np.max((np.abs(np.diff(q, k, axis=0)) / h**k - (2 * rounding / h) ** 1 * (2 / h) ** (k - 1)) / CAPS[k - 1])
         for k in (1, 2, 3)]
    )  # fmt: skip


@pytest.mark.parametrize("rate", [250.0, 1000.0, 4000.0])
@pytest.mark.parametrize(
    ("by", "turn"),
    [
        ((0.1, 0.05, -0.1), (0.0, 0.0, 0.0)),
        ((0.05, 0.2, 0.0), (0.3, -0.2, 0.4)),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.8)),
        ((0.0, 0.0, 0.001), (0.0, 0.0, 0.0)),
    ],
)
def test_sampled_output_keeps_every_limit(by, turn, rate):
    plan = line(HOME, by, turn)
    shares = peaks_by_differences(plan.sample_many, plan.duration, rate)
    print(
        f"F1: {by} {turn} at {rate:g} Hz: velocity {shares[0]:.4f}, acceleration {shares[1]:.4f}, jerk {shares[2]:.4f}"
    )
    assert np.all(shares <= 1.0)
    # and the limits are used: the line is not merely slow
    exact = plan.sample_many(np.linspace(0.0, plan.duration, 4001))
    used = [np.max(np.abs(v) / CAPS[k]) for k, v in enumerate((exact.velocity, exact.acceleration, exact.jerk))]
    assert max(used) > 0.6


def test_tool_stays_on_the_line_between_knots():
    plan = line(HOME, (0.05, 0.2, -0.05), (0.2, 0.1, -0.3))
    times = np.linspace(0.0, plan.duration, 3001)
    poses = ARM.forward_batch(plan.sample_many(times).position)
    start, end = plan.line.start.translation, plan.line.end.translation
    along = (end - start) / np.linalg.norm(end - start)
    offset = poses[:, :3, 3] - start
    away = np.linalg.norm(offset - np.outer(offset @ along, along), axis=1)
    print(f"F1: largest distance from the line {away.max():.2e} m, reported {plan.report.deviation:.2e} m")
    assert away.max() <= 1e-4
    # the report measures at given places and this at others: a quintic's error is smooth, 10 % covers the difference
    assert away.max() <= 1.1 * plan.report.deviation + 1e-12
    # a line asked to be a hundred times more exact is
    exact = line(HOME, (0.05, 0.2, -0.05), (0.2, 0.1, -0.3), tolerance=mk.LineTolerance(1e-12, 1e-12))
    assert exact.report.deviation <= 1e-12
    coarse = line(HOME, (0.05, 0.2, -0.05), (0.2, 0.1, -0.3), knots=2)
    assert coarse.report.deviation <= 1e-4
    assert coarse.report.knots > 2


def test_a_cubic_through_the_same_knots_is_the_control():
    """F1: the C1 cubic steps in acceleration at its knots, so the jerk in its output grows with the sampling rate."""
    plan = line(np.radians([10.0, -60.0, 90.0, 20.0, 4.0, 0.0]), (0.0, 0.05, 0.0), knots=6)
    knots = plan.path.knots
    values = plan.path.positions(knots)
    ones, zeros = np.ones(len(knots)), np.zeros(len(knots))
    tangents = plan.path.motion(knots, ones, zeros, zeros)[:, 1]

    def cubic(ts):
        s = plan.fractions(ts)
        cell = np.clip(np.searchsorted(knots, s, side="right") - 1, 0, len(knots) - 2)
        h = (knots[cell + 1] - knots[cell])[:, None]
        u = (s - knots[cell])[:, None] / h
        a, b, da, db = values[cell], values[cell + 1], tangents[cell] * h, tangents[cell + 1] * h
        q = a * (1 + 2 * u) * (1 - u) ** 2 + b * u**2 * (3 - 2 * u) + da * u * (1 - u) ** 2 - db * u**2 * (1 - u)
        return mk.MotionSample(q, q, q, q)

    jerks = {}
    for rate in (1000.0, 4000.0, 16000.0):
        jerks[rate] = [float(peaks_by_differences(f, plan.duration, rate)[2]) for f in (plan.sample_many, cubic)]
        print(f"F1 control at {rate:g} Hz: jerk share quintic {jerks[rate][0]:.3f}, cubic {jerks[rate][1]:.3f}")
    assert all(ours <= 1.0 for ours, _ in jerks.values())
    assert jerks[16000.0][1] > 1.5
    assert jerks[16000.0][1] > 3.0 * jerks[1000.0][1]


def test_price_of_a_line_near_and_far_from_a_singularity():
    """F3: the same 50 mm cost several times the time where the wrist is nearly straight."""
    durations = {}
    for wrist in (60.0, 20.0, 4.0, 1.0):
        q = np.radians([10.0, -60.0, 90.0, 20.0, wrist, 0.0])
        report = line(q, (0.0, 0.05, 0.0)).report
        durations[wrist] = report.duration
        print(
            f"F3: 50 mm with the wrist at {wrist:g} deg: {report.duration:.3f} s, {report.ratio:.2f} times the joint "
            f"move, least manipulability {report.least_manipulability:.2e} at {report.least_manipulability_at:.0%}, "
            f"limited by {report.limiting}, deviation {report.deviation:.1e} m"
        )
        assert report.deviation <= 1e-4
        assert report.ratio >= 0.999
        assert report.least_manipulability == pytest.approx(np.min(report.manipulability))
    assert durations[60.0] < durations[20.0] < durations[4.0] < durations[1.0]
    assert durations[1.0] > 4.0 * durations[60.0]


def test_ceilings_of_speed_and_turn_hold_and_are_named():
    plan = line(HOME, (0.1, 0.1, 0.0), (0.0, 0.0, 0.5), max_speed=0.05)
    times = np.linspace(0.0, plan.duration, 2001)
    tip = ARM.forward_batch(plan.sample_many(times).position)[:, :3, 3]
    speed = np.linalg.norm(np.diff(tip, axis=0), axis=1) / (times[1] - times[0])
    # a chord over time is at most the speed; positions round at 1e-16 over 1e-3 s
    assert 0.0499 < speed.max() <= 0.05 * (1.0 + 1e-9)
    assert plan.report.limiting[:2] == ("tool", "speed")
    turned = line(HOME, (0.01, 0.0, 0.0), (0.0, 0.0, 0.5), max_turn=0.1)
    assert turned.duration > 5.0
    assert turned.report.limiting[:2] == ("tool", "turn")
    assert line(HOME, (0.1, 0.1, 0.0), max_speed=100.0).duration == line(HOME, (0.1, 0.1, 0.0)).duration


def test_ends_samples_and_values():
    plan = line(HOME, (0.05, 0.1, -0.02))
    before, after = plan.sample(-1.0), plan.sample(plan.duration + 1.0)
    assert np.array_equal(before.position, HOME)
    assert np.array_equal(after.position, plan.end_q)
    for rest in (before, after):
        assert not np.any([rest.velocity, rest.acceleration, rest.jerk])
    reached = ARM.forward(plan.end_q)
    # joints are solved to 1e-13 m and rad
    assert np.linalg.norm(reached.translation - plan.line.end.translation) < 2e-13
    times = np.linspace(0.0, plan.duration, 57)
    many = plan.sample_many(times)
    for k, t in enumerate(times.tolist()):
        one, out = plan.sample(t), np.empty((4, 6))
        assert plan.sample(t, out=out) is out
        assert np.array_equal(out[0], one.position)
        for name in ("position", "velocity", "acceleration", "jerk"):
            assert np.array_equal(getattr(one, name), getattr(many, name)[k])
    again = pickle.loads(pickle.dumps(plan))
    assert np.array_equal(again.sample(0.3).position, plan.sample(0.3).position)
    with pytest.raises(mk.WrongLength):
        plan.sample(0.0, out=np.empty((3, 6)))
    with pytest.raises(mk.NotFinite):
        plan.sample(math.nan)


def test_a_move_that_goes_nowhere_takes_no_time():
    plan = mk.CartesianPlan.plan(ARM, HOME, ARM.forward(HOME), LIMITS, max_speed=0.1)
    assert plan.duration == 0.0
    assert plan.report.ratio == 1.0
    assert np.array_equal(plan.sample(0.0).position, HOME)


def test_pacing_is_close_to_the_closed_form_on_a_straight_joint_path():
    """A prismatic axis carries the tool straight: the line is the joint move and takes its closed-form time."""
    axis = mk.JointLimits.prismatic(-2.0, 2.0, 1.0)
    turn = mk.JointLimits.revolute(-3.0, 3.0, 2.0)
    joints = [
        mk.Joint.prismatic(n, a, (0, 0, 0), axis) for n, a in (("x", (1, 0, 0)), ("y", (0, 1, 0)), ("z", (0, 0, 1)))
    ]
    joints += [
        mk.Joint.revolute(n, a, (0, 0, 0), turn) for n, a in (("a", (0, 0, 1)), ("b", (0, 1, 0)), ("c", (1, 0, 0)))
    ]
    gantry = mk.SerialChain.from_joints(joints)
    limits = [mk.MotionLimits(1.0, 2.0, 10.0)] * 6
    for length in (1e-3, 0.1, 1.0, 3.0):
        q = np.array([-1.5, 0.0, 0.0, 0.2, 0.3, 0.1])
        target = mk.SE3.from_translation([length, 0.0, 0.0]) * gantry.forward(q)
        plan = mk.CartesianPlan.plan(gantry, q, target, limits)
        exact = mk.ScurveProfile.plan(0.0, length, limits[0]).duration
        print(f"pacing: {length:g} m straight: {plan.duration:.6f} s, closed form {exact:.6f} s")
        # the shape is searched to a thousandth, and pieces of the profile are bounded by their ends
        assert exact * (1.0 - 1e-9) <= plan.duration <= exact * 1.01
        assert pace(plan.path, limits, math.inf).duration == plan.duration
