"""The interface of a game, and a rule set: a game with its options fixed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from undercut.cards.packs import Pack
from undercut.games.table import readable
from undercut.games.table.actions import Action as ActionText
from undercut.games.table.description import Company, Event, Question, Sentences, Summary, Table
from undercut.games.table.readable import Seen
from undercut.kernels.records import Action, Buffer, Layout, Options, Seat, State, View
from undercut.kernels.rng import Generator

if TYPE_CHECKING:
    from undercut.play.deal import Deal

MAX_SEATS = 8
USUAL = "skilled"  # the level of those whom a person meets unless he asks for others
TALLIES = 16  # counts a game may keep of a match


class Rate(NamedTuple):
    """A statistic that a game reports: a count of its TALLY, in relation to another."""

    name: str
    counted: str
    per: str = "deals"
    is_share: bool = False  # true if each counts at most once, so that it is a share


class Rules(Protocol):
    """A rules module: two layouts and a handful of kernels. `undercut check GAME` tries all of this.

    A kernel is called with one kind of arguments only, those named here: buffers are int64, numbers
    are int64, records have the layouts. Another kind would compile it once more at every start.
    A game that shuffles during a deal also has the kernel `reseed(state, seed)`, which sets the seed
    that decides how. It is called after `begin`. Without it, a player who knows part of the order
    in which the deck began might guess a shuffle that follows from it.
    """

    def __hash__(self) -> int: ...

    NAME: str  # also that of a preset
    VERSION: int  # rises when behaviour, actions or views change
    SEATS: tuple[int, int]  # the fewest and the most players; where they differ, option `players`
    STATE: Layout  # has `deck`, all cards in order, `hands`, a mask a seat, and `seat`, on turn
    VIEW: Layout  # has `me`, whose view it is, `seat`, who is on turn, and `scores`
    LEGAL: int  # the most actions that can be legal at once
    ACTIONS: int  # actions are the numbers from 0 to this one, which is none
    Options: Any  # a NamedTuple whose fields are declared as `text.spec.Option` says

    @property
    def TALLY(self) -> tuple[str, ...]:  # noqa: N802
        """Names of the counts that `tally` keeps, at most TALLIES."""

    @property
    def RATES(self) -> tuple[Rate, ...]:  # noqa: N802
        """The statistics that are reported of them."""

    @property
    def PRESETS(self) -> Mapping[str, Any]:  # noqa: N802
        """Options that have a name: any number of them, the usual ones first."""

    @property
    def VARIANTS(self) -> Mapping[str, Mapping[str, Callable[..., Any]]]:  # noqa: N802
        """By preset: changes of options that have a name."""

    def find_problem(self, options: Any, /) -> str:
        """The problem of options that are within their limits; "" if there is none."""

    def deal(
        self, state: State, options: Any, generator: Generator, starter: Seat, scores: Buffer, /
    ) -> None:
        """Shuffle the deck and `begin`; the memory of the state may hold anything before."""

    def begin(self, state: State, options: Any, starter: Seat, scores: Buffer, /) -> None:
        """Deal from the deck as it lies in the state; every other field is written."""

    def legal(self, state: State, options: Any, out: Buffer, /) -> int:
        """Write what the seat on turn may do, each action once; return how many, 0 if the deal is over.

        While it is not over there is at least one. A seat knows from its view what it may do.
        """

    def apply(self, state: State, options: Any, action: Action, /) -> None:
        """Play a legal action; `play/deal.py` refuses any other. Every deal ends."""

    def observe(self, state: State, options: Any, seat: Seat, view: View, /) -> None:
        """Fill a view with what a seat may know, and nothing else; the state stays as it is."""

    def clear_view(self, view: View, /) -> None:
        """Clear the fields that `observe` does not write: needed where memory does not start as 0."""

    def complete(self, view: View, options: Any, generator: Generator, state: State, /) -> None:
        """Fill a state with a position that looks like this view to its seat, the rest by chance.

        Each position that looks so is equally likely. The view stays as it is.
        """

    def is_over(self, state: State, /) -> bool:
        """Whether the deal has ended."""

    def score(self, state: State, options: Any, out: Buffer, /) -> None:
        """Write every seat's points for a deal that is over; none is below 0."""

    def tally(self, state: State, options: Any, gained: Buffer, counts: Buffer, /) -> None:
        """Add what the game counts of a deal that is over, in the order of TALLY."""

    def first_starter(self, options: Any, seats: int, generator: Generator, /) -> Seat:
        """Who plays first in the first deal."""

    def next_starter(self, state: State, options: Any, /) -> Seat:
        """Who plays first in the next deal, once this one is over."""

    def is_match_over(self, scores: Buffer, deals: int, options: Any, /) -> bool:
        """Whether the match has ended after so many deals."""


class Choice(NamedTuple):
    """A decision that somebody has made."""

    seat: Seat
    view: View  # what the seat knew
    legal: list[Action]
    action: Action


class Notation(Protocol):
    """The text of a game: its actions, its positions and what records say."""

    def format_action(self, action: Action, /) -> str: ...
    def parse_action(self, text: str, /) -> Action: ...
    def format_public(self, action: Action, after: View, /) -> str:
        """An action, as a seat may know it that sees this after it."""

    def format_view(self, view: View, /) -> str:
        """The part of a position string that follows the game's name."""

    def parse_view(self, text: str, options: Any, /) -> View: ...
    def format_hand(self, view: View, /) -> str:
        """The cards of the seat that looks."""

    def hidden_gain(self, before: View, after: View, /) -> str:
        """Cards that came into its hand unseen by others."""

    def format_upcard(self, view: View, /) -> str:
        """The first card that lay open for all, "" without one."""

    def format_outcome(self, view: View, /) -> str:
        """How a deal ended."""


