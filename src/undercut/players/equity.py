"""Match equity: the chance to win a match from a score, for players of equal strength."""

import numpy as np

from undercut.kernels.records import Array, Floats


def count_outcomes(gained: Array, most: int) -> Floats:
    """How often deals brought two seats these points, up to `most`; symmetric in the seats."""
    points = np.clip(np.asarray(gained, dtype=np.int64), 0, most)
    counts = np.zeros((most + 1, most + 1))
    np.add.at(counts, (points[:, 0], points[:, 1]), 1.0)
    return counts + counts.T


def match_equity(outcomes: Array, target: int) -> Floats:
    """The first player's chance to win for each pair of scores; `target` points win.

    `outcomes` is the frequency of each pair of points of a deal. A deal without points is played
    again. If both players reach the target in one deal, more points win.

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


LEVELS = 100  # steps of a score, up to the target
MEASURES = 3  # of a deal: points gained, points lost, and 1 if it was won, -1 if it was lost
SCALE = 25.0  # points that count as 1


def measures(gained: Array, lost: Array) -> Floats:
    """The measures of deals, from the points of a player and of the other one.

    >>> measures(np.array([50, 0]), np.array([0, 25])).tolist()
    [[2.0, 0.0, 1.0], [0.0, 1.0, -1.0]]
    """
    won = np.sign(gained - lost)
    return np.stack([gained / SCALE, lost / SCALE, won], axis=-1).astype(np.float64)


def measure_worths(points: Array, target: int) -> Floats:
    """The value of each measure of a deal as a share of a match, by the levels of both scores.

    `points` is how often a deal brings its winner 0, 1, 2, … points. For each pair of scores a
    least-squares fit gives the factors that map the measures to the change in match equity.
    """
    counts = np.array(points, dtype=np.float64)
    counts[0] = 0.0
    gained = np.arange(len(counts))
    # Points between two levels count for both, in proportion.
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
