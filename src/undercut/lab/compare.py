"""Two or more agents compared: who wins how often, by how much, and how sure that is."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from undercut.core.agent import AnyAgent
from undercut.core.errors import OptionsError
from undercut.games.contract import Game
from undercut.games.luck.provided import luck_of
from undercut.lab.crew import Crew
from undercut.lab.elsewhere import Away
from undercut.lab.line import Line
from undercut.lab.moments import Estimate, Interval, Moments
from undercut.lab.rounds import (
    PART,
    TRACED_PART,
    Rounds,
    parts,
    play_rounds,
    whole_rounds,
)
from undercut.lab.sprt import UNDECIDED, Sprt
from undercut.play.batch import Batch
from undercut.play.seating import seatings
from undercut.play.threads import Progress

_FIRST_PART = 128  # rounds that are played before a sequential test is looked at


@dataclass(frozen=True)
class Comparison:
    """The result of a match between agents, over whole rounds."""

    game: Game
    agents: tuple[str, ...]
    seed: int
    moments: Moments
    sprt: Sprt | None = None

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.moments.games

    @property
    def wins(self) -> list[float]:
        """Each agent's wins; ties are split."""
        rates = map(self.moments.win_rate, range(len(self.agents)))
        return [round(rate * self.games, 6) for rate in rates]

    @property
    def deals_per_second(self) -> float:
        """How fast they were played."""
        return self.moments.deals / max(self.moments.seconds, 1e-9)

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
            "ci95": list(moments.win_interval(0)),
            **agents_to_json(moments),
            "lead_per_deal": lead.value,
            "lead_per_deal_ci95": _listed(lead.interval),
            "deals": moments.deals,
            "deals_per_second": self.deals_per_second,
            "seed": self.seed,
            **statistics_to_json(moments.statistics(self.game.rules)),
        }
        if moments.forfeits:
            result["forfeits"] = list(moments.forfeits)
        if moments.is_adjusted:
            result["adjusted"] = adjusted_to_json(moments)
        if self.sprt is not None:
            result["sprt"] = self.sprt.to_json()
        return result


def agents_to_json(moments: Moments) -> dict[str, object]:
    """What each agent did, as lists."""
    agents = range(moments.agents)
    points = [moments.points_per_deal(agent) for agent in agents]
    return {
        "places": [moments.place(agent) for agent in agents],
        "places_ci95": [list(moments.place_interval(agent)) for agent in agents],
        "first_shares": [moments.win_rate(agent) for agent in agents],
        "first_shares_ci95": [list(moments.win_interval(agent)) for agent in agents],
        "points_per_deal": [estimate.value for estimate in points],
        "points_per_deal_ci95": [_listed(estimate.interval) for estimate in points],
    }


def adjusted_to_json(moments: Moments) -> dict[str, object]:
    """What each agent did without luck, as lists, and this many times as many games it is worth."""
    agents = range(moments.agents)
    rates = [moments.adjusted_rate(agent) for agent in agents]
    luck = [moments.luck(agent) for agent in agents]
    return {
        "win_rates": [estimate.value for estimate in rates],
        "win_rates_ci95": [_listed(estimate.interval) for estimate in rates],
        "luck": [estimate.value for estimate in luck],
        "luck_ci95": [_listed(estimate.interval) for estimate in luck],
        "times_as_many_games": [moments.worth_of_adjusting(agent) for agent in agents],
    }


def statistics_to_json(statistics: dict[str, Estimate]) -> dict[str, object]:
    """What the game counts, and the intervals."""
    return {
        "statistics": {name: estimate.value for name, estimate in statistics.items()},
        "statistics_ci95": {name: _listed(each.interval) for name, each in statistics.items()},
    }


def _listed(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


def play_match(
    game: Game,
    agents: Sequence[AnyAgent],
    games: int,
    seed: int = 0,
    *,
    device: str = "cpu",
    workers: int | None = None,
    sprt: Sprt | None = None,
    keep: Callable[[Batch], None] | None = None,
    adjust: bool = False,
    progress: Progress | None = None,
    crew: Crew | None = None,
) -> Comparison:
    """Play at least `games` games, in whole rounds, and compare the agents.

    With a sequential test the match ends as soon as the test does. The test looks at every round,
    so the result depends on the seed alone, not on how many games are played at a time. `keep` is
    given the games as they were played, every choice of them traced. With `adjust` luck is taken
    out of the results, also for the test. A `crew` plays them elsewhere, with the same result.
    """
    if games < 1:
        raise OptionsError(f"{games} games: must be at least 1")
    if sprt is not None and game.seats != 2:
        raise OptionsError(f"{game.seats} agents: a sequential test (--sprt) is between two")
    luck = luck_of(game) if adjust else None
    largest = (PART.get(device, 1) if luck is None else TRACED_PART) // len(seatings(agents))
    total = whole_rounds(games, agents)
    numbers = parts(total, _FIRST_PART if sprt else largest, largest)
    if crew is None:
        played: Iterator[Rounds] = (
            play_rounds(
                game,
                agents,
                part,
                seed,
                device=device,
                workers=workers,
                keep=keep,
                luck=luck,
                progress=progress,
            )
            for part in numbers
        )
    else:
        away = Away(crew, Line.of(game, agents), range(total), seed, device, adjust, progress)
        if sprt is None and keep is None and away.is_long(largest):
            return _compared(game, agents, seed, away.sums(largest))
        played = away.play(numbers, keep)
    summed = map(Moments.of, played if sprt is None else _until(sprt, played))
    return _compared(game, agents, seed, summed, sprt)


def _compared(
    game: Game,
    agents: Sequence[AnyAgent],
    seed: int,
    summed: Iterable[Moments],
    sprt: Sprt | None = None,
) -> Comparison:
    """The result of a match of which these are the sums; they are added while it is played."""
    names = tuple(agent.name for agent in agents)
    return Comparison(game, names, seed, reduce(add, summed), sprt)


def _until(sprt: Sprt, played: Iterator[Rounds]) -> Iterator[Rounds]:
    """The rounds up to the one that decides the test."""
    for rounds in played:
        results = rounds.shares[:, 0]
        if rounds.luck.shape[1]:
            results = results - rounds.luck[:, 0]
        yield rounds.first(sprt.update(results))
        if sprt.verdict != UNDECIDED:
            return
