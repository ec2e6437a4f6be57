"""What a straight line costs: the figures that a planned line reports about itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Limiting(NamedTuple):
    """The limit that is used most.

    Attributes:
        name: the joint, or ``"tool"``.
        limit: ``"velocity"``, ``"acceleration"`` or ``"jerk"`` of a joint, ``"speed"`` or ``"turn"`` of the tool.
        share: the part of it that is used, 1 where it is reached.
    """

    name: str
    limit: str
    share: float


@dataclass(frozen=True, slots=True, eq=False)
class LineReport:
    """The price of a straight line and how exactly it is kept.

    Attributes:
        length: of the line, m.
        turn: angle between its ends, rad.
        duration: s.
        joint_duration: of the joint-space move between the same ends under the same limits, s.
        ratio: duration over joint_duration; 1 where neither moves.
        deviation: largest distance of the tool from the line measured between knots, m.
        deviation_rotation: largest angle, rad.
        fractions: where along the line the manipulability is given, (k,), from 0 to 1.
        manipulability: Yoshikawa's measure there, (k,).
        least_manipulability: the smallest of them.
        least_manipulability_at: its fraction of the line.
        limiting: the limit used most.
        knots: number of knots of the joint path.
    """

    length: float
    turn: float
    duration: float
    joint_duration: float
    ratio: float
    deviation: float
    deviation_rotation: float
    fractions: NDArray[np.float64]
    manipulability: NDArray[np.float64]
    least_manipulability: float
    least_manipulability_at: float
    limiting: Limiting
    knots: int
