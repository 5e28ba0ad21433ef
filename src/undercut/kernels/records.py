"""Records in memory that kernels read and write, and the types of their contents."""

from typing import Annotated, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from undercut.kernels.jit import COMPILED, kernel

Action: TypeAlias = int
Seat: TypeAlias = int
Options: TypeAlias = NamedTuple  # a game's house rules, each game's its own; packed, for kernels
Settings: TypeAlias = Any  # an agent's NamedTuple of settings; packed, for kernels

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


Int8: TypeAlias = Annotated[int, "i1"]  # fields of records; an array is Annotated[Array, "i1", 52]
Int16: TypeAlias = Annotated[int, "i2"]
Int32: TypeAlias = Annotated[int, "i4"]
Int64: TypeAlias = Annotated[int, "i8"]


class Fields(Protocol):
    """A record whose fields type checkers know: a class declares them, and `layout_of` reads them.

    Every record fits every such class, so code for all games passes records on to that of a game.
    """

    @property
    def dtype(self) -> Layout: ...
    def tobytes(self) -> bytes: ...
    def __getitem__(self, name: str, /) -> Array: ...
    def __setitem__(self, name: str, value: int, /) -> None: ...


def layout_of(fields: type, **shapes: int) -> Layout:
    """The layout that a class declares; `shapes` are the lengths of arrays that differ by game.

    >>> class Point(Fields, Protocol):
    ...     x: Int8
    ...     y: Int8
    >>> layout_of(Point).names
    ('x', 'y')
    """
    declared = {name: kind.__metadata__ for name, kind in fields.__annotations__.items()}
    declared |= {name: (declared[name][0], length) for name, length in shapes.items()}
    return np.dtype([(name, *kind) for name, kind in declared.items()], align=True)


def pack(values: Settings) -> Record:
    """A NamedTuple of numbers and arrays as a record, the form in which kernels take settings.

    Kernels read its fields like those of the tuple; arrays are copied into the record. With a tuple
    the compiler would treat the values as constants, and copy the whole match loop for each.
    """
    fields = [_field(name, value) for name, value in zip(values._fields, values, strict=True)]
    record: Record = new(np.dtype(fields or [("nothing", "i8")], align=True), 1)[0]
    for name, value in zip(values._fields, values, strict=True):
        record[name] = value
    return record


def array_of(values: Settings) -> Records:
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
    """The record that lies in some int64 numbers, just as many as `words_for` it."""
    record: Record = words.view(layout)[0]
    return record


def _interpreted_record_in(words: Buffer, layout: Layout) -> Record:
    """The same for plain Python, where fields are attributes only of record arrays."""
    record: Record = words.view(layout).view(np.recarray)[0]
    return record


record_in = kernel(_record_in) if COMPILED else _interpreted_record_in
