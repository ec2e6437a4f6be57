"""What every test runs under: one fixed sequence of examples; every warning is an error, as pyproject.toml says."""

from __future__ import annotations

import os

import hypothesis

# interpreted unless the leg says otherwise (make test-compiled): which kernel turns native in the middle of a suite
# depends on how long it ran, and compiling all of them in every worker would take longer than the suite
os.environ.setdefault("MOTIONKIT_TIER", "interpreted")

# the same examples on every run and machine, so that a failure is a change and not a draw; no time limit, since
# machines are shared
hypothesis.settings.register_profile("motionkit", derandomize=True, deadline=None, database=None, print_blob=True)
hypothesis.settings.load_profile("motionkit")
