"""Numbers and small mappings as files and people give them, checked. What they mean does not belong here."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ..errors import KindMismatch, NotFinite, UnknownName, did_you_mean


def finite(value: object, what: str) -> float:
    """``value`` as a float.

    Raises:
        KindMismatch: it is not a number; texts and truth values are none.
        NotFinite: it is NaN or infinite.
    """
    if type(value) is not float:
        # NumPy's truth value is not among the numbers, Python's is
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise KindMismatch(f"expected a number as {what}, got {value!r}")
        try:
            value = float(value)
        except OverflowError:
            value = math.inf
    if not math.isfinite(value):
        raise NotFinite(f"expected a finite number as {what}, got {value!r}")
    return value


def tagged(data: object, kinds: Sequence[str], what: str) -> tuple[str, Any]:
    """The kind and the content of ``{kind: content}``, or of the bare text ``"fixed"`` with None as its content.

    Raises:
        UnknownName: there is no such kind.
        KindMismatch: it has another form.
    """
    content: Mapping[Any, Any] | None = cast("Any", data) if isinstance(data, Mapping) else None
    if isinstance(data, str) or (content is not None and len(content) == 1):
        kind: Any = cast("Any", data) if content is None else next(iter(content))
        if kind not in kinds:
            raise UnknownName(f"{what}: no kind {kind!r}: {did_you_mean(str(kind), kinds)}", name=str(kind))
        if (content is None) == (kind == "fixed"):
            return str(kind), None if content is None else content[kind]
    forms = [f'{{"{kind}": ...}}' for kind in kinds if kind != "fixed"] + ['"fixed"'] * ("fixed" in kinds)
    raise KindMismatch(f"{what}: expected one of {', '.join(forms)}, got {data!r}")


def keyed(data: object, required: Sequence[str], optional: Sequence[str], what: str) -> dict[str, float]:
    """The finite numbers of a mapping by key.

    Raises:
        UnknownName: it has a key that means nothing.
        KindMismatch: it lacks a key, is no mapping, or holds something that is not a number.
        NotFinite: a number is NaN or infinite.
    """
    if not isinstance(data, Mapping):
        listed = ", ".join((*required, *optional))
        raise KindMismatch(f"{what}: expected a mapping with {listed}, got {data!r}")
    content = cast("Mapping[Any, Any]", data)
    for key in content:
        if key not in required and key not in optional:
            known = did_you_mean(str(key), (*required, *optional))
            raise UnknownName(f"{what}: no key {key!r}: {known}", name=str(key))
    if missing := [key for key in required if key not in content]:
        raise KindMismatch(f"{what}: {', '.join(missing)} is missing; got {data!r}")
    return {key: finite(value, f"{key} of {what}") for key, value in content.items()}
