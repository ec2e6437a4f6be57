"""A corrected chain written back into the robot model that it was taken from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import KindMismatch, UnknownName, did_you_mean
from ..robot import JointLimits, LinkInertia, ModelJoint, ModelLink, RobotModel, SerialChain
from ..spatial import SE3


def corrected_model(model: RobotModel, nominal: SerialChain, chain: SerialChain) -> RobotModel:
    """The model whose chain between the same links is the corrected one; see ``KinematicCalibration.model``."""
    joints = {joint.name: joint for joint in model.joints}
    moved: dict[str, SE3] = {}  # new frame of each link, in its old one, every coordinate at zero
    placements: dict[str, SE3] = {}
    for old, new in zip(nominal.segments, chain.segments, strict=True):
        joint = joints.get(old.joint)
        if joint is None:
            raise UnknownName(
                f"robot {model.name!r} has no joint {old.joint!r}: {did_you_mean(old.joint, joints)}", name=old.joint
            )
        if old.link not in (joint.child, joint.parent):
            raise UnknownName(
                f"robot {model.name!r} is not the one that was calibrated: its joint {old.joint!r} carries "
                f"{joint.child!r}, that of the chain {old.link!r}",
                name=old.link,
            )
        if joint.child != old.link:
            raise KindMismatch(
                f"joint {old.joint!r}: the chain passes it towards the root of {model.name!r}, and a file can be "
                "corrected only along a chain that runs away from the root",
                joint=old.joint,
            )
        placements[old.joint] = (
            moved.get(joint.parent, SE3.identity()).inverse() * joint.placement * (old.before.inverse() * new.before)
        )
        # of a fixed joint the frame is where the chain has its link; of a moving one it is on the axis
        if old.moving:
            moved[old.link] = (new.after * old.after.inverse()).inverse()
        else:
            placements[old.joint] = placements[old.joint] * new.after * old.after.inverse()
    last = nominal.segments[-1]
    extra: tuple[ModelLink, ...] = ()
    hung: tuple[ModelJoint, ...] = ()
    if last.moving:
        name = f"{last.link}_calibrated"
        extra = (ModelLink(name),)
        placement = moved[last.link].inverse()
        hung = (ModelJoint(f"{name}_joint", "fixed", last.link, name, placement, (1.0, 0.0, 0.0), JointLimits.fixed()),)
    corrected: list[ModelJoint] = []
    for joint in model.joints:
        placement = placements.get(joint.name)
        if placement is None:  # a branch beside the chain stays where its link is
            placement = moved.get(joint.parent, SE3.identity()).inverse() * joint.placement
        corrected.append(replace(joint, placement=placement))
    links = tuple(_kept(link, moved[link.name]) if link.name in moved else link for link in model.links)
    return replace(model, links=(*links, *extra), joints=(*corrected, *hung))


def _kept(link: ModelLink, moved: SE3) -> ModelLink:
    """A link whose meshes and mass stay where they are while its frame moves."""
    back = moved.inverse()
    meshes = tuple(replace(mesh, pose=back * mesh.pose) for mesh in link.meshes)
    body = link.inertia
    if body is not None:
        R = back.rotation.matrix()
        tensor = R @ body.matrix() @ R.T
        body = LinkInertia.as_stated(body.mass, back * np.array(body.com), (tensor + tensor.T) / 2.0)
    return replace(link, meshes=meshes, inertia=body)
