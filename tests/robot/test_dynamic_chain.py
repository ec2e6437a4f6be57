"""D5, D6: what a chain with masses consists of: payloads, tools, rotors, friction, what hangs beside it, refusals."""

import copy
import pickle

import numpy as np
import pytest

import motionkit as mk

Q, QD, QDD = np.array(
    [[0.2, -0.9, 1.3, 0.4, 0.7, -0.3], [0.5, -1.0, 0.8, 1.2, -0.7, 2.0], [1.0, 2.0, -3.0, 4.0, 1.5, 0.2]]
)
STILL = np.zeros(6)
ROD = mk.LinkInertia.cylinder(2.0, 0.02, (0, 0, 0), (0.5, 0, 0))


@pytest.fixture(scope="module")
def arm():
    return mk.DynamicChain.six_axis_example()


# ---- payload and tool
def test_a_payload_taken_away_leaves_every_bit(arm):
    """D6."""
    loaded = arm.with_payload(3.0, (0.01, 0.0, 0.1), np.diag([0.01, 0.02, 0.015]))
    assert (loaded.inverse_dynamics(Q, QD, QDD) != arm.inverse_dynamics(Q, QD, QDD)).any()
    for back in (loaded.without_payload(), loaded.with_payload(0.0, (0, 0, 0))):
        assert back == arm
        assert back.dynamic_model.values == arm.dynamic_model.values
        assert back.inverse_dynamics(Q, QD, QDD).tobytes() == arm.inverse_dynamics(Q, QD, QDD).tobytes()


def test_a_payload_of_nothing_changes_nothing(arm):
    same = arm.with_payload(0.0, (0.3, 0.2, 0.1))
    assert same == arm
    assert same.payload is None
    assert same.mass_matrix(Q).tobytes() == arm.mass_matrix(Q).tobytes()


def test_a_payload_weighs_at_the_tool(arm):
    """Virtual work: its weight times how fast its centre of mass sinks, by the Jacobian of a tool put there."""
    tool = mk.SE3(mk.SO3.from_rpy(0.3, -0.5, 0.8), (0.05, -0.02, 0.15))
    centre = (0.02, 0.03, 0.1)
    with_tool = arm.with_tool(tool)
    extra = with_tool.with_payload(2.0, centre).gravity_torque(Q) - with_tool.gravity_torque(Q)
    there = arm.with_tool(tool * mk.SE3.from_translation(centre))
    J = there.jacobian(Q)
    assert np.abs(extra - J[:3].T @ [0.0, 0.0, 2.0 * 9.81]).max() < 1e-13
    # and its inertia is J^T M J about that point
    tensor = np.array([[0.03, 0.004, 0.0], [0.004, 0.02, 0.001], [0.0, 0.001, 0.025]])
    R = there.forward(Q).rotation.matrix()
    more = with_tool.with_payload(2.0, centre, tensor).mass_matrix(Q) - with_tool.mass_matrix(Q)
    assert np.abs(more - (2.0 * J[:3].T @ J[:3] + J[3:].T @ R @ tensor @ R.T @ J[3:])).max() < 1e-14


def test_a_tool_with_mass_enters_and_leaves(arm):
    """B10."""
    body = mk.LinkInertia(1.2, (0, 0, 0.06), np.diag([1e-3, 1e-3, 5e-4]))
    pose = mk.SE3.from_translation((0, 0, 0.125))
    tooled = arm.with_tool(pose, body)
    assert tooled.tool_inertia == body
    as_payload = arm.with_payload(body.mass, body.com, body.matrix())  # at the flange, when there is no tool
    assert np.abs(tooled.gravity_torque(Q) - as_payload.gravity_torque(Q)).max() < 1e-14
    assert arm.with_tool(pose).gravity_torque(Q).tobytes() == arm.gravity_torque(Q).tobytes()
    assert np.allclose(
        tooled.forward(Q).matrix(), mk.SerialChain.six_axis_example().with_tool(pose).forward(Q).matrix()
    )


