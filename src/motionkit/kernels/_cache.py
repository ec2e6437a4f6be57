"""Where compiled kernels are kept between processes: one file for each function, signature and machine.

The folder is named by a digest of everything that the machine code depends on: the text of every kernel source, the
versions of Python, NumPy, Numba and llvmlite, the processor and its features, the width of a lane and the compiler's
options. A change in any of them is another folder, so nothing stale is ever found; folders that are not used for a
while are removed. A file is written beside its place and renamed, so several processes can compile at once; a file
that cannot be read is compiled again, and where nothing can be written the code is compiled for this process alone.

Private interfaces of Numba are used here and in ``_tier`` and ``_lanes`` only. Numba is imported when something is
compiled, not before.
"""

# Numba and llvmlite have no complete types of their own
# pyright: reportMissingTypeStubs=false, reportPrivateImportUsage=false, reportAttributeAccessIssue=false

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import pickle
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
KEPT = 3  # folders of other keys that stay: other versions or interpreters on the same machine
DIGEST = 32  # bytes of a checksum before the rest of a file: a damaged one unpickles often enough, into wrong numbers
OLD = 30 * 24 * 3600.0  # seconds without use after which any other folder goes

_stamps: dict[str, tuple[int, int] | None] = {}
_key: str | None = None


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def watch(path: str) -> None:
    """Remember what a source file was like when it was imported."""
    if path not in _stamps:
        _stamps[path] = _stamp(path)


# all at once, when the first of them is imported: one that is edited before its own import, or before its text goes
# into the key, would otherwise be kept under the key of another text
for _path in HERE.glob("*.py"):
    watch(str(_path))


def unchanged() -> bool:
    """Whether every source is what it was when it was imported; machine code of an edited one must not be kept."""
    return all(_stamp(path) == stamp for path, stamp in _stamps.items())


def enabled() -> bool:
    """Whether the cache is in use: ``MOTIONKIT_CACHE=0`` switches it off.

    Raises:
        ValueError: the variable is set to something else than these words.
    """
    text = os.environ.get("MOTIONKIT_CACHE", "1")
    if text not in ("1", "0", "on", "off"):
        raise ValueError(f"MOTIONKIT_CACHE: expected 1, 0, on or off, got {text!r}")
    return text in ("1", "on")


