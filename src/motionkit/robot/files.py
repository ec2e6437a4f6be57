"""Robot files of any kind: which loader a file is for, and what is wrong with one that may not load.

The loaders are in ``urdf``, ``mjcf`` and ``xacro_reading``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import dataclass

from ..errors import FileUnreadable, InvalidModel, KindMismatch
from ._source import read
from .findings import Finding, check, errors_first
from .model import Packages, RobotModel

_COMMENTS = re.compile(rb"<!--.*?-->", re.DOTALL)
_FIRST_TAG = re.compile(rb"<([A-Za-z_][\w:.-]*)")


@dataclass(frozen=True, slots=True)
class Examination:
    """What reading a file came to: the model, or None, and everything found, errors first, each by line."""

    model: RobotModel | None
    findings: tuple[Finding, ...]


def kind_of(path: str | os.PathLike[str], data: bytes) -> str:
    """``"xacro"`` by the ending, ``"mjcf"`` by the root element, and ``"urdf"`` for whatever else it may be."""
    if os.fspath(path).lower().endswith(".xacro"):
        return "xacro"
    root = _FIRST_TAG.search(_COMMENTS.sub(b"", data))
    return "mjcf" if root is not None and root.group(1) == b"mujoco" else "urdf"


def load(path: str | os.PathLike[str], packages: Packages | None = None, hold: Collection[str] = ()) -> RobotModel:
    """The model of a file of any kind; see :meth:`RobotModel.from_file`."""
    kind = kind_of(path, read(path).data)
    if kind == "xacro":
        return RobotModel.from_xacro(path, packages=packages, hold=hold)
    if kind == "urdf":
        return RobotModel.from_urdf(path, packages, hold=hold)
    if packages:
        raise KindMismatch(f"{os.fspath(path)} is a MJCF, which names no packages; got {', '.join(packages)}")
    return RobotModel.from_mjcf(path, hold=hold)


def examine(path: str | os.PathLike[str], packages: Packages | None = None, hold: Collection[str] = ()) -> Examination:
    """Everything that is wrong or doubtful about a file, whether it can be loaded or not.

    Args:
        path: as for :meth:`RobotModel.from_file`.
        packages: as there.
        hold: as there.

    Raises:
        UnknownName: ``hold`` names a joint that cannot be held.
        MissingExtra: what reads the file is not installed.
    """
    try:
        model = load(path, packages, hold)
    except FileUnreadable as error:
        what, _, fix = _without_place(error.message).rpartition("; ")
        return Examination(None, (Finding("error", "file", error.line, "a robot file", what, fix),))
    except InvalidModel as error:
        found = error.findings or [Finding("error", "robot", None, "a robot", _without_place(error.message), "")]
        return Examination(None, tuple(errors_first(found)))
    return Examination(model, tuple(errors_first(check(model))))


def _without_place(message: str) -> str:
    return message.partition(": ")[2] or message
