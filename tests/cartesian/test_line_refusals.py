"""F4: lines that cannot be made are refused by what is wrong with them, and say where."""

import math

import numpy as np
import pytest

import motionkit as mk

ARM = mk.SerialChain.six_axis_example()
LIMITS = [mk.MotionLimits(3.0, 8.0, 60.0)] * 6
HOME = np.radians([0.0, -60.0, 90.0, 0.0, 60.0, 0.0])


def plan(q, by, turn=(0.0, 0.0, 0.0), arm=ARM, **options):
    start = arm.forward(q)
    target = mk.SE3(mk.SO3.exp(turn) * start.rotation, start.translation + np.asarray(by))
    return mk.CartesianPlan.plan(arm, q, target, options.pop("limits", LIMITS), **options)


def test_out_of_reach_says_where_the_reach_ends():
    with pytest.raises(mk.LineOutOfReach, match="leaves the reach") as caught:
        plan(HOME, (0.8, 0.0, 0.0))
    error = caught.value
    assert 0.2 < error.fraction < 0.8
    assert error.distance == pytest.approx(error.fraction * 0.8)
    # just before that place the pose has an answer, well after it has none
    start = ARM.forward(HOME)
    before = mk.SE3.from_translation([0.8 * (error.fraction - 0.02), 0.0, 0.0]) * start
    ARM.inverse_any(before)
    with pytest.raises(mk.Unreachable):
        ARM.inverse_any(mk.SE3.from_translation([0.8 * (error.fraction + 0.02), 0.0, 0.0]) * start)


def test_a_place_out_of_reach_between_two_ends_in_reach():
    """The line passes through the arm's own column, which it cannot reach into; both ends can be reached."""
    here, there = np.radians([90.0, -60.0, 120.0, 0.0, 30.0, 0.0]), np.radians([-90.0, -60.0, 120.0, 0.0, 30.0, 0.0])
    start = ARM.forward(here)
    across = ARM.forward(there).translation - start.translation
    with pytest.raises(mk.LineOutOfReach) as caught:
        plan(here, across)
    assert 0.4 < caught.value.fraction < 0.5


def test_a_line_through_the_wrist_singularity():
    # in the plane of the arm the wrist stretches out while the tool turns up: q5 passes through zero
    q = np.array([0.0, -1.0, 1.4, 0.0, 0.2, 0.0])
    with pytest.raises(mk.LineThroughSingularity, match="singularity") as caught:
        plan(q, (0.0, 0.0, 0.0), (0.0, -0.4, 0.0))
    # there the wrist is straight, to the width of a step between knots
    turn = mk.SO3.exp((0.0, -0.4 * caught.value.fraction, 0.0))
    pose = ARM.forward(q)
    there = ARM.inverse_near(mk.SE3(turn * pose.rotation, pose.translation), q)
    assert abs(there.q[4]) < 5e-3
    assert caught.value.joint in ARM.joint_names


def test_a_line_from_a_singular_start():
    q = np.array([0.0, -1.0, 1.4, 0.0, 0.0, 0.0])
    with pytest.raises(mk.LineThroughSingularity) as caught:
        plan(q, (0.0, 0.03, 0.0))
    assert caught.value.fraction == 0.0


def test_a_joint_limit_on_the_way():
    turned = HOME.copy()
    turned[5] = float(ARM.upper[5]) - 0.1
    axis = ARM.forward(turned).matrix()[:3, 0]
    jacobian = ARM.jacobian(turned)[3:, 5]
    with pytest.raises(mk.LineCrossesLimit, match="leave its range") as caught:
        plan(turned, (0.0, 0.0, 0.0), 0.5 * jacobian)
    error = caught.value
    assert axis.shape == (3,)
    assert error.joint == ARM.joint_names[5]
    assert error.limit == ARM.upper[5]
    assert error.value > error.limit
    # 0.1 of 0.5 rad are left
    assert error.fraction == pytest.approx(0.2, abs=0.05)


