"""The messages of pages and of the server, in JSON; none names a hidden card.

The server sends only descriptions of a game: the view of one seat, in plain data. `ply` is the
number of actions that the page has seen of a match. If the match has had more, the message is about
an old table, and the server refuses it.
"""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from undercut.app.account import Statistics as Counted
from undercut.app.coach import Advised, Believed, Outs
from undercut.app.company import FACE, Person
from undercut.app.marks import Marks
from undercut.app.profile import ProfileShown
from undercut.app.reading_quiz import Score
from undercut.app.rematch import How
from undercut.app.stored_games import Damaged
from undercut.app.warm_up import Part
from undercut.app.web.lobby import CharacterOffered, GameKept, GameOffered, PackShown
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
    """List the games to begin and the stored games."""


class Begin(_Asked, frozen=True, tag="begin"):
    """Begin a new game."""

    game: Text
    opponents: Annotated[list[Text], Meta(max_length=MOST_OPPONENTS)]
    training: bool = False
    words: Text = ""  # to mix into the committed seed
    people: Annotated[int, Meta(ge=1, le=MOST_PEOPLE)] = 1


class Links(_AtTable, frozen=True, tag="links"):
    """Show the links for the guests of a game."""


class Check(_Asked, frozen=True, tag="check"):
    """Check the spec of an opponent."""

    game: Text
    opponent: Text


class Seal(_Asked, frozen=True, tag="seal"):
    """Commit to a seed, before the player mixes words into it."""


class Again(_AtTable, frozen=True, tag="again"):
    """Play another game like this one: new cards, the same, or those of another seat."""

    how: How


class Introduce(_Asked, frozen=True, tag="introduce"):
    """Say how the person of this page is called, and which face is his."""

    name: Text
    face: Annotated[str, Meta(pattern=FACE)] = ""


class Open(_AtTable, frozen=True, tag="open"):
    """Open a game, to play or to watch."""


class Play(_AtPly, frozen=True, tag="play"):
    """Play an action, by its text."""

    action: Text


class Assist(_AtPly, frozen=True, tag="assist"):
    """Play the proposed action."""


class Next(_AtPly, frozen=True, tag="next"):
    """Deal the next deal."""


class Undo(_AtPly, frozen=True, tag="undo"):
    """Undo the last choice."""


class Leave(_AtPly, frozen=True, tag="leave"):
    """End a match for good."""


class Hint(_AtPly, frozen=True, tag="hint"):
    """Ask for the adviser's action, now or at an earlier ply of `deal`, from 1."""

    deal: Number | None = None


class Belief(_AtPly, frozen=True, tag="belief"):
    """Ask where the hidden cards may be."""


class Judge(_AtPly, frozen=True, tag="judge"):
    """Ask the tutor about a move before it is played."""

    action: Text


class Agree(_AtPly, frozen=True, tag="agree"):
    """Let everybody at the table ask the coach."""


class Look(_AtPly, frozen=True, tag="look"):
    """Look at an earlier ply; between two deals, `deal` chooses one of them."""

    deal: Number


class Vary(_AtPly, frozen=True, tag="vary"):
    """Play another move at an earlier ply of a finished deal, from 1, and see how it goes on."""

    deal: Number
    action: Text


class Review(_AtTable, frozen=True, tag="review"):
    """Review the finished deals of a game; the answers come one after the other."""


class Practice(_Asked, frozen=True, tag="practice"):
    """Show the next puzzle that is due; `skip` leaves some out for now."""

    number: Number = 0  # of the game; 0: of all games
    theme: Text = ""
    skip: Number = 0
    early: bool = False  # also puzzles that are not due yet


class Try(_AtPly, frozen=True, tag="try"):
    """Answer a puzzle with an action."""

    action: Text


class Reveal(_AtPly, frozen=True, tag="reveal"):
    """Show the solution of a puzzle."""


class Collect(_Asked, frozen=True, tag="collect"):
    """Review the stored games that were not reviewed yet."""


