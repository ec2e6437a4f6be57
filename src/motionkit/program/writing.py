"""The files of a result: their text, and a folder that appears whole or not at all.

What the numbers mean and how they were found is the business of other modules.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from .._files import flush_folder, write_durably
from ..errors import FileUnreadable
from .sampling import SampledMotion

__all__ = [
    "FILES",
    "RESULT_FORMAT",
    "check_destination",
    "csv_header",
    "trajectory_csv",
    "trajectory_json",
    "write_result",
]

RESULT_FORMAT = "motionkit-result/1"  # the mark, inside report.json, of a folder that may be replaced
FILES = ("trajectory.csv", "trajectory.json", "report.json")
_CHUNK = 2048  # rows formatted at once: large enough to be quick, small enough to be light

# unit suffixes of position, velocity, acceleration and jerk by the kind of joint
_UNITS = {False: ("rad", "rad_s", "rad_s2", "rad_s3"), True: ("m", "m_s", "m_s2", "m_s3")}
_QUANTITIES = ("position", "velocity", "acceleration", "jerk")


def csv_header(joint_names: Sequence[str], prismatic: Sequence[bool]) -> list[str]:
    """The names of the columns of ``trajectory.csv``.

    Args:
        joint_names: in joint order.
        prismatic: for each joint, whether its coordinate is a length.

    >>> csv_header(["rail"], [True])
    ['time_s', 'rail_position_m', 'rail_velocity_m_s', 'rail_acceleration_m_s2', 'rail_jerk_m_s3']
    """
    columns = ["time_s"]
    for name, linear in zip(joint_names, prismatic, strict=True):
        columns += [f"{name}_{what}_{unit}" for what, unit in zip(_QUANTITIES, _UNITS[bool(linear)], strict=True)]
    return columns


def trajectory_csv(motion: SampledMotion, joint_names: Sequence[str], prismatic: Sequence[bool]) -> bytes:
    """The text of ``trajectory.csv``: one row a sample, 17 significant digits, so that reading gives the same bits."""
    rows, joints = motion.positions.shape
    table: NDArray[np.float64] = np.empty((rows, 1 + 4 * joints))
    table[:, 0] = motion.times
    for k, values in enumerate((motion.positions, motion.velocities, motion.accelerations, motion.jerks)):
        table[:, 1 + k :: 4] = values
    line = ",".join(["%.17g"] * table.shape[1]) + "\n"
    parts = [",".join(_quoted(name) for name in csv_header(joint_names, prismatic)) + "\n"]
    for low in range(0, rows, _CHUNK):
        block = table[low : low + _CHUNK]
        parts.append((line * len(block)) % tuple(block.reshape(-1).tolist()))
    return "".join(parts).encode()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if any(c in name for c in ',"\r\n') else name


def trajectory_json(motion: SampledMotion, joint_names: Sequence[str]) -> bytes:
    """The text of ``trajectory.json``: the fields of a ROS JointTrajectory, one point a line."""
    encode = msgspec.json.encode
    nanoseconds = [round(t * 1e9) for t in motion.times.tolist()]
    points = [
        encode(
            {
                "positions": q,
                "velocities": qd,
                "accelerations": qdd,
                "time_from_start": {"sec": ns // 1_000_000_000, "nanosec": ns % 1_000_000_000},
            }
        )
        for q, qd, qdd, ns in zip(
            motion.positions.tolist(),
            motion.velocities.tolist(),
            motion.accelerations.tolist(),
            nanoseconds,
            strict=True,
        )
    ]
    head = b'{"joint_names": ' + encode(list(joint_names)) + b',\n"points": [\n'
    return head + b",\n".join(points) + b"\n]}\n"


def check_destination(folder: Path) -> None:
    """Refuse a folder that must not, or cannot, be replaced; called before any planning.

    Raises:
        FileUnreadable: when ``folder`` is a file, holds anything that motionkit did not write, or cannot be written to.
    """
    with _as_unreadable(folder):
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise FileUnreadable(
                f"{folder}: the result is a folder, and this is {'a link' if folder.is_symlink() else 'a file'}; "
                "choose another place with --out",
                path=str(folder),
                line=None,
            )
        if folder.exists():
            _refuse_strangers(folder)
        parent = folder.absolute().parent
        while not parent.exists():
            parent = parent.parent
        if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
            raise FileUnreadable(
                f"{folder}: cannot write into {parent}; choose another place with --out or change its permissions",
                path=str(folder),
                line=None,
            )


def _refuse_strangers(folder: Path) -> None:
    names = sorted(entry.name for entry in folder.iterdir())
    if not names:
        return
    strangers = [name for name in names if name not in FILES]
    if strangers or not _is_result(folder / "report.json"):
        what = f"holds {', '.join(strangers[:3])}" if strangers else "has no report.json that says so"
        raise FileUnreadable(
            f"{folder}: only an earlier result of motionkit is replaced, and this folder {what}; "
            "choose another place with --out, or move it away",
            path=str(folder),
            line=None,
        )


def _is_result(report: Path) -> bool:
    try:
        data: Any = msgspec.json.decode(report.read_bytes())
    except (OSError, msgspec.DecodeError):
        return False
    return isinstance(data, dict) and cast("dict[str, Any]", data).get("format") == RESULT_FORMAT


def write_result(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write ``files`` as the folder ``folder``, whole or not at all.

    Everything goes into a temporary folder beside it, is flushed to the disk, and takes its name by a rename. An
    earlier result moves aside first and comes back when the rename fails, so a reader finds the old or the new files,
    never a mixture and never half of one.

    Args:
        folder: made with its parents; an earlier result of motionkit is replaced, anything else is refused.
        files: text by file name; ``report.json`` must carry the mark of a result.

    Raises:
        FileUnreadable: when the folder must not be replaced or cannot be written.
    """
    check_destination(folder)
    target = folder.absolute()
    with _as_unreadable(folder), contextlib.ExitStack() as undo:
        _make_parents(target.parent, undo)
        work = target.parent / f".{target.name}.{secrets.token_hex(4)}.new"
        work.mkdir()
        undo.callback(shutil.rmtree, work, ignore_errors=True)
        for name, text in files.items():
            write_durably(work / name, text)
        flush_folder(work)
        aside = work.with_suffix(".old")
        if target.exists():
            target.rename(aside)
            undo.callback(aside.rename, target)
        work.rename(target)
        undo.pop_all()
        flush_folder(target.parent)
        shutil.rmtree(aside, ignore_errors=True)


def _make_parents(parent: Path, undo: contextlib.ExitStack) -> None:
    missing: list[Path] = []
    while not parent.exists():
        missing.append(parent)
        parent = parent.parent
    for path in reversed(missing):
        path.mkdir()
        undo.callback(_remove_empty, path)


def _remove_empty(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.rmdir()


@contextlib.contextmanager
def _as_unreadable(folder: Path) -> Generator[None]:
    try:
        yield
    except FileUnreadable:
        raise
    except OSError as error:
        raise FileUnreadable(
            f"{folder}: cannot write the result: {error.strerror or error}; choose another place with --out",
            path=str(folder),
            line=None,
        ) from error
