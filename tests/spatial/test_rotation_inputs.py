"""What rotations refuse, with the class and the words of the error."""

import math
from decimal import Decimal

import numpy as np
import pytest

import motionkit as mk


@pytest.mark.parametrize("make", [mk.SO3.from_wxyz, mk.SO3.from_xyzw])
def test_quaternions_must_be_of_unit_norm(make):
    q = np.array([0.5, -0.5, 0.5, 0.5])
    for factor in (1 + 0.99e-6, 1 - 0.99e-6):  # a norm within 1e-6 is divided out
        assert make(q * factor).angle_to(make(q)) < 1e-15
    for factor, shown in ((1.1, "1.1"), (1 + 1.01e-6, "1.00000101"), (1 - 1e-3, "0.999"), (0.0, "0"), (-2.0, "2")):
        with pytest.raises(mk.InvalidRotation, match=rf"norm 1 .*got norm {shown}"):
            make(q * factor)
    assert make(np.array([1, 0, 0, 0], dtype=np.int64)).wxyz.dtype == np.float64


@pytest.mark.parametrize("make", [mk.SO3.from_wxyz, mk.SO3.from_xyzw])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_quaternions_must_be_numbers(make, bad):
    for k in range(4):
        q = [1.0, 0.0, 0.0, 0.0]
        q[k] = bad
        for given in (q, tuple(q), np.array(q)):
            with pytest.raises(mk.NotFinite):
                make(given)
        with pytest.raises(mk.NotFinite):
            make(*q)


@pytest.mark.parametrize("make", [mk.SO3.from_wxyz, mk.SO3.from_xyzw])
def test_quaternions_have_four_components(make):
    for given in ((1.0, 0.0, 0.0), ((1.0, 0.0, 0.0),), ([1, 0, 0, 0, 0],), ([[1, 0, 0, 0]],), ()):
        with pytest.raises(mk.WrongLength, match="expected 4 numbers"):
            make(*given)
    with pytest.raises(mk.WrongLength, match="even array"):
        make([[1, 0], [0]])
    for given in (["1", "0", "0", "0"], [1j, 0, 0, 0], [Decimal(1), 0, 0, 0], [True, False, False, False], None):
        with pytest.raises(mk.KindMismatch, match="expected real numbers"):
            make(given)


def test_a_quaternion_in_the_wrong_order_is_another_rotation():
    q = (math.cos(0.5), 0.0, 0.0, math.sin(0.5))
    assert mk.SO3.from_wxyz(q).log()[2] == pytest.approx(1.0, abs=1e-15)
    assert mk.SO3.from_xyzw(q).angle_to(mk.SO3.from_wxyz(q)) > 1.0
    assert mk.SO3.from_wxyz(q).xyzw.tolist() == [0.0, 0.0, q[3], q[0]]


def test_angles_beyond_a_million_radians_are_refused():
    limit = 1e6
    mk.SO3.from_rpy(limit, -limit, limit)
    mk.SO3.from_axis_angle((1, 0, 0), -limit)
    mk.SO3.exp((limit, 0, 0))
    for call in (
        lambda: mk.SO3.from_rpy(0, 0, math.nextafter(limit, math.inf)),
        lambda: mk.SO3.from_rpy(1e8, 0, 0),
        lambda: mk.SO3.from_axis_angle((1, 0, 0), -1e7),
        lambda: mk.SO3.exp((8e5, 0, 8e5)),
    ):
        with pytest.raises(mk.InvalidRotation, match=r"at most 1e\+06 rad"):
            call()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_angles_vectors_points_and_fractions_must_be_numbers(bad):
    R = mk.SO3.identity()
    for call in (
        lambda: mk.SO3.from_rpy(bad, 0, 0),
        lambda: mk.SO3.from_rpy(0, bad, 0),
        lambda: mk.SO3.from_rpy(0, 0, bad),
        lambda: mk.SO3.exp((0, bad, 0)),
        lambda: mk.SO3.from_axis_angle((0, bad, 0), 1),
        lambda: mk.SO3.from_axis_angle((0, 1, 0), bad),
        lambda: R * (0, bad, 0),
        lambda: R * [[0, 0, 0], [0, bad, 0]],
        lambda: R.interpolate(R, bad),
    ):
        with pytest.raises(mk.NotFinite):
            call()
    many = np.zeros((1000, 3))
    many[417, 2] = bad
    with pytest.raises(mk.NotFinite, match=r"at index \(417, 2\), 1 such"):
        R * many


def test_shapes_and_kinds():
    R = mk.SO3.identity()
    for call in (
        lambda: mk.SO3.exp((0, 0)),
        lambda: mk.SO3.exp(0.0),
        lambda: mk.SO3.from_axis_angle((0, 0, 1, 0), 1),
        lambda: mk.SO3.from_axis_angle((0, 0, 1), [1, 2]),
        lambda: mk.SO3.from_matrix(np.eye(4)),
        lambda: mk.SO3.from_matrix(np.eye(3).ravel()),
        lambda: R * (1, 2),
        lambda: R * np.zeros((3, 2)),
        lambda: R * 2.0,
    ):
        with pytest.raises(mk.WrongLength):
            call()
    for call in (
        lambda: R * mk.SE3.identity(),
        lambda: R.angle_to((1, 0, 0, 0)),
        lambda: R.interpolate(np.eye(3), 0.5),
        lambda: mk.SO3.from_matrix("identity"),
    ):
        with pytest.raises(mk.KindMismatch):
            call()


def test_an_axis_of_no_length_has_no_direction():
    with pytest.raises(mk.InvalidRotation, match="the axis is zero"):
        mk.SO3.from_axis_angle((0, 0, 0), 1.0)


def test_a_fraction_far_outside_the_move_is_refused():
    R, S = mk.SO3.identity(), mk.SO3.from_rpy(0, 0, 3)
    R.interpolate(S, 1e5)
    with pytest.raises(mk.InvalidRotation, match="between 0 and 1, got t = 100001"):
        R.interpolate(S, 100001)
