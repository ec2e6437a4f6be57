"""A robot as a tree of links and joints, the way a robot file describes it; any path through it is a chain.

Reading and writing files does not belong here, nor does computing where anything is.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidModel, UnknownName, did_you_mean
from ..kernels._contract import Model
from ..spatial import SE3
from ..values.axes import Axes
from ._coordinates import Coordinates, mapping
from ._formats import RobotFormats
from ._mimic import displaced, drives
from ._packing import Drive, Segment
from ._tree import link_poses, link_poses_batch, pack_tree
from .findings import Finding, check
from .inertia import LinkInertia
from .limits import MOVING, JointLimits

if TYPE_CHECKING:
    from .chain import SerialChain

FloatArray = NDArray[np.float64]
Packages = Mapping[str, str | os.PathLike[str]]


@dataclass(frozen=True, slots=True)
class Mesh:
    """A mesh file that a link names; it is never opened.

    Args:
        filename: as written in the robot file.
        path: the file it stands for; None when it cannot be found.
        role: ``"visual"`` or ``"collision"``.
        line: line in the robot file.
        pose: of the mesh in the link's frame.
        scale: factors along the axes of the mesh.
    """

    filename: str
    path: Path | None
    role: str
    line: int | None = None
    pose: SE3 = SE3.identity()  # noqa: RUF009  immutable
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Mimic:
    """A coordinate that follows another: ``multiplier * q[joint] + offset``."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelLink:
    """A link of a robot: its name, its mass properties in its own frame when stated, and the meshes it names."""

    name: str
    inertia: LinkInertia | None = None
    meshes: tuple[Mesh, ...] = ()
    line: int | None = None
    inertial_line: int | None = None


@dataclass(frozen=True, slots=True)
class ModelJoint:
    """A joint of a robot.

    Args:
        name: unique within the robot.
        kind: ``"revolute"``, ``"prismatic"``, ``"continuous"`` or ``"fixed"``; a model made by hand may also have
            ``"floating"`` and ``"planar"``, which no chain may pass through and no loader leaves in.
        parent: link that it hangs on.
        child: link that it carries; the link's frame is the moved joint frame.
        placement: pose of the joint's frame in the parent link's frame at coordinate zero.
        axis: unit direction in the joint's frame.
        limits: range and greatest velocity.
        mimic: the joint whose coordinate it shares, when it has none of its own.
        line: line in the file.
    """

    name: str
    kind: str
    parent: str
    child: str
    placement: SE3
    axis: tuple[float, float, float]
    limits: JointLimits
    mimic: Mimic | None = None
    line: int | None = None


