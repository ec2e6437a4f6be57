"""Front doors of sampling with ``out``: checked in nanoseconds, then a kernel runs.

What they do not take they leave to the long way, which says what is wrong. Nothing is computed here.
"""

from __future__ import annotations

from typing import Any

from ..kernels import online_axis, online_segments, scurve, stop
from ..kernels._contract import front


@front(scurve.scurve_sample, "model real out")
def sample_axis(model: Any, t: Any, out: Any) -> int:
    """A line of one axis at time ``t`` in ``out`` (4,)."""
    if not t - t == 0.0 or len(model) != scurve.PROFILE + 3 or len(out) != 4:
        return 1
    scurve.scurve_sample(model, 1, t, out)
    return 0


@front(scurve.scurve_sample, "model real out2")
def sample_axes(model: Any, t: Any, out: Any) -> int:
    """A line of n axes at time ``t`` in ``out`` (4, n)."""
    n = out.shape[1]
    if not t - t == 0.0 or len(model) != scurve.PROFILE + 3 * n or out.shape[0] != 4:
        return 1
    scurve.scurve_sample(model, n, t, out.reshape(4 * n))
    return 0


@front(stop.stop_sample, "model real out")
def sample_stop(model: Any, t: Any, out: Any) -> int:
    """A stop at time ``t`` in ``out`` (4,)."""
    if not t - t == 0.0 or len(out) != 4:
        return 1
    stop.stop_sample(model, t, out)
    return 0


@front(stop.stop_line_sample, "model real out2")
def sample_line_stop(model: Any, t: Any, out: Any) -> int:
    """A stop of n axes on their line at time ``t`` in ``out`` (4, n)."""
    n = out.shape[1]
    if not t - t == 0.0 or len(model) != 18 + 2 * n or out.shape[0] != 4:
        return 1
    stop.stop_line_sample(model, n, t, out.reshape(4 * n))
    return 0


SHORT = online_segments.HEAD + online_segments.EACH * online_axis.FASTEST
LONG = online_segments.HEAD + online_segments.EACH * online_axis.TIMED


@front(online_segments.online_sample, "model real out2")
def sample_online(model: Any, t: Any, out: Any) -> int:
    """Axes that go from any state to any state, at time ``t`` in ``out`` (4, n)."""
    n = out.shape[1]
    size = len(model)
    if not t - t == 0.0 or out.shape[0] != 4 or not (size == SHORT * n or size == LONG * n):
        return 1
    segments = online_axis.FASTEST if size == SHORT * n else online_axis.TIMED
    online_segments.online_sample(model, n, segments, t, out.reshape(4 * n))
    return 0


@front(online_segments.online_line_sample, "model real out2")
def sample_online_line(model: Any, t: Any, out: Any) -> int:
    """The same along a line."""
    n = out.shape[1]
    size = len(model) - 4 * n
    if not t - t == 0.0 or out.shape[0] != 4 or not (size == SHORT or size == LONG):
        return 1
    segments = online_axis.FASTEST if size == SHORT else online_axis.TIMED
    online_segments.online_line_sample(model, n, segments, t, model[0], out.reshape(4 * n))
    return 0
