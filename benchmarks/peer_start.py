"""How long a new process takes until the package is there, or until a command has answered, beside importing a peer.

Everything is byte-compiled and has been read from the disk once. Time of the processor, the start of Python included.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from timing import CHILDREN, Effort, Times, in_turn

IK = (
    *("-m", "motionkit.cli", "ik", "six_axis_example", "--xyz", "0.5", "0.1", "0.4"),
    *("--rpy", "0", "90", "0", "--json"),
)
OURS = (
    ("`import motionkit`", ("-c", "import motionkit"), False),
    ("`import motionkit`, then `SerialChain`", ("-c", "import motionkit; motionkit.SerialChain"), False),
    ("`motionkit ik`, cache empty", IK, True),
    ("`motionkit ik`, cache filled", IK, False),
)
PEERS = (
    ("pin", "import pinocchio"),
    ("ruckig", "import ruckig"),
    ("scipy", "from scipy.spatial.transform import Rotation"),
    ("numba", "import numba"),
    ("pytracik", "import pytracik, numpy"),
    ("ikpy", "from ikpy.chain import Chain"),
    ("roboticstoolbox-python", "import roboticstoolbox"),
)


@dataclass(frozen=True)
class Starts:
    """Times of every start by what was started, peers that are not here with None."""

    nothing: Times
    ours: dict[str, Times]
    peers: dict[str, Times | None]


def starts(effort: Effort) -> Starts:
    """All of them in turn, one process each a round."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment.pop("MOTIONKIT_TIER", None)
    with tempfile.TemporaryDirectory() as folder:

        def started(arguments: tuple[str, ...], empty: bool = False, check: bool = True) -> bool:
            there = {**environment, "MOTIONKIT_CACHE_DIR": str(Path(folder, "none"))} if empty else environment
            done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=there, check=False)
            assert done.returncode == 0 or not check, done.stderr
            return done.returncode == 0

        present = [name for name, code in PEERS if started(("-c", code), check=False)]
        codes = {name: ("-c", code) for name, code in PEERS if name in present}

        def work(arguments: tuple[str, ...], empty: bool = False):
            return lambda passes: [started(arguments, empty) for _ in range(passes)]

        sides = [work(("-c", "pass")), *(work(a, e) for _, a, e in OURS), *(work(codes[name]) for name in present)]
        found = in_turn([(side, 1) for side in sides], Effort(effort.rounds, 0.0), CHILDREN)
    ours = dict(zip((name for name, _, _ in OURS), found[1:], strict=False))
    theirs = dict(zip(present, found[1 + len(OURS) :], strict=True))
    return Starts(found[0], ours, {name: theirs.get(name) for name, _ in PEERS})
