"""Robot files of any kind: which loader a file is for. The loaders are in ``urdf``, ``mjcf`` and ``xacro_reading``."""

from __future__ import annotations

import os
import re
from collections.abc import Collection

from ..errors import KindMismatch
from ._source import read
from .model import Packages, RobotModel

_COMMENTS = re.compile(rb"<!--.*?-->", re.DOTALL)
_FIRST_TAG = re.compile(rb"<([A-Za-z_][\w:.-]*)")


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
        if hold:
            raise KindMismatch(f"{os.fspath(path)}: joints of a xacro file cannot be held; expand it first, with xacro")
        return RobotModel.from_xacro(path, packages=packages)
    if kind == "urdf":
        return RobotModel.from_urdf(path, packages, hold=hold)
    if packages:
        raise KindMismatch(f"{os.fspath(path)} is a MJCF, which names no packages; got {', '.join(packages)}")
    return RobotModel.from_mjcf(path, hold=hold)
