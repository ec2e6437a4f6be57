"""Poses: group axioms, isometry, twists and adjoints, agreement with matrix products and with Pinocchio."""

import copy
import math
import pickle

import numpy as np
import pinocchio as pin
import pytest
from scipy.linalg import expm

import motionkit as mk

EPS = 2.220446049250313e-16


def drawn(count, seed):
    rng = np.random.default_rng(seed)
    return [mk.SE3.random(rng) for _ in range(count)]


def twists(count, seed, largest=math.pi - 1e-3):
    """Twists with angles from 1e-9 to ``largest`` rad."""
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(count, 3))
    axes *= (largest * 10 ** rng.uniform(-9, 0, count) / np.linalg.norm(axes, axis=1))[:, None]
    return np.hstack([rng.uniform(-2, 2, (count, 3)), axes])


def apart(A, B):
    """The larger of the angle (rad) and the distance (m) between two poses."""
    return max(A.rotation.angle_to(B.rotation), np.linalg.norm(A.translation - B.translation))


# ---- A7
def test_poses_are_a_group():
    # translations of up to 3 m and a rotation each rounded a few times
    one = mk.SE3.identity()
    for A, B, C in zip(drawn(500, 1), drawn(500, 2), drawn(500, 3), strict=True):
        assert apart((A * B) * C, A * (B * C)) < 4e-15
        assert apart(A * A.inverse(), one) < 2e-15 and apart(A.inverse() * A, one) < 2e-15
        assert apart(A * one, A) < 1e-15 and apart(one * A, A) < 1e-15
        assert apart((A * B).inverse(), B.inverse() * A.inverse()) < 4e-15
        assert apart(A.inverse().inverse(), A) < 2e-15


def test_products_inverses_and_points_agree_with_matrices():
    rng = np.random.default_rng(4)
    for A, B in zip(drawn(500, 5), drawn(500, 6), strict=True):
        assert np.abs((A * B).matrix() - A.matrix() @ B.matrix()).max() < 3e-15
        assert np.abs(A.inverse().matrix() - np.linalg.inv(A.matrix())).max() < 4e-15
        points = rng.normal(size=(7, 3))
        moved = A * points
        homogeneous = np.hstack([points, np.ones((7, 1))]) @ A.matrix().T
        assert moved.shape == (7, 3) and np.abs(moved - homogeneous[:, :3]).max() < 8e-15
        for one, many in zip(points, moved, strict=True):
            assert ((A * one) == many).all()  # one point and many: the same bits
        assert np.abs((A * B) * points - A * (B * points)).max() < 1e-14
        assert np.abs(A.inverse() * moved - points).max() < 1e-14
    assert (A * np.empty((0, 3))).shape == (0, 3)


def test_poses_keep_distances_and_handedness():
    rng = np.random.default_rng(7)
    for A in drawn(300, 8):
        p = rng.normal(size=(4, 3))
        m = A * p
        assert np.linalg.norm(m[0] - m[1]) == pytest.approx(np.linalg.norm(p[0] - p[1]), rel=4 * EPS, abs=2e-15)
        volume, moved = np.linalg.det(p[1:] - p[0]), np.linalg.det(m[1:] - m[0])
        assert moved == pytest.approx(volume, abs=1e-13)


def test_agreement_with_pinocchio():
    for A, B in zip(drawn(300, 9), drawn(300, 10), strict=True):
        a, b = pin.SE3(A.matrix()), pin.SE3(B.matrix())
        assert np.abs((A * B).matrix() - (a * b).homogeneous).max() < 3e-15
        assert np.abs(A.inverse().matrix() - a.inverse().homogeneous).max() < 3e-15
        assert np.abs(A.adjoint() - a.action).max() < 3e-15
        if mk.SO3.identity().angle_to(A.rotation) < 3.0:  # Pinocchio's logarithm loses digits towards pi
            assert np.abs(A.log() - pin.log6(a).vector).max() < 4e-14


def test_twists_and_poses_go_into_one_another():
    """A5, A7: from 1e-9 rad to within 1e-3 of pi; the exponential of the 4 by 4 matrix is the reference."""
    for t in twists(300, 11):
        T = mk.SE3.exp(t)
        assert np.abs(T.log() - t).max() < 1e-14
        x, y, z = t[3:]
        matrix = np.array([[0, -z, y, t[0]], [z, 0, -x, t[1]], [-y, x, 0, t[2]], [0, 0, 0, 0]])
        assert np.abs(T.matrix() - expm(matrix)).max() < 2e-14  # expm squares up to 3 times
    for A in drawn(1000, 12):
        assert apart(mk.SE3.exp(A.log()), A) < 1e-14
    assert mk.SE3.exp(np.zeros(6)) == mk.SE3.identity()
    assert (mk.SE3.identity().log() == 0).all()


