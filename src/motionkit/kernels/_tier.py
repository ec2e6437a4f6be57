"""How an entry of the numeric core runs: interpreted at once, native when it has been worth it.

A kernel runs interpreted until the time it has spent exceeds what compiling it would cost, then natively for good:
never more than about twice the better choice in hindsight. It is compiled by its declared signature, not by what it
happens to be called with, and takes nothing else from then on. The numbers are the same, bit for bit, so the switch is
invisible.

``MOTIONKIT_TIER`` chooses: ``auto`` as above; ``interpreted`` never compiles; ``compiled`` compiles at the first call.
Under a tracer, a debugger or coverage nothing is compiled, and times mean nothing.

This module, ``_cache``, ``_lanes`` and ``_door`` are the only ones that know Numba's private interfaces; Numba is
imported when something is compiled. What a kernel computes does not belong here.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from types import FunctionType
from typing import Any

from . import _cache, _objects

log = logging.getLogger("motionkit")
log.addHandler(logging.NullHandler())

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}
COMPILE = 1.0  # s that compiling a kernel costs, measured at 0.2 to 1.5
LOAD = 0.01  # s that loading one from the cache costs
BOOT = 1.0  # s that the first dispatch of a process costs while Numba is not loaded
TIERS = ("auto", "interpreted", "compiled")
INSTEAD = "MOTIONKIT_TIER=interpreted does without, with the same numbers"
OLDEST, BELOW = (0, 66), (0, 69)  # versions of Numba whose private interfaces are known

_alive: dict[Callable[..., Any], Any] = {}  # inner dispatchers; Numba holds them weakly
_booted = False
_helpers: list[FunctionType] = []


class CompilerMissing(ImportError):
    """Native code was asked for, and Numba is missing, switched off, or of a version that is not known here."""


def tier() -> str:
    """The tier that is asked for.

    Raises:
        ValueError: ``MOTIONKIT_TIER`` is set to something else.
    """
    chosen = os.environ.get("MOTIONKIT_TIER", "auto")
    if chosen not in TIERS:
        raise ValueError(f"MOTIONKIT_TIER: expected one of {', '.join(TIERS)}, got {chosen!r}")
    return chosen


def traced() -> bool:
    """Whether a debugger, a profiler or coverage watches every line."""
    if sys.gettrace() is not None:
        return True
    monitoring = getattr(sys, "monitoring", None)
    return monitoring is not None and any(monitoring.get_tool(tool) for tool in (0, 1))


def budget(name: str) -> float:
    """Seconds that a kernel may spend interpreted before compiling it pays."""
    boot = 0.0 if "numba" in sys.modules else BOOT
    return boot + (LOAD if _cache.is_ready(name) else COMPILE)


def add_helper(function: Any) -> None:
    """Make a plain function known to compiled code."""
    _helpers.append(function)
    _cache.watch(function.__code__.co_filename)
    if _booted:
        _attach(function)


def boot() -> None:
    """Import Numba, teach it the elements, and make every helper known to compiled code.

    Raises:
        CompilerMissing: there is no Numba that can be used.
    """
    global _booted
    if _booted:
        return
    _check_compiler()
    try:
        _objects.check_layout()
    except ImportError as error:
        raise CompilerMissing(f"native kernels need numba and arrays of a known layout: {error}; {INSTEAD}") from error
    from numba.core.compiler_lock import global_compiler_lock

    importlib.import_module(f"{__package__}._lanes")  # registers the elements

    with global_compiler_lock:
        if not _booted:
            for function in _helpers:
                _attach(function)
            _booted = True


def _check_compiler() -> None:
    try:
        import numba
    except ImportError as error:
        raise CompilerMissing(f"native kernels need numba, which cannot be imported ({error}); {INSTEAD}") from error
    found = tuple(int(part) for part in numba.__version__.split(".")[:2])
    if not OLDEST <= found < BELOW:
        low, high = (".".join(map(str, v)) for v in (OLDEST, BELOW))
        raise CompilerMissing(
            f"native kernels need numba {low} or newer, below {high}; got {numba.__version__}; {INSTEAD}"
        )
    if numba.config.DISABLE_JIT:  # pyright: ignore[reportPrivateImportUsage, reportAttributeAccessIssue]
        raise CompilerMissing(f"native kernels need numba, which NUMBA_DISABLE_JIT switches off; {INSTEAD}")


def _attach(function: Any) -> None:
    from numba.core import types

    # inlined by order: LLVM's own threshold leaves calls in forward kinematics that cost a third of it (186 ns, 127 ns)
    options = {**OPTIONS, "forceinline": True}
    function._numba_type_ = types.Dispatcher(inner(function, options=options))


def name_of(function: Any) -> str:
    """The unique name of a kernel or helper."""
    return f"{function.__module__}.{function.__qualname__}"


def inner(function: Any, extra: str = "", options: dict[str, Any] | None = None) -> Any:
    """The dispatcher that compiled code calls; it takes every element type."""
    dispatcher = _alive.get(function)
    if dispatcher is None:
        import numba

        dispatcher = numba.njit(**(options or OPTIONS))(function)
        _cache.attach(dispatcher, name_of(function), extra)
        dispatcher = _alive.setdefault(function, dispatcher)  # one of two threads that come at once wins
    return dispatcher


def numba_type(function: Any) -> Any:
    """What Numba takes a kernel for when it meets it in compiled code."""
    boot()
    from numba.core import types

    return types.Dispatcher(inner(function))


def compile_function(
    function: Any, signature: tuple[Any, ...], name: str, extra: str = "", *, options: dict[str, Any] | None = None
) -> Any:
    """The native form of ``function`` for this signature, as Numba's dispatcher calls it."""
    boot()
    from numba.core.compiler_lock import global_compiler_lock

    started = perf_counter()
    with global_compiler_lock:  # two at a time would put each other's interval back
        interval = sys.getswitchinterval()
        # beside busy Python threads a compilation starves: LLVM's calls give up the lock and wait an interval for it
        sys.setswitchinterval(5e-5)
        try:
            dispatcher = inner(function, extra, options)
            dispatcher.compile(signature)
        finally:
            sys.setswitchinterval(interval)
    _cache.mark_ready(name)
    spent = perf_counter() - started
    if spent > 1.0:
        log.info("compiled %s once, in %.1f s; motionkit warmup does that beforehand", name, spent)
    return dispatcher.overloads[signature]


