"""``motionkit calibrate kinematic``: the axes of a robot from measured poses or positions of its tip."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from ._arguments import AsJson
from ._output import pose_data, print_json, print_table

if TYPE_CHECKING:
    from ..calibration import KinematicCalibration, KinematicError

__all__ = ["calibrate_kinematic"]


def calibrate_kinematic(
    file: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")],
    *,
    urdf: Annotated[str | None, tyro.conf.arg(metavar="PATH")] = None,
    json: AsJson = False,
) -> None:
    """Print how far the axes of a robot are off, before and after, and what is known of each.

    Args:
        file: measurements, YAML or JSON, as the page on kinematic calibration describes.
        urdf: where to write the corrected robot as a URDF; nowhere when left out.
        json: print one JSON object.
    """
    import numpy as np

    from ..calibration import calibrate_kinematics
    from ..program import load_arm
    from ._calibration_files import KinematicFile, joints_of, pose_of, read

    given, source = read(file, KinematicFile)
    arm = load_arm(given.robot, folder=source.folder)
    q = joints_of(given, arm.chain, source)
    if given.measured == "measuring_T_tip":
        measured = [
            pose_of(sample, given.units, given.quaternion_order, source, ("samples", i))
            for i, sample in enumerate(given.samples)
        ]
    else:
        measured = np.array([sample.position for sample in given.samples]).reshape(-1, 3)
        measured = measured * (1e-3 if given.units.length == "mm" else 1.0)
    base = given.measuring_T_base
    found = calibrate_kinematics(
        arm.chain,
        q,
        measured,
        base=None
        if base is None
        else pose_of(base, given.units, given.quaternion_order, source, ("measuring_T_base",)),
        free=("axes", "tool") if given.free is None else given.free,
        hold=given.hold,
        sigma_position=_scaled(given.sigma_position, given.units.length == "mm", 1e-3),
        sigma_rotation=_scaled(given.sigma_rotation, given.units.angle == "deg", math.pi / 180.0),
    )
    if urdf is not None:
        found.model(arm.model).to_urdf(Path(urdf))
    if json:
        print_json(_data(found, urdf))
        return
    _show(found, urdf)


def _scaled(value: float | None, other: bool, factor: float) -> float | None:
    return value if value is None or not other else value * factor


def _data(found: KinematicCalibration, urdf: str | None) -> dict[str, object]:
    return {
        "measuring_T_base": pose_data(found.base),
        "before": found.before,
        "after": found.after,
        "hold_out": found.hold_out,
        "axes": found.axes,
        "rank": found.rank,
        "parameters": len(found.parameters),
        "unidentifiable": found.unidentifiable,
        "condition": found.condition,
        "sigma_position": found.sigma_position,
        "sigma_rotation": found.sigma_rotation,
        "rejected": found.rejected,
        "urdf": urdf,
    }


def _show(found: KinematicCalibration, urdf: str | None) -> None:
    turned = not math.isnan(found.after.rotation_rms)

    def row(name: str, error: KinematicError) -> tuple[str, ...]:
        cells = [
            f"{error.position_rms * 1e3:.4f}",
            f"{error.position_worst * 1e3:.4f}",
            str(error.position_worst_index),
        ]
        if turned:
            cells += [f"{math.degrees(error.rotation_rms):.4f}", f"{math.degrees(error.rotation_worst):.4f}"]
        return (name, *cells, str(error.samples))

    columns = ("error", "rms mm", "worst mm", "sample", *(("rms deg", "worst deg") if turned else ()), "samples")
    rows = [row("nominal axes", found.before), row("corrected", found.after)]
    rows += [row("held out", found.hold_out)] if found.hold_out is not None else []
    print_table(columns, rows)
    print_table(
        ("axis", "turned deg", "+-", "shifted mm", "+-"),
        [
            (
                axis.joint,
                f"{math.degrees(axis.turned):.4f}",
                f"{math.degrees(axis.sigma_direction):.4f}",
                f"{axis.shifted * 1e3:.4f}",
                f"{axis.sigma_point * 1e3:.4f}",
            )
            for axis in found.axes
        ],
    )
    print(f"{found.rank} of {len(found.parameters)} parameters can be told, condition {found.condition:.3g}")
    for words in found.unidentifiable:
        print(f"not told: {words}")
    for sample in found.rejected:
        print(f"left out: sample {sample.index}, {sample.reason}")
    if found.hold_out is None:
        print("too few samples to hold any out: nothing says how well new poses are predicted")
    elif found.hold_out.position_rms > 2.0 * found.after.position_rms:
        print("samples held out are more than twice as far off: take more before using this")
    if urdf is not None:
        print(f"corrected robot written to {urdf}")
