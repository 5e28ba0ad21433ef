"""Chances for single cards made to fit what a seat knows: exactly so many cards are hidden there."""

from typing import Any

import numpy as np

from undercut.core.cards import PACK, Cards, lowest, size
from undercut.core.game import Buffer, View
from undercut.core.jit import cold_kernel, kernel
from undercut.games.gin_layout import Phase

_LEAST = 1e-6  # an unseen card is never quite impossible


@kernel
def their_size(view: View) -> int:
    """How many cards the other seat holds."""
    return 11 if view.phase == Phase.DISCARD and view.seat != view.me else 10


@kernel
def unknown_cards(view: View) -> Cards:
    """The cards that this seat can place neither here nor there."""
    return ~(int(view.hand) | int(view.pile) | int(view.theirs)) & PACK


@kernel
def fit_marginals(view: View, chances: Buffer) -> None:
    """Make any 52 chances agree with a view, in place.

    Seen cards get 0, cards known to be held 1, and the others are scaled so that all add up to
    the size of the hand. What would rise above 1 is set to 1 and the rest is scaled again.
    """
    known = int(view.theirs)
    open_cards = unknown_cards(view)
    for card in range(52):
        if (open_cards >> card) & 1 == 0:
            chances[card] = (known >> card) & 1
        elif not chances[card] > _LEAST:
            chances[card] = _LEAST
    left = their_size(view) - size(known)
    if left <= 0:  # the whole hand lies open
        _scale(open_cards, 0.0, chances)
        return
    while left > 0:
        factor = left / _total(open_cards, chances)
        certain = _above_one(open_cards, factor, chances)
        if certain == 0:
            _scale(open_cards, factor, chances)
            return
        open_cards ^= certain
        left -= size(certain)


@kernel
def _total(cards: Cards, chances: Buffer) -> float:
    total = 0.0
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        total += chances[card]
    return total


@kernel
def _above_one(cards: Cards, factor: float, chances: Buffer) -> Cards:
    """The cards whose chance would be at least 1; it is set to 1."""
    certain = 0
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        if chances[card] * factor >= 1.0:
            chances[card] = 1.0
            certain |= 1 << card
    return certain


@kernel
def _scale(cards: Cards, factor: float, chances: Buffer) -> None:
    while cards:
        card = lowest(cards)
        cards ^= 1 << card
        chances[card] *= factor


@cold_kernel
def _fit_all(views: Any, chances: Any) -> None:
    for i in range(len(views)):
        fit_marginals(views[i], chances[i])


def marginals_of(views: Any, chances: Any) -> Any:
    """The marginals of many views: 52 chances a row, from any 52 chances a row."""
    fitted = np.array(chances, dtype=np.float64)
    _fit_all(views, fitted)
    return fitted


def counting_marginals(views: Any) -> Any:
    """What counting alone says: every card that was not seen is alike likely."""
    return marginals_of(views, np.ones((len(views), 52)))
