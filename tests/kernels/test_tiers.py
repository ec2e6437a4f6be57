"""One source, the same bits: every entry interpreted, native, over arrays, in lanes; and what decides between them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import cases  # the makers of inputs stand beside this file
from cases import NAMES, Case, FloatArray

from motionkit.kernels import _batch, _contract, _tier
from motionkit.kernels._contract import Kernel

ROWS = 29  # three lanes of eight and a rest of five
EMPTY = -777.25


def same(a: FloatArray, b: FloatArray) -> bool:
    """Every bit is the same; one NaN is as good as another."""
    nan = np.isnan(a)
    return bool(np.array_equal(nan, np.isnan(b)) and np.array_equal(a[~nan].view(np.uint64), b[~nan].view(np.uint64)))


def one_by_one(kernel: Kernel[..., Any], case: Case, run: Any) -> list[FloatArray]:
    """What ``run`` makes of every row."""
    results = list(cases.outputs(case, ROWS))
    for k in range(ROWS):
        scratch = [np.full(case.scratch, np.nan)] if "scratch" in kernel.arguments else []
        run(*cases.single(case, k), *scratch, *(r[k] for r in results))
    return results


def interpreted(kernel: Kernel[..., Any], case: Case) -> list[FloatArray]:
    return one_by_one(kernel, case, lambda *a: kernel._interpret(a))


def varying(kernel: Kernel[..., Any], case: Case) -> tuple[bool, ...]:
    kinds = [kind for kind in kernel.arguments if kind != "scratch"]
    return tuple(isinstance(a, np.ndarray) for kind, a in zip(kinds, case.inputs, strict=False) if kind == "real")


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_entry_has_a_case() -> None:
    assert sorted(cases.MAKERS) == NAMES


def test_native_code_gives_the_bits_of_the_interpreter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, case = cases.kernel(name), cases.make(name, ROWS)
    reference = interpreted(kernel, case)
    assert any((r != EMPTY).any() for r in reference)
    kernel.compile()
    assert all(map(same, reference, one_by_one(kernel, case, kernel)))


def test_lanes_and_arrays_give_the_bits_of_the_interpreter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the number of rows, their order and the threads."""
    kernel, case = cases.kernel(name), cases.make(name, ROWS)
    if "array" not in kernel.elements:
        assert name == "quintic.path_motion"  # each member of a batch has a cell of its own
        return
    reference = interpreted(kernel, case)
    monkeypatch.setattr(_batch, "TILE", 8)
    monkeypatch.setenv("MOTIONKIT_TIER", "interpreted")
    monkeypatch.setattr(kernel, "rows", {})
    arrays = list(cases.outputs(case, ROWS))
    _batch.run_rows(kernel, *case.inputs, *arrays, scratch=case.scratch)
    assert all(map(same, reference, arrays))
    kernel.rows[varying(kernel, case)] = _batch._compile_rows(kernel, varying(kernel, case))
    order = np.random.default_rng(5).permutation(ROWS)
    for rows in (np.arange(ROWS), order, order[:7], order[:8], order[:1], order[:0]):
        for threads in (1, 2):
            inputs = [np.ascontiguousarray(a[rows]) if isinstance(a, np.ndarray) else a for a in case.inputs]
            lanes = [np.full((len(rows), size), EMPTY) for size in case.outputs]
            _batch.run_rows(kernel, *inputs, *lanes, scratch=case.scratch, threads=threads)
            assert all(same(r[rows], b) for r, b in zip(reference, lanes, strict=True))


