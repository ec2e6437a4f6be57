"""Torques, accelerations, energies and momenta, as methods that a chain and a whole robot share.

What is asked is checked here and handed to the kernels; what a chain or a robot consists of is in ``dynamics``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidInertia, NotFinite, WrongLength
from ..kernels import articulated, composite, momentum, newton_euler, particles, regressor
from ..kernels._batch import run_rows
from ..kernels._contract import CONTEXT
from ..values import JointAcceleration, JointVelocity
from . import _hot_dynamics as _hot
from ._bodies import Bodies, PerJoint
from ._coordinates import Coordinates, matrix, output, vector

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CentroidalMomentum:
    """Momentum of everything that moves, about its centre of mass, in base axes.

    Attributes:
        mass: kg.
        centre_of_mass: (3,), m, in the base frame.
        velocity: of the centre of mass, (3,), m/s.
        linear: momentum, (3,), kg m/s.
        angular: momentum about the centre of mass, (3,), kg m^2/s.
        matrix: (6, n): momentum for a unit of each rate, linear rows first.
    """

    mass: float
    centre_of_mass: FloatArray
    velocity: FloatArray
    linear: FloatArray
    angular: FloatArray
    matrix: FloatArray


class DynamicMethods(Bodies):
    """Rigid bodies that coordinates move; the base stands still.

    Every method takes ``q`` as a chain's do: (n,) numbers in joint order, a mapping from joint names, or values with
    units; rates and accelerations alike. Joint limits are not checked. With ``out`` nothing is allocated.
    """

    # ---- from motion to torque
    def inverse_dynamics(
        self, q: Coordinates, qd: Coordinates, qdd: Coordinates, out: FloatArray | None = None
    ) -> FloatArray:
        """Torques that a motion needs: ``M(q) qdd + C(q, qd) qd + g(q)``, rotors and friction included.

        By the recursive Newton-Euler algorithm, O(bodies).

        Args:
            q: configuration, (n,), rad or m.
            qd: rates, (n,), rad/s or m/s.
            qdd: accelerations, (n,), rad/s^2 or m/s^2.
            out: (n,) float64 to fill and return; may be one of the inputs.

        Returns:
            (n,): N m at joints that turn, N at joints that slide.

        >>> import motionkit as mk
        >>> arm = mk.DynamicChain.six_axis_example()
        >>> still = [0.0] * 6
        >>> arm.inverse_dynamics(still, still, still).round(3).tolist()  # stretched out, y turns it down
        [0.0, -73.889, -17.364, 0.0, -0.348, 0.0]
        """
        hot = _hot.inverse_dynamics.native
        if hot is not None:
            filled = np.empty(self.axes.shape) if out is None else out
            if hot(CONTEXT, self.dynamic_model, q, qd, qdd, self._space, filled) == 0:
                return filled
        values, rates = vector(q, self.axes), vector(qd, self.axes, "qd", JointVelocity)
        gains = vector(qdd, self.axes, "qdd", JointAcceleration)
        result = output(out, self.axes.shape, "out")
        if len(values):
            space = np.empty(self._torque_space)
            newton_euler.inverse_dynamics(self.dynamic_model, values, rates, gains, space, result)
        return result

    def gravity_torque(self, q: Coordinates, out: FloatArray | None = None) -> FloatArray:
        """Torques that hold still against gravity, (n,), N m or N.

        Args:
            q: configuration, (n,), rad or m.
            out: (n,) float64 to fill and return.
        """
        hot = _hot.gravity_torque.native
        if hot is not None:
            filled = np.empty(self.axes.shape) if out is None else out
            if hot(CONTEXT, self.dynamic_model, q, self._space, filled) == 0:
                return filled
        values = vector(q, self.axes)
        result = output(out, self.axes.shape, "out")
        if len(values):
            newton_euler.gravity_torque(self.dynamic_model, values, np.empty(self._torque_space), result)
        return result

    def bias_torque(self, q: Coordinates, qd: Coordinates, out: FloatArray | None = None) -> FloatArray:
        """Torques at no acceleration: gravity, centrifugal and Coriolis terms, and friction, (n,), N m or N.

        Args:
            q: configuration, (n,), rad or m.
            qd: rates, (n,), rad/s or m/s.
            out: (n,) float64 to fill and return.
        """
        return self.inverse_dynamics(q, qd, self._still, out)

    def coriolis_matrix(self, q: Coordinates, qd: Coordinates, out: FloatArray | None = None) -> FloatArray:
        """The Coriolis matrix of Christoffel's symbols, (n, n).

        ``C qd`` are the centrifugal and Coriolis torques; of the many matrices of which that is true this is the one
        for which ``dM/dt - 2 C`` is skew-symmetric, and 2 C the derivative of the torques by the rates.

        Args:
            q: configuration, (n,), rad or m.
            qd: rates, (n,), rad/s or m/s.
            out: (n, n) float64 to fill and return.
        """
        hot = _hot.coriolis_matrix.native
        if hot is not None:
            filled = np.empty(self._square) if out is None else out
            if hot(CONTEXT, self.dynamic_model, q, qd, self._space, filled) == 0:
                return filled
        values, rates = vector(q, self.axes), vector(qd, self.axes, "qd", JointVelocity)
        result = output(out, self._square, "out")
        if len(values):
            space = np.empty(particles.SPACE * len(self.body_names))
            particles.coriolis_matrix(self.dynamic_model, values, rates, space, result.reshape(-1))
        return result

    def mass_matrix(self, q: Coordinates, out: FloatArray | None = None) -> FloatArray:
        """The mass matrix, (n, n), kg m^2, kg m or kg; symmetric to the bit, rotors included.

        By the composite-rigid-body algorithm.

        Args:
            q: configuration, (n,), rad or m.
            out: (n, n) float64 to fill and return.
        """
        hot = _hot.mass_matrix.native
        if hot is not None:
            filled = np.empty(self._square) if out is None else out
            if hot(CONTEXT, self.dynamic_model, q, self._space, filled) == 0:
                return filled
        values = vector(q, self.axes)
        result = output(out, self._square, "out")
        if len(values):
            space = np.empty(composite.SPACE * len(self.body_names))
            composite.mass_matrix(self.dynamic_model, values, space, result.reshape(-1))
        return result

    # ---- from torque to motion
    def forward_dynamics(
        self, q: Coordinates, qd: Coordinates, tau: PerJoint, out: FloatArray | None = None
    ) -> FloatArray:
        """Accelerations that torques cause, (n,), rad/s^2 or m/s^2, friction and rotors included.

        By the articulated-body algorithm, O(bodies); where joints follow others by solving with the mass matrix.

        Args:
            q: configuration, (n,), rad or m.
            qd: rates, (n,), rad/s or m/s.
            tau: torques or forces of the motors, (n,), N m or N.
            out: (n,) float64 to fill and return; may be one of the inputs.
        """
        free = len(self._bodies.bodies) == self.axes.shape[0]  # every joint has a coordinate of its own
        hot = _hot.forward_dynamics.native if free else _hot.forward_dynamics_by_mass.native
        if hot is not None:
            filled = np.empty(self.axes.shape) if out is None else out
            if hot(CONTEXT, self.dynamic_model, q, qd, tau, self._space, filled) == 0:
                return filled
        values, rates = vector(q, self.axes), vector(qd, self.axes, "qd", JointVelocity)
        efforts = self._efforts(tau)
        result = output(out, self.axes.shape, "out")
        n, m = len(values), len(self.body_names)
        if n == 0:
            return result
        if free:
            space = np.empty(articulated.SPACE * m)
            articulated.forward_dynamics(self.dynamic_model, values, rates, efforts, space, result)
        else:
            space = np.empty(newton_euler.SPACE * m + 3 * n + n * n)
            composite.forward_dynamics_by_mass(self.dynamic_model, values, rates, efforts, space, result)
        return result

    def _efforts(self, tau: PerJoint) -> FloatArray:
        """Torques as a checked array."""
        names = self.axes.names
        given = [tau.get(name) for name in names] if isinstance(tau, Mapping) else tau
        try:
            values = np.ascontiguousarray(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise WrongLength(f"tau: expected {len(names)} numbers, for {', '.join(names)}; got {tau!r}") from error
        if values.shape != self.axes.shape or (isinstance(tau, Mapping) and len(tau) != len(names)):
            got = ", ".join(map(str, tau)) if isinstance(tau, Mapping) else f"shape {values.shape}"
            raise WrongLength(f"tau: expected {len(names)} numbers, for {', '.join(names)}; got {got}")
        for name, x in zip(names, values.tolist(), strict=True):
            if not abs(x) < float("inf"):
                raise NotFinite(f"tau: joint {name!r} must be finite, got {x}")
        return values

    # ---- energies and momenta
    def kinetic_energy(self, q: Coordinates, qd: Coordinates) -> float:
        """Kinetic energy of bodies and rotors, J: half of ``qd^T M qd``."""
        return self._energies(q, qd)[0]

    def potential_energy(self, q: Coordinates) -> float:
        """Potential energy of all that moves, J; zero for a mass at the origin of the base frame."""
        return self._energies(q, self._still)[1]

    def _energies(self, q: Coordinates, qd: Coordinates) -> tuple[float, float]:
        values, rates = vector(q, self.axes), vector(qd, self.axes, "qd", JointVelocity)
        if not len(values):
            return 0.0, 0.0
        out = np.empty(2)
        momentum.energies(self.dynamic_model, values, rates, np.empty(self._sums_space), out)
        return float(out[0]), float(out[1])

    def centroidal_momentum(self, q: Coordinates, qd: Coordinates) -> CentroidalMomentum:
        """Mass, centre of mass and momentum about it of everything that moves, and the matrix that gives it.

        Args:
            q: configuration, (n,), rad or m.
            qd: rates, (n,), rad/s or m/s.

        Raises:
            InvalidInertia: nothing that moves has mass.
        """
        values, rates = vector(q, self.axes), vector(qd, self.axes, "qd", JointVelocity)
        n = len(values)
        if not np.any(self.inertial_parameters[:, 0] > 0.0):
            raise InvalidInertia("nothing that moves has mass, so there is no centre of mass; state inertias", link="")
        out = np.empty(13 + 6 * n)
        momentum.centroidal_momentum(self.dynamic_model, values, rates, np.empty(self._sums_space), out)
        return CentroidalMomentum(float(out[0]), out[1:4], out[4:7], out[7:10], out[10:13], out[13:].reshape(6, n))

    # ---- derivatives
    def inverse_dynamics_derivatives(
        self, q: Coordinates, qd: Coordinates, qdd: Coordinates
    ) -> tuple[FloatArray, FloatArray]:
        """Derivatives of :meth:`inverse_dynamics` by ``q`` and by ``qd``, (n, n) each: a row a torque.

        The derivative by ``qdd`` is the mass matrix. Friction counts as the slope beside a jump.

        Args:
            q: configuration, (n,), rad or m.
            qd: rates, (n,), rad/s or m/s.
            qdd: accelerations, (n,), rad/s^2 or m/s^2.
        """
        values, rates = vector(q, self.axes), vector(qd, self.axes, "qd", JointVelocity)
        gains = vector(qdd, self.axes, "qdd", JointAcceleration)
        n = len(values)
        by_q, by_qd = np.zeros((n, n)), np.zeros((n, n))
        if n:
            space = np.empty(particles.WIDE * len(self.body_names))
            particles.inverse_dynamics_derivatives(
                self.dynamic_model, values, rates, gains, space, by_q.reshape(-1), by_qd.reshape(-1)
            )
        return by_q, by_qd

    def regressor(self, q: Coordinates, qd: Coordinates, qdd: Coordinates, out: FloatArray | None = None) -> FloatArray:
        """The matrix that gives the torques of the bodies from their :attr:`inertial_parameters`, (n, 10 m).

        Rotors and friction are not in it: they add ``rotor_inertia qdd``, ``viscous qd`` and so on.

        Args:
            q: configuration, (n,), rad or m.
            qd: rates, (n,), rad/s or m/s.
            qdd: accelerations, (n,), rad/s^2 or m/s^2.
            out: (n, 10 m) float64 to fill and return.
        """
        hot = _hot.regressor_matrix.native
        if hot is not None:
            filled = np.empty((self.axes.shape[0], regressor.BODY * len(self.body_names))) if out is None else out
            if hot(CONTEXT, self.dynamic_model, q, qd, qdd, self._space, filled) == 0:
                return filled
        values, rates = vector(q, self.axes), vector(qd, self.axes, "qd", JointVelocity)
        gains = vector(qdd, self.axes, "qdd", JointAcceleration)
        m = len(self.body_names)
        result = output(out, (len(values), regressor.BODY * m), "out")
        if len(values):
            space = np.empty(regressor.SPACE * m)
            regressor.regressor(self.dynamic_model, values, rates, gains, space, result.reshape(-1))
        return result

    # ---- many at once
    def inverse_dynamics_batch(
        self, Q: ArrayLike, Qd: ArrayLike, Qdd: ArrayLike, out: FloatArray | None = None, *, threads: int = 1
    ) -> FloatArray:
        """Torques of many motions, (N, n); bit for bit those of a loop over :meth:`inverse_dynamics`.

        Args:
            Q: configurations, (N, n), rad or m.
            Qd: rates, (N, n).
            Qdd: accelerations, (N, n).
            out: (N, n) float64 to fill and return.
            threads: how many threads may share the rows; the numbers do not depend on it.
        """
        rows = self._rows(Q, Qd, Qdd)
        result = output(out, rows[0].shape, "out")
        if result.size:
            space = self._torque_space
            arguments = (self.dynamic_model, *rows, result)
            run_rows(newton_euler.inverse_dynamics, *arguments, scratch=space, threads=threads)
        return result

    def bias_torque_batch(
        self, Q: ArrayLike, Qd: ArrayLike, out: FloatArray | None = None, *, threads: int = 1
    ) -> FloatArray:
        """:meth:`bias_torque` for many states, (N, n)."""
        return self.inverse_dynamics_batch(Q, Qd, np.zeros(np.shape(Q)), out, threads=threads)

    def mass_matrix_batch(self, Q: ArrayLike, out: FloatArray | None = None, *, threads: int = 1) -> FloatArray:
        """Mass matrices of many configurations, (N, n, n); bit for bit those of a loop over :meth:`mass_matrix`."""
        values = matrix(Q, self.axes.names)
        count, n = values.shape
        result = output(out, (count, n, n), "out")
        if values.size:
            space = composite.SPACE * len(self.body_names)
            rows = result.reshape(count, n * n)
            run_rows(composite.mass_matrix, self.dynamic_model, values, rows, scratch=space, threads=threads)
        return result

    def regressor_batch(
        self, Q: ArrayLike, Qd: ArrayLike, Qdd: ArrayLike, out: FloatArray | None = None, *, threads: int = 1
    ) -> FloatArray:
        """:meth:`regressor` for many motions, (N, n, 10 m); bit for bit those of a loop."""
        rows = self._rows(Q, Qd, Qdd)
        count, n = rows[0].shape
        m = len(self.body_names)
        result = output(out, (count, n, regressor.BODY * m), "out")
        if result.size:
            arguments = (self.dynamic_model, *rows, result.reshape(count, n * regressor.BODY * m))
            run_rows(regressor.regressor, *arguments, scratch=regressor.SPACE * m, threads=threads)
        return result

    def _rows(self, Q: ArrayLike, Qd: ArrayLike, Qdd: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        names = self.axes.names
        rows = matrix(Q, names), matrix(Qd, names, "Qd"), matrix(Qdd, names, "Qdd")
        if not len(rows[0]) == len(rows[1]) == len(rows[2]):
            counts = ", ".join(str(len(row)) for row in rows)
            raise WrongLength(f"Q, Qd and Qdd: expected as many rows of each, got {counts}")
        return rows

    @property
    def _torque_space(self) -> int:
        return newton_euler.SPACE * len(self.body_names) + self.axes.shape[0]

    @property
    def _sums_space(self) -> int:
        return particles.SPACE * len(self.body_names)
