"""Pose helpers of both forms: exact rational series and Pinocchio's SE(3) as independent references."""

import math
from fractions import Fraction

import numpy as np
import pinocchio as pin
import pytest

from motionkit.kernels import pose, quat, rigid

EPS = 2.220446049250313e-16


def twists(count, seed, largest=3.1):
    """Twists with angles from 1e-9 to ``largest`` rad."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        axis = rng.standard_normal(3)
        angle = largest * 10 ** rng.uniform(-9, 0)
        yield (*rng.uniform(-2, 2, 3).tolist(), *(axis / np.linalg.norm(axis) * angle).tolist())


def oracle(a):
    return pin.SE3(np.reshape(a[:9], (3, 3)), np.array(a[9:]))


def elements(M):
    return np.concatenate([M.rotation.ravel(), M.translation])


def test_products_inverses_and_points_agree_with_pinocchio():
    # three products of numbers below 4 and their sum
    for t, u in zip(twists(300, 1), twists(300, 2), strict=True):
        a, b = pose.exp(t), pose.exp(u)
        A, B = oracle(a), oracle(b)
        assert np.abs(np.array(pose.compose(a, b)) - elements(A * B)).max() < 1e-14
        assert np.abs(np.array(pose.invert(a)) - elements(A.inverse())).max() < 1e-14
        p = u[:3]
        assert np.abs(np.array(pose.transform_point(a, p)) - A.act(np.array(p))).max() < 1e-14
        assert np.abs(np.array(pose.rotate(a, p)) - A.rotation @ p).max() < 1e-14
        assert np.abs(np.array(pose.rotate_back(a, pose.rotate(a, p))) - p).max() < 1e-14


def test_adjoint_and_twists_agree_with_pinocchio():
    for t, u in zip(twists(300, 3), twists(300, 4), strict=True):
        a = pose.exp(t)
        action = oracle(a).action
        assert np.abs(np.reshape(pose.adjoint(a), (6, 6)) - action).max() < 1e-14
        assert np.abs(np.array(pose.transform_twist(a, u)) - action @ u).max() < 4e-14


def test_exp_and_log_agree_with_pinocchio():
    # Pinocchio's (1 - cos t) / t^2 cancels: its translations are off by up to 20 eps / t at small angles. Its log
    # loses digits towards pi, so that is compared below 3 rad.
    for t in twists(500, 5, largest=10.0):
        a = pose.exp(t)
        angle = np.linalg.norm(t[3:])
        assert np.abs(np.array(a) - elements(pin.exp6(np.array(t)))).max() < 1e-14 + EPS / angle
    for t in twists(500, 6, largest=3.0):
        a = pose.exp(t)
        angle = np.linalg.norm(t[3:])
        assert np.abs(np.array(pose.log(a)) - pin.log6(oracle(a)).vector).max() < 2e-14 + 40 * EPS / angle


def test_log_undoes_exp_up_to_half_a_turn():
    """A5: relative to the twist at small angles, 1e-14 towards pi; in both forms of a pose."""
    worst = 0.0
    rng = np.random.default_rng(7)
    for k, t in enumerate(twists(2000, 8)):
        v, r = np.array(t[:3]), np.array(t[3:])
        if k % 2:
            r *= (math.pi - 10 ** rng.uniform(-14, -1)) / np.linalg.norm(r)
        t = (*v.tolist(), *r.tolist())
        worst = max(worst, np.abs(np.array(pose.log(pose.exp(t))) - t).max())
        back = np.array(rigid.log(rigid.exp(t)))
        worst = max(worst, np.abs(back - t).max())
        assert np.abs(back[3:] - r).max() <= 6 * EPS * np.linalg.norm(r)
    print(f"twist and back: worst component {worst:.1e}")
    assert worst < 1e-14


def series(first, step, t2, terms):
    """Sum of (-1)^k t2^k / (first + 2 k)! in exact arithmetic, ``step`` choosing the sign's alternation."""
    return sum((step**k) * t2**k / math.factorial(first + 2 * k) for k in range(terms))