@pytest.mark.parametrize("task", sorted(cases.TASKS))
def test_every_kind_of_task_gives_the_same_bits(task: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its branches on whole numbers are more than one case can take."""
    kernel, case = cases.kernel("inverse_task.solve_task"), cases.TASKS[task](np.random.default_rng(3), ROWS)
    reference = interpreted(kernel, case)
    kernel.compile()
    assert all(map(same, reference, one_by_one(kernel, case, kernel)))
    for tier in ("interpreted", "compiled"):
        monkeypatch.setenv("MOTIONKIT_TIER", tier)
        if tier == "interpreted":
            monkeypatch.setattr(kernel, "rows", {})
        outputs = list(cases.outputs(case, ROWS))
        _batch.run_rows(kernel, *case.inputs, *outputs, scratch=case.scratch)
        assert all(map(same, reference, outputs))


def test_another_layout_is_refused_and_never_compiled() -> None:
    kernel, case = cases.kernel("chain.forward"), cases.make("chain.forward", ROWS)
    native = kernel.compile()
    q, out = np.ascontiguousarray(case.inputs[1][0]), np.empty(12)
    kernel(case.inputs[0], q, out)
    for bad in (np.stack([q, q], axis=1)[:, 0], q.astype(np.float32), np.arange(6)):
        with pytest.raises(TypeError):
            kernel(case.inputs[0], bad, out)
    assert kernel.native is native


def test_a_kernel_turns_native_when_that_has_paid_and_no_bit_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, case = cases.kernel("stop.stop"), cases.make("stop.stop", ROWS)
    reference = interpreted(kernel, case)
    monkeypatch.setattr(kernel, "native", None)
    monkeypatch.setattr(kernel, "heat", _tier.Heat("a.kernel.never.compiled"))
    monkeypatch.setenv("MOTIONKIT_TIER", "auto")
    monkeypatch.setattr(_tier, "traced", lambda: False)
    one_by_one(kernel, case, kernel)
    assert kernel.native is None  # far below a second
    kernel.heat.spent = 10.0
    assert all(map(same, reference, one_by_one(kernel, case, kernel)))
    assert kernel.native is not None


def test_one_call_with_very_many_rows_turns_native_before_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or it would run in the interpreter for as long as it takes, however cheap compiling would have been."""
    kernel, case = cases.kernel("line.pose"), cases.make("line.pose", ROWS)
    reference = interpreted(kernel, case)
    monkeypatch.setattr(kernel, "rows", {})
    monkeypatch.setattr(kernel, "rows_heat", _tier.Heat("line.pose.rows"))
    monkeypatch.setenv("MOTIONKIT_TIER", "auto")
    monkeypatch.setattr(_tier, "traced", lambda: False)
    monkeypatch.setattr(_batch, "CHUNK", 10)
    run, chunks = _batch._run_arrays, []

    def slow(kernel: Any, kinds: Any, arguments: Any, low: int, high: int, scratch: int) -> None:
        run(kernel, kinds, arguments, low, high, scratch)
        chunks.append((low, high))
        kernel.rows_heat.spent += 1.5  # a second chunk makes it worth while

    monkeypatch.setattr(_batch, "_run_arrays", slow)
    rows = list(cases.outputs(case, ROWS))
    _batch.run_rows(kernel, *case.inputs, *rows)
    assert chunks == [(0, 10), (10, 20)] or chunks == [(0, 10)]
    assert len(kernel.rows) == 1
    assert all(map(same, reference, rows))


@pytest.mark.parametrize(
    ("asked", "traced", "spent"), [("interpreted", False, 99.0), ("auto", True, 99.0), ("auto", False, 0.5)]
)
def test_what_keeps_a_kernel_interpreted(
    asked: str, traced: bool, spent: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOTIONKIT_TIER", asked)
    monkeypatch.setattr(_tier, "traced", lambda: traced)
    heat = _tier.Heat("a.kernel.never.compiled")
    heat.spent = spent
    assert not heat.due()
    monkeypatch.setenv("MOTIONKIT_TIER", "compiled")
    monkeypatch.setattr(_tier, "traced", lambda: False)
    assert heat.due()
    assert not heat.due()  # one caller compiles


CALL = """
import sys, importlib.metadata
import numpy as np
from motionkit.kernels import quintic
{before}
quintic.fit.heat.spent = quintic.fit.rows_heat.spent = 99.0
out = np.empty(6)
for _ in range(2):
    try:
        quintic.fit(np.array([0.0, 1.0, 0.0]), np.array([1.0, 1.0, 0.0]), 1.0, out)
        print(out[1])
    except ImportError as error:
        print(type(error).__name__, error)
"""
NO_NUMBA = {
    "not installed": "sys.modules['numba'] = None",
    "unknown version": "import numba; numba.__version__ = '0.99.1'",
    "switched off": "import numba; numba.config.DISABLE_JIT = True",
    "another layout of arrays": "from motionkit.kernels import _objects; _objects.SHAPE = _objects.DATA",
}


@pytest.mark.parametrize("why", NO_NUMBA)
def test_without_a_compiler_kernels_stay_interpreted_and_only_a_demand_fails(why: str) -> None:
    said = {}
    for chosen in ("auto", "compiled"):
        environment = {**os.environ, "MOTIONKIT_TIER": chosen}
        code = [sys.executable, "-c", CALL.format(before=NO_NUMBA[why])]
        said[chosen] = subprocess.run(code, capture_output=True, text=True, env=environment, check=True).stdout
    assert said["auto"].split() == ["0.2", "0.2"]
    first, second = said["compiled"].splitlines()
    assert first.startswith("CompilerMissing native kernels need numba")
    assert "MOTIONKIT_TIER=interpreted" in first
    assert second == first  # it does not turn interpreted behind the user's back


def test_a_kernel_that_does_not_compile_stays_interpreted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kernel, case = cases.kernel("stop.stop"), cases.make("stop.stop", ROWS)
    reference = interpreted(kernel, case)
    monkeypatch.setattr(kernel, "native", None)
    monkeypatch.setattr(kernel, "heat", _tier.Heat("stop.stop"))
    monkeypatch.setenv("MOTIONKIT_TIER", "auto")
    monkeypatch.setattr(_tier, "traced", lambda: False)

    def broken(*_: Any) -> None:
        raise RuntimeError("no such instruction")

    monkeypatch.setattr(_tier, "compile_door", broken)
    kernel.heat.spent = 99.0
    assert all(map(same, reference, one_by_one(kernel, case, kernel)))
    assert [r.getMessage() for r in caplog.records] == ["stop.stop stays interpreted: no such instruction"]


def test_an_interpreted_kernel_takes_what_the_native_one_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a call that works would fail a second later, when the kernel turns native."""
    kernel, case = cases.kernel("chain.forward"), cases.make("chain.forward", ROWS)
    kernel.compile()
    model, q, out = case.inputs[0], np.ascontiguousarray(case.inputs[1][0]), np.empty(12)
    kernel._interpret((model, q, out))
    kernel(model, q, out)
    closed = np.empty(12)
    closed.setflags(write=False)
    bad = ((np.stack([q, q], axis=1)[:, 0], out), (q.astype(np.float32), out), (q[None], out), (q, closed))
    for arguments in bad:
        with pytest.raises(TypeError):
            kernel._interpret((model, *arguments))
        with pytest.raises(TypeError):
            kernel(model, *arguments)


def test_compilations_at_once_leave_the_switch_interval_as_it_was() -> None:
    code = (
        "import sys, threading; from motionkit.kernels import _tier, chain, quintic, stop, scurve; _tier.boot()\n"
        "before = sys.getswitchinterval()\n"
        "kernels = chain.forward, quintic.fit, stop.stop, scurve.scurve_plan\n"
        "workers = [threading.Thread(target=k.compile) for k in kernels]\n"
        "[w.start() for w in workers]; [w.join() for w in workers]\n"
        "print(sys.getswitchinterval() == before)"
    )
    environment = {**os.environ, "MOTIONKIT_CACHE": "0"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "True"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_forked_process_has_threads_of_its_own() -> None:
    """The parent's pool is a memory in the child: work that is given to it is never done."""
    code = (
        "import os, signal, numpy as np; from motionkit.kernels import quintic\n"
        "from motionkit.kernels._batch import run_rows\n"
        "rows = np.ones((9000, 6)), np.empty((9000, 6)), np.empty((9000, 6))\n"
        "run_rows(quintic.halve, *rows, threads=2)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    signal.alarm(20)\n"
        "    run_rows(quintic.halve, *rows, threads=2)\n"
        "    os._exit(0)\n"
        "print(os.waitpid(child, 0)[1])"
    )
    environment = {**os.environ, "MOTIONKIT_TIER": "compiled"}
    command = [sys.executable, "-W", "ignore", "-c", code]  # Python 3.12 warns of any fork beside threads
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "0"


def test_where_bounds_are_checked_a_short_output_is_noticed() -> None:
    """The control of ``make test-bounds``: without the check the write goes past the end and says nothing."""
    code = (
        "import numpy as np, motionkit as mk; from motionkit.kernels import chain\n"
        "arm, memory = mk.SerialChain.six_axis_example(), np.zeros(100)\n"
        "try: chain.jacobian(arm.kernel_model, np.zeros(6), memory[:30])\n"
        "except IndexError as error: print(error)\n"
        "print(memory[30:36].any())"
    )
    said = []
    for check in ("0", "1"):
        environment = {**os.environ, "MOTIONKIT_TIER": "compiled", "NUMBA_BOUNDSCHECK": check}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
        said.append(done.stdout.split("\n")[:-1])
    assert said[0] == ["True"]
    assert "out of bounds" in said[1][0]
    assert said[1][1] == "False"


def test_a_tracer_is_noticed() -> None:
    before = sys.gettrace()
    try:
        sys.settrace(lambda *_: None)
        assert _tier.traced()
    finally:
        sys.settrace(before)


def test_an_unknown_tier_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTIONKIT_TIER", "fast")
    with pytest.raises(ValueError, match="auto, interpreted, compiled"):
        _tier.tier()


def test_eight_threads_on_one_cold_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, case = cases.kernel("line.pose"), cases.make("line.pose", ROWS)
    reference = interpreted(kernel, case)
    monkeypatch.setattr(kernel, "native", None)
    monkeypatch.setattr(kernel, "heat", _tier.Heat("line.pose"))
    monkeypatch.setenv("MOTIONKIT_TIER", "compiled")
    monkeypatch.setattr(_tier, "traced", lambda: False)
    compiled: list[str] = []
    real = _tier.compile_door
    monkeypatch.setattr(_tier, "compile_door", lambda f, *a: (compiled.append(f.__name__), real(f, *a))[1])
    wrong: list[int] = []
    gate = threading.Barrier(8)

    def hammer() -> None:
        gate.wait()
        for _ in range(20):
            wrong.extend(0 for a, b in zip(reference, one_by_one(kernel, case, kernel), strict=True) if not same(a, b))

    workers = [threading.Thread(target=hammer) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong
    assert compiled == ["pose"]


def test_native_kernels_allocate_nothing() -> None:
    """A11: the compiled runtime's own counter, inside compiled code, with an allocation as the control."""
    import numba
    from numba.core.runtime import _nrt_python, rtsys

    from motionkit.kernels import chain, inverse, scurve

    _nrt_python.memsys_enable_stats()

    @numba.njit(error_model="numpy")
    def loop(arm, limits, target, seed, profile, q, pose, jacobian, scratch, answer, sample):
        for k in range(1000):
            q[0] = 1e-4 * k
            chain.forward(arm, q, pose)
            chain.jacobian(arm, q, jacobian)
            inverse.solve(arm, limits, target, seed, 1e-9, 1e-9, 1e-6, 1.5, 20, scratch, answer)
            scurve.scurve_sample(profile, 3, 1e-3 * k, sample)

    @numba.njit
    def control(count):
        total = 0.0
        for k in range(count):
            total += np.zeros(k + 1)[0]
        return total

    solve, move = cases.make("inverse.solve", ROWS), cases.make("scurve.scurve_sample", ROWS)
    arrays = [solve.inputs[0].array, solve.inputs[1].array, solve.inputs[2][3].copy(), solve.inputs[3][3].copy()]
    arrays += [move.inputs[0].array, np.zeros(6), np.empty(12), np.empty(36), np.empty(200), np.empty(11), np.empty(12)]

    def counted(call: Any, *arguments: Any) -> int:
        call(*arguments)
        before = rtsys.get_allocation_stats().alloc
        call(*arguments)
        return rtsys.get_allocation_stats().alloc - before

    # every array argument of a call from Python is counted once, on its way in
    assert counted(loop, *arrays) == len(arrays)
    assert counted(control, 1000) >= 1000


def test_no_compiler_is_loaded_while_everything_is_interpreted(tmp_path: Path) -> None:
    code = (
        "import sys; from motionkit.program import demo_program, run_program; run_program(demo_program());"
        "print(sorted({'numba', 'llvmlite'} & set(sys.modules)))"
    )
    environment = {**os.environ, "MOTIONKIT_TIER": "interpreted"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "[]"


def test_a_plan_is_byte_for_byte_the_same_interpreted_and_native(tmp_path: Path) -> None:
    program = Path(__file__).parents[2] / "examples" / "ur5_pick_place.yaml"
    texts = []
    for chosen in ("interpreted", "compiled"):
        environment = {**os.environ, "MOTIONKIT_TIER": chosen}
        words = [sys.executable, "-m", "motionkit.cli", "run", str(program), "--out", str(tmp_path / chosen)]
        subprocess.run(words, env=environment, check=True, capture_output=True)
        texts.append((tmp_path / chosen / "trajectory.csv").read_bytes())
    assert len(texts[0]) > 1_000_000
    assert texts[0] == texts[1]


def test_kernels_and_models_stay_themselves_when_copied() -> None:
    import copy
    import pickle

    kernel = cases.kernel("chain.forward")
    assert pickle.loads(pickle.dumps(kernel)) is kernel
    model = _contract.Model([1.0, 2.0])
    again = copy.deepcopy(model)
    assert np.array_equal(again.array, model.array)
    assert again.values == model.values
