"""Two-player Rummy: the options, and the layouts of state and view.

Numbers such as [R 7] refer to docs/rules/rummy.md. Stock and discard pile are one queue: players
draw at its front, and throw and take at its back. To turn the pile over is to move the border
between the two, since the oldest discard is drawn first [R 10].
"""

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Annotated, NamedTuple, Protocol

from undercut.cards.french import Card
from undercut.cards.melds import MELDS
from undercut.games.contract import Rate
from undercut.kernels.jit import kernel
from undercut.kernels.records import Array, Fields, Int8, Int16, Int64, layout_of
from undercut.text.spec import Option

NAME = "rummy"
VERSION = 1
SEATS = (2, 2)

# Actions 0..51 discard that card.
DRAW = 52
TAKE = 53
TURN_OVER = 54  # the discard pile, and draw
MELD = 55  # + the number of a meld
LAY_ON_SET = MELD + MELDS  # + the card that is laid off
LAY_ON_HIGHER = LAY_ON_SET + 52  # as the new lowest card of a run
LAY_ON_LOWER = LAY_ON_HIGHER + 52  # as the new highest card of a run
ACTIONS = LAY_ON_LOWER + 52

LEGAL = 128  # legal actions at once, at most (tested)
TABLE = 17  # melds on the table, at most: each has three cards
QUEUE = 32  # places for stock and discard pile: the other 20 cards are in hands or on the table
FIRST = 52 - QUEUE  # the place of the queue in `deck`


class Phase(IntEnum):
    """The task of the seat on turn."""

    DRAW = 0
    PLAY = 1  # put down, or discard
    OVER = 2


class Outcome(IntEnum):
    """How a round ended."""

    NONE = 0
    OUT = 1
    RUMMY = 2  # out at once, with nothing put down before
    TIE = 3


class Options(NamedTuple):
    """Every house rule. Truth values are 0 or 1."""

    target: Annotated[
        int, Option(1, 10_000, "the game ends when a player has this many points", "R 13")
    ] = 100
    may_discard_taken: Annotated[
        int, Option(0, 1, "the card just taken may be thrown back", "R 7")
    ] = 1
    turnovers: Annotated[
        int, Option(-1, 100, "after this many, an empty stock ties the round; -1: never", "R 11")
    ] = 2
    tie_points: Annotated[
        int, Option(0, 1_000, "points for each player in a tied round", "R 11")
    ] = 5
    rummy_doubles: Annotated[int, Option(0, 1, "going out at once counts double", "R 9")] = 1
    max_turns: Annotated[
        int, Option(1, 10_000, "after this many turns a round is tied", "R 12")
    ] = 300
    max_rounds: Annotated[
        int, Option(1, 1_000_000, "after this many rounds the game ends as it stands", "R 12")
    ] = 1_000
    first_starter: Annotated[
        int, Option(-1, 1, "who plays first in the first round; -1: chance decides", "R 1")
    ] = 0
    alternate_starter: Annotated[
        int,
        Option(0, 1, "players take turns to begin; 0: the same player begins every round", "R 1"),
    ] = 1


PRESETS: Mapping[str, Options] = {
    "rummy": Options(),
    "rummy-classic": Options(may_discard_taken=0, turnovers=-1, tie_points=0),
}

VARIANTS: Mapping[str, Mapping[str, Callable[[Options], Options]]] = {}


class State(Fields, Protocol):
    """Everything about a deal."""

    hands: Annotated[Array, "i8", 2]
    shown: Annotated[Array, "i8", 2]  # cards of a hand that the other seat saw coming into it
    thrown: Annotated[Array, "i8", 2]  # cards a seat has thrown and not taken back
    refused: Annotated[Array, "i8", 2]  # discards a seat has passed over and not taken since
    laid: Annotated[Array, "i8", 2]  # the cards each seat has put on the table
    fresh: Int64  # those put down in this turn
    sets: Int64  # the cards of the table that lie in sets; the others lie in runs
    starts: Int64  # the lowest card of each run on the table
    scores: Annotated[Array, "i2", 2]  # points before this round
    opened: Annotated[Array, "i2", 2]  # the turn of a seat's first put-down, or NONE
    turn: Int16  # the number of turns that have ended
    takes: Int16
    turnovers: Int16
    deck: Annotated[Array, "i1", 52]  # the hands as dealt, then the queue, which is a ring
    table: Annotated[Array, "i1", TABLE]  # one card of each meld, in the order the melds were made
    melds: Int8  # their number
    front: Int8  # the place in the queue where the stock begins
    stock: Int8  # cards in it
    pile: Int8  # cards on the discard pile
    starter: Int8
    seat: Int8  # whose turn it is
    phase: Int8
    upcard: Int8  # the top of the discard pile, or NONE
    taken: Int8  # the discard taken this turn, or NONE
    winner: Int8
    outcome: Int8


STATE = layout_of(State)


class View(Fields, Protocol):
    """All that one seat may know about a deal."""

    hand: Int64
    theirs: Int64  # cards the other seat is known to hold
    shown: Int64  # own cards that the other seat knows
    thrown: Annotated[Array, "i8", 2]  # by seat, as all that follows
    refused: Annotated[Array, "i8", 2]
    laid: Annotated[Array, "i8", 2]
    fresh: Int64
    sets: Int64
    starts: Int64
    scores: Annotated[Array, "i2", 2]
    opened: Annotated[Array, "i2", 2]
    turn: Int16
    takes: Int16
    turnovers: Int16
    queue: Annotated[Array, "i1", QUEUE]  # NONE where unknown or empty: `stock_card`, `pile_card`
    table: Annotated[Array, "i1", TABLE]
    melds: Int8
    front: Int8
    stock: Int8
    pile: Int8
    starter: Int8
    me: Int8  # whose view this is
    seat: Int8
    phase: Int8
    upcard: Int8
    taken: Int8
    winner: Int8
    outcome: Int8
    held: Int8  # the number of cards in the other hand


VIEW = layout_of(View)

TALLY: tuple[str, ...] = (
    "rounds",
    "turns",
    "decided",
    "rummies",
    "ties",
    "limits",  # ties by the limit of turns
    "points",  # of decided rounds
    "starter_wins",
    "takes",
    "turnovers",
    "melds",
)

RATES: tuple[Rate, ...] = (
    Rate("turns_per_deal", "turns"),
    Rate("decided_per_deal", "decided", is_share=True),
    Rate("ties_per_deal", "ties", is_share=True),
    Rate("limits_per_deal", "limits", is_share=True),
    Rate("rummies_per_decided_deal", "rummies", "decided", is_share=True),
    Rate("points_per_decided_deal", "points", "decided"),
    Rate("starter_wins_per_decided_deal", "starter_wins", "decided", is_share=True),
    Rate("takes_per_deal", "takes"),
    Rate("turnovers_per_deal", "turnovers"),
    Rate("melds_per_deal", "melds"),
)


@kernel
def stock_card(view: View, number: int) -> Card:
    """A card of the stock, 0 being drawn first; NONE while it is unknown."""
    return int(view.queue[(int(view.front) + number) % QUEUE])


@kernel
def pile_card(view: View, number: int) -> Card:
    """A card of the discard pile, 0 being the oldest."""
    return stock_card(view, int(view.stock) + number)
