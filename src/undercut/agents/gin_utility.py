"""The paper's utility of a gin hand: docs/paper-agent.md says what was decided where it is silent.

A hand is worth the mean utility of its loose cards, the number of its melded cards, and a bonus if
it can be knocked with. A loose card is worth most for the three-card melds it may still come into.

All this is a sum over three-card melds, and one card has to do with eight of them only. So when a
card comes or goes nothing is counted afresh but these eight, unless the melds of the hand change.

Several lanes may work on one outlook: each takes its share of the cards, and they meet in between.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from undercut.core.cards import (
    PACK,
    Card,
    Cards,
    card_points,
    lowest,
    points,
    rank_of,
    size,
    suit_of,
)
from undercut.core.game import Buffer, Options
from undercut.core.jit import cold_kernel, kernel, meet, stay_apart
from undercut.core.melds import in_runs, in_sets

Outlook: TypeAlias = Any  # a record of the layout OUTLOOK
Settings: TypeAlias = Any

# The three-card melds have numbers of their own: 0..51 are the three cards of that card's rank
# without it, 52..103 the run that begins with card - 52 (none begins with a queen or a king).
TRIPLES = 104
RUNS = 52

PARTS = 8
_EVERY_EIGHTH = 0x0101010101010101  # the cards of the first part

TIE = 1e-9  # utilities so close are equal: they may be added up in another order

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

_RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39  # the four aces
_SUIT = (1 << 13) - 1
_ABOVE = 0b111 << 4  # the three cards above one, in what `_around` gives
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


class Thrown(NamedTuple):
    """The cards of which a reasonable player throws one, and the deadwood that leaves at least."""

    cards: Cards
    left: int


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
    """Without so many of the lowest cards."""
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
def _of_its_rank(values: Buffer, card: Card) -> tuple[float, float, float]:
    """What is known of the three other cards of a card's rank."""
    suit, rank = suit_of(card), rank_of(card)
    one, two, three = (suit + 1) & 3, (suit + 2) & 3, (suit + 3) & 3
    return values[13 * one + rank], values[13 * two + rank], values[13 * three + rank]


@kernel
def melded_chance(chances: Buffer, card: Card) -> float:
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
    return chance * (1.0 - (1.0 - in_set) * (1.0 - in_run))


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
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & _SUIT
    if terms.face_points == 10 and ranks & _TENS:
        return cards & (_TENS * _RANK)
    below = ranks >> 1
    below |= below >> 1
    below |= below >> 2
    below |= below >> 4
    below |= below >> 8
    return cards & ((ranks & ~below) * _RANK)


# The utility of a hand


@kernel
def _own_utility(card: Card, terms: Terms) -> float:
    """What a card is worth by itself: low cards are better."""
    value = card_points(card, terms.face_points)
    utility = (5 - value) * terms.deadwood
    if value == 1:
        utility += terms.low_card
    elif value == 2:
        utility += terms.low_card / 2.0
    return utility


@kernel
def _all(held: int, terms: Terms) -> float:
    """What a triple is worth to all cards of the hand in it together."""
    return held * (terms.meld if held < 2 else terms.pair)


# All triples of a card in straight lines, without a jump: a GPU's lanes stay together.


@kernel
def _suits(cards: Cards, rank: int) -> int:
    """The suits of which the cards of a rank are, as four bits."""
    cards = (cards >> rank) & _RANK
    return (cards | cards >> 12 | cards >> 24 | cards >> 36) & 0b1111


@kernel
def _around(cards: Cards, card: Card) -> int:
    """Which cards of its suit are around a card, from three below (bit 0) to three above."""
    suit = _SUIT << (card - rank_of(card))
    return ((cards & suit) << 3) >> card


@kernel
def _shared_by(others: int) -> float:
    """How many cards a triple is worth something to: one, and at most two others, as bits."""
    if others == 0:
        return 1.0
    return 2.0 if others & (others - 1) == 0 else 3.0


