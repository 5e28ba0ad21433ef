"""Gin and Distilled Gin: the options, the layouts of state and view, and the history.

Numbers such as [G 6] refer to docs/rules/gin.md, [D 4] to docs/rules/distilled.md.
"""

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Annotated, NamedTuple, Protocol

from undercut.cards.french import NONE, Card, card_points
from undercut.cards.melds import LAYOUT, MELDS
from undercut.games.contract import Rate
from undercut.kernels.jit import kernel
from undercut.kernels.records import Array, Buffer, Fields, Int8, Int64, layout_of
from undercut.text.spec import Option

NAME = "gin"
LAYS_DOWN = True
VERSION = 1
SEATS = (2, 2)

# Actions 0..51 discard that card; 52..103 knock, discarding that card.
KNOCK = 52
DRAW = 104
TAKE = 105
PASS = 106
DONE = 107
MELD = 108  # + the number of a meld
LAY_ON_SET = MELD + MELDS  # + the card that is laid off
LAY_ON_HIGHER = LAY_ON_SET + 52  # as the new lowest card of a run
LAY_ON_LOWER = LAY_ON_HIGHER + 52  # as the new highest card of a run
ACTIONS = LAY_ON_LOWER + 52

LEGAL = 128  # legal actions at once, at most (tested)
TURNS = 84  # turns in a deal, at most: 31 stock draws, 50 takes, the first discard
HISTORY = TURNS // 4  # a turn is 16 bits of the history: the card thrown above the card drawn


class Phase(IntEnum):
    """The task of the seat on turn."""

    OFFER = 0  # take the first upcard, or pass
    DRAW = 1
    DISCARD = 2  # discard or knock
    SPREAD = 3  # the knocker lays down melds
    DEFEND = 4  # the other player lays down melds and lays off
    OVER = 5


class Outcome(IntEnum):
    """How a deal ended."""

    NONE = 0
    KNOCK = 1
    GIN = 2
    UNDERCUT = 3
    VOID = 4


class Options(NamedTuple):
    """Every house rule. Truth values are 0 or 1."""

    target: Annotated[
        int, Option(1, 10_000, "the match ends when a player has this many points", "G 10")
    ] = 100
    upcard: Annotated[
        int, Option(0, 1, "a first upcard is offered; 0: the non-dealer gets 11 cards", "G 2, D 2")
    ] = 1
    knock: Annotated[int, Option(0, 1, "players may knock; 0: only gin ends a deal", "G 5")] = 1
    knock_limit: Annotated[int, Option(0, 99, "the most deadwood to knock with", "G 5")] = 10
    oklahoma: Annotated[
        int,
        Option(
            0,
            1,
            "the first upcard's value is the most to knock with; ace: gin",
            "G 12",
            is_later=True,
        ),
    ] = 0
    gin_bonus: Annotated[
        int, Option(0, 1_000, "points for gin, beside the other hand's deadwood", "G 7")
    ] = 25
    undercut_bonus: Annotated[
        int, Option(0, 1_000, "points for an undercut, beside the difference", "G 7")
    ] = 25
    automatic_gin: Annotated[
        int, Option(0, 1, "a hand all in melds ends the deal by itself", "D 6")
    ] = 0
    layoffs: Annotated[int, Option(0, 1, "the opponent of a knocker may lay off", "G 6")] = 1
    eaai_auto_layoff: Annotated[
        int, Option(0, 1, "lay-offs are made by the engine, greedily", "G 6")
    ] = 0
    face_points: Annotated[
        int, Option(10, 13, "10: each face card ten; 13: jack 11, queen 12, king 13", "D 7")
    ] = 10
    knock_face_down: Annotated[
        int, Option(0, 1, "the knocker's discard stays unseen until the deal is over", "G 9")
    ] = 0
    void_stock: Annotated[
        int, Option(0, 30, "a turn cannot begin with this few cards in the stock", "G 8")
    ] = 2
    void_alternates: Annotated[
        int, Option(0, 1, "the deal passes on after a void hand too", "G 8")
    ] = 0
    max_discard_takes: Annotated[
        int, Option(1, 50, "this many takes from the discard pile make a hand void", "G 11")
    ] = 50
    first_starter: Annotated[
        int, Option(-1, 1, "who plays first in the first deal; -1: chance decides", "G 1")
    ] = NONE


PRESETS: Mapping[str, Options] = {
    "gin": Options(),
    "distilled": Options(
        target=50, upcard=0, knock=0, gin_bonus=0, undercut_bonus=0, automatic_gin=1
    ),
    "gin-classic": Options(gin_bonus=20, undercut_bonus=10),  # [G 14]
    "oklahoma": Options(oklahoma=1),  # [G 12]
    "straight": Options(knock_limit=0),  # [G 13]
}


def find_problem(options: Options) -> str:
    """The reason why a rule set cannot be played, or nothing."""
    if options.face_points not in (10, 13):
        return f"face_points={options.face_points} must be 10 or 13"
    if not options.knock and not options.automatic_gin:
        return "it could never be won: knock=0 needs automatic_gin=1"
    if options.oklahoma and not (options.knock and options.upcard):
        return "oklahoma=1 needs knock=1 and upcard=1: the first upcard says how to knock"
    return ""


