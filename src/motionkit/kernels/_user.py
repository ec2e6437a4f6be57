"""Functions of users that call kernels: compiled with the options of the kernels, kept under a key that is complete.

Machine code of a user's function contains the kernels that it calls, the functions of other files that it calls, and
the values of the globals that it reads, frozen. All of it is in the key, so a change of any is compiled anew. What a
function must look like is Numba's to say.
"""

from __future__ import annotations

import builtins
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from . import _cache, _tier

CONSTANTS = (bool, int, float, complex, str, bytes, type(None))
VERSIONED = ("numpy", "numba")  # packages whose versions are in every key

_digests: dict[str, str] = {}


def compile_user(function: Any, options: dict[str, Any]) -> Any:
    """Numba's dispatcher of a user's function; a function without a file is not kept between processes."""
    _tier.boot()
    import numba

    dispatcher = numba.njit(**{**_tier.OPTIONS, **options})(function)
    file = function.__code__.co_filename
    if Path(file).is_file():
        _file_digest(file)  # as it is now, before anyone edits it
        chosen = repr(sorted(options.items(), key=lambda item: item[0]))
        _cache.attach(dispatcher, _tier.name_of(function), lambda: _digest(function, chosen))
    return dispatcher


def _digest(function: Any, options: str) -> str:
    digest = hashlib.sha256(options.encode())
    for part in _depends(function, set()):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def _depends(function: Any, seen: set[int]) -> Iterator[str]:
    """What the machine code of a function is made from, besides the kernels."""
    if id(function) in seen:
        return
    seen.add(id(function))
    code = function.__code__
    yield from (_file_digest(code.co_filename), str(code.co_firstlineno), *_constants(code))
    names = _names(code)
    for name in names:
        if name not in function.__globals__:
            continue  # a builtin, or an attribute: those of modules are looked at below
        value = function.__globals__[name]
        yield from _value(name, value, seen)
        if isinstance(value, ModuleType):
            for attribute in names:
                if attribute in vars(value):
                    yield from _value(f"{name}.{attribute}", vars(value)[attribute], seen)


def _value(name: str, value: Any, seen: set[int]) -> Iterator[str]:
    """One thing that a function finds by a name outside of itself."""
    inner = getattr(value, "py_func", value)  # a dispatcher's function
    if isinstance(value, ModuleType):
        yield from (name, _file_digest(getattr(value, "__file__", None)))
    elif hasattr(inner, "__code__"):
        yield name
        home = inner.__module__ or ""
        if home.partition(".")[0] not in VERSIONED and not home.startswith(f"{__package__}."):
            yield from _depends(inner, seen)
    elif isinstance(value, tuple):
        for place, item in enumerate(value):
            yield from _value(f"{name}[{place}]", item, seen)
    elif isinstance(value, CONSTANTS):
        yield f"{name}={value!r}"
    elif hasattr(value, "tobytes") and hasattr(value, "dtype"):
        yield f"{name}={value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    else:  # a class or an object: what it does is in the file of its class
        home = sys.modules.get(getattr(value, "__module__", "") or "", builtins)
        yield from (name, _file_digest(getattr(home, "__file__", None)))


def _names(code: CodeType) -> list[str]:
    """Every name that a function and the functions inside it look up."""
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names += _names(constant)
    return names


def _constants(code: CodeType) -> Iterator[str]:
    """The instructions and constants of a function, those inside it included."""
    yield code.co_code.hex()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _constants(constant)
        else:
            yield repr(constant)


def _file_digest(path: str | None) -> str:
    """The digest of a source as it was when it was first asked for; from then on it is watched."""
    if path is None or not path.endswith(".py"):
        return ""
    if path not in _digests:
        _cache.watch(path)
        try:
            _digests[path] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        except OSError:
            _digests[path] = ""
    return _digests[path]
