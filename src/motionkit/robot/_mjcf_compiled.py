"""A compiled MuJoCo model with a name for everything, lines, and a list of what is wrong or left out.

What its bodies and joints become is the business of ``_mjcf_tree``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ..errors import UnknownName, did_you_mean
from ..spatial import SE3, SO3
from .findings import Finding


class Compiled:
    """The arrays of a model, ``m``, and the names of its bodies and joints; nameless ones get a name that is free.

    Args:
        mujoco: the package.
        m: what its compiler made.
        lines: lines in the file by kind and number.
        hold: names of joints that stay as the file draws them.

    Raises:
        UnknownName: ``hold`` names a joint that there is not.
    """

    def __init__(self, mujoco: Any, m: Any, lines: Mapping[tuple[str, int], int], hold: Collection[str]) -> None:
        self.errors: list[Finding] = []
        self.notes: list[Finding] = []
        self.mujoco, self.m = mujoco, m
        self._lines = lines
        bodies = [str(m.body(i).name) for i in range(m.nbody)]
        joints = [str(m.joint(j).name) for j in range(m.njnt)]
        self.taken = {"link": set(filter(None, bodies)), "joint": set(filter(None, joints))}
        self.body_names = [name or self.fresh("link", f"body{i}") for i, name in enumerate(bodies)]
        carriers = [self.body_names[int(body)] for body in m.jnt_bodyid]
        self.joint_names = [
            name or self.fresh("joint", f"{body}_joint") for name, body in zip(joints, carriers, strict=True)
        ]
        for name in hold:
            if name not in self.joint_names:
                raise UnknownName(f"hold: no joint {name!r}: {did_you_mean(name, self.joint_names)}", name=name)
        self.hold = frozenset(hold)

    def fresh(self, kind: str, name: str) -> str:
        """The name, or the name with the first number that makes it new among the links or the joints."""
        taken, fresh, number = self.taken[kind], name, 2
        while fresh in taken:
            fresh, number = f"{name}_{number}", number + 1
        taken.add(fresh)
        return fresh

    def line(self, kind: str, number: int) -> int | None:
        """Line of a body or a joint; a joint without one has that of its body."""
        found = self._lines.get((kind, number))
        if found is None and kind == "joint":
            return self._lines.get(("body", int(self.m.jnt_bodyid[number])))
        return found

    def reference(self, j: int) -> float:
        """The coordinate at which the file draws a hinge or a slide (``ref``)."""
        return float(self.m.qpos0[self.m.jnt_qposadr[j]])

    def error(self, where: str, line: int | None, rule: str, value: object, fix: str) -> None:
        """Note a defect that the model cannot be loaded with."""
        self.errors.append(Finding("error", where, line, rule, value, fix))

    def note(self, where: str, line: int | None, rule: str, value: str, fix: str, severity: str = "info") -> None:
        """Note what is left out or doubtful."""
        self.notes.append(Finding(severity, where, line, rule, value, fix))

    def refuse_what_is_not_finite(self) -> None:
        """Infinities, and NaNs of included files, which MuJoCo takes; they go to the errors."""
        for where, line, parts in self._numbers():
            values = [float(v) for part in parts for v in getattr(part, "flat", (part,))]
            bad = [v for v in values if not math.isfinite(v)]
            if bad:
                self.error(where, line, "finite numbers", bad[0], "write a number such as 1.5")

    def _numbers(self) -> Iterator[tuple[str, int | None, tuple[Any, ...]]]:
        m = self.m
        for i, name in enumerate(self.body_names):
            parts = (m.body_pos[i], m.body_quat[i], m.body_ipos[i], m.body_iquat[i], m.body_inertia[i], m.body_mass[i])
            yield f"body {name!r}", self.line("body", i), parts
        for j, name in enumerate(self.joint_names):
            parts = (m.jnt_pos[j], m.jnt_axis[j], m.jnt_range[j], self.reference(j))
            yield f"joint {name!r}", self.line("joint", j), parts
        for i in range(m.nsite):
            yield f"site {m.site(i).name!r}", None, (m.site_pos[i], m.site_quat[i])


def pose(position: Any, quaternion: Any) -> SE3:
    """The pose of MuJoCo's position and quaternion, which is (w, x, y, z)."""
    return SE3(SO3.from_wxyz(quaternion.tolist()), position.tolist())
