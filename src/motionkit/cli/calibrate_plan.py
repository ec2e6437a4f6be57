"""``motionkit calibrate plan``: stations of a hand-eye calibration within limits and in view."""

from __future__ import annotations

import math
from typing import Annotated

import tyro

from ._arguments import AsJson, to_typed, typed_unit
from ._output import pose_data, print_json, print_table

__all__ = ["calibrate_plan"]


def calibrate_plan(
    file: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")],
    *,
    json: AsJson = False,
) -> None:
    """Print stations from which a camera sees the whole target and that tell most about where it is.

    Args:
        file: robot, camera, target and a guess of both poses, YAML or JSON, as the page on kinematic
            calibration describes.
        json: print one JSON object.
    """
    from ..calibration import CameraIntrinsics, plan_stations
    from ..program import load_arm
    from ._calibration_files import PlanFile, pose_of, read

    given, source = read(file, PlanFile)
    names = (
        ("flange_T_camera", "base_T_target") if given.mount == "eye_in_hand" else ("base_T_camera", "flange_T_target")
    )
    guesses = [getattr(given, name) for name in names]
    for name, guess in zip(names, guesses, strict=True):
        if guess is None:
            raise source.error((), f"mount {given.mount} needs a guess of {' and '.join(names)}; {name} is missing")
    poses = [
        pose_of(guess, given.units, given.quaternion_order, source, (name,))
        for name, guess in zip(names, guesses, strict=True)
    ]
    length = 1e-3 if given.units.length == "mm" else 1.0
    tilt = math.radians(45.0)
    if given.largest_tilt is not None:
        tilt = math.radians(given.largest_tilt) if given.units.angle == "deg" else given.largest_tilt
    chain = load_arm(given.robot, folder=source.folder).chain
    camera = given.camera
    plan = plan_stations(
        chain,
        poses[0],
        poses[1],
        CameraIntrinsics(camera.fx, camera.fy, camera.cx, camera.cy, camera.distortion, camera.width, camera.height),
        mount=given.mount,
        target_size=(given.target_size[0] * length, given.target_size[1] * length),
        distance=(given.distance[0] * length, given.distance[1] * length),
        count=given.stations,
        largest_tilt=tilt,
        candidates=given.candidates,
        seed=given.seed,
    )
    if json:
        print_json(
            {
                "joint_order": chain.joint_names,
                "stations": [
                    {"q": q, "base_T_flange": pose_data(flange), "camera_T_target": pose_data(seen)}
                    for q, flange, seen in zip(plan.q, plan.base_T_flange, plan.camera_T_target, strict=True)
                ],
                "sigma_translation": plan.sigma_translation,
                "sigma_rotation": plan.sigma_rotation,
                "sigmas_by_count": plan.sigmas_by_count,
                "condition": plan.condition,
                "weakest_axis": plan.weakest_axis,
                "turned": plan.turned,
                "reachable": plan.reachable,
                "tried": plan.tried,
            }
        )
        return
    units = [typed_unit(limits.kind) for limits in chain.limits]
    print_table(
        ("station", *(f"{name} {unit}" for name, unit in zip(chain.joint_names, units, strict=True)), "distance m"),
        [
            (str(i), *(f"{value:.3f}" for value in to_typed(q, chain)), f"{math.hypot(*seen.translation):.3f}")
            for i, (q, seen) in enumerate(zip(plan.q, plan.camera_T_target, strict=True))
        ],
    )
    print(
        f"{plan.reachable} of {plan.tried} views are in the image and within reach; to expect of the camera's place: "
        f"{max(plan.sigma_translation) * 1e3:.3g} mm, of its turn: {math.degrees(max(plan.sigma_rotation)):.3g} deg "
        "(one sigma, half a pixel of noise)"
    )
