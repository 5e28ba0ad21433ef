"""A seat's expectations about the cards in Gin, and the terms of its utility.

docs/paper-agent.md lists the decisions that the paper leaves open. Several lanes may work on one
outlook: each processes its share of the cards, and they synchronise in between.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from undercut.cards.french import PACK, Card, Cards, lowest, points, rank_of, size, suit_of
from undercut.games.gin.rules.layout import Options, View, knock_limit
from undercut.kernels.jit import cold_kernel, kernel, meet
from undercut.kernels.records import Floats, Record, Settings

Outlook: TypeAlias = Record  # of the layout OUTLOOK

# Triples are the three-card melds: 0..51 are the other three cards of that card's rank, 52..103 the
# runs that begin with card - 52 (none begins with a queen or a king).
TRIPLES = 104
RUNS = 52

PARTS = 8

TIE = 1e-9  # utilities this close count as equal, since the order of their sums may differ

_CARDS = ("f8", 52)
_FIELDS: Any = {
    "dead": ("i8", 0),  # cards that can no longer be in a meld: the discard pile
    "unseen": ("i8", 8),  # the possible next cards of the stock
    "chances": (_CARDS, 16),  # that the other seat holds a card
    "utility": (_CARDS, 432),  # of each loose card; of the hand with each unseen card
    "worth": (("f8", TRIPLES), 848),  # the chance that no card of a triple is melded there
    # These three share their memory, since a GPU's fast memory is small: `free` is finished before
    # the others begin, `loss` is about cards in the hand and `takes` about other cards.
    "free": (_CARDS, 1680),  # the chance that a card is not melded there
    "loss": (_CARDS, 1680),  # the loss of all loose cards by the discard of one
    "takes": (_CARDS, 1680),  # the utility of taking a card
    # Lanes add up the mean utility of a draw in parts.
    "sums": (("f8", PARTS), 2096),
    "weights": (("f8", PARTS), 2160),
}
OUTLOOK = np.dtype(_FIELDS)
"""One seat's expectations about the cards, and intermediate results about its hand."""

RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39  # the four aces
SUIT = (1 << 13) - 1
_TENS = 0b1111 << 9  # the ranks that may all count ten


class Terms(NamedTuple):
    """The terms of a utility, from settings and options."""

    meld: float  # for a loose card in a triple without another held card
    pair: float  # for a loose card in a triple with another held card
    deadwood: float  # for a point below five
    low_card: float
    knock: float
    gin: float
    count_once: int  # 1: leave out triples that a held card makes count double
    knock_limit: int  # the most deadwood that ends a deal; 0 (gin) without knocks
    face_points: int


@kernel
def terms_of(view: View, settings: Settings, options: Options) -> Terms:
    """The terms of a hand without an emergency."""
    return Terms(
        float(settings.meld_bonus),
        float(settings.meld_bonus + settings.combination_bonus),
        float(settings.deadwood_bonus),
        float(settings.low_card_bonus),
        float(settings.knock_bonus),
        float(settings.gin_bonus),
        int(settings.count_once),
        knock_limit(options, int(view.first_upcard)) if options.knock else 0,
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


# A lane's steps from one of its cards to the next, in a loop that compilers do not unroll.


@kernel
def pack_from(place: int) -> Cards:
    """The cards of the pack from a number on."""
    return (PACK >> min(place, 52)) << min(place, 52)


@kernel
def skip(cards: Cards, count: int) -> Cards:
    """The cards without the lowest `count`."""
    for _ in range(count):
        cards &= cards - 1
    return cards


# A seat's expectations about the cards


@cold_kernel
def look(outlook: Outlook, lane: int, lanes: int) -> None:
    """Compute the worth of triples from the other seat's marginals."""
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
    """The values of the three other cards of a card's rank."""
    suit, rank = suit_of(card), rank_of(card)
    one, two, three = (suit + 1) & 3, (suit + 2) & 3, (suit + 3) & 3
    return values[13 * one + rank], values[13 * two + rank], values[13 * three + rank]


@kernel
def melded_chance(chances: Floats, card: Card) -> float:
    """The chance that a card is in a meld of the other hand, if its cards are independent."""
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
    """The terms of a hand: low cards count more when it is close to a knock."""
    if is_emergency(hand, loose, terms):
        return _with_deadwood(terms, terms.deadwood * booster)
    return terms


@kernel
def is_emergency(cards: Cards, loose: Cards, terms: Terms) -> bool:
    """Whether a hand of ten is one card away from a knock; a hand of eleven throws one first."""
    if size(cards) > 10:
        loose = _without_highest(loose, terms)
    return points(_without_highest(loose, terms), terms.face_points) <= terms.knock_limit


@kernel
def _without_highest(cards: Cards, terms: Terms) -> Cards:
    return cards & ~(1 << lowest(highest(cards, terms))) if cards else 0


@kernel
def highest(cards: Cards, terms: Terms) -> Cards:
    """The cards of a non-empty set with the most points."""
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & SUIT
    if terms.face_points == 10 and ranks & _TENS:
        return cards & (_TENS * RANK)
    below = ranks >> 1
    below |= below >> 1
    below |= below >> 2
    below |= below >> 4
    below |= below >> 8
    return cards & ((ranks & ~below) * RANK)
