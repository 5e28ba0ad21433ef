"""Rummy games: the rules once, for people, programs and GPUs; players, tournaments, tools.

>>> import undercut
>>> game = undercut.load("gin")
>>> deal = game.deal(seed=7)
>>> deal.legal
['take', 'pass']
>>> deal.play("pass")
>>> print(deal.view(0).hand)
3c 8c 9c Tc Ad Jd As 4s Js Qs
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from undercut.core.agent import Random
    from undercut.core.errors import UndercutError
    from undercut.games.agents import parse_agent as agent
    from undercut.games.families import parse_game as load
    from undercut.games.position import format_position, parse_position
    from undercut.play.ask import ask
    from undercut.play.batch import play_batch
    from undercut.play.deal import Deal
    from undercut.play.match import Match, play_match
    from undercut.play.record import read_record, verify_record
    from undercut.play.vector import VectorTable, vector_table

__version__ = "0.1.0"

__all__ = [
    "Deal",
    "Match",
    "Random",
    "UndercutError",
    "VectorTable",
    "agent",
    "ask",
    "format_position",
    "load",
    "parse_position",
    "play_batch",
    "play_match",
    "read_record",
    "vector_table",
    "verify_record",
]

# Where each name lives: it is imported when it is first used, so that `undercut --help` need not
# wait for Numba.
_ROOMS = {
    "Deal": "play.deal",
    "Match": "play.match",
    "Random": "core.agent",
    "UndercutError": "core.errors",
    "VectorTable": "play.vector",
    "agent": "games.agents:parse_agent",
    "ask": "play.ask",
    "format_position": "games.position",
    "load": "games.families:parse_game",
    "parse_position": "games.position",
    "play_batch": "play.batch",
    "play_match": "play.match",
    "read_record": "play.record",
    "vector_table": "play.vector",
    "verify_record": "play.record",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'undercut' has no attribute {name!r}")
    room, _, own = _ROOMS[name].partition(":")
    found = getattr(import_module(f"undercut.{room}"), own or name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
