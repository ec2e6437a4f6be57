"""``motionkit warmup``: makes every kernel native now, so that no later process has to."""

from __future__ import annotations

import time
from typing import Any

from ._arguments import AsJson
from ._output import print_json

__all__ = ["warmup"]


def warmup(*, rows: bool = True, json: AsJson = False) -> None:
    """Compile every kernel and keep the native code, for control loops and for machine images.

    The first time this takes half a minute or more, after that a second. On a terminal a bar shows how far it is.

    Args:
        rows: leave out the forms that work through many rows at once, which are about half of the work.
        json: print one JSON object.
    """
    from ..runtime import cache_info, runtime_settings
    from ..runtime import warmup as make_native
    from ._progress import LateProgress

    started = time.monotonic()
    before = cache_info()
    with LateProgress() as progress:
        count = make_native(progress, rows=rows)
    seconds = time.monotonic() - started
    after = cache_info()
    new = after.files - before.files
    if json:
        data: dict[str, Any] = {"tier": runtime_settings().tier, "native": count, "seconds": round(seconds, 3)}
        print_json({**data, "new_files": new, "cache": after})
        return
    if count == 0:
        print("nothing to do: MOTIONKIT_TIER=interpreted forbids compiling")
        return
    print(f"{count} native forms are ready after {seconds:.1f} s")
    if not after.enabled:
        print("nothing is kept for the next process: MOTIONKIT_CACHE switches the cache off")
    elif after.files == 0:
        print(f"nothing is kept for the next process: {after.folder} cannot be written")
    else:
        print(f"{new} new files in {after.folder}, which holds {after.files} with {after.bytes / 1e6:.1f} MB")
