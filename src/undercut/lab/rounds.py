"""Rounds: one series of deals, played in several seatings; the unit in which results are counted.

Two players play the same cards twice with seats exchanged, which removes most of the luck of the
deal from a comparison. The two games of such a pair depend on each other, so every interval is
computed over rounds, never over games. play/seating.py has the seatings of more players.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations

import numpy as np

from undercut.games.contract import Game
from undercut.kernels.records import Array, Buffer, Floats
from undercut.lab.workers import HERE, Setup
from undercut.play.agent import AnyAgent, KernelAgent
from undercut.play.batch import Batch, play_batch
from undercut.play.job import Backend
from undercut.play.luck import Luck, match_luck
from undercut.play.records.seat_events import reads_events
from undercut.play.seating import seatings
from undercut.play.totals import sum_rounds
from undercut.play.winners import WIN

# The number of games in memory at a time; a game takes about 400 bytes.
PART = {"cpu": 1 << 17, "cuda": 1 << 19}
TRACED_PART = 1 << 12  # with every choice, which takes up to 2 KB more


@dataclass(frozen=True)
class Rounds:
    """The results of some rounds: one row a round."""

    shares: Floats  # for each agent its share of the round's wins, 0 to 1
    places: Floats  # for each agent its mean place in a game: 1 is first, ties share theirs
    points: Array  # for each agent
    dealt: Array  # for each agent the deals it played in
    beats: Buffer  # for each pair, twice the games in which the first outscored the second
    games: Buffer
    deals: Buffer
    tally: Buffer  # the game's own counts
    luck: Floats  # for each agent the part of its share that was luck; no columns: not computed
    forfeits: Array  # for each agent the games it forfeited; no columns: no agent can fail
    seconds: float

    def __len__(self) -> int:
        return len(self.deals)

    def first(self, count: int) -> "Rounds":
        return self._some(slice(count))

    def after(self, count: int) -> "Rounds":
        return self._some(slice(count, None))

    def _some(self, some: slice) -> "Rounds":
        rows = {name: getattr(self, name)[some] for name in _ROWS}
        return Rounds(**rows, seconds=self.seconds * len(rows["deals"]) / len(self))


_ROWS = [field.name for field in fields(Rounds) if field.name != "seconds"]


def joined(parts: Sequence[Rounds]) -> Rounds:
    """Consecutive rounds, concatenated."""
    rows = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _ROWS}
    return Rounds(**rows, seconds=sum(part.seconds for part in parts))


def whole_rounds(games: int, agents: Sequence[object]) -> int:
    """The number of rounds that make at least `games` games of these agents.

    >>> whole_rounds(1001, ["simple", "patient"])
    501
    """
    return -(-games // len(seatings(agents)))


def rounds_of(batch: Batch, luck: Floats | None = None, can_fail: bool = False) -> Rounds:
    """The rounds of a batch that holds whole ones; `luck` has a row for each game."""
    sums, size = sum_rounds(batch), batch.games_in_round
    count, agents = sums.wins.shape
    forfeits = no_forfeits(count)
    if can_fail:
        forfeits = batch.forfeits.reshape(-1, size, agents).sum(axis=1)
    return Rounds(
        shares=sums.wins / (WIN * size),
        places=places_of(sums.beats, agents, size),
        points=sums.points,
        dealt=np.tile(sums.deals[:, None], agents),
        beats=sums.beats,
        games=np.full(count, size),
        deals=sums.deals,
        tally=sums.tally,
        luck=no_luck(count) if luck is None else luck.reshape(-1, size, agents).mean(axis=1),
        forfeits=forfeits,
        seconds=batch.seconds,
    )


def no_luck(rounds: int) -> Floats:
    """The `luck` of rounds for which it is not computed."""
    return np.zeros((rounds, 0))


def no_forfeits(rounds: int) -> Buffer:
    """The `forfeits` of agents that cannot fail."""
    return np.zeros((rounds, 0), dtype=np.int64)


def places_of(beats: Buffer, agents: int, games: int) -> Floats:
    """For each round and agent its mean place, from the pairwise wins in this many games.

    An agent that beats all others is first. A tie is half a win, so tied agents share their places.
    """
    places = np.full((len(beats), agents), float(agents))
    for (i, j), wins in zip(combinations(range(agents), 2), beats.T / (2 * games), strict=True):
        places[:, i] -= wins
        places[:, j] -= 1 - wins
    return places


def play_rounds(
    game: Game,
    agents: Sequence[AnyAgent],
    rounds: range,
    seed: int,
    setup: Setup = HERE,
    luck: Luck | None = None,
) -> Rounds:
    """Play rounds by their numbers; a round is the same however the series is divided.

    Computing the `luck` of a game takes longer than most agents play it: `progress` then counts
    the games whose luck is known.
    """
    size = len(seatings(agents))
    batch = play_batch(
        game,
        agents,
        len(rounds) * size,
        seed,
        Backend(setup.device, setup.workers, setup.progress if luck is None else None),
        first=rounds.start * size,
        trace=0 if setup.keep is None and luck is None else None,
    )
    if setup.keep is not None:
        setup.keep(batch)
    found = None if luck is None else match_luck(batch, luck, setup.workers, setup.progress)
    return rounds_of(batch, found, any(map(reads_events, agents)))


def parts(total: int, first: int, largest: int) -> Iterator[range]:
    """The numbers 0 .. total - 1 in order, in parts that double up to the largest.

    >>> [len(part) for part in parts(100, 10, 30)]
    [10, 20, 30, 30, 10]
    """
    start, size = 0, min(first, largest)
    while start < total:
        yield range(start, min(start + size, total))
        start, size = start + size, min(2 * size, largest)


def warm_up(
    game: Game, agents: Sequence[AnyAgent], device: str = "cpu", luck: Luck | None = None
) -> None:
    """Compile the kernels that these agents need, so that it does not count as playing time."""
    if all(isinstance(agent, KernelAgent) for agent in agents):
        batch = play_batch(game, agents, 1, 0, Backend(device), max_deals=1, trace=None)
        if luck is not None:
            match_luck(batch, luck, workers=1)
        sum_rounds(replace(batch, results=batch.results[:0].view(np.recarray)))