class Quiz(_Asked, frozen=True, tag="quiz"):
    """Show the next question: which of some cards does another player hold?"""


class Guess(_AtPly, frozen=True, tag="guess"):
    """Answer the question about a seat with a card."""

    seat: Number
    card: Text


class Statistics(_Asked, frozen=True, tag="statistics"):
    """Show my statistics."""


class Ticket(_AtTable, frozen=True, tag="ticket"):
    """Get a ticket to download the record of a game."""


class Delete(_AtTable, frozen=True, tag="delete"):
    """Delete a game."""


ForSeat = Open | Play | Assist | Next | Undo | Hint | Belief | Judge | Agree | Look | Vary | Review
ForGuests = Introduce | Ticket | ForSeat
"""The messages that guests may send; those about a game are about that of his seat."""
Practising = Practice | Try | Reveal | Collect | Quiz | Guess
ForOwner = Lobby | Begin | Check | Links | Seal | Again | Leave | Delete | Statistics | Practising
AtTable = ForSeat | Leave
"""The messages about the play at one table."""
Asked = ForGuests | ForOwner


class _FromServer(Struct, frozen=True, tag_field="kind"):
    """A message of the server."""


class Challenge(_FromServer, frozen=True, tag="challenge"):
    """The server's first message: a nonce for the proof of the key."""

    nonce: str


class Shut(_FromServer, frozen=True, tag="shut"):
    """The page does not have the right key and must not try it again."""

    why: str


class LobbyShown(_FromServer, frozen=True, tag="lobby"):
    """The games to begin and the stored games."""

    games: tuple[GameOffered, ...]
    kept: tuple[GameKept, ...]
    damaged: tuple[Damaged, ...]  # a page can only delete them
    guests: tuple[CharacterOffered, ...]  # further opponents of a level, by seat
    version: str


class DealOver(Struct, frozen=True):
    """A deal that is over: its points, and the seed and salt that open its commitment."""

    points: tuple[int, ...]
    commitment: str
    seed: str  # a number in JavaScript has too few digits
    salt: str
    ply: int  # the number of actions of the match until then


class PledgeShown(Struct, frozen=True):
    """A player's words and the commitment to the seed; seed and salt follow after the match."""

    seal: str
    words: str
    seed: str = ""
    salt: str = ""


class RulesShown(_FromServer, frozen=True, tag="rules"):
    """Pack, aim and rules: the server sends them once, before the page first sees the table."""

    number: int
    pack: PackShown
    aim: tuple[str, ...]
    rules: tuple[str, ...]


class TableShown(_FromServer, frozen=True, tag="table"):
    """A table as one seat sees it, without the rules."""

    number: int
    ply: int
    game: str
    title: str
    goal: str
    names: tuple[str, ...]
    faces: tuple[str, ...]  # the pictures of the players; "" for a person without one
    levels: tuple[str, ...]  # of the opponents, in words; "" for others
    opponents: tuple[str, ...]
    rematches: tuple[How, ...]  # whether there are weaker and stronger levels
    seat: int
    people: tuple[int, ...]  # the seats of people
    on_turn: int | None  # the seat that has a choice
    starter: int
    deal: int
    scores: tuple[int, ...]
    areas: tuple[Area, ...]
    orders: tuple[Order, ...]
    marks: Marks
    question: Question | None
    told: tuple[str, ...]
    summary: Summary | None
    deals: tuple[DealOver, ...]
    commitment: str
    pledge: PledgeShown | None
    verdict: str
    is_training: bool
    is_coached: bool
    agreed: tuple[int, ...]  # the people who let everybody ask the coach
    can_undo: bool
    is_over: bool
    is_left: bool


class MoveShown(Struct, frozen=True):
    """The parts of a table that a move changes, after one move or a new deal."""

    ply: int
    deal: int
    starter: int
    commitment: str
    on_turn: int | None
    areas: tuple[Area, ...]
    orders: tuple[Order, ...]
    marks: Marks
    told: int  # the number of sentences; those before the last are in `told` of the next table
    last: str  # the last sentence, which the next move may go on with


