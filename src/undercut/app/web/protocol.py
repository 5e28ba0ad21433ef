"""The messages of pages and of the server, in JSON; none names a hidden card.

Of a game only descriptions travel: the view of one seat, in plain data. `ply` is the number of
actions that the page has seen of a match. If the match has had more, the page has not seen the
table that its message is about, and the server refuses it.
"""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from undercut.app.rematch import How
from undercut.app.statistics import Statistics as Counted
from undercut.app.stored_games import Damaged
from undercut.app.warm_up import Part
from undercut.app.web.lobby import GameKept, GameOffered, PackShown
from undercut.games.table.description import Area, Order, Question, Summary

LONGEST = 4096  # bytes of a message to the server
MOST_OPPONENTS, MOST_PEOPLE = 7, 8

Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Text = Annotated[str, Meta(max_length=200)]


class _Asked(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """A message of a page."""


class _AtTable(_Asked, frozen=True):
    """A message about one game."""

    number: Number


class _AtPly(_AtTable, frozen=True):
    """A message about a game at a ply."""

    ply: Number


class Prove(_Asked, frozen=True, tag="prove"):
    """A page's first message: a digest of its key and of the challenge."""

    proof: Text


class Lobby(_Asked, frozen=True, tag="lobby"):
    """List the games that can be played, and those that were."""


class Begin(_Asked, frozen=True, tag="begin"):
    """Sit down to a new game."""

    game: Text
    opponents: Annotated[list[Text], Meta(max_length=MOST_OPPONENTS)]
    training: bool = False
    words: Text = ""  # to be mixed into a seed that was sealed before
    people: Annotated[int, Meta(ge=1, le=MOST_PEOPLE)] = 1


class Links(_AtTable, frozen=True, tag="links"):
    """Show the links with which the guests of a game sit down."""


class Check(_Asked, frozen=True, tag="check"):
    """May somebody with this spec sit down to a game?"""

    game: Text
    opponent: Text


class Seal(_Asked, frozen=True, tag="seal"):
    """Seal a seed, before words are mixed into it."""


class Again(_AtTable, frozen=True, tag="again"):
    """Play the game again that has ended here: other cards, the same, or those of another seat."""

    how: How


class Open(_AtTable, frozen=True, tag="open"):
    """Go on with a game, or look at it."""


class Play(_AtPly, frozen=True, tag="play"):
    """A choice, by the text of its action."""

    action: Text


class Assist(_AtPly, frozen=True, tag="assist"):
    """Have the best done, where the question proposes it."""


class Next(_AtPly, frozen=True, tag="next"):
    """Deal again."""


class Undo(_AtPly, frozen=True, tag="undo"):
    """Take the last choice back."""


class Leave(_AtPly, frozen=True, tag="leave"):
    """End a match for good."""


class Hint(_AtPly, frozen=True, tag="hint"):
    """What would the adviser do, now or in the past position of `deal`, from 1?"""

    deal: Number | None = None


class Look(_AtPly, frozen=True, tag="look"):
    """Look at a ply again; after the last of a deal, `deal` says which of two deals is meant."""

    deal: Number


class Statistics(_Asked, frozen=True, tag="statistics"):
    """What came of my games?"""


class Ticket(_AtTable, frozen=True, tag="ticket"):
    """Let me download the record of a game."""


class Delete(_AtTable, frozen=True, tag="delete"):
    """Forget a game."""


Asked = (
    Lobby
    | Begin
    | Check
    | Links
    | Seal
    | Again
    | Open
    | Play
    | Assist
    | Next
    | Undo
    | Leave
    | Hint
    | Look
    | Ticket
    | Delete
    | Statistics
)


class _Told(Struct, frozen=True, tag_field="kind"):
    """A message of the server."""


class Challenge(_Told, frozen=True, tag="challenge"):
    """The server's first message: prove that you have the key."""

    nonce: str


class Shut(_Told, frozen=True, tag="shut"):
    """The page does not have the key, and need not try this one again."""

    why: str


class LobbyShown(_Told, frozen=True, tag="lobby"):
    """The games that can be played, and those that were."""

    games: tuple[GameOffered, ...]
    kept: tuple[GameKept, ...]
    damaged: tuple[Damaged, ...]  # they cannot be read, only deleted
    version: str


class DealOver(Struct, frozen=True):
    """A deal that is over: its points, and what is needed to check it."""

    points: tuple[int, ...]
    commitment: str
    seed: str  # more digits than a number has in a page
    salt: str
    ply: int  # how many actions the match had had by then


class PledgeShown(Struct, frozen=True):
    """Words that a player has mixed in, and the seal of the seed; seed and salt come at the end."""

    seal: str
    words: str
    seed: str = ""
    salt: str = ""


class RulesShown(_Told, frozen=True, tag="rules"):
    """Pack, aim and rules: the server sends them once, before the page first sees the table."""

    number: int
    pack: PackShown
    aim: tuple[str, ...]
    rules: tuple[str, ...]


class TableShown(_Told, frozen=True, tag="table"):
    """All that one seat may know of a game, apart from its rules."""

    number: int
    ply: int
    game: str
    title: str
    goal: str
    names: tuple[str, ...]
    opponents: tuple[str, ...]
    seat: int
    people: tuple[int, ...]  # the seats of people
    on_turn: int | None  # whom all wait for
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
    pledge: PledgeShown | None
    verdict: str
    is_training: bool
    can_undo: bool
    is_over: bool
    is_left: bool


class Invitation(Struct, frozen=True):
    """A seat of a guest, and where on this server he sits down."""

    seat: int
    path: str


class LinksShown(_Told, frozen=True, tag="links"):
    """The links with which the guests of a game sit down."""

    number: int
    invitations: tuple[Invitation, ...]


class Thinking(_Told, frozen=True, tag="thinking"):
    """A choice was taken; the table follows when it is somebody's turn again."""

    number: int


class HintShown(_Told, frozen=True, tag="hint"):
    """The adviser's move, and the position as a line that `undercut hint` takes."""

    number: int
    ply: int
    text: str
    position: str


class PastShown(_Told, frozen=True, tag="past"):
    """A table as it was."""

    table: TableShown


class Checked(_Told, frozen=True, tag="checked"):
    """Whether an opponent may sit down."""

    opponent: str
    why: str  # not, "" if it may


class Sealed(_Told, frozen=True, tag="sealed"):
    """The seal of the seed that was chosen for the next game with words of the player."""

    seal: str


class Preparing(_Told, frozen=True, tag="preparing"):
    """How many parts of a table are ready, and which one is prepared now."""

    ready: int
    of: int
    part: Part
    name: str  # of the opponent, if it is one


class StatisticsShown(_Told, frozen=True, tag="statistics"):
    """What came of my games."""

    statistics: Counted


class TicketGiven(_Told, frozen=True, tag="ticket"):
    """A ticket that downloads the record of a game, once and soon."""

    number: int
    ticket: str


class Gone(_Told, frozen=True, tag="gone"):
    """A game was deleted."""

    number: int


class Refused(_Told, frozen=True, tag="refused"):
    """Nothing has happened, and why."""

    why: str


Told = (
    Challenge
    | Shut
    | LobbyShown
    | RulesShown
    | TableShown
    | PastShown
    | LinksShown
    | Thinking
    | HintShown
    | Checked
    | Sealed
    | Preparing
    | StatisticsShown
    | TicketGiven
    | Gone
    | Refused
)

_decoder: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Asked)
_proof_decoder = msgspec.json.Decoder(Prove)
_encoder = msgspec.json.Encoder()


def parse_asked(text: str) -> Asked:
    """A message of a page; msgspec.MsgspecError if it is not one."""
    return _decoder.decode(text)


def parse_proof(text: str) -> str:
    """The proof in the first message of a page; "" if that is another one."""
    try:
        return _proof_decoder.decode(text).proof
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""


def format_told(message: Told) -> str:
    """A message of the server, as it travels."""
    return _encoder.encode(message).decode()
