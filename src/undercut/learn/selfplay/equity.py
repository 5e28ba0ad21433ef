"""Match equity: the chance to win a match from a score, when both players play alike."""

from typing import Any

import numpy as np


def count_outcomes(gained: Any, most: int) -> Any:
    """How often deals brought two seats these points, up to `most`, and both ways round."""
    points = np.clip(np.asarray(gained, dtype=np.int64), 0, most)
    counts = np.zeros((most + 1, most + 1))
    np.add.at(counts, (points[:, 0], points[:, 1]), 1.0)
    return counts + counts.T


def match_equity(outcomes: Any, target: int) -> Any:
    """For each pair of scores the chance of the first player, who needs `target` points to win.

    `outcomes` says how often a deal brings the two these points. A deal that brings nothing to
    either is played again. Of two players who get there at once the one with more points wins.

    >>> equity = match_equity(np.array([[0, 1], [1, 0]]), 2)
    >>> equity[0, 0].item(), equity[1, 0].item(), equity[2, 0].item()
    (0.5, 0.75, 1.0)
    """
    chances = np.array(outcomes, dtype=np.float64)
    chances[0, 0] = 0.0
    chances /= chances.sum()
    gains, others = np.nonzero(chances)
    weights = chances[gains, others]
    most = len(chances) - 1
    equity = np.zeros((target + most + 1, target + most + 1))
    mine, yours = np.indices(equity.shape)
    over = (mine >= target) | (yours >= target)
    equity[over] = np.where(mine > yours, 1.0, np.where(mine < yours, 0.0, 0.5))[over]
    for total in range(2 * target - 2, -1, -1):
        for first in range(max(0, total - target + 1), min(target - 1, total) + 1):
            second = total - first
            equity[first, second] = weights @ equity[first + gains, second + others]
    return equity
