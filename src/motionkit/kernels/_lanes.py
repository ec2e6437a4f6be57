"""Lanes for Numba: several numbers in one vector register that a kernel computes with as if they were one element.

A lane holds 8 doubles (``MOTIONKIT_LANES``), one for each of as many members of a batch. Here the operators and the
functions of ``_elements`` get their meaning on lanes and, side by side and by the same instruction, on single floats,
so both give the same bits. A lane row reads and writes one column of several rows of a matrix; lane scratch is memory
that holds one lane after the other. This is the only module that touches LLVM; importing it imports Numba.
"""

# Numba's extension interface has no types of its own
# pyright: reportOptionalCall=false, reportUntypedClassDecorator=false, reportMissingTypeStubs=false
# pyright: reportPrivateImportUsage=false

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import models, register_model

from . import _cache
from . import _elements as elements

WIDTH = _cache.lanes()
I1 = ir.IntType(1)
I32 = ir.IntType(32)
F64 = ir.DoubleType()
VECTOR = ir.VectorType(F64, WIDTH)
MASK = ir.VectorType(I1, WIDTH)
NUMBER = (types.Float, types.Integer)


class LaneType(types.Type):  # type: ignore[misc]
    """The type of a lane of doubles."""

    def __init__(self) -> None:
        super().__init__(name=f"lane_f64x{WIDTH}")

    def unify(self, typingctx: Any, other: Any) -> Any:
        """A lane and a number make a lane."""
        return self if isinstance(other, NUMBER) else None

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """A number becomes a lane that holds it everywhere."""
        return Conversion.safe if isinstance(other, NUMBER) else None


class MaskType(types.Type):  # type: ignore[misc]
    """The type of a comparison of lanes."""

    def __init__(self) -> None:
        super().__init__(name=f"mask_x{WIDTH}")

    def unify(self, typingctx: Any, other: Any) -> Any:
        """A mask and a truth value make a mask."""
        return self if isinstance(other, types.Boolean) else None

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """A truth value becomes a mask that holds it everywhere."""
        return Conversion.safe if isinstance(other, types.Boolean) else None


lane, mask = LaneType(), MaskType()
VECTORS = (LaneType, MaskType)


@register_model(LaneType)
class _LaneModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, VECTOR)


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, MASK)


def _splat(builder: Any, value: Any, vector: Any) -> Any:
    undefined = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(I32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(I32, WIDTH), [0] * WIDTH))


def _as_lane(context: Any, builder: Any, ty: Any, value: Any) -> Any:
    if isinstance(ty, LaneType):
        return value
    return _splat(builder, context.cast(builder, value, ty, types.float64), VECTOR)


def _as_bit(builder: Any, value: Any) -> Any:
    return value if value.type == I1 else builder.trunc(value, I1)


def _as_mask(builder: Any, ty: Any, value: Any) -> Any:
    return value if isinstance(ty, MaskType) else _splat(builder, _as_bit(builder, value), MASK)