def test_an_impossible_payload_is_refused(arm):
    with pytest.raises(mk.InvalidInertia, match="sum of the other two"):
        arm.with_payload(1.0, (0, 0, 0), np.diag([1.0, 0.1, 0.1]))
    with pytest.raises(mk.InvalidInertia, match="positive mass"):
        arm.with_payload(-1.0, (0, 0, 0))
    with pytest.raises(mk.KindMismatch, match="LinkInertia"):
        arm.with_tool(mk.SE3.identity(), 2.0)


# ---- motors
def test_rotors_are_on_the_diagonal(arm):
    rotors, ratio = np.array([1e-4, 2e-4, 1e-4, 5e-5, 5e-5, 2e-5]), np.array([100.0, 120.0, 100.0, 80.0, 80.0, 50.0])
    geared = arm.with_rotor_inertia(rotors, ratio)
    felt = rotors * ratio**2
    assert np.abs(geared.mass_matrix(Q) - arm.mass_matrix(Q) - np.diag(felt)).max() < 1e-15
    extra = geared.inverse_dynamics(Q, QD, QDD) - arm.inverse_dynamics(Q, QD, QDD)
    assert np.abs(extra - felt * QDD).max() < 1e-13
    assert np.abs(geared.forward_dynamics(Q, QD, geared.inverse_dynamics(Q, QD, QDD)) - QDD).max() < 1e-13
    gained = geared.kinetic_energy(Q, QD) - arm.kinetic_energy(Q, QD)
    assert gained == pytest.approx(0.5 * felt @ QD**2, rel=1e-12)
    assert geared.with_rotor_inertia([0.0] * 6).inverse_dynamics(Q, QD, QDD).tolist() == (
        arm.inverse_dynamics(Q, QD, QDD).tolist()
    )


def test_friction_is_against_the_motion_and_nothing_at_rest(arm):
    viscous, coulomb = np.arange(1.0, 7.0), np.arange(2.0, 8.0)
    rubbing = arm.with_friction(viscous, coulomb)
    extra = rubbing.inverse_dynamics(Q, QD, QDD) - arm.inverse_dynamics(Q, QD, QDD)
    assert np.abs(extra - (viscous * QD + coulomb * np.sign(QD))).max() < 1e-13
    assert rubbing.inverse_dynamics(Q, STILL, QDD).tolist() == arm.inverse_dynamics(Q, STILL, QDD).tolist()
    # 19 N m at the wrist, rounded, over 3e-4 kg m^2
    assert np.abs(rubbing.forward_dynamics(Q, QD, rubbing.inverse_dynamics(Q, QD, QDD)) - QDD).max() < 2e-11
    assert rubbing.gravity_torque(Q).tolist() == arm.gravity_torque(Q).tolist()


def test_continuous_friction_has_no_jump(arm):
    """At the stated speed 1 / sqrt(2) of it; across rest it moves by its slope, where the jump has 2 N m."""
    smooth, jumps = (arm.with_friction([0.0] * 6, [1.0] * 6, coulomb_speed=s) for s in (0.01, 0.0))

    def share(chain, v):
        return (chain.bias_torque(Q, [v] * 6) - arm.bias_torque(Q, [v] * 6))[2]

    assert share(smooth, 0.01) == pytest.approx(np.sqrt(0.5), abs=1e-12)
    assert share(smooth, 1e-6) - share(smooth, -1e-6) == pytest.approx(2e-4, rel=1e-6)
    assert share(jumps, 1e-6) - share(jumps, -1e-6) == pytest.approx(2.0, rel=1e-12)
    by_qd = (
        smooth.inverse_dynamics_derivatives(Q, 0.01 * QD, STILL)[1]
        - (arm.inverse_dynamics_derivatives(Q, 0.01 * QD, STILL)[1])
    )
    h = 1e-7
    rise = [share_of(smooth, arm, 0.01 * QD + h * e) - share_of(smooth, arm, 0.01 * QD - h * e) for e in np.eye(6)]
    assert np.abs(np.diag(by_qd) - [r[k] / (2 * h) for k, r in enumerate(rise)]).max() < 1e-5


