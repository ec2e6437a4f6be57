"""What a kinematic calibration returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..robot import RobotModel, SerialChain
from ..robot._coordinates import matrix
from ..spatial import SE3
from ._kinematic_fit import State, tip_twists
from ._kinematic_model import corrected_model
from ._screw_errors import ErrorTerm, frames

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class KinematicError:
    """How far predictions are from what was measured, over some samples.

    Attributes:
        position_rms: root of the mean squared distance, m.
        position_worst: largest distance, m.
        position_worst_index: sample of it, counted from 0 over all samples given.
        rotation_rms: root of the mean squared angle, rad; NaN where no orientation was measured.
        rotation_worst: largest angle, rad; NaN likewise.
        rotation_worst_index: sample of it; -1 where no orientation was measured.
        samples: how many there were.
    """

    position_rms: float
    position_worst: float
    position_worst_index: int
    rotation_rms: float
    rotation_worst: float
    rotation_worst_index: int
    samples: int


@dataclass(frozen=True, slots=True)
class RejectedSample:
    """A sample that was left out of the fit.

    Attributes:
        index: counted from 0 over all samples given.
        position: distance from where the others put it, m.
        rotation: angle from where the others put it, rad; NaN where no orientation was measured.
        reason: for a person, with the numbers.
    """

    index: int
    position: float
    rotation: float
    reason: str


@dataclass(frozen=True, slots=True)
class AxisCorrection:
    """What a calibration did to the axis of one joint, every coordinate at zero, in the base frame of the chain.

    Attributes:
        joint: its name.
        direction: (3,), unit.
        point: (3,), a point on the axis, m; of a prismatic joint it means nothing.
        turned: angle between the axis before and now, rad.
        shifted: distance of the old point on the axis from the new axis, m; 0 for a prismatic joint.
        sigma_direction: one-sigma of the direction, rad, in the direction known worst; infinite where a part of it
            cannot be told; 0 where it is held.
        sigma_point: one-sigma of the place across the axis, m, in the direction known worst; 0 for a prismatic joint.
    """

    joint: str
    direction: tuple[float, float, float]
    point: tuple[float, float, float]
    turned: float
    shifted: float
    sigma_direction: float
    sigma_point: float


@dataclass(frozen=True, slots=True)
class KinematicCalibration:
    """A corrected chain, and how far it can be trusted.

    Attributes:
        chain: the corrected chain.
        nominal: the chain that it corrects.
        base: measuring frame to base: the pose of the chain's base in the frame of the measurements.
        before: errors of the nominal axes, with base and tool (as far as free) placed as well as they can be.
        after: errors of the corrected chain, over the samples that were used.
        hold_out: errors of chains that were fitted without the samples they are compared with (four folds); None where
            too few samples are left for it.
        axes: what happened to each axis.
        parameters: names of the error parameters.
        rank: how many combinations of the parameters were found.
        unidentifiable: combinations that no data can tell, in words; they stay as small as they can be.
        covariance: (p, p) of the parameters at the corrected chain, rad and m, in the order of :attr:`parameters`.
        condition: largest over smallest singular value of the scaled problem, of the combinations that were found.
        sigma_position: noise of one coordinate of a position, m: as stated, or estimated.
        sigma_rotation: noise of one component of a rotation, rad: as stated, or estimated; NaN without orientations.
        residuals: (N, 3) or (N, 6) as tuples: predicted less measured position (m) and rotation (rad), axes of the
            measuring frame.
        rejected: the samples left out, with reasons.
        degrees_of_freedom: rows used less rank.
    """

    chain: SerialChain
    nominal: SerialChain
    base: SE3
    before: KinematicError
    after: KinematicError
    hold_out: KinematicError | None
    axes: tuple[AxisCorrection, ...]
    parameters: tuple[str, ...]
    rank: int
    unidentifiable: tuple[str, ...]
    covariance: tuple[tuple[float, ...], ...]
    condition: float
    sigma_position: float
    sigma_rotation: float
    residuals: tuple[tuple[float, ...], ...]
    rejected: tuple[RejectedSample, ...]
    degrees_of_freedom: int
    _terms: tuple[ErrorTerm, ...]

    def predict(self, q: Any) -> SE3:
        """Pose of the tip in the frame of the measurements.

        Args:
            q: configuration, (n,), rad or m; errors as of ``SerialChain.forward``.
        """
        return self.base * self.chain.forward(q)

    def sigma(self, q: ArrayLike) -> FloatArray:
        """One-sigma of a predicted pose, (6,): position (m) and rotation (rad) in the axes of the measuring frame.

        Args:
            q: configuration, (n,), rad or m; errors as of ``SerialChain.forward``.
        """
        Q = matrix(np.asarray(q, dtype=np.float64)[None], self.chain.joint_names)
        placed = frames(self.chain, Q)
        J = tip_twists(State(self.chain, self.base), Q, placed, list(self._terms))[0]
        return np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", J, np.array(self.covariance), J), 0.0))

    def model(self, model: RobotModel) -> RobotModel:
        """The robot with the corrected joints written in; ``to_urdf`` of it is the corrected file.

        Each link keeps where its meshes and its mass are: only the frames move, since in a URDF a link's frame is on
        its joint's axis. The tip keeps its name where it hangs on a fixed joint; where the last joint carries it
        itself, the corrected tip is a new link named after it with ``_calibrated`` behind. A tool that the chain was
        given with ``with_tool`` is not in the model; ``chain.tool`` of this result has it.

        Args:
            model: the robot whose chain was calibrated.

        Raises:
            UnknownName: it has not the joints of the chain.
            KindMismatch: the chain runs from a link towards the root, which a file cannot be corrected along.
        """
        return corrected_model(model, self.nominal, self.chain)
