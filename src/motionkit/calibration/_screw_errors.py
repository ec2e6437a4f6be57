"""Errors of a chain's screw axes as parameters: what each one moves, and how a chain is corrected by them.

Between the frames before and behind a joint stands exp(x) J(q) exp(-x): its axis is displaced by the small twist x and
nothing else is. Of the six components of x, those that move the axis along or around itself do nothing, so a revolute
axis has four and a prismatic one two (its direction). With the tool's six this is minimal and complete: every chain of
the same joints is near one set of numbers, and no two sets are one chain. Zero offsets and the base are free on
request; they are then partly the same as axes and tool, which the rank tells. How they are found is in
``_kinematic_fit``.

Source: Chen, Yang, Tan, Yeo, Local POE model for robot kinematic calibration, 2001.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import chain as kernels
from ..kernels import pose
from ..kernels._batch import run_rows
from ..kernels.trig import sincos
from ..robot import SerialChain
from ..spatial import SE3

FloatArray = NDArray[np.float64]

COMPONENTS = ("along x", "along y", "along z", "about x", "about y", "about z")
REVOLUTE, PRISMATIC, ALL = (0, 1, 3, 4), (3, 4), (0, 1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class ErrorTerm:
    """One parameter.

    Attributes:
        part: ``"axis"``, ``"zero"``, ``"base"`` or ``"tool"``.
        joint: name of the joint; of a zero, of its coordinate; empty for base and tool.
        index: of the moving joint, or of the coordinate.
        component: of the twist, 0 to 5 as (linear, angular); 5 or 2 of a zero.
    """

    part: str
    joint: str
    index: int
    component: int

    @property
    def linear(self) -> bool:
        """Whether it is a length."""
        return self.component < 3

    @property
    def label(self) -> str:
        """Name for a person, such as ``"elbow axis about y"``."""
        if self.part == "zero":
            return f"{self.joint} zero"
        return f"{self.joint or self.part}{' axis' if self.joint else ''} {COMPONENTS[self.component]}"


def terms(chain: SerialChain, free: Collection[str], hold: Collection[str], *, turned_tool: bool) -> list[ErrorTerm]:
    """The parameters in the order base, axes, zeros, tool."""
    found = [ErrorTerm("base", "", -1, k) for k in ALL] if "base" in free else []
    if "axes" in free:
        for i, segment in enumerate(chain.moving):
            if segment.joint not in hold:
                kind = PRISMATIC if segment.limits.kind == "prismatic" else REVOLUTE
                found += [ErrorTerm("axis", segment.joint, i, k) for k in kind]
    if "zeros" in free:
        for i, (name, limits) in enumerate(zip(chain.joint_names, chain.limits, strict=True)):
            if name not in hold:
                found.append(ErrorTerm("zero", name, i, 2 if limits.kind == "prismatic" else 5))
    if "tool" in free:
        found += [ErrorTerm("tool", "", -1, k) for k in (ALL if turned_tool else (0, 1, 2))]
    return found


def frames(chain: SerialChain, Q: FloatArray) -> FloatArray:
    """Moved frame of every moving joint and the tip in the chain's base, (N, m + 1, 12)."""
    out = np.empty((len(Q), 12 * (len(chain.moving) + 1)))
    run_rows(kernels.joint_frames, chain.kernel_model, Q, out)
    return out.reshape(len(Q), -1, 12)


def lanes(poses: FloatArray) -> Any:
    """Poses (N, 12) as the twelve arrays (N,) that the kernels take as one pose."""
    return tuple(np.ascontiguousarray(poses[:, k]) for k in range(12))


