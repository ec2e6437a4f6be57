"""Rotations: one representation each, staying on the manifold, angles at both ends, and SciPy as the reference."""

import copy
import math
import pickle

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import motionkit as mk

EPS = 2.220446049250313e-16


def drawn(count, seed):
    rng = np.random.default_rng(seed)
    return [mk.SO3.random(rng) for _ in range(count)]


def is_canonical(R):
    """A1: norm 1, and the first component that is not zero is positive."""
    q = R.wxyz
    leading = q[np.flatnonzero(q)[0]]
    return abs(np.sqrt(q @ q) - 1.0) <= 4 * EPS and leading > 0 and not np.signbit(q[q == 0.0]).any()


# ---- A1
def test_every_way_to_make_a_rotation_gives_the_canonical_quaternion():
    rng = np.random.default_rng(1)
    for R, S in zip(drawn(2000, 2), drawn(2000, 3), strict=True):
        made = [R, R.inverse(), R * S, R.interpolate(S, rng.random()), mk.SO3.from_matrix(R.matrix())]
        made += [mk.SO3.exp(rng.uniform(-9, 9, 3)), mk.SO3.from_rpy(*rng.uniform(-9, 9, 3))]
        made += [mk.SO3.from_axis_angle(rng.normal(size=3), rng.uniform(-9, 9)), mk.SO3.from_xyzw(-S.xyzw)]
        assert all(is_canonical(X) for X in made)


def test_half_turns_have_one_representation():
    for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0.6, 0.8], [0.6, -0.8, 0], [0, 0.8, -0.6]):
        q = np.array([0.0, *axis])
        R, S = mk.SO3.from_wxyz(q), mk.SO3.from_wxyz(-q)
        assert is_canonical(R) and R == S and hash(R) == hash(S)
        assert R.inverse() == R
        assert (R.log() == S.log()).all() and np.linalg.norm(R.log()) == pytest.approx(math.pi, rel=EPS)


def test_a_quaternion_and_its_negative_are_one_rotation():
    for R in drawn(500, 4):
        assert mk.SO3.from_wxyz(-R.wxyz) == R
        assert (mk.SO3.from_wxyz(-R.wxyz).log() == R.log()).all()


def test_a_unit_quaternion_keeps_its_bits():
    for R in drawn(5000, 5):
        assert mk.SO3.from_wxyz(R.wxyz).wxyz.tobytes() == R.wxyz.tobytes()
        assert mk.SO3.from_wxyz(*R.wxyz) == R
        assert mk.SO3.from_xyzw(R.xyzw) == R
        assert mk.SO3.from_xyzw(*R.xyzw) == R


def test_random_is_uniform():
    # a squared component of a uniform unit quaternion has mean and deviation 1/4: of 20 000 draws 5 sigma are 0.0089
    rng = np.random.default_rng(6)
    q = np.array([mk.SO3.random(rng).wxyz for _ in range(20000)])
    assert np.abs((q**2).mean(axis=0) - 0.25).max() < 0.0089
    # the angle of a uniform rotation has density (1 - cos t) / pi, hence mean pi/2 + 2/pi and deviation 0.65
    assert (2 * np.arccos(q[:, 0])).mean() == pytest.approx(math.pi / 2 + 2 / math.pi, abs=0.023)


# ---- A2
def test_a_hundred_thousand_products_stay_on_the_manifold():
    """A2: within 1e-12; the control is the product of matrices, which nothing brings back."""
    steps = drawn(1000, 7)
    matrices = [step.matrix() for step in steps]
    R, M = mk.SO3.identity(), np.eye(3)
    worst = 0.0
    for k in range(100_000):
        R = R * steps[k % 1000]
        M = M @ matrices[k % 1000]
        if k % 100 == 99:
            q = R.wxyz
            worst = max(worst, abs(np.sqrt(q @ q) - 1.0), np.abs(R.matrix().T @ R.matrix() - np.eye(3)).max())
    drift = np.abs(M.T @ M - np.eye(3)).max()
    print(f"after 100 000 products: {worst:.1e} off the manifold; matrices without renormalising {drift:.1e}")
    assert worst < 1e-12
    assert drift > 10 * worst  # the control


