"""Dynamics of random trees against sums over particles: the definition, written down without any recursion."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import cases

from motionkit.kernels import articulated, composite, momentum, newton_euler, particles, regressor
from motionkit.kernels.rigid_tree import DRIVE, HEAD, ROW
from motionkit.kernels.symmetric import eigenvalues


class Particles:
    """Every body as particles with its mass, first moment and inertia, at places found by products of matrices."""

    def __init__(self, model):
        values = np.array(model.values)
        self.m, self.n = int(values[0]), int(values[1])
        self.gravity = values[2:5]
        self.rows = values[HEAD : HEAD + ROW * self.m].reshape(self.m, ROW)
        self.drives = values[HEAD + ROW * self.m :].reshape(self.n, DRIVE)
        self.masses, self.bodies, places = [], [], []
        for i, row in enumerate(self.rows):
            mass, com = row[17], row[18:21] / row[17]
            xx, xy, xz, yy, yz, zz = row[21:27]
            about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            spread = 0.5 * np.trace(about) * np.eye(3) - about - mass * np.outer(com, com)  # sum of m r r^T about com
            share, axes = np.linalg.eigh(spread)
            for s, axis in zip(share, axes.T, strict=True):
                for sign in (-1, 1):  # two particles of a sixth of the mass, on each principal axis
                    self.masses.append(mass / 6)
                    self.bodies.append(i)
                    places.append(com + sign * axis * np.sqrt(3 * s / mass))
        self.places = np.array(places)
        self.masses = np.array(self.masses)

    def positions(self, q):
        """Of all particles, (P, 3)."""
        frames = []
        for row in self.rows:
            x = q[int(row[1])]
            T, R = np.eye(4), row[5:14].reshape(3, 3)
            s, c = np.sin(x * row[2]), np.cos(x * row[2])
            T[:3, :3] = R @ [[c, -s, 0], [s, c, 0], [0, 0, 1]]
            T[:3, 3] = row[14:17] + R[:, 2] * x * row[3]
            frames.append(T if row[0] < 0 else frames[int(row[0])] @ T)
        own = np.array([frames[i] for i in self.bodies])
        return np.einsum("pij,pj->pi", own[:, :3, :3], self.places) + own[:, :3, 3]

    def jacobian(self, q, h=1e-5):
        """By differences of fourth order, (P, 3, n)."""
        columns = []
        for e in h * np.eye(self.n):
            near = self.positions(q + e) - self.positions(q - e)
            far = self.positions(q + 2 * e) - self.positions(q - 2 * e)
            columns.append((8 * near - far) / (12 * h))
        return np.stack(columns, axis=-1)

    def mass_matrix(self, q):
        J = self.jacobian(q)
        return np.einsum("p,pik,pil->kl", self.masses, J, J) + np.diag(self.drives[:, 0])

    def velocity_acceleration(self, q, qd, h=1e-3):
        """Acceleration of particles at no acceleration of coordinates, (P, 3)."""
        a, b = self.positions(q + h * qd) + self.positions(q - h * qd), 2 * self.positions(q)
        c = self.positions(q + 2 * h * qd) + self.positions(q - 2 * h * qd)
        return (16 * (a - b) - (c - b)) / (12 * h * h)

    def torque(self, q, qd, qdd):
        J = self.jacobian(q)
        a = J @ qdd + self.velocity_acceleration(q, qd) - self.gravity
        rotor, viscous, coulomb, speed, smooth = self.drives.T
        safe = np.where(smooth == 1, np.sqrt(qd**2 + speed**2), 1.0)
        rubbing = viscous * qd + coulomb * np.where(smooth == 1, qd / safe, np.sign(qd))
        return np.einsum("p,pik,pi->k", self.masses, J, a) + rotor * qdd + rubbing


def run(kernel, model, inputs, scratch, *sizes):
    outputs = [np.empty(size) for size in sizes]
    kernel(model, *inputs, np.full(scratch, np.nan), *outputs)
    return outputs if len(outputs) > 1 else outputs[0]


@pytest.fixture(params=[(followers, seed) for followers in (False, True) for seed in (1, 2)])
def problem(request):
    """A random tree with or without joints that follow others, its particles and a state."""
    followers, seed = request.param
    rng = np.random.default_rng(seed)
    model = cases.body_model(rng, followers)
    particles_of = Particles(model)
    return model, particles_of, rng.uniform(-2, 2, (3, particles_of.n))


# differences of fourth order over 1e-5 rad leave 1e-11 of a metre a radian, times 60 kg; those over 1e-3 leave 1e-9
SLACK = 1e-8


def test_torques(problem):
    model, reference, state = problem
    tau = run(newton_euler.inverse_dynamics, model, state, 27 * 7 + 7, reference.n)
    assert np.abs(tau - reference.torque(*state)).max() < 30 * SLACK  # of torques of 300 N m
    still = np.zeros(reference.n)
    gravity = run(newton_euler.gravity_torque, model, state[:1], 27 * 7, reference.n)
    assert np.abs(gravity - reference.torque(state[0], still, still)).max() < 30 * SLACK


def test_mass_matrix_and_what_solves_with_it(problem):
    model, reference, state = problem
    n = reference.n
    M = run(composite.mass_matrix, model, state[:1], 22 * 7, n * n).reshape(n, n)
    assert np.abs(M - reference.mass_matrix(state[0])).max() < SLACK
    bias = run(newton_euler.inverse_dynamics, model, (*state[:2], np.zeros(n)), 27 * 7 + 7, n)
    expected = np.linalg.solve(M, state[2] - bias)
    found = [run(composite.forward_dynamics_by_mass, model, state, 27 * 7 + 3 * n + n * n, n)]
    if n == reference.m:
        found.append(run(articulated.forward_dynamics, model, state, 52 * 7, n))
    for qdd in found:
        assert np.abs(qdd - expected).max() < 1e-13 * np.linalg.cond(M) * np.abs(expected).max()


def test_coriolis_matrix_and_derivatives(problem):
    """C is half the change of M with Christoffel's symbols, which are differences of the mass matrix here."""
    model, reference, state = problem
    n, h = reference.n, 1e-5
    q, qd, qdd = state

    def mass(q):
        return run(composite.mass_matrix, model, (q,), 22 * 7, n * n).reshape(n, n)

    def torque(q, qd):
        return run(newton_euler.inverse_dynamics, model, (q, qd, qdd), 27 * 7 + 7, n)

    slope = np.stack([(mass(q + h * e) - mass(q - h * e)) / (2 * h) for e in np.eye(n)], axis=-1)  # k l by m
    symbols = 0.5 * (slope + np.swapaxes(slope, 1, 2) - np.moveaxis(slope, 2, 0))
    C = run(particles.coriolis_matrix, model, (q, qd), 52 * 7, n * n).reshape(n, n)
    assert np.abs(C - symbols @ qd).max() < 10 * SLACK
    by_q, by_qd = run(particles.inverse_dynamics_derivatives, model, state, 70 * 7, n * n, n * n)
    for k, e in enumerate(h * np.eye(n)):
        column = (torque(q + e, qd) - torque(q - e, qd)) / (2 * h)
        assert np.abs(by_q.reshape(n, n)[:, k] - column).max() < 100 * SLACK  # second order, slopes of hundreds of N m
        column = (torque(q, qd + e) - torque(q, qd - e)) / (2 * h)
        assert np.abs(by_qd.reshape(n, n)[:, k] - column).max() < 100 * SLACK


