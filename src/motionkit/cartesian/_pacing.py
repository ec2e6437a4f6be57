"""Chooses the speed profile of a path: the quickest symmetric S-curve that keeps every joint within its limits.

A profile of any shape keeps the limits when it is run slowly enough: k times slower means velocities k, accelerations
k^2 and jerks k^3 times smaller. So each shape is scaled until the limit it uses most is met exactly, and the shape that
needs the least time is searched. What a joint is asked for is taken where the profile is: the bend at the very
start of a line is passed slowly and costs little.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..kernels import pacing as kernels
from ..motion import MotionLimits, ScurveProfile
from ._joint_path import JointPath

FloatArray = NDArray[np.float64]

_HALVINGS = 4  # of every cell before its derivatives are bounded: the bounds come four times closer each time
_INTERVALS = 48  # pieces of every segment of the profile; speed and acceleration are bounded by a piece's ends
_SIDE = 6  # candidates a side of the grid of shapes
_RESOLUTION = 1e-3  # of the shape's numbers, where the search ends
GOLDEN_ANGLE = 2.399963229728653
_MARGIN = 1e-10  # the search stops this much (relative) short of a limit, for the rounding of what is compared


class Pacer:
    """The demand of one path on its joints, for any profile."""

    def __init__(self, path: JointPath, limits: Sequence[MotionLimits], max_rate: float) -> None:
        fine = path.halved(_HALVINGS)
        self.knots = fine.knots
        self.bounds = fine.bounds()
        self.limits = np.array([[v.max_velocity, v.max_acceleration, v.max_jerk] for v in limits]).T
        self.max_rate = max_rate

    def slowdown(self, profile: ScurveProfile) -> float:
        """By what factor the profile is too quick: run that many times slower it meets the tightest limit exactly."""
        times = instants(profile)
        along = profile.sample_many(times)
        # within a piece of a segment velocity and acceleration run monotonically; a jump of the jerk is on its edge
        inside = profile.sample_many(0.5 * (times[:-1] + times[1:]))
        v = np.maximum(along.velocity[:-1], along.velocity[1:])
        a = np.maximum(np.abs(along.acceleration[:-1]), np.abs(along.acceleration[1:]))
        j = np.abs(inside.jerk)
        last = len(self.bounds) - 1
        low = np.clip(np.searchsorted(self.knots, along.position[:-1], side="right") - 1, 0, last)
        high = np.clip(np.searchsorted(self.knots, along.position[1:], side="left"), 1, last + 1)
        edges = np.column_stack([low, np.maximum(high, low + 1)]).reshape(-1)
        # a closing row keeps the last edge inside; every second result is what lies between two pieces
        padded = np.concatenate([self.bounds, np.zeros_like(self.bounds[:1])])
        largest = np.maximum.reduceat(padded, edges, axis=0)[::2]
        rates = (column[:, None] for column in (v, a, j))
        asked = kernels.demand(largest[:, 0], largest[:, 1], largest[:, 2], *rates)
        velocity, acceleration, jerk = (float(np.max(x / limit)) for x, limit in zip(asked, self.limits, strict=True))
        return max(velocity, math.sqrt(acceleration), math.cbrt(jerk), float(np.max(v)) / self.max_rate)

    def profile(self, ramp: float, share: float, duration: float) -> ScurveProfile:
        """The profile from 0 to 1 of a shape that takes a given time."""
        v, a, j = kernels.shape(ramp, share)
        return ScurveProfile.plan(0.0, 1.0, MotionLimits(v / duration, a / duration**2, j / duration**3))


def instants(profile: ScurveProfile) -> FloatArray:
    """Increasing times from 0 to the end of a profile, every segment divided evenly."""
    starts = profile.boundaries
    grid = np.linspace(starts[:-1], starts[1:], _INTERVALS, endpoint=False).T.reshape(-1)
    return np.append(grid[np.append(np.diff(grid) > 0.0, True)], profile.duration)


def pace(path: JointPath, limits: Sequence[MotionLimits], max_rate: float) -> ScurveProfile:
    """The quickest profile of the path parameter from 0 to 1, at rest at both ends.

    Args:
        path: the joints over the parameter.
        limits: of every joint.
        max_rate: largest rate of the parameter that the tool allows, 1/s; may be infinite.
    """
    pacer = Pacer(path, limits, max_rate)
    if not np.any(pacer.bounds):
        return ScurveProfile.plan(0.0, 0.0, MotionLimits(1.0, 1.0, 1.0))

    def time_of(candidate: tuple[float, float]) -> float:
        return pacer.slowdown(pacer.profile(candidate[0], candidate[1], 1.0))

    # ramps in equal ratios: a long cruise is as likely as none
    ramps, shares = np.geomspace(0.5, 0.01, _SIDE), np.linspace(0.5, 0.05, _SIDE)
    times = {(float(r), float(s)): 0.0 for r in ramps for s in shares}
    for candidate in times:
        times[candidate] = time_of(candidate)
    best = min(times, key=times.__getitem__)
    # a pattern search whose directions turn by the golden angle: the best shapes lie on ridges where two limits meet
    reach, angle, failures = 0.4, 0.0, 0
    while reach > _RESOLUTION:
        around: list[tuple[float, float]] = []
        for quarter in range(4):
            step = angle + 0.5 * math.pi * quarter
            ramp, share = best[0] * math.exp(reach * math.cos(step)), best[1] * math.exp(reach * math.sin(step))
            around.append((min(ramp, 0.5), min(share, 0.5)))
        times.update((candidate, time_of(candidate)) for candidate in around if candidate not in times)
        winner = min(around, key=times.__getitem__)
        if times[winner] < times[best]:
            best, failures = winner, 0
        else:
            failures += 1
        if failures == 2:
            reach, failures = 0.5 * reach, 0
        angle += GOLDEN_ANGLE
    duration = times[best] * (1.0 + _MARGIN)
    profile = pacer.profile(*best, duration)
    # the planned profile repeats the shape to rounding; what it really asks for has the last word
    while (over := pacer.slowdown(profile)) > 1.0:
        duration *= over * (1.0 + _MARGIN)
        profile = pacer.profile(*best, duration)
    return profile
