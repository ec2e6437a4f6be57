"""What a serial chain consists of: its joints, links, limits, tool and the arrays that the kernels read.

Where anything on it is and how it moves is in ``chain``; there the class is completed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidLimits, InvalidModel
from ..kernels._contract import Model
from ..spatial import SE3
from ..values.axes import Axes
from . import _evaluate, _ik_search
from ._coordinates import Coordinates, mapping, vector
from ._packing import Packed, Segment, pack
from .joint import Joint
from .limits import JointLimits

FloatArray = NDArray[np.float64]


class ChainStructure:
    """Joints and links from a base to a tip; immutable.

    Args:
        segments: joints and links from the base on.
        base: name of the link whose frame is the base.
        tool: pose of the tool in the flange, which is the last link's frame.
        name: of the robot.

    Raises:
        InvalidModel: two joints have one name.
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        *,
        base: str = "base",
        tool: SE3 | None = None,
        name: str = "chain",
    ) -> None:
        self._segments = tuple(segments)
        self._moving = tuple(segment for segment in self._segments if segment.moving)
        self._base = base
        self._tool = tool
        self._name = name
        coordinates = {segment.coordinate: segment.coordinate_limits for segment in reversed(self._moving)}
        self._names = tuple(dict.fromkeys(segment.coordinate for segment in self._moving))
        self._limits = tuple(coordinates[name] for name in self._names)
        self.axes = Axes(self._names, [limits.position_kind for limits in self._limits])
        all_names = [segment.joint for segment in self._segments]
        twice = sorted({joint for joint in all_names if all_names.count(joint) > 1})
        if twice:
            raise InvalidModel(f"chain {name!r}: joint name {', '.join(twice)} occurs twice; rename one", findings=[])
        self._packed = pack(self._segments, SE3.identity() if tool is None else tool)
        self.kernel_model: Model = self._packed.model

    # ---- what it is
    @property
    def name(self) -> str:
        """Name of the robot."""
        return self._name

    @property
    def base(self) -> str:
        """Name of the link whose frame is the base."""
        return self._base

    @property
    def tip(self) -> str:
        """Name of the last link."""
        return self._segments[-1].link if self._segments else self._base

    @property
    def tool(self) -> SE3 | None:
        """Pose of the tool in the flange; None without a tool."""
        return self._tool

    @property
    def n(self) -> int:
        """Number of coordinates: moving joints, those that follow another counted with it."""
        return len(self._names)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints that have a coordinate of their own, in the order of every coordinate array.

        That is the order in which the chain first needs them. A joint that follows another is listed under its leader,
        which need not be on the chain.
        """
        return self._names

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of the links, the base first."""
        return (self._base, *(segment.link for segment in self._segments))

    @property
    def limits(self) -> tuple[JointLimits, ...]:
        """Limits of the coordinates, those of joints that follow taken into account."""
        return self._limits

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Every joint, fixed ones included, with the link behind it."""
        return self._segments

    @property
    def moving(self) -> tuple[Segment, ...]:
        """Every joint that moves, with the link behind it; those that follow another as well."""
        return self._moving

    @cached_property
    def turning(self) -> tuple[bool, ...]:
        """Which coordinates come back to the same pose after a whole turn, whether their limits allow one or not."""
        whole = dict.fromkeys(self._names, True)
        for segment in self._moving:
            if segment.limits.kind == "prismatic" or not segment.multiplier.is_integer():
                whole[segment.coordinate] = False
        return tuple(whole.values())

    @cached_property
    def periodic(self) -> tuple[bool, ...]:
        """Which coordinates come back to the same pose after a whole turn, and have no limits."""
        return tuple(
            turns and limits.kind == "continuous" for turns, limits in zip(self.turning, self._limits, strict=True)
        )

    @cached_property
    def lower(self) -> FloatArray:
        """Lower limits, (n,), rad or m; minus infinity at continuous joints; read-only."""
        return _frozen([limits.lower for limits in self.limits])

    @cached_property
    def upper(self) -> FloatArray:
        """Upper limits, (n,), rad or m; infinity at continuous joints; read-only."""
        return _frozen([limits.upper for limits in self.limits])

    @cached_property
    def max_velocity(self) -> FloatArray:
        """Greatest speeds, (n,), rad/s or m/s; NaN where unset; read-only."""
        return _frozen([math.nan if v.max_velocity is None else v.max_velocity for v in self.limits])

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The moving joints by axis and point, in the base frame with every coordinate at zero; followers as well."""
        return _evaluate.joints_at_zero(self)

    @cached_property
    def reach_centre(self) -> FloatArray:
        """Origin of the first joint in the base frame, (3,), m, from which :attr:`reach` counts; read-only."""
        return _frozen(self.kernel_model.values[9:12])

    @cached_property
    def reach(self) -> float:
        """A distance from :attr:`reach_centre` that the tip never exceeds, m: offsets and strokes added up."""
        return _evaluate.reach(self)

    @cached_property
    def limit_model(self) -> Model:
        """Limits and reach as the kernels of inverse kinematics read them."""
        return _ik_search.limit_model(self)

    @cached_property
    def first_starts(self) -> FloatArray:
        """The starts that inverse kinematics tries first, (49, n), rad or m, the middle of the ranges before all."""
        return _ik_search.starts(self, 0, 49)

    @property
    def packed(self) -> Packed:
        """The arrays that the kernels read."""
        return self._packed

    def validate(self) -> None:
        """Refuse limits that nothing can be planned with.

        Raises:
            InvalidLimits: a velocity limit is unset; names the joint.
        """
        for name, limits in zip(self._names, self.limits, strict=True):
            if limits.max_velocity is None:
                raise InvalidLimits(
                    f"chain {self._name!r}: joint {name!r} has no velocity limit (missing or 0 in the robot file), so "
                    f"no motion can be planned; give one in {limits.unit}/s, as in the maker's data sheet",
                    joint=name,
                )

    def vector(self, q: Coordinates, what: str = "q") -> FloatArray:
        """``q`` as a checked float64 array (n,) in joint order; the same array when it is one already."""
        return vector(q, self.axes, what)

    def as_mapping(self, q: Coordinates) -> dict[str, float]:
        """``q`` by joint name, in joint order: what every method takes in place of an array.

        Args:
            q: (n,) numbers, rad or m, in the order of :attr:`joint_names`; or a mapping, which comes out in that order.

        Raises:
            WrongLength, UnknownName, NotFinite, JointLimitViolated: as for every method that takes ``q``.

        >>> import motionkit as mk
        >>> chain = mk.SerialChain.six_axis_example()
        >>> chain.as_mapping([0.0, -1.0, 1.5, 0.0, 1.0, 0.0])["j3"]
        1.5
        """
        return mapping(q, self.axes)

    # ---- as a value
    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChainStructure) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash((self._name, self._base, self._names))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), *self._state())

    def _state(self) -> tuple[object, ...]:
        return self._segments, self._base, self._tool, self._name

    def __repr__(self) -> str:
        joints = ", ".join(f"{name} ({v.kind})" for name, v in zip(self._names, self._limits, strict=True))
        tool = ", with a tool" if self._tool is not None else ""
        return f"{type(self).__name__} {self._name!r}: {self._base} to {self.tip}{tool}, n = {self.n}: {joints}"


def _rebuild(
    cls: type[ChainStructure], segments: tuple[Segment, ...], base: str, tool: SE3 | None, name: str
) -> ChainStructure:
    return cls(segments, base=base, tool=tool, name=name)


def _frozen(values: Sequence[float]) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array
