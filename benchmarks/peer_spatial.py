"""Products, exponentials and logarithms of poses and rotations beside pinocchio and SciPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

import motionkit as mk
from comparisons import Row, Sides, largest
from timing import repeated

COUNT = 64
# rounding, and what a logarithm near half a turn makes of it: pinocchio's is 2.1e-12 from the inverse of its own
# exponential there, ours 7e-16
EXACT = 1e-11


def sides(ours: Callable, theirs: Callable, inputs: list, same: Callable[[], float]) -> Sides:
    """Two functions over the same inputs, each input given as a pair (for us, for them)."""
    mine, other = ([pair[k] for pair in inputs] for k in (0, 1))

    def our_pass() -> None:
        for arguments in mine:
            ours(*arguments)

    def their_pass() -> None:
        for arguments in other:
            theirs(*arguments)

    return Sides(repeated(our_pass), repeated(their_pass), same, EXACT, len(mine), len(other))


def poses(count: int = COUNT) -> list[mk.SE3]:
    rng = np.random.default_rng(3)
    return [mk.SE3.random(rng) for _ in range(count)]


def against_pinocchio(which: str) -> Sides:
    import pinocchio as pin

    ours = poses()
    theirs = [pin.SE3(pose.matrix()) for pose in ours]
    twists = [pose.log() for pose in ours]
    if which == "product":
        a, b = ours[0], theirs[0]
        both = list(zip(ours, theirs, strict=True))
        return sides(
            mk.SE3.__mul__,
            pin.SE3.__mul__,
            [((p, a), (q, b)) for p, q in both],
            lambda: largest(((p * a).matrix(), (q * b).homogeneous) for p, q in both),
        )
    if which == "exp":
        return sides(
            mk.SE3.exp,
            pin.exp6,
            [((t,), (t,)) for t in twists],
            lambda: largest((mk.SE3.exp(t).matrix(), pin.exp6(t).homogeneous) for t in twists),
        )
    return sides(
        mk.SE3.log,
        pin.log6,
        [((p,), (q,)) for p, q in zip(ours, theirs, strict=True)],
        lambda: largest((p.log(), pin.log6(q).vector) for p, q in zip(ours, theirs, strict=True)),
    )


def against_scipy(which: str) -> Sides:
    from scipy.spatial.transform import Rotation

    ours = [pose.rotation for pose in poses()]
    theirs = [Rotation.from_quat(r.wxyz, scalar_first=True) for r in ours]
    both = list(zip(ours, theirs, strict=True))
    vectors = [r.log() for r in ours]
    if which == "product":
        a, b = ours[0], theirs[0]
        return sides(
            mk.SO3.__mul__,
            Rotation.__mul__,
            [((p, a), (q, b)) for p, q in both],
            lambda: largest(((p * a).matrix(), (q * b).as_matrix()) for p, q in both),
        )
    if which == "exp":
        return sides(
            mk.SO3.exp,
            Rotation.from_rotvec,
            [((v,), (v,)) for v in vectors],
            lambda: largest((mk.SO3.exp(v).matrix(), Rotation.from_rotvec(v).as_matrix()) for v in vectors),
        )
    return sides(
        mk.SO3.log,
        Rotation.as_rotvec,
        [((p,), (q,)) for p, q in both],
        lambda: largest((p.log(), q.as_rotvec()) for p, q in both),
    )


def rows() -> tuple[Row, ...]:
    calls = {
        "product": ("SE3.__mul__", "Rotation.__mul__"),
        "exp": ("exp6", "from_rotvec"),
        "log": ("log6", "as_rotvec"),
    }
    return (
        *(Row(f"SE3 {w}", f"pinocchio `{c[0]}`", 1.0, partial(against_pinocchio, w)) for w, c in calls.items()),
        *(Row(f"SO3 {w}", f"SciPy `{c[1]}`", 20.0, partial(against_scipy, w)) for w, c in calls.items()),
    )
