"""C2: configurations of typed values, checked kind by kind before any maths; plain arrays stay as they were."""

from __future__ import annotations

import numpy as np
import pytest

import motionkit as mk
from motionkit.robot import _coordinates

turn, slide = mk.JointPosition.revolute, mk.JointPosition.prismatic
NAMES = ("rail", "base", "shoulder", "elbow", "roll", "bend", "twist")
Q = [0.3, 0.1, -0.9, 1.4, 0.2, 0.8, 0.3]


@pytest.fixture(scope="module")
def arm():
    """A rail under a six-axis arm whose base joint turns without end, and a fixed flange at the end."""
    limits = mk.JointLimits.revolute(-2.9, 2.9, 3.0)
    joints = [
        mk.Joint.prismatic("rail", (0, 1, 0), (0, 0, 0.1), mk.JointLimits.prismatic(-1.0, 1.0, 0.5)),
        mk.Joint.continuous("base", (0, 0, 1), (0, 0, 0.3), mk.JointLimits.continuous(2.0)),
        mk.Joint.revolute("shoulder", (0, 1, 0), (0, 0, 0.6), limits),
        mk.Joint.revolute("elbow", (0, 1, 0), (0, 0, 1.2), limits),
        mk.Joint.revolute("roll", (1, 0, 0), (0.2, 0, 1.3), limits),
        mk.Joint.revolute("bend", (0, 1, 0), (0.7, 0, 1.3), limits),
        mk.Joint.revolute("twist", (1, 0, 0), (0.8, 0, 1.3), limits),
        mk.Joint.fixed("flange", mk.SE3.from_translation((0.9, 0, 1.3))),
    ]
    return mk.SerialChain.from_joints(joints)


def typed(values=Q):
    return [slide(values[0]), *map(turn, values[1:])]


def calls(arm):
    target = arm.forward(Q)
    return {
        "forward": arm.forward,
        "forward, out": lambda q: arm.forward(q, np.empty((4, 4))),
        "jacobian": arm.jacobian,
        "jacobian, out": lambda q: arm.jacobian(q, out=np.empty((6, 7))),
        "link_poses": arm.link_poses,
        "joint_positions": arm.joint_positions,
        "singular_values": arm.singular_values,
        "manipulability": arm.manipulability,
        "inverse": lambda q: arm.inverse(target, q).q,
        "inverse, out": lambda q: arm.inverse(target, q, out=np.empty(7)).q,
        "inverse_near": lambda q: arm.inverse_near(target, q, starts=2).q,
        "differential_inverse": lambda q: arm.differential_inverse(q, [0.01] * 6, damping=0.01),
        "distance": lambda q: arm.distance(q, [0.0] * 7),
        "distance from": lambda q: arm.distance([0.0] * 7, q),
        "steps": lambda q: arm.steps(q, [0.0] * 7),
        "interpolate": lambda q: arm.interpolate(q, [0.0] * 7, 0.3),
        "typed": arm.typed,
    }


def same(a, b):
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b


def forms():
    values = typed()
    return {
        "list": values,
        "tuple": tuple(values),
        "array of objects": np.array(values),
        "by name": dict(zip(NAMES, values, strict=True)),
        "by name, another order": dict(reversed(list(zip(NAMES, values, strict=True)))),
        "angles and lengths": [mk.Length(Q[0]), *map(mk.Angle, Q[1:])],
    }


@pytest.mark.parametrize("form", forms())
def test_typed_values_give_the_bits_of_plain_numbers(arm, form):
    for name, call in calls(arm).items():
        assert same(call(forms()[form]), call(np.array(Q))), name


