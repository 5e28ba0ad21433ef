"""A hand laid out in melds, in the text of its cards: what people are shown."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from undercut.cards.french import (
    NONE,
    Cards,
    each,
    format_card,
    mask,
    parse_card,
    points,
)
from undercut.cards.melds import (
    LAYOUT,
    MELD_BUFFER,
    list_layouts,
    meld_cards,
)

_LAYOUTS = 256  # layouts of one hand that reach the least deadwood, at most (tested)

CardTexts = tuple[str, ...]


@dataclass(frozen=True)
class Hand:
    """The cards of one seat, laid out."""

    melds: tuple[CardTexts, ...]
    laid_off: CardTexts  # on the other seat's melds
    loose: CardTexts
    deadwood: int


def cheapest(cards: Cards, face_points: int) -> Hand:
    """Cards laid out so that the least is left over."""
    found = np.zeros(LAYOUT * _LAYOUTS, dtype=np.int64)
    list_layouts(cards, face_points, np.zeros(MELD_BUFFER, dtype=np.int64), found)
    melds = [meld_cards(int(meld)) for meld in found[:LAYOUT] if meld != NONE]
    return lay_out(melds, 0, cards, face_points)


def lay_out(melds: list[Cards], laid_off: Cards, cards: Cards, face_points: int) -> Hand:
    """Cards laid out in the given melds and lay-offs; the others are left over."""
    loose = cards & ~laid_off & ~sum(melds)
    return Hand(
        melds=tuple(card_texts(meld) for meld in sorted(melds)),
        laid_off=card_texts(laid_off),
        loose=card_texts(loose),
        deadwood=int(points(loose, face_points)),
    )


def held(hand: Hand) -> CardTexts:
    """The cards of a hand, those in melds first."""
    return (*(card for meld in hand.melds for card in meld), *hand.loose)


def worth(cards: Iterable[str]) -> int:
    """What cards count, melds or not.

    >>> worth(["Ac", "Td", "Kh"])
    21
    """
    return int(points(mask(map(parse_card, cards)), 10))


def card_texts(cards: Cards) -> CardTexts:
    """A set of cards, in order."""
    return tuple(format_card(card) for card in each(cards))


def card_text(card: int) -> str | None:
    """A card, or None where there is none or none to be seen."""
    return format_card(card) if card >= 0 else None
