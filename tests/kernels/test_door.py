"""The way into native code: what it takes is what the long way takes, what it declines is untouched, nothing leaks."""

from __future__ import annotations

import mmap
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import motionkit as mk
from motionkit.errors import MotionkitError
from motionkit.kernels import _objects, _tier, chain, rigid
from motionkit.kernels._contract import CONTEXT, kernel
from motionkit.motion import _hot as motion_doors
from motionkit.robot import _hot as robot_doors

ARM = mk.SerialChain.six_axis_example()
Q = np.array([0.1, -1.0, 1.5, 0.2, 1.0, -0.3])
NOT_ARRAYS = (None, 1.5, "text", [0.0] * 6, object(), int, (), {}, ARM, sys)


class Subclass(np.ndarray):
    """An array that is not exactly one."""


@pytest.fixture(scope="module", autouse=True)
def native() -> None:
    for door in (chain.forward, chain.forward_matrix, chain.jacobian):
        door.compile()


def unaligned() -> Any:
    return np.frombuffer(bytearray(8 * 6 + 1), dtype=np.uint8)[1:].view(np.float64)


def mapped() -> Any:
    return np.frombuffer(mmap.mmap(-1, 48), dtype=np.float64)


def frozen() -> Any:
    array = Q.copy()
    array.setflags(write=False)
    return array


def test_the_layout_of_objects_is_known() -> None:
    _objects.check_layout()
    # the probe can fail: a model is not where an array is
    assert _objects._word(id(ARM.kernel_model) + _objects.TYPE) != id(np.ndarray)


@pytest.mark.parametrize(
    "q",
    [
        Q,
        frozen(),
        mapped(),
        pickle.loads(pickle.dumps(Q)),
        np.array(Q, dtype=np.dtype("<f8")),
        np.array(Q, dtype=np.dtype(np.float64, metadata={"unit": "rad"})),
        np.concatenate([Q, Q])[3:9],
    ],
)
def test_every_array_of_doubles_is_taken(q: Any) -> None:
    expected = np.empty(12)
    chain.forward._interpret((ARM.kernel_model, q, expected))
    for model in (ARM.kernel_model, ARM.kernel_model.array):
        out = np.empty(12)
        assert chain.forward.native(CONTEXT, model, q, out) == 0
        assert np.array_equal(out, expected)


@pytest.mark.parametrize(
    "q",
    [
        Q.astype(np.float32),
        Q.astype(np.int64),
        Q.astype(">f8"),
        Q.astype(np.longdouble),
        Q.astype("m8[s]"),
        Q.astype(complex),
        np.concatenate([Q, Q])[::2],
        Q[::-1],
        Q[None],
        np.array(1.0),
        unaligned(),
        Q.view(Subclass),
        Q.astype(object),
        ARM.kernel_model,
        *NOT_ARRAYS,
    ],
    ids=lambda q: type(q).__name__,
)
def test_anything_else_is_declined_and_nothing_is_written(q: Any) -> None:
    out = np.full(12, 7.0)
    assert chain.forward.native(CONTEXT, ARM.kernel_model, q, out) == 1
    assert np.all(out == 7.0)


@pytest.mark.parametrize("out", [frozen(), np.empty(24)[::2], np.empty((3, 4)), np.empty(12, "f4"), *NOT_ARRAYS])
def test_what_cannot_be_written_is_declined(out: Any) -> None:
    before = out.copy() if isinstance(out, np.ndarray) else out
    assert chain.forward.native(CONTEXT, ARM.kernel_model, Q, out) == 1
    assert np.array_equal(before, out, equal_nan=True) if isinstance(out, np.ndarray) else before is out


def test_a_kernel_takes_what_its_door_declines_or_says_what_is_wrong() -> None:
    expected = np.empty(12)
    chain.forward(ARM.kernel_model, Q, expected)
    for q, out in ((Q.view(Subclass), np.empty(12)), (Q.tolist(), [0.0] * 12)):
        chain.forward(ARM.kernel_model, q, out)
        assert np.array_equal(out, expected)
    for q in (Q.astype(np.float32), unaligned(), Q.astype(">f8"), None):
        with pytest.raises(TypeError, match="C-contiguous float64"):
            chain.forward(ARM.kernel_model, q, np.empty(12))


