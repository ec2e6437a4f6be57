"""``motionkit fk``: where the tool is for given joint values."""

from __future__ import annotations

from typing import Annotated

import tyro

from ._arguments import AsJson, BaseLink, Robot, TipLink, from_typed, load
from ._output import pose_data, pose_lines, print_json

__all__ = ["fk"]


def fk(
    robot: Robot,
    q: Annotated[list[float], tyro.conf.Positional, tyro.conf.arg(metavar="Q ...")],
    *,
    base: BaseLink = None,
    tip: TipLink = None,
    json: AsJson = False,
) -> None:
    """Print the pose of the tip in the base frame. Joint limits are not checked.

    Args:
        robot: a .urdf, .xacro or .xml (MJCF) file, or six_axis_example.
        q: one value for each moving joint: degrees, or metres for a prismatic joint.
        base: link that the pose is given in; the root of the robot when left out.
        tip: link whose pose is asked for; the end of the longest branch when left out.
        json: print one JSON object.
    """
    arm = load(robot, base, tip)
    pose = arm.chain.forward(from_typed(q, arm.chain))
    if json:
        print_json({"base": arm.chain.base, "tip": arm.chain.tip, **pose_data(pose)})
    else:
        print(f"{arm.chain.tip} in {arm.chain.base}")
        print("\n".join(pose_lines(pose)))
