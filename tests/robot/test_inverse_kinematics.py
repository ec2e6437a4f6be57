"""B5, B6: inverse kinematics that never passes off what it has not reached, and what damping is for."""

import math
import pickle

import numpy as np
import pytest

import motionkit as mk

ARM = mk.SerialChain.six_axis_example()
SEED = [0.0, -1.0, 1.5, 0.0, 1.0, 0.0]


def moved(q, by):
    return np.clip(np.asarray(q) + by, ARM.lower, ARM.upper)


def test_a_solve_near_the_seed_is_exact_and_reported():
    rng = np.random.default_rng(30)
    iterations = []
    for _ in range(100):
        q = rng.uniform(ARM.lower, ARM.upper)
        if ARM.manipulability(q) < 1e-3:
            continue
        report = ARM.inverse(ARM.forward(q), moved(q, rng.uniform(-0.1, 0.1, 6)))
        reached = ARM.forward(report.q)
        assert np.linalg.norm(reached.translation - ARM.forward(q).translation) <= 1e-9
        assert reached.rotation.angle_to(ARM.forward(q).rotation) <= 1e-9
        # the report measures by matrices, the check by quaternions: both round at a few 1e-16
        assert report.position_error == pytest.approx(
            np.linalg.norm(reached.translation - ARM.forward(q).translation), abs=1e-15
        )
        assert report.least_manipulability <= ARM.manipulability(report.q) * (1 + 1e-9)
        iterations.append(report.iterations)
    print(f"B5: {len(iterations)} solves from 0.1 rad away, {np.mean(iterations):.1f} iterations on average")
    assert len(iterations) > 80
    assert np.mean(iterations) < 8


def test_out_and_tolerances():
    out = np.zeros(6)
    target = ARM.forward(moved(SEED, 0.05))
    report = ARM.inverse(target, SEED, out=out)
    assert np.array_equal(out, report.q)
    loose = ARM.inverse(target, SEED, position_tolerance=1e-3, rotation_tolerance=1e-2)
    assert loose.iterations < report.iterations
    assert pickle.loads(pickle.dumps(report)) == report
    assert repr(report).startswith("IkReport(q=")


def test_beyond_reach_is_unreachable_by_how_much():
    far = mk.SE3.from_translation([3.0, 0.0, ARM.reach_centre[2]])
    with pytest.raises(mk.Unreachable, match="too far") as caught:
        ARM.inverse(far, SEED)
    assert caught.value.distance == pytest.approx(3.0 - ARM.reach)


def test_a_search_that_does_not_arrive_says_so_and_keeps_its_best():
    # 0.95 m up and out: within the sum of the links, beyond what they reach together
    target = mk.SE3(mk.SO3.identity(), [0.75, 0.0, 0.9])
    with pytest.raises(mk.NotConverged) as caught:
        ARM.inverse(target, SEED)
    report = caught.value.report
    assert report.position_error > 1e-2
    assert np.all(report.q >= ARM.lower)
    assert np.all(report.q <= ARM.upper)
    with pytest.raises(mk.NotConverged, match="within 1 steps"):
        ARM.inverse(ARM.forward(moved(SEED, 0.3)), SEED, max_iterations=1)


def test_inverse_any_proves_by_trying_and_repeats_itself():
    rng = np.random.default_rng(31)
    for _ in range(10):
        q = rng.uniform(ARM.lower, ARM.upper)
        report = ARM.inverse_any(ARM.forward(q))
        assert ARM.forward(report.q).rotation.angle_to(ARM.forward(q).rotation) <= 1e-9
        assert np.all((report.q >= ARM.lower) & (report.q <= ARM.upper))
        assert ARM.inverse_any(ARM.forward(q)) == report
        ARM.inverse_any(ARM.forward(q), rng=np.random.default_rng(1))
    with pytest.raises(mk.Unreachable) as caught:
        ARM.inverse_any(mk.SE3(mk.SO3.identity(), [0.75, 0.0, 0.9]), max_restarts=40)
    assert caught.value.distance > 1e-2
    assert "41 starts" in str(caught.value)


