"""The paper's utility of a gin hand: docs/paper-agent.md says what was decided where it is silent.

A hand is worth the mean utility of its loose cards, the number of its melded cards, and a bonus if
it can be knocked with. A loose card is worth most for the three-card melds it may still come into.

All this is a sum over three-card melds, and one card has to do with eight of them only. So when a
card comes or goes nothing is counted afresh but these eight, unless the melds of the hand change.

Several lanes may work on one outlook: each takes its share of the cards, and they meet in between.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from undercut.core.cards import PACK, Card, Cards, card_points, lowest, points, rank_of, size
from undercut.core.game import Buffer, Options
from undercut.core.jit import cold_kernel, kernel, meet, stay_apart
from undercut.core.melds import deadwood, in_runs, in_sets, joining

Outlook: TypeAlias = Any  # a record of the layout OUTLOOK
Settings: TypeAlias = Any

# The three-card melds have numbers of their own: 0..51 are the three cards of that card's rank
# without it, 52..103 the run that begins with card - 52 (none begins with a queen or a king).
TRIPLES = 104
RUNS = 52

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
}
OUTLOOK = np.dtype(_FIELDS)
"""What one seat thinks of the cards, and what it works out about its hand."""

_RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39  # the four aces
_SUIT = (1 << 13) - 1
_KINGS = _RANK << 12
_STARTS = _RANK * ((1 << 11) - 1)  # a run may begin with these: all but queens and kings


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


class Loss(NamedTuple):
    """What is lost by the best discard: of all that may be thrown, and of the highest of them."""

    least: float
    least_highest: float
    highest: int  # in points


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
def _skip(cards: Cards, count: int) -> Cards:
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
        rank = rank_of(card)
        outlook.worth[card] = _worth(outlook.free, (_RANK << rank) & ~(1 << card))
        if rank < 11:
            outlook.worth[RUNS + card] = _worth(outlook.free, 0b111 << card)
    meet(lanes)


@kernel
def _worth(free: Buffer, cards: Cards) -> float:
    worth = 1.0
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        worth *= free[card]
    return worth


@kernel
def melded_chance(chances: Buffer, card: Card) -> float:
    """The chance that a card lies in a meld of the other hand, its cards taken as independent."""
    chance = chances[card]
    if chance == 0.0:
        return 0.0
    a = chances[(card + 13) % 52]
    b = chances[(card + 26) % 52]
    c = chances[(card + 39) % 52]
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


@cold_kernel
def is_emergency(cards: Cards, loose: Cards, terms: Terms) -> bool:
    """Whether a hand of ten is a card away from a knock; of eleven, it throws one before."""
    left = points(loose, terms.face_points)
    for _ in range(size(cards) - 9):
        if loose:
            card = highest(loose, terms)
            loose ^= 1 << card
            left -= card_points(card, terms.face_points)
    return left <= terms.knock_limit


@cold_kernel
def highest(cards: Cards, terms: Terms) -> Card:
    """The first of the cards with the most points."""
    stay_apart()
    best, most = -1, 0
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        value = card_points(card, terms.face_points)
        if value > most:
            best, most = card, value
    return best


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
def _each(held: int, terms: Terms) -> float:
    """What a triple is worth to each card of the hand in it."""
    return terms.meld if held < 2 else terms.pair


@kernel
def _all(held: int, terms: Terms) -> float:
    """What it is worth to all of them."""
    return held * _each(held, terms)


@kernel
def _more(held: int, terms: Terms) -> float:
    """How that grows with a card more."""
    return _all(held + 1, terms) - _all(held, terms)


# Walking over a mask of triples rather than over all that may be, a GPU has one short loop.


@kernel
def _sets(card: Card, live: Cards) -> Cards:
    """The numbers of the sets of a card's rank that are live, with it and without it."""
    rank = _RANK << rank_of(card)
    dead = rank & ~live
    if dead == 0:
        return rank
    return dead if dead & (dead - 1) == 0 else 0


@kernel
def _runs(card: Card, live: Cards) -> Cards:
    """The cards with which live runs begin that hold a card, or that it is just below."""
    suit = _SUIT << (card - rank_of(card))
    return ((0b1111 << card) >> 2) & suit & _STARTS & live & (live >> 1) & (live >> 2)


@kernel
def _fourth(other: Card, loose: Cards, terms: Terms) -> int:
    """Whether a set is left out (0 or 1) since the fourth of its rank is held, too."""
    return terms.count_once & (loose >> other)


@kernel
def _below(start: Card, loose: Cards, terms: Terms) -> int:
    """Whether a run is left out (0 or 1) since the card below it is held, too."""
    return terms.count_once & (((loose & ~_KINGS) << 1) >> start)


