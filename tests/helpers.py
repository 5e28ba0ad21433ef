"""What the contract tests want to know of a game beyond its rules.

A game joins them by a module `helpers` in its folder below `games`, with HELPERS in it.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any

from undercut.games.contract import Game

Deck = list[str]


@dataclass(frozen=True)
class Helpers:
    """Where its cards are, what can come of a deal, how to make play lively."""

    cards: Callable[[Any], list[int]]  # (state): all of them, wherever they are
    stock: Callable[[Any], list[int]]  # (state): the next card first
    are_possible: Callable[[Game, list[int]], bool]  # the points of a deal
    lively: Callable[[list[int]], list[list[int]]]  # what is rare among legal actions, in groups
    usual: tuple[str, str]  # one of the plainest agents, and a better one that is quick too
    check: Callable[[Any], None] = lambda state: None  # what else must add up in a state
    odd: Sequence[str] = ()  # rule sets beside those that have a name
    combined: Sequence[str] = ()  # more rule sets in which the slow engine is compared
    of_a_match: Set[str] = frozenset()  # options that do not bear on a deal
    is_often_won: Callable[[Game], bool] = lambda game: True  # by chance; else most deals are void
    compiled_often: tuple[str, ...] = ()  # beginnings of kernels that have several signatures
    names: Sequence[str] = ()  # of the cards, for the slow engine
    slow: Any = None  # the slow engine, if there is one
    in_words: Callable[[Any], dict[str, Any]] | None = None  # a view as the slow engine tells it
    rich_deck: Callable[[Random], Deck] | None = None  # one that makes for lively deals
    replay: Callable[..., bool] | None = None  # where actions cannot just be played again
    redealt: Callable[..., Any] | None = None  # where dealing again the plain way does not do


def helpers_for(game: Any) -> Helpers:
    """Those of a game, or of its rules module."""
    name = game.rules.NAME if isinstance(game, Game) else game.NAME
    found: Helpers = import_module(f"games.{name}.helpers").HELPERS
    return found
