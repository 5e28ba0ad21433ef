"""Comparison of two or more agents: win rates, points and their intervals."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

from undercut.games.contract import Game
from undercut.lab.extras import need
from undercut.lab.lineup import Line
from undercut.lab.remote_rounds import Away
from undercut.lab.result_tables import (
    Column,
    agents_grid,
    percent,
    percents,
    points_columns,
    win_columns,
    wins_column,
)
from undercut.lab.results_file import Ledger, LedgerError, Part
from undercut.lab.rounds import PART, TRACED_PART, Rounds, joined, parts, play_rounds, whole_rounds
from undercut.lab.sprt import UNDECIDED, Sprt
from undercut.lab.statistics import Estimate, Interval, Moments, half_width
from undercut.lab.workers import HERE, Setup
from undercut.play.agent import AnyAgent
from undercut.play.seating import seatings
from undercut.players.luck.provided import luck_of
from undercut.text.errors import OptionsError
from undercut.text.interval_picture import Row, draw_intervals
from undercut.text.tables import Grid, html_of

if TYPE_CHECKING:
    from pandas import DataFrame

_FIRST_PART = 128  # rounds before the first look at a sequential test
_FIRST_PIECE = 64  # rounds before the first look at the clock
_PIECE_SECONDS = 0.25  # pieces grow until they take this long


@dataclass(frozen=True, repr=False)
class Comparison:
    """The result of a match between agents, over whole rounds."""

    game: Game
    agents: tuple[str, ...]
    seed: int
    moments: Moments
    sprt: Sprt | None = None
    asked: int = 0  # games that were requested, if the match was stopped before

    @property
    def games(self) -> int:
        return self.moments.games

    @property
    def wins(self) -> list[float]:
        return [round(rate * self.games, 6) for rate in self._rates]

    @property
    def win_rate(self) -> float:
        """The first agent's share of the wins."""
        return self.moments.win_rate(0)

    @property
    def interval(self) -> Interval:
        return self.moments.win_interval(0)

    @property
    def win_rates(self) -> dict[str, float]:
        return dict(zip(self.agents, self._rates, strict=True))

    @property
    def _rates(self) -> list[float]:
        return [self.moments.win_rate(agent) for agent in range(len(self.agents))]

    @property
    def columns(self) -> list[Column]:
        wins = [wins_column(self.wins)] if self.moments.seats == 2 else []
        return [*wins, *win_columns(self.moments), *points_columns(self.moments)]

    @property
    def lead(self) -> str:
        """A sentence: the points that the first agent gains on the others with each deal."""
        estimate = self.moments.lead_per_deal(0)
        lead = estimate.value
        verb = "gains" if lead >= 0 else "loses"
        others = "" if self.moments.seats == 2 else " on the others' mean"
        sure = "" if estimate.interval is None else f" (± {half_width(estimate):.2f})"
        return f"{self.agents[0]} {verb} {abs(lead):.2f} points{others} with each deal{sure}"

    @property
    def deals_per_second(self) -> float:
        return self.moments.deals / max(self.moments.seconds, 1e-9)

    def __str__(self) -> str:
        return f"{self._heading}\n{self._grid}\n{self.lead}"

    def __repr__(self) -> str:
        rate = f"{percent(self.win_rate)} ({percents(self.interval)})"
        return f"<{self._heading}: {self.agents[0]} wins {rate}>"

    def _repr_html_(self) -> str:
        heading, lead = html_of(self._heading), html_of(self.lead)
        return f"<b>{heading}</b>{self._grid._repr_html_()}{self._repr_svg_()}<br>{lead}"

    def _repr_svg_(self) -> str:
        """Every agent's share of the wins with its 95 % interval."""
        rows = [
            Row(name, rate, self.moments.win_interval(agent))
            for agent, (name, rate) in enumerate(zip(self.agents, self._rates, strict=True))
        ]
        return draw_intervals(rows, 1 / len(rows), percent)

    @property
    def _heading(self) -> str:
        moments = self.moments
        return f"{self.game.name}: {self.games:,} games, {moments.deals:,} deals, seed {self.seed}"

    @property
    def _grid(self) -> Grid:
        return agents_grid(self.agents, range(len(self.agents)), self.columns)

    def to_dataframe(self) -> "DataFrame":
        frame = agents_frame(self.agents, self.moments)
        frame.insert(1, "wins", self.wins)
        return frame

    def to_json(self) -> dict[str, object]:
        """The result as one JSON object; `win_rate` and `lead_per_deal` are the first agent's."""
        moments = self.moments
        lead = moments.lead_per_deal(0)
        result: dict[str, object] = {
            "game": self.game.name,
            "agents": list(self.agents),
            "games": self.games,
            "wins": self.wins,
            "win_rate": moments.win_rate(0),
            "win_rate_ci95": list(moments.win_interval(0)),
            "ci95": list(moments.win_interval(0)),  # its first name
            **agents_to_json(moments),
            "lead_per_deal": lead.value,
            "lead_per_deal_ci95": _listed(lead.interval),
            "deals": moments.deals,
            "deals_per_second": self.deals_per_second,
            "seed": self.seed,
            **statistics_to_json(moments.statistics(self.game.rules)),
        }
        if self.asked:
            result["stopped_before"] = self.asked
        result |= forfeits_to_json(moments) | adjusted_to_json(moments)
        if self.sprt is not None:
            result["sprt"] = self.sprt.to_json()
        return result


