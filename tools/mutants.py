"""Plants known wrong forms into a copy of the sources, one at a time, and requires the suite to fail on each.

A mutant is a mistake that someone would plausibly make: the textbook formula that loses accuracy, a lost sign, a check
left out. The replacement must match its file exactly once, and the tests named must pass without it, so a mutant that
no longer fits the sources, or a selection that no longer runs, is an error and never a success. The list is in
``mutants_list.py``.

    python tools/mutants.py [--jobs N] [NAME ...]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from mutants_list import MUTANTS, Mutant

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("src", "tests", "tools", "examples", "pyproject.toml", "README.md")
PASSED, FAILED = 0, 1  # what pytest returns; anything else means that the tests did not run
LIMIT = 600.0  # seconds for one selection; a mutant that hangs has been noticed


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the tests said about one selection, with or without a mutant."""

    verdict: str  # killed, SURVIVED, ERROR, and passed or ERROR without a mutant
    seconds: float
    detail: str


def run_tests(folder: Path, selection: tuple[str, ...]) -> tuple[int, str]:
    """Run tests on the sources in ``folder``, stopping at the first that fails."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "-p", "no:cacheprovider", *selection]
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return FAILED, "took too long"
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return done.returncode, (lines or done.stdout.strip().splitlines() or done.stderr.splitlines() or [""])[-1]


def copy_sources(folder: Path) -> None:
    """A copy of what the tests need, without compiled files."""
    ignored = shutil.ignore_patterns("__pycache__", ".*")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=ignored)
        elif source.exists():
            shutil.copy2(source, folder / name)


def plant(folder: Path, mutant: Mutant) -> str | None:
    """Change the copy; returns what is wrong when the mutant does not fit."""
    path = folder / "src" / "motionkit" / mutant.file
    if not path.exists():
        return f"{mutant.file} does not exist"
    text = path.read_text()
    count = text.count(mutant.old)
    if count != 1:
        return f"the text to replace occurs {count} times in {mutant.file}, not once"
    path.write_text(text.replace(mutant.old, mutant.new))
    return None


def try_mutant(mutant: Mutant) -> Outcome:
    """Plant one mutant in a copy of its own and run its tests."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="motionkit-mutant-") as name:
        folder = Path(name)
        copy_sources(folder)
        if problem := plant(folder, mutant):
            return Outcome("ERROR", 0.0, problem)
        code, detail = run_tests(folder, mutant.tests)
    verdict = {FAILED: "killed", PASSED: "SURVIVED"}.get(code, "ERROR")
    return Outcome(verdict, time.perf_counter() - start, detail)


def try_without(selection: tuple[str, ...]) -> Outcome:
    """Run a selection on unchanged sources: it must pass, or a failure would prove nothing."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="motionkit-mutant-") as name:
        copy_sources(Path(name))
        code, detail = run_tests(Path(name), selection)
    return Outcome("passed" if code == PASSED else "ERROR", time.perf_counter() - start, detail)


def main() -> int:
    """Try the mutants named, or all of them, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these mutants")
    parser.add_argument("--jobs", type=int, default=2, help="how many to try at a time")
    options = parser.parse_args()
    known = [m.name for m in MUTANTS]
    if unknown := set(options.names) - set(known):
        parser.error(f"no mutant {sorted(unknown)}; there are {known}")
    chosen = [m for m in MUTANTS if not options.names or m.name in options.names]
    selections = sorted({m.tests for m in chosen})
    with ThreadPoolExecutor(options.jobs) as pool:
        print(f"{len(selections)} selections of tests without a mutant", flush=True)
        failed = False
        for selection, outcome in zip(selections, pool.map(try_without, selections), strict=True):
            failed |= outcome.verdict != "passed"
            print(
                f"  {outcome.verdict:8} {outcome.seconds:5.1f} s  {' '.join(selection)}  {outcome.detail}", flush=True
            )
        print(f"{len(chosen)} mutants", flush=True)
        for mutant, outcome in zip(chosen, pool.map(try_mutant, chosen), strict=True):
            failed |= outcome.verdict != "killed"
            print(
                f"  {outcome.verdict:8} {outcome.seconds:5.1f} s  {mutant.name} ({mutant.requirement}): {mutant.what}\n"
                f"                    {outcome.detail}",
                flush=True,
            )
    print("a mutant survived or did not fit" if failed else f"all {len(chosen)} mutants killed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
