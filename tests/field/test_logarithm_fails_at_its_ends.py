"""Field report: the logarithm of a rotation is NaN beside the identity, zero at half a turn, or of the wrong sign.

Wanted: exp(log R) = R to 1e-12 at angles 0, 1e-12, 1e-8, pi - 1e-9 and pi. (Report 25.)
"""

import math

import numpy as np
import pytest

import motionkit as mk

AXES = np.vstack(
    [np.eye(3), -np.eye(3), [[0.6, 0.0, 0.8], [2 / 3, -1 / 3, 2 / 3], [1 / math.sqrt(2), -1 / math.sqrt(2), 0]]]
)
REPORTED = [[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-8, math.pi - 1e-9, math.pi])
def test_exponential_and_logarithm_are_inverse(angle):
    for axis in AXES:
        R = mk.SO3.from_axis_angle(axis, angle)
        log = np.asarray(R.log())
        assert np.linalg.norm(log) == pytest.approx(angle, abs=1e-12)
        assert np.abs(mk.SO3.exp(log).matrix() - R.matrix()).max() < 1e-12
        T = mk.SE3(R, [0.3, -0.2, 0.5])
        assert np.abs(mk.SE3.exp(T.log()).matrix() - T.matrix()).max() < 1e-12
        if 0.0 < angle < math.pi:
            assert log == pytest.approx(angle * axis, abs=1e-8 if angle > 3.0 else 1e-20)


def test_the_matrix_of_the_report_comes_back():
    R = mk.SO3.from_matrix(REPORTED)
    assert np.linalg.norm(R.log()) == pytest.approx(math.pi, abs=1e-15)
    assert np.abs(mk.SO3.exp(R.log()).matrix() - REPORTED).max() < 1e-12


def test_a_trace_above_three_by_rounding_is_no_nan():
    almost = np.eye(3) * (1.0 + 1e-15)
    assert np.all(np.isfinite(mk.SO3.from_matrix(almost).log()))
