"""Small symmetric systems and Gram-Schmidt against NumPy, on floats and on arrays."""

import numpy as np
import pytest

from motionkit.kernels import linear

LOWER = np.tril_indices(6)


def spd(rng, condition):
    q, _ = np.linalg.qr(rng.normal(size=(6, 6)))
    return (q * np.geomspace(1.0, 1.0 / condition, 6)) @ q.T


@pytest.mark.parametrize("condition", [1.0, 1e3, 1e6, 1e9])
def test_solution_matches_numpy_within_the_condition(condition):
    rng = np.random.default_rng(1)
    for _ in range(50):
        a, b = spd(rng, condition), rng.normal(size=6)
        x = np.array(linear.solve6(linear.factor6(tuple(a[LOWER].tolist())), tuple(b.tolist())))
        expected = np.linalg.solve(a, b)
        # a backward stable solution is off by about n * eps * condition
        assert np.linalg.norm(x - expected) <= 6 * 2.2e-16 * 10 * condition * np.linalg.norm(expected)


def test_arrays_give_the_bits_of_floats():
    rng = np.random.default_rng(2)
    systems = np.array([spd(rng, 1e3)[LOWER] for _ in range(20)])
    sides = rng.normal(size=(20, 6))
    together = linear.solve6(linear.factor6(tuple(systems.T)), tuple(sides.T))
    for k in range(20):
        alone = linear.solve6(linear.factor6(tuple(systems[k].tolist())), tuple(sides[k].tolist()))
        assert alone == tuple(x[k] for x in together)


@pytest.mark.parametrize(("count", "size"), [(6, 6), (6, 7), (3, 6)])
@pytest.mark.parametrize("smallest", [1.0, 1e-6, 1e-12])
def test_gram_schmidt_is_orthonormal_and_rebuilds_its_vectors(count, size, smallest):
    rng = np.random.default_rng(3)
    u, _ = np.linalg.qr(rng.normal(size=(count, count)))
    v, _ = np.linalg.qr(rng.normal(size=(size, size)))
    values = np.geomspace(1.0, smallest, count)
    a = (u * values) @ v[:count]
    work, r = a.reshape(-1).tolist(), [0.0] * (count * count)
    volume = linear.orthonormalize(count, size, work, 0, r, 0)
    q, lower = np.array(work).reshape(count, size), np.array(r).reshape(count, count)
    # twice is enough: orthogonality to rounding whatever the condition (a few eps for each of the n vectors)
    assert np.max(np.abs(q @ q.T - np.eye(count))) < 1e-14
    assert np.max(np.abs(lower @ q - a)) < 1e-14
    # the volume is right to eps * condition; by the determinant of A A^T, the control, it would be eps * condition**2
    assert volume == pytest.approx(np.prod(values), rel=1e-14 / smallest)
    if smallest == 1e-6:
        squared = np.sqrt(abs(np.linalg.det(a @ a.T)))
        assert abs(squared / np.prod(values) - 1.0) > abs(volume / np.prod(values) - 1.0)


def test_a_dependent_vector_has_no_volume():
    work, r = [1.0, 2.0, 2.0, 1.0, 2.0, 2.0], [0.0] * 4
    assert linear.orthonormalize(2, 3, work, 0, r, 0) == 0.0
    assert work[3:] == [0.0, 0.0, 0.0]
