"""Results that cannot be changed, and whose attributes are read when somebody looks.

A front door writes all that it computes into one array, the block of the result. Reading values out of it costs as
much as planning does. So what a door has made is of a subclass at first, which reads them all when the first is asked
for and then becomes the class that it stands for: from then on nothing is looked up twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Any, NoReturn

put = object.__setattr__


class Immutable:
    """Base of such results. A class fills its slots with :func:`put`, and from its block in ``read_block``."""

    __slots__ = ("_block",)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def read_block(self) -> None:
        """Fill the slots from the block."""


def unread(owner: type[Immutable]) -> type[Any]:
    """The subclass of what a door has made and nobody has looked at."""

    def look(self: Any, name: str) -> Any:
        if name not in owner.__slots__:
            raise AttributeError(f"{owner.__name__!r} object has no attribute {name!r}")
        owner.read_block(self)
        put(self, "__class__", owner)
        return getattr(self, name)

    names = {"__slots__": (), "__getattr__": look, "__module__": owner.__module__, "__qualname__": owner.__qualname__}
    return type(owner.__name__, (owner,), names)


def slot(owner: type, name: str) -> Callable[[Any, Any], None]:
    """What fills a slot, in half the time of :func:`put`."""
    return owner.__dict__[name].__set__
