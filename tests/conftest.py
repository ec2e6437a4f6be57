"""What every test runs under: one fixed sequence of examples; every warning is an error, as pyproject.toml says."""

from __future__ import annotations

import hypothesis

# the same examples on every run and machine, so that a failure is a change and not a draw; no time limit, since
# machines are shared
hypothesis.settings.register_profile("motionkit", derandomize=True, deadline=None, database=None, print_blob=True)
hypothesis.settings.load_profile("motionkit")
