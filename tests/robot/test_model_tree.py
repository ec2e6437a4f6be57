"""A robot as a tree: its order, its leaves, and chains between any two links."""

import numpy as np
import pytest

import motionkit as mk


def tree(*joints):
    """A robot of continuous joints about z and fixed ones, each 1 m along x: (kind, parent, child)."""
    names = dict.fromkeys(name for _, *ends in joints for name in ends)
    links = "".join(f'<link name="{name}"/>' for name in names)
    parts = "".join(
        f'<joint name="{parent}-{child}" type="{kind}"><origin xyz="1 0 0"/><axis xyz="0 0 1"/>'
        f'<parent link="{parent}"/><child link="{child}"/></joint>'
        for kind, parent, child in joints
    )
    return f'<robot name="tree">{links}{parts}</robot>'


TWO_ARMS = tree(
    ("continuous", "torso", "head"),
    ("continuous", "base", "torso"),
    ("continuous", "torso", "left"),
    ("continuous", "left", "left_hand"),
    ("fixed", "left_hand", "left_tip"),
    ("continuous", "torso", "right"),
    ("continuous", "right", "right_hand"),
    ("continuous", "right_hand", "right_tip"),
)


def test_joints_come_after_what_carries_them_else_as_in_the_file():
    model = mk.RobotModel.from_urdf(TWO_ARMS)
    assert model.root == "base"
    assert [joint.child for joint in model.joints][:3] == ["torso", "head", "left"]
    assert [link.name for link in model.links][:3] == ["torso", "head", "base"]
    assert model.leaves == ("head", "left_tip", "right_tip")
    for joint, parent in zip(model.joints, model.parent_indices, strict=True):
        assert (parent == -1) == (joint.parent == "base")
        assert parent == -1 or model.joints[parent].child == joint.parent
    assert list(model.parent_indices) == [-1, 0, 0, 2, 3, 0, 5, 6]


def test_the_default_tip_is_the_leaf_with_the_most_moving_joints():
    model = mk.RobotModel.from_urdf(TWO_ARMS)
    assert model.chain().tip == "right_tip"
    assert model.chain(base="left").tip == "left_tip"
    assert model.chain(base="left").joint_names == ("left-left_hand",)
    assert model.chain(base="right_tip").n == 0


def test_a_tie_lists_the_leaves():
    with pytest.raises(mk.UnknownName, match=r"2 leaves below 'base' have 2 moving .* pass tip=, one of a, b"):
        mk.SerialChain.from_urdf(
            tree(("continuous", "base", "x"), ("continuous", "x", "a"), ("continuous", "x", "b"), ("fixed", "x", "c"))
        )


def test_leaves_on_fixed_joints_of_one_flange_are_a_tie_too(robot_files):
    path = robot_files / "ur_description/urdf/ur5_robot.urdf"
    with pytest.raises(mk.UnknownName, match="one of ee_link, tool0"):
        mk.SerialChain.from_urdf(path)
    assert mk.SerialChain.from_urdf(path, tip="tool0").n == 6


def test_unknown_links_are_refused_with_the_nearest():
    model = mk.RobotModel.from_urdf(TWO_ARMS)
    for arguments in ({"base": "bsae"}, {"tip": "bsae"}):
        with pytest.raises(mk.UnknownName, match="no link 'bsae': did you mean 'base'") as info:
            model.chain(**arguments)
        assert info.value.name == "bsae"
    with pytest.raises(mk.UnknownName):
        model.link("nose")


def test_a_chain_upwards_is_the_inverse_of_the_chain_downwards():
    model = mk.RobotModel.from_urdf(TWO_ARMS)
    down, up = model.chain("base", "right_tip"), model.chain("right_tip", "base")
    assert up.joint_names == down.joint_names[::-1]
    for q in np.random.default_rng(6).uniform(-3, 3, (20, down.n)):
        assert np.allclose(up.forward(q[::-1]).matrix(), down.forward(q).inverse().matrix(), rtol=0, atol=1e-14)


def test_a_chain_across_branches_leaves_out_what_they_share():
    model = mk.RobotModel.from_urdf(TWO_ARMS)
    across = model.chain("left_tip", "right_hand")
    assert across.joint_names == ("left-left_hand", "torso-left", "torso-right", "right-right_hand")
    assert (across.base, across.tip) == ("left_tip", "right_hand")
    assert across.link_names == ("left_tip", "left_hand", "left", "torso", "right", "right_hand")
    whole = model.chain("base", "left_tip"), model.chain("base", "right_hand")
    for q in np.random.default_rng(7).uniform(-3, 3, (20, 4)):
        # any value of the shared joint gives the same
        left = whole[0].forward({"base-torso": 0.4, "torso-left": q[1], "left-left_hand": q[0]})
        right = whole[1].forward({"base-torso": 0.4, "torso-right": q[2], "right-right_hand": q[3]})
        assert np.allclose(across.forward(q).matrix(), (left.inverse() * right).matrix(), rtol=0, atol=1e-14)
        poses = across.link_poses(q)
        assert np.allclose(
            (
                left.inverse()
                * whole[0].link_poses({"base-torso": 0.4, "torso-left": q[1], "left-left_hand": q[0]})["torso"]
            ).matrix(),
            poses["torso"].matrix(),
            rtol=0,
            atol=1e-14,
        )


def test_a_chain_to_its_own_base_is_the_identity():
    chain = mk.RobotModel.from_urdf(TWO_ARMS).chain("torso", "torso")
    assert chain.n == 0
    assert chain.forward([]) == mk.SE3.identity()


def test_chains_share_what_the_model_knows():
    model = mk.RobotModel.six_axis_example()
    chain = model.chain()
    assert all(a is b.limits for a, b in zip(chain.limits, model.joints, strict=False))
    assert chain.segments[0].inertia is model.link("link1").inertia


def test_a_model_made_by_hand_must_be_a_tree():
    model = mk.RobotModel.from_urdf(TWO_ARMS)
    with pytest.raises(mk.InvalidModel, match="after the joint that carries"):
        mk.RobotModel("r", model.links, model.joints[::-1])
    with pytest.raises(mk.InvalidModel, match="roots are base, head"):
        mk.RobotModel("r", model.links, model.joints[:1] + model.joints[2:])
    with pytest.raises(mk.InvalidModel, match="occurs twice"):
        mk.RobotModel("r", (*model.links, model.links[0]), model.joints)
    with pytest.raises(mk.InvalidModel, match="does not fit"):
        mk.RobotModel("r", tuple(link for link in model.links if link.name != "head"), model.joints)


def test_a_robot_of_one_link_is_a_robot():
    model = mk.RobotModel.from_urdf('<robot name="r"><link name="only"/></robot>')
    assert (model.root, model.leaves) == ("only", ("only",))
    assert model.chain().n == 0


def test_one_branch_of_a_humanoid_is_a_chain(robot_files):
    model = mk.RobotModel.from_urdf(robot_files / "talos_data/robots/talos_full_v2.urdf")
    leg = model.chain("base_link", "left_sole_link")
    assert leg.joint_names == tuple(f"leg_left_{i}_joint" for i in range(1, 7))
    finger = model.chain("gripper_left_base_link", next(leaf for leaf in model.leaves if "left_fingertip_1" in leaf))
    assert finger.joint_names == ("gripper_left_joint",)
    assert len(finger.moving) > 1  # the others follow
