"""Calls the chain kernels for a serial chain: checks what comes in, gives names to what goes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidInertia, UnknownName, WrongLength, did_you_mean
from ..kernels import chain as kernels
from ..kernels._contract import Kernel
from ..kernels.pose import IDENTITY, compose, transform_point
from ..spatial import SE3
from ..values import JointVelocity
from ._coordinates import Coordinates, matrix, output, vector
from ._device import run_on
from ._packing import Segment
from .inertia import LinkInertia
from .joint import Joint

if TYPE_CHECKING:
    from ._structure import ChainStructure

FloatArray = NDArray[np.float64]

_JACOBIANS = {
    "tool_at_base_orientation": kernels.jacobian,
    "tool": kernels.jacobian_in_tool,
    "base_origin": kernels.jacobian_at_base,
}


def segments_from_joints(joints: Sequence[Joint], inertias: Sequence[LinkInertia | None] | None) -> tuple[Segment, ...]:
    """The segments of joints given at zero in the base frame."""
    bodies = [None] * len(joints) if inertias is None else list(inertias)
    if len(bodies) != len(joints):
        raise WrongLength(
            f"inertias: expected one for each of the {len(joints)} joints (None where unknown), got {len(bodies)}"
        )
    identity = SE3.identity()
    segments: list[Segment] = []
    base_T_link = identity
    for joint, body in zip(joints, bodies, strict=True):
        base_T_next = SE3.from_translation(joint.point) if joint.pose is None else joint.pose
        # the axis is given in base axes, which are also those of a moving joint's frame at zero
        before = base_T_link.inverse() * base_T_next
        segments.append(Segment(joint.name, before, joint.axis, identity, joint.limits, joint.name, body))
        base_T_link = base_T_next
    return tuple(segments)


def joints_at_zero(chain: ChainStructure) -> tuple[Joint, ...]:
    """The moving joints by axis and point in the base frame, every coordinate at zero."""
    frames = _frames(chain, np.zeros(chain.n))
    joints: list[Joint] = []
    for segment, frame in zip(chain.moving, frames[:-1], strict=True):
        axis = (float(frame[2]), float(frame[5]), float(frame[8]))
        point = (float(frame[9]), float(frame[10]), float(frame[11]))
        kind = segment.limits.kind
        make = {"revolute": Joint.revolute, "prismatic": Joint.prismatic, "continuous": Joint.continuous}[kind]
        joints.append(make(segment.joint, axis, point, segment.limits))
    return tuple(joints)


def reach(chain: ChainStructure) -> float:
    """Offsets after the first joint and strokes, added up, m."""
    values = chain.kernel_model.array
    joints = values[kernels.HEAD : -kernels.TAIL].reshape(-1, kernels.ROW)
    total = float(np.sqrt(np.sum(joints[:, 2:5] ** 2, axis=1)).sum() + np.sqrt(np.sum(values[-3:] ** 2)))
    for segment in chain.moving:
        if segment.limits.kind == "prismatic":  # what the offset of a follower adds is among the shifts
            limits = segment.coordinate_limits
            total += abs(segment.multiplier) * max(abs(limits.lower), abs(limits.upper))
    return total


def forward(chain: ChainStructure, q: Coordinates, out: FloatArray | None) -> SE3 | FloatArray:
    """Pose of the tip, as an SE3 or into a (4, 4) array."""
    values = vector(q, chain.axes)
    if out is None:
        elements = np.empty(12)
        kernels.forward(chain.kernel_model, values, elements)
        return _pose(elements)
    kernels.forward_matrix(chain.kernel_model, values, output(out, (4, 4), "out").reshape(-1))
    return out


def forward_batch(
    chain: ChainStructure, Q: ArrayLike, out: FloatArray | None, threads: int = 1, device: str = "cpu"
) -> FloatArray:
    """Poses of the tip, (N, 4, 4)."""
    values = matrix(Q, chain.joint_names)
    poses = output(out, (len(values), 4, 4), "out")
    rows = poses.reshape(len(values), 16)
    run_on(device, kernels.forward_matrix, chain.kernel_model, values, rows, threads=threads)
    return poses


def link_poses(chain: ChainStructure, q: Coordinates) -> dict[str, SE3]:
    """Pose of every link by name, the base first."""
    frames = _frames(chain, vector(q, chain.axes)).tolist()
    packed = chain.packed
    poses: dict[str, SE3] = {}
    for name, joint, offset in zip(chain.link_names, packed.link_joint, packed.link_pose, strict=True):
        poses[name] = SE3.from_elements(compose(tuple(frames[joint]) if joint >= 0 else IDENTITY, offset))
    return poses


def joint_positions(chain: ChainStructure, q: Coordinates, tip: str, include_base: bool) -> FloatArray:
    """Origins of the m moving joints and the tip, (m + 1, 3), the base first when asked for."""
    if tip not in ("frame", "twice_com"):
        raise UnknownName(f"tip: no form {tip!r}: {did_you_mean(tip, ('frame', 'twice_com'))}", name=tip)
    frames = _frames(chain, vector(q, chain.axes))
    points = frames[:, 9:12]
    if tip == "twice_com":
        last = frames[-2] if chain.n else np.array(IDENTITY)
        x, y, z = (2.0 * v for v in carried_centre(chain))
        R = last[:9]
        points[-1, 0] = last[9] + (R[0] * x + R[1] * y + R[2] * z)
        points[-1, 1] = last[10] + (R[3] * x + R[4] * y + R[5] * z)
        points[-1, 2] = last[11] + (R[6] * x + R[7] * y + R[8] * z)
    return np.concatenate([np.zeros((1, 3)), points]) if include_base else np.ascontiguousarray(points)


def carried_centre(chain: ChainStructure) -> tuple[float, float, float]:
    """Centre of mass of what the last joint carries along the chain, in the frame of the last moved joint, m."""
    packed = chain.packed
    mass, moment = 0.0, [0.0, 0.0, 0.0]
    for segment, joint, offset in zip(chain.segments, packed.link_joint[1:], packed.link_pose[1:], strict=True):
        body = segment.inertia
        if joint == len(chain.moving) - 1 and body is not None and body.mass > 0.0:
            centre = transform_point(offset, body.com)
            mass += body.mass
            moment = [m + body.mass * p for m, p in zip(moment, centre, strict=True)]
    if mass == 0.0:
        raise InvalidInertia(
            f"chain {chain.name!r}: nothing is known of the mass behind the last joint, so the tip cannot be taken "
            "as twice the way to the centre of mass; use tip='frame', or give inertias",
            link=chain.tip,
        )
    return (moment[0] / mass, moment[1] / mass, moment[2] / mass)


def jacobian(chain: ChainStructure, q: Coordinates, frame: str, out: FloatArray | None) -> FloatArray:
    """Geometric Jacobian (6, n)."""
    kernel = _jacobian_kernel(frame)
    values = vector(q, chain.axes)
    result = output(out, (6, chain.n), "out")
    kernel(chain.kernel_model, values, result.reshape(-1))
    return result


def jacobian_batch(
    chain: ChainStructure, Q: ArrayLike, frame: str, out: FloatArray | None, threads: int = 1, device: str = "cpu"
) -> FloatArray:
    """Geometric Jacobians (N, 6, n)."""
    kernel = _jacobian_kernel(frame)
    values = matrix(Q, chain.joint_names)
    result = output(out, (len(values), 6, chain.n), "out")
    run_on(device, kernel, chain.kernel_model, values, result.reshape(len(values), 6 * chain.n), threads=threads)
    return result


def drift(chain: ChainStructure, q: Coordinates, qd: Coordinates) -> FloatArray:
    """Acceleration of the tip at qdd = 0, (6,)."""
    out = np.empty(6)
    kernels.drift(chain.kernel_model, vector(q, chain.axes), vector(qd, chain.axes, "qd", JointVelocity), out)
    return out


def singular_values(J: FloatArray) -> FloatArray:
    """Singular values of one Jacobian or of many, largest first."""
    return np.linalg.svd(J, compute_uv=False).astype(np.float64, copy=False)


def _jacobian_kernel(frame: str) -> Kernel[..., None]:
    if frame not in _JACOBIANS:
        raise UnknownName(f"Jacobian: no frame {frame!r}: {did_you_mean(frame, _JACOBIANS)}", name=frame)
    return _JACOBIANS[frame]


def _frames(chain: ChainStructure, values: FloatArray) -> FloatArray:
    """Moved frames of the m moving joints, and the tip, (m + 1, 12)."""
    out = np.empty((len(chain.moving) + 1, 12))
    kernels.joint_frames(chain.kernel_model, values, out.reshape(-1))
    return out


def _pose(elements: FloatArray) -> SE3:
    return SE3.from_elements(tuple(elements.tolist()))
