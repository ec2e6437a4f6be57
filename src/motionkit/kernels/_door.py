"""The way from Python into native code: a door takes arrays as the objects they are and looks at them itself.

Numba's own way in finds out the type of every argument and makes a counted reference of every array, which costs more
than forward kinematics does. A door compares a handful of words instead: exactly an array, float64, contiguous,
aligned, writable where it is written; so the check is complete and takes nanoseconds. What does not pass is declined,
and the caller goes a longer way that says what is wrong. The caller holds every argument while a door works, and the
door holds the interpreter's lock. Importing this module imports Numba.
"""

# Numba's extension interface has no types of its own
# pyright: reportMissingTypeStubs=false, reportPrivateImportUsage=false, reportUntypedClassDecorator=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import NativeValue, intrinsic, models, register_model, unbox
from numba.np.arrayobj import make_array, populate_array

from . import _objects as fields

I64 = ir.IntType(64)
inlined: Any = numba.njit(error_model="numpy", forceinline=True)
lowered: Any = intrinsic


class ObjectType(types.Type):  # type: ignore[misc]
    """The type of any Python object, known by its address alone."""

    def __init__(self) -> None:
        super().__init__(name="object")


python_object = ObjectType()
register_model(ObjectType)(models.OpaqueModel)


@unbox(ObjectType)
def _take(typ: Any, obj: Any, c: Any) -> Any:
    return NativeValue(c.builder.bitcast(obj, c.context.get_value_type(typ)))


@lowered
def _address(typingctx: Any, thing: Any) -> Any:
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], I64)

    return types.int64(python_object), emit


@lowered
def _load_double(typingctx: Any, address: Any) -> Any:
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], ir.DoubleType().as_pointer()))

    return types.float64(types.int64), emit


@lowered
def _load(typingctx: Any, address: Any) -> Any:
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], I64.as_pointer()))

    return types.int64(types.int64), emit


def _array(context: Any, builder: Any, kind: Any, address: Any, sizes: list[Any]) -> Any:
    """An array of this type from an address and its sizes; nobody counts references to it."""
    item = context.get_constant(types.intp, 8)
    array = make_array(kind)(context, builder)
    populate_array(
        array,
        data=builder.inttoptr(address, context.get_data_type(types.float64).as_pointer()),
        shape=cgutils.pack_array(builder, sizes),
        strides=cgutils.pack_array(builder, [item] if len(sizes) == 1 else [builder.mul(sizes[1], item), item]),
        itemsize=item,
        meminfo=None,
    )
    return array._getvalue()


@lowered
def _read(typingctx: Any, address: Any, size: Any) -> Any:
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _array(context, builder, sig.return_type, args[0], [args[1]])

    return types.Array(types.float64, 1, "C", readonly=True)(types.int64, types.int64), emit


@lowered
def _written(typingctx: Any, address: Any, size: Any) -> Any:
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _array(context, builder, sig.return_type, args[0], [args[1]])

    return types.Array(types.float64, 1, "C")(types.int64, types.int64), emit


@lowered
def _matrix(typingctx: Any, address: Any, rows: Any, columns: Any) -> Any:
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _array(context, builder, sig.return_type, args[0], [args[1], args[2]])

    return types.Array(types.float64, 2, "C")(types.int64, types.int64, types.int64), emit


@lowered
def _read_matrix(typingctx: Any, address: Any, rows: Any, columns: Any) -> Any:
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _array(context, builder, sig.return_type, args[0], [args[1], args[2]])

    return types.Array(types.float64, 2, "C", readonly=True)(types.int64, types.int64, types.int64), emit


@inlined
def _fits(context: int, array: int, ndim: int, flags: int) -> bool:
    """Whether an object is an array of doubles with so many dimensions, laid out and writable as the flags ask."""
    return (
        _load(array + fields.TYPE) == _load(context)
        and _load(array + fields.NDIM) & 0xFFFFFFFF == ndim
        and _load(array + fields.FLAGS) & flags == flags
        and _load(_load(array + fields.DESCRIPTION) + fields.KIND) & fields.KIND_MASK == _load(context + 16)
    )


@inlined
def _is_number(context: int, thing: int) -> bool:
    """Whether an object is a float of Python or a float64 of NumPy."""
    kind = _load(thing + fields.TYPE)
    return kind == _load(context + 24) or kind == _load(context + 32)


@inlined
def _as_number(thing: int) -> float:
    return _load_double(thing + fields.VALUE)


