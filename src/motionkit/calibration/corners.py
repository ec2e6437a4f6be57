"""Hand-eye refined on what a camera measures: the pixels of the corners of a target, over all stations at once.

Poses of a planar target carry an error of their tilt that no single number describes; pixels do not. The start (both
unknown transforms) comes from a calibration by poses. The intrinsics stay as they are, and the robot's poses are taken
as exact, so what is left in pixels is the robot's error too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import (
    DegenerateGeometry,
    KindMismatch,
    NotConverged,
    NotEnoughSamples,
    NotFinite,
    UnknownName,
    WrongLength,
)
from ..kernels import pose
from ..spatial import SE3
from .camera import CameraIntrinsics, projected

FloatArray = NDArray[np.float64]

__all__ = ["CornerCalibration", "refine_hand_eye_corners"]

MOUNTS = ("eye_in_hand", "eye_to_hand")
FAR = 6.0  # times the usual distance: beyond it a corner is not of the same kind as the others
LOOSE = 0.2  # sigma of the camera's place, as a share of its distance: beyond, the stations tell nothing of it


@dataclass(frozen=True, slots=True)
class CornerCalibration:
    """Hand-eye and target, from pixels.

    Attributes:
        mount: ``"eye_in_hand"`` or ``"eye_to_hand"``.
        transform: flange_T_camera, or base_T_camera with the camera fixed.
        other: base_T_target, or flange_T_target with the camera fixed.
        reprojection_rms: root of the mean squared distance in the image, over the corners that were used, pixels.
        reprojection_worst: largest such distance, pixels.
        worst_station: its station, counted from 0 over all stations given.
        worst_corner: its corner, counted from 0 within the station.
        station_rms: of each station, pixels; NaN where no corner was used.
        start_rms: that of the start, over the same corners.
        sigma_pixels: noise of one coordinate of a corner that is left, pixels.
        sigma_translation: one-sigma of the translation of ``transform``, m, along the axes of the camera.
        sigma_rotation: one-sigma of its rotation, rad, about the axes of the camera.
        covariance: (12, 12): ``transform`` then ``other``, as twists (linear, angular) in their own moving axes.
        condition: largest over smallest singular value of the problem, lengths in units of the camera's distance.
        rejected: (station, corner, pixels off) of the corners that were left out.
    """

    mount: str
    transform: SE3
    other: SE3
    reprojection_rms: float
    reprojection_worst: float
    worst_station: int
    worst_corner: int
    station_rms: tuple[float, ...]
    start_rms: float
    sigma_pixels: float
    sigma_translation: tuple[float, float, float]
    sigma_rotation: tuple[float, float, float]
    covariance: tuple[tuple[float, ...], ...]
    condition: float
    rejected: tuple[tuple[int, int, float], ...]


@dataclass(frozen=True, slots=True)
class Bundle:
    """Corners of all stations in one list: the robot's pose for each, the point on the target, the pixels."""

    camera: CameraIntrinsics
    robot: FloatArray
    points: FloatArray
    pixels: FloatArray
    station: NDArray[np.intp]
    corner: NDArray[np.intp]


