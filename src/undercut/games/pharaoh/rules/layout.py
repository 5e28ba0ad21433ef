"""Pharaoh and Prší: options, the layouts of state and view, and the numbers of moves.

Numbers such as [P 6] refer to docs/rules/pharaoh.md. Comments give the formal specification's name
of a field: DP, ST, LP, LP_MC, ace, suit, val, cnt, i, mc.
"""

from collections.abc import Callable, Mapping
from enum import IntEnum
from itertools import permutations
from typing import Annotated, NamedTuple, Protocol

import numpy as np

from undercut.cards.french import NONE, lowest
from undercut.cards.german import OVER, Card
from undercut.games.contract import MAX_SEATS, Rate
from undercut.kernels.jit import kernel
from undercut.kernels.records import Action, Array, Fields, Int8, Int16, Int64, layout_of
from undercut.kernels.rng import GENERATOR, Generator
from undercut.text.spec import Option

NAME = "pharaoh"
VERSION = 1
SEATS = (2, MAX_SEATS)

DRAW = 0
PASS = 1  # a move without a card: skipped, or nothing left to draw
# Plays: + 64 * slot + tuple. Each value has one slot, but over has one for each suit to name.
PLAY = 2
TUPLES = 64  # ordered tuples of one to four suits: 4 + 12 + 24 + 24
PAIRS, TRIPLES, QUADS = 4, 16, 40  # where the tuples of two, three and four cards begin
SLOTS = 11
ACTIONS = PLAY + SLOTS * TUPLES

LEGAL = 645  # legal actions at once, at most (tested)


class Outcome(IntEnum):
    """How a deal ended."""

    NONE = 0
    OUT = 1  # the usual end: only one player has cards, or the first player out wins
    STOP = 2  # no player could or would move
    LIMIT = 3  # the limit of moves


class Options(NamedTuple):
    """Every house rule. Truth values are 0 or 1."""

    players: Annotated[int, Option(*SEATS, "how many sit at the table", "P 1")] = 2
    deal: Annotated[
        int, Option(1, 13, "cards for each player; fewer where 5 would not remain", "P 2")
    ] = 5
    first_starter: Annotated[
        int, Option(-1, MAX_SEATS - 1, "who moves first; -1: chance decides", "P 3")
    ] = 0
    upcard_effects: Annotated[
        int, Option(0, 1, "a VII or an ace turned up counts as if it had been played", "P 3")
    ] = 0
    most_cards: Annotated[int, Option(1, 4, "the most cards of a value played at once", "P 4")] = 4
    seven_cards: Annotated[int, Option(2, 10, "cards to take for each VII", "P 7")] = 3
    aces_stack: Annotated[
        int, Option(0, 1, "a player who should be skipped may answer with aces", "P 8")
    ] = 1
    over_on_active: Annotated[
        int, Option(0, 1, "over also goes onto a VII or an ace that still counts", "P 9")
    ] = 0
    leaves_under: Annotated[
        int, Option(0, 1, "leaves-under goes onto everything, and everything onto it", "P 10")
    ] = 1
    quads: Annotated[int, Option(0, 1, "whoever plays four cards moves again", "P 11")] = 1
    quad_effects: Annotated[
        int, Option(0, 1, "four VIIs and four aces count too, for whoever played them", "P 11")
    ] = 0
    first_out_wins: Annotated[
        int, Option(0, 1, "the deal ends when the first player is out", "P 14")
    ] = 0
    heart_seven_returns: Annotated[
        int, Option(0, 1, "the heart VII brings back a player who is just out", "P 15")
    ] = 0
    stop_rounds: Annotated[
        int, Option(1, 10, "rounds without a card played or taken that end a deal", "P 16")
    ] = 3
    max_moves: Annotated[
        int, Option(1, 30_000, "after this many moves a deal ends as it stands", "P 16")
    ] = 10_000
    deals: Annotated[int, Option(1, 1_000, "how many deals are a match", "P 18")] = 1


def find_problem(options: Options) -> str:
    """The reason why a rule set cannot be played, or nothing."""
    if options.first_starter >= options.players:
        return f"first_starter={options.first_starter} must be below players={options.players}"
    return ""


PRESETS: Mapping[str, Options] = {
    "pharaoh": Options(),
    "prsi": Options(deal=4, most_cards=1, seven_cards=2, leaves_under=0, quads=0, first_out_wins=1),
}

VARIANTS: Mapping[str, Mapping[str, Callable[[Options], Options]]] = {}


class State(Fields, Protocol):
    """Everything about a deal."""

    hands: Annotated[Array, "i8", MAX_SEATS]  # LP
    denied: Annotated[Array, "i8", MAX_SEATS]  # the legal first cards when a seat last drew
    shuffled: Int64  # cards of the last shuffle that have not been played since
    chance: Annotated[Generator, GENERATOR]  # shuffles the pile; seeded by the deck or `reseed`
    out_at: Annotated[Array, "i2", MAX_SEATS]  # LP_MC: the move by which a seat went out, or NONE
    scores: Annotated[Array, "i2", MAX_SEATS]  # points before this deal
    moves: Int16  # mc
    draws: Int16
    penalties: Int16  # cards taken for VIIs
    skips: Int16
    reshuffles: Int16
    quads: Int16
    returns: Int16
    idle: Int16  # consecutive moves without a card played or taken
    gained: Annotated[Array, "i1", MAX_SEATS]  # cards that a seat took in its last draw and since
    deck: Annotated[Array, "i1", 32]  # ST is `stock` cards of it from place `front` on
    pile: Annotated[Array, "i1", 32]  # DP from its bottom, then NONE
    front: Int8
    stock: Int8
    piled: Int8  # cards on the pile
    ace: Int8  # ace: skips that are left
    suit: Int8  # suit: the one to match
    value: Int8  # val: the one to match
    count: Int8  # cnt: cards to take when drawing; 0 while aces count
    seat: Int8  # i
    starter: Int8
    left: Int8  # players who still have cards
    just_out: Int8  # the seat that went out by the last move, or NONE
    outcome: Int8


