"""A robot as a tree of links and joints, the way a robot file describes it; any path through it is a chain.

Reading and writing files does not belong here, nor does computing where anything is.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InvalidModel, UnknownName, did_you_mean
from ..spatial import SE3
from ._packing import Segment
from .findings import Finding, check
from .inertia import LinkInertia
from .limits import JointLimits

if TYPE_CHECKING:
    from .chain import SerialChain

Packages = Mapping[str, str | os.PathLike[str]]


@dataclass(frozen=True, slots=True)
class Mesh:
    """A mesh file that a link names; it is never opened.

    Args:
        filename: as written in the robot file.
        path: the file it stands for; None when it cannot be found.
        role: ``"visual"`` or ``"collision"``.
        line: line in the robot file.
    """

    filename: str
    path: Path | None
    role: str
    line: int | None = None


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
        kind: ``"revolute"``, ``"prismatic"``, ``"continuous"`` or ``"fixed"``.
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
class RobotModel:
    """A robot as a tree: links joined by joints, every joint after the one that carries it.

    Make one with :meth:`from_urdf` or :meth:`six_axis_example`.

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
        hold: str | Iterable[str] = (),
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
            InvalidModel: the chain passes through a floating, planar or mimic joint.
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
        identity = SE3.identity()
        segments: list[Segment] = []
        for i in reversed(up[shared:]):
            joint = self._usable(i)
            x, y, z = joint.axis
            back, link = joint.placement.inverse(), self.link(joint.parent)
            segments.append(Segment(joint.name, identity, (-x, -y, -z), back, joint.limits, link.name, link.inertia))
        for i in down[shared:]:
            joint, link = self._usable(i), self.link(self.joints[i].child)
            segments.append(
                Segment(joint.name, joint.placement, joint.axis, identity, joint.limits, link.name, link.inertia)
            )
        return tuple(segments)

    def _usable(self, i: int) -> ModelJoint:
        joint = self.joints[i]
        if joint.kind in ("floating", "planar"):
            what, fix = f"is {joint.kind}, with more than one coordinate", "choose a base below it"
        elif joint.mimic is not None:
            what, fix = f"follows joint {joint.mimic.joint!r} (mimic)", f"choose a tip before link {joint.child!r}"
        else:
            return joint
        where = f"{self.source}:{joint.line}: " if self.source and joint.line is not None else ""
        message = f"{where}joint {joint.name!r} {what}, which a chain cannot have yet; {fix}"
        raise InvalidModel(
            message,
            findings=[Finding("error", f"joint {joint.name!r}", joint.line, "one coordinate of its own", what, fix)],
        )
