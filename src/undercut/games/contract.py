"""The interface of a game, and a rule set: a game with its options fixed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol

from undercut.cards.packs import Pack
from undercut.games.table import readable
from undercut.games.table.plain_description import Plain
from undercut.games.table.readable import Seen
from undercut.games.table.themes import Theme
from undercut.kernels.records import Action, Buffer, Layout, Options, Seat, State, View
from undercut.kernels.rng import Generator

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from undercut.play.deal import Deal

    House = TypeVar("House", default=Any)  # the NamedTuple of a game's house rules
else:
    from typing import TypeVar

    House = TypeVar("House")

MAX_SEATS = 8
USUAL = "skilled"  # the default level of opponents
TALLIES = 16  # the most counts that a game keeps of a match


class Rate(NamedTuple):
    """A statistic that a game reports: one count of its TALLY divided by another."""

    name: str
    counted: str
    per: str = "deals"
    is_share: bool = False  # true if each deal counts at most once


class Rules(Protocol[House]):
    """A rules module: two layouts and a handful of kernels. `undercut check GAME` tests it.

    Each kernel takes only the argument types named here: int64 buffers, int64 numbers and records
    of the two layouts. Any other type would compile it once more at every start.
    A game that shuffles during a deal also has the kernel `reseed(state, seed)`, which runs after
    `begin` and seeds those shuffles. Without it, a player who knows part of the initial deck might
    predict a shuffle that depends on it.
    """

    def __hash__(self) -> int: ...

    NAME: str  # also the name of a preset
    VERSION: int  # rises when behaviour, actions or views change
    SEATS: tuple[int, int]  # the fewest and the most players; if they differ, option `players`
    STATE: Layout  # has `deck`, all cards in order, `hands`, a mask per seat, and `seat`, on turn
    VIEW: Layout  # has `me`, the seat that sees it, `seat`, the seat on turn, and `scores`
    LEGAL: int  # the most legal actions at once
    ACTIONS: int  # actions are the numbers below this one

    @property
    def Options(self) -> type[House]:  # noqa: N802
        """A NamedTuple whose fields are declared with `text.spec.Option`."""

    @property
    def TALLY(self) -> tuple[str, ...]:  # noqa: N802
        """Names of the counts that `tally` keeps, at most TALLIES."""

    @property
    def RATES(self) -> tuple[Rate, ...]:  # noqa: N802
        """The statistics that are computed from these counts."""

    @property
    def PRESETS(self) -> Mapping[str, House]:  # noqa: N802
        """Named options, the default ones first."""

    @property
    def VARIANTS(self) -> Mapping[str, Mapping[str, Callable[[House], House]]]:  # noqa: N802
        """Named changes of options, by preset."""

    def find_problem(self, options: House, /) -> str:
        """The problem of options that are within their limits; "" if there is none."""

    def deal(
        self, state: State, options: House, generator: Generator, starter: Seat, scores: Buffer, /
    ) -> None:
        """Shuffle the deck and `begin`; the state's memory may hold anything before."""

    def begin(self, state: State, options: House, starter: Seat, scores: Buffer, /) -> None:
        """Deal from the state's deck in its present order; write every other field."""

    def legal(self, state: State, options: House, out: Buffer, /) -> int:
        """Write the legal actions of the seat on turn, each once; return their number.

        It is 0 exactly if the deal is over. The seat's view determines the legal actions.
        """

    def apply(self, state: State, options: House, action: Action, /) -> None:
        """Play a legal action; `play/deal.py` refuses any other. Every deal ends."""

    def observe(self, state: State, options: House, seat: Seat, view: View, /) -> None:
        """Fill a view with what a seat may know, and nothing else; do not change the state."""

    def clear_view(self, view: View, /) -> None:
        """Clear the fields that `observe` does not write, for memory that is not zeroed."""

    def complete(self, view: View, options: House, generator: Generator, state: State, /) -> None:
        """Sample a determinization: a state that looks like this view to its seat.

        All such states are equally likely. The view does not change.
        """

    def is_over(self, state: State, /) -> bool:
        """Whether the deal has ended."""

    def score(self, state: State, options: House, out: Buffer, /) -> None:
        """Write every seat's points for a deal that is over; none is below 0."""

    def tally(self, state: State, options: House, gained: Buffer, counts: Buffer, /) -> None:
        """Add the counts of a deal that is over, in the order of TALLY."""

    def first_starter(self, options: House, seats: int, generator: Generator, /) -> Seat:
        """The seat that plays first in the first deal."""

    def next_starter(self, state: State, options: House, /) -> Seat:
        """The seat that plays first in the next deal, once this one is over."""

    def is_match_over(self, scores: Buffer, deals: int, options: House, /) -> bool:
        """Whether the match has ended after this many deals."""


