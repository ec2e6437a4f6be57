"""The tool's way while the joints stop is never longer than the bound, and the bound is a few percent longer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionkit as mk

ARM = mk.SerialChain.six_axis_example()
UR5 = mk.SerialChain.from_urdf(Path(__file__).resolve().parents[2] / "examples" / "ur5.urdf")
AXIS = mk.MotionLimits(2.0, 8.0, 40.0)
RAIL = mk.Joint.prismatic("rail", (0, 1, 0), (0, 0, 0), mk.JointLimits.prismatic(-1, 1, 2))
ON_RAIL = mk.SerialChain.from_joints([RAIL, *ARM.joints], tool=mk.SE3.from_translation([0.05, 0, 0.1]))


def dense(chain: mk.SerialChain, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, count: int = 4000) -> np.ndarray:
    """Positions of the tool along the stop of every joint."""
    states = zip(q, qd, qdd, strict=True)
    stops = [mk.StopProfile.plan(mk.MotionState(*map(float, s)), AXIS) for s in states]
    times = np.linspace(0.0, max(s.duration for s in stops), count)
    Q = np.stack([s.sample_many(times).position for s in stops], axis=1)
    return chain.forward_batch(Q)[:, :3, 3]


@pytest.mark.parametrize("chain", [ARM, UR5, ON_RAIL], ids=["example", "UR5", "on a rail"])
def test_the_bound_holds_and_is_close(chain: mk.SerialChain) -> None:
    rng, worst, tightest = np.random.default_rng(3), 0.0, 9.0
    for _ in range(100):
        q, qd = rng.uniform(-1, 1, chain.n), rng.uniform(-2, 2, chain.n)
        qdd = rng.uniform(-8, 8, chain.n)
        stop = mk.tool_stop(chain, q, qd, [AXIS] * chain.n, qdd=qdd)
        points = dense(chain, q, qd, qdd)
        way = float(np.sum(np.linalg.norm(np.diff(points, axis=0), axis=1)))
        furthest = float(np.linalg.norm(points - points[0], axis=1).max())
        assert furthest <= way * (1 + 1e-12)
        assert way <= stop.path_length
        assert furthest <= stop.distance
        assert np.isclose(np.linalg.norm(points[-1] - points[0]), stop.displacement, rtol=0, atol=1e-12)
        worst, tightest = max(worst, stop.path_length / way), min(tightest, stop.path_length / way)
    print(f"bound by way, {chain.n} joints: {tightest:.4f} to {worst:.4f}")
    # 512 pieces of half a second at 8 rad/s^2 and more: a piece changes slow speeds by some percent
    assert worst < 1.08


def test_the_length_of_the_way_at_its_end_alone_is_no_bound() -> None:
    """The control: the straight distance, which is what a comparison of two poses gives, can be far too small."""
    qd = np.array([0.0, 0.0, 0.0, 2.0, 0.0, -2.0])
    q = np.array([0.0, -1.0, 1.5, 0.3, 1.5, 0.0])
    tool = ARM.with_tool(mk.SE3.from_translation([0.3, 0.0, 0.0]))
    stop = mk.tool_stop(tool, q, qd, [AXIS] * 6)
    assert stop.displacement < 0.97 * stop.path_length


def test_one_joint_at_its_lever_by_hand() -> None:
    """The base joint at 1 rad/s carries the tool at 0.9 m: 0.9 m times the stop of an axis (E5's formula)."""
    stop = mk.tool_stop(ARM, [0.0] * 6, [1.0, 0, 0, 0, 0, 0], [AXIS] * 6)
    angle = mk.StopProfile.plan(mk.MotionState(0.0, 1.0, 0.0), AXIS).stopping_distance
    assert 0.9 * angle <= stop.path_length <= 0.9 * angle * 1.01
    assert stop.displacement == pytest.approx(2 * 0.9 * np.sin(angle / 2), abs=1e-12)


def test_no_legal_motion_in_the_reaction_time_comes_further() -> None:
    rng, reaction, closest = np.random.default_rng(4), 0.15, 0.0
    for _ in range(40):
        q, qd = rng.uniform(-1, 1, 6), rng.uniform(-1.5, 1.5, 6)
        bound = mk.tool_stop(ARM, q, qd, [AXIS] * 6, reaction_time=reaction)
        assert bound.path_length is bound.displacement is bound.duration is None
        # joints at full jerk one way or the other, within velocity and acceleration, and then a stop
        p, v, a, dt = q.copy(), qd.copy(), np.zeros(6), 1e-3
        jerk = 40.0 * rng.choice([-1.0, 1.0], 6)
        here = ARM.forward(q).translation
        for _ in range(int(reaction / dt)):
            j = np.where((np.abs(a + jerk * dt) > 8.0) | (np.abs(v + a * np.abs(a) / 80.0 + a * dt) > 1.95), 0.0, jerk)
            a = np.where(
                np.abs(v + a * np.abs(a) / 80.0) > 1.95, np.clip(a - np.sign(v) * 40.0 * dt, -8, 8), a + j * dt
            )
            p, v = p + v * dt, v + a * dt
        assert np.all(np.abs(v) <= 2.0)
        points = dense(ARM, p, v, a, 300)
        away = float(np.linalg.norm(points - here, axis=1).max())
        assert away <= bound.distance
        closest = max(closest, away / bound.distance)
    print(f"the furthest of forty motions used {closest:.2f} of the bound")
    assert closest > 0.3  # a bound without use would be ten times the way


def test_a_joint_that_follows_counts_with_its_leader() -> None:
    text = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
      <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
        <limit lower="-3" upper="3" velocity="2" effort="1"/></joint>
      <joint name="k" type="revolute"><parent link="b"/><child link="c"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
        <mimic joint="j" multiplier="-2"/><limit lower="-6" upper="6" velocity="4" effort="1"/></joint>
      <joint name="t" type="fixed"><parent link="c"/><child link="d"/><origin xyz="0.4 0 0"/></joint></robot>"""
    chain = mk.SerialChain.from_urdf(text)
    stop = mk.tool_stop(chain, [0.4], [1.5], [AXIS])
    points = dense(chain, np.array([0.4]), np.array([1.5]), np.array([0.0]))
    way = float(np.sum(np.linalg.norm(np.diff(points, axis=0), axis=1)))
    assert way <= stop.path_length <= 1.05 * way


def test_an_arm_at_rest_goes_nowhere() -> None:
    stop = mk.tool_stop(ARM, [0.1] * 6, [0.0] * 6, [AXIS] * 6)
    assert stop == mk.cartesian.ToolStop(0.0, 0.0, 0.0, 0.0)


def test_what_is_wrong_is_said() -> None:
    q = [0.0] * 6
    with pytest.raises(mk.WrongLength, match="limits: expected 6"):
        mk.tool_stop(ARM, q, q, [AXIS] * 5)
    with pytest.raises(mk.WrongLength, match="qd"):
        mk.tool_stop(ARM, q, [0.0] * 5, [AXIS] * 6)
    with pytest.raises(mk.NotFinite):
        mk.tool_stop(ARM, q, [np.nan] * 6, [AXIS] * 6)
    with pytest.raises(mk.InvalidLimits, match="reaction_time"):
        mk.tool_stop(ARM, q, q, [AXIS] * 6, reaction_time=-1.0)
    with pytest.raises(mk.NotFinite, match="reaction_time"):
        mk.tool_stop(ARM, q, q, [AXIS] * 6, reaction_time=np.inf)
    with pytest.raises(mk.InvalidLimits):
        mk.tool_stop(ARM, q, q, [mk.MotionLimits()] * 6)
