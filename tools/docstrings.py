"""Finds public names without a docstring; used by the tests and by the build of the API reference."""

from __future__ import annotations

import inspect


def undocumented(name: str, value: object) -> list[str]:
    """The public name and its public methods and properties, as far as they have no docstring of their own.

    A dataclass without a docstring gets its own signature as one, which does not count.
    """
    text = getattr(value, "__doc__", None) or ""
    missing = [] if text.strip() and not text.startswith(f"{name}(") else [name]
    for member, thing in vars(value).items() if inspect.isclass(value) else ():
        function = getattr(thing, "__func__", thing)
        written = inspect.isfunction(function) or isinstance(function, property)
        if written and not member.startswith("_") and not (function.__doc__ or "").strip():
            missing.append(f"{name}.{member}")
    return missing
