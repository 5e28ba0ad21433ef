"""Rummy games: the rules once, for people, programs and GPUs; players, tournaments, tools.

>>> import undercut
>>> game = undercut.load("gin")
>>> deal = game.deal(seed=7)
>>> deal.legal
['take', 'pass']
>>> print(deal.view(0).hand)
3c 8c 9c Tc Ad Jd As 4s Js Qs
>>> deal.play(undercut.agent("simple", game).act(deal.view()))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from undercut.api.agents import agent
    from undercut.api.belief import Belief
    from undercut.api.evaluation import evaluate
    from undercut.api.matches import match, tournament
    from undercut.api.reviews import review
    from undercut.cards.card import Card, Cards
    from undercut.games.contract import Game
    from undercut.games.families import register
    from undercut.games.table.actions import Action
    from undercut.games.table.readable import Seen, View
    from undercut.play.agent import Random
    from undercut.play.deal import Deal
    from undercut.play.match import Match
    from undercut.play.records.record import read_record, verify_record
    from undercut.play.vector.table import VectorTable, vector_table
    from undercut.players.python_agent import Agent
    from undercut.text.errors import UndercutError

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Agent",
    "Belief",
    "Card",
    "Cards",
    "Deal",
    "Game",
    "Match",
    "Random",
    "UndercutError",
    "VectorTable",
    "View",
    "agent",
    "evaluate",
    "load",
    "match",
    "read_record",
    "register",
    "review",
    "tournament",
    "vector_table",
    "verify_record",
]

# The module of each name. The first use imports it, so that `undercut --help` need not wait for
# Numba.
_ROOMS = {
    "Action": "games.table.actions",
    "Agent": "players.python_agent",
    "Belief": "api.belief",
    "Card": "cards.card",
    "Cards": "cards.card",
    "Deal": "play.deal",
    "Game": "games.contract",
    "Match": "play.match",
    "Random": "play.agent",
    "UndercutError": "text.errors",
    "VectorTable": "play.vector.table",
    "View": "games.table.readable",
    "agent": "api.agents",
    "evaluate": "api.evaluation",
    "match": "api.matches",
    "read_record": "play.records.record",
    "register": "games.families",
    "review": "api.reviews",
    "tournament": "api.matches",
    "vector_table": "play.vector.table",
    "verify_record": "play.records.record",
}


@overload
def load(spec: str, seats: int | None = None, **options: int) -> "Game[Any]": ...
@overload
def load(
    spec: str, seats: int | None = None, *, view: "type[Seen]", **options: int
) -> "Game[Seen]": ...
def load(spec: str, seats: int | None = None, *, view: Any = None, **options: int) -> "Game[Any]":
    """The game of a spec; house rules are in the spec or follow as arguments.

    A game has views of its own class. With `view=GinView` a type checker knows their fields.

    >>> from undercut import load
    >>> load("gin:target=50") == load("gin", target=50)
    True
    >>> load("gin", seats=2).name
    'gin'
    """
    from undercut.games.families import parse_game
    from undercut.text.errors import OptionsError

    more = ",".join(f"{name}={value}" for name, value in options.items())
    joint = "," if ":" in spec else ":"
    game = parse_game(f"{spec}{joint}{more}" if more else spec, seats)
    if view is not None and not issubclass(game.family.view, view):
        raise OptionsError(
            f"a view of {game.name} is a {game.family.view.__name__}, not a {view.__name__}"
        )
    return game


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        found = getattr(import_module(f"undercut.{_ROOMS[name]}"), name)
    elif name in (views := _views() if name.endswith("View") else {}):
        found = views[name]
    else:
        raise AttributeError(f"module 'undercut' has no attribute {name!r}")
    globals()[name] = found
    return found


def _views() -> "dict[str, type[View]]":
    """The views of every game, by the names of their classes."""
    from undercut.games.families import all_families

    return {family.view.__name__: family.view for family in all_families()}


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
