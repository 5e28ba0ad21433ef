"""What a page and the server say to each other: JSON, one message each, and nothing hidden in it.

Of a game only descriptions travel: what the one seat may know, in plain data. `ply` is how many
actions the match has had when a page asks for something; if it is another by then, the page has not
seen the table as it lies, and is refused.
"""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from undercut.games.description import Area, Order, Question, Suit, Summary

LONGEST = 4096  # bytes of a message to the server
MOST_OPPONENTS = 7

Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Text = Annotated[str, Meta(max_length=200)]


class _Asked(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """A message of a page."""


class Lobby(_Asked, frozen=True, tag="lobby"):
    """What can be played, and what was."""


class Begin(_Asked, frozen=True, tag="begin"):
    """Sit down to a new game."""

    game: Text
    opponents: Annotated[list[Text], Meta(max_length=MOST_OPPONENTS)]
    training: bool = False


class Open(_Asked, frozen=True, tag="open"):
    """Go on with a game, or look at it."""

    number: Number


class Play(_Asked, frozen=True, tag="play"):
    """A choice, by the text of its action."""

    number: Number
    ply: Number
    action: Text


class Assist(_Asked, frozen=True, tag="assist"):
    """Leave it to the game's assistant, where the question says so."""

    number: Number
    ply: Number


class Next(_Asked, frozen=True, tag="next"):
    """Deal again."""

    number: Number
    ply: Number


class Undo(_Asked, frozen=True, tag="undo"):
    """Take the last choice back."""

    number: Number
    ply: Number


class Leave(_Asked, frozen=True, tag="leave"):
    """End a match for good."""

    number: Number
    ply: Number


class Hint(_Asked, frozen=True, tag="hint"):
    """What would the adviser do?"""

    number: Number
    ply: Number


class Delete(_Asked, frozen=True, tag="delete"):
    """Forget a game."""

    number: Number


Asked = Lobby | Begin | Open | Play | Assist | Next | Undo | Leave | Hint | Delete


class _Told(Struct, frozen=True, tag_field="kind"):
    """A message of the server."""


class PackShown(Struct, frozen=True):
    """How cards are drawn."""

    name: str
    ranks: tuple[tuple[str, str], ...]
    suits: tuple[Suit, ...]


class OptionOffered(Struct, frozen=True):
    """A rule that can be changed."""

    name: str
    low: float
    high: float
    value: float
    meaning: str


class LevelOffered(Struct, frozen=True):
    """An opponent, with the share of games it wins against the reference, if that was measured."""

    name: str
    about: str
    win_rate: float | None
    half: float | None  # half the 95 % interval


class GameOffered(Struct, frozen=True):
    """A game that can be begun."""

    name: str
    title: str
    aim: tuple[str, ...]
    pack: PackShown
    goal: str
    seats: tuple[int, int]
    variants: tuple[str, ...]
    options: tuple[OptionOffered, ...]
    levels: tuple[LevelOffered, ...]
    measured: str  # what the strengths are shares of


class GameKept(Struct, frozen=True):
    """A game in the store."""

    number: int
    touched: str
    game: str
    title: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    state: str
    training: bool


class LobbyShown(_Told, frozen=True, tag="lobby"):
    """What can be played, and what was."""

    games: tuple[GameOffered, ...]
    kept: tuple[GameKept, ...]
    version: str


class DealOver(Struct, frozen=True):
    """A deal that is over: its points, and what is needed to check it."""

    points: tuple[int, ...]
    commitment: str
    seed: str  # more digits than a number has in a page
    salt: str


class TableShown(_Told, frozen=True, tag="table"):
    """All that one seat may know of a game."""

    number: int
    ply: int
    game: str
    title: str
    goal: str
    names: tuple[str, ...]
    opponents: tuple[str, ...]
    seat: int
    starter: int
    deal: int
    scores: tuple[int, ...]
    areas: tuple[Area, ...]
    orders: tuple[Order, ...]
    question: Question | None
    told: tuple[str, ...]
    summary: Summary | None
    deals: tuple[DealOver, ...]
    commitment: str
    pack: PackShown
    aim: tuple[str, ...]
    rules: tuple[str, ...]
    verdict: str
    is_training: bool
    can_undo: bool
    is_over: bool
    is_left: bool


class Thinking(_Told, frozen=True, tag="thinking"):
    """A choice was taken; the table follows when it is somebody's turn again."""

    number: int


class HintShown(_Told, frozen=True, tag="hint"):
    """What the adviser would do, and the position as a line that `undercut hint` takes."""

    number: int
    ply: int
    text: str
    position: str


class Gone(_Told, frozen=True, tag="gone"):
    """A game was deleted."""

    number: int


class Refused(_Told, frozen=True, tag="refused"):
    """Nothing has happened, and why."""

    why: str


Told = LobbyShown | TableShown | Thinking | HintShown | Gone | Refused

_decoder = msgspec.json.Decoder(Asked)
_encoder = msgspec.json.Encoder()


def parse_asked(text: str) -> Asked:
    """A message of a page; msgspec.MsgspecError if it is not one."""
    return _decoder.decode(text)


def format_told(message: Told) -> str:
    """A message of the server, as it travels."""
    return _encoder.encode(message).decode()