@pytest.mark.parametrize("off", [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3])
@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (1, -1, 0), (0, 1, -1), (-3, 1, 2)])
def test_logarithms_are_right_near_half_a_turn(axis, off):
    """A5: a pose a hair from pi comes back through its logarithm."""
    T = mk.SE3(mk.SO3.from_axis_angle(axis, math.pi - off), (0.3, -1.0, 2.0))
    assert np.isfinite(T.log()).all()
    assert np.linalg.norm(T.log()[3:]) == pytest.approx(math.pi - off, rel=2 * EPS)
    assert apart(mk.SE3.exp(T.log()), T) < 1e-14


def test_a_quarter_screw():
    """A radius of 1 m: a quarter turn at pi/2 m/s sideways ends at (1, 1)."""
    T = mk.SE3.exp((math.pi / 2, 0, 0, 0, 0, math.pi / 2))
    assert T.translation == pytest.approx([1, 1, 0], abs=4 * EPS)
    assert T.rotation.angle_to(mk.SO3.from_rpy(0, 0, math.pi / 2)) < 2 * EPS


def test_adjoints_carry_twists():
    for A, B, t in zip(drawn(200, 13), drawn(200, 14), twists(200, 15), strict=True):
        # a conjugated motion is the motion of the carried twist
        assert apart(A * mk.SE3.exp(t) * A.inverse(), mk.SE3.exp(A.adjoint() @ t)) < 4e-14
        assert np.abs((A * B).adjoint() - A.adjoint() @ B.adjoint()).max() < 1e-14
        assert np.abs(A.inverse().adjoint() @ A.adjoint() - np.eye(6)).max() < 1e-14
        # linear rows first: a pure rotation about a far axis moves the origin
    far = mk.SE3.from_translation((2, 0, 0)).adjoint() @ [0, 0, 0, 0, 0, 1]
    assert far.tolist() == [0, -2, 0, 0, 0, 1]


def test_power_does_not_depend_on_the_frame():
    rng = np.random.default_rng(16)
    for A in drawn(100, 17):
        twist_b, wrench_a = rng.normal(size=(2, 6))
        assert wrench_a @ (A.adjoint() @ twist_b) == pytest.approx((A.adjoint().T @ wrench_a) @ twist_b, abs=1e-13)


def test_interpolation_is_a_straight_line_and_an_even_turn():
    for A, B in zip(drawn(300, 18), drawn(300, 19), strict=True):
        assert A.interpolate(B, 0.0) == A and A.interpolate(B, 1.0) == B
        for t in (1e-9, 0.25, 0.5, 0.75, 1 - 1e-9):
            M = A.interpolate(B, t)
            assert np.abs(M.translation - ((1 - t) * A.translation + t * B.translation)).max() < 2 * EPS
            assert M.rotation == A.rotation.interpolate(B.rotation, t)
            assert A.rotation.angle_to(M.rotation) == pytest.approx(t * A.rotation.angle_to(B.rotation), abs=3e-15)


def test_matrices_come_back():
    for A in drawn(500, 20):
        T = mk.SE3.from_matrix(A.matrix())
        assert T.rotation.angle_to(A.rotation) < 2e-15
        assert T.translation.tobytes() == A.translation.tobytes()
        single = mk.SE3.from_matrix(A.matrix().astype(np.float32))
        assert apart(single, A) < 4e-7  # half an ulp of float32 on each element
    out = np.full((4, 4), np.nan)
    assert A.matrix(out) is out and (out == A.matrix()).all()
    assert A.matrix()[3].tolist() == [0, 0, 0, 1]


def test_elements_are_the_first_three_rows_regrouped():
    for A in drawn(100, 21):
        e = A.elements
        M = A.matrix()
        assert (np.reshape(e[:9], (3, 3)) == M[:3, :3]).all() and (np.array(e[9:]) == M[:3, 3]).all()
        assert apart(mk.SE3.from_elements(e), A) < 2e-15
        assert A.parts == (A.rotation.quaternion, tuple(A.translation.tolist()))


def test_random_translations_fill_the_unit_cube():
    t = np.array([A.translation for A in drawn(5000, 22)])
    assert t.min() >= 0 and t.max() < 1
    assert np.abs(t.mean(axis=0) - 0.5).max() < 0.021  # 5 sigma: sqrt(1/12 / 5000) = 0.0041


# ---- refusals
def test_a_projected_matrix_has_the_nearest_rotation():
    M = np.diag([2.0, 1.0, 0.5, 1.0])
    M[:3, 3] = 1, 2, 3
    with pytest.raises(mk.InvalidRotation, match=r"SE3\.from_matrix.*orthogonality error"):
        mk.SE3.from_matrix(M)
    assert mk.SE3.from_matrix(M, project=True) == mk.SE3.from_translation((1, 2, 3))


