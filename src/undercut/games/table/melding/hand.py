"""A hand laid out in melds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from undercut.cards.card import Cards
from undercut.cards.french import NONE, mask, parse_card, points
from undercut.cards.melds import LAYOUT, MELD_BUFFER, list_layouts, meld_cards

_LAYOUTS = 256  # the most layouts of one hand with the least deadwood (tested)


@dataclass(frozen=True)
class Layout:
    """A seat's cards in melds."""

    melds: tuple[Cards, ...]
    loose: Cards
    deadwood: int
    laid_off: Cards  # on the other seat's melds

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that are not laid off; melds come first."""
        return tuple(card for group in self.groups for card in group)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The melds, and the loose cards if there are any."""
        return tuple(group.texts for group in (*self.melds, self.loose) if group)

    def __str__(self) -> str:
        melds = " | ".join(map(str, self.melds)) or "no meld"
        return f"{melds}, deadwood {self.deadwood}"


def cheapest(cards: int, face_points: int) -> Layout:
    """The layout of cards with the least deadwood."""
    found = np.zeros(LAYOUT * _LAYOUTS, dtype=np.int64)
    list_layouts(cards, face_points, np.zeros(MELD_BUFFER, dtype=np.int64), found)
    melds = [meld_cards(int(meld)) for meld in found[:LAYOUT] if meld != NONE]
    return lay_out(melds, 0, cards, face_points)


def lay_out(melds: Sequence[int], laid_off: int, cards: int, face_points: int) -> Layout:
    """The layout of cards in the given melds and lay-offs; all others are loose."""
    loose = cards & ~laid_off & ~sum(melds)
    return Layout(
        tuple(Cards.from_mask(meld) for meld in sorted(melds)),
        Cards.from_mask(loose),
        int(points(loose, face_points)),
        Cards.from_mask(laid_off),
    )


def worth(cards: Iterable[str]) -> int:
    """The points of cards, melds or not.

    >>> worth(["Ac", "Td", "Kh"])
    21
    """
    return int(points(mask(map(parse_card, cards)), 10))
