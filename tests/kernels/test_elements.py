"""What the kernels stand on: operations on elements, the two marks, and the driver of batches."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

from motionkit.kernels import _elements as el
from motionkit.kernels import chain
from motionkit.kernels._batch import CHUNK, FEW, run_rows
from motionkit.kernels._contract import KERNELS, Kernel, Model, kernel

INF, NAN = math.inf, math.nan
VALUES = (0.0, -0.0, 1.0, -1.5, 2.5, -2.5, 1e-320, 4503599627370497.5, -1e300, INF, -INF, NAN)


def bits(x: Any) -> list[str]:
    return [float(v).hex() for v in np.atleast_1d(np.asarray(x, dtype=float))]


@pytest.mark.parametrize("function", [el.sqrt, el.floor, el.absolute])
def test_functions_of_one_element_have_the_same_bits_on_floats_and_arrays(function: Any) -> None:
    assert bits([function(v) for v in VALUES]) == bits(function(np.array(VALUES)))


@pytest.mark.parametrize("function", [el.copysign, el.minimum, el.maximum])
def test_functions_of_two_elements_have_the_same_bits_on_floats_and_arrays(function: Any) -> None:
    pairs = [(a, b) for a in VALUES for b in VALUES]
    together = function(*np.array(pairs).T)
    assert bits([function(a, b) for a, b in pairs]) == bits(together)


def test_what_is_special() -> None:
    assert math.isnan(el.sqrt(-1.0))
    assert bits(el.sqrt(-0.0)) == bits(-0.0)
    assert bits(el.floor(-0.0)) == bits(-0.0)
    assert [el.floor(v) for v in (2.7, -2.7, INF)] == [2.0, -3.0, INF]
    assert [el.is_finite(v) for v in (1e308, INF, -INF, NAN)] == [True, False, False, False]
    # the second where they do not compare, so the order says what a NaN does
    assert el.minimum(NAN, 1.0) == 1.0
    assert math.isnan(el.maximum(1.0, NAN))


def test_masks_of_floats_arrays_and_numpy_numbers() -> None:
    mask = np.array([True, False])
    assert el.select(True, 1.0, 2.0) == 1.0
    assert el.select(np.bool_(False), 1.0, 2.0) == 2.0
    assert el.select(mask, 1.0, 2.0).tolist() == [1.0, 2.0]
    assert (el.not_(True), el.not_(mask).tolist()) == (False, [False, True])
    assert (el.both(True, False), el.either(True, False)) == (False, True)
    assert (el.any_of(mask), el.all_of(mask), el.any_of(False), el.all_of(True)) == (True, False, False, True)
    with pytest.raises(TypeError, match="a comparison as its mask, got float"):
        el.select(1.0, 2.0, 3.0)


@pytest.mark.parametrize("signature", ["in -> none", "in in in -> none", "in out -> array"])
def test_a_signature_that_does_not_fit_is_refused(signature: str) -> None:
    def entry(a: Any, b: Any) -> None: ...

    with pytest.raises(TypeError, match=r"entry: 2 arguments, declared as"):
        kernel(signature)(entry)


def test_arguments_out_of_order_are_refused() -> None:
    def entry(a: Any, b: Any) -> None: ...

    with pytest.raises(TypeError, match="order the arguments as model, inputs, scratch, outputs"):
        kernel("out in -> none")(entry)


def test_a_kernel_is_what_its_function_is() -> None:
    assert pickle.loads(pickle.dumps(chain.forward)) is chain.forward
    assert repr(chain.forward) == "<kernel motionkit.kernels.chain.forward>"
    assert "Pose of the tip" in (chain.forward.__doc__ or "")
    assert KERNELS["motionkit.kernels.chain.forward"] is chain.forward

    class Room:
        forward = chain.forward

    assert isinstance(Room().forward, Kernel)  # kept on a class it does not become a method


def test_a_model_is_flat_read_only_and_survives_pickling() -> None:
    model = Model([[1.0, 2.0], [3.0, 4.0]])
    assert model.values == [1.0, 2.0, 3.0, 4.0]
    with pytest.raises(ValueError, match="read-only"):
        model.array[0] = 9.0
    again = pickle.loads(pickle.dumps(model))
    assert again.values == model.values and not again.array.flags.writeable


@kernel("model in real int scratch out -> none")
def _weighted(model: Any, x: Any, factor: Any, count: int, scratch: Any, out: Any) -> None:
    """Uses every kind of argument; ``out`` reads back what it wrote, so a view in place of a copy would show.

    ``model``, ``x``, ``scratch`` and ``out`` are of ``count`` elements.
    """
    for i in range(count):
        scratch[i] = x[i] * model[i]
    for i in range(count):
        out[i] = scratch[i] * factor
    first = out[0]
    out[0] = out[count - 1]
    out[count - 1] = first


@pytest.mark.parametrize("rows", [1, FEW - 1, FEW, CHUNK, CHUNK + 1])
def test_rows_have_the_bits_of_single_calls(rows: int) -> None:
    rng = np.random.default_rng(3)
    model = Model(rng.normal(size=4))
    inputs, factors = rng.normal(size=(rows, 4)), rng.normal(size=rows)
    out = np.empty((rows, 4))
    run_rows(_weighted, model, inputs, factors, 4, out, scratch=4)
    for k in {0, rows // 2, rows - 1}:
        one = np.empty(4)
        _weighted(model, inputs[k], float(factors[k]), 4, np.empty(4), one)
        assert one.tolist() == out[k].tolist()
    same = np.empty((rows, 4))
    run_rows(_weighted, model, inputs, 2.0, 4, same, scratch=4)
    assert same[0].tolist() != out[0].tolist()
