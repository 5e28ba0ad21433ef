"""Match equity: the chance to win a match from a score, when both players play alike."""

import numpy as np

from undercut.kernels.records import Array, Floats


def count_outcomes(gained: Array, most: int) -> Floats:
    """How often deals brought two seats these points, up to `most`, and both ways round."""
    points = np.clip(np.asarray(gained, dtype=np.int64), 0, most)
    counts = np.zeros((most + 1, most + 1))
    np.add.at(counts, (points[:, 0], points[:, 1]), 1.0)
    return counts + counts.T


def match_equity(outcomes: Array, target: int) -> Floats:
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


LEVELS = 100  # scores are told apart in this many steps, up to the target
MEASURES = 3  # of a deal: points gained, points lost, and 1 if it was won, -1 if it was lost
SCALE = 25.0  # points that count as 1


def measures(gained: Array, lost: Array) -> Floats:
    """What is measured of deals that brought a player, and the other one, these points.

    >>> measures(np.array([50, 0]), np.array([0, 25])).tolist()
    [[2.0, 0.0, 1.0], [0.0, 1.0, -1.0]]
    """
    won = np.sign(gained - lost)
    return np.stack([gained / SCALE, lost / SCALE, won], axis=-1).astype(np.float64)


def measure_worths(points: Array, target: int) -> Floats:
    """What each measure of a deal is worth in shares of a match, by the levels of both scores.

    `points` says how often a deal brings its winner 0, 1, 2, … points. For each pair of scores
    these are the factors with which the measures come closest to the change in match equity.
    """
    counts = np.array(points, dtype=np.float64)
    counts[0] = 0.0
    gained = np.arange(len(counts))
    # Points between two levels are as good as now the one, now the other.
    exact = np.minimum(gained * LEVELS / target, LEVELS - 1e-9)
    steps = exact.astype(np.int64)
    part = exact - steps
    outcomes = np.zeros((LEVELS + 1, LEVELS + 1))
    levels = np.bincount(steps, counts * (1 - part), LEVELS + 1)
    levels += np.bincount(steps + 1, counts * part, LEVELS + 1)
    outcomes[:, 0] = outcomes[0] = levels
    equity = match_equity(outcomes, LEVELS)
    nothing = np.zeros_like(gained)
    rows = np.concatenate([measures(gained, nothing), measures(nothing, gained)])
    rows = np.column_stack([rows, np.ones(len(rows))])
    chances = np.tile(counts, 2)[:, None] / (2 * counts.sum())
    mine, theirs = np.indices((LEVELS, LEVELS))
    now = equity[:LEVELS, :LEVELS]
    both = list(zip(steps, part, strict=True))
    won = [
        (1 - share) * equity[mine + step, theirs] + share * equity[mine + step + 1, theirs]
        for step, share in both
    ]
    lost = [
        (1 - share) * equity[mine, theirs + step] + share * equity[mine, theirs + step + 1]
        for step, share in both
    ]
    changes = np.stack([*won, *lost]) - now
    squares = rows.T @ (chances * rows)
    products = np.tensordot(rows.T, chances[:, :, None] * changes, axes=1)
    factors = np.linalg.solve(squares, products.reshape(len(squares), -1))
    return np.moveaxis(factors[:MEASURES].reshape(MEASURES, LEVELS, LEVELS), 0, -1).copy()
