"""How the numeric core runs: native code made beforehand, users' own compiled loops, and the cache of both.

Nothing here has to be called. A kernel runs interpreted until compiling it pays, then natively, with the same numbers.
:func:`warmup` moves the compiling to a moment of your choice, :func:`njit` compiles a loop of yours that calls kernels
without going through Python, :func:`cache_info` and :func:`cache_clear` are about what is kept between processes.
Numba is imported when something is compiled, not before. What is computed does not belong here.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from .errors import FileUnreadable, InvalidSetting, MissingExtra
from .kernels import _cache, _tier, _user

__all__ = ["CacheInfo", "RuntimeSettings", "cache_clear", "cache_info", "njit", "runtime_settings", "warmup"]

F = TypeVar("F", bound=Callable[..., Any])

FIXED_REALS = (
    "analytic_parallel.all_with_parallel",
    "analytic_wrist.all_with_wrist",
    "inverse.search",
    "inverse.solve",
)
"""Kernels whose reals are tolerances, one number for a whole batch; of all others they are one number a row."""

OVER_ROWS = (
    "along.along",
    "along.along_line",
    "analytic_answers.settle",
    "analytic_parallel.all_with_parallel",
    "analytic_wrist.all_with_wrist",
    "camera.project",
    "chain.forward",
    "chain.forward_matrix",
    "chain.jacobian",
    "chain.jacobian_at_base",
    "chain.jacobian_in_tool",
    "chain.joint_frames",
    "composite.mass_matrix",
    "inverse.search",
    "inverse.solve",
    "line.deviation",
    "line.pose",
    "line.rates",
    "newton_euler.inverse_dynamics",
    "online_axis.online_fits",
    "online_axis.online_plan",
    "online_segments.online_row_sample",
    "online_segments.online_sample",
    "quintic.bounds",
    "quintic.fit",
    "quintic.halve",
    "quintic.motion",
    "regressor.regressor",
    "scurve.scurve_sample",
    "septic.derivatives",
    "septic.fit",
    "stop.stop",
    "stop.stop_line_sample",
    "stop.stop_row_sample",
    "stop.stop_sample",
    "tool_path.motion",
    "tree.frame_matrices",
)
"""Kernels that the rooms run over many rows at once."""


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What the cache of compiled kernels holds.

    Attributes:
        folder: where it is; it need not exist.
        enabled: whether it is used (``MOTIONKIT_CACHE``).
        files: compiled functions in it, of every version and interpreter.
        bytes: their size.
    """

    folder: str
    enabled: bool
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class RuntimeSettings:
    """How this process runs kernels.

    Attributes:
        tier: ``auto``, ``interpreted`` or ``compiled`` (``MOTIONKIT_TIER``).
        lanes: doubles in a lane (``MOTIONKIT_LANES``).
        cache: whether compiled kernels are kept (``MOTIONKIT_CACHE``).
    """

    tier: str
    lanes: int
    cache: bool


def runtime_settings() -> RuntimeSettings:
    """What the environment asks for; nothing is loaded to find out.

    Raises:
        InvalidSetting: a variable holds something that has no meaning; ``name`` is the variable.

    >>> import motionkit as mk
    >>> mk.runtime.runtime_settings().tier in ("auto", "interpreted", "compiled")
    True
    """
    try:
        return RuntimeSettings(_tier.tier(), _cache.lanes(), _cache.enabled())
    except ValueError as error:
        raise InvalidSetting(str(error), name=str(error).partition(":")[0]) from None


def cache_info() -> CacheInfo:
    """What the cache of compiled kernels holds; O(files), and no compiler is loaded.

    Raises:
        InvalidSetting: ``MOTIONKIT_CACHE`` holds something that has no meaning.
    """
    runtime_settings()
    return CacheInfo(**_cache.cache_info())


def cache_clear() -> int:
    """Remove everything from the cache, of every version and interpreter. What this process has compiled goes on.

    Returns:
        The number of files removed.

    Raises:
        FileUnreadable: something is left that could not be removed.
    """
    removed = _cache.cache_clear()
    left = _cache.cache_info()
    if left["files"]:
        raise FileUnreadable(
            f"{left['folder']}: {left['files']} files could not be removed; look at the permissions of the folder, "
            "and whether another process is writing there",
            path=left["folder"],
            line=None,
        )
    return removed