class MovesShown(_FromServer, frozen=True, tag="moves"):
    """What a seat saw between its last table and the next one, which follows at once."""

    number: int
    moves: tuple[MoveShown, ...]


class Invitation(Struct, frozen=True):
    """The seat of a guest, and the path of its link."""

    seat: int
    path: str


class LinksShown(_FromServer, frozen=True, tag="links"):
    """The links for the guests of a game."""

    number: int
    invitations: tuple[Invitation, ...]


class Thinking(_FromServer, frozen=True, tag="thinking"):
    """The server has stored a choice; the table follows when a person is on turn."""

    number: int


class HintShown(_FromServer, frozen=True, tag="hint"):
    """What each move is worth, and the position as a line that `undercut hint` takes."""

    number: int
    ply: int
    text: str
    position: str
    moves: tuple[Advised, ...]  # the best first
    answer: str  # what `answered` of a move counts
    samples: int


class Judged(_FromServer, frozen=True, tag="judged"):
    """The tutor's answer: what kind of error a move would be, "" for none."""

    number: int
    ply: int
    action: str
    error: str


class BeliefShown(_FromServer, frozen=True, tag="belief"):
    """The chances of the hidden cards, from the view of this seat."""

    number: int
    ply: int
    seats: tuple[Believed, ...]
    outs: tuple[Outs, ...]  # of the cards of the hand


class ErrorShown(Struct, frozen=True):
    """A decision that was an inaccuracy, a mistake or a blunder."""

    deal: int  # from 1
    ply: int  # before it
    seat: int
    kind: str
    played: str
    best: str
    verdict: str  # what it was, and what it cost
    why: str  # what the better move would have changed
    themes: tuple[str, ...]  # in words


class SeatReviewed(Struct, frozen=True):
    """How well a seat played, and the parts of its result."""

    decisions: int
    error_rate: float
    errors: str
    story: str
    parts: tuple[tuple[str, float], ...]


class ReviewShown(_FromServer, frozen=True, tag="review"):
    """The review of the deals that are judged up to now."""

    number: int
    done: int  # actions, of `of`
    of: int
    samples: int
    deals: tuple[tuple[float, ...], ...]  # the viewer's chance to win, or points, at each ply
    is_chance: bool
    seats: tuple[SeatReviewed, ...]
    errors: tuple[ErrorShown, ...]  # the one that cost most first
    noise: float  # of the luck of draws and of the unseen, in points


class ThemeShown(Struct, frozen=True):
    """A theme of puzzles, and how many have it."""

    name: str
    words: str
    count: int
    due: int


class PuzzleShown(Struct, frozen=True):
    """An error of the person, to be done better: the table before it, and what was played."""

    rules: RulesShown
    table: TableShown
    played: str
    kind: str
    box: int


class PracticeShown(_FromServer, frozen=True, tag="practice"):
    """The puzzles from the person's own errors, and the one to solve now."""

    due: int
    count: int
    unreviewed: int  # finished games without a review
    next_due: str  # the day of the next one, if none is due
    themes: tuple[ThemeShown, ...]
    puzzle: PuzzleShown | None


class Tried(_FromServer, frozen=True, tag="tried"):
    """What an answer to a puzzle is worth; `better` once the solution may be seen."""

    number: int
    ply: int
    is_right: bool
    told: str
    why: str
    better: str
    themes: tuple[str, ...]


class Collecting(_FromServer, frozen=True, tag="collecting"):
    """The number of games that were reviewed, and of those that are to be."""

    done: int
    of: int


class ReadingShown(Struct, frozen=True):
    """A question about another seat: the table as the person saw it, and the cards to choose from."""

    rules: RulesShown
    table: TableShown
    seat: int
    cards: tuple[str, ...]


class QuizShown(_FromServer, frozen=True, tag="quiz"):
    """The score of the answers, and the next question; None if no deal has one."""

    score: Score
    reading: ReadingShown | None


