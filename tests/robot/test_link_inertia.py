"""Mass properties of a link as a record: what it holds, how it turns, and what is no inertia at all."""

import math
import pickle

import numpy as np
import pytest

import motionkit as mk
from motionkit.robot.inertia import turned_tensor


def test_it_holds_what_it_was_given():
    tensor = [[3.0, 0.1, 0.2], [0.1, 4.0, 0.3], [0.2, 0.3, 5.0]]
    body = mk.LinkInertia(2, np.array([0.1, 0.2, 0.3]), tensor)
    assert (body.mass, body.com) == (2.0, (0.1, 0.2, 0.3))
    assert body.matrix().tolist() == tensor
    assert np.allclose(body.principal_moments(), np.linalg.eigvalsh(tensor), rtol=1e-14)
    assert pickle.loads(pickle.dumps(body)) == body
    assert hash(body) == hash(mk.LinkInertia(2.0, (0.1, 0.2, 0.3), tensor))
    with pytest.raises(AttributeError):
        body.mass = 3.0


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ((math.nan, (0, 0, 0), np.eye(3)), mk.NotFinite, "mass"),
        ((1.0, (0, 0, math.inf), np.eye(3)), mk.NotFinite, "centre of mass"),
        ((1.0, (0, 0, 0), np.full((3, 3), math.nan)), mk.NotFinite, "inertia"),
        ((1.0, (0, 0), np.eye(3)), mk.WrongLength, "centre of mass"),
        ((1.0, (0, 0, 0), [1, 2, 3]), mk.WrongLength, "inertia"),
        (("heavy", (0, 0, 0), np.eye(3)), mk.KindMismatch, "mass"),
        ((1.0, (0, 0, 0), [[1], [2, 3]]), mk.KindMismatch, "inertia"),
    ],
)
def test_what_is_no_inertia_is_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        mk.LinkInertia(*arguments)


def test_a_turned_tensor_is_that_of_the_turned_body():
    rng = np.random.default_rng(8)
    for _ in range(50):
        a = rng.normal(size=(3, 3))
        tensor = tuple(map(tuple, (a + a.T).tolist()))
        rotation = mk.SO3.random(rng)
        R = rotation.matrix()
        turned = np.array(turned_tensor(rotation, tensor))
        assert np.allclose(turned, R @ tensor @ R.T, rtol=0, atol=1e-14)
        assert np.array_equal(turned, turned.T)
    assert turned_tensor(mk.SO3.identity(), tensor) is tensor


def test_a_cylinder_is_the_sum_of_its_points():
    """Forty thousand points spread through the cylinder have its centre and its moments."""
    start, end, radius, mass = np.array([0.1, -0.2, 0.3]), np.array([0.4, 0.2, 0.3]), 0.05, 2.0
    body = mk.LinkInertia.cylinder(mass, radius, start, end)
    k = np.arange(40000) + 0.5
    u, v, w = k / 40000, np.mod(k * 0.7548776662466927, 1), np.mod(k * 0.5698402909980532, 1)
    along = end - start
    e = along / np.linalg.norm(along)
    f = np.array([-e[1], e[0], 0.0])
    g = np.cross(e, f)
    r, turn = radius * np.sqrt(v), 2 * math.pi * w
    points = start + u[:, None] * along + (r * np.cos(turn))[:, None] * f + (r * np.sin(turn))[:, None] * g
    away = points - body.com
    square = np.sum(away * away, axis=1)
    tensor = mass * (np.mean(square) * np.eye(3) - np.einsum("ki,kj->ij", away, away) / len(points))
    assert np.allclose(body.com, [0.25, 0, 0.3], rtol=0, atol=1e-15)
    # an even spread of 40000 points integrates to a few 1e-5
    assert np.allclose(tensor, body.matrix(), rtol=0, atol=2e-4 * body.principal_moments()[-1])


def test_a_cylinder_needs_a_length():
    with pytest.raises(mk.DegenerateGeometry, match="two different end points"):
        mk.LinkInertia.cylinder(1.0, 0.1, (0, 0, 0), (0, 0, 0))
