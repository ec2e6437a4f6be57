"""``motionkit doctor``: what a bug report needs to say about the installation and the machine."""

from __future__ import annotations

from importlib import metadata, util
from pathlib import Path

from ._arguments import AsJson
from ._output import print_json

__all__ = ["doctor"]

REQUIRED = ("numpy", "numba", "llvmlite", "msgspec", "lxml", "ruamel.yaml", "tyro", "rich")
OPTIONAL = {
    "view": ("viser", "trimesh", "yourdfpy"),
    "plot": ("matplotlib", "plotly"),
    "mjcf": ("mujoco",),
    "collision": ("coal",),
    "cuda": ("numba_cuda",),
    "cluster": ("dask",),
    "ros": ("rosbags",),
    "robots": ("robot_descriptions", "xacrodoc"),
}


def doctor(*, json: AsJson = False) -> int:
    """Print versions, machine and folders. Exit code 2 when a required package is missing.

    Args:
        json: print one JSON object.
    """
    import os
    import platform
    import sys

    from .. import __file__ as package_file
    from .. import __version__
    from ..runtime import cache_info, runtime_settings

    settings, cache = runtime_settings(), cache_info()
    versions = {name: _version(name) for name in REQUIRED}
    extras = {extra: {name: util.find_spec(name) is not None for name in names} for extra, names in OPTIONAL.items()}
    facts = {
        "motionkit": __version__,
        "package": str(Path(package_file).parent),
        "python": f"{platform.python_version()} ({sys.executable})",
        "platform": platform.platform(),
        "cpu": _cpu(),
        "cpus": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "tier": settings.tier,
        "lanes": settings.lanes,
        "cache": cache.folder,
        "cache_enabled": cache.enabled,
        "cache_writable": _writable(Path(cache.folder)),
        "cache_files": cache.files,
        "cache_megabytes": round(cache.bytes / 1e6, 1),
    }
    if json:
        print_json({**facts, "requires": versions, "extras": extras})
    else:
        for name, value in facts.items():
            print(f"{name:<16}{value}")
        for name, version in versions.items():
            print(f"{name:<16}{version or 'MISSING'}")
        for extra, names in extras.items():
            missing = [name for name, present in names.items() if not present]
            print(f"{'[' + extra + ']':<16}{'present' if not missing else 'missing: ' + ', '.join(missing)}")
    return 2 if None in versions.values() else 0


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _cpu() -> str:
    """The processor's name, where the system tells it."""
    import platform

    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _writable(folder: Path) -> bool:
    """Whether files can be made there: in the folder, or in the nearest one above it that exists."""
    import os

    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)
