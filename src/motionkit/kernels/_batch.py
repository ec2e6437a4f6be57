"""Runs a kernel over many rows at once, with NumPy arrays as its elements.

Whole columns of a chunk of rows are the elements, so one pass through the interpreted kernel answers the chunk. The
numbers are those that a loop over single rows gives, bit for bit, whatever the chunk.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._contract import Kernel, Model

CHUNK = 4096  # rows a chunk: large enough to hide the interpreter, small enough to stay in the cache
FEW = 16  # below this many rows a loop over floats is quicker than one pass over arrays


class _Columns:
    """Columns of a block of rows; reading copies, because a view would change when the kernel writes its outputs."""

    __slots__ = ("_block",)

    def __init__(self, block: NDArray[np.float64]) -> None:
        self._block = block.T

    def __getitem__(self, k: int) -> NDArray[np.float64]:
        return self._block[k].copy()

    def __setitem__(self, k: int, value: Any) -> None:
        self._block[k] = value

    def __len__(self) -> int:
        return len(self._block)


def run_rows(kernel: Kernel[..., Any], *arguments: Any, scratch: int = 0) -> None:
    """Run ``kernel`` once for every row of its inputs.

    Args:
        kernel: an entry that supports array elements and returns nothing.
        arguments: in the kernel's order without scratch: models and whole numbers as they are, inputs and outputs as
            (N, k) C-contiguous float64 arrays, one row a problem; a real as an (N,) array or one number for all.
        scratch: elements of scratch that the kernel needs, when it takes any.
    """
    kinds = [kind for kind in kernel.arguments if kind != "scratch"]
    rows = next(len(a) for kind, a in zip(kinds, arguments, strict=True) if kind in ("in", "out"))
    step = CHUNK if rows >= FEW else 1
    for low in range(0, rows, step):
        high = min(low + step, rows)
        given = iter(zip(kinds, arguments, strict=True))
        values: list[Any] = []
        for kind in kernel.arguments:
            if kind == "scratch":
                values.append(_Columns(np.empty((high - low, scratch))) if step > 1 else [0.0] * scratch)
                continue
            _, a = next(given)
            if kind == "model":
                values.append(a.values if isinstance(a, Model) else a)
            elif kind in ("in", "out"):
                values.append(_Columns(a[low:high]) if step > 1 else a[low].tolist() if kind == "in" else a[low])
            elif isinstance(a, np.ndarray):
                values.append(a[low:high].copy() if step > 1 else float(a[low]))
            else:
                values.append(a)
        kernel.function(*values)
