"""What happens in a match, as a record shows it: each kind of event with its fields.

An event is a line of JSON. `undercut/schemas/record.schema.json` says the same for other programs.
"""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from undercut.games.contract import MAX_SEATS
from undercut.kernels.rng import SEED_LIMIT
from undercut.text.errors import RecordError, plain

SCHEMA = "undercut-record/1"
LATER_SCHEMA = "undercut-record/2"  # of records that say what the first schema cannot
SECRET_SCHEMA = "undercut-record/3"  # of matches whose deals have secrets instead of seeds
SCHEMAS = (SCHEMA, LATER_SCHEMA, SECRET_SCHEMA)

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
    """A field with a default is left out of the line where it has nothing to say."""


class Header(_Event, frozen=True, tag="match"):
    """The first event: who plays what."""

    schema: str
    game: Text
    version: Annotated[int, Meta(ge=1, le=_MOST)]
    options: dict[str, Points]
    players: Annotated[list[str], Meta(min_length=2, max_length=MAX_SEATS)]
    seat: Place | None  # whose form this is; None: everything is shown
    undone: Count = 0  # choices that were taken back in a training game, and are not shown


class Dealt(_Event, frozen=True, tag="deal"):
    """Cards are dealt."""

    deal: Count
    starter: Place
    scores: list[Points]
    commitment: Digest
    hands: list[str | None]  # None: not shown
    upcard: Text = ""  # what is turned up for all to see


class Played(_Event, frozen=True, tag="action"):
    """A seat plays."""

    seat: Place
    action: Text
    cards: Text = ""  # what it drew unseen by others


class Ended(_Event, frozen=True, tag="end"):
    """A deal is over: its seed and all hands are revealed."""

    deal: Count
    outcome: Text
    points: list[Points]
    scores: list[Points]
    hands: list[str]
    seed: Revealed
    salt: str
    revealed: list[Text] = []  # the actions that were shown in part, in full and in order


class Over(_Event, frozen=True, tag="over"):
    """The match is over."""

    scores: list[Points]
    shares: list[Share]


class Left(_Event, frozen=True, tag="left"):
    """A seat leaves: the match is not over, and nobody has won it.

    A deal that was on the table is revealed, as it would have been at its end.
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
    """As much of a first line as says whether the rest can be read."""

    schema: str


_EVENTS: msgspec.json.Decoder[Event | Closed] = msgspec.json.Decoder(
    Header | Dealt | Played | Ended | Over | Left | Closed
)
_OPENINGS = msgspec.json.Decoder(_Opening)


def kind(event: msgspec.Struct | type[msgspec.Struct]) -> str:
    """What an event, or a class of events, is called in a record."""
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
    """Refuse what does not begin as a record that can be read here."""
    try:
        schema = _OPENINGS.decode(line).schema
    except (msgspec.DecodeError, RecursionError):
        raise RecordError("line 1: not a record: it names no schema") from None
    if schema not in SCHEMAS:
        known = " and ".join(map(repr, SCHEMAS))
        raise RecordError(f"line 1: not a record: schema {schema!r}, this reads {known}")
