"""Robots by the names of the package robot_descriptions, which fetches and keeps their files."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from typing import Any

from .._extras import require
from ..errors import FileUnreadable, KindMismatch, UnknownName
from .model import RobotModel

_SHOWN = 5  # of some two hundred names
_ENDING = "_description"  # of every name


def load(name: str, arguments: Mapping[str, object]) -> RobotModel:
    """The model of a description; see :meth:`RobotModel.from_description`."""
    package = require("robot_descriptions", "robots", "loading a robot by name")
    names = sorted(map(str, package.DESCRIPTIONS))
    if name not in names:
        raise UnknownName(f"robot_descriptions has no {name!r}: {_nearest(name, names)}", name=name)
    try:
        description: Any = importlib.import_module(f"robot_descriptions.{name}")
    except Exception as error:  # whatever git, the network or the disk have to say
        raise FileUnreadable(
            f"the files of {name} cannot be fetched: {type(error).__name__}: {error}; "
            "the network is needed the first time; ROBOT_DESCRIPTIONS_CACHE names the folder where they are kept",
            path=name,
            line=None,
        ) from error
    if hasattr(description, "XACRO_PATH") and not hasattr(description, "URDF_PATH"):
        own: Mapping[str, object] = getattr(description, "XACRO_ARGS", {})
        return RobotModel.from_xacro(
            description.XACRO_PATH, {**own, **arguments}, getattr(description, "XACRO_PACKAGE_PATHS", {})
        )
    if arguments:
        raise KindMismatch(f"{name} is no xacro file, so it takes no arguments; got {', '.join(arguments)}")
    if hasattr(description, "URDF_PATH"):
        return RobotModel.from_urdf(description.URDF_PATH)
    return RobotModel.from_mjcf(description.MJCF_PATH)


def _nearest(name: str, names: list[str]) -> str:
    """The nearest names, those that hold the word first, and how to see them all."""
    words = {known.removesuffix(_ENDING): known for known in names}
    word = name.lower().removesuffix(_ENDING)
    close = [known for known in words if word and word in known]
    close += [known for known in difflib.get_close_matches(word, words, n=_SHOWN) if known not in close]
    hint = f"did you mean {', '.join(repr(words[known]) for known in close[:_SHOWN])}? " if close else ""
    return f"{hint}it knows {len(names)} names: sorted(robot_descriptions.DESCRIPTIONS)"
