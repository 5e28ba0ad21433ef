"""Kernels over the rows of a table: a loop on the CPU, a thread for each row on a GPU."""

from collections.abc import Callable
from typing import Any

from undercut.kernels.jit import hole, kernel, specialise
from undercut.kernels.records import Buffer, Options, Records, Seat, State, View

THREADS = 128
REGISTERS = 128


@hole
def first_row() -> int:
    """The first row of this thread."""


@hole
def row_step() -> int:
    """The distance between two rows of this thread."""


@hole
def encode(view: View, options: Options, words: Buffer) -> None: ...
@hole
def reveal(state: State, options: Options, seat: Seat, words: Buffer) -> None: ...


@kernel
def _zero() -> int:
    return 0


@kernel
def _one() -> int:
    return 1


class RowKernel:
    """A template over rows, bound for one device. Its first argument is the number of rows."""

    def __init__(
        self, template: Callable[..., None], name: str, device: str, **bindings: object
    ) -> None:
        self._on_gpu = device == "cuda"
        if self._on_gpu:
            from undercut.play.gpu.rows import compile_rows

            self._kernel: Any = compile_rows(template, REGISTERS, **bindings)
        else:
            self._kernel = specialise(template, name, first_row=_zero, row_step=_one, **bindings)

    def __call__(self, rows: int, *arguments: object, stream: object = None) -> None:
        if not self._on_gpu:
            self._kernel(*arguments)
            return
        from undercut.play.gpu.vector import grid

        size = grid(THREADS, rows)
        self._kernel.launch(size if stream is None else (*size, stream), *arguments)


def encode_rows(views: Records, options: Records, words: Buffer) -> None:
    """Encode every view as the input of a network."""
    for i in range(first_row(), len(words), row_step()):
        encode(views[i], options[0], words[i])


def reveal_rows(states: Records, options: Records, seats: Buffer, words: Buffer) -> None:
    """Encode the cards that the seat on turn cannot see."""
    for i in range(first_row(), len(words), row_step()):
        reveal(states[i], options[0], int(seats[i]), words[i])
