"""Which move a search plays, for many searches at once: arrays of searches, samples and moves.

The first move of each search is the guide's. Moves that are not valid only pad the arrays.
"""

import numpy as np
from numpy.typing import NDArray

from undercut.kernels.records import Floats

DROPPED = 2.0  # standard errors behind the leader at which a move gets no more samples

Moves = NDArray[np.bool]  # searches, moves


def survivors(values: Floats, valid: Moves | None = None, guided: int = 0) -> Moves:
    """The moves that are not clearly worse than the leader of their search, and the guide's."""
    valid = _all(values) if valid is None else valid
    leader = _leaders(values, valid)
    behind = np.take_along_axis(values, leader[:, None, None], axis=2) - values
    kept = behind.mean(axis=1) <= DROPPED * standard_error(behind)
    kept[np.arange(len(kept)), leader] = True
    kept[:, guided] = True
    found: Moves = kept & valid
    return found


def best_columns(values: Floats, gate: float, valid: Moves | None = None) -> NDArray[np.intp]:
    """The leader of each search if it leads the guide's move by `gate` standard errors; else 0."""
    valid = _all(values) if valid is None else valid
    leader = _leaders(values, valid)
    lead = np.take_along_axis(values, leader[:, None, None], axis=2) - values[:, :, :1]
    is_better = lead.mean(axis=1) > gate * standard_error(lead)
    return np.where(is_better[:, 0], leader, 0)


def standard_error(values: Floats) -> Floats:
    """The standard error of the mean over samples, the last axis but one."""
    count = values.shape[-2]
    if count < 2:
        return np.full(values.mean(axis=-2).shape, np.inf)
    found: Floats = values.std(axis=-2, ddof=1) / np.sqrt(count)
    return found


def _all(values: Floats) -> Moves:
    return np.ones((len(values), values.shape[2]), dtype=bool)


def _leaders(values: Floats, valid: Moves) -> NDArray[np.intp]:
    return np.asarray(np.where(valid, values.mean(axis=1), -np.inf).argmax(axis=1))
