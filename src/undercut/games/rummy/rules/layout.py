"""Two-player Rummy: its options, and the layout of a state and of a view.

Numbers such as [R 7] are in docs/rules/rummy.md. Stock and discard pile are one queue: cards are
drawn at its front, thrown and taken at its back, and to turn the pile over is to move the line
between the two, since the oldest discard is drawn first [R 10].
"""

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Annotated, NamedTuple

import numpy as np

from undercut.cards.french import Card
from undercut.cards.melds import MELDS
from undercut.games.contract import Rate
from undercut.kernels.jit import kernel
from undercut.kernels.records import View
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
    """What the seat on turn has to do."""

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


def find_problem(options: Options) -> str:
    """Why a rule set cannot be played: within their limits all these can."""
    return ""


PRESETS: Mapping[str, Options] = {
    "rummy": Options(),
    "rummy-classic": Options(may_discard_taken=0, turnovers=-1, tie_points=0),
}

VARIANTS: Mapping[str, Mapping[str, Callable[[Options], Options]]] = {}

STATE = np.dtype(
    [
        ("hands", "i8", 2),
        ("shown", "i8", 2),  # cards of a hand that the other seat saw coming into it
        ("thrown", "i8", 2),  # cards a seat has thrown and not taken back
        ("refused", "i8", 2),  # discards a seat has passed over and not taken since
        ("laid", "i8", 2),  # the cards each seat has put on the table
        ("fresh", "i8"),  # those put down in this turn
        ("sets", "i8"),  # the cards of the table that lie in sets; the others lie in runs
        ("starts", "i8"),  # the lowest card of each run on the table
        ("scores", "i2", 2),  # points before this round
        ("opened", "i2", 2),  # the turn of a seat's first put-down, or NONE
        ("turn", "i2"),  # turns ended so far
        ("takes", "i2"),
        ("turnovers", "i2"),
        ("deck", "i1", 52),  # the hands as dealt, then the queue, which goes round in a ring
        ("table", "i1", TABLE),  # one card of each meld, in the order the melds were made
        ("melds", "i1"),  # how many there are
        ("front", "i1"),  # the place in the queue where the stock begins
        ("stock", "i1"),  # cards in it
        ("pile", "i1"),  # cards on the discard pile
        ("starter", "i1"),
        ("seat", "i1"),  # whose turn it is
        ("phase", "i1"),
        ("upcard", "i1"),  # the top of the discard pile, or NONE
        ("taken", "i1"),  # the discard taken this turn, or NONE
        ("winner", "i1"),
        ("outcome", "i1"),
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("hand", "i8"),
        ("theirs", "i8"),  # cards the other seat is known to hold
        ("shown", "i8"),  # own cards that the other seat knows
        ("thrown", "i8", 2),  # by seat, as all that follows
        ("refused", "i8", 2),
        ("laid", "i8", 2),
        ("fresh", "i8"),
        ("sets", "i8"),
        ("starts", "i8"),
        ("scores", "i2", 2),
        ("opened", "i2", 2),
        ("turn", "i2"),
        ("takes", "i2"),
        ("turnovers", "i2"),
        ("queue", "i1", QUEUE),  # NONE where unknown or empty: `stock_card`, `pile_card`
        ("table", "i1", TABLE),
        ("melds", "i1"),
        ("front", "i1"),
        ("stock", "i1"),
        ("pile", "i1"),
        ("starter", "i1"),
        ("me", "i1"),  # whose view this is
        ("seat", "i1"),
        ("phase", "i1"),
        ("upcard", "i1"),
        ("taken", "i1"),
        ("winner", "i1"),
        ("outcome", "i1"),
        ("held", "i1"),  # how many cards the other seat holds
    ],
    align=True,
)

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
