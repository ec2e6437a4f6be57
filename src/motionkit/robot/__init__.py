"""Robots: joints, limits, models as trees, serial chains, robot files. It knows no time, no shapes and no programs."""

from __future__ import annotations

from .chain import AnalyticForm, IkAllBatch, IkBatch, IkReport, IkSolution, SerialChain
from .dh import DhRow
from .dynamics import CentroidalMomentum, DynamicChain, DynamicTree
from .findings import Finding
from .inertia import LinkInertia
from .joint import Joint
from .kinematics import Kinematics
from .limits import JointLimits
from .metric import JointMetric, JointResolution
from .model import Mesh, Mimic, ModelJoint, ModelLink, RobotModel

__all__ = [
    "AnalyticForm",
    "CentroidalMomentum",
    "DhRow",
    "DynamicChain",
    "DynamicTree",
    "Finding",
    "IkAllBatch",
    "IkBatch",
    "IkReport",
    "IkSolution",
    "Joint",
    "JointLimits",
    "JointMetric",
    "JointResolution",
    "Kinematics",
    "LinkInertia",
    "Mesh",
    "Mimic",
    "ModelJoint",
    "ModelLink",
    "RobotModel",
    "SerialChain",
]
