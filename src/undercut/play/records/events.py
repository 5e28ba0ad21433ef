"""The kinds of events in a record, and their fields.

An event is a line of JSON. `undercut/schemas/record.schema.json` is the schema for other programs.
"""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from undercut.games.contract import MAX_SEATS
from undercut.kernels.rng import SEED_LIMIT
from undercut.text.errors import RecordError, plain

SCHEMA = "undercut-record/1"
LATER_SCHEMA = "undercut-record/2"  # adds seats that leave, and decisions taken back
SECRET_SCHEMA = "undercut-record/3"  # for deals with secrets instead of seeds
COACHED_SCHEMA = "undercut-record/4"  # adds the seats that a coach helped; seeds or secrets
SCHEMAS = (SCHEMA, LATER_SCHEMA, SECRET_SCHEMA, COACHED_SCHEMA)

_MOST = 10**9
Count: TypeAlias = Annotated[int, Meta(ge=0, le=_MOST)]
Points: TypeAlias = Annotated[int, Meta(ge=-_MOST, le=_MOST)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Place: TypeAlias = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
Text: TypeAlias = Annotated[str, Meta(min_length=1)]
Digest: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Revealed: TypeAlias = Annotated[int, Meta(ge=0, le=SEED_LIMIT - 1)] | Digest  # a seed or a secret


class _Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="event",
):
    """A field that has its default value is omitted from the line."""


class Header(_Event, frozen=True, tag="match"):
    """The first event: the game and the players."""

    schema: str
    game: Text
    version: Annotated[int, Meta(ge=1, le=_MOST)]
    options: dict[str, Points]
    players: Annotated[list[str], Meta(min_length=2, max_length=MAX_SEATS)]
    seat: Place | None  # the seat whose events these are; None: complete
    undone: Count = 0  # decisions that were taken back in a training game; not in the record
    coached: list[Place] = []  # the seats that asked a coach for hints during the match


class Dealt(_Event, frozen=True, tag="deal"):
    """Cards are dealt."""

    deal: Count
    starter: Place
    scores: list[Points]
    commitment: Digest
    hands: list[str | None]  # None: hidden
    upcard: Text = ""  # the cards that lie face up


class Played(_Event, frozen=True, tag="action"):
    """A seat plays."""

    seat: Place
    action: Text
    cards: Text = ""  # the cards it drew face down


class Ended(_Event, frozen=True, tag="end"):
    """A deal is over: the event reveals its seed and all hands."""

    deal: Count
    outcome: Text
    points: list[Points]
    scores: list[Points]
    hands: list[str]
    seed: Revealed
    salt: str
    revealed: list[Text] = []  # in order, the full text of actions that were partly hidden


class Over(_Event, frozen=True, tag="over"):
    """The match is over."""

    scores: list[Points]
    shares: list[Share]


class Left(_Event, frozen=True, tag="left"):
    """A seat leaves: the match ends unfinished, and nobody wins it.

    The event reveals the deal on the table, as at the end of a deal.
    """

    seat: Place
    scores: list[Points]
    hands: list[str] = []
    seed: Revealed | None = None
    salt: str = ""
    revealed: list[Text] = []


class Closed(_Event, frozen=True, tag="digest"):
    """The last line: a SHA-256 of the bytes before it."""

    sha256: Digest


Event: TypeAlias = Header | Dealt | Played | Ended | Over | Left


class _Opening(msgspec.Struct):
    """The field of the first line that says which schema the record has."""

    schema: str


_EVENTS: msgspec.json.Decoder[Event | Closed] = msgspec.json.Decoder(
    Header | Dealt | Played | Ended | Over | Left | Closed
)
_OPENINGS = msgspec.json.Decoder(_Opening)


def kind(event: msgspec.Struct | type[msgspec.Struct]) -> str:
    """The name of an event, or of a class of events, in a record."""
    return str(event.__struct_config__.tag)


def format_event(event: Event | Closed) -> str:
    """An event as a line of a record.

    >>> format_event(Played(seat=1, action="draw"))
    '{"event":"action","seat":1,"action":"draw"}\\n'
    """
    return msgspec.json.encode(event).decode() + "\n"


def parse_event(line: bytes, number: int) -> Event | Closed:
    """Read the line of a record that has this number."""
    try:
        return _EVENTS.decode(line)
    except msgspec.ValidationError as error:
        raise RecordError(f"line {number}: not an event: {plain(error)}") from None
    except msgspec.DecodeError as error:
        raise RecordError(f"line {number}: not JSON: {plain(error)}") from None
    except RecursionError:
        raise RecordError(f"line {number}: not an event: it is nested too deeply") from None


def check_opening(line: bytes) -> None:
    """Raise RecordError unless the first line has a schema that this version reads."""
    try:
        schema = _OPENINGS.decode(line).schema
    except (msgspec.DecodeError, RecursionError):
        raise RecordError("line 1: not a record: it names no schema") from None
    if schema not in SCHEMAS:
        known = " and ".join(map(repr, SCHEMAS))
        raise RecordError(f"line 1: not a record: schema {schema!r}, this reads {known}")
