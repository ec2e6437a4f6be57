"""``motionkit info``: what a robot is."""

from __future__ import annotations

from collections import Counter

from ._arguments import AsJson, BaseLink, Robot, TipLink, limits_text, load, typed_unit
from ._output import print_json, print_table

__all__ = ["info"]


def info(robot: Robot, *, base: BaseLink = None, tip: TipLink = None, json: AsJson = False) -> None:
    """Print the joints of a robot with their limits, its links and its reach.

    Args:
        robot: a .urdf, .xacro or .xml (MJCF) file, or six_axis_example.
        base: first link; the root of the robot when left out.
        tip: last link; the end of the longest branch when left out.
        json: print one JSON object.
    """
    arm = load(robot, base, tip)
    model, chain = arm.model, arm.chain
    findings = Counter(finding.severity for finding in model.check())
    mass = sum(link.inertia.mass for link in model.links if link.inertia is not None)
    if json:
        joints = [
            {"name": name, "kind": v.kind, "lower": v.lower, "upper": v.upper,
             "max_velocity": v.max_velocity, "effort": v.effort, "unit": v.unit}
            for name, v in zip(chain.joint_names, chain.limits, strict=True)
        ]  # fmt: skip
        print_json(
            {
                "name": model.name,
                "base": chain.base,
                "tip": chain.tip,
                "joints": joints,
                "links": list(chain.link_names),
                "leaves": list(model.leaves),
                "reach": chain.reach,
                "mass": mass,
                "findings": dict(findings),
            }
        )
        return
    print(f"robot {model.name}: {chain.n} moving joints from {chain.base} to {chain.tip}")
    rows: list[tuple[str, ...]] = []
    for name, v in zip(chain.joint_names, chain.limits, strict=True):
        speed = "unset" if v.max_velocity is None else limits_text(v.kind, v.max_velocity)
        effort = "unset" if v.effort is None else f"{v.effort:g}"
        rows.append((name, v.kind, limits_text(v.kind, v.lower), limits_text(v.kind, v.upper), speed, effort,
                     typed_unit(v.kind)))  # fmt: skip
    print_table(("joint", "kind", "lower", "upper", "velocity", "effort", "unit"), rows)
    print(f"links   {', '.join(chain.link_names)}")
    if len(model.leaves) > 1:
        print(f"leaves  {', '.join(model.leaves)}")
    print(f"reach   at most {chain.reach:.4g} m from the first joint")
    print(f"mass    {mass:.4g} kg" if mass else "mass    not in the file")
    counted = ", ".join(f"{count} {severity}" for severity, count in findings.items()) or "none"
    print(f"findings {counted}" + ("; see 'motionkit check'" if findings else ""))
