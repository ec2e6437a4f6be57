"""A progress bar on stderr for work that takes longer than a second; nothing is shown when stderr is not a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["LateProgress"]

PATIENCE = 1.0  # seconds of silence before the bar appears


class LateProgress:
    """Call it with what is being done and the fraction that is done; use it as a context."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._terminal = sys.stderr.isatty()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> LateProgress:
        return self

    def __call__(self, what: str, done: float) -> None:
        """Show ``what`` and ``done``, from 0 to 1, once the work has taken a second."""
        if not self._terminal:
            return
        if self._bar is None:
            if time.monotonic() - self._started < PATIENCE:
                return
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(what, total=1.0)
            self._bar.start()
        assert self._task is not None
        self._bar.update(self._task, completed=done, description=what)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
