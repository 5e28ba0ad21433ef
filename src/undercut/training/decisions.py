"""Decisions in memory: all matches in the compact form, played again a block at a time.

Fifty million decisions take some fifty megabytes here; their features would take ten gigabytes.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from undercut.belief.features import features_of
from undercut.core.game import Game
from undercut.games.catalog import parse_game
from undercut.play.compact import replay_matches
from undercut.training.shards import DataError, Shard, read_heading, read_matches, read_shards

BLOCK = 1 << 17  # decisions that are played again at once, about
_GROUP = 32  # matches that a thread plays again in one call


@dataclass(frozen=True)
class Block:
    """Some decisions, a row for each."""

    views: Any
    hands: Any  # what the other seat truly held
    matches: Any  # the number of the row's match within the data
    opponents: Any  # the number of the agent opposite, among `Decisions.agents`

    def __len__(self) -> int:
        return len(self.hands)


class Decisions:
    """The matches of one or more folders."""

    def __init__(self, folders: Sequence[Path]) -> None:
        shards = [shard for folder in folders for shard in _finished(folder)]
        self.game = _common_game(shards)
        self.sources = shards
        parts = [read_matches(shard) for shard in shards]
        self._codes = np.concatenate([codes for codes, _ in parts])
        lengths = [np.diff(ends, axis=0, prepend=0) for _, ends in parts]
        self._sizes = np.concatenate(lengths)  # for each match its bytes and its decisions
        self._ends = np.cumsum(self._sizes[:, 0])
        rows = [len(ends) for _, ends in parts]
        self._source = np.repeat(np.arange(len(shards)), rows)
        self._numbers = np.concatenate(
            [shard.first + np.arange(count) for shard, count in zip(shards, rows, strict=True)]
        )
        self.agents = sorted({spec for shard in shards for spec in shard.agents})
        self._seats = np.array([[self.agents.index(spec) for spec in s.agents] for s in shards])

    def __len__(self) -> int:
        return int(self._sizes[:, 1].sum())

    @property
    def matches(self) -> int:
        """How many matches there are."""
        return len(self._sizes)

    def blocks(self, order: Any, size: int = BLOCK) -> list[Any]:
        """Matches in some order, divided so that each part has about `size` decisions."""
        filled = np.cumsum(self._sizes[order, 1])
        cuts = np.searchsorted(filled, np.arange(size, filled[-1], size))
        return [part for part in np.split(order, cuts) if len(part)]

    def replay(self, rows: Any, workers: int | None = None) -> Block:
        """All decisions of some matches, given by their numbers within the data."""
        groups = [
            group[start : start + _GROUP]
            for source in np.unique(self._source[rows])
            for group in [rows[self._source[rows] == source]]
            for start in range(0, len(group), _GROUP)
        ]
        with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
            parts = list(pool.map(self._replay_group, groups))
        views, *others = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        return Block(views.view(np.recarray), *others)

    def _replay_group(self, rows: Any) -> tuple[Any, Any, Any, Any]:
        source = int(self._source[rows[0]])
        shard = self.sources[source]
        numbers = self._numbers[rows]
        starts = self._ends[rows] - self._sizes[rows, 0]
        spans = zip(starts, self._ends[rows], strict=True)
        codes = np.concatenate([self._codes[start:end] for start, end in spans])
        ends = np.cumsum(self._sizes[rows], axis=0)
        views, hands = replay_matches(self.game, shard.seed, numbers, codes, ends)
        matches = np.repeat(rows, self._sizes[rows, 1])
        seat = 1 - views.me.astype(np.int64)
        # In matches with odd numbers the agents have exchanged seats.
        place = (seat + self._numbers[matches]) % 2
        return views, hands, matches, self._seats[source][place]

    def examples(self, rows: Any, workers: int | None = None) -> tuple[Any, Any]:
        """The features of all decisions of some matches, and the hands to be guessed."""
        block = self.replay(rows, workers)
        return features_of(block.views), block.hands

    def describe(self) -> list[dict[str, Any]]:
        """What the data is made of, for the metadata of a model."""
        series: dict[tuple[Any, ...], dict[str, Any]] = {}
        for shard in self.sources:
            key = (shard.agents, shard.seed)
            entry = series.setdefault(
                key,
                {"agents": list(shard.agents), "seed": shard.seed, "matches": 0, "decisions": 0},
            )
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
            "(the same undercut generate goes on)"
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
