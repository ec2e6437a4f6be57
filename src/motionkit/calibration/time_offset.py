"""How much later one clock stamps what another clock stamps too, from the motion that both recorded.

The turning of a robot's hand and of a camera on it are one motion, so the speed at which they turn is the same whatever
lies between them. Which pose the camera has in the hand is another module's matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DegenerateGeometry, KindMismatch, NotEnoughSamples, NotFinite, WrongLength
from ..kernels import quat
from ..robot import SerialChain
from ..spatial import SE3, SO3

FloatArray = NDArray[np.float64]

__all__ = ["TimeOffset", "time_offset"]

FEWEST = 20  # samples a stream
ALIKE = 1.8  # ratio of two speeds that noise may explain
SURE = 4.0  # sigmas of a correlation, transformed as by Fisher


@dataclass(frozen=True, slots=True)
class TimeOffset:
    """The offset between two clocks.

    Attributes:
        offset: s; what the camera stamps t, the robot stamps t + offset.
        sigma: its one-sigma, s, from what is left between the two speeds.
        correlation: of the two speeds at the offset, 1 where they are the same motion without noise.
        runner_up: correlation at the next best offset that is another peak; -1 where there is none.
        runner_up_offset: that offset, s; NaN where there is none.
        gain: turning speed of the robot over that of the camera; far from 1 the streams are not of one body.
        rms: of the difference of the speeds, rad/s.
        window: time over which turning is measured, s.
        duration: time that was compared, s.
    """

    offset: float
    sigma: float
    correlation: float
    runner_up: float
    runner_up_offset: float
    gain: float
    rms: float
    window: float
    duration: float


def time_offset(
    robot_times: ArrayLike,
    robot: Sequence[SE3] | ArrayLike,
    camera_times: ArrayLike,
    camera: Sequence[SE3] | ArrayLike,
    *,
    chain: SerialChain | None = None,
    largest: float = 1.0,
    window: float | None = None,
) -> TimeOffset:
    """The offset at which two recorded motions turn at the same speed.

    Turning speed is the angle between the orientations at both ends of a window, over its length. The offset of the
    best correlation is refined below the sampling time by least squares. Directions do not matter: a pose and its
    inverse turn alike, and so do hand and camera.

    Args:
        robot_times: (N,), s, increasing.
        robot: N poses of the hand (SE3, or (N, 4, 4)); with ``chain`` (N, n) joint positions.
        camera_times: (M,), s, increasing, by the other clock.
        camera: M poses of a camera that is fixed to the hand, or of a target seen from it; either way round.
        chain: makes poses of joint positions.
        largest: offset that is searched up to, either way, s.
        window: time over which turning is measured, s; six times the slower stream's sampling time when left out.

    Raises:
        WrongLength: shapes do not fit.
        NotFinite: a number is NaN or infinite, or times do not increase; with the index.
        NotEnoughSamples: fewer than 20 samples, or streams that hardly overlap.
        DegenerateGeometry: too little turning, a motion that repeats itself so that several offsets fit alike, or
            a best offset at the end of the search.
        KindMismatch: the speeds differ by a factor: the streams are not of one body.

    >>> import numpy as np
    >>> import motionkit as mk
    >>> def turned(t): return mk.SE3.from_rotation(mk.SO3.from_rpy(np.sin(t * t / 8), np.sin(1.3 * t), 0.1 * t))
    >>> hand, eye = np.arange(0.0, 12.0, 0.02), np.arange(1.0, 11.0, 0.033)
    >>> found = mk.time_offset(hand, [turned(t) for t in hand], eye, [turned(t - 0.016) for t in eye])
    >>> round(found.offset, 3)
    -0.016
    """
    for name, value in (("largest", largest), ("window", window)):
        if value is not None and not (math.isfinite(value) and value > 0.0):
            raise NotFinite(f"{name}: expected a positive time, got {value}")
    if chain is not None:
        robot = chain.forward_batch(cast("ArrayLike", robot))
    a, b = _Stream(robot_times, robot, "robot"), _Stream(camera_times, camera, "camera")
    h = 6.0 * max(a.step, b.step) if window is None else window
    low, high = max(b.times[0], a.times[0]) + h, min(b.times[-1], a.times[-1]) - h
    if high - low < max(10.0 * h, 2.0 * largest):
        raise NotEnoughSamples(
            f"the streams share {max(high - low + 2.0 * h, 0.0):.3g} s, and at least "
            f"{max(10.0 * h, 2.0 * largest) + 2.0 * h:.3g} s are needed to search offsets up to {largest:g} s: give "
            "the times of both by clocks that nearly agree, in seconds, or record longer"
        )
    t = np.arange(low, high, h / 4.0)
    fb, good = b.speed(t, h)
    t, fb = t[good], fb[good]
    if len(t) < 2 * FEWEST:
        raise NotEnoughSamples(f"camera: only {len(t)} windows of {h:.3g} s without a gap; record without dropouts")
    independent = len(t) / 4.0  # windows that do not overlap
    offsets, correlations = _correlations(a, t, fb, h, largest)
    best = int(np.argmax(correlations))
    _refuse_still(a, t, fb, float(correlations[best]), independent, h)
    _refuse_edge(offsets, best, largest)
    runner_up, runner_up_offset = _runner_up(offsets, correlations, best, h)
    gap = _fisher(float(correlations[best])) - _fisher(runner_up)
    if gap * math.sqrt(max(independent - 3.0, 1.0) / 2.0) < 3.0:
        raise DegenerateGeometry(
            f"the motion repeats itself: offsets of {offsets[best]:.3f} s and {runner_up_offset:.3f} s fit alike "
            f"(correlations {correlations[best]:.4f} and {runner_up:.4f}); record a motion whose rhythm changes, or "
            f"search less far than largest={largest:g}",
            direction=(float(offsets[best]), runner_up_offset),
        )
    return _refined(a, t, fb, h, float(offsets[best]), runner_up, runner_up_offset)


class _Stream:
    """Orientations over time."""

    def __init__(self, times: ArrayLike, poses: Any, name: str) -> None:
        self.name = name
        self.times = np.array(times, dtype=np.float64)
        if self.times.ndim != 1:
            raise WrongLength(f"{name}: expected times (N,), got shape {self.times.shape}")
        if not np.isfinite(self.times).all():
            raise NotFinite(f"{name}: times[{int(np.argmin(np.isfinite(self.times)))}] is not finite")
        steps = np.diff(self.times)
        if (steps <= 0.0).any():
            i = int(np.argmax(steps <= 0.0))
            raise NotFinite(
                f"{name}: times must increase, got {self.times[i]:.6f} then {self.times[i + 1]:.6f} at index {i + 1}; "
                "drop repeated stamps"
            )
        self.q = _quaternions(poses, name)
        if len(self.q) != len(self.times):
            raise WrongLength(f"{name}: expected a pose for each of the {len(self.times)} times, got {len(self.q)}")
        if len(self.times) < FEWEST:
            raise NotEnoughSamples(f"{name}: expected at least {FEWEST} samples, got {len(self.times)}")
        self.step = float(np.median(steps))
        # a window that spans a dropout tells nothing about when the motion in it took place
        self.gap = np.append(steps > 3.5 * self.step, True)

    def at(self, t: FloatArray) -> tuple[Any, NDArray[np.bool_]]:
        """Orientation at the times, and where it is known."""
        i = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2)
        known = (t >= self.times[0]) & (t <= self.times[-1]) & ~self.gap[i]
        s = np.clip((t - self.times[i]) / (self.times[i + 1] - self.times[i]), 0.0, 1.0)
        one: Any = tuple(self.q[i].T)
        other: Any = tuple(self.q[i + 1].T)
        return quat.slerp(one, other, s), known

    def speed(self, t: FloatArray, h: float) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Turning speed over the window about each time, rad/s, and where it is known."""
        one, known = self.at(t - 0.5 * h)
        other, also = self.at(t + 0.5 * h)
        return quat.angle_between(one, other) / h, known & also


