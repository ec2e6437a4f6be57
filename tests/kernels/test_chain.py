"""Chain kernels against matrix products, differences and one another, on floats and on arrays."""

import numpy as np
import pytest

from motionkit.kernels import chain
from motionkit.kernels._batch import run_rows
from motionkit.kernels._contract import KERNELS, Model

EPS = 2.220446049250313e-16
KINDS = ("R", "RRRRRR", "RRPRRRR", "PPP", "PRPR")


def build(kinds, seed):
    """A chain of joints with random placements; R turns, P slides."""
    rng = np.random.default_rng(seed)

    def pose():
        q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        return [*(q * np.sign(np.linalg.det(q))).ravel(), *rng.uniform(-0.4, 0.4, 3)]

    values = [*pose(), float(len(kinds))]
    for k, kind in enumerate(kinds):
        tilt = rng.uniform(-np.pi, np.pi)
        flags = (1.0, 0.0) if kind == "R" else (0.0, 1.0)
        values += [np.cos(tilt), np.sin(tilt), *rng.uniform(-0.4, 0.4, 3), rng.uniform(-np.pi, np.pi), *flags, k]
    values[chain.HEAD : chain.HEAD + 5] = [1.0, 0.0, 0.0, 0.0, 0.0]  # the first joint stands where the head says
    return Model(values + pose())


def homogeneous(row):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.reshape(row[:9], (3, 3)), row[9:12]
    return T


def joint_rows(model):
    return model.array[chain.HEAD : -chain.TAIL].reshape(-1, chain.ROW)


def placed(row):
    """A turn about x and a shift."""
    T = np.eye(4)
    T[1:3, 1:3] = [[row[0], -row[1]], [row[1], row[0]]]
    T[:3, 3] = row[2:5]
    return T


