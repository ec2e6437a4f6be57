"""B1: joints by axis and point, and chains of them, against products of SciPy's matrix exponentials."""

import math
import pickle

import numpy as np
import pytest
from scipy.linalg import expm

import motionkit as mk

TURN = mk.JointLimits.revolute(-3.0, 3.0, 1.0)
SLIDE = mk.JointLimits.prismatic(-1.0, 1.0, 1.0)


def twist_matrix(joint):
    """The 4 by 4 matrix whose exponential is the joint's motion in base axes."""
    a, p = np.array(joint.axis), np.array(joint.point)
    m = np.zeros((4, 4))
    if joint.kind == "prismatic":
        m[:3, 3] = a
    else:
        m[:3, :3] = [[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]]
        m[:3, 3] = -np.cross(a, p)
    return m


def random_joints(rng, count):
    """Joints of all kinds with axes in any direction."""
    joints = []
    for i in range(count):
        axis, point, name = rng.normal(size=3), rng.uniform(-1, 1, 3), f"q{i}"
        kind = rng.integers(4)
        if kind == 0:
            joints.append(mk.Joint.prismatic(name, axis, point, SLIDE))
        elif kind == 1:
            joints.append(mk.Joint.continuous(name, axis, point))
        elif kind == 2:
            joints.append(mk.Joint.fixed(name, mk.SE3.random(rng)))
        else:
            joints.append(mk.Joint.revolute(name, axis, point, TURN))
    return joints


@pytest.mark.parametrize("seed", range(8))
def test_from_joints_is_the_product_of_exponentials(seed):
    rng = np.random.default_rng(seed)
    joints = random_joints(rng, 7)
    home = mk.SE3.random(rng)
    chain = mk.SerialChain.from_joints([*joints, mk.Joint.fixed("flange", home)])
    moving = [joint for joint in joints if joint.kind != "fixed"]
    assert chain.joint_names == tuple(joint.name for joint in moving)
    for _ in range(20):
        q = rng.uniform(-3, 3, chain.n)
        expected = np.eye(4)
        for joint, x in zip(moving, q, strict=True):
            expected = expected @ expm(twist_matrix(joint) * x)
        # SciPy's exponential is good to about 1e-15 a factor; lengths reach 10 m
        assert np.allclose(chain.forward(q).matrix(), expected @ home.matrix(), rtol=0, atol=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_any_chain_is_rebuilt_from_its_own_axes(seed):
    rng = np.random.default_rng(40 + seed)
    chain = mk.SerialChain.from_joints(random_joints(rng, 6), tool=mk.SE3.random(rng))
    again = mk.SerialChain.from_joints([*chain.joints, mk.Joint.fixed("tip", chain.forward(np.zeros(chain.n)))])
    Q = rng.uniform(-3, 3, (50, chain.n))
    assert np.allclose(again.forward_batch(Q), chain.forward_batch(Q), rtol=0, atol=1e-14)


def test_a_point_anywhere_on_the_axis_gives_the_same_motion():
    joints = [mk.Joint.revolute("a", (1, 2, 2), (0.1, 0.2, 0.3), TURN)]
    slid = [mk.Joint.revolute("a", (1, 2, 2), (1.1, 2.2, 2.3), TURN)]
    home = mk.SE3.from_translation((1, 0, 0))
    flange = mk.Joint.fixed("flange", home)
    one, other = (mk.SerialChain.from_joints([*j, flange]).forward([0.7]).matrix() for j in (joints, slid))
    assert np.allclose(one, other, rtol=0, atol=1e-15)


def test_left_out_tool_and_fixed_joints_say_where_the_tip_is():
    turn = mk.Joint.revolute("a", (0, 0, 1), (0.2, 0, 0), TURN)
    assert mk.SerialChain.from_joints([turn]).forward([0.0]).translation.tolist() == [0.2, 0, 0]
    flange = mk.SE3(mk.SO3.from_rpy(0.1, 0.2, 0.3), (0.5, 0.1, 0.0))
    chain = mk.SerialChain.from_joints([turn, mk.Joint.fixed("flange", flange)])
    assert chain.n == 1
    assert chain.tip == "flange"
    assert np.allclose(chain.forward([0.0]).matrix(), flange.matrix(), rtol=0, atol=1e-15)
    # a tool comes after whatever the flange is, as with_tool puts it
    tool = mk.SE3(mk.SO3.from_rpy(-0.3, 0.1, 0.7), (0.0, 0.1, 0.2))
    for joints in ([turn], [turn, mk.Joint.fixed("flange", flange)]):
        bare = mk.SerialChain.from_joints(joints)
        assert mk.SerialChain.from_joints(joints, tool=tool) == bare.with_tool(tool)
        assert np.allclose(
            mk.SerialChain.from_joints(joints, tool=tool).forward([0.4]).matrix(),
            (bare.forward([0.4]) * tool).matrix(),
            rtol=0,
            atol=1e-15,
        )


def test_axes_are_normalised_and_coordinate_axes_stay_exact():
    assert mk.Joint.revolute("a", (0, 0, -7), (0, 0, 0), TURN).axis == (0.0, 0.0, -1.0)
    assert mk.Joint.revolute("a", (3, 0, 4), (0, 0, 0), TURN).axis == pytest.approx((0.6, 0.0, 0.8), abs=1e-16)
    tiny = mk.Joint.prismatic("a", (1e-200, 1e-200, 0), (0, 0, 0), SLIDE).axis
    assert tiny == pytest.approx((math.sqrt(0.5), math.sqrt(0.5), 0.0), abs=2.3e-16)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1)])