def test_a_transposed_matrix_is_recognised():
    with pytest.raises(mk.InvalidRotation, match="transposed"):
        mk.SE3.from_matrix(mk.SE3.from_translation((1, 0, 0)).matrix().T)
    with pytest.raises(mk.InvalidRotation, match="bottom row"):
        mk.SE3.from_matrix(np.diag([1, 1, 1, 2]))


def test_a_reflection_is_refused():
    with pytest.raises(mk.InvalidRotation, match="reflection"):
        mk.SE3.from_matrix(np.diag([1, 1, -1, 1]))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_refused(bad):
    with pytest.raises(mk.NotFinite, match="translation"):
        mk.SE3.from_translation((0, bad, 0))
    with pytest.raises(mk.NotFinite, match="translation"):
        mk.SE3(mk.SO3.identity(), (0.0, 0.0, bad))
    for k in range(16):
        M = np.eye(4)
        M.flat[k] = bad
        with pytest.raises(mk.NotFinite):
            mk.SE3.from_matrix(M)
    for k in range(6):
        t = np.zeros(6)
        t[k] = bad
        with pytest.raises(mk.NotFinite):
            mk.SE3.exp(t)
    with pytest.raises(mk.NotFinite):
        mk.SE3.identity() * (0, 0, bad)
    with pytest.raises(mk.NotFinite):
        mk.SE3.identity().interpolate(mk.SE3.identity(), bad)


def test_wrong_kinds_and_shapes_are_refused():
    one = mk.SE3.identity()
    with pytest.raises(mk.KindMismatch, match=r"expected an SO3.*ndarray"):
        mk.SE3(np.eye(3), (0, 0, 0))
    with pytest.raises(mk.KindMismatch, match="expected an SE3"):
        one.interpolate(mk.SO3.identity(), 0.5)
    for call in (
        lambda: mk.SE3.from_translation((0, 0)),
        lambda: mk.SE3.from_translation(np.zeros((3, 1))),
        lambda: mk.SE3.from_matrix(np.eye(3)),
        lambda: mk.SE3.exp(np.zeros(3)),
        lambda: one * np.zeros((3, 4)),
        lambda: one * np.zeros((2, 2, 3)),
        lambda: one * 2.0,
        lambda: one.matrix(np.zeros((3, 4))),
        lambda: one.matrix(np.zeros((4, 4), order="F")),
        lambda: one.matrix(np.zeros((8, 4))[::2]),
    ):
        with pytest.raises(mk.WrongLength):
            call()
    for call in (lambda: one.matrix(np.zeros((4, 4), dtype=np.float32)), lambda: one.matrix([[0.0] * 4] * 4)):
        with pytest.raises(mk.KindMismatch):
            call()
    fixed = np.zeros((4, 4))
    fixed.setflags(write=False)
    with pytest.raises(mk.WrongLength, match="writable: False"):
        one.matrix(fixed)


def test_a_twist_beyond_a_million_radians_is_refused():
    mk.SE3.exp((0, 0, 0, 1e6, 0, 0))
    with pytest.raises(mk.InvalidRotation, match="1e\\+06 rad"):
        mk.SE3.exp((0, 0, 0, 8e5, 8e5, 0))


# ---- as a value
def test_poses_are_values():
    A, B = drawn(2, 23)
    assert A == mk.SE3(A.rotation, A.translation) and A != B and A != 1
    assert A != mk.SE3(A.rotation, B.translation) and A != mk.SE3(B.rotation, A.translation)
    assert len({A, B, mk.SE3(A.rotation, A.translation)}) == 2
    for other in (
        pickle.loads(pickle.dumps(A)),
        copy.copy(A),
        copy.deepcopy(A),
        eval(repr(A), {"SO3": mk.SO3, "SE3": mk.SE3}),
    ):
        assert other == A and other.parts == A.parts


def test_poses_cannot_be_changed():
    T = mk.SE3.from_translation((1, 2, 3))
    with pytest.raises(AttributeError, match="immutable"):
        T._p = (0.0, 0.0, 0.0)
    with pytest.raises(AttributeError, match="immutable"):
        del T._p
    T.translation[0] = 9.0
    given = np.array([4.0, 5.0, 6.0])
    U = mk.SE3.from_translation(given)
    given[0] = 9.0
    assert T.translation.tolist() == [1, 2, 3] and U.translation.tolist() == [4, 5, 6]
    with pytest.raises(TypeError):
        np.eye(4) * T


def test_rotation_only_poses():
    R = mk.SO3.from_rpy(0.1, 0.2, 0.3)
    assert mk.SE3.from_rotation(R) == mk.SE3(R, (0, 0, 0))
