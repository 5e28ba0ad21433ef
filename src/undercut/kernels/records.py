"""Records in memory that kernels read and write, and the types of their contents."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from undercut.kernels.jit import COMPILED, kernel

Action: TypeAlias = int
Seat: TypeAlias = int
Options: TypeAlias = Any  # a game's NamedTuple of options; for kernels a packed record
Settings: TypeAlias = Any  # an agent's NamedTuple of settings; for kernels a packed record

Layout: TypeAlias = np.dtype[np.void]  # of a record
Record: TypeAlias = np.record  # its fields are attributes, compiled or not
State: TypeAlias = Record  # of a game's layout STATE: with hidden cards; never leaves `play`
View: TypeAlias = Record  # of a game's layout VIEW: everything that one seat may know
Records: TypeAlias = NDArray[np.record]
Columns: TypeAlias = np.recarray[tuple[int, ...], np.dtype[np.record]]
"""Records whose fields are arrays: `results.scores`."""

Buffer: TypeAlias = NDArray[np.int64]  # owned by the caller
Floats: TypeAlias = NDArray[np.float64]
Kind: TypeAlias = np.dtype[Any]  # of numbers
Array: TypeAlias = NDArray[Any]  # of numbers of any kind


def pack(values: Options | Settings) -> Record:
    """A NamedTuple of numbers and arrays as a record, the form of settings in kernels.

    Kernels read its fields like those of the tuple; arrays are copied into the record. With a tuple
    the compiler would treat the values as constants, and copy the whole match loop for each.
    """
    fields = [_field(name, value) for name, value in zip(values._fields, values, strict=True)]
    record = new(np.dtype(fields or [("nothing", "i8")], align=True), 1)[0]
    for name, value in zip(values._fields, values, strict=True):
        record[name] = value
    return record


def array_of(values: Options | Settings) -> Records:
    """Options or settings as an array of one record."""
    record = pack(values)
    return np.array([record], dtype=record.dtype).view(np.recarray)


def _field(name: str, value: float | Array) -> tuple[object, ...]:
    if isinstance(value, np.ndarray):
        return (name, value.dtype, value.shape)
    return (name, "f8" if isinstance(value, float) else "i8")


def new(layout: Layout, count: int | tuple[int, ...]) -> Columns:
    """A cleared array of records whose fields are attributes, compiled or not."""
    return np.zeros(count, dtype=layout).view(np.recarray)


def differences(one: Record, other: Record) -> str:
    """The fields in which two records differ, with both values; "" if the records are equal.

    >>> one, other = new(np.dtype([("hand", "i8"), ("seat", "i1")]), 2)
    >>> other.hand = 5
    >>> differences(one, other)
    '`hand`: 0 and 5'
    """
    names = [name for name in one.dtype.names or () if not np.array_equal(one[name], other[name])]
    return ", ".join(f"`{name}`: {one[name]} and {other[name]}" for name in names)


def words_for(layout: Layout) -> int:
    """The number of int64 numbers in a record."""
    return -(-layout.itemsize // 8)


def _record_in(words: Buffer, layout: Layout) -> Record:
    """The record in an array of `words_for(layout)` int64 numbers."""
    return words.view(layout)[0]


def _interpreted_record_in(words: Buffer, layout: Layout) -> Record:
    """The same in plain Python, where only record arrays have fields as attributes."""
    return words.view(layout).view(np.recarray)[0]


record_in = kernel(_record_in) if COMPILED else _interpreted_record_in
