"""50 mm lines of a UR5 whose wrist is nearly straight: exact, within all limits in the file, slower and slower."""

from pathlib import Path

import numpy as np
import pytest

import motionkit as mk
from motionkit.program import load_program, run_program

UR5 = Path(__file__).parents[2] / "examples" / "ur5.urdf"
ACCELERATION, JERK = [8.0, 8.0, 8.0, 12.0, 12.0, 12.0], [60.0, 60.0, 60.0, 90.0, 90.0, 90.0]
WRISTS = (20.0, 4.0, 1.0, 0.2)
BY = np.array([0.0, 0.05, 0.0])  # sideways: the wrist has to turn its lost direction


def joints(wrist):
    return [20.0, -100.0, 110.0, -40.0, wrist, 10.0]


def program(wrist, folder):
    arm = mk.SerialChain.from_urdf(UR5)
    pose = arm.forward(np.radians(joints(wrist)))
    goal = (pose.translation + BY).tolist()
    rpy = np.degrees(pose.rotation.rpy()).tolist()
    text = f"""
motionkit: program/1
robot: {{urdf: {UR5}, tip: tool0}}
limits: {{max_acceleration: {ACCELERATION}, max_jerk: {JERK}}}
steps:
  - movej: {{joints: {joints(wrist)}}}
  - movel: {{xyz: {goal}, rpy: {rpy}}}
"""
    path = folder / "line.yaml"
    path.write_text(text)
    return path, arm, pose


def differences(q, rate, order):
    return np.abs(np.diff(q, order, axis=0)) * rate**order


@pytest.mark.parametrize("rate", [250.0, 1000.0, 4000.0])
@pytest.mark.parametrize("wrist", WRISTS)
def test_limits_hold_in_the_written_file(wrist, rate, tmp_path):
    path, arm, start = program(wrist, tmp_path)
    result = run_program(load_program(path), out=tmp_path / "result", rate=rate)
    table = np.genfromtxt(tmp_path / "result" / "trajectory.csv", delimiter=",", names=True)
    q = np.column_stack([table[f"{name}_position_rad"] for name in arm.joint_names])
    caps = [arm.max_velocity, np.array(ACCELERATION), np.array(JERK)]
    shares = []
    for order, cap in enumerate(caps, start=1):
        # a difference quotient is a mean of the derivative; each of its 2**order positions is rounded within
        # 16 eps |q|, and sampled at a time rounded within eps t, which moves it by eps t times the speed limit
        rounding = 2.0**order * 1.2e-16 * (16.0 * np.max(np.abs(q)) + 4.0 * np.max(caps[0]) * table["time_s"][-1])
        worst = differences(q, rate, order) - rounding * rate**order
        shares.append(float(np.max(worst / cap)))
    offset = arm.forward_batch(q)[:, :3, 3] - start.translation
    along = BY / np.linalg.norm(BY)
    strayed = float(np.max(np.linalg.norm(offset - np.outer(offset @ along, along), axis=1)))
    print(
        f"wrist at {wrist:g} deg, {rate:g} Hz: {result.plan.duration:.3f} s, shares of velocity, acceleration, jerk "
        f"{np.round(shares, 4).tolist()}, off the line {strayed * 1e3:.1e} mm"
    )
    assert max(shares) <= 1.0
    assert strayed <= 1e-4
    assert abs(float(offset[-1] @ along) - 0.05) < 1e-9


def test_the_nearer_the_slower(tmp_path):
    durations = [run_program(load_program(program(wrist, tmp_path)[0])).plan.duration for wrist in WRISTS]
    print("50 mm at " + ", ".join(f"{w:g} deg: {d:.3f} s" for w, d in zip(WRISTS, durations, strict=True)))
    assert durations == sorted(durations)
    assert durations[-1] > 4.0 * durations[0]
