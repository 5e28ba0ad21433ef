"""The engine protocol: the messages of a host and an engine, one JSON object a line.

docs/protocol.md explains it, and undercut/schemas/engine.schema.json describes it for other
programs. Both sides ignore unknown fields of a message. An engine also ignores unknown kinds of
messages.
"""

from typing import TypeAlias, TypeVar

import msgspec

from undercut.games.contract import Game
from undercut.kernels.records import Seat
from undercut.play.records import events
from undercut.play.records.events import Event, Place, Points, Share, Text
from undercut.text.errors import NotationError, plain

PROTOCOL = "undercut-engine/1"


class _Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Fields with their default value are omitted."""


class Hello(_Message, frozen=True, tag="hello"):
    """The first line of a host: which protocol it speaks."""

    protocol: Text
    host: str = ""


class Options(_Message, frozen=True, tag="options"):
    """Values for the engine's options."""

    values: dict[str, str]


class NewGame(_Message, frozen=True, tag="game"):
    """A match begins; the one before it is over."""

    game: Text  # the rule set as a spec: gin:target=50
    rules: Text  # the name of the game: gin
    version: int  # of these rules
    options: dict[str, Points]  # every house rule and its value
    seats: int
    seat: Place  # the engine's own


class Deal(_Message, frozen=True, tag="deal"):
    """Cards are dealt."""

    deal: int  # from 0
    starter: Place
    scores: list[Points]  # of the match before this deal
    hand: str  # the engine's own cards
    upcard: Text = ""  # what is turned up for all to see


class Action(_Message, frozen=True, tag="action"):
    """A seat plays, also the engine's own actions and forced moves."""

    seat: Place
    action: Text
    cards: Text = ""  # the cards that the engine itself drew face down


class End(_Message, frozen=True, tag="end"):
    """A deal is over, and all hands are shown."""

    deal: int
    outcome: Text
    points: list[Points]
    scores: list[Points]
    hands: list[str]
    revealed: list[Text] = []  # the actions that were shown in part, in full and in order


class Over(_Message, frozen=True, tag="over"):
    """The match is over."""

    scores: list[Points]
    shares: list[Share]  # of the win


class Left(_Message, frozen=True, tag="left"):
    """A seat has left, or failed: the match ends here."""

    seat: Place
    scores: list[Points]


class Position(_Message, frozen=True, tag="position"):
    """A position instead of events: the next question is about it."""

    position: Text


class Go(_Message, frozen=True, tag="go"):
    """A request for a decision."""

    id: int  # to be repeated in the answer
    legal: list[Text]
    position: Text  # the seat's view of this deal, in one line
    seconds: float  # for this answer
    game_seconds: float | None = None  # left for all answers of this match; None: no limit


class Quit(_Message, frozen=True, tag="quit"):
    """Nothing follows: the engine ends."""


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An option of an engine."""

    name: Text
    default: str = ""
    about: str = ""


class Welcome(_Message, frozen=True, tag="hello"):
    """The first line of an engine: its name, games and options."""

    protocol: Text
    name: Text
    author: str = ""
    games: list[Text] = []  # the names of the games it plays; none: any
    options: list[Option] = []


class Ready(_Message, frozen=True, tag="ready"):
    """The answer to a new match: events may come."""


class Play(_Message, frozen=True, tag="play"):
    """The answer to a question."""

    id: int
    action: Text


class Info(_Message, frozen=True, tag="info"):
    """A remark of the engine, at any time and without an answer."""

    message: str = ""


class Trouble(_Message, frozen=True, tag="error"):
    """The engine cannot do its task."""

    message: str


FromHost: TypeAlias = (
    Hello | Options | NewGame | Deal | Action | End | Over | Left | Position | Go | Quit
)
FromEngine: TypeAlias = Welcome | Ready | Play | Info | Trouble

Read = TypeVar("Read")
_OF_HOST: msgspec.json.Decoder[FromHost] = msgspec.json.Decoder(FromHost)
_OF_ENGINE: msgspec.json.Decoder[FromEngine] = msgspec.json.Decoder(FromEngine)
_SHOWN = 80  # characters of a quoted line


def format_message(message: FromHost | FromEngine) -> bytes:
    """A message as a line.

    >>> format_message(Play(id=3, action="draw"))
    b'{"type":"play","id":3,"action":"draw"}\\n'
    """
    return msgspec.json.encode(message) + b"\n"


def parse_from_engine(line: bytes) -> FromEngine:
    return _parse(_OF_ENGINE, line)


def parse_from_host(line: bytes) -> FromHost:
    return _parse(_OF_HOST, line)


def _parse(decoder: "msgspec.json.Decoder[Read]", line: bytes) -> Read:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotationError(f"not a message: {quoted(line)} ({plain(error)})") from None


def quoted(line: bytes) -> str:
    """A line for error messages, at most 80 characters of it."""
    text = line[: _SHOWN + 1].decode(errors="replace")
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def game_message(game: Game, seat: Seat) -> NewGame:
    """The beginning of a match of a rule set, for a seat."""
    return NewGame(
        game=game.name,
        rules=game.family.name,
        version=game.rules.VERSION,
        options=game.options._asdict(),
        seats=game.seats,
        seat=seat,
    )


def event_message(event: Event, seat: Seat) -> FromHost:
    """An event of a seat's seat_log, for the engine in this seat."""
    if isinstance(event, events.Dealt):
        hand = event.hands[seat] or ""
        return Deal(
            deal=event.deal,
            starter=event.starter,
            scores=event.scores,
            hand=hand,
            upcard=event.upcard,
        )
    kind = _SAME_FIELDS[type(event)]
    return kind(**{name: getattr(event, name) for name in kind.__struct_fields__})


_SAME_FIELDS: dict[type, type[Action | End | Over | Left]] = {
    events.Played: Action,
    events.Ended: End,
    events.Over: Over,
    events.Left: Left,
}
