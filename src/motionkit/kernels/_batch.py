"""Runs a kernel over many rows at once: NumPy arrays as its elements while cold, lanes in native code when hot.

The numbers are those that a loop over single rows gives, bit for bit, whatever the tier, the number of rows, their
order or the number of threads.
"""

from __future__ import annotations

import os
import threading
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _tier
from ._contract import Kernel, Model

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

CHUNK = 4096  # rows a chunk: large enough to hide the interpreter, small enough to stay in the cache
FEW = 16  # below this many rows a loop over floats is quicker than one pass over arrays
TILE = 2048  # rows that a thread takes at a time

_pool: ThreadPoolExecutor | None = None
_pool_lock = threading.Lock()


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


def run_rows(kernel: Kernel[..., Any], *arguments: Any, scratch: int = 0, threads: int = 1) -> None:
    """Run ``kernel`` once for every row of its inputs.

    Args:
        kernel: an entry that supports array elements and returns nothing.
        arguments: in the kernel's order without scratch: models and whole numbers as they are, inputs and outputs as
            (N, k) C-contiguous float64 arrays, one row a problem; a real as an (N,) array or one number for all.
        scratch: elements of scratch that the kernel needs, when it takes any.
        threads: how many threads may share the rows where they run natively.
    """
    kinds = [kind for kind in kernel.arguments if kind != "scratch"]
    rows = next(len(a) for kind, a in zip(kinds, arguments, strict=True) if kind in ("in", "out"))
    varying = tuple(isinstance(a, np.ndarray) for kind, a in zip(kinds, arguments, strict=True) if kind == "real")
    done = 0
    native: Any = None
    while done < rows and (native := _native(kernel, varying)) is None:
        # one chunk at a time, so that a call with very many rows can turn native before its end
        step, started = min(CHUNK, rows - done), perf_counter()
        _run_arrays(kernel, kinds, arguments, done, done + step, scratch)
        kernel.rows_heat.spent += perf_counter() - started
        done += step
    if done == rows:
        return
    values = [
        a.array if isinstance(a, Model) else a.reshape(-1, 1) if kind == "real" and isinstance(a, np.ndarray) else a
        for kind, a in zip(kinds, arguments, strict=True)
    ]
    if threads <= 1 or rows - done <= TILE:
        native(*values, scratch, done, rows)
        return
    tiles = [(low, min(low + TILE, rows)) for low in range(done, rows, TILE)]
    # every thread takes a share of the tiles: as many tasks as threads were asked for, whatever the pool holds
    shares = [tiles[k::threads] for k in range(threads)]
    list(_threads().map(lambda share: [native(*values, scratch, low, high) for low, high in share], shares))


def _native(kernel: Kernel[..., Any], varying: tuple[bool, ...]) -> Any:
    """The native form over rows when there is one, or when it is time to make it."""
    native = kernel.rows.get(varying)
    return kernel.rows_heat.native(lambda: compile_rows(kernel, varying), varying) if native is None else native


def _threads() -> ThreadPoolExecutor:
    global _pool
    from concurrent.futures import ThreadPoolExecutor

    with _pool_lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="motionkit")
        return _pool


def _forget_threads() -> None:
    """A forked process has none of its parent's threads: work that is given to them would wait for ever."""
    global _pool, _pool_lock
    _pool = None
    _pool_lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


def _run_arrays(kernel: Kernel[..., Any], kinds: list[str], arguments: Any, low: int, high: int, scratch: int) -> None:
    """The interpreted form: whole columns are the elements; a few rows are looped over as floats."""
    if high - low < FEW:
        for row in range(low, high):
            _run_once(kernel, kinds, arguments, row, row + 1, scratch)
    else:
        _run_once(kernel, kinds, arguments, low, high, scratch)


def _run_once(kernel: Kernel[..., Any], kinds: list[str], arguments: Any, low: int, high: int, scratch: int) -> None:
    """One call of the kernel: for one row its elements are floats, for more they are columns."""
    many = high - low > 1
    given = iter(zip(kinds, arguments, strict=True))
    values: list[Any] = []
    for kind in kernel.arguments:
        if kind == "scratch":
            values.append(_Columns(np.empty((high - low, scratch))) if many else [0.0] * scratch)
            continue
        _, a = next(given)
        if kind == "model":
            values.append(a.values if isinstance(a, Model) else a)
        elif kind in ("in", "out"):
            values.append(_Columns(a[low:high]) if many else a[low].tolist() if kind == "in" else a[low])
        elif isinstance(a, np.ndarray):
            values.append(a[low:high].copy() if many else float(a[low]))
        else:
            values.append(a)
    kernel.function(*values)


def compile_rows(kernel: Kernel[..., Any], varying: tuple[bool, ...]) -> Any:
    """The native form over rows, compiled when it is not yet; ``varying`` says which reals are one number a row."""
    native = kernel.rows.get(varying)
    if native is None:
        native = kernel.rows[varying] = _compile_rows(kernel, varying)
    return native


def _compile_rows(kernel: Kernel[..., Any], varying: tuple[bool, ...]) -> Any:
    """The native form: a loop over lanes, then over the rows that fill none.

    It is written for the kernel's declared signature. ``varying`` says which of its reals are one number a row.
    """
    _tier.boot()
    from numba.core import types

    from . import _lanes

    numbers = iter(varying)
    parameters: list[str] = []
    wide: list[str] = []
    narrow: list[str] = []
    signature: list[Any] = []
    matrix = {kind: types.Array(types.float64, 2, "C", readonly=kind != "out") for kind in ("in", "real", "out")}
    for place, kind in enumerate(kernel.arguments):
        name = f"a{place}"
        if kind == "scratch":
            wide.append("lane_scratch(wide_scratch)")
            narrow.append("narrow_scratch")
            continue
        parameters.append(name)
        if kind == "model":
            signature.append(types.Array(types.float64, 1, "C", readonly=True))
        elif kind == "int":
            signature.append(types.int64)
        elif kind == "real" and not next(numbers):
            signature.append(types.float64)
        else:
            signature.append(matrix[kind])
            item = ("[0]", "[t, 0]") if kind == "real" else ("", "[t]")
            wide.append(f"lane_rows({name}, t){item[0]}")
            narrow.append(f"{name}{item[1]}")
            continue
        wide.append(name)
        narrow.append(name)
    scratch = "scratch" in kernel.arguments
    lines = [
        f"def rows({', '.join([*parameters, 'scratch', 'low', 'high'])}):",
        "    t = low",
        f"    wide_scratch = np.empty((scratch, {_lanes.WIDTH}))" if scratch else "",
        "    narrow_scratch = np.empty(scratch)" if scratch else "",
        f"    while t + {_lanes.WIDTH} <= high:",
        f"        kernel({', '.join(wide)})",
        f"        t = t + {_lanes.WIDTH}",
        "    while t < high:",
        f"        kernel({', '.join(narrow)})",
        "        t = t + 1",
    ]
    variant = "".join("v" if v else "c" for v in varying)
    name = f"{_tier.name_of(kernel.function)}.rows{variant}"
    space: dict[str, Any] = {
        "kernel": kernel,
        "np": np,
        "lane_rows": _lanes.lane_rows,
        "lane_scratch": _lanes.lane_scratch,
        "__name__": kernel.__module__,
    }
    exec(compile("\n".join(lines), f"<rows of {name}>", "exec"), space)
    function = space["rows"]
    function.__qualname__ = f"{kernel.__qualname__}.rows{variant}"
    signature += [types.int64, types.int64, types.int64]
    return _tier.locked(_tier.compile_function(function, tuple(signature), name), function)
