"""Pharaoh for the contract tests.

Its slow engine is the specification itself, as data: compare.py sets it beside the kernels.
"""

from typing import Any

from games.pharaoh.positions import redealt
from helpers import Helpers
from undercut.cards.french import NONE, each
from undercut.games.contract import Game
from undercut.games.pharaoh.rules import deal as pharaoh

ODD = [
    "pharaoh:players=3",
    "pharaoh:players=8",
    "pharaoh:deal=13,upcard_effects=1,quad_effects=1",
    "pharaoh:players=3,heart_seven_returns=1,aces_stack=0",
    "pharaoh:players=5,over_on_active=1,quads=0,seven_cards=2",
    "pharaoh:players=6,leaves_under=0,most_cards=2,stop_rounds=1,max_moves=60",
    "prsi:players=4,deal=5,heart_seven_returns=1",
]


def _stock(state: Any) -> list[int]:
    first, count = int(state["front"]), int(state["stock"])
    return state["deck"][first : first + count].tolist()


def _cards(state: Any) -> list[int]:
    """All hands, the discard pile and the stock."""
    hands = [card for hand in state["hands"] for card in each(int(hand))]
    return [*hands, *state["pile"][: int(state["piled"])].tolist(), *_stock(state)]


def _check(state: Any) -> None:
    """Exactly the players with cards are in, and one of them is on turn."""
    holding = [seat for seat, hand in enumerate(state["hands"]) if hand]
    assert state["left"] == len(holding)
    assert all(state["out_at"][seat] == NONE for seat in holding)
    assert pharaoh.is_over(state) or int(state["seat"]) in holding
    assert (state["pile"][int(state["piled"]) :] == NONE).all()


def _places_are_shared_out(game: Game, points: list[int]) -> bool:
    """Two points for each pair of players, one each if they are equal."""
    return sum(points) == game.seats * (game.seats - 1)


def _lively(actions: list[int]) -> list[list[int]]:
    """Cards are played rather than drawn."""
    plays = [action for action in actions if action >= pharaoh.PLAY] or actions
    return [plays, plays, plays]


HELPERS = Helpers(
    cards=_cards,
    stock=_stock,
    are_possible=_places_are_shared_out,
    lively=_lively,
    usual=("biggest", "heuristic"),
    check=_check,
    odd=ODD,
    compiled_often=("rules.view._copy_public",),  # for states and views
    redealt=redealt,  # cards seen once may be hidden again
)