def locked(overload: Any, function: Any) -> Any:
    """A dispatcher that takes the arguments of this one native form and nothing else."""
    import numba

    dispatcher = numba.njit(**OPTIONS)(function)
    dispatcher.add_overload(overload)
    dispatcher.disable_compile()
    return dispatcher


def compile_door(function: Any, arguments: tuple[str, ...], returns: str, extra: str = "") -> Any:
    """The native form of a kernel or of a room's front door, called with ``_objects.CONTEXT`` before its arguments."""
    boot()
    from . import _door

    door, signature = _door.door_of(function, arguments, returns)
    # a call is over before another thread could use the interpreter: letting go of it would cost a tenth of the call
    options = {**OPTIONS, "nogil": False}
    return compile_function(door, signature, name_of(function), extra, options=options).entry_point


def compile_front(function: Any, arguments: str, returns: str = "taken") -> Any:
    """The native form of a room's front door: a function that looks at its arguments and calls a kernel.

    Args:
        function: plain; may call kernels. Returns 0 when it has done its work, 1 when it leaves it to the caller.
        arguments: kinds of ``_door.door_of``.
        returns: ``"taken"``; or ``"reals"`` where the function returns numbers, and its door raises TypeError where it
            declines.
    """
    _cache.watch(function.__code__.co_filename)
    text = hashlib.sha256(Path(function.__code__.co_filename).read_bytes()).hexdigest()
    boot()
    function = inner(function, text, {**OPTIONS, "forceinline": True})
    return compile_door(function, tuple(arguments.split()), returns, text)


class Heat:
    """How long something has run interpreted, and whether it is time to compile it. One thread is told so, once."""

    __slots__ = ("_asked", "_lock", "_taken", "name", "spent")

    def __init__(self, name: str) -> None:
        self.name = name
        self.spent = 0.0
        self._asked = LOAD  # what is spent when the cache is asked again, which takes a look at the disk
        self._taken: set[Any] = set()
        self._lock = threading.Lock()

    def due(self, variant: Any = None) -> bool:
        """Whether the caller is the one that should compile this variant now; everybody else goes on interpreted."""
        chosen = tier()
        if chosen == "interpreted" or variant in self._taken:
            return False
        if chosen == "auto":
            if self.spent < self._asked:
                return False
            if self.spent < budget(self.name):
                self._asked = 1.2 * self.spent
                return False
        if traced():
            return False
        with self._lock:
            first = variant not in self._taken
            self._taken.add(variant)
        return first

    def native(self, make: Callable[[], Any], variant: Any = None) -> Any:
        """What ``make`` compiles, when it is time and this is the caller to do it; else None, to run interpreted.

        Raises:
            CompilerMissing: ``MOTIONKIT_TIER=compiled``, and there is no compiler. Where it was not asked for, a
                kernel that cannot be compiled stays interpreted, and the log says so once.
        """
        if not self.due(variant):
            return None
        try:
            return make()
        except Exception as error:
            if tier() == "compiled":
                self._taken.discard(variant)  # the next call says the same
                raise
            log.warning("%s stays interpreted: %s", self.name, error)
            return None