def refine_hand_eye_corners(
    base_T_flange: Sequence[SE3] | ArrayLike,
    image_points: Sequence[ArrayLike],
    target_points: Sequence[ArrayLike] | ArrayLike,
    camera: CameraIntrinsics,
    start: tuple[SE3, SE3],
    *,
    mount: str,
    robust: bool = True,
) -> CornerCalibration:
    """The camera's and the target's place that bring all corners nearest to where they were seen.

    Least squares in pixels over twelve numbers with an analytic derivative, corners far off weighed down (Huber) and,
    where they stay six times as far off as usual, left out.

    Args:
        base_T_flange: N poses of the robot (SE3, or (N, 4, 4)).
        image_points: for each station the pixels of its corners, (K, 2); K may differ.
        target_points: for each station the same corners in the target's frame, (K, 3), m; or one (K, 3) for all.
        camera: its intrinsics.
        start: ``transform`` and ``other`` of a calibration by poses.
        mount: ``"eye_in_hand"`` (start is flange_T_camera, base_T_target) or ``"eye_to_hand"`` (base_T_camera,
            flange_T_target).
        robust: weigh down and leave out corners that are far off.

    Raises:
        UnknownName: there is no such mount.
        WrongLength: shapes do not fit.
        NotFinite: a number is NaN or infinite; names the station.
        KindMismatch: the start has the target behind the camera.
        NotEnoughSamples: fewer than three stations with corners, or fewer than 8 corners.
        DegenerateGeometry: the robot turned about one axis only, or hardly; ``direction`` is the axis in the flange.
        NotConverged: more than a quarter of the corners are far off, or nothing fits.
    """
    if mount not in MOUNTS:
        raise UnknownName(f"mount: expected eye_in_hand or eye_to_hand, got {mount!r}", name=str(mount))
    bundle = _bundle(base_T_flange, image_points, target_points, camera, mount)
    ahead = _seen(bundle, *start)[:, 2]
    if (ahead <= 0.0).any():
        i = int(bundle.station[int(np.argmax(ahead <= 0.0))])
        raise KindMismatch(
            f"start: the target of station {i} is behind the camera; expected "
            f"{'flange_T_camera and base_T_target' if mount == MOUNTS[0] else 'base_T_camera and flange_T_target'}, "
            "neither of them inverted, and poses of the flange in the base",
            joint="",
        )
    used = np.ones(len(bundle.pixels), dtype=bool)
    _refuse_single_axis(bundle, *start, mount)
    solved = start
    off = _off(bundle, *start)
    for sweep in range(3 if robust else 1):
        solved = _solve(bundle, *solved, used, robust and sweep < 2)
        off = _off(bundle, *solved)
        if robust:
            far = off > FAR * max(float(np.median(off[used])) / 1.177, 1e-9)  # the median of a Rayleigh distribution
            if int(far.sum()) * 4 > len(far):
                raise NotConverged(
                    f"{int(far.sum())} of {len(far)} corners are more than {FAR:g} times as far off as usual: look at "
                    "the order of the corners, the size of the target and the start",
                    report=None,
                )
            used = ~far
    X, Z = solved
    _refuse_misfit(bundle, _rms(_off(bundle, X, Z)[used]))
    r, every = linearised(bundle, X, Z)
    J, left = every[used].reshape(-1, 12), r[used].reshape(-1)
    sigma = math.sqrt(float(left @ left) / max(len(left) - 12, 1))
    scale = _scale(bundle, X, Z)
    _, S, V = np.linalg.svd(J * scale, full_matrices=False)
    half = V.T / S * scale[:, None] * sigma
    covariance = half @ half.T
    deviations = np.sqrt(np.diag(covariance)).tolist()
    worst = int(np.argmax(np.where(used, off, -1.0)))
    stations = range(len(image_points))
    return CornerCalibration(
        mount=mount,
        transform=X,
        other=Z,
        reprojection_rms=_rms(off[used]),
        reprojection_worst=float(off[worst]),
        worst_station=int(bundle.station[worst]),
        worst_corner=int(bundle.corner[worst]),
        station_rms=tuple(_rms(off[used & (bundle.station == i)]) for i in stations),
        start_rms=_rms(_off(bundle, *start)[used]),
        sigma_pixels=sigma,
        sigma_translation=(deviations[0], deviations[1], deviations[2]),
        sigma_rotation=(deviations[3], deviations[4], deviations[5]),
        covariance=tuple(tuple(row) for row in covariance.tolist()),
        condition=float(S[0] / S[-1]),
        rejected=tuple(
            (int(bundle.station[k]), int(bundle.corner[k]), float(off[k])) for k in np.flatnonzero(~used).tolist()
        ),
    )


