"""A program that knows only the public API: run by the install test where nothing but the wheel is installed."""

from __future__ import annotations

import math
import sys
from importlib import resources

import numpy as np

import motionkit as mk

# a loop in a controller: where is the tool, which joints bring it elsewhere, how does one get there
chain = mk.SerialChain.six_axis_example()
q = np.array([0.1, -0.9, 1.3, 0.2, 0.8, -0.3])
base_T_tool = chain.forward(q)
target = base_T_tool * mk.SE3.from_translation([0.0, 0.0, -0.05])
report = chain.inverse(target, seed=q)
reached = chain.forward(report.q)
assert np.allclose(reached.matrix(), target.matrix(), atol=1e-8), reached
assert chain.jacobian(q).shape == (6, chain.n)

limits = mk.MotionLimits(max_velocity=1.0, max_acceleration=4.0, max_jerk=40.0)
profile = mk.ScurveProfile.plan(0.0, 0.5, limits)
assert profile.sample(profile.duration).position == 0.5
assert profile.sample(0.0).velocity == 0.0
speed = mk.maximum_safe_speed(0.45, limits)
assert 0.0 < speed < math.inf

graph = mk.FrameGraph()
base = graph.declare_root("base")
graph.declare_frame("tool", base, base_T_tool)
assert graph.lookup("base", "tool") == base_T_tool

try:
    chain.inverse(mk.SE3.from_translation([50.0, 0.0, 0.0]), seed=q)
except mk.MotionkitError as error:
    print(f"refused as it should be: {type(error).__name__}")
else:
    raise SystemExit("a target 50 m away was not refused")

assert resources.files("motionkit").joinpath("py.typed").is_file()
print("loaded:", *sorted({"numba", "scipy", "matplotlib"} & set(sys.modules)))
