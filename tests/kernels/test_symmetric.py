"""D5: eigenvalues of symmetric 3 x 3 matrices, distinct, nearly repeated and repeated, of every size."""

import math

import numpy as np
import pytest

from motionkit.kernels.symmetric import eigenvalues
from motionkit.robot.inertia import impossible

EPS = np.finfo(float).eps


def ours(m):
    m = m.tolist()
    return np.array(eigenvalues(m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]))


def trigonometric(m):
    """The control: all three roots of the cubic from one angle."""
    q = np.trace(m) / 3
    p = math.sqrt(np.sum((m - q * np.eye(3)) ** 2) / 6)
    r = np.linalg.det((m - q * np.eye(3)) / p) / 2
    angle = math.acos(max(-1.0, min(1.0, r))) / 3
    most, least = q + 2 * p * math.cos(angle), q + 2 * p * math.cos(angle + 2 * math.pi / 3)
    return np.array([least, 3 * q - most - least, most])


def turned(rng, moments):
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    m = q @ np.diag(moments) @ q.T
    return 0.5 * (m + m.T)


def test_d5_random_tensors_agree_with_lapack(capsys):
    rng, worst = np.random.default_rng(5), 0.0
    for _ in range(2000):
        a = rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-8, 8)
        m = 0.5 * (a + a.T)
        worst = max(worst, np.abs(ours(m) - np.linalg.eigvalsh(m)).max() / np.abs(m).max())
    with capsys.disabled():
        print(f"\nD5: random tensors agree with LAPACK within {worst:.1e} of their largest element")
    assert worst < 16 * EPS  # both within a few roundings of the largest element


@pytest.mark.parametrize("gap", [0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-8, 1e-4])
@pytest.mark.parametrize("third", [2.0, 0.5, 1.0, 1.0 + 1e-9])
def test_d5_repeated_and_nearly_repeated_roots(gap, third):
    rng = np.random.default_rng(6)
    for _ in range(100):
        moments = np.array([1.0, 1.0 + gap, third])
        m = turned(rng, moments)
        # the matrix itself is off by a few roundings: it is turned in doubles
        assert np.abs(ours(m) - np.sort(moments)).max() < 16 * EPS


def test_d5_control_the_trigonometric_form_is_off_by_1e_8_at_a_double_root(capsys):
    rng, theirs, own = np.random.default_rng(7), 0.0, 0.0
    for _ in range(500):
        moments = np.array([1.0, 1.0, 2.0])
        m = turned(rng, moments)
        theirs = max(theirs, np.abs(trigonometric(m) - moments).max())
        own = max(own, np.abs(ours(m) - moments).max())
    with capsys.disabled():
        print(f"\nD5: at a double root off by {own:.1e}, the trigonometric form by {theirs:.1e}")
    assert 3e-9 < theirs < 1e-7
    assert own < 16 * EPS


def test_d5_rods_and_plates_turned_at_random_are_bodies_and_the_trigonometric_form_refuses_some(capsys):
    """They sit at equality of the triangle inequality, which has a slack of 1e-9 of the trace."""
    rng, refused = np.random.default_rng(9), 0
    for _ in range(1000):
        a, b = 10.0 ** rng.uniform(-6, 3, size=2)
        for moments in ((0.0, a, a), (a, a, 2 * a), (a, b, a + b)):  # a rod, a disc, a plate
            m = turned(rng, np.array(moments))
            assert impossible(tuple(map(tuple, m.tolist()))) == ""
            least, middle, most = trigonometric(m)
            refused += least < -1e-9 * np.trace(m) or least + middle < most - 1e-9 * np.trace(m)
    with capsys.disabled():
        print(f"\nD5: of 3000 rods, discs and plates none is refused; the trigonometric form refuses {refused}")
    assert refused > 100


@pytest.mark.parametrize("size", [0.0, 1e-300, 1e-200, 1e-30, 1.0, 1e30, 1e200, 1e300])
def test_matrices_of_any_size(size):
    for moments in ((1, 1, 1), (1, 2, 3), (0, 1, 1), (-1, 0, 1), (0, 0, 1)):
        found = ours(size * np.diag(np.array(moments, dtype=float)))
        assert np.allclose(found, size * np.array(moments), rtol=4 * EPS, atol=4 * EPS * size)
    m = size * np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert np.allclose(ours(m), [-size, 0.0, size], rtol=4 * EPS, atol=4 * EPS * size)


def test_order_and_trace():
    rng = np.random.default_rng(8)
    for _ in range(500):
        m = turned(rng, rng.normal(size=3))
        found = ours(m)
        assert found[0] <= found[1] <= found[2]
        assert abs(found.sum() - np.trace(m)) < 32 * EPS * np.abs(m).max()
