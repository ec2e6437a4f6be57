"""``motionkit ik``: joint values that bring the tool to a pose."""

from __future__ import annotations

import math
from typing import Annotated

import tyro

from ..errors import NotFinite
from ._arguments import AsJson, BaseLink, Robot, TipLink, from_typed, load, to_typed, typed_unit
from ._output import print_json, print_table

__all__ = ["ik"]

Triple = tuple[float, float, float]


def ik(
    robot: Robot,
    *,
    xyz: Annotated[Triple, tyro.conf.arg(metavar="X Y Z")],
    rpy: Annotated[Triple, tyro.conf.arg(metavar="R P Y")] = (0.0, 0.0, 0.0),
    seed: Annotated[list[float] | None, tyro.conf.arg(metavar="Q ...")] = None,
    base: BaseLink = None,
    tip: TipLink = None,
    json: AsJson = False,
) -> None:
    """Print joint values, within the joint limits, that bring the tip to a pose in the base frame.

    Args:
        robot: a .urdf, .xacro or .xml (MJCF) file, or six_axis_example.
        xyz: position, metres.
        rpy: orientation: roll, pitch, yaw in degrees.
        seed: joint values to start from, degrees or metres; searched for when left out.
        base: link that the pose is given in; the root of the robot when left out.
        tip: link that is brought there; the end of the longest branch when left out.
        json: print one JSON object.
    """
    from ..spatial import SE3, SO3

    if not all(math.isfinite(value) for value in (*xyz, *rpy)):
        raise NotFinite(f"expected finite numbers for the pose, got xyz {xyz} and rpy {rpy}")
    chain = load(robot, base, tip).chain
    roll, pitch, yaw = (math.radians(angle) for angle in rpy)
    target = SE3(SO3.from_rpy(roll, pitch, yaw), xyz)
    report = chain.inverse_any(target) if seed is None else chain.inverse(target, from_typed(seed, chain))
    typed = to_typed(report.q, chain)
    if json:
        print_json(
            {
                "joints": dict(zip(chain.joint_names, typed, strict=True)),
                "q": report.q,
                "iterations": report.iterations,
                "position_error": report.position_error,
                "rotation_error": report.rotation_error,
                "least_manipulability": report.least_manipulability,
            }
        )
        return
    rows = zip(chain.joint_names, typed, chain.limits, strict=True)
    print_table(("joint", "value", "unit"), [(n, f"{value + 0.0:.6f}", typed_unit(v.kind)) for n, value, v in rows])
    print(
        f"{report.iterations} iterations; off by {report.position_error:.2g} m and {report.rotation_error:.2g} rad; "
        f"least manipulability on the way {report.least_manipulability:.3g}"
    )