@dataclass(frozen=True, repr=False)
class RobotModel(RobotFormats):
    """A robot as a tree: links joined by joints, every joint after the one that carries it.

    Make one with :meth:`from_urdf`, :meth:`from_xacro`, :meth:`from_mjcf`, :meth:`from_dh`, :meth:`from_description`,
    :meth:`from_file` or :meth:`six_axis_example`.

    Args:
        name: of the robot.
        links: in the order of the file.
        joints: in topological order (a joint comes after the joint that carries its parent link), else as in the file.
        notes: what the loader found doubtful; :meth:`check` repeats them.
        source: the file; empty for a text.

    Raises:
        InvalidModel: the links and joints are not one tree.

    >>> import motionkit as mk
    >>> model = mk.RobotModel.six_axis_example()
    >>> model.root, len(model.links), model.chain().n
    ('base_link', 8, 6)
    """

    name: str
    links: tuple[ModelLink, ...]
    joints: tuple[ModelJoint, ...]
    notes: tuple[Finding, ...] = ()
    source: str = ""

    def __post_init__(self) -> None:
        known = {link.name for link in self.links}
        seen = set(self._roots())
        wrong = f"its roots are {', '.join(sorted(seen)) or 'none'}" if len(seen) != 1 else ""
        for joint in self.joints:
            if joint.parent not in seen or joint.child in seen or joint.child not in known:
                wrong = wrong or f"joint {joint.name!r} from {joint.parent!r} to {joint.child!r} does not fit"
            seen.add(joint.child)
        if wrong or len(known) != len(self.links):
            raise InvalidModel(
                f"robot {self.name!r} is not a tree with one root: {wrong or 'a link name occurs twice'}; "
                "list every joint after the joint that carries its parent link",
                findings=[],
            )

    @classmethod
    def from_urdf(
        cls,
        source: str | os.PathLike[str],
        packages: Packages | None = None,
        *,
        hold: Collection[str] = (),
    ) -> RobotModel:
        """Load a robot from a URDF.

        Args:
            source: a path, or the text itself (a str that starts with ``<``).
            packages: folders of packages that ``package://name/...`` names, by name. Packages that are not listed are
                looked for beside the file and in the folders above it. Meshes are looked up, never opened.
            hold: names of floating and planar joints to load as fixed, at zero; without it they are refused.

        Raises:
            FileUnreadable: the file cannot be read, or it is not XML; has ``path`` and ``line``.
            InvalidModel: it is XML but not a robot, or has a floating or planar joint that is not held; ``findings``
                lists every defect with its line, errors first.
            UnknownName: ``hold`` names what is no floating or planar joint.
        """
        from .urdf import load

        return load(source, packages, hold)

    @classmethod
    def six_axis_example(cls) -> RobotModel:
        """A made-up six-axis arm with a spherical wrist and 0.9 m reach, joints j1 to j6, limits and inertias.

        At zero it stretches out along x with its shoulder 0.35 m up; with the joints at 0, -60, 90, 0, 60 and 0 degrees
        the flange faces the floor. All its lengths are in ``motionkit.robot.example``.
        """
        from .example import six_axis_model

        return six_axis_model()

    @cached_property
    def root(self) -> str:
        """The link that no joint carries."""
        return self._roots()[0]

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The links that carry no joint, in the order of the file."""
        parents = {joint.parent for joint in self.joints}
        return tuple(link.name for link in self.links if link.name not in parents)

    @cached_property
    def meshes(self) -> tuple[Mesh, ...]:
        """Every mesh that the links name."""
        return tuple(mesh for link in self.links for mesh in link.meshes)

    @cached_property
    def parent_indices(self) -> tuple[int, ...]:
        """For every joint the index of the joint that carries its parent link; -1 at the root."""
        return tuple(self._carrier.get(joint.parent, -1) for joint in self.joints)

    # ---- the whole robot in motion
    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints that have a coordinate of their own, in topological order, else as in the file.

        This is the order of every coordinate array of the whole robot. Fixed joints and joints that follow another
        have none.
        """
        return tuple(joint.name for joint in self.joints if joint.kind in MOVING and joint.mimic is None)

    @property
    def n(self) -> int:
        """Number of coordinates of the whole robot."""
        return len(self.joint_names)

    @cached_property
    def limits(self) -> tuple[JointLimits, ...]:
        """Limits of the coordinates, those of joints that follow taken into account."""
        own = {joint.name: joint.limits for joint in self.joints}
        return tuple(self._led_limits.get(name, own[name]) for name in self.joint_names)

    @cached_property
    def axes(self) -> Axes:
        """Names and kinds of the coordinates."""
        return Axes(self.joint_names, [limits.position_kind for limits in self.limits])

    @cached_property
    def kernel_model(self) -> Model:
        """What ``kernels.tree`` reads: give its ``array`` to a compiled loop of your own.

        Raises:
            InvalidModel: a joint is floating or planar.
        """
        return pack_tree(self)

    def as_mapping(self, q: Coordinates) -> dict[str, float]:
        """``q`` by joint name, in the order of :attr:`joint_names`: what :meth:`link_poses` takes in place of an array.

        Args:
            q: configuration of the whole robot, (n,), rad or m; or a mapping, which comes out in joint order.

        Raises:
            WrongLength, UnknownName, NotFinite: as for :meth:`link_poses`.
        """
        return mapping(q, self.axes)

    def link_poses(self, q: Coordinates) -> dict[str, SE3]:
        """Pose of every link in the root frame, by name; what branches share is evaluated once, O(links).

        Args:
            q: configuration of the whole robot, (n,), rad or m, in the order of :attr:`joint_names`; or a mapping.

        Raises:
            InvalidModel: a joint is floating or planar.
            WrongLength: not n numbers.
            UnknownName: a mapping names a joint that has no coordinate.
            NotFinite: a number is NaN or infinite.

        >>> import motionkit as mk
        >>> poses = mk.RobotModel.six_axis_example().link_poses([0.0] * 6)
        >>> (poses["flange"].translation.round(9) + 0.0).tolist()
        [0.9, 0.0, 0.35]
        """
        return link_poses(self, q)

    def link_poses_batch(self, Q: ArrayLike, out: FloatArray | None = None, *, threads: int = 1) -> FloatArray:
        """Poses of every link in the root frame for many configurations; bit for bit those of a loop.

        Args:
            Q: configurations of the whole robot, (N, n), rad or m.
            out: (N, L, 4, 4) float64 to fill and return.
            threads: how many threads may share the rows; the numbers do not depend on it.

        Returns:
            (N, L, 4, 4), the links in the order of :attr:`links`.
        """
        return link_poses_batch(self, Q, out, threads)

    @cached_property
    def drives(self) -> dict[str, Drive]:
        """The coordinate of every joint that follows another, by name of the joint."""
        return drives(self.joints)

    @cached_property
    def _led_limits(self) -> dict[str, JointLimits]:
        return {drive.coordinate: drive.limits for drive in self.drives.values()}

    @cached_property
    def _carrier(self) -> dict[str, int]:
        return {joint.child: i for i, joint in enumerate(self.joints)}

    @cached_property
    def _link_by_name(self) -> dict[str, ModelLink]:
        return {link.name: link for link in self.links}

    def _roots(self) -> list[str]:
        children = {joint.child for joint in self.joints}
        return [link.name for link in self.links if link.name not in children]

    def __repr__(self) -> str:
        moving = sum(joint.kind != "fixed" for joint in self.joints)
        return f"RobotModel {self.name!r}: {len(self.links)} links, {moving} moving joints, root {self.root!r}"

    def check(self) -> list[Finding]:
        """Everything doubtful that kinematics can live with, in the order of the file.

        Unset velocity limits, numbers that look like degrees or millimetres or a rounded pi, axes that were not unit,
        joints without a range, inertias that no body can have or nobody measured, moved links without mass, misspelt
        names, and meshes that cannot be found. ``motionkit check`` prints them, also for a file that does not load.
        """
        return check(self)

    def link(self, name: str) -> ModelLink:
        """The link of a name.

        Raises:
            UnknownName: there is none; the message lists those there are.
        """
        found = self._link_by_name.get(name)
        if found is None:
            raise UnknownName(
                f"robot {self.name!r} has no link {name!r}: {did_you_mean(name, self._link_by_name)}", name=name
            )
        return found

    def chain(self, base: str | None = None, tip: str | None = None) -> SerialChain:
        """The chain between two links.

        The tip may lie below the base, above it, or on another branch; joints passed towards the root turn the other
        way but keep their coordinate.

        Args:
            base: link whose frame is the base; None is the root.
            tip: last link; None is the one leaf below the base with the most moving joints on its way.

        Raises:
            UnknownName: there is no such link; or no tip is given and several leaves are equally far, which the
                message lists.
            InvalidModel: the chain passes through a floating or planar joint.
        """
        from .chain import SerialChain

        base = self.root if base is None else self.link(base).name
        tip = self._default_tip(base) if tip is None else self.link(tip).name
        return SerialChain(self._segments(base, tip), base=base, name=self.name)

    def _path_from_root(self, link: str) -> list[int]:
        path: list[int] = []
        while link in self._carrier:
            path.append(self._carrier[link])
            link = self.joints[path[-1]].parent
        return path[::-1]

    def _default_tip(self, base: str) -> str:
        above = self._path_from_root(base)
        moving: dict[str, int] = {}
        for leaf in self.leaves:
            path = self._path_from_root(leaf)
            if path[: len(above)] == above:
                moving[leaf] = sum(self.joints[i].kind != "fixed" for i in path[len(above) :])
        most = max(moving.values())
        best = [leaf for leaf, count in moving.items() if count == most]
        if len(best) > 1:
            raise UnknownName(
                f"robot {self.name!r}: {len(best)} leaves below {base!r} have {most} moving joints each, so the "
                f"tip is not clear; pass tip=, one of {', '.join(best)} or any other link",
                name="",
            )
        return best[0]

    def _segments(self, base: str, tip: str) -> tuple[Segment, ...]:
        up, down = self._path_from_root(base), self._path_from_root(tip)
        shared = 0
        while shared < min(len(up), len(down)) and up[shared] == down[shared]:
            shared += 1
        backwards = [self.segment(i, towards_root=True) for i in reversed(up[shared:])]
        return (*backwards, *(self.segment(i) for i in down[shared:]))

    def segment(self, i: int, *, towards_root: bool = False) -> Segment:
        """Joint ``i`` and the link behind it as a chain passes them.

        Raises:
            InvalidModel: the joint is floating or planar.
        """
        joint = self._usable(i)
        drive = self.drives.get(joint.name)
        limits = self._led_limits.get(joint.name, joint.limits)
        before, (x, y, z), after, link = joint.placement, joint.axis, SE3.identity(), joint.child
        if drive is not None and drive.multiplier == 0.0:  # it follows something that stands still, or not at all
            before, limits, drive = before * displaced(joint, drive.offset), JointLimits.fixed(), None
        if towards_root:
            before, (x, y, z), after, link = SE3.identity(), (-x, -y, -z), before.inverse(), joint.parent
        return Segment(joint.name, before, (x, y, z), after, limits, link, self.link(link).inertia, drive)

    def _usable(self, i: int) -> ModelJoint:
        joint = self.joints[i]
        if joint.kind not in ("floating", "planar"):
            return joint
        what, fix = f"is {joint.kind}, with more than one coordinate", "choose a base below it"
        where = f"{self.source}:{joint.line}: " if self.source and joint.line is not None else ""
        message = f"{where}joint {joint.name!r} {what}, which a chain cannot have yet; {fix}"
        raise InvalidModel(
            message,
            findings=[Finding("error", f"joint {joint.name!r}", joint.line, "one coordinate of its own", what, fix)],
        )
