"""What is kept of a game, and how a row of the database is read: a damaged one is named."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from undercut.games.contract import Game
from undercut.games.families import parse_game
from undercut.games.table.description import YOU
from undercut.play import commitment
from undercut.play.seeds import AnySeed, check_seed
from undercut.players.catalog import ENGINES
from undercut.text.errors import OptionsError, UndercutError, plain
from undercut.text.printable import printable

PLAYING, OVER, LEFT = "playing", "over", "left"


class StoreError(UndercutError):
    """Stored games cannot be read or written."""

    def __init__(self, message: str, told: str = "") -> None:
        """`told` is for pages, where the message names a path of this machine."""
        super().__init__(message)
        self.told = told or message


class DealKept(NamedTuple):
    """How a deal of a stored game ended."""

    outcome: str
    points: tuple[int, ...]


@dataclass(frozen=True)
class Pledge:
    """A seed that was sealed before a player named the words that are mixed into it."""

    seed: AnySeed
    salt: str
    words: str = ""

    @property
    def seal(self) -> str:
        """What is shown before the words are named."""
        return commitment.commit(self.seed, self.salt)

    @property
    def mixed(self) -> AnySeed:
        """The seed of the match."""
        return commitment.mix(self.seed, self.words)


@dataclass(frozen=True)
class Stored:
    """What is known of a stored game without playing it."""

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
    pledge: Pledge | None = None  # None: no words of a player are in the seed
    asks_all: bool = False  # people are asked also where one action only is allowed

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, player in enumerate(self.players) if player == YOU]

    @property
    def called(self) -> tuple[str, ...]:
        """What the players are called in a list: no path of this machine is shown, no command."""
        return tuple(map(called, self.players))


def called(player: str) -> str:
    """A player without what only this machine knows."""
    if player.startswith(ENGINES):
        return "engine"
    return printable(player.rpartition(":")[2] if "/" in player else player)


@dataclass(frozen=True)
class Damaged:
    """A stored game that cannot be read, and why."""

    number: int
    why: str


def game_of(stored: Stored) -> Game:
    """The game of a stored one, if this program still plays it by the same rules."""
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


class _Row(msgspec.Struct, frozen=True):
    """What the columns of a game must hold."""

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
    entropy: str  # the secret of the match; "": it has a seed


COLUMNS = tuple(each.name for each in msgspec.structs.fields(_Row))
"""The columns that are read."""


def read_row(row: Sequence[object]) -> Stored | Damaged:
    """A stored game, given its columns."""
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
    )


def _read_lists(values: dict[str, object]) -> dict[str, Any]:
    """The columns that hold lists; an empty one has none."""
    found = {}
    for name in ("players", "scores", "deals", "pledge"):
        text = values[name]
        if not isinstance(text, str):
            raise StoreError(f"{name}: not a text")
        try:
            found[name] = msgspec.json.decode(text) if text else None
        except (msgspec.MsgspecError, RecursionError) as error:
            raise StoreError(f"{name}: {error}") from None
    return found


def _check(row: _Row) -> None:
    """What columns must hold together."""
    seeds: dict[str, AnySeed] = {"seed": row.seed, "entropy": row.entropy or 0}
    if row.pledge is not None:
        seeds["pledge"] = row.pledge[0]
    for column, seed in seeds.items():
        try:
            check_seed(seed)
        except OptionsError:  # it is not shown: it names hidden cards
            raise StoreError(f"{column}: not a seed") from None
    if YOU not in row.players:
        raise StoreError(f"players: {YOU!r} is not among them")
    if any(len(points) != len(row.players) for _, points in row.deals or ()):
        raise StoreError(f"deals: not the points of {len(row.players)} players")
    if len(row.scores) != len(row.players):
        raise StoreError(f"scores: not those of {len(row.players)} players")
