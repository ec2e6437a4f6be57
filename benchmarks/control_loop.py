"""Times of every operation that a control loop calls, from Python and from native code, and B7.

Min, median and max over rounds, and the median as a share of a 1 kHz cycle. Each time is the mean of a round of many
calls, so the max shows how much the machine varies, not the worst single call. Absolute times are printed and never
asserted. Kernels run natively unless ``MOTIONKIT_TIER`` says otherwise; the loops in native code always do.

    make bench            ARGS="--rounds 50 --only lookup"
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterable, Sequence

os.environ.setdefault("MOTIONKIT_TIER", "compiled")

import numpy as np

import compiled
import motionkit as mk
from operations import Operation, operations
from tables import machine, print_table, share, shown, times_over, today
from timing import Effort, Times, compare, measure

CYCLE = 1e-3  # seconds: a control loop at 1 kHz
B7 = 0.005  # the share of a cycle that a seeded solve may take in native code
RATIOS = (
    ("planning a synchronised move / a frame lookup", "synchronised plan, 6 axes", "frame lookup, tool to camera"),
    ("planning a stop / planning a synchronised move", "stop plan", "synchronised plan, 6 axes"),
)
COLUMNS = ("median", "max", "of 1 kHz")
HEADS = ("operation", "from Python: min", *COLUMNS, "from compiled code: min", *COLUMNS)


def columns(times: Times | None) -> Sequence[str]:
    """Four cells; dashes where there is no such form."""
    if times is None:
        return ("-",) * 4
    return shown(times.least), shown(times.median), shown(times.most), share(times.median / CYCLE)


def ratios(table: Iterable[Operation], effort: Effort) -> list[Sequence[str]]:
    """The two ratios of I3, each with both sides in turn, from Python and in native code."""
    by_name = {operation.name: operation for operation in table}
    rows: list[Sequence[str]] = []
    for what, above, below in RATIOS:
        a, b = by_name[above], by_name[below]
        assert a.compiled is not None and b.compiled is not None
        python = compare((b.python, b.count), (a.python, a.count), effort)
        native = compare((b.compiled, b.count), (a.compiled, a.count), effort)
        rows.append((what, times_over(python.ratio), times_over(native.ratio)))
    return rows


def allocations(operation: Operation) -> tuple[int, int]:
    """Allocations that the compiled runtime counts in a thousand solves, and in as many rows of the control."""
    from numba.core.runtime import _nrt_python, rtsys

    _nrt_python.memsys_enable_stats()
    rows = np.zeros((operation.count, 1))

    def counted(work, passes: int) -> int:
        before = rtsys.get_allocation_stats().alloc
        work(passes)
        return rtsys.get_allocation_stats().alloc - before

    def control(passes: int) -> None:
        compiled.allocating(rows, rows, passes)

    many = -(-1000 // operation.count)
    found: list[int] = []
    for work in (operation.compiled, control):
        work(1)
        # arrays are counted once on their way in from Python; what a pass adds is the difference
        found.append(counted(work, many + 1) - counted(work, 1))
    return found[0], found[1]


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15, help="rounds for each operation and column")
    parser.add_argument("--only", default="", help="only operations whose name contains this")
    parser.add_argument("--quick", action="store_true", help="one short round of everything: does it run?")
    options = parser.parse_args()
    effort = Effort(1, 0.0) if options.quick else Effort(options.rounds, 0.02)
    print(f"motionkit {mk.__version__}, Python {platform.python_version()}, NumPy {np.__version__}; {machine()}")
    print(
        f"{today()}; MOTIONKIT_TIER={os.environ['MOTIONKIT_TIER']}; {effort.rounds} rounds of {shown(effort.seconds)}, "
        "share of a 1 kHz cycle by the median"
    )
    table = operations()
    rows: list[Sequence[str]] = []
    for operation in table:
        if options.only in operation.name:
            python = measure(operation.python, operation.count, effort)
            native = operation.compiled and measure(operation.compiled, operation.count, effort)
            rows.append((operation.name, *columns(python), *columns(native)))
            if operation.name == "seeded inverse":
                solve, solve_median = operation, native.median
    print_table("", HEADS, rows)
    if not options.only:
        print_table("", ("ratio", "Python", "compiled"), ratios(table, effort))
        count, control = allocations(solve)
        print(
            f"B7: a seeded solve takes {share(solve_median / CYCLE)} of a 1 kHz cycle in native code (at most "
            f"{share(B7)}); allocations in 1024 solves: {count} (control, one array a row: {control})"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