def test_coordinate_axes_give_exact_models(axis):
    """An arm along the coordinate axes holds zeros and ones only: no rounding before the first turn."""
    joint = mk.Joint.revolute("a", axis, (0, 0, 0), TURN)
    values = mk.SerialChain.from_joints([joint]).kernel_model.array
    assert set(np.abs(values).tolist()) <= {0.0, 1.0}


@pytest.mark.parametrize("make", [mk.Joint.revolute, mk.Joint.prismatic, mk.Joint.continuous])
def test_bad_axes_and_points_are_refused_with_the_name(make):
    limits = {"revolute": TURN, "prismatic": SLIDE, "continuous": mk.JointLimits.continuous()}[make.__name__]
    with pytest.raises(mk.DegenerateGeometry, match="'elbow': the axis is zero"):
        make("elbow", (0, 0, 0), (0, 0, 0), limits)
    with pytest.raises(mk.NotFinite, match="'elbow': axis"):
        make("elbow", (0, math.nan, 1), (0, 0, 0), limits)
    with pytest.raises(mk.NotFinite, match="'elbow': point"):
        make("elbow", (0, 0, 1), (0, math.inf, 0), limits)
    with pytest.raises(mk.WrongLength, match="three numbers, got 2"):
        make("elbow", (0, 1), (0, 0, 0), limits)
    with pytest.raises(mk.KindMismatch, match="'elbow': axis"):
        make("elbow", "up!", (0, 0, 0), limits)
    with pytest.raises(mk.KindMismatch, match="'elbow'") as info:
        make("elbow", (0, 0, 1), (0, 0, 0), mk.JointLimits.fixed())
    assert info.value.joint == "elbow"


def test_a_fixed_joint_needs_a_pose():
    with pytest.raises(mk.KindMismatch, match="SE3"):
        mk.Joint.fixed("flange", np.eye(4))


def test_two_joints_of_one_name_are_refused():
    joint = mk.Joint.revolute("a", (0, 0, 1), (0, 0, 0), TURN)
    with pytest.raises(mk.InvalidModel, match="a occurs twice"):
        mk.SerialChain.from_joints([joint, joint])


def test_inertias_must_be_as_many_as_joints():
    joint = mk.Joint.revolute("a", (0, 0, 1), (0, 0, 0), TURN)
    with pytest.raises(mk.WrongLength, match="each of the 1 joints"):
        mk.SerialChain.from_joints([joint], inertias=[])


def test_joints_and_chains_are_values():
    joint = mk.Joint.revolute("a", (0, 0, 1), (0, 0, 0.5), TURN)
    assert pickle.loads(pickle.dumps(joint)) == joint
    chain = mk.SerialChain.from_joints([joint])
    again = pickle.loads(pickle.dumps(chain))
    assert again == chain
    assert hash(again) == hash(chain)
    assert again != chain.with_tool(mk.SE3.from_translation((0, 0, 1)))
    assert "n = 1: a (revolute)" in repr(chain)
