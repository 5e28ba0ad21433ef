"""Decisions in memory: all matches in the compact form, replayed a block at a time.

Fifty million decisions take about fifty megabytes; their features would take ten gigabytes.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypedDict, TypeVar

import numpy as np

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.kernels.records import Array, Buffer, Columns
from undercut.learn.shards import DataError, Shard, read_heading, read_matches, read_shards
from undercut.play.records.trace import replay_decisions
from undercut.play.series import make_series
from undercut.players.belief import belief_of

BLOCK = 1 << 17  # decisions that are replayed together, about
_GROUP = 32  # matches that a thread replays in one call

Made = TypeVar("Made")


class Series(TypedDict):
    """The matches of two agents on one seed."""

    agents: list[str]
    seed: int
    matches: int
    decisions: int


@dataclass(frozen=True)
class Block:
    """Some decisions, a row for each."""

    views: Columns
    hands: Buffer  # the true hands of the other seat
    matches: Buffer  # the number of the row's match within the data
    opponents: Buffer  # the number of the agent opposite, among `Decisions.agents`

    def __len__(self) -> int:
        return len(self.hands)


class Decisions:
    """The matches of one or more folders, which some threads replay."""

    def __init__(self, folders: Sequence[Path], workers: int | None = None) -> None:
        self._pool = ThreadPoolExecutor(workers or os.cpu_count())
        shards = [shard for folder in folders for shard in _finished(folder)]
        self.game = _common_game(shards)
        self.belief = belief_of(self.game)
        self.sources = shards
        parts = [read_matches(shard) for shard in shards]
        self._codes = np.concatenate([codes for codes, _ in parts])
        lengths = [np.diff(ends, axis=0, prepend=0) for _, ends in parts]
        self._sizes = np.concatenate(lengths)  # for each match its bytes and its decisions
        self._ends = np.cumsum(self._sizes[:, 0])
        self._firsts = np.cumsum(self._sizes[:, 1]) - self._sizes[:, 1]
        rows = [len(ends) for _, ends in parts]
        self._source = np.repeat(np.arange(len(shards)), rows)
        seeds = {seed: place for place, seed in enumerate({shard.seed for shard in shards})}
        self._series = np.array([seeds[shard.seed] for shard in shards])  # a number for each seed
        self._numbers = np.concatenate(
            [shard.first + np.arange(count) for shard, count in zip(shards, rows, strict=True)]
        )
        self.agents = sorted({spec for shard in shards for spec in shard.agents})
        self._seats = np.array([[self.agents.index(spec) for spec in s.agents] for s in shards])

    def __len__(self) -> int:
        return int(self._sizes[:, 1].sum())

    @property
    def matches(self) -> int:
        return len(self._sizes)

    def blocks(self, order: Buffer, size: int = BLOCK) -> list[Buffer]:
        """Matches in some order, divided into parts of about `size` decisions."""
        filled = np.cumsum(self._sizes[order, 1])
        cuts = np.searchsorted(filled, np.arange(size, filled[-1], size))
        return [part for part in np.split(order, cuts) if len(part)]

    def _in_order(self, rows: Buffer) -> Buffer:
        """Some matches in the order of their decisions: file by file."""
        return rows[np.argsort(self._source[rows], kind="stable")]

    def _groups(self, rows: Buffer) -> list[slice]:
        """Matches in order, divided into those that are replayed in one call: of one seed."""
        series = self._series[self._source[rows]]
        cuts = [0, *(np.flatnonzero(np.diff(series)) + 1).tolist(), len(rows)]
        return [
            slice(start, min(start + _GROUP, end))
            for first, end in pairwise(cuts)
            for start in range(first, end, _GROUP)
        ]

    def replay(self, rows: Buffer) -> Block:
        """All decisions of some matches, given by their numbers within the data."""
        parts = self.map(lambda block: block, rows)
        columns = zip(*((p.views, p.hands, p.matches, p.opponents) for p in parts), strict=True)
        views, *others = (np.concatenate(column) for column in columns)
        return Block(views.view(np.recarray), *others)

    def map(self, use: Callable[[Block], Made], rows: Buffer) -> Iterator[Made]:
        """Apply `use` to the decisions of some matches, a few matches at a time in each thread."""
        rows = self._in_order(rows)
        return self._pool.map(lambda group: use(self._block(rows[group])), self._groups(rows))

    def _block(self, rows: Buffer) -> Block:
        views, hands = self._replay(rows)
        matches = np.repeat(rows, self._sizes[rows, 1])
        seat = 1 - views.me.astype(np.int64)
        # In matches with odd numbers the agents exchange seats.
        place = (seat + self._numbers[matches]) % 2
        return Block(views, hands, matches, self._seats[self._source[matches], place])

    def _replay(self, rows: Buffer) -> tuple[Columns, Buffer]:
        """The views of some matches of one seed, and the hands opposite."""
        shard = self.sources[int(self._source[rows[0]])]
        starts = self._ends[rows] - self._sizes[rows, 0]
        spans = zip(starts.tolist(), self._ends[rows].tolist(), strict=True)
        codes = np.concatenate([self._codes[start:end] for start, end in spans])
        ends = np.cumsum(self._sizes[rows], axis=0)
        series = make_series(self.game, range(self.game.seats), shard.seed)
        found = replay_decisions(self.game, series, self._numbers[rows], codes, ends)
        opposite = 1 - found.views.me.astype(np.int64)
        return found.views, found.hands[np.arange(len(opposite)), opposite]

    def examples(self, rows: Buffer) -> tuple[Array, Buffer]:
        """The features of all decisions of some matches, and the hands to predict."""
        rows = self._in_order(rows)
        ends = np.cumsum(self._sizes[rows, 1])
        starts = ends - self._sizes[rows, 1]
        features = np.empty((ends[-1], self.belief.features), dtype=np.int8)
        hands = np.empty(ends[-1], dtype=np.int64)

        def fill(group: slice) -> None:
            place = slice(starts[group.start], ends[group.stop - 1])
            views, hands[place] = self._replay(rows[group])
            self.belief.fill_features(views, features[place])

        for _ in self._pool.map(fill, self._groups(rows)):
            pass
        return features, hands

    def places(self, rows: Buffer) -> Buffer:
        """The places of the decisions of some matches among the `examples` of all matches."""
        rows = self._in_order(rows)
        sizes = self._sizes[rows, 1]
        before = self._firsts[rows] - (np.cumsum(sizes) - sizes)
        return np.repeat(before, sizes) + np.arange(sizes.sum())

    def describe(self) -> list[Series]:
        """The series of the data, for the metadata of a model."""
        series: dict[tuple[object, ...], Series] = {}
        for shard in self.sources:
            new = Series(agents=list(shard.agents), seed=shard.seed, matches=0, decisions=0)
            entry = series.setdefault((shard.agents, shard.seed), new)
            entry["matches"] = max(entry["matches"], shard.first + shard.matches)
            entry["decisions"] += shard.decisions
        return list(series.values())


def _finished(folder: Path) -> Iterator[Shard]:
    heading = read_heading(folder)
    shards = read_shards(folder)
    wanted = sum(pairing.decisions for pairing in heading.pairings)
    found = sum(shard.decisions for shard in shards)
    if found < wanted:
        raise DataError(
            f"{str(folder)!r} is not finished: {found} of {wanted} decisions "
            "(the same undercut generate continues)"
        )
    yield from shards


def _common_game(shards: Sequence[Shard]) -> Game:
    names = sorted({shard.game for shard in shards})
    if len(names) != 1:
        raise DataError(f"decisions of one game are wanted, not of {', '.join(names) or 'none'}")
    game = parse_game(names[0])
    for shard in shards:
        if shard.rules_version != game.rules.VERSION:
            raise DataError(
                f"{str(shard.path)!r} was played by version {shard.rules_version} of the rules, "
                f"not by version {game.rules.VERSION}"
            )
    return game
