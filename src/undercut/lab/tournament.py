"""A round robin: every group of agents that fills a table plays the same deals.

All tables play the same cards, so agents are compared on equal luck. The intervals of the ratings
take that into account.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from undercut.games.contract import Game
from undercut.kernels.records import Floats
from undercut.lab.compare import (
    adjusted_to_json,
    agents_frame,
    agents_to_json,
    forfeits_to_json,
    statistics_to_json,
)
from undercut.lab.lineup import Line
from undercut.lab.ratings import Ratings, rate
from undercut.lab.remote_rounds import rounds_work
from undercut.lab.result_tables import Column, agents_grid, points_columns, win_columns
from undercut.lab.results_file import Heading, Ledger, LedgerError, Part
from undercut.lab.rounds import (
    PART,
    TRACED_PART,
    Rounds,
    joined,
    no_forfeits,
    no_luck,
    play_rounds,
    whole_rounds,
)
from undercut.lab.statistics import Moments
from undercut.lab.timing import DecisionTime
from undercut.lab.workers import HERE, Crew, Setup, pieces
from undercut.play.agent import AnyAgent
from undercut.play.seating import seatings
from undercut.play.seeds import check_seed
from undercut.players.catalog import parse_agent
from undercut.players.luck.provided import luck_of
from undercut.text.errors import OptionsError
from undercut.text.interval_picture import Row, draw_intervals
from undercut.text.tables import Grid, html_of

if TYPE_CHECKING:
    from pandas import DataFrame

Table = tuple[int, ...]  # the numbers of the agents at it

_FIRST_PART = 64  # rounds
_PART_SECONDS = 1.0  # parts grow until they take about this long: the most that a kill can cost


@dataclass(frozen=True, repr=False)
class Standings:
    """The result of a tournament; without luck, that includes `ratings` and `beats`."""

    game: Game
    agents: tuple[str, ...]
    seed: int
    games: int  # at each table
    beats: Floats  # for each round and pair of agents, twice the games the first won
    moments: Moments  # of all tables together
    tables: dict[Table, Moments]
    ratings: Ratings
    times: tuple[DecisionTime, ...] | None = None  # of each agent, if they were measured

    @property
    def order(self) -> list[int]:
        """The agents' numbers, best first."""
        return sorted(range(len(self.agents)), key=lambda agent: -self.ratings.elo[agent])

    @property
    def win_rates(self) -> list[list[float | None]]:
        """How often a row's agent outscores a column's agent; None against itself."""
        count = len(self.agents)
        shares = self.beats.mean(axis=0) / (2 * _meetings(count, self.game.seats))
        rates: list[list[float | None]] = [[None] * count for _ in range(count)]
        for (i, j), share in zip(combinations(range(count), 2), shares.tolist(), strict=True):
            rates[i][j], rates[j][i] = share, 1 - share
        return rates

    @property
    def columns(self) -> list[Column]:
        """The printed columns of each agent, without its rating."""
        return [*win_columns(self.moments), *points_columns(self.moments)]

    @property
    def rating_columns(self) -> list[Column]:
        elo, intervals = self.ratings.elo, self.ratings.intervals
        return [
            ("Elo", lambda i: f"{elo[i]:+.0f}"),
            ("95 % interval", lambda i: f"{intervals[i][0]:+.0f} to {intervals[i][1]:+.0f}"),
        ]

    def __str__(self) -> str:
        return f"{self._heading}\n{self._grid}"

    def __repr__(self) -> str:
        best = " > ".join(self.agents[agent] for agent in self.order)
        return f"<{self._heading}: {best}>"

    def _repr_html_(self) -> str:
        heading, grid = html_of(self._heading), self._grid._repr_html_()
        return f"<b>{heading}</b>{grid}{self._repr_svg_()}"

    def _repr_svg_(self) -> str:
        """Every agent's Elo with its 95 % interval, best first."""
        elo, intervals = self.ratings.elo, self.ratings.intervals
        rows = [Row(self.agents[i], elo[i], (intervals[i][0], intervals[i][1])) for i in self.order]
        return draw_intervals(rows, 0.0, "{:+.0f}".format)

    @property
    def _heading(self) -> str:
        agents = f"{len(self.agents)} agents, {self.games:,} games at each table"
        return f"{self.game.name}: {agents}, seed {self.seed}"

    @property
    def _grid(self) -> Grid:
        return agents_grid(self.agents, self.order, [*self.rating_columns, *self.columns])

    def to_dataframe(self) -> "DataFrame":
        """A pandas data frame with a row for each agent, the best first."""
        frame = agents_frame(self.agents, self.moments)
        frame.insert(1, "elo", self.ratings.elo)
        return frame.iloc[self.order].reset_index(drop=True)

    def plot(self, path: str | Path) -> None:
        """Draw ratings and results with their intervals; the file's ending selects the format."""
        from undercut.lab.plot import plot_standings

        plot_standings(self, Path(path))

    def to_json(self) -> dict[str, object]:
        """The result as one JSON object; lists are in the order of `agents`.

        The same seed gives the same object, except for `decision_times`.
        """
        result: dict[str, object] = {
            "game": self.game.name,
            "agents": list(self.agents),
            "games": self.games,
            "seed": self.seed,
            "seats": self.game.seats,
            "elo": list(self.ratings.elo),
            "elo_ci95": [list(interval) for interval in self.ratings.intervals],
            "ci95": [list(interval) for interval in self.ratings.intervals],  # its first name
            "win_rates": self.win_rates,
            **agents_to_json(self.moments),
            **statistics_to_json(self.moments.statistics(self.game.rules)),
            "tables": [self._table_to_json(table) for table in self.tables],
        }
        result |= forfeits_to_json(self.moments) | adjusted_to_json(self.moments)
        if self.times is not None:
            result["decision_times"] = [time._asdict() for time in self.times]
        return result

    def _table_to_json(self, table: Table) -> dict[str, object]:
        moments = self.tables[table]
        return {
            "agents": [self.agents[agent] for agent in table],
            "deals": moments.deals,
            **agents_to_json(moments),
            **adjusted_to_json(moments),
            **statistics_to_json(moments.statistics(self.game.rules)),
        }


