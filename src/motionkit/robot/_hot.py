"""Front doors of the calls that belong in control loops: what comes in is checked in nanoseconds, then a kernel runs.

They exist in native code only, and only once their kernels are native. What they do not take, in shape, type or value,
they leave alone: the caller then goes the long way, which says what is wrong. Nothing is computed here.
"""

from __future__ import annotations

import functools
from typing import Any

from ..kernels import _tier, chain
from ..kernels.chain import HEAD, ROW, TAIL
from ..kernels.trig import LARGEST_ANGLE


def _forward(model: Any, q: Any, out: Any) -> int:
    """0 and the pose in ``out`` (4, 4), or 1 and nothing done."""
    if len(model) != HEAD + ROW * len(q) + TAIL or out.shape[0] != 4 or out.shape[1] != 4:
        return 1
    for i in range(len(q)):
        if not abs(q[i]) <= LARGEST_ANGLE:  # also where it is not a number
            return 1
    chain.forward_matrix(model, q, out.reshape(16))
    return 0


def _jacobian(model: Any, q: Any, out: Any) -> int:
    """0 and the Jacobian at the tip in base axes in ``out`` (6, n), or 1 and nothing done."""
    n = len(q)
    if len(model) != HEAD + ROW * n + TAIL or out.shape[0] != 6 or out.shape[1] != n or n == 0:
        return 1
    for i in range(n):
        if not abs(q[i]) <= LARGEST_ANGLE:
            return 1
    chain.jacobian(model, q, out.reshape(6 * n))
    return 0


@functools.cache
def forward() -> Any:
    """The front door of ``SerialChain.forward(q, out=)``."""
    return _tier.compile_front(_forward, "model in out2")


@functools.cache
def jacobian() -> Any:
    """The front door of ``SerialChain.jacobian(q, out=)``."""
    return _tier.compile_front(_jacobian, "model in out2")