def test_numbers_are_floats_of_either_kind() -> None:
    line = mk.ScurveProfile.plan(0.0, 2.0, mk.MotionLimits(2.0, 8.0, 40.0))
    from motionkit.kernels import scurve

    scurve.scurve_sample.compile()
    door, out = motion_doors.sample_axis.native, np.empty(4)
    assert door(CONTEXT, line._model, 0.5, out) == 0
    first = out.copy()
    assert door(CONTEXT, line._model, np.float64(0.5), out) == 0
    assert np.array_equal(first, out)
    for t in (1, True, np.float32(0.5), "0.5", None, np.array(0.5), float("nan"), float("inf")):
        assert door(CONTEXT, line._model, t, out) == 1
    assert np.array_equal(
        line.sample(1, out=out), line.sample(1.0, out=np.empty(4))
    )  # the long way takes a whole number


def test_a_kernel_that_returns_numbers_raises_where_it_declines() -> None:
    @kernel("in real -> real", elements=("float",))
    def scaled(x: Any, factor: Any) -> Any:
        return x[0] * factor

    scaled.compile()
    assert scaled(np.array([3.0]), 2.0) == 6.0
    assert scaled([3.0], 2) == 6.0
    with pytest.raises(TypeError, match="C-contiguous"):
        scaled(np.array([3]), 2.0)


def test_no_reference_is_kept_or_lost() -> None:
    q, out = Q.copy(), np.empty((4, 4))
    things = (q, out, ARM.kernel_model, ARM.kernel_model.array, None, np.ndarray)
    before = [sys.getrefcount(thing) for thing in things]
    for _ in range(1000):
        robot_doors.forward.native(CONTEXT, ARM.kernel_model, q, out)
        robot_doors.forward.native(CONTEXT, ARM.kernel_model, None, out)
        robot_doors.forward.native(CONTEXT, ARM.kernel_model, [], q)
    # singletons are shared with other threads of the interpreter
    assert all(abs(sys.getrefcount(thing) - count) < 50 for thing, count in zip(things, before, strict=True))


def test_tuples_of_floats_are_taken_and_nothing_else() -> None:
    from motionkit.spatial import _hot

    door, a = _hot.rotation_product.compile(), mk.SO3.random(np.random.default_rng(8)).quaternion
    assert door(CONTEXT, a, a) == rigid.rotation_product(a, a)
    for bad in (a[:3], (*a, 0.0), list(a), (1, 0, 0, 0), (*a[:3], np.float64(a[3])), (*a[:3], None), None, np.array(a)):
        with pytest.raises(TypeError):
            door(CONTEXT, a, bad)


def test_products_and_logarithms_are_the_same_native_and_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    from motionkit.spatial import _hot

    rng = np.random.default_rng(9)
    poses = [mk.SE3.identity(), *(mk.SE3.random(rng) for _ in range(30)), mk.SE3.exp([0, 0, 0, np.pi, 0, 0])]
    twists = [np.zeros(6), *rng.normal(size=(30, 6)), np.array([1.0, 2.0, 3.0, 0.0, 0.0, 1e6]), np.full(6, 1e-9)]

    def all_of_it() -> list[object]:
        products = [a * b for a in poses for b in poses[:5]]
        turns = [a.rotation * b.rotation for a in poses for b in poses[:5]]
        logs = [x.tolist() for a in poses for x in (a.log(), a.rotation.log())]
        exps = [x for v in twists for x in (mk.SE3.exp(v), mk.SO3.exp(v[3:]), mk.SE3.exp(v.tolist()))]
        wrong: list[object] = []
        for v in (
            np.full(6, np.nan),
            np.array([np.inf, 0, 0, 0, 0, 0]),
            np.full(6, 1e7),
            np.zeros(5),
            np.zeros((6, 1)),
        ):
            for call in (mk.SE3.exp, mk.SO3.exp):
                with pytest.raises(MotionkitError) as caught:
                    call(v)
                wrong.append(str(caught.value))
        return [*products, *turns, *logs, *exps, *wrong]

    doors = [
        getattr(_hot, name)
        for name in ("rotation_product", "compose", "exp_rotation", "exp_pose", "log_rotation", "log_pose")
    ]
    for door in doors:
        door.compile()
    native = all_of_it()
    for door in doors:
        monkeypatch.setattr(door, "native", None)
    assert all_of_it() == native


def test_a_front_door_of_helpers_opens_after_enough_long_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    from motionkit.spatial import _hot

    door, pose = _hot.compose, mk.SE3.random(np.random.default_rng(10))
    monkeypatch.setattr(door, "native", None)
    monkeypatch.setattr(door, "heat", _tier.Heat("a.door.never.compiled"))
    monkeypatch.setattr(door, "calls", 0)
    monkeypatch.setenv("MOTIONKIT_TIER", "auto")
    monkeypatch.setattr(_tier, "traced", lambda: False)
    pose * pose
    assert door.native is None
    door.heat.spent = 9.0
    monkeypatch.setattr(door, "calls", 1024)
    pose * pose
    assert door.native is not None