def twist_columns(chain: SerialChain, Q: FloatArray, placed: FloatArray, parameters: list[ErrorTerm]) -> FloatArray:
    """The twist of the tip that a unit of each parameter is, (N, 6, p): base axes, at the base origin.

    Args:
        chain: the chain that the parameters correct.
        Q: configurations, (N, n).
        placed: what :func:`frames` gives for them.
        parameters: the p parameters.
    """
    out = np.zeros((len(Q), 6, len(parameters)))
    jacobian: FloatArray | None = None
    adjoints: dict[int, FloatArray] = {}
    for column, term in enumerate(parameters):
        if term.part == "base":
            out[:, term.component, column] = 1.0
        elif term.part == "zero":
            if jacobian is None:
                jacobian = chain.jacobian_batch(Q, "base_origin")
            out[:, :, column] = jacobian[:, :, term.index]
        else:
            found = adjoints.get(term.index)
            if found is None:
                found = adjoints[term.index] = _displacement(chain, Q, placed, term.index)
            out[:, :, column] = found[:, :, term.component]
    return out


def _displacement(chain: SerialChain, Q: FloatArray, placed: FloatArray, i: int) -> FloatArray:
    """Ad before the joint minus Ad behind it, (N, 6, 6), in the joint's own frame; of the tip (i = -1) its Ad."""
    behind = lanes(placed[:, i])
    Ad = _matrices(pose.adjoint(behind))
    if i < 0:
        return Ad
    segment = chain.moving[i]
    travel = -segment.multiplier * Q[:, chain.joint_names.index(segment.coordinate)]
    still = np.zeros(len(Q))
    if segment.limits.kind == "prismatic":
        before = kernels.move_joint(behind, still, still + 1.0, travel)
    else:
        before = kernels.move_joint(behind, *sincos(travel), still)
    return _matrices(pose.adjoint(before)) - Ad


def corrected(
    chain: SerialChain, base: SE3, parameters: list[ErrorTerm], values: FloatArray
) -> tuple[SerialChain, SE3]:
    """The chain and its base with the parameters put in."""
    at_zero = frames(chain, np.zeros((1, chain.n)))[0]
    links = chain.link_poses(np.zeros(chain.n))
    axes: dict[int, FloatArray] = {}
    zeros: dict[str, float] = {}
    ends = {"base": np.zeros(6), "tool": np.zeros(6)}
    for term, value in zip(parameters, values.tolist(), strict=True):
        if term.part == "axis":
            axes.setdefault(term.index, np.zeros(6))[term.component] = value
        elif term.part == "zero":
            zeros[term.joint] = value
        else:
            ends[term.part][term.component] = value
    segments = list(chain.segments)
    moving = -1
    for k, segment in enumerate(segments):
        if not segment.moving:
            continue
        moving += 1
        slides = segment.limits.kind == "prismatic"
        offset = _moved(segment.axis, slides, segment.offset)
        displaced = SE3.identity()
        if moving in axes:
            moved = links[segment.link] * segment.after.inverse()  # the joint's frame, moved to coordinate zero
            inside = moved.inverse() * SE3.from_elements(tuple(at_zero[moving].tolist()))
            twist = inside.adjoint() @ axes[moving]
            displaced = offset * SE3.exp(twist) * offset.inverse()
        shift = _moved(segment.axis, slides, segment.multiplier * zeros.get(segment.coordinate, 0.0))
        segments[k] = replace(
            segment, before=segment.before * displaced * shift, after=displaced.inverse() * segment.after
        )
    tool = chain.tool
    if ends["tool"].any():
        end = SE3.exp(ends["tool"])
        if tool is None:
            segments[-1] = replace(segments[-1], after=segments[-1].after * end)
        else:
            tool = tool * end
    made = type(chain)(segments, base=chain.base, tool=tool, name=chain.name)
    return made, (base * SE3.exp(ends["base"]) if ends["base"].any() else base)


def _moved(axis: tuple[float, float, float], slides: bool, travel: float) -> SE3:
    """What a joint does, in its own frame."""
    if travel == 0.0:
        return SE3.identity()
    part = [travel * a for a in axis]
    return SE3.exp([*part, 0.0, 0.0, 0.0] if slides else [0.0, 0.0, 0.0, *part])


def _matrices(elements: tuple[FloatArray, ...]) -> FloatArray:
    """36 elements, arrays (N,) or constants, as (N, 6, 6)."""
    return np.stack(np.broadcast_arrays(*elements), axis=-1).reshape(-1, 6, 6)
