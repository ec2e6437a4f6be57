"""Two other engines for the dynamics of a robot file: pinocchio and MuJoCo, asked in our order of coordinates.

Both are given every joint as free; a joint that follows another is brought back by P = d(all joints)/d(coordinates), so
mimic joints are checked against engines that know nothing of them here.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pinocchio as pin

import motionkit as mk

ROBOTS = {
    "UR5": "ur_description/urdf/ur5_robot.urdf",
    "Panda": "panda_description/urdf/panda.urdf",
    "Talos": "talos_data/robots/talos_full_v2.urdf",
}


def free_joints(robot: mk.DynamicTree) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Names of the joints that move, and P and b: their positions are ``P q + b``."""
    names, rows, offsets = [], [], []
    order = {name: k for k, name in enumerate(robot.joint_names)}
    for i in range(len(robot.model.joints)):
        segment = robot.model.segment(i)
        if segment.moving and segment.coordinate in order:
            row = np.zeros(robot.n)
            row[order[segment.coordinate]] = segment.multiplier
            names.append(segment.joint)
            rows.append(row)
            offsets.append(segment.offset)
    return names, np.array(rows), np.array(offsets)


class Pinocchio:
    """The file as pinocchio reads it, with some joints locked."""

    def __init__(self, path: Path, robot: mk.DynamicTree) -> None:
        model = pin.buildModelFromUrdf(str(path))
        names, self.P, self.b = free_joints(robot)
        locked = [model.getJointId(name) for name in model.names[1:] if name not in names]
        self.model = pin.buildReducedModel(model, locked, self._held(model, robot)) if locked else model
        self.data = self.model.createData()
        self.joints = [self.model.joints[self.model.getJointId(name)] for name in names]
        self.columns = [joint.idx_v for joint in self.joints]

    @staticmethod
    def _held(model: pin.Model, robot: mk.DynamicTree) -> np.ndarray:
        q = pin.neutral(model)
        for i in range(len(robot.model.joints)):
            segment = robot.model.segment(i)
            if segment.moving and segment.coordinate in robot.held:
                x = segment.multiplier * robot.held[segment.coordinate] + segment.offset
                q[model.joints[model.getJointId(segment.joint)].idx_q] = x
        return q

    def q(self, values: np.ndarray) -> np.ndarray:
        q = pin.neutral(self.model)
        for joint, x in zip(self.joints, self.P @ values + self.b, strict=True):
            if joint.nq == 2:
                q[joint.idx_q : joint.idx_q + 2] = np.cos(x), np.sin(x)
            else:
                q[joint.idx_q] = x
        return q

    def v(self, values: np.ndarray) -> np.ndarray:
        v = np.zeros(self.model.nv)
        v[self.columns] = self.P @ values
        return v

    def back(self, tau: np.ndarray) -> np.ndarray:
        return self.P.T @ tau[self.columns]

    def square(self, M: np.ndarray) -> np.ndarray:
        return self.P.T @ M[np.ix_(self.columns, self.columns)] @ self.P

    def torque(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        return self.back(pin.rnea(self.model, self.data, self.q(q), self.v(qd), self.v(qdd)))

    def mass(self, q: np.ndarray) -> np.ndarray:
        return self.square(pin.crba(self.model, self.data, self.q(q)))

    def coriolis(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return self.square(pin.computeCoriolisMatrix(self.model, self.data, self.q(q), self.v(qd)))

    def derivatives(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = pin.computeRNEADerivatives(self.model, self.data, self.q(q), self.v(qd), self.v(qdd))
        return self.square(found[0]), self.square(found[1])

    def energies(self, q: np.ndarray, qd: np.ndarray) -> tuple[float, float]:
        kinetic = pin.computeKineticEnergy(self.model, self.data, self.q(q), self.v(qd))
        return kinetic, pin.computePotentialEnergy(self.model, self.data, self.q(q))

    def momentum(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        pin.ccrba(self.model, self.data, self.q(q), self.v(qd))
        return self.data.hg.vector.copy(), self.data.Ag[:, self.columns] @ self.P


class Mujoco:
    """The file as MuJoCo reads it, shapes left out."""

    def __init__(self, path: Path, robot: mk.DynamicTree) -> None:
        import mujoco

        text = path.read_text()
        for tag in ("visual", "collision", "transmission", "gazebo", "mimic"):
            text = re.sub(rf"<{tag}\b[^>]*?/>|<{tag}\b.*?</{tag}>", "", text, flags=re.DOTALL)
        options = '<mujoco><compiler balanceinertia="false" boundmass="0" boundinertia="0"/></mujoco>'
        text = text.replace("</robot>", options + "</robot>")
        self.mj = mujoco
        self.model = mujoco.MjModel.from_xml_string(text)
        self.model.opt.gravity[:] = robot.gravity
        self.model.dof_damping[:] = 0.0
        self.model.dof_frictionloss[:] = 0.0
        self.model.dof_armature[:] = 0.0
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        self.data = mujoco.MjData(self.model)
        names, self.P, self.b = free_joints(robot)
        ids = [mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_JOINT, name) for name in names]
        assert min(ids) >= 0
        self.places, self.columns = self.model.jnt_qposadr[ids], self.model.jnt_dofadr[ids]

    def _set(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> None:
        self.data.qpos[self.places] = self.P @ q + self.b
        self.data.qvel[self.columns] = self.P @ qd
        self.data.qacc[self.columns] = self.P @ qdd

    def torque(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        self._set(q, qd, qdd)
        self.mj.mj_inverse(self.model, self.data)
        return self.P.T @ self.data.qfrc_inverse[self.columns]

    def mass(self, q: np.ndarray) -> np.ndarray:
        self._set(q, 0.0 * q, 0.0 * q)
        self.mj.mj_forward(self.model, self.data)
        M = np.empty((self.model.nv, self.model.nv))
        self.mj.mj_fullM(self.model, self.data, M)
        return self.P.T @ M[np.ix_(self.columns, self.columns)] @ self.P


def states(robot: mk.DynamicTree, seed: int, count: int) -> np.ndarray:
    """Random positions within the limits, rates within 2 and accelerations within 5 SI units: (count, 3, n)."""
    rng = np.random.default_rng(seed)
    low, high = np.array([limits.sampling_interval for limits in robot.limits]).T
    q = rng.uniform(low, high, (count, robot.n))
    return np.stack([q, rng.uniform(-2, 2, q.shape), rng.uniform(-5, 5, q.shape)], axis=1)


def off(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Largest difference by the largest magnitude."""
    return float(np.abs(np.asarray(ours) - theirs).max() / max(np.abs(theirs).max(), 1e-300))


def worst(robot: mk.DynamicTree, path: Path, sample: np.ndarray) -> dict[str, float]:
    """Largest relative difference of everything over the states, by name."""
    oracle, other = Pinocchio(path, robot), Mujoco(path, robot)
    found: dict[str, float] = {}

    def note(name: str, ours: np.ndarray | float, theirs: np.ndarray | float) -> None:
        found[name] = max(found.get(name, 0.0), off(np.atleast_1d(ours), np.atleast_1d(theirs)))

    for q, qd, qdd in sample:
        tau, M = robot.inverse_dynamics(q, qd, qdd), robot.mass_matrix(q)
        note("torque, pinocchio", tau, oracle.torque(q, qd, qdd))
        note("torque, mujoco", tau, other.torque(q, qd, qdd))
        note("mass matrix, pinocchio", M, oracle.mass(q))
        note("mass matrix, mujoco", M, other.mass(q))
        note("gravity, pinocchio", robot.gravity_torque(q), oracle.torque(q, 0 * q, 0 * q))
        note("bias, pinocchio", robot.bias_torque(q, qd), oracle.torque(q, qd, 0 * q))
        note("forward dynamics of the torques", robot.forward_dynamics(q, qd, tau), qdd)
        note("coriolis matrix, pinocchio", robot.coriolis_matrix(q, qd), oracle.coriolis(q, qd))
        ours, theirs = robot.inverse_dynamics_derivatives(q, qd, qdd), oracle.derivatives(q, qd, qdd)
        note("derivative by q, pinocchio", ours[0], theirs[0])
        note("derivative by qd, pinocchio", ours[1], theirs[1])
        kinetic, potential = oracle.energies(q, qd)
        note("kinetic energy, pinocchio", robot.kinetic_energy(q, qd), kinetic)
        note("potential energy, pinocchio", robot.potential_energy(q), potential)
        h, A = oracle.momentum(q, qd)
        momentum = robot.centroidal_momentum(q, qd)
        note("momentum, pinocchio", np.concatenate([momentum.linear, momentum.angular]), h)
        note("momentum matrix, pinocchio", momentum.matrix, A)
        Y = robot.regressor(q, qd, qdd) @ robot.inertial_parameters.ravel()
        note("torque of the regressor, pinocchio", Y, oracle.torque(q, qd, qdd))
    return found