def warmup(progress: Callable[[str, float], object] | None = None, *, rows: bool = True) -> int:
    """Make every kernel native now, so that nothing is compiled later: call it before a control loop starts.

    The first time on a machine this takes half a minute or more; after that a second, from the cache. Kernels give the
    same numbers before and after. ``motionkit warmup`` does the same from a shell, for example when an image is built.

    Args:
        progress: called with the name of a kernel and the fraction done, from 0 to 1, before each one and at the end.
        rows: also make the forms that work through many rows at once, such as ``forward_batch``; a loop that answers
            one question at a time needs none of them, and they are about half of the work.

    Returns:
        How many forms are native now; 0 where ``MOTIONKIT_TIER=interpreted`` forbids any.

    Raises:
        InvalidSetting: a variable of the environment holds something that has no meaning.
        MissingExtra: Numba is missing, switched off, or of a version that motionkit does not know.
    """
    if runtime_settings().tier == "interpreted":
        return 0
    jobs = _jobs(rows)
    try:
        for place, (name, make) in enumerate(jobs):
            if progress is not None:
                progress(name, place / len(jobs))
            make()
    except _tier.CompilerMissing as error:
        raise MissingExtra(str(error), name="numba") from error
    if progress is not None:
        progress("done", 1.0)
    return len(jobs)


def _jobs(rows: bool) -> list[tuple[str, Callable[[], object]]]:
    """Every form to make, by name."""
    from . import kernels
    from .kernels._batch import compile_rows
    from .kernels._contract import FRONTS, KERNELS

    for room in ("cartesian", "motion", "robot", "spatial"):  # which have front doors
        importlib.import_module(f"{__package__}.{room}")
    for module in pkgutil.iter_modules(kernels.__path__):
        if not module.name.startswith("_"):
            importlib.import_module(f"{kernels.__name__}.{module.name}")
    ours = {name.removeprefix(f"{kernels.__name__}."): k for name, k in KERNELS.items() if _is_ours(name)}
    jobs: list[tuple[str, Callable[[], object]]] = [(name, kernel.compile) for name, kernel in sorted(ours.items())]
    for name in OVER_ROWS if rows else ():
        kernel = ours[name]
        varying = (name not in FIXED_REALS,) * kernel.arguments.count("real")
        jobs.append((f"{name}, over rows", lambda kernel=kernel, varying=varying: compile_rows(kernel, varying)))
    with_kernels = {id(front) for kernel in ours.values() for front in kernel.fronts}  # and so made above
    alone = [front for front in FRONTS if id(front) not in with_kernels and front.name.startswith(f"{__package__}.")]
    return jobs + [(front.name.removeprefix(f"{__package__}."), front.compile) for front in alone]


def _is_ours(name: str) -> bool:
    """Whether a kernel is one of the package: others may have been marked by a test or by a user."""
    return name.startswith(f"{__package__}.kernels.")


@overload
def njit(function: F) -> F: ...
@overload
def njit(function: None = None, **options: Any) -> Callable[[F], F]: ...
def njit(function: Any = None, **options: Any) -> Any:
    """Compile a function of yours that calls kernels, or anything that Numba takes, so that it runs without Python.

    This is ``numba.njit`` with the options that the kernels are compiled with, which make the numbers the same, and
    with a cache that is safe. Do not use ``numba.njit(cache=True)`` on code that calls kernels: its cache looks at
    your file only, so after an update of motionkit it goes on with the kernels of the version before. Here everything
    is part of the key: the kernels, your file, the files of functions and modules that yours uses, and the values of
    the globals that it reads. Where there is no file (a notebook, a prompt) nothing is kept.

    Numba turns the types of the first call into machine code, so call the function once before the loop that counts.
    Arrays should be C-contiguous and float64, and models are given as ``model.array``.

    Args:
        function: what to compile; left out when options are given.
        options: further options of ``numba.njit``. ``fastmath`` gives up that numbers are the same everywhere.

    Returns:
        Numba's dispatcher of the function, or a decorator.

    Raises:
        InvalidSetting: ``cache`` is among the options, or types are given in place of a function.
        MissingExtra: Numba is missing, switched off, or of a version that motionkit does not know.

    >>> import motionkit as mk
    >>> from motionkit.kernels.trig import sincos
    >>> @mk.njit
    ... def sum_of_sines(n):
    ...     total = 0.0
    ...     for k in range(n):
    ...         total += sincos(0.1 * k)[0]
    ...     return total
    >>> round(sum_of_sines(10), 6)
    4.17241
    """
    if "cache" in options:
        raise InvalidSetting(
            "njit: expected no option 'cache'; the cache of motionkit is used, and MOTIONKIT_CACHE=0 switches it off",
            name="cache",
        )
    if function is None:
        return functools.partial(_compiled, options=options)
    return _compiled(function, options)


def _compiled(function: Any, options: dict[str, Any]) -> Any:
    if not hasattr(function, "__code__"):
        raise InvalidSetting(
            f"njit: expected a Python function, got {function!r}; types are taken from the first call", name="function"
        )
    try:
        return _user.compile_user(function, options)
    except _tier.CompilerMissing as error:
        raise MissingExtra(str(error), name="numba") from error
