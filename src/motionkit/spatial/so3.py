"""Rotations in space: :class:`SO3`. Poses are in ``se3``, named frames in ``frames``, the arithmetic in the kernels."""

from __future__ import annotations

from typing import NoReturn, cast, overload

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidRotation, KindMismatch
from ..kernels import quat, rigid
from ..kernels._contract import CONTEXT
from . import _hot, _inputs
from ._inputs import FloatArray, Quaternion, Vector
from ._matrices import TOLERANCE, checked, nearest, rotation_of, unit

_UNIT = 8 * 2.220446049250313e-16  # a squared norm this near to 1 is what dividing by the norm leaves


class SO3:
    """A rotation of space, immutable.

    It takes coordinates from one frame to another: with ``a_R_b``, a vector given in frame b has the coordinates
    ``a_R_b * v`` in frame a. Inside it is a canonical unit quaternion (w, x, y, z): w >= 0, and when w = 0 the first
    component that is not zero is positive. Every rotation so has exactly one representation: ``==`` and ``hash`` go
    by the four components, :meth:`log` is single-valued.

    Every product is divided by its norm, so any number of them stays a rotation. Build one with :meth:`identity`,
    :meth:`from_wxyz`, :meth:`from_xyzw`, :meth:`from_matrix`, :meth:`from_rpy`, :meth:`from_axis_angle`, :meth:`exp`
    or :meth:`random`. All of it is O(1) except ``R * points``.

    >>> import math
    >>> import motionkit as mk
    >>> turn = mk.SO3.from_axis_angle((0, 0, 1), math.pi / 2)
    >>> (turn * (1.0, 0.0, 0.0)).round(12)
    array([0., 1., 0.])
    """

    __slots__ = ("_q",)
    __array_ufunc__ = None  # ``array * R`` is refused by NumPy instead of going element by element

    _q: Quaternion

    def __init__(self) -> None:
        """The identity; every other rotation comes from a named constructor."""
        _set(self, quat.IDENTITY)

    # ---- made from
    @staticmethod
    def identity() -> SO3:
        """The rotation that changes nothing."""
        return SO3()

    @overload
    @staticmethod
    def from_wxyz(w: float, x: float, y: float, z: float, /) -> SO3: ...
    @overload
    @staticmethod
    def from_wxyz(wxyz: ArrayLike, /) -> SO3: ...
    @staticmethod
    def from_wxyz(*wxyz: ArrayLike) -> SO3:
        """The rotation of a unit quaternion with the scalar first, as MuJoCo, Drake and Eigen's constructor order it.

        A norm off by up to 1e-6 is divided out; a quaternion that is of unit norm to rounding keeps its bits, so that
        ``SO3.from_wxyz(R.wxyz) == R`` exactly. ``q`` and ``-q`` give the same result.

        Args:
            wxyz: four numbers, or one sequence of four.

        Raises:
            InvalidRotation: the norm is further from 1.
            NotFinite: a component is NaN or infinite.
            WrongLength: there are not four numbers.

        >>> import motionkit as mk
        >>> mk.SO3.from_wxyz(0, 0, 0, -1).wxyz
        array([0., 0., 0., 1.])
        """
        return _from_quaternion(_four(wxyz, "SO3.from_wxyz"), "SO3.from_wxyz")

    @overload
    @staticmethod
    def from_xyzw(x: float, y: float, z: float, w: float, /) -> SO3: ...
    @overload
    @staticmethod
    def from_xyzw(xyzw: ArrayLike, /) -> SO3: ...
    @staticmethod
    def from_xyzw(*xyzw: ArrayLike) -> SO3:
        """The rotation of a unit quaternion with the scalar last, as ROS, SciPy and Eigen's storage order it.

        Otherwise as :meth:`from_wxyz`. A quaternion in the wrong order is a rotation too, only another one: no check
        can notice it.
        """
        x, y, z, w = _four(xyzw, "SO3.from_xyzw")
        return _from_quaternion((w, x, y, z), "SO3.from_xyzw")

    @staticmethod
    def from_matrix(matrix: ArrayLike, project: bool = False) -> SO3:
        """The rotation of a 3 by 3 matrix whose columns are the turned axes; safe at every angle, pi included.

        Args:
            matrix: (3, 3). No element of RᵀR may be further than 1e-6 from the identity, which single-precision
                input keeps; the rest is brought to the nearest rotation within 1e-12.
            project: take any matrix and give the rotation nearest to it (least Frobenius distance).

        Raises:
            InvalidRotation: not orthogonal enough, or a reflection (determinant -1); the message has the amount. With
                ``project``: several rotations are equally near.
            NotFinite: an element is NaN or infinite.
            WrongLength: another shape than (3, 3).

        >>> import motionkit as mk
        >>> mk.SO3.from_matrix([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).log().round(4)
        array([0.    , 0.    , 1.5708])
        """
        array = _inputs.as_matrix(matrix, 3, "SO3.from_matrix")
        if project:
            return so3_from_bits(rotation_of(nearest(array, "SO3.from_matrix")))
        return so3_from_bits(rotation_of(checked(array, "SO3.from_matrix")))

    @staticmethod
    def from_rpy(roll: float, pitch: float, yaw: float) -> SO3:
        """Roll, pitch and yaw as URDF and ROS have them: Rz(yaw) Ry(pitch) Rx(roll).

        That is a turn about the fixed axis x, then y, then z, each in rad and at most 1e6. For export and import
        only; compose and compare rotations themselves.

        Raises:
            InvalidRotation: an angle beyond 1e6 rad.
            NotFinite: an angle is NaN or infinite.
        """
        r = _inputs.as_angle(roll, "SO3.from_rpy: roll")
        p = _inputs.as_angle(pitch, "SO3.from_rpy: pitch")
        y = _inputs.as_angle(yaw, "SO3.from_rpy: yaw")
        return so3_from_bits(unit(quat.from_rpy(r, p, y)))

    @staticmethod
    def exp(rotation_vector: ArrayLike) -> SO3:
        """The rotation about the direction of a vector by its length in rad, right-handed.

        Args:
            rotation_vector: (3,), rad, of length at most 1e6. Zero is the identity; small ones keep their digits.

        Raises:
            InvalidRotation: a component beyond 1e6 rad.
            NotFinite: a component is NaN or infinite.
            WrongLength: another shape than (3,).
        """
        hot = _hot.exp_rotation.native
        if hot is not None and type(rotation_vector) is np.ndarray:
            try:
                return so3_from_bits(hot(CONTEXT, rotation_vector))
            except TypeError:  # declined: the long way takes it, or says what is wrong
                pass
        _hot.exp_rotation.ran(_hot.LONG_WAY)
        return so3_from_bits(unit(quat.exp(_inputs.rotation_vector(rotation_vector, "SO3.exp"))))

    @staticmethod
    def from_axis_angle(axis: ArrayLike, angle: float) -> SO3:
        """The rotation by an angle about an axis, right-handed.

        Args:
            axis: (3,), any length but zero; only its direction counts.
            angle: rad, at most 1e6 in magnitude.

        Raises:
            InvalidRotation: the axis is zero, or the angle beyond 1e6 rad.
            NotFinite: a number is NaN or infinite.
            WrongLength: the axis has another shape than (3,).
        """
        what = "SO3.from_axis_angle"
        x, y, z = _inputs.as_floats(axis, 3, f"{what}: axis")
        turn = _inputs.as_angle(angle, f"{what}: angle")
        largest = max(abs(x), abs(y), abs(z))
        if largest == 0.0:
            raise InvalidRotation(f"{what}: the axis is zero, so it has no direction; give a vector along the axis")
        x, y, z = x / largest, y / largest, z / largest  # so that no square over- or underflows
        length = (x * x + y * y + z * z) ** 0.5
        return so3_from_bits(unit(quat.from_axis_angle((x / length, y / length, z / length), turn)))

    @staticmethod
    def random(rng: np.random.Generator) -> SO3:
        """A rotation drawn uniformly.

        Args:
            rng: where the numbers come from, such as ``numpy.random.default_rng(7)``.
        """
        w, x, y, z = rng.standard_normal(4).tolist()
        return so3_from_bits(unit((w, x, y, z)))

    # ---- given as
    @property
    def wxyz(self) -> FloatArray:
        """The canonical unit quaternion (w, x, y, z), a new array (4,)."""
        return np.array(self._q)

    @property
    def xyzw(self) -> FloatArray:
        """The canonical unit quaternion (x, y, z, w), a new array (4,)."""
        w, x, y, z = self._q
        return np.array((x, y, z, w))

    @property
    def quaternion(self) -> Quaternion:
        """The canonical unit quaternion (w, x, y, z) as four floats, as the kernels take it; no array is made."""
        return self._q

    def matrix(self) -> FloatArray:
        """The rotation matrix, a new array (3, 3); orthogonal within 2e-15."""
        return np.array(quat.to_matrix(self._q)).reshape(3, 3)

    def rpy(self) -> FloatArray:
        """Roll, pitch and yaw in rad, (3,): Rz(yaw) Ry(pitch) Rx(roll), the inverse of :meth:`from_rpy`.

        Roll and yaw are in (-pi, pi], pitch in [-pi/2, pi/2]. The rotation comes back within 1e-14 at every pitch.
        At pitch = ±pi/2 (the tool straight down or up; to 1e-15) only the sum or difference of roll and yaw is
        determined: there roll is 0.

        >>> import math
        >>> import motionkit as mk
        >>> mk.SO3.from_rpy(0.25, -math.pi / 2, 0.5).rpy().round(6)
        array([ 0.      , -1.570796,  0.75    ])
        """
        return np.array(quat.to_rpy(self._q))

    def log(self) -> FloatArray:
        """The rotation vector, (3,), rad: the axis times the angle in [0, pi]; the inverse of :meth:`exp`.

        At an angle of pi both directions of the axis are right; it is the one whose first component that is not zero
        is positive.
        """
        hot = _hot.log_rotation.native
        if hot is not None and hot(CONTEXT, self._q, out := np.empty(3)) == 0:
            return out
        _hot.log_rotation.ran(_hot.LONG_WAY)
        return np.array(quat.log(self._q))

    # ---- arithmetic
    def inverse(self) -> SO3:
        """The rotation back; exact."""
        return so3_from_bits(quat.canonical(quat.conjugate(self._q)))

    @overload
    def __mul__(self, other: SO3) -> SO3: ...
    @overload
    def __mul__(self, other: ArrayLike) -> FloatArray: ...
    def __mul__(self, other: SO3 | ArrayLike) -> SO3 | FloatArray:
        """The composition ``a_R_b * b_R_c = a_R_c``, or one vector (3,) or many (N, 3) turned.

        Raises:
            NotFinite: a coordinate is NaN or infinite.
            WrongLength: another shape than (3,) or (N, 3).
        """
        if isinstance(other, SO3):
            hot = _hot.rotation_product.native
            if hot is not None:
                return so3_from_bits(hot(CONTEXT, self._q, other._q))
            _hot.rotation_product.ran(_hot.LONG_WAY)
            return so3_from_bits(rigid.rotation_product(self._q, other._q))
        points = _inputs.as_points(other, "SO3 * points")
        if points.ndim == 1:
            return np.array(quat.rotate(self._q, cast("Vector", tuple(points.tolist()))))
        turned = np.empty_like(points)
        turned[:, 0], turned[:, 1], turned[:, 2] = quat.rotate(self._q, (points[:, 0], points[:, 1], points[:, 2]))
        return turned

    def angle_to(self, other: SO3) -> float:
        """The angle in rad, in [0, pi], of the shortest turn from one rotation to the other.

        It is 2 atan2(‖v‖, |w|) of the relative quaternion, good to rounding at every angle; the arccosine form
        reports 5e-8 rad between rotations that differ in the last bits.
        """
        return quat.angle_between(self._q, _rotation(other, "SO3.angle_to")._q)

    def interpolate(self, other: SO3, t: float) -> SO3:
        """The rotation a fraction ``t`` along the shortest turn from this one to ``other``.

        The rate is constant, both ends (t = 0 and t = 1) are exact, and beyond them the turn goes on. Exactly half a
        turn apart both directions are equally short, and which one is taken is decided by rounding.

        Raises:
            NotFinite: ``t`` is NaN or infinite.
            InvalidRotation: ``t`` beyond 1e5.
        """
        end = _rotation(other, "SO3.interpolate")
        fraction = _inputs.as_fraction(t, "SO3.interpolate")
        if fraction == 0.0:
            return self
        if fraction == 1.0:
            return end
        return so3_from_bits(unit(quat.slerp(self._q, end._q, fraction)))

    # ---- as a value
    def __eq__(self, other: object) -> bool:
        return self._q == other._q if isinstance(other, SO3) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._q)

    def __repr__(self) -> str:
        w, x, y, z = self._q
        return f"SO3.from_wxyz({w!r}, {x!r}, {y!r}, {z!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return so3_from_bits, (self._q,)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"SO3 is immutable; {name!r} cannot be set, make a new rotation")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"SO3 is immutable; {name!r} cannot be deleted")


_set = SO3.__dict__["_q"].__set__
_new = object.__new__


def so3_from_bits(q: Quaternion) -> SO3:
    """The rotation of a quaternion that is canonical and of unit norm already; its bits are kept."""
    rotation = _new(SO3)
    _set(rotation, q)
    return rotation


def _four(values: tuple[ArrayLike, ...], what: str) -> Quaternion:
    given = values[0] if len(values) == 1 else values
    return cast("Quaternion", _inputs.as_floats(cast("ArrayLike", given), 4, what))


def _from_quaternion(q: Quaternion, what: str) -> SO3:
    n2 = quat.norm_squared(q)
    norm = n2**0.5
    if abs(norm - 1.0) > TOLERANCE:
        raise InvalidRotation(
            f"{what}: expected a quaternion of norm 1 (within {TOLERANCE:g}), got norm {norm:.9g}; "
            "divide it by its norm if only its direction is meant"
        )
    return so3_from_bits(quat.canonical(q if abs(n2 - 1.0) <= _UNIT else quat.normalize(q)))


def _rotation(value: object, what: str) -> SO3:
    if not isinstance(value, SO3):
        raise KindMismatch(f"{what}: expected an SO3, got {type(value).__name__}; SO3.from_… makes one")
    return value