WRONG = {
    "an angle on the rail": ([turn(0.3), *typed()[1:]], mk.KindMismatch, "rail", r"a prismatic position in m"),
    "an angle, bare": ([mk.Angle(0.3), *typed()[1:]], mk.KindMismatch, "rail", r"got Angle\.from_radians"),
    "a length at the elbow": (
        [*typed()[:3], slide(0.1), *typed()[4:]],
        mk.KindMismatch,
        "elbow",
        "a revolute position",
    ),
    "a velocity": ([*typed()[:6], mk.JointVelocity.revolute(1.0)], mk.KindMismatch, "twist", "revolute velocity"),
    "fixed in a slot": (
        [*typed()[:6], mk.JointPosition.fixed()],
        mk.KindMismatch,
        "twist",
        "does not move .* leave it",
    ),
    "plain among typed": (
        [*typed()[:4], 0.2, *typed()[5:]],
        mk.KindMismatch,
        "roll",
        r"say JointPosition.revolute\(0.2",
    ),
    "wrong by name": (dict(zip(NAMES, [turn(0.3), *typed()[1:]], strict=True)), mk.KindMismatch, "rail", "prismatic"),
    "fixed joints too": (
        [*typed(), mk.JointPosition.fixed()],
        mk.WrongLength,
        None,
        "1 of them fixed: .* leave it out",
    ),
    "one too few": (typed()[:6], mk.WrongLength, None, "expected 7 values, for rail, base"),
    "no such joint": ({"rial": slide(0.1)}, mk.UnknownName, None, "did you mean 'rail'"),
    "far away": ([*typed()[:6], turn(2e6)], mk.JointLimitViolated, "twist", "take off whole turns"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_named_before_any_maths(arm, wrong, monkeypatch):
    """C2: no kernel has run when the error comes."""
    q, error, joint, says = WRONG[wrong]
    every = calls(arm)
    for module in (mk.kernels.chain, mk.kernels.inverse, mk.kernels.joint_space):
        for name, value in vars(module).items():
            if isinstance(value, mk.kernels._contract.Kernel):
                monkeypatch.setattr(module, name, forbidden)
    with pytest.raises(AssertionError, match="a kernel ran"):
        arm.forward(typed())  # the control: nothing is wrong, and a kernel runs
    for call in every.values():
        with pytest.raises(error, match=says) as caught:
            call(q)
        if joint is not None:
            assert caught.value.joint == joint


def forbidden(*_):
    raise AssertionError("a kernel ran")


def test_velocities_are_typed_too(arm):
    """C3: where velocities belong, positions do not."""
    speeds = [mk.JointVelocity.from_coordinate(p, 0.5) for p in typed()]
    assert np.array_equal(arm.drift(typed(), speeds), arm.drift(Q, [0.5] * 7))
    with pytest.raises(mk.KindMismatch, match="qd: joint 'rail': expected a prismatic velocity in m/s"):
        arm.drift(typed(), typed())


def test_a_plain_array_is_passed_on_as_it_is(arm):
    """C2: the fast path looks at the type of the array first, and at no value's kind."""
    q = np.array(Q)
    assert _coordinates.vector(q, arm.axes) is q
    assert arm.vector(q) is q


def test_the_whole_robot_takes_typed_values_too(examples):
    model = mk.RobotModel.six_axis_example()
    q = [0.1, -0.9, 1.4, 0.2, 0.8, 0.3]
    assert model.link_poses([turn(x) for x in q]) == model.link_poses(q)
    with pytest.raises(mk.KindMismatch, match=f"joint '{model.joint_names[0]}'"):
        model.link_poses([slide(0.1), *map(turn, q[1:])])


def test_typed_gives_back_what_it_takes(arm):
    assert list(arm.typed(Q)) == typed() == list(arm.typed(typed()))
    assert [v.to_data() for v in arm.typed(Q)][:2] == [{"prismatic": 0.3}, {"revolute": 0.1}]


def test_a_follower_takes_no_slot_and_the_leader_says_the_kind():
    """A finger that slides while a motor turns: the coordinate is the motor's angle."""
    text = (
        '<robot name="r"><link name="a"/><link name="b"/><link name="c"/>'
        '<joint name="motor" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="1" velocity="2" effort="3"/></joint>'
        '<joint name="finger" type="prismatic"><parent link="b"/><child link="c"/>'
        '<mimic joint="motor" multiplier="0.1"/><limit lower="-1" upper="1" velocity="2" effort="3"/></joint></robot>'
    )
    chain = mk.SerialChain.from_urdf(text)
    assert chain.forward([turn(0.5)]) == chain.forward([0.5])
    with pytest.raises(mk.KindMismatch, match="joint 'motor'"):
        chain.forward([slide(0.05)])
