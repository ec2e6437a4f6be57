"""How kernels run: warm-up, users' compiled loops and what makes them compile anew, the cache, the settings.

What compiles runs in processes of its own, with small functions and a cache of its own where the cache is the subject.
"""

from __future__ import annotations

import importlib
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionkit as mk
from motionkit import runtime
from motionkit.kernels import _batch, _cache, _tier, _user
from motionkit.kernels._contract import KERNELS

SOURCE = Path(mk.__file__).parent


def python(code: str, folder: Path, **environment: str) -> str:
    """What ``code`` prints in an interpreter of its own that finds modules in ``folder`` first."""
    paths = [str(folder), str(SOURCE.parent)]
    settings = {name: text for name, text in os.environ.items() if name != "MOTIONKIT_TIER"}
    full = {**settings, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    words = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(words, cwd=folder, env=full, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# ---- warm-up
WARM = """
import sys
import motionkit as mk
calls = []
count = mk.warmup(lambda name, done: calls.append((name, done)), rows=False)
from motionkit.kernels._contract import KERNELS
fractions = [done for _, done in calls]
assert fractions == sorted(fractions) and fractions[0] == 0.0 and calls[-1] == ("done", 1.0)
assert len(calls) == count + 1
cold = [name for name, kernel in KERNELS.items() if kernel.native is None]
from motionkit.kernels._contract import FRONTS
cold += [front.name for front in FRONTS if front.native is None]
alone = len(FRONTS) - sum(len(kernel.fronts) for kernel in KERNELS.values())
arm = mk.SerialChain.six_axis_example()
print(count - len(KERNELS) - alone, cold, arm.forward([0.1, -1.0, 1.5, 0.2, 1.0, 0.3]).matrix().tobytes().hex())
"""


def test_warmup_makes_every_kernel_native_and_changes_no_bit(tmp_path: Path) -> None:
    """Front doors are made with their kernels or alone; what comes out is what an interpreted process gives."""
    more, cold, native = python(WARM, tmp_path).split()
    assert (more, cold) == ("0", "[]")
    assert mk.SerialChain.six_axis_example().forward([0.1, -1.0, 1.5, 0.2, 1.0, 0.3]).matrix().tobytes().hex() == native


def test_warmup_where_nothing_may_be_compiled(tmp_path: Path) -> None:
    code = "import sys, motionkit as mk; print(mk.warmup(), 'numba' in sys.modules)"
    assert python(code, tmp_path, MOTIONKIT_TIER="interpreted") == "0 False"


def test_warmup_knows_every_form_over_rows_that_the_rooms_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rooms are put to work, and every form that they would have compiled is in the list."""
    used: set[tuple[str, tuple[bool, ...]]] = set()
    run = _batch._run_arrays

    def record(kernel: Any, kinds: list[str], arguments: Any, low: int, high: int, scratch: int) -> None:
        varying = tuple(isinstance(a, np.ndarray) for kind, a in zip(kinds, arguments, strict=True) if kind == "real")
        used.add((_tier.name_of(kernel.function), varying))
        run(kernel, kinds, arguments, low, high, scratch)

    monkeypatch.setattr(_batch, "_run_arrays", record)
    monkeypatch.setenv("MOTIONKIT_TIER", "interpreted")
    for kernel in KERNELS.values():
        monkeypatch.setattr(kernel, "rows", {})
    arm = mk.SerialChain.six_axis_example()
    home = np.radians([0, -60, 90, 0, 60, 0])
    mk.program.prove(plan := mk.plan_program(mk.program.demo_program()), plan.sample(250.0))
    for frame in ("tool_at_base_orientation", "tool", "base_origin"):
        arm.jacobian_batch([home], frame=frame)
    arm.forward_batch([home])
    turned = home + np.random.default_rng(0).uniform(-1.0, 1.0, (8, 6))
    mk.calibrate_kinematics(arm, turned, arm.forward_batch(turned))
    mk.CameraIntrinsics(500.0, 500.0, 320.0, 240.0).project([[0.0, 0.0, 1.0]])
    mk.RobotModel.six_axis_example().link_poses_batch([home])
    arm.inverse_any(arm.forward(home))
    heavy = mk.DynamicChain.six_axis_example()
    heavy.inverse_dynamics_batch([home], [home], [home])
    heavy.regressor_batch([home], [home], [home])
    heavy.mass_matrix_batch([home])
    arm.inverse_all_batch(arm.forward_batch([home]))
    ur5 = mk.SerialChain.from_urdf(Path(__file__).parents[1] / "examples/ur5.urdf")
    ur5.inverse_all_batch(ur5.forward_batch([home]))
    bent = [
        mk.Joint.continuous(j.name, np.add(j.axis, (0, 0, 1e-3 * (k == 2))), j.point) for k, j in enumerate(arm.joints)
    ]
    mk.SerialChain.from_joints(bent).inverse_all_batch(mk.SerialChain.from_joints(bent).forward_batch([home]))
    stop = mk.StopProfile.plan(mk.MotionState(0.0, 1.0, 0.0), mk.MotionLimits(2, 8, 40))
    stop.sample_many([0.0, 0.1])
    mk.stopping_distances([1.0], [0.0], 8.0, 40.0)
    move = mk.SynchronizedTrajectory.plan([0.0], [1.0], [[2, 8, 40]])
    move.sample_many([0.1])
    move.stop(0.1).sample_many([0.1])
    clock = mk.OnlineTrajectory.plan([[0, 0, 0]] * 2, [[1, 0, 0], [2, 0, 0]], [[2, 8, 40]] * 2)  # slowed by its time
    for play in (mk.Override.of(move), mk.Override.of(clock, [[2, 8, 40]] * 2)):
        play.change(0.1, 0.5).hold(0.3).sample_many([0.2, 0.4])
    mk.Path([mk.Spline([arm.forward(home), mk.SE3.identity()])]).tool([0.0])
    mk.JointSpline([[0.0], [1.0]]).joints([0.5])
    known = {
        (full, (name not in runtime.FIXED_REALS,) * KERNELS[full].arguments.count("real"))
        for name, full in ((name, f"motionkit.kernels.{name}") for name in runtime.OVER_ROWS)
    }
    assert used - known == set()
    assert known - used == set()  # the list holds nothing that no room uses
    labels = [name for name, _ in runtime._jobs(rows=True)]
    assert len(labels) == len(set(labels)) >= len(known) + len(runtime._jobs(rows=False))


# ---- loops of users
LOOP = """
import helpers
import motionkit as mk
from motionkit.kernels.vector import dot

GAIN = {gain}

@mk.njit
def loop(n):
    total = 0.0
    for k in range(n):
        total += helpers.weight(k) * dot((1.0, 2.0, 3.0), (GAIN, 0.0, 0.0)) + helpers.OFFSET
    return total
"""
HELPERS = """
import numba
OFFSET = {offset}

@numba.njit
def weight(k):
    return {weight} * k
"""
ASK = "import loop; print(loop.loop(4), sum(loop.loop.stats.cache_hits.values()))"


def written(folder: Path, *, gain: str = "1.0", offset: str = "0.5", weight: str = "1.0") -> None:
    (folder / "loop.py").write_text(LOOP.format(gain=gain))
    (folder / "helpers.py").write_text(HELPERS.format(offset=offset, weight=weight))


def test_a_loop_is_kept_and_compiled_anew_when_anything_that_it_contains_changes(tmp_path: Path) -> None:
    """The user's file, a function of another file, a constant of another module: each edit is seen at once."""
    keep = {"MOTIONKIT_CACHE_DIR": str(tmp_path / "cache")}
    written(tmp_path)
    assert python(ASK, tmp_path, **keep) == "8.0 0"
    assert python(ASK, tmp_path, **keep) == "8.0 1"
    written(tmp_path, gain="2.0")
    assert python(ASK, tmp_path, **keep) == "14.0 0"
    written(tmp_path, gain="2.0", weight="3.0")
    assert python(ASK, tmp_path, **keep) == "38.0 0"
    written(tmp_path, gain="2.0", weight="3.0", offset="1.5")
    assert python(ASK, tmp_path, **keep) == "42.0 0"
    written(tmp_path)
    assert python(ASK, tmp_path, **keep) == "8.0 1"
    assert not list((tmp_path / "cache").rglob("*.tmp")) and not list(tmp_path.rglob("*.nbi"))


def test_numbas_own_cache_keeps_the_number_of_an_old_helper(tmp_path: Path) -> None:
    """The control, and the reason for a decorator of our own: the same edit is not seen with ``cache=True``."""
    keep = {"MOTIONKIT_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    answers = []
    for weight in ("1.0", "3.0"):
        written(tmp_path, weight=weight)
        text = LOOP.format(gain="1.0").replace("@mk.njit", "@numba.njit(cache=True)")
        text = text.replace("dot((1.0, 2.0, 3.0), (GAIN, 0.0, 0.0))", "GAIN")
        (tmp_path / "loop.py").write_text("import numba\n" + text)
        os.utime(tmp_path / "loop.py", (1e9, 1e9))  # the user's file itself is as old as it was
        answers.append(python(ASK, tmp_path, **keep))
    assert answers == ["8.0 0", "8.0 1"]  # right is 20.0


def test_a_loop_is_compiled_anew_when_the_library_changes(tmp_path: Path) -> None:
    """A copy of the package with another kernel module; only that module is edited."""
    shutil.copytree(SOURCE, tmp_path / "motionkit", ignore=shutil.ignore_patterns("__pycache__"))
    probe = tmp_path / "motionkit" / "kernels" / "probe.py"
    (tmp_path / "loop.py").write_text(
        "import motionkit as mk\nfrom motionkit.kernels import probe\n\n"
        "@mk.njit\ndef loop(n):\n    return probe.twice(1.0 * n)\n"
    )
    answers = []
    for factor in ("2.0", "2.0", "3.0"):
        probe.write_text(
            f"from ._contract import helper\n\n@helper\ndef inner(x):\n    return {factor} * x\n\n"
            "@helper\ndef twice(x):\n    return inner(x)\n"
        )
        answers.append(python(ASK, tmp_path, MOTIONKIT_CACHE_DIR=str(tmp_path / "cache")))
    assert answers == ["8.0 0", "8.0 1", "12.0 0"]


def test_a_loop_that_is_edited_while_the_process_runs_is_not_kept(tmp_path: Path) -> None:
    written(tmp_path)
    code = "import loop, pathlib; p = pathlib.Path('loop.py'); p.write_text(p.read_text() + '# edited'); " + (
        "print(loop.loop(4))"
    )
    assert python(code, tmp_path, MOTIONKIT_CACHE_DIR=str(tmp_path / "cache")) == "8.0"
    assert not list((tmp_path / "cache").glob("*/*.nbc"))


def test_a_function_without_a_file_is_compiled_and_not_kept(tmp_path: Path) -> None:
    code = "import motionkit as mk; print(mk.njit(lambda x: 2.0 * x)(4.0))"
    assert python(code, tmp_path, MOTIONKIT_CACHE_DIR=str(tmp_path / "cache")) == "8.0"
    assert not list((tmp_path / "cache").glob("*/*.nbc"))


TABLE = np.array([1.0, 2.0, 3.0])
PAIR = (TABLE, "text")
SCALE = 2.0


class Thing:
    """An object that a function may name."""


THING = Thing()


def plain(x: float) -> float:
    return x * TABLE[0] * SCALE


def outer(x: float) -> Any:
    return [plain(x) + np.sqrt(y) + importlib.machinery for y in PAIR], THING, max, outer


def digest() -> str:
    return _user._digest(outer, "")


def test_the_key_holds_the_values_that_are_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest()
    assert digest() == before
    seen = {before}
    monkeypatch.setitem(plain.__globals__, "SCALE", 3.0)
    seen.add(digest())
    monkeypatch.setitem(plain.__globals__, "TABLE", np.array([1.0, 2.0, 4.0]))
    seen.add(digest())
    monkeypatch.setitem(plain.__globals__, "PAIR", (np.array([1.0, 2.0, 3.0]), "other"))
    seen.add(digest())
    monkeypatch.setitem(outer.__globals__, "plain", outer)
    seen.add(digest())
    seen.add(_user._digest(outer, "fastmath"))
    assert len(seen) == 6
    assert _user._file_digest("nowhere.py") == _user._file_digest(None) == ""


def test_njit_takes_a_function_and_no_cache_option() -> None:
    with pytest.raises(mk.InvalidSetting, match="expected a Python function, got 'f8") as caught:
        mk.njit("f8(f8)")  # type: ignore[call-overload]
    assert caught.value.name == "function"
    with pytest.raises(mk.InvalidSetting, match="MOTIONKIT_CACHE=0"):
        mk.njit(cache=True)


def test_njit_takes_options() -> None:
    compiled = mk.njit(boundscheck=True)(plain)
    assert compiled(3.0) == 6.0
    assert compiled.targetoptions["boundscheck"] is True
    assert compiled.targetoptions["error_model"] == "numpy"


# ---- the cache and the settings
@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with two files of different keys and a hint."""
    monkeypatch.setenv("MOTIONKIT_CACHE_DIR", str(tmp_path))
    for key in ("a" * 20, "b" * 20, "ready"):
        (tmp_path / key).mkdir()
        (tmp_path / key / "f.nbc").write_bytes(b"12345")
    (tmp_path / "ready" / "f.nbc").rename(tmp_path / "ready" / "motionkit.kernels.chain.forward")
    return tmp_path


def test_cache_info_and_clear(folder: Path) -> None:
    info = mk.cache_info()
    assert info == runtime.CacheInfo(folder=str(folder), enabled=True, files=2, bytes=10)
    assert pickle.loads(pickle.dumps(info)) == info
    assert mk.cache_clear() == 2
    assert list(folder.iterdir()) == []  # hints too: what is not there must not count as compiled
    assert mk.cache_clear() == 0


def test_a_cache_that_cannot_be_cleared_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "rmtree", lambda path, ignore_errors: None)
    with pytest.raises(mk.FileUnreadable, match="2 files could not be removed") as caught:
        mk.cache_clear()
    assert caught.value.path == str(folder)


def test_a_home_sign_in_the_folder_is_the_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTIONKIT_CACHE_DIR", "~/somewhere")
    assert _cache.root() == Path.home() / "somewhere"


@pytest.mark.parametrize(
    ("name", "text"),
    [("MOTIONKIT_TIER", "fast"), ("MOTIONKIT_TIER", ""), ("MOTIONKIT_LANES", "3"), ("MOTIONKIT_CACHE", "maybe")],
)
def test_a_setting_without_meaning(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, text)
    for ask in (runtime.runtime_settings, mk.cache_info, mk.warmup):
        with pytest.raises(mk.InvalidSetting, match=f"{name}: expected .*, got '{text}'") as caught:
            ask()
        assert caught.value.name == name
        assert isinstance(caught.value, ValueError)


def test_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTIONKIT_TIER", "interpreted")
    monkeypatch.setenv("MOTIONKIT_LANES", "4")
    monkeypatch.setenv("MOTIONKIT_CACHE", "off")
    assert runtime.runtime_settings() == runtime.RuntimeSettings("interpreted", 4, False)
    assert not mk.cache_info().enabled


@pytest.mark.parametrize("ask", [mk.warmup, lambda: mk.njit(test_settings)], ids=["warmup", "njit"])
def test_without_a_compiler_native_code_is_refused(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise _tier.CompilerMissing("native kernels need numba, which cannot be imported")

    monkeypatch.setenv("MOTIONKIT_TIER", "auto")
    monkeypatch.setattr(_tier, "boot", missing)
    monkeypatch.setattr(runtime, "_jobs", lambda rows: [("one", missing)])
    with pytest.raises(mk.MissingExtra, match="native kernels need numba") as caught:
        ask()
    assert caught.value.name == "numba"
