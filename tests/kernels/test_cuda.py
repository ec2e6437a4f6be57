"""Kernels for graphics processors: assembly without a device, the simulator, and a device where there is one."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import motionkit as mk

HERE = Path(__file__).parent
HAS_NUMBA_CUDA = importlib.util.find_spec("numba_cuda") is not None
needs_numba_cuda = pytest.mark.skipif(not HAS_NUMBA_CUDA, reason="numba-cuda (the extra cuda) is not installed")

START = f"""
import json, sys, warnings
sys.path.insert(0, {str(HERE)!r})
import numpy as np
import cases
from motionkit.kernels import _batch, _cuda
names = [name for name in cases.NAMES if "array" in cases.kernel(name).elements]
answers = {{}}
"""
ASSEMBLY = """
for name in names:
    for real in ("f8", "f4"):
        text = _cuda.ptx(cases.kernel(name), real=real)
        count = lambda pattern: len(re.findall(pattern, text))
        answers[f"{name} {real}"] = [count(r"\\.entry "), count(r"\\.f64"), count(r"\\bfma\\."), count(r"\\.f32")]
"""
ROWS = """
for name in names:
    kernel, case = cases.kernel(name), cases.make(name, rows)
    expected = list(cases.outputs(case, rows))
    _batch.run_rows(kernel, *case.inputs, *expected, scratch=case.scratch)
    for real in ("f8", "f4"):
        found = list(cases.outputs(case, rows))
        _cuda.run_rows(kernel, *case.inputs, *found, scratch=case.scratch, real=real)
        worst, same = 0.0, True
        for a, b, empty in zip(expected, found, cases.outputs(case, rows)):
            used = (a != empty) & np.isfinite(a)
            same = same and bool(np.array_equal(a[a != empty], b[a != empty], equal_nan=True))
            worst = max(worst, float(np.max(np.abs(a - b)[used] / (1.0 + np.abs(a[used])), initial=0.0)))
        answers[f"{name} {real}"] = [same, worst]
"""


def ask(program: str, **environment: str) -> dict[str, Any]:
    """What a process of its own answers."""
    full = {**os.environ, "MOTIONKIT_TIER": "interpreted", **environment}
    code = f"{START}\nimport re\n{program}\nprint(json.dumps(answers))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=full, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def assembly() -> dict[str, list[int]]:
    return ask(ASSEMBLY)


@needs_numba_cuda
def test_every_kernel_compiles_without_a_device(assembly: dict[str, list[int]]) -> None:
    assert len(assembly) > 50
    assert all(entries == 1 for entries, *_ in assembly.values())


@needs_numba_cuda
def test_no_double_sneaks_into_single_precision(assembly: dict[str, list[int]]) -> None:
    """The control is double precision, where the same count finds what it looks for."""
    for name, (_, doubles, _, singles) in assembly.items():
        if name.endswith("f4"):
            assert (doubles, singles > 0) == (0, True), name
        else:
            assert doubles > 0, name


@needs_numba_cuda
def test_products_and_sums_are_not_contracted(assembly: dict[str, list[int]]) -> None:
    """Or a device would round differently; a division by Newton's steps has contractions of its own, in a library."""
    assert {name: fused for name, (_, _, fused, _) in assembly.items() if fused} == {}


@needs_numba_cuda
def test_contraction_is_what_the_compiler_would_do() -> None:
    """The control: with its own options, forward kinematics has fused products."""
    program = (
        "from contextlib import nullcontext\n"
        "_cuda._without_contraction = nullcontext\n"
        'answers["fused"] = len(re.findall(r"\\bfma\\.", _cuda.ptx(cases.kernel("chain.forward"))))'
    )
    assert ask(program)["fused"] > 10


# tolerances of 1e-9, and of roundings, are below single precision
DOUBLE = ("inverse.solve", "online_axis", "online_segments.online_rest")


@needs_numba_cuda
def test_the_simulator_has_the_answers_of_the_processor() -> None:
    """In double precision bit for bit; in single within a thousand roundings of 6e-8, as these inputs condition it."""
    answers = ask(f"rows = 7\n{ROWS}", NUMBA_ENABLE_CUDASIM="1")
    for name, (same, worst) in answers.items():
        if name.endswith("f8"):
            assert same, name
        elif not name.startswith(DOUBLE):
            assert worst < 1000 * 6e-8, (name, worst)
    print(
        "worst in single precision:",
        max(v[1] for k, v in answers.items() if k.endswith("f4") and not k.startswith(DOUBLE)),
    )


@needs_numba_cuda
def test_a_chain_asks_the_simulator() -> None:
    program = (
        "import motionkit as mk\n"
        "arm = mk.SerialChain.six_axis_example()\n"
        "Q = np.random.default_rng(1).uniform(-2, 2, (9, 6))\n"
        'answers["poses"] = bool(np.array_equal(arm.forward_batch(Q), arm.forward_batch(Q, device="cuda")))\n'
        'answers["columns"] = bool(np.array_equal(arm.jacobian_batch(Q), arm.jacobian_batch(Q, device="cuda")))\n'
        'answers["none"] = list(arm.forward_batch(Q[:0], device="cuda").shape)'
    )
    assert ask(program, NUMBA_ENABLE_CUDASIM="1") == {"poses": True, "columns": True, "none": [0, 4, 4]}


def test_an_unknown_device_is_refused() -> None:
    arm = mk.SerialChain.six_axis_example()
    with pytest.raises(mk.UnknownName, match="did you mean 'cuda'"):
        arm.forward_batch([[0.0] * 6], device="cuda0")


def test_without_the_extra_the_message_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    with pytest.raises(mk.MissingExtra, match=r"pip install 'motionkit\[cuda\]'"):
        mk.SerialChain.six_axis_example().forward_batch([[0.0] * 6], device="cuda")


def device_is_there() -> bool:
    if not HAS_NUMBA_CUDA:
        return False
    from numba import cuda

    return bool(cuda.is_available())


@needs_numba_cuda
@pytest.mark.skipif(device_is_there(), reason="there is a device")
def test_without_a_device_the_message_says_so() -> None:
    with pytest.raises(mk.DeviceUnavailable, match="expected a graphics processor with a driver") as caught:
        mk.SerialChain.six_axis_example().forward_batch([[0.0] * 6], device="cuda")
    assert caught.value.device == "cuda"


@pytest.mark.skipif(not device_is_there(), reason="there is no graphics processor here")
def test_a_device_has_the_answers_of_the_processor() -> None:
    """Within 4 units in the last place of the largest entry, whatever the number of rows and their order.

    Contraction is off; a device's own division and square root are rounded correctly, so that equality is likely, but
    only a device can say.
    """
    import numpy as np

    arm, rng = mk.SerialChain.six_axis_example(), np.random.default_rng(2)
    Q = rng.uniform(-3, 3, (5000, 6))
    poses = arm.forward_batch(Q, device="cuda")
    assert np.abs(poses - arm.forward_batch(Q)).max() < 4 * 2.2e-16
    assert np.abs(arm.jacobian_batch(Q, device="cuda") - arm.jacobian_batch(Q)).max() < 4 * 2.2e-16
    order = rng.permutation(5000)
    assert np.array_equal(arm.forward_batch(Q[order], device="cuda"), poses[order])
    assert np.array_equal(arm.forward_batch(Q[:77], device="cuda"), poses[:77])
    answers = ask(f"rows = 300\n{ROWS}")
    assert all(worst < 1e-12 for name, (_, worst) in answers.items() if name.endswith("f8"))
