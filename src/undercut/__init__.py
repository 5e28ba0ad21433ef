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
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    from undercut.api.agents import agent
    from undercut.api.belief import Belief
    from undercut.api.matches import match, tournament
    from undercut.cards.card import Card, Cards
    from undercut.games.contract import Game
    from undercut.games.families import register
    from undercut.games.gin.table.readable import GinView
    from undercut.games.pharaoh.table.readable import PharaohView
    from undercut.games.rummy.table.readable import RummyView
    from undercut.games.table.actions import Action
    from undercut.games.table.readable import View
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
    "GinView",
    "Match",
    "PharaohView",
    "Random",
    "RummyView",
    "UndercutError",
    "VectorTable",
    "View",
    "agent",
    "load",
    "match",
    "read_record",
    "register",
    "tournament",
    "vector_table",
    "verify_record",
]

# Where each name lives: it is imported when it is first used, so that `undercut --help` need not
# wait for Numba.
_ROOMS = {
    "Action": "games.table.actions",
    "Agent": "players.python_agent",
    "Belief": "api.belief",
    "Card": "cards.card",
    "Cards": "cards.card",
    "Deal": "play.deal",
    "Game": "games.contract",
    "GinView": "games.gin.table.readable",
    "Match": "play.match",
    "PharaohView": "games.pharaoh.table.readable",
    "Random": "play.agent",
    "RummyView": "games.rummy.table.readable",
    "UndercutError": "text.errors",
    "VectorTable": "play.vector.table",
    "View": "games.table.readable",
    "agent": "api.agents",
    "match": "api.matches",
    "read_record": "play.records.record",
    "register": "games.families",
    "tournament": "api.matches",
    "vector_table": "play.vector.table",
    "verify_record": "play.records.record",
}


# With these an editor knows the fields of the views of a game that is named by its preset.
@overload
def load(
    spec: Literal["gin", "distilled"], seats: int | None = None, **options: int
) -> "Game[GinView]": ...
@overload
def load(
    spec: Literal["rummy", "rummy-classic"], seats: int | None = None, **options: int
) -> "Game[RummyView]": ...
@overload
def load(
    spec: Literal["pharaoh", "prsi"], seats: int | None = None, **options: int
) -> "Game[PharaohView]": ...
@overload
def load(spec: str, seats: int | None = None, **options: int) -> "Game[Any]": ...
def load(spec: str, seats: int | None = None, **options: int) -> "Game[Any]":
    """The game that a spec names; house rules stand in the spec, or follow as arguments.

    >>> load("gin:target=50") == load("gin", target=50)
    True
    >>> load("pharaoh", seats=4).name
    'pharaoh:players=4'
    """
    from undercut.games.families import parse_game

    more = ",".join(f"{name}={value}" for name, value in options.items())
    joint = "," if ":" in spec else ":"
    return parse_game(f"{spec}{joint}{more}" if more else spec, seats)


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'undercut' has no attribute {name!r}")
    found = getattr(import_module(f"undercut.{_ROOMS[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
