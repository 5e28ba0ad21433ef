"""A round robin: every group of agents that fills a table plays the same deals.

Since all tables play the same cards, agents are compared on equal luck; the ratings' intervals
take that into account.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from undercut.agents.catalog import parse_agent
from undercut.core.errors import OptionsError
from undercut.core.game import Game
from undercut.lab.ledger import Heading, Ledger, LedgerError, Part
from undercut.lab.ratings import Ratings, rate
from undercut.lab.rounds import PART, games_in_round, play_rounds, whole_rounds
from undercut.play.batch import AnyAgent, Progress
from undercut.play.deal import check_seed

_FIRST_PART = 64  # rounds
_PART_SECONDS = 1.0  # parts grow until they take about so long: what a kill can cost


@dataclass(frozen=True)
class Standings:
    """The result of a tournament."""

    game: Game
    agents: tuple[str, ...]
    seed: int
    games: int  # at each table
    beats: Any  # for each round and pair of agents, twice the games the first won
    points_per_deal: tuple[float, ...]
    ratings: Ratings

    @property
    def order(self) -> list[int]:
        """The agents' numbers, best first."""
        return sorted(range(len(self.agents)), key=lambda agent: -self.ratings.elo[agent])

    @property
    def win_rates(self) -> list[list[float | None]]:
        """How often the agent of a row outscores the agent of a column; None against itself."""
        count = len(self.agents)
        shares = self.beats.mean(axis=0) / (2 * _meetings(self.game, count))
        rates: list[list[float | None]] = [[None] * count for _ in range(count)]
        for (i, j), share in zip(combinations(range(count), 2), shares.tolist(), strict=True):
            rates[i][j], rates[j][i] = share, 1 - share
        return rates

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON object; lists are in the order of `agents`."""
        return {
            "game": self.game.name,
            "agents": list(self.agents),
            "games": self.games,
            "seed": self.seed,
            "elo": list(self.ratings.elo),
            "ci95": [list(interval) for interval in self.ratings.intervals],
            "win_rates": self.win_rates,
            "points_per_deal": list(self.points_per_deal),
        }


class Tournament:
    """A round robin that can be stopped and taken up again; leaving it lets go of its file."""

    def __init__(
        self,
        game: Game,
        entrants: Mapping[str, AnyAgent],  # by the specs that name them
        games: int,
        seed: int = 0,
        path: Path | None = None,
    ) -> None:
        if games < 1:
            raise OptionsError(f"{games} games: must be at least 1")
        if len(entrants) < game.seats:
            raise OptionsError(f"{len(entrants)} agents: {game.name} needs at least {game.seats}")
        self.game = game
        self.names = list(entrants)
        self.agents = list(entrants.values())
        self.seed = check_seed(seed)
        self.rounds = whole_rounds(games, game)
        self.tables = list(combinations(range(len(entrants)), game.seats))
        self.ledger = Ledger(path, Heading(game.name, game.rules.VERSION, self.names, seed))
        self._played = dict.fromkeys(self.tables, 0)
        try:
            for number, part in enumerate(self.ledger.parts, start=2):
                self._enter(part, f"line {number} of {str(path)!r}")
        except LedgerError:
            self.ledger.close()
            raise

    def __enter__(self) -> "Tournament":
        return self

    def __exit__(self, *error: object) -> None:
        self.ledger.close()

    @property
    def games(self) -> int:
        """How many games are played in all."""
        return self.rounds * len(self.tables) * games_in_round(self.game)

    @property
    def games_left(self) -> int:
        """How many games are still to be played."""
        left = self.rounds * len(self.tables) - sum(self._played.values())
        return left * games_in_round(self.game)

    def play(
        self,
        *,
        device: str = "cpu",
        workers: int | None = None,
        progress: Progress | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> Standings:
        """Play what is left, and sum up; `announce` is told who sits down."""
        for table in self.tables:
            if announce is not None:
                announce(" v ".join(self.names[agent] for agent in table))
            size = _FIRST_PART
            while self._played[table] < self.rounds:
                start = self._played[table]
                numbers = range(start, min(start + size, self.rounds))
                began = time.perf_counter()
                self._play_part(table, numbers, device, workers, progress)
                if time.perf_counter() - began < _PART_SECONDS / 2:
                    size = min(2 * size, PART[device] // games_in_round(self.game))
        return self._standings()

    def _play_part(
        self,
        table: tuple[int, ...],
        numbers: range,
        device: str,
        workers: int | None,
        progress: Progress | None,
    ) -> None:
        agents = [self.agents[agent] for agent in table]
        rounds = play_rounds(
            self.game,
            agents,
            numbers,
            self.seed,
            device=device,
            workers=workers,
            progress=progress,
        )
        part = Part(
            list(table),
            numbers.start,
            rounds.beats.T.tolist(),
            rounds.points.sum(axis=0).tolist(),
            int(rounds.deals.sum()),
        )
        self._enter(part, "a new result")
        self.ledger.add(part)

    def _enter(self, part: Part, where: str) -> None:
        """Count a part as played; parts of a table come in order, without gaps."""
        table = tuple(part.table)
        if table not in self._played or part.first != self._played[table]:
            raise LedgerError(f"{where} does not follow from the lines before it")
        if part.end > self.rounds:
            wanted = self.rounds * games_in_round(self.game)
            raise LedgerError(f"{where}: more games than asked for, give -n more than {wanted}")
        self._played[table] = part.end

    def _standings(self) -> Standings:
        count = len(self.agents)
        pairs = {pair: i for i, pair in enumerate(combinations(range(count), 2))}
        beats = np.zeros((self.rounds, len(pairs)), dtype=np.int64)
        points = np.zeros(count)
        deals = np.zeros(count)
        for part in self.ledger.parts:
            columns = [pairs[pair] for pair in combinations(part.table, 2)]
            beats[part.first : part.end, columns] += np.array(part.beats).T
            points[part.table] += part.points
            deals[part.table] += part.deals
        chance = np.random.default_rng(self.seed)
        return Standings(
            self.game,
            tuple(self.names),
            self.seed,
            self.rounds * games_in_round(self.game),
            beats,
            tuple((points / deals).tolist()),
            rate(beats, _meetings(self.game, count), count, chance),
        )


def _meetings(game: Game, agents: int) -> int:
    """How many games of a round two agents play with each other."""
    return games_in_round(game) * comb(agents - 2, game.seats - 2)


def parse_entrants(specs: Sequence[str], game: Game) -> dict[str, AnyAgent]:
    """The agents that specs name, each of them once."""
    entrants: dict[str, AnyAgent] = {}
    for spec in specs:
        if spec in entrants:
            raise OptionsError(f"{spec!r} is given twice: a tournament has each agent once")
        entrants[spec] = parse_agent(spec, game)
    return entrants
