"""The paper's utility of a Gin hand: docs/paper-agent.md lists the decisions that it leaves open.

The utility of a hand is the mean utility of its loose cards, plus the number of its melded cards,
plus a bonus if it can knock. The utility of a loose card is mainly that of its possible triples.
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

_ABOVE = 0b111 << 4  # the three cards above one, in the result of `_around`


@kernel
def _own_utility(card: Card, terms: Terms) -> float:
    """The utility of a card by itself: low cards are better."""
    value = card_points(card, terms.face_points)
    utility = (5 - value) * terms.deadwood
    if value == 1:
        utility += terms.low_card
    elif value == 2:
        utility += terms.low_card / 2.0
    return utility


@kernel
def _all(held: int, terms: Terms) -> float:
    """The total utility of a triple for its cards in the hand."""
    return held * (terms.meld if held < 2 else terms.pair)


# The kernels below avoid branches, so a GPU's lanes stay together.


@kernel
def _suits(cards: Cards, rank: int) -> int:
    """The suits of the cards of a rank, as four bits."""
    cards = (cards >> rank) & RANK
    return (cards | cards >> 12 | cards >> 24 | cards >> 36) & 0b1111


@kernel
def _around(cards: Cards, card: Card) -> int:
    """A card's neighbours in its suit as bits, from three below (bit 0) to three above."""
    suit = SUIT << (card - rank_of(card))
    return ((cards & suit) << 3) >> card


@kernel
def _shared_by(others: int) -> float:
    """The number of cards with utility by a triple: one, and at most two others, given as bits."""
    if others == 0:
        return 1.0
    return 2.0 if others & (others - 1) == 0 else 3.0


@kernel
def weigh_card(
    outlook: Outlook, card: Card, loose: Cards, live: Cards, terms: Terms
) -> tuple[float, float]:
    """The utility of a loose card, and the loss of all loose cards by its discard."""
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
    if terms.count_once and dead == 0:  # the set without its suit counts again after the discard
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
    """The utility of all loose cards, and the least loss by a discard among `thrown`."""
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
    """Like `weigh`, for all lanes of an outlook, to which it writes the loss of each discard."""
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
    """The cards in the melds with the least deadwood, ties by the best loose cards."""
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
    # As in `deadwood`, every subset of the contested cards is kept out of sets once.
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
    """The cards in melds: first all sets without the cards `kept_out`, then all runs."""
    melded = in_sets(cards & ~kept_out)
    return melded | in_runs(cards & ~melded)


@cold_kernel
def _choose_cheapest(
    outlook: Outlook, dead: Cards, cards: Cards, contested: Cards, least: int, terms: Terms
) -> Cards:
    """Of the meldings with the least deadwood, the one with the best loose cards."""
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
    """The weight of a loose card in their mean."""
    return 1.0 / loose if loose else 0.0


@kernel
def hand_utility(mean: float, melded: int, left: int, terms: Terms) -> float:
    """The utility of a hand: the mean of its loose cards, its melded cards, and a bonus."""
    utility = mean + melded
    if left == 0:
        utility += terms.gin
    elif left <= terms.knock_limit:
        utility += terms.knock
    return utility
