"""Which stations to take for a hand-eye calibration, before any image is: within limits, in view, most telling.

What a station tells is the information that its corners give about both unknown poses (``corners``), at the guess of
them that the planning needs anyway. Moving between stations, and collisions, do not belong here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateGeometry, NotEnoughSamples, NotFinite, UnknownName, Unreachable
from ..robot import SerialChain
from ..spatial import SE3, SO3
from .camera import CameraIntrinsics, projected
from .corners import MOUNTS, Bundle, linearised

FloatArray = NDArray[np.float64]

__all__ = ["StationPlan", "plan_stations"]

LEAST_TURNED = 0.05  # below, three degrees across an axis for a radian about it
TARGET_GRID = 5  # points a side, as which the target counts


@dataclass(frozen=True, slots=True)
class StationPlan:
    """Stations in the order in which they were chosen: the first few tell most.

    Attributes:
        q: (N, n) joint coordinates as tuples, rad or m.
        base_T_flange: poses of the tip.
        camera_T_target: poses of the target that the camera will see, if the guess is right.
        sigma_translation: one-sigma of the camera's place to expect, m, along its axes.
        sigma_rotation: one-sigma of its rotation to expect, rad, about its axes.
        condition: of the problem, lengths in units of the camera's distance.
        weakest_axis: (3,), unit, in the camera: along it its place is told least, as the robot turns least across it.
        turned: turning across that axis over that across the best one, 0 (one axis only) to 1.
        sigmas_by_count: for 3, 4, ... N stations the largest sigma of the translation, m.
        reachable: how many of the views that were tried the robot reaches within its limits.
        tried: how many views were tried.
    """

    q: tuple[tuple[float, ...], ...]
    base_T_flange: tuple[SE3, ...]
    camera_T_target: tuple[SE3, ...]
    sigma_translation: tuple[float, float, float]
    sigma_rotation: tuple[float, float, float]
    condition: float
    weakest_axis: tuple[float, float, float]
    turned: float
    sigmas_by_count: tuple[float, ...]
    reachable: int
    tried: int


def plan_stations(
    chain: SerialChain,
    transform: SE3,
    other: SE3,
    camera: CameraIntrinsics,
    *,
    mount: str,
    target_size: tuple[float, float],
    count: int = 12,
    distance: tuple[float, float] = (0.3, 0.8),
    largest_tilt: float = math.radians(45.0),
    margin: float = 0.03,
    limit_margin: float = 0.02,
    pixel_noise: float = 0.5,
    candidates: int = 150,
    seed: int = 0,
) -> StationPlan:
    """Stations within the joint limits that keep the whole target in view and tell most about the camera's place.

    Views are drawn over distance, tilt, turn about the optical axis and place in the image; those are kept whose
    corners are in the image and which the robot reaches. Then one station after the other is added that raises
    the determinant of the information most (D-optimal).

    Args:
        chain: the robot; its tip is the flange that the calibration speaks of.
        transform: guess of flange_T_camera, or of base_T_camera with the camera fixed.
        other: guess of base_T_target, or of flange_T_target with the camera fixed.
        camera: intrinsics with width and height. The target is seen from its side of negative z: its frame has z away
            from the camera, as OpenCV gives it.
        mount: ``"eye_in_hand"`` or ``"eye_to_hand"``.
        target_size: width and height of the target about its origin, m.
        count: how many stations, at least 3.
        distance: least and greatest distance of the target's origin from the camera, m.
        largest_tilt: angle between the target's normal and the line of sight, rad, below a quarter turn.
        margin: share of the image's size that the target keeps from its edges.
        limit_margin: share of its range that every joint keeps from its limits.
        pixel_noise: one-sigma of a corner to expect, pixels.
        candidates: how many views are tried.
        seed: of the draws; the same seed gives the same stations.

    Raises:
        UnknownName: there is no such mount.
        NotFinite: a number is not finite or not in its range.
        Unreachable: no view is in the image, or the robot reaches none; ``distance`` is 0.
        NotEnoughSamples: the robot reaches fewer views than stations asked for.
        DegenerateGeometry: the views that it reaches turn the camera about one axis only; ``direction`` is it.

    >>> import motionkit as mk
    >>> arm = mk.SerialChain.six_axis_example()
    >>> camera = mk.CameraIntrinsics(500.0, 500.0, 320.0, 240.0, width=640, height=480)
    >>> flange_T_camera = mk.SE3(mk.SO3.from_rpy(0.0, 1.5707963267948966, 0.0), (0.05, 0.0, 0.0))
    >>> base_T_target = mk.SE3(mk.SO3.from_rpy(3.141592653589793, 0.0, 0.0), (0.55, 0.0, 0.0))
    >>> plan = mk.plan_stations(
    ...     arm, flange_T_camera, base_T_target, camera, mount="eye_in_hand", target_size=(0.1, 0.08), count=6,
    ...     distance=(0.2, 0.35), candidates=60,
    ... )
    >>> len(plan.q), plan.turned > 0.3
    (6, True)
    """
    if mount not in MOUNTS:
        raise UnknownName(f"mount: expected eye_in_hand or eye_to_hand, got {mount!r}", name=str(mount))
    _check(camera, target_size, count, distance, largest_tilt, margin, limit_margin, pixel_noise, candidates)
    rng = np.random.default_rng(seed)
    seen = _views(rng, camera, target_size, distance, largest_tilt, margin, candidates)
    if not seen:
        raise Unreachable(
            f"none of {candidates} views has the whole target ({target_size[0]:g} m by {target_size[1]:g} m) in an "
            f"image of {camera.width} by {camera.height} pixels from {distance[0]:g} to {distance[1]:g} m; go further "
            "away, or take a smaller target",
            distance=0.0,
            report=None,
        )
    flanges = [_flange(B, transform, other, mount) for B in seen]
    reached = _reached(chain, flanges, limit_margin)
    if len(reached) < count:
        error = NotEnoughSamples if reached else Unreachable
        details: dict[str, Any] = {} if reached else {"distance": 0.0, "report": None}
        raise error(
            f"the robot reaches {len(reached)} of {len(seen)} views within its limits, and {count} stations were asked "
            "for; put the target nearer to the middle of its reach, allow more tilt or distance, or try more views",
            **details,
        )
    information = [_information(flanges[i], seen[i], transform, other, mount, camera, target_size) for i, _ in reached]
    information = [H / pixel_noise**2 for H in information]
    chosen, sigmas = _greedy(information, count)
    stations = [reached[k] for k in chosen]
    total: FloatArray = np.asarray(np.sum([information[k] for k in chosen], axis=0), dtype=np.float64)
    axis, turned = _turning([flanges[i] for i, _ in stations], transform, mount)
    middle = 0.5 * (distance[0] + distance[1])
    scale = np.array([middle, middle, middle, 1.0, 1.0, 1.0] * 2)
    values = np.linalg.eigvalsh(total * np.outer(scale, scale))
    if turned < LEAST_TURNED or values[0] < 1e-12 * values[-1]:
        told = ", ".join(f"{v:.2f}" for v in axis)
        raise DegenerateGeometry(
            f"the stations that the robot reaches turn about ({told}) of the camera and hardly about anything else "
            f"({turned:.3f} of it), so the camera's place along that axis would stay unknown; allow more tilt, or free "
            "joints that turn it another way",
            direction=axis,
        )
    covariance = np.linalg.inv(total)
    deviations = np.sqrt(np.diag(covariance)).tolist()
    return StationPlan(
        q=tuple(tuple(q.tolist()) for _, q in stations),
        base_T_flange=tuple(chain.forward(q) for _, q in stations),
        camera_T_target=tuple(seen[i] for i, _ in stations),
        sigma_translation=(deviations[0], deviations[1], deviations[2]),
        sigma_rotation=(deviations[3], deviations[4], deviations[5]),
        condition=float(np.sqrt(values[-1] / values[0])),
        weakest_axis=axis,
        turned=turned,
        sigmas_by_count=tuple(sigmas),
        reachable=len(reached),
        tried=candidates,
    )


def _check(
    camera: CameraIntrinsics,
    target_size: tuple[float, float],
    count: int,
    distance: tuple[float, float],
    largest_tilt: float,
    margin: float,
    limit_margin: float,
    pixel_noise: float,
    candidates: int,
) -> None:
    def refuse(what: str, got: object) -> None:
        raise NotFinite(f"plan_stations: expected {what}, got {got}")

    if camera.width <= 0 or camera.height <= 0:
        refuse("a camera with the width and height of its image", (camera.width, camera.height))
    if not all(math.isfinite(v) and v > 0.0 for v in target_size):
        refuse("positive sizes of the target", target_size)
    if not (math.isfinite(distance[1]) and 0.0 < distance[0] <= distance[1]):
        refuse("a least and a greatest distance, both positive", distance)
    if not 0.0 <= largest_tilt < 0.5 * math.pi:
        refuse("a tilt from 0 to below a quarter turn, rad", largest_tilt)
    if not (0.0 <= margin < 0.5 and 0.0 <= limit_margin < 0.5):
        refuse("margins from 0 to below a half", (margin, limit_margin))
    if not (math.isfinite(pixel_noise) and pixel_noise > 0.0):
        refuse("a positive noise", pixel_noise)
    if count < 3 or candidates < count:
        refuse("at least 3 stations, and as many candidates", (count, candidates))


def _grid(size: tuple[float, float]) -> FloatArray:
    x, y = (np.linspace(-0.5, 0.5, TARGET_GRID) * side for side in size)
    return np.stack([np.repeat(x, TARGET_GRID), np.tile(y, TARGET_GRID), np.zeros(TARGET_GRID**2)], axis=1)


def _views(
    rng: np.random.Generator,
    camera: CameraIntrinsics,
    size: tuple[float, float],
    distance: tuple[float, float],
    largest_tilt: float,
    margin: float,
    tried: int,
) -> list[SE3]:
    """camera_T_target of the views whose whole target is in the image."""
    points = _grid(size)
    kept: list[SE3] = []
    for _ in range(tried):
        away = rng.uniform(*distance)
        column, row = rng.uniform(0.15, 0.85, 2)
        ray = np.array(
            [(column * camera.width - camera.cx) / camera.fx, (row * camera.height - camera.cy) / camera.fy, 1.0]
        )
        # tilted by as much as allowed about any axis across the line of sight, more often much than little
        tilt, azimuth, roll = largest_tilt * math.sqrt(rng.uniform()), *rng.uniform(-math.pi, math.pi, 2)
        facing = _facing(ray)
        lean = SO3.from_axis_angle((math.cos(azimuth), math.sin(azimuth), 0.0), tilt)
        B = SE3(facing * lean * SO3.from_axis_angle((0.0, 0.0, 1.0), roll), away * ray / np.linalg.norm(ray))
        seen = B * points
        if (seen[:, 2] <= 0.1 * distance[0]).any():
            continue
        pixels = projected(camera, seen)[:, :2] / (camera.width, camera.height)
        if (pixels >= margin).all() and (pixels <= 1.0 - margin).all():
            kept.append(B)
    return kept


def _facing(ray: FloatArray) -> SO3:
    """Axes with z along a ray that points forward."""
    z = ray / np.linalg.norm(ray)
    axis = np.array([-z[1], z[0], 0.0])
    size = float(np.linalg.norm(axis))
    return SO3.identity() if size < 1e-12 else SO3.from_axis_angle(axis / size, math.atan2(size, float(z[2])))


def _flange(B: SE3, X: SE3, Z: SE3, mount: str) -> SE3:
    """base_T_flange at which the camera sees the target at B."""
    A = Z * B.inverse() * X.inverse()
    return A if mount == MOUNTS[0] else A.inverse()


def _reached(chain: SerialChain, flanges: list[SE3], limit_margin: float) -> list[tuple[int, FloatArray]]:
    """Index and coordinates of those that the robot reaches away from its limits."""
    answers = chain.inverse_batch(np.array([T.matrix() for T in flanges]), restarts=6)
    low, high = chain.lower, chain.upper
    bounded = np.isfinite(low) & np.isfinite(high)
    room = np.where(bounded, limit_margin * (np.where(bounded, high, 1.0) - np.where(bounded, low, 0.0)), 0.0)
    found: list[tuple[int, FloatArray]] = []
    for i in np.flatnonzero(answers.converged).tolist():
        q = np.array(answers.q[i])
        if (q >= low + room).all() and (q <= high - room).all():
            found.append((i, q))
    return found


def _information(
    flange: SE3, B: SE3, X: SE3, Z: SE3, mount: str, camera: CameraIntrinsics, size: tuple[float, float]
) -> FloatArray:
    """(12, 12) of one station for corners seen to one pixel, by m and rad."""
    points = _grid(size)
    robot = flange.inverse() if mount == MOUNTS[0] else flange
    where = np.zeros(len(points), dtype=np.intp)
    bundle = Bundle(camera, np.tile(robot.elements, (len(points), 1)), points, np.zeros((len(points), 2)), where, where)
    _, J = linearised(bundle, X, Z)
    rows = J.reshape(-1, 12)
    return rows.T @ rows


def _greedy(information: list[FloatArray], count: int) -> tuple[list[int], list[float]]:
    """The order in which stations raise the determinant most, and the largest sigma of the translation after each."""
    total = 1e-6 * np.eye(12) * max(float(np.trace(H)) for H in information) / 12.0
    start = total
    chosen: list[int] = []
    sigmas: list[float] = []
    left = list(range(len(information)))
    while len(chosen) < count:
        best = max(left, key=lambda k: float(np.linalg.slogdet(total + information[k])[1]))
        left.remove(best)
        chosen.append(best)
        total = total + information[best]
        if len(chosen) >= 3:
            block = np.linalg.pinv(total - start)[:3, :3]
            sigmas.append(float(np.sqrt(max(np.linalg.eigvalsh(block)[-1], 0.0))))
    return chosen, sigmas


def _turning(flanges: list[SE3], X: SE3, mount: str) -> tuple[tuple[float, float, float], float]:
    """The axis in the camera across which the robot turns least, and how much of the most, 0 to 1."""
    turns: list[FloatArray] = []
    for a, one in enumerate(flanges):
        for other in flanges[:a]:
            turn = (
                (one.rotation.inverse() * other.rotation)
                if mount == MOUNTS[0]
                else (one.rotation * other.rotation.inverse())
            )
            turns.append((X.rotation.inverse() * turn * X.rotation).log())
    # what tells the place of the camera along an axis is turning across it
    turned: FloatArray = np.array(turns)
    across = np.eye(3) * np.sum(turned * turned) - turned.T @ turned
    values, vectors = np.linalg.eigh(across)
    x, y, z = vectors[:, 0].tolist()
    return (x, y, z), float(np.sqrt(max(values[0], 0.0) / values[-1]))
