"""Rounds: one series of deals, played once in every seating. Results are counted in them.

Two players meet twice over the same cards with seats exchanged, which takes most of the luck of
the deal out of a comparison. The two games of such a pair are not independent of each other, so
every interval is over rounds, never over games.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np

from undercut.core.agent import KernelAgent
from undercut.core.game import Game
from undercut.play.batch import AnyAgent, Batch, Progress, play_batch

# How many games are held in memory at once; a game takes about 400 bytes.
PART = {"cpu": 1 << 17, "cuda": 1 << 19}


@dataclass(frozen=True)
class Rounds:
    """What happened in each of some rounds: one row a round."""

    shares: Any  # for each agent its share of the round's wins, 0 to 1
    points: Any  # for each agent
    beats: Any  # for each pair of agents, twice the games in which the first outscored the second
    deals: Any
    tally: Any  # the counts that the game keeps
    seconds: float

    def __len__(self) -> int:
        return len(self.deals)

    def first(self, count: int) -> "Rounds":
        """The first so many rounds."""
        return Rounds(
            shares=self.shares[:count],
            points=self.points[:count],
            beats=self.beats[:count],
            deals=self.deals[:count],
            tally=self.tally[:count],
            seconds=self.seconds * count / len(self),
        )


def games_in_round(game: Game) -> int:
    """How many games a round has: one for every seating."""
    return factorial(game.seats)


def whole_rounds(games: int, game: Game) -> int:
    """How many rounds have at least so many games.

    >>> from undercut.games.catalog import parse_game
    >>> whole_rounds(1001, parse_game("gin"))
    501
    """
    return -(-games // games_in_round(game))


def rounds_of(batch: Batch) -> Rounds:
    """The rounds of a batch that holds whole ones."""
    size = games_in_round(batch.game)
    assert len(batch.matches) % size == 0, "a batch of whole rounds"
    scores = batch.scores

    def by_round(rows: Any) -> Any:
        return rows.reshape(-1, size, *rows.shape[1:])

    kept = len(batch.game.rules.TALLY)
    return Rounds(
        shares=by_round(batch.shares).mean(axis=1),
        points=by_round(scores).sum(axis=1),
        beats=by_round(_beats(scores)).sum(axis=1),
        deals=by_round(batch.matches.deals).sum(axis=1),
        tally=by_round(batch.matches.tally[:, :kept]).sum(axis=1),
        seconds=batch.seconds,
    )


def _beats(scores: Any) -> Any:
    """For each pair of agents 2 where the first has more points, 1 where both have as many."""
    pairs = list(combinations(range(scores.shape[1]), 2))
    leads = np.stack([scores[:, i] - scores[:, j] for i, j in pairs], axis=1)
    return np.sign(leads) + 1


def play_rounds(
    game: Game,
    agents: Sequence[AnyAgent],
    rounds: range,
    seed: int,
    *,
    device: str = "cpu",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Rounds:
    """Play rounds by their numbers; a round is the same however the series is divided."""
    size = games_in_round(game)
    batch = play_batch(
        game,
        agents,
        len(rounds) * size,
        seed,
        device=device,
        workers=workers,
        first=rounds.start * size,
        progress=progress,
    )
    return rounds_of(batch)


def parts(total: int, first: int, largest: int) -> Iterator[range]:
    """The numbers 0 .. total - 1 in order, in parts that double up to the largest.

    >>> [len(part) for part in parts(100, 10, 30)]
    [10, 20, 30, 30, 10]
    """
    start, size = 0, min(first, largest)
    while start < total:
        yield range(start, min(start + size, total))
        start, size = start + size, min(2 * size, largest)


def warm_up(game: Game, agents: Sequence[AnyAgent], device: str = "cpu") -> None:
    """Compile what these agents need, so that no one takes that for playing time."""
    if all(isinstance(agent, KernelAgent) for agent in agents):
        play_batch(game, agents, games_in_round(game), device=device, max_deals=1)
