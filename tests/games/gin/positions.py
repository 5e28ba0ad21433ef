"""Gin positions built from text, and views of the kernels read back as text."""

from collections.abc import Iterable
from typing import Any

from core.reference.cards import PACK, from_mask
from core.words import card_name, numbers
from positions import Table
from undercut.core.cards import NONE
from undercut.games.families import parse_game
from undercut.games.gin import rules as gin


def gin_table(
    seat0: str = "",
    seat1: str = "",
    upcard: str = "",
    stock: str = "",
    starter: int = 0,
    game: str = "gin",
    scores: tuple[int, int] = (0, 0),
) -> Table:
    """A gin deal with the given cards; places left open are filled with the cards left over.

    In a deal without upcard the starter's hand may name eleven cards.
    """
    parsed = parse_game(game)
    hands = [seat0.split(), seat1.split()]
    extra = hands[starter][10:] or upcard.split()
    first = [hands[starter][:10], hands[1 - starter], extra, stock.split()]
    left = _scattered(card for cards in first for card in cards)
    deck: list[str] = []
    for cards, count in zip(first, (10, 10, 1, 31), strict=True):
        deck += cards + [left.pop() for _ in range(count - len(cards))]
    assert len(set(deck)) == 52
    return Table(parsed, deck, starter, scores)


def _scattered(taken: Iterable[str]) -> list[str]:
    """The other cards in a fixed order in which neighbours make no meld."""
    used = set(taken)
    return [card for card in (PACK[place * 23 % 52] for place in range(52)) if card not in used]


def gin_view_in_words(view: Any) -> dict[str, Any]:
    """A view of the kernels as the slow engine would tell it."""
    turns = int(view["turn"]) + (view["phase"] == gin.Phase.DISCARD)
    history = []
    for turn in range(turns):
        thrown = card_name(gin.thrown(view, turn)) if turn < view["turn"] else None
        history.append((card_name(gin.drawn(view, turn)), thrown))
    words = numbers(view, "me", "stock", "turn", "starter", "seat", "takes", "passes")
    words |= {name: from_mask(view[name]) for name in ("hand", "theirs", "shown", "pile")}
    words |= {name: card_name(int(view[name])) for name in ("first_upcard", "upcard", "taken")}
    return words | {
        "melds": [[from_mask(meld) for meld in melds if meld] for melds in view["melds"]],
        "melded": [from_mask(cards) for cards in view["melded"]],
        "history": history,
        "scores": view["scores"].tolist(),
        "phase": gin.Phase(int(view["phase"])).name.lower(),
        "knocker": None if view["knocker"] == NONE else int(view["knocker"]),
        "outcome": gin.Outcome(int(view["outcome"])).name.lower(),
    }