def agents_frame(names: Sequence[str], moments: Moments) -> "DataFrame":
    """The results of each agent, as a pandas data frame."""
    rows = []
    for agent, name in enumerate(names):
        points = moments.points_per_deal(agent)
        rows.append(
            {
                "agent": name,
                "win_rate": moments.win_rate(agent),
                **_ends("win_rate", moments.win_interval(agent)),
                "place": moments.place(agent),
                **_ends("place", moments.place_interval(agent)),
                "points_per_deal": points.value,
                **_ends("points_per_deal", points.interval),
            }
        )
    return need("pandas", "data").DataFrame(rows)


def _ends(name: str, interval: Interval | None) -> dict[str, float]:
    low, high = (nan, nan) if interval is None else interval
    return {f"{name}_low": low, f"{name}_high": high}


def agents_to_json(moments: Moments) -> dict[str, object]:
    """The results of each agent, as lists."""
    agents = range(moments.agents)
    return {
        "places": [moments.place(agent) for agent in agents],
        "places_ci95": [list(moments.place_interval(agent)) for agent in agents],
        "first_shares": [moments.win_rate(agent) for agent in agents],
        "first_shares_ci95": [list(moments.win_interval(agent)) for agent in agents],
        **_estimates_to_json("points_per_deal", map(moments.points_per_deal, agents)),
    }


def forfeits_to_json(moments: Moments) -> dict[str, object]:
    """The forfeits of each agent, if any agent can fail."""
    return {"forfeits": list(moments.forfeits)} if moments.forfeits else {}


def adjusted_to_json(moments: Moments) -> dict[str, object]:
    """The results of each agent without luck, if that is known."""
    if not moments.is_adjusted:
        return {}
    agents = range(moments.agents)
    adjusted = {
        **_estimates_to_json("win_rates", map(moments.adjusted_rate, agents)),
        **_estimates_to_json("luck", map(moments.luck, agents)),
        "times_as_many_games": [moments.worth_of_adjusting(agent) for agent in agents],
    }
    return {"adjusted": adjusted}


def _estimates_to_json(name: str, estimates: Iterable[Estimate]) -> dict[str, object]:
    values, intervals = zip(*estimates, strict=True)
    return {name: list(values), f"{name}_ci95": list(map(_listed, intervals))}


def statistics_to_json(statistics: dict[str, Estimate]) -> dict[str, object]:
    """The statistics of a game with their intervals."""
    return {
        "statistics": {name: estimate.value for name, estimate in statistics.items()},
        "statistics_ci95": {name: _listed(each.interval) for name, each in statistics.items()},
    }


