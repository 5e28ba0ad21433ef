"""Eights, the game of examples/eights, for the contract tests."""

from typing import Any

from eights import rules
from games.eights.reference import Eights
from helpers import Helpers
from undercut.cards.french import each, format_card
from undercut.games.contract import Game

NAMES = [format_card(card) for card in range(52)]


def _stock(state: Any) -> list[int]:
    cards: list[int] = state["deck"][int(state["drawn"]) :].tolist()
    return cards


def _cards(state: Any) -> list[int]:
    """Both hands, the pile and the stock."""
    masks = [*state["hands"], state["played"]]
    return [*(card for cards in masks for card in each(int(cards))), *_stock(state)]


def _one_or_none(game: Game, points: list[int]) -> bool:
    return sorted(points) in ([0, 0], [0, 1])


def _lively(actions: list[int]) -> list[list[int]]:
    """Cards are played sooner than drawn, so that hands become empty."""
    return [[action for action in actions if action < rules.DRAW] or actions] * 4


def _in_words(view: Any) -> dict[str, Any]:
    return {
        "hand": {NAMES[card] for card in each(int(view.hand))},
        "played": {NAMES[card] for card in each(int(view.played))},
        "top": NAMES[int(view.top)],
        "held": rules.held_by_other(view),
        "stock": 52 - int(view.drawn),
        "passes": int(view.passes),
        "turn": (int(view.seat), int(view.starter), view.scores.tolist()),
    }


HELPERS = Helpers(
    cards=_cards,
    stock=_stock,
    are_possible=_one_or_none,
    lively=_lively,
    usual=("random", "saver"),
    odd=["eights:hand=10", "eights:hand=12,target=2"],
    of_a_match={"target"},
    names=NAMES,
    slow=Eights,
    in_words=_in_words,
)