class Guessed(_FromServer, frozen=True, tag="guessed"):
    """The right answer to a question, and what the coach believed."""

    number: int
    ply: int
    card: str  # the answer
    held: str  # the right one
    hand: tuple[str, ...]  # all cards of the other seat
    chances: tuple[float, ...]  # of the cards of the question
    score: Score


class PastShown(_FromServer, frozen=True, tag="past"):
    """A table at an earlier ply; the hands of all seats if they may be seen."""

    table: TableShown
    hands: tuple[tuple[str, ...], ...] = ()


class Varied(_FromServer, frozen=True, tag="varied"):
    """How a deal would have gone on after another move."""

    number: int
    deal: int
    ply: int
    action: str
    told: tuple[str, ...]  # the moves from there on
    points: tuple[int, ...]  # of the deal; none if it did not end


class Checked(_FromServer, frozen=True, tag="checked"):
    """The check of an opponent."""

    opponent: str
    why: str  # the error, "" if there is none


class Sealed(_FromServer, frozen=True, tag="sealed"):
    """The commitment to the seed of the next game with a player's words."""

    seal: str


class Preparing(_FromServer, frozen=True, tag="preparing"):
    """The progress of compilation for a table."""

    ready: int
    of: int
    part: Part
    name: str  # of the opponent, if the part is one


class StatisticsShown(_FromServer, frozen=True, tag="statistics"):
    """The player's statistics."""

    statistics: Counted
    profiles: tuple[ProfileShown, ...]


class TicketGiven(_FromServer, frozen=True, tag="ticket"):
    """A ticket for one download of the record of a game."""

    number: int
    ticket: str


class Gone(_FromServer, frozen=True, tag="gone"):
    """A game was deleted."""

    number: int


class Refused(_FromServer, frozen=True, tag="refused"):
    """The server refuses a message; nothing has changed."""

    why: str


AboutTable = RulesShown | MovesShown | TableShown | PastShown
AboutGame = (
    AboutTable
    | LinksShown
    | Thinking
    | HintShown
    | BeliefShown
    | Judged
    | ReviewShown
    | Varied
    | Gone
)
AboutPractice = PracticeShown | Tried | Collecting | QuizShown | Guessed
AboutLobby = LobbyShown | Checked | Sealed | Preparing | StatisticsShown | AboutPractice
Told = AboutGame | AboutLobby | TicketGiven | Challenge | Shut | Refused

_decoder: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Asked)
_proof_decoder = msgspec.json.Decoder(Prove)
_encoder = msgspec.json.Encoder()


def parse_asked(text: str) -> Asked:
    """A message of a page; raises msgspec.MsgspecError."""
    return _decoder.decode(text)


def parse_proof(text: str) -> str:
    """The proof in the first message of a page; "" for another message."""
    try:
        return _proof_decoder.decode(text).proof
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""


def format_told(message: Told) -> str:
    """A message of the server as JSON."""
    return _encoder.encode(message).decode()


class PassedOn(Struct, frozen=True):
    """A message of a page to the interpreting process of its table; None: the page has gone."""

    watcher: int
    language: str
    seat: int | None
    asked: AtTable | None
    person: Person = Person()


class PassedBack(Struct, frozen=True):
    """The answer to a page from the interpreting process of its table."""

    watcher: int
    told: AboutGame | Refused


_passed_on_decoder = msgspec.json.Decoder(PassedOn)
_passed_back_decoder = msgspec.json.Decoder(PassedBack)


def format_passed(message: PassedOn | PassedBack) -> bytes:
    """A line between the server and an interpreting process."""
    return _encoder.encode(message) + b"\n"


def parse_passed_on(line: bytes) -> PassedOn:
    """The line for an interpreting process."""
    return _passed_on_decoder.decode(line)


def parse_passed_back(line: bytes) -> PassedBack:
    """The line of an interpreting process."""
    return _passed_back_decoder.decode(line)