@kernel
def _weigh_card(
    outlook: Outlook, card: Card, loose: Cards, live: Cards, terms: Terms
) -> tuple[float, float, float]:
    """A card among the loose ones: its utility, what all lose with it, what they gained by it.

    The two differ: what others get of a triple they had without the card, but it goes with the card.
    """
    utility = _own_utility(card, terms)
    loss, gain = utility, utility
    rank = _RANK << rank_of(card)
    loose &= ~(1 << card)
    others = _sets(card, live)
    while others:
        other = lowest(others)
        others ^= 1 << other
        held, worth = size(rank & ~(1 << other) & loose), outlook.worth[other]
        if other == card:  # it counts again without its blocker
            again = terms.count_once * worth * _all(held, terms)
            loss, gain = loss - again, gain - again
        else:
            worth *= 1 - _fourth(other, loose, terms)
            utility += worth * _each(held + 1, terms)
            loss += worth * _all(held + 1, terms)
            gain += worth * _more(held, terms)
    starts = _runs(card, live)
    while starts:
        start = lowest(starts)
        starts ^= 1 << start
        held, worth = size((0b111 << start) & loose), outlook.worth[RUNS + start]
        if start > card:
            again = terms.count_once * worth * _all(held, terms)
            loss, gain = loss - again, gain - again
        else:
            worth *= 1 - _below(start, loose, terms)
            utility += worth * _each(held + 1, terms)
            loss += worth * _all(held + 1, terms)
            gain += worth * _more(held, terms)
    return utility, loss, gain


@kernel
def no_loss() -> Loss:
    """Nothing may be thrown yet."""
    return Loss(1e300, 1e300, 0)


@kernel
def _or(known: Loss, card: Card, loss: float, terms: Terms) -> Loss:
    """With one more card that may be thrown."""
    value = card_points(card, terms.face_points)
    least, highest = min(known.least, loss), max(known.highest, value)
    if value < known.highest:
        return Loss(least, known.least_highest, highest)
    if value > known.highest:
        return Loss(least, loss, highest)
    return Loss(least, min(known.least_highest, loss), highest)


@cold_kernel
def weigh(
    outlook: Outlook, dead: Cards, loose: Cards, melded: Cards, choices: Cards, terms: Terms
) -> tuple[float, Loss]:
    """The utility of all loose cards, and the loss by the best discard of some of them."""
    stay_apart()
    live = PACK & ~(dead | melded)
    total, best = 0.0, no_loss()
    rest = loose
    while rest:
        card = lowest(rest)
        rest ^= 1 << card
        utility, loss, _ = _weigh_card(outlook, card, loose, live, terms)
        total += utility
        if (choices >> card) & 1:
            best = _or(best, card, loss, terms)
    return total, best


@cold_kernel
def weigh_together(
    outlook: Outlook, loose: Cards, melded: Cards, terms: Terms, lane: int, lanes: int
) -> float:
    """As `weigh`, for all who work on the outlook; what each discard loses is written there."""
    live = PACK & ~(int(outlook.dead) | melded)
    rest = _skip(loose, lane)
    while rest:
        card = lowest(rest)
        rest = _skip(rest, lanes)
        utility, loss, _ = _weigh_card(outlook, card, loose, live, terms)
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
    least = deadwood(cards, terms.face_points)
    best, most = 0, -1e300
    kept_out = contested
    while kept_out >= 0:
        melded = in_sets(cards & ~kept_out)
        melded |= in_runs(cards & ~melded)
        loose = cards & ~melded
        if points(loose, terms.face_points) == least:
            mean, _ = weigh(outlook, dead, loose, melded, loose, terms)
            mean /= max(1, size(loose))
            if mean > most + TIE or (mean > most - TIE and melded > best):
                best, most = melded, mean
        kept_out = (kept_out - 1) & contested if kept_out else -1
    return best


@kernel
def hand_utility(total: float, loose: int, melded: int, left: int, terms: Terms) -> float:
    """The utility of a hand: that of its loose cards, how many are loose and melded, its deadwood."""
    utility = float(melded)
    if loose:
        utility += total / loose
    if left == 0:
        utility += terms.gin
    elif left <= terms.knock_limit:
        utility += terms.knock
    return utility


# Throwing one of eleven cards


@cold_kernel
def forced(choices: Cards, left: int, terms: Terms) -> Cards:
    """Of the cards to choose from, the highest, if the hand can be knocked without one of them."""
    most = card_points(highest(choices, terms), terms.face_points)
    if left - most > terms.knock_limit:
        return 0
    found = 0
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        if card_points(card, terms.face_points) == most:
            found |= 1 << card
    return found


@kernel
def _after_best(
    total: float, best: Loss, loose: int, melded: int, left: int, terms: Terms
) -> float:
    """The utility of a hand after the best discard: the highest card, if one may knock then."""
    left -= best.highest
    loss = best.least if left > terms.knock_limit else best.least_highest
    return hand_utility(total - loss, loose - 1, melded, left, terms)


