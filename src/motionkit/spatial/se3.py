"""Poses in space: :class:`SE3`. Rotations are in ``so3``, named frames in ``frames``, the arithmetic in the kernels."""

from __future__ import annotations

from typing import NoReturn, cast, overload

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidRotation, KindMismatch
from ..kernels import pose, quat, rigid
from ..kernels._contract import CONTEXT
from . import _hot, _inputs
from ._inputs import FloatArray, Quaternion, Vector
from ._matrices import TOLERANCE, checked, nearest, rotation_of
from .so3 import SO3, so3_from_bits

Rigid = tuple[Quaternion, Vector]
Elements = tuple[float, float, float, float, float, float, float, float, float, float, float, float]


class SE3:
    """A pose, or rigid transform, immutable: a rotation and a translation in metres.

    ``a_T_b`` is the pose of frame b in frame a. It takes coordinates from b to a: ``a_T_b * point_in_b`` is the point
    in a, and ``a_T_b * b_T_c`` is ``a_T_c``. Twists are (linear, angular), m and rad. Two poses are equal when all
    their numbers are. All of it is O(1) except ``T * points``.

    Args:
        rotation: the axes of frame b in frame a.
        translation: (3,), the origin of frame b in frame a, m.

    Raises:
        KindMismatch: ``rotation`` is no SO3.
        NotFinite: a number is NaN or infinite.
        WrongLength: the translation has another shape than (3,).

    >>> import math
    >>> import motionkit as mk
    >>> base_T_tool = mk.SE3(mk.SO3.from_rpy(0, math.pi, 0), (0.5, 0, 0.25))
    >>> (base_T_tool * (0, 0, 0.125)).round(12)
    array([0.5  , 0.   , 0.125])
    """

    __slots__ = ("_p", "_q")
    __array_ufunc__ = None  # ``array * T`` is refused by NumPy instead of going element by element

    _q: Quaternion
    _p: Vector

    def __init__(self, rotation: SO3, translation: ArrayLike) -> None:
        if not isinstance(rotation, SO3):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise KindMismatch(
                f"SE3: expected an SO3 as the rotation, got {type(rotation).__name__}; "
                "SO3.from_matrix, from_wxyz and others make one, SE3.from_matrix takes a 4 by 4"
            )
        _set_q(self, rotation.quaternion)
        _set_p(self, _inputs.as_floats(translation, 3, "SE3: translation"))

    # ---- made from
    @staticmethod
    def identity() -> SE3:
        """The pose of a frame in itself."""
        return se3_from_bits((quat.IDENTITY, (0.0, 0.0, 0.0)))

    @staticmethod
    def from_translation(translation: ArrayLike) -> SE3:
        """A pose with the axes of its base and its origin at (3,), m; raises like the constructor."""
        return SE3(SO3.identity(), translation)

    @staticmethod
    def from_rotation(rotation: SO3) -> SE3:
        """A pose with the origin of its base and the axes turned; raises like the constructor."""
        return SE3(rotation, (0.0, 0.0, 0.0))

    @staticmethod
    def from_matrix(matrix: ArrayLike, project: bool = False) -> SE3:
        """The pose of a homogeneous 4 by 4 matrix.

        Args:
            matrix: (4, 4), the rotation as for :meth:`SO3.from_matrix`, the translation in m in the last column, and a
                bottom row of 0, 0, 0, 1 within 1e-6.
            project: take the rotation nearest to whatever the upper left 3 by 3 is.

        Raises:
            InvalidRotation: the 3 by 3 is no rotation, or the bottom row is another one (a transposed matrix has the
                translation there).
            NotFinite: an element is NaN or infinite.
            WrongLength: another shape than (4, 4).
        """
        what = "SE3.from_matrix"
        array = _inputs.as_matrix(matrix, 4, what)
        if np.abs(array[3] - (0.0, 0.0, 0.0, 1.0)).max() > TOLERANCE:
            raise InvalidRotation(
                f"{what}: expected 0, 0, 0, 1 as the bottom row of a pose, got {array[3].tolist()}; "
                "a matrix with the translation there is transposed"
            )
        turn = array[:3, :3]
        q = rotation_of(nearest(turn, what) if project else checked(turn, what))
        return se3_from_bits((q, cast("Vector", tuple(array[:3, 3].tolist()))))

    @staticmethod
    def from_elements(elements: Elements) -> SE3:
        """The pose of twelve floats as the kernels give them: rotation row-major, then position; unchecked."""
        return se3_from_bits(rigid.from_elements(elements))

    @staticmethod
    def exp(twist: ArrayLike) -> SE3:
        """The pose reached from the identity by a constant twist held for one second: a screw motion.

        Args:
            twist: (6,), linear (m) then angular (rad, of length at most 1e6), in the axes of the moving frame or of the
                base alike. Accurate through an angle of 0.

        Raises:
            InvalidRotation: the angular part beyond 1e6 rad.
            NotFinite: a number is NaN or infinite.
            WrongLength: another shape than (6,).

        >>> import math
        >>> import motionkit as mk
        >>> mk.SE3.exp((math.pi / 2, 0, 0, 0, 0, math.pi / 2)).translation.round(12)
        array([1., 1., 0.])
        """
        hot = _hot.exp_pose.native
        if hot is not None and type(twist) is np.ndarray:
            try:
                return se3_from_bits(hot(CONTEXT, twist))
            except TypeError:  # declined: the long way takes it, or says what is wrong
                pass
        _hot.exp_pose.ran(_hot.LONG_WAY)
        values = _inputs.as_floats(twist, 6, "SE3.exp: twist")
        _inputs.rotation_vector(values[3:], "SE3.exp: angular part of the twist")
        return se3_from_bits(rigid.exp(cast("tuple[float, float, float, float, float, float]", values)))

    @staticmethod
    def random(rng: np.random.Generator) -> SE3:
        """A uniform rotation and a translation uniform in the unit cube, 0 to 1 m along each axis.

        Args:
            rng: where the numbers come from, such as ``numpy.random.default_rng(7)``.
        """
        rotation = SO3.random(rng)
        return se3_from_bits((rotation.quaternion, cast("Vector", tuple(rng.random(3).tolist()))))

    # ---- given as
    @property
    def rotation(self) -> SO3:
        """The axes of frame b in frame a."""
        return so3_from_bits(self._q)

    @property
    def translation(self) -> FloatArray:
        """The origin of frame b in frame a, m, a new array (3,)."""
        return np.array(self._p)

    @property
    def parts(self) -> Rigid:
        """The canonical unit quaternion (w, x, y, z) and the translation, as tuples of floats; no array is made."""
        return self._q, self._p

    @property
    def elements(self) -> Elements:
        """Twelve floats as the kernels take them: rotation row-major, then position; no array is made."""
        return rigid.to_elements((self._q, self._p))

    def matrix(self, out: FloatArray | None = None) -> FloatArray:
        """The homogeneous matrix (4, 4).

        Args:
            out: a C-contiguous float64 (4, 4) to fill and return; nothing is allocated then.

        Raises:
            KindMismatch: ``out`` is no array of float64.
            WrongLength: ``out`` has another shape or layout.
        """
        if out is None:
            out = np.empty((4, 4))
        else:
            _inputs.check_out(out, (4, 4), "SE3.matrix: out")
        fill_matrix((self._q, self._p), out)
        return out

    def log(self) -> FloatArray:
        """The twist (6,), linear (m) then angular (rad, of length at most pi), whose :meth:`exp` is this pose.

        At an angle of pi the axis is the one that :meth:`SO3.log` picks.
        """
        hot = _hot.log_pose.native
        if hot is not None and hot(CONTEXT, self._q, self._p, out := np.empty(6)) == 0:
            return out
        _hot.log_pose.ran(_hot.LONG_WAY)
        return np.array(rigid.log((self._q, self._p)))

    def adjoint(self) -> FloatArray:
        """The matrix (6, 6) that takes twists (linear, angular) given at and in frame b to frame a.

        [[R, [p]x R], [0, R]]. Wrenches (force, moment) go from a to b by its transpose.
        """
        return np.array(pose.adjoint(self.elements)).reshape(6, 6)

    # ---- arithmetic
    def inverse(self) -> SE3:
        """``b_T_a`` of ``a_T_b``; its rotation is exact."""
        return se3_from_bits(rigid.invert((self._q, self._p)))

    @overload
    def __mul__(self, other: SE3) -> SE3: ...
    @overload
    def __mul__(self, other: ArrayLike) -> FloatArray: ...
    def __mul__(self, other: SE3 | ArrayLike) -> SE3 | FloatArray:
        """The composition ``a_T_b * b_T_c = a_T_c``, or one point (3,) or many (N, 3) taken from frame b to frame a.

        Raises:
            NotFinite: a coordinate is NaN or infinite.
            WrongLength: another shape than (3,) or (N, 3).
        """
        if isinstance(other, SE3):
            hot = _hot.compose.native
            if hot is not None:
                return se3_from_bits(hot(CONTEXT, self._q, self._p, other._q, other._p))
            _hot.compose.ran(_hot.LONG_WAY)
            return se3_from_bits(rigid.compose((self._q, self._p), (other._q, other._p)))
        own = (self._q, self._p)
        points = _inputs.as_points(other, "SE3 * points")
        if points.ndim == 1:
            return np.array(rigid.transform_point(own, cast("Vector", tuple(points.tolist()))))
        moved = np.empty_like(points)
        columns = (points[:, 0], points[:, 1], points[:, 2])
        moved[:, 0], moved[:, 1], moved[:, 2] = rigid.transform_point(own, columns)
        return moved

    def interpolate(self, other: SE3, t: float) -> SE3:
        """The pose a fraction ``t`` of the way from this one (t = 0, exact) to ``other`` (t = 1, exact).

        The origin goes along the straight line and the axes along the shortest turn, both at a constant rate: what a
        robot's linear move does. It is no screw motion, whose origin goes along a helix. Beyond 0 and 1 both go on.
        Exactly half a turn apart both directions of the turn are equally short, and rounding decides.

        Raises:
            KindMismatch: ``other`` is no SE3.
            NotFinite: ``t`` is NaN or infinite.
            InvalidRotation: ``t`` beyond 1e5.
        """
        if not isinstance(other, SE3):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise KindMismatch(f"SE3.interpolate: expected an SE3, got {type(other).__name__}")
        fraction = _inputs.as_fraction(t, "SE3.interpolate")
        if fraction == 0.0:
            return self
        if fraction == 1.0:
            return other
        return se3_from_bits(rigid.interpolate((self._q, self._p), (other._q, other._p), fraction))

    # ---- as a value
    def __eq__(self, other: object) -> bool:
        return (self._q == other._q and self._p == other._p) if isinstance(other, SE3) else NotImplemented

    def __hash__(self) -> int:
        return hash((self._q, self._p))

    def __repr__(self) -> str:
        return f"SE3({self.rotation!r}, {self._p!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return se3_from_bits, ((self._q, self._p),)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"SE3 is immutable; {name!r} cannot be set, make a new pose")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"SE3 is immutable; {name!r} cannot be deleted")


_set_q = SE3.__dict__["_q"].__set__
_set_p = SE3.__dict__["_p"].__set__
_new = object.__new__


def se3_from_bits(parts: Rigid) -> SE3:
    """The pose of a canonical unit quaternion and a finite translation; their bits are kept."""
    made = _new(SE3)
    _set_q(made, parts[0])
    _set_p(made, parts[1])
    return made


def fill_matrix(parts: Rigid, out: FloatArray) -> None:
    """The homogeneous matrix of a pose into a (4, 4) array."""
    r = quat.to_matrix(parts[0])
    p = parts[1]
    for i in range(3):
        out[i, 0] = r[3 * i]
        out[i, 1] = r[3 * i + 1]
        out[i, 2] = r[3 * i + 2]
        out[i, 3] = p[i]
        out[3, i] = 0.0
    out[3, 3] = 1.0
