"""The cache of compiled kernels, in copies of the package and processes of their own: never stale, never torn."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import motionkit
from motionkit.kernels import _cache

SOURCE = Path(motionkit.__file__).parent
ASK = """
import numpy as np, motionkit
from motionkit.kernels import _tier, line
from motionkit.kernels._contract import Model
assert motionkit.__file__.startswith({package!r}), motionkit.__file__
{before}
native = line.pose.compile()
out = np.empty(12)
line.pose(Model([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2.0, 0, 0, 0, 0, 0.5]), 0.5, out)
hits = sum(d.stats.cache_hits.total() for d in _tier._alive.values())
print(out[9], round(out[3], 6), hits)
{after}
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, in a folder that goes on the path."""
    folder = tmp_path / "site"
    shutil.copytree(SOURCE, folder / "motionkit", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def start(
    package: Path, cache: Path | str, before: str = "", after: str = "", **environment: str
) -> subprocess.Popen[str]:
    code = ASK.format(package=str(package), before=before, after=after)
    settings = {**os.environ, "PYTHONPATH": str(package), "MOTIONKIT_CACHE_DIR": str(cache), **environment}
    settings.pop("MOTIONKIT_CACHE", None) if "MOTIONKIT_CACHE" not in environment else None
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=settings
    )


def answer(process: subprocess.Popen[str]) -> tuple[float, float, int]:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    x, turn, hits = out.split()[:3]
    return float(x), float(turn), int(hits)


def test_an_edited_callee_is_seen_by_its_callers_in_the_next_process(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert answer(start(package, cache))[:2] == (1.0, 0.247404)
    x, turn, hits = answer(start(package, cache))
    assert (x, turn) == (1.0, 0.247404)
    assert hits > 0  # and so it was the cache that answered
    trig = package / "motionkit" / "kernels" / "trig.py"
    text = trig.read_text()
    old = "    return select(odd, c, s) * sine_sign,"
    assert text.count(old) == 1
    trig.write_text(text.replace(old, "    return 2.0 * select(odd, c, s) * sine_sign,"))
    # line.py itself is what it was; only a helper of a helper of its kernel has changed
    x, turn, hits = answer(start(package, cache))
    assert x == 1.0
    assert turn != 0.247404
    assert hits == 0


def test_four_processes_at_once_leave_whole_files_and_right_numbers(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    lanes = "from motionkit.kernels import _batch; _batch._compile_rows(line.pose, (True,))"
    for _ in range(2):
        running = [start(package, cache, after=lanes if k % 2 else "", before="" if k < 2 else lanes) for k in range(4)]
        assert {answer(p)[:2] for p in running} == {(1.0, 0.247404)}
        assert not list(cache.rglob("*.tmp"))
    assert answer(start(package, cache))[2] > 0


def test_a_source_edited_under_a_running_process_is_not_kept(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    trig = package / "motionkit" / "kernels" / "trig.py"
    edit = f"p = {str(trig)!r}; t = open(p).read(); open(p, 'w').write(t + chr(10) + '# edited' + chr(10))"
    answer(start(package, cache, before=edit))
    assert not list(cache.rglob("*.nbc"))


def test_a_source_edited_before_it_is_imported_is_not_kept_under_the_key_of_another_text(
    package: Path, tmp_path: Path
) -> None:
    """The key is made when the first kernel is compiled; a module that comes later may have been edited since."""
    cache = tmp_path / "cache"
    path = package / "motionkit" / "kernels" / "quintic.py"
    original = path.read_text()
    assert "0.2 * h" in original
    ask = (
        "import numpy as np; from motionkit.kernels import quintic; from motionkit.kernels._contract import Model\n"
        "out = np.empty(6); quintic.fit.compile()\n"
        "quintic.fit(np.array([0.0, 1.0, 0.0]), np.array([1.0, 1.0, 0.0]), 1.0, out); print(out[1])"
    )
    edit = f"p = {str(path)!r}; t = open(p).read(); open(p, 'w').write(t.replace('0.2 * h', '0.7 * h'))\n"
    first = "from motionkit.kernels import line; line.pose.compile()\n"
    settings = {**os.environ, "PYTHONPATH": str(package), "MOTIONKIT_CACHE_DIR": str(cache), "MOTIONKIT_CACHE": "1"}
    # both texts are equally long and may fall into one second, by which Python tells whether its own bytecode is stale
    settings["PYTHONDONTWRITEBYTECODE"] = "1"
    said = []
    for code in (first + edit + ask, ask):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=settings, check=True)
        said.append(done.stdout.strip())
        path.write_text(original)
    assert said == ["0.7", "0.2"]


def test_a_damaged_file_is_compiled_again(package: Path, tmp_path: Path) -> None:
    """Most files with a few bits turned over unpickle well, into machine code that computes something else."""
    cache = tmp_path / "cache"
    answer(start(package, cache))
    for path in cache.rglob("*.nbc"):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 0x10
        path.write_bytes(data)
    x, turn, hits = answer(start(package, cache))
    assert (x, turn, hits) == (1.0, 0.247404, 0)


def test_a_file_that_cannot_be_read_is_compiled_again(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    answer(start(package, cache))
    files = list(cache.rglob("*.nbc"))
    for path in files:
        path.write_bytes(path.read_bytes()[:100])
    assert answer(start(package, cache))[:2] == (1.0, 0.247404)
    assert all(path.stat().st_size > 100 for path in files)


@pytest.mark.parametrize("blocked", ["a file in the way", "switched off"])
def test_without_a_cache_it_compiles_and_leaves_the_package_alone(package: Path, tmp_path: Path, blocked: str) -> None:
    before = {p.relative_to(package) for p in package.rglob("*") if "__pycache__" not in p.parts}
    cache = tmp_path / "cache"
    if blocked == "switched off":
        result = answer(start(package, cache, MOTIONKIT_CACHE="0"))
        assert not cache.exists()
    else:
        cache.write_text("not a folder")
        result = answer(start(package, cache))
        assert cache.read_text() == "not a folder"
    assert result[:2] == (1.0, 0.247404)
    assert {p.relative_to(package) for p in package.rglob("*") if "__pycache__" not in p.parts} == before
    assert not list(package.rglob("*.nb*"))


def test_old_keys_go_and_the_newest_stay(tmp_path: Path) -> None:
    for k in range(6):
        folder = tmp_path / f"{k:020d}"
        folder.mkdir()
        when = time.time() - 3600.0 * k
        os.utime(folder, (when, when))
    other = tmp_path / "f"
    other.mkdir()  # not one of ours: names of keys have twenty letters
    os.utime(tmp_path / f"{1:020d}", (1.0, 1.0))
    _cache._prune(tmp_path, f"{5:020d}")
    left = sorted(p.name for p in tmp_path.iterdir())
    assert left == sorted([f"{k:020d}" for k in (0, 2, 3, 5)] + ["f"])


def test_a_read_only_install_is_left_as_it_is_and_still_kept_in_the_users_folder(package: Path, tmp_path: Path) -> None:
    everything = [package, *package.rglob("*")]
    for path in everything:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        cache = tmp_path / "cache"
        settings = {"PYTHONDONTWRITEBYTECODE": "1"}
        assert answer(start(package, cache, **settings))[:2] == (1.0, 0.247404)
        assert answer(start(package, cache, **settings))[2] > 0  # and found again
        assert [package, *package.rglob("*")] == everything
    finally:
        for path in everything:
            path.chmod(path.stat().st_mode | 0o200)
