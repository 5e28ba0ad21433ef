"""Where all the cards of a game are, for the test that none is lost or doubled."""

from collections.abc import Callable
from typing import Any

from reference.cards import from_mask
from reference.melds import is_meld
from undercut.core.cards import NONE, each
from undercut.games.contract import Game
from undercut.games.gin import rules as gin
from undercut.games.pharaoh import rules as pharaoh
from undercut.games.rummy import rules as rummy


def _gin_stock(state: Any) -> list[int]:
    return state["deck"][int(state["used"]) :].tolist()


def _gin_cards(state: Any) -> list[int]:
    """Both hands, the discard pile and what is left of the stock."""
    hands = [card for seat in (0, 1) for card in each(state["hands"][seat])]
    return [*hands, *each(state["pile"]), *_gin_stock(state)]


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


def _rummy_queue(state: Any, count: int) -> list[int]:
    places = [(int(state["front"]) + place) % rummy.QUEUE for place in range(count)]
    return [int(state["deck"][rummy.FIRST + place]) for place in places]


def _rummy_stock(state: Any) -> list[int]:
    return _rummy_queue(state, int(state["stock"]))


def _rummy_cards(state: Any) -> list[int]:
    """Both hands, what both have put down, the stock and the discard pile."""
    masks = [*state["hands"], *state["laid"]]
    queue = _rummy_queue(state, int(state["stock"]) + int(state["pile"]))
    return [*(card for cards in masks for card in each(int(cards))), *queue]


def _check_rummy(state: Any) -> None:
    """The table is made of melds; what is noted of a seat's cards is true of them."""
    on_table = [int(rummy.meld_on_table(state, place)) for place in range(int(state["melds"]))]
    assert all(is_meld(from_mask(meld)) for meld in on_table)
    assert sum(meld.bit_count() for meld in on_table) == sum(on_table).bit_count()
    assert sum(on_table) == int(state["laid"][0]) | int(state["laid"][1])
    assert int(state["fresh"]) & ~int(state["laid"][int(state["seat"])]) == 0
    for seat in (0, 1):
        assert int(state["shown"][seat]) & ~int(state["hands"][seat]) == 0
        assert (state["opened"][seat] >= 0) == (int(state["laid"][seat]) > 0)
    assert (state["winner"] >= 0) == (0 in state["hands"])


def _pharaoh_stock(state: Any) -> list[int]:
    first, count = int(state["front"]), int(state["stock"])
    return state["deck"][first : first + count].tolist()


def _pharaoh_cards(state: Any) -> list[int]:
    """All hands, the discard pile and the stock."""
    hands = [card for hand in state["hands"] for card in each(int(hand))]
    return [*hands, *state["pile"][: int(state["piled"])].tolist(), *_pharaoh_stock(state)]


def _check_pharaoh(state: Any) -> None:
    """Who has cards is in, and only such a player is on turn."""
    holding = [seat for seat, hand in enumerate(state["hands"]) if hand]
    assert state["left"] == len(holding)
    assert all(state["out_at"][seat] == NONE for seat in holding)
    assert pharaoh.is_over(state) or int(state["seat"]) in holding
    assert (state["pile"][int(state["piled"]) :] == NONE).all()


def _one_scores(game: Game, points: list[int]) -> bool:
    return min(points) == 0


def _one_scores_or_a_tie(game: Game, points: list[int]) -> bool:
    return min(points) == 0 or points == [game.options.tie_points] * 2


def _places_are_shared_out(game: Game, points: list[int]) -> bool:
    """Two points for each pair of players, one each if they are equal."""
    return sum(points) == game.seats * (game.seats - 1)


CARDS: dict[str, Callable[[Any], list[int]]] = {
    "gin": _gin_cards,
    "rummy": _rummy_cards,
    "pharaoh": _pharaoh_cards,
}
STOCKS: dict[str, Callable[[Any], list[int]]] = {
    "gin": _gin_stock,
    "rummy": _rummy_stock,
    "pharaoh": _pharaoh_stock,
}
CHECKS: dict[str, Callable[[Any], None]] = {
    "gin": _check_gin,
    "rummy": _check_rummy,
    "pharaoh": _check_pharaoh,
}
POINTS: dict[str, Callable[[Game, list[int]], bool]] = {
    "gin": _one_scores,
    "rummy": _one_scores_or_a_tie,
    "pharaoh": _places_are_shared_out,
}


def check(rules: Any, state: Any) -> None:
    """Every card of the pack is in one place."""
    cards = rules.STATE["deck"].shape[0]
    assert sorted(CARDS[rules.NAME](state)) == list(range(cards))
    CHECKS[rules.NAME](state)


def stock(rules: Any, state: Any) -> list[int]:
    """The cards of the stock, the next one first."""
    return STOCKS[rules.NAME](state)


def check_points(game: Game, points: list[int]) -> None:
    """The points of a deal can be what they are."""
    assert min(points) >= 0
    assert POINTS[game.rules.NAME](game, points), points
