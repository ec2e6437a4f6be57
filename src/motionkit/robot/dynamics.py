"""Chains and whole robots with masses: what moves, what is held, gravity, payloads and motors.

What they answer is in ``_dynamic_methods``; kinematics is in ``chain`` and ``model``; robot files elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import KindMismatch, UnknownName, WrongLength, did_you_mean
from ..kernels import particles, tree_jacobian
from ..kernels.pose import position
from ..spatial import SE3
from ..values import JointVelocity
from ..values.axes import Axes
from ._coordinates import Coordinates, output, vector
from ._dynamic_methods import CentroidalMomentum, DynamicMethods
from ._dynamics_packing import Drives, Part, pack_bodies, refuse_massless
from ._hanging import all_parts, hanging, held
from ._packing import Segment
from .chain import SerialChain
from .inertia import LinkInertia, turned_tensor
from .limits import JointLimits

if TYPE_CHECKING:
    from .model import Packages, RobotModel

FloatArray = NDArray[np.float64]
Inertias = Sequence[LinkInertia | None] | Mapping[str, LinkInertia]

__all__ = ["CentroidalMomentum", "DynamicChain", "DynamicTree"]


class DynamicChain(DynamicMethods, SerialChain):
    """A serial chain with the masses of its links and of everything that hangs on them; immutable.

    It does all that a :class:`SerialChain` does. Make one with :meth:`from_urdf`, :meth:`from_model`,
    :meth:`from_joints`, :meth:`six_axis_example` or ``SerialChain.with_inertias``.

    Links that are fixed to a link of the chain, on it or beside it, move with it. Joints beside the chain are held
    where ``held`` says, at zero when it says nothing, and what they carry moves with the chain; those that follow a
    coordinate of the chain move with it. What hangs on the base does not count.

    Args:
        segments: joints and links from the base on.
        base: name of the link whose frame is the base.
        tool: pose of the tool in the flange, which is the last link's frame.
        name: of the robot.
        beside: joints and links that hang on the chain, each after what it hangs on.
        drives: gravity and motors.
        payload: a body at the tool, in the tool's frame.
        tool_inertia: mass properties of the tool, in the flange's frame.

    Raises:
        InvalidInertia: a moving link has an inertia that no body can have, or a joint moves nothing that has inertia
            about its axis; names the link.

    >>> import motionkit as mk
    >>> arm = mk.DynamicChain.six_axis_example()
    >>> round(arm.kinetic_energy([0.0] * 6, [1.0] * 6), 3)
    5.94
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        *,
        base: str = "base",
        tool: SE3 | None = None,
        name: str = "chain",
        beside: Sequence[Part] = (),
        drives: Drives | None = None,
        payload: LinkInertia | None = None,
        tool_inertia: LinkInertia | None = None,
    ) -> None:
        super().__init__(segments, base=base, tool=tool, name=name)
        self._beside = tuple(beside)
        self._payload = payload
        self._tool_inertia = tool_inertia
        links = self.link_names
        parts = [Part(link, segment) for link, segment in zip(links[:-1], self._segments, strict=True)]
        added: list[tuple[str, LinkInertia]] = []
        if tool_inertia is not None:
            added.append((links[-1], tool_inertia))
        if payload is not None:
            added.append((links[-1], payload if tool is None else _moved(payload, tool)))
        settings = drives or Drives()
        self._set_bodies(pack_bodies(base, [*parts, *self._beside], self._names, added, settings), settings)
        refuse_massless(self._bodies, self._names)

    @classmethod
    def from_urdf(
        cls,
        source: str | os.PathLike[str],
        base: str | None = None,
        tip: str | None = None,
        packages: Packages | None = None,
        *,
        hold: Collection[str] = (),
        held: Mapping[str, float] | None = None,
    ) -> DynamicChain:
        """A chain of a robot in a URDF, with all that hangs on it.

        Args:
            source: a path, or the text itself (a str that starts with ``<``).
            base: link whose frame is the base; None is the root.
            tip: last link; None is the one leaf with the most moving joints on its way.
            packages: folders of packages by name; meshes are never opened.
            hold: names of floating and planar joints to load as fixed, at zero.
            held: where joints beside the chain are held, by name, rad or m; 0 where nothing is said.

        Raises:
            FileUnreadable: the file cannot be read, or it is not XML.
            InvalidModel: it is not a robot, or has a floating or planar joint that is not held.
            UnknownName: there is no such link, the tip is not clear, or ``held`` names no joint beside the chain.
            InvalidInertia: as for the class.
        """
        from .model import RobotModel

        return cls.from_model(RobotModel.from_urdf(source, packages, hold=hold), base, tip, held=held)

    @classmethod
    def from_model(
        cls,
        model: RobotModel,
        base: str | None = None,
        tip: str | None = None,
        *,
        held: Mapping[str, float] | None = None,
    ) -> DynamicChain:
        """The chain between two links of a robot, with all that hangs on it; arguments as for :meth:`from_urdf`."""
        chain = model.chain(base, tip)
        found = _held(hanging(model, chain.link_names), chain.joint_names, held or {}, f"chain of {model.name!r}")
        return cls(chain.segments, base=chain.base, name=chain.name, beside=found)

    @classmethod
    def six_axis_example(cls) -> DynamicChain:
        """The chain of ``RobotModel.six_axis_example()``, from base_link to flange."""
        from .example import six_axis_model

        return cls.from_model(six_axis_model())

    def with_tool(self, flange_T_tcp: SE3, inertia: LinkInertia | None = None) -> DynamicChain:
        """This chain with a tool, in place of the one that it has; its tip is then the tool.

        Args:
            flange_T_tcp: pose of the tool in the flange (the last link of the chain).
            inertia: mass properties of the tool in the flange's frame; None for a tool without mass.

        Raises:
            KindMismatch: it is no SE3, or no LinkInertia.
        """
        if not isinstance(flange_T_tcp, SE3):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise KindMismatch(
                f"with_tool: expected the tool's pose in the flange as an SE3, got {type(flange_T_tcp).__name__}; "
                "SE3.from_matrix takes a 4 by 4"
            )
        if inertia is not None and not isinstance(inertia, LinkInertia):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise KindMismatch(f"with_tool: expected a LinkInertia as inertia, got {type(inertia).__name__}")
        return self._remade(tool=flange_T_tcp, tool_inertia=inertia)

    def with_payload(self, mass: float, com: ArrayLike, inertia: ArrayLike | None = None) -> DynamicChain:
        """This chain with a body in its grip, in place of the one that it has.

        Args:
            mass: kg; with 0 (and no inertia) this is :meth:`without_payload`.
            com: centre of mass in the frame of the tip, that is of the tool when there is one, (3,), m.
            inertia: tensor about the centre of mass in the axes of the tip, (3, 3), kg m^2; a point when left out.

        Raises:
            InvalidInertia: no body can have them.
            WrongLength, KindMismatch, NotFinite: as for :class:`LinkInertia`.

        >>> import motionkit as mk
        >>> arm = mk.DynamicChain.six_axis_example()
        >>> q = [0.0] * 6
        >>> (arm.with_payload(2.0, (0, 0, 0.1)).gravity_torque(q) - arm.gravity_torque(q)).round(2).tolist()
        [0.0, -19.62, -11.18, 0.0, -3.73, 0.0]
        """
        body = LinkInertia(mass, com, np.zeros((3, 3)) if inertia is None else inertia)
        return self._remade(payload=body if body.mass > 0.0 else None)

    def without_payload(self) -> DynamicChain:
        """This chain with nothing in its grip; every bit is as before it gripped anything."""
        return self._remade(payload=None)

    def with_inertias(self, inertias: Inertias | None = None) -> DynamicChain:
        """This chain with other mass properties of its links; see ``SerialChain.with_inertias``."""
        return self._remade(segments=with_bodies(self, inertias))

    @property
    def payload(self) -> LinkInertia | None:
        """The body in its grip, in the frame of the tip; None when there is none."""
        return self._payload

    @property
    def tool_inertia(self) -> LinkInertia | None:
        """Mass properties of the tool, in the flange's frame; None when it has none."""
        return self._tool_inertia

    @property
    def beside(self) -> tuple[Part, ...]:
        """Joints and links that hang on the chain and are not on it."""
        return self._beside

    def jacobian_derivative(self, q: Coordinates, qd: Coordinates) -> FloatArray:
        """The derivative in time of :meth:`jacobian`, (6, n): base axes, reference point at the tip."""
        place = self._bodies.links[self.tip]
        tip = place[1] if self._tool is None else (SE3.from_elements(place[1]) * self._tool).elements
        return _point_jacobian(self, q, qd, (place[0], position(tip)))[1]

    def _changed(self, drives: Drives) -> Self:
        return self._remade(drives=drives)

    def _remade(self, **changes: Any) -> Self:
        """The same chain with some of its parts changed."""
        parts: dict[str, Any] = {**self._parts(), **changes}
        return type(self)(parts.pop("segments"), **parts)

    def _parts(self) -> dict[str, Any]:
        return {
            "segments": self._segments,
            "base": self._base,
            "tool": self._tool,
            "name": self._name,
            "beside": self._beside,
            "drives": self._drives,
            "payload": self._payload,
            "tool_inertia": self._tool_inertia,
        }

    def _state(self) -> tuple[object, ...]:
        return tuple(self._parts().values())

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self._parts())


