"""The price of a straight line: the same 50 mm far from a singularity and near one.

A UR5 moves its tool 50 mm sideways, with the wrist further and further from bent. Nearer to straight the joints have
more to do for the same line, so the same limits make it slower; straight through is refused.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import motionkit as mk

arm = mk.SerialChain.from_urdf(Path(__file__).parent / "ur5.urdf", base="base_link", tip="tool0")
limits = [mk.MotionLimits(joint.max_velocity or 0.0, 8.0, 60.0) for joint in arm.limits]

print("wrist from straight   time     by joint move   least manipulability   off the line")
for wrist in (20.0, 4.0, 1.0, 0.2):
    start = np.radians([0, -90, 90, -90, wrist, 0])
    goal = mk.SE3.from_translation([0, 0.05, 0]) * arm.forward(start)
    plan = mk.CartesianPlan.plan(arm, start, goal, limits)
    report = plan.report
    print(
        f"{wrist:12.1f}°        {plan.duration:6.3f} s  {report.ratio:8.2f} times  {report.least_manipulability:14.5f}"
        f"         {1e3 * report.deviation:.1e} mm"
    )

# what is planned is what is sampled: differences of the positions stay within the limits
times = np.arange(int(plan.duration * 1000) + 2) / 1000
positions = plan.sample_many(times).position
speeds = np.abs(np.diff(positions, axis=0) * 1000).max(axis=0)
print("largest share of a velocity limit:", round(float(max(speeds / [v.max_velocity for v in limits])), 4))

try:
    start = np.radians([0, -90, 90, -90, 20, 0])
    mk.CartesianPlan.plan(arm, start, mk.SE3.from_translation([0, 1.0, 0]) * arm.forward(start), limits)
except mk.CartesianError as error:
    print(f"refused as {type(error).__name__}, {100 * error.fraction:.0f} % along: {error}")
