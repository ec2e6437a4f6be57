"""``motionkit cache``: what is kept of compiled kernels, and how to get rid of it."""

from __future__ import annotations

from typing import Annotated, Literal

import tyro

from ._arguments import AsJson
from ._output import print_json

__all__ = ["cache"]


def cache(
    action: Annotated[Literal["info", "clear"], tyro.conf.Positional],
    *,
    json: AsJson = False,
) -> None:
    """Show or empty the cache of compiled kernels. It is filled again when something is compiled.

    Args:
        action: info prints where it is and what it holds; clear removes everything in it, of every version.
        json: print one JSON object.
    """
    from ..runtime import cache_clear, cache_info

    if action == "clear":
        before = cache_info()
        removed = cache_clear()
        if json:
            print_json({"folder": before.folder, "removed": removed, "bytes": before.bytes})
        else:
            print(f"{removed} files with {before.bytes / 1e6:.1f} MB removed from {before.folder}")
        return
    info = cache_info()
    if json:
        print_json(info)
        return
    print(f"folder   {info.folder}")
    print(f"enabled  {'yes' if info.enabled else 'no: MOTIONKIT_CACHE switches it off'}")
    print(f"files    {info.files}")
    print(f"size     {info.bytes / 1e6:.1f} MB")