# ---- what comes in
def _bundle(
    robot: Any, image_points: Sequence[ArrayLike], target_points: Any, camera: CameraIntrinsics, mount: str
) -> Bundle:
    poses = [given if isinstance(given, SE3) else SE3.from_matrix(given) for given in robot]
    if len(image_points) != len(poses):
        raise WrongLength(
            f"image_points: expected one array for each of the {len(poses)} poses, got {len(image_points)}"
        )
    shared = isinstance(target_points, np.ndarray) and target_points.ndim == 2
    parts: list[tuple[FloatArray, FloatArray, FloatArray, int]] = []
    for i, seen in enumerate(image_points):
        pixels = np.asarray(seen, dtype=np.float64).reshape(-1, 2)
        points = np.asarray(target_points if shared else target_points[i], dtype=np.float64)
        if points.ndim != 2 or points.shape != (len(pixels), 3):
            raise WrongLength(
                f"station {i}: expected a target point (3,) for each of {len(pixels)} corners, got shape {points.shape}"
            )
        if not (np.isfinite(pixels).all() and np.isfinite(points).all()):
            raise NotFinite(f"station {i}: every pixel and target point must be finite")
        # camera_T_target is X^-1 C Z, with C the robot's pose or its inverse
        C = poses[i].inverse() if mount == MOUNTS[0] else poses[i]
        parts.append((np.tile(C.elements, (len(pixels), 1)), points, pixels, i))
    kept = [part for part in parts if len(part[2])]
    corners = sum(len(part[2]) for part in kept)
    if len(kept) < 3 or corners < 8:
        raise NotEnoughSamples(
            f"expected at least 3 stations and 8 corners for the two unknown poses, got {len(kept)} stations with "
            f"{corners} corners; 10 to 20 stations are usual"
        )
    return Bundle(
        camera,
        np.concatenate([part[0] for part in kept]),
        np.concatenate([part[1] for part in kept]),
        np.concatenate([part[2] for part in kept]),
        np.concatenate([np.full(len(part[2]), part[3]) for part in kept]),
        np.concatenate([np.arange(len(part[2])) for part in kept]),
    )


def _refuse_single_axis(bundle: Bundle, X: SE3, Z: SE3, mount: str) -> None:
    """Refuse stations that leave the camera's place free, for corners seen to half a pixel."""
    _, J = linearised(bundle, X, Z)
    scale = _scale(bundle, X, Z)
    _, S, V = np.linalg.svd(J.reshape(-1, 12) * scale, full_matrices=False)
    if S[-1] * LOOSE > 0.5 and S[-1] > 1e-9 * S[0]:
        return
    free = X.rotation.matrix() @ V[-1][:3]  # how the camera can slide, in the axes of the flange or the base
    size = float(np.linalg.norm(free))
    direction = tuple((free / size).tolist()) if size > 1e-6 else (0.0, 0.0, 0.0)
    frame = "flange" if mount == MOUNTS[0] else "base"
    told = ", ".join(f"{v:.2f}" for v in direction)
    raise DegenerateGeometry(
        f"the stations do not tell where the camera is along ({told}) of the {frame}: the robot turned about one axis "
        "only, or hardly; add stations turned by 30 degrees and more about an axis across it, both ways",
        direction=direction,
    )


def _refuse_misfit(bundle: Bundle, rms: float) -> None:
    """Refuse a best fit that leaves the corners of a station as far off as they are apart."""
    spreads = [np.std(bundle.pixels[bundle.station == i], axis=0).max() for i in np.unique(bundle.station)]
    if rms > 0.3 * float(np.median(spreads)):
        raise NotConverged(
            f"the best fit leaves {rms:.3g} pixels of a target whose sigma is {np.median(spreads):.3g} pixels: "
            "look at which image belongs to which pose, the order of the corners, and the mount",
            report=None,
        )


# ---- the least squares
def linearised(bundle: Bundle, X: SE3, Z: SE3) -> tuple[FloatArray, FloatArray]:
    """Pixels predicted less seen (K, 2), and their derivative (K, 2, 12) by twists behind X and Z."""
    n = len(bundle.pixels)
    camera_T_target = _camera_T_target(bundle, X, Z)
    p = np.stack(pose.transform_point(camera_T_target, tuple(bundle.points.T)), axis=1)
    out = projected(bundle.camera, p)
    by_point = out[:, 2:].reshape(n, 2, 3)
    moves = np.zeros((n, 3, 12))
    # X moved by a twist: the point moves against it; Z moved: with it, turned into the camera's axes
    moves[:, :, :3] = -np.eye(3)
    moves[:, :, 3:6] = _skew(p)
    R = np.stack(np.broadcast_arrays(*camera_T_target[:9]), axis=1).reshape(n, 3, 3)
    moves[:, :, 6:9] = R
    moves[:, :, 9:] = -R @ _skew(bundle.points)
    return out[:, :2] - bundle.pixels, by_point @ moves


