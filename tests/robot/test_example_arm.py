"""B9: the example arm needs no file, has limits and inertias, and works where programs put it."""

import math

import numpy as np

import motionkit as mk

HOME = np.deg2rad([0.0, -60, 90, 0, 60, 0])
DOWN = mk.SO3.from_rpy(math.pi, 0, 0)


def test_home_is_a_work_pose_that_faces_the_floor():
    chain = mk.SerialChain.six_axis_example()
    pose = chain.forward(HOME)
    # 0.43 m at 60 degrees up, 0.38 m at 30 degrees down, 0.09 m straight down, from 0.35 m
    x = 0.43 * 0.5 + 0.38 * math.cos(math.pi / 6)
    z = 0.35 + 0.43 * math.sin(math.pi / 3) - 0.38 * 0.5 - 0.09
    assert np.allclose(pose.translation, [x, 0, z], rtol=0, atol=1e-15)
    assert pose.rotation.angle_to(DOWN) < 1e-15
    assert np.allclose(pose.matrix()[:3, 2], [0, 0, -1], rtol=0, atol=1e-15)
    assert chain.manipulability(HOME) > 0.05


def test_it_stretches_nine_tenths_of_a_metre():
    chain = mk.SerialChain.six_axis_example()
    assert np.allclose(chain.forward(np.zeros(6)).translation, [0.9, 0, 0.35], rtol=0, atol=1e-15)
    Q = np.random.default_rng(3).uniform(chain.lower, chain.upper, (2000, 6))
    away = np.linalg.norm(chain.forward_batch(Q)[:, :3, 3] - [0, 0, 0.35], axis=1)
    assert away.max() <= 0.9 + 1e-12
    assert away.max() > 0.85
    from_centre = np.linalg.norm(chain.forward_batch(Q)[:, :3, 3] - chain.reach_centre, axis=1)
    assert from_centre.max() <= chain.reach


def test_limits_are_complete_and_home_is_inside():
    chain = mk.SerialChain.six_axis_example()
    chain.validate()
    assert chain.joint_names == ("j1", "j2", "j3", "j4", "j5", "j6")
    for limits, q in zip(chain.limits, HOME, strict=True):
        limits.validate(q)
        assert 2.0 <= limits.max_velocity <= 6.0
        assert limits.effort > 0.0


def test_inertias_are_those_of_bodies():
    model = mk.RobotModel.six_axis_example()
    assert model.check() == []
    moved = [link.inertia for link in model.links if link.name.startswith("link")]
    assert len(moved) == 6
    assert all(body.mass > 0.0 and body.principal_moments()[0] > 0.0 for body in moved)


def test_the_wrist_is_spherical():
    """Axes 4, 5 and 6 meet in one point at any configuration: the closest approach of each pair is zero."""
    axes = mk.SerialChain.six_axis_example().joints[3:]
    centre = np.array(axes[1].point)
    for joint in axes:
        away = np.cross(np.array(joint.point) - centre, joint.axis)
        assert np.allclose(away, 0, rtol=0, atol=1e-15)


def test_a_gripper_reaches_the_table_with_the_tool_down():
    chain = mk.SerialChain.six_axis_example().with_tool(mk.SE3.from_translation((0, 0, 0.125)))
    target = mk.SE3(DOWN, (0.45, 0.1, 0.1))
    q = chain.inverse(target, HOME).q
    assert np.allclose(chain.forward(q).matrix(), target.matrix(), rtol=0, atol=2e-9)
    for limits, x in zip(chain.limits, q, strict=True):
        limits.validate(x)


def test_every_call_gives_an_equal_arm():
    assert mk.SerialChain.six_axis_example() == mk.SerialChain.six_axis_example()
    assert isinstance(mk.SerialChain.six_axis_example(), mk.Kinematics)
