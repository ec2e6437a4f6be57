"""Kernels on a graphics processor: one thread a row, from the same sources, in double or in single precision.

A kernel and the helpers that it is made of are copied, function by function, with two things replaced: their constants,
which become numbers of the precision that is asked for, so that no double sneaks into single arithmetic; and the
functions of ``_elements``, which become those of ``_cuda_elements``. Everything else is the text of the kernel.
Products and sums are not contracted, so that a thread does what a processor would do.

Matrices lie on the device column after column: what neighbouring threads read at the same time is side by side.
Importing this module imports numba-cuda, the extra ``cuda``; a device is looked for only when something is run.
"""

# numba-cuda has no types of its own
# pyright: reportMissingTypeStubs=false, reportPrivateImportUsage=false, reportAttributeAccessIssue=false
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import dis
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
from numba import cuda
from numba.core import config, types

from . import _cuda_elements, _elements
from ._contract import HELPERS, Kernel, Model

REALS: dict[str, Any] = {"f8": np.float64, "f4": np.float32}
BLOCK = 128  # threads that are started together
COMPUTE = (8, 0)  # what is compiled for where there is no device: any since 2020
SIMULATED = bool(config.ENABLE_CUDASIM)

_copies: dict[tuple[Any, str], Any] = {}
_drivers: dict[tuple[str, tuple[bool, ...], str], Any] = {}
_lock = threading.RLock()


class DeviceMissing(RuntimeError):
    """There is no device that can be used, or no driver for it."""


def run_rows(kernel: Kernel[..., Any], *arguments: Any, scratch: int = 0, real: str = "f8") -> None:
    """Run ``kernel`` once for every row of its inputs, on the device.

    Args:
        kernel: an entry that supports array elements and returns nothing.
        arguments: as for ``_batch.run_rows``; they stay where they are, and what is written comes back to them.
        scratch: elements of scratch that the kernel needs, when it takes any.
        real: ``"f8"`` for double precision, ``"f4"`` for single precision.

    Raises:
        DeviceMissing: there is no device.
    """
    check_device()
    kinds = [kind for kind in kernel.arguments if kind != "scratch"]
    rows = next(len(a) for kind, a in zip(kinds, arguments, strict=True) if kind in ("in", "out"))
    if rows == 0:
        return
    varying = tuple(isinstance(a, np.ndarray) for kind, a in zip(kinds, arguments, strict=True) if kind == "real")
    launch = _driver(kernel, varying, real)
    number, given, values = REALS[real], iter(zip(kinds, arguments, strict=True)), []
    written: list[tuple[Any, Any]] = []
    for kind in kernel.arguments:
        if kind == "scratch":
            values.append(cuda.device_array((rows, scratch), number, order="F"))
            continue
        _, a = next(given)
        if kind == "model":
            values.append(cuda.to_device(np.array(a.array if isinstance(a, Model) else a, dtype=number)))
        elif kind == "out":
            values.append(cuda.device_array(a.shape, number, order="F"))
            written.append((a, values[-1]))
        elif isinstance(a, np.ndarray):
            values.append(cuda.to_device(np.array(a, dtype=number, order="F")))
        else:
            values.append(a if kind == "int" else number(a))
    launch(rows, values)
    for a, on_device in written:
        a[...] = on_device.copy_to_host()


def check_device() -> None:
    """Look for a device.

    Raises:
        DeviceMissing: there is none; the message has the driver's own words.
    """
    if not cuda.is_available():
        reason = cuda.cuda_error() or "no device was found"
        raise DeviceMissing(" ".join(str(reason).split()))


def ptx(kernel: Kernel[..., Any], *, varying: tuple[bool, ...] = (), real: str = "f8") -> str:
    """The assembly of a kernel over rows, for which no device is needed.

    Args:
        kernel: an entry that supports array elements and returns nothing.
        varying: which of its reals are one number a row; all when left out.
        real: ``"f8"`` or ``"f4"``.
    """
    varying = varying or (True,) * kernel.arguments.count("real")
    with _any_device(), _without_contraction():
        text, _ = cuda.compile_ptx(_rows(kernel, varying, real), _signature(kernel, varying, real), cc=COMPUTE)
    return str(text)


# ---- copies of functions
def _device(function: Any, real: str) -> Any:
    """The device function that a helper or the function of a kernel becomes."""
    made = _copies.get((function, real))
    if made is None:
        number = REALS[real]
        space: dict[str, Any] = {"__name__": function.__module__, "REAL": number}
        names, attributes = _names(function.__code__)
        for name in names:
            if name in function.__globals__ and name not in space:
                space[name] = _converted(function.__globals__[name], attributes, real)
        copy = FunctionType(_recoded(function.__code__, number), space, function.__name__)
        # the simulator would swap modules at every call, for the sake of functions that ask for threads: ours do not
        made = _copies[function, real] = copy if SIMULATED else cuda.jit(device=True)(copy)
    return made