@cold_kernel
def utility_with(outlook: Outlook, dead: Cards, cards: Cards, kept: Cards, terms: Terms) -> float:
    """The utility of eleven cards after a reasonable discard, which is none of `kept`."""
    stay_apart()
    melded = choose_melding(outlook, dead, cards, terms)
    loose = cards & ~melded
    if loose == 0:
        return hand_utility(0.0, 0, 10, 0, terms)
    if loose & ~kept == 0:
        return _utility_after_breaking(outlook, dead, cards & ~kept, cards, terms)
    total, best = weigh(outlook, dead, loose, melded, loose & ~kept, terms)
    left = points(loose, terms.face_points)
    return _after_best(total, best, size(loose), size(melded), left, terms)


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
    return hand_utility(total, size(loose), size(melded), value, terms)


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
    is_contested = in_runs(hand) & in_sets(hand) != 0
    unseen = int(outlook.unseen)
    afresh = unseen if is_contested or loose == 0 else unseen & joining(hand)
    # One loop for the many, then one for the few that take longer: lanes that go different ways wait.
    cards = _skip(unseen & ~afresh, lane)
    while cards:
        card = lowest(cards)
        cards = _skip(cards, lanes)
        is_offered = (offered >> card) & 1
        if outlook.chances[card] < 1.0 or is_offered:
            _draw_loose(outlook, card, loose, melded, total, is_offered, terms)
    cards = _skip(afresh, lane)
    while cards:
        card = lowest(cards)
        cards = _skip(cards, lanes)
        is_offered = (offered >> card) & 1
        if outlook.chances[card] < 1.0 or is_offered:
            _draw_afresh(outlook, card, hand, is_offered, terms)
    meet(lanes)
    mean = _mean_utility(outlook)
    meet(lanes)
    return mean


@kernel
def _mean_utility(outlook: Outlook) -> float:
    mean, weights = 0.0, 0.0
    cards = int(outlook.unseen)
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        chance = 1.0 - outlook.chances[card]
        if chance > 0.0:
            mean += chance * outlook.utility[card]
            weights += chance
    return mean / weights if weights > 0.0 else 0.0


@cold_kernel
def _draw_afresh(outlook: Outlook, card: Card, hand: Cards, is_offered: int, terms: Terms) -> None:
    """Write the utility of a card that may change the melds: the hand is weighed again."""
    cards, dead = hand | (1 << card), int(outlook.dead)
    nothing = cards ^ cards  # for a constant 0 the function would be compiled once more
    utility = utility_with(outlook, dead, cards, nothing, terms)
    outlook.utility[card] = utility
    if is_offered:
        runs, sets = in_runs(cards), in_sets(cards)
        if runs & sets or (runs | sets) >> card & 1 == 0:  # it may be loose: it stays all the same
            utility = utility_with(outlook, dead, cards, 1 << card, terms)
        outlook.takes[card] = utility


@cold_kernel
def _draw_loose(
    outlook: Outlook,
    card: Card,
    loose: Cards,
    melded: Cards,
    total: float,
    is_offered: int,
    terms: Terms,
) -> None:
    """The same for a card that comes into no meld: the hand was weighed without it."""
    live = PACK & ~(int(outlook.dead) | melded)
    _, loss, gain = _weigh_card(outlook, card, loose, live, terms)
    near = _near(card) & loose
    best = no_loss()
    others = loose & ~near
    while others:
        other = lowest(others)
        others ^= 1 << other
        best = _or(best, other, outlook.loss[other], terms)
    while near:
        other = lowest(near)
        near ^= 1 << other
        change = _change(outlook, card, other, loose, live, terms)
        best = _or(best, other, outlook.loss[other] + change, terms)
    total += gain
    count, melds = size(loose) + 1, size(melded)
    left = points(loose, terms.face_points) + card_points(card, terms.face_points)
    if is_offered:
        outlook.takes[card] = _after_best(total, best, count, melds, left, terms)
    best = _or(best, card, loss, terms)
    outlook.utility[card] = _after_best(total, best, count, melds, left, terms)


@kernel
def _near(card: Card) -> Cards:
    """The cards that have a triple in common with one, or make one count double."""
    rank = rank_of(card)
    around = ((0b1111111 << rank) >> 3) & _SUIT
    return (_RANK << rank) | (around << (card - rank))


@kernel
def _change(
    outlook: Outlook, card: Card, other: Card, loose: Cards, live: Cards, terms: Terms
) -> float:
    """How the loss by another discard changes with a card drawn that has a triple in common."""
    change = 0.0
    rank = _RANK << rank_of(card)
    numbers = _sets(card, live) if (rank >> other) & 1 else 0
    while numbers:
        number = lowest(numbers)
        numbers ^= 1 << number
        held, worth = size(rank & ~(1 << number) & loose), outlook.worth[number]
        part = _all(held, terms) if number == card else _more(held, terms)
        if number in (card, other):
            change -= terms.count_once * worth * part
        else:
            change += (1 - _fourth(number, loose, terms)) * worth * part
    starts = _runs(card, live) & _runs(other, live)
    while starts:
        start = lowest(starts)
        starts ^= 1 << start
        held, worth = size((0b111 << start) & loose), outlook.worth[RUNS + start]
        part = _more(held, terms) if start <= card else _all(held, terms)
        if start > min(card, other):
            change -= terms.count_once * worth * part
        else:
            change += (1 - _below(start, loose, terms)) * worth * part
    return change