# ---- A3
def test_angles_between_nearly_equal_rotations_are_not_lost():
    """A3: quaternions 1.2e-15 apart; the arccosine form is the control."""
    worst, lost = 0.0, 0.0
    for R in drawn(500, 8):
        q = R.wxyz
        other = np.random.default_rng(9).normal(size=4)
        other -= (other @ q) * q
        S = mk.SO3.from_wxyz(q + 1.2e-15 * other / np.abs(other).max())
        worst = max(worst, R.angle_to(S))
        lost = max(lost, 2 * math.acos(min(1.0, abs(float(q @ S.wxyz)))))
    print(f"1.2e-15 apart: {worst:.1e} rad by atan2, up to {lost:.1e} rad by acos")
    assert 1e-15 < worst < 1e-14  # twice the distance of the quaternions, at most 2 * 2 * 1.2e-15
    assert lost > 1e-8


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-15, 1e-8, 1e-3, 1.0, 3.0, math.pi - 1e-8, math.pi - 1e-12, math.pi])
def test_an_angle_comes_back_at_every_size(angle):
    R = mk.SO3.from_axis_angle((1, -2, 3), angle)
    # the sum of squares below the square root underflows at 1e-300: nothing is left of that angle
    assert mk.SO3.identity().angle_to(R) == pytest.approx(angle, rel=4 * EPS, abs=1e-154)
    for S in drawn(50, 10):  # the product of two quaternions rounds at eps
        assert S.angle_to(S * R) == pytest.approx(angle, abs=6 * EPS)
        assert (S * R).angle_to(S) == pytest.approx(angle, abs=6 * EPS)


# ---- A4
def test_matrices_are_rotations():
    """A4: orthogonal and of determinant 1 whatever the rotation went through."""
    R = mk.SO3.identity()
    for S in drawn(2000, 11):
        R = (R * S).interpolate(S, 0.3).inverse()
        M = R.matrix()
        assert np.abs(M.T @ M - np.eye(3)).max() < 2e-15
        assert np.linalg.det(M) == pytest.approx(1.0, abs=2e-15)


AXES = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -1, 0), (0, 1, -1), (1, 1, 1), (1, 1e-8, 1e-8), (-3, 1, 2)]


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("off", [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, -1e-12, -1e-6])
def test_from_matrix_is_safe_near_pi_and_near_zero(axis, off):
    for angle in (math.pi - off, off):
        R = mk.SO3.from_axis_angle(axis, angle)
        S = mk.SO3.from_matrix(R.matrix())
        assert R.angle_to(S) < 2e-15  # a matrix element rounds at eps, and the angle is twice the quaternion's
        assert np.isfinite(S.log()).all()


def test_from_matrix_of_exact_quarter_turns_is_exact():
    for columns in ([0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]):
        for signs in np.ndindex(2, 2, 2):
            M = np.eye(3)[:, columns] * (1 - 2 * np.array(signs))
            if np.linalg.det(M) > 0:
                assert np.abs(mk.SO3.from_matrix(M).matrix() - M).max() < 4 * EPS


def test_single_precision_matrices_are_taken_and_brought_back():
    """A4: the error of float32 rounding goes, within 1e-12 of the nearest rotation."""
    for R in drawn(500, 12):
        single = R.matrix().astype(np.float32)
        S = mk.SO3.from_matrix(single)
        left, _, right = np.linalg.svd(single.astype(float))
        assert np.abs(S.matrix() - left @ right).max() < 1e-12
        assert R.angle_to(S) < 3e-7  # half an ulp of float32 on each element


def test_an_orthogonality_error_up_to_1e_6_is_taken_and_more_is_refused_with_its_amount():
    M = np.array(mk.SO3.from_rpy(0.3, 0.2, 0.1).matrix())
    mk.SO3.from_matrix(M * (1 + 0.49e-6))
    with pytest.raises(mk.InvalidRotation, match=r"1\.02e-06.*project=True"):
        mk.SO3.from_matrix(M * (1 + 0.51e-6))
    bent = M.copy()
    bent[0, 1] += 1e-3
    with pytest.raises(mk.InvalidRotation, match="orthogonality error"):
        mk.SO3.from_matrix(bent)
    with pytest.raises(mk.InvalidRotation, match="orthogonality error"):
        mk.SO3.from_matrix(np.zeros((3, 3)))
    with pytest.raises(mk.InvalidRotation, match=r"orthogonality error.* inf"):
        mk.SO3.from_matrix(np.full((3, 3), 1e200))


