"""B2: where the tip, the links and the joints of a chain are, and coordinates as people pass them."""

import math

import numpy as np
import pytest

import motionkit as mk


def test_worked_example_turns_by_the_right_hand_rule(two_link):
    """B2: links of 1.0 and 0.8 m, both axes +Y, q = [pi/4, -pi/6]; the left-handed answer (+0.7071) is the control."""
    p = two_link.joint_positions([math.pi / 4, -math.pi / 6])
    # four digits, the last of 1.4799 (truly 1.47985) taken from a sum of rounded terms
    assert np.allclose(p, [[0, 0, 0], [0.7071, 0, -0.7071], [1.4799, 0, -0.9142]], rtol=0, atol=1e-4)
    assert not np.allclose(p[1], [0.7071, 0, 0.7071], rtol=0, atol=1.0)
    exact = [math.sqrt(0.5) + 0.8 * math.cos(math.pi / 12), 0, -math.sqrt(0.5) - 0.8 * math.sin(math.pi / 12)]
    assert np.allclose(p[2], exact, rtol=0, atol=1e-15)


def test_joint_positions_are_n_plus_one_points_and_the_base_when_asked(two_link):
    q = [0.3, 0.4]
    points = two_link.joint_positions(q)
    assert points.shape == (3, 3)
    assert np.array_equal(points[-1], two_link.forward(q).translation)
    with_base = two_link.joint_positions(q, include_base=True)
    assert np.array_equal(with_base[1:], points)
    assert np.array_equal(with_base[0], [0, 0, 0])


def test_tip_as_twice_the_centre_of_mass_is_exact_for_a_uniform_link(two_link):
    q = [0.3, -0.9]
    points = two_link.joint_positions(q, tip="twice_com")
    assert np.allclose(points, two_link.joint_positions(q), rtol=0, atol=1e-15)


def test_tip_as_twice_the_centre_of_mass_is_wrong_for_a_link_that_is_not_uniform(two_link):
    heavy_end = mk.LinkInertia(1.0, (0.6, 0, 0), np.eye(3) * 1e-3)
    chain = mk.SerialChain.from_joints(
        two_link.joints, tool=mk.SE3.from_translation((0.8, 0, 0)), inertias=[None, heavy_end]
    )
    points = chain.joint_positions([0.0, 0.0], tip="twice_com")
    assert np.allclose(points[-1], [2.2, 0, 0], rtol=0, atol=1e-15)
    assert np.array_equal(chain.joint_positions([0.0, 0.0])[-1], [1.8, 0, 0])


def test_centre_of_mass_counts_everything_rigidly_behind_the_last_joint():
    text = (
        '<robot name="r"><link name="a"/><link name="b"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
        '<link name="c"><inertial><origin xyz="0 0.2 0" rpy="0 0 1"/><mass value="3"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>'
        '<joint name="f" type="fixed"><parent link="b"/><child link="c"/>'
        '<origin xyz="0.5 0 0" rpy="0 0 1.5707963267948966"/></joint></robot>'
    )
    # (1 * (0.1, 0) + 3 * (0.5 - 0.2, 0)) / 4 = (0.25, 0)
    points = mk.SerialChain.from_urdf(text).joint_positions([math.pi / 2], tip="twice_com")
    assert np.allclose(points, [[0, 0, 0], [0, 0.5, 0]], rtol=0, atol=1e-15)


def test_tip_as_twice_the_centre_of_mass_needs_a_mass():
    joint = mk.Joint.continuous("a", (0, 0, 1), (0, 0, 0))
    with pytest.raises(mk.InvalidInertia, match="tip='frame'"):
        mk.SerialChain.from_joints([joint]).joint_positions([0.0], tip="twice_com")
    with pytest.raises(mk.UnknownName, match="did you mean 'frame'"):
        mk.SerialChain.from_joints([joint]).joint_positions([0.0], tip="flame")


def test_links_of_no_length_collapse_points():
    wrist = [mk.Joint.continuous(f"w{i}", axis, (0, 0, 0.5)) for i, axis in enumerate(np.eye(3))]
    points = mk.SerialChain.from_joints(wrist).joint_positions([0.3, 0.4, 0.5])
    assert np.array_equal(points, np.tile([0, 0, 0.5], (4, 1)))


def test_a_slide_carries_its_origin_along():
    rail = mk.Joint.prismatic("x", (1, 0, 0), (0, 0, 0.2), mk.JointLimits.prismatic(0, 1, 1))
    chain = mk.SerialChain.from_joints([rail], tool=mk.SE3.from_translation((0.1, 0, 0)))
    assert np.allclose(chain.joint_positions([0.4]), [[0.4, 0, 0.2], [0.5, 0, 0.2]], rtol=0, atol=1e-15)
    assert chain.reach == pytest.approx(1.1)


def test_link_poses_go_from_the_base_to_the_last_link():
    chain = mk.SerialChain.six_axis_example()
    q = [0.1, -0.9, 1.4, 0.3, 0.8, -0.2]
    poses = chain.link_poses(q)
    assert list(poses) == list(chain.link_names) == ["base_link", *(f"link{i}" for i in range(1, 7)), "flange"]
    assert poses["base_link"] == mk.SE3.identity()
    assert np.allclose(poses["flange"].matrix(), chain.forward(q).matrix(), rtol=0, atol=1e-15)
    # a tool is no link
    assert list(chain.with_tool(mk.SE3.from_translation((0, 0, 1))).link_poses(q)) == list(poses)