@kernel
def knock_limit(options: Options, first_upcard: Card) -> int:
    """The most deadwood to knock with in a deal [G 5, G 12]."""
    if not options.oklahoma:
        return int(options.knock_limit)
    return card_points(first_upcard, options.face_points) if first_upcard % 13 else 0


# Variants apply in this order: `long` doubles the bonuses of `knock`.
VARIANTS: Mapping[str, Mapping[str, Callable[[Options], Options]]] = {
    "distilled": {
        "upcard": lambda options: options._replace(upcard=1),
        "knock": lambda options: options._replace(knock=1, gin_bonus=10, undercut_bonus=10),
        "long": lambda options: options._replace(
            target=100, gin_bonus=2 * options.gin_bonus, undercut_bonus=2 * options.undercut_bonus
        ),
    }
}


class State(Fields, Protocol):
    """Everything about a deal."""

    hands: Annotated[Array, "i8", 2]
    shown: Annotated[Array, "i8", 2]  # cards of a hand that the other seat saw being taken
    pile: Int64  # the cards on the discard pile
    melds: Annotated[Array, "i8", (2, LAYOUT)]  # laid down after a knock, lay-offs included
    melded: Annotated[Array, "i8", 2]  # the cards of a hand that are in melds or laid off
    history: Annotated[Array, "i8", (2, HISTORY)]  # by seat: read it with `drawn` and `thrown`
    scores: Annotated[Array, "i2", 2]  # match points before this deal
    deck: Annotated[Array, "i1", 52]  # the whole deal, in the order it is drawn
    used: Int8  # how many cards of `deck` have left the stock
    turn: Int8  # the number of discards
    opener: Int8  # the seat of turn 0; then they alternate
    starter: Int8  # the non-dealer
    seat: Int8  # whose turn it is
    phase: Int8
    first_upcard: Int8  # the card turned up at the deal, or NONE
    upcard: Int8  # the top of the discard pile, or NONE
    taken: Int8  # the upcard taken this turn; may not be thrown back [G 4]
    takes: Int8
    passes: Int8  # of the first upcard
    knocker: Int8
    outcome: Int8


STATE = layout_of(State)


class View(Fields, Protocol):
    """All that one seat may know about a deal."""

    hand: Int64
    theirs: Int64  # cards the other seat is known to hold, or to have put face down
    shown: Int64  # own cards that the other seat knows
    pile: Int64
    melds: Annotated[Array, "i8", (2, LAYOUT)]  # by seat
    melded: Annotated[Array, "i8", 2]
    history: Annotated[Array, "i8", HISTORY]  # read it with `drawn` and `thrown`
    scores: Annotated[Array, "i2", 2]  # by seat
    stock: Int8  # cards left in it
    turn: Int8
    opener: Int8
    starter: Int8
    me: Int8  # whose view this is
    seat: Int8  # whose turn it is
    phase: Int8
    first_upcard: Int8
    upcard: Int8
    taken: Int8
    takes: Int8
    passes: Int8
    knocker: Int8
    outcome: Int8


VIEW = layout_of(View)

TALLY: tuple[str, ...] = (
    "draws",
    "knocks",
    "gins",
    "undercuts",
    "voids",
    "knock_points",
    "gin_points",
    "undercut_points",
    "starter_wins",
    "takes",
    "decided",
)

RATES: tuple[Rate, ...] = (
    Rate("draws_per_deal", "draws"),
    Rate("knocks_per_deal", "knocks", is_share=True),
    Rate("gins_per_deal", "gins", is_share=True),
    Rate("undercuts_per_deal", "undercuts", is_share=True),
    Rate("voids_per_deal", "voids", is_share=True),
    Rate("points_per_knock", "knock_points", "knocks"),
    Rate("points_per_gin", "gin_points", "gins"),
    Rate("points_per_undercut", "undercut_points", "undercuts"),
    Rate("starter_wins_per_deal", "starter_wins", is_share=True),
    Rate("starter_wins_per_decided_deal", "starter_wins", "decided", is_share=True),
    Rate("takes_per_deal", "takes"),
)


@kernel
def drawn(view: View, turn: int) -> int:
    """The card drawn in a turn; HIDDEN if the other seat drew it unseen, NONE without a draw."""
    return _noted(view.history, 16 * turn)


@kernel
def thrown(view: View, turn: int) -> int:
    """The card thrown in a turn; HIDDEN for a knock card that lies face down."""
    return _noted(view.history, 16 * turn + 8)


@kernel
def was_taken(view: View, turn: int) -> bool:
    """Whether the card drawn in a turn came from the discard pile."""
    card = drawn(view, turn)
    if turn == 0:
        return card >= 0 and card == view.first_upcard
    return card >= 0 and card == thrown(view, turn - 1)


@kernel
def _noted(history: Buffer, bit: int) -> int:
    return ((int(history[bit >> 6]) >> (bit & 63)) & 255) - 3


@kernel
def note(history: Buffer, bit: int, card: int) -> None:
    """Write a card as one byte: 0 for an empty entry, HIDDEN as 1, NONE as 2, then the cards."""
    word = int(history[bit >> 6]) & ~(255 << (bit & 63))
    history[bit >> 6] = word | ((card + 3) << (bit & 63))