@kernel
def _weigh_card(
    outlook: Outlook, card: Card, loose: Cards, live: Cards, terms: Terms
) -> tuple[float, float]:
    """A card among the loose ones: its utility, and what all of them lose with it."""
    utility = _own_utility(card, terms)
    loss = utility
    suit, rank = suit_of(card), rank_of(card)
    loose &= ~(1 << card)
    held, dead = _suits(loose, rank), _suits(~live, rank)
    for turn in range(1, 4):  # the sets without another suit
        other = (suit + turn) & 3
        worth = outlook.worth[13 * other + rank]
        if dead & ~(1 << other) or terms.count_once & (held >> other):
            worth = 0.0
        part = held & ~(1 << other)
        worth *= terms.pair if part else terms.meld
        utility += worth
        loss += worth * _shared_by(part)
    if terms.count_once and dead == 0:  # the set without its own counts again when it goes
        loss -= outlook.worth[card] * _all(size(held), terms)
    held, possible = _around(loose, card), _around(live, card)
    for place in range(3):  # the runs that begin two cards below, one below, and with it
        run = 0b1110 << place
        worth = outlook.worth[RUNS - 2 + card + place]
        if possible & run != run or terms.count_once & (held >> place):
            worth = 0.0
        part = held & run
        worth *= terms.pair if part else terms.meld
        utility += worth
        loss += worth * _shared_by(part)
    if terms.count_once and possible & _ABOVE == _ABOVE:
        loss -= outlook.worth[RUNS + 1 + card] * _all(size(held & _ABOVE), terms)
    return utility, loss


@cold_kernel
def weigh(
    outlook: Outlook, dead: Cards, loose: Cards, melded: Cards, thrown: Cards, terms: Terms
) -> tuple[float, float]:
    """The utility of all loose cards, and the least that is lost by a discard of some of them."""
    stay_apart()
    live = PACK & ~(dead | melded)
    total, least = 0.0, 1e300
    rest = loose
    while rest:
        card = lowest(rest)
        rest ^= 1 << card
        utility, loss = _weigh_card(outlook, card, loose, live, terms)
        total += utility
        if (thrown >> card) & 1:
            least = min(least, loss)
    return total, least


@cold_kernel
def weigh_together(
    outlook: Outlook, loose: Cards, melded: Cards, terms: Terms, lane: int, lanes: int
) -> float:
    """As `weigh`, for all who work on the outlook; what each discard loses is written there."""
    live = PACK & ~(int(outlook.dead) | melded)
    rest = skip(loose, lane)
    while rest:
        card = lowest(rest)
        rest = skip(rest, lanes)
        utility, loss = _weigh_card(outlook, card, loose, live, terms)
        outlook.utility[card], outlook.loss[card] = utility, loss
    meet(lanes)
    total = 0.0
    while loose:
        card = lowest(loose)
        loose ^= 1 << card
        total += outlook.utility[card]
    return total


@kernel
def choose_melding(outlook: Outlook, dead: Cards, cards: Cards, terms: Terms) -> Cards:
    """The cards that are melded: least deadwood, and of several ways the best loose cards."""
    runs, sets = in_runs(cards), in_sets(cards)
    contested = runs & sets
    if contested == 0:
        return runs | sets
    return _choose_contested(outlook, dead, cards, contested, terms)


@cold_kernel
def _choose_contested(
    outlook: Outlook, dead: Cards, cards: Cards, contested: Cards, terms: Terms
) -> Cards:
    stay_apart()
    # Every way to keep contested cards out of sets, as in `deadwood`: all the cheapest are there.
    best, least, several = 0, 1 << 20, False
    kept_out = contested
    while kept_out >= 0:
        melded = _meld(cards, kept_out)
        left = points(cards & ~melded, terms.face_points)
        if left < least:
            best, least, several = melded, left, False
        elif left == least and melded != best:
            several = True
        kept_out = (kept_out - 1) & contested if kept_out else -1
    if several:
        best = _choose_cheapest(outlook, dead, cards, contested, least, terms)
    return best


@kernel
def _meld(cards: Cards, kept_out: Cards) -> Cards:
    """The cards that are melded if all sets are laid down without some cards, then all runs."""
    melded = in_sets(cards & ~kept_out)
    return melded | in_runs(cards & ~melded)