def _camera_T_target(bundle: Bundle, X: SE3, Z: SE3) -> Any:
    n = len(bundle.pixels)
    back: Any = tuple(np.full(n, v) for v in X.inverse().elements)
    on: Any = tuple(np.full(n, v) for v in Z.elements)
    robot: Any = tuple(np.ascontiguousarray(column) for column in bundle.robot.T)
    return pose.compose(pose.compose(back, robot), on)


def _seen(bundle: Bundle, X: SE3, Z: SE3) -> FloatArray:
    """The corners in the camera's frame, (K, 3)."""
    return np.stack(pose.transform_point(_camera_T_target(bundle, X, Z), tuple(bundle.points.T)), axis=1)


def _off(bundle: Bundle, X: SE3, Z: SE3) -> FloatArray:
    """Distances in the image, (K,); infinite where a corner is behind the camera."""
    p = _seen(bundle, X, Z)
    ahead = p[:, 2] > 0.0
    out = np.full(len(p), np.inf)
    gap = projected(bundle.camera, p[ahead])[:, :2] - bundle.pixels[ahead]
    out[ahead] = np.sqrt(np.sum(gap * gap, axis=1))
    return out


def _solve(bundle: Bundle, x0: SE3, z0: SE3, used: NDArray[np.bool_], robust: bool) -> tuple[SE3, SE3]:
    damping, now = 0.0, (x0, z0)
    for _ in range(50):
        r, J = linearised(bundle, *now)
        off = np.sqrt(np.sum(r * r, axis=1))
        w = used.astype(np.float64)
        if robust:
            limit = 1.5 * max(float(np.median(off[used])) / 1.177, 1e-9)
            w *= np.where(off > limit, limit / np.maximum(off, limit), 1.0)
        cost = float(np.sum(w * off * off))
        scale = _scale(bundle, *now)
        A = (J * np.sqrt(w)[:, None, None]).reshape(-1, 12) * scale
        U, S, V = np.linalg.svd(A, full_matrices=False)
        b = (r * np.sqrt(w)[:, None]).reshape(-1)
        for _ in range(12):
            x = -(V.T @ (S / (S * S + damping * S[0] * S[0]) * (U.T @ b))) * scale
            trial = (now[0] * SE3.exp(x[:6]), now[1] * SE3.exp(x[6:]))
            moved = _off(bundle, *trial)
            if float(np.sum(w * np.minimum(moved, 1e12) ** 2)) <= cost * (1.0 + 1e-12):
                damping = damping * 0.1 if damping > 1e-9 else 0.0
                break
            damping = max(damping * 10.0, 1e-6)
        else:
            return now
        now = trial
        if float(np.abs(x / scale).max()) < 1e-12:
            break
    return now


def _scale(bundle: Bundle, X: SE3, Z: SE3) -> FloatArray:
    """Lengths count in units of the distance to the target."""
    distance = max(float(np.median(np.abs(_seen(bundle, X, Z)[:, 2]))), 1e-6)
    return np.array([distance] * 3 + [1.0] * 3 + [distance] * 3 + [1.0] * 3)


def _skew(v: FloatArray) -> FloatArray:
    """The matrices (N, 3, 3) whose product is the cross product from the left."""
    out = np.zeros((len(v), 3, 3))
    out[:, 0, 1], out[:, 0, 2], out[:, 1, 2] = -v[:, 2], v[:, 1], -v[:, 0]
    out[:, 1, 0], out[:, 2, 0], out[:, 2, 1] = v[:, 2], -v[:, 1], v[:, 0]
    return out


def _rms(values: FloatArray) -> float:
    return float(np.sqrt(np.mean(values * values))) if len(values) else math.nan