@pytest.mark.parametrize("angle", [1e-8, 1e-4, 0.1, 0.3, 0.316, 0.3162, 0.3163, 0.32, 0.5, 1.0, 2.0, 3.0, math.pi])
def test_coefficients_are_those_of_the_exact_series_on_both_sides_of_the_switch(angle):
    t = Fraction(angle)
    a = float(series(2, -1, t * t, 30))  # (1 - cos t) / t^2
    b = float(series(3, -1, t * t, 30))  # (t - sin t) / t^3
    sine, cosine = t * series(1, -1, t * t, 30), series(0, -1, t * t, 30)
    c = float((1 - t * sine / (2 * (1 - cosine))) / (t * t))
    # V(r) of r = (0, 0, t) on (1, 0, 0) is (1 - b t^2, a t, 0); what is tested is the coefficient times its factor
    x, y, _ = pose.left_jacobian((0.0, 0.0, angle), (1.0, 0.0, 0.0))
    assert y == pytest.approx(a * angle, rel=6 * EPS)
    assert x == pytest.approx(1.0 - b * angle * angle, abs=2 * EPS)
    x, y, _ = pose.left_jacobian_inverse((0.0, 0.0, angle), (1.0, 0.0, 0.0))
    assert y == -0.5 * angle
    assert x == pytest.approx(1.0 - c * angle * angle, abs=3 * EPS)


def test_the_jacobian_and_its_inverse_undo_each_other():
    for t in twists(500, 9, largest=6.0):
        v, r = t[:3], t[3:]
        # within 0.3 rad of a whole turn the inverse is up to 20 times longer than what it is applied to
        assert np.abs(np.array(pose.left_jacobian_inverse(r, pose.left_jacobian(r, v))) - v).max() < 5e-14


def test_difference_pairs_with_base_axes():
    """Moving by a small twist in base axes, at the origin of the moving frame, changes the difference by that twist."""
    for t, u in zip(twists(100, 10), twists(100, 11, largest=1.0), strict=True):
        a = pose.exp(t)
        turned = quat.multiply(quat.exp(u[3:]), quat.from_matrix(pose.rotation(a)))
        p = np.array(pose.position(a)) + u[:3]
        b = pose.from_quaternion(turned, tuple(p.tolist()))
        assert np.abs(np.array(pose.difference(a, b)) - u).max() < 1e-14


def test_both_forms_of_a_pose_agree():
    rng = np.random.default_rng(12)
    for t, u in zip(twists(300, 13), twists(300, 14), strict=True):
        a, b = rigid.exp(t), rigid.exp(u)
        x, y = rigid.to_elements(a), rigid.to_elements(b)
        assert np.abs(np.array(rigid.to_elements(rigid.compose(a, b))) - pose.compose(x, y)).max() < 1e-14
        assert np.abs(np.array(rigid.to_elements(rigid.invert(a))) - pose.invert(x)).max() < 1e-14
        p = tuple(rng.uniform(-2, 2, 3).tolist())
        assert np.abs(np.array(rigid.transform_point(a, p)) - pose.transform_point(x, p)).max() < 1e-14
        back = rigid.from_elements(x)
        assert back[1] == a[1] and np.abs(np.array(back[0]) - a[0]).max() < 4 * EPS


def test_interpolation_is_the_straight_line_with_both_ends_exact():
    for t, u in zip(twists(200, 15), twists(200, 16), strict=True):
        a, b = rigid.exp(t), rigid.exp(u)
        assert rigid.interpolate(a, b, 0.0)[1] == a[1]
        assert rigid.interpolate(a, b, 1.0)[1] == b[1]
        for s in (0.25, 0.5, 0.75):
            q, p = rigid.interpolate(a, b, s)
            assert np.abs(np.array(p) - ((1 - s) * np.array(a[1]) + s * np.array(b[1]))).max() < 4 * EPS
            assert quat.angle_between(a[0], q) == pytest.approx(s * quat.angle_between(a[0], b[0]), abs=10 * EPS)
