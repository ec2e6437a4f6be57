"""Roll, pitch and yaw out and back in at every distance from the lock, beside the textbook matrix form."""

import math

import numpy as np
import pytest

import motionkit as mk

HALF_PI = math.pi / 2
DISTANCES = [0.0, *np.logspace(-17, -0.3, 120).tolist()]


def textbook_rpy(M):
    """The matrix form with its branch: the control."""
    pitch = math.atan2(-M[2, 0], math.hypot(M[0, 0], M[1, 0]))
    if math.cos(pitch) < 1e-8:
        return math.atan2(-M[1, 2], M[1, 1]), pitch, 0.0
    return math.atan2(M[2, 1], M[2, 2]), pitch, math.atan2(M[1, 0], M[0, 0])


def rotations_near_the_lock(seed):
    """Rotations whose pitch is each distance from down and from up, made by products, so rounded like any other."""
    rng = np.random.default_rng(seed)
    for distance in DISTANCES:
        for sign in (-1.0, 1.0):
            for _ in range(20):
                roll, yaw = rng.uniform(-math.pi, math.pi, 2)
                turn = mk.SO3.from_axis_angle((0, 0, 1), yaw)
                down = mk.SO3.from_axis_angle((0, 1, 0), sign * (HALF_PI - distance))
                yield distance, turn * down * mk.SO3.from_axis_angle((1, 0, 0), roll)


def test_the_rotation_comes_back_at_every_distance_from_the_lock():
    """A6: 1e-14 everywhere; the matrix form in the same test loses half the digits."""
    worst, control = 0.0, 0.0
    for _, R in rotations_near_the_lock(1):
        worst = max(worst, R.angle_to(mk.SO3.from_rpy(*R.rpy())))
        control = max(control, R.angle_to(mk.SO3.from_rpy(*textbook_rpy(R.matrix()))))
    print(f"rpy round trip: {worst:.1e} rad; the matrix form: {control:.1e} rad")
    assert worst < 1e-14
    assert control > 1e-9


def test_uniform_rotations_come_back():
    """A6: with the tool anywhere."""
    rng = np.random.default_rng(2)
    worst = 0.0
    for _ in range(5000):
        R = mk.SO3.random(rng)
        worst = max(worst, R.angle_to(mk.SO3.from_rpy(*R.rpy())))
    assert worst < 4e-15


def test_bent_quaternions_around_the_lock_come_back():
    """Quaternions off the exact lock by single ulps in each component, on both sides of where the lock is declared."""
    rng = np.random.default_rng(3)
    worst = 0.0
    for _ in range(4000):
        a = rng.uniform(-math.pi, math.pi)
        h, sign = math.sqrt(0.5), rng.choice([-1.0, 1.0])
        q = np.array([h * math.cos(a), -sign * h * math.sin(a), sign * h * math.cos(a), h * math.sin(a)])
        R = mk.SO3.from_wxyz(q + rng.integers(-9, 10, 4) * 1.1e-16)
        assert abs(abs(R.rpy()[1]) - HALF_PI) < 1e-14
        worst = max(worst, R.angle_to(mk.SO3.from_rpy(*R.rpy())))
    print(f"rpy around the lock: {worst:.1e} rad")
    assert worst < 1e-14


def test_angles_come_back_normalised():
    """A6: roll and yaw in (-pi, pi], pitch in [-pi/2, pi/2], and the angles themselves away from the lock."""
    rng = np.random.default_rng(4)
    for _ in range(2000):
        roll, yaw = rng.uniform(-math.pi, math.pi, 2)
        pitch = rng.uniform(-1.5, 1.5)  # 0.07 rad from the lock the angles are 14 times worse than the rotation
        assert mk.SO3.from_rpy(roll, pitch, yaw).rpy() == pytest.approx([roll, pitch, yaw], abs=3e-14)
    for _, R in rotations_near_the_lock(5):
        r, p, y = R.rpy()
        assert -math.pi < r <= math.pi and -math.pi < y <= math.pi and abs(p) <= HALF_PI


def test_angles_outside_the_range_come_back_as_the_same_rotation():
    rng = np.random.default_rng(6)
    for angles in rng.uniform(-20, 20, (500, 3)):
        R = mk.SO3.from_rpy(*angles)
        assert R.angle_to(mk.SO3.from_rpy(*R.rpy())) < 1e-14


@pytest.mark.parametrize("pitch", [-HALF_PI, HALF_PI])
def test_at_the_lock_roll_is_zero_and_yaw_carries_the_turn(pitch):
    """A6: one representative, so that a tool pointing down has the same three angles however it was made."""
    for roll, yaw in [(0, 0.7), (0.7, 0), (0.3, 0.4), (-2, 2.7), (3, -3), (0, 0), (0, math.pi), (2.5, 2.5)]:
        r, p, y = mk.SO3.from_rpy(roll, pitch, yaw).rpy()
        assert r == 0.0 and p == pitch
        turn = yaw + roll if pitch < 0 else yaw - roll
        # modulo a whole turn; both angles round
        assert abs(math.remainder(y - turn, 2 * math.pi)) < 2e-15


def test_known_angles():
    assert mk.SO3.identity().rpy().tolist() == [0, 0, 0]
    assert mk.SO3.from_rpy(math.pi, 0, 0).rpy().tolist() == [math.pi, 0, 0]
    assert mk.SO3.from_rpy(-math.pi, 0, 0).rpy().tolist() == [math.pi, 0, 0]
    assert mk.SO3.from_rpy(0, 0, -math.pi).rpy().tolist() == [0, 0, math.pi]
    # beyond a quarter turn of pitch the other two flip
    assert mk.SO3.from_rpy(0, math.pi, 0).rpy() == pytest.approx([math.pi, 0, math.pi], abs=4e-16)


def test_fixed_axes_in_the_order_of_urdf():
    """Rz(yaw) Ry(pitch) Rx(roll): turned about x first."""
    x, y, z = (mk.SO3.from_axis_angle(axis, a) for axis, a in zip(np.eye(3), (0.3, -0.4, 2.0), strict=True))
    assert (z * y * x).angle_to(mk.SO3.from_rpy(0.3, -0.4, 2.0)) < 1e-15
    assert (x * y * z).angle_to(mk.SO3.from_rpy(0.3, -0.4, 2.0)) > 0.1