@lower_cast(types.Number, LaneType)
def _number_to_lane(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return _as_lane(context, builder, fromty, value)


@lower_cast(types.Boolean, MaskType)
def _truth_to_mask(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return _as_mask(builder, fromty, value)


def _intrinsic(builder: Any, name: str, kind: Any, arguments: list[Any]) -> Any:
    suffix = "f64" if kind == F64 else f"v{WIDTH}f64"
    declared = ir.FunctionType(kind, [kind] * len(arguments))
    return builder.call(cgutils.get_or_insert_function(builder.module, declared, f"llvm.{name}.{suffix}"), arguments)


# ---- operators: only where a lane or a mask takes part, everything else stays Numba's own
def _has(arguments: Any, kind: type, allowed: tuple[type, ...]) -> bool:
    return any(isinstance(a, kind) for a in arguments) and all(isinstance(a, (kind, *allowed)) for a in arguments)


def _operator(symbol: Any, result: Any, emit: Callable[[Any, Any, Any], Any]) -> None:
    @infer_global(symbol)
    class _Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(result, *args) if len(args) == 2 and _has(args, LaneType, NUMBER) else None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b = (_as_lane(context, builder, t, v) for t, v in zip(sig.args, args, strict=True))
        return emit(builder, a, b)

    for left, right in ((LaneType, LaneType), (LaneType, types.Number), (types.Number, LaneType)):
        lower_builtin(symbol, left, right)(lower)


_operator(operator.add, lane, lambda b, x, y: b.fadd(x, y))
_operator(operator.sub, lane, lambda b, x, y: b.fsub(x, y))
_operator(operator.mul, lane, lambda b, x, y: b.fmul(x, y))
_operator(operator.truediv, lane, lambda b, x, y: b.fdiv(x, y))
_operator(operator.lt, mask, lambda b, x, y: b.fcmp_ordered("<", x, y))
_operator(operator.le, mask, lambda b, x, y: b.fcmp_ordered("<=", x, y))
_operator(operator.gt, mask, lambda b, x, y: b.fcmp_ordered(">", x, y))
_operator(operator.ge, mask, lambda b, x, y: b.fcmp_ordered(">=", x, y))
_operator(operator.eq, mask, lambda b, x, y: b.fcmp_ordered("==", x, y))
_operator(operator.ne, mask, lambda b, x, y: b.fcmp_unordered("!=", x, y))


def _unary(symbol: Any, emit: Callable[[Any, Any], Any]) -> None:
    @infer_global(symbol)
    class _Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(lane, lane) if len(args) == 1 and isinstance(args[0], LaneType) else None

    lower_builtin(symbol, LaneType)(lambda context, builder, sig, args: emit(builder, args[0]))


_unary(operator.neg, lambda b, x: b.fneg(x))
_unary(operator.pos, lambda b, x: x)


# ---- the functions of _elements, on lanes and on floats
def _define(
    function: Any,
    count: int,
    result: Callable[[Any], Any],
    on_lanes: Callable[..., Any],
    scalars: tuple[Any, ...],
    on_floats: Callable[..., Any],
) -> None:
    """Type and lower a function: ``scalars`` is its signature without lanes, result first."""

    @infer_global(function)
    class _Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            if kws or len(args) != count:
                return None
            if not all(isinstance(a, (*VECTORS, types.Boolean, *NUMBER)) for a in args):
                return None
            if any(isinstance(a, VECTORS) for a in args):
                return signature(result(args), *args)
            return signature(*scalars)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        emit = on_lanes if any(isinstance(t, VECTORS) for t in sig.args) else on_floats
        return emit(context, builder, sig, args)

    lower_builtin(function, *([types.Any] * count))(lower)


def _by_intrinsic(function: Any, name: str, count: int) -> None:
    def on_lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vectors = [_as_lane(context, builder, t, v) for t, v in zip(sig.args, args, strict=True)]
        return _intrinsic(builder, name, VECTOR, vectors)

    def on_floats(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _intrinsic(builder, name, F64, list(args))

    _define(function, count, lambda _: lane, on_lanes, (types.float64,) * (count + 1), on_floats)


_by_intrinsic(elements.sqrt, "sqrt", 1)
_by_intrinsic(elements.floor, "floor", 1)
_by_intrinsic(elements.absolute, "fabs", 1)
_by_intrinsic(elements.copysign, "copysign", 2)


def _by_comparison(function: Any, predicate: str) -> None:
    def choose(builder: Any, x: Any, y: Any) -> Any:
        return builder.select(builder.fcmp_ordered(predicate, x, y), x, y)

    def on_lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        x, y = (_as_lane(context, builder, t, v) for t, v in zip(sig.args, args, strict=True))
        return choose(builder, x, y)

    def on_floats(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return choose(builder, args[0], args[1])

    _define(function, 2, lambda _: lane, on_lanes, (types.float64,) * 3, on_floats)


_by_comparison(elements.minimum, "<")
_by_comparison(elements.maximum, ">")


def _select_lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    chosen = _as_mask(builder, sig.args[0], args[0])
    if isinstance(sig.return_type, MaskType):
        return builder.select(chosen, _as_mask(builder, sig.args[1], args[1]), _as_mask(builder, sig.args[2], args[2]))
    return builder.select(
        chosen, _as_lane(context, builder, sig.args[1], args[1]), _as_lane(context, builder, sig.args[2], args[2])
    )


def _select_floats(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.select(_as_bit(builder, args[0]), args[1], args[2])


_define(
    elements.select,
    3,
    lambda args: mask if all(isinstance(a, (MaskType, types.Boolean)) for a in args[1:]) else lane,
    _select_lanes,
    (types.float64, types.boolean, types.float64, types.float64),
    _select_floats,
)


def _like_lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _as_lane(context, builder, sig.args[1], args[1])


_define(
    elements.like,
    2,
    lambda _: lane,
    _like_lanes,
    (types.float64,) * 3,
    lambda context, builder, sig, args: args[1],
)


def _finite(builder: Any, x: Any, kind: Any) -> Any:
    largest = ir.Constant(F64, 1.7976931348623157e308)
    bound = largest if kind == F64 else _splat(builder, largest, VECTOR)
    return builder.fcmp_ordered("<=", _intrinsic(builder, "fabs", kind, [x]), bound)


_define(
    elements.is_finite,
    1,
    lambda _: mask,
    lambda context, builder, sig, args: _finite(builder, args[0], VECTOR),
    (types.boolean, types.float64),
    lambda context, builder, sig, args: context.cast(
        builder, _finite(builder, args[0], F64), types.boolean, types.boolean
    ),
)


def _logic(function: Any, count: int, emit: Callable[..., Any]) -> None:
    def on_lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit(builder, *(_as_mask(builder, t, v) for t, v in zip(sig.args, args, strict=True)))

    def on_truths(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit(builder, *(_as_bit(builder, v) for v in args))

    _define(function, count, lambda _: mask, on_lanes, (types.boolean,) * (count + 1), on_truths)


_logic(elements.both, 2, lambda b, x, y: b.and_(x, y))
_logic(elements.either, 2, lambda b, x, y: b.or_(x, y))
_logic(elements.not_, 1, lambda b, x: b.not_(x))


def _reduce(function: Any, name: str) -> None:
    def on_lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        declared = ir.FunctionType(I1, [MASK])
        reduce = cgutils.get_or_insert_function(builder.module, declared, f"llvm.vector.reduce.{name}.v{WIDTH}i1")
        return builder.call(reduce, args)

    _define(
        function,
        1,
        lambda _: types.boolean,
        on_lanes,
        (types.boolean, types.boolean),
        lambda context, builder, sig, args: args[0],
    )


_reduce(elements.any_of, "or")
_reduce(elements.all_of, "and")


# ---- lane rows: a raw pointer and strides; the array argument of the caller keeps the memory alive
class LaneRowType(types.Type):  # type: ignore[misc]
    """One row as wide as a lane: item k is column k of several rows of a matrix."""

    def __init__(self) -> None:
        super().__init__(name=f"lane_row_x{WIDTH}")


@register_model(LaneRowType)
class _RowModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        members = [("data", types.CPointer(types.float64)), ("row", types.intp), ("count", types.intp)]
        super().__init__(dmm, fe_type, members)


def lane_rows(array: Any, start: int) -> Any:
    """In compiled code: the rows of a C-contiguous matrix from ``start`` on, as many as a lane is wide, as one row."""
    raise TypeError("lane_rows exists in compiled code only")


def lane_scratch(array: Any) -> Any:
    """In compiled code: a C-contiguous matrix as wide as a lane, whose row k is one lane."""
    raise TypeError("lane_scratch exists in compiled code only")


@infer_global(lane_rows)
class _LaneRows(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        a = args[0]
        if (
            len(args) == 2
            and isinstance(a, types.Array)
            and a.dtype == types.float64
            and a.ndim == 2
            and a.layout == "C"
        ):
            return signature(LaneRowType(), a, types.intp)
        return None


@lower_builtin(lane_rows, types.Array, types.Integer)
def _lower_lane_rows(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array = context.make_array(sig.args[0])(context, builder, args[0])
    row_stride = cgutils.unpack_tuple(builder, array.strides, 2)[0]
    row = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    base = builder.ptrtoint(array.data, row_stride.type)
    row.data = builder.inttoptr(builder.add(base, builder.mul(args[1], row_stride)), F64.as_pointer())
    row.row = row_stride
    row.count = cgutils.unpack_tuple(builder, array.shape, 2)[1]
    return row._getvalue()


def _addresses(context: Any, builder: Any, sig: Any, args: Any) -> Iterator[tuple[Any, Any]]:
    row = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0])
    index = context.cast(builder, args[1], sig.args[1], types.intp)
    offset = builder.add(builder.ptrtoint(row.data, row.row.type), builder.mul(index, ir.Constant(index.type, 8)))
    for k in range(WIDTH):
        address = builder.add(offset, builder.mul(row.row, ir.Constant(row.row.type, k)))
        yield ir.Constant(I32, k), builder.inttoptr(address, F64.as_pointer())


def _row_get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value = ir.Constant(VECTOR, ir.Undefined)
    for k, pointer in _addresses(context, builder, sig, args):
        value = builder.insert_element(value, builder.load(pointer), k)
    return value


def _row_set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value = _as_lane(context, builder, sig.args[2], args[2])
    for k, pointer in _addresses(context, builder, sig, args):
        builder.store(builder.extract_element(value, k), pointer)
    return context.get_dummy_value()


# ---- lane scratch: item k is one vector of a (count, WIDTH) array
class LaneScratchType(types.Type):  # type: ignore[misc]
    """Memory that holds one lane after the other."""

    def __init__(self) -> None:
        super().__init__(name=f"lane_scratch_x{WIDTH}")


@register_model(LaneScratchType)
class _ScratchModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, [("data", types.CPointer(types.float64)), ("count", types.intp)])


@infer_global(lane_scratch)
class _LaneScratch(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        a = args[0]
        if len(args) == 1 and isinstance(a, types.Array) and a.ndim == 2 and a.layout == "C":
            return signature(LaneScratchType(), a)
        return None


@lower_builtin(lane_scratch, types.Array)
def _lower_lane_scratch(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array = context.make_array(sig.args[0])(context, builder, args[0])
    scratch = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    scratch.data = array.data
    scratch.count = cgutils.unpack_tuple(builder, array.shape, 2)[0]
    return scratch._getvalue()


def _scratch_pointer(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    scratch = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0])
    index = context.cast(builder, args[1], sig.args[1], types.intp)
    place = builder.gep(scratch.data, [builder.mul(index, ir.Constant(index.type, WIDTH))])
    return builder.bitcast(place, VECTOR.as_pointer())


def _scratch_get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(_scratch_pointer(context, builder, sig, args), align=8)


def _scratch_set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value = _as_lane(context, builder, sig.args[2], args[2])
    builder.store(value, _scratch_pointer(context, builder, sig, args), align=8)
    return context.get_dummy_value()


def _count(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).count


@infer_global(len)
class _Length(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], (LaneRowType, LaneScratchType)):
            return signature(types.intp, args[0])
        return None


@infer_global(operator.getitem)
class _Get(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], (LaneRowType, LaneScratchType)):
            return signature(lane, args[0], args[1])
        return None


@infer_global(operator.setitem)
class _Set(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], (LaneRowType, LaneScratchType)):
            return signature(types.none, *args)
        return None


for _kind, _get, _set in ((LaneRowType, _row_get, _row_set), (LaneScratchType, _scratch_get, _scratch_set)):
    lower_builtin(len, _kind)(_count)
    lower_builtin(operator.getitem, _kind, types.Integer)(_get)
    for _value in (LaneType, types.Number):
        lower_builtin(operator.setitem, _kind, types.Integer, _value)(_set)
