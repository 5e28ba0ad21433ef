"""Sums of rows of weights, the layers of every network that runs without torch.

A lane computes every `lanes`-th number from `lane` on; a single thread is lane 0 of 1.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from undercut.kernels.jit import COMPILED, kernel
from undercut.kernels.records import Array

AT_ONCE = 8  # rows of weights that `add_rows` adds
Places: TypeAlias = tuple[int, int, int, int, int, int, int, int]
Factors: TypeAlias = tuple[float, float, float, float, float, float, float, float]
NO_PLACES: Places = (0, 0, 0, 0, 0, 0, 0, 0)
_ONE: float = np.float32(1)  # type: ignore[assignment]
ONES: Factors = (_ONE, _ONE, _ONE, _ONE, _ONE, _ONE, _ONE, _ONE)


@kernel
def push(held: Places, place: int) -> Places:
    """The places without the first, and one more at the end."""
    return held[1], held[2], held[3], held[4], held[5], held[6], held[7], place


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


def _add_rows(
    sums: Array, rows: Array, places: Places, factors: Factors, lane: int, lanes: int
) -> None:
    """Add AT_ONCE rows of weights in this order; `places` are their numbers.

    Sums are read and written once for all of these rows, which `add_row` does for each of them. The
    order of each sum is the same, so its bits are too.
    """
    width = len(sums)
    if lanes != 1:
        for each in range(AT_ONCE):
            add_row(sums, rows[places[each] * width :][:width], factors[each], lane, lanes)
        return
    a, b, c, d, e, f, g, h = factors
    row_a, row_b = rows[places[0] * width :][:width], rows[places[1] * width :][:width]
    row_c, row_d = rows[places[2] * width :][:width], rows[places[3] * width :][:width]
    row_e, row_f = rows[places[4] * width :][:width], rows[places[5] * width :][:width]
    row_g, row_h = rows[places[6] * width :][:width], rows[places[7] * width :][:width]
    for i in range(width):
        half = (((sums[i] + a * row_a[i]) + b * row_b[i]) + c * row_c[i]) + d * row_d[i]
        sums[i] = (((half + e * row_e[i]) + f * row_f[i]) + g * row_g[i]) + h * row_h[i]


# The same for plain Python: a loop over single numbers would take milliseconds.


def _interpreted_copy(sums: Array, row: Array, lane: int, lanes: int) -> None:
    sums[lane::lanes] = row[lane::lanes]


def _interpreted_add(sums: Array, row: Array, factor: float, lane: int, lanes: int) -> None:
    sums[lane::lanes] += factor * row[lane::lanes]


def _interpreted_rows(
    sums: Array, rows: Array, places: Places, factors: Factors, lane: int, lanes: int
) -> None:
    width = len(sums)
    for place, factor in zip(places, factors, strict=True):
        sums[lane::lanes] += factor * rows[place * width :][lane:width:lanes]


copy_row: Callable[..., None] = kernel(_copy_row) if COMPILED else _interpreted_copy
add_row: Callable[..., None] = kernel(_add_row) if COMPILED else _interpreted_add
add_rows: Callable[..., None] = kernel(_add_rows) if COMPILED else _interpreted_rows