STATE = layout_of(State)


class View(Fields, Protocol):
    """All that one seat may know about a deal."""

    hand: Int64
    denied: Annotated[Array, "i8", MAX_SEATS]  # by seat, as all that follows
    shuffled: Int64
    out_at: Annotated[Array, "i2", MAX_SEATS]
    scores: Annotated[Array, "i2", MAX_SEATS]
    moves: Int16
    reshuffles: Int16
    idle: Int16
    gained: Annotated[Array, "i1", MAX_SEATS]
    held: Annotated[Array, "i1", MAX_SEATS]  # cards in each hand
    fresh: Annotated[Array, "i1", MAX_SEATS]  # those of them from the last shuffle
    pile: Annotated[Array, "i1", 32]
    stock: Int8
    piled: Int8
    ace: Int8
    suit: Int8
    value: Int8
    count: Int8
    seat: Int8
    me: Int8  # whose view this is
    players: Int8
    starter: Int8
    left: Int8
    just_out: Int8
    outcome: Int8


VIEW = layout_of(View)

TALLY: tuple[str, ...] = (
    "moves",
    "draws",
    "penalty_cards",
    "skips",
    "reshuffles",
    "quads",
    "returns",
    "stops",
    "limits",
    "starter_wins",
)

RATES: tuple[Rate, ...] = (
    Rate("moves_per_deal", "moves"),
    Rate("draws_per_deal", "draws"),
    Rate("penalty_cards_per_deal", "penalty_cards"),
    Rate("skips_per_deal", "skips"),
    Rate("reshuffles_per_deal", "reshuffles"),
    Rate("quads_per_deal", "quads"),
    Rate("returns_per_deal", "returns"),
    Rate("stops_per_deal", "stops", is_share=True),
    Rate("limits_per_deal", "limits", is_share=True),
    Rate("starter_wins_per_deal", "starter_wins", is_share=True),
)


def _tuples_of(suits: int, length: int) -> int:
    """The tuples of up to three suits whose first `length` are among `suits`, as a mask."""
    tuples = [suits for size in (1, 2, 3) for suits in permutations(range(4), size)]
    are_in = [all(suits >> suit & 1 for suit in each[:length]) for each in tuples]
    return sum(1 << number for number, is_in in enumerate(are_in) if is_in)


# For each set of suits, the tuples of these suits, and the tuples that begin with one of them.
WITHIN = np.array([_tuples_of(suits, 3) for suits in range(16)])
STARTING = np.array([_tuples_of(suits, 1) for suits in range(16)])


@kernel
def tuple_suits(number: int) -> tuple[int, int, int, int]:
    """The suits of a tuple in order, NONE after the last.

    Tuples of one size have their numbers in the order of their suits. A tuple of four has the rank
    of its first three, since these leave only one suit.

    >>> tuple_suits(3), tuple_suits(PAIRS), tuple_suits(QUADS + 23)
    ((3, -1, -1, -1), (0, 1, -1, -1), (3, 2, 1, 0))
    """
    if number < PAIRS:
        return number, NONE, NONE, NONE
    if number < TRIPLES:
        first = (number - PAIRS) // 3
        second = (number - PAIRS) % 3
        return first, second + (second >= first), NONE, NONE
    rest = (number - TRIPLES) % (QUADS - TRIPLES)
    first = rest // 6
    second = rest % 6 // 2
    second += second >= first
    others = 15 ^ (1 << first) ^ (1 << second)
    low = lowest(others)
    high = lowest(others ^ (1 << low))
    third = high if rest % 2 else low
    if number < QUADS:
        return first, second, third, NONE
    return first, second, third, low + high - third


@kernel
def tuple_size(number: int) -> int:
    """The number of cards in a tuple."""
    return 1 + (number >= PAIRS) + (number >= TRIPLES) + (number >= QUADS)


@kernel
def played_value(action: Action) -> int:
    """The value of the cards of a play."""
    slot = (action - PLAY) // TUPLES
    return slot if slot <= OVER else max(OVER, slot - 3)


@kernel
def named_suit(action: Action) -> int:
    """The suit that overs name."""
    return (action - PLAY) // TUPLES - OVER


@kernel
def slot_of(value: int) -> int:
    """The slot of a value; the first one of over."""
    return value if value <= OVER else value + 3


@kernel
def first_card(action: Action) -> Card:
    """Cn[0]: the card of a play that touches the old top."""
    first, _, _, _ = tuple_suits((action - PLAY) % TUPLES)
    return 4 * played_value(action) + first
