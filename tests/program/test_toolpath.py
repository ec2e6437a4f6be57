"""Measuring the tool's path: against brute force, SciPy, and poses whose distances are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import motionkit as mk
from motionkit.program.toolpath import line_deviation, pose_error, tool_speeds

TOLERANCE = (1e-4, math.radians(0.05))


def stack(*poses: mk.SE3) -> np.ndarray:
    return np.array([pose.matrix() for pose in poses])


def line(length: float, angle: float, rng: np.random.Generator) -> tuple[mk.SE3, mk.SE3]:
    start = mk.SE3.random(rng)
    direction, axis = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
    turned = start.rotation * mk.SO3.exp(angle * axis)
    return start, mk.SE3(turned, np.asarray(start.translation) + length * direction)


def between(start: mk.SE3, end: mk.SE3, t: float) -> mk.SE3:
    """The pose at a fraction of the line, by other means than the code under test."""
    position = (1 - t) * np.asarray(start.translation) + t * np.asarray(end.translation)
    first = Rotation.from_matrix(start.rotation.matrix())
    turn = (first.inv() * Rotation.from_matrix(end.rotation.matrix())).as_rotvec()
    return mk.SE3(mk.SO3.from_matrix((first * Rotation.from_rotvec(t * turn)).as_matrix()), position)


CASES = [(0.05, 0.0), (0.0, 0.7), (0.3, 0.02), (0.05, 1.5), (1.0, 3.0), (1e-3, 2.5)]


@pytest.mark.parametrize(("length", "angle"), CASES)
def test_poses_of_the_line_are_on_it(length: float, angle: float) -> None:
    rng = np.random.default_rng(31)
    start, end = line(length, angle, rng)
    fractions = np.concatenate([[0.0, 1.0], rng.uniform(0.0, 1.0, 50)])
    poses = stack(*(between(start, end, t) for t in fractions))
    off = line_deviation(poses, start, end, *TOLERANCE)
    assert np.max(off.position) < 1e-15 * 20  # rounding of coordinates below 2 m
    assert np.max(off.rotation) < 1e-15 * 20  # rounding of matrices and quaternions
    # along the line the weighted best place is as sharp as rounding over the line's size
    assert np.max(np.abs(off.progress - fractions)) < 1e-14 / max(length, 0.1 * angle)


@pytest.mark.parametrize(("length", "angle"), CASES)
def test_deviations_are_the_least_that_any_place_of_the_line_allows(length: float, angle: float) -> None:
    rng = np.random.default_rng(32)
    start, end = line(length, angle, rng)
    places = np.linspace(0.0, 1.0, 801)
    on_line = [between(start, end, t) for t in places]
    points = np.array([pose.translation for pose in on_line])
    turns = Rotation.from_matrix([pose.rotation.matrix() for pose in on_line])
    for _ in range(20):
        near = between(start, end, float(rng.uniform(-0.05, 1.05)))
        shift, twist = rng.normal(size=(2, 3)) * [[2e-4], [2e-3]]
        pose = mk.SE3(near.rotation * mk.SO3.exp(twist), np.asarray(near.translation) + shift)
        off = line_deviation(stack(pose), start, end, *TOLERANCE)
        position = np.linalg.norm(points - np.asarray(pose.translation), axis=1)
        rotation = (turns.inv() * Rotation.from_matrix(pose.rotation.matrix())).magnitude()
        brute = np.maximum(position / TOLERANCE[0], rotation / TOLERANCE[1])
        ours = max(off.position[0] / TOLERANCE[0], off.rotation[0] / TOLERANCE[1])
        # brute force looks at places an 800th apart, so its best is worse by at most one such step
        step = max(length / TOLERANCE[0], angle / TOLERANCE[1]) / 800
        assert brute.min() - step <= ours <= brute.min() + 1e-9


def test_a_known_offset_across_the_line_is_found_whole() -> None:
    start = mk.SE3.identity()
    end = mk.SE3.from_translation([0.1, 0.0, 0.0])
    poses = stack(mk.SE3(mk.SO3.from_rpy(0.0, 0.0, 1e-3), [0.04, 2e-4, 0.0]))
    off = line_deviation(poses, start, end, *TOLERANCE)
    assert off.position[0] == pytest.approx(2e-4, rel=1e-12)
    assert off.rotation[0] == pytest.approx(1e-3, rel=1e-12)
    assert off.progress[0] == pytest.approx(0.4, rel=1e-12)


def test_beyond_the_ends_the_distance_is_that_of_the_end() -> None:
    end = mk.SE3.from_translation([0.1, 0.0, 0.0])
    poses = stack(mk.SE3.from_translation([0.11, 0.0, 0.0]), mk.SE3.from_translation([-0.02, 0.0, 0.0]))
    off = line_deviation(poses, mk.SE3.identity(), end, *TOLERANCE)
    assert off.position == pytest.approx([0.01, 0.02], rel=1e-12)


def test_a_line_of_no_length_and_no_turn_is_a_pose() -> None:
    pose = mk.SE3.random(np.random.default_rng(33))
    off = line_deviation(stack(pose * mk.SE3.from_translation([0.0, 3e-3, 0.0])), pose, pose, *TOLERANCE)
    assert off.position[0] == pytest.approx(3e-3, rel=1e-12)


def test_speeds_are_those_of_a_screw_motion() -> None:
    rate, speed, turn = 500.0, 0.3, 1.2
    start = mk.SE3.random(np.random.default_rng(34))
    poses = stack(
        *(
            mk.SE3(
                start.rotation * mk.SO3.exp([0, 0, turn * k / rate]),
                start.translation + np.array([speed * k / rate, 0.0, 0.0]),
            )
            for k in range(4000)  # more than a whole turn
        )
    )
    speeds, turns = tool_speeds(poses, rate)
    # a few roundings of 1.1e-16 in each of two coordinates and of two rotations, times the rate
    assert np.max(np.abs(speeds - speed)) < 500 * 2e-15
    assert np.max(np.abs(turns - turn)) < 500 * 5e-15


def test_pose_errors_agree_with_scipy_at_every_angle() -> None:
    rng = np.random.default_rng(35)
    target = mk.SE3.random(rng)
    poses = [mk.SE3.random(rng) for _ in range(300)]
    poses += [mk.SE3(target.rotation * mk.SO3.exp([a, 0, 0]), target.translation) for a in (0.0, 1e-9, 1e-3, math.pi)]
    position, rotation = pose_error(stack(*poses), target)
    turns = Rotation.from_matrix([pose.rotation.matrix() for pose in poses])
    expected = (Rotation.from_matrix(target.rotation.matrix()).inv() * turns).magnitude()
    assert np.max(np.abs(rotation - expected)) < 4e-15
    offsets = [np.linalg.norm(np.asarray(p.translation) - np.asarray(target.translation)) for p in poses]
    assert position == pytest.approx(offsets, abs=1e-15)
    assert rotation[-3] == pytest.approx(1e-9, abs=4e-16)  # an acos would give 0 or 1.5e-8
