"""Reports: a calibrated arm whose axes are parallel to 5.8e-3 rad only, and a file with ``rpy="3.141"``, are refused.

Right: recognised by tolerance, solved by the nearest arm that has the closed form, refined on the arm itself, and the
deviation reported.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

import motionkit as mk

sys.path.insert(0, str(Path(__file__).parents[1] / "robot"))
import analytic_arms as arms


def test_a_calibrated_arm():
    # axis 2 against axis 3: 8.5e-4 rad, against axis 4: 5.8e-3 rad, as in the report
    nominal = arms.ur5()
    joints = list(nominal.joints)
    for k, tilt in ((2, 8.5e-4), (3, 5.8e-3)):
        axis = mk.SO3.from_axis_angle((1.0, 0.0, 0.0), tilt) * np.array(joints[k].axis)
        joints[k] = mk.Joint.revolute(joints[k].name, tuple(axis), joints[k].point, arms.TURN)
    chain = mk.SerialChain.from_joints([*joints, mk.Joint.fixed("flange", nominal.forward(np.zeros(6)))])
    form = chain.analytic_form()
    print(f"deviation {form.angle:.2e} rad, {form.distance:.1e} m")
    assert form.kind == "three parallel axes"
    assert 2e-3 < form.angle < 5.8e-3  # from the common direction, which lies between
    rng = np.random.default_rng(4)
    for _ in range(10):
        q = rng.uniform(-3.0, 3.0, 6)
        answers = chain.inverse_all(chain.forward(q), q)
        assert np.abs(answers[0].q - q).max() < 1e-7
        assert max(arms.residual(chain, a.q, chain.forward(q)) for a in answers) < 1e-12


# origin, turn of the frame, axis: an industrial arm whose third and fifth frames are turned over
_ROUNDED = (
    ("0 0 0", "0 0 0", "0 0 1"),
    ("0.18 0 0.4", "0 0 0", "0 1 0"),
    ("0 0 0.56", "3.141 0 0", "0 -1 0"),
    ("0.32 0 0.035", "0 0 0", "1 0 0"),
    ("0.195 0 0", "3.141 0 0", "0 1 0"),
    ("0.105 0 0", "0 0 0", "1 0 0"),
)


def rounded_file(pi):
    parts = ['<robot name="rounded"><link name="l0"/>']
    for k, (xyz, rpy, axis) in enumerate(_ROUNDED, start=1):
        turn = rpy.replace("3.141", pi)
        parts.append(
            f'<link name="l{k}"/><joint name="j{k}" type="revolute"><parent link="l{k - 1}"/><child link="l{k}"/>'
            f'<origin xyz="{xyz}" rpy="{turn}"/><axis xyz="{axis}"/>'
            '<limit lower="-3.2" upper="3.2" velocity="1" effort="1"/></joint>'
        )
    return "".join(parts) + "</robot>"


@pytest.mark.parametrize(("pi", "off"), [("3.141", 3e-4), ("3.14159", 1.4e-6), ("3.14159265359", 1e-13)])
def test_a_file_that_rounds_pi(pi, off):
    chain = mk.SerialChain.from_urdf(rounded_file(pi))
    form = chain.analytic_form()
    print(f"pi as {pi}: deviation {form.angle:.2e} rad, {form.distance:.1e} m")
    assert form.kind == "spherical wrist"
    assert form.angle == pytest.approx(off, rel=0.1)
    assert form.exact == (off < 1e-8)
    rng = np.random.default_rng(5)
    for _ in range(10):
        q = rng.uniform(-3.0, 3.0, 6)
        answers = chain.inverse_all(chain.forward(q), q)
        assert np.abs(answers[0].q - q).max() < 1e-7
        assert max(arms.residual(chain, a.q, chain.forward(q)) for a in answers) < 2e-12
