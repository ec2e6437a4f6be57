"""Which closed form of inverse kinematics an arm has, recognised from where its axes lie, and the constants of it.

Two forms, each also read from the tool to the base: a spherical wrist behind two parallel axes, and three parallel
axes before two that meet. An arm that is a little off (a calibrated one, or a file with ``rpy="3.141"``) is solved as
the nearest arm that has the form, and how far that is away is kept. Solving is in ``_analytic``.

Everything here is arithmetic on a few vectors with the kernels' own functions, the same on every machine.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..errors import KindMismatch
from ..kernels._contract import Model
from ..kernels.analytic_parts import NARROW
from ..kernels.pose import Pose, compose, invert, join
from ..kernels.trig import atan2
from ..kernels.vector import Vector, add, cross, dot, norm, scale, subtract
from ._inverse import TOLERANCE

if TYPE_CHECKING:
    from .chain import SerialChain

ANGLE = 1e-2  # rad that an axis may be off: calibrated arms are off by up to 6e-3
DISTANCE = 5e-3  # of the length of the two long links, that axes may miss each other
EXACT = 1e-8  # rad, and part of that length, below which the answers of the form need a polish at most
APART = 5e-2  # rad between two axes below which they count as parallel where the form needs them not to be
_ROUNDING = (1e-13, 1e-12)  # of a length, and of a direction that two steps before it may have blurred, rad
_HOPELESS = 20.0  # how badly a condition fails that nothing small would mend, in what is allowed of the others
_WRIST, _PARALLEL = "spherical wrist", "three parallel axes"


@dataclass(frozen=True, slots=True)
class AnalyticForm:
    """The closed form that an arm is solved by.

    Attributes:
        kind: ``"spherical wrist"`` or ``"three parallel axes"``.
        backwards: whether the arm has the form when it is read from the tool to the base.
        angle: largest angle between an axis of the arm and of the form, rad.
        distance: largest distance by which axes miss the point in which those of the form meet, m.
        exact: whether both are next to nothing (1e-8 rad, and of the length of the links). Where they are not, the
            answers are those of the arm itself near the form's, and no motion with the tip at rest is claimed.
        has_wrist: whether it is the form of the spherical wrist.
        length: of the two long links together, m.
        tolerance: what a candidate may miss its pose by and yet be one of the arm once it is refined, m and rad.
        rough: above what a candidate is refined, m and rad: what rounding leaves, with a margin.
        arm: the constants that the kernels read.
        blurred: the same, for poses that are known to 1e-9 only.
    """

    kind: str
    backwards: bool
    angle: float
    distance: float
    exact: bool
    has_wrist: bool = field(repr=False)
    length: float = field(repr=False)
    tolerance: float = field(repr=False)
    rough: float = field(repr=False)
    arm: Model = field(repr=False, compare=False)
    blurred: Model = field(repr=False, compare=False)


@dataclass(slots=True)
class _Fit:
    """What one form makes of an arm: the constants, and each condition that fails, with how badly."""

    kind: str
    backwards: bool
    angle: float = 0.0
    distance: float = 0.0
    length: float = 0.0
    numbers: list[float] = field(default_factory=list[float])
    failures: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])


@functools.lru_cache(maxsize=64)
def analytic_form(chain: SerialChain) -> AnalyticForm:
    """See :meth:`motionkit.SerialChain.analytic_form`."""
    kinds = [joint.kind for joint in chain.joints]
    if len(kinds) != 6 or chain.n != 6 or any(kind not in ("revolute", "continuous") for kind in kinds):
        followers = f", of which {len(kinds) - chain.n} follow another" if chain.n != len(kinds) else ""
        raise KindMismatch(
            f"chain {chain.name!r} has no closed form of inverse kinematics: that needs six joints that turn, each by "
            f"itself, and it has {len(kinds)} ({', '.join(kinds)}){followers}; inverse_any finds a configuration by "
            "searching"
        )
    fits = [fit(chain, backwards) for backwards in (False, True) for fit in (_fit_wrist, _fit_parallel)]
    good = [fit for fit in fits if not fit.failures]
    if not good:
        raise KindMismatch(_refusal(chain, fits))
    best = min(good, key=lambda fit: max(fit.angle, fit.distance / fit.length))  # the first of equal ones
    exact = best.angle <= EXACT and best.distance <= EXACT * best.length
    slack = max(best.angle, best.distance / best.length) if exact else 0.0
    narrow = ((_ROUNDING[0] + 4.0 * slack) * best.length, _ROUNDING[1] + 4.0 * slack)
    return AnalyticForm(
        kind=best.kind,
        backwards=best.backwards,
        angle=best.angle,
        distance=best.distance,
        exact=exact,
        has_wrist=best.kind == _WRIST,
        length=best.length,
        tolerance=TOLERANCE + (100.0 if exact else 20.0) * (best.angle * max(best.length, 1.0) + best.distance),
        rough=1e-12 * max(best.length, 1.0),
        arm=_with_narrow(best, narrow),
        blurred=_with_narrow(best, (0.5 * TOLERANCE, 0.5 * TOLERANCE)),
    )


def _with_narrow(fit: _Fit, narrow: tuple[float, float]) -> Model:
    """The constants, with the length and the angle below which a direction means nothing."""
    numbers = list(fit.numbers)
    numbers[NARROW], numbers[NARROW + 1] = narrow
    return Model(numbers)


def _refusal(chain: SerialChain, fits: Sequence[_Fit]) -> str:
    parts: list[str] = []
    for kind in (_WRIST, _PARALLEL):
        # the direction that comes nearer: the one whose worst condition is the lesser evil
        nearest = min((fit for fit in fits if fit.kind == kind), key=lambda fit: max(fit.failures)[0])
        order = ", read from the tool to the base" if nearest.backwards else ""
        parts.append(f"{kind}{order}: {max(nearest.failures)[1]}")
    return (
        f"chain {chain.name!r} has neither closed form of inverse kinematics. " + "; ".join(parts) + ". inverse_any "
        "finds a configuration by searching"
    )


class _Axes:
    """Directions and points of the six axes at zero, in the order in which the form reads them."""

    def __init__(self, chain: SerialChain, fit: _Fit) -> None:
        joints = chain.joints[::-1] if fit.backwards else chain.joints
        sign = -1.0 if fit.backwards else 1.0
        self.h: list[Vector] = [scale(joint.axis, sign) for joint in joints]
        self.p: list[Vector] = [joint.point for joint in joints]
        self.names = [joint.name for joint in joints]
        self.tip: Pose = chain.forward([0.0] * 6).elements
        self.fit = fit

    def demand_parallel(self, members: Sequence[int]) -> tuple[Vector, list[float]]:
        """The common direction of axes, that of the first one leading, and the sign of each against it."""
        signs = [1.0 if dot(self.h[k], self.h[members[0]]) > 0.0 else -1.0 for k in members]
        total: Vector = (0.0, 0.0, 0.0)
        for k, sign in zip(members, signs, strict=True):
            total = add(total, scale(self.h[k], sign))
        h = _unit(total)
        for k in members:
            off = _angle(self.h[k], h)
            self.fit.angle = max(self.fit.angle, off)
            if off > ANGLE:
                listed = _listed([self.names[j] for j in members])
                self._fail(off / ANGLE, f"the axes of {listed} are not parallel: {self.names[k]!r} is {off:.3g} rad "
                           f"off their mean, allowed are {ANGLE:g}")  # fmt: skip
        return h, signs

    def demand_meeting(self, members: Sequence[int], length: float) -> Vector:
        """The point nearest to axes that should meet."""
        w = _nearest_point([(self.h[k], self.p[k]) for k in members])
        for k in members:
            off = norm(subtract(w, self.foot(k, w)))
            self.fit.distance = max(self.fit.distance, off)
            if off > DISTANCE * length:
                listed = _listed([self.names[j] for j in members])
                self._fail(off / (DISTANCE * length), f"the axes of {listed} do not meet: that of {self.names[k]!r} "
                           f"passes {off:.3g} m from the point nearest to them, allowed are "
                           f"{DISTANCE * length:.3g} m")  # fmt: skip
        return w

    def demand_apart(self, a: Vector, b: Vector, names: Sequence[str]) -> None:
        """Refuse axes that are parallel where the form turns one about the other."""
        angle = _angle(a, b)
        if angle < APART:
            listed = _listed(names)
            self._fail(min(APART / max(angle, 1e-300), _HOPELESS), f"the axes of {listed} are {angle:.3g} rad from "
                       f"parallel, needed are {APART:g}")  # fmt: skip

    def demand_length(self, length: float, what: str) -> None:
        """Refuse a link without length."""
        if length < 1e-6:
            self._fail(_HOPELESS, f"the axes of {what} are {length:.3g} m apart, needed is a link between them")

    def foot(self, k: int, at: Vector) -> Vector:
        """The point of axis k nearest to a point."""
        return add(self.p[k], scale(self.h[k], dot(subtract(at, self.p[k]), self.h[k])))

    def _fail(self, excess: float, text: str) -> None:
        self.fit.failures.append((excess, text))


def _fit_wrist(chain: SerialChain, backwards: bool) -> _Fit:
    """Axes 2 and 3 parallel; 4, 5 and 6 meet."""
    fit = _Fit(_WRIST, backwards)
    axes = _Axes(chain, fit)
    if _angle(axes.h[3], axes.h[4]) < APART and _angle(axes.h[4], axes.h[5]) < APART:
        axes.demand_apart(axes.h[3], axes.h[4], axes.names[3:5])
        return fit
    h, signs = axes.demand_parallel((1, 2))
    axes.demand_apart(axes.h[0], h, axes.names[0:2])
    if fit.failures:
        return fit
    w = _nearest_point([(axes.h[k], axes.p[k]) for k in (3, 4, 5)])
    plane = _Plane(axes, h, w)
    upper = plane.link(axes.foot(1, w), axes.foot(2, w))
    fore = plane.link(axes.foot(2, w), w)
    fit.length = upper[0] + fore[0]
    axes.demand_length(upper[0], _listed(axes.names[1:3]))
    axes.demand_length(fore[0], f"{axes.names[2]!r} and the wrist")
    if fit.failures:
        return fit
    axes.demand_meeting((3, 4, 5), fit.length)
    axes.demand_apart(axes.h[3], axes.h[4], axes.names[3:5])
    axes.demand_apart(axes.h[4], axes.h[5], axes.names[4:6])
    if fit.failures:
        return fit
    x4 = _unit(cross(axes.h[3], axes.h[4]))
    bends, zero, tool = _hand(axes, x4, axes.h[3], w)
    wrist = _rows(x4, cross(axes.h[3], x4), axes.h[3], plane)
    fit.numbers = [*plane.head(tool, w), *upper, *fore, signs[1], *bends, zero, 0.0, 0.0, *wrist]
    return fit


def _fit_parallel(chain: SerialChain, backwards: bool) -> _Fit:
    """Axes 2, 3 and 4 parallel; 5 and 6 meet."""
    fit = _Fit(_PARALLEL, backwards)
    axes = _Axes(chain, fit)
    axes.demand_apart(axes.h[4], axes.h[5], axes.names[4:6])
    if fit.failures:
        return fit
    h, signs = axes.demand_parallel((1, 2, 3))
    axes.demand_apart(axes.h[0], h, axes.names[0:2])
    if fit.failures:
        return fit
    w = _nearest_point([(axes.h[k], axes.p[k]) for k in (4, 5)])
    plane = _Plane(axes, h, w)
    upper = plane.link(axes.foot(1, w), axes.foot(2, w))
    fore = plane.link(axes.foot(2, w), axes.foot(3, w))
    fit.length = upper[0] + fore[0]
    axes.demand_length(upper[0], _listed(axes.names[1:3]))
    axes.demand_length(fore[0], _listed(axes.names[2:4]))
    if fit.failures:
        return fit
    axes.demand_meeting((4, 5), fit.length)
    axes.demand_apart(h, axes.h[4], axes.names[3:5])
    if fit.failures:
        return fit
    x4 = _unit(cross(h, axes.h[4]))
    bends, zero, tool = _hand(axes, x4, h, w)
    hand = subtract(w, axes.foot(3, w))
    fit.numbers = [*plane.head(tool, w), *upper, *fore, signs[1], *bends, zero, 0.0, 0.0]
    fit.numbers += [signs[2], atan2(dot(x4, plane.y), dot(x4, plane.x)), dot(hand, plane.x), dot(hand, plane.y)]
    return fit


class _Plane:
    """The shoulder frame and the plane frame of an arm at zero, as vectors in the base."""

    def __init__(self, axes: _Axes, h: Vector, w: Vector) -> None:
        self.axes = axes
        z = axes.h[0]
        second = axes.foot(1, w)
        self.origin = axes.foot(0, second)
        across = subtract(h, scale(z, dot(h, z)))
        self.sine, self.cosine = norm(across), _clean(dot(h, z))
        side = scale(across, 1.0 / self.sine) if self.sine > 0.0 else across
        self.shoulder = (cross(side, z), side, z)
        self.x, self.y, self.z = self.shoulder[0], cross(h, self.shoulder[0]), h
        self.second = subtract(second, self.origin)

    def link(self, start: Vector, end: Vector) -> tuple[float, float]:
        """Length, and angle from the x axis, of the way between two points in the plane."""
        u, v = dot(subtract(end, start), self.x), dot(subtract(end, start), self.y)
        return math.sqrt(u * u + v * v), atan2(v, u)

    def head(self, tool: Pose, w: Vector) -> list[float]:
        """The constants up to the place of axis 2 in the plane."""
        x, y, z = self.shoulder
        o = self.origin
        shoulder = (*x, *y, *z, -dot(x, o), -dot(y, o), -dot(z, o))
        tip = self.axes.tip
        left, right = (
            (compose(shoulder, tip), tool) if self.axes.fit.backwards else (shoulder, compose(invert(tip), tool))
        )
        across = dot(self.z, subtract(w, o))
        return [*left, *right, self.sine, self.cosine, across, dot(self.second, self.x), dot(self.second, self.y)]


def _hand(axes: _Axes, x4: Vector, h4: Vector, w: Vector) -> tuple[list[float], float, Pose]:
    """Cosines and sines of the two bends of the wrist, the angle of its middle frame at zero, and the tool frame."""
    h5, h6 = axes.h[4], axes.h[5]
    x5 = _unit(cross(h5, h6))
    bends = [_clean(dot(h4, h5)), norm(cross(h4, h5)), _clean(dot(h5, h6)), norm(cross(h5, h6))]
    zero = atan2(dot(x5, cross(h5, x4)), dot(x5, x4))
    y5 = cross(h6, x5)
    tool = join((x5[0], y5[0], h6[0], x5[1], y5[1], h6[1], x5[2], y5[2], h6[2]), w)
    return bends, zero, tool


def _rows(x: Vector, y: Vector, z: Vector, plane: _Plane) -> list[float]:
    """Three directions of the base in the plane frame, one after the other."""
    return [dot(a, b) for a in (x, y, z) for b in (plane.x, plane.y, plane.z)]


def _nearest_point(lines: Sequence[tuple[Vector, Vector]]) -> Vector:
    """The point with the least sum of squared distances to lines that are not all parallel."""
    rows: list[Vector] = [(0.0, 0.0, 0.0)] * 3
    right: Vector = (0.0, 0.0, 0.0)
    for h, p in lines:
        for i in range(3):
            unit = tuple(1.0 if i == k else 0.0 for k in range(3))
            rows[i] = add(rows[i], subtract((unit[0], unit[1], unit[2]), scale(h, h[i])))
        right = add(right, subtract(p, scale(h, dot(p, h))))
    a, b, c = cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])
    total = add(add(scale(a, right[0]), scale(b, right[1])), scale(c, right[2]))
    return scale(total, 1.0 / dot(rows[0], a))


def _unit(a: Vector) -> Vector:
    return scale(a, 1.0 / norm(a))


def _angle(a: Vector, b: Vector) -> float:
    """Angle between two lines, from 0 to a quarter turn."""
    return atan2(norm(cross(a, b)), abs(dot(a, b)))


def _clean(x: float) -> float:
    """A cosine, or 0 where it is the rounding of a right angle."""
    return x if abs(x) > 1e-15 else 0.0


def _listed(names: Sequence[str]) -> str:
    quoted = [repr(name) for name in names]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"
