"""From the joints of a whole robot to the model that ``kernels.tree`` reads, and its poses by name of link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels import tree as kernels
from ..kernels._batch import run_rows
from ..kernels._contract import Model
from ..kernels.pose import IDENTITY, Pose, compose
from ..spatial import SE3
from ._coordinates import Coordinates, matrix, output, vector
from ._packing import about_z, along_z, transposed, z_onto

if TYPE_CHECKING:
    from .model import RobotModel

FloatArray = NDArray[np.float64]


def pack_tree(model: RobotModel) -> Model:
    """Fold every constant of a robot into what ``kernels.tree`` reads; its frames are the links, in their order.

    Raises:
        InvalidModel: a joint is floating or planar.
    """
    coordinates = {name: k for k, name in enumerate(model.joint_names)}
    carrier: dict[str, tuple[int, Pose]] = {model.root: (-1, IDENTITY)}
    rows: list[float] = []
    moving = 0
    for i in range(len(model.joints)):
        segment = model.segment(i)
        joint, offset = carrier[model.joints[i].parent]
        pose = compose(offset, segment.before.elements)
        if segment.moving:
            turn, slides = z_onto(segment.axis), segment.limits.kind == "prismatic"
            pose = compose(compose(pose, turn), along_z(segment.offset) if slides else about_z(segment.offset))
            factors = (0.0, segment.multiplier) if slides else (segment.multiplier, 0.0)
            rows += [float(joint), float(coordinates[segment.coordinate]), *factors, *pose]
            joint, pose = moving, transposed(turn)
            moving += 1
        carrier[segment.link] = joint, compose(pose, segment.after.elements)
    frames = [number for link in model.links for number in (float(carrier[link.name][0]), *carrier[link.name][1])]
    return Model([float(moving), float(len(coordinates)), float(len(model.links)), *rows, *frames])


def link_matrices(model: RobotModel, q: Coordinates) -> FloatArray:
    """Pose of every link in the root, (L, 4, 4)."""
    values = vector(q, model.axes)
    poses = np.empty((len(model.links), 4, 4))
    kernels.frame_matrices(model.kernel_model, values, np.empty(_scratch(model)), poses.reshape(-1))
    return poses


def link_poses(model: RobotModel, q: Coordinates) -> dict[str, SE3]:
    """Pose of every link in the root, by name."""
    poses = link_matrices(model, q)
    elements = np.concatenate([poses[:, :3, :3].reshape(-1, 9), poses[:, :3, 3]], axis=1).tolist()
    return {link.name: SE3.from_elements(tuple(row)) for link, row in zip(model.links, elements, strict=True)}


def link_poses_batch(model: RobotModel, Q: ArrayLike, out: FloatArray | None, threads: int) -> FloatArray:
    """Poses of every link for many configurations, (N, L, 4, 4)."""
    values, links = matrix(Q, model.joint_names), len(model.links)
    poses = output(out, (len(values), links, 4, 4), "out")
    rows, scratch = poses.reshape(len(values), 16 * links), _scratch(model)
    run_rows(kernels.frame_matrices, model.kernel_model, values, rows, scratch=scratch, threads=threads)
    return poses


def _scratch(model: RobotModel) -> int:
    return 12 * int(model.kernel_model.values[0])
