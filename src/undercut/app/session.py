"""A person's seat in a match, without a screen.

Out go views, words and what the person saw the others do; in comes the text of an action. The
match itself, and with it the other hands, stays with the host. A session with a seed plays the same
deals, with the same chance for the agents, as the first match of a batch with that seed.
"""

from collections.abc import Sequence
from string import ascii_uppercase

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
    """A match in progress, as one person may know it.

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
        """A seat in a match that is there already; the agents answer first."""
        session = cls.beside(host, person)
        session.go_on()
        return session

    @classmethod
    def beside(cls, host: Host, person: Seat) -> "Session":
        """A seat in a match that is there already; agents may still have to answer."""
        session = cls.__new__(cls)
        session._host, session.person, session.game = host, person, host.game
        return session

    @property
    def results(self) -> list[Result]:
        """The deals that are over."""
        return self._host.results

    @property
    def events(self) -> list[Event]:
        """The events of the deal on the table, the person's own actions included."""
        return self._host.events[self.person]

    @property
    def starter(self) -> Seat:
        """The seat that began the deal on the table."""
        return self._host.starter

    @property
    def commitment(self) -> str:
        """The commitment to the deal, published before it, with which the person can check it."""
        return self._host.commitment

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all seats; the person is `you`, and namesakes have a letter each."""
        names = [
            (YOU if seat == self.person else say("person"))
            if agent is None
            else call_player(printable(short_name(agent.name)), self.game)
            for seat, agent in enumerate(self._host.players)
        ]
        letters = {name: iter(ascii_uppercase) for name in names if names.count(name) > 1}
        return tuple(f"{name} {next(letters[name])}" if name in letters else name for name in names)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people."""
        return tuple(seat for seat, agent in enumerate(self._host.players) if agent is None)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the match, by seat."""
        return self._host.scores

    @property
    def deal_number(self) -> int:
        """Which deal of the match is on the table, from 0."""
        return len(self.results) - self.is_deal_over

    @property
    def acted(self) -> int:
        """How many actions of the match the person has seen; it does not tell which were forced."""
        return self._host.acted

    @property
    def deals(self) -> int:
        """How many deals have been dealt."""
        return self._host.deals

    def past(self, ply: int, deal: int | None = None) -> "Session":
        """The same seat as it was at a ply: `Past` says what `deal` is for."""
        return Session.at(Past(Moment.of(self._host), ply, deal), self.person)

    @property
    def why_no_undo(self) -> str:
        """Why the person's last choice cannot be taken back, "" if it can."""
        return self._host.why_no_undo(self.person)

    @property
    def is_deal_over(self) -> bool:
        """Whether the deal on the table has ended."""
        return self._host.match.deal.is_over

    @property
    def is_training(self) -> bool:
        """Whether moves may be taken back."""
        return self._host.training

    @property
    def is_left(self) -> bool:
        """Whether somebody has ended the match before it was over."""
        return self._host.match.is_left

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
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
        """The person whom the match waits for."""
        seat = self._host.on_turn
        assert seat is not None, "somebody has a choice"
        return seat

    def neighbour(self, person: Seat) -> "Session":
        """The seat of another person at the same table."""
        return Session.at(self._host, person)

    def view(self) -> View:
        """The person's view, with the actions that the person may choose now."""
        return self._host.view(self.person)

    def choices(self) -> list[str]:
        """The actions that the person may choose now, in words; none when the deal is over."""
        legal = self._host.match.deal.legal if self._host.on_turn == self.person else []
        return [str(action) for action in legal]

    def play(self, text: str) -> None:
        """Play the person's action, then the agents' until a person has a choice again."""
        self.choose(text)
        self.go_on()

    def choose(self, text: str) -> None:
        """Play the person's action; the agents have still to answer it."""
        self._host.play(self.person, text)

    def go_on(self) -> None:
        """Let agents answer until a person has a choice, or the deal is over."""
        self._host.advance()

    def undo(self) -> None:
        """Take the person's last choice back, and all that followed."""
        self._host.undo(self.person)

    def leave(self) -> None:
        """End the match for good, before it is over."""
        self._host.leave(self.person)

    def next_deal(self) -> None:
        """Deal again after a deal that is over, and play up to the first choice of a person."""
        self.deal_again()
        self.go_on()

    def deal_again(self) -> None:
        """Deal again after a deal that is over; agents may still have to answer."""
        self._host.next_deal()

    def winners(self) -> list[Seat]:
        """The seats that are ahead, or that have won when the match is over."""
        return winners(self.scores)

    def record(self) -> list[Note]:
        """The record of a match that is over or was left, nothing hidden; ready to be written."""
        return self._host.record()


def call_player(name: str, game: Game) -> str:
    """An opponent in the language that is spoken: levels have names that mean something."""
    return say(name) if any(level.name == name for level in game.family.levels) else name


def short_name(name: str) -> str:
    """The name of an agent at the table.

    >>> [short_name(name) for name in ("simple", "python:bots/mine.py:Brave", "thrifty:link=2")]
    ['simple', 'Brave', 'thrifty']
    """
    return name.rpartition(":")[2] if name.startswith("python:") else name.partition(":")[0]