@inlined
def _is_tuple(context: int, thing: int, size: int) -> bool:
    """Whether an object is a tuple of so many floats of Python."""
    if _load(thing + fields.TYPE) != _load(context + 40) or _load(thing + fields.SIZE) != size:
        return False
    for k in range(size):
        if _load(_load(thing + fields.ITEMS + 8 * k) + fields.TYPE) != _load(context + 24):
            return False
    return True


@inlined
def _item(thing: int, k: int) -> float:
    return _load_double(_load(thing + fields.ITEMS + 8 * k) + fields.VALUE)


@inlined
def _as_three(thing: int) -> Any:
    return _item(thing, 0), _item(thing, 1), _item(thing, 2)


@inlined
def _as_four(thing: int) -> Any:
    return _item(thing, 0), _item(thing, 1), _item(thing, 2), _item(thing, 3)


@inlined
def _behind(context: int, thing: int) -> int:
    """The array of a model; anything else as it is."""
    return _load(thing + fields.MODEL_ARRAY) if _load(thing + fields.TYPE) == _load(context + 8) else thing


@inlined
def _as_read(array: int) -> Any:
    return _read(_load(array + fields.DATA), _load(_load(array + fields.SHAPE)))


@inlined
def _as_written(array: int) -> Any:
    return _written(_load(array + fields.DATA), _load(_load(array + fields.SHAPE)))


@inlined
def _as_matrix(array: int) -> Any:
    shape = _load(array + fields.SHAPE)
    return _matrix(_load(array + fields.DATA), _load(shape), _load(shape + 8))


@inlined
def _as_read_matrix(array: int) -> Any:
    shape = _load(array + fields.SHAPE)
    return _read_matrix(_load(array + fields.DATA), _load(shape), _load(shape + 8))


SPACE: dict[str, Any] = {
    "address": _address,
    "fits": _fits,
    "behind": _behind,
    "is_number": _is_number,
    "is_tuple": _is_tuple,
    "as_three": _as_three,
    "as_four": _as_four,
    "as_number": _as_number,
    "as_read": _as_read,
    "as_written": _as_written,
    "as_matrix": _as_matrix,
    "as_read_matrix": _as_read_matrix,
}
TUPLES = {"three": 3, "four": 4}
MADE = {
    "three": "as_three",
    "four": "as_four",
    "model": "as_read",
    "in": "as_read",
    "in2": "as_read_matrix",
    "real": "as_number",
    "scratch": "as_written",
    "out": "as_written",
    "out2": "as_matrix",
}


def door_of(function: Any, arguments: tuple[str, ...], returns: str) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A function that checks what comes in and calls ``function``, and its signature; to be compiled.

    Args:
        function: a kernel, or a plain function that compiled code can call.
        arguments: kinds as in a kernel's signature, ``in2`` and ``out2`` for a matrix that is read or written,
            ``three`` and ``four`` for tuples of so many floats.
        returns: what ``function`` returns. For ``"none"`` the door returns 0, or 1 where it declined; for ``"taken"``
            it is the function that says so; for everything else it raises TypeError where it declines.
    """
    names = [f"a{place}" for place in range(len(arguments))]
    lines = [f"def door(context, {', '.join(names)}):"]
    tests: list[str] = []
    values: list[str] = []
    for name, kind in zip(names, arguments, strict=True):
        if kind == "int":
            values.append(name)
            continue
        lines.append(f"    b{name} = address({name})")
        if kind == "real":
            tests.append(f"is_number(context, b{name})")
        elif kind in TUPLES:
            tests.append(f"is_tuple(context, b{name}, {TUPLES[kind]})")
        else:
            if kind == "model":
                lines.append(f"    b{name} = behind(context, b{name})")
            flags = fields.READABLE if kind in ("model", "in", "in2") else fields.WRITABLE
            tests.append(f"fits(context, b{name}, {2 if kind in ('in2', 'out2') else 1}, {flags})")
        values.append(f"{MADE[kind]}(b{name})")
    lines.append(f"    if not ({' and '.join(tests) or 'True'}):")
    lines.append("        return 1" if returns in ("none", "taken") else "        raise TypeError")
    call = f"function({', '.join(values)})"
    lines += [f"    {call}", "    return 0"] if returns == "none" else [f"    return {call}"]
    # the numbers of the offsets are in the text, and so in the key of the cache
    space = {**SPACE, "function": function, "__name__": function.__module__}
    exec(compile("\n".join(lines), f"<door of {function.__module__}.{function.__qualname__}>", "exec"), space)
    door = space["door"]
    door.__qualname__ = door.__name__ = f"{function.__qualname__}.door"
    return door, (types.int64, *(types.int64 if kind == "int" else python_object for kind in arguments))
