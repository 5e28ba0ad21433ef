"""Rummy for the contract tests."""

from typing import Any

from cards.hands import rich_deck
from cards.reference.cards import PACK, from_mask
from cards.reference.melds import is_meld
from games.rummy.positions import rummy_view_in_words
from games.rummy.reference import Round
from helpers import Helpers
from undercut.cards.french import each
from undercut.games.contract import Game
from undercut.games.rummy.rules import deal as rummy

ODD = [
    "rummy:turnovers=0,tie_points=7",
    "rummy:max_turns=40,turnovers=-1,rummy_doubles=0",
    "rummy-classic:turnovers=1,alternate_starter=0",
]


def _queue(state: Any, count: int) -> list[int]:
    places = [(int(state["front"]) + place) % rummy.QUEUE for place in range(count)]
    return [int(state["deck"][rummy.FIRST + place]) for place in places]


def _stock(state: Any) -> list[int]:
    return _queue(state, int(state["stock"]))


def _cards(state: Any) -> list[int]:
    """Both hands, what both have put down, the stock and the discard pile."""
    masks = [*state["hands"], *state["laid"]]
    queue = _queue(state, int(state["stock"]) + int(state["pile"]))
    return [*(card for cards in masks for card in each(int(cards))), *queue]


def _check(state: Any) -> None:
    """The table has only melds, and the flags of a seat's cards are true."""
    on_table = [int(rummy.meld_on_table(state, place)) for place in range(int(state["melds"]))]
    assert all(is_meld(from_mask(meld)) for meld in on_table)
    assert sum(meld.bit_count() for meld in on_table) == sum(on_table).bit_count()
    assert sum(on_table) == int(state["laid"][0]) | int(state["laid"][1])
    assert int(state["fresh"]) & ~int(state["laid"][int(state["seat"])]) == 0
    for seat in (0, 1):
        assert int(state["shown"][seat]) & ~int(state["hands"][seat]) == 0
        assert (state["opened"][seat] >= 0) == (int(state["laid"][seat]) > 0)
    assert (state["winner"] >= 0) == (0 in state["hands"])


def _one_scores_or_a_tie(game: Game, points: list[int]) -> bool:
    return min(points) == 0 or points == [game.options.tie_points] * 2


def _lively(actions: list[int]) -> list[list[int]]:
    """Put-downs as soon as they are noticed."""
    return [[action for action in actions if action >= rummy.MELD] or actions]


HELPERS = Helpers(
    cards=_cards,
    stock=_stock,
    are_possible=_one_scores_or_a_tie,
    lively=_lively,
    usual=("restricted", "heuristic"),
    check=_check,
    odd=ODD,
    combined=["rummy:may_discard_taken=0,turnovers=1,max_turns=60"],
    of_a_match={"target", "first_starter", "max_rounds"},
    compiled_often=(
        "rules.laid.runs",
        "rules.view._copy_public",
        "players.strategy.restrictions.",
    ),  # for states and views
    names=PACK,
    slow=Round,
    in_words=rummy_view_in_words,
    rich_deck=rich_deck,
)
