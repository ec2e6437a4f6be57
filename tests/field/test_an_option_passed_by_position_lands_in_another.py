"""Reports: limits passed by position landed in a safety switch, and a seed in the name of the last link."""

import inspect

import pytest

import motionkit as mk


@pytest.mark.parametrize("maker", [mk.RobotModel.from_urdf, mk.SerialChain.from_urdf])
def test_hold_is_given_by_name(maker):
    assert inspect.signature(maker).parameters["hold"].kind is inspect.Parameter.KEYWORD_ONLY


@pytest.mark.parametrize("method", [mk.SerialChain.inverse, mk.SerialChain.inverse_batch])
def test_after_the_seed_everything_is_given_by_name(method):
    after = list(inspect.signature(method).parameters.values())[3:]  # self, target, seed
    assert after
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in after)


def test_a_number_too_many_is_refused():
    chain = mk.SerialChain.six_axis_example()
    with pytest.raises(TypeError):
        chain.inverse(mk.SE3.identity(), [0.0] * 6, 1e-6)
