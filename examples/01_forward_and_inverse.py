"""Where the tool is, and how the joints get it there.

Loads a UR5 from its URDF, puts a tool on its flange, asks for the pose of the tool, and solves the way back. Every
angle inside is in radians and every length in metres.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import motionkit as mk

arm = mk.SerialChain.from_urdf(Path(__file__).parent / "ur5.urdf", base="base_link", tip="tool0")
arm = arm.with_tool(mk.SE3.from_translation([0, 0, 0.14]))  # pose of the tool in the flange

home = np.radians([0, -90, 90, -90, -90, 0])
base_T_tool = arm.forward(home)
print("tool at", base_T_tool.translation.round(4), "m, roll pitch yaw", np.degrees(base_T_tool.rotation.rpy()).round(2))

# 10 cm towards y, from where the arm is now: the answer stays in the same configuration of the arm
target = mk.SE3.from_translation([0, 0.10, 0]) * base_T_tool
report = arm.inverse(target, home)
print("joints", np.degrees(report.q).round(3), "degrees")
print(f"found in {report.iterations} steps, {report.position_error:.1e} m and {report.rotation_error:.1e} rad away")

# what the joints may not do is an error with a name and numbers, never a wrong answer
try:
    arm.inverse(mk.SE3.from_translation([2, 0, 0]) * base_T_tool, home)
except mk.Unreachable as error:
    print("refused:", error)