class DynamicTree(DynamicMethods):
    """A whole robot with the masses of its links; immutable.

    Its coordinates are those of the robot: every joint that moves and follows no other, in the order of
    ``RobotModel.joint_names``, less those that are held. The root link stands still.

    Args:
        model: the robot.
        held: coordinates to hold, and where, by name of the joint, rad or m.
        drives: gravity and motors.
        payloads: further bodies by the link that they are fixed to, in its frame.

    Raises:
        InvalidInertia: a moving link has an inertia that no body can have, or a joint moves nothing that has inertia
            about its axis; names the link.
        InvalidModel: a joint is floating or planar.
        UnknownName: ``held`` names what has no coordinate, or ``payloads`` no link.

    >>> import motionkit as mk
    >>> robot = mk.DynamicTree(mk.RobotModel.six_axis_example())
    >>> robot.gravity_torque([0.0] * 6).round(3).tolist()
    [0.0, -73.889, -17.364, 0.0, -0.348, 0.0]
    """

    def __init__(
        self,
        model: RobotModel,
        *,
        held: Mapping[str, float] | None = None,
        drives: Drives | None = None,
        payloads: Mapping[str, LinkInertia] | None = None,
    ) -> None:
        self._model = model
        self._posture = dict(held or {})
        self._payloads = dict(payloads or {})
        kept = [k for k, name in enumerate(model.joint_names) if name not in self._posture]
        names = [model.joint_names[k] for k in kept]
        self._limits = tuple(model.limits[k] for k in kept)
        self.axes = Axes(names, [limits.position_kind for limits in self._limits])
        parts = _held(all_parts(model), names, self._posture, f"robot {model.name!r}")
        for link in self._payloads:
            model.link(link)
        settings = drives or Drives()
        added = [(link, body) for link, body in self._payloads.items() if body.mass > 0.0]
        self._set_bodies(pack_bodies(model.root, parts, names, added, settings), settings)
        refuse_massless(self._bodies, names)

    @classmethod
    def from_urdf(
        cls,
        source: str | os.PathLike[str],
        packages: Packages | None = None,
        *,
        hold: Collection[str] = (),
        held: Mapping[str, float] | None = None,
    ) -> DynamicTree:
        """A robot in a URDF; arguments as for ``RobotModel.from_urdf``, and ``held`` as for the class."""
        from .model import RobotModel

        return cls(RobotModel.from_urdf(source, packages, hold=hold), held=held)

    @property
    def model(self) -> RobotModel:
        """The robot."""
        return self._model

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return self.axes.shape[0]

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the coordinates, in the order of every array."""
        return self.axes.names

    @property
    def limits(self) -> tuple[JointLimits, ...]:
        """Limits of the coordinates, those of joints that follow taken into account."""
        return self._limits

    @property
    def held(self) -> dict[str, float]:
        """Coordinates that are held, and where."""
        return dict(self._posture)

    @property
    def payloads(self) -> dict[str, LinkInertia]:
        """Further bodies by the link that they are fixed to, in its frame."""
        return dict(self._payloads)

    def with_payload(self, link: str, mass: float, com: ArrayLike, inertia: ArrayLike | None = None) -> DynamicTree:
        """This robot with a body fixed to a link, in place of the one that it was given there.

        Args:
            link: name of the link.
            mass: kg; with 0 (and no inertia) the payload there is taken away.
            com: centre of mass in the link's frame, (3,), m.
            inertia: tensor about the centre of mass in the axes of the link, (3, 3), kg m^2; a point when left out.

        Raises:
            UnknownName: there is no such link.
            InvalidInertia: no body can have them.
        """
        body = LinkInertia(mass, com, np.zeros((3, 3)) if inertia is None else inertia)
        rest = {name: other for name, other in self._payloads.items() if name != self._model.link(link).name}
        return self._remade(payloads={**rest, link: body} if body.mass > 0.0 else rest)

    def link_jacobian(self, link: str, q: Coordinates) -> FloatArray:
        """Geometric Jacobian of a link, (6, n): linear rows over angular, base axes, at the link's origin.

        Raises:
            UnknownName: there is no such link.
        """
        return _point_jacobian(self, q, self._still, self._place(link))[0]

    def link_jacobian_derivative(self, link: str, q: Coordinates, qd: Coordinates) -> FloatArray:
        """The derivative in time of :meth:`link_jacobian`, (6, n)."""
        return _point_jacobian(self, q, qd, self._place(link))[1]

    def _place(self, link: str) -> tuple[int, tuple[float, float, float]]:
        body, pose = self._bodies.links[self._model.link(link).name]
        return body, position(pose)

    def _changed(self, drives: Drives) -> Self:
        return self._remade(drives=drives)

    def _remade(self, **changes: Any) -> Self:
        parts: dict[str, Any] = {**self._parts(), **changes}
        return type(self)(parts.pop("model"), **parts)

    def _parts(self) -> dict[str, Any]:
        drives, payloads = self._drives, self._payloads
        return {"model": self._model, "held": self._posture, "drives": drives, "payloads": payloads}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DynamicTree) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((self._model.name, self.joint_names, self._drives))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_tree, (type(self), self._parts())

    def __repr__(self) -> str:
        still = f", {len(self._posture)} held" if self._posture else ""
        return f"DynamicTree {self._model.name!r}: {len(self.body_names)} moving bodies, n = {self.n}{still}"


def with_bodies(chain: SerialChain, inertias: Inertias | None) -> tuple[Segment, ...]:
    """The segments of a chain with other mass properties.

    Raises:
        WrongLength: not one for each moving joint, nor one for each joint.
        UnknownName: a mapping names a link that the chain does not have.
        KindMismatch: something is not a LinkInertia.
    """
    segments = chain.segments
    if inertias is None:
        return segments
    if isinstance(inertias, Mapping):
        links = [segment.link for segment in segments]
        for name in inertias:
            if name not in links:
                raise UnknownName(f"inertias: chain {chain.name!r} has no link {name!r}: {did_you_mean(name, links)}")
        given = [inertias.get(link) for link in links]
    else:
        bodies, moving = list(inertias), [segment.moving for segment in segments]
        if len(bodies) == len(segments):
            given = bodies
        elif len(bodies) == sum(moving):
            rest = iter(bodies)
            given = [next(rest) if moves else None for moves in moving]
        else:
            raise WrongLength(
                f"inertias: expected one for each of the {sum(moving)} moving joints, or for each of all "
                f"{len(segments)} (None keeps what is known), got {len(bodies)}"
            )
    for segment, body in zip(segments, given, strict=True):
        if body is not None and not isinstance(body, LinkInertia):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise KindMismatch(f"inertias: link {segment.link!r}: expected a LinkInertia, got {type(body).__name__}")
    return tuple(
        segment if body is None else replace(segment, inertia=body)
        for segment, body in zip(segments, given, strict=True)
    )


def dynamic_chain(chain: SerialChain, inertias: Inertias | None) -> DynamicChain:
    """A chain with masses; what else hangs on it is not known here."""
    return DynamicChain(with_bodies(chain, inertias), base=chain.base, tool=chain.tool, name=chain.name)


_held = held


def _moved(body: LinkInertia, pose: SE3) -> LinkInertia:
    """A body given in one frame, in the frame that holds it at a pose."""
    centre = pose * np.array(body.com)
    return LinkInertia.as_stated(body.mass, centre, turned_tensor(pose.rotation, body.inertia))


def _point_jacobian(
    owner: DynamicChain | DynamicTree, q: Coordinates, qd: Coordinates, place: tuple[int, tuple[float, float, float]]
) -> tuple[FloatArray, FloatArray]:
    """Jacobian of a point of a body, and its derivative in time."""
    values, rates = vector(q, owner.axes), vector(qd, owner.axes, "qd", JointVelocity)
    J, rate = output(None, (6, len(values)), "out"), output(None, (6, len(values)), "out")
    if len(values):
        body, (x, y, z) = place
        space = np.empty(particles.SPACE * len(owner.body_names))
        tree_jacobian.point_jacobian(
            owner.dynamic_model, values, rates, x, y, z, body, space, J.reshape(-1), rate.reshape(-1)
        )
    return J, rate


def _rebuild(cls: type[DynamicChain], parts: dict[str, Any]) -> DynamicChain:
    given = dict(parts)
    return cls(given.pop("segments"), **given)


def _rebuild_tree(cls: type[DynamicTree], parts: dict[str, Any]) -> DynamicTree:
    given = dict(parts)
    return cls(given.pop("model"), **given)
