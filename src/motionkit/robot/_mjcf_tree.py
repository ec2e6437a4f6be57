"""From a compiled MuJoCo model to links and joints.

A joint of MuJoCo turns its body about an anchor that may lie anywhere; a link of ours has its origin on the axis of its
joint. A body keeps its own frame under its own name: where an anchor lies elsewhere, or a body has several joints,
massless links stand between it and its parent. Files and their errors are the business of ``mjcf``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..spatial import SE3, SO3
from ._mjcf_compiled import Compiled, pose
from .inertia import LinkInertia, turned_tensor
from .joint import Vector3, unit_axis
from .limits import JointLimits
from .model import Mesh, Mimic, ModelJoint, ModelLink

NOTHING = 2e-15
"""Mass and inertia that stand for none, kg and kg m^2: the least that MuJoCo lets a moving body have."""

_IDENTITY = SE3.identity()
_COORDINATES = {0: ("free", "six"), 1: ("ball", "three")}
_SLIDE = 2
_X: Vector3 = (1.0, 0.0, 0.0)


class Builder:
    """Makes links and joints, body by body; a joint comes after the one that carries it.

    Args:
        compiled: the model; takes what is wrong and what is left out.
        meshes: by body.
        mimics: by joint.
        left_out: numbers of bodies whose mass is not known.
    """

    def __init__(
        self,
        compiled: Compiled,
        meshes: Mapping[int, tuple[Mesh, ...]],
        mimics: Mapping[int, Mimic],
        left_out: Collection[int],
    ) -> None:
        self.links: list[ModelLink] = []
        self.joints: list[ModelJoint] = []
        self._compiled, self._m = compiled, compiled.m
        self._meshes, self._mimics, self._left_out = meshes, mimics, left_out

    def build(self) -> None:
        """Fill ``links`` and ``joints``."""
        for body in range(self._m.nbody):
            self._body(body)
        for site in range(self._m.nsite):
            self._site(site)

    def _body(self, body: int) -> None:
        m, names = self._m, self._compiled
        name, line = names.body_names[body], names.line("body", body)
        link = ModelLink(name, self._inertia(body), self._meshes.get(body, ()), line, line)
        if body == 0:
            self.links.append(link)
            return
        parent = names.body_names[int(m.body_parentid[body])]
        pending = pose(m.body_pos[body], m.body_quat[body])
        first = int(m.body_jntadr[body])
        moving = [j for j in range(first, first + int(m.body_jntnum[body])) if self._moves(j)]
        for j in moving:
            joint = names.joint_names[j]
            axis = unit_axis(m.jnt_axis[j].tolist(), joint)
            slides = int(m.jnt_type[j]) == _SLIDE
            anchor = _IDENTITY if slides else SE3.from_translation(m.jnt_pos[j])
            limits = self._limits(j, slides)
            place = pending * anchor * self._zero(j, axis, slides)
            pending = anchor.inverse()
            whole = j == moving[-1] and pending == _IDENTITY
            child = name if whole else names.fresh("link", f"{name}_{joint}")
            line = names.line("joint", j)
            mimic = self._mimics.get(j)
            self.joints.append(ModelJoint(joint, limits.kind, parent, child, place, axis, limits, mimic, line))
            self.links.append(link if whole else ModelLink(child))
            parent = child
        if parent != name:
            self._fix(link, parent, pending)

    def _fix(self, link: ModelLink, parent: str, place: SE3) -> None:
        joint = self._compiled.fresh("joint", f"{link.name}_fixed")
        self.joints.append(ModelJoint(joint, "fixed", parent, link.name, place, _X, JointLimits.fixed()))
        self.links.append(link)

    def _site(self, site: int) -> None:
        given = str(self._m.site(site).name)
        if given:
            body_has_it = given in self._compiled.taken["link"]
            name = self._compiled.fresh("link", f"{given}_site" if body_has_it else given)
            parent = self._compiled.body_names[int(self._m.site_bodyid[site])]
            self._fix(ModelLink(name), parent, pose(self._m.site_pos[site], self._m.site_quat[site]))

    def _moves(self, j: int) -> bool:
        names, kind = self._compiled, int(self._m.jnt_type[j])
        name = names.joint_names[j]
        if name in names.hold:
            return False
        if kind in _COORDINATES:
            what, count = _COORDINATES[kind]
            value = f"a {what} joint of body {names.body_names[int(self._m.jnt_bodyid[j])]!r}, which has {count}"
            fix = f"keep it as drawn with hold=({name!r},)"
            names.error(f"joint {name!r}", names.line("joint", j), "one coordinate", value, fix)
            return False
        return True

    def _limits(self, j: int, slides: bool) -> JointLimits:
        m, where = self._m, f"joint {self._compiled.joint_names[j]!r}"
        line = self._compiled.line("joint", j)
        effort = None
        if m.jnt_actfrclimited[j]:
            low, high = (float(v) for v in m.jnt_actfrcrange[j])
            effort = min(-low, high) if low < 0.0 < high else None
            if effort is None or -low != high:
                fix = "left open" if effort is None else f"{effort:g} is taken, the smaller"
                value = f"{low:g} to {high:g}"
                self._compiled.note(f"{where} actuatorfrcrange", line, "one effort both ways", value, fix)
        if m.jnt_limited[j]:
            lower, upper = (float(v) for v in m.jnt_range[j])
            return JointLimits("prismatic" if slides else "revolute", lower, upper, None, effort)
        if not slides:
            return JointLimits.continuous(effort=effort)
        fix = f"add range=..., or keep it as drawn with hold=({self._compiled.joint_names[j]!r},)"
        self._compiled.error(f"{where} range", line, "limits, which a slide joint needs", "none", fix)
        return JointLimits.prismatic(0.0, 0.0)

    def _zero(self, j: int, axis: Vector3, slides: bool) -> SE3:
        """Where coordinate zero is, from where the file draws the joint."""
        ref = self._compiled.reference(j)
        if ref == 0.0:
            return _IDENTITY
        if slides:
            return SE3.from_translation([-ref * v for v in axis])
        return SE3.from_rotation(SO3.from_axis_angle(axis, -ref))

    def _inertia(self, body: int) -> LinkInertia | None:
        m = self._m
        mass = float(m.body_mass[body])
        if body in self._left_out and body:
            where = f"link {self._compiled.body_names[body]!r} inertial"
            rule = "a mass that does not depend on files that cannot be read"
            value, fix = "shapes that had to be left out", "give the body an inertial element; nothing is assumed"
            self._compiled.note(where, self._compiled.line("body", body), rule, value, fix, "warning")
            return None
        if mass <= NOTHING:
            return None
        a, b, c = (float(v) if v > NOTHING else 0.0 for v in m.body_inertia[body])
        place = pose(m.body_ipos[body], m.body_iquat[body])
        tensor = turned_tensor(place.rotation, ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c)))
        return LinkInertia.as_stated(mass, place.translation, tensor)
