"""Reports: values sent in another tool's joint order move the wrong joints, since that order is not the file's."""

import numpy as np
import pytest

import motionkit as mk

LIMIT = '<axis xyz="0 0 1"/><limit lower="-3" upper="3" velocity="1" effort="1"/>'


def joint(name, parent, child):
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="revolute"><origin xyz="0.3 0 0"/>{ends}{LIMIT}</joint>'


LINKS = "".join(f'<link name="{name}"/>' for name in "abcd")
IN_ORDER = [joint("zeta", "a", "b"), joint("alpha", "b", "c"), joint("mid", "c", "d")]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_order_is_that_of_the_chain_whatever_the_file_says_first(order):
    text = f'<robot name="r">{LINKS}{"".join(IN_ORDER[i] for i in order)}</robot>'
    chain = mk.SerialChain.from_urdf(text)
    assert chain.joint_names == ("zeta", "alpha", "mid")  # from base to tip; not of the alphabet, not of the file


def test_values_by_name_need_no_order():
    chain = mk.SerialChain.from_urdf(f'<robot name="r">{LINKS}{"".join(IN_ORDER)}</robot>')
    by_name = chain.forward({"mid": 0.3, "zeta": 0.1, "alpha": 0.2}).matrix()
    assert np.array_equal(by_name, chain.forward([0.1, 0.2, 0.3]).matrix())
    assert not np.allclose(by_name, chain.forward([0.2, 0.3, 0.1]).matrix())
    with pytest.raises(mk.UnknownName, match="did you mean 'alpha'"):
        chain.forward({"mid": 0.3, "zeta": 0.1, "alhpa": 0.2})
