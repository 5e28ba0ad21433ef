"""Gin positions built from text, and views of the kernels read back as text."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from cards.reference.cards import PACK, from_mask
from positions import Table
from text.words import card_name, numbers
from undercut.cards.french import NONE
from undercut.games.families import parse_game
from undercut.games.gin.players.belief.features import FEATURES, fill_all_features
from undercut.games.gin.rules import deal as gin
from undercut.kernels.records import Array, Records


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


def noted_turns(view: Any) -> list[tuple[int, int]]:
    """The cards drawn and thrown in each turn, read from the bytes of a view.

    Calling kernels for all turns would take long. They must agree for the latest turn, and every
    turn is the latest once.
    """
    noted, turns = view["history"].tobytes(), int(view["turn"])
    found = [(noted[2 * turn] - 3, noted[2 * turn + 1] - 3) for turn in range(turns)]
    if found:
        assert (gin.drawn(view, turns - 1), gin.thrown(view, turns - 1)) == found[-1]
    if view["phase"] == gin.Phase.DISCARD:
        assert gin.drawn(view, turns) == noted[2 * turns] - 3
        found.append((noted[2 * turns] - 3, NONE))
    return found


def gin_view_in_words(view: Any) -> dict[str, Any]:
    """A view of the kernels as the slow engine would tell it."""
    turns = noted_turns(view)
    history = [(card_name(drawn), card_name(thrown)) for drawn, thrown in turns]
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


def features_of(views: Records) -> Array:
    """The features of an array of views, as small whole numbers."""
    out = np.zeros((len(views), FEATURES), dtype=np.int8)
    fill_all_features(views, out)
    return out


def draw_and_discard(table: Table, turns: int) -> Table:
    """Play turns that draw from the stock and throw the drawn card."""
    for _ in range(turns):
        before = from_mask(table.view()["hand"])
        table.play("draw")
        (card,) = from_mask(table.view()["hand"]) - before
        table.play(f"discard {card}")
    return table