def _quaternions(poses: Any, name: str) -> FloatArray:
    if not isinstance(poses, np.ndarray) and len(poses) and all(isinstance(pose, SE3) for pose in poses):
        return np.array([pose.rotation.quaternion for pose in poses])
    array = np.asarray(poses, dtype=np.float64)
    if array.ndim != 3 or array.shape[1:] != (4, 4):
        raise WrongLength(f"{name}: expected SE3s or an array (N, 4, 4), got shape {array.shape}")
    good = np.isfinite(array).reshape(len(array), -1).all(axis=1)
    if not good.all():
        raise NotFinite(f"{name}[{int(np.argmin(good))}]: every number must be finite")
    return np.array([SO3.from_matrix(pose[:3, :3]).quaternion for pose in array])


def _correlations(a: _Stream, t: FloatArray, fb: FloatArray, h: float, largest: float) -> tuple[FloatArray, FloatArray]:
    """Correlation of the two speeds at offsets an eighth of a window apart."""
    count = math.ceil(largest / (h / 8.0))
    offsets: FloatArray = np.arange(-count, count + 1, dtype=np.float64) * (largest / count)
    found = np.full(len(offsets), -1.0)
    for k, offset in enumerate(offsets.tolist()):
        fa, known = a.speed(t + offset, h)
        if int(known.sum()) >= len(t) // 2:
            found[k] = _correlation(fa[known], fb[known])
    return offsets, found


