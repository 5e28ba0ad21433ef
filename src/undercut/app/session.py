"""A person's match against agents, without a screen.

Out go views, words and what the person saw the others do; in comes the text of an action. The
match itself, and with it the other hands, stays inside. A session with a seed plays the same deals,
with the same chance for the agents, as the first match of a batch with that seed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from undercut.core.agent import AnyAgent, Random
from undercut.core.errors import IllegalAction, OptionsError
from undercut.core.records import (
    Action,
    Seat,
    View,
)
from undercut.core.rng import Seed
from undercut.games.contract import Game
from undercut.games.description import YOU, Event
from undercut.games.plain import description_of
from undercut.play import fairness, record
from undercut.play.ask import ask
from undercut.play.deal import Deal
from undercut.play.events import Ended, Over
from undercut.play.events import Event as Note
from undercut.play.match import Match
from undercut.play.seeds import Purpose, check_seed, derive


@dataclass(frozen=True)
class Result:
    """A deal that is over: its points, and what is needed to check it."""

    points: tuple[int, ...]
    scores: tuple[int, ...]  # of the match, after it
    commitment: str
    seed: Seed
    salt: str


class Session:
    """A match in progress, as one person may know it.

    >>> from undercut.games.agents import parse_agent
    >>> from undercut.games.families import parse_game
    >>> game = parse_game("gin:first_starter=0")
    >>> session = Session(game, [parse_agent("simple", game)], seed=1)
    >>> session.choices()
    ['take', 'pass']
    >>> session.play("take")
    >>> session.events
    [Event(seat=0, text='take Jd')]
    """

    def __init__(
        self,
        game: Game,
        opponents: Sequence[AnyAgent],
        seed: Seed | None = None,
        person: Seat = 0,
    ) -> None:
        if len(opponents) != game.seats - 1:
            raise OptionsError(
                f"{len(opponents)} opponents: {game.name} is played against {game.seats - 1}"
            )
        if not 0 <= person < game.seats:
            raise OptionsError(f"seat {person}: must be from 0 to {game.seats - 1}")
        self.game = game
        self.person = person
        self.results: list[Result] = []  # of the deals that are over
        self.events: list[Event] = []  # of the deal on the table, the person's own among them
        self._agents: list[AnyAgent | None] = [*opponents[:person], None, *opponents[person:]]
        self._see = description_of(game.family).seen
        self._notes: list[Note] = []  # all that happened, hidden cards included
        seed = fairness.new_seed() if seed is None else check_seed(seed)
        self._chances = [
            Random.from_seed(derive(seed, Purpose.AGENT, 0, seat)) for seat in range(game.seats)
        ]
        self._match = Match.from_seed(game, seed, note=self._notes.append)
        self._begin_deal()

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits in each seat; the person is `you`, and namesakes have a letter each."""
        names = [YOU if agent is None else short_name(agent.name) for agent in self._agents]
        letters = {name: iter(ascii_uppercase) for name in names if names.count(name) > 1}
        return tuple(f"{name} {next(letters[name])}" if name in letters else name for name in names)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the match, by seat."""
        return self.results[-1].scores if self.results else (0,) * self.game.seats

    @property
    def deal_number(self) -> int:
        """Which deal of the match is on the table, from 0."""
        return len(self.results) - self.is_deal_over

    @property
    def is_deal_over(self) -> bool:
        """Whether the deal on the table has ended."""
        return self._deal.is_over

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self._match.is_over

    def view(self) -> View:
        """What the person may know."""
        return self._deal.view(self.person)

    def choices(self) -> list[str]:
        """What the person may do now, in words; nothing when the deal is over."""
        return self._deal.texts() if self._deal.seat == self.person else []

    def play(self, text: str) -> None:
        """Play the person's action, then the others' until the person has a choice again."""
        if self.is_deal_over:
            raise IllegalAction(f"the deal is over: {text!r} cannot be played")
        action = self.game.notation.parse_action(text)
        if self._deal.seat != self.person or action not in self._deal.legal:
            raise IllegalAction(f"{text!r} is not allowed now: " + ", ".join(self.choices()))
        self._apply(action)
        self._advance()

    def next_deal(self) -> None:
        """Deal again after a deal that is over, and play up to the person's first choice."""
        self._match.next_deal()
        self._begin_deal()

    def winners(self) -> list[Seat]:
        """The seats that are ahead, or that have won when the match is over."""
        best = max(self.scores)
        return [seat for seat, score in enumerate(self.scores) if score == best]

    def record(self) -> list[Note]:
        """The record of the deals that are over, nothing hidden; ready to be written."""
        ends = [place for place, note in enumerate(self._notes) if isinstance(note, Ended)]
        over = self._notes[: ends[-1] + 1] if ends else []
        shares = [(seat in self.winners()) / len(self.winners()) for seat in range(self.game.seats)]
        last = Over(scores=list(self.scores), shares=shares)
        players = [YOU if agent is None else agent.name for agent in self._agents]
        return [record.header(self.game, players), *over, last]

    def _begin_deal(self) -> None:
        """Put the match's next deal on the table."""
        self._deal: Deal = self._match.deal
        self.starter = self._match.starter
        self.commitment = self._match.commitment
        self.events = []
        self._advance()

    def _advance(self) -> None:
        """Play on to the person's next choice; an action without alternative is played unasked."""
        while not self._deal.is_over:
            legal = self._deal.legal
            if len(legal) == 1:
                self._apply(legal[0])
            elif self._deal.seat == self.person:
                return
            else:
                self._apply(self._answer(self._deal.seat, legal))
        self._settle()

    def _answer(self, seat: Seat, legal: list[Action]) -> Action:
        """What the agent in a seat plays."""
        view, chance = self._deal.view(seat), self._chances[seat]
        agent = self._agents[seat]
        assert agent is not None, "the person is asked elsewhere"
        return ask(self.game, agent, view, legal, chance)

    def _apply(self, action: Action) -> None:
        seat, before = self._deal.seat, self.view()
        self._match.apply(action)
        self.events.append(Event(seat, self._see(action, before, self.view(), seat)))

    def _settle(self) -> None:
        end = next(note for note in reversed(self._notes) if isinstance(note, Ended))
        points, scores = tuple(end.points), tuple(end.scores)
        self.results.append(Result(points, scores, self.commitment, end.seed, end.salt))


def short_name(name: str) -> str:
    """What to call an agent at the table.

    >>> [short_name(name) for name in ("simple", "python:bots/mine.py:Brave", "thrifty:link=2")]
    ['simple', 'Brave', 'thrifty']
    """
    return name.rpartition(":")[2] if name.startswith("python:") else name.partition(":")[0]