class Choice(NamedTuple):
    """A decision of a seat."""

    seat: Seat
    view: View  # at that time
    legal: list[Action]
    action: Action


class Notation(Protocol):
    """The text of a game: its actions, its positions and the events of its records."""

    def format_action(self, action: Action, /) -> str: ...
    def parse_action(self, text: str, /) -> Action: ...
    def format_public(self, action: Action, after: View, /) -> str:
        """An action, as the seat with this view after it may know it."""

    def format_view(self, view: View, /) -> str:
        """The part of a position string that follows the game's name."""

    def parse_view(self, text: str, options: Any, /) -> View: ...
    def format_hand(self, view: View, /) -> str:
        """The viewing seat's cards."""

    def hidden_gain(self, before: View, after: View, /) -> str:
        """The cards that the viewing seat gained unseen by others."""

    def format_upcard(self, view: View, /) -> str:
        """The first upcard, "" without one."""

    def format_outcome(self, view: View, /) -> str:
        """How a deal ended."""


@dataclass(frozen=True)
class Level:
    """An opponent of a certain strength, with a name that a player understands."""

    name: str
    spec: str  # the agent
    about: str  # how it plays, in a card player's words


@dataclass(frozen=True, eq=False)
class Family(Generic[Seen]):
    """A game as the rest of the program knows it: FAMILY of the module `family` in its folder.

    Its agents are the modules in the folder `players`.
    """

    rules: Rules
    notation: Notation
    package: str  # the folder, as imports name it
    opponent: str  # the default agent at a table: strong, and quick enough to wait for
    reference: str  # the agent that all others are measured against
    measured_at: str  # the rule set of these measurements
    also_measured: tuple[str, ...] = ()  # specs, in addition to every agent's default
    levels: tuple[Level, ...] = ()  # opponents for people, the weakest first
    encoding: str = ""  # the observation of its networks, as module:name; "" without networks
    guide: str = ""  # the strongest agent that decides quickly; "" for `opponent`
    rollouts: str = ""  # the agent that plays rollouts of evaluations; "" for `opponent`
    joint: str = ""  # the network of its joint belief, as module:name; "" without
    endings: str = ""  # its `Endings` for evaluations, as module:name; "" for three by points
    bench: str = ""  # the module with its benchmarks; "" without
    belief: str = ""  # its `Belief` about the other hand, as module:name; "" without
    chance: str = ""  # the module with its chance nodes; "" without
    histories: str = ""  # the module that reads and writes OpenSpiel's histories; "" without
    luck: str = ""  # its luck correction of results, as module:name; "" without
    description: Plain[Any] | None = None  # without one, screens use `Plain`
    themes: tuple[Theme[Any], ...] = ()  # kinds of errors, for reviews
    renew: Callable[[str], str] | None = None  # rewrites an earlier version's text
    view: type[Seen] = readable.View  # type: ignore[assignment]  # one seat's view, in words

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.NAME

    @property
    def pack(self) -> Pack:
        """The cards it is played with."""
        return Pack("plain") if self.description is None else self.description.pack

    @property
    def usual(self) -> str:
        """The default opponent: the skilled level, or the agent `opponent` without levels."""
        return USUAL if any(level.name == USUAL for level in self.levels) else self.opponent

    def played_by(self, spec: str) -> str:
        """The agent of a level; any other spec is returned as it is."""
        return next((level.spec for level in self.levels if level.name == spec), spec)


@dataclass(frozen=True)
class Game(Generic[Seen]):
    """A rule set that can be played: a game, its options and the number of seats.

    Its type parameter is the type of its seats' views: Game[GinView].
    """

    name: str  # its spec, such as "distilled+knock"
    family: Family[Seen]
    options: Options
    seats: int

    @property
    def rules(self) -> Rules:
        """The rules module."""
        return self.family.rules

    @property
    def notation(self) -> Notation:
        """The text of actions and positions."""
        return self.family.notation

    def deal(
        self, seed: int | str = 0, starter: Seat = 0, scores: tuple[int, ...] | None = None
    ) -> "Deal[Seen]":
        """Deal the cards. `Deal` is imported here, since its folder is above this one."""
        deal: Deal[Seen] = import_module("undercut.play.deal").Deal(self, seed, starter, scores)
        return deal

    def __reduce__(self) -> tuple[object, ...]:
        return _parse_again, (self.name,)

    def __deepcopy__(self, memo: dict[int, object]) -> "Game":
        return self

    def __repr__(self) -> str:
        return f"Game({self.name!r})"


def _parse_again(name: str) -> Game:
    """A game that was pickled as its name."""
    game: Game = import_module("undercut.games.families").parse_game(name)
    return game
