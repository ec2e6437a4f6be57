"""What every machine that turns joint coordinates into a pose can do; paths and programs ask for nothing more."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from .limits import JointLimits


@runtime_checkable
class Kinematics(Protocol):
    """A chain or a machine: joint coordinates to a task, back, and the first derivative.

    Coordinates are (n,) float64 arrays, rad or m, in the machine's documented order.
    """

    @property
    def n(self) -> int:
        """Number of joint coordinates."""
        ...

    @property
    def limits(self) -> tuple[JointLimits, ...]:
        """Limits of the joints, in the order of the coordinates."""
        ...

    def forward(self, q: Any, /) -> Any:
        """The task (for a chain the pose of the tip) at joint coordinates ``q``."""
        ...

    def inverse(self, target: Any, seed: Any, /) -> Any:
        """Joint coordinates for a task, near a seed; raises when there are none."""
        ...

    def jacobian(self, q: Any, /) -> NDArray[np.float64]:
        """First derivative of the task by the coordinates, (m, n)."""
        ...
