"""What importing the package costs and gives: no compiler, no oracle, every public name."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import motionkit as mk

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("numba", "llvmlite", "scipy", "matplotlib", "mujoco", "pinocchio", "trimesh", "viser", "plotly")


def fresh(code: str) -> str:
    """What ``code`` prints in an interpreter of its own."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def loaded(code: str) -> set[str]:
    """Top-level packages that are loaded after ``code``."""
    return set(fresh(f"{code}\nimport sys\nprint(*sorted({{m.partition('.')[0] for m in sys.modules}}))").split())


def test_import_loads_no_compiler() -> None:
    assert not loaded("import motionkit") & {*HEAVY, "numpy", "lxml", "ruamel", "msgspec", "tyro", "rich"}


@pytest.mark.parametrize("room", sorted(mk._ROOMS))
def test_room_loads_no_compiler(room: str) -> None:
    assert not loaded(f"import motionkit.{room}") & set(HEAVY)


def test_this_test_can_fail() -> None:
    """The control: a package that is imported is seen."""
    assert "scipy" in loaded("import scipy")


def test_using_every_name_loads_no_compiler() -> None:
    assert not loaded("import motionkit as mk\nfor name in mk._HOME:\n    getattr(mk, name)") & set(HEAVY)


@pytest.mark.parametrize("name", sorted(mk._HOME))
def test_public_name_comes_from_its_room(name: str) -> None:
    room = __import__(f"motionkit.{mk._HOME[name]}", fromlist=[name])
    assert getattr(mk, name) is getattr(room, name)
    assert name in dir(mk)
    assert name in room.__all__


def test_rooms_export_what_they_have() -> None:
    """Nothing that a room exports is missing from the package, and every room's list is what it has."""
    for room in mk._ROOMS:
        module = getattr(mk, room)
        assert all(hasattr(module, name) for name in module.__all__), room


def test_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(AttributeError, match="did you mean 'SerialChain'"):
        mk.SerialChains  # noqa: B018


def test_version_is_the_one_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert mk.__version__ == project["version"]
    assert f"## [{mk.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_requirements_are_names_and_versions_only() -> None:
    """The pins record no address and no hash, and pin everything that the project and its groups ask for."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    pins: dict[str, str] = {}
    beside: dict[str, str] = {}  # what is compared with lives in an environment of its own
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        for line in path.read_text().splitlines():
            if line.startswith(("#", "-r ")):
                continue
            requirement, _, marker = line.partition(" ; ")
            name, equals, version = requirement.partition("==")
            assert equals and version.replace(".", "").isalnum(), f"{path.name}: {line}"
            assert not marker or marker.startswith("sys_platform"), f"{path.name}: {line}"
            known = beside if path.stem == "peers" else pins
            assert known.setdefault(name, version) == version, f"{path.name}: {name} is pinned twice"
    wanted = [*pyproject["project"]["dependencies"], *(w for g in pyproject["dependency-groups"].values() for w in g)]
    names = {re.split("[<>=; \\[]", w)[0] for w in wanted}
    assert names <= {*pins, *beside}