def share_of(chain, plain, qd):
    return chain.bias_torque(Q, qd) - plain.bias_torque(Q, qd)


def test_motors_by_name_and_their_refusals(arm):
    named = dict(zip(arm.joint_names, range(1, 7), strict=True))
    assert arm.with_friction(named).viscous_friction.tolist() == [1, 2, 3, 4, 5, 6]
    with pytest.raises(mk.UnknownName, match="j7"):
        arm.with_friction({**named, "j7": 1.0})
    with pytest.raises(mk.InvalidSetting, match="'j3'"):
        arm.with_rotor_inertia([0, 0, -1, 0, 0, 0])
    with pytest.raises(mk.InvalidSetting, match="coulomb_speed"):
        arm.with_friction([0] * 6, [1] * 6, coulomb_speed=np.nan)
    with pytest.raises(mk.NotFinite):
        arm.with_gravity((0, 0, np.inf))
    with pytest.raises(mk.WrongLength, match="3 numbers"):
        arm.with_gravity(-9.81)


# ---- as every other call of a chain
def test_outputs_are_filled_and_may_be_inputs(arm):
    tau, M = np.empty(6), np.empty((6, 6))
    assert arm.inverse_dynamics(Q, QD, QDD, out=tau) is tau
    assert arm.mass_matrix(Q, out=M) is M
    for place in range(3):
        given = [Q.copy(), QD.copy(), QDD.copy()]
        assert arm.inverse_dynamics(*given, out=given[place]).tolist() == tau.tolist()
        given = [Q.copy(), QD.copy(), tau.copy()]
        assert arm.forward_dynamics(*given, out=given[place]).tolist() == arm.forward_dynamics(Q, QD, tau).tolist()
    with pytest.raises(mk.WrongLength, match="out"):
        arm.mass_matrix(Q, out=np.empty((6, 5)))


def test_numbers_come_as_arrays_lists_mappings_and_with_units(arm):
    tau = arm.inverse_dynamics(Q, QD, QDD)
    named = [dict(zip(arm.joint_names, row.tolist(), strict=True)) for row in (Q, QD, QDD)]
    assert arm.inverse_dynamics(*named).tolist() == tau.tolist()
    typed = [
        [mk.JointPosition.revolute(mk.Angle.from_radians(x)) for x in Q],
        [mk.JointVelocity.from_coordinate(mk.JointPosition.revolute(mk.Angle.from_radians(0.0)), x) for x in QD],
        [mk.JointAcceleration.from_coordinate(mk.JointPosition.revolute(mk.Angle.from_radians(0.0)), x) for x in QDD],
    ]
    assert arm.inverse_dynamics(*typed).tolist() == tau.tolist()
    efforts = dict(zip(reversed(arm.joint_names), reversed(tau.tolist()), strict=True))
    assert np.abs(arm.forward_dynamics(Q, QD, efforts) - QDD).max() < 1e-12


def test_what_is_wrong_is_said(arm):
    with pytest.raises(mk.WrongLength, match="qd"):
        arm.inverse_dynamics(Q, QD[:5], QDD)
    with pytest.raises(mk.NotFinite, match="qdd: joint 'j2'"):
        arm.inverse_dynamics(Q, QD, [0, np.nan, 0, 0, 0, 0])
    with pytest.raises(mk.NotFinite, match="tau: joint 'j1'"):
        arm.forward_dynamics(Q, QD, [np.inf, 0, 0, 0, 0, 0])
    with pytest.raises(mk.WrongLength, match="tau"):
        arm.forward_dynamics(Q, QD, {"j1": 0.0})
    with pytest.raises(mk.WrongLength, match="as many rows"):
        arm.inverse_dynamics_batch(np.zeros((3, 6)), np.zeros((2, 6)), np.zeros((3, 6)))


