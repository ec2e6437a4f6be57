"""The ways of a robot model in and out of other formats than URDF text: what is promised; how is in the loaders.

Reading URDF, which the others lead to, is in ``model`` itself.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast, overload

if TYPE_CHECKING:
    from ..spatial import SE3
    from .dh import DhRow
    from .inertia import LinkInertia
    from .model import Packages, RobotModel


class RobotFormats:
    """Loaders and writers that a robot model has; see :class:`RobotModel`."""

    @classmethod
    def from_file(
        cls, path: str | os.PathLike[str], packages: Packages | None = None, *, hold: Collection[str] = ()
    ) -> RobotModel:
        """Load a robot from a file of any kind that there is a loader for.

        A file that ends in ``.xacro`` goes through :meth:`from_xacro`, one whose first element is ``mujoco`` through
        :meth:`from_mjcf`, any other through :meth:`from_urdf`; they raise what is wrong.

        Args:
            path: of the file.
            packages: folders of packages by name, for URDF and xacro files.
            hold: names of joints with several coordinates to load as fixed.

        Raises:
            KindMismatch: packages for a MJCF, which names none.
        """
        from .files import load

        return load(path, packages, hold)

    @classmethod
    def from_mjcf(cls, source: str | os.PathLike[str], *, hold: Collection[str] = ()) -> RobotModel:
        """Load a robot from a MJCF file, as MuJoCo's own compiler understands it.

        Bodies are links with the frames that they have in MuJoCo, ``world`` is the root, hinge and slide joints are
        revolute (continuous without a range) and prismatic, named sites are fixed links, and an equality between two
        joints that is linear makes one follow the other (mimic). Where a joint's anchor is not the origin of its body,
        or a body has several joints, massless links stand between (``body_joint``). Unnamed bodies are ``body3``,
        unnamed joints ``BODY_joint``. A coordinate is MuJoCo's ``qpos`` of the joint. What is left out, such as
        armature, damping and actuators, :meth:`check` says.

        Args:
            source: a path, or the text itself (a str that starts with ``<``). Meshes that cannot be read are left out.
            hold: names of joints that stay as the file draws them; free and ball joints need it.

        Raises:
            MissingExtra: MuJoCo is not installed: ``pip install 'motionkit[mjcf]'``.
            FileUnreadable: the file cannot be read, or it is not XML.
            InvalidModel: MuJoCo refuses it, it has a free or a ball joint that is not held, or a slide without range.
            UnknownName: ``hold`` names a joint that there is not.
        """
        from .mjcf import load

        return load(source, hold)

    @classmethod
    def from_xacro(
        cls,
        path: str | os.PathLike[str],
        arguments: Mapping[str, object] | None = None,
        packages: Packages | None = None,
        *,
        hold: Collection[str] = (),
    ) -> RobotModel:
        """Load a robot from a xacro file, whose macros are expanded first.

        Xacro evaluates expressions of the file as Python: expand only files that you would run. Lines in findings are
        those that the command ``xacro FILE`` prints.

        Args:
            path: of the file; a text has no place from which its includes could be found.
            arguments: values for its ``xacro:arg`` elements, by name; numbers and booleans are written as xacro has
                them.
            packages: folders of packages that ``$(find name)`` and ``package://name/...`` name, by name. Packages that
                are not listed are looked for beside the file, in the folders above it, then where ROS has them.
            hold: names of floating and planar joints to load as fixed, at zero.

        Raises:
            MissingExtra: xacro is not installed: ``pip install 'motionkit[robots]'``.
            FileUnreadable: the file, or one that it includes, cannot be read or is not XML; has ``path`` and ``line``.
            InvalidModel: it cannot be expanded, or what comes out is not a robot.
            UnknownName: the file has no argument of a name.
        """
        from .xacro_reading import load

        return load(path, arguments or {}, packages or {}, hold)

    @classmethod
    def from_description(cls, name: str, arguments: Mapping[str, object] | None = None) -> RobotModel:
        """Load one of the robots that the package robot_descriptions knows, by name.

        The package fetches the files the first time a robot is asked for, and keeps them on disk.

        Args:
            name: such as ``"ur5e_description"``; names in ``_mj_description`` are MJCF files.
            arguments: for descriptions that are xacro files, over those that the package gives.

        Raises:
            MissingExtra: the package, or MuJoCo for a MJCF, is not installed: ``pip install 'motionkit[robots]'``.
            UnknownName: the package knows no such robot; the message has the nearest names.
            FileUnreadable: the files cannot be fetched or read.
            InvalidModel: they are not a robot; see the other loaders.
        """
        from .descriptions import load

        return load(name, arguments or {})

    @classmethod
    def from_dh(
        cls,
        rows: Sequence[DhRow | Mapping[str, Any]],
        convention: str,
        *,
        base: SE3 | None = None,
        tool: SE3 | None = None,
        inertias: Sequence[LinkInertia | None] | None = None,
        name: str = "robot",
    ) -> RobotModel:
        """A robot from a table of Denavit and Hartenberg.

        The same table read in the other convention gives another arm, so the convention has no default. Links are
        ``base``, ``link1`` and so on, ``flange`` behind the last row, and ``tool`` when a tool is given. A link's frame
        lies on its joint's axis: in the modified convention it is the frame of the row.

        Args:
            rows: from the base on; a :class:`DhRow` each, or a mapping with its names. m and rad.
            convention: ``"standard"``: a row is Rz(theta) Tz(d) Tx(a) Rx(alpha), and its frame sits on the next axis.
                ``"modified"``: a row is Rx(alpha) Tx(a) Rz(theta) Tz(d), with the alpha and a of the link before it,
                and its frame sits on its own axis.
            base: pose of the frame that the first row starts from, in the base.
            tool: pose of the tool in the flange.
            inertias: mass properties for each row, in the frame of that row as the convention has it, which moves with
                its joint; None where unknown.
            name: of the robot.

        Raises:
            UnknownName: no such convention; or a mapping has a column that there is not.
            KindMismatch, NotFinite, InvalidLimits: a row is wrong, as :class:`DhRow` says; names the row.
            WrongLength: not as many inertias as rows.
            InvalidModel: two joints have one name.

        Angles that are multiples of pi/2 as floats are taken as exact quarter turns. Source: Denavit and Hartenberg,
        J. Applied Mechanics 22 (1955); the modified form is that of Craig, Introduction to Robotics.

        >>> import math
        >>> import motionkit as mk
        >>> rows = [mk.DhRow(a=0.5), mk.DhRow(a=0.25)]
        >>> for convention in ("standard", "modified"):
        ...     arm = mk.RobotModel.from_dh(rows, convention).chain()
        ...     print(arm.forward([0.0, math.pi / 2]).translation.round(12).tolist())
        [0.5, 0.25, 0.0]
        [0.75, 0.0, 0.0]
        """
        from .dh import from_dh

        return from_dh(rows, convention, base=base, tool=tool, inertias=inertias, name=name)

    @overload
    def to_urdf(self, path: None = None) -> str: ...
    @overload
    def to_urdf(self, path: str | os.PathLike[str]) -> None: ...
    def to_urdf(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Write the robot as a URDF; reading that gives the same robot, poses within 1e-15, all else to the bit.

        Links, mass properties, joints, limits, mimic joints and meshes are written; that is all a model holds. Unset
        velocity and effort limits are written as 0, as URDF files have them.

        Args:
            path: of the file, which appears whole or not at all; one that is there is replaced. Meshes that were named
                relative to the old file are named relative to the new one. None: the text is returned.

        Returns:
            The text, or None when it went to a file.

        Raises:
            InvalidModel: a URDF cannot say it: an inertia that is not symmetric, two joints of one name, an empty name
                or one with characters that XML cannot hold; ``findings`` lists all of it.
            FileUnreadable: the file cannot be written.

        >>> import motionkit as mk
        >>> model = mk.RobotModel.six_axis_example()
        >>> mk.RobotModel.from_urdf(model.to_urdf()).joints[1].limits == model.joints[1].limits
        True
        """
        from .urdf_writing import to_urdf

        return to_urdf(cast("RobotModel", self), path)
