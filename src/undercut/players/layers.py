"""Sums of rows of weights, the layers of every network that runs without torch.

A lane computes every `lanes`-th number from `lane` on; a single thread is lane 0 of 1.
"""

from collections.abc import Callable

from undercut.kernels.jit import COMPILED, kernel
from undercut.kernels.records import Array


def _copy_row(sums: Array, row: Array, lane: int, lanes: int) -> None:
    for i in range(lane, len(sums), lanes):
        sums[i] = row[i]


def _add_row(sums: Array, row: Array, factor: float, lane: int, lanes: int) -> None:
    if lanes == 1:  # a loop that vectorises
        for i in range(len(sums)):
            sums[i] += factor * row[i]
    else:
        for i in range(lane, len(sums), lanes):
            sums[i] += factor * row[i]


# The same for plain Python: a loop over single numbers would take milliseconds.


def _interpreted_copy(sums: Array, row: Array, lane: int, lanes: int) -> None:
    sums[lane::lanes] = row[lane::lanes]


def _interpreted_add(sums: Array, row: Array, factor: float, lane: int, lanes: int) -> None:
    sums[lane::lanes] += factor * row[lane::lanes]


copy_row: Callable[..., None] = kernel(_copy_row) if COMPILED else _interpreted_copy
add_row: Callable[..., None] = kernel(_add_row) if COMPILED else _interpreted_add