def test_batches_have_the_bits_of_loops(arm):
    chain = arm.with_friction([0.5] * 6, [1.0] * 6).with_rotor_inertia([0.1] * 6)
    states = np.random.default_rng(3).uniform(-2, 2, (3, 40, 6))
    many = chain.inverse_dynamics_batch(*states, threads=2)
    assert many.tobytes() == np.array([chain.inverse_dynamics(*row) for row in zip(*states, strict=True)]).tobytes()
    bias = chain.bias_torque_batch(*states[:2])
    assert bias.tobytes() == np.array([chain.bias_torque(*row) for row in zip(*states[:2], strict=True)]).tobytes()
    masses = chain.mass_matrix_batch(states[0])
    assert masses.tobytes() == np.array([chain.mass_matrix(q) for q in states[0]]).tobytes()
    matrices = chain.regressor_batch(*states)
    assert matrices.tobytes() == np.array([chain.regressor(*row) for row in zip(*states, strict=True)]).tobytes()
    assert chain.inverse_dynamics_batch(*states[:, :0]).shape == (0, 6)


def test_it_is_a_value(arm):
    loaded = arm.with_payload(1.0, (0, 0, 0.1)).with_friction([1.0] * 6, [2.0] * 6).with_gravity((0, 9.81, 0))
    for same in (pickle.loads(pickle.dumps(loaded)), copy.deepcopy(loaded)):
        assert same == loaded
        assert hash(same) == hash(loaded)
        assert same.inverse_dynamics(Q, QD, QDD).tolist() == loaded.inverse_dynamics(Q, QD, QDD).tolist()
    assert loaded != arm
    assert loaded != mk.SerialChain.six_axis_example()
    assert loaded.coulomb_friction.tolist() == [2.0] * 6
    assert repr(arm).startswith("DynamicChain 'six_axis_example'")


def test_it_is_a_chain(arm):
    plain = mk.SerialChain.six_axis_example()
    assert arm.forward(Q) == plain.forward(Q)
    assert arm.inverse(arm.forward(Q + 0.1), Q).q == pytest.approx(Q + 0.1, abs=1e-9)
    h = 1e-6
    slope = (arm.jacobian(Q + h * QD) - arm.jacobian(Q - h * QD)) / (2 * h)
    assert np.abs(arm.jacobian_derivative(Q, QD) - slope).max() < 1e-8
    assert np.abs(arm.jacobian_derivative(Q, QD) @ QD - arm.drift(Q, QD)).max() < 1e-13


def test_an_arm_that_cannot_move():
    fixed = mk.SerialChain.from_joints([mk.Joint.fixed("f", mk.SE3.identity())]).with_inertias([ROD])
    assert fixed.n == 0
    assert fixed.inverse_dynamics([], [], []).shape == (0,)
    assert fixed.mass_matrix([]).shape == (0, 0)
    assert fixed.potential_energy([]) == 0.0


# ---- inertias
def test_inertias_one_for_each_joint_or_by_name():
    limits = mk.JointLimits.revolute(-3, 3, 1)
    joints = [
        mk.Joint.revolute("a", (0, 0, 1), (0, 0, 0), limits),
        mk.Joint.fixed("hub", mk.SE3.from_translation((0.1, 0, 0))),
        mk.Joint.revolute("b", (0, 0, 1), (0.5, 0, 0), limits),
    ]
    chain = mk.SerialChain.from_joints(joints)
    with pytest.raises(mk.InvalidInertia, match="link 'b'"):
        chain.with_inertias()
    one_each = chain.with_inertias([ROD, ROD])
    assert one_each == chain.with_inertias([ROD, None, ROD]) == chain.with_inertias({"a": ROD, "b": ROD})
    heavier = one_each.with_inertias({"hub": ROD})
    # the hub hangs 0.1 m out: 2 kg about axis a more, by the parallel axis
    more = heavier.mass_matrix([0.0, 0.0])[0, 0] - one_each.mass_matrix([0.0, 0.0])[0, 0]
    assert more == pytest.approx(ROD.inertia[2][2] + 2.0 * 0.35**2, rel=1e-14)
    with pytest.raises(mk.WrongLength, match="2 moving joints, or for each of all 3"):
        chain.with_inertias([ROD])
    with pytest.raises(mk.UnknownName, match="'c'"):
        chain.with_inertias({"c": ROD})
    with pytest.raises(mk.KindMismatch, match="LinkInertia"):
        chain.with_inertias([2.0, 3.0])


