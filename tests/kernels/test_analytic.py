"""The steps of closed forms one by one, and their candidates before anything is refined."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import motionkit as mk
from motionkit.kernels import analytic_answers as answers
from motionkit.kernels import analytic_parts as parts
from motionkit.kernels._contract import Model
from motionkit.robot._analytic_candidates import kernel_of, limits_model

sys.path.insert(0, str(Path(__file__).parents[1] / "robot"))
import analytic_arms as arms

ARMS = arms.arms()


def raw(chain, target, seed, tolerance=1e-9):
    """Candidates of the kernel, (8, 11)."""
    form = chain.analytic_form()
    out = np.empty(answers.CANDIDATES * answers.ROW)
    pose = np.array(target.elements)
    kernel_of(form)(
        form.arm, chain.kernel_model, limits_model(chain), pose, np.array(seed), tolerance, int(form.backwards),
        np.empty(6), out,
    )  # fmt: skip
    return out.reshape(answers.CANDIDATES, answers.ROW)


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("bend", [1e-9, 1e-6, 1e-3, 0.7])
def test_candidates_are_exact_before_anything_is_refined(name, bend):
    rng = np.random.default_rng(70)
    worst, nearest = 0.0, 0.0
    for k in range(100):
        q = rng.uniform(-3.0, 3.0, 6)
        q[4 if k % 2 else 2] = bend
        rows = raw(ARMS[name], ARMS[name].forward(q), q)
        reached = rows[rows[:, answers.CODE] != 0.0]
        worst = max(worst, reached[:, answers.DISTANCE : answers.ANGLE + 1].max())
        if bend > 1e-8:
            nearest = max(nearest, arms.apart(reached[:, :6], q).min())
    print(f"{name}, {bend}: worst residual {worst:.1e}, own configuration {nearest:.1e}")
    assert worst < 1e-14
    # of the one that was set: near a second singularity the others carry more
    assert nearest < 1e-5


def test_the_bend_of_a_wrist_keeps_its_digits():
    # the control: one minus a cosine, of the same numbers
    arm = [0.0] * parts.BENDS + [0.0, 1.0, 0.0, 1.0]
    arm += [0.0, 1e-13, 1e-12]
    ours, control = 0.0, 0.0
    for angle in np.geomspace(1e-8, 1.0, 50):
        for turn in (0.3, 2.0, -1.0):
            s, c = math.sin(angle), math.cos(angle)
            v = (s * math.sin(turn), -s * math.cos(turn), -c)  # t1 = t2 = a quarter turn
            a, b, free, double = parts.wrist(arm, v, 1.0)
            assert not free
            assert not double
            assert math.cos(a - turn) == pytest.approx(0.0, abs=1e-15)
            ours = max(ours, abs(abs(b) - angle) / angle)
            control = max(control, abs(math.sqrt(1.0 - v[2] * v[2]) - s) / s)
    print(f"relative error of a bend: {ours:.1e}, from one minus a cosine {control:.1e}")
    assert ours < 1e-15
    assert control > 1e-3


def test_the_shoulder_turns_a_point_to_its_height():
    rng = np.random.default_rng(71)
    for _ in range(300):
        x, y, across = rng.normal(size=3).tolist()
        for branch in (1.0, -1.0):
            q, free, double = parts.shoulder(x, y, across, 1e-13, branch, 0.5)
            turned = complex(x, y) * np.exp(-1j * q)
            assert not free
            if math.hypot(x, y) > abs(across):
                assert turned.imag == pytest.approx(across, abs=1e-14)
                assert turned.real * branch > 0.0
                assert not double
            else:  # out of reach: as near as it comes
                assert turned.imag == pytest.approx(math.copysign(math.hypot(x, y), across), abs=1e-14)
                assert double
    assert parts.shoulder(1e-15, 0.0, 0.0, 1e-13, -1.0, 0.5)[:2] == (0.5 + math.pi, True)


def test_the_elbow_reaches_a_point_or_points_at_it():
    rng = np.random.default_rng(72)
    for _ in range(300):
        u, v = rng.normal(size=2).tolist()
        a, b = rng.uniform(0.1, 1.5, 2).tolist()
        r = math.hypot(u, v)
        for branch in (1.0, -1.0):
            first, second, free, double = parts.elbow(u, v, a, b, 1e-13, branch, 0.5)
            end = a * np.exp(1j * first) + b * np.exp(1j * second)
            short = max(r - (a + b), abs(a - b) - r, 0.0)
            assert abs(end - complex(u, v)) == pytest.approx(short, abs=1e-14)
            assert double == (short > 0.0)
            assert not free
            if not short:
                assert math.sin(second - first) * branch > 0.0
    first, second, free, _ = parts.elbow(0.0, 0.0, 0.4, 0.4, 1e-13, 1.0, 0.5)
    assert (first, free) == (0.5, True)
    assert second - first == pytest.approx(math.pi)


def test_turns_and_limits():
    lower, upper, tau = -2.0, 8.0, 2.0 * math.pi
    q = np.array([0.5, 2.5, -2.0 - 1e-13, 8.0 + 5e-13, 3.0])
    limits = Model([lower, upper] * 5)
    for near in (-1.0, 3.0, 7.0, 50.0, -50.0):
        out = np.empty(7)
        answers.settle(limits, q, np.full(5, near), out)
        for x, y in zip(q, out[:5], strict=True):
            turns = [x + k * tau for k in range(-9, 10) if lower - 1e-12 <= x + k * tau <= upper + 1e-12]
            assert y == pytest.approx(min(turns, key=lambda t: abs(t - near)), abs=1e-12)
            assert lower <= y <= upper
        assert out[5] <= 0.0
        assert out[6] == pytest.approx(np.linalg.norm(out[:5] - near))
    out = np.empty(3)
    answers.settle(Model([-1.0, 1.0]), np.array([2.0]), np.array([0.0]), out)
    assert out[0] == pytest.approx(2.0)
    assert out[1] == pytest.approx(1.0)
    answers.settle(Model([-math.inf, math.inf]), np.array([2.0]), np.array([100.0]), out)
    assert abs(out[0] - 100.0) <= math.pi
    assert out[1] < 0.0


def test_twins_are_counted_once_and_the_allowed_one_stays():
    rows = np.zeros((4, answers.ROW))
    rows[:, :6] = 0.3
    rows[1, 0] += 2.0 * math.pi  # the same, a turn on
    rows[2, 1] += 1e-3
    rows[3, 2] += 5e-8
    rows[:, answers.CODE] = [3.0, 3.0, 1.0, 5.0]
    rows[:, answers.BEYOND] = [1.0, -1.0, -1.0, -1.0]  # the first is forbidden
    flat = rows.reshape(-1).tolist()
    answers.mark_twins(flat, 4)
    assert np.array(flat).reshape(4, -1)[:, answers.CODE].tolist() == [3.0, 3.0, 1.0, -1.0]
    rows[:, answers.BEYOND] = -1.0
    rows[:2, answers.CODE] = [1.0, 1.0]
    flat = rows.reshape(-1).tolist()
    answers.mark_twins(flat, 4)
    assert np.array(flat).reshape(4, -1)[:, answers.CODE].tolist() == [3.0, -1.0, 1.0, -1.0]


def test_distance_and_angle_of_poses():
    rng = np.random.default_rng(73)
    for angle in (0.0, 1e-12, 1e-8, 1e-3, 1.0, math.pi - 1e-9, math.pi):
        for _ in range(20):
            T = mk.SE3.random(rng)
            axis = rng.normal(size=3)
            other = mk.SE3(mk.SO3.from_axis_angle(axis, angle) * T.rotation, T.translation + rng.normal(size=3))
            distance, turn = answers.missed(T.elements, other.elements)
            assert distance == pytest.approx(np.linalg.norm(other.translation - T.translation), abs=1e-15)
            # matrices carry 1e-16 an element
            assert turn == pytest.approx(angle, abs=2e-15)