def root() -> Path:
    """The folder of the cache: ``MOTIONKIT_CACHE_DIR``, or motionkit's own in the user's cache folder."""
    chosen = os.environ.get("MOTIONKIT_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "motionkit"


def lanes() -> int:
    """Doubles in a lane: ``MOTIONKIT_LANES``, a power of two, 8 when unset."""
    text = os.environ.get("MOTIONKIT_LANES", "8")
    if text not in ("2", "4", "8", "16"):
        raise ValueError(f"MOTIONKIT_LANES: expected 2, 4, 8 or 16, got {text!r}")
    return int(text)


def key() -> str:
    """The digest of everything that compiled kernels depend on; imports the compiler's bindings."""
    global _key
    if _key is None:
        import llvmlite
        import llvmlite.binding as llvm
        import numba

        digest = hashlib.sha256()
        for path in sorted(HERE.glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        for part in (
            sys.version,
            np.__version__,
            numba.__version__,
            llvmlite.__version__,
            llvm.get_host_cpu_name(),
            llvm.get_host_cpu_features().flatten(),
            lanes(),
            numba.config.OPT,
            numba.config.BOUNDSCHECK,
        ):
            digest.update(str(part).encode() + b"\0")
        _key = digest.hexdigest()[:20]
        _use(root() / _key)
        _prune(root(), _key)
    return _key


def _use(folder: Path) -> None:
    """A folder's time is that of its last use, not of its last new file; the oldest are removed."""
    try:
        os.utime(folder)
    except OSError:  # there is none yet, or it is not ours to touch
        return


def _prune(folder: Path, current: str) -> None:
    """Remove the folders of other keys: all that are old, and all but the newest few."""
    try:
        others = [p for p in folder.iterdir() if p.is_dir() and len(p.name) == 20 and p.name != current]
        ages = sorted((time.time() - p.stat().st_mtime, p) for p in others)
        for place, (age, path) in enumerate(ages):
            if age > OLD or place >= KEPT:
                shutil.rmtree(path, ignore_errors=True)
    except OSError:  # no folder yet, or one that another process prunes at this moment
        return


def cache_info() -> dict[str, Any]:
    """What is in the cache.

    Returns:
        ``folder``, ``enabled``, ``files`` and ``bytes``, over all keys.
    """
    files = list(root().glob("*/*.nbc")) if root().is_dir() else []
    return {
        "folder": str(root()),
        "enabled": enabled(),
        "files": len(files),
        "bytes": sum(stamp[1] for path in files if (stamp := _stamp(str(path)))),  # another process may prune
    }


def cache_clear() -> int:
    """Remove every compiled kernel from the cache; the number of files removed."""
    files = list(root().glob("*/*.nbc")) if root().is_dir() else []
    for folder in {path.parent for path in files} | {root() / "ready"}:
        shutil.rmtree(folder, ignore_errors=True)
    return len(files)


def is_ready(name: str) -> bool:
    """Whether a kernel was compiled here before; a hint that costs no import, right or not."""
    return enabled() and _hint(name).exists()


def _hint(name: str) -> Path:
    return root() / "ready" / f"{_hint_key()}.{name}"


@functools.cache
def _hint_key() -> str:
    """What a hint depends on; files are looked at, because asking for a version reads a package's whole description."""
    stamps = [(path.name, _stamp(str(path))) for path in sorted(HERE.glob("*.py"))]
    found = importlib.util.find_spec("numba")
    compiler = _stamp(found.origin) if found is not None and found.origin is not None else None
    text = f"{stamps} {sys.version} {compiler} {np.__version__}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def mark_ready(name: str) -> None:
    """Leave the hint of :func:`is_ready`."""
    if enabled():
        try:
            _hint(name).parent.mkdir(parents=True, exist_ok=True)
            _hint(name).touch()
        except OSError:  # nowhere to write: the next process finds no hint and waits a little longer
            return


def _is_ours(function: Any) -> bool:
    """Whether the text of a function is part of the key: kernels that are marked elsewhere are not kept."""
    home = getattr(sys.modules.get(function.__module__), "__file__", None)
    return home is not None and Path(home).parent == HERE


def attach(dispatcher: Any, name: str, extra: str | Callable[[], str] = "") -> None:
    """Give a Numba dispatcher this cache, when its sources are what they were.

    Args:
        dispatcher: made by ``numba.njit`` without ``cache=True``.
        name: unique name of the function.
        extra: what its machine code depends on besides the kernels, such as the text of a user's file; a function is
            asked when something is compiled.
    """
    if not enabled() or not unchanged() or (extra == "" and not _is_ours(dispatcher.py_func)):
        return
    from numba.core import caching
    from numba.core.serialize import dumps

    folder = root() / key()

    class Locator(caching.UserProvidedCacheLocator):  # type: ignore[misc,name-defined]
        """Files in our folder; no other place is ever tried."""

        def __init__(self, py_func: Any, py_file: str) -> None:
            self._py_file = py_file
            self._lineno = py_func.__code__.co_firstlineno
            self._cache_path = str(folder)

        def get_source_stamp(self) -> bytes:
            return (key()).encode()

        def get_disambiguator(self) -> str:
            return name

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:
            locator = cls(py_func, py_file)
            locator.ensure_cache_path()
            return locator

    class Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc,name-defined]
        _locator_classes = [Locator]  # noqa: RUF012  Numba's own protocol

    class Cache(caching.FunctionCache):  # type: ignore[misc,name-defined]
        """One file for a signature: no index that two processes could mix up."""

        _impl_class = Implementation

        def _file(self, signature: Any, codegen: Any) -> Path:
            more = extra if isinstance(extra, str) else extra()
            parts = repr((name, str(signature), self._index_key(signature, codegen)[1:], more))
            return folder / f"{hashlib.sha256(parts.encode()).hexdigest()[:40]}.nbc"

        def _load_overload(self, sig: Any, target_context: Any) -> Any:
            path = self._file(sig, target_context.codegen())
            try:
                text = path.read_bytes()
                if hashlib.sha256(text[DIGEST:]).digest() != text[:DIGEST]:
                    return None
                return self._impl.rebuild(target_context, pickle.loads(text[DIGEST:]))
            except FileNotFoundError:
                return None
            except Exception:
                return None

        def _save_overload(self, sig: Any, data: Any) -> None:
            if not self._impl.check_cachable(data) or not unchanged():
                return
            path = self._file(sig, data.codegen)
            temporary = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.tmp")
            try:
                text = dumps(self._impl.reduce(data))
                temporary.write_bytes(hashlib.sha256(text).digest() + text)
                temporary.replace(path)
            except OSError:  # the disk is full or read-only: compiled for this process alone
                temporary.unlink(missing_ok=True)

    try:
        dispatcher._cache = Cache(dispatcher.py_func)
    except OSError:  # nowhere to write
        return
