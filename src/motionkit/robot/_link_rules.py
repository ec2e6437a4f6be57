"""What is doubtful about one link seen alone: masses and inertias that no body has, placeholders, meshes not found.

What depends on the rest of the robot is in ``_model_rules``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .findings import Finding
from .inertia import LinkInertia, Tensor, impossible

if TYPE_CHECKING:
    from .model import ModelLink

DUST = 1e-18  # m^2; less than this for a kilogram is what rounding left of nothing


def rules(link: ModelLink) -> Iterator[Finding]:
    """Findings of a link."""
    if link.inertia is not None:
        yield from _body(link.inertia, f"link {link.name!r} inertial", link.inertial_line)
    for mesh in link.meshes:
        if mesh.path is None:
            yield Finding(
                "info",
                f"link {link.name!r} {mesh.role}",
                mesh.line,
                "a mesh that can be found",
                mesh.filename,
                "pass packages={name: folder}; kinematics does not need it",
            )


def _body(body: LinkInertia, where: str, line: int | None) -> Iterator[Finding]:
    if body.mass < 0.0 or (body.mass == 0.0 and any(any(row) for row in body.inertia)):
        yield Finding(
            "warning",
            f"{where} mass",
            line,
            "a positive mass, or 0 with no inertia at all",
            f"{body.mass:g} kg",
            "correct the mass; dynamics refuses this link",
        )
    rule = impossible(body.inertia)
    if rule:
        least, middle, most = body.principal_moments().tolist()
        fix = "correct the tensor (it is about the centre of mass); dynamics refuses this link"
        if any(body.inertia[i][j] for i, j in ((0, 1), (0, 2), (1, 2))) and not impossible(_turned(body.inertia)):
            fix = "turn the signs of ixy, ixz and iyz, which many CAD programs write the other way round"
        if max(abs(element) for row in body.inertia for element in row) < DUST * body.mass:
            fix = "write 0 for all six, as for a point; dynamics refuses this link"
        value = f"principal moments {least:.6g}, {middle:.6g}, {most:.6g} kg m^2"
        yield Finding("warning", f"{where} inertia", line, rule, value, fix)
    if body.inertia == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
        value = f"{body.mass:g} kg and the identity, the default of many exporters"
        fix = "take mass and inertia from the drawing"
        yield Finding("warning", f"{where} inertia", line, "a tensor that somebody measured", value, fix)


def _turned(tensor: Tensor) -> Tensor:
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = tensor
    return ((xx, -xy, -xz), (-xy, yy, -yz), (-xz, -yz, zz))
