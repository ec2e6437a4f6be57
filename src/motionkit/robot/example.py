"""A made-up six-axis arm of ordinary size, so that everything can be tried without a robot file.

At zero the arm stretches out along x with its shoulder 0.35 m above the floor; upper arm 0.43 m, forearm 0.38 m to the
centre of the spherical wrist, 0.09 m to the flange: 0.9 m from axis 1. The flange's z axis points out of it. Axes 2, 3
and 5 turn the arm down for positive angles, axes 4 and 6 roll about the forearm and the flange. With joints at
0, -60, 90, 0, 60 and 0 degrees the flange faces the floor at x = 0.544 m, z = 0.442 m, its x axis along the base's.
"""

from __future__ import annotations

import math
from functools import cache

from ..spatial import SE3, SO3
from .inertia import LinkInertia
from .limits import JointLimits
from .model import ModelJoint, ModelLink, RobotModel

Vector3 = tuple[float, float, float]

X: Vector3 = (1.0, 0.0, 0.0)
Y: Vector3 = (0.0, 1.0, 0.0)
Z: Vector3 = (0.0, 0.0, 1.0)

# origin in the frame before it (m), axis, range (degrees), greatest speed (rad/s), torque (N m)
_JOINTS: tuple[tuple[Vector3, Vector3, float, float, float, float], ...] = (
    ((0.0, 0.0, 0.15), Z, -170.0, 170.0, 3.5, 250.0),
    ((0.0, 0.0, 0.20), Y, -190.0, 45.0, 3.0, 250.0),
    ((0.43, 0.0, 0.0), Y, -120.0, 160.0, 3.5, 120.0),
    ((0.20, 0.0, 0.0), X, -185.0, 185.0, 5.5, 40.0),
    ((0.18, 0.0, 0.0), Y, -120.0, 120.0, 5.5, 30.0),
    ((0.05, 0.0, 0.0), X, -350.0, 350.0, 6.0, 20.0),
)

# solid cylinders: mass (kg), radius, start and end in the link's frame (m)
_BODIES: tuple[tuple[float, float, Vector3, Vector3], ...] = (
    (10.0, 0.10, (0.0, 0.0, -0.05), (0.0, 0.0, 0.25)),
    (9.0, 0.07, (0.0, 0.0, 0.0), (0.43, 0.0, 0.0)),
    (4.5, 0.06, (-0.05, 0.0, 0.0), (0.20, 0.0, 0.0)),
    (2.5, 0.05, (0.0, 0.0, 0.0), (0.14, 0.0, 0.0)),
    (1.5, 0.045, (-0.04, 0.0, 0.0), (0.05, 0.0, 0.0)),
    (0.4, 0.04, (0.0, 0.0, 0.0), (0.04, 0.0, 0.0)),
)


@cache
def six_axis_model() -> RobotModel:
    """The arm as a model: base_link, link1 to link6, flange; joints j1 to j6 and a fixed one."""
    links = [ModelLink("base_link", LinkInertia.cylinder(12.0, 0.12, (0.0, 0.0, 0.0), (0.0, 0.0, 0.15)))]
    joints: list[ModelJoint] = []
    for i, ((origin, axis, lower, upper, speed, effort), (mass, radius, start, end)) in enumerate(
        zip(_JOINTS, _BODIES, strict=True), start=1
    ):
        limits = JointLimits.revolute(math.radians(lower), math.radians(upper), speed, effort=effort)
        placement = SE3.from_translation(origin)
        joints.append(ModelJoint(f"j{i}", "revolute", links[-1].name, f"link{i}", placement, axis, limits))
        links.append(ModelLink(f"link{i}", LinkInertia.cylinder(mass, radius, start, end)))
    # z out of the flange, x up at zero
    out = SO3.from_matrix([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])
    joints.append(
        ModelJoint("flange_fixed", "fixed", "link6", "flange", SE3(out, (0.04, 0.0, 0.0)), X, JointLimits.fixed())
    )
    links.append(ModelLink("flange"))
    return RobotModel("six_axis_example", tuple(links), tuple(joints))
