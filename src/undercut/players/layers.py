"""Rows of weights, added up: what the layers of every network that runs without torch are made of.

A lane does every `lanes`-th number from `lane` on; alone, it is 0 of 1.
"""

from typing import Any

from undercut.kernels.jit import COMPILED, kernel


def _copy_row(sums: Any, row: Any, lane: int, lanes: int) -> None:
    for i in range(lane, len(sums), lanes):
        sums[i] = row[i]


def _add_row(sums: Any, row: Any, factor: Any, lane: int, lanes: int) -> None:
    if lanes == 1:  # a loop that a processor does many steps of at once
        for i in range(len(sums)):
            sums[i] += factor * row[i]
    else:
        for i in range(lane, len(sums), lanes):
            sums[i] += factor * row[i]


# The same for plain Python, which would take milliseconds number by number.


def _interpreted_copy(sums: Any, row: Any, lane: int, lanes: int) -> None:
    sums[lane::lanes] = row[lane::lanes]


def _interpreted_add(sums: Any, row: Any, factor: Any, lane: int, lanes: int) -> None:
    sums[lane::lanes] += factor * row[lane::lanes]


copy_row: Any = kernel(_copy_row) if COMPILED else _interpreted_copy
add_row: Any = kernel(_add_row) if COMPILED else _interpreted_add
