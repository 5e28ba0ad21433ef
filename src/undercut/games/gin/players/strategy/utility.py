"""The paper's utility of a gin hand: docs/paper-agent.md says what was decided where it is silent.

A hand is worth the mean utility of its loose cards, the number of its melded cards, and a bonus if
it can be knocked with. A loose card is worth most for the three-card melds it may still come into.
"""

from undercut.cards.french import (
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
from undercut.cards.melds import in_runs, in_sets
from undercut.games.gin.players.strategy.outlook import RANK, RUNS, SUIT, TIE, Outlook, Terms, skip
from undercut.kernels.jit import cold_kernel, kernel, meet, stay_apart

_ABOVE = 0b111 << 4  # the three cards above one, in what `_around` gives


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
    cards = (cards >> rank) & RANK
    return (cards | cards >> 12 | cards >> 24 | cards >> 36) & 0b1111


@kernel
def _around(cards: Cards, card: Card) -> int:
    """Which cards of its suit are around a card, from three below (bit 0) to three above."""
    suit = SUIT << (card - rank_of(card))
    return ((cards & suit) << 3) >> card


@kernel
def _shared_by(others: int) -> float:
    """How many cards a triple is worth something to: one, and at most two others, as bits."""
    if others == 0:
        return 1.0
    return 2.0 if others & (others - 1) == 0 else 3.0


@kernel
def weigh_card(
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
        utility, loss = weigh_card(outlook, card, loose, live, terms)
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
        utility, loss = weigh_card(outlook, card, loose, live, terms)
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
    """What a loose card counts in a mean over this many."""
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
