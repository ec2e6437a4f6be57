"""Torques, accelerations, energies and momenta, as methods that a chain and a whole robot share.

What is asked is checked here and handed to the kernels; what a chain or a robot consists of is in ``dynamics``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidInertia, InvalidSetting, NotFinite, WrongLength
from ..kernels import articulated, composite, momentum, newton_euler, particles, regressor
from ..kernels._batch import run_rows
from ..kernels._contract import CONTEXT, Model
from ..kernels.rigid_tree import HEAD, MASS, ROW
from ..values import JointAcceleration, JointVelocity
from . import _hot_dynamics as _hot
from ._coordinates import Coordinates, matrix, output, vector
from ._dynamics_packing import Drives, PackedBodies

if TYPE_CHECKING:
    from ..values.axes import Axes

FloatArray = NDArray[np.float64]
PerJoint = ArrayLike | Mapping[str, float]


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


class DynamicMethods:
    """Rigid bodies that coordinates move; the base stands still.

    Every method takes ``q`` as a chain's do: (n,) numbers in joint order, a mapping from joint names, or values with
    units; rates and accelerations alike. Joint limits are not checked. With ``out`` nothing is allocated.
    """

    if TYPE_CHECKING:
        axes: Axes

        @property
        def n(self) -> int:
            """Number of coordinates."""
            ...

        @property
        def joint_names(self) -> tuple[str, ...]:
            """Names of the coordinates."""
            ...

    _bodies: PackedBodies
    _drives: Drives
    _space: FloatArray
    _still: FloatArray
    _square: tuple[int, ...]

    def _set_bodies(self, bodies: PackedBodies, drives: Drives) -> None:
        self._bodies = bodies
        self._drives = drives
        self.dynamic_model: Model = bodies.model
        # front doors hold the interpreter's lock, so one space serves all threads; the long way takes its own
        self._space = np.empty(self._room)
        self._still = np.zeros(self.axes.shape)
        self._square = (*self.axes.shape, *self.axes.shape)

    def _changed(self, drives: Drives) -> Self:
        raise NotImplementedError

    @cached_property
    def _room(self) -> int:
        n = self.axes.shape[0]
        return particles.WIDE * len(self._bodies.bodies) + 3 * n + n * n

    # ---- what it consists of
    @property
    def body_names(self) -> tuple[str, ...]:
        """The moving bodies, each named after the link that its joint carries; links fixed to it are part of it."""
        return self._bodies.bodies

    @property
    def gravity(self) -> tuple[float, float, float]:
        """Acceleration of gravity in the base frame, m/s^2."""
        return self._drives.gravity

    @property
    def rotor_inertia(self) -> FloatArray:
        """Inertia that rotors add at every joint, (n,), kg m^2 or kg."""
        return np.array(self._drives.rotor_inertia or self._still)

    @property
    def viscous_friction(self) -> FloatArray:
        """Torque or force for a unit of every rate, (n,)."""
        return np.array(self._drives.viscous or self._still)

    @property
    def coulomb_friction(self) -> FloatArray:
        """Torque or force against the motion of every joint, (n,)."""
        return np.array(self._drives.coulomb or self._still)

    @property
    def coulomb_speed(self) -> float:
        """Rate over which the Coulomb friction turns over; 0 for a jump."""
        return self._drives.coulomb_speed

    @property
    def inertial_parameters(self) -> FloatArray:
        """Ten numbers a body, (m, 10): mass, first moment (3), inertia about the frame's origin xx xy xz yy yz zz.

        In the moved frame of the body's joint, whose z axis is the joint's; rows in the order of :attr:`body_names`.
        ``regressor(q, qd, qdd) @ inertial_parameters.ravel()`` are the torques without rotors and friction.
        """
        rows = np.array(self.dynamic_model.values[HEAD : HEAD + ROW * len(self.body_names)])
        return rows.reshape(-1, ROW)[:, MASS:].copy()

    def with_gravity(self, gravity: ArrayLike) -> Self:
        """The same with another gravity, for an arm on a wall or a ceiling.

        Args:
            gravity: acceleration in the base frame, (3,), m/s^2; (0, 0, -9.81) is the default.

        Raises:
            WrongLength: not three numbers.
            NotFinite: a number is NaN or infinite.
        """
        x, y, z = _three(gravity, "gravity")
        return self._changed(replace(self._drives, gravity=(x, y, z)))

    def with_rotor_inertia(self, inertia: PerJoint, gear_ratio: PerJoint | None = None) -> Self:
        """The same with the inertia of spinning rotors, on the diagonal of the mass matrix.

        Only a rotor's own spin counts; its mass belongs to the link that holds it, and gyroscopic terms are left out.

        Args:
            inertia: of every rotor about its own axis, (n,) in joint order or by joint name, kg m^2 (kg at a joint
                that slides).
            gear_ratio: turns of the rotor for a turn of the joint, (n,); it counts squared. 1 when left out, that is
                the inertia is the one felt at the joint.

        Raises:
            WrongLength, UnknownName, NotFinite: as for ``q``.
            InvalidSetting: an inertia is negative.
        """
        values = self._not_negative(inertia, "rotor inertia")
        if gear_ratio is not None:
            values = values * np.square(vector(gear_ratio, self.axes, "gear ratio"))  # type: ignore[arg-type]
        return self._changed(replace(self._drives, rotor_inertia=tuple(values.tolist())))

    def with_friction(self, viscous: PerJoint, coulomb: PerJoint | None = None, *, coulomb_speed: float = 0.0) -> Self:
        """The same with friction in every joint.

        The torque at the rate v is ``viscous v + coulomb sign(v)``, with sign(0) = 0: nothing sticks. With a
        ``coulomb_speed`` s the sign is v / sqrt(v^2 + s^2), which is continuous and 0.7 at that rate.

        Args:
            viscous: N m s/rad or N s/m, (n,) in joint order or by joint name.
            coulomb: N m or N; none when left out.
            coulomb_speed: rad/s or m/s, the same for all joints; 0 for a jump.

        Raises:
            WrongLength, UnknownName, NotFinite: as for ``q``.
            InvalidSetting: a number is negative.
        """
        if not 0.0 <= coulomb_speed <= 1e6:
            raise InvalidSetting(
                f"coulomb_speed: expected a rate from 0 to 1e6 rad/s or m/s, got {coulomb_speed}", name="coulomb_speed"
            )
        b = self._not_negative(viscous, "viscous friction")
        c = self._still if coulomb is None else self._not_negative(coulomb, "Coulomb friction")
        drives = replace(self._drives, viscous=tuple(b.tolist()), coulomb=tuple(c.tolist()))
        return self._changed(replace(drives, coulomb_speed=float(coulomb_speed)))

    def _not_negative(self, values: PerJoint, what: str) -> FloatArray:
        numbers = vector(values, self.axes, what)  # type: ignore[arg-type]
        for name, x in zip(self.axes.names, numbers.tolist(), strict=True):
            if x < 0.0:
                raise InvalidSetting(f"{what}: joint {name!r} must not have less than 0, got {x:g}", name=name)
        return numbers

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
        hot = _hot.forward_dynamics.native
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
        if n == m:
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
        Q, Qd, Qdd = self._rows(Q, Qd, Qdd)
        result = output(out, Q.shape, "out")
        if Q.size:
            space = self._torque_space
            arguments = (self.dynamic_model, Q, Qd, Qdd, result)
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
        Q, Qd, Qdd = self._rows(Q, Qd, Qdd)
        count, n = Q.shape
        m = len(self.body_names)
        result = output(out, (count, n, regressor.BODY * m), "out")
        if Q.size:
            arguments = (self.dynamic_model, Q, Qd, Qdd, result.reshape(count, n * regressor.BODY * m))
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


def _three(values: ArrayLike, what: str) -> list[float]:
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise WrongLength(f"{what}: expected 3 numbers, got {values!r}") from error
    if numbers.shape != (3,):
        raise WrongLength(f"{what}: expected 3 numbers, got shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise NotFinite(f"{what}: every number must be finite, got {numbers.tolist()}")
    return numbers.tolist()
