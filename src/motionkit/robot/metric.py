"""How far apart configurations are, and in how many steps one leads to the other, with turns and travels in one scale.

A value does not know whether its joint turns without end, so nothing wraps here; ``SerialChain.distance`` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast, overload

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidLimits, KindMismatch
from ..kernels import joint_space as kernels
from ..kernels._contract import Model
from ..values import Angle, JointPosition, Length
from ..values._data import finite, keyed
from ..values.axes import Axes, kind_of, typed_values
from ._coordinates import vector

FloatArray = NDArray[np.float64]
Configuration = JointPosition | Angle | Length | Sequence[JointPosition | Angle | Length] | Sequence[float] | FloatArray

SMALLEST, LARGEST = (
    1e-9,
    1e9,
)  # rad or m: a coordinate of 1e6 resolves a tenth of the one, squares stay finite with both


@dataclass(frozen=True, slots=True)
class JointMetric:
    """What counts as 1 at joints that turn and at joints that slide.

    Distances in it are the root of the sum of squares, so the cost of a path is its length.

    Args:
        angular_scale: rad, 1e-9 to 1e9.
        linear_scale: m, 1e-9 to 1e9.

    Raises:
        InvalidLimits: a scale is outside its range; zero and negative ones are.
        NotFinite: a scale is NaN or infinite.
        KindMismatch: a scale is not a number.

    >>> import motionkit as mk
    >>> rail, elbow = mk.JointPosition.prismatic, mk.JointPosition.revolute
    >>> mk.JointMetric(angular_scale=0.5, linear_scale=0.1).distance([rail(0.0), elbow(0.0)], [rail(0.3), elbow(2.0)])
    5.0
    """

    angular_scale: float = 1.0
    linear_scale: float = 1.0

    def __post_init__(self) -> None:
        _checked(self, "angular_scale", "rad")
        _checked(self, "linear_scale", "m")

    @overload
    def normalized(self, q: JointPosition | Angle | Length) -> float: ...
    @overload
    def normalized(self, q: Sequence[JointPosition | Angle | Length] | Sequence[float] | FloatArray) -> FloatArray: ...
    def normalized(self, q: Configuration) -> float | FloatArray:
        """A value or a configuration in units of the scales.

        Args:
            q: one value, or one for every moving joint. Plain numbers, which have no unit, are taken when both scales
                are equal.

        Returns:
            A number, or (n,).

        Raises:
            KindMismatch: plain numbers while the scales differ, or a fixed joint in a configuration.
        """
        if kind_of(q):
            return float(self.normalized([cast("Any", q)])[0]) if _moves(q) else 0.0
        space, values, _ = _bare(q, None, self.angular_scale == self.linear_scale)
        out = np.empty(len(values))
        kernels.normalized(space, values, self.angular_scale, self.linear_scale, out)
        return out

    def distance(self, a: Configuration, b: Configuration) -> float:
        """Length of the straight way between two values or configurations, in units of the scales; nothing wraps.

        Args:
            a: as in :meth:`normalized`.
            b: of the same kinds.

        Raises:
            KindMismatch: the kinds of the two differ, or as in :meth:`normalized`.
            WrongLength: they are not of one length.
            JointLimitViolated: a number is beyond 1e6.

        >>> import motionkit as mk
        >>> mk.JointMetric().distance([0.0, 0.0], [3.0, 4.0])
        5.0
        """
        if kind_of(a):
            return self.distance(*_pair(a, b)) if _moves(a) or _moves(b) else 0.0
        space, start, end = _bare(a, b, self.angular_scale == self.linear_scale)
        return length(space, start, end, self)

    def to_data(self) -> dict[str, float]:
        """The scales keyed by kind, in rad and m.

        >>> import motionkit as mk
        >>> mk.JointMetric(0.08, 0.01).to_data()
        {'angular': 0.08, 'linear': 0.01}
        """
        return {"angular": self.angular_scale, "linear": self.linear_scale}

    @classmethod
    def from_data(cls, data: Any) -> JointMetric:
        """The metric that :meth:`to_data` wrote.

        Raises:
            UnknownName: it has a key that means nothing; the message has the nearest.
            KindMismatch: it has another form, lacks a scale, or holds something that is not a number.
            NotFinite: a scale is NaN or infinite.
            InvalidLimits: a scale is outside its range.
        """
        given = keyed(data, ("angular", "linear"), (), "JointMetric")
        return cls(given["angular"], given["linear"])


@dataclass(frozen=True, slots=True)
class JointResolution:
    """The largest step between two samples of a motion, as for collision checks, at each kind of joint.

    Args:
        angular: rad, 1e-9 to 1e9.
        linear: m, 1e-9 to 1e9.

    Raises:
        InvalidLimits: a step is outside its range; zero and negative ones are.
        NotFinite: a step is NaN or infinite.
        KindMismatch: a step is not a number.

    >>> import motionkit as mk
    >>> rail, elbow = mk.JointPosition.prismatic, mk.JointPosition.revolute
    >>> mk.JointResolution().steps([rail(0.0), elbow(0.0)], [rail(0.07), elbow(0.4)])
    7
    """

    angular: float = 0.08
    linear: float = 0.01

    def __post_init__(self) -> None:
        _checked(self, "angular", "rad")
        _checked(self, "linear", "m")

    def steps(self, a: Configuration, b: Configuration) -> int:
        """How many equal steps lead from one value or configuration to another; nothing wraps.

        No joint moves further than the resolution in a step, but for a part in 1e12 that rounding may add. The number
        is the largest over the joints, and 0 when nothing moves. Samples are then at ``linspace(0, 1, steps + 1)``.

        Args:
            a: one value, or one for every moving joint. Plain numbers, which have no unit, are taken when both steps
                are equal.
            b: of the same kinds.

        Raises:
            KindMismatch: the kinds differ, plain numbers while the steps differ, or a fixed joint in a configuration.
            WrongLength: they are not of one length.
            JointLimitViolated: a number is beyond 1e6.
        """
        if kind_of(a):
            return self.steps(*_pair(a, b)) if _moves(a) or _moves(b) else 0
        space, start, end = _bare(a, b, self.angular == self.linear)
        return count(space, start, end, self)

    def metric(self) -> JointMetric:
        """The metric in which the largest step counts as 1 at every joint."""
        return JointMetric(self.angular, self.linear)

    def to_data(self) -> dict[str, float]:
        """The steps keyed by kind, in rad and m.

        >>> import motionkit as mk
        >>> mk.JointResolution().to_data()
        {'angular': 0.08, 'linear': 0.01}
        """
        return {"angular": self.angular, "linear": self.linear}

    @classmethod
    def from_data(cls, data: Any) -> JointResolution:
        """The resolution that :meth:`to_data` wrote; errors as :meth:`JointMetric.from_data`."""
        given = keyed(data, ("angular", "linear"), (), "JointResolution")
        return cls(given["angular"], given["linear"])


def length(space: Model, a: FloatArray, b: FloatArray, metric: JointMetric) -> float:
    """Length of the straight way between checked configurations of the joints that ``kernels.joint_space`` reads."""
    if len(a) == 0:
        return 0.0
    out = np.empty(1)
    kernels.distance(space, a, b, metric.angular_scale, metric.linear_scale, out)
    return float(out[0])


def count(space: Model, a: FloatArray, b: FloatArray, resolution: JointResolution) -> int:
    """Number of steps between checked configurations of the joints that ``kernels.joint_space`` reads."""
    if len(a) == 0:
        return 0
    out = np.empty(1)
    kernels.steps(space, a, b, resolution.angular, resolution.linear, out)
    return int(out[0])


def space_of(axes: Axes, periodic: Sequence[bool]) -> Model:
    """What ``kernels.joint_space`` reads of coordinates."""
    numbers = ((kind == "prismatic", around) for kind, around in zip(axes.kinds, periodic, strict=True))
    return Model([float(flag) for row in numbers for flag in row])


def _checked(of: JointMetric | JointResolution, name: str, unit: str) -> None:
    value = finite(getattr(of, name), name)
    if not SMALLEST <= value <= LARGEST:
        raise InvalidLimits(f"{name}: expected {SMALLEST:g} to {LARGEST:g} {unit}, got {value!r}")
    object.__setattr__(of, name, value)


def _bare(a: object, b: object, alike: bool) -> tuple[Model, FloatArray, FloatArray]:
    """The space of two configurations that only their own values describe, and their numbers; b None is as a."""
    b = a if b is None else b
    typed = typed_values(a) or typed_values(b)
    if typed is None:
        if not alike:
            raise KindMismatch(
                "plain numbers do not say which joints turn and which slide, and these count differently; give "
                "JointPosition values, or ask the chain (chain.distance, chain.steps)"
            )
        axes = Axes([str(i) for i in range(np.size(cast("Any", a)))], ["revolute"] * np.size(cast("Any", a)))
    else:
        axes = Axes.of_values(typed)
    numbers = (vector(cast("Any", a), axes, "a"), vector(cast("Any", b), axes, "b"))
    return space_of(axes, [False] * len(axes.names)), *numbers


def _pair(a: object, b: object) -> tuple[list[Any], list[Any]]:
    """Two single values as configurations of one joint."""
    return [a], [b]


def _moves(value: object) -> bool:
    return kind_of(value) != "fixed"