Looked = TypeVar("Looked", bound=readable.View, contravariant=True)


class Description(Protocol[Looked]):
    """A game for people, in plain data and sentences: games/table/description.py has the data.

    `games/table/plain_description.py` gives all of this for any game, so a description has to say only what it can
    say better. Views are those of the viewing seat, and a description reads nothing else.
    """

    @property
    def pack(self) -> Pack:
        """The cards it is played with."""

    @property
    def titles(self) -> Mapping[str, str]:
        """The game's titles, by the name of a preset."""

    @property
    def help(self) -> tuple[tuple[str, str], ...]:
        """The words that may be typed, and their meaning."""

    def goal(self, options: Any, /) -> str:
        """How the match ends, in a few words."""

    def aim(self, options: Any, /) -> Sentences:
        """The aim of the game, for a newcomer."""

    def rules(self, options: Any, /) -> Sentences:
        """The rules as they are played."""

    def table(self, view: Looked, company: Company, /) -> Table:
        """The cards on the table and in the hand."""

    def question(self, view: Looked, company: Company, /) -> Question:
        """The question that a seat on turn has to answer."""

    def refusal(self, view: Looked, action: str, /) -> str:
        """Why an action is not among those that are allowed now, in one line."""

    def seen(self, action: ActionText, before: Looked, after: Looked, /) -> Event:
        """An action of the seat on turn, as one who looked on before and after it saw it."""

    def tell(self, events: Sequence[Event], view: Looked, company: Company, /) -> Sentences:
        """What was seen, in sentences."""

    def summary(self, view: Looked, points: Sequence[int], company: Company, /) -> Summary:
        """How a deal ended, and how its points came about."""

    def read(self, text: str, view: Looked, choices: Sequence[str], /) -> str:
        """The action that somebody typed who was offered these; it need not be one of them."""


@dataclass(frozen=True)
class Level:
    """An opponent under a name that a player understands."""

    name: str
    spec: str  # the agent that plays so
    about: str  # how, in a card player's words


@dataclass(frozen=True, eq=False)
class Family(Generic[Seen]):
    """All that the rest of the program knows of a game: FAMILY of the module `family` in its folder.

    Its agents are the modules of `players` in its folder.
    """

    rules: Rules
    notation: Notation
    package: str  # the folder, as imports name it
    opponent: str  # the agent one meets at a table: strong, and quick enough to wait for
    reference: str  # the agent that all others are measured against
    measured_at: str  # the rule set that is played to measure them
    also_measured: tuple[str, ...] = ()  # specs, beside the agents as they are
    levels: tuple[Level, ...] = ()  # opponents for people, the weakest first
    encoding: str = ""  # how networks see it, as module:name; "" if none can be trained
    bench: str = ""  # the module that says what `bench` measures of it; "" without
    belief: str = ""  # what it provides for guessing the other hand, as module:name; "" without
    chance: str = ""  # the module that says where cards are drawn by chance; "" without
    histories: str = ""  # the module that reads and writes OpenSpiel's histories; "" without
    luck: str = ""  # what takes luck out of its results, as module:name; "" without
    description: Description[Any] | None = None  # without one, people are shown it the plain way
    renew: Callable[[str], str] | None = None  # an earlier version's text, as it is written now
    adviser: str = ""  # the agent whose hints are shown unless another is named; "": the opponent
    view: type[Seen] = readable.View  # type: ignore[assignment]  # what a seat may know, in words

    @property
    def name(self) -> str:
        """What the game is called."""
        return self.rules.NAME

    @property
    def pack(self) -> Pack:
        """The cards it is played with."""
        return Pack("plain") if self.description is None else self.description.pack

    @property
    def usual(self) -> str:
        """The default opponent: a skilled one, or that of a game without levels."""
        return USUAL if any(level.name == USUAL for level in self.levels) else self.opponent

    def played_by(self, spec: str) -> str:
        """The agent that plays at a level; any other spec is its own."""
        return next((level.spec for level in self.levels if level.name == spec), spec)


@dataclass(frozen=True)
class Game(Generic[Seen]):
    """A rule set that can be played: a game, its options, and how many sit down.

    Its type says which views its seats get: Game[GinView].
    """

    name: str  # the spec that names it, such as "distilled+knock"
    family: Family[Seen]
    options: Options
    seats: int

    @property
    def rules(self) -> Rules:
        """Its rules module."""
        return self.family.rules

    @property
    def notation(self) -> Notation:
        """Its text."""
        return self.family.notation

    def deal(
        self, seed: int | str = 0, starter: Seat = 0, scores: tuple[int, ...] | None = None
    ) -> "Deal[Seen]":
        """Deal the cards: a Deal, whose module is imported here, since its floor is above this one."""
        deal: Deal[Seen] = import_module("undercut.play.deal").Deal(self, seed, starter, scores)
        return deal

    def __reduce__(self) -> tuple[object, ...]:
        return _parse_again, (self.name,)

    def __deepcopy__(self, memo: dict[int, object]) -> "Game":
        return self

    def __repr__(self) -> str:
        return f"Game({self.name!r})"


def _parse_again(name: str) -> Game:
    """A game that was pickled: its name says everything."""
    game: Game = import_module("undercut.games.families").parse_game(name)
    return game
