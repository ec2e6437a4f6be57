"""D1 to D4 on the example arm: each figure from two derivations, and a wrong form beside it as the control."""

import numpy as np
import pytest

import motionkit as mk

COUNT = 200
NO_GRAVITY = (0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def arm():
    return mk.DynamicChain.six_axis_example()


@pytest.fixture(scope="module")
def configurations():
    return np.random.default_rng(31).uniform(-3.0, 3.0, (COUNT, 6))


def test_gravity_turned_over_turns_over_every_torque(arm, configurations):
    """D1: on the ceiling; and on a wall gravity is along another axis of the base."""
    ceiling, wall = arm.with_gravity((0.0, 0.0, 9.81)), arm.with_gravity((9.81, 0.0, 0.0))
    sideways = 0.0
    for q in configurations[:20]:
        tau = arm.gravity_torque(q)
        assert (ceiling.gravity_torque(q) == -tau).all()  # every product changes its sign and nothing else
        assert (ceiling.inverse_dynamics(q, 0 * q, 0 * q) == -arm.inverse_dynamics(q, 0 * q, 0 * q)).all()
        assert tau[0] == pytest.approx(0.0, abs=1e-14)  # axis 1 is vertical on the floor
        sideways = max(sideways, abs(wall.gravity_torque(q)[0]))
    assert sideways > 10.0


def test_gravity_is_exactly_9_81_downwards(arm):
    assert arm.gravity == (0.0, 0.0, -9.81)
    assert arm.with_gravity([0, 0, -9.81]) == arm


def test_two_algorithms_for_the_mass_matrix(arm, configurations, capsys):
    """D2: composite bodies against a column of inverse dynamics for each acceleration."""
    floating = arm.with_gravity(NO_GRAVITY)
    still, worst, skew = np.zeros(6), 0.0, 0.0
    for q in configurations:
        M = arm.mass_matrix(q)
        columns = np.array([floating.inverse_dynamics(q, still, e) for e in np.eye(6)]).T
        worst, skew = max(worst, np.abs(M - columns).max()), max(skew, np.abs(columns - columns.T).max())
        assert (M == M.T).all()
        assert np.linalg.eigvalsh(M)[0] > 0.0
    with capsys.disabled():
        print(f"\nD2: mass matrices {worst:.1e} kg m^2 apart; columns alone are symmetric to {skew:.1e}")
    # numbers up to 1.9 kg m^2, whose last place is 2e-16
    assert worst < 4e-15


def test_gravity_torque_is_the_slope_of_the_potential_energy(arm, configurations, capsys):
    """D3: a third derivation; differences over 2e-5 rad of energies of 100 J leave 1e-9 N m."""
    h, worst = 1e-5, 0.0
    for q in configurations:
        slope = [(arm.potential_energy(q + h * e) - arm.potential_energy(q - h * e)) / (2 * h) for e in np.eye(6)]
        worst = max(worst, np.abs(arm.gravity_torque(q) - slope).max())
    with capsys.disabled():
        print(f"\nD3: gravity torque {worst:.1e} N m from the slope of the energy")
    assert worst < 1e-8


def test_forward_dynamics_undoes_inverse_dynamics(arm, configurations, capsys):
    """D4: articulated bodies; the error is rounding times the condition of the mass matrix, up to some thousands."""
    rng, worst = np.random.default_rng(32), 0.0
    for q in configurations:
        qd, qdd = rng.uniform(-3, 3, 6), rng.uniform(-10, 10, 6)
        back = arm.forward_dynamics(q, qd, arm.inverse_dynamics(q, qd, qdd))
        bound = 1e-15 * np.linalg.cond(arm.mass_matrix(q)) * np.abs(qdd).max()
        assert np.abs(back - qdd).max() < 10 * bound
        worst = max(worst, np.abs(back - qdd).max())
    with capsys.disabled():
        print(f"\nD4: accelerations {worst:.1e} rad/s^2 from those that made the torques")
    assert worst < 1e-10


def test_coriolis_matrix_is_the_one_of_christoffel(arm, configurations):
    """M' - 2 C is skew to the error of differencing M; the matrix with the same torques in its columns' sum is not."""
    rng, h = np.random.default_rng(33), 1e-6
    for q in configurations[:20]:
        qd = rng.uniform(-3, 3, 6)
        C = arm.coriolis_matrix(q, qd)
        rate = (arm.mass_matrix(q + h * qd) - arm.mass_matrix(q - h * qd)) / (2 * h)
        N = rate - 2 * C
        assert np.abs(N + N.T).max() < 1e-8
        velocity_torque = arm.bias_torque(q, qd) - arm.gravity_torque(q)
        assert np.abs(C @ qd - velocity_torque).max() < 1e-13 * 100  # torques of up to 100 N m
        other = np.outer(velocity_torque, qd) / (qd @ qd)  # a Coriolis matrix too, by its torques
        N = rate - 2 * other
        assert np.abs(N + N.T).max() > 1e-2


def fall(arm, step, seconds, euler=False):
    """Largest change of the energy in free fall from rest, J, and the largest kinetic energy."""
    q, v, idle = np.array([0.3, -0.5, 0.8, 0.2, 0.6, 0.1]), np.zeros(6), np.zeros(6)
    start, off, fastest = arm.potential_energy(q), 0.0, 0.0

    def pull(q, v):
        return arm.forward_dynamics(q, v, idle)

    for k in range(round(seconds / step)):
        a1 = pull(q, v)
        if euler:
            q, v = q + step * v, v + step * a1
        else:
            a2 = pull(q + step / 2 * v, v + step / 2 * a1)
            a3 = pull(q + step / 2 * (v + step / 2 * a1), v + step / 2 * a2)
            v4 = v + step * a3
            a4 = pull(q + step * (v + step / 2 * a2), v4)
            q = q + step / 6 * (v + 2 * (v + step / 2 * a1) + 2 * (v + step / 2 * a2) + v4)
            v = v + step / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        if k % 10 == 9:
            kinetic = arm.kinetic_energy(q, v)
            off, fastest = max(off, abs(kinetic + arm.potential_energy(q) - start)), max(fastest, kinetic)
    return off, fastest


def test_energy_of_ten_seconds_of_free_fall(arm, capsys):
    """D4: the classical Runge-Kutta method of order four, steps of 2 ms, joints free to whirl at tens of rad/s."""
    off, fastest = fall(arm, 2e-3, 10.0)
    control, _ = fall(arm, 2e-3, 1.0, euler=True)
    with capsys.disabled():
        print(f"\nD4: energy moved by {off:.1e} J of {fastest:.0f} J in 10 s; forward Euler by {control:.1e} J in 1 s")
    assert fastest > 50.0
    assert off < 1e-3
    assert control > 1000 * off


def test_rigid_motion_has_the_energy_of_the_mass_matrix(arm, configurations):
    qd = np.array([0.5, -1.0, 2.0, 0.3, -0.7, 1.1])
    for q in configurations[:20]:
        assert arm.kinetic_energy(q, qd) == pytest.approx(0.5 * qd @ arm.mass_matrix(q) @ qd, rel=1e-14)


def test_an_idle_link_weighs_what_its_drawing_says():
    """By hand: a rod of 2 kg and 1 m, level, turned about its end."""
    rod = mk.LinkInertia.cylinder(2.0, 1e-9, (0, 0, 0), (1, 0, 0))
    joint = mk.Joint.revolute("j", (0, 1, 0), (0, 0, 0), mk.JointLimits.revolute(-3, 3, 1))
    arm = mk.SerialChain.from_joints([joint]).with_inertias([rod])
    assert arm.mass_matrix([0.7])[0, 0] == pytest.approx(2.0 / 3.0, abs=1e-15)
    # y turns it down, so gravity turns it the positive way and the motor holds with the negative one
    assert arm.gravity_torque([0.0]).tolist() == pytest.approx([-9.81], abs=1e-14)
    assert arm.forward_dynamics([0.0], [0.0], [0.0]).tolist() == pytest.approx([14.715], abs=1e-13)
    assert arm.potential_energy([np.pi / 2]) == pytest.approx(-9.81, abs=1e-14)