def test_a_reflection_is_refused():
    for M in (np.diag([1, 1, -1]), -np.eye(3), np.eye(3)[[1, 0, 2]]):
        with pytest.raises(mk.InvalidRotation, match="reflection"):
            mk.SO3.from_matrix(M)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("project", [False, True])
def test_a_matrix_with_no_number_is_refused(bad, project):
    for k in range(9):
        M = np.eye(3)
        M.flat[k] = bad
        with pytest.raises(mk.NotFinite, match="from_matrix"):
            mk.SO3.from_matrix(M, project=project)


def test_projection_gives_the_nearest_rotation():
    rng = np.random.default_rng(13)
    for R in drawn(200, 14):
        M = R.matrix() @ np.diag(rng.uniform(0.5, 2, 3)) + rng.normal(scale=0.1, size=(3, 3))
        near = mk.SO3.from_matrix(M, project=True)
        distance = np.linalg.norm(near.matrix() - M)
        for step in rng.normal(scale=1e-3, size=(10, 3)):  # every rotation beside it is further away
            assert np.linalg.norm((near * mk.SO3.exp(step)).matrix() - M) > distance
        assert near.angle_to(mk.SO3.from_matrix(1e-200 * M, project=True)) < 1e-14
        # the same as SciPy's, which aligns the axes with the rows of M
        other = Rotation.align_vectors(M.T, np.eye(3))[0].as_matrix()
        assert np.abs(near.matrix() - other).max() < 1e-13


def test_projection_of_a_flattened_matrix_is_a_rotation_and_of_an_ambiguous_one_an_error():
    flat = mk.SO3.from_matrix([[2, 0, 0], [0, 1, 0], [0, 0, -0.5]], project=True)
    assert flat == mk.SO3.identity()
    for M in (np.zeros((3, 3)), np.diag([1, 0, 0]), -np.eye(3), np.diag([1, 1, -1])):
        with pytest.raises(mk.InvalidRotation, match="no single rotation is nearest"):
            mk.SO3.from_matrix(M, project=True)


# ---- A5
def test_rotation_vectors_come_back_from_zero_to_pi():
    """A5: to a few ulps of the angle, also at 1e-300 and within an ulp of pi."""
    rng = np.random.default_rng(15)
    sizes = [1e-300, 1e-160, 1e-20, 1e-12, 1e-8, 1e-5, 1.9999e-4, 2.0001e-4, 1e-3, 1.0, 3.0]
    sizes += [math.pi - d for d in (1e-1, 1e-4, 1e-8, 1e-12, 1e-15)]
    worst = 0.0
    for angle in sizes:
        for _ in range(100):
            axis = rng.normal(size=3)
            r = axis / np.linalg.norm(axis) * angle
            worst = max(worst, np.abs(mk.SO3.exp(r).log() - r).max() / angle)
    print(f"exp and log: worst relative error {worst:.1e}")
    assert worst < 6 * EPS


def test_exp_of_zero_is_the_identity():
    assert mk.SO3.exp((0, 0, 0)) == mk.SO3.identity() == mk.SO3.exp((-0.0, 0.0, -0.0))
    assert (mk.SO3.identity().log() == 0.0).all()


def test_exp_of_log_is_the_rotation():
    for R in [*drawn(2000, 16), *(mk.SO3.from_axis_angle(a, math.pi) for a in AXES)]:
        assert R.angle_to(mk.SO3.exp(R.log())) < 3e-15  # pi times an ulp of it, and the axis


# ---- group, action, oracles
def test_rotations_are_a_group():
    one = mk.SO3.identity()
    for A, B, C in zip(drawn(500, 17), drawn(500, 18), drawn(500, 19), strict=True):
        assert ((A * B) * C).angle_to(A * (B * C)) < 3e-15
        assert (A * A.inverse()).angle_to(one) < 1e-15 and (A.inverse() * A).angle_to(one) < 1e-15
        assert (A * one).angle_to(A) < 1e-15 and (one * A).angle_to(A) < 1e-15
        assert (A * B).inverse().angle_to(B.inverse() * A.inverse()) < 1e-15
        assert A.inverse().inverse() == A
        assert A.angle_to(C) <= A.angle_to(B) + B.angle_to(C) + 1e-15