def test_energies_and_momenta(problem):
    model, reference, (q, qd, _) = problem
    n = reference.n
    kinetic, potential = run(momentum.energies, model, (q, qd), 52 * 7, 2)
    positions, velocities = reference.positions(q), reference.jacobian(q) @ qd
    m = reference.masses
    spin = 0.5 * reference.drives[:, 0] @ qd**2
    assert kinetic == pytest.approx(0.5 * np.einsum("p,pi,pi", m, velocities, velocities) + spin, abs=SLACK)
    assert potential == pytest.approx(-(m @ positions) @ reference.gravity, abs=1e-12)
    out = run(momentum.centroidal_momentum, model, (q, qd), 52 * 7, 13 + 6 * n)
    centre = m @ positions / m.sum()
    linear, angular = m @ velocities, np.einsum("p,pi->i", m, np.cross(positions - centre, velocities))
    expected = [m.sum(), *centre, *(linear / m.sum()), *linear, *angular]
    assert np.abs(out[:13] - expected).max() < SLACK
    assert np.abs(out[13:].reshape(6, n) @ qd - out[7:13]).max() < 1e-12


def test_regressor_times_the_numbers_of_the_bodies(problem):
    """And each column is what its number of that body alone causes."""
    model, reference, state = problem
    n, m = reference.n, reference.m
    Y = run(regressor.regressor, model, state, 21 * 7, n * 10 * m).reshape(n, 10 * m)
    rotor, viscous, coulomb, speed, smooth = reference.drives.T
    rubbing = viscous * state[1] + coulomb * np.where(
        smooth == 1, state[1] / np.where(smooth == 1, np.sqrt(state[1] ** 2 + speed**2), 1.0), np.sign(state[1])
    )
    tau = run(newton_euler.inverse_dynamics, model, state, 27 * 7 + 7, n)
    assert np.abs(Y @ reference.rows[:, 17:].ravel() + rotor * state[2] + rubbing - tau).max() < 1e-12


def test_the_bodies_of_the_cases_exist():
    """Otherwise the particles above would have imaginary places."""
    for followers in (False, True):
        for row in Particles(cases.body_model(np.random.default_rng(1), followers)).rows:
            com = row[18:21] / row[17]
            xx, xy, xz, yy, yz, zz = row[21:27]
            about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            least, middle, most = eigenvalues(
                *(about - row[17] * (com @ com * np.eye(3) - np.outer(com, com)))[np.triu_indices(3)].tolist()
            )
            assert 0.0 < least <= middle <= most < least + middle
