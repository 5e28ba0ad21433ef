"""Duel, the game of examples/duel, for the contract tests."""

from typing import Any

from helpers import Helpers
from undercut.cards.french import each
from undercut.games.contract import Game


def _in_play(state: Any) -> list[int]:
    masks = [*state["hands"], state["played"]]
    return [card for cards in masks for card in each(int(cards))]


def _out_of_play(state: Any) -> list[int]:
    return state["deck"][len(_in_play(state)) :].tolist()


def _cards(state: Any) -> list[int]:
    """Both hands, what was played and the cards that nobody got."""
    return [*_in_play(state), *_out_of_play(state)]


def _is_one_trick(game: Game, points: list[int]) -> bool:
    return sorted(points) == [0, 1]


HELPERS = Helpers(
    cards=_cards,
    stock=_out_of_play,
    are_possible=_is_one_trick,
    lively=lambda actions: [actions],
    usual=("random", "miser"),
    odd=["duel:hand=10", "duel:hand=12,target=3"],
)