def _listed(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


class Stopped(KeyboardInterrupt):
    """Ctrl-C during a match; `so_far` is the result up to then."""

    def __init__(self, so_far: Comparison) -> None:
        self.so_far = so_far


def play_match(
    game: Game,
    agents: Sequence[AnyAgent],
    games: int,
    seed: int = 0,
    setup: Setup = HERE,
    *,
    sprt: Sprt | None = None,
    adjust: bool = False,
    ledger: Ledger | None = None,
) -> Comparison:
    """Play at least `games` games, in whole rounds, and compare the agents.

    With a sequential test the match ends as soon as the test does. The test looks at every round,
    so the result depends on the seed alone, not on the number of games played at a time. `adjust`
    subtracts the luck from the results, also for the test. A `ledger` keeps the rounds; rounds that
    it has are not played again. Ctrl-C raises `Stopped` with the result up to then.
    """
    if games < 1:
        raise OptionsError(f"{games} games: must be at least 1")
    if sprt is not None and game.seats != 2:
        raise OptionsError(f"{game.seats} agents: a sequential test (--sprt) is between two")
    luck = luck_of(game) if adjust else None
    largest = (PART.get(setup.device, 1) if luck is None else TRACED_PART) // len(seatings(agents))
    total = whole_rounds(games, agents)
    numbers = parts(total, _FIRST_PART if sprt else largest, largest)
    course: _Course | _CourseAway
    if setup.crew is None:
        course = _Course(
            lambda piece: play_rounds(game, agents, piece, seed, setup, luck),
            ledger,
            len(agents),
            total,
        )
    else:
        away = Away(setup.crew, Line.of(game, agents), range(total), seed, setup, adjust)
        if sprt is None and setup.keep is None and ledger is None and away.can_sum_up(largest):
            return _compared(game, agents, seed, games, away.sums(largest))
        course = _CourseAway(away.play, ledger, len(agents), total)
    played = map(course.rounds, numbers)
    summed = map(Moments.of, played if sprt is None else _until(sprt, played))
    return _compared(game, agents, seed, games, summed, sprt, course)


def compare_rounds(
    game: Game, agents: Sequence[AnyAgent], seed: int, rounds: Rounds, device: str = "cpu"
) -> Comparison:
    """The result of a match from all its rounds: the same as that of `play_match`."""
    largest = PART[device] // len(seatings(agents))
    cut = parts(len(rounds), largest, largest)
    together = (Moments.of(rounds.first(part.stop).after(part.start)) for part in cut)
    return _compared(game, agents, seed, int(rounds.games.sum()), together)


def _compared(
    game: Game,
    agents: Sequence[AnyAgent],
    seed: int,
    games: int,
    summed: Iterable[Moments],
    sprt: Sprt | None = None,
    course: "_Kept | None" = None,
) -> Comparison:
    """The result of a match from its sums, which are added while it is played."""
    names = tuple(agent.name for agent in agents)
    done: Moments | None = None
    try:
        for moments in summed:
            done = moments if done is None else done + moments
            if course is not None:
                course.unfinished.clear()
    except KeyboardInterrupt:
        for rounds in course.unfinished if course else ():
            done = Moments.of(rounds) if done is None else done + Moments.of(rounds)
        if done is None:
            raise
        raise Stopped(Comparison(game, names, seed, done, sprt, asked=games)) from None
    assert done is not None, "at least one round is played"
    return Comparison(game, names, seed, done, sprt)


class _Kept:
    """Rounds in small pieces, so that an interruption loses little.

    The rounds of a part are joined before they are summed up: the same numbers in the same order,
    however the pieces were cut.
    """

    def __init__(self, ledger: Ledger | None, agents: int, total: int) -> None:
        self._ledger, self._table = ledger, list(range(agents))
        self._kept: list[Rounds] = []
        self.kept = 0  # rounds that the ledger has already
        self.unfinished: list[Rounds] = []  # of the part in progress
        if ledger is None:
            return
        ledger.check_asked(total)
        for number, part in enumerate(ledger.parts, start=1):
            if part.table != self._table or part.first != self.kept:
                raise LedgerError(f"part {number} of the results is not of this match")
            self._kept.append(part.rounds())
            self.kept += len(self._kept[-1])

    def _take_kept(self, numbers: range) -> range:
        """Take those of these numbers that the ledger has; returns the rest."""
        stop = min(numbers.stop, self.kept)
        if numbers.start >= stop:
            return numbers
        self.unfinished.append(joined(self._kept).first(stop).after(numbers.start))
        return range(stop, numbers.stop)

    def _keep(self, first: int, played: Rounds) -> None:
        if self._ledger is not None:
            self._ledger.add(Part.of(self._table, first, played))
        self.unfinished.append(played)


class _Course(_Kept):
    """Rounds that this process plays."""

    def __init__(
        self, play: Callable[[range], Rounds], ledger: Ledger | None, agents: int, total: int
    ) -> None:
        super().__init__(ledger, agents, total)
        self._play = play
        self._size = _FIRST_PIECE

    def rounds(self, numbers: range) -> Rounds:
        left = self._take_kept(numbers)
        while left:
            began = time.perf_counter()
            piece, left = left[: self._size], left[self._size :]
            self._keep(piece.start, self._play(piece))
            if time.perf_counter() - began < _PIECE_SECONDS:
                self._size *= 2
        return joined(self.unfinished)


class _CourseAway(_Kept):
    """Rounds that a crew plays; its pieces are cut and joined as requested."""

    def __init__(
        self,
        play: Callable[[int], Iterator[Rounds]],  # everything from a number on
        ledger: Ledger | None,
        agents: int,
        total: int,
    ) -> None:
        super().__init__(ledger, agents, total)
        self._played = play(self.kept)
        self._ahead: list[Rounds] = []  # after the requested part
        self._done = self.kept

    def rounds(self, numbers: range) -> Rounds:
        self._take_kept(numbers)
        self.unfinished += self._ahead
        while self._done < numbers.stop:
            played = next(self._played)
            self._keep(self._done, played)
            self._done += len(played)
        together = joined(self.unfinished)
        self._ahead = [together.after(len(numbers))]
        return together.first(len(numbers))


def _until(sprt: Sprt, played: Iterator[Rounds]) -> Iterator[Rounds]:
    """The rounds up to the one at which the test ends."""
    for rounds in played:
        results = rounds.shares[:, 0]
        if rounds.luck.shape[1]:
            results = results - rounds.luck[:, 0]
        yield rounds.first(sprt.update(results))
        if sprt.verdict != UNDECIDED:
            return