class Tournament:
    """A round robin that can be interrupted and continued; leaving the context closes its file."""

    def __init__(
        self,
        game: Game,
        entrants: Mapping[str, AnyAgent],  # by their specs
        games: int,
        seed: int = 0,
        path: Path | None = None,
        adjust: bool = False,
    ) -> None:
        if games < 1:
            raise OptionsError(f"{games} games: must be at least 1")
        if len(entrants) < game.seats:
            raise OptionsError(f"{len(entrants)} agents: {game.name} needs at least {game.seats}")
        self.game = game
        self.names = list(entrants)
        self.agents = list(entrants.values())
        self.seed = check_seed(seed)
        self.tables: list[Table] = list(combinations(range(len(entrants)), game.seats))
        self.games_in_round = _games_in_round(game.seats)
        self.rounds = whole_rounds(games, self.tables[0])
        self.luck = luck_of(game) if adjust else None
        heading = Heading(game.name, game.rules.VERSION, self.names, seed, adjust)
        self.ledger = Ledger(path, heading)
        self._played = dict.fromkeys(self.tables, 0)
        try:
            self.ledger.check_asked(self.rounds)
            for number, part in enumerate(self.ledger.parts, start=1):
                self._enter(part, f"part {number} of {str(path)!r}")
        except LedgerError:
            self.ledger.close()
            raise

    def __enter__(self) -> "Tournament":
        return self

    def __exit__(self, *error: object) -> None:
        self.ledger.close()

    @property
    def games(self) -> int:
        return self.rounds * len(self.tables) * self.games_in_round

    @property
    def games_left(self) -> int:
        left = self.rounds * len(self.tables) - sum(self._played.values())
        return left * self.games_in_round

    def play(self, setup: Setup = HERE, announce: Callable[[str], None] | None = None) -> Standings:
        """Play the rest, and sum up; `announce` receives the names at each table.

        A crew plays all tables at the same time, with the same result.
        """
        if setup.crew is not None:
            self._play_away(setup.crew, setup)
            return self._standings()
        for table in self.tables:
            if announce is not None:
                announce(" v ".join(self.names[agent] for agent in table))
            self._play_table(table, setup)
        return self._standings()

    def _play_table(self, table: Table, setup: Setup) -> None:
        agents, size = self._seated(table), _FIRST_PART
        largest = PART.get(setup.device, 1) if self.luck is None else TRACED_PART
        while self._played[table] < self.rounds:
            numbers = range(self._played[table], self.rounds)[:size]
            began = time.perf_counter()
            rounds = play_rounds(self.game, agents, numbers, self.seed, setup, self.luck)
            self._keep(table, numbers, rounds)
            if time.perf_counter() - began < _PART_SECONDS / 2:
                size = min(2 * size, largest // self.games_in_round)

    def _seated(self, table: Table) -> list[AnyAgent]:
        return [self.agents[agent] for agent in table]

    def _play_away(self, crew: Crew, setup: Setup) -> None:
        works = {}
        for table in self.tables:
            line = Line.of(self.game, self._seated(table))
            left, adjust = range(self._played[table], self.rounds), self.luck is not None
            work = rounds_work(line, left, self.seed, device=setup.device, adjust=adjust)
            works[work] = table
        for piece in pieces(crew, list(works)):
            rounds, _ = piece.result
            self._keep(works[piece.work], piece.numbers, rounds)
            if setup.progress is not None:
                setup.progress(int(rounds.games.sum()))

    def _keep(self, table: Table, numbers: range, rounds: Rounds) -> None:
        assert rounds.games[0] == self.games_in_round, "no agent sits at a table twice"
        part = Part.of(table, numbers.start, rounds)
        self._enter(part, "a new result")
        self.ledger.add(part)

    def _enter(self, part: Part, where: str) -> None:
        """Count a part as played; the parts of a table follow each other without gaps."""
        table = tuple(part.table)
        if table not in self._played or part.first != self._played[table]:
            raise LedgerError(f"{where} does not follow from the parts before it")
        self._played[table] = part.end

    def _standings(self) -> Standings:
        kept: dict[Table, list[Rounds]] = {table: [] for table in self.tables}
        for part in self.ledger.parts:
            kept[tuple(part.table)].append(part.rounds())
        played = {table: joined(parts) for table, parts in kept.items()}
        count, seats = len(self.agents), self.game.seats
        together = _together(played, count)
        beats = _without_luck(together, played)
        chance = np.random.default_rng(self.seed)
        return Standings(
            self.game,
            tuple(self.names),
            self.seed,
            self.rounds * self.games_in_round,
            beats,
            Moments.of(together, seats),
            {table: Moments.of(rounds) for table, rounds in played.items()},
            rate(beats, _meetings(count, seats), count, chance),
        )


def _together(played: Mapping[Table, Rounds], agents: int) -> Rounds:
    """All tables as one: for each round the sums of their results, and the mean places."""
    first = next(iter(played.values()))
    count, seats = len(first), first.shares.shape[1]
    pairs = {pair: i for i, pair in enumerate(combinations(range(agents), 2))}
    shares, places, points, dealt = np.zeros((4, count, agents))
    beats = np.zeros((count, len(pairs)), dtype=np.int64)
    luck = np.zeros((count, agents)) if first.luck.shape[1] else no_luck(count)
    can_fail = any(rounds.forfeits.shape[1] for rounds in played.values())
    forfeits = np.zeros((count, agents), dtype=np.int64) if can_fail else no_forfeits(count)
    tables_of_each = comb(agents - 1, seats - 1)
    for table, rounds in played.items():
        own = list(table)
        shares[:, own] += rounds.shares / tables_of_each
        places[:, own] += rounds.places / tables_of_each
        points[:, own] += rounds.points
        dealt[:, own] += rounds.dealt
        if rounds.forfeits.shape[1]:
            forfeits[:, own] += rounds.forfeits
        if luck.shape[1]:
            luck[:, own] += rounds.luck / tables_of_each
        beats[:, [pairs[pair] for pair in combinations(table, 2)]] += rounds.beats
    games, deals, tally = (
        np.sum([getattr(rounds, name) for rounds in played.values()], axis=0)
        for name in ("games", "deals", "tally")
    )
    return Rounds(
        shares, places, points, dealt, beats, games, deals, tally, luck, forfeits, seconds=0.0
    )


def _without_luck(together: Rounds, played: Mapping[Table, Rounds]) -> Floats:
    """The wins of each pair, less their luck where it is known: then every table has two seats."""
    beats = together.beats.astype(np.float64)
    if together.luck.shape[1]:
        for pair, rounds in enumerate(played.values()):
            beats[:, pair] -= 2 * rounds.games * rounds.luck[:, 0]
    return beats


def _games_in_round(seats: int) -> int:
    """The number of games in a round of one table."""
    return len(seatings(range(seats)))


def _meetings(agents: int, seats: int) -> int:
    """The number of games in a round that two agents play with each other."""
    return _games_in_round(seats) * comb(agents - 2, seats - 2)


def parse_entrants(specs: Sequence[str], game: Game) -> dict[str, AnyAgent]:
    """The agents of some specs; a spec must not occur twice."""
    entrants: dict[str, AnyAgent] = {}
    for spec in specs:
        if spec in entrants:
            raise OptionsError(f"{spec!r} is given twice: a tournament has each agent once")
        entrants[spec] = parse_agent(spec, game)
    return entrants