def test_a_limit_crossed_only_between_knots():
    """The joint turns back within one cell: its ends are inside, its middle is not."""
    q = np.radians([17.0, -60.0, 90.0, 0.0, 60.0, 0.0])
    free = plan(q, (0.0, -0.24, 0.0), knots=3)
    values = free.path.positions(np.linspace(0.0, 1.0, 1001))
    inner = np.argmax(values, axis=0)
    joint = next(k for k in (1, 2, 4) if 50 < inner[k] < 950)  # symmetric in y: extreme where y = 0
    top, knots = float(values[:, joint].max()), free.path.positions(free.path.knots)[:, joint]
    assert top > knots.max() + 1e-5
    limit = 0.5 * (top + float(knots.max()))
    narrow = [
        mk.Joint.revolute(
            j.name, j.axis, j.point, mk.JointLimits.revolute(v.lower, limit if k == joint else v.upper, 3.0)
        )
        for k, (j, v) in enumerate(zip(ARM.joints, ARM.limits, strict=True))
    ]
    flange = ARM.forward(np.zeros(6))
    arm = mk.SerialChain.from_joints([*narrow, mk.Joint.fixed("flange", flange)])
    assert np.max(np.abs(arm.forward(q).matrix() - ARM.forward(q).matrix())) < 1e-12
    with pytest.raises(mk.LineCrossesLimit) as caught:
        plan(q, (0.0, -0.24, 0.0), arm=arm, knots=3)
    assert caught.value.joint == ARM.joint_names[joint]


def test_another_branch_than_asked_for():
    q = np.array([0.3, -1.1, 1.4, 0.4, 0.8, -0.5])
    made = plan(q, (0.0, 0.02, 0.03))
    flipped = made.end_q
    flipped[3] -= math.pi
    flipped[4] *= -1
    flipped[5] += math.pi
    assert plan(q, (0.0, 0.02, 0.03), end_q=made.end_q).duration == made.duration
    with pytest.raises(mk.BranchFlip, match="another configuration") as caught:
        plan(q, (0.0, 0.02, 0.03), end_q=flipped)
    assert caught.value.joint in ("j4", "j6", ARM.joint_names[3], ARM.joint_names[5])
    turn = made.end_q
    turn[5] += 2 * math.pi
    with pytest.raises(mk.BranchFlip):
        plan(q, (0.0, 0.02, 0.03), end_q=turn)


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"limits": LIMITS[:5]}, mk.WrongLength, "one a joint"),
        ({"limits": [mk.MotionLimits(3.0, 8.0, 0.0), *LIMITS[1:]]}, mk.InvalidLimits, "joint"),
        ({"limits": [mk.MotionLimits(3.0, math.nan, 60.0), *LIMITS[1:]]}, mk.InvalidLimits, "joint"),
        ({"knots": 1}, mk.WrongLength, "at least 2"),
        ({"max_speed": 0.0}, mk.InvalidLimits, "max_speed"),
        ({"max_turn": math.nan}, mk.NotFinite, "max_turn"),
        ({"tolerance": mk.LineTolerance(0.0, 0.1)}, mk.InvalidLimits, "tolerance position"),
        ({"tolerance": mk.LineTolerance(1e-4, math.inf)}, mk.NotFinite, "tolerance rotation"),
        ({"end_q": [0.0] * 5}, mk.WrongLength, "end_q"),
    ],
)
def test_bad_input_is_refused(options, error, text):
    with pytest.raises(error, match=text):
        plan(HOME, (0.0, 0.02, 0.0), **options)


def test_a_start_outside_its_limits_and_a_short_arm():
    outside = HOME.copy()
    outside[1] = float(ARM.upper[1]) + 0.01
    with pytest.raises(mk.JointLimitViolated):
        mk.CartesianPlan.plan(ARM, outside, ARM.forward(HOME), LIMITS)
    short = mk.SerialChain.from_joints(list(ARM.joints[:3]))
    with pytest.raises(mk.WrongLength, match="at least six moving joints"):
        mk.CartesianPlan.plan(short, HOME[:3], short.forward(HOME[:3]), LIMITS[:3])
