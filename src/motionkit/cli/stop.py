"""``motionkit stop``: how far and how long a stop takes, and how fast is safe before an obstacle."""

from __future__ import annotations

from typing import Annotated, Any

import tyro

from ..errors import InvalidLimits, MotionkitError
from ._arguments import AsJson
from ._output import print_json

__all__ = ["stop"]

MaybeFloat = Annotated[float | None, tyro.conf.arg(metavar="FLOAT")]


def stop(
    *,
    max_acceleration: float,
    max_jerk: float,
    velocity: float = 0.0,
    acceleration: float = 0.0,
    max_velocity: MaybeFloat = None,
    clearance: MaybeFloat = None,
    reaction_time: float = 0.0,
    json: AsJson = False,
) -> None:
    """Print the stop of one axis from a velocity and an acceleration, with its jerk limited.

    Units are SI and all of one kind: metres for a tool or a prismatic joint, radians for a revolute one.

    Args:
        max_acceleration: greatest acceleration, m/s² (rad/s²).
        max_jerk: greatest jerk, m/s³ (rad/s³).
        velocity: velocity now, m/s (rad/s).
        acceleration: acceleration now, m/s² (rad/s²).
        max_velocity: greatest velocity, m/s (rad/s); needed for the safe speed only.
        clearance: free distance ahead, m (rad); with it the greatest safe speed is printed too.
        reaction_time: seconds that pass before braking begins, for the safe speed.
        json: print one JSON object.
    """
    from ..motion import MotionLimits, MotionState, StopProfile, maximum_safe_speed

    if clearance is None and (max_velocity is not None or reaction_time != 0.0):
        raise MotionkitError("--max-velocity and --reaction-time are about the safe speed; give --clearance too")
    if clearance is not None and max_velocity is None:
        raise InvalidLimits("the safe speed before an obstacle needs the greatest velocity too; give --max-velocity")
    limits = MotionLimits(max_velocity or 0.0, max_acceleration, max_jerk)
    profile = StopProfile.plan(MotionState(0.0, velocity, acceleration), limits)
    data: dict[str, Any] = {
        "stopping_distance": profile.stopping_distance,
        "duration": profile.duration,
        "peak_speed": profile.peak_speed,
    }
    if clearance is not None:
        data["safe_speed"] = maximum_safe_speed(
            clearance, limits, reaction_time=reaction_time, acceleration=acceleration
        )
    if json:
        print_json(data)
        return
    print(f"stopping distance  {profile.stopping_distance:.6g}")
    print(f"stopping time      {profile.duration:.6g} s")
    print(f"peak speed         {profile.peak_speed:.6g}")
    if clearance is not None:
        print(f"safe speed         {data['safe_speed']:.6g} with {clearance:g} ahead")
