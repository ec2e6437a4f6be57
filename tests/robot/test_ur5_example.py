"""The UR5 of the examples against the maker's table and the file of example-robot-data: what differs and why."""

import math

import numpy as np
import pytest

import motionkit as mk

# the maker's table: standard Denavit-Hartenberg rows, masses, centres of mass in those frames
D = (0.089159, 0.0, 0.0, 0.10915, 0.09465, 0.0823)
A = (0.0, -0.425, -0.39225, 0.0, 0.0, 0.0)
ALPHA = (math.pi / 2, 0.0, 0.0, math.pi / 2, -math.pi / 2, 0.0)
MASSES = (3.7, 8.393, 2.33, 1.219, 1.219, 0.1879)
CENTRES = (
    (0.0, -0.02561, 0.00193),
    (0.2125, 0.0, 0.11336),
    (0.15, 0.0, 0.0265),
    (0.0, -0.0018, 0.01634),
    (0.0, 0.0018, 0.01634),
    (0.0, 0.0, -0.001159),
)
LINKS = ("shoulder_link", "upper_arm_link", "forearm_link", "wrist_1_link", "wrist_2_link", "wrist_3_link")
Q = np.random.default_rng(5).uniform(-math.pi, math.pi, (200, 6))


@pytest.fixture
def ours(examples):
    return mk.RobotModel.from_urdf(examples / "ur5.urdf")


@pytest.fixture
def real(robot_files):
    return mk.RobotModel.from_urdf(robot_files / "ur_description/urdf/ur5_robot.urdf")


def row(theta, d, a, alpha):
    c, s, ca, sa = math.cos(theta), math.sin(theta), math.cos(alpha), math.sin(alpha)
    return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])


def test_it_loads_without_a_word_and_has_one_tip(ours):
    assert ours.check() == []
    chain = ours.chain()
    chain.validate()
    assert chain.tip == "tool0"
    assert chain.max_velocity.tolist() == [3.15, 3.15, 3.15, 3.2, 3.2, 3.2]
    assert [limits.effort for limits in chain.limits] == [150, 150, 150, 28, 28, 28]
    assert np.array_equal(chain.upper, np.full(6, 2 * math.pi))


def test_poses_and_centres_of_mass_are_those_of_the_makers_table(ours):
    """The maker's base frame is turned by pi about z against base_link."""
    chain = ours.chain()
    for q in Q[:50]:
        T, poses = np.diag([-1.0, -1.0, 1.0, 1.0]), chain.link_poses(q)
        for i, link in enumerate(LINKS):
            T = T @ row(q[i], D[i], A[i], ALPHA[i])
            body = ours.link(link).inertia
            assert body.mass == MASSES[i]
            assert np.allclose(poses[link] * body.com, (T @ [*CENTRES[i], 1.0])[:3], rtol=0, atol=1e-14)
        assert np.allclose(chain.forward(q).matrix(), T, rtol=0, atol=1e-14)


def test_geometry_is_that_of_the_real_file_but_for_its_rounded_right_angles(ours, real, examples, capsys):
    """The real file writes pi/2 with twelve digits, 4.9e-12 rad short; with its digits in ours nothing is left."""
    theirs = real.chain(tip="tool0").forward_batch(Q)
    exact = np.abs(ours.chain().forward_batch(Q) - theirs).max()
    text = (examples / "ur5.urdf").read_text().replace(repr(math.pi / 2), "1.57079632679")
    rounded = np.abs(mk.SerialChain.from_urdf(text).forward_batch(Q) - theirs).max()
    with capsys.disabled():
        print(f"\nUR5 example against the real file: {exact:.1e}; with the real file's digits of pi/2: {rounded:.1e}")
    assert rounded < 1e-12
    assert 1e-12 < exact < 2e-11


def test_names_are_those_of_the_real_file(ours, real):
    assert {link.name for link in ours.links} <= {link.name for link in real.links}
    assert ours.chain().joint_names == real.chain(tip="tool0").joint_names


def test_limits_are_those_of_the_real_file_but_for_the_elbow(ours, real):
    """The maker gives every joint a whole turn either way; the real file halves the elbow's."""
    mine, theirs = ours.chain(), real.chain(tip="tool0")
    assert np.array_equal(mine.max_velocity, theirs.max_velocity)
    ratio = mine.upper / theirs.upper
    assert np.allclose(ratio, [1, 1, 2, 1, 1, 1], rtol=0, atol=1e-11)
    assert np.array_equal(mine.lower, -mine.upper)


def test_inertias_of_the_arm_agree_with_the_real_file(ours, real):
    """Masses but for the forearm (2.275 kg there, 2.33 published), and moments of the same cylinders."""
    for link in LINKS[:3]:
        mine, theirs = ours.link(link).inertia, real.link(link).inertia
        assert mine.mass == pytest.approx(theirs.mass, rel=0.0 if link != "forearm_link" else 0.025)
        assert np.allclose(mine.principal_moments(), theirs.principal_moments(), rtol=0.03)
        # the real file puts centres at the middle of its cylinders and leaves the sideways offsets out
        assert np.allclose(mine.com, theirs.com, rtol=0, atol=0.07)


def test_inertias_of_the_wrist_are_those_of_small_bodies_unlike_the_real_files(ours, real):
    """The real file gives 1.2 kg links the moments of bodies 0.3 m across; a wrist link is 0.12 m long."""
    for link in LINKS[3:]:
        mine, theirs = ours.link(link).inertia, real.link(link).inertia
        assert mine.mass == theirs.mass
        gyration = [math.sqrt(body.principal_moments()[-1] / body.mass) for body in (mine, theirs)]
        assert gyration[0] < 0.06
        assert gyration[1] > 0.3
