"""One axis in time: a move that never exceeds its limits, the stop from the middle of it, and the speed that is safe.

All in closed form: nothing is integrated, so any moment can be asked for and the end is exact.
"""

from __future__ import annotations

import numpy as np

import motionkit as mk

limits = mk.MotionLimits(max_velocity=2.0, max_acceleration=8.0, max_jerk=40.0)  # m/s, m/s², m/s³

move = mk.ScurveProfile.plan(0.0, 2.0, limits)
samples = move.sample_many(np.linspace(0.0, move.duration, 1001))
print(
    f"2 m in {move.duration:.3f} s, at most {samples.velocity.max():.3f} m/s and {samples.acceleration.max():.3f} m/s²"
)

state = move.sample(0.35).state()  # still speeding up
stop = mk.StopProfile.plan(state, limits)
print(f"told to stop at 0.35 s and {state.velocity:.3f} m/s it goes on for {stop.stopping_distance:.4f} m,")
print(f"first up to {stop.peak_speed:.3f} m/s, since the acceleration must come down before it can turn into braking")

clearance = 0.45
speed = mk.maximum_safe_speed(clearance, limits)
print(f"with {clearance} m of room the axis may go at {speed:.3f} m/s: from there it stops within them")
careful = mk.maximum_safe_speed(clearance, limits, reaction_time=0.1)
print(f"with 0.1 s to react, in which it may still speed up, at {careful:.3f} m/s")

# several axes in step: one path parameter drives them all, so the line in joint space is exact
line = mk.SynchronizedTrajectory.plan([0.0, 0.5], [1.0, -0.5], [limits, mk.MotionLimits(1.0, 4.0, 20.0)])
rows = line.sample_many(np.linspace(0.0, line.duration, 1001))
off = np.abs(rows.position[:, 0] + rows.position[:, 1] - 0.5).max()
print(f"two axes in step for {line.duration:.3f} s, off their common line by at most {off:.0e}")
