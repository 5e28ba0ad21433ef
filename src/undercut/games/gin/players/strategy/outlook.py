"""What a seat of gin thinks of the cards, and the terms in which it sees its hand.

docs/paper-agent.md says what was decided where the paper is silent. Several lanes may work on one
outlook: each takes its share of the cards, and they meet in between.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from undercut.cards.french import PACK, Card, Cards, lowest, points, rank_of, size, suit_of
from undercut.games.gin.rules.layout import Options
from undercut.kernels.jit import cold_kernel, kernel, meet
from undercut.kernels.records import Floats, Record, Settings

Outlook: TypeAlias = Record  # of the layout OUTLOOK

# The three-card melds have numbers of their own: 0..51 are the three cards of that card's rank
# without it, 52..103 the run that begins with card - 52 (none begins with a queen or a king).
TRIPLES = 104
RUNS = 52

PARTS = 8

TIE = 1e-9  # utilities this close are equal: they may have been added up in another order

_CARDS = ("f8", 52)
_FIELDS: Any = {
    "dead": ("i8", 0),  # cards that can come into no meld any more: the discard pile
    "unseen": ("i8", 8),  # cards that may be the next of the stock
    "chances": (_CARDS, 16),  # that the other seat holds a card
    "utility": (_CARDS, 432),  # of each loose card; of the hand with each unseen card
    "worth": (("f8", TRIPLES), 848),  # the chance that no card of a triple is melded there
    # In one place, since a GPU has little memory that is fast: the first is done with when the
    # others begin, and these are about the cards of the hand and about cards not in it.
    "free": (_CARDS, 1680),  # the chance that a card is not melded there
    "loss": (_CARDS, 1680),  # what the loose cards lose together when one is thrown
    "takes": (_CARDS, 1680),  # the utility of taking a card
    # The mean utility of a draw is added up in parts, so that lanes can share in it.
    "sums": (("f8", PARTS), 2096),
    "weights": (("f8", PARTS), 2160),
}
OUTLOOK = np.dtype(_FIELDS)
"""What one seat thinks of the cards, and what it works out about its hand."""

RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39  # the four aces
SUIT = (1 << 13) - 1
_TENS = 0b1111 << 9  # the ranks that may all count ten


class Terms(NamedTuple):
    """What utilities are made of, from settings and options."""

    meld: float  # for a loose card in a triple of which nothing else is held
    pair: float  # for one in a triple of which more is held
    deadwood: float  # for a point below five
    low_card: float
    knock: float
    gin: float
    count_once: int  # 1: leave out triples that a held card makes count double
    knock_limit: int  # the most deadwood that ends a deal; where nobody may knock, that of gin
    face_points: int


@kernel
def terms_of(settings: Settings, options: Options) -> Terms:
    """The terms of a hand that is in no emergency."""
    return Terms(
        float(settings.meld_bonus),
        float(settings.meld_bonus + settings.combination_bonus),
        float(settings.deadwood_bonus),
        float(settings.low_card_bonus),
        float(settings.knock_bonus),
        float(settings.gin_bonus),
        int(settings.count_once),
        int(options.knock_limit) if options.knock else 0,
        int(options.face_points),
    )


@kernel
def _with_deadwood(terms: Terms, bonus: float) -> Terms:
    return Terms(
        terms.meld,
        terms.pair,
        bonus,
        terms.low_card,
        terms.knock,
        terms.gin,
        terms.count_once,
        terms.knock_limit,
        terms.face_points,
    )


# How a lane goes from one card of its own to the next, in a loop that no compiler writes out.


@kernel
def pack_from(place: int) -> Cards:
    """The cards of the pack from a place on."""
    return (PACK >> min(place, 52)) << min(place, 52)


@kernel
def skip(cards: Cards, count: int) -> Cards:
    """Without this many of the lowest cards."""
    for _ in range(count):
        cards &= cards - 1
    return cards


# What a seat expects of the cards


@cold_kernel
def look(outlook: Outlook, lane: int, lanes: int) -> None:
    """From the chances that the other seat holds single cards to what triples are worth."""
    cards = pack_from(lane)
    while cards:
        card = lowest(cards)
        cards = pack_from(card + lanes)
        outlook.free[card] = 1.0 - melded_chance(outlook.chances, card)
    meet(lanes)
    cards = pack_from(lane)
    while cards:
        card = lowest(cards)
        cards = pack_from(card + lanes)
        one, two, three = _of_its_rank(outlook.free, card)
        outlook.worth[card] = one * two * three
        if rank_of(card) < 11:
            run = outlook.free[card] * outlook.free[card + 1] * outlook.free[card + 2]
            outlook.worth[RUNS + card] = run
    meet(lanes)


@kernel
def _of_its_rank(values: Floats, card: Card) -> tuple[float, float, float]:
    """What is known of the three other cards of a card's rank."""
    suit, rank = suit_of(card), rank_of(card)
    one, two, three = (suit + 1) & 3, (suit + 2) & 3, (suit + 3) & 3
    return values[13 * one + rank], values[13 * two + rank], values[13 * three + rank]


@kernel
def melded_chance(chances: Floats, card: Card) -> float:
    """The chance that a card lies in a meld of the other hand, its cards taken as independent."""
    chance = chances[card]
    if chance == 0.0:
        return 0.0
    a, b, c = _of_its_rank(chances, card)
    in_set = a * b + a * c + b * c - 2.0 * a * b * c
    rank = rank_of(card)
    below = chances[card - 1] if rank > 0 else 0.0
    above = chances[card + 1] if rank < 12 else 0.0
    in_run = below * above
    if rank > 1:
        in_run += below * chances[card - 2] * (1.0 - above)
    if rank < 11:
        in_run += above * chances[card + 2] * (1.0 - below)
    in_meld: float = chance * (1.0 - (1.0 - in_set) * (1.0 - in_run))
    return in_meld


@kernel
def urgent(terms: Terms, hand: Cards, loose: Cards, booster: float) -> Terms:
    """The terms in which a hand is seen: low cards count more when it is close to a knock."""
    if is_emergency(hand, loose, terms):
        return _with_deadwood(terms, terms.deadwood * booster)
    return terms


@kernel
def is_emergency(cards: Cards, loose: Cards, terms: Terms) -> bool:
    """Whether a hand of ten is a card away from a knock; of eleven, it throws one before."""
    if size(cards) > 10:
        loose = _without_highest(loose, terms)
    return points(_without_highest(loose, terms), terms.face_points) <= terms.knock_limit


@kernel
def _without_highest(cards: Cards, terms: Terms) -> Cards:
    return cards & ~(1 << lowest(highest(cards, terms))) if cards else 0


@kernel
def highest(cards: Cards, terms: Terms) -> Cards:
    """Those of the cards that count most; there must be some."""
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & SUIT
    if terms.face_points == 10 and ranks & _TENS:
        return cards & (_TENS * RANK)
    below = ranks >> 1
    below |= below >> 1
    below |= below >> 2
    below |= below >> 4
    below |= below >> 8
    return cards & ((ranks & ~below) * RANK)
