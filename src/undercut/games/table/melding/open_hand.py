"""Hands that lie open: melds with their names, and the rest."""

from collections.abc import Sequence

from undercut.cards.card import Cards
from undercut.games.table.description import Part
from undercut.text.translation import mark, say

_RUN, _SETS = mark("run"), {3: mark("three of a kind"), 4: mark("four of a kind")}


def name_meld(meld: Cards) -> str:
    """The kind of a meld.

    >>> name_meld(Cards("5h 6h 7h 8h")), name_meld(Cards("9c 9d 9s"))
    ('run', 'three of a kind')
    """
    texts = meld.texts
    return say(_SETS[len(texts)] if texts[0][0] == texts[1][0] else _RUN)


def meld_part(meld: Cards, added: Sequence[str] = (), seat: int | None = None) -> Part:
    """A meld with its name; `added` are the cards that the other player has laid off on it."""
    return Part(meld.texts, seat=seat, role="meld", name=name_meld(meld), added=tuple(added))


def rest_part(cards: Cards, name: str, seat: int) -> Part:
    """The cards of a hand that are in no meld."""
    return Part(cards.texts, seat=seat, role="loose", name=name)
