"""Writes requirements/*.txt: the versions that the repository is developed and tested with.

One ``name==version`` a line; nothing says where a package came from.
Asks pip what the groups of pyproject.toml resolve to on the Python that runs this, and records names and versions only,
never where they came from. Run it on the oldest Python that the project supports (``make pins``): what installs there
installs on the newer ones too.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "requirements"
# file, the file that it builds on, what it is for
FILES = (
    ("build", None, "what builds the package"),
    ("runtime", None, "what the package needs to run"),
    ("test", "runtime", "what `make test` needs"),
    ("check", "test", "what `make check` and `make docs` need"),
    ("peers", "runtime", "what `make bench-peers` measures beside the package"),
)
# packages without a build for every system: markers keep the files installable there
MARKERS = dict.fromkeys(
    (
        *("cmeel-assimp", "cmeel-boost", "cmeel-console-bridge", "cmeel-octomap", "cmeel-qhull", "cmeel-tinyxml2"),
        *("cmeel-urdfdom", "cmeel-zlib", "coal", "eigenpy", "example-robot-data", "jrl-cmakemodules", "libcoal"),
        *("libpinocchio", "pin", "pytracik"),
    ),
    'sys_platform != "win32"',
) | dict.fromkeys(
    ("cuda-bindings", "cuda-core", "cuda-pathfinder", "numba-cuda", "nvidia-cuda-nvrtc", "nvidia-nvvm"),
    'sys_platform != "darwin"',
)


def resolve(wanted: list[str], constraints: Path | None) -> dict[str, str]:
    """Name and version of everything that pip would install for ``wanted`` into an empty environment."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
        command += ["--constraint", str(constraints)] if constraints else []
        subprocess.run([*command, "--report", str(report), *wanted], check=True)
        items = json.loads(report.read_text())["install"]
    return {item["metadata"]["name"].lower().replace("_", "-"): item["metadata"]["version"] for item in items}


def main() -> None:
    """Resolve each group together with those that it builds on, and write what it adds."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = {"runtime": project["project"]["dependencies"], **project["dependency-groups"]}
    pinned: dict[str, dict[str, str]] = {}
    for name, base, purpose in FILES:
        known = pinned[base] if base else {}
        found = resolve(
            [*(f"{n}=={v}" for n, v in known.items()), *groups[name]], None if name == "build" else OUT / "build.txt"
        )
        added = {n: v for n, v in sorted(found.items()) if n not in known}
        lines = [f"# {purpose}; written by `make pins`"] + ([f"-r {base}.txt"] if base else [])
        lines += [f"{n}=={v}" + (f" ; {MARKERS[n]}" if n in MARKERS else "") for n, v in added.items()]
        (OUT / f"{name}.txt").write_text("\n".join(lines) + "\n")
        pinned[name] = known | added


if __name__ == "__main__":
    main()