def test_inverse_near_takes_the_closest_branch():
    q = np.array([0.3, -1.1, 1.4, 0.4, 0.8, -0.5])
    flipped = q.copy()
    flipped[3] -= math.pi
    flipped[4] *= -1
    flipped[5] += math.pi
    target = ARM.forward(q)
    # the same pose on the other side of the wrist, to rounding
    assert ARM.forward(flipped).rotation.angle_to(target.rotation) < 1e-14
    for branch in (q, flipped):
        assert ARM.inverse_near(target, branch + 0.2).q == pytest.approx(branch, abs=1e-8)
    # joint 6 turns nearly twice: the answer comes on the turn of the reference
    turned = q.copy()
    turned[5] += 2 * math.pi
    assert ARM.inverse_near(target, turned - 0.1).q == pytest.approx(turned, abs=1e-8)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ARM.inverse(ARM.forward(SEED), SEED[:5]), mk.WrongLength),
        (lambda: ARM.inverse(ARM.forward(SEED), [math.nan, *SEED[1:]]), mk.NotFinite),
        (lambda: ARM.inverse(ARM.forward(SEED), [9.0, *SEED[1:]]), mk.JointLimitViolated),
        (lambda: ARM.inverse(ARM.forward(SEED).matrix(), SEED), mk.WrongLength),
        (lambda: ARM.inverse(ARM.forward(SEED), SEED, position_tolerance=math.nan), mk.NotFinite),
        (lambda: ARM.inverse(ARM.forward(SEED), SEED, rotation_tolerance=0.0), mk.InvalidLimits),
        (lambda: ARM.inverse(ARM.forward(SEED), SEED, max_iterations=0), mk.InvalidLimits),
        (lambda: ARM.inverse(ARM.forward(SEED), SEED, damping=-1.0), mk.InvalidLimits),
        (lambda: ARM.inverse_any(ARM.forward(SEED), max_restarts=-1), mk.InvalidLimits),
        (lambda: ARM.differential_inverse(SEED, [0.0] * 5, damping=0.1), mk.WrongLength),
        (lambda: ARM.differential_inverse(SEED, [math.inf] * 6, damping=0.1), mk.NotFinite),
        (lambda: ARM.differential_inverse(SEED, [0.0] * 6, damping=math.nan), mk.NotFinite),
    ],
)
def test_bad_input_is_refused_by_its_kind(call, error):
    with pytest.raises(error):
        call()


def test_zero_damping_is_not_neutral():
    """B6: near a singularity the undamped step swings a joint by radians where a milliradian was asked for."""
    q = np.array([0.2, -1.1, 1.4, 0.0, 1e-4, 0.3])  # wrist 1e-4 rad from straight
    u, _, _ = np.linalg.svd(ARM.jacobian(q)[3:])
    # the worst axis of rotation: the one the wrist has lost
    twists = [np.concatenate([np.zeros(3), 1e-3 * axis]) for axis in u.T]
    undamped = max(
        (ARM.differential_inverse(q, t, damping=0.0) for t in twists), key=lambda d: float(np.max(np.abs(d)))
    )
    twist = max(twists, key=lambda t: float(np.max(np.abs(ARM.differential_inverse(q, t, damping=0.0)))))
    swing = float(np.max(np.abs(undamped)))
    for damping in (1e-3, 1e-2):
        damped = float(np.max(np.abs(ARM.differential_inverse(q, twist, damping=damping))))
        print(
            f"B6: 1e-3 rad asked: undamped {swing:.2f} rad, lambda {damping:g}: {damped:.2e} rad, {swing / damped:.0f}"
        )
        assert swing > 1.0
        assert damped < 2e-2
        assert swing / damped > 100.0
