"""Report: an angle written 3.141 instead of pi; axes meant to be parallel are not, and closed-form solvers refuse."""

import numpy as np

import motionkit as mk

LIMIT = '<axis xyz="0 0 1"/><limit lower="-2" upper="2" velocity="1" effort="1"/>'
ROBOT = (
    '<robot name="r"><link name="a"/><link name="b"/><link name="c"/>'
    '<joint name="j1" type="revolute"><parent link="a"/><child link="b"/>' + LIMIT + "</joint>"
    '<joint name="j2" type="revolute"><origin xyz="0.4 0 0" rpy="{} 0 0"/><parent link="b"/><child link="c"/>'
    + LIMIT
    + "</joint></robot>"
)


def across(model):
    """Length of the product of the two axes: 0 where they are parallel."""
    first, second = model.chain().joints
    return np.linalg.norm(np.cross(first.axis, second.axis))


def test_the_file_loads_as_it_is_written_and_the_check_says_what_was_meant():
    model = mk.RobotModel.from_urdf(ROBOT.format("3.141"))
    assert 5.9e-4 < across(model) < 6.0e-4  # the error of 3.141
    (finding,) = [f for f in model.check() if f.severity == "warning"]
    assert (finding.where, finding.line) == ("joint 'j2' origin rpy", 1)
    assert "0.00059 rad off" in finding.value
    assert "write 3.141592653589793 0 0" in finding.fix


def test_what_it_suggests_makes_them_parallel():
    model = mk.RobotModel.from_urdf(ROBOT.format("3.141592653589793"))
    assert across(model) < 1e-15
    assert [f for f in model.check() if f.severity == "warning"] == []
