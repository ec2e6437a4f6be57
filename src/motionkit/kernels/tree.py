"""Where everything on a branched robot is: every joint once, whatever number of branches lies behind it.

A tree of m moving joints with n coordinates and f frames is one model of 3 + 16 m + 13 f numbers: m, n and f; then 16 a
joint: the joint that carries it (-1 is the base), the index of its coordinate, how much it turns about z and how much
it travels along z for a unit of it, and the pose (12) of its place in the moved frame of the carrier, its axis being z
and its own angle or travel at coordinate zero included; then 13 a frame: the joint that carries it and its pose (12) in
the moved frame of that joint. A joint comes after the one that carries it. Joints that follow another share its
coordinate.

A pose is 12 elements: the rotation, row-major, then the origin. One path through a robot is a chain (see ``chain``),
which costs less and has a Jacobian. Masses are not here.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from ._elements import like
from .chain import move_joint, place, row_pose, store
from .pose import Pose
from .trig import sincos

HEAD = 3
ROW = 16  # numbers a joint
FRAME = 13  # numbers a frame


@helper
def load(a: Any, at: int) -> Pose:
    """Twelve elements from index ``at`` on."""
    return (
        a[at],
        a[at + 1],
        a[at + 2],
        a[at + 3],
        a[at + 4],
        a[at + 5],
        a[at + 6],
        a[at + 7],
        a[at + 8],
        a[at + 9],
        a[at + 10],
        a[at + 11],
    )


@helper
def moved_frames(model: Any, q: Any, out: Any, at: int) -> None:
    """Moved frame of every joint in the base, 12 elements each from index ``at`` on."""
    joints = int(model[0])
    for i in range(joints):
        b = HEAD + ROW * i
        carrier = int(model[b])
        x = q[int(model[b + 1])]
        if carrier < 0:
            T = row_pose(model, b + 4, x)
        else:
            T = place(load(out, at + 12 * carrier), model, b + 4)
        s, c = sincos(x * model[b + 2])
        store(out, at + 12 * i, move_joint(T, s, c, x * model[b + 3]))


@kernel("model in scratch out -> none")
def frame_matrices(model: Any, q: Any, scratch: Any, out: Any) -> None:
    """Pose of every frame in the base, as homogeneous matrices.

    Args:
        model: the tree, as the module says.
        q: joint coordinates, (n,), rad or m.
        scratch: (12 m,).
        out: (16 f,): one matrix after the other, row-major.
    """
    moved_frames(model, q, scratch, 0)
    frames = int(model[2])
    base = HEAD + ROW * int(model[0])
    for k in range(frames):
        b = base + FRAME * k
        carrier = int(model[b])
        if carrier < 0:
            T = row_pose(model, b + 1, like(out[0], 0.0) if len(q) == 0 else q[0])
        else:
            T = place(load(scratch, 12 * carrier), model, b + 1)
        r00, r01, r02, r10, r11, r12, r20, r21, r22, x, y, z = T
        zero, one = like(x, 0.0), like(x, 1.0)
        store(out, 16 * k, (r00, r01, r02, x, r10, r11, r12, y, r20, r21, r22, z, zero, zero, zero, one))
