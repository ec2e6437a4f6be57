"""Field report: joint limits passed by position land in an option that is something else, and nothing complains.

Wanted: options by name only. (Report 30.)
"""

import inspect

import pytest

import motionkit as mk

ARM = mk.SerialChain.six_axis_example()
REQUIRED = {
    "inverse": ("self", "target", "seed"),
    "inverse_any": ("self", "target"),
    "inverse_near": ("self", "target", "reference"),
    "inverse_batch": ("self", "targets", "seeds"),
    "inverse_path": ("self", "targets", "seed"),
    "differential_inverse": ("self", "q", "twist"),
}


@pytest.mark.parametrize("name", sorted(REQUIRED))
def test_options_of_inverse_kinematics_are_keyword_only(name):
    parameters = inspect.signature(getattr(mk.SerialChain, name)).parameters
    positional = [p.name for p in parameters.values() if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    assert tuple(positional) == REQUIRED[name]


def test_an_option_by_position_is_refused():
    seed = [0.0, -1.0, 1.5, 0.0, 1.0, 0.0]
    with pytest.raises(TypeError):
        ARM.inverse(ARM.forward(seed), seed, 1e-6)


@pytest.mark.parametrize("maker", [mk.RobotModel.from_urdf, mk.SerialChain.from_urdf])
def test_hold_is_given_by_name(maker):
    assert inspect.signature(maker).parameters["hold"].kind is inspect.Parameter.KEYWORD_ONLY


@pytest.mark.parametrize("method", [mk.SerialChain.inverse, mk.SerialChain.inverse_batch])
def test_after_the_seed_everything_is_given_by_name(method):
    after = list(inspect.signature(method).parameters.values())[3:]  # self, target, seed
    assert after
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in after)