@cold_kernel
def _choose_cheapest(
    outlook: Outlook, dead: Cards, cards: Cards, contested: Cards, least: int, terms: Terms
) -> Cards:
    """Of the ways to leave as little as possible, that with the best loose cards."""
    stay_apart()
    best, most = 0, -1e300
    kept_out = contested
    while kept_out >= 0:
        melded = _meld(cards, kept_out)
        loose = cards & ~melded
        if points(loose, terms.face_points) == least and melded != best:
            mean, _ = weigh(outlook, dead, loose, melded, loose, terms)
            mean *= share_of(size(loose))
            if mean > most + TIE or (mean > most - TIE and melded > best):
                best, most = melded, mean
        kept_out = (kept_out - 1) & contested if kept_out else -1
    return best


@kernel
def share_of(loose: int) -> float:
    """What a loose card counts in the mean of so many."""
    return 1.0 / loose if loose else 0.0


@kernel
def hand_utility(mean: float, melded: int, left: int, terms: Terms) -> float:
    """The utility of a hand: the mean of its loose cards, how many are melded, its deadwood."""
    utility = mean + melded
    if left == 0:
        utility += terms.gin
    elif left <= terms.knock_limit:
        utility += terms.knock
    return utility


# Throwing one of eleven cards


@kernel
def forced(choices: Cards, left: int, terms: Terms) -> Cards:
    """Of the cards to choose from, the highest, if the hand can be knocked without one of them."""
    thrown = _reasonable(choices, left, terms)
    return thrown.cards if thrown.left <= terms.knock_limit else 0


@kernel
def _reasonable(choices: Cards, left: int, terms: Terms) -> Thrown:
    """The highest of some cards if one can knock then, else any, with so much deadwood before."""
    most = highest(choices, terms)
    left -= card_points(lowest(most), terms.face_points)
    return Thrown(most if left <= terms.knock_limit else choices, left)


@cold_kernel
def utility_with(outlook: Outlook, dead: Cards, cards: Cards, kept: Cards, terms: Terms) -> float:
    """The utility of eleven cards after a reasonable discard, which is none of `kept`."""
    stay_apart()
    melded = choose_melding(outlook, dead, cards, terms)
    loose = cards & ~melded
    if loose == 0:
        return hand_utility(0.0, 10, 0, terms)
    if loose & ~kept == 0:
        return _utility_after_breaking(outlook, dead, cards & ~kept, cards, terms)
    thrown = _reasonable(loose & ~kept, points(loose, terms.face_points), terms)
    total, least = weigh(outlook, dead, loose, melded, thrown.cards, terms)
    mean = (total - least) * share_of(size(loose) - 1)
    return hand_utility(mean, size(melded), thrown.left, terms)


@cold_kernel
def _utility_after_breaking(
    outlook: Outlook, dead: Cards, choices: Cards, cards: Cards, terms: Terms
) -> float:
    """The same when only the card just taken is loose, so that a meld must give one up."""
    stay_apart()
    best = -1e300
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        best = max(best, utility_without(outlook, dead, cards, card, terms))
    return best


@cold_kernel
def utility_without(outlook: Outlook, dead: Cards, cards: Cards, card: Card, terms: Terms) -> float:
    """The utility of the ten cards that are left without one, melded afresh."""
    left = cards & ~(1 << card)
    dead |= 1 << card
    melded = choose_melding(outlook, dead, left, terms)
    loose = left & ~melded
    total, _ = weigh(outlook, dead, loose, melded, loose, terms)
    value = points(loose, terms.face_points)
    return hand_utility(total * share_of(size(loose)), size(melded), value, terms)


# Drawing


