"""What a MuJoCo model has besides bodies and joints: equality, meshes, and what a robot model has no place for."""

from __future__ import annotations

from pathlib import Path

from ._mjcf_compiled import Compiled, pose
from .model import Mesh, Mimic

_UNUSED = (
    ("dof_armature", "armature"),
    ("dof_damping", "damping"),
    ("dof_frictionloss", "friction"),
    ("jnt_stiffness", "springs"),
)


def mimics(compiled: Compiled) -> dict[int, Mimic]:
    """Joints that follow another one linearly, by number; what else constrains is noted and left out."""
    m, kinds, names = compiled.m, compiled.mujoco.mjtEq, compiled.joint_names
    found: dict[int, Mimic] = {}
    leaders: dict[int, int] = {}
    for i in range(m.neq):
        kind, where = int(m.eq_type[i]), f"equality {str(m.eq(i).name) or i!r}"
        left = "left out, so the coordinates stay free of each other"
        if not m.eq_active0[i]:
            compiled.note(where, None, "a constraint that holds", "an inactive one", "left out")
            continue
        if kind != int(kinds.mjEQ_JOINT):
            value = f"a {kinds(kind).name.removeprefix('mjEQ_').lower()} constraint"
            compiled.note(where, None, "a joint that follows another", value, left, "warning")
            continue
        one, two = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
        offset, slope, *curve = (float(v) for v in m.eq_data[i][:5])
        end = two
        while end in leaders and end != one:
            end = leaders[end]
        if two < 0:
            value, left = f"joint {names[one]!r} held at one place", f"use hold=({names[one]!r},)"
            compiled.note(where, None, "a joint that follows another", value, left, "warning")
        elif any(curve):
            value = f"a curve with polycoef {m.eq_data[i][:5].tolist()}"
            compiled.note(where, None, "a joint that follows another in a straight line", value, left, "warning")
        elif one in leaders or end == one:
            value = f"joint {names[one]!r} twice, or following itself"
            compiled.note(where, None, "a joint that follows one other", value, left, "warning")
        elif not {names[one], names[two]} & compiled.hold:
            leaders[one] = two
            # one - ref = offset + slope (two - ref)
            zero = compiled.reference(one) + offset - slope * compiled.reference(two)
            found[one] = Mimic(names[two], slope, zero)
    return found


def meshes(compiled: Compiled, folder: Path) -> dict[int, tuple[Mesh, ...]]:
    """Mesh files by body; shapes that are no files are counted and left out."""
    m = compiled.m
    is_mesh = int(compiled.mujoco.mjtGeom.mjGEOM_MESH)
    found: dict[int, list[Mesh]] = {}
    others = 0
    for i in range(m.ngeom):
        mesh, body = int(m.geom_dataid[i]), int(m.geom_bodyid[i])
        start = int(m.mesh_pathadr[mesh]) if int(m.geom_type[i]) == is_mesh else -1
        if start < 0:
            others += 1
            continue
        path = folder / bytes(m.paths[start:]).split(b"\0", 1)[0].decode()
        inside = path.is_relative_to(folder)
        filename = (path.relative_to(folder) if inside else path).as_posix()
        role = "collision" if m.geom_contype[i] or m.geom_conaffinity[i] else "visual"
        # the compiler moves a mesh to its centre of mass; this is where the file's own frame is
        place = pose(m.geom_pos[i], m.geom_quat[i]) * pose(m.mesh_pos[mesh], m.mesh_quat[mesh]).inverse()
        x, y, z = (float(v) for v in m.mesh_scale[mesh])
        known = path if path.is_file() else None
        found.setdefault(body, []).append(Mesh(filename, known, role, compiled.line("body", body), place, (x, y, z)))
    if others:
        value, fix = f"{others} other shapes", "left out; kinematics does not need them"
        compiled.note("geoms", None, "mesh files", value, fix)
    return {body: tuple(parts) for body, parts in found.items()}


def note_what_is_left_out(compiled: Compiled) -> None:
    """Properties of joints, and actuators."""
    m = compiled.m
    for key, what in _UNUSED:
        values = getattr(m, key)
        at = m.jnt_dofadr if key.startswith("dof") else range(m.njnt)
        joints = [name for name, i in zip(compiled.joint_names, at, strict=True) if values[i] != 0.0]
        if joints:
            where = f"{what} of joints {', '.join(joints)}"
            compiled.note(where, None, "kinematics and mass", what, "left out of the model")
    if m.nu:
        compiled.note("actuators", None, "kinematics and mass", f"{m.nu} actuators", "left out of the model")
