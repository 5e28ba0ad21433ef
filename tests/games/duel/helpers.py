"""Duel, the game of examples/duel, for the contract tests."""

from typing import Any

from helpers import Helpers
from undercut.core.cards import each
from undercut.games.contract import Game


def _stock(state: Any) -> list[int]:
    return state["deck"][int(state["used"]) :].tolist()


def _cards(state: Any) -> list[int]:
    """Both hands, what was played and the stock."""
    masks = [*state["hands"], state["played"]]
    return [*(card for cards in masks for card in each(int(cards))), *_stock(state)]


def _are_all_tricks(game: Game, points: list[int]) -> bool:
    return sum(points) == 26


HELPERS = Helpers(
    cards=_cards,
    stock=_stock,
    are_possible=_are_all_tricks,
    lively=lambda actions: [actions],
    usual=("random", "miser"),
    odd=["duel:hand=10", "duel:hand=2,target=7"],
)
