"""F2: what bends a path and what changes its speed draw on one limit."""

import math

import numpy as np
import pytest

import motionkit as mk
from motionkit.cartesian._joint_path import JointPath
from motionkit.cartesian._pacing import Pacer, pace
from motionkit.kernels import pacing as kernels

LIMITS = [mk.MotionLimits(20.0, 4.0, 40.0)] * 2


def spiral(cells=60, turns=1.5):
    """Two joints on a curve that is straight at first and winds up: bending and speeding up meet."""
    s = np.linspace(0.0, 1.0, cells + 1)
    phase, rate = 2 * math.pi * turns, 2 * math.pi * turns
    angle, first, second = phase * s**2, 2 * rate * s, 2 * rate
    c, d = np.cos(angle), np.sin(angle)
    values = np.stack([c, d], axis=1)
    slope = np.stack([-d * first, c * first], axis=1)
    bend = np.stack([-c * first**2 - d * second, -d * first**2 + c * second], axis=1)
    return JointPath.through(s, np.stack([values, slope, bend], axis=2))


def shares(path, profile, times):
    along = profile.sample_many(times)
    rows = path.motion(along.position, along.velocity, along.acceleration, along.jerk)
    caps = np.array([[v.max_velocity, v.max_acceleration, v.max_jerk] for v in LIMITS]).T
    return np.max(np.abs(rows[:, 1:]) / caps, axis=(0, 2)), rows, along


def one_sided(path):
    """The control: velocity and speeding-up are limited, bending is forgotten."""
    forgetful = Pacer(path, LIMITS, math.inf)
    forgetful.bounds = forgetful.bounds * np.array([1.0, 0.0, 0.0])[None, :, None]
    profile = forgetful.profile(0.3, 0.4, 1.0)
    return forgetful.profile(0.3, 0.4, forgetful.slowdown(profile))


def test_limits_hold_where_a_one_sided_budget_breaks_them():
    path = spiral()
    ours = pace(path, LIMITS, math.inf)
    theirs = one_sided(path)
    kept, _, _ = shares(path, ours, np.linspace(0.0, ours.duration, 20001))
    broken, _, _ = shares(path, theirs, np.linspace(0.0, theirs.duration, 20001))
    print(
        f"F2: velocity, acceleration, jerk shares {kept.round(3).tolist()} in {ours.duration:.3f} s; "
        f"with the bending forgotten {broken.round(3).tolist()} in {theirs.duration:.3f} s"
    )
    assert np.all(kept <= 1.0)
    assert np.max(kept) > 0.7
    assert broken[0] <= 1.0 + 1e-9
    assert broken[1] > 1.5
    assert broken[2] > 1.2


def test_the_sum_of_magnitudes_is_within_the_limit_everywhere():
    path = spiral()
    profile = pace(path, LIMITS, math.inf)
    along = profile.sample_many(np.linspace(0.0, profile.duration, 20001))
    ones, zeros = np.ones(len(along.position)), np.zeros(len(along.position))
    first = np.abs(path.motion(along.position, ones, zeros, zeros)[:, 1])
    second = np.abs(path.motion(along.position, ones, zeros, zeros)[:, 2])
    third = np.abs(path.motion(along.position, ones, zeros, zeros)[:, 3])
    v, a, j = (np.abs(x)[:, None] for x in (along.velocity, along.acceleration, along.jerk))
    asked = kernels.demand(first, second, third, v, a, j)
    for values, name in zip(asked, ("max_velocity", "max_acceleration", "max_jerk"), strict=True):
        assert np.max(values) <= getattr(LIMITS[0], name)


def test_demand_on_floats_and_arrays_gives_the_same_bits():
    rng = np.random.default_rng(40)
    columns = rng.uniform(0.1, 3.0, (6, 50))
    together = kernels.demand(*columns)
    shapes = kernels.shape(columns[0] / 6.0, columns[1] / 6.0)
    for k in range(50):
        assert kernels.demand(*columns[:, k].tolist()) == tuple(x[k] for x in together)
        assert kernels.shape(float(columns[0, k] / 6.0), float(columns[1, k] / 6.0)) == tuple(x[k] for x in shapes)


@pytest.mark.parametrize(("ramp", "share"), [(0.5, 0.5), (0.3, 0.2), (0.01, 0.05)])
def test_a_shape_is_planned_as_it_was_meant(ramp, share):
    v, a, j = kernels.shape(ramp, share)
    profile = mk.ScurveProfile.plan(0.0, 1.0, mk.MotionLimits(v, a, j))
    # three roundings of the peaks, one of the time
    assert profile.duration == pytest.approx(1.0, rel=1e-14)
    assert profile.boundaries[3] == pytest.approx(ramp, rel=1e-12)
    assert profile.boundaries[1] == pytest.approx(share * ramp, rel=1e-12)


def test_slowdown_scales_a_profile_onto_its_tightest_limit():
    path = spiral()
    pacer = Pacer(path, LIMITS, math.inf)
    quick = pacer.profile(0.4, 0.3, 1.0)
    factor = pacer.slowdown(quick)
    assert factor > 1.0
    # the same shape k times slower: shares fall with k, k^2 and k^3, so it is exactly used up
    assert pacer.slowdown(pacer.profile(0.4, 0.3, factor)) == pytest.approx(1.0, rel=1e-9)
    # finer pieces of the profile only find less
    assert factor >= Pacer(path.halved(2), LIMITS, math.inf).slowdown(quick) * (1.0 - 1e-12)
