"""Quaternion helpers: known values, SciPy's rotations as the independent reference, both ends of every range."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motionkit.kernels import orthogonal, quat

EPS = 2.220446049250313e-16


def drawn(count, seed):
    """Uniform unit quaternions as tuples of floats."""
    rows = np.random.default_rng(seed).standard_normal((count, 4))
    return [quat.normalize(tuple(q)) for q in rows.tolist()]


def scipy_of(q):
    return Rotation.from_quat([q[1], q[2], q[3], q[0]])


def apart(a, b):
    """Componentwise distance of two quaternions as rotations, without regard to sign."""
    a, b = np.array(a), np.array(b)
    return min(np.abs(a - b).max(), np.abs(a + b).max())


def test_products_and_matrices_agree_with_scipy():
    # a handful of products of numbers below 1, each rounded once, and a norm that either side has rounded its own way
    for a, b in zip(drawn(500, 1), drawn(500, 2), strict=True):
        assert apart(quat.multiply(a, b), np.roll((scipy_of(a) * scipy_of(b)).as_quat(), 1)) < 4 * EPS
        matrix = np.reshape(quat.to_matrix(a), (3, 3))
        assert np.abs(matrix - scipy_of(a).as_matrix()).max() < 6 * EPS
        v = (b[1], b[2], b[3])
        assert np.abs(np.array(quat.rotate(a, v)) - matrix @ v).max() < 6 * EPS


def test_a_conjugate_undoes():
    for q in drawn(200, 3):
        assert apart(quat.multiply(q, quat.conjugate(q)), (1.0, 0.0, 0.0, 0.0)) < 4 * EPS  # the norm, squared


@pytest.mark.parametrize(
    ("q", "want"),
    [
        ((-0.6, 0.8, 0.0, 0.0), (0.6, -0.8, 0.0, 0.0)),
        ((0.0, -1.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)),
        ((-0.0, 0.0, -0.6, 0.8), (0.0, 0.0, 0.6, -0.8)),
        ((0.0, 0.0, 0.0, -1.0), (0.0, 0.0, 0.0, 1.0)),
        ((1.0, -0.0, -0.0, -0.0), (1.0, 0.0, 0.0, 0.0)),
    ],
)
def test_canonical_picks_one_of_the_two_and_leaves_no_negative_zero(q, want):
    for given in (q, tuple(-x for x in q)):
        got = quat.canonical(given)
        assert got == want
        assert not any(x == 0.0 and math.copysign(1.0, x) < 0 for x in got)


def test_normalize_divides_by_the_norm_and_leaves_zero_alone():
    assert quat.normalize((0.0, 3.0, 0.0, -4.0)) == (0.0, 0.6, 0.0, -0.8)
    assert quat.normalize((0.0, 0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0, 0.0)


def test_the_matrix_inverse_has_no_bad_angle():
    """A4: every angle up to pi, about axes along and between the coordinate axes."""
    axes = [np.array(v, dtype=float) for v in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (1, -1, 0), (1e-9, 1, 0))]
    worst = 0.0
    for axis in axes:
        for angle in (0, 1e-12, 1e-8, 1e-3, 1, 2, 3, math.pi - 1e-3, math.pi - 1e-8, math.pi - 1e-12, math.pi):
            q = quat.from_axis_angle(tuple((axis / np.linalg.norm(axis)).tolist()), float(angle))
            worst = max(worst, apart(q, quat.from_matrix(quat.to_matrix(q))))
    for q in drawn(2000, 4):
        worst = max(worst, apart(q, quat.from_matrix(quat.to_matrix(q))))
    print(f"matrix and back: worst component {worst:.1e}")
    assert worst < 4 * EPS  # the elements are sums of two products, the pivot's square root halves their error


def test_the_matrix_inverse_of_exact_half_turns():
    """A matrix with no zero on the anti-diagonal was log(R) = NaN in a widely used library."""
    m = (0.0, -1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, -1.0)
    r = np.array(quat.log(quat.from_matrix(m)))
    assert np.linalg.norm(r) == pytest.approx(math.pi, abs=EPS)
    assert np.abs(np.reshape(quat.to_matrix(quat.exp(tuple(r.tolist()))), 9) - m).max() < 4 * EPS


def test_exp_and_log_agree_with_scipy_from_the_smallest_angle_to_pi():
    rng = np.random.default_rng(5)
    for _ in range(1000):
        axis = rng.standard_normal(3)
        axis /= np.linalg.norm(axis)
        angle = math.pi - 10 ** rng.uniform(-15, 0) if rng.random() < 0.5 else 10 ** rng.uniform(-15, 0.49)
        r = tuple((axis * angle).tolist())
        q = quat.exp(r)
        assert apart(q, np.roll(Rotation.from_rotvec(r).as_quat(), 1)) < 4 * EPS
        # relative to the angle: a small rotation vector keeps all its digits
        assert np.abs(np.array(quat.log(q)) - r).max() < 6 * EPS * angle


def test_exp_and_log_join_their_series_without_a_step():
    """A5: on both sides of the switch, and at zero."""
    assert quat.exp((0.0, 0.0, 0.0)) == (1.0, 0.0, 0.0, 0.0)
    assert quat.log((1.0, 0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)
    for angle in np.concatenate([np.linspace(0.9e-4, 1.1e-4, 101), np.linspace(1.9e-4, 2.1e-4, 101)]).tolist():
        w, x, _, _ = quat.exp((angle, 0.0, 0.0))
        assert x == pytest.approx(math.sin(angle / 2), rel=2 * EPS) and w == pytest.approx(math.cos(angle / 2), rel=EPS)
        assert quat.log((math.cos(angle / 2), math.sin(angle / 2), 0.0, 0.0))[0] == pytest.approx(angle, rel=4 * EPS)


def test_log_takes_the_shorter_way_whatever_the_sign():
    for q in drawn(300, 6):
        r = np.array(quat.log(q))
        assert np.linalg.norm(r) <= math.pi
        assert (r == quat.log(tuple(-x for x in q))).all() or q[0] == 0.0


def test_slerp_meets_both_ends_and_turns_evenly():
    for a, b in zip(drawn(300, 7), drawn(300, 8), strict=True):
        assert quat.slerp(a, b, 0.0) == a
        assert apart(quat.slerp(a, b, 1.0), b) == 0.0
        whole = quat.angle_between(a, b)
        before = a
        for t in (0.125, 0.25, 0.5, 0.50001, 0.75, 1.0):
            q = quat.slerp(a, b, t)
            assert quat.angle_between(a, q) == pytest.approx(t * whole, abs=10 * EPS)
            # the sign does not jump, so the components can be differenced
            assert sum(x * y for x, y in zip(before, q, strict=True)) > 0.0
            before = q


def test_rotation_error_is_the_turn_in_base_axes_from_one_matrix_to_the_other():
    for a, b in zip(drawn(200, 9), drawn(200, 10), strict=True):
        r = quat.rotation_error(quat.to_matrix(a), quat.to_matrix(b))
        assert apart(quat.multiply(quat.exp(r), a), b) < 8 * EPS
    assert quat.rotation_error(quat.to_matrix(a), quat.to_matrix(a)) == pytest.approx((0, 0, 0), abs=4 * EPS)


def test_rpy_agrees_with_scipy_away_from_the_lock():
    rng = np.random.default_rng(12)
    for roll, pitch, yaw in rng.uniform(-3, 3, (500, 3)).tolist():
        want = Rotation.from_euler("xyz", [roll, pitch, yaw])
        q = quat.from_rpy(roll, pitch, yaw)
        assert apart(q, np.roll(want.as_quat(), 1)) < 4 * EPS
        if abs(math.cos(pitch)) > 0.1:  # there SciPy's own angles are good to a few ulps
            assert np.abs(np.array(quat.to_rpy(q)) - want.as_euler("xyz")).max() < 1e-14


def test_half_turn_range_brings_every_sum_of_two_angles_home():
    assert quat.half_turn_range(-math.pi) == math.pi
    assert quat.half_turn_range(math.pi) == math.pi
    assert quat.half_turn_range(2 * math.pi) == 0.0
    assert quat.half_turn_range(4.0) == 4.0 - 2 * math.pi
    assert math.copysign(1.0, quat.half_turn_range(-0.0)) == 1.0


def test_orthogonality_error_and_determinant():
    identity = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    assert orthogonal.orthogonality_error(identity) == 0.0
    for k in range(9):  # every element counts
        bent = tuple(x + (1e-3 if i == k else 0.0) for i, x in enumerate(identity))
        assert 1e-3 <= orthogonal.orthogonality_error(bent) < 3e-3
    assert orthogonal.orthogonality_error(tuple(1e200 * x for x in range(1, 10))) == math.inf
    m = np.random.default_rng(13).standard_normal((3, 3))
    assert orthogonal.determinant(tuple(m.ravel().tolist())) == pytest.approx(np.linalg.det(m), rel=8 * EPS)


def test_one_newton_step_takes_an_error_to_its_square_and_keeps_exact_matrices():
    rng = np.random.default_rng(14)
    for q in drawn(100, 15):
        m = np.array(quat.to_matrix(q)) + rng.uniform(-1e-7, 1e-7, 9)
        left, _, right = np.linalg.svd(m.reshape(3, 3))
        once = orthogonal.orthogonalize(tuple(m.tolist()))
        assert orthogonal.orthogonality_error(tuple(m.tolist())) > 1e-9
        # 3/4 of the square of an error below 4e-7, and rounding
        assert np.abs(np.reshape(once, (3, 3)) - left @ right).max() < 2e-13
    for exact in ((0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0), (-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0)):
        assert orthogonal.orthogonalize(exact) == exact
