"""Every helper of rotations and poses gives the same bits on floats and on arrays, whatever the numbers."""

import inspect
import math

import numpy as np
import pytest

from motionkit.kernels import orthogonal, pose, quat, rigid, trig, vector
from motionkit.kernels._contract import HELPERS

ROWS = 96
SIZES = {"Any": 1, "Vector": 3, "Quaternion": 4, "Twist": 6, "Rigid": 7, "Matrix": 9, "Pose": 12}
MODULES = (orthogonal, pose, quat, rigid, vector)
NAMED = {
    **{name: f for name, f in HELPERS.items() if any(name.startswith(m.__name__ + ".") for m in MODULES)},
    "motionkit.kernels.trig.sincos": trig.sincos,
    "motionkit.kernels.trig.atan2": trig.atan2,
}


def special_quaternions():
    """Rotations at which some branch could have been: no turn, half turns, a locked pitch, both signs, zeros."""
    h = math.sqrt(0.5)
    rows = [(1, 0, 0, 0), (-1, 0, 0, 0), (0, 1, 0, 0), (0, -1, 0, 0), (0, 0, 1, 0), (0, 0, 0, -1), (-0.0, 0, 0, 1)]
    rows += [(h, 0, h, 0), (h, 0, -h, 0), (0, h, 0, h), (0.5, 0.5, 0.5, 0.5), (-0.5, 0.5, -0.5, 0.5), (0, 0, 0, 0)]
    rows += [(1, 1e-9, 0, 0), (1, 1e-4, 0, 0), (1e-9, 0, 1, 0), (-1e-17, 0.6, 0, 0.8), (1, 5e-324, 0, 0)]
    return np.array(rows, dtype=float)


def numbers(kind, rng):
    """Rows of numbers for one argument, special ones first."""
    if kind == "Any":
        return np.concatenate([[0.0, -0.0, 1.0, -1.0, 0.5, math.pi, -math.pi], rng.normal(size=ROWS - 7)])[:, None]
    if kind == "Quaternion":
        rows = rng.normal(size=(ROWS, 4))
        rows /= np.linalg.norm(rows, axis=1)[:, None]
        rows[: len(special_quaternions())] = special_quaternions()
        return rows
    if kind == "Rigid":
        return np.hstack([numbers("Quaternion", rng), rng.normal(size=(ROWS, 3))])
    if kind in ("Matrix", "Pose"):
        nine = [quat.to_matrix(quat.normalize(tuple(q))) for q in numbers("Quaternion", rng).tolist()]
        return np.hstack([nine, rng.normal(size=(ROWS, 3))]) if kind == "Pose" else np.array(nine)
    rows = rng.normal(size=(ROWS, SIZES[kind])) * 10.0 ** rng.uniform(-9, 0.5, (ROWS, 1))
    rows[:3] = [[0.0], [-0.0], [1e-170]]
    return rows


def arranged(kind, columns):
    """The argument itself, from its columns (arrays or floats)."""
    if kind == "Any":
        return columns[0]
    return (tuple(columns[:4]), tuple(columns[4:])) if kind == "Rigid" else tuple(columns)


def flat(value):
    return [x for part in value for x in flat(part)] if isinstance(value, tuple) else [value]


def bits(values):
    """The bits of floats; every kind of "no number" counts as the same."""
    array = np.array(values, dtype=float)
    return np.where(np.isnan(array), np.float64(np.nan), array).view(np.int64)


def test_every_function_of_the_modules_is_tested():
    for module in MODULES:
        own = [f for _, f in inspect.getmembers(module, inspect.isfunction) if f.__module__ == module.__name__]
        assert own and all(f in NAMED.values() for f in own)


@pytest.mark.parametrize("name", sorted(NAMED))
def test_floats_and_arrays_give_the_same_bits(name):
    function = NAMED[name]
    rng = np.random.default_rng(11)
    kinds = [
        "Any" if p.annotation is inspect.Parameter.empty else p.annotation
        for p in inspect.signature(function).parameters.values()
    ]
    rows = [numbers(kind, rng) for kind in kinds]
    at_once = flat(function(*(arranged(k, [c.copy() for c in r.T]) for k, r in zip(kinds, rows, strict=True))))
    at_once = np.array([np.broadcast_to(x, ROWS) for x in at_once])
    for i in range(ROWS):
        one = flat(function(*(arranged(k, r[i].tolist()) for k, r in zip(kinds, rows, strict=True))))
        assert all(type(x) is float for x in one)
        assert (bits(one) == bits(at_once[:, i])).all(), (name, [r[i].tolist() for r in rows])
