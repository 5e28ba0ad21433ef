"""A learner's place at a table: what the environments of other libraries are made of."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.kernels.records import Action, Columns, View
from undercut.play.agent import AnyAgent, KernelAgent, Random
from undercut.play.ask import ask
from undercut.play.match import Match
from undercut.play.records.seat_events import Story, ToldAgent, is_told
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
"""What an episode may be, and after how many deals it ends; 0: when the match is over."""


@dataclass(frozen=True)
class Learner:
    """What a learner plays, against whom, and what it decides itself.

    Unless it lays down itself, melds and lay-offs after a knock are played for it, as well as can
    be: it then has fewer actions, and sees less.
    """

    game: Game
    opponent: AnyAgent
    episode: str
    lays_down: bool

    @cached_property
    def observation(self) -> Observation:
        """What it sees."""
        return Observation(self.game, short=not self.lays_down)

    @property
    def actions(self) -> int:
        """How many actions there are, numbered as in the rules."""
        return self.game.rules.ACTIONS if self.lays_down else encoding_of(self.game).asked

    @property
    def rest(self) -> KernelAgent:
        """What plays for the learner where it does not decide itself."""
        encoding = encoding_of(self.game)
        return KernelAgent("rest", encoding.rest, self.game.options, workspace=encoding.workspace)

    def series(self, seed: int) -> Columns:
        """The matches of a seed, in each of which the learner sits in another seat."""
        others = self.game.seats - 1
        return make_series(
            self.game,
            ["learner", *["opponent"] * others],
            seed,
            EPISODES[self.episode],
            choosers=[0, *[1] * others],
        )

    def table(self, width: int, seed: int, **settings: Any) -> Any:
        """So many matches side by side, in which only the learner is asked."""
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
    """A match in which the learner is asked, and everybody else is played for it.

    It is the match that a table of the same seed plays in its only row.
    """

    def __init__(self, learner: Learner, seed: int, number: int) -> None:
        self._learner, game = learner, learner.game
        series = learner.series(seed)
        place = number * row_stride(series, 1)
        self.seat = line_ups(series, place, 1)[0].tolist().index(0)
        others = [seat for seat in range(game.seats) if seat != self.seat]
        is_heard = is_told(learner.opponent)
        self._stories = {seat: Story(game, seat) for seat in others if is_heard}
        self.match = Match.from_seed(
            game,
            seed,
            place // int(series.games_in_round[0]),
            EPISODES[learner.episode],
            stories=list(self._stories.values()),
        )
        self._chances = [
            Random.from_seed(derive(seed, Purpose.AGENT, place, seat)) for seat in range(game.seats)
        ]
        self._rest = learner.rest
        self._go_on()

    @property
    def is_over(self) -> bool:
        """Whether the learner has no more choices."""
        return self.match.is_over

    @property
    def actions(self) -> list[Action]:
        """What the learner may do."""
        return [] if self.is_over else self.match.deal.actions

    def observe(self) -> View:
        """What the learner may know."""
        return self.match.deal.observe(self.seat)

    def play(self, action: Action) -> float:
        """Play an action of the learner, and the others' up to its next; returns what it brought."""
        before = list(self.match.scores)
        self.match.apply(action)
        self._go_on()
        gained = [now - then for now, then in zip(self.match.scores, before, strict=True)]
        own = gained.pop(self.seat)
        return own - sum(gained) / len(gained)

    def _go_on(self) -> None:
        """Play until the learner has a choice."""
        match, game = self.match, self._learner.game
        while not match.is_over:
            deal = match.next_deal() if match.deal.is_over else match.deal
            actions, seat = deal.actions, deal.seat
            if len(actions) > 1 and seat == self.seat and actions[0] < self._learner.actions:
                return
            agent = self._rest if seat == self.seat else self._learner.opponent
            story, chance = self._stories.get(seat), self._chances[seat]
            match.apply(ask(game, agent, deal.observe(), actions, chance, story))
        if isinstance(self._learner.opponent, ToldAgent):
            for story in self._stories.values():
                self._learner.opponent.hear_out(story)


def make_learner(game: str, opponent: str, episode: str, lays_down: bool) -> Learner:
    """A learner from what was asked for, or an error."""
    check_episode(episode)
    rules = parse_game(game)
    return Learner(rules, parse_agent(opponent, rules), episode, lays_down)


def check_episode(episode: str) -> None:
    """Refuse an episode that is neither a deal nor a match."""
    if episode not in EPISODES:
        raise OptionsError(f"unknown episode {episode!r}: {one_of(EPISODES)}")