def _converted(value: Any, attributes: set[str], real: str) -> Any:
    """What a global name stands for on the device; of a module, the attributes that are asked for."""
    number = REALS[real]
    if isinstance(value, Kernel):
        return _device(value.function, real)
    if isinstance(value, float):
        with np.errstate(over="ignore"):  # the largest double is infinity in single precision
            return number(value)
    if isinstance(value, tuple):
        return tuple(_converted(item, attributes, real) for item in value)
    if isinstance(value, ModuleType) and value.__name__.startswith(f"{__package__}."):
        part = ModuleType(value.__name__)
        for name in attributes & vars(value).keys():
            setattr(part, name, _converted(vars(value)[name], attributes, real))
        return part
    if isinstance(value, FunctionType):
        if value.__module__ == _elements.__name__:
            return _device(getattr(_cuda_elements, value.__name__), real)
        if f"{value.__module__}.{value.__qualname__}" in HELPERS or value.__module__ == _cuda_elements.__name__:
            return _device(value, real)
    return value


def _recoded(code: CodeType, number: Any) -> CodeType:
    """The same code with its constants in another precision."""

    def converted(constant: Any) -> Any:
        if isinstance(constant, float):
            return number(constant)
        return tuple(map(converted, constant)) if isinstance(constant, tuple) else constant

    return code.replace(co_consts=tuple(map(converted, code.co_consts)))


def _names(code: CodeType) -> tuple[set[str], set[str]]:
    """The global names that a function looks up, and the attributes that it takes of anything."""
    found: tuple[set[str], set[str]] = set(), set()
    for instruction in dis.get_instructions(code):
        if instruction.opcode in dis.hasname:
            found[instruction.opname != "LOAD_GLOBAL"].add(instruction.argval)
    return found


# ---- drivers
def _driver(kernel: Kernel[..., Any], varying: tuple[bool, ...], real: str) -> Any:
    """A function of the number of rows and the arguments on the device, compiled when it is not yet."""
    key = kernel.__qualname__ + kernel.__module__, varying, real
    with _lock:
        launch = _drivers.get(key)
        if launch is None:
            launch = _drivers[key] = _made(kernel, varying, real)
    return launch


def _made(kernel: Kernel[..., Any], varying: tuple[bool, ...], real: str) -> Any:
    if SIMULATED:
        simulated: Any = cuda.jit(_rows(kernel, varying, real))
        return lambda rows, values: simulated[-(-rows // BLOCK), min(rows, BLOCK)](rows, *values)
    compiled = _compile(kernel, varying, real)

    def launch(rows: int, values: list[Any]) -> None:
        compiled.launch((rows, *values), (-(-rows // BLOCK), 1, 1), (BLOCK, 1, 1), 0, 0)
        cuda.synchronize()

    return launch


def _compile(kernel: Kernel[..., Any], varying: tuple[bool, ...], real: str) -> Any:
    dispatcher: Any = cuda.jit(_rows(kernel, varying, real))
    with _without_contraction():  # the assembly is made here, and kept
        dispatcher.compile(_signature(kernel, varying, real))
    (compiled,) = dispatcher.overloads.values()
    return compiled


def _signature(kernel: Kernel[..., Any], varying: tuple[bool, ...], real: str) -> tuple[Any, ...]:
    number = types.float64 if real == "f8" else types.float32
    matrix, vector = types.Array(number, 2, "F"), types.Array(number, 1, "C")
    numbers = iter(varying)
    signature: list[Any] = [types.int64]
    for kind in kernel.arguments:
        if kind == "real":
            signature.append(vector if next(numbers) else number)
        else:
            signature.append({"model": vector, "int": types.int64}.get(kind, matrix))
    return tuple(signature)


def _rows(kernel: Kernel[..., Any], varying: tuple[bool, ...], real: str) -> Any:
    """The loop over rows, each its own thread."""
    numbers = iter(varying)
    names = [f"a{place}" for place in range(len(kernel.arguments))]
    values = [
        name if kind in ("model", "int") or (kind == "real" and not next(numbers)) else f"{name}[row]"
        for name, kind in zip(names, kernel.arguments, strict=True)
    ]
    text = (
        f"def rows(count, {', '.join(names)}):\n"
        "    row = cuda.grid(1)\n"
        "    if row < count:\n"
        f"        kernel({', '.join(values)})\n"
    )
    space: dict[str, Any] = {"cuda": cuda, "kernel": _device(kernel.function, real), "__name__": kernel.__module__}
    exec(compile(text, f"<rows of {kernel.__module__}.{kernel.__qualname__} on the device>", "exec"), space)
    return space["rows"]


@contextmanager
def _without_contraction() -> Generator[None]:
    """Products and sums stay apart; numba-cuda has no public switch for that."""
    from numba.cuda.cudadrv import nvvm

    plain = nvvm.compile_ir
    with _lock, mock.patch.object(nvvm, "compile_ir", lambda text, **options: plain(text, fma=False, **options)):
        yield


@contextmanager
def _any_device() -> Generator[None]:
    """Numba asks for the device even where only assembly is wanted; here it is told what to compile for."""
    from numba.cuda import api, compiler, dispatcher
    from numba.cuda.cudadrv import devices, nvrtc

    device = SimpleNamespace(compute_capability=COMPUTE, id=0)
    with _lock, ExitStack() as stack:
        for module in (api, compiler, dispatcher):
            stack.enter_context(mock.patch.object(module, "get_current_device", lambda: device))
        stack.enter_context(mock.patch.object(devices, "get_context", lambda: SimpleNamespace(device=device)))
        # it would be looked up in a library that only a device needs
        stack.enter_context(mock.patch.object(nvrtc, "get_arch_option", lambda *cc: "compute_{}{}".format(*cc)))
        yield