def robot(wrist="", side=""):
    """Two links in a row, a box fixed beside the first, and a wrist of two links behind the second."""
    body = (
        '<inertial><origin xyz="0.1 0 0.02" rpy="0.2 0 0"/><mass value="2"/>'
        '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0.001" izz="0.015"/></inertial>'
    )
    joint = (
        '<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/><origin xyz="0.3 0 0.1" rpy="0 0.3 0"/>'
        '<axis xyz="{}"/><limit lower="-2" upper="2" velocity="1" effort="9"/>{}</joint>'
    )
    return (
        f'<robot name="r"><link name="base">{body}</link><link name="one">{body}</link><link name="box">{body}</link>'
        f'<link name="two">{body}</link><link name="three">{wrist}</link><link name="four">{body}</link>'
        + joint.format("j1", "revolute", "base", "one", "0 0 1", "")
        + joint.format("box", "fixed", "one", "box", "1 0 0", "")
        + joint.format("j2", "prismatic", "one", "two", "0 1 0", "")
        + joint.format("j3", "revolute", "two", "three", "1 0 0", "")
        + joint.format("j4", "continuous", "three", "four", "0 1 0", side)
        + "</robot>"
    )


def test_what_is_fixed_to_the_chain_moves_with_it():
    """A box beside the chain, a base that does not count, and joints behind the tip held at zero or elsewhere."""
    text = robot()
    whole = mk.DynamicTree.from_urdf(text)
    chain = mk.DynamicChain.from_urdf(text, tip="two")
    assert chain.joint_names == ("j1", "j2")
    assert [part.segment.link for part in chain.beside] == ["box", "three", "four"]
    q, qd, qdd = np.array([[0.4, 0.3], [1.0, -0.5], [2.0, 1.0]])
    rest = np.zeros(2)
    full = whole.inverse_dynamics([*q, *rest], [*qd, *rest], [*qdd, *rest])
    assert np.abs(chain.inverse_dynamics(q, qd, qdd) - full[:2]).max() < 1e-13
    bent = mk.DynamicChain.from_urdf(text, tip="two", held={"j3": 0.7, "j4": -0.4})
    full = whole.inverse_dynamics([*q, 0.7, -0.4], [*qd, *rest], [*qdd, *rest])
    assert np.abs(bent.inverse_dynamics(q, qd, qdd) - full[:2]).max() < 1e-13
    with pytest.raises(mk.UnknownName, match="'j2'"):
        mk.DynamicChain.from_urdf(text, tip="two", held={"j2": 0.1})
    with pytest.raises(mk.NotFinite, match="'j4'"):
        mk.DynamicChain.from_urdf(text, tip="two", held={"j4": np.nan})
    # the base may be as impossible as it likes: it does not move
    ghost = text.replace('<link name="base"><inertial>', '<link name="base"><inertial><!-- -->').replace(
        'value="2"', 'value="-2"', 1
    )
    assert mk.DynamicChain.from_urdf(ghost, tip="two").dynamic_model.values == chain.dynamic_model.values


def test_what_follows_the_chain_moves_with_it():
    """A joint beside the chain that follows one on it is not held."""
    text = robot(side='<mimic joint="j1" multiplier="-2" offset="0.3"/>')
    whole = mk.DynamicTree.from_urdf(text, held={"j3": 0.2})
    chain = mk.DynamicChain.from_urdf(text, tip="two", held={"j3": 0.2})
    assert whole.joint_names == chain.joint_names
    q, qd, qdd = np.array([[0.4, 0.3], [1.0, -0.5], [2.0, 1.0]])
    assert chain.inverse_dynamics(q, qd, qdd).tolist() == whole.inverse_dynamics(q, qd, qdd).tolist()
    assert chain.body_names == ("one", "two", "four")
    stiff = mk.DynamicChain.from_urdf(robot(), tip="two", held={"j3": 0.2, "j4": -0.5})
    assert np.abs(chain.mass_matrix(q) - stiff.mass_matrix(q)).max() > 1e-3
    assert np.abs(chain.forward_dynamics(q, qd, chain.inverse_dynamics(q, qd, qdd)) - qdd).max() < 1e-13


