"""Files of measurements, in which direction, order and units are stated and never guessed; YAML or JSON."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
import numpy as np

from ..errors import InvalidProgram
from ..program import RobotReference
from ..program.reading import read_file
from ..program.source import Source
from ..robot import SerialChain
from ..spatial import SE3, SO3

__all__ = [
    "CameraData",
    "KinematicFile",
    "PlanFile",
    "PoseData",
    "Units",
    "joints_of",
    "json_schema",
    "pose_of",
    "read",
]

Three = tuple[float, float, float]
Four = tuple[float, float, float, float]
T = TypeVar("T")


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class Units(_Part, frozen=True, kw_only=True):
    """Units of every number in the file; none has a default."""

    length: Literal["m", "mm"]
    angle: Literal["rad", "deg"]


class PoseData(_Part, frozen=True, kw_only=True):
    """A pose: a position, and its orientation as a quaternion in the order that the file states."""

    position: Three
    quaternion: Four | None = None


class KinematicSample(_Part, frozen=True, kw_only=True):
    """Joint values in the order of ``joint_order``, and where the tip was measured."""

    joints: list[float]
    position: Three
    quaternion: Four | None = None


class KinematicFile(_Part, frozen=True, kw_only=True):
    """What ``motionkit calibrate kinematic`` reads."""

    motionkit: Literal["calibrate-kinematic/1"]
    robot: RobotReference
    units: Units
    joint_order: list[str]
    measured: Literal["measuring_T_tip", "position_of_tip"]
    samples: list[KinematicSample]
    quaternion_order: Literal["wxyz", "xyzw"] | None = None
    measuring_T_base: PoseData | None = None
    free: list[Literal["axes", "zeros", "base", "tool"]] | None = None
    hold: list[str] = []
    sigma_position: float | None = None
    sigma_rotation: float | None = None


class CameraData(_Part, frozen=True, kw_only=True):
    """Intrinsics in pixels; distortion k1, k2, p1, p2, k3."""

    fx: float
    fy: float
    cx: float
    cy: float
    width: int
    height: int
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)


class PlanFile(_Part, frozen=True, kw_only=True):
    """What ``motionkit calibrate plan`` reads."""

    motionkit: Literal["calibrate-plan/1"]
    robot: RobotReference
    units: Units
    mount: Literal["eye_in_hand", "eye_to_hand"]
    camera: CameraData
    target_size: tuple[float, float]
    distance: tuple[float, float]
    quaternion_order: Literal["wxyz", "xyzw"]
    flange_T_camera: PoseData | None = None
    base_T_target: PoseData | None = None
    base_T_camera: PoseData | None = None
    flange_T_target: PoseData | None = None
    stations: int = 12
    largest_tilt: float | None = None
    candidates: int = 150
    seed: int = 0


def read(path: str, form: type[T]) -> tuple[T, Source]:
    """A file of measurements.

    Raises:
        FileUnreadable: it cannot be read.
        InvalidProgram: it breaks a rule of its format; with the place in it.
    """
    data, source = read_file(Path(path))
    try:
        return msgspec.convert(data, form), source
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at ")
        raise InvalidProgram(
            f"{source.name}: {place.strip('`').removeprefix('$').lstrip('.') or 'file'}: {what}; direction, order and "
            "units are all stated, as the page on kinematic calibration has it",
            path=place.strip("`").removeprefix("$").lstrip("."),
            line=None,
        ) from error


def pose_of(data: Any, units: Units, order: str | None, source: Source, where: tuple[str | int, ...]) -> SE3:
    """A pose of the file in SI units.

    Raises:
        InvalidProgram: the quaternion is missing, has no order, or is not of unit norm.
    """
    if data.quaternion is None or order is None:
        lacks = "quaternion_order" if data.quaternion is not None else "quaternion"
        raise source.error(where, f"expected a position and a quaternion of a stated order; {lacks} is missing")
    q = np.array(data.quaternion)
    norm = float(np.linalg.norm(q))
    if abs(norm - 1.0) > 1e-3:
        raise source.error((*where, "quaternion"), f"expected a quaternion of norm 1, got {norm:.6g}")
    turn = SO3.from_wxyz(q / norm) if order == "wxyz" else SO3.from_xyzw(q / norm)
    return SE3(turn, np.array(data.position) * (1e-3 if units.length == "mm" else 1.0))


def joints_of(file: KinematicFile, chain: SerialChain, source: Source) -> np.ndarray:
    """Joint values (N, n) in the order of the chain, rad and m.

    Raises:
        InvalidProgram: the order does not name every joint once, or a sample has another number of values.
    """
    if sorted(file.joint_order) != sorted(chain.joint_names):
        raise source.error(
            ("joint_order",), f"expected each of {', '.join(chain.joint_names)} once, got {', '.join(file.joint_order)}"
        )
    for i, sample in enumerate(file.samples):
        if len(sample.joints) != chain.n:
            raise source.error(("samples", i, "joints"), f"expected {chain.n} values, got {len(sample.joints)}")
    columns = [file.joint_order.index(name) for name in chain.joint_names]
    turn = math.pi / 180.0 if file.units.angle == "deg" else 1.0
    slide = 1e-3 if file.units.length == "mm" else 1.0
    factors = [slide if limits.kind == "prismatic" else turn for limits in chain.limits]
    return np.array([sample.joints for sample in file.samples]).reshape(-1, chain.n)[:, columns] * factors


FOLDER = Path(__file__).parent / "data"
SCHEMAS: dict[str, type] = {
    "calibrate-kinematic-1.schema.json": KinematicFile,
    "calibrate-plan-1.schema.json": PlanFile,
}
"""JSON Schemas that come with the package, for editors; written by ``tools/calibration_schema.py``."""


def json_schema(form: type) -> dict[str, Any]:
    """The JSON Schema of a file, from the class that reads it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(form)}