@cold_kernel
def utility_of_stock(
    outlook: Outlook, hand: Cards, offered: Cards, terms: Terms, lane: int, lanes: int
) -> float:
    """The utility of drawing from the stock: the mean over the unseen cards, as likely as they are.

    Into `outlook.takes`, the utility of taking each of the cards `offered` instead.
    """
    melded = choose_melding(outlook, int(outlook.dead), hand, terms)
    loose = hand & ~melded
    total = weigh_together(outlook, loose, melded, terms, lane, lanes)
    cards = skip(int(outlook.unseen), lane)
    while cards:
        card = lowest(cards)
        cards = skip(cards, lanes)
        is_offered = (offered >> card) & 1
        if outlook.chances[card] < 1.0 or is_offered:
            _draw(outlook, card, hand, loose, total, is_offered, terms)
    meet(lanes)
    return _mean_utility(outlook, lane, lanes)


@kernel
def _mean_utility(outlook: Outlook, lane: int, lanes: int) -> float:
    for part in range(lane, PARTS, lanes):
        outlook.sums[part], outlook.weights[part] = _sum_utility(outlook, part)
    meet(lanes)
    total, weights = 0.0, 0.0
    for part in range(PARTS):
        total += outlook.sums[part]
        weights += outlook.weights[part]
    return total / weights if weights > 0.0 else 0.0


@kernel
def _sum_utility(outlook: Outlook, part: int) -> tuple[float, float]:
    total, weights = 0.0, 0.0
    cards = int(outlook.unseen) & (_EVERY_EIGHTH << part)
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        chance = 1.0 - outlook.chances[card]
        if chance > 0.0:
            total += chance * outlook.utility[card]
            weights += chance
    return total, weights


@cold_kernel
def _draw(
    outlook: Outlook,
    card: Card,
    hand: Cards,
    before: Cards,
    total: float,
    is_offered: int,
    terms: Terms,
) -> None:
    """Write what a card is worth that is drawn; the hand was weighed with the loose cards `before`.

    Only the cards are weighed again that have to do with it, or with those that it melds or frees.
    """
    cards, own, dead = hand | (1 << card), 1 << card, int(outlook.dead)
    melded = choose_melding(outlook, dead, cards, terms)
    loose = cards & ~melded
    if loose & ~own == 0:
        _draw_last(outlook, card, cards, is_offered, terms)
        return
    left = points(loose, terms.face_points)
    taken = _reasonable(loose & ~own, left, terms)
    drawn = _reasonable(loose, left, terms)
    live = PACK & ~(dead | melded)
    changed, moved = 0, own | (before ^ loose)
    while moved:
        other = lowest(moved)
        moved ^= 1 << other
        changed |= _near(other)
        if (before >> other) & 1:
            total -= outlook.utility[other]
    changed &= loose
    least, loss = 1e300, 1e300
    others = taken.cards & ~changed
    while others:
        other = lowest(others)
        others ^= 1 << other
        least = min(least, outlook.loss[other])
    while changed:
        other = lowest(changed)
        changed ^= 1 << other
        utility, lost = _weigh_card(outlook, other, loose, live, terms)
        total += utility
        if (before >> other) & 1:
            total -= outlook.utility[other]
        if other == card:
            loss = lost
        elif (taken.cards >> other) & 1:
            least = min(least, lost)
    share, melds = share_of(size(loose) - 1), size(melded)
    if is_offered:
        outlook.takes[card] = hand_utility((total - least) * share, melds, taken.left, terms)
    if drawn.cards == own:
        least = loss
    elif drawn.cards & own:
        least = min(least, loss)
    outlook.utility[card] = hand_utility((total - least) * share, melds, drawn.left, terms)


@kernel
def _near(card: Card) -> Cards:
    """The cards that have a triple in common with one, or make one count double, and itself."""
    rank = rank_of(card)
    around = ((0b1111111 << rank) >> 3) & _SUIT
    return (_RANK << rank) | (around << (card - rank))


@cold_kernel
def _draw_last(outlook: Outlook, card: Card, cards: Cards, is_offered: int, terms: Terms) -> None:
    """The same where nothing else is loose any more."""
    stay_apart()
    dead = int(outlook.dead)
    nothing = cards ^ cards  # for a constant 0 the function would be compiled once more
    outlook.utility[card] = utility_with(outlook, dead, cards, nothing, terms)
    if is_offered:
        outlook.takes[card] = utility_with(outlook, dead, cards, 1 << card, terms)
