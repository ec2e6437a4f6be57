"""Results that cannot be changed and whose attributes are made when they are first asked for.

A front door writes everything that it computes into one array, the block of the result. What is read out of it costs
as much as planning does, so it is read when somebody looks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Any, NoReturn

put = object.__setattr__


class Immutable:
    """Base of such results. A class fills slots with :func:`put`, and those that are empty in ``_fill(name)``."""

    __slots__ = ("_block",)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def _fill(self, name: str) -> Any:
        """The value of an empty slot, once it was put there."""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_block":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self._fill(name)


def slot(owner: type, name: str) -> Callable[[Any, Any], None]:
    """What fills a slot, in half the time of :func:`put`."""
    return owner.__dict__[name].__set__
