"""A person's seat in a match, without a screen.

A session gives views, texts and the events that the person saw, and it takes the text of an
action. The match itself, with the other hands, stays with the host. A session with a seed plays
the same deals, with the same random numbers for agents, as the first match of a batch with that
seed.
"""

from collections.abc import Sequence

from undercut.app.company import Player, company
from undercut.app.history import Moment, Past
from undercut.app.host import Host, Result
from undercut.games.contract import Game
from undercut.games.table.description import YOU, Event
from undercut.games.table.readable import View
from undercut.kernels.records import Seat
from undercut.play.agent import AnyAgent
from undercut.play.records.events import Event as Note
from undercut.play.seeds import AnySeed
from undercut.play.winners import winners
from undercut.text.errors import OptionsError
from undercut.text.printable import printable
from undercut.text.translation import say


class Session:
    """A match in progress, as far as one person may see it.

    >>> from undercut.players.catalog import parse_agent
    >>> from undercut.games.families import parse_game
    >>> game = parse_game("gin:first_starter=0")
    >>> session = Session(game, [parse_agent("simple", game)], seed=1)
    >>> session.choices()
    ['take', 'pass']
    >>> session.play("take")
    >>> session.events
    [Event(seat=0, verb='take', cards=('Jd',), target='', unseen=0, effects=())]
    """

    def __init__(
        self,
        game: Game,
        opponents: Sequence[AnyAgent],
        seed: AnySeed | None = None,
        person: Seat = 0,
    ) -> None:
        if len(opponents) != game.seats - 1:
            raise OptionsError(
                f"{len(opponents)} opponents: {game.name} is played against {game.seats - 1}"
            )
        if not 0 <= person < game.seats:
            raise OptionsError(f"seat {person}: must be from 0 to {game.seats - 1}")
        self._host = Host(game, [*opponents[:person], None, *opponents[person:]], seed)
        self.person, self.game = person, game
        self.go_on()

    @classmethod
    def at(cls, host: Host, person: Seat) -> "Session":
        """A seat in an existing match; the agents answer first."""
        session = cls.beside(host, person)
        session.go_on()
        return session

    @classmethod
    def beside(cls, host: Host, person: Seat) -> "Session":
        """A seat in an existing match; agents may still have to answer."""
        session = cls.__new__(cls)
        session._host, session.person, session.game = host, person, host.game
        return session

    @property
    def results(self) -> list[Result]:
        return self._host.results

    @property
    def events(self) -> list[Event]:
        """The events of the deal on the table, the person's own actions included."""
        return self._host.events[self.person]

    @property
    def starter(self) -> Seat:
        """The seat that started the deal on the table."""
        return self._host.starter

    @property
    def commitment(self) -> str:
        """The commitment to the deal, shown before the deal so that the person can check it."""
        return self._host.commitment

    @property
    def company(self) -> tuple[Player, ...]:
        """The players of all seats as others see them."""
        agents = self._host.players
        players = [YOU if agent is None else agent.name for agent in agents]
        called = [call_player(printable(short_name(name)), self.game) for name in players]
        return company(players, called, self._host.named)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all seats; the person is `you`."""
        names = [player.name for player in self.company]
        names[self.person] = YOU
        return tuple(names)

    @property
    def people(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, agent in enumerate(self._host.players) if agent is None)

    @property
    def scores(self) -> tuple[int, ...]:
        return self._host.scores

    @property
    def deal_number(self) -> int:
        """The number of the deal on the table, from 0."""
        return len(self.results) - self.is_deal_over

    @property
    def acted(self) -> int:
        """The number of actions that the person has seen, forced ones included."""
        return self._host.acted

    def past(self, ply: int, deal: int | None = None) -> "Session":
        """The same seat at an earlier ply; `Past` explains `deal`."""
        return Session.at(Past(Moment.of(self._host), ply, deal), self.person)

    @property
    def why_no_undo(self) -> str:
        """Why the person cannot undo the last choice, "" if that is possible."""
        return self._host.why_no_undo(self.person)

    @property
    def is_deal_over(self) -> bool:
        """Whether the deal on the table has ended."""
        return self._host.match.deal.is_over

    @property
    def is_training(self) -> bool:
        return self._host.training

    @property
    def is_coached(self) -> bool:
        """Whether anybody at the table has asked the coach."""
        return bool(self._host.coached)

    @property
    def agreed(self) -> tuple[Seat, ...]:
        """The people who let everybody ask the coach."""
        return tuple(sorted(self._host.agreed))

    def agree(self) -> None:
        """Let everybody at the table ask the coach."""
        self._host.agree(self.person)

    def note_coached(self) -> None:
        """Note that the person asks the coach; an error if not everybody agrees."""
        self._host.note_coached(self.person)

    @property
    def is_left(self) -> bool:
        return self._host.match.is_left

    @property
    def is_over(self) -> bool:
        return self._host.match.is_over

    @property
    def is_agents_turn(self) -> bool:
        """Whether an agent has not answered yet."""
        return self._host.agent_on_turn is not None

    @property
    def on_turn(self) -> Seat | None:
        """The seat that the match waits for; None when the deal is over, or the match was left."""
        return self._host.on_turn

    @property
    def person_on_turn(self) -> Seat:
        """The seat of the person whom the match waits for."""
        seat = self._host.on_turn
        assert seat is not None, "somebody has a choice"
        return seat

    def neighbour(self, person: Seat) -> "Session":
        """The seat of another person at the same table."""
        return Session.at(self._host, person)

    def view(self) -> View:
        """The person's view, with the actions that the person may choose now."""
        return self._host.view(self.person)

    def open_hands(self) -> tuple[tuple[str, ...], ...]:
        """Every hand, by seat, once the deal on the table is over; none before."""
        if not self.is_deal_over:
            return ()
        return tuple(self._host.view(seat).hand.texts for seat in range(self.game.seats))

    def choices(self) -> list[str]:
        """The texts of the actions that the person may choose now."""
        legal = self._host.match.deal.legal if self._host.on_turn == self.person else []
        return [str(action) for action in legal]

    def play(self, text: str) -> None:
        """Play the person's action, and let agents answer until a person has a choice."""
        self.choose(text)
        self.go_on()

    def choose(self, text: str) -> None:
        """Play the person's action, without the answers of agents."""
        self._host.play(self.person, text)

    def go_on(self) -> None:
        """Let agents answer until a person has a choice, or the deal is over."""
        self._host.advance()

    def undo(self) -> None:
        self._host.undo(self.person)

    def leave(self) -> None:
        self._host.leave(self.person)

    def next_deal(self) -> None:
        """Deal the next deal, and let agents play until a person has a choice."""
        self.deal_again()
        self.go_on()

    def deal_again(self) -> None:
        """Deal the next deal, without the answers of agents."""
        self._host.next_deal()

    def winners(self) -> list[Seat]:
        """The seats with the highest score."""
        return winners(self.scores)

    def record(self) -> list[Note]:
        """The complete record of a match that is over or was left."""
        return self._host.record()


def call_player(name: str, game: Game) -> str:
    """The name of an opponent; the names of levels are translated."""
    return say(name) if any(level.name == name for level in game.family.levels) else name


def short_name(name: str) -> str:
    """The name of an agent at the table.

    >>> [short_name(name) for name in ("simple", "python:bots/mine.py:Brave", "thrifty:link=2")]
    ['simple', 'Brave', 'thrifty']
    """
    return name.rpartition(":")[2] if name.startswith("python:") else name.partition(":")[0]