def test_a_chain_from_the_hand_to_the_foot_carries_the_foot():
    """Joints passed towards the root: what was the base now moves, with its mass."""
    text = robot()
    back = mk.DynamicChain.from_urdf(text, base="four", tip="base")
    q = np.array([0.3, -0.2, 0.1, 0.4])
    floating = back.with_gravity((0, 0, 0))
    M, still = back.mass_matrix(q), np.zeros(4)
    assert np.abs(M - np.array([floating.inverse_dynamics(q, still, e) for e in np.eye(4)]).T).max() < 1e-14
    assert back.body_names == ("three", "two", "one", "base")
    assert back.inertial_parameters[-1, 0] == 2.0
    assert back.centroidal_momentum(q, still).mass == pytest.approx(8.0)  # base, one, box, two; three is massless


# ---- refusals
def test_a_massless_link_between_others_is_no_harm():
    """A wrist whose middle link has no mass: what hangs on it resists both of its joints."""
    arm = mk.DynamicChain.from_urdf(robot(), tip="four")
    assert np.linalg.eigvalsh(arm.mass_matrix([0.1, 0.2, 0.3, 0.4])).min() > 1e-3


def test_a_massless_end_is_refused_by_name():
    text = robot().replace('<link name="four"><inertial>', '<link name="four"/><link name="x"><inertial>')
    text = text.replace(
        "</robot>", '<joint name="x" type="fixed"><parent link="base"/><child link="x"/></joint></robot>'
    )
    assert mk.RobotModel.from_urdf(text).chain(tip="four").n == 4  # kinematics does not mind
    with pytest.raises(mk.InvalidInertia, match="link 'four': joint 'j4'") as caught:
        mk.DynamicChain.from_urdf(text, tip="four")
    assert caught.value.link == "four"
    model = mk.RobotModel.from_urdf(text)
    given = model.chain(tip="four").with_inertias({"four": ROD})  # and stating it is enough
    assert given.mass_matrix([0.1, 0.2, 0.3, 0.4])[3, 3] > 0.0


def test_a_point_on_its_axis_is_refused():
    """A rod about its own length, and a point on the axis: mass, and nothing about the axis."""
    joint = mk.Joint.revolute("j", (1, 0, 0), (0, 0, 0), mk.JointLimits.revolute(-3, 3, 1))
    chain = mk.SerialChain.from_joints([joint])
    rod = mk.LinkInertia(1.0, (0.5, 0, 0), np.diag([0.0, 0.1, 0.1]))
    point = mk.LinkInertia(1.0, (0.3, 0, 0), np.zeros((3, 3)))
    for body in (rod, point):
        with pytest.raises(mk.InvalidInertia, match="link 'j'"):
            chain.with_inertias([body])
    off_axis = mk.LinkInertia(1.0, (0.3, 0.1, 0), np.zeros((3, 3)))
    assert chain.with_inertias([off_axis]).mass_matrix([0.0]) == pytest.approx(0.01, rel=1e-14)


def test_two_joints_about_one_axis_with_nothing_between():
    """Only the sum of the two matters, so neither has an acceleration of its own; each alone would be fine."""
    limits = mk.JointLimits.revolute(-3, 3, 1)
    joints = [mk.Joint.revolute(name, (0, 0, 1), (0, 0, 0), limits) for name in "ab"]
    with pytest.raises(mk.InvalidInertia, match="link 'a'"):
        mk.SerialChain.from_joints(joints, inertias=[None, ROD]).with_inertias()
