"""Marginals of single cards that agree with a seat's knowledge."""

import numpy as np

from undercut.cards.french import PACK, Cards, lowest, size
from undercut.games.gin.rules.layout import Phase, View
from undercut.kernels.jit import cold_kernel, kernel
from undercut.kernels.records import Array, Floats, Records

_LEAST = 1e-6  # an unseen card is neither impossible nor certain
_STEPS = 100
_EXACT = 1e-12


@kernel
def their_size(view: View) -> int:
    """The size of the other hand."""
    return 11 if view.phase == Phase.DISCARD and view.seat != view.me else 10


@kernel
def fit_marginals(view: View, remember: bool, chances: Floats) -> None:
    """Make any 52 probabilities agree with a view, in place.

    Seen cards get 0. Known cards of the other hand get 1 if `remember`; otherwise they are like any
    other unseen card. One factor multiplies the odds of all others, so that the sum is the size of
    the hand. No probability rises above 1, and none becomes certain. (Scaling the probabilities and
    clipping them at 1 would make other cards certain. It costs more log-loss than no scaling.)
    """
    known = int(view.theirs) if remember else 0
    open_cards = ~(int(view.hand) | int(view.pile) | known) & PACK
    for card in range(52):
        if (open_cards >> card) & 1 == 0:
            chances[card] = (known >> card) & 1
    left = their_size(view) - size(known)
    if left <= 0 or left >= size(open_cards):  # the whole hand is known
        _set_all(open_cards, 0.0 if left <= 0 else 1.0, chances)
        return
    _make_odds(open_cards, chances)
    factor = _find_factor(open_cards, left, chances)
    while open_cards:
        card = lowest(open_cards)
        open_cards ^= 1 << card
        odds = factor * chances[card]
        chances[card] = odds / (1.0 + odds)


@kernel
def spread_evenly(view: View, chances: Floats) -> None:
    """Give the same probability to every card that is neither in this hand nor on the pile."""
    possible = ~(int(view.hand) | int(view.pile)) & PACK
    _set_all(PACK, 0.0, chances)
    _set_all(possible, their_size(view) / size(possible), chances)


@kernel
def _set_all(cards: Cards, value: float, chances: Floats) -> None:
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        chances[card] = value


@kernel
def _make_odds(cards: Cards, chances: Floats) -> None:
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        chance = chances[card]
        if not chance > _LEAST:
            chance = _LEAST
        chance = min(chance, 1.0 - _LEAST)
        chances[card] = chance / (1.0 - chance)


@kernel
def _find_factor(cards: Cards, wanted: int, odds: Floats) -> float:
    """The factor for the odds with which the probabilities add up to `wanted`.

    Newton's method: the sum is a concave function of the factor, so from below every step comes
    closer and none overshoots. It begins below, since a probability is less than its odds.
    """
    total = 0.0
    rest = cards
    while rest:
        card = lowest(rest)
        rest ^= 1 << card
        total += odds[card]
    factor = wanted / total
    for _ in range(_STEPS):
        found, slope = 0.0, 0.0
        rest = cards
        while rest:
            card = lowest(rest)
            rest ^= 1 << card
            share = 1.0 / (1.0 + factor * odds[card])
            found += 1.0 - share
            slope += odds[card] * share * share
        factor += (wanted - found) / slope
        if wanted - found < _EXACT:
            return factor
    return factor


@cold_kernel
def _fit_all(views: Records, remember: bool, chances: Floats) -> None:
    for i in range(len(views)):
        fit_marginals(views[i], remember, chances[i])


def marginals_of(views: Records, chances: Array, remember: bool = True) -> Floats:
    """The marginals of many views: 52 a row, from any 52 probabilities a row."""
    fitted = np.array(chances, dtype=np.float64)
    _fit_all(views, remember, fitted)
    return fitted


def counting_marginals(views: Records) -> Floats:
    """The marginals by counting: known cards are held, all others are equally likely."""
    return marginals_of(views, np.ones((len(views), 52)))
