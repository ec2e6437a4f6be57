"""B4 and B8: the geometric Jacobian in its three frames, manipulability and singular values."""

import math

import numpy as np
import pytest

import motionkit as mk

FRAMES = ("tool_at_base_orientation", "tool", "base_origin")
CONFIGURATIONS = {
    "work": np.deg2rad([0, -60, 90, 0, 60, 0]),
    "turned": np.deg2rad([40, -80, 70, -35, 50, 120]),
    "folded": np.deg2rad([-120, -150, 140, 90, -70, -200]),
    "singular": np.deg2rad([20, -60, 90, 30, 0, 10]),  # wrist straight: axes 4 and 6 are one line
}


def twist_by_differences(chain, q, i, frame, h):
    """Column i of the Jacobian from poses alone: log of the motion over a step of 2 h, halved."""
    step = np.eye(chain.n)[i] * h
    before, here, after = chain.forward(q - step), chain.forward(q), chain.forward(q + step)
    R = here.rotation.matrix()
    moved = (after.translation - before.translation) / (2 * h)
    turned = (after.rotation * before.rotation.inverse()).log() / (2 * h)
    if frame == "tool":
        return np.concatenate([R.T @ moved, R.T @ turned])
    if frame == "base_origin":
        return np.concatenate([moved - np.cross(turned, here.translation), turned])
    return np.concatenate([moved, turned])


@pytest.mark.parametrize("frame", FRAMES)
def test_jacobian_agrees_with_central_differences(frame, capsys):
    """B4: 4e-10 or better at four configurations, one of them singular."""
    chain = mk.SerialChain.six_axis_example().with_tool(mk.SE3(mk.SO3.from_rpy(0.3, -0.2, 0.1), (0.02, 0.01, 0.125)))
    # the least of h^2 / 6 + eps / h is near h = 1e-5: 2e-11 of truncation and as much of rounding
    h, worst = 1e-5, {}
    for name, q in CONFIGURATIONS.items():
        J = chain.jacobian(q, frame)
        columns = [twist_by_differences(chain, q, i, frame, h) for i in range(chain.n)]
        worst[name] = np.abs(J - np.transpose(columns)).max()
    with capsys.disabled():
        print(f"\nB4 {frame}: " + ", ".join(f"{name} {error:.1e}" for name, error in worst.items()))
    assert max(worst.values()) < 4e-10
    assert chain.singular_values(CONFIGURATIONS["singular"])[-1] < 1e-15


def test_frames_that_are_mixed_up_do_not_pass():
    """Control: each frame's Jacobian is far from the others where the tool is turned and away from the base."""
    chain = mk.SerialChain.six_axis_example()
    J = {frame: chain.jacobian(CONFIGURATIONS["turned"], frame) for frame in FRAMES}
    for a in FRAMES:
        for b in FRAMES:
            assert a == b or np.abs(J[a] - J[b]).max() > 0.1


def test_an_unknown_frame_is_refused_with_the_nearest():
    with pytest.raises(mk.UnknownName, match="did you mean 'tool'"):
        mk.SerialChain.six_axis_example().jacobian([0.0] * 6, "tol")
    with pytest.raises(mk.UnknownName, match="base_origin"):
        mk.SerialChain.six_axis_example().jacobian_batch([[0.0] * 6], "world")


def test_manipulability_is_the_product_of_singular_values_and_yoshikawas_root():
    """B8: sqrt(det(J J^T)), and zero with the wrist straight."""
    chain = mk.SerialChain.six_axis_example()
    for name, q in CONFIGURATIONS.items():
        J = chain.jacobian(q)
        s = chain.singular_values(q)
        assert np.all(np.diff(s) <= 0)
        w = chain.manipulability(q)
        # the root of a determinant keeps half the digits: sqrt(eps) of its entries, 2e-9 was seen where w is 4e-18
        assert w == pytest.approx(math.sqrt(max(np.linalg.det(J @ J.T), 0.0)), abs=1e-8)
        assert (w < 1e-15) == (name == "singular")


@pytest.mark.parametrize("frame", FRAMES[:2])
def test_singular_values_do_not_depend_on_the_axes(frame):
    chain, q = mk.SerialChain.six_axis_example(), CONFIGURATIONS["turned"]
    s = np.linalg.svd(chain.jacobian(q, frame), compute_uv=False)
    assert np.allclose(s, chain.singular_values(q), rtol=0, atol=1e-14)


def test_manipulability_of_a_planar_arm_is_the_sine_of_its_elbow(two_link):
    """Two links of l1 and l2: the two columns span a volume that goes to zero as the arm stretches out."""
    w = [two_link.manipulability([0.4, elbow]) for elbow in (0.0, 1e-6, 0.5, math.pi / 2)]
    J = two_link.jacobian([0.4, 0.5])
    assert w[2] == pytest.approx(math.sqrt(np.linalg.det(J.T @ J)), rel=1e-12)
    assert np.all(np.diff(w) > 0)


def test_manipulability_along_a_motion_falls_towards_the_singularity():
    """B8: along any motion, here one that straightens the wrist: the measure goes to zero with the sine of joint 5."""
    chain = mk.SerialChain.six_axis_example()
    Q = np.linspace(CONFIGURATIONS["work"], CONFIGURATIONS["work"] * [1, 1, 1, 1, 0, 1], 30)
    w, s = chain.manipulability_batch(Q), chain.singular_values_batch(Q)
    assert w.shape == (30,)
    assert s.shape == (30, 6)
    assert w[-1] < 1e-15
    assert w[7] == chain.manipulability(Q[7])
    # the arm stays the same but for its wrist, so the measure of the wrist alone is what changes
    near = np.abs(Q[:, 4]) < 0.2
    ratio = w[near][:-1] / np.sin(Q[near, 4])[:-1]
    assert np.ptp(ratio) < 0.1 * ratio.mean()


def test_seven_joints_have_six_singular_values(robot_files):
    chain = mk.SerialChain.from_urdf(robot_files / "xarm_description/urdf/xarm7.urdf")
    assert chain.singular_values(np.full(7, 0.3)).shape == (6,)
    assert chain.jacobian(np.full(7, 0.3)).shape == (6, 7)


def test_drift_takes_names_and_refuses_wrong_velocities(two_link):
    """At rest in the elbow a turning arm only pulls inwards: w^2 r."""
    pull = two_link.drift([0.0, 0.0], {"a": 2.0, "b": 0.0})
    assert np.allclose(pull, [-4 * 1.8, 0, 0, 0, 0, 0], rtol=0, atol=1e-14)
    with pytest.raises(mk.NotFinite, match="qd: joint 'b'"):
        two_link.drift([0.0, 0.0], [1.0, math.nan])
