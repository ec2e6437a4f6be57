"""The two marks of the kernel contract, and the register of everything that carries one.

``@helper`` marks a plain function of elements and tuples that kernels are composed of. ``@kernel`` marks an entry: a
function with a declared signature that the rooms above may call. How an entry runs, interpreted or native, is decided
in ``_tier``. No mathematics lives in this module.

A signature names the kind of every argument, in the order model, inputs, scratch, outputs:

========== ====================================================================================================
``model``  a :class:`Model`: constants of a robot or a path, one-dimensional, read-only
``in``     a one-dimensional C-contiguous float64 array that is read
``real``   one element
``int``    one whole number (a size or a flag that is the same for the whole batch)
``scratch`` a one-dimensional C-contiguous float64 array whose contents are meaningless before and after
``out``    a one-dimensional C-contiguous float64 array that is written
========== ====================================================================================================

and what comes back: ``none``, ``real`` (an element), ``reals`` (a tuple of elements) or ``status`` (a whole number).
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from . import _cache, _tier
from ._objects import CONTEXT as CONTEXT
from ._objects import Model as Model

P = ParamSpec("P")
R = TypeVar("R")

STAGES = {"model": 0, "in": 1, "real": 1, "int": 1, "scratch": 2, "out": 3}
RETURNS = ("none", "real", "reals", "status")
SCALAR = ("float",)
BATCH = ("float", "array")

KERNELS: dict[str, Kernel[..., Any]] = {}
HELPERS: dict[str, Callable[..., Any]] = {}


class Kernel(Generic[P, R]):
    """An entry of the numeric core. Call it like the function it was made from."""

    def __init__(
        self, function: Callable[P, R], arguments: tuple[str, ...], returns: str, elements: tuple[str, ...]
    ) -> None:
        self.function = function
        self.arguments = arguments
        self.returns = returns
        self.elements = elements
        self.native: Any = None
        self.fronts: list[Front] = []
        self.heat = _tier.Heat(_tier.name_of(function))
        self.rows_heat = _tier.Heat(_tier.name_of(function) + ".rows")
        self.rows: dict[tuple[bool, ...], Any] = {}
        _cache.watch(function.__code__.co_filename)
        self.__wrapped__ = function
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        self.__doc__ = function.__doc__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run natively once that has paid, interpreted until then; the numbers are the same."""
        native = self.native
        if native is None:
            native = self.heat.native(self.compile)
            if native is None:
                return self._interpret(args)
        if self.returns == "none":
            return None if native(CONTEXT, *args) == 0 else self._convert(native, args)  # type: ignore[return-value]
        try:
            return native(CONTEXT, *args)
        except TypeError:
            return self._convert(native, args)

    def _convert(self, native: Any, args: tuple[Any, ...]) -> Any:
        """The native form where some arrays are lists of floats: converted, and outputs copied back.

        Raises:
            TypeError: an argument is something that no form of the kernel takes.
        """
        values: list[Any] = []
        for kind, a in zip(self.arguments, args, strict=True):
            if kind == "int" or isinstance(a, Model):
                values.append(a)
            elif kind == "real":
                values.append(float(a))
            elif type(a) is list:
                values.append(np.array(a, dtype=np.float64))
            else:
                self._check(kind, a)
                values.append(a.view(np.ndarray))  # of a subclass, such as a file that is mapped into memory
        result = native(CONTEXT, *values)
        if self.returns == "none" and result != 0:
            raise TypeError(f"{self!r}: the native form declined {values!r}")
        for kind, given, array in zip(self.arguments, args, values, strict=True):
            if kind == "out" and type(given) is list:
                given[:] = array.tolist()
        return None if self.returns == "none" else result

    def compile(self) -> Any:
        """The native form, compiled when it is not yet: called with ``CONTEXT`` first, it returns 0 or declines."""
        if self.native is None:
            self.native = _tier.compile_door(self, self.arguments, self.returns)
            for front in self.fronts:
                front.compile()
        return self.native

    def _interpret(self, args: tuple[Any, ...]) -> Any:
        """Arrays go in as lists of floats, which are the fastest to index; outputs are copied back."""
        started = perf_counter()
        values: list[Any] = []
        written: list[tuple[Any, list[float]]] = []
        for kind, a in zip(self.arguments, args, strict=True):
            if kind == "model":
                if not isinstance(a, Model):
                    self._check(kind, a)
                values.append(a.values if isinstance(a, Model) else a.tolist())
            elif kind in ("real", "int"):
                values.append(a)
            elif type(a) is list:
                values.append(a)
            else:
                self._check(kind, a)
                values.append([0.0] * len(a) if kind == "scratch" else a.tolist())
                if kind == "out":
                    written.append((a, values[-1]))
        result = self.function(*values)  # type: ignore[call-arg]
        for a, numbers in written:
            a[:] = numbers
        self.heat.spent += perf_counter() - started
        return result

    def _check(self, kind: str, a: Any) -> None:
        """Refuse what the native form would refuse, so that a call that works goes on working when it turns native."""
        fits = isinstance(a, np.ndarray) and a.ndim == 1 and a.dtype == np.float64
        if not (fits and a.flags.c_contiguous and a.flags.aligned):
            got = f"{a.dtype} {a.shape}, strides {a.strides}" if isinstance(a, np.ndarray) else type(a).__name__
            raise TypeError(f"{self!r}: expected a one-dimensional C-contiguous float64 array as {kind!r}, got {got}")
        if kind in ("scratch", "out") and not a.flags.writeable:
            raise TypeError(f"{self!r}: expected an array that can be written as {kind!r}")

    @property
    def _numba_type_(self) -> Any:
        """Numba looks for this on what it meets in compiled code: so kernels can be called from any compiled loop."""
        return _tier.numba_type(self.function)

    def __get__(self, instance: object, owner: type | None = None) -> Kernel[P, R]:
        return self

    def __reduce__(self) -> str:
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__qualname__}>"