BAD: dict[str, Callable[[], Any]] = {
    "short q": lambda: ARM.forward(Q[:5], out=np.empty((4, 4))),
    "NaN": lambda: ARM.forward(np.where(np.arange(6) == 3, np.nan, Q), out=np.empty((4, 4))),
    "far": lambda: ARM.jacobian(Q + 1e7, out=np.empty((6, 6))),
    "out of another shape": lambda: ARM.forward(Q, out=np.empty(16)),
    "transposed out": lambda: ARM.jacobian(Q, out=np.empty((6, 7)).T[:6]),
    "single out": lambda: ARM.forward(Q, out=np.empty((4, 4), np.float32)),
    "text": lambda: ARM.forward("abcdef", out=np.empty((4, 4))),
    "seed beyond a limit": lambda: ARM.inverse(ARM.forward(Q), Q + 9.0 * (np.arange(6) == 1), out=np.empty(6)),
    "seed of NaN": lambda: ARM.inverse(ARM.forward(Q), Q * np.nan),
    "no pose": lambda: ARM.inverse(np.eye(4), Q),
    "tolerance of nothing": lambda: ARM.inverse(ARM.forward(Q), Q, position_tolerance=0.0),
    "damping below nothing": lambda: ARM.inverse(ARM.forward(Q), Q, damping=-1.0),
    "too far": lambda: ARM.inverse(mk.SE3.from_translation([9.0, 0.0, 0.0]), Q),
    "no steps": lambda: ARM.inverse(ARM.forward(Q + 0.3), Q, max_iterations=0),
    "few steps": lambda: ARM.inverse(ARM.forward(Q + 0.3), Q, max_iterations=1),
    "time of NaN": lambda: mk.ScurveProfile.plan(0.0, 1.0, mk.MotionLimits(1.0, 1.0, 1.0)).sample(np.nan, np.empty(4)),
    "sample of five": lambda: mk.ScurveProfile.plan(0.0, 1.0, mk.MotionLimits(1.0, 1.0, 1.0)).sample(0.1, np.empty(5)),
}


@pytest.mark.parametrize("name", BAD)
def test_errors_are_the_same_before_and_after_a_kernel_turns_native(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from motionkit.kernels import inverse, scurve

    def fails() -> tuple[type[BaseException], str]:
        with pytest.raises(MotionkitError) as caught:
            BAD[name]()
        return caught.type, str(caught.value)

    kernels = (chain.forward_matrix, chain.jacobian, inverse.solve, scurve.scurve_sample)
    for one in kernels:
        one.compile()
    native = fails()
    for one in kernels:
        monkeypatch.setattr(one, "native", None)
        for front in one.fronts:
            monkeypatch.setattr(front, "native", None)
    assert fails() == native


def test_a_line_is_sampled_alike_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    from motionkit.cartesian import _hot
    from motionkit.kernels import quintic, scurve

    down = mk.SE3.from_translation([0.0, 0.0, -0.05]) * ARM.forward(Q)
    plan = mk.CartesianPlan.plan(ARM, Q, down, [mk.MotionLimits(2.0, 8.0, 60.0)] * 6)
    times = [-1.0, 0.0, *np.linspace(0.0, plan.duration, 40), plan.duration, 99.0]
    scurve.scurve_sample.compile()
    quintic.path_motion.compile()
    assert _hot.sample.native(CONTEXT, *(2 * [plan.path.kernel_model]), 0.1, np.empty(4), np.empty((4, 6))) == 1
    native = [plan.sample(t, out=np.empty((4, 6))) for t in times]
    with pytest.raises(mk.NotFinite):
        plan.sample(np.nan, out=np.empty((4, 6)))
    with pytest.raises(mk.WrongLength):
        plan.sample(0.1, out=np.empty((4, 7)))
    monkeypatch.setattr(_hot.sample, "native", None)
    assert all(np.array_equal(plan.sample(t, out=np.empty((4, 6))), a) for t, a in zip(times, native, strict=True))


def test_answers_are_the_same_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    from motionkit.kernels import inverse

    target = ARM.forward(Q + 0.2)
    inverse.solve.compile()
    out = np.empty(6)
    native = ARM.inverse(target, Q, out=out)
    assert np.array_equal(out, native.q)
    monkeypatch.setattr(inverse.solve, "native", None)
    monkeypatch.setattr(robot_doors.solve, "native", None)
    assert ARM.inverse(target, Q) == native
