"""Bodies with motors: gravity, rotors and friction, set on a chain or on a whole robot alike.

What torques and accelerations come of them is in ``_dynamic_methods``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidSetting, NotFinite, WrongLength
from ..kernels import particles
from ..kernels._contract import Model
from ..kernels.rigid_tree import HEAD, MASS, ROW
from ..spatial import SE3
from ._coordinates import vector
from ._dynamics_packing import Drives, PackedBodies

if TYPE_CHECKING:
    from ..values.axes import Axes

FloatArray = NDArray[np.float64]
PerJoint = ArrayLike | Mapping[str, float]


class Bodies:
    """Bodies and motors; what makes them is in ``dynamics``."""

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
    def body_frames(self) -> dict[str, SE3]:
        """By body, the pose of the link that it is named after in the moved frame of its joint; constant.

        The moved frame has the joint's axis as z and turns and travels with the link; its x axis is ours to choose.
        """
        links = self._bodies.links
        return {name: SE3.from_elements(links[name][1]) for name in self._bodies.bodies}

    @property
    def inertial_parameters(self) -> FloatArray:
        """Ten numbers a body, (m, 10): mass, first moment (3), inertia about the frame's origin xx xy xz yy yz zz.

        In the moved frame of the body's joint (see :attr:`body_frames`); rows in the order of :attr:`body_names`.
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
            values = values * np.square(vector(gear_ratio, self.axes, "gear ratio"))
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
        numbers = vector(values, self.axes, what)
        for name, x in zip(self.axes.names, numbers.tolist(), strict=True):
            if x < 0.0:
                raise InvalidSetting(f"{what}: joint {name!r} must not have less than 0, got {x:g}", name=name)
        return numbers


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