def moved(row, x):
    """What coordinate ``x`` does: a turn about z from the angle at zero, and a travel along it."""
    T, a = np.eye(4), x * row[6] + row[5]
    T[:2, :2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
    T[2, 3] = x * row[7]
    return T


def naive_frames(model, q):
    """Moved joint frames and the tip by products of homogeneous matrices and libm's sine and cosine."""
    T, frames = homogeneous(model.array[: chain.HEAD]), []
    for row, x in zip(joint_rows(model), q, strict=True):
        T = T @ placed(row) @ moved(row, x)
        frames.append(T)
    frames.append(T @ homogeneous(model.array[-chain.TAIL :]))
    return frames


def call(kernel, size, *arguments):
    out = np.full(size, np.nan)
    kernel(*arguments, out)
    return out


@pytest.mark.parametrize("kinds", KINDS)
def test_poses_are_the_products_of_their_matrices(kinds):
    model, rng, n = build(kinds, 1), np.random.default_rng(2), len(kinds)
    for _ in range(50):
        q = rng.uniform(-3, 3, n)
        expected = naive_frames(model, q)
        frames = call(chain.joint_frames, 12 * (n + 1), model, q).reshape(-1, 12)
        # a product of k matrices with entries of at most a few metres
        tolerance = 20 * (n + 1) * EPS
        assert np.allclose([homogeneous(f) for f in frames], expected, rtol=0, atol=tolerance)
        tip = call(chain.forward, 12, model, q)
        assert np.array_equal(tip, frames[-1])
        matrix = call(chain.forward_matrix, 16, model, q).reshape(4, 4)
        assert np.array_equal(matrix, homogeneous(tip))


def test_joint_step_is_placement_then_motion():
    model = build("RP", 3)
    T = (*naive_frames(model, [0.3, 0.2])[0][:3, :3].ravel().tolist(), 0.1, 0.2, 0.3)
    for i, x in ((0, 0.7), (1, -0.4)):
        at = chain.HEAD + chain.ROW * i
        s, c, d = chain.turned(model.values, at, x)
        made = chain.joint_step(T, model.values, at, s, c, d)
        row = joint_rows(model)[i]
        assert np.allclose(homogeneous(made), homogeneous(T) @ placed(row) @ moved(row, x), rtol=0, atol=20 * EPS)


@pytest.mark.parametrize("kinds", KINDS)
def test_jacobian_is_the_derivative_of_the_pose(kinds):
    """Each column is the twist of the tip by central differences of the matrix products."""
    model, rng, n = build(kinds, 4), np.random.default_rng(5), len(kinds)
    h = 1e-6  # the error of a central difference is h^2 + eps / h, near 2e-10 here
    for _ in range(10):
        q = rng.uniform(-3, 3, n)
        J = call(chain.jacobian, 6 * n, model, q).reshape(6, n)
        T = naive_frames(model, q)[-1]
        for i in range(n):
            step = np.eye(n)[i] * h
            rate = (naive_frames(model, q + step)[-1] - naive_frames(model, q - step)[-1]) / (2 * h)
            spin = rate[:3, :3] @ T[:3, :3].T
            expected = [*rate[:3, 3], spin[2, 1], spin[0, 2], spin[1, 0]]
            assert np.allclose(J[:, i], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("kinds", KINDS)
def test_the_three_jacobians_are_one_motion(kinds):
    model, rng, n = build(kinds, 6), np.random.default_rng(7), len(kinds)
    for _ in range(20):
        q = rng.uniform(-3, 3, n)
        J = call(chain.jacobian, 6 * n, model, q).reshape(6, n)
        tool = call(chain.jacobian_in_tool, 6 * n, model, q).reshape(6, n)
        base = call(chain.jacobian_at_base, 6 * n, model, q).reshape(6, n)
        T = homogeneous(call(chain.forward, 12, model, q))
        R, p = T[:3, :3], T[:3, 3]
        turned = np.vstack([R.T @ J[:3], R.T @ J[3:]])
        shifted = np.vstack([J[:3] - np.cross(J[3:].T, p).T, J[3:]])  # v at the origin = v + w x (0 - p)
        assert np.allclose(tool, turned, rtol=0, atol=50 * EPS)
        assert np.allclose(base, shifted, rtol=0, atol=50 * EPS)
        pose, same = np.empty(12), np.empty(6 * n)
        chain.forward_and_jacobian(model, q, pose, same)
        assert np.array_equal(same.reshape(6, n), J)
        assert np.array_equal(homogeneous(pose), T)


@pytest.mark.parametrize("kinds", KINDS)
def test_drift_is_the_change_of_the_jacobian_along_the_motion(kinds):
    model, rng, n = build(kinds, 8), np.random.default_rng(9), len(kinds)
    h = 1e-5  # h^2 |J'''| + eps / h: near 1e-10
    worst = 0.0
    for _ in range(20):
        q, qd = rng.uniform(-3, 3, n), rng.uniform(-1, 1, n)
        motion = call(chain.motion, 12, model, q, qd)
        J = call(chain.jacobian, 6 * n, model, q).reshape(6, n)
        assert np.allclose(motion[:6], J @ qd, rtol=0, atol=100 * EPS)
        assert np.array_equal(motion[6:], call(chain.drift, 6, model, q, qd))
        forth = call(chain.jacobian, 6 * n, model, q + h * qd).reshape(6, n)
        back = call(chain.jacobian, 6 * n, model, q - h * qd).reshape(6, n)
        worst = max(worst, np.abs((forth - back) @ qd / (2 * h) - motion[6:]).max())
    assert worst < 2e-9


def test_drift_of_a_slide_on_a_turntable_is_centripetal_and_coriolis():
    """A slide 2 m out on a table that turns at 3 rad/s, moving out at 0.5 m/s: -w^2 r and 2 w v."""
    flat = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
    # the table's x axis is a quarter turn round from the base's, so that a quarter turn about it lays the slide along x
    table, slide = [1, 0, 0, 0, 0, np.pi / 2, 1, 0, 0], [0, 1, 0, 0, 0, 0, 0, 1, 1]
    model = Model([*flat, 2, *table, *slide, *flat])
    got = call(chain.drift, 6, model, np.array([0.0, 2.0]), np.array([3.0, 0.5]))
    assert np.allclose(got, [-18.0, 3.0, 0, 0, 0, 0], rtol=0, atol=1e-14)


def test_a_chain_without_joints_is_its_tip():
    model = build("", 10)
    q = np.empty(0)
    tip = homogeneous(model.array[:12]) @ homogeneous(model.array[chain.HEAD :])
    expected = np.concatenate([tip[:3, :3].ravel(), tip[:3, 3]])
    assert np.allclose(call(chain.forward, 12, model, q), expected, rtol=0, atol=20 * EPS)
    assert np.array_equal(call(chain.joint_frames, 12, model, q), call(chain.forward, 12, model, q))
    assert np.array_equal(call(chain.motion, 12, model, q, q), np.zeros(12))
    assert np.array_equal(call(chain.drift, 6, model, q, q), np.zeros(6))
    for kernel in (chain.jacobian, chain.jacobian_in_tool, chain.jacobian_at_base):
        assert call(kernel, 0, model, q).size == 0


@pytest.mark.parametrize("kinds", KINDS)
def test_the_rate_of_the_jacobian_is_its_difference_along_the_motion(kinds):
    model, rng, n = build(kinds, 13), np.random.default_rng(14), len(kinds)
    h = 1e-6  # as above: near 2e-10 times the speed
    for _ in range(10):
        q, qd, J = rng.uniform(-3, 3, n), rng.uniform(-2, 2, n), np.empty(6 * n)
        rate = np.full(6 * n, np.nan)
        chain.jacobian_rate(model, q, qd, J, rate)
        assert np.array_equal(J, call(chain.jacobian, 6 * n, model, q))
        before, after = (call(chain.jacobian, 6 * n, model, q + s * h * qd) for s in (-1, 1))
        assert np.allclose(rate, (after - before) / (2 * h), rtol=0, atol=2e-8)
        # and the drift, which another recursion finds, is that rate times the speed
        drift = call(chain.drift, 6, model, q, qd)
        assert np.allclose(rate.reshape(6, n) @ qd, drift, rtol=0, atol=200 * n * EPS)


def sizes(n):
    """Length of the outputs of every kernel of the module."""
    return {
        chain.forward: (12,),
        chain.forward_matrix: (16,),
        chain.joint_frames: (12 * (n + 1),),
        chain.jacobian: (6 * n,),
        chain.jacobian_in_tool: (6 * n,),
        chain.jacobian_at_base: (6 * n,),
        chain.forward_and_jacobian: (12, 6 * n),
        chain.jacobian_rate: (6 * n, 6 * n),
        chain.motion: (12,),
        chain.drift: (6,),
    }


def test_every_kernel_is_compared():
    assert set(sizes(1)) == {k for name, k in KERNELS.items() if name.startswith(chain.__name__ + ".")}


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("kernel", list(sizes(1)), ids=lambda k: k.__name__)
def test_arrays_give_the_bits_of_floats(kernel, kinds):
    """Rows at once, as columns of arrays, against one row at a time as floats; exact angles and zeros among them."""
    n, rows = len(kinds), 300
    model, rng = build(kinds, 11), np.random.default_rng(12)
    Q = rng.uniform(-7, 7, (rows, n))
    Q[:9] = np.array([0.0, -0.0, np.pi / 2, -np.pi / 2, np.pi, 1e6, -1e6, 1e-300, np.nan])[:, None]
    inputs = [Q, rng.normal(size=(rows, n))][: kernel.arguments.count("in")]
    together = [np.full((rows, size), np.nan) for size in sizes(n)[kernel]]
    run_rows(kernel, model, *inputs, *together)
    for k in range(rows):
        alone = [np.full(size, np.nan) for size in sizes(n)[kernel]]
        kernel(model, *(a[k] for a in inputs), *alone)
        for a, b in zip(alone, together, strict=True):
            if k == 8:  # NaN goes in: it comes out at the same places, its sign and payload are no one's
                assert np.array_equal(np.isnan(a), np.isnan(b[k]))
            else:
                assert a.tobytes() == b[k].tobytes()