FRONTS: list[Front] = []
LOOK = 1024  # calls of a front door between two looks at its heat, which cost as much as a product of poses


class Front:
    """A room's front door: checks the arguments of a call that belongs in control loops, and calls kernels or helpers.

    It exists in native code only. What it does not take, in shape, type or value, it leaves to its caller, which goes
    the long way and says what is wrong. Call ``native(CONTEXT, ...)`` when there is one. A front door of a kernel
    returns 0 when the work is done and 1 when nothing was done, and is made with its kernel; one of helpers returns
    what they do, raises TypeError where it declines, and is made when :meth:`ran` has been told of enough long ways.
    """

    __slots__ = ("arguments", "calls", "function", "heat", "native", "returns")

    def __init__(self, function: Any, arguments: str, returns: str = "taken") -> None:
        self.function = function
        self.arguments = arguments
        self.returns = returns
        self.native: Any = None
        self.heat = _tier.Heat(_tier.name_of(function))
        self.calls = 0
        FRONTS.append(self)

    @property
    def name(self) -> str:
        """Unique name of the function."""
        return self.heat.name

    def compile(self) -> Any:
        """Make :attr:`native`, when it is not yet."""
        if self.native is None:
            self.native = _tier.compile_front(self.function, self.arguments, self.returns)
        return self.native

    def ran(self, seconds: float) -> None:
        """Tell that the long way was gone, which takes about so many seconds; looks at the heat now and then only."""
        if self.calls % LOOK == 0:
            self.heat.spent += LOOK * seconds
            self.heat.native(self.compile)
        self.calls += 1


def front(kernel: Kernel[..., Any], arguments: str) -> Callable[[Callable[..., int]], Front]:
    """Mark a front door of ``kernel``, with the kinds of its arguments; ``in2`` and ``out2`` are matrices."""

    def mark(function: Callable[..., int]) -> Front:
        made = Front(function, arguments)
        kernel.fronts.append(made)
        if kernel.native is not None:
            made.compile()
        return made

    return mark


def front_of_helpers(arguments: str, returns: str = "reals") -> Callable[[Callable[..., Any]], Front]:
    """Mark a front door that calls helpers; ``three`` and ``four`` are tuples of floats."""
    return lambda function: Front(function, arguments, returns)


def helper(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a plain function of elements that kernels are composed of."""
    HELPERS[f"{function.__module__}.{function.__qualname__}"] = function
    _tier.add_helper(function)
    return function


def kernel(signature: str, *, elements: tuple[str, ...] = BATCH) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Mark an entry of the numeric core and declare what it takes.

    Args:
        signature: the kinds of the arguments, then what comes back, such as ``"model in out -> none"``.
        elements: the element types that it runs on.
    """
    head, _, returns = signature.partition("->")
    arguments = tuple(head.split())
    returns = returns.strip()

    def mark(function: Callable[P, R]) -> Kernel[P, R]:
        count = function.__code__.co_argcount
        stages = [STAGES[kind] for kind in arguments]
        where = f"{function.__module__}.{function.__qualname__}"
        if count != len(arguments) or returns not in RETURNS:
            raise TypeError(f"{where}: {count} arguments, declared as {signature!r}")
        if stages != sorted(stages):
            raise TypeError(f"{where}: order the arguments as model, inputs, scratch, outputs; got {signature!r}")
        entry = Kernel(function, arguments, returns, elements)
        KERNELS[where] = entry
        return entry

    return mark
