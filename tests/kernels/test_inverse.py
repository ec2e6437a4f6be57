"""The iteration of inverse kinematics: errors of poses, the damped step, limits, and equal bits on arrays."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import motionkit as mk
from motionkit.kernels import inverse as kernels
from motionkit.kernels._batch import run_rows
from motionkit.kernels._contract import Model

ARM = mk.SerialChain.six_axis_example()
N = ARM.n
SCRATCH = 7 * N + 36 + 36


def pose12(T):
    m = T.matrix()
    return np.concatenate([m[:3, :3].reshape(-1), m[:3, 3]])


def limits(turns=0.0):
    return Model(np.column_stack([ARM.lower, ARM.upper, np.full(N, turns)]))


def solve(target, seed, *, bounds=None, budget=60, tolerance=1e-9):
    out = np.empty(N + 5)
    model = limits() if bounds is None else bounds
    kernels.solve(
        ARM.kernel_model, model, target, seed, tolerance, tolerance, 1e-6, 2.0, budget, np.empty(SCRATCH), out
    )
    return out


def test_pose_error_is_the_turn_and_displacement_in_base_axes():
    rng = np.random.default_rng(10)
    for _ in range(200):
        a, b = mk.SE3.random(rng), mk.SE3.random(rng)
        x, y, z, u, v, w, distance, angle = kernels.pose_error(pose12(a).tolist(), pose12(b).tolist())
        turn = (Rotation.from_matrix(b.matrix()[:3, :3]) * Rotation.from_matrix(a.matrix()[:3, :3]).inv()).as_rotvec()
        assert [x, y, z] == pytest.approx((b.translation - a.translation).tolist(), abs=1e-15)
        assert distance == pytest.approx(np.linalg.norm(b.translation - a.translation), abs=1e-15)
        # matrices carry 1e-16 per element, quaternion and angle a few times that
        assert angle == pytest.approx(np.linalg.norm(turn), abs=4e-15)
        expected = turn / np.linalg.norm(turn) * 4 * math.tan(angle / 4)
        assert [u, v, w] == pytest.approx(expected.tolist(), abs=2e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-8, math.pi - 1e-9, math.pi])
def test_turn_error_is_finite_and_right_at_its_ends(angle):
    target = mk.SE3(mk.SO3.from_axis_angle([0.0, 0.0, 1.0], angle), [0.0, 0.0, 0.0])
    error = kernels.pose_error(pose12(mk.SE3.identity()).tolist(), pose12(target).tolist())
    assert error[7] == pytest.approx(angle, abs=1e-15)
    assert error[5] == pytest.approx(4 * math.tan(angle / 4), abs=1e-14)


def test_step_solves_the_damped_normal_equations():
    rng = np.random.default_rng(11)
    for damping in (1e-1, 1e-3, 0.0):
        for _ in range(20):
            q, twist = rng.uniform(0.3, 1.0, N), rng.normal(size=6)
            out = np.empty(N)
            kernels.step(ARM.kernel_model, q, twist, damping, np.empty(6 * N), out)
            J = ARM.jacobian(q)
            expected = J.T @ np.linalg.solve(J @ J.T + damping**2 * np.eye(6), twist)
            # J J^T squares the condition (up to 1e4 here): 1e-16 * 1e8 at the most
            assert out == pytest.approx(expected, rel=1e-8, abs=1e-8)


def test_answers_arrive_within_limits():
    rng = np.random.default_rng(12)
    for _ in range(40):
        q = rng.uniform(ARM.lower, ARM.upper)
        target = pose12(ARM.forward(q))
        seed = np.clip(q + rng.uniform(-0.2, 0.2, N), ARM.lower, ARM.upper)
        out = solve(target, seed)
        assert np.all(out[:N] >= ARM.lower)
        assert np.all(out[:N] <= ARM.upper)
        if out[N + 4] == 1.0:
            again = ARM.forward(out[:N])
            wanted = ARM.forward(q)
            assert np.linalg.norm(again.translation - wanted.translation) <= 1.01e-9
            assert again.rotation.angle_to(wanted.rotation) <= 1.01e-9


def test_a_step_past_a_limit_is_not_an_answer():
    # the target is reached only beyond the limit of joint 2: the search rests on it and says so
    q = np.array([0.0, float(ARM.upper[1]) + 0.2, 1.0, 0.0, 0.5, 0.0])
    out = solve(pose12(ARM.forward(q)), np.array([0.0, float(ARM.upper[1]) - 0.1, 1.0, 0.0, 0.5, 0.0]), budget=400)
    assert out[N + 4] != 1.0
    assert out[1] <= ARM.upper[1]
    assert out[N + 1] > 1e-3


def test_free_turns_are_answered_next_to_the_seed():
    free = Model(np.column_stack([np.full(N, -7.0), np.full(N, 7.0), np.ones(N)]))
    q = np.array([0.2, -1.0, 1.2, 0.3, 0.9, 0.1])
    for turns in (-1, 0, 1):
        seed = q + 0.05
        seed[5] += turns * 2 * math.pi
        out = solve(pose12(ARM.forward(q)), seed, bounds=free)
        assert out[N + 4] == 1.0
        assert out[5] == pytest.approx(q[5] + turns * 2 * math.pi, abs=1e-8)


def test_not_a_number_is_reported_and_ends_at_once():
    target = pose12(ARM.forward(np.zeros(N) + 0.3))
    target[10] = math.nan
    out = solve(target, np.full(N, 0.3))
    assert out[N + 4] == 2.0
    assert out[N] == 0.0


def test_arrays_give_the_bits_of_floats():
    rng = np.random.default_rng(13)
    seeds = np.ascontiguousarray(rng.uniform(ARM.lower, ARM.upper, (40, N)))
    targets = np.array([pose12(ARM.forward(q)) for q in rng.uniform(ARM.lower, ARM.upper, (40, N))])
    rows = np.empty((40, N + 5))
    settings = (1e-9, 1e-9, 1e-6, 2.0, 30)
    run_rows(kernels.solve, ARM.kernel_model, limits(1.0), targets, seeds, *settings, rows, scratch=SCRATCH)
    for k in range(40):
        assert np.array_equal(rows[k], solve(targets[k], seeds[k], bounds=limits(1.0), budget=30))
    twists, moves = rng.normal(size=(40, 6)), np.empty((40, N))
    run_rows(kernels.step, ARM.kernel_model, seeds, twists, 1e-3, moves, scratch=6 * N)
    for k in range(40):
        alone = np.empty(N)
        kernels.step(ARM.kernel_model, seeds[k], twists[k], 1e-3, np.empty(6 * N), alone)
        assert np.array_equal(alone, moves[k])
