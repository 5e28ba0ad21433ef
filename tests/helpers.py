"""What the contract tests want to know of a game beyond its rules.

A game joins them by a module `helpers` in its folder below `games`, with HELPERS in it.
"""

from collections.abc import Callable, Container, Sequence, Set
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any, Protocol

from undercut.games.contract import Game

Deck = list[str]


class SlowTwin(Protocol):
    """One deal played the slow and obvious way; actions, cards and views are text.

    It is made of the options, the deck in words, the starter and the scores, as `Helpers.slow`.
    """

    seen: Sequence[Container[str]]  # for each seat the cards that it has seen in this deal
    outcome: object  # how the deal ended; "void" and "tie" are deals that nobody won

    def legal(self) -> list[str]: ...
    def apply(self, action: str, /) -> None: ...
    def replay(self, action: str, /) -> None:
        """The same where it is known to be legal: `apply` will do, unless it is too slow."""

    def view(self, seat: int, /) -> dict[str, Any]:
        """What `Helpers.in_words` makes of the kernels' view: the same names, the same values."""

    def points(self) -> list[int]: ...
    def next_starter(self) -> int: ...


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
    slow: Callable[..., SlowTwin] | None = None  # the slow engine, if there is one
    in_words: Callable[[Any], dict[str, Any]] | None = None  # a view as the slow engine tells it
    rich_deck: Callable[[Random], Deck] | None = None  # one that makes for lively deals
    replay: Callable[..., bool] | None = None  # where actions cannot just be played again
    redealt: Callable[..., Any] | None = None  # where dealing again the plain way does not do


def helpers_for(game: Any) -> Helpers:
    """Those of a game, or of its rules module."""
    name = game.rules.NAME if isinstance(game, Game) else game.NAME
    found: Helpers = import_module(f"games.{name}.helpers").HELPERS
    return found
