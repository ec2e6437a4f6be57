"""Robots from tables of Denavit and Hartenberg, in the two conventions in use.

A table does not say which of the two it follows, and read in the other one it gives an arm that looks right and is not,
so the convention is never guessed. How the robot is used does not belong here.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InvalidLimits, InvalidModel, KindMismatch, NotFinite, UnknownName, WrongLength, did_you_mean
from ..kernels.pose import IDENTITY, Pose, compose
from ..kernels.trig import sincos
from ..spatial import SE3
from .inertia import LinkInertia, turned_tensor
from .limits import JointLimits
from .model import ModelJoint, ModelLink, RobotModel

CONVENTIONS = ("standard", "modified")
_KINDS = ("revolute", "prismatic")
_ANGLES = ("alpha", "theta")
_TURN = 2.0 * math.pi
# sine and cosine of the quarter turns that tables are full of, which are no floats in radians
_QUARTERS = {k * (math.pi / 2): ((0.0, 1.0, 0.0, -1.0)[k % 4], (1.0, 0.0, -1.0, 0.0)[k % 4]) for k in range(-4, 5)}


@dataclass(frozen=True, slots=True, kw_only=True)
class DhRow:
    """One row of a table of Denavit and Hartenberg: a joint, and where the next one is.

    Given by name only, since tables order their columns differently. The column of the joint's own variable is its
    value at coordinate zero: a revolute joint turns to ``theta + sign * q``, a prismatic one slides to
    ``d + sign * q``; the sign comes before the offset.

    Args:
        a: distance along x, m: of the row's link in the standard convention, of the one before it (a with the index
            i - 1) in the modified one.
        alpha: angle about x, rad; indexed like ``a``.
        d: distance along z, m.
        theta: angle about z, rad.
        kind: ``"revolute"`` or ``"prismatic"``.
        limits: of the joint's coordinate; None for a revolute joint that turns without end. A prismatic joint needs
            them.
        name: of the joint; None is ``joint1`` and so on.
        sign: 1, or -1 for a coordinate that counts the other way.

    Raises:
        NotFinite: a number is NaN or infinite.
        KindMismatch: something is not a number, an angle is beyond a whole turn, so one in degrees, the kind is
            unknown, the sign is neither 1 nor -1, or the limits are of another kind.
        InvalidLimits: a prismatic joint without limits.

    >>> import math
    >>> import motionkit as mk
    >>> mk.DhRow(d=0.0892, alpha=math.pi / 2).kind
    'revolute'
    """

    a: float = 0.0
    alpha: float = 0.0
    d: float = 0.0
    theta: float = 0.0
    kind: str = "revolute"
    limits: JointLimits | None = None
    name: str | None = None
    sign: int = 1

    def __post_init__(self) -> None:
        who = "a DH row" if self.name is None else f"the DH row of joint {self.name!r}"
        joint = self.name or ""
        for key in ("a", "alpha", "d", "theta"):
            given: Any = getattr(self, key)
            try:
                value = float(given)
            except (TypeError, ValueError) as error:
                raise KindMismatch(f"{who}: {key} must be a number, got {given!r}", joint=joint) from error
            if not math.isfinite(value):
                raise NotFinite(f"{who}: {key} must be finite, got {value}")
            if key in _ANGLES and abs(value) > _TURN:
                raise KindMismatch(
                    f"{who}: {key} is in radians and at most a turn, got {value:g}; "
                    f"if it is in degrees write math.radians({value:g})",
                    joint=joint,
                )
            object.__setattr__(self, key, value)
        if self.kind not in _KINDS:
            raise KindMismatch(f"{who}: kind: {did_you_mean(str(self.kind), _KINDS)}; got {self.kind!r}", joint=joint)
        if self.sign not in (1, -1):
            raise KindMismatch(f"{who}: sign must be 1 or -1, got {self.sign!r}", joint=joint)
        if self.limits is None:
            if self.kind == "prismatic":
                raise InvalidLimits(
                    f"{who}: a prismatic joint needs limits; give limits=JointLimits.prismatic(...)", joint=joint
                )
        elif self.limits.kind not in (("prismatic",) if self.kind == "prismatic" else ("revolute", "continuous")):
            raise KindMismatch(f"{who}: a {self.kind} joint cannot have {self.limits.kind} limits", joint=joint)


Row = DhRow | Mapping[str, Any]


def from_dh(
    rows: Sequence[Row],
    convention: str,
    *,
    base: SE3 | None,
    tool: SE3 | None,
    inertias: Sequence[LinkInertia | None] | None,
    name: str,
) -> RobotModel:
    """The model of a table; see :meth:`RobotModel.from_dh`."""
    if convention not in CONVENTIONS:
        raise UnknownName(
            f"from_dh: no convention {convention!r}: {did_you_mean(str(convention), CONVENTIONS)}; standard is "
            "Rz(theta) Tz(d) Tx(a) Rx(alpha), modified is Rx(alpha) Tx(a) Rz(theta) Tz(d)",
            name=str(convention),
        )
    for what, pose in (("base", base), ("tool", tool)):
        if pose is not None and not isinstance(pose, SE3):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise KindMismatch(f"from_dh: {what}: expected an SE3, got {type(pose).__name__}")
    table = [_row(row, i) for i, row in enumerate(rows)]
    bodies = [None] * len(table) if inertias is None else list(inertias)
    if len(bodies) != len(table):
        raise WrongLength(
            f"from_dh: inertias: expected one for each of the {len(table)} rows (None where unknown), got {len(bodies)}"
        )
    names = [row.name or f"joint{i}" for i, row in enumerate(table, start=1)]
    if twice := sorted({joint for joint in names if names.count(joint) > 1}):
        raise InvalidModel(f"from_dh: joint name {', '.join(twice)} occurs twice; rename one", findings=[])
    standard = convention == "standard"
    links, joints = [ModelLink("base")], list[ModelJoint]()
    pending = IDENTITY if base is None else base.elements
    for i, (row, joint, body) in enumerate(zip(table, names, bodies, strict=True), start=1):
        if not standard:
            pending = compose(pending, _about_x(row.alpha, row.a))
        place = compose(pending, _about_z(row.theta, row.d))
        pending = _about_x(row.alpha, row.a) if standard else IDENTITY
        limits = JointLimits.continuous() if row.limits is None else row.limits
        axis = (0.0, 0.0, float(row.sign))
        joints.append(ModelJoint(joint, limits.kind, links[-1].name, f"link{i}", _pose(place), axis, limits))
        links.append(ModelLink(f"link{i}", None if body is None else _moved(body, _pose(pending))))
    ends = [("flange", _pose(pending))] + ([] if tool is None else [("tool", tool)])
    for link, pose in ends:
        fixed = JointLimits.fixed()
        joints.append(ModelJoint(f"{link}_fixed", "fixed", links[-1].name, link, pose, (1.0, 0.0, 0.0), fixed))
        links.append(ModelLink(link))
    return RobotModel(name, tuple(links), tuple(joints))


def _row(row: Row, index: int) -> DhRow:
    if isinstance(row, DhRow):
        return row
    where = f"from_dh: rows[{index}]"
    if not isinstance(row, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise KindMismatch(
            f"{where}: expected a DhRow or a mapping with a, alpha, d and theta, got {row!r}; "
            "the columns are given by name, since tables order them differently"
        )
    known = [field.name for field in dataclasses.fields(DhRow)]
    for key in row:
        if key not in known:
            raise UnknownName(f"{where}: no column {key!r}: {did_you_mean(str(key), known)}", name=str(key))
    try:
        return DhRow(**row)
    except (NotFinite, KindMismatch, InvalidLimits) as error:
        raise type(error)(f"{where}: {error.message}", **error.__dict__) from None


def _moved(body: LinkInertia, link_T_frame: SE3) -> LinkInertia:
    """The mass properties given in the frame of the row, in the link's own frame, which lies on the axis."""
    if link_T_frame == SE3.identity():
        return body
    return LinkInertia.as_stated(body.mass, link_T_frame * body.com, turned_tensor(link_T_frame.rotation, body.inertia))


def _sincos(angle: float) -> tuple[float, float]:
    exact = _QUARTERS.get(angle)
    return sincos(angle) if exact is None else exact


def _about_x(angle: float, shift: float) -> Pose:
    s, c = _sincos(angle)
    return (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c, shift, 0.0, 0.0)


def _about_z(angle: float, shift: float) -> Pose:
    s, c = _sincos(angle)
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, shift)


def _pose(elements: Pose) -> SE3:
    clean: Any = tuple(x + 0.0 for x in elements)  # no -0.0
    return SE3.from_elements(clean)
