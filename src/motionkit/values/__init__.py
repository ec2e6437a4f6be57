"""Values that carry their unit: angles and lengths, and the positions, velocities, accelerations and jerks of joints.

It knows no robots, no poses and no time; robots and motion both accept its values.
"""

from __future__ import annotations

from .joint_values import JointAcceleration, JointJerk, JointPosition, JointVelocity
from .units import Angle, Length

__all__ = [
    "Angle",
    "JointAcceleration",
    "JointJerk",
    "JointPosition",
    "JointVelocity",
    "Length",
]
