"""The front door of sampling a line with ``out``: checked in nanoseconds, then two kernels run.

What it does not take it leaves to the long way, which says what is wrong. Nothing is computed here.
"""

from __future__ import annotations

from typing import Any

from ..kernels import quintic, scurve
from ..kernels._contract import front


@front(quintic.path_motion, "model model real scratch out2")
def sample(profile: Any, path: Any, t: Any, along: Any, out: Any) -> int:
    """The joints at time ``t`` in ``out`` (4, n), of a path that a profile drives; ``along`` (4,) is working space."""
    n = out.shape[1]
    cells = (len(path) - 1) // (1 + 6 * n)
    if not t - t == 0.0 or out.shape[0] != 4 or cells < 1 or cells * (1 + 6 * n) + 1 != len(path):
        return 1
    if len(profile) != scurve.PROFILE + 3 or len(along) != 4:
        return 1
    scurve.scurve_sample(profile, 1, t, along)
    quintic.path_motion(path, cells, along, out.reshape(4 * n))
    return 0
