"""The wheel, installed into an environment of its own, serves a program that knows only the public API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CONSUMER = Path(__file__).with_name("consumer.py")

pytestmark = pytest.mark.install


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command without this environment's paths; returns what it prints."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet")
    run(*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT, cwd=folder)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a clean environment with the wheel and the pinned runtime requirements."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    path = folder / "bin" / "python"
    pip = (path, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    run(*pip, "--constraint", ROOT / "requirements" / "runtime.txt", wheel, cwd=folder)
    return path


def test_wheel_is_pure_and_holds_the_package_only(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "motionkit/py.typed" in names
    assert any(n.endswith("licenses/LICENSE") for n in names)
    assert {n.split("/")[0].split("-")[0] for n in names} == {"motionkit"}
    sources = {str(p.relative_to(ROOT / "src")) for p in (ROOT / "src").rglob("*.py")}
    assert sources == {n for n in names if n.endswith(".py")}


def test_consumer_of_the_public_api(python: Path, tmp_path: Path) -> None:
    output = run(python, "-W", "error", CONSUMER, cwd=tmp_path)
    assert "refused as it should be" in output
    assert output.splitlines()[-1].strip() == "loaded:"


def test_command_runs_a_program(python: Path, tmp_path: Path) -> None:
    motionkit = python.with_name("motionkit")
    assert "run" in run(motionkit, "--help", cwd=tmp_path)
    run(motionkit, "demo", "--out", "result", cwd=tmp_path)
    assert json.loads((tmp_path / "result" / "report.json").read_text())
    assert (tmp_path / "result" / "trajectory.csv").read_text().startswith("time_s,")


def test_import_loads_no_compiler(python: Path, tmp_path: Path) -> None:
    code = "import sys, motionkit; print(sorted({'numba', 'scipy', 'matplotlib', 'numpy'} & set(sys.modules)))"
    assert run(python, "-c", code, cwd=tmp_path).strip() == "[]"


def test_nothing_but_the_declared_dependencies_is_needed(python: Path, tmp_path: Path) -> None:
    assert "No broken requirements" in run(python, "-m", "pip", "check", cwd=tmp_path)