@pytest.mark.parametrize("count", [0, 1, 5, 200])
def test_batches_have_the_bits_of_single_calls(count):
    chain = mk.SerialChain.six_axis_example()
    Q = np.random.default_rng(1).uniform(-3, 3, (count, 6))
    poses, jacobians = chain.forward_batch(Q), chain.jacobian_batch(Q, "tool")
    assert poses.shape == (count, 4, 4)
    assert jacobians.shape == (count, 6, 6)
    out, J = np.empty((4, 4)), np.empty((6, 6))
    for k in range(count):
        assert chain.forward(Q[k], out) is out
        assert out.tobytes() == poses[k].tobytes()
        assert chain.jacobian(Q[k], "tool", J) is J
        assert J.tobytes() == jacobians[k].tobytes()


def test_pose_and_matrix_agree():
    chain = mk.SerialChain.six_axis_example()
    q = [0.1, -0.9, 1.4, 0.3, 0.8, -0.2]
    assert np.allclose(chain.forward(q).matrix(), chain.forward(q, np.empty((4, 4))), rtol=0, atol=1e-15)


def test_coordinates_may_be_a_list_a_mapping_or_whole_numbers(two_link):
    expected = two_link.forward(np.array([1.0, 2.0]))
    assert two_link.forward([1, 2]) == expected
    assert two_link.forward((1.0, 2.0)) == expected
    assert two_link.forward({"b": 2.0, "a": 1.0}) == expected
    assert two_link.forward(np.array([1.0, 9.0, 2.0])[::2]) == expected
    assert two_link.forward(np.array([1, 2], dtype=np.float32)) == expected


def test_a_checked_array_is_handed_on_as_it_is(two_link):
    q = np.array([0.1, 0.2])
    assert two_link.vector(q) is q


@pytest.mark.parametrize(
    ("q", "error", "text"),
    [
        ([1.0], mk.WrongLength, "expected 2 numbers, for a, b; got shape (1,)"),
        ([[1.0, 2.0]], mk.WrongLength, "use the _batch form"),
        (3.0, mk.WrongLength, "got shape ()"),
        ("ab", mk.WrongLength, "got 'ab'"),
        ([1.0, None], mk.NotFinite, "joint 'b'"),
        ([1.0, math.nan], mk.NotFinite, "joint 'b' must be finite, got nan"),
        ([math.inf, 0.0], mk.NotFinite, "joint 'a' must be finite, got inf"),
        ([0.0, 1.1e6], mk.JointLimitViolated, "joint 'b' at 1.1e+06 is beyond 1e+06"),
        ({"a": 1.0}, mk.WrongLength, "no value for joint b"),
        ({"a": 1.0, "bb": 2.0}, mk.UnknownName, "no joint 'bb': did you mean 'b'?"),
    ],
)
def test_wrong_coordinates_are_refused_by_name(two_link, q, error, text):
    for call in (two_link.forward, two_link.jacobian, two_link.link_poses, two_link.joint_positions):
        with pytest.raises(error) as info:
            call(q)
        assert text in str(info.value)


def test_wrong_rows_of_a_batch_are_named(two_link):
    with pytest.raises(mk.NotFinite, match=r"Q\[1\]: joint 'b'"):
        two_link.forward_batch([[0, 0], [0, math.nan], [math.nan, 0]])
    with pytest.raises(mk.JointLimitViolated, match=r"Q\[2\]: joint 'a'"):
        two_link.jacobian_batch([[0, 0], [0, 0], [-2e6, 0]])
    with pytest.raises(mk.WrongLength, match=r"expected shape \(N, 2\).*without _batch"):
        two_link.forward_batch([0.0, 0.0])
    with pytest.raises(mk.WrongLength, match="rows of 2 numbers"):
        two_link.forward_batch([[0.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    "out",
    [
        np.empty((3, 4)),
        np.empty((4, 4), dtype=np.float32),
        np.empty((4, 8))[:, ::2],
        np.empty((4, 4), order="F"),
        np.lib.stride_tricks.as_strided(np.zeros(16), (4, 4), writeable=False),
    ],
)
def test_an_output_that_does_not_fit_is_refused(two_link, out):
    with pytest.raises(mk.WrongLength, match=r"writable C-contiguous float64 array of shape \(4, 4\)"):
        two_link.forward([0.0, 0.0], out)


def test_a_chain_without_joints_is_a_pose():
    pose = mk.SE3(mk.SO3.from_rpy(0.1, 0.2, 0.3), (1, 2, 3))
    chain = mk.SerialChain.from_joints([mk.Joint.fixed("flange", pose)])
    assert chain.n == 0
    assert np.allclose(chain.forward([]).matrix(), pose.matrix(), rtol=0, atol=1e-15)
    assert chain.jacobian([]).shape == (6, 0)
    assert chain.joint_positions([]).shape == (1, 3)