def _correlation(x: FloatArray, y: FloatArray) -> float:
    x, y = x - x.mean(), y - y.mean()
    size = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / size if size > 0.0 else 0.0


def _fisher(r: float) -> float:
    """Fisher's transform: its sigma is 1 / sqrt(n - 3) whatever the correlation."""
    return math.atanh(min(max(r, -1.0 + 1e-9), 1.0 - 1e-9))


def _refuse_still(a: _Stream, t: FloatArray, fb: FloatArray, best: float, independent: float, h: float) -> None:
    fa, known = a.speed(t, h)
    swing = min(float(np.ptp(fa[known])) if known.any() else 0.0, float(np.ptp(fb)))
    if swing * h < 1e-6 or _fisher(best) * math.sqrt(max(independent - 3.0, 1.0)) < SURE:
        raise DegenerateGeometry(
            f"the streams do not turn alike: the turning speed changes by {swing:.3g} rad/s and the best correlation "
            f"is {best:.3f} over {independent:.0f} windows of {h:.3g} s, which chance could give; turn the hand to and "
            "fro by tens of degrees, with pauses, about more than one axis, or check that both are of one motion",
            direction=(),
        )


def _refuse_edge(offsets: FloatArray, best: int, largest: float) -> None:
    if best in (0, len(offsets) - 1):
        raise DegenerateGeometry(
            f"the best offset, {offsets[best]:.3f} s, is the end of the search, so the true one may be beyond; search "
            f"further than largest={largest:g}, or take off what is known of the offset first",
            direction=(float(offsets[best]),),
        )


def _runner_up(offsets: FloatArray, correlations: FloatArray, best: int, h: float) -> tuple[float, float]:
    """The next best local maximum that is another peak."""
    c = correlations
    peaks = [
        k for k in range(1, len(c) - 1) if c[k] >= c[k - 1] and c[k] >= c[k + 1] and abs(offsets[k] - offsets[best]) > h
    ]
    if not peaks:
        return -1.0, math.nan
    k = max(peaks, key=lambda k: c[k])
    return float(c[k]), float(offsets[k])


def _refined(
    a: _Stream, t: FloatArray, fb: FloatArray, h: float, offset: float, runner_up: float, runner_up_offset: float
) -> TimeOffset:
    """Least squares of speed(t + offset) - gain speed_camera(t) - constant, and the sigma of the offset."""
    fa, seen, rows, x = _step(a, t, fb, h, offset)
    for _ in range(30):
        change = min(max(float(x[0]), -h / 4.0), h / 4.0)
        offset += change
        if abs(change) < 1e-9:
            break
        fa, seen, rows, x = _step(a, t, fb, h, offset)
    r = fa + rows @ x
    gain = float(x[1])
    correlation = _correlation(fa, seen)
    ratio = float(np.std(fa) / max(float(np.std(seen)), 1e-12))
    if not 1.0 / ALIKE < ratio < ALIKE:
        raise KindMismatch(
            f"the turning speed of the hand changes {ratio:.3g} times as much as that of the camera, which one body "
            "cannot do: are both streams of one body, and are the joint positions in rad?",
            joint="",
        )
    return TimeOffset(
        offset,
        _sigma(rows, r),
        correlation,
        runner_up,
        runner_up_offset,
        gain,
        math.sqrt(float(r @ r) / len(r)),
        h,
        float(t[-1] - t[0]),
    )


def _step(
    a: _Stream, t: FloatArray, fb: FloatArray, h: float, offset: float
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Speeds of hand and camera where both are known, the derivative, and the change of (offset, gain, constant)."""
    e = h / 16.0
    fa, known = a.speed(t + offset, h)
    late, also = a.speed(t + offset + e, h)
    early, too = a.speed(t + offset - e, h)
    known = known & also & too
    slope = (late - early)[known] / (2.0 * e)
    A = np.stack([slope, -fb[known], -np.ones(int(known.sum()))], axis=1)
    x, *_ = np.linalg.lstsq(A, -fa[known], rcond=None)
    return fa[known], fb[known], A, np.asarray(x, dtype=np.float64)


def _sigma(A: FloatArray, r: FloatArray) -> float:
    """Sigma of the first parameter where what is left hangs together over time (Newey and West, 1987).

    Windows overlap, and the noise of one orientation makes one window turn more and a later one less. Counting them as
    independent would tell a sigma several times too large, counting all samples one too small.
    """
    g = A * r[:, None]
    meat = g.T @ g
    lags = min(16, len(r) // 4)  # four windows
    for lag in range(1, lags + 1):
        across = g[lag:].T @ g[:-lag]
        meat += (1.0 - lag / (lags + 1.0)) * (across + across.T)
    bread = np.linalg.pinv(A.T @ A)
    return math.sqrt(max(float((bread @ meat @ bread)[0, 0]), 0.0))
