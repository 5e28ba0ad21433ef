"""Rounds: one series of deals, played in several seatings. Results are counted in them.

Two players meet twice over the same cards with seats exchanged, which takes most of the luck of
the deal out of a comparison. The two games of such a pair are not independent of each other, so
every interval is over rounds, never over games. play/seating.py says how more players sit down.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Unpack

import numpy as np

from undercut.games.contract import Game
from undercut.kernels.records import Array, Buffer, Floats
from undercut.lab.workers import Here
from undercut.play.agent import AnyAgent, KernelAgent
from undercut.play.batch import Batch, play_batch
from undercut.play.luck import Luck, match_luck
from undercut.play.records.seat_events import is_told
from undercut.play.seating import seatings
from undercut.play.totals import sum_rounds
from undercut.play.winners import WIN

# How many games are held in memory at once; a game takes about 400 bytes.
PART = {"cpu": 1 << 17, "cuda": 1 << 19}
TRACED_PART = 1 << 12  # where every choice is kept: that takes up to 2 KB more


@dataclass(frozen=True)
class Rounds:
    """What happened in each of some rounds: one row a round."""

    shares: Floats  # for each agent its share of the round's wins, 0 to 1
    places: Floats  # for each agent its place in a game, on average: 1 is first, ties share theirs
    points: Array  # for each agent
    dealt: Array  # for each agent the deals it played in
    beats: Buffer  # for each pair, twice the games in which the first outscored the second
    games: Buffer
    deals: Buffer
    tally: Buffer  # the counts that the game keeps
    luck: Floats  # for each agent how much of its share was luck; no columns where nobody asked
    forfeits: Array  # for each agent the games it forfeited; no columns where nobody can fail
    seconds: float

    def __len__(self) -> int:
        return len(self.deals)

    def first(self, count: int) -> "Rounds":
        """The first few rounds, this many."""
        return self._some(slice(count))

    def after(self, count: int) -> "Rounds":
        """The rounds after the first few."""
        return self._some(slice(count, None))

    def _some(self, some: slice) -> "Rounds":
        rows = [field.name for field in fields(self) if field.name != "seconds"]
        count = len(self.deals[some])
        return replace(
            self,
            **{name: getattr(self, name)[some] for name in rows},
            seconds=self.seconds * count / len(self),
        )


def joined(parts: Sequence[Rounds]) -> Rounds:
    """Rounds that follow each other, in one."""
    rows = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(Rounds)
        if field.name != "seconds"
    }
    return Rounds(**rows, seconds=sum(part.seconds for part in parts))


def whole_rounds(games: int, agents: Sequence[object]) -> int:
    """How many rounds of these agents make at least this many games.

    >>> whole_rounds(1001, ["simple", "patient"])
    501
    """
    return -(-games // len(seatings(agents)))


def rounds_of(batch: Batch, luck: Floats | None = None, can_fail: bool = False) -> Rounds:
    """The rounds of a batch that holds whole ones; `luck` is that of each game and agent."""
    sums, size = sum_rounds(batch), batch.games_in_round
    agents, forfeits = sums.wins.shape[1], no_forfeits(len(sums.deals))
    if can_fail:
        forfeits = batch.forfeits.reshape(-1, size, agents).sum(axis=1)
    return Rounds(
        shares=sums.wins / (WIN * size),
        places=places_of(sums.beats, agents, size),
        points=sums.points,
        dealt=np.tile(sums.deals[:, None], agents),
        beats=sums.beats,
        games=np.full(len(sums.deals), size),
        deals=sums.deals,
        tally=sums.tally,
        luck=no_luck(len(sums.deals)) if luck is None else _means(luck, size),
        forfeits=forfeits,
        seconds=batch.seconds,
    )


def no_luck(rounds: int) -> Floats:
    """What `luck` is where nobody asked for it."""
    return np.zeros((rounds, 0))


def no_forfeits(rounds: int) -> Buffer:
    """What `forfeits` is where no agent can fail."""
    return np.zeros((rounds, 0), dtype=np.int64)


def _means(numbers: Floats, size: int) -> Floats:
    """The means of the games of each round."""
    means: Floats = numbers.reshape(-1, size, numbers.shape[1]).mean(axis=1)
    return means


def places_of(beats: Buffer, agents: int, games: int) -> Floats:
    """For each round and agent its place on average, from who beat whom in this many games.

    Who beats all others is first; a tie is half a win, so those who tie share their places.
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
    *,
    keep: Callable[[Batch], None] | None = None,
    luck: Luck | None = None,
    **here: Unpack[Here],
) -> Rounds:
    """Play rounds by their numbers; a round is the same however the series is divided.

    `keep` is given the games with all their choices. `luck` is what finds out how lucky they were,
    which takes longer than most agents play, so it is what `progress` hears of.
    """
    size, progress = len(seatings(agents)), here.get("progress")
    batch = play_batch(
        game,
        agents,
        len(rounds) * size,
        seed,
        device=here.get("device", "cpu"),
        workers=here.get("workers"),
        first=rounds.start * size,
        trace=0 if keep is None and luck is None else None,
        progress=progress if luck is None else None,
    )
    if keep is not None:
        keep(batch)
    found = None if luck is None else match_luck(batch, luck, here.get("workers"), progress)
    return rounds_of(batch, found, any(map(is_told, agents)))


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
    """Compile what these agents need, so that no one takes that for playing time."""
    if all(isinstance(agent, KernelAgent) for agent in agents):
        batch = play_batch(game, agents, 1, device=device, max_deals=1, trace=None)
        if luck is not None:
            match_luck(batch, luck, workers=1)
        sum_rounds(replace(batch, results=batch.results[:0].view(np.recarray)))
