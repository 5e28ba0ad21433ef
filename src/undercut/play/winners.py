"""The winners of a match: the highest score wins, and a tie splits the win."""

from collections.abc import Sequence
from math import lcm

import numpy as np
import numpy.typing as npt

from undercut.games.contract import MAX_SEATS
from undercut.kernels.jit import cold_kernel
from undercut.kernels.records import Buffer, Seat

WIN = lcm(*range(1, MAX_SEATS + 1))  # units in a win; divisible by any number of winners


def wins_of(scores: npt.ArrayLike) -> Buffer:
    """Each seat's part of WIN, for one match or for many, with a row for each match.

    >>> (wins_of([[70, 100], [100, 100]]) / WIN).tolist()
    [[0.0, 1.0], [0.5, 0.5]]
    """
    points = np.asarray(scores)
    best = points == points.max(axis=-1, keepdims=True)
    wins: Buffer = best * (WIN // best.sum(axis=-1, keepdims=True))
    return wins


def winners(scores: Sequence[int]) -> list[Seat]:
    """The seats that share the win.

    >>> winners([40, 100, 100])
    [1, 2]
    """
    return list(map(int, np.flatnonzero(wins_of(scores))))


@cold_kernel
def add_wins(scores: Buffer, wins: Buffer) -> None:
    """`wins_of` for kernels: add each seat's part of WIN."""
    best, ties = scores[0], 0
    for seat in range(len(scores)):
        best = max(best, scores[seat])
    for seat in range(len(scores)):
        ties += int(scores[seat] == best)
    for seat in range(len(scores)):
        if scores[seat] == best:
            wins[seat] += WIN // ties
