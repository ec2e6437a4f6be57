"""What every test runs under: one fixed sequence of examples; every warning is an error, as pyproject.toml says.

And where the robot files are that tests of several rooms read.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import hypothesis
import pytest

# interpreted unless the leg says otherwise (make test-compiled): which kernel turns native in the middle of a suite
# depends on how long it ran, and compiling all of them in every worker would take longer than the suite
os.environ.setdefault("MOTIONKIT_TIER", "interpreted")

# the same examples on every run and machine, so that a failure is a change and not a draw; no time limit, since
# machines are shared
hypothesis.settings.register_profile("motionkit", derandomize=True, deadline=None, database=None, print_blob=True)
hypothesis.settings.load_profile("motionkit")


def _example_robot_data():
    """The folder of example-robot-data, beside pinocchio in the prefix that both are installed into."""
    spec = importlib.util.find_spec("pinocchio")
    for above in Path(next(iter(spec.submodule_search_locations))).parents:
        robots = above / "share" / "example-robot-data" / "robots"
        if robots.is_dir():
            return robots
    raise FileNotFoundError("example-robot-data is a development dependency; install requirements/test.txt")


@pytest.fixture(scope="session")
def robot_files():
    """Folder of example-robot-data."""
    return _example_robot_data()
