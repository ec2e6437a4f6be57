"""Loops in native code, one for each operation of ``operations``: what a control loop under ``motionkit.njit`` pays.

Every turn has another input and writes to another row, so nothing can be taken out of a loop or left undone. Every
function takes the number of passes last.
"""

from __future__ import annotations

import numpy as np

import motionkit as mk
from motionkit.kernels import (
    chain,
    composite,
    inverse,
    newton_euler,
    quintic,
    rigid,
    safe_speed,
    scurve,
    stop,
    synchronized,
)


@mk.njit
def so3_product(quaternions, factor, out, passes):
    b = (factor[0], factor[1], factor[2], factor[3])
    for _ in range(passes):
        for k in range(len(quaternions)):
            a = (quaternions[k, 0], quaternions[k, 1], quaternions[k, 2], quaternions[k, 3])
            w, x, y, z = rigid.rotation_product(a, b)
            out[k, 0] = w
            out[k, 1] = x
            out[k, 2] = y
            out[k, 3] = z


@mk.njit
def lookup(tools, camera, out, passes):
    """The product that a lookup between two children of one frame ends in; poses as quaternion and translation."""
    c = camera
    wrist_T_camera = ((c[0], c[1], c[2], c[3]), (c[4], c[5], c[6]))
    for _ in range(passes):
        for k in range(len(tools)):
            t = tools[k]
            tool_T_wrist = rigid.invert(((t[0], t[1], t[2], t[3]), (t[4], t[5], t[6])))
            chain.store(out[k], 0, rigid.to_elements(rigid.compose(tool_T_wrist, wrist_T_camera)))


@mk.njit
def sample(model, axes, ts, out, passes):
    for _ in range(passes):
        for k in range(len(ts)):
            scurve.scurve_sample(model, axes, ts[k], out[k])


@mk.njit
def scurve_plan(limits, out, passes):
    for _ in range(passes):
        for k in range(len(limits)):
            scurve.scurve_plan(limits[k], out[k])


@mk.njit
def synchronized_plan(start, goals, values, common, limits, out, passes):
    """The whole model of a move; ``values`` holds the limits of the axes from ``len(start)`` on."""
    n = len(start)
    limits[0] = 1.0
    for _ in range(passes):
        for k in range(len(goals)):
            for i in range(n):
                travel = goals[k, i] - start[i]
                values[i] = travel
                out[k, scurve.PROFILE + i] = start[i]
                out[k, scurve.PROFILE + n + i] = goals[k, i]
                out[k, scurve.PROFILE + 2 * n + i] = travel
            synchronized.line_limits(values, n, common)
            for i in range(3):
                limits[1 + i] = common[i]
            scurve.scurve_plan(limits, out[k])


@mk.njit
def stop_plan(states, out, passes):
    for _ in range(passes):
        for k in range(len(states)):
            stop.stop(states[k], out[k])


@mk.njit
def stop_sample(model, ts, out, passes):
    for _ in range(passes):
        for k in range(len(ts)):
            stop.stop_sample(model, ts[k], out[k])


@mk.njit
def maximum_safe_speed(questions, out, passes):
    for _ in range(passes):
        for k in range(len(questions)):
            safe_speed.safe_speed(questions[k], out[k])


@mk.njit
def forward(model, Q, out, passes):
    for _ in range(passes):
        for k in range(len(Q)):
            chain.forward_matrix(model, Q[k], out[k])


@mk.njit
def jacobian(model, Q, out, passes):
    for _ in range(passes):
        for k in range(len(Q)):
            chain.jacobian(model, Q[k], out[k])


@mk.njit
def torques(model, Q, Qd, Qdd, scratch, out, passes):
    for _ in range(passes):
        for k in range(len(Q)):
            newton_euler.inverse_dynamics(model, Q[k], Qd[k], Qdd[k], scratch, out[k])


@mk.njit
def gravity(model, Q, scratch, out, passes):
    for _ in range(passes):
        for k in range(len(Q)):
            newton_euler.gravity_torque(model, Q[k], scratch, out[k])


@mk.njit
def masses(model, Q, scratch, out, passes):
    for _ in range(passes):
        for k in range(len(Q)):
            composite.mass_matrix(model, Q[k], scratch, out[k])


@mk.njit
def solve(model, limits, targets, seeds, tolerance, damping, scale, budget, scratch, out, passes):
    """Returns how many solves did not arrive."""
    failed = 0
    for _ in range(passes):
        for k in range(len(seeds)):
            inverse.solve(
                model, limits, targets[k], seeds[k], tolerance, tolerance, damping, scale, budget, scratch, out[k]
            )
            if out[k, len(seeds[k]) + 4] != 1.0:
                failed += 1
    return failed


@mk.njit
def line_sample(profile, path, cells, ts, along, out, passes):
    for _ in range(passes):
        for k in range(len(ts)):
            scurve.scurve_sample(profile, 1, ts[k], along)
            quintic.path_motion(path, cells, along, out[k])


@mk.njit
def allocating(rows, out, passes):
    """The control of the counter of allocations: one array for each row."""
    for _ in range(passes):
        for k in range(len(rows)):
            made = np.zeros(k + 1)
            out[k, 0] = made[k] + rows[k, 0]
