"""The utility of a Gin hand after a draw and a reasonable discard.

The utility of a hand is a sum over triples, and a card is in only eight of them. So after a draw
the kernels reevaluate only cards that share a triple with the drawn card, or with a card that it
melds or frees.
"""

from typing import NamedTuple

from undercut.cards.french import PACK, Card, Cards, card_points, lowest, points, rank_of, size
from undercut.games.gin.players.strategy.outlook import (
    PARTS,
    RANK,
    SUIT,
    Outlook,
    Terms,
    highest,
    skip,
)
from undercut.games.gin.players.strategy.utility import (
    choose_melding,
    hand_utility,
    share_of,
    weigh,
    weigh_card,
    weigh_together,
)
from undercut.kernels.jit import cold_kernel, kernel, meet, stay_apart

_EVERY_EIGHTH = 0x0101010101010101  # the cards of the first part


class Thrown(NamedTuple):
    """The candidates of a reasonable discard, and the least deadwood after it."""

    cards: Cards
    left: int


# Discarding one of eleven cards


@kernel
def forced(choices: Cards, left: int, terms: Terms) -> Cards:
    """The highest of the choices, if the hand can knock after the discard of one; else none."""
    thrown = _reasonable(choices, left, terms)
    return thrown.cards if thrown.left <= terms.knock_limit else 0


@kernel
def _reasonable(choices: Cards, left: int, terms: Terms) -> Thrown:
    """The highest choices if they allow a knock, else all; `left` is the deadwood before."""
    most = highest(choices, terms)
    left -= card_points(lowest(most), terms.face_points)
    return Thrown(most if left <= terms.knock_limit else choices, left)


@cold_kernel
def utility_with(outlook: Outlook, dead: Cards, cards: Cards, kept: Cards, terms: Terms) -> float:
    """The utility of eleven cards after a reasonable discard that is not in `kept`."""
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
    """The same if only the card just taken is loose, so the discard must break a meld."""
    stay_apart()
    best = -1e300
    while choices:
        card = lowest(choices)
        choices ^= 1 << card
        best = max(best, utility_without(outlook, dead, cards, card, terms))
    return best


@cold_kernel
def utility_without(outlook: Outlook, dead: Cards, cards: Cards, card: Card, terms: Terms) -> float:
    """The utility of ten cards after a discard, with new melds."""
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
    """The utility of drawing from the stock: the weighted mean over the unseen cards.

    Also write to `outlook.takes` the utility of taking each of the cards `offered`.
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
    """Write the utility of a drawn card; the hand was evaluated with the loose cards `before`."""
    cards, own, dead = hand | (1 << card), 1 << card, int(outlook.dead)
    melded = choose_melding(outlook, dead, cards, terms)
    loose = cards & ~melded
    if loose & ~own == 0:
        _draw_last(outlook, card, cards, is_offered, terms)
        return
    left = points(loose, terms.face_points)
    taken = _reasonable(loose & ~own, left, terms)
    drawn = _reasonable(loose, left, terms)
    total, least, loss = _weigh_again(
        outlook, card, before, loose, melded, taken.cards, total, terms
    )
    share, melds = share_of(size(loose) - 1), size(melded)
    if is_offered:
        outlook.takes[card] = hand_utility((total - least) * share, melds, taken.left, terms)
    if drawn.cards == own:
        least = loss
    elif drawn.cards & own:
        least = min(least, loss)
    outlook.utility[card] = hand_utility((total - least) * share, melds, drawn.left, terms)


@kernel
def _weigh_again(
    outlook: Outlook,
    card: Card,
    before: Cards,
    loose: Cards,
    melded: Cards,
    thrown: Cards,
    total: float,
    terms: Terms,
) -> tuple[float, float, float]:
    """The utility of all loose cards after a draw, the least loss by a discard, the draw's loss.

    The discard is one of `thrown`; the hand was evaluated with the loose cards `before`.
    """
    live = PACK & ~(int(outlook.dead) | melded)
    changed, moved = 0, (1 << card) | (before ^ loose)
    while moved:
        other = lowest(moved)
        moved ^= 1 << other
        changed |= _near(other)
        if (before >> other) & 1:
            total -= outlook.utility[other]
    changed &= loose
    least, loss = 1e300, 1e300
    others = thrown & ~changed
    while others:
        other = lowest(others)
        others ^= 1 << other
        least = min(least, outlook.loss[other])
    while changed:
        other = lowest(changed)
        changed ^= 1 << other
        utility, lost = weigh_card(outlook, other, loose, live, terms)
        total += utility
        if (before >> other) & 1:
            total -= outlook.utility[other]
        if other == card:
            loss = lost
        elif (thrown >> other) & 1:
            least = min(least, lost)
    return total, least, loss


@kernel
def _near(card: Card) -> Cards:
    """A card, and all that share a triple with it or make one of its triples count double."""
    rank = rank_of(card)
    around = ((0b1111111 << rank) >> 3) & SUIT
    return (RANK << rank) | (around << (card - rank))


@cold_kernel
def _draw_last(outlook: Outlook, card: Card, cards: Cards, is_offered: int, terms: Terms) -> None:
    """The same if no other card is loose any more."""
    stay_apart()
    dead = int(outlook.dead)
    nothing = cards ^ cards  # a constant 0 would compile the kernel once more
    outlook.utility[card] = utility_with(outlook, dead, cards, nothing, terms)
    if is_offered:
        outlook.takes[card] = utility_with(outlook, dead, cards, 1 << card, terms)
