"""Field report: two programs order the joints of one robot differently, and a configuration lands on the wrong joints.

Wanted: a documented order, names in and out, and a way from one order to the other.
"""

import numpy as np
import pytest

import motionkit as mk

CHILDREN_FIRST = """<robot name="r"><link name="tool"/><link name="upper"/><link name="base"/><link name="fore"/>
<joint name="c" type="continuous"><parent link="fore"/><child link="tool"/><origin xyz="0.1 0 0"/></joint>
<joint name="a" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
<joint name="b" type="continuous"><parent link="upper"/><child link="fore"/><origin xyz="1 0 0"/>
<axis xyz="0 1 0"/></joint>
</robot>"""


def test_the_order_of_the_file_plays_no_part():
    chain = mk.SerialChain.from_urdf(CHILDREN_FIRST)
    assert chain.joint_names == ("a", "b", "c")


def test_names_take_a_configuration_from_one_order_to_the_other():
    chain = mk.SerialChain.from_urdf(CHILDREN_FIRST)
    theirs = ("c", "a", "b")  # as in the file
    values = (0.3, -0.2, 1.1)
    named = dict(zip(theirs, values, strict=True))
    assert chain.as_mapping(named) == {"a": -0.2, "b": 1.1, "c": 0.3}
    assert chain.forward(named) == chain.forward([-0.2, 1.1, 0.3])
    # the control: by position it is another pose
    assert np.abs(chain.forward(values).matrix() - chain.forward(named).matrix()).max() > 0.1


def test_a_name_of_another_robot_is_refused():
    with pytest.raises(mk.UnknownName, match="no joint 'd'"):
        mk.SerialChain.from_urdf(CHILDREN_FIRST).forward({"a": 0.0, "b": 0.0, "d": 0.0})