def test_rotations_agree_with_scipy_and_with_matrix_products():
    rng = np.random.default_rng(20)
    for A, B in zip(drawn(500, 21), drawn(500, 22), strict=True):
        a, b = Rotation.from_quat(A.xyzw), Rotation.from_quat(B.xyzw)
        assert np.abs((A * B).matrix() - A.matrix() @ B.matrix()).max() < 2e-15
        assert np.abs((A * B).matrix() - (a * b).as_matrix()).max() < 2e-15
        assert np.abs(A.log() - a.as_rotvec()).max() < 4e-15
        assert A.angle_to(B) == pytest.approx((a.inv() * b).magnitude(), abs=4e-15)
        r = rng.uniform(-3, 3, 3)
        assert np.abs(mk.SO3.exp(r).matrix() - Rotation.from_rotvec(r).as_matrix()).max() < 2e-15


def test_points_are_turned_without_changing_lengths_or_angles():
    rng = np.random.default_rng(23)
    for R in drawn(200, 24):
        points = rng.normal(size=(5, 3))
        turned = R * points
        assert turned.shape == (5, 3)
        assert np.abs(turned @ turned.T - points @ points.T).max() < 4e-14  # dot products of up to 20
        assert np.abs(turned - points @ R.matrix().T).max() < 4e-15 * np.abs(points).max()
        for one, many in zip(points, turned, strict=True):
            assert ((R * one) == many).all()  # one point and many: the same bits
    assert (R * np.empty((0, 3))).shape == (0, 3)
    assert (mk.SO3.from_axis_angle((0, 0, 2), math.pi / 2) * (1, 0, 0)).round(12).tolist() == [0, 1, 0]
    assert (mk.SO3.from_axis_angle((0, 0, 2), math.pi / 2) * [[1, 0, 0]]).round(12).tolist() == [[0, 1, 0]]


def test_interpolation_is_even_and_exact_at_both_ends():
    for A, B in zip(drawn(300, 25), drawn(300, 26), strict=True):
        assert A.interpolate(B, 0) == A and A.interpolate(B, 1) == B
        for t in (1e-9, 0.25, 0.5, 0.75, 1 - 1e-9):
            M = A.interpolate(B, t)
            assert A.angle_to(M) == pytest.approx(t * A.angle_to(B), abs=3e-15)
            assert M.angle_to(B) == pytest.approx((1 - t) * A.angle_to(B), abs=3e-15)
    quarter = mk.SO3.from_rpy(0, 0, 0.5)
    assert quarter.inverse().interpolate(quarter, 2.0).rpy() == pytest.approx([0, 0, 1.5], abs=2e-15)


def test_axis_angle_takes_axes_of_any_length():
    want = mk.SO3.exp((0.3, 0.0, 0.4))
    for length in (1e-300, 1e-3, 5.0, 1e300):
        assert mk.SO3.from_axis_angle(np.array([0.6, 0, 0.8]) * length, 0.5).angle_to(want) < 4 * EPS
    assert mk.SO3.from_axis_angle((0, 0, 1), -0.5) == mk.SO3.from_axis_angle((0, 0, -1), 0.5)


# ---- as a value
def test_rotations_are_values():
    R, S = drawn(2, 27)
    assert R == mk.SO3.from_wxyz(R.wxyz) and R != S and R != "R" and len({R, S, mk.SO3.from_wxyz(R.wxyz)}) == 2
    for other in (pickle.loads(pickle.dumps(R)), copy.copy(R), copy.deepcopy(R), eval(repr(R), {"SO3": mk.SO3})):
        assert other == R and other.wxyz.tobytes() == R.wxyz.tobytes()


def test_rotations_cannot_be_changed():
    R = mk.SO3.identity()
    with pytest.raises(AttributeError, match="immutable"):
        R._q = (0.0, 1.0, 0.0, 0.0)
    with pytest.raises(AttributeError):
        R.extra = 1
    with pytest.raises(AttributeError, match="immutable"):
        del R._q
    R.wxyz[0] = 5.0
    R.matrix()[0, 0] = 5.0
    assert R == mk.SO3.identity()
    assert R.quaternion == (1.0, 0.0, 0.0, 0.0)


def test_an_array_does_not_swallow_a_rotation():
    with pytest.raises(TypeError):
        np.eye(3) * mk.SO3.identity()
