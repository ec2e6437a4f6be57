"""Where native code finds what it needs in Python's objects: the fields of NumPy arrays and of models, by offset.

The offsets are those of CPython's object header and of NumPy's binary interface, which every extension module is built
against; :func:`check_layout` compares them with what Python says of a probe before native code relies on them. Reading
them is the business of ``_door``.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

TYPE = 8  # of any object: its type
DATA, NDIM, SHAPE, DESCRIPTION, FLAGS = 16, 24, 32, 56, 64  # of an array
KIND = 24  # of a description: kind, letter, byte order, flags, and the number of the type in the upper half
KIND_MASK = ~(0xFF << 24)  # all but the flags
MODEL_ARRAY = 16  # of a model: its array
VALUE = 16  # of a float, Python's or NumPy's
SIZE, ITEMS = 16, 24  # of a tuple
READABLE, WRITABLE = 0x101, 0x501  # C-contiguous and aligned; and writeable


class Model:
    """Constants that a kernel reads: the same numbers as a read-only array and as Python floats.

    Indexing a list of floats is the fastest way to read them when a kernel runs interpreted.

    Args:
        values: numbers; copied, flattened in C order.
    """

    __slots__ = ("array", "listed")  # in the order of the alphabet, which is that of the offsets

    array: NDArray[np.float64]
    listed: list[float] | None

    def __init__(self, values: ArrayLike) -> None:
        self.array = np.array(values, dtype=np.float64).reshape(-1)
        self.array.setflags(write=False)
        self.listed = None

    @property
    def values(self) -> list[float]:
        """The numbers as floats, made when they are first asked for: native code does not need them."""
        listed = self.listed
        if listed is None:
            self.listed = listed = self.array.tolist()
        return listed

    def __reduce__(self) -> tuple[type[Model], tuple[NDArray[np.float64]]]:
        return Model, (self.array,)


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


_double = np.dtype(np.float64)  # its description says the same, in the order of the bytes; nothing is read at import
_kind = ord(_double.kind) | ord(_double.char) << 8 | ord(_double.byteorder) << 16 | _double.num << 32
_context = np.array([id(np.ndarray), id(Model), _kind, id(float), id(np.float64), id(tuple)], dtype=np.int64)
CONTEXT = int(_context.ctypes.data)
"""Address of what a door compares with: the types of arrays, models, single numbers and tuples, and float64."""


def check_layout() -> None:
    """Compare the offsets with what Python says.

    Raises:
        ImportError: an interpreter or a NumPy with another layout.
    """
    array = np.zeros((2, 3))
    frozen = np.zeros(4)
    frozen.setflags(write=False)
    model, number = Model([1.0]), (float("1.5"), np.float64(2.5))
    found = [*_fields(array), *_fields(frozen), *_fields(array.T), _word(id(model) + MODEL_ARRAY)]
    found += [_word(id(x) + VALUE) for x in number]
    found.append(_word(id(array.dtype) + KIND) & KIND_MASK)
    found += [_word(id(number) + SIZE), _word(id(number) + ITEMS), _word(id(number) + ITEMS + 8)]
    expected = [*_expected(array), *_expected(frozen), *_expected(array.T), id(model.array)]
    expected += np.array(number).view(np.int64).tolist()
    expected += [_kind, len(number), *map(id, number)]
    if found != expected:
        raise ImportError("the arrays of this Python or NumPy are laid out in another way than native kernels know")


def _fields(array: NDArray[Any]) -> list[int]:
    at = id(array)
    ndim = _word(at + NDIM) & 0xFFFFFFFF
    shape = [_word(_word(at + SHAPE) + 8 * k) for k in range(ndim)]
    kind = _word(_word(at + DESCRIPTION) + KIND)
    return [_word(at + TYPE), _word(at + DATA), ndim, *shape, kind >> 32, kind & 0xFFFF, _word(at + FLAGS) & WRITABLE]


def _expected(array: NDArray[Any]) -> list[int]:
    flags = (1 if array.flags.c_contiguous else 0) | (0x100 if array.flags.aligned else 0)
    flags |= 0x400 if array.flags.writeable else 0
    letters = ord(array.dtype.kind) | ord(array.dtype.char) << 8
    return [id(np.ndarray), array.ctypes.data, array.ndim, *array.shape, array.dtype.num, letters, flags]
