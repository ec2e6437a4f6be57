"""Reports: tensors that no body can have, refused elsewhere with a message that names neither link nor number."""

import numpy as np
import pytest

import motionkit as mk

ROBOT = (
    '<robot name="r"><link name="base"/>\n<link name="body"><inertial><mass value="1"/>'
    '<inertia ixx="{}" ixy="{}" ixz="{}" iyy="{}" iyz="{}" izz="{}"/></inertial></link>'
    '<joint name="j" type="revolute"><parent link="base"/><child link="body"/>'
    '<limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>'
)
SMALL_PART = (1.486e-6, 0.0, 0.0, 2e-7, 0.0, 8.31e-7)
HUMANOID = (1.15e-4, 0.52e-4, 0.25e-4, 1.53e-4, 0.34e-4, 1.9e-4)


def matrix(t):
    return np.array([[t[0], t[1], t[2]], [t[1], t[3], t[4]], [t[2], t[4], t[5]]])


@pytest.mark.parametrize("tensor", [SMALL_PART, HUMANOID])
def test_the_model_loads_and_the_finding_has_line_link_and_moments(tensor):
    least, middle, most = np.linalg.eigvalsh(matrix(tensor))
    assert least + middle < most  # by 4.5e-7 and 5.8e-6 kg m^2
    model = mk.RobotModel.from_urdf(ROBOT.format(*tensor))
    (finding,) = model.check()
    assert (finding.line, finding.where) == (2, "link 'body' inertial inertia")
    assert finding.rule == "no principal moment above the sum of the other two"
    assert finding.value == f"principal moments {least:.6g}, {middle:.6g}, {most:.6g} kg m^2"
    with pytest.raises(mk.InvalidInertia, match=f"link 'body'.*{most:.6g}"):
        model.link("body").inertia.validate("body")
    with pytest.raises(mk.InvalidInertia):
        mk.LinkInertia(1.0, (0, 0, 0), matrix(tensor))


def test_the_diagonal_alone_does_not_show_it():
    """The triangle holds on the diagonal of the second tensor and fails on its principal moments."""
    xx, _, _, yy, _, zz = HUMANOID
    assert xx + yy > zz
    least, middle, most = np.linalg.eigvalsh(matrix(HUMANOID))
    assert most - least - middle == pytest.approx(5.8e-6, abs=5e-8)
