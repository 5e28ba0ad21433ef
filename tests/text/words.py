"""Cards and numbers of a view, as the slow engines name them."""

from typing import Any

from cards.reference.cards import PACK, UNKNOWN
from undercut.cards.french import HIDDEN, NONE


def card_name(card: int) -> str | None:
    """A card as the slow engine names it."""
    if card in (NONE, HIDDEN):
        return None if card == NONE else UNKNOWN
    return PACK[card]


def numbers(view: Any, *names: str) -> dict[str, Any]:
    """Some fields of a view that are plain numbers."""
    return {name: int(view[name]) for name in names}
