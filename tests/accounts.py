"""Where all the cards of a game are, for the test that none is lost or doubled."""

from collections.abc import Callable
from typing import Any

from undercut.core.cards import each
from undercut.games import gin


def _gin_cards(state: Any) -> list[int]:
    """Both hands, the discard pile and what is left of the stock."""
    stock = state["deck"][int(state["used"]) :].tolist()
    hands = [card for seat in (0, 1) for card in each(state["hands"][seat])]
    return [*hands, *each(state["pile"]), *stock]


def _check_gin(state: Any) -> None:
    """What else must add up: hand sizes, and melds made of the cards of the hands."""
    holding = gin.Phase(int(state["phase"])) == gin.Phase.DISCARD
    for seat in (0, 1):
        hand = int(state["hands"][seat])
        assert hand.bit_count() == 10 + (holding and seat == state["seat"])
        assert int(state["melded"][seat]) & ~hand == 0
        assert int(state["shown"][seat]) & ~(hand | int(state["pile"])) == 0
    on_table = [int(meld) for melds in state["melds"] for meld in melds]
    if any(on_table):
        assert sum(on_table) == int(state["melded"][0]) | int(state["melded"][1])
    assert sum(meld.bit_count() for meld in on_table) == sum(on_table).bit_count()
    upcard = int(state["upcard"])
    assert upcard < 0 or int(state["pile"]) >> upcard & 1


CARDS: dict[str, Callable[[Any], list[int]]] = {"gin": _gin_cards}
CHECKS: dict[str, Callable[[Any], None]] = {"gin": _check_gin}


def check(rules: Any, state: Any) -> None:
    """Every card of the pack is in one place."""
    assert sorted(CARDS[rules.NAME](state)) == list(range(52))
    CHECKS[rules.NAME](state)
