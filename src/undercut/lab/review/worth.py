"""What a position of a finished deal was worth to each seat, all hands known and the stock not.

A worth has a number for each seat and sums to 0, or to 1 if it is the chance to win the match. The
evaluator's player finishes the deal from the true hands many times, with the stock shuffled anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from undercut.cards.french import NONE
from undercut.kernels.records import Action, Array, Floats
from undercut.play.hindsight import Moment
from undercut.players.search.evaluate import Evaluator
from undercut.players.search.rollouts import ENDING, FIELDS, MINE, OTHERS

POINTS, WIN = "points", "win"


@dataclass(frozen=True)
class Worth:
    """The worth of a position to each seat, and the standard error of one seat's."""

    points: Floats
    win: Floats | None  # None where points do not tell who wins the match
    error: float  # of `points`

    def of(self, unit: str) -> Floats:
        """The worth in one unit."""
        found = self.points if unit == POINTS else self.win
        assert found is not None, "the unit is one of the evaluator's"
        return found


class Appraiser:
    """Finds the worth of positions of one game."""

    def __init__(self, evaluator: Evaluator, samples: int, seed: int) -> None:
        self.evaluator, self.samples, self.seed = evaluator, samples, seed
        self.seats = evaluator.game.seats

    def before(self, scores: Sequence[int]) -> Worth:
        """The worth of a deal before the cards are dealt."""
        return self.after(scores, [0] * self.seats)

    def after(self, scores: Sequence[int], points: Sequence[int]) -> Worth:
        """The worth of a deal that has brought these points."""
        gained = np.array(points, dtype=np.float64)
        if self.seats > 2:
            return Worth(_lead(gained), None, 0.0)
        found = np.zeros((1, 1, FIELDS), dtype=np.int64)
        found[0, 0, [MINE, OTHERS, ENDING]] = points[0], points[1], 0
        return self._of_two(found, 0, scores)

    def now(self, moment: Moment, scores: Sequence[int], action: Action = NONE) -> Worth:
        """The worth before a decision, or once `action` has been played and draws unseen cards."""
        seed = self.seed + 2 * moment.ply + (action != NONE)
        found = self.evaluator.known(moment.view, [action], moment.hands, self.samples, seed)
        if self.seats == 2:
            return self._of_two(found, moment.seat, scores)
        gained = found[:, 0, FIELDS:].astype(np.float64)
        lead = gained[:, 0] - gained[:, 1:].mean(axis=1)
        return Worth(_lead(gained.mean(axis=0)), None, _error(lead))

    def _of_two(self, found: Array, seat: int, scores: Sequence[int]) -> Worth:
        mine, theirs = scores[seat], scores[1 - seat]
        leads = self.evaluator.leads(found, mine, theirs)[:, 0]
        points = _of_seats(float(leads.mean()), seat, 0.0)
        wins = self.evaluator.wins(found, mine, theirs)
        win = None if wins is None else _of_seats(float(wins.mean()), seat, 1.0)
        return Worth(points, win, _error(leads))


def _lead(gained: Floats) -> Floats:
    """The points of each seat, less the mean of the others."""
    lead: Floats = gained - (gained.sum() - gained) / (len(gained) - 1)
    return lead


def _of_seats(own: float, seat: int, total: float) -> Floats:
    other = total - own
    return np.array([other, own] if seat else [own, other])


def _error(values: Floats) -> float:
    count = len(values)
    return float(values.std(ddof=1) / np.sqrt(count)) if count > 1 else 0.0
