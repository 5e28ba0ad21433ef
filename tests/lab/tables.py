"""What several tests of the lab share: quick games, and results made up by chance."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from undercut.agents.catalog import parse_agent
from undercut.core.jit import COMPILED
from undercut.games.catalog import parse_game
from undercut.lab.rounds import Rounds
from undercut.play.batch import Batch, seatings

# A match of one deal: interpreted, a match to 100 points takes a quarter of a second.
GAME = "gin:target=1"
GAMES = 400 if COMPILED else 40
TRIALS = 400  # of a simulation


def quick_agents(*specs: str) -> Any:
    game = parse_game(GAME)
    return game, [parse_agent(spec, game) for spec in specs]


def simulated_shares(chance: np.random.Generator, count: int, win_rate: float, alike: float) -> Any:
    """Pairs of games that go the same way more often than chance would have it."""
    first = chance.random(count) < win_rate
    second = np.where(chance.random(count) < alike, first, chance.random(count) < win_rate)
    return (first + 1.0 * second) / 2


def rounds_from(shares: Any, points: Any = None, deals: Any = None) -> Rounds:
    """Rounds of two agents with these shares of the first."""
    count = len(shares)
    both = np.column_stack([shares, 1 - shares])
    return Rounds(
        shares=both,
        points=np.zeros((count, 2)) if points is None else points,
        beats=(4 * both[:, :1]).astype(np.int64),
        deals=np.ones(count, dtype=np.int64) if deals is None else deals,
        tally=np.zeros((count, 1), dtype=np.int64),
        seconds=1.0,
    )


def batch_of(scores_by_agent: list[list[int]], deals: int = 1) -> Batch:
    """A finished batch: for each match the points of each agent, whatever the seating."""
    scores = np.array(scores_by_agent)
    count, seats = scores.shape
    lineups = np.array(seatings(seats))[np.arange(count) % len(seatings(seats))]
    matches = SimpleNamespace(
        scores=np.take_along_axis(scores, lineups, axis=1),
        deals=np.full(count, deals),
        tally=np.ones((count, 16), dtype=np.int64),
    )
    rules = SimpleNamespace(TALLY=("draws", "knocks", "knock_points"), NAME="fake", VERSION=1)
    game: Any = SimpleNamespace(name="fake", seats=seats, rules=rules)
    names = tuple("abcdefgh"[:seats])
    return Batch(game, names, 1, _Matches(matches), lineups, None, 2.0)


class _Matches(SimpleNamespace):
    """Stands in for an array of MATCH records."""

    def __init__(self, fields: SimpleNamespace) -> None:
        super().__init__(**vars(fields))

    def __len__(self) -> int:
        return len(self.deals)
