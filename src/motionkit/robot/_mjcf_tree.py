"""From a compiled MuJoCo model to links and joints: bodies, joints beside the origin of their body, equality, sites.

A joint of MuJoCo turns its body about an anchor that may lie anywhere; a link of ours has its origin on the axis of its
joint. A body keeps its own frame under its own name: where an anchor lies elsewhere, or a body has several joints,
massless links stand between it and its parent. Files and their errors are the business of ``mjcf``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from ..errors import UnknownName, did_you_mean
from ..spatial import SE3, SO3
from .findings import Finding
from .inertia import LinkInertia, turned_tensor
from .joint import unit_axis
from .limits import JointLimits
from .model import Mesh, Mimic, ModelJoint, ModelLink

NOTHING = 2e-15
"""Mass and inertia that stand for none, kg and kg m^2: the least that MuJoCo lets a moving body have."""

_IDENTITY = SE3.identity()
_COORDINATES = {0: ("free", "six"), 1: ("ball", "three")}
_SLIDE = 2
_UNUSED = (
    ("dof_armature", "armature"),
    ("dof_damping", "damping"),
    ("dof_frictionloss", "friction"),
    ("jnt_stiffness", "springs"),
)


class Builder:
    """Makes links and joints; what is wrong goes to ``errors``, what is left out or doubtful to ``notes``.

    Args:
        mujoco: the package.
        compiled: the model.
        lines: lines in the file by kind and number.
        folder: where relative mesh files lie.
        hold: names of joints that stay as the file draws them.
        left_out: numbers of bodies whose mass is not known.
    """

    def __init__(
        self,
        mujoco: Any,
        compiled: Any,
        lines: Mapping[tuple[str, int], int],
        folder: Path,
        hold: Collection[str],
        left_out: Collection[int],
    ) -> None:
        self.errors: list[Finding] = []
        self.notes: list[Finding] = []
        self._mujoco, self._m = mujoco, compiled
        self._lines, self._folder = lines, folder
        self._left_out = left_out
        self._taken: dict[str, set[str]] = {"link": set(), "joint": set()}
        self._links: list[ModelLink] = []
        self._joints: list[ModelJoint] = []
        self._body_names = self._names_of_bodies()
        self._joint_names = self._names_of_joints()
        for name in hold:
            if name not in self._joint_names:
                raise UnknownName(f"hold: no joint {name!r}: {did_you_mean(name, self._joint_names)}", name=name)
        self._hold = frozenset(hold)

    def build(self) -> tuple[list[ModelLink], list[ModelJoint]]:
        """The links, and the joints in topological order."""
        if self._finite():
            shapes, mimics = self._meshes(), self._mimics()
            for body in range(self._m.nbody):
                self._body(body, shapes.get(body, ()), mimics)
            self._sites()
            self._note_what_is_left_out()
        return self._links, self._joints

    # ---- names
    def _fresh(self, kind: str, name: str) -> str:
        """The name, or the name with the first number that makes it new."""
        taken, fresh, number = self._taken[kind], name, 2
        while fresh in taken:
            fresh, number = f"{name}_{number}", number + 1
        taken.add(fresh)
        return fresh

    def _names_of_bodies(self) -> list[str]:
        given = [str(self._m.body(i).name) for i in range(self._m.nbody)]
        self._taken["link"].update(filter(None, given))
        return [name or self._fresh("link", f"body{i}") for i, name in enumerate(given)]

    def _names_of_joints(self) -> list[str]:
        given = [str(self._m.joint(i).name) for i in range(self._m.njnt)]
        self._taken["joint"].update(filter(None, given))
        carriers = [self._body_names[int(body)] for body in self._m.jnt_bodyid]
        return [name or self._fresh("joint", f"{body}_joint") for name, body in zip(given, carriers, strict=True)]

    # ---- bodies and their joints
    def _body(self, body: int, meshes: tuple[Mesh, ...], mimics: Mapping[int, Mimic]) -> None:
        m, name, line = self._m, self._body_names[body], self._lines.get(("body", body))
        link = ModelLink(name, self._inertia(body), meshes, line, line)
        if body == 0:
            self._links.append(link)
            return
        parent = self._body_names[int(m.body_parentid[body])]
        pending = _pose(m.body_pos[body], m.body_quat[body])
        first = int(m.body_jntadr[body])
        moving = [j for j in range(first, first + int(m.body_jntnum[body])) if self._moves(j)]
        for j in moving:
            axis = unit_axis(m.jnt_axis[j].tolist(), self._joint_names[j])
            slides = int(m.jnt_type[j]) == _SLIDE
            anchor = _IDENTITY if slides else SE3.from_translation(m.jnt_pos[j])
            limits = self._limits(j, slides)
            place = pending * anchor * self._reference(j, axis, slides)
            pending = anchor.inverse()
            whole = j == moving[-1] and pending == _IDENTITY
            child = name if whole else self._fresh("link", f"{name}_{self._joint_names[j]}")
            self._add(self._joint_names[j], limits.kind, parent, child, place, axis, limits, mimics.get(j), j)
            self._links.append(link if whole else ModelLink(child))
            parent = child
        if parent != name:
            joint = self._fresh("joint", f"{name}_fixed")
            self._add(joint, "fixed", parent, name, pending, (1.0, 0.0, 0.0), JointLimits.fixed(), None, None)
            self._links.append(link)

    def _add(
        self,
        name: str,
        kind: str,
        parent: str,
        child: str,
        place: SE3,
        axis: tuple[float, float, float],
        limits: JointLimits,
        mimic: Mimic | None,
        number: int | None,
    ) -> None:
        line = None if number is None else self._lines.get(("joint", number))
        self._joints.append(ModelJoint(name, kind, parent, child, place, axis, limits, mimic, line))

    def _moves(self, j: int) -> bool:
        name, kind = self._joint_names[j], int(self._m.jnt_type[j])
        if name in self._hold:
            return False
        if kind in _COORDINATES:
            what, count = _COORDINATES[kind]
            value = f"a {what} joint of body {self._body_names[int(self._m.jnt_bodyid[j])]!r}, which has {count}"
            self._error(f"joint {name!r}", j, "one coordinate", value, f"keep it as drawn with hold=({name!r},)")
            return False
        return True

    def _limits(self, j: int, slides: bool) -> JointLimits:
        m, name = self._m, self._joint_names[j]
        effort = None
        if m.jnt_actfrclimited[j]:
            low, high = (float(v) for v in m.jnt_actfrcrange[j])
            effort = min(-low, high) if low < 0.0 < high else None
            if effort is None or -low != high:
                self._note(
                    f"joint {name!r} actuatorfrcrange",
                    j,
                    "one effort both ways",
                    f"{low:g} to {high:g}",
                    "left open" if effort is None else f"{effort:g} is taken, the smaller",
                )
        if m.jnt_limited[j]:
            lower, upper = (float(v) for v in m.jnt_range[j])
            return JointLimits("prismatic" if slides else "revolute", lower, upper, None, effort)
        if not slides:
            return JointLimits.continuous(effort=effort)
        fix = f"add range=..., or keep it as drawn with hold=({name!r},)"
        self._error(f"joint {name!r} range", j, "limits, which a slide joint needs", "none", fix)
        return JointLimits.prismatic(0.0, 0.0)

    def _reference(self, j: int, axis: tuple[float, float, float], slides: bool) -> SE3:
        """The pose at coordinate zero, when the file draws the joint at another one (``ref``)."""
        ref = float(self._m.qpos0[self._m.jnt_qposadr[j]])
        if ref == 0.0:
            return _IDENTITY
        if slides:
            return SE3.from_translation([-ref * v for v in axis])
        return SE3.from_rotation(SO3.from_axis_angle(axis, -ref))

    def _inertia(self, body: int) -> LinkInertia | None:
        m, name = self._m, self._body_names[body]
        mass = float(m.body_mass[body])
        if body in self._left_out and body:
            self.notes.append(
                Finding(
                    "warning",
                    f"link {name!r} inertial",
                    self._lines.get(("body", body)),
                    "a mass that does not depend on files that cannot be read",
                    "shapes that had to be left out",
                    "give the body an inertial element; nothing is assumed",
                )
            )
            return None
        if mass <= NOTHING:
            return None
        a, b, c = (float(v) if v > NOTHING else 0.0 for v in m.body_inertia[body])
        place = _pose(m.body_ipos[body], m.body_iquat[body])
        tensor = turned_tensor(place.rotation, ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c)))
        return LinkInertia(mass, place.translation, tensor)

    # ---- what else is kinematics
    def _sites(self) -> None:
        for i in range(self._m.nsite):
            given = str(self._m.site(i).name)
            if given:
                body_has_it = given in self._taken["link"]
                name = self._fresh("link", f"{given}_site" if body_has_it else given)
                joint = self._fresh("joint", f"{name}_fixed")
                parent = self._body_names[int(self._m.site_bodyid[i])]
                place = _pose(self._m.site_pos[i], self._m.site_quat[i])
                self._add(joint, "fixed", parent, name, place, (1.0, 0.0, 0.0), JointLimits.fixed(), None, None)
                self._links.append(ModelLink(name))

    def _mimics(self) -> dict[int, Mimic]:
        """Joints that follow another one linearly; what else constrains is noted and left out."""
        m, kinds = self._m, self._mujoco.mjtEq
        mimics: dict[int, Mimic] = {}
        leaders: dict[int, int] = {}
        for i in range(m.neq):
            kind, where = int(m.eq_type[i]), f"equality {str(m.eq(i).name) or i!r}"
            one, two = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
            what = kinds(kind).name.removeprefix("mjEQ_").lower()
            left = "left out, so the coordinates stay free of each other"
            if not m.eq_active0[i]:
                self._note(where, None, "a constraint that holds", "an inactive one", "left out")
                continue
            if kind != int(kinds.mjEQ_JOINT):
                self._note(where, None, "a joint that follows another", f"a {what} constraint", left, "warning")
                continue
            follower = self._joint_names[one]
            offset, slope, *curve = (float(v) for v in m.eq_data[i][:5])
            at = two
            while at in leaders and at != one:
                at = leaders[at]
            if two < 0:
                value = f"joint {follower!r} held at one place"
                self._note(where, None, "a joint that follows another", value, f"use hold=({follower!r},)", "warning")
            elif any(curve):
                value = f"a curve with polycoef {m.eq_data[i][:5].tolist()}"
                self._note(where, None, "a joint that follows another in a straight line", value, left, "warning")
            elif one in leaders or at == one:
                value = f"joint {follower!r} twice, or following itself"
                self._note(where, None, "a joint that follows one other", value, left, "warning")
            elif not {follower, self._joint_names[two]} & self._hold:
                leaders[one] = two
                q0 = [float(m.qpos0[m.jnt_qposadr[j]]) for j in (one, two)]
                mimics[one] = Mimic(self._joint_names[two], slope, q0[0] + offset - slope * q0[1])
        return mimics

    def _meshes(self) -> dict[int, tuple[Mesh, ...]]:
        """Mesh files by body; shapes that are no files are counted and left out."""
        m = self._m
        found: dict[int, tuple[Mesh, ...]] = {}
        others = 0
        for i in range(m.ngeom):
            mesh, body = int(m.geom_dataid[i]), int(m.geom_bodyid[i])
            start = int(m.mesh_pathadr[mesh]) if int(m.geom_type[i]) == int(self._mujoco.mjtGeom.mjGEOM_MESH) else -1
            if start < 0:
                others += 1
                continue
            path = self._folder / bytes(m.paths[start:]).split(b"\0", 1)[0].decode()
            inside = path.is_relative_to(self._folder)
            filename = (path.relative_to(self._folder) if inside else path).as_posix()
            role = "collision" if m.geom_contype[i] or m.geom_conaffinity[i] else "visual"
            # the compiler moves a mesh to its centre of mass; this is where the file's own frame is
            pose = _pose(m.geom_pos[i], m.geom_quat[i]) * _pose(m.mesh_pos[mesh], m.mesh_quat[mesh]).inverse()
            x, y, z = (float(v) for v in m.mesh_scale[mesh])
            line = self._lines.get(("body", body))
            found[body] = (
                *found.get(body, ()),
                Mesh(filename, path if path.is_file() else None, role, line, pose, (x, y, z)),
            )
        if others:
            self._note("geoms", None, "mesh files", f"{others} other shapes", "left out; kinematics does not need them")
        return found

    # ---- what is not
    def _finite(self) -> bool:
        m, before = self._m, len(self.errors)
        for i in range(m.nbody):
            parts = (m.body_pos[i], m.body_quat[i], m.body_ipos[i], m.body_iquat[i], m.body_inertia[i], m.body_mass[i])
            self._finite_thing("body", f"body {self._body_names[i]!r}", i, parts)
        for j in range(m.njnt):
            at = int(m.jnt_qposadr[j])
            parts = (m.jnt_pos[j], m.jnt_axis[j], m.jnt_range[j], m.qpos0[at])
            self._finite_thing("joint", f"joint {self._joint_names[j]!r}", j, parts)
        for i in range(m.nsite):
            self._finite_thing("site", f"site {m.site(i).name!r}", i, (m.site_pos[i], m.site_quat[i]))
        return len(self.errors) == before

    def _finite_thing(self, kind: str, where: str, number: int, parts: tuple[Any, ...]) -> None:
        numbers = [float(v) for part in parts for v in getattr(part, "flat", (part,))]
        if not all(map(math.isfinite, numbers)):
            bad = next(v for v in numbers if not math.isfinite(v))
            line = self._lines.get((kind, number))
            self.errors.append(Finding("error", where, line, "finite numbers", bad, "write a number such as 1.5"))

    def _note_what_is_left_out(self) -> None:
        m = self._m
        for key, what in _UNUSED:
            values = getattr(m, key)
            at = m.jnt_dofadr if key.startswith("dof") else range(m.njnt)
            joints = [name for name, i in zip(self._joint_names, at, strict=True) if values[i] != 0.0]
            if joints:
                listed = ", ".join(joints)
                self._note(f"{what} of joints {listed}", None, "kinematics and mass", what, "left out of the model")
        if m.nu:
            self._note("actuators", None, "kinematics and mass", f"{m.nu} actuators", "left out of the model")

    def _error(self, where: str, j: int, rule: str, value: str, fix: str) -> None:
        line = self._lines.get(("joint", j)) or self._lines.get(("body", int(self._m.jnt_bodyid[j])))
        self.errors.append(Finding("error", where, line, rule, value, fix))

    def _note(self, where: str, j: int | None, rule: str, value: str, fix: str, severity: str = "info") -> None:
        line = None if j is None else self._lines.get(("joint", j))
        self.notes.append(Finding(severity, where, line, rule, value, fix))


def _pose(position: Any, quaternion: Any) -> SE3:
    return SE3(SO3.from_wxyz(quaternion.tolist()), position.tolist())
