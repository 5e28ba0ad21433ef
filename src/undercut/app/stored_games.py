"""A stored game, and the validation of its row in the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from undercut.app.company import FACE, LONGEST, Person
from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.table.description import YOU
from undercut.kernels.records import Seat
from undercut.play import commitment
from undercut.play.seeds import AnySeed, check_seed
from undercut.players.catalog import ENGINES
from undercut.text.errors import OptionsError, UndercutError, plain
from undercut.text.printable import printable

PLAYING, OVER, LEFT = "playing", "over", "left"


class StoreError(UndercutError):
    def __init__(self, message: str, told: str = "") -> None:
        """`told` is for pages, if the message names a path of this machine."""
        super().__init__(message)
        self.told = told or message


class DealKept(NamedTuple):
    """How a deal of a stored game ended."""

    outcome: str
    points: tuple[int, ...]


@dataclass(frozen=True)
class Pledge:
    """A seed that was committed before a player chose words to mix into it."""

    seed: AnySeed
    salt: str
    words: str = ""

    @property
    def seal(self) -> str:
        """The commitment to the seed, shown before the player types the words."""
        return commitment.commit(self.seed, self.salt)

    @property
    def mixed(self) -> AnySeed:
        """The seed of the match."""
        return commitment.mix(self.seed, self.words)


@dataclass(frozen=True)
class Stored:
    """The data of a stored game apart from its log."""

    number: int
    begun: str  # UTC
    touched: str
    game: str
    version: int  # of the rules
    players: tuple[str, ...]  # specs; YOU for a person
    seed: AnySeed
    training: bool
    state: str
    scores: tuple[int, ...]
    deals: tuple[DealKept, ...] | None = None  # None: an older program did not note them
    pledge: Pledge | None = None  # None: the seed contains no words of a player
    asks_all: bool = False  # people confirm forced actions
    named: Mapping[Seat, Person] = field(default_factory=dict)  # what people say about themselves

    @property
    def people(self) -> list[int]:
        return [seat for seat, player in enumerate(self.players) if player == YOU]

    @property
    def called(self) -> tuple[str, ...]:
        """The names of the players in a list, without paths and commands of this machine."""
        return tuple(map(called, self.players))


def called(player: str) -> str:
    """The name of a player in a list, without a path or command of this machine."""
    if player.startswith(ENGINES):
        return "engine"
    return printable(player.rpartition(":")[2] if "/" in player else player)


@dataclass(frozen=True)
class Damaged:
    """A stored game that cannot be read, and why."""

    number: int
    why: str


def game_of(stored: Stored) -> Game:
    """The rule set of a stored game; an error if the version of the rules has changed."""
    game = parse_game(stored.game)
    if stored.version != game.rules.VERSION:
        raise StoreError(
            f"game {stored.number} was begun by version {stored.version} of the rules of "
            f"{game.rules.NAME}: this program plays version {game.rules.VERSION}"
        )
    return game


_Number = Annotated[int, Meta(ge=1, lt=2**53)]  # a page reads it too
_Points = Annotated[int, Meta(gt=-(2**53), lt=2**53)]
_Switch = Literal[0, 1]
_Name = Annotated[str, Meta(max_length=LONGEST)]
_Face = Annotated[str, Meta(pattern=FACE)]


class _Row(msgspec.Struct, frozen=True):
    """The valid columns of a game."""

    number: _Number
    begun: datetime
    touched: datetime
    game: str
    version: Annotated[int, Meta(ge=0, lt=2**53)]
    players: Annotated[tuple[str, ...], Meta(min_length=1)]
    seed: int
    training: _Switch
    state: Literal["playing", "over", "left"]
    scores: tuple[_Points, ...]
    deals: tuple[tuple[str, tuple[_Points, ...]], ...] | None
    pledge: tuple[int | str, str, str] | None
    asks_all: _Switch
    entropy: str  # the secret of the match; "" if it has a seed
    named: tuple[tuple[int, _Name, _Face], ...] | None


COLUMNS = tuple(each.name for each in msgspec.structs.fields(_Row))


def read_row(row: Sequence[object]) -> Stored | Damaged:
    """A stored game from its columns."""
    values = dict(zip(COLUMNS, row, strict=True))
    try:
        found = msgspec.convert({**values, **_read_lists(values)}, _Row)
        _check(found)
    except (msgspec.MsgspecError, UndercutError) as error:
        return Damaged(int(str(values["number"])), plain(error))
    deals, pledge = found.deals, found.pledge
    return Stored(
        number=found.number,
        begun=str(values["begun"]),
        touched=str(values["touched"]),
        game=found.game,
        version=found.version,
        players=found.players,
        seed=found.entropy or found.seed,
        training=bool(found.training),
        state=found.state,
        scores=found.scores,
        deals=None if deals is None else tuple(DealKept(*each) for each in deals),
        pledge=None if pledge is None else Pledge(*pledge),
        asks_all=bool(found.asks_all),
        named={seat: Person(name, face) for seat, name, face in found.named or ()},
    )


def _read_lists(values: dict[str, object]) -> dict[str, object]:
    """The decoded JSON columns; None for an empty one."""
    found: dict[str, object] = {}
    for name in ("players", "scores", "deals", "pledge", "named"):
        text = values[name]
        if not isinstance(text, str):
            raise StoreError(f"{name}: not a text")
        try:
            found[name] = msgspec.json.decode(text) if text else None
        except (msgspec.MsgspecError, RecursionError) as error:
            raise StoreError(f"{name}: {error}") from None
    return found


def _check(row: _Row) -> None:
    """Check the columns against each other."""
    seeds: dict[str, AnySeed] = {"seed": row.seed, "entropy": row.entropy or 0}
    if row.pledge is not None:
        seeds["pledge"] = row.pledge[0]
    for column, seed in seeds.items():
        try:
            check_seed(seed)
        except OptionsError:  # its message would show the seed, which determines hidden cards
            raise StoreError(f"{column}: not a seed") from None
    if YOU not in row.players:
        raise StoreError(f"players: {YOU!r} is not among them")
    for seat, name, _ in row.named or ():
        if seat not in range(len(row.players)) or row.players[seat] != YOU:
            raise StoreError(f"named: no person has seat {seat}")
        if name != printable(name):
            raise StoreError(f"named: {printable(name)!r} is not a name")
    if any(len(points) != len(row.players) for _, points in row.deals or ()):
        raise StoreError(f"deals: not the points of {len(row.players)} players")
    if len(row.scores) != len(row.players):
        raise StoreError(f"scores: not those of {len(row.players)} players")
