"""Real robot files and two-link arms that several tests of the room use."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import motionkit as mk


def _folder(name):
    spec = importlib.util.find_spec(name)
    return Path(next(iter(spec.submodule_search_locations)))


@pytest.fixture(scope="session")
def rtb_files():
    """Folder of rtb-data."""
    return _folder("rtbdata")


@pytest.fixture(scope="session")
def defects():
    """Folder of the defective two-link robots."""
    return Path(__file__).parents[1] / "data" / "urdf_defects"


@pytest.fixture(scope="session")
def examples():
    """Folder of the examples of the repository."""
    return Path(__file__).parents[2] / "examples"


@pytest.fixture
def two_link():
    """Two links of 1.0 and 0.8 m that turn about y, stretched out along x at zero; the second is a uniform rod."""
    turn = mk.JointLimits.revolute(-3.0, 3.0, 1.0)
    joints = [mk.Joint.revolute("a", (0, 1, 0), (0, 0, 0), turn), mk.Joint.revolute("b", (0, 1, 0), (1, 0, 0), turn)]
    rod = mk.LinkInertia.cylinder(1.0, 0.02, (0, 0, 0), (0.8, 0, 0))
    return mk.SerialChain.from_joints(joints, tool=mk.SE3.from_translation((0.8, 0, 0)), inertias=[None, rod])
