"""Kinematic calibration: known errors are found again, with and without noise, and the nominal chain is the control."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import motionkit as mk
from motionkit.calibration import _kinematic_fit as fit
from motionkit.calibration._screw_errors import corrected, frames, terms

DATA = Path(__file__).parents[1] / "data" / "calibration"
TOOL = mk.SE3(mk.SO3.from_rpy(0.1, 0.2, 0.3), (0.08, 0.05, 0.02))
PLACE = mk.SE3(mk.SO3.from_rpy(0.3, 0.2, 2.0), (2.0, 1.0, 0.5))


def chains(robot_files):
    """Arms with a tool beside their last axis: UR5 has three parallel axes, Panda seven."""
    return {
        "example": mk.SerialChain.six_axis_example(),
        "ur5": mk.SerialChain.from_urdf(robot_files / "ur_description" / "urdf" / "ur5_robot.urdf", tip="tool0"),
        "panda": mk.SerialChain.from_urdf(robot_files / "panda_description" / "urdf" / "panda.urdf", tip="panda_link8"),
    }


def real(chain, rng, size=1e-3):
    """The chain as it might be built: every axis off by about 1 mrad and 1 mm, and so the tool."""
    parameters = terms(chain, ("axes", "tool"), (), turned_tool=True)
    return corrected(chain, mk.SE3.identity(), parameters, rng.normal(size=len(parameters)) * size)[0]


def anywhere(chain, rng, count):
    low, high = np.maximum(chain.lower, -2.5), np.minimum(chain.upper, 2.5)
    return rng.uniform(low, high, (count, chain.n))


def measured(chain, Q, rng, noise):
    """Poses in the measuring frame with noise of so many m and rad on each coordinate."""
    return [PLACE * chain.forward(q) * mk.SE3.exp(rng.normal(size=6) * noise) for q in Q]


def distance(found, chain, Q):
    """Root of the mean squared distance of predictions from where the real chain is, m."""
    gaps = [found.predict(q).translation - (PLACE * chain.forward(q)).translation for q in Q]
    return float(np.sqrt(np.mean(np.sum(np.square(gaps), axis=1))))


@pytest.mark.parametrize("name, rank", [("example", 30), ("ur5", 30), ("panda", 34)])
@pytest.mark.parametrize("poses", [True, False])
def test_known_errors_are_found(robot_files, name: str, rank: int, poses: bool) -> None:
    rng = np.random.default_rng(5)
    chain = chains(robot_files)[name].with_tool(TOOL)
    truth = real(chain, rng)
    Q, fresh = anywhere(chain, rng, 40), anywhere(chain, rng, 30)
    clean, noisy = measured(truth, Q, rng, 0.0), measured(truth, Q, rng, 1e-4)
    if not poses:
        clean, noisy = (np.array([T.translation for T in seen]) for seen in (clean, noisy))
    exact = mk.calibrate_kinematics(chain, Q, clean)
    assert exact.rank == (rank if poses else rank - 3)  # 4 an axis, and 6 or 3 of the tool
    assert distance(exact, truth, fresh) < 1e-12  # rounding of a chain of a metre is 1e-15; 1e-12 leaves the condition
    found = mk.calibrate_kinematics(chain, Q, noisy)
    after, before = distance(found, truth, fresh), found.before.position_rms
    assert before > 2e-3  # the control: the nominal chain, placed as well as it can be
    # parameters fitted to as many rows carry the noise of sqrt(3 rank / rows) sigmas of a point, 0.11 or 0.15 mm
    assert after < 3e-4 < before / 5.0
    assert found.hold_out is not None
    assert 0.5 < found.hold_out.position_rms / math.hypot(after, math.sqrt(3.0) * 1e-4) < 1.6
    assert 0.6e-4 < found.sigma_position < 1.5e-4


def test_derivatives_are_those_of_the_residuals() -> None:
    """Central differences of 1e-6 have an error of about 1e-10; every kind of parameter, far from zero residuals."""
    rng = np.random.default_rng(1)
    limits = mk.JointLimits.prismatic(-1, 1, 1)
    arm = mk.SerialChain.from_joints(
        [
            mk.Joint.prismatic("rail", (0.1, 1.0, 0.2), (0.0, 0.0, 0.0), limits),
            *mk.SerialChain.six_axis_example().joints,
        ],
        tool=TOOL,
    )
    parameters = terms(arm, ("axes", "zeros", "base", "tool"), (), turned_tool=True)
    Q = rng.uniform(-1.0, 1.0, (4, 7))
    samples = fit.Samples(Q, frames(arm, Q + 0.3)[:, -1], 1.0, 1.0, 1.0)
    state = fit.State(arm, PLACE)
    _, J = fit.linearised(state, samples, parameters)
    for k in range(len(parameters)):
        step = np.zeros(len(parameters))
        step[k] = 1e-6
        ends = [fit.residuals(fit.State(*corrected(arm, PLACE, parameters, sign * step)), samples) for sign in (1, -1)]
        gap = np.abs((ends[0] - ends[1]) / 2e-6 - J[:, :, k]).max()
        assert gap < 1e-8, (parameters[k].label, gap)


def test_base_and_zeros_are_partly_the_same_as_axes_and_tool() -> None:
    rng = np.random.default_rng(2)
    chain = mk.SerialChain.six_axis_example().with_tool(TOOL)
    Q = anywhere(chain, rng, 20)
    seen = measured(real(chain, rng), Q, rng, 1e-4)
    usual = mk.calibrate_kinematics(chain, Q, seen)
    every = mk.calibrate_kinematics(chain, Q, seen, free=("axes", "zeros", "base", "tool"))
    assert usual.unidentifiable == ()
    assert (len(every.parameters), every.rank, len(every.unidentifiable)) == (42, 30, 12)
    # the same least squares in other coordinates; the search ends when a step is below 1e-12
    assert abs(every.after.position_rms - usual.after.position_rms) < 1e-9
    zeros = mk.calibrate_kinematics(chain, Q, seen, free=("zeros", "tool"))
    assert any("j6 zero" in words for words in zeros.unidentifiable)  # turning about the last axis is the tool's too
    assert math.isinf(every.axes[0].sigma_direction) and not math.isinf(usual.axes[0].sigma_direction)


def test_zero_offsets_are_found() -> None:
    rng = np.random.default_rng(2)
    chain = mk.SerialChain.six_axis_example().with_tool(TOOL)
    Q = anywhere(chain, rng, 12)
    offset = np.array([0.01, -0.02, 0.015, 0.005, -0.01, 0.0])
    seen = [PLACE * chain.forward(q + offset) for q in Q]
    found = mk.calibrate_kinematics(chain, Q, seen, free=("zeros",), base=PLACE)
    assert max(np.abs(found.predict(q).matrix() - T.matrix()).max() for q, T in zip(Q, seen, strict=True)) < 1e-12


def test_covariance_tells_the_spread_of_predictions() -> None:
    """Over 16 draws of noise the spread of 48 numbers is within 30 % of the sigma told: three of its own sigmas."""
    rng = np.random.default_rng(8)
    chain = mk.SerialChain.six_axis_example().with_tool(TOOL)
    truth = real(chain, rng)
    Q, q = anywhere(chain, rng, 14), anywhere(chain, rng, 1)[0]
    ratios = []
    for _ in range(16):
        found = mk.calibrate_kinematics(
            chain, Q, measured(truth, Q, rng, 1e-4), base=PLACE, sigma_position=1e-4, sigma_rotation=1e-4, robust=False
        )
        gap = (PLACE * truth.forward(q)).inverse() * found.predict(q)
        turned = np.concatenate([PLACE.rotation.matrix() @ truth.forward(q).rotation.matrix() @ gap.log()[:3]])
        ratios.append(turned / found.sigma(q)[:3])
    assert 0.7 < float(np.sqrt(np.mean(np.square(ratios)))) < 1.3


def test_fourteen_positions_are_fitted_well_and_predict_badly() -> None:
    """27 parameters to 42 numbers: the fit looks twice as good as it is, and the hold-out says so."""
    rng = np.random.default_rng(4)
    chain = mk.SerialChain.six_axis_example().with_tool(TOOL)
    truth = real(chain, rng)
    Q, fresh = anywhere(chain, rng, 14), anywhere(chain, rng, 100)
    few = mk.calibrate_kinematics(chain, Q, [T.translation for T in measured(truth, Q, rng, 1e-4)], robust=False)
    assert few.hold_out is not None
    assert few.after.position_rms < 1.2e-4  # the noise of a point is 1.7e-4
    assert distance(few, truth, fresh) > 2.0 * few.after.position_rms
    assert few.hold_out.position_rms > 2.0 * few.after.position_rms


def test_samples_that_are_off_are_left_out_with_a_reason() -> None:
    rng = np.random.default_rng(6)
    chain = mk.SerialChain.six_axis_example().with_tool(TOOL)
    truth = real(chain, rng)
    Q, fresh = anywhere(chain, rng, 30), anywhere(chain, rng, 30)
    seen = measured(truth, Q, rng, 1e-4)
    seen[7] = seen[7] * mk.SE3.exp((0.03, 0.0, 0.0, 0.0, 0.1, 0.0))
    seen[20] = seen[20] * mk.SE3.exp((0.003, 0.0, 0.0, 0.0, 0.0, 0.0))
    found = mk.calibrate_kinematics(chain, Q, seen)
    assert [sample.index for sample in found.rejected] == [7, 20]
    assert found.rejected[0].position == pytest.approx(0.03, rel=0.02)
    assert "30" in found.rejected[0].reason and "deg" in found.rejected[0].reason
    everything = mk.calibrate_kinematics(chain, Q, seen, robust=False)
    assert everything.after.position_worst_index == 7
    assert distance(found, truth, fresh) < 2e-4 < 1e-3 < distance(everything, truth, fresh)


def test_positioner_of_two_axes() -> None:
    """Recorded: 0.40 mm and 0.053 deg are left, 0.41 mm of samples held out, as an independent fit of it found."""
    rows = np.loadtxt(DATA / "positioner.csv", delimiter=",", skiprows=1)
    poses = [mk.SE3(mk.SO3.from_wxyz(row[5:] / np.linalg.norm(row[5:])), row[2:5]) for row in rows]
    limits = mk.JointLimits.revolute(-7, 7, 1)
    chain = mk.SerialChain.from_joints(
        [
            mk.Joint.revolute("tilt", (0, 0, 1), (0, 0, 0), limits),
            mk.Joint.revolute("turn", (0, 1, 0), (0, 0, 0), limits),
        ]
    )
    found = mk.calibrate_kinematics(chain, rows[:, :2], poses)
    assert found.rank == 14
    assert abs(found.after.position_rms - 0.40e-3) < 0.01e-3 and abs(found.after.position_worst - 0.87e-3) < 0.01e-3
    assert abs(math.degrees(found.after.rotation_rms) - 0.053) < 0.001
    assert found.hold_out is not None and abs(found.hold_out.position_rms - 0.41e-3) < 0.01e-3
    tilt, turn = (np.array(joint.axis) for joint in found.chain.joints)
    assert abs(math.degrees(math.atan2(np.linalg.norm(np.cross(tilt, turn)), tilt @ turn)) - 89.979) < 0.005
    # the control: axes as drawn leave a sixth more, so it is the axes that were off, by half a millimetre
    assert found.before.position_rms > 1.15 * found.after.position_rms
    every = mk.calibrate_kinematics(chain, rows[:, :2], poses, free=("axes", "base", "tool"))
    assert (len(every.parameters), every.rank) == (20, 14)


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_corrected_model_is_the_corrected_chain(robot_files, name: str) -> None:
    files = {
        "ur5": ("ur_description/urdf/ur5_robot.urdf", "tool0", "tool0"),
        "panda": ("panda_description/urdf/panda.urdf", "panda_link7", "panda_link7_calibrated"),
    }
    path, tip, corrected_tip = files[name]
    rng = np.random.default_rng(3)
    robot = mk.RobotModel.from_urdf(robot_files / path)
    chain = robot.chain(tip=tip)
    Q = anywhere(chain, rng, 12)
    found = mk.calibrate_kinematics(chain, Q, measured(real(chain, rng), Q, rng, 0.0))
    again = mk.RobotModel.from_urdf(found.model(robot).to_urdf())
    for q in Q[:4]:
        written = again.chain(tip=corrected_tip).forward(q).matrix()
        assert np.abs(written - found.chain.forward(q).matrix()).max() < 1e-12
    # what stands beside the chain stays where it is on its link, every coordinate at zero
    old, new = robot.link_poses(np.zeros(robot.n)), again.link_poses(np.zeros(again.n))
    moved = found.chain.link_poses(np.zeros(chain.n))
    for joint in robot.joints:
        if joint.parent in moved and joint.child not in moved:
            expected = moved[joint.parent] * joint.placement
            assert np.abs(new[joint.child].matrix() - expected.matrix()).max() < 1e-12
    assert set(old) <= set(new)


def test_result_can_be_kept() -> None:
    rng = np.random.default_rng(3)
    chain = mk.SerialChain.six_axis_example()
    Q = anywhere(chain, rng, 10)
    found = mk.calibrate_kinematics(chain, Q, measured(chain, Q, rng, 1e-4))
    again = pickle.loads(pickle.dumps(found))
    assert again.axes == found.axes and again.residuals == found.residuals and again.after == found.after


# ---- refusals
def refused(kind, words, chain, Q, seen, **options):
    with pytest.raises(kind, match=words) as caught:
        mk.calibrate_kinematics(chain, Q, seen, **options)
    return caught.value


def test_refusals() -> None:
    rng = np.random.default_rng(3)
    chain = mk.SerialChain.six_axis_example().with_tool(TOOL)
    Q = anywhere(chain, rng, 20)
    seen = measured(real(chain, rng), Q, rng, 1e-4)
    points = np.array([T.translation for T in seen])
    refused(mk.NotEnoughSamples, "at least 6 poses", chain, Q[:5], seen[:5])
    refused(mk.NotEnoughSamples, "at least 10 positions", chain, Q[:9], points[:9])
    repeated = refused(
        mk.DegenerateGeometry, "only 3 different", chain, np.repeat(Q[:3], 6, 0), np.repeat(points, 6, 0)[:18]
    )
    assert repeated.direction == ()
    refused(mk.WrongLength, "20 rows of q", chain, Q, seen[:-1])
    refused(mk.WrongLength, "positions", chain, Q, points[:, :2])
    refused(mk.UnknownName, "axes, base, tool, zeros", chain, Q, seen, free=("axis",))
    refused(mk.UnknownName, "j1", chain, Q, seen, hold=("joint1",))
    broken = points.copy()
    broken[4, 1] = math.nan
    refused(mk.NotFinite, r"measured\[4\]", chain, Q, broken)
    refused(mk.NotConverged, "order and signs", chain, Q[:, ::-1], seen)


def test_joint_that_does_not_move_is_named_and_can_be_held() -> None:
    rng = np.random.default_rng(3)
    chain = mk.SerialChain.six_axis_example().with_tool(TOOL)
    Q = anywhere(chain, rng, 20)
    Q[:, 2] = 0.5
    seen = measured(real(chain, rng), Q, rng, 1e-4)
    error = refused(mk.DegenerateGeometry, r"move joint 'j3' \(moved by 0 deg\)", chain, Q, seen)
    assert error.direction[0] == "j3"
    held = mk.calibrate_kinematics(chain, Q, seen, hold=("j3",))
    assert held.rank == 26 and held.after.position_rms < 3e-4
