"""A serial chain: one path through a robot, with its tool, and where everything on it is and how it moves.

Reading robot files, what happens in time, and masses do not belong here; inverse kinematics has its own module.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import KindMismatch
from ..kernels._contract import CONTEXT
from ..spatial import SE3
from . import _analytic, _evaluate, _hot
from ._analytic import IkAllBatch, IkSolution
from ._analytic_form import AnalyticForm, analytic_form
from ._coordinates import Coordinates
from ._ik_methods import IkMethods
from ._ik_report import IkBatch, IkReport
from .inertia import LinkInertia
from .joint import Joint

if TYPE_CHECKING:
    from .dynamics import DynamicChain
    from .model import Packages

FloatArray = NDArray[np.float64]

__all__ = ["AnalyticForm", "IkAllBatch", "IkBatch", "IkReport", "IkSolution", "SerialChain"]


class SerialChain(IkMethods):
    """Links joined one after the other, from a base to a tip; immutable.

    Make one with :meth:`from_joints`, :meth:`from_urdf`, :meth:`six_axis_example` or ``RobotModel.chain``. The tip is
    the last link's frame, or the tool when there is one. A configuration ``q`` is (n,) numbers, rad or m, in the order
    of :attr:`joint_names`, or a mapping from those names; or it holds values that carry their unit (JointPosition,
    Angle, Length), each checked against its joint. Joint limits are not checked by anything here.

    Every method that takes ``q`` raises:

    * WrongLength: not n numbers, or an ``out`` of another shape;
    * KindMismatch: an angle at a joint that slides, or the like;
    * UnknownName: a mapping names a joint that the chain does not have;
    * NotFinite: a number is NaN or infinite;
    * JointLimitViolated: a coordinate is beyond 1e6, where an angle has lost its last digits.

    Args:
        segments: joints and links from the base on.
        base: name of the link whose frame is the base.
        flange: pose of the flange in the last link's frame.
        tool: pose of the tool in the flange.
        name: of the robot.

    >>> import motionkit as mk
    >>> chain = mk.SerialChain.six_axis_example()
    >>> (chain.forward([0.0] * 6).translation.round(9) + 0.0).tolist()
    [0.9, 0.0, 0.35]
    """

    # ---- making one
    @classmethod
    def from_joints(
        cls,
        joints: Sequence[Joint],
        tool: SE3 | None = None,
        *,
        inertias: Sequence[LinkInertia | None] | None = None,
        name: str = "chain",
    ) -> SerialChain:
        """A chain from axes read off a drawing with every coordinate at zero.

        The link behind a joint has the joint's name, its frame at the joint's point and parallel to the base at zero.

        Args:
            joints: from the base on; axes, points and poses in the base frame at zero.
            tool: pose of the tool after the flange, as in :meth:`with_tool`. The flange is the last joint's frame; a
                fixed joint at the end gives it a place and a rotation of its own.
            inertias: mass properties of the link behind each joint, in that link's frame.
            name: of the robot.

        Raises:
            WrongLength: not as many inertias as joints.
            InvalidModel: two joints have one name.

        >>> import math
        >>> import motionkit as mk
        >>> limits = mk.JointLimits.revolute(-3, 3, 1)
        >>> arm = mk.SerialChain.from_joints(
        ...     [
        ...         mk.Joint.revolute("shoulder", (0, 0, 1), (0, 0, 0), limits),
        ...         mk.Joint.revolute("elbow", (0, 0, 1), (1, 0, 0), limits),
        ...     ],
        ...     tool=mk.SE3.from_translation((0.5, 0, 0)),
        ... )
        >>> arm.forward([math.pi / 2, 0]).translation.round(12).tolist()
        [0.0, 1.5, 0.0]
        """
        return cls(_evaluate.segments_from_joints(joints, inertias), tool=tool, name=name)

    @classmethod
    def from_urdf(
        cls,
        source: str | os.PathLike[str],
        base: str | None = None,
        tip: str | None = None,
        packages: Packages | None = None,
        *,
        hold: Collection[str] = (),
    ) -> SerialChain:
        """A chain of a robot in a URDF: ``RobotModel.from_urdf(source, packages, hold=hold).chain(base, tip)``.

        Args:
            source: a path, or the text itself (a str that starts with ``<``).
            base: link whose frame is the base; None is the root.
            tip: last link; None is the one leaf with the most moving joints on its way.
            packages: folders of packages by name; meshes are never opened.
            hold: names of floating and planar joints to load as fixed, at zero.

        Raises:
            FileUnreadable: the file cannot be read, or it is not XML.
            InvalidModel: it is not a robot, or has a floating or planar joint that is not held.
            UnknownName: there is no such link, or the tip is not clear; the message lists the leaves.
        """
        from .model import RobotModel

        return RobotModel.from_urdf(source, packages, hold=hold).chain(base, tip)

    @classmethod
    def six_axis_example(cls) -> SerialChain:
        """The chain of ``RobotModel.six_axis_example()``, from base_link to flange."""
        from .model import RobotModel

        return RobotModel.six_axis_example().chain()

    def with_tool(self, flange_T_tcp: SE3) -> SerialChain:
        """This chain with a tool: its tip is then the tool. A tool that it has already is replaced.

        Args:
            flange_T_tcp: pose of the tool in the flange (the last link of the chain).

        Raises:
            KindMismatch: it is no SE3.

        >>> import motionkit as mk
        >>> chain = mk.SerialChain.six_axis_example().with_tool(mk.SE3.from_translation((0, 0, 0.1)))
        >>> (chain.forward([0.0] * 6).translation.round(9) + 0.0).tolist()
        [1.0, 0.0, 0.35]
        """
        if not isinstance(flange_T_tcp, SE3):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise KindMismatch(
                f"with_tool: expected the tool's pose in the flange as an SE3, got {type(flange_T_tcp).__name__}; "
                "SE3.from_matrix takes a 4 by 4"
            )
        return type(self)(self._segments, base=self._base, tool=flange_T_tcp, name=self._name)

    def with_inertias(
        self, inertias: Sequence[LinkInertia | None] | Mapping[str, LinkInertia] | None = None
    ) -> DynamicChain:
        """This chain with masses, for torques and accelerations; nothing else hangs on it.

        What a robot file has beside the chain comes with ``DynamicChain.from_urdf`` and ``DynamicChain.from_model``.

        Args:
            inertias: mass properties of the link behind each moving joint, or behind each joint, in that link's frame;
                or by name of the link. What is None or not named stays as the chain knows it.

        Raises:
            WrongLength: not as many as joints.
            UnknownName: there is no such link.
            InvalidInertia: a joint moves nothing that has inertia about its axis; names the link.
        """
        from .dynamics import dynamic_chain

        return dynamic_chain(self, inertias)

    # ---- where it is
    @overload
    def forward(self, q: Coordinates, out: None = None) -> SE3: ...
    @overload
    def forward(self, q: Coordinates, out: FloatArray) -> FloatArray: ...
    def forward(self, q: Coordinates, out: FloatArray | None = None) -> SE3 | FloatArray:
        """Pose of the tip in the base frame.

        Args:
            q: configuration, (n,), rad or m.
            out: (4, 4) float64 to fill and return instead of an SE3.
        """
        hot = _hot.forward.native
        # what the front door does not take, the long way takes, or says what is wrong
        if hot is not None and out is not None and hot(CONTEXT, self.kernel_model, q, out) == 0:
            return out
        return _evaluate.forward(self, q, out)

    def forward_batch(
        self, Q: ArrayLike, out: FloatArray | None = None, *, threads: int = 1, device: str = "cpu"
    ) -> FloatArray:
        """Poses of the tip in the base frame, (N, 4, 4), for configurations (N, n); bit for bit those of a loop.

        Args:
            Q: configurations, (N, n), rad or m.
            out: (N, 4, 4) float64 to fill and return.
            threads: how many threads may share the rows; the numbers do not depend on it.
            device: ``"cpu"``, or ``"cuda"`` for a graphics processor of NVIDIA.

        Raises:
            UnknownName: there is no such kind of device.
            MissingExtra: ``"cuda"`` without the extra of that name.
            DeviceUnavailable: there is no graphics processor, or no driver.
        """
        return _evaluate.forward_batch(self, Q, out, threads, device)

    def link_poses(self, q: Coordinates) -> dict[str, SE3]:
        """Pose of every link in the base frame, by name, from the base to the last link; without the tool."""
        return _evaluate.link_poses(self, q)

    def joint_positions(self, q: Coordinates, tip: str = "frame", include_base: bool = False) -> FloatArray:
        """Origins of the moving joints, then the tip, in the base frame; one pass.

        Args:
            q: configuration, (n,), rad or m.
            tip: ``"frame"``: the tip's origin. ``"twice_com"``: as far again beyond the centre of mass of what the
                last joint carries, an approximation that is exact only for uniform links.
            include_base: whether the base origin comes first.

        Returns:
            (n + 1, 3) or (n + 2, 3), m. The origin of a prismatic joint has travelled with it.

        Raises:
            InvalidInertia: ``"twice_com"`` and nothing is known of the mass that the last joint carries.

        >>> import motionkit as mk
        >>> mk.SerialChain.six_axis_example().joint_positions([0.0] * 6).shape
        (7, 3)
        """
        return _evaluate.joint_positions(self, q, tip, include_base)

    # ---- how it moves
    def jacobian(
        self, q: Coordinates, frame: str = "tool_at_base_orientation", out: FloatArray | None = None
    ) -> FloatArray:
        """Geometric Jacobian, (6, n): rows linear (m/s) over angular (rad/s), a column for each joint rate.

        Args:
            q: configuration, (n,), rad or m.
            frame: axes and reference point of the twist: ``"tool_at_base_orientation"``: base axes, at the tip;
                ``"tool"``: axes of the tip, at the tip; ``"base_origin"``: base axes, at the base origin.
            out: (6, n) float64 to fill and return.

        Raises:
            UnknownName: there is no such frame.
        """
        hot = _hot.jacobian.native
        if hot is not None and frame == "tool_at_base_orientation" and hot(CONTEXT, self.kernel_model, q, out) == 0:
            return out  # pyright: ignore[reportReturnType]  the front door takes no None
        return _evaluate.jacobian(self, q, frame, out)

    def jacobian_batch(
        self,
        Q: ArrayLike,
        frame: str = "tool_at_base_orientation",
        out: FloatArray | None = None,
        *,
        threads: int = 1,
        device: str = "cpu",
    ) -> FloatArray:
        """Jacobians (N, 6, n) for configurations (N, n); bit for bit those of a loop over :meth:`jacobian`.

        Args:
            Q: configurations, (N, n), rad or m.
            frame: as for :meth:`jacobian`.
            out: (N, 6, n) float64 to fill and return.
            threads: how many threads may share the rows; the numbers do not depend on it.
            device: ``"cpu"``, or ``"cuda"``, as in :meth:`forward_batch`.
        """
        return _evaluate.jacobian_batch(self, Q, frame, out, threads, device)

    def drift(self, q: Coordinates, qd: Coordinates) -> FloatArray:
        """Acceleration of the tip that velocity alone causes: the change of the Jacobian times ``qd``.

        Args:
            q: configuration, (n,), rad or m.
            qd: joint velocities, (n,), rad/s or m/s.

        Returns:
            (6,): linear (m/s^2), angular (rad/s^2), base axes, at the tip.
        """
        return _evaluate.drift(self, q, qd)

    def singular_values(self, q: Coordinates) -> FloatArray:
        """Singular values of the Jacobian at the tip, largest first, (min(6, n),).

        Metres and radians are counted alike, as everywhere with the geometric Jacobian. They do not depend on the
        axes of the twist.
        """
        return _evaluate.singular_values(self.jacobian(q))

    def singular_values_batch(self, Q: ArrayLike) -> FloatArray:
        """Singular values along a motion, (N, min(6, n)), for configurations (N, n)."""
        return _evaluate.singular_values(self.jacobian_batch(Q))

    def manipulability(self, q: Coordinates) -> float:
        """Yoshikawa's measure: the product of the singular values, zero where the tip loses a direction.

        For fewer than six joints it is the volume that the joints do span. Source: Yoshikawa, Manipulability of
        Robotic Mechanisms, 1985.
        """
        return float(np.prod(self.singular_values(q)))

    def manipulability_batch(self, Q: ArrayLike) -> FloatArray:
        """Manipulability along a motion, (N,), for configurations (N, n)."""
        return np.prod(self.singular_values_batch(Q), axis=-1)

    # ---- back from a pose, in closed form
    def analytic_form(self) -> AnalyticForm:
        """The closed form of inverse kinematics that this arm has, recognised from where its axes lie.

        Read from the base to the tool or from the tool to the base, the arm has one of these, with any offsets:

        * a spherical wrist: the last three axes meet in a point, axes 2 and 3 are parallel, axis 1 is not;
        * three parallel axes: axes 2, 3 and 4 are parallel, axis 1 is not, axes 5 and 6 meet.

        Axes may be off by up to 0.01 rad and miss one another by up to 0.5 % of the two long links; how much they are
        is in the answer. Nothing is found by name.

        Raises:
            KindMismatch: the arm has neither; the message says which condition fails and by how much.

        >>> import motionkit as mk
        >>> mk.SerialChain.six_axis_example().analytic_form().kind
        'spherical wrist'
        """
        return analytic_form(self)

    def inverse_all(self, target: SE3, seed: Coordinates | None = None, *, turns: str = "nearest") -> list[IkSolution]:
        """Every configuration within the limits that brings the tip to a pose, in closed form: up to eight.

        Each was put through forward kinematics and states what is left: rounding (1e-14 m and rad for arms of a
        metre), at most 1e-9. Where the tip can stand still while joints move (axes 4 and 6 in line, the wrist centre
        on axis 1, ...) the answer is one member of that family for each branch, the one that the seed chooses, and
        ``self_motion`` names the joints. Where two answers are nearer than 1e-7 rad they are listed once, as
        ``double``.

        On an arm that has its form only nearly (see :meth:`analytic_form`), the answers of the nearest arm that has
        it are refined on the arm itself.

        Args:
            target: pose of the tip in the base frame.
            seed: configuration that the answers are sorted by distance from (root of the sum of squares); it need not
                be within the limits. The middle of the ranges when left out.
            turns: ``"nearest"``: one answer for each configuration, every joint on the turn nearest to the seed that
                its limits allow. ``"all"``: every combination of turns within the limits (up to 64 of each on an arm
                whose joints turn twice); a continuous joint stays on the nearest.

        Raises:
            KindMismatch: the arm has no closed form, or the target is no pose.
            Unreachable: no configuration reaches the target; ``distance`` is how far the nearest ends away.
            JointLimitViolated: some do, and all break a limit; names the joint and limit nearest to allowing one.
            UnknownName: there is no such choice of turns.

        >>> import motionkit as mk
        >>> arm = mk.SerialChain.six_axis_example()
        >>> q = [0.1, -0.9, 1.4, 0.2, 0.8, 0.3]
        >>> answers = arm.inverse_all(arm.forward(q), q)
        >>> len(answers), answers[0].q.round(9).tolist()
        (2, [0.1, -0.9, 1.4, 0.2, 0.8, 0.3])
        """
        return _analytic.inverse_all(self, target, seed, turns=turns)

    def inverse_all_batch(self, targets: ArrayLike, seeds: ArrayLike | None = None, *, threads: int = 1) -> IkAllBatch:
        """Every configuration for many poses, as :meth:`inverse_all` finds them one by one, in the order of branches.

        Args:
            targets: poses of the tip in the base frame, (N, 4, 4).
            seeds: what the turns, and the members of families, are nearest to, (N, n), rad; the middle of the ranges
                when left out.
            threads: how many threads may share the rows; the numbers do not depend on it.

        Returns:
            Eight candidates for each pose and which of them are answers; where answers coincide each is there.

        Raises:
            KindMismatch: the arm has no closed form.
            WrongLength: the arrays do not have these shapes.
            NotFinite: a number is NaN or infinite.
            InvalidRotation: a target is not a pose.
        """
        return _analytic.inverse_all_batch(self, targets, seeds, threads=threads)
