"""Inverse kinematics by search, as methods of a chain; what they do is in ``_inverse`` and ``_ik_many``.

Closed forms, and where a chain is and how it moves, are in ``chain``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..spatial import SE3
from . import _ik_many, _inverse
from ._coordinates import Coordinates
from ._ik_report import IkBatch, IkReport
from ._joint_space import JointSpace

FloatArray = NDArray[np.float64]


class IkMethods(JointSpace):
    """A chain that searches for the configurations of poses."""

    def inverse(
        self,
        target: SE3,
        seed: Coordinates,
        *,
        task: str | Sequence[str] = "pose",
        frame: str = "target",
        posture: Coordinates | None = None,
        away_from_limits: bool = False,
        position_tolerance: float = _inverse.TOLERANCE,
        rotation_tolerance: float = _inverse.TOLERANCE,
        damping: float = _inverse.DAMPING,
        max_iterations: int = _inverse.MAX_ITERATIONS,
        out: FloatArray | None = None,
    ) -> IkReport:
        """Configuration that brings the tip to a pose, by damped least squares from a seed, within the joint limits.

        Args:
            target: pose of the tip in the base frame.
            seed: start, (n,), rad or m, within the limits. A joint that can turn further than once is answered on
                the turn nearest to it.
            task: what counts of the target: ``"pose"``; ``"position"``; ``"axis"``, the position and the direction of
                the tool's z axis, about which it may spin; or names of rows among ``x, y, z, rx, ry, rz``:
                displacements along the axes of ``frame`` and turns about them. Two turns leave the spin about the
                third axis free.
            frame: whose axes the rows are along: ``"target"`` or ``"base"``.
            posture: configuration within the limits that the joints come as near to as the task lets them.
            away_from_limits: the same with the middle of the ranges. What the task leaves free is used for it, the
                task always comes first, and where nothing is free nothing changes.
            position_tolerance: largest distance that counts as reached, m.
            rotation_tolerance: largest angle that counts as reached, rad.
            damping: the lambda of ``J^T (J J^T + lambda^2)^-1`` that remains at the target, lengths counted in halves
                of the reach; far from the target more is added in proportion to the error.
            max_iterations: largest number of steps.
            out: (n,) float64, filled with the answer when given.

        Returns:
            The answer and how it was found; never one that has not arrived.

        Raises:
            Unreachable: the target is further away than the arm is long.
            NotConverged: the search did not arrive; ``report`` says where it ended and why: ``cause`` is
                ``"joint_limits"`` (``joints`` names them), ``"out_of_reach"`` (``out_of_reach_by``), ``"singular"``, or
                ``"not_converged"`` when another seed may do.
            JointLimitViolated: the seed or the posture is outside the limits.
            UnknownName: there is no such task, row or frame.
            InvalidLimits: two secondary goals, or a setting out of its range.

        >>> import motionkit as mk
        >>> chain = mk.SerialChain.six_axis_example()
        >>> target = chain.forward([0.1, -0.9, 1.4, 0.2, 0.8, 0.3])
        >>> chain.inverse(target, [0.0, -1.0, 1.5, 0.0, 1.0, 0.0]).q.round(9).tolist()
        [0.1, -0.9, 1.4, 0.2, 0.8, 0.3]
        """
        return _inverse.inverse(
            self,
            target,
            seed,
            task=task,
            frame=frame,
            posture=posture,
            away_from_limits=away_from_limits,
            position_tolerance=position_tolerance,
            rotation_tolerance=rotation_tolerance,
            damping=damping,
            max_iterations=max_iterations,
            out=out,
        )

    def inverse_any(
        self, target: SE3, *, rng: np.random.Generator | None = None, max_restarts: int = _inverse.MAX_RESTARTS
    ) -> IkReport:
        """Any configuration within the limits that brings the tip to a pose, from many starts over the joint space.

        The starts are an even spread, the same on every machine; ``rng`` shifts it.

        Args:
            target: pose of the tip in the base frame.
            rng: shifts the starts; the middle of the ranges comes first when left out.
            max_restarts: starts tried after the first, at least 0.

        Raises:
            Unreachable: no start arrived; ``distance`` is how far the nearest stayed away, ``report`` where that is and
                why, as in :meth:`inverse`.
        """
        return _inverse.inverse_any(self, target, rng=rng, max_restarts=max_restarts)

    def inverse_near(self, target: SE3, reference: Coordinates, *, starts: int = _inverse.STARTS) -> IkReport:
        """The configuration for a pose that is closest to a reference, among those that many starts find.

        Args:
            target: pose of the tip in the base frame.
            reference: configuration to stay close to, (n,), rad or m; distance is the root of the sum of squares. A
                joint that can turn further than once is answered on the turn nearest to it.
            starts: number of starts, the reference first, the others spread over the joint space.

        Raises:
            Unreachable: no start arrived.
        """
        return _inverse.inverse_near(self, target, reference, starts_tried=starts)

    def inverse_batch(
        self, targets: ArrayLike, seeds: ArrayLike | None = None, *, restarts: int = 0, threads: int = 1
    ) -> IkBatch:
        """Configurations for many poses; without restarts, each is what :meth:`inverse` finds from its seed.

        Args:
            targets: poses of the tip in the base frame, (N, 4, 4).
            seeds: starts, (N, n), rad or m, within the limits; the middle of the ranges when left out.
            restarts: starts tried where the first does not arrive: the even spread of :meth:`inverse_any`.
            threads: how many threads may share the rows; the numbers do not depend on it, nor on the other rows.

        Returns:
            The answers and which of them arrived: a row that did not is marked, never passed off as an answer.

        Raises:
            WrongLength: the arrays do not have these shapes.
            NotFinite: a number is NaN or infinite.
            InvalidRotation: a target is not a pose.
            JointLimitViolated: a seed is outside the limits; names its row.
            InvalidLimits: fewer restarts than 0.
        """
        return _ik_many.inverse_batch(self, targets, seeds, restarts=restarts, threads=threads)

    def inverse_path(
        self, targets: Sequence[SE3], seed: Coordinates, *, largest_jump: float = _ik_many.LARGEST_JUMP
    ) -> FloatArray:
        """Configurations along a list of poses, on one continuous branch.

        Each is searched from the one before. Where a joint would move further than ``largest_jump``, poses are put
        between, up to 63, so that the branch is followed and not left.

        Args:
            targets: poses of the tip in the base frame, in order.
            seed: start for the first pose, (n,), rad or m, within the limits.
            largest_jump: rad or m.

        Returns:
            (N, n), rad or m.

        Raises:
            NotConverged: the branch ends; ``index`` is the first pose that was not reached, ``q`` the answers before
                it, ``report`` says why, as in :meth:`inverse`; ``"singular"`` with a joint where that would have to
                jump.

        >>> import motionkit as mk
        >>> chain = mk.SerialChain.six_axis_example()
        >>> start = chain.forward([0.0, -1.0, 1.5, 0.0, 1.0, 0.0])
        >>> line = [mk.SE3(start.rotation, start.translation - [0.0, 0.01 * k, 0.0]) for k in range(5)]
        >>> chain.inverse_path(line, [0.0, -1.0, 1.5, 0.0, 1.0, 0.0]).shape
        (5, 6)
        """
        return _ik_many.inverse_path(self, targets, seed, largest_jump=largest_jump)

    def differential_inverse(self, q: Coordinates, twist: ArrayLike, *, damping: float) -> FloatArray:
        """The joint step that moves the tip by a small twist: ``J^T (J J^T + damping^2)^-1 twist``.

        There is no neutral damping. Near a singularity none asks for radians where a thousandth was wanted; 1e-2 or
        less keeps the step small and leaves a part of the twist undone.

        Args:
            q: configuration, (n,), rad or m.
            twist: (6,): displacement and turn of the tip, m and rad (or their rates), base axes, reference point at
                the tip.
            damping: lambda, at least 0.

        Returns:
            (n,), rad and m (or their rates); joint limits are not considered.
        """
        return _inverse.differential_inverse(self, q, twist, damping=damping)
