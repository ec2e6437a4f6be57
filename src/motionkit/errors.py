"""Every exception of the library, in one tree under :class:`MotionkitError`.

Each class is one kind of failure; what happened, where, and what helps is in the message, and the numbers a program may
want to act on are attributes.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = [
    "BlendRefused",
    "BranchFlip",
    "CartesianError",
    "CollinearArc",
    "DegenerateGeometry",
    "DeviceUnavailable",
    "Disconnected",
    "DuplicateFrame",
    "EffortExceeded",
    "FileUnreadable",
    "ForeignFrame",
    "FrameError",
    "FrameTooDeep",
    "InvalidInertia",
    "InvalidLimits",
    "InvalidModel",
    "InvalidProgram",
    "InvalidRotation",
    "InvalidSetting",
    "JointLimitViolated",
    "KindMismatch",
    "LineCrossesLimit",
    "LineOutOfReach",
    "LineThroughSingularity",
    "MissingExtra",
    "MotionkitError",
    "NotConverged",
    "NotEnoughSamples",
    "NotFinite",
    "OffLine",
    "ProofFailed",
    "Refused",
    "SinkFailed",
    "UnknownFrame",
    "UnknownName",
    "Unreachable",
    "WrongLength",
]


class MotionkitError(Exception):
    """Base of every error that this library raises on purpose.

    Args:
        message: what was expected, what came, where, and what helps.
        details: the numbers and names that the class declares, as attributes.
    """

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        declared = {name for base in type(self).__mro__ for name in getattr(base, "__annotations__", {})}
        if unknown := set(details) - declared:
            raise TypeError(f"{type(self).__name__} has no field {sorted(unknown)}; it has {sorted(declared)}")
        self.__dict__.update(details)

    @property
    def message(self) -> str:
        """The text of the error."""
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args[0], dict(self.__dict__))


def _rebuild(cls: type[MotionkitError], message: str, details: dict[str, Any]) -> MotionkitError:
    return cls(message, **details)


def nearest(name: str, valid: Iterable[str], likeness: float = 0.5) -> str | None:
    """The valid name most like ``name``, or None when none is close.

    Args:
        name: what came.
        valid: what could have been meant.
        likeness: share of letters in common, from 0 to 1, below which nothing is close.

    >>> nearest("movl", ["movej", "movel", "wait"])
    'movel'
    """
    matches = difflib.get_close_matches(str(name).lower(), sorted(valid), n=1, cutoff=likeness)
    return matches[0] if matches else None


def did_you_mean(name: str, valid: Sequence[str] | Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest valid one, and the list of all.

    >>> did_you_mean("tol", ["tool0", "base"])
    "did you mean 'tool0'? valid names: base, tool0"
    """
    names = sorted(str(v) for v in valid)
    close = nearest(name, names)
    listed = ", ".join(names) if names else "none"
    return (f"did you mean {close!r}? " if close else "") + f"valid names: {listed}"


# ---- input of any kind
class NotFinite(MotionkitError):
    """A number is NaN or infinite where only a finite one makes sense."""


class WrongLength(MotionkitError):
    """An array has another shape than the operation needs."""


class KindMismatch(MotionkitError):
    """A value of one kind (an angle) was given where another kind (a length) is needed."""

    joint: str


class UnknownName(MotionkitError):
    """A name of a joint, link, tool or column that does not exist; the message lists those that do."""

    name: str


# ---- spatial
class InvalidRotation(MotionkitError):
    """Numbers that are not a rotation: a reflection, too far from orthogonal, a quaternion not of unit norm."""


class FrameError(MotionkitError):
    """Base of what can be wrong in a frame graph."""


class UnknownFrame(FrameError):
    """A frame that the graph does not have."""

    name: str


class ForeignFrame(UnknownFrame):
    """An identifier that belongs to another graph."""


class Disconnected(FrameError):
    """Two frames without a common root."""


class DuplicateFrame(FrameError):
    """A name that the graph has already."""

    name: str


class FrameTooDeep(FrameError):
    """A frame more than 32 edges below its root."""


# ---- robot
class InvalidLimits(MotionkitError):
    """Limits that are unset, reversed, negative or not finite where the operation needs them."""

    joint: str


class JointLimitViolated(MotionkitError):
    """A joint value outside its limits."""

    joint: str
    value: float
    limit: float


class InvalidInertia(MotionkitError):
    """An inertia that no body can have."""

    link: str


class InvalidModel(MotionkitError):
    """A robot description that cannot be loaded; ``findings`` lists everything that is wrong."""

    findings: Any


class FileUnreadable(MotionkitError, OSError):
    """A file that cannot be read, parsed or written."""

    path: str
    line: int | None


class NotConverged(MotionkitError):
    """A solver ended without an answer; ``report`` is the best it came to.

    Of a list of poses, ``index`` is the one that failed first, and ``q`` are the answers before it.
    """

    report: Any
    index: int
    q: Any


class Unreachable(MotionkitError):
    """A target that the arm cannot reach; ``distance`` is how far the nearest pose found stays away, in metres."""

    distance: float
    report: Any


# ---- cartesian
class CartesianError(MotionkitError):
    """Base of what can be wrong with a Cartesian move.

    ``fraction`` is how far along the move it happens, from 0 to 1, and ``distance`` the same in metres.
    """

    fraction: float
    distance: float


class LineOutOfReach(CartesianError):
    """The line leaves the space that the arm can reach."""


class LineThroughSingularity(CartesianError):
    """The line passes through, or too close by, a configuration in which a joint would have to be infinitely fast."""

    joint: str


class LineCrossesLimit(CartesianError):
    """A joint reaches its limit along the line."""

    joint: str
    value: float
    limit: float


class BranchFlip(CartesianError):
    """The line ends in another configuration of the arm than the one asked for."""

    joint: str


class OffLine(CartesianError):
    """A state that is not on the line it should continue."""


class CollinearArc(CartesianError):
    """Three points that define no circle."""


class BlendRefused(CartesianError):
    """A corner that cannot be rounded as asked."""


class EffortExceeded(MotionkitError):
    """A torque above what the motor gives."""

    joint: str


class ProofFailed(MotionkitError):
    """The sampled motion breaks a limit or a tolerance; ``violations`` lists each with step, time and amount."""

    violations: Any


# ---- calibration and machines
class NotEnoughSamples(MotionkitError):
    """Fewer samples than unknowns."""


class DegenerateGeometry(MotionkitError):
    """Samples that leave a direction undetermined; more of the same does not help."""

    direction: Any


class Refused(MotionkitError):
    """What was asked cannot be done, by a machine in closed form or a motion under way; ``amount`` is by how much."""

    reason: str
    amount: float


class SinkFailed(MotionkitError):
    """What set-points are sent to has raised an error; ``report`` is what was done before."""

    report: Any


# ---- programs and installation
class InvalidProgram(MotionkitError):
    """A robot program that is wrong; ``path`` is the place in the file, such as ``steps[2].movel``."""

    path: str
    line: int | None


class InvalidSetting(MotionkitError, ValueError):
    """A variable of the environment, or an option of the compiler, that has no meaning; ``name`` is which."""

    name: str


class MissingExtra(MotionkitError):
    """An optional dependency that is not installed; the message says which extra brings it."""

    name: str


class DeviceUnavailable(MotionkitError):
    """A device to compute on that this machine does not have, or has no driver for; ``device`` is which."""

    device: str
