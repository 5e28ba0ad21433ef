"""A learner's seat at a table: the basis of the environments of other libraries."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from undercut.games.contract import Game
from undercut.games.families import all_families, parse_game
from undercut.kernels.records import Action, Columns, Seat, View
from undercut.play.agent import AnyAgent, KernelAgent, Random
from undercut.play.ask import ask
from undercut.play.match import Match
from undercut.play.records.seat_events import EventAgent, SeatLog, reads_events
from undercut.play.seating import line_ups
from undercut.play.seeds import Purpose, derive
from undercut.play.series import make_series
from undercut.play.vector.autoplay import Autoplay
from undercut.play.vector.table import row_stride, vector_table
from undercut.players.bits import asks_first
from undercut.players.catalog import parse_agent
from undercut.players.encoding import encoding_of
from undercut.players.observation import Observation
from undercut.text.errors import OptionsError
from undercut.text.spec import one_of

EPISODES = {"deal": 1, "match": 0}
"""The kinds of episodes, and their numbers of deals; 0: up to the end of the match."""


def encoded_presets() -> list[str]:
    """The presets of all games that have an encoding for networks."""
    families = [family for family in all_families() if family.encoding]
    return [name for family in families for name in family.rules.PRESETS]


def above_others(points: Sequence[float]) -> list[float]:
    """The points of each seat minus the mean of the others.

    >>> above_others([9, 0, 3])
    [7.5, -6.0, -1.5]
    """
    total, others = sum(points), len(points) - 1
    return [own - (total - own) / others for own in points]


@dataclass(frozen=True)
class Learner:
    """The game of a learner, its opponent, and its share of the decisions.

    Without `lays_down`, the environment plays the best melds and lay-offs after a knock. The
    learner then has fewer actions and a shorter observation.
    """

    game: Game
    opponent: AnyAgent
    episode: str
    lays_down: bool

    @cached_property
    def observation(self) -> Observation:
        return Observation(self.game, short=not self.lays_down)

    @property
    def actions(self) -> int:
        return self.game.rules.ACTIONS if self.lays_down else encoding_of(self.game).asked

    @property
    def rest(self) -> KernelAgent:
        """The agent of the learner's automatic decisions."""
        encoding = encoding_of(self.game)
        return KernelAgent("rest", encoding.rest, self.game.options, workspace=encoding.workspace)

    def series(self, seed: int) -> Columns:
        """The matches of a seed; the learner's seat changes from match to match."""
        others = self.game.seats - 1
        return make_series(
            self.game,
            ["learner", *["opponent"] * others],
            seed,
            EPISODES[self.episode],
            choosers=[0, *[1] * others],
        )

    def table(self, width: int, seed: int, **settings: Any) -> Any:
        """`width` matches side by side, in which only the learner decides."""
        if not isinstance(self.opponent, KernelAgent):
            raise OptionsError(
                f"{self.opponent.name} is no kernel: it plays no matches side by side"
            )
        is_asked = asks_first if self.lays_down else encoding_of(self.game).is_asked
        return vector_table(
            self.game,
            width,
            series=self.series(seed),
            autoplay=Autoplay(is_asked, self.rest, self.opponent),
            display=self.observation.display(self.actions),
            own_rows=True,
            **settings,
        )


class Episode:
    """A match that stops at each decision of the learner; the others play by themselves.

    It is the same match as in a table of one row with the same seed.
    """

    def __init__(self, learner: Learner, seed: int, number: int) -> None:
        self._learner, game = learner, learner.game
        series = learner.series(seed)
        place = number * row_stride(series, 1)
        self.seat: Seat = line_ups(series, place, 1)[0].tolist().index(0)
        others = [seat for seat in range(game.seats) if seat != self.seat]
        is_heard = reads_events(learner.opponent)
        self._seat_logs = {seat: SeatLog(game, seat) for seat in others if is_heard}
        self.match = Match.from_seed(
            game,
            seed,
            place // int(series.games_in_round[0]),
            EPISODES[learner.episode],
            seat_logs=list(self._seat_logs.values()),
        )
        self._chances = [
            Random.from_seed(derive(seed, Purpose.AGENT, place, seat)) for seat in range(game.seats)
        ]
        self._rest = learner.rest
        self._go_on()

    @property
    def is_over(self) -> bool:
        return self.match.is_over

    @property
    def actions(self) -> list[Action]:
        return [] if self.is_over else self.match.deal.actions

    def observe(self) -> View:
        return self.match.deal.observe(self.seat)

    def play(self, action: Action) -> float:
        """Play an action of the learner, and the others' up to its next; returns the reward."""
        before = list(self.match.scores)
        self.match.apply(action)
        self._go_on()
        gained = [now - then for now, then in zip(self.match.scores, before, strict=True)]
        return above_others(gained)[self.seat]

    def _go_on(self) -> None:
        """Play up to the learner's next choice."""
        match, game = self.match, self._learner.game
        while not match.is_over:
            deal = match.next_deal() if match.deal.is_over else match.deal
            actions, seat = deal.actions, deal.seat
            if len(actions) > 1 and seat == self.seat and actions[0] < self._learner.actions:
                return
            agent = self._rest if seat == self.seat else self._learner.opponent
            seat_log, chance = self._seat_logs.get(seat), self._chances[seat]
            match.apply(ask(game, agent, deal.observe(), actions, chance, seat_log))
        if isinstance(self._learner.opponent, EventAgent):
            for seat_log in self._seat_logs.values():
                self._learner.opponent.see_end(seat_log)


def make_learner(game: str, opponent: str, episode: str, lays_down: bool) -> Learner:
    """A learner from the arguments of an environment, or an error."""
    check_episode(episode)
    rules = parse_game(game)
    return Learner(rules, parse_agent(opponent, rules), episode, lays_down)


def check_episode(episode: str) -> None:
    """Raise an error for an unknown kind of episode."""
    if episode not in EPISODES:
        raise OptionsError(f"unknown episode {episode!r}: {one_of(EPISODES, episode)}")
