"""Front doors of the dynamics that belong in control loops: checked in nanoseconds, then a kernel runs.

What they do not take they leave to the long way, which says what is wrong. Nothing is computed here.
"""

from __future__ import annotations

from typing import Any

from ..kernels import articulated, composite, newton_euler, particles, regressor
from ..kernels._contract import front
from ..kernels.trig import LARGEST_ANGLE


@front(newton_euler.inverse_dynamics, "model in in in scratch out")
def inverse_dynamics(model: Any, q: Any, qd: Any, qdd: Any, scratch: Any, out: Any) -> int:
    """The torques of a motion in ``out`` (n)."""
    n = int(model[1])
    if n == 0 or len(q) != n or len(qd) != n or len(qdd) != n or len(out) != n:
        return 1
    for k in range(n):
        if not (abs(q[k]) <= LARGEST_ANGLE and abs(qd[k]) <= LARGEST_ANGLE and abs(qdd[k]) <= LARGEST_ANGLE):
            return 1
    newton_euler.inverse_dynamics(model, q, qd, qdd, scratch, out)
    return 0


@front(newton_euler.gravity_torque, "model in scratch out")
def gravity_torque(model: Any, q: Any, scratch: Any, out: Any) -> int:
    """The torques against gravity in ``out`` (n)."""
    n = int(model[1])
    if n == 0 or len(q) != n or len(out) != n:
        return 1
    for k in range(n):
        if not abs(q[k]) <= LARGEST_ANGLE:  # also where it is not a number
            return 1
    newton_euler.gravity_torque(model, q, scratch, out)
    return 0


@front(composite.mass_matrix, "model in scratch out2")
def mass_matrix(model: Any, q: Any, scratch: Any, out: Any) -> int:
    """The mass matrix in ``out`` (n, n)."""
    n = int(model[1])
    if n == 0 or len(q) != n or out.shape[0] != n or out.shape[1] != n:
        return 1
    for k in range(n):
        if not abs(q[k]) <= LARGEST_ANGLE:
            return 1
    composite.mass_matrix(model, q, scratch, out.reshape(n * n))
    return 0


@front(articulated.forward_dynamics, "model in in in scratch out")
def forward_dynamics(model: Any, q: Any, qd: Any, tau: Any, scratch: Any, out: Any) -> int:
    """The accelerations that torques cause in ``out`` (n), where no joint follows another."""
    n = int(model[1])
    if n == 0 or n != int(model[0]) or len(q) != n or len(qd) != n or len(tau) != n or len(out) != n:
        return 1
    for k in range(n):
        if not (abs(q[k]) <= LARGEST_ANGLE and abs(qd[k]) <= LARGEST_ANGLE and abs(tau[k]) <= 1e300):
            return 1
    articulated.forward_dynamics(model, q, qd, tau, scratch, out)
    return 0


@front(composite.forward_dynamics_by_mass, "model in in in scratch out")
def forward_dynamics_by_mass(model: Any, q: Any, qd: Any, tau: Any, scratch: Any, out: Any) -> int:
    """The accelerations that torques cause in ``out`` (n), also where joints follow others."""
    n = int(model[1])
    if n == 0 or len(q) != n or len(qd) != n or len(tau) != n or len(out) != n:
        return 1
    for k in range(n):
        if not (abs(q[k]) <= LARGEST_ANGLE and abs(qd[k]) <= LARGEST_ANGLE and abs(tau[k]) <= 1e300):
            return 1
    composite.forward_dynamics_by_mass(model, q, qd, tau, scratch, out)
    return 0


@front(particles.coriolis_matrix, "model in in scratch out2")
def coriolis_matrix(model: Any, q: Any, qd: Any, scratch: Any, out: Any) -> int:
    """The Coriolis matrix in ``out`` (n, n)."""
    n = int(model[1])
    if n == 0 or len(q) != n or len(qd) != n or out.shape[0] != n or out.shape[1] != n:
        return 1
    for k in range(n):
        if not (abs(q[k]) <= LARGEST_ANGLE and abs(qd[k]) <= LARGEST_ANGLE):
            return 1
    particles.coriolis_matrix(model, q, qd, scratch, out.reshape(n * n))
    return 0


@front(regressor.regressor, "model in in in scratch out2")
def regressor_matrix(model: Any, q: Any, qd: Any, qdd: Any, scratch: Any, out: Any) -> int:
    """The matrix of the inertial parameters in ``out`` (n, 10 m)."""
    n, width = int(model[1]), regressor.BODY * int(model[0])
    if n == 0 or len(q) != n or len(qd) != n or len(qdd) != n or out.shape[0] != n or out.shape[1] != width:
        return 1
    for k in range(n):
        if not (abs(q[k]) <= LARGEST_ANGLE and abs(qd[k]) <= LARGEST_ANGLE and abs(qdd[k]) <= LARGEST_ANGLE):
            return 1
    regressor.regressor(model, q, qd, qdd, scratch, out.reshape(n * width))
    return 0
